#include "system/system.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "parallel/collective.h"
#include "system/held_directions.h"
#include "system/held_spins.h"
#include "system/supported_part.h"

namespace traction {

System::System(std::shared_ptr<const DistributedMesh> mesh, std::vector<double> mass)
    : mesh_(std::move(mesh)),
      pattern_(
          std::make_shared<const BlockPattern>(mesh_->halo, mesh_->tetrahedra, mesh_->triangles, mesh_->hinges, mesh_->rods, mesh_->joints, mesh_->quadratics)),
      own_mass_(std::move(mass)),
      mass_(own_mass_),
      dependents_(*mesh_, mass_),
      constraints_{{}, nothing_held(), std::vector<char>(mass_.size(), 0), {}, {}, std::vector<char>(mass_.size(), 0)} {
  double owned_mass = 0;
  for (int vertex = 0; vertex < halo().owned(); ++vertex)
    if (!std::binary_search(mesh_->twists.begin(), mesh_->twists.end(), vertex)) owned_mass += mass_[vertex];
  total_mass_ = sum_over_ranks(communicator(), owned_mass);
}

double DrivenFrame::turn(double from, double to) const {
  const Pose before(motion, from), after(motion, to);
  const Vec3 t0 = before.rotation * tangent, t1 = after.rotation * tangent, d0 = before.rotation * director, d1 = after.rotation * director;
  const Vec3 carried = d0 - (t0 + t1) * (d0.dot(t1) / (1 + t0.dot(t1)));
  return std::atan2(t1.dot(carried.cross(d1)), carried.dot(d1));
}

std::map<int, double> System::held_turns(double from, double to) const {
  std::map<int, double> turns;
  for (const DrivenGroup& group : constraints_.driven)
    for (std::size_t k = 0; k < group.twists.size(); ++k) turns[group.vertices[k]] = group.twists[k].radius * group.twists[k].frame.turn(from, to);
  return turns;
}

// Whether twists exist is the same on all ranks: all of them must allow vertices that are held in part, or none.
HeldVertices System::nothing_held() const {
  HeldVertices held(dependents_.marks());
  if (sum_over_ranks(communicator(), static_cast<double>(mesh_->twists.size())) == 0) return held;
  held.allow_partial();
  for (const int twist : mesh_->twists) held.hold_partly(twist, Vec3(0, 1, 1).asDiagonal());
  return held;
}

void System::drive(DrivenGroup group) {
  if (group.directions.empty() && std::isinf(group.until)) {
    for (int vertex : group.vertices) constraints_.for_good[vertex] = 1;
    mark_dependents(constraints_.for_good);
    share_with_ghosts(constraints_.for_good);
  }
  constraints_.given.push_back(group);
  hold(std::move(group));
}

bool System::release(double time) {
  const auto is_over = [&](const DrivenGroup& group) { return group.until <= time; };
  std::vector<DrivenGroup>& given = constraints_.given;
  const auto released = static_cast<std::size_t>(std::count_if(given.begin(), given.end(), is_over));
  if (released <= constraints_.released) return false;
  constraints_ = {{}, nothing_held(), std::vector<char>(mass_.size(), 0), {}, std::move(given), std::move(constraints_.for_good), released};
  for (DrivenGroup group : constraints_.given) {
    if (is_over(group)) {
      group.vertices.clear();
      group.starts.clear();
      group.twists.clear();
    }
    hold(std::move(group));
  }
  return true;
}

// Gives owned dependent vertices the mark that all their masters have in common.
void System::mark_dependents(std::vector<char>& marks) const {
  if (!dependents_.any()) return;
  const std::vector<char> of_masters = dependents_.all_masters_marked(marks);
  for (int vertex = 0; vertex < halo().owned(); ++vertex)
    if (dependents_.marks()[vertex]) marks[vertex] = of_masters[vertex];
}

// Copies the marks of owned vertices to their ghosts.
void System::share_with_ghosts(std::vector<char>& marks) const {
  std::vector<double> numbers(marks.begin(), marks.end());
  Scatter(halo(), 1).forward(numbers);
  std::transform(numbers.begin(), numbers.end(), marks.begin(), [](double number) { return static_cast<char>(number != 0); });
}

void System::hold(DrivenGroup group) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < group.vertices.size(); ++k) {
    if (constraints_.held.whole()[group.vertices[k]]) continue;
    group.vertices[kept] = group.vertices[k];
    group.starts[kept] = group.starts[k];
    if (group.holds_twists) group.twists[kept] = group.twists[k];
    ++kept;
  }
  group.vertices.resize(kept);
  group.starts.resize(kept);
  if (group.holds_twists) group.twists.erase(group.twists.begin() + static_cast<std::ptrdiff_t>(kept), group.twists.end());
  const bool partly = !group.directions.empty();
  if (partly) {
    constraints_.held.allow_partial();
    group.shares.assign(group.vertices.size(), Mat3::Zero());
  }
  constraints_.driven.push_back(std::move(group));
  if (partly) add_holds(constraints_.driven.back());
  else drop_holds(constraints_.driven.back());
  // Ghosts receive H from their owners.
  std::vector<char> marks = constraints_.held.whole();
  share_with_ghosts(marks);
  for (int vertex = halo().owned(); vertex < halo().local(); ++vertex)
    if (marks[vertex] != 0) constraints_.held.hold_whole(vertex);
  constraints_.moved = constraints_.held.whole();
  mark_dependents(constraints_.moved);
  share_with_ghosts(constraints_.moved);
  if (!constraints_.held.has_partial()) return;
  std::vector<double> projectors(9 * static_cast<std::size_t>(halo().local()), 0.0);
  const auto projector = [&](int vertex) { return Eigen::Map<Mat3>(projectors.data() + 9 * static_cast<std::size_t>(vertex)); };
  for (const auto& [vertex, holds] : constraints_.holds) projector(vertex) = constraints_.held.projector(vertex);
  Scatter(halo(), 9).forward(projectors);
  for (int vertex = halo().owned(); vertex < halo().local(); ++vertex)
    if (!projector(vertex).isZero(0)) constraints_.held.hold_partly(vertex, projector(vertex));
}

// Removes earlier holds of the group's vertices, which it holds whole.
void System::drop_holds(const DrivenGroup& group) {
  for (int vertex : group.vertices) {
    constraints_.held.hold_whole(vertex);
    const auto found = constraints_.holds.find(vertex);
    if (found == constraints_.holds.end()) continue;
    for (const Constraints::Hold& hold : found->second) constraints_.driven[hold.group].shares[hold.entry].setZero();
    constraints_.holds.erase(found);
  }
}

void System::add_holds(const DrivenGroup& group) {
  for (std::size_t k = 0; k < group.vertices.size(); ++k) {
    const int vertex = group.vertices[k];
    if (constraints_.held.whole()[vertex]) continue;
    for (const Vec3& direction : group.directions) {
      if (constraints_.held.free_part(vertex, direction).norm() < kLeastSine) continue;
      constraints_.holds[vertex].push_back({constraints_.driven.size() - 1, k, direction});
      share(vertex);
    }
  }
}

// Computes the shares of a vertex: with the directions n_c as columns of N, and d_c those of N (N^T N)^-1, A is the sum of d_c n_c^T over a group's directions,
// H the sum over all.
void System::share(int vertex) {
  const std::vector<Constraints::Hold>& holds = constraints_.holds.at(vertex);
  const int count = static_cast<int>(holds.size());
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> N(3, count);
  for (int c = 0; c < count; ++c) N.col(c) = holds[c].direction;
  const auto dual = (N * Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>(N.transpose() * N).inverse()).eval();
  for (const Constraints::Hold& hold : holds) constraints_.driven[hold.group].shares[hold.entry].setZero();
  for (int c = 0; c < count; ++c) constraints_.driven[holds[c].group].shares[holds[c].entry] += dual.col(c) * N.col(c).transpose();
  const Mat3 sum = dual * N.transpose();
  constraints_.held.hold_partly(vertex, count == 3 ? Mat3(Mat3::Identity()) : Mat3((sum + sum.transpose()) / 2));
}

void System::set_driven_velocities(State& state) const {
  if (constraints_.driven.empty()) return;
  for (const DrivenGroup& group : constraints_.driven) {
    const Pose pose(group.motion, state.time);
    for (std::size_t k = 0; k < group.vertices.size(); ++k) {
      const int vertex = group.vertices[k];
      state.v[vertex] = group.imposed(k, state.v[vertex], pose.velocity_at(pose.to_world<double>(group.starts[k])));
    }
  }
  exchange(state.v);
}

void System::set_driven_positions(State& state) const {
  if (constraints_.driven.empty()) return;
  for (const DrivenGroup& group : constraints_.driven) {
    const Pose pose(group.motion, state.time);
    for (std::size_t k = 0; k < group.vertices.size(); ++k) {
      const int vertex = group.vertices[k];
      state.q[vertex] = group.imposed(k, state.q[vertex], pose.to_world<double>(group.starts[k]));
    }
  }
  exchange(state.q);
}

std::vector<std::size_t> System::reaction_numbers() const {
  std::map<std::string, std::size_t> by_name;
  std::vector<std::size_t> numbers;
  for (const DrivenGroup& group : constraints_.driven) numbers.push_back(by_name.try_emplace(group.name, by_name.size()).first->second);
  return numbers;
}

std::vector<Reaction> System::reactions(const State& state) const {
  if (constraints_.driven.empty()) return {};
  Field forces(halo().local());
  force(state, forces);
  Field accelerations(halo().local());
  std::map<int, double> spin_accelerations;
  if (has_inertia_) {
    impose_accelerations(state, accelerations);
    spin_accelerations = HeldSpins(*this).accelerations_at(state);
  }
  const std::vector<std::size_t> numbers = reaction_numbers();
  std::vector<Reaction> reactions(1 + *std::max_element(numbers.begin(), numbers.end()));
  for (std::size_t g = 0; g < numbers.size(); ++g) {
    const DrivenGroup& group = constraints_.driven[g];
    Reaction& reaction = reactions[numbers[g]];
    for (std::size_t k = 0; k < group.vertices.size(); ++k) {
      const int vertex = group.vertices[k];
      if (group.holds_twists) {
        const HeldTwist& twist = group.twists[k];
        const Vec3 tangent = (state.q[twist.ends[1]] - state.q[twist.ends[0]]).normalized();
        const auto acceleration = spin_accelerations.find(vertex);
        const double needed = acceleration == spin_accelerations.end() ? 0 : mass_[vertex] * acceleration->second;
        reaction.moment += (needed - forces[vertex].x()) * twist.radius * tangent;
        continue;
      }
      const Vec3 x = state.q[vertex], needed = mass_[vertex] * accelerations[vertex] - forces[vertex];
      const Vec3 share = supported_part(group, k, needed);
      reaction.force += share;
      reaction.moment += x.cross(share);
    }
  }
  static_assert(sizeof(Reaction) == 6 * sizeof(double));
  sum_over_ranks(communicator(), {reactions.front().force.data(), 6 * reactions.size()});
  return reactions;
}

void System::impose_accelerations(const State& state, Field& accelerations) const {
  for (const DrivenGroup& group : constraints_.driven) {
    const Pose pose(group.motion, state.time);
    for (std::size_t k = 0; k < group.vertices.size(); ++k) {
      const int vertex = group.vertices[k];
      accelerations[vertex] = group.imposed(k, accelerations[vertex], pose.acceleration_at(pose.to_world<double>(group.starts[k])));
    }
  }
}

std::vector<Reaction> System::carried(const std::vector<std::vector<int>>& sets, const Vec3& gravity, const State& state) const {
  if (sets.empty()) return {};
  Field forces(halo().local());
  own_force(state, forces);
  Field accelerations(halo().local());
  if (has_inertia_) {
    accelerations.array() = forces.array();
    dependents_.gather(accelerations);
    for (int i = 0; i < halo().owned(); ++i) accelerations[i] = dependents_.marks()[i] ? Vec3(Vec3::Zero()) : held().free_part(i, accelerations[i] / mass_[i]);
    impose_accelerations(state, accelerations);
    dependents_.spread(accelerations);
  }
  std::vector<Reaction> result(sets.size());
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (const int vertex : sets[s]) {
      const Vec3 needed = own_mass_[vertex] * (accelerations[vertex] - gravity) - forces[vertex];
      result[s].force += needed;
      result[s].moment += Vec3(state.q[vertex]).cross(needed);
    }
  sum_over_ranks(communicator(), {result.front().force.data(), 6 * result.size()});
  return result;
}

bool System::bounds_steps() const {
  return std::any_of(forces_.begin(), forces_.end(), [](const auto& term) { return term->step_bound() != nullptr; });
}

std::optional<double> System::admissible_part(const State& state, const Field& displacement) const {
  std::optional<double> part = 1;
  for (const auto& term : forces_)
    if (StepBound* bound = term->step_bound()) part = std::min(part, bound->admissible_part(state, displacement));  // an empty value is less than any other
  return part;
}

bool System::is_clear(const State& start, const State& end, bool bounded) const {
  bool clear = true;
  for (const auto& term : forces_)
    if (StepBound* bound = term->step_bound()) clear = bound->is_clear(start, end, bounded) && clear;
  return clear;
}

void System::commit(const State& accepted) const {
  for (const auto& term : forces_)
    if (Memory* memory = term->memory()) memory->commit(accepted);
}

void System::relax(const State& state) const {
  for (const auto& term : forces_)
    if (Memory* memory = term->memory()) memory->relax(state);
}

std::map<std::string, std::vector<double>> System::remembered() const {
  std::map<std::string, std::vector<double>> fields;
  for (const auto& term : forces_)
    if (Memory* memory = term->memory()) {
      std::vector<double>& values = fields[memory->name()];
      values.resize(static_cast<std::size_t>(memory->components()) * halo().local(), 0.0);
      memory->save(values);
      Scatter(halo(), memory->components()).forward(values);
    }
  return fields;
}

void System::recall(const std::map<std::string, std::vector<double>>& fields) const {
  for (const auto& term : forces_)
    if (Memory* memory = term->memory()) memory->load(fields.at(memory->name()));
}

bool System::foretell(bool on) const {
  bool any = false;
  for (const auto& term : forces_) any = term->foretell(on) || any;
  return any;
}

void System::linearize_foretold(bool on) const {
  for (const auto& term : forces_) term->linearize_foretold(on);
}

void System::prepare(const State& state) const {
  for (const auto& term : forces_) term->prepare(state);
}

void System::linearize(const Linearization& at) {
  for (const auto& term : forces_) term->linearize(at);
}

void System::force(const State& state, Field& force, Terms terms) const {
  own_force(state, force, terms);
  dependents_.gather(force);
}

void System::force(const State& state, Field& force, std::vector<double>& sizes) const {
  prepare(state);
  Field of_term(halo().local());
  sizes.assign(static_cast<std::size_t>(halo().owned()), 0);
  force.set_zero();
  for (const auto& term : forces_) {
    of_term.set_zero();
    for (const Zone zone : {Zone::interior, Zone::boundary}) term->add_force(state, zone, of_term);
    for (int i = 0; i < halo().owned(); ++i) sizes[i] += of_term[i].norm();
    force.array() += of_term.array();
  }
  dependents_.gather(force);
}

void System::own_force(const State& state, Field& force, Terms terms) const {
  force.set_zero();
  for (const auto& term : forces_)
    if (among(*term, terms)) term->prepare(state);
  for (const Zone zone : {Zone::interior, Zone::boundary})
    for (const auto& term : forces_)
      if (among(*term, terms)) term->add_force(state, zone, force);
}

void System::product(const Linearization& at, const State& direction, Field& change, Terms terms) const {
  change.set_zero();
  for (const Zone zone : {Zone::interior, Zone::boundary})
    for (const auto& term : forces_)
      if (among(*term, terms)) term->add_product(at, direction, zone, change);
  dependents_.gather(change);
}

}  // namespace traction
