// Lets a caller interrupt a step between its iterations.
#pragma once

#include <functional>
#include <optional>

namespace traction {

/// Called on all ranks together. Returns the number of a signal that asks for an end, 0 for none. `velocity_error`: error of the iterate before a Newton
/// iteration [m/s]; empty before each solve of a step.
using Interruption = std::function<int(std::optional<double> velocity_error)>;

}  // namespace traction
