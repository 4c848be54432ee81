#include "contact/contact_group.h"

#include <algorithm>
#include <limits>

#include "parallel/collective.h"

namespace traction {

void ContactGroup::update_present_law() {
  *present_ = law_;
  present_->stiffness *= weight_;
  for (ContactLayer& layer : present_->layers) layer.stiffness *= weight_;
  present_->curve.viscous *= weight_;
  present_->factor = weight_;
}

void ContactGroup::set_stiffness(double stiffness) {
  law_.stiffness = stiffness;
  update_present_law();
}

void ContactGroup::set_hardness(const ContactHardness& hardness) {
  law_.stiffness = hardness.stiffness;
  law_.layers = hardness.layers;
  update_present_law();
}

double ContactGroup::present_stiffness() const {
  double sum = law_.stiffness;
  for (const ContactLayer& layer : law_.layers) sum += layer.stiffness * layer.thickness / law_.thickness;
  return sum;
}

void ContactGroup::foresee(const State& state) {
  if (ahead_) set_stiffness(std::max(base_stiffness_, ahead_->stiffness(state)));
}

double ContactGroup::adapt_stiffness(MPI_Comm communicator, const State& state, double gap) {
  if (!control_) return 0;
  const double stiffness = control_->next(law_.stiffness, base_stiffness_, gap), change = stiffness - law_.stiffness;
  if (change == 0) return 0;
  // The energy is linear in the stiffness. The guard is left out, because its stiffness does not change.
  const double guard = law_.guard_stiffness;
  law_.guard_stiffness = 0;
  set_stiffness(change);
  const double added = total_energy(communicator, state);
  law_.guard_stiffness = guard;
  set_stiffness(stiffness);
  return added;
}

void ContactGroup::relax() { set_hardness({ahead_ || control_ ? law_.stiffness : base_stiffness_, {}}); }

void ContactGroup::set_weight(double weight) {
  weight_ = weight;
  update_present_law();
}

void ContactGroup::begin_step(const State& state) {
  for (const Term& term : terms_) term.term->begin_step(state);
}

void ContactGroup::lag_friction(const State& state) {
  if (!has_lagged_friction()) return;
  for (const Term& term : terms_) term.term->lag_friction(state);
}

ContactSummary ContactGroup::summarize(const State& state) {
  ContactSummary total{std::numeric_limits<double>::infinity(), 0, Vec3::Zero()};
  for (const Term& term : terms_) {
    term.term->prepare(state);
    const ContactSummary summary = term.term->summarize(state);
    total.minimum_gap = std::min(total.minimum_gap, summary.minimum_gap);
    total.active += summary.active;
    total.force += term.side * summary.force;
    total.yielding_gap = std::min(total.yielding_gap, summary.yielding_gap);
    total.friction_power += summary.friction_power;
    total.damping_power += summary.damping_power;
    total.area += summary.area;
    total.energy += summary.energy;
    total.obstacles.insert(total.obstacles.end(), summary.obstacles.begin(), summary.obstacles.end());
  }
  return total;
}

std::optional<Vec3> ContactGroup::passage(const State& start, const State& end) {
  for (const Term& term : terms_)
    if (const std::optional<Vec3> place = term.term->passage(start, end)) return place;
  return {};
}

std::vector<ContactPoint> ContactGroup::points(const State& state) const {
  std::vector<ContactPoint> points;
  for (const Term& term : terms_) {
    term.term->prepare(state);
    term.term->add_points(state, points);
  }
  return points;
}

void ContactGroup::add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const {
  for (const Term& term : terms_) {
    term.term->prepare(state);
    term.term->add_vertex_forces(state, normal_force, total_force);
  }
}

void ContactGroup::add_normal_magnitudes(const State& state, Field& magnitudes) const {
  for (const Term& term : terms_) {
    term.term->prepare(state);
    term.term->add_normal_magnitudes(state, magnitudes);
  }
}

Field ContactGroup::most_friction(const State& state, const Field& normal) const {
  const int vertices = static_cast<int>(normal.values().size() / 3);
  Field most(vertices);
  bool is_by_pair = false;
  for (const Term& term : terms_) {
    term.term->prepare(state);
    is_by_pair = term.term->add_most_friction(state, most) || is_by_pair;
  }
  const ContactLaw& law = unweighted_law();
  if (is_by_pair || !law.friction) return most;
  for (int vertex = 0; vertex < vertices; ++vertex) most[vertex].x() = law.curve.largest_coefficient() * normal[vertex].norm();
  return most;
}

void ContactGroup::add_sliding(const State& state, Field& sliding, Field& shares) const {
  for (const Term& term : terms_) {
    term.term->prepare(state);
    term.term->add_sliding(state, sliding, shares);
  }
}

void ContactGroup::add_by_body(const State& state, const Field& bodies, ContactByBody& result) const {
  for (const Term& term : terms_) {
    term.term->prepare(state);
    term.term->add_by_body(state, bodies, result);
  }
}

double ContactGroup::total_energy(MPI_Comm communicator, const State& state) const {
  double sum = 0;
  for (const Term& term : terms_) {
    term.term->prepare(state);
    sum += term.term->energy(state);
  }
  return sum_over_ranks(communicator, sum);
}

std::vector<int> ContactGroup::touching() const {
  std::vector<int> vertices;
  for (const Term& term : terms_) vertices.insert(vertices.end(), term.term->touching().begin(), term.term->touching().end());
  return vertices;
}

double ContactGroup::work_seconds() const {
  double seconds = 0;
  for (const Term& term : terms_) seconds += term.term->work_seconds();
  return seconds;
}

}  // namespace traction
