#include "pressure/pressure_settings.h"

#include "contact/contact_settings.h"

namespace traction {

void PressureFieldSettings::complete(const Given& given) const {
  if (thickness)
    for (const char* key : {"shape", "radius", "length", "size", "facets", "core"})
      if (given.has(key)) given.fail(key, "describes a body's field, and 'thickness' a plane's; remove one of the two");
  if (thickness) return;
  const bool is_round = shape == FieldShape::sphere || shape == FieldShape::cylinder || shape == FieldShape::capsule;
  const bool is_long = shape == FieldShape::cylinder || shape == FieldShape::capsule;
  const std::string word(word_of(shape));
  const auto check = [&](const char* key, bool is_wanted, bool is_needed) {
    if (given.has(key) && !is_wanted) given.fail(key, "does not belong to shape: " + word + "; remove it, or choose another shape");
    if (!given.has(key) && is_needed) given.fail(key, "is missing; give it for shape: " + word);
  };
  check("radius", is_round, is_round);
  check("facets", is_round, false);
  check("length", is_long, is_long);
  check("size", shape == FieldShape::box, shape == FieldShape::box);
  check("core", shape == FieldShape::mesh, false);
  if (size && !(size->minCoeff() > 0)) given.fail("size", "must be positive in every direction");
}

void PressureFrictionSettings::complete(const Given& given) {
  has_coefficient = table || given.has("dynamic");
  if (!has_coefficient)
    for (const char* key : {"static", "stribeck_velocity", "decay_velocity"})
      if (given.has(key)) given.fail(key, "has nothing to act on without 'dynamic'; give that, or leave it out");
  complete_curve(*this, given);
}

void PressureContactSettings::complete(const Given& given) const {
  if (all && given.has("between")) given.fail("between", "cannot be used with 'all', which means every pressure field; remove one of the two");
  if (all) return;
  if (between.size() != 2) given.fail("between", "needs two sides; write it as [first, second]");
  if (between[0] == between[1]) given.fail("between", "names the same side twice; a rigid body cannot touch itself");
}

}  // namespace traction
