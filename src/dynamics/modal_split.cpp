#include "dynamics/modal_split.h"

#include <algorithm>

#include "solver/phi_function.h"

namespace traction {

ModalSplit::ModalSplit(const System& system, std::shared_ptr<const ModalBasis> basis, const State& base, double start, double end)
    : basis_(std::move(basis)), stiffness_(basis_->count(), basis_->count()), damping_(basis_->count(), basis_->count()) {
  const auto& forces = system.forces();
  const bool all_modal = std::all_of(forces.begin(), forces.end(), [](const auto& force) { return force->is_modal(); });
  State direction(system.halo().local());
  Field change(system.halo().local());
  for (int k = 0; k < basis_->count(); ++k) {
    direction.q = basis_->shape(k);
    direction.v.set_zero();
    system.product(base, direction, change, Terms::modal);
    stiffness_.col(k) = basis_->loads(change);
    gradients_.push_back(change);
    if (!all_modal) {
      system.product(base, direction, change, Terms::other);
      gradients_.back().array() += change.array();
    }
    direction.q.set_zero();
    direction.v = basis_->shape(k);
    system.product(base, direction, change, Terms::modal);
    damping_.col(k) = basis_->loads(change);
  }
  drive_ = Eigen::VectorXd::Zero(basis_->count());
  if (!system.driven().empty()) {
    direction.q.set_zero();
    direction.v.set_zero();
    for (int i = 0; i < system.halo().owned(); ++i) direction.q[i] = system.held().held_part(i, base.v[i]);
    system.exchange(direction.q);  // dependent vertices count as held, and move as their masters do
    system.product(base, direction, change, Terms::modal);
    drive_ = basis_->loads(change);
  }
  velocities_ = basis_->coordinates(base.v);
  const auto loads_at = [&](double time) {
    State state = base;
    state.time = time;
    system.force(state, change, Terms::modal);
    return basis_->loads(change);
  };
  loads_ = loads_at(start);
  drive_ += (loads_at(end) - loads_) / (end - start);
}

ModalSplit::Increment ModalSplit::exponential(double tau) const {
  const int s = basis_->count();
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(2 * s + 1, 2 * s + 1);  // docs/theory/integrators.md, (I12), with time last
  jacobian.block(0, s, s, s).setIdentity();
  jacobian.block(s, 0, s, s) = stiffness_;
  jacobian.block(s, s, s, s) = damping_;
  jacobian.block(s, 2 * s, s, 1) = drive_;
  Eigen::VectorXd rate(2 * s + 1);
  rate << velocities_, loads_, 1;
  const Eigen::VectorXd increment = phi_1(tau * jacobian, rate);
  return {increment.head(s), increment.segment(s, s)};
}

}  // namespace traction
