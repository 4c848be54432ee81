#include "dynamics/generalized_alpha.h"

namespace traction {

GeneralizedAlpha::GeneralizedAlpha(double spectral_radius, double h)
    : h_(h), alpha_m_((2 * spectral_radius - 1) / (spectral_radius + 1)), alpha_f_(spectral_radius / (spectral_radius + 1)) {
  const double difference = alpha_f_ - alpha_m_;
  beta_ = (1 + difference) * (1 + difference) / 4;
  gamma_ = 0.5 + difference;
}

// With c = 1 - alpha_f, v the solution's velocity is v0 + c h ((1 - gamma) a0 + gamma a1); that, solved for a1, makes its position and the balance of forces
// q0 + (c h - s) v0 + c h^2 (1/2 - beta / gamma) a0 + s v  with  s = beta h / gamma, and
// M (v - v0 - c h (1 - gamma) a0) + w alpha_m M a0 = w f  with  w = c gamma h / (1 - alpha_m).
Stage GeneralizedAlpha::stage(const System& system, const State& start, const Field& acceleration) const {
  const double c = 1 - alpha_f_, s = beta_ * h_ / gamma_, w = c * gamma_ * h_ / (1 - alpha_m_);
  const int local = system.halo().local();
  Stage stage{s, start.time + c * h_, Field(local), Field(local), Field(local)};
  stage.force_share = w / s;
  stage.q_hat.array() = start.q.array() + (c * h_ - s) * start.v.array() + c * h_ * h_ * (0.5 - beta_ / gamma_) * acceleration.array();
  stage.v_hat.array() = start.v.array() + (c * h_ * (1 - gamma_) - w * alpha_m_) * acceleration.array();
  return stage;
}

State GeneralizedAlpha::end(const System& system, const State& start, const Field& acceleration, const State& solution) const {
  State end(system.halo().local());
  end.time = start.time + h_;
  end.v.array() = start.v.array() + (solution.v.array() - start.v.array()) / (1 - alpha_f_);
  end.acceleration.emplace(system.halo().local());
  Field& a1 = *end.acceleration;
  a1.array() = ((end.v.array() - start.v.array()) / h_ - (1 - gamma_) * acceleration.array()) / gamma_;
  for (int i = 0; i < system.halo().local(); ++i)
    if (system.is_driven()[i]) a1[i].setZero();
  end.q.array() = start.q.array() + h_ * start.v.array() + h_ * h_ * ((0.5 - beta_) * acceleration.array() + beta_ * a1.array());
  system.set_driven_positions(end);
  return end;
}

Field acceleration_at(const System& system, const State& state) {
  Field acceleration(system.halo().local());
  system.force(state, acceleration);
  for (int i = 0; i < system.halo().owned(); ++i) {
    if (system.is_driven()[i]) acceleration[i].setZero();
    else acceleration[i] /= system.mass()[i];
  }
  system.halo().exchange(acceleration.values());
  return acceleration;
}

}  // namespace traction
