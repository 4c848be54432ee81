#include "simulation/build_joints.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>

#include "errors.h"
#include "parallel/collective.h"
#include "simulation/body_points.h"
#include "simulation/expected_speeds.h"
#include "simulation/known_pulls.h"
#include "simulation/solid_patch.h"

namespace traction {

namespace {

// The force that strains a deformable body by a little [N].
double pull_by_strain(const Body& body, double size) {
  constexpr double kStrain = 1e-3;
  double modulus = 0;
  for (const auto& [name, material] : body.solid) modulus = std::max(modulus, material.youngs_modulus);
  return kStrain * modulus * size * size;
}

class JointBuilder {
 public:
  JointBuilder(const System& system, const Scene& scene, const Field& start)
      : system_(system), scene_(scene), start_(start), speed_(expected_in(scene, system.mesh()).speed) {
    for (const JointSettings& joint : scene.joints)
      for (const std::string& name : joint.between)
        if (extents_.emplace(name, BodyExtent{}).second) {
          extents_[name] = extent_of(system, scene.body(name), start);
          total_mass_ += extents_[name].mass;
        }
    for (const StepSettings& piece : scene.time.steps) step_ = std::max(step_, piece.step);
  }

  // Adds the parts of a joint that are on this rank. Returns the size of its smaller body [m]. Collective.
  double add(const JointSettings& joint, int number);
  JointParts take() { return std::move(parts_); }

 private:
  using Pair = std::array<CarriedPoint, 2>;  // on the first body, and on the second or fixed

  void refuse_apart(const JointSettings& joint) const;
  double stiffness_of(const JointSettings& joint, double size) const;
  CarriedPoint on(const JointSettings& joint, std::size_t side, const Vec3& place) const {
    if (side >= joint.between.size()) return {BodyPoint::fixed(place), place};
    if (patches_[side]) return patches_[side]->carry(place);
    return point_of_body(system_, scene_.body(joint.between[side]), place, start_);
  }
  Pair pair_at(const JointSettings& joint, const Vec3& place, double size) const;
  Vec3 direction_across(const JointSettings& joint, const Vec3& a, double size) const;
  void add_motor(const JointSettings& joint, int number, const std::array<BodyPoint, HingeAngle::kPoints>& points, double stiffness, bool is_mine);

  const System& system_;
  const Scene& scene_;
  const Field& start_;
  double speed_, step_ = 0, total_mass_ = 0;
  std::map<std::string, BodyExtent> extents_;
  std::array<std::optional<SolidPatch>, 2> patches_;  // parts of both bodies, where these are solids, that carry the joint that is being added
  JointParts parts_;
};

void JointBuilder::refuse_apart(const JointSettings& joint) const {
  for (const std::string& name : joint.between) {
    const double size = extents_.at(name).size(), distance = distance_from(system_, scene_.body(name), joint.at, start_);
    if (distance > size)
      throw InputError(
          fmt::format("{}: joint between bodies that are apart: its place is {:.3g} m from body '{}', whose size is {:.3g} m; correct `at`, which "
                      "is in m where the bodies are placed, or place the body nearer",
                      joint.source.text, distance, name, size));
  }
}

// The stiffness at which the loads to be expected open the joint by no more than its largest gap. These are the force that stops the lighter body within ten
// steps, that of its spin, the weight of all bodies that have joints, a thousandth of the force that moves it by its own size in a step, loads, motors, and
// forces that strain a deformable body. The last need not act, so they make no joint so stiff that the rounding of positions keeps the solver from its
// tolerance.
double JointBuilder::stiffness_of(const JointSettings& joint, double size) const {
  constexpr double kHeaviest = 100;  // weights up to this multiple of the body's own
  constexpr double kLeast = 1e-3;    // at least this part of the force that moves the body by its own size in a step
  constexpr double kStop = 10;       // the force that stops the body in this many steps
  constexpr double kNoise = 1e-3;    // a hundredth of the tolerance, for a patch of a hundredth of the body's mass
  if (joint.stiffness) return *joint.stiffness;
  double mass = std::numeric_limits<double>::infinity(), spin = 0, strain = 0;
  const double motor = joint.motor ? pull_of(*joint.motor, size) : 0;
  for (const std::string& name : joint.between) {
    const Body& body = scene_.body(name);
    mass = std::min(mass, extents_.at(name).mass);
    spin = std::max(spin, body.initial.angular_velocity.norm());
    strain = std::max(strain, pull_by_strain(body, size));
  }
  double loads = 0;
  for (const auto& [name, extent] : extents_)
    for (const LoadSettings& load : scene_.body(name).loads) loads += pull_of(load, size);
  const double inertia = mass * std::max(speed_ / (kStop * step_), spin * spin * size),
               weight = std::min(total_mass_, kHeaviest * mass) * largest_gravity(scene_);
  const double gap = joint.largest_gap * size, rounding = std::numeric_limits<double>::epsilon() * (joint.at.norm() + size);
  const double least = std::max({motor, loads, inertia, weight, kLeast * mass * size / (step_ * step_)}) / gap;
  return std::max(least, std::min(strain / gap, kNoise * scene_.solver.tolerance * mass / (step_ * rounding)));
}

// A shell or rod does not carry every place, so the other side meets it at a place on it.
JointBuilder::Pair JointBuilder::pair_at(const JointSettings& joint, const Vec3& place, double size) const {
  constexpr double kRounding = 1e-9;  // relative to the size
  CarriedPoint first = on(joint, 0, place), second = on(joint, 1, first.place);
  if ((second.place - first.place).norm() > kRounding * size) first = on(joint, 0, second.place);
  if (const double gap = (second.place - first.place).norm(); gap > kRounding * size)
    throw InputError(
        fmt::format("{}: joint between bodies that are apart: at ({:.6g}, {:.6g}, {:.6g}) a gap of {:.3g} m separates shells or rods; place them so "
                    "that they meet there",
                    joint.source.text, place.x(), place.y(), place.z(), gap));
  return {first, second};
}

// A direction across the axis a in which both bodies can be held at half the size from it: for bodies that carry every place, any. Refuses thin bodies that
// cannot be held along the axis or across it.
Vec3 JointBuilder::direction_across(const JointSettings& joint, const Vec3& a, double size) const {
  constexpr int kDirections = 8;
  constexpr double kFar = 0.9, kTooNear = 0.01;  // relative to half the size
  const double half = size / 2;
  const Vec3 u = a.unitOrthogonal(), w = a.cross(u), begin = pair_at(joint, joint.at - half * a, size)[0].place;
  const double along = a.dot(pair_at(joint, joint.at + half * a, size)[0].place - begin);
  Vec3 best = u;
  double farthest = 0;
  for (int k = 0; k < kDirections && farthest < kFar * half; ++k) {
    const double angle = 2 * std::numbers::pi * k / kDirections;
    const Vec3 direction = std::cos(angle) * u + std::sin(angle) * w;
    const Vec3 reached = pair_at(joint, joint.at - half * a + half * direction, size)[0].place - begin;
    const double distance = (reached - a.dot(reached) * a).norm();
    if (distance <= farthest) continue;
    farthest = distance;
    best = direction;
  }
  if (along < kTooNear * half || farthest < kTooNear * half)
    throw InputError(fmt::format("{}: a shell is too thin {} the axis to be held by a {} there; turn the axis into the shell, or join it by another kind",
                                 joint.source.text, along < kTooNear * half ? "along" : "across", word_of(joint.kind)));
  return best;
}

double JointBuilder::add(const JointSettings& joint, int number) {
  refuse_apart(joint);
  patches_ = {};
  for (std::size_t side = 0; side < joint.between.size(); ++side) patches_[side] = patch_around(system_, scene_.body(joint.between[side]), joint.at, start_);
  double size = extents_.at(joint.between.front()).size();
  for (const std::string& name : joint.between) size = std::min(size, extents_.at(name).size());
  const double half = size / 2, stiffness = stiffness_of(joint, size);
  const Vec3 a = joint.axis.value_or(Vec3::UnitX());
  const Vec3 u = joint.has_axis() ? direction_across(joint, a, size) : Vec3(a.unitOrthogonal()), w = a.cross(u);
  std::vector<Vec3> offsets;
  switch (joint.kind) {
    case JointKind::ball: offsets = {Vec3::Zero()}; break;
    case JointKind::hinge: offsets = {-half * a, half * a}; break;
    case JointKind::slider: offsets = {-half * a, half * a, -half * u, half * u}; break;
    case JointKind::fixed:
      for (const Vec3& corner : {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)})
        offsets.emplace_back(half * (corner[0] * a + corner[1] * u + corner[2] * w) / std::sqrt(3.0));
  }
  std::vector<Pair> pairs;
  for (const Vec3& offset : offsets) pairs.push_back(pair_at(joint, joint.at + offset, size));
  // The parts are on the rank of the first body's first vertex.
  const BodyPoint& anchor = pairs.front()[0].point;
  const PetscInt first = system_.halo().first_owned(), vertex = anchor.vertices[0];
  const bool is_mine = vertex >= first && vertex < first + system_.halo().owned();
  for (const Pair& pair : pairs) {
    if (!is_mine) continue;
    if (joint.kind == JointKind::slider) parts_.guides.push_back({{pairs[0][0].point, pairs[1][0].point, pair[0].point, pair[1].point}, number, stiffness});
    else parts_.pins.push_back({{pair[0].point, pair[1].point}, number, stiffness});
  }
  if (!joint.has_axis()) return size;
  const JointSpringSettings spring = joint.spring.value_or(JointSpringSettings());
  std::array<BodyPoint, HingeAngle::kPoints> points;
  double stiffness_of_motion = stiffness;
  if (joint.kind == JointKind::hinge) {
    const Pair aside = pair_at(joint, joint.at - half * a + half * u, size);
    points = {pairs[0][0].point, pairs[1][0].point, aside[0].point, pairs[0][1].point, aside[1].point};
    stiffness_of_motion *= 2 * half * half;  // stiffness of both pins about an axis across
    if (is_mine) parts_.hinge_springs.push_back({points, number, spring.stiffness, spring.damping, spring.rest});
  } else {
    const Pair middle = pair_at(joint, joint.at, size);
    points = {pairs[0][0].point, pairs[1][0].point, middle[0].point, middle[1].point, {}};
    if (is_mine) parts_.slider_springs.push_back({{points[0], points[1], points[2], points[3]}, number, spring.stiffness, spring.damping, spring.rest});
  }
  if (joint.motor) add_motor(joint, number, points, joint.motor->stiffness.value_or(stiffness_of_motion), is_mine);
  return size;
}

void JointBuilder::add_motor(const JointSettings& joint, int number, const std::array<BodyPoint, HingeAngle::kPoints>& points, double stiffness, bool is_mine) {
  if (!is_mine) return;
  const JointMotorSettings& motor = *joint.motor;
  TimeTable over;
  for (const LoadPoint& point : motor.over) over.push_back({point.time, point.factor});
  const bool drives = motor.torque || motor.force, integrates = motor.speed.has_value();
  const double amount = motor.angle.value_or(motor.displacement.value_or(motor.speed.value_or(motor.torque.value_or(motor.force.value_or(0)))));
  const std::array<BodyPoint, SliderDisplacement::kPoints> along{points[0], points[1], points[2], points[3]};
  if (joint.kind == JointKind::hinge && drives) parts_.hinge_drives.push_back({points, number, amount, over});
  else if (joint.kind == JointKind::hinge) parts_.hinge_motions.push_back({{points, number, stiffness, 0, 0}, amount, over, integrates});
  else if (drives) parts_.slider_drives.push_back({along, number, amount, over});
  else parts_.slider_motions.push_back({{along, number, stiffness, 0, 0}, amount, over, integrates});
}

}  // namespace

JointMonitor add_joints(System& system, const Scene& scene, const Field& start) {
  JointMonitor monitor;
  if (scene.joints.empty()) return monitor;
  JointBuilder builder(system, scene, start);
  for (std::size_t j = 0; j < scene.joints.size(); ++j) monitor.sizes.push_back(builder.add(scene.joints[j], static_cast<int>(j)));
  const auto joints = std::make_shared<const Joints>(system.mesh().halo, builder.take(), static_cast<int>(scene.joints.size()));
  for (const auto& force : joints->forces()) system.add(force);
  monitor.joints = joints;
  return monitor;
}

std::vector<std::string> doubts_about_joints(const System& system, const Scene& scene) {
  std::map<std::string, bool> moves;  // whether any vertex of a body is free in some direction, or will be
  std::vector<double> free;
  for (const Body& body : scene.bodies) {
    const std::vector<int>& vertices = system.mesh().region(body.name).vertices;
    free.push_back(std::ranges::any_of(vertices, [&](int vertex) { return vertex < system.halo().owned() && !system.held_for_good()[vertex]; }) ? 1 : 0);
  }
  sum_over_ranks(system.communicator(), free);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) moves[scene.bodies[b].name] = free[b] > 0;
  std::vector<std::string> doubts;
  for (const JointSettings& joint : scene.joints) {
    if (std::ranges::any_of(joint.between, [&](const std::string& name) { return moves.at(name); })) continue;
    const bool single = joint.to_ground();
    doubts.push_back(fmt::format(
        "{}: {} fixed or driven for good with all vertices: the joint{} moves nothing, and only adds to reactions; hold less of {}, or remove the joint",
        joint.source.text, single ? fmt::format("'{}' is", joint.between[0]) : fmt::format("'{}' and '{}' are", joint.between[0], joint.between[1]),
        joint.motor ? "'s motor" : "", single ? "it" : "one of them"));
  }
  return doubts;
}

}  // namespace traction
