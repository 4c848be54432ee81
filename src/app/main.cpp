// traction: the command line.

#include "app/commands.h"

int main(int argc, char** argv) {
  const traction::Arguments arguments = traction::split_arguments(argc, argv);
  return traction::run_session(arguments, [&] { return traction::run_command(arguments); });
}
