// Ways to find the equilibrium of bodies before the clock starts (docs/theory/integrators.md, "Starting in equilibrium").
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/equilibrium.h"

namespace traction {

/// Bodies are in equilibrium when no acceleration exceeds this part of a reference, which is gravity where that acts.
inline constexpr double kBalance = 1e-5;
/// A body that turns while it creeps, or lies on one that creeps, is faster than friction's tolerance, by this factor at most.
inline constexpr double kFastestCreep = 3;

/// Lets bodies come to rest in pseudo-time, in steps of backward Euler with inertia. Arguments and errors are those of find_equilibrium(), except that bodies
/// which do not settle must be driven already. `on_bent_faces`: whether bodies may creep in directions that normal forces resist a little. The report does not
/// contain how far bodies have moved. @collective
EquilibriumReport settle_with_inertia(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies,
                                      const SolverSettings& solver, double first_step, State& state, bool on_bent_faces, const Interruption& interruption);

/// Finds an equilibrium without inertia, in steps like those of runs without inertia, until friction lets no body move faster than it creeps. Such an
/// equilibrium is near the start where one is, but friction may hold bodies by forces that remain from the way to it. Returns nothing, and leaves `state`
/// unchanged, if no such equilibrium exists, or if a body has a velocity at the start, which it would lose, or lies on an obstacle that moves.
/// `most_iterations`: of Newton's method in a step.
/// @collective
std::optional<EquilibriumReport> settle_without_inertia(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts,
                                                        const std::vector<SettlingBody>& bodies, const SolverSettings& solver, int most_iterations,
                                                        State& state, const Interruption& interruption);

/// Lets bodies move, with inertia and slightly damped, until they have come to rest, and finds the equilibrium there as settle_with_inertia() does. For bodies
/// that tip over: no state on their way is near balance. Returns nothing, and leaves `state` unchanged, if a body goes further than a few gyration radii, comes
/// to no rest or to no equilibrium, or has a velocity at the start, and without gravity. @collective
std::optional<EquilibriumReport> settle_in_motion(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts,
                                                  const std::vector<SettlingBody>& bodies, const SolverSettings& solver, double first_step, State& state,
                                                  const Interruption& interruption);

}  // namespace traction
