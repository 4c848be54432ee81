// The most friction that a contact can exert on each vertex.
#pragma once

#include "contact/contact_group.h"

namespace traction {

/// Returns, in the first component for each vertex that this rank owns, the contact's largest coefficient of friction times the normal force [N], which is 0
/// without friction. Between pressure fields each pair counts with its own coefficient and force. `normal`: the contact's normal forces at the state, as
/// ContactGroup::add_vertex_forces adds them. @collective
Field most_friction(const ContactGroup& contact, const State& state, const Field& normal);

}  // namespace traction
