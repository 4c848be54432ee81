#include "app/session.h"

#include <fmt/format.h>
#include <petscsf.h>
#include <slepc.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <tuple>

#include "app/petsc_log.h"
#include "errors.h"
#include "out_of_memory.h"
#include "settings/nearest_name.h"
#include "stop_signals.h"

namespace traction {

Arguments split_arguments(int argc, char** argv) {
  Arguments arguments;
  arguments.petsc.push_back(argv[0]);
  bool own = true;
  for (int i = 0; i < argc; ++i) {
    if (own && std::strcmp(argv[i], "--") == 0) own = false;
    else (own ? arguments.own : arguments.petsc).push_back(argv[i]);
  }
  return arguments;
}

namespace {

// The message about arguments of `program` that are not expected: the first option among them, else a misspelt command, with the nearest that exists.
std::string refusal_of(const CLI::App& app, const std::string& program, const std::vector<std::string>& unexpected) {
  std::vector<std::string> names;
  const auto remedy = [&](const std::string& name) { return proposal(name, {names.begin(), names.end()}); };
  const std::vector<CLI::App*> commands = app.get_subcommands();
  for (const std::string& argument : unexpected) {
    if (argument.size() < 2 || argument[0] != '-') continue;
    for (const CLI::Option* known : (commands.empty() ? app : *commands.front()).get_options())
      for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
    const std::string option = argument.substr(0, argument.find('='));
    if (option == "-n" || option == "-np" || option == "--np" || option == "--ranks")
      return fmt::format("'{}' is an option of mpirun, which starts the ranks: mpirun -n 4 {} ...", option, program);
    return fmt::format("unknown option '{}'; {}{}", option, remedy(option), option.starts_with("--") ? "" : ", and options for PETSc follow after --");
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
  if (commands.empty() && !names.empty()) return fmt::format("unknown command '{}'; {}", unexpected.front(), remedy(unexpected.front()));
  return fmt::format("'{}' was not expected; remove it", unexpected.front());
}

}  // namespace

std::optional<int> parse_command_line(CLI::App& app, const Arguments& arguments) {
  try {
    app.parse(static_cast<int>(arguments.own.size()), const_cast<char**>(arguments.own.data()));
  } catch (const CLI::ParseError& error) {
    const std::string program = std::filesystem::path(arguments.own[0]).filename().string();
    if (error.get_exit_code() != 0) {
      const std::vector<std::string> unexpected = app.remaining(true);
      const bool is_unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !unexpected.empty();
      throw InputError("command line: " + (is_unexpected ? refusal_of(app, program, unexpected) : error.what()) + "; see " + program + " --help");
    }
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    if (rank == 0) app.exit(error);
    return 0;
  }
  return std::nullopt;
}

void add_scene_options(CLI::App& command, SceneOptions& options) {
  command.add_option("--set", options.overrides, "Override a setting of the scene: path.to.key=value (repeatable)")->allow_extra_args(false);
  command.add_flag("--no-scripts", options.refuse_scripts, "Refuse all .geo files, which Gmsh would run")->envname(kNoScriptsVariable);
  command.add_flag("--allow-scripts", options.allow_scripts, "Accept .geo files that can run programs or write files, and PETSc's Python")
      ->envname(kAllowScriptsVariable);
}

int exit_code_of(const std::function<int()>& action) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  int code = 0;
  std::string message;
  try {
    code = action();
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0) code = 4, message = "standard output: cannot write; check that the disk is not full";
  } catch (const InputError& error) {
    code = 2, message = error.what();
  } catch (const SolverError& error) {
    code = 3, message = error.what();
  } catch (const FileError& error) {
    code = 4, message = error.what();
  } catch (const Interrupted& error) {
    code = kSignalExit + error.signal(), message = error.what();
  } catch (const std::exception& error) {  // an error that ranks have not agreed on, for example lack of memory
    const bool lacks_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    std::cerr << "traction: error: " << (lacks_memory ? out_of_memory(rank) : fmt::format("rank {}: {}", rank, error.what())) << std::endl;
    int ranks = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    if (ranks > 1) MPI_Abort(PETSC_COMM_WORLD, 4);  // the other ranks may be waiting for this one
    code = 4;
  }
  // Quoted names and lines of files may contain any characters; a message must stay on one line.
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
  if (rank == 0 && !message.empty()) std::cerr << "traction: error: " << message << std::endl;
  return code;
}

int run_session(const Arguments& arguments, const std::function<int()>& action) {
  const bool too_many = arguments.petsc.size() > 1 + 2 * kMaximumPetscOptions;  // names and values
  std::vector<char*> petsc(arguments.petsc.begin(), too_many ? arguments.petsc.begin() + 1 : arguments.petsc.end());
  int count = static_cast<int>(petsc.size());
  petsc.push_back(nullptr);
  char** list = petsc.data();
  {
    const BlockedStopSignals kept_from_threads;
    if (SlepcInitialize(&count, &list, nullptr, nullptr) != 0) return 4;
  }
  restore_stop_signals();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing, like a full disk
  std::signal(SIGPIPE, SIG_DFL);  // a reader that closes the pipe early is no error, so that PETSc must not print a stack
  // -log_view matches events of different ranks by the order of their registration. PETSc's packages register theirs at their first use, which may happen on
  // one rank only, so they are initialized here on all ranks.
  SNESInitializePackage();
  KSPInitializePackage();
  PCInitializePackage();
  MatInitializePackage();
  VecInitializePackage();
  PetscSFInitializePackage();
  ISInitializePackage();
  EPSInitializePackage();
  MFNInitializePackage();
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  spdlog::set_default_logger(spdlog::stderr_logger_st("traction"));
  spdlog::set_pattern("[%H:%M:%S] %^%l%$: %v");
  if (rank != 0) spdlog::set_level(spdlog::level::off);

  const int code = exit_code_of([&] {
    if (too_many) throw InputError(fmt::format("command line: PETSc accepts at most {} options; give fewer after --", kMaximumPetscOptions));
    begin_petsc_log(PETSC_COMM_WORLD);
    return action();
  });
  if (code == 4) std::ignore = std::freopen("/dev/null", "w", stdout);  // PETSc would print a stack if the output cannot be written
  SlepcFinalize();
  return code;
}

}  // namespace traction
