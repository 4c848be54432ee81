// Equilibrium of bodies before the clock starts (docs/theory/integrators.md, "Starting in equilibrium").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contact/contact_group.h"
#include "solver/interruption.h"
#include "solver/solver_settings.h"
#include "system/system.h"

namespace traction {

/// A body of the system, which settles or keeps its state.
struct SettlingBody {
  /// An obstacle that moves at the start and may carry the body along by friction.
  struct Carrier {
    std::string name;
    double speed;  ///< at the body's center [m/s]
  };
  std::string name;
  std::string source;               ///< the place in the scene that asks for equilibrium, for messages; empty if none does
  std::vector<Carrier> carriers{};  ///< those that may be under this body, where nothing else with friction could hold it
  bool settles() const { return !source.empty(); }
};

/// The cost of finding the equilibrium, and how well it is balanced.
struct EquilibriumReport {
  int steps = 0;
  int newton_iterations = 0;
  long linear_iterations = 0;
  double displacement = 0;            ///< largest of any vertex [m]
  double unbalanced = 0;              ///< accelerations that rounding of positions has left, relative to gravity, if they are larger than usual; else 0
  std::vector<std::string> warnings;  ///< sentences for the user
};

/// Moves the bodies that settle to where all forces on them are in balance: elastic ones, loads, pressures, contact and friction, at the state's time. A body
/// that has a velocity keeps it, and a body that slides because friction is too small stays where it is: both are in balance except for the acceleration along
/// the directions in which no contact holds them. A body that friction holds gets the velocity at which it creeps. Contacts are stiffened as in a step.
/// `bodies` has one entry for each of the system's bodies, in their order; `first_step` is the first step of the pseudo-time in which they settle [s]. Ghosts
/// of `state` are valid before and after. `interruption` is called before each step of pseudo-time, and before each iteration of it. Throws InputError when
/// nothing supports a body, SolverError when no equilibrium is found, Interrupted after a signal; `state` is unchanged then. @collective
EquilibriumReport find_equilibrium(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies,
                                   SolverSettings solver, double first_step, State& state, Interruption interruption = {});

}  // namespace traction
