// The commands of the program.
#pragma once

#include "app/session.h"

namespace traction {

/// Does what the command line asks for, and returns the exit code. Throws the errors of errors.h. Between SlepcInitialize and SlepcFinalize. @collective
int run_command(const Arguments& arguments);

}  // namespace traction
