// Time integrators as tables of implicit stages (NUMERICS section 5).
#pragma once

#include <optional>
#include <vector>

#include "dynamics/time_settings.h"

namespace traction {

// One implicit stage, solved for u_i = (q_i, v_i):
//   u_i = sum_j alpha[j] u_j + h sum_j beta[j] F(u_j) + a h F(u_i),   F(u) = (v, M^-1 f(q, v)),
// where the known states u_j are, in order: the start of the previous step, the start of this step, then the earlier stages of this step. In additive schemes F
// is H, what the lowest modes leave (P1 Eq. 18), and their G adds  exponential h phi_1(exponential h J_G) G(u),  u the last known state.
struct StageRow {
  double a = 0;
  double time = 0;  // of u_i, as a fraction of the step
  std::vector<double> alpha;
  std::vector<double> beta;
  double exponential = 0;  // 0: not additive
};

// The stages of a step of length h; the last one's solution is the end of the step. `step_ratio` is h over the previous step's length, 0 if there was none;
// only BDF2 looks at it: its coefficients are those of a variable step, and where there is no usable previous step (the first one, or one less than half as
// long) SDIRK2 takes its place, or in additive schemes backward Euler. Of ere and generalized_alpha, which are no such tables, there is none.
std::vector<StageRow> stage_table(Integrator integrator, double step_ratio);

// What the positions at the end of a step of two stages are off by: a fraction of the step times
//   D = (v_1 - v_s) / (1 - time) - (v_s - v_0) / time,   v_0, v_s, v_1: velocities at the start, of the first stage, at the end,
// to the leading order, h^3. No force at the start is in it, so that stiff motions that the scheme has damped do not count.
struct ErrorEstimate {
  double time = 0;  // of the first stage, as a fraction of the step
  double fraction = 0;
};

// None for integrators of one stage.
std::optional<ErrorEstimate> error_estimate(Integrator integrator);

// Those whose stages are one Newton iteration each by definition.
bool is_semi_implicit(Integrator integrator);
// Those that treat the lowest modes apart.
bool is_additive(Integrator integrator);

}  // namespace traction
