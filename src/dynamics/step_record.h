// What is known of a step once it has been taken.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_term.h"
#include "system/system.h"

namespace traction {

// The report of one solve, or of all solves that a step took.
struct StepReport {
  bool converged = false;
  int newton_iterations = 0;
  long linear_iterations = 0;
  int eliminations = 0;               // iterates that were improved by solving for vertices in contact alone
  double residual = 0;                // velocity defect, largest of the stages [m/s]
  double error = 0;                   // estimate of what the positions are off by, root mean square over the worst body [m]; 0 where the integrator has none
  std::string reason;                 // why it failed
  std::vector<Reaction> reactions{};  // of the driven groups, in the balance that the last stage solved: driven vertices move there as the scheme has it
};

struct StepRecord {
  long step = 0;                         // 1 for the first
  double time = 0;                       // at its end [s]
  double dt = 0;                         // [s]
  StepReport solver;                     // summed over repeats of the step; zeros where nothing is solved
  int repeats = 0;                       // solves thrown away, for stiffening or after a failure
  double error = 0;                      // as StepReport has it [m]
  double stiffening_energy = 0;          // what stiffening adds to the energy of contacts that are touching at the step's start [J]
  std::vector<ContactSummary> contacts;  // as the contacts are listed
  double kinetic_energy = 0;             // at its end [J]
  std::vector<double> energies;          // stored at its end, as energy_names has them (dynamics/energy_balance.h) [J]
  std::vector<std::string> warnings;     // sentences for the user on what this step has shown
};

}  // namespace traction
