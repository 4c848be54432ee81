#include "forces/load_settings.h"

namespace traction {

void LoadSettings::complete(const Given& given) {
  bool found = false;
  const auto choose = [&](const char* key, LoadKind one, const std::optional<Vec3>& value) {
    if (!given.has(key)) return;
    if (found) given.fail(key, "a load has one kind, and this one has another already; write two loads under 'loads', each with its own name");
    found = true;
    kind = one;
    if (value) vector = *value;
  };
  choose("force", LoadKind::force, force);
  choose("torque", LoadKind::torque, torque);
  choose("traction", LoadKind::traction, traction);
  choose("body_force", LoadKind::body_force, body_force);
  choose("pressure", LoadKind::pressure, std::nullopt);
  if (!found) given.fail({}, "is a load without a size; give its 'force', 'torque', 'traction', 'body_force' or 'pressure'");
  if ((kind == LoadKind::traction || kind == LoadKind::pressure) && region.empty()) given.fail("region", "is missing; name a region of the mesh");
  if (kind != LoadKind::traction && given.has("following"))
    given.fail("following", "goes with a traction only; a pressure always follows its surface, other loads keep their direction");
  check_times_ascend(given, "over", over);
}

}  // namespace traction
