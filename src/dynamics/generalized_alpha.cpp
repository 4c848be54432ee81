#include "dynamics/generalized_alpha.h"

namespace traction {

namespace {

constexpr const char* kAccelerations = "accelerations";

// M^-1 f at a state whose ghosts are valid, 0 in directions in which vertices are held; ghosts of the result are valid. Collective.
Field acceleration_at(const System& system, const State& state) {
  Field acceleration(system.halo().local());
  system.force(state, acceleration);
  for (int i = 0; i < system.halo().owned(); ++i) {
    if (system.held().whole()[i]) acceleration[i].setZero();
    else acceleration[i] = system.held().free_part(i, acceleration[i] / system.mass()[i]);
  }
  system.exchange(acceleration);
  return acceleration;
}

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(StageSolver& solver, double spectral_radius)
    : solver_(solver), alpha_m_((2 * spectral_radius - 1) / (spectral_radius + 1)), alpha_f_(spectral_radius / (spectral_radius + 1)) {
  const double difference = alpha_f_ - alpha_m_;
  beta_ = (1 + difference) * (1 + difference) / 4;
  gamma_ = 0.5 + difference;
}

void GeneralizedAlpha::take(Step& step, State& next) {
  solver_.lag_friction(step.start);
  const Field acceleration = acceleration_ ? *acceleration_ : acceleration_at(solver_.system(), step.start);
  solver_.lag_friction(step.lagged_at(0));
  State solution;
  step.report.converged = solver_.solve(step, stage(step.start, acceleration, step.h), (1 - alpha_f_) * step.h, step.start, solution);
  if (step.report.converged) {
    next = end(step.start, acceleration, step.h, solution);
    step.report.converged =
        solver_.is_admissible(step.start, next, step.report.reason);  // the end lies beyond the state that the solver has kept clear of surfaces
  }
  step.stages = {std::move(solution)};
}

void GeneralizedAlpha::accept(bool own) {
  if (own) acceleration_ = std::move(next_);
  else acceleration_.reset();
}

// With c = 1 - alpha_f, v the solution's velocity is v0 + c h ((1 - gamma) a0 + gamma a1); that, solved for a1, makes its position and the balance of forces
// q0 + (c h - s) v0 + c h^2 (1/2 - beta / gamma) a0 + s v  with  s = beta h / gamma, and
// M (v - v0 - c h (1 - gamma) a0) + w alpha_m M a0 = w f  with  w = c gamma h / (1 - alpha_m).
Stage GeneralizedAlpha::stage(const State& start, const Field& acceleration, double h) const {
  const double c = 1 - alpha_f_, s = beta_ * h / gamma_, w = c * gamma_ * h / (1 - alpha_m_);
  const int local = solver_.system().halo().local();
  Stage stage{s, start.time + c * h, Field(local), Field(local), Field(local)};
  stage.force_share = w / s;
  stage.q_hat.array() = start.q.array() + (c * h - s) * start.v.array() + c * h * h * (0.5 - beta_ / gamma_) * acceleration.array();
  stage.v_hat.array() = start.v.array() + (c * h * (1 - gamma_) - w * alpha_m_) * acceleration.array();
  return stage;
}

State GeneralizedAlpha::end(const State& start, const Field& acceleration, double h, const State& solution) {
  const System& system = solver_.system();
  State end(system.halo().local());
  end.time = start.time + h;
  end.v.array() = start.v.array() + (solution.v.array() - start.v.array()) / (1 - alpha_f_);
  next_ = Field(system.halo().local());
  next_.array() = ((end.v.array() - start.v.array()) / h - (1 - gamma_) * acceleration.array()) / gamma_;
  for (int i = 0; i < system.halo().local(); ++i) next_[i] = system.held().free_part(i, next_[i]);
  if (system.dependents().any()) system.exchange(next_);
  end.q.array() = start.q.array() + h * start.v.array() + h * h * ((0.5 - beta_) * acceleration.array() + beta_ * next_.array());
  system.set_driven_positions(end);
  return end;
}

void GeneralizedAlpha::save(Archive& archive) const {
  if (acceleration_) archive.save(kAccelerations, acceleration_->values());
}

void GeneralizedAlpha::load(const Archive& archive) {
  acceleration_.reset();
  if (archive.fields.contains(kAccelerations)) archive.load(kAccelerations, acceleration_.emplace(solver_.system().halo().local()).values());
}

}  // namespace traction
