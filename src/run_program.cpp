#include "run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "errors.h"
#include "stop_signals.h"

namespace traction {

namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }
  int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

std::vector<char*> environment_without_mpi() {
  std::vector<char*> result;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("OMPI_") && !text.starts_with("PMIX_") && !text.starts_with("PMI_") && !text.starts_with("PRTE_")) result.push_back(*entry);
  }
  result.push_back(nullptr);
  return result;
}

constexpr int kPollMilliseconds = 200;

// Asks a child process to end, and kills it if it has not ended within two seconds.
void end_process(pid_t process) {
  ::kill(process, SIGTERM);
  for (int tries = 0; tries < 20; ++tries) {
    if (::waitpid(process, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ::kill(process, SIGKILL);
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {}
}

// Starts a program with default signal handling: this process may block or ignore signals.
int start_process(const std::vector<char*>& arguments, const std::vector<char*>& environment, int output, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, standard;
  sigemptyset(&none);
  sigemptyset(&standard);
  sigaddset(&standard, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error = ::posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

std::optional<int> run_program(const std::vector<std::string>& command, const std::function<void(std::string_view)>& output,
                               const std::function<void(double seconds)>& waiting) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw FileError(fmt::format("can't start {}: {}", command[0], std::strerror(errno)));
  FileDescriptor reader(ends[0]), writer(ends[1]);

  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment = environment_without_mpi();

  // A command that does not catch signals itself must not leave the program behind when it is ended.
  std::optional<CaughtStopSignals> caught;
  if (!catches_stop_signals()) caught.emplace();
  pid_t process = 0;
  const int error = start_process(arguments, environment, writer.get(), process);
  if (error == ENOENT || error == EACCES) return std::nullopt;
  if (error != 0) throw FileError(fmt::format("can't start {}: {}", command[0], std::strerror(error)));
  writer.close();

  const auto start = std::chrono::steady_clock::now();
  char block[4096];
  for (;;) {
    if (const int signal = stop_signal()) {
      end_process(process);
      throw Interrupted(fmt::format("stopped by signal {} while {} ran", signal, command[0]), signal);
    }
    if (waiting) waiting(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    pollfd pipe{reader.get(), POLLIN, 0};
    if (::poll(&pipe, 1, kPollMilliseconds) == 0) continue;
    const ssize_t got = ::read(reader.get(), block, sizeof block);
    if (got > 0) output({block, static_cast<std::size_t>(got)});
    else if (got == 0 || errno != EINTR) break;
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  if (const int signal = caught ? stop_signal() : 0) throw Interrupted(fmt::format("stopped by signal {} while {} ran", signal, command[0]), signal);
  return status;
}

}  // namespace traction
