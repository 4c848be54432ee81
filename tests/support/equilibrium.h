// Static equilibria, found by long steps of backward Euler.
#pragma once

#include <optional>

#include "simulation/simulation.h"

namespace traction::test {

// Takes steps of length `step` [s].
inline void settle(Scene& scene, double step, int steps) {
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = steps * step;
  scene.time.integrator = Integrator::backward_euler;
}

// To the end; returns the last step.
inline StepRecord run(Simulation& simulation) {
  StepRecord record;
  while (!simulation.loop->done()) record = simulation.loop->advance();
  return record;
}

}  // namespace traction::test
