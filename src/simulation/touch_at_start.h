// Refuses surfaces that touch before a run begins: contact between edges and faces cannot press them apart.
#pragma once

#include <string>

#include "contact/contact_group.h"
#include "mesh/body_summary.h"
#include "simulation/simulation.h"

namespace traction {

/// Throws InputError on all ranks, with the bodies and the place, where the least gap of a contact between edges and faces is nothing but rounding. @collective
void refuse_touch_at_start(const Simulation& simulation, const ContactSettings& settings, const ContactGroup& contact, double gap, const State& initial);

/// Ends a message about a body inside of an obstacle that it should touch from outside.
std::string remedy_of_inside(const std::string& body, const std::string& obstacle);

/// Ends a message about vertices behind a surface: names a plane of the contact that has most vertices of a body behind it, because its normal may point the
/// wrong way; a body inside of an obstacle that is touched from outside; and a body whose mesh may be in millimetres. Empty without any. @collective
std::string doubts_about_start(const Simulation& simulation, const ContactSettings& settings, const State& initial);

/// Whether a body has shells of a thickness, of which half counts in contact.
bool has_thick_shell(const Simulation& simulation);

}  // namespace traction
