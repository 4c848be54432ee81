// MPI and PETSc for the length of a program, and the one place where errors become exit codes.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace CLI {
class App;
}

namespace traction {

// The arguments before "--", and those after it, which are PETSc's.
struct Arguments {
  std::vector<char*> own, petsc;
};
Arguments split_arguments(int argc, char** argv);

// Fills what `app` is bound to. Throws InputError at a bad command line; returns the exit code where help or the version was all that was asked for, and
// printed.
std::optional<int> parse_command_line(CLI::App& app, const Arguments& arguments);

// Starts MPI and PETSc, runs `action` on all ranks, prints a failure once on stderr, and returns the exit code: 0 done, 2 bad input, 3 solver gave up, 4 input
// or output failed, or what `action` returned. `action` throws on all ranks or on none.
int run_session(const Arguments& arguments, const std::function<int()>& action);

}  // namespace traction
