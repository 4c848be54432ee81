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

std::vector<double> force_weights(std::span<const StageRow> table) {
  std::vector<std::vector<double>> known(
      2, std::vector<double>(1 + table.size(), 0.0));  // weights in the velocities at the start of both steps, then in those of the stages
  for (std::size_t i = 0; i < table.size(); ++i) {
    const StageRow& row = table[i];
    if (row.exponential != 0 || row.alpha[0] != 0 || row.beta[0] != 0) return {};
    std::vector<double> weights(1 + table.size(), 0.0);
    for (std::size_t j = 1; j < known.size(); ++j) {
      for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += row.alpha[j] * known[j][k];
      weights[j - 1] += row.beta[j];
    }
    weights[i + 1] += row.a;
    known.push_back(std::move(weights));
  }
  return known.back();
}

}  // namespace traction
