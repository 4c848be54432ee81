// Ways to find the equilibrium of bodies before the clock starts (docs/theory/integrators.md, "Starting in equilibrium").
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/equilibrium.h"
#include "system/body_motion.h"

namespace traction {

/// Bodies are in equilibrium when no acceleration exceeds this part of a reference, which is gravity where that acts.
inline constexpr double kBalance = 1e-5;

/// Lets bodies come to rest in pseudo-time, in steps of backward Euler with inertia. Arguments and errors are those of find_equilibrium(), except that bodies
/// which do not settle must be driven already. @collective
EquilibriumReport settle_with_inertia(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<SettlingBody>& bodies,
                                      const SolverSettings& solver, double first_step, State& state, const Interruption& interruption);

/// Finds an equilibrium without inertia, in steps like those of runs without inertia, until friction lets no body move faster than it creeps. Such an
/// equilibrium is near the start where one is, but friction may hold bodies by forces that remain from the way to it. Returns nothing, and leaves `state`
/// unchanged, if no such equilibrium exists, or if a body has a velocity at the start, which it would lose. `most_iterations`: of Newton's method in a step.
/// @collective
std::optional<EquilibriumReport> settle_without_inertia(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts,
                                                        const std::vector<SettlingBody>& bodies, const SolverSettings& solver, int most_iterations,
                                                        State& state, const Interruption& interruption);

/// Sentences about bodies that come to rest elsewhere than where they were put. `centers`: at the start [m].
std::vector<std::string> warnings_of_distances(const std::vector<SettlingBody>& bodies, const std::vector<Vec3>& centers,
                                               const std::vector<BodyMotion>& motions);

}  // namespace traction
