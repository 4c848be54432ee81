#include "dynamics/stage_table.h"

#include <cmath>

namespace traction {

std::vector<StageRow> stage_table(Integrator integrator, double step_ratio) {
  switch (integrator) {
    case Integrator::backward_euler: return {{1, 1, {0, 1}, {0, 0}}};
    case Integrator::trapezoidal_split:
    case Integrator::trapezoidal: return {{0.5, 1, {0, 1}, {0, 0.5}}};   // P0 Eq. 23
    case Integrator::bdf2: {
      constexpr double kLargestRatio = 2.0;   // variable-step BDF2 is stable up to 1 + sqrt 2
      if (step_ratio <= 0 || step_ratio > kLargestRatio) return stage_table(Integrator::sdirk2, 0);
      const double w = step_ratio, denominator = 1 + 2 * w;   // w = 1: (4 u_t - u_{t-h}) / 3 + 2/3 h F
      return {{(1 + w) / denominator, 1, {-w * w / denominator, (1 + w) * (1 + w) / denominator}, {0, 0}}};
    }
    case Integrator::tr_bdf2:   // P1 Eq. 8
      return {{0.25, 0.5, {0, 1}, {0, 0.25}}, {1.0 / 3, 1, {0, -1.0 / 3, 4.0 / 3}, {0, 0, 0}}};
    case Integrator::sdirk2: {   // Alexander's, in P0
      const double gamma = 1 - std::sqrt(0.5);
      return {{gamma, gamma, {0, 1}, {0, 0}}, {gamma, 1, {0, 1, 0}, {0, 0, 1 - gamma}}};
    }
    default: {   // tr_sdirk2, P1 Eq. 9
      const double gamma = 2 - std::sqrt(2.0), beta = std::sqrt(2.0) / 4;
      return {{gamma / 2, gamma, {0, 1}, {0, gamma / 2}}, {gamma / 2, 1, {0, 1 - 2 * beta / gamma, 2 * beta / gamma}, {0, 0, 0}}};
    }
  }
}

}  // namespace traction
