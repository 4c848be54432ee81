// Whether bodies stand on an edge or a tip from which they would fall (docs/theory/integrators.md, "Starting in equilibrium").
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "contact/contact_group.h"
#include "system/system.h"

namespace traction {

/// Among the bodies of `candidates` (one mark for each body), one that contact carries on a point or a line, and that gravity would tip over: as a rigid body
/// it would leave its place, while all others keep theirs. Forces and contacts are linearized at `at`, an equilibrium with valid ghosts. @collective
std::optional<std::size_t> tipping_body(System& system, const std::vector<std::shared_ptr<ContactGroup>>& contacts, const std::vector<char>& candidates,
                                        const State& at);

}  // namespace traction
