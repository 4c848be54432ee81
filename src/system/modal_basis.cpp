#include "system/modal_basis.h"

#include "parallel/collective.h"

namespace traction {

Eigen::VectorXd ModalBasis::coordinates(const Field& motion) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(count());
  for (int k = 0; k < count(); ++k)
    for (int i = 0; i < system_.halo().owned(); ++i) result[k] += system_.mass()[i] * shapes_[k][i].dot(motion[i]);
  sum_over_ranks(system_.communicator(), {result.data(), static_cast<std::size_t>(result.size())});
  return result;
}

Eigen::VectorXd ModalBasis::loads(const Field& force) const {
  const Eigen::Index owned = 3 * system_.halo().owned();
  Eigen::VectorXd result(count());
  for (int k = 0; k < count(); ++k) result[k] = shapes_[k].array().head(owned).dot(force.array().head(owned));
  sum_over_ranks(system_.communicator(), {result.data(), static_cast<std::size_t>(result.size())});
  return result;
}

void ModalBasis::add_motion(const Eigen::VectorXd& coordinates, Field& motion) const {
  for (int k = 0; k < count(); ++k) motion.array() += coordinates[k] * shapes_[k].array();
}

void ModalBasis::add_force(const Eigen::VectorXd& loads, Field& force) const {
  for (int k = 0; k < count(); ++k)
    for (int i = 0; i < system_.halo().owned(); ++i) force[i] += loads[k] * system_.mass()[i] * shapes_[k][i];
}

}  // namespace traction
