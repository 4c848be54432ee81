#include "dynamics/supports.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kFreeStiffness = 1e-4;    // largest stiffness of a motion that counts as free
constexpr double kFullyDeveloped = 0.999;  // part of the largest friction that a contact can bear
constexpr double kHangs = 1e-2;            // stiffness by weight, in parts of weight over gyration radius, that brings a body back

}  // namespace

Supports::Supports(const System& system, const std::vector<BodyMotion>& motions, const Field& q)
    : system_(system),
      motions_(motions),
      q_(q),
      stiffness_(motions.size(), Mat6(Mat6::Zero())),
      slips_(motions.size(), 0),
      slides_(motions.size(), 0),
      weights_(motions.size(), Vec3::Zero()) {}

void Supports::add_held_vertices() {
  for (std::size_t b = 0; b < motions_.size(); ++b) {
    for (const int vertex : system_.places()[b])
      if (system_.dependents().marks()[vertex] == 0) add(b, vertex, system_.held().projector(vertex), 1);
    // If the twist of a rod is held where its place is held, too, the rod cannot turn about any axis.
    for (std::size_t i = system_.bodies()[b].size(); i < system_.unknowns()[b].size(); ++i)
      if (system_.held().whole()[system_.unknowns()[b][i]]) stiffness_[b].bottomRightCorner<3, 3>() += Mat3::Identity();
  }
}

void Supports::add_joints() {
  Field joined(system_.halo().local());  // not zero at these vertices
  for (const auto& places : system_.places())
    for (const int vertex : places)
      if (is_carried(vertex)) joined[vertex] = Vec3::Ones();
  system_.dependents().gather(joined);
  for (const auto& force : system_.forces())
    for (const auto& vertices : force->joined())
      for (const int vertex : vertices) joined[vertex] = Vec3::Ones();
  for (std::size_t b = 0; b < motions_.size(); ++b) {
    for (const int vertex : system_.places()[b])
      if (is_carried(vertex) || !joined[vertex].isZero(0)) add(b, vertex, Mat3::Identity(), 1);
    for (std::size_t i = system_.bodies()[b].size(); i < system_.unknowns()[b].size(); ++i)
      if (!joined[system_.unknowns()[b][i]].isZero(0)) stiffness_[b].bottomRightCorner<3, 3>() += Mat3::Identity();
  }
}

void Supports::add_weights(const State& state) {
  Field weight(system_.halo().local());
  for (const auto& force : system_.forces())
    if (force->energy_name() == "gravity")
      for (const Zone zone : {Zone::interior, Zone::boundary}) force->add_force(state, zone, weight);
  for (std::size_t b = 0; b < motions_.size(); ++b)
    for (const int vertex : system_.bodies()[b]) weights_[b] += weight[vertex];
  sum_over_ranks(system_.communicator(), {weights_.front().data(), 3 * weights_.size()});
}

void Supports::add_contact(const ContactGroup& contact, const State& state) {
  Field normal(system_.halo().local()), total(system_.halo().local());
  contact.add_vertex_forces(state, normal, total);
  const Field most = contact.most_friction(state, normal);
  std::vector<double> counts(motions_.size(), 0.0);  // vertices that touch
  for (std::size_t b = 0; b < motions_.size(); ++b)
    for (const int vertex : system_.places()[b]) counts[b] += normal[vertex].isZero(0) ? 0 : 1;
  sum_over_ranks(system_.communicator(), counts);
  for (std::size_t b = 0; b < motions_.size(); ++b)
    for (const int vertex : system_.places()[b]) {
      if (normal[vertex].isZero(0)) continue;
      const Vec3 friction = total[vertex] - normal[vertex];
      Mat3 held = Mat3::Identity();
      if (!(most[vertex].x() > 0)) {
        slips_[b] = 1;
        held = normal[vertex].normalized() * normal[vertex].normalized().transpose();
      } else if (friction.norm() > kFullyDeveloped * most[vertex].x()) {
        slides_[b] = 1;
        held -= friction.normalized() * friction.normalized().transpose();
      }
      add(b, vertex, held, 1 / counts[b]);
    }
}

void Supports::complete() {
  sum_over_ranks(system_.communicator(), {stiffness_.front().data(), 36 * stiffness_.size()});
  sum_over_ranks(system_.communicator(), slips_);
  sum_over_ranks(system_.communicator(), slides_);
}

Supports::Vec6 Supports::free_part(std::size_t body, const Vec6& motion) const {
  const Eigen::SelfAdjointEigenSolver<Mat6> modes(stiffness_[body]);
  Vec6 part = Vec6::Zero();
  for (int k = 0; k < 6; ++k)
    if (modes.eigenvalues()[k] <= kFreeStiffness) part += modes.eigenvectors().col(k).dot(motion) * modes.eigenvectors().col(k);
  const Vec3 turn = part.tail<3>(), slide = part.head<3>();
  return -weights_[body].dot(turn.cross(slide)) > kHangs * weights_[body].norm() * part.squaredNorm() ? Vec6(Vec6::Zero()) : part;
}

bool Supports::is_carried(int vertex) const { return system_.dependents().marks()[vertex] != 0 && system_.own_mass()[vertex] > 0; }

void Supports::add(std::size_t body, int vertex, const Mat3& held, double weight) {
  if (held.isZero(0)) return;
  const Vec3 arm = (q_[vertex] - motions_[body].center) / motions_[body].gyration_radius();
  Eigen::Matrix<double, 6, 3> wrenches;
  for (int k = 0; k < 3; ++k) wrenches.col(k) << held.col(k), arm.cross(Vec3(held.col(k)));
  stiffness_[body] += weight * wrenches * wrenches.transpose();
}

}  // namespace traction
