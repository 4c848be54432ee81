// The contact within a step, which the step's ends need not show: a body may touch and leave again between them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/contact_group.h"
#include "system/system.h"

namespace traction {

/// A state within a step whose forces influence the step's end.
struct StepSample {
  double weight = 0;                     ///< share of its forces in the step (force_weights)
  State state;                           ///< ghosts valid
  std::vector<ContactSummary> contacts;  ///< in the order of the contacts
};

/// Energies, forces and states of contact in the stages of one step.
struct ContactTrace {
  /// For each contact the least and the largest energy that it stores in any stage of the step [J]; empty if nothing was traced.
  std::vector<double> least, most;
  /// For each contact and each body the largest sum of the sizes of the normal forces on the body's vertices [N].
  std::vector<std::vector<double>> forces;
  /// If contact acts at the step's start or in its stages, or forces jump, and its integrator has weights: the states within it, and the weights of its start
  /// and its end.
  std::vector<StepSample> within;
  double weight_of_start = 0.5, weight_of_end = 0.5;
  bool knows_weights = false;  ///< whether these are the integrator's

  bool acts(std::size_t contact) const { return contact < most.size() && most[contact] > 0; }
  bool acts() const;
  /// The sum of `forces` over all contacts for one body [N].
  double force_on(std::size_t body) const;
};

/// Traces contacts at the solutions of the stages of a step from `start`, whose forces are those that the step takes; ghosts are valid. `weights`: of the
/// forces at the step's start and in its stages, of which the last one is its end; empty if unknown. `forces_jump`: whether these states count although nothing
/// touches.
/// @collective
ContactTrace trace_contacts(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts, const State& start, std::span<const State> stages,
                            std::span<const double> weights, bool forces_jump = false);

}  // namespace traction
