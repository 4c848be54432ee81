// Starts and ends MPI and PETSc, and converts errors to exit codes, for every program of the project.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace traction {

/// The arguments before "--", and PETSc's arguments after it.
struct Arguments {
  std::vector<char*> own, petsc;
};
Arguments split_arguments(int argc, char** argv);

/// Parses the command line into the variables that `app` is bound to. Throws InputError if the command line is wrong. If only help or the version was asked
/// for, prints that and returns the exit code.
std::optional<int> parse_command_line(CLI::App& app, const Arguments& arguments);

inline constexpr int kSignalExit = 128;                   ///< added to the number of the signal that stopped the program, as shells do
inline constexpr std::size_t kMaximumPetscOptions = 400;  ///< the most options a user may give: PETSc has room for 512, and this program needs some itself

/// Options with which a command reads its scene.
struct SceneOptions {
  std::vector<std::string> overrides;  ///< path.to.key=value
  bool refuse_scripts = false;         ///< all .geo files, which Gmsh would run, and Python in the `petsc:` block
  bool allow_scripts = false;          ///< .geo files that may do more than make a mesh, and Python; refuse_scripts has priority
};
inline constexpr const char* kNoScriptsVariable = "TRACTION_NO_SCRIPTS";        ///< environment variable; the value 1 refuses scripts as --no-scripts does
inline constexpr const char* kAllowScriptsVariable = "TRACTION_ALLOW_SCRIPTS";  ///< environment variable; the value 1 has the effect of --allow-scripts
/// Adds --set, --no-scripts and --allow-scripts to a command.
void add_scene_options(CLI::App& command, SceneOptions& options);

/// Runs `action`, which throws on all ranks or on none, prints a failure once on stderr, and returns the exit code: 0 done, 2 bad input, 3 solver gave up, 4
/// input or output failed, 4 too when the standard output cannot be written, 128 plus the number of a signal that stopped it, or what `action` returned.
/// @collective
int exit_code_of(const std::function<int()>& action);

/// Starts MPI and PETSc, and returns exit_code_of(action).
int run_session(const Arguments& arguments, const std::function<int()>& action);

}  // namespace traction
