// Energy that numerical errors give to each group of bodies that touch each other (docs/theory/balance.md, "Energy balance").
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/contact_group.h"
#include "dynamics/energy_balance.h"
#include "dynamics/moved_energy.h"

namespace traction {

/// What a step has done to a group: bodies that touch each other or are joined.
struct GroupGain {
  double energy = 0;         ///< change of the bodies' own energies and of that of their contacts, less works other than those of contacts [J]
  double moved = 0;          ///< energy that contact has moved in them [J]
  bool stays = false;        ///< whether something touches them at both ends of the step
  std::vector<char> bodies;  ///< one mark for each body of the scene
};

/// The gains of the groups that something touches in a step, if these are more than one, or if others have moved more before. The eight
/// groups that have moved most come first. The others are taken together as far as what they have moved differs by less than a factor of four. The work of
/// friction and damping in contacts is not subtracted: it is a loss, so that errors are underestimated. Groups that moving obstacles touch are left out,
/// because the obstacles' work on each is unknown. `summaries`: of the contacts at the end of the step; `account`: of the step from `start`; `moved`: until its
/// end. Ghosts of both states are valid. The same on all ranks.
/// @collective
std::vector<GroupGain> gains_of_groups(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts, std::span<const ContactSummary> summaries,
                                       const EnergyBalance& balance, const EnergyBalance::Step& account, const State& start, const State& end,
                                       const ContactTrace& trace, const MovedEnergy::Moved& moved);

}  // namespace traction
