// The records of a step that was taken.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "contact/contact_term.h"
#include "dynamics/contact_trace.h"
#include "system/system.h"

namespace traction {

/// The report of one solve, or of all solves that a step took.
struct StepReport {
  bool converged = false;
  bool settled = false;              ///< without inertia: whether it ends at an equilibrium that was not near
  bool limited_by_rounding = false;  ///< the solve failed on a tolerance below the rounding of positions
  int newton_iterations = 0;
  long linear_iterations = 0;
  int eliminations = 0;  ///< iterates that were improved by solving for vertices in contact only
  double residual = 0;   ///< largest velocity error of the stages [m/s]
  double error = 0;      ///< estimated error of the positions, root mean square over the worst body [m]; 0 if the integrator has no estimate
  std::string reason;    ///< why the solve failed
  /// Reactions of the driven groups, from the balance that the last stage solved: driven vertices move there as the scheme prescribes
  std::vector<Reaction> reactions{};
  ContactTrace contact{};  ///< contact in the stages
};

inline bool touches(const std::vector<ContactSummary>& contacts) {
  return std::any_of(contacts.begin(), contacts.end(), [](const ContactSummary& contact) { return contact.active > 0; });
}

/// What is reported about a step that was taken.
struct StepRecord {
  long step = 0;                         ///< 1 for the first
  double time = 0;                       ///< at its end [s]
  double dt = 0;                         ///< [s]
  StepReport solver;                     ///< summed over repeats of the step; zeros where nothing is solved
  int repeats = 0;                       ///< discarded solves, because of stiffening or a failure
  double error = 0;                      ///< as in StepReport [m]
  double stiffening_energy = 0;          ///< energy that stiffening adds to contacts that touch at the step's start [J]
  std::vector<ContactSummary> contacts;  ///< in the order of the contacts
  double kinetic_energy = 0;             ///< at the step's end [J]
  std::vector<double> energies;          ///< stored at the step's end, in the order of energy_names (dynamics/energy_balance.h) [J]
  std::vector<std::string> warnings;     ///< sentences for the user about this step
};

}  // namespace traction
