#include "contact/contact_settings.h"

namespace traction {

namespace {

constexpr double kLeastGap = 0.01, kMostGap = 0.04;  // the range of the smallest gap under imc, in thicknesses below and above zero

void check_increase(const std::vector<double>& values, const std::string& key, const Given& given) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (!(values[i] > values[i - 1]))
      given.fail("table." + key + "." + std::to_string(i), "must be above the value before it, " + given.text("table." + key + "." + std::to_string(i - 1)) +
                                                               "; list them in increasing order, each once");
}

void check_table(const FrictionTable& table, double tolerance, const Given& given) {
  for (const char* key : {"dynamic", "static", "stribeck_velocity", "decay_velocity"})
    if (given.has(key)) given.fail(key, "cannot be used with 'table', which has the coefficients; remove one of the two");
  check_increase(table.speeds, "speeds", given);
  check_increase(table.pressures, "pressures", given);
  if (table.speeds.size() > 1 && table.speeds.back() <= tolerance)
    given.fail("table.speeds", "ends at " + given.text("table.speeds." + std::to_string(table.speeds.size() - 1)) +
                                   " m/s, but friction is fully developed only above 'tolerance'; give larger speeds, or a smaller tolerance");
  const std::size_t count = table.rows() * table.columns();
  if (table.coefficients.size() == count) return;
  const auto some = [](std::size_t number, const std::string& what) { return std::to_string(number) + " " + what + (number == 1 ? "" : "s"); };
  std::string wanted;
  if (!table.speeds.empty()) wanted = some(table.speeds.size(), "speed");
  if (!table.pressures.empty()) wanted += (wanted.empty() ? "" : " and ") + some(table.pressures.size(), "pressure");
  given.fail("table.coefficients", "has " + some(table.coefficients.size(), "number") + " for " + wanted + "; give " + std::to_string(count) +
                                       ": for each pressure in turn, one for each speed");
}

}  // namespace

void complete_curve(FrictionCurve& curve, const Given& given) {
  if (curve.table) return check_table(*curve.table, curve.tolerance, given);
  if (!given.has("static")) curve.static_ = curve.dynamic;
  if (curve.static_ < curve.dynamic)
    given.fail("static", "must not be below 'dynamic', found " + given.text("static") + "; raise it, or leave it out for smoothed Coulomb");
  if (!given.has("stribeck_velocity")) curve.stribeck_velocity = FrictionCurve::kStribeckTolerances * curve.tolerance;
  if (curve.decay_velocity) {
    if (given.has("stribeck_velocity"))
      given.fail("stribeck_velocity", "describes the decay of friction, and 'decay_velocity' does, too; remove one of the two");
    if (!given.has("static")) given.fail("decay_velocity", "has nothing to act on without 'static'; give that, or leave it out");
    if (*curve.decay_velocity <= curve.tolerance)
      given.fail("decay_velocity", "must be above 'tolerance', found " + given.text("decay_velocity") + "; raise it, or give a smaller tolerance");
    return;
  }
  if (given.has("stribeck_velocity") && !given.has("static"))
    given.fail("stribeck_velocity", "has nothing to act on without 'static'; give that, or leave it out");
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
