// The ways a run ends early. Each is thrown with a message a user can act on and handled once, in app/session.cpp,
// which maps it to the exit code of the command-line contract. Code that is collective over ranks throws on all ranks
// or on none (see parallel/collective.h).
#pragma once

#include <stdexcept>
#include <string>

namespace traction {

/// The scene, the mesh or the command line is wrong; nothing was computed. Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The solver gave up on a step after all retries; the state was saved. Exit code 3.
class SolverError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reading or writing a file failed for a reason outside the input: disk full, no permission. Exit code 4.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A signal asked the program to end (stop_signals.h). Exit code 128 plus its number.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(const std::string& message, int signal) : std::runtime_error(message), signal_(signal) {}
  int signal() const { return signal_; }

 private:
  int signal_;
};

}  // namespace traction
