// Contact of two bodies with the vertices of each against the surface of the other.
#pragma once

#include <algorithm>
#include <memory>

#include "contact/mesh_contact.h"

namespace traction {

class TwoWayContact : public Contact {
 public:
  TwoWayContact(std::string name, ContactLaw law, std::unique_ptr<MeshContact> first, std::unique_ptr<MeshContact> second)
      : Contact(std::move(name), law), directions_{std::move(first), std::move(second)} {}

  void set_stiffness(double stiffness) override {
    Contact::set_stiffness(stiffness);
    for (const auto& direction : directions_) direction->set_stiffness(stiffness);
  }
  void set_weight(double weight) override {
    for (const auto& direction : directions_) direction->set_weight(weight);
  }
  void begin_step(const State& state) override {
    for (const auto& direction : directions_) direction->begin_step(state);
  }
  void lag_friction(const State& state) override {
    for (const auto& direction : directions_) direction->lag_friction(state);
  }
  void prepare(const State& state) override {
    for (const auto& direction : directions_) direction->prepare(state);
  }
  void set_primal_dual(bool on) override {
    for (const auto& direction : directions_) direction->set_primal_dual(on);
  }
  void linearize(const State& state) override {
    for (const auto& direction : directions_) direction->linearize(state);
  }
  void add_force(const State& state, Zone zone, Field& force) const override {
    for (const auto& direction : directions_) direction->add_force(state, zone, force);
  }
  void add_product(const State& state, const State& change, Zone zone, Field& product) const override {
    for (const auto& direction : directions_) direction->add_product(state, change, zone, product);
  }
  void add_couplings(const State& state, double dq, double dv, std::vector<Coupling>& couplings) const override {
    for (const auto& direction : directions_) direction->add_couplings(state, dq, dv, couplings);
  }
  std::optional<double> admissible_part(const State& state, const Field& displacement) override {
    const std::optional<double> first = directions_[0]->admissible_part(state, displacement);
    return std::min(first, directions_[1]->admissible_part(state, displacement));
  }
  double energy(const State& state) const override { return directions_[0]->energy(state) + directions_[1]->energy(state); }
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) override {
    for (const auto& direction : directions_) direction->add_vertex_forces(state, normal_force, total_force);
  }
  std::vector<ContactPoint> points(const State& state) const override {
    std::vector<ContactPoint> all = directions_[0]->points(state);
    const std::vector<ContactPoint> second = directions_[1]->points(state);
    all.insert(all.end(), second.begin(), second.end());
    return all;
  }
  std::vector<int> touching() const override {
    std::vector<int> all = directions_[0]->touching();
    const std::vector<int> second = directions_[1]->touching();
    all.insert(all.end(), second.begin(), second.end());
    return all;
  }
  double work_seconds() const override { return directions_[0]->work_seconds() + directions_[1]->work_seconds(); }
  // The force is that on the first body: its vertices' own, and what the second body's vertices do to its surface.
  ContactSummary summarize(const State& state) override {
    const ContactSummary first = directions_[0]->summarize(state), second = directions_[1]->summarize(state);
    return {std::min(first.minimum_gap, second.minimum_gap), first.active + second.active, first.force - second.force};
  }

 private:
  std::array<std::unique_ptr<MeshContact>, 2> directions_;
};

}  // namespace traction
