// Runs Gmsh as a separate program, so that its licence and its crashes do not affect Traction.

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "errors.h"
#include "mesh/formats/geo_parameters.h"
#include "mesh/formats/mesh_formats.h"
#include "mesh/read_mesh.h"
#include "run_program.h"
#include "settings/missing_file.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

// A temporary file beside the final one, removed unless it is renamed.
class PartialFile {
 public:
  explicit PartialFile(const std::string& final_path) : final_path_(final_path), path_(fmt::format("{}.{}.msh", final_path, ::getpid())) {
    const int descriptor = ::open(path_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) throw FileError(fmt::format("{}: can't be written: {}. Check its folder", final_path, std::strerror(errno)));
    ::close(descriptor);
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }
  void keep() {
    if (std::rename(path_.c_str(), final_path_.c_str()) != 0)
      throw FileError(fmt::format("{}: can't be written: {}. Check its folder", final_path_, std::strerror(errno)));
    path_.clear();
  }

 private:
  std::string final_path_, path_;
};

// Keeps the lines of the output that explain a failure: the first error, which is the cause, and the last, which is the consequence.
class OutputLines {
 public:
  void add(std::string_view text) {
    for (char c : text) {
      if (c == '\n') end_line();
      else if (line_.size() < 1000) line_ += c;
    }
  }
  void end_line() {
    const std::string_view line = line_;
    if (line.starts_with("Error")) {
      const std::size_t start = line.find_first_not_of(" :", std::strlen("Error"));
      const std::string message(start == std::string_view::npos ? "" : line.substr(start, line.find_last_not_of(" \r") + 1 - start));
      if (!is_summary(message)) {
        if (first_error_.empty()) first_error_ = message;
        last_error_ = message;
      }
    } else if (line.find_first_not_of(" \r") != std::string_view::npos && !line.starts_with("Info")) {
      last_line_ = line_;
    }
    line_.clear();
  }
  bool has_error() const { return !first_error_.empty(); }
  std::string explanation() const {
    if (first_error_.empty()) return last_line_.empty() ? "no message" : last_line_;
    return first_error_ == last_error_ ? first_error_ : first_error_ + "; " + last_error_;
  }

 private:
  // Gmsh closes with a box that counts its errors.
  static bool is_summary(const std::string& message) {
    if (message.empty() || message.starts_with("---") || message.starts_with("Mesh generation error summary")) return true;
    if (message.starts_with("Check the full log")) return true;
    const std::size_t words = message.find_first_not_of("0123456789");
    return words > 0 && words != std::string::npos && (message.substr(words).starts_with(" warning") || message.substr(words).starts_with(" error"));
  }

  std::string line_, first_error_, last_error_, last_line_;
};

constexpr double kFirstWord = 10;  // time [s] after which the log reports that Gmsh is at work; the interval then doubles each time

// Adds a prefix to names that start with a dash, which would be read as options.
std::string as_argument(const std::string& path) { return path.starts_with("-") ? "./" + path : path; }

}  // namespace

void generate_mesh(const std::string& geo_path, const std::map<std::string, double>& parameters, const std::string& msh_path) {
  std::error_code ignored;
  if (!fs::exists(geo_path, ignored)) throw InputError(fmt::format("{}: no such file; {}", geo_path, remedy_for_missing_file(geo_path, "the present folder")));
  if (!fs::is_regular_file(geo_path, ignored)) throw InputError(fmt::format("{}: is not a file. Give a .geo file", geo_path));
  const std::string text = read_bytes(geo_path);
  check_geo_parameters(geo_path, text, parameters);
  check_last_line(geo_path, text);

  PartialFile partial(msh_path);
  std::vector<std::string> command{"gmsh", as_argument(geo_path), "-3"};
  for (const auto& [name, value] : parameters) command.insert(command.end(), {"-setnumber", name, fmt::format("{}", value)});
  command.insert(command.end(), {"-format", "msh41", "-bin", "-o", as_argument(partial.path())});

  OutputLines output;
  double next_word = kFirstWord;
  const auto waiting = [&](double seconds) {
    if (seconds < next_word) return;
    spdlog::info("{}: Gmsh has been at work for {:.0f} s; a script that does not end can be stopped by Ctrl-C", geo_path, seconds);
    next_word *= 2;
  };
  const std::optional<int> status = run_program(
      command, [&](std::string_view text) { output.add(text); }, waiting);
  output.end_line();
  if (!status) throw InputError(fmt::format("{}: Gmsh is needed to mesh it, but no program gmsh is on the PATH. Install Gmsh or give a .msh file", geo_path));
  if (WIFSIGNALED(*status))
    throw InputError(fmt::format("{}: Gmsh was ended by signal {} ({}): {}. Mesh it by hand to see why", geo_path, WTERMSIG(*status),
                                 strsignal(WTERMSIG(*status)), output.explanation()));
  if (WEXITSTATUS(*status) != 0 || output.has_error())
    throw InputError(fmt::format("{}: Gmsh failed: {}. Mesh it by hand to see all messages: gmsh -3 {}", geo_path, output.explanation(), geo_path));
  if (fs::file_size(partial.path(), ignored) == 0 || ignored)
    throw InputError(fmt::format("{}: Gmsh wrote no mesh: {}. Mesh it by hand to see why: gmsh -3 {}", geo_path, output.explanation(), geo_path));
  if (read_bytes(partial.path()).find("$Nodes") == std::string::npos)
    throw InputError(
        fmt::format("{}: Gmsh makes no elements that it writes. Give it a volume, surface or curve, and a name by Physical Volume, Physical Surface or "
                    "Physical Curve",
                    geo_path));
  partial.keep();
}

}  // namespace traction
