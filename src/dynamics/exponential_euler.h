// Exponential Rosenbrock Euler (docs/theory/integrators.md, "Exponential Rosenbrock Euler"): u1 = u0 + h phi_1(h J) F(u0), J = dF/du at u0, F(u) = (v, M^-1 f).
#pragma once

#include <string>

#include "solver/phi_function.h"
#include "system/system.h"

namespace traction {

class ExponentialEuler {
 public:
  explicit ExponentialEuler(System& system);

  struct Report {
    bool converged = false;
    long products = 0;  // with J
    std::string reason;
  };
  // A step of length h from `start`, ghosts valid. Driven vertices move to where they must be at constant velocity; forces that depend on time are taken at the
  // middle of the step. `tolerance`: of the exponential, relative to h F in the norm sqrt(m (omega^2 q^2 + v^2)), omega about the highest frequency. Ghosts of
  // `next` are valid. Collective.
  Report step(const State& start, double h, double tolerance, State& next);

 private:
  double highest_frequency(const State& base);

  System& system_;
  PhiFunction phi_;
  State direction_;
  Field force_;
};

}  // namespace traction
