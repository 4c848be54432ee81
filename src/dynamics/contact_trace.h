// What contact did within a step, which its ends need not show: a body may touch and leave again between them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/contact_group.h"
#include "system/system.h"

namespace traction {

struct ContactTrace {
  // For each contact, empty if nothing was traced: the least and the largest energy that it stores in any stage of the step [J],
  std::vector<double> least, most;
  // and for each body the largest sum of the sizes of the normal forces on its vertices [N].
  std::vector<std::vector<double>> forces;

  bool acts(std::size_t contact) const { return contact < most.size() && most[contact] > 0; }
  bool acts() const;
  // The sum over all contacts for one body [N].
  double force_on(std::size_t body) const;
};

// Traces contacts at the solutions of a step's stages, whose forces are those that the step takes; ghosts are valid. Collective.
ContactTrace trace_contacts(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts, std::span<const State> stages);

}  // namespace traction
