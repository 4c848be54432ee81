// What a run may do between the iterations of a step.
#pragma once

#include <functional>
#include <optional>

namespace traction {

// Asked on all ranks together: the number of a signal that asks for an end, 0 for none. `velocity_error` [m/s] is what the iterate before a Newton iteration is
// off by; none before each solve of a step.
using Interruption = std::function<int(std::optional<double> velocity_error)>;

}  // namespace traction
