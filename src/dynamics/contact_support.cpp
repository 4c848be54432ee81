#include "dynamics/contact_support.h"

#include <algorithm>
#include <iterator>

#include "contact/normal_force_sizes.h"
#include "parallel/collective.h"

namespace traction {

namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;

// The projection on the direction of normal forces, of which the sum and the sum of the sizes are given; zero where the forces cancel.
Mat3 direction_of(const Vec3& sum, double sizes) {
  constexpr double kCancels = 1e-9;
  const double length = sum.norm();
  if (!(length > kCancels * sizes)) return Mat3::Zero();
  return sum * sum.transpose() / (length * length);
}

// The wrenches about a point of unit forces at an arm from it.
Eigen::Matrix<double, 6, 3> wrenches_at(const Vec3& arm) {
  Eigen::Matrix<double, 6, 3> wrenches;
  wrenches << Mat3::Identity(), Mat3::Zero();
  for (int axis = 0; axis < 3; ++axis) wrenches.col(axis).tail<3>() = arm.cross(Vec3::Unit(axis));
  return wrenches;
}

}  // namespace

std::vector<ContactSupport> contact_supports(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts,
                                             const std::vector<BodyMotion>& motions, const State& state) {
  constexpr std::size_t kSums = 73;
  std::vector<std::shared_ptr<ContactGroup>> rubbing;
  std::ranges::copy_if(contacts, std::back_inserter(rubbing), [](const auto& contact) { return static_cast<bool>(contact->unweighted_law().friction); });
  const NormalForces pressing = normal_forces(contacts, state, system.halo().local());
  const NormalForces gripping = rubbing.size() == contacts.size() ? pressing : normal_forces(rubbing, state, system.halo().local());
  std::vector<double> sums(kSums * motions.size(), 0.0);
  for (std::size_t b = 0; b < motions.size(); ++b) {
    Eigen::Map<Mat6> normal(sums.data() + kSums * b), grip(sums.data() + kSums * b + 36);
    for (const int vertex : system.places()[b]) {
      const double size = pressing.sizes[vertex], gripped = gripping.sizes[vertex];
      if (!(size > 0)) continue;
      const Eigen::Matrix<double, 6, 3> wrenches = wrenches_at(state.q[vertex] - motions[b].center);
      normal += wrenches * (size * direction_of(pressing.sums[vertex], size)) * wrenches.transpose();
      grip += wrenches * (gripped * (Mat3::Identity() - direction_of(gripping.sums[vertex], gripped))) * wrenches.transpose();
      sums[kSums * b + kSums - 1] += size;
    }
  }
  sum_over_ranks(system.communicator(), sums);
  std::vector<ContactSupport> supports;
  for (std::size_t b = 0; b < motions.size(); ++b) {
    const double* of_body = sums.data() + kSums * b;
    supports.push_back({Eigen::Map<const Mat6>(of_body), Eigen::Map<const Mat6>(of_body + 36), of_body[kSums - 1]});
  }
  return supports;
}

}  // namespace traction
