// Runs other programs without a shell, so that no character of a file's name has a special meaning.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace traction {

/// Runs a program (a path, or a name found on PATH) with its arguments, no input, and an environment without the variables that would make it a rank of this
/// job; waits until it ends. `output` is called with each piece of its output and error streams as it arrives, `waiting`, if given, several times a second with
/// the seconds since the start. Ends the program and throws Interrupted when a signal asks for an end (stop_signals.h). Returns the wait status of waitpid, or
/// nothing if there is no such program or it is not executable. Throws FileError if it cannot be started for another reason. Serial.
std::optional<int> run_program(const std::vector<std::string>& command, const std::function<void(std::string_view)>& output,
                               const std::function<void(double seconds)>& waiting = {});

}  // namespace traction
