#include "contact/contact_settings.h"

namespace traction {

namespace {

constexpr double kLeastGap = 0.01, kMostGap = 0.04;  // the range of the smallest gap under imc, in thicknesses below and above zero

}  // namespace

void complete_curve(FrictionCurve& curve, const Given& given) {
  if (!given.has("static")) curve.static_ = curve.dynamic;
  if (curve.static_ < curve.dynamic)
    given.fail("static", "must not be below 'dynamic', found " + given.text("static") + "; raise it, or leave it out for smoothed Coulomb");
  if (!given.has("stribeck_velocity")) curve.stribeck_velocity = 10 * curve.tolerance;
  if (curve.stribeck_velocity <= curve.tolerance)
    given.fail("stribeck_velocity",
               "must be above 'tolerance', found " + given.text("stribeck_velocity") + "; raise it, or leave it out for 10 times the tolerance");
}

void FrictionSettings::complete(const Given& given) {
  complete_curve(*this, given);
  if (given.has("passes") && coupling != FrictionCoupling::lagged) given.fail("passes", "is for 'coupling: lagged'; leave it out");
}

void ContactLawSettings::complete(const Given& given) {
  if (stiffness && pressure) given.fail("pressure", "is another way of giving 'stiffness'; remove one of the two");
  if (potential != ContactPotential::imc) {
    if (given.has("imc")) given.fail("imc", "belongs to potential: imc; leave it out, or choose that potential");
    return;
  }
  if (!imc.least_gap) imc.least_gap = -kLeastGap * thickness;
  if (!imc.most_gap) imc.most_gap = kMostGap * thickness;
  if (!(*imc.least_gap < *imc.most_gap))
    given.fail(given.has("imc.most_gap") ? "imc.most_gap" : "imc.least_gap",
               "leaves no range between 'least_gap' and 'most_gap'; raise 'most_gap', or lower 'least_gap'");
}

}  // namespace traction
