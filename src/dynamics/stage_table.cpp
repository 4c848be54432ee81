#include "dynamics/stage_table.h"

#include <cmath>

namespace traction {

namespace {

// docs/theory/integrators.md, "Additive exponential schemes": the last stage covers a part of the step and is additive.
std::vector<StageRow> additive(std::vector<StageRow> table, double part) {
  table.back().exponential = part;
  return table;
}

}  // namespace

bool is_semi_implicit(Integrator integrator) {
  return integrator == Integrator::siere || integrator == Integrator::sbdf2ere || integrator == Integrator::str_sbdf2ere;
}

bool is_additive(Integrator integrator) { return is_semi_implicit(integrator) || integrator == Integrator::beere || integrator == Integrator::bdf2ere; }

std::vector<StageRow> stage_table(Integrator integrator, double step_ratio) {
  switch (integrator) {
    case Integrator::backward_euler: return {{1, 1, {0, 1}, {0, 0}}};
    case Integrator::trapezoidal_split:
    case Integrator::trapezoidal: return {{0.5, 1, {0, 1}, {0, 0.5}}};  // P0 Eq. 23
    case Integrator::bdf2: {
      constexpr double kLargestRatio = 2.0;  // variable-step BDF2 is stable up to 1 + sqrt 2
      if (step_ratio <= 0 || step_ratio > kLargestRatio) return stage_table(Integrator::sdirk2, 0);
      const double w = step_ratio, denominator = 1 + 2 * w;  // w = 1: (4 u_t - u_{t-h}) / 3 + 2/3 h F
      return {{(1 + w) / denominator, 1, {-w * w / denominator, (1 + w) * (1 + w) / denominator}, {0, 0}}};
    }
    case Integrator::tr_bdf2:  // P1 Eq. 8
      return {{0.25, 0.5, {0, 1}, {0, 0.25}}, {1.0 / 3, 1, {0, -1.0 / 3, 4.0 / 3}, {0, 0, 0}}};
    case Integrator::sdirk2: {  // Alexander's, in P0
      const double gamma = 1 - std::sqrt(0.5);
      return {{gamma, gamma, {0, 1}, {0, 0}}, {gamma, 1, {0, 1, 0}, {0, 0, 1 - gamma}}};
    }
    case Integrator::siere:
    case Integrator::beere: return additive(stage_table(Integrator::backward_euler, 0), 1);
    case Integrator::bdf2ere:
    case Integrator::sbdf2ere: {
      const std::vector<StageRow> table = stage_table(Integrator::bdf2, step_ratio);
      return table.size() == 1 ? additive(table, 1) : stage_table(Integrator::beere, 0);
    }
    case Integrator::str_sbdf2ere: return additive(stage_table(Integrator::tr_bdf2, 0), 0.5);
    case Integrator::ere:
    case Integrator::generalized_alpha: return {};
    default: {  // tr_sdirk2, P1 Eq. 9
      const double gamma = 2 - std::sqrt(2.0), beta = std::sqrt(2.0) / 4;
      return {{gamma / 2, gamma, {0, 1}, {0, gamma / 2}}, {gamma / 2, 1, {0, 1 - 2 * beta / gamma, 2 * beta / gamma}, {0, 0, 0}}};
    }
  }
}

// The coefficient of z^3 in the schemes' R(z) is off by C from that of e^z, so that a step errs by C h^3 v''. Stages of the trapezoidal rule err by h^3, and D
// is h^2 v'' / 2; that of backward Euler errs by (gamma h)^2 v'' / 2, which makes D gamma h^2 v''.
std::optional<ErrorEstimate> error_estimate(Integrator integrator) {
  const double gamma = 1 - std::sqrt(0.5);
  const double error = 3 * gamma * gamma - 2 * gamma * gamma * gamma - 1.0 / 6;  // C of both SDIRK schemes, which are the same on linear problems
  switch (integrator) {
    case Integrator::tr_bdf2: return ErrorEstimate{0.5, 2.0 / 24};  // C = 1/24
    case Integrator::sdirk2: return ErrorEstimate{gamma, error / gamma};
    case Integrator::tr_sdirk2: return ErrorEstimate{2 * gamma, 2 * error};
    default: return std::nullopt;
  }
}

}  // namespace traction
