#include "dynamics/drifting_bodies.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <utility>

#include "parallel/collective.h"
#include "system/body_motion.h"

namespace traction {

namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

constexpr double kNotable = 0.1;         // drift to warn of, in parts of the body's gyration radius, or in radians
constexpr double kStep = 1e-6;           // the same for one step; smaller drifts are not counted
constexpr double kFreeStiffness = 1e-4;  // largest stiffness of a motion that counts as free; a single held vertex, or a single contact, has a stiffness of 1
constexpr double kHangs = 1e-2;          // stiffness by weight, in parts of weight over gyration radius, that brings a body back

// The stiffness with which a body is held against its six rigid motions.
class Supports {
 public:
  Supports(const System& system, const std::vector<BodyMotion>& motions, const Field& q)
      : system_(system), motions_(motions), q_(q), stiffness_(motions.size()), slips_(motions.size(), 0) {
    for (Mat6& each : stiffness_) each.setZero();
  }

  // Every vertex that is held, joined, carried by another body, or carries another body counts by itself. Collective.
  void add_holds() {
    Field joined(system_.halo().local());  // not zero at these vertices
    for (const auto& places : system_.places())
      for (const int vertex : places)
        if (is_carried(vertex)) joined[vertex] = Vec3::Ones();
    system_.dependents().gather(joined);
    for (const auto& force : system_.forces())
      for (const auto& vertices : force->joined())
        for (const int vertex : vertices) joined[vertex] = Vec3::Ones();
    for (std::size_t b = 0; b < motions_.size(); ++b)
      for (const int vertex : system_.places()[b]) {
        if (is_carried(vertex) || !joined[vertex].isZero(0)) add(b, vertex, Mat3::Identity(), 1);
        else if (system_.dependents().marks()[vertex] == 0) add(b, vertex, system_.held().projector(vertex), 1);
      }
    // If the twist of a rod is held where its place is held, too, the rod cannot turn about any axis.
    for (std::size_t b = 0; b < motions_.size(); ++b)
      for (std::size_t i = system_.bodies()[b].size(); i < system_.unknowns()[b].size(); ++i) {
        const int twist = system_.unknowns()[b][i];
        if (!joined[twist].isZero(0) || system_.held().whole()[twist]) stiffness_[b].bottomRightCorner<3, 3>() += Mat3::Identity();
      }
  }

  // The weight of each body. Collective.
  void add_weights(const State& state) {
    weights_.assign(motions_.size(), Vec3::Zero());
    Field weight(system_.halo().local());
    for (const auto& force : system_.forces())
      if (force->energy_name() == "gravity")
        for (const Zone zone : {Zone::interior, Zone::boundary}) force->add_force(state, zone, weight);
    for (std::size_t b = 0; b < motions_.size(); ++b)
      for (const int vertex : system_.bodies()[b]) weights_[b] += weight[vertex];
    sum_over_ranks(system_.communicator(), {weights_.front().data(), 3 * weights_.size()});
  }

  // A contact counts as a whole. Collective.
  void add_contact(const ContactGroup& contact, const State& state) {
    Field normal(system_.halo().local()), total(system_.halo().local());
    contact.add_vertex_forces(state, normal, total);
    std::vector<double> counts(motions_.size(), 0.0);  // vertices that touch
    for (std::size_t b = 0; b < motions_.size(); ++b)
      for (const int vertex : system_.places()[b]) counts[b] += normal[vertex].isZero(0) ? 0 : 1;
    sum_over_ranks(system_.communicator(), counts);
    for (std::size_t b = 0; b < motions_.size(); ++b)
      for (const int vertex : system_.places()[b]) {
        if (normal[vertex].isZero(0)) continue;
        if (!contact.unweighted_law().friction) slips_[b] = 1;
        const Vec3 direction = normal[vertex].normalized();
        add(b, vertex, contact.unweighted_law().friction ? Mat3(Mat3::Identity()) : Mat3(direction * direction.transpose()), 1 / counts[b]);
      }
  }

  // Collective.
  void complete() {
    sum_over_ranks(system_.communicator(), {stiffness_.front().data(), 36 * stiffness_.size()});
    sum_over_ranks(system_.communicator(), slips_);
  }

  // Whether a body touches something without friction.
  bool slips(std::size_t body) const { return slips_[body] > 0; }

  // The part of a rigid motion that nothing resists. A body that hangs below the axis about which it may turn is held by its weight W: while it turns by t and
  // its center moves by s, the weight does the work W . (t x s) / 2.
  Vec6 free_part(std::size_t body, const Vec6& motion) const {
    const Eigen::SelfAdjointEigenSolver<Mat6> modes(stiffness_[body]);
    Vec6 part = Vec6::Zero();
    for (int k = 0; k < 6; ++k)
      if (modes.eigenvalues()[k] <= kFreeStiffness) part += modes.eigenvectors().col(k).dot(motion) * modes.eigenvectors().col(k);
    const Vec3 turn = part.tail<3>(), slide = part.head<3>();
    return -weights_[body].dot(turn.cross(slide)) > kHangs * weights_[body].norm() * part.squaredNorm() ? Vec6::Zero() : part;
  }

 private:
  bool is_carried(int vertex) const { return system_.dependents().marks()[vertex] != 0 && system_.own_mass()[vertex] > 0; }  // by another body

  // A spring at a vertex that acts in the directions onto which `held` projects.
  void add(std::size_t body, int vertex, const Mat3& held, double weight) {
    if (held.isZero(0)) return;
    const Vec3 arm = (q_[vertex] - motions_[body].center) / motions_[body].gyration_radius();
    Eigen::Matrix<double, 6, 3> wrenches;
    for (int k = 0; k < 3; ++k) wrenches.col(k) << held.col(k), arm.cross(Vec3(held.col(k)));
    stiffness_[body] += weight * wrenches * wrenches.transpose();
  }

  const System& system_;
  const std::vector<BodyMotion>& motions_;
  const Field& q_;
  std::vector<Mat6> stiffness_;
  std::vector<double> slips_;  // not zero for bodies that touch something without friction
  std::vector<Vec3> weights_;
};

std::string text_of(const Vec3& vector) {
  constexpr double kRounded = 5e-3;  // smaller components are printed as zero
  Vec3 direction = vector.normalized();
  for (double& component : direction)
    if (std::abs(component) < kRounded) component = 0;
  return fmt::format("({:.2g}, {:.2g}, {:.2g})", direction.x(), direction.y(), direction.z());
}

}  // namespace

std::vector<std::string> DriftingBodies::warnings(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts, const State& start,
                                                  const State& end) {
  if (system.bodies().empty()) return {};
  if (drifts_.empty()) drifts_.assign(system.bodies().size(), Vec6::Zero());
  Field displacement(system.halo().local());
  displacement.array() = end.q.array() - start.q.array();
  const std::vector<BodyMotion> motions = body_motions(system, end.q, displacement);  // "velocities" are displacements
  std::vector<std::pair<std::size_t, Vec6>> moved;
  for (std::size_t b = 0; b < motions.size(); ++b) {
    Vec6 motion;
    motion << motions[b].velocity / motions[b].gyration_radius(), motions[b].angular_velocity;
    if (motion.norm() > kStep) moved.emplace_back(b, motion);
  }
  if (moved.empty()) return {};
  Supports supports(system, motions, end.q);
  supports.add_holds();
  supports.add_weights(end);
  for (const auto& contact : contacts) supports.add_contact(*contact, end);
  supports.complete();
  std::vector<std::string> warnings;
  for (const auto& [body, motion] : moved) {
    drifts_[body] += supports.free_part(body, motion);
    const Vec3 slide = drifts_[body].head<3>(), turn = drifts_[body].tail<3>();
    const std::string& name = system.body_names()[body];
    if (const double extent = std::max(slide.norm(), turn.norm()); !(extent > kNotable) || !warned_.is_due(name, extent)) continue;
    const std::string drift =
        slide.norm() > turn.norm()
            ? fmt::format("has moved {:.3g} m along {} by t = {:.4g} s", slide.norm() * motions[body].gyration_radius(), text_of(slide), end.time)
            : fmt::format("has turned by {:.2g} degrees about {} by t = {:.4g} s", turn.norm() * 180 / std::numbers::pi, text_of(turn), end.time);
    const bool slips = supports.slips(body);
    warnings.push_back(
        fmt::format("body '{}' drifts without inertia: it {}, and {}. How far it drifts depends on the length of the steps and on the solver's tolerance. {} a "
                    "region of it "
                    "along that motion (fixed: {{region: ..., components: ...}}), or run it with inertia",
                    name, drift,
                    slips ? "nothing resists that motion, because contact without friction resists motions across its surface alone"
                          : "no support, joint, spring or contact resists that motion",
                    slips ? "Give its contacts friction, hold" : "Hold"));
  }
  return warnings;
}

}  // namespace traction
