#include "run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "errors.h"

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

}  // namespace

std::optional<int> run_program(const std::vector<std::string>& command, const std::function<void(std::string_view)>& output) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw FileError(fmt::format("can't start {}: {}", command[0], std::strerror(errno)));
  FileDescriptor reader(ends[0]), writer(ends[1]);

  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment = environment_without_mpi();

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, writer.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, writer.get(), STDERR_FILENO);
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT || error == EACCES) return std::nullopt;
  if (error != 0) throw FileError(fmt::format("can't start {}: {}", command[0], std::strerror(error)));
  writer.close();

  char block[4096];
  for (;;) {
    const ssize_t got = ::read(reader.get(), block, sizeof block);
    if (got > 0) output({block, static_cast<std::size_t>(got)});
    else if (got == 0 || errno != EINTR) break;
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

}  // namespace traction
