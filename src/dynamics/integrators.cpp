#include "dynamics/integrators.h"

namespace traction {

std::vector<StageRow> stage_table(const IntegratorTraits& integrator, double step_ratio) {
  constexpr double kLargestRatio = 2.0;  // variable-step BDF2 is stable up to 1 + sqrt 2
  std::vector<StageRow> table;
  if (!integrator.two_step || step_ratio <= 0 || step_ratio > kLargestRatio) {
    std::copy_if(integrator.stages.begin(), integrator.stages.end(), std::back_inserter(table), [](const StageRow& row) { return row.a > 0; });
    return table;
  }
  const double w = step_ratio, denominator = 1 + 2 * w;  // w = 1: (4 u_t - u_{t-h}) / 3 + 2/3 h F
  return {{(1 + w) / denominator, 1, {-w * w / denominator, (1 + w) * (1 + w) / denominator}, {}, integrator.stages[0].exponential}};
}

}  // namespace traction
