#include "contact/contact_settings.h"

namespace traction {

void FrictionSettings::complete(const Given& given) {
  if (!given.has("static")) static_ = dynamic;
  if (static_ < dynamic)
    given.fail("static", "must not be below 'dynamic', found " + given.text("static") + "; raise it, or leave it out for smoothed Coulomb");
  if (!given.has("stribeck_velocity")) stribeck_velocity = 10 * tolerance;
  if (stribeck_velocity <= tolerance)
    given.fail("stribeck_velocity",
               "must be above 'tolerance', found " + given.text("stribeck_velocity") + "; raise it, or leave it out for 10 times the tolerance");
  if (given.has("passes") && coupling != FrictionCoupling::lagged) given.fail("passes", "is for 'coupling: lagged'; leave it out");
}

}  // namespace traction
