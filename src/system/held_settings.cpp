#include "system/held_settings.h"

namespace traction {

std::vector<Vec3> HeldPart::directions() const {
  if (normal) return {*normal};
  std::vector<Vec3> result;
  if (components.size() < 3)
    for (const Axis axis : components) result.emplace_back(Vec3::Unit(static_cast<int>(axis)));
  return result;
}

void HeldPart::complete(const Given& given) const {
  if (given.has("components") && given.has("normal")) given.fail("normal", "cannot be used with 'components'; remove one of the two");
}

}  // namespace traction
