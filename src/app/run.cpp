#include "app/run.h"

#include <fmt/format.h>
#include <petscmat.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <numbers>

#include "app/blas_buffer.h"
#include "app/checkpoint_clock.h"
#include "app/contact_chatter.h"
#include "app/contact_jumps.h"
#include "app/crossing_watch.h"
#include "app/held_warnings.h"
#include "app/old_results.h"
#include "app/output_folder.h"
#include "app/petsc_log.h"
#include "app/progress.h"
#include "app/recorder.h"
#include "app/reserved_room.h"
#include "app/run_estimate.h"
#include "app/run_report.h"
#include "app/saved_state.h"
#include "app/script_check.h"
#include "app/start_check.h"
#include "app/start_log.h"
#include "app/step_watch.h"
#include "app/stop_request.h"
#include "app/temporary_directory.h"
#include "dynamics/energy_words.h"
#include "errors.h"
#include "output/folder_lock.h"
#include "output/slab_file.h"
#include "parallel/collective.h"
#include "parallel/log_event.h"
#include "parallel/petsc_handle.h"
#include "run_program.h"
#include "scene/read_scene.h"
#include "simulation/scene_mesh.h"
#include "simulation/scene_partition.h"
#include "simulation/start_in_equilibrium.h"
#include "solver/modes.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

int rank_of(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

// Whether PETSc's options database has entries: from the scene, the command line or the environment.
bool has_petsc_options() {
  char* options = nullptr;
  check_petsc(PetscOptionsGetAll(nullptr, &options));
  const bool any = options && std::string_view(options).find('-') != std::string_view::npos;
  check_petsc(PetscFree(options));
  return any;
}

bool splits_modes(const TimeSettings& time) {
  return std::any_of(time.steps.begin(), time.steps.end(),
                     [&](const StepSettings& piece) { return traits(piece.integrator.value_or(time.integrator)).family == IntegratorFamily::additive_stages; });
}

// Warns of options that PETSc has not read by the end of a step: they are misspelt.
void warn_about_unused_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  check_petsc(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  for (PetscInt i = 0; i < count; ++i) spdlog::warn("PETSc knows no option '-{}' here; it has no effect", names[i]);
  check_petsc(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
}

void count(const StepRecord& step, double seconds, RunCosts& costs) {
  const bool touching = std::any_of(step.contacts.begin(), step.contacts.end(), [](const ContactSummary& contact) { return contact.active > 0; });
  RunCosts::Phase& phase = touching ? costs.contact : costs.flight;
  ++phase.steps;
  phase.repeats += step.repeats;
  phase.newton_iterations += step.solver.newton_iterations;
  phase.linear_iterations += step.solver.linear_iterations;
  phase.eliminations += step.solver.eliminations;
  phase.seconds += seconds;
}

std::string written_scene(const Scene& scene) { return std::string(kWrittenScene) + to_yaml(scene); }

// Refuses settings that nothing uses. Settings that --set has made idle only cause a warning (app/start_log.cpp), because they may be meant for a single run.
// So do those of scenes that the program has written, whose overrides are not known any more.
void refuse_idle_settings(const TimeSettings& time, bool is_written_by_user) {
  for (const IdleSetting& setting : time.idle)
    if (setting.is_override || (is_written_by_user && !setting.through_override)) throw InputError(setting.text);
}

std::vector<std::string> body_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Body& body : scene.bodies) names.push_back(body.name);
  return names;
}

// Lets the bodies find their equilibrium before the clock starts. Collective.
void settle(Simulation& simulation, bool first, const Interruption& interruption = {}) {
  const std::optional<EquilibriumReport> report = start_in_equilibrium(simulation, interruption);
  if (!report || !first) return;
  spdlog::info("equilibrium at the start: {} steps, {} Newton iterations; vertices moved by up to {:.3g} m", report->steps, report->newton_iterations,
               report->displacement);
  if (report->unbalanced > 0)
    spdlog::info("equilibrium at the start: forces balance only to {:.1g} of gravity, because positions are rounded", report->unbalanced);
  for (const std::string& warning : report->warnings) spdlog::warn("{}", warning);
}

// Removes the traces of a run that is refused late: its folder if that is new, else an empty folder for checkpoints.
void leave_as_found(const std::string& directory, bool made_folder, std::unique_ptr<FolderLock>& lock) {
  lock.reset();
  std::error_code not_empty;
  fs::remove(directory + "/checkpoints", not_empty);
  if (made_folder) fs::remove(directory, not_empty);
}

void log_energy_balance(const Driver& driver) {
  std::string text;
  const auto balance = driver.energy_balance();
  const auto total = std::ranges::find_if(balance, [](const auto& item) { return item.first == "energy_moved"; });
  const double moved = total == balance.end() ? 0 : total->second;
  for (const auto& [name, energy] : balance) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    text += fmt::format("\n  {:<22}{:>13.6g} J{}", words, energy, name == "numerical" && moved > 0 ? ", " + part_of_energy_moved(energy, moved) : "");
  }
  if (!text.empty()) spdlog::info("energy balance:{}", text);
}

// Ends the message about a step that fails: names the things that run into each other in it as prescribed. Collective.
std::string meetings_ahead(const Simulation& simulation) {
  std::string text;
  State end = simulation.loop->state();
  double step = 0;
  for (const StepSettings& piece : simulation.scene.time.steps) step = std::max(step, piece.step);
  end.time += step;
  if (!simulation.meetings.empty()) simulation.system->set_driven_positions(end);
  for (const auto& meetings : simulation.meetings)
    for (const std::string& warning : meetings->warnings(simulation.loop->state(), end)) text += "; " + warning;
  return text;
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) spdlog::warn("{}", warning);
}

}  // namespace

Scene load_scene(MPI_Comm communicator, const std::string& path, const SceneOptions& options, SceneOrigin origin) {
  std::string text, file;
  on_first_rank(communicator, [&] {
    std::ifstream input(path, std::ios::binary);
    if (fs::is_directory(path)) throw InputError(path + ": is a folder; give the scene file in it");
    if (!input) throw InputError(path + ": no such scene file, or it cannot be read; check its name and permissions");
    constexpr std::size_t kMostBytes = std::size_t{1} << 26;  // /dev/zero never ends
    text.resize(kMostBytes + 1);
    input.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(input.gcount()));
    if (text.size() > kMostBytes) throw InputError(path + ": is larger than 64 MB, so that it cannot be a scene; give the scene file");
    file = fs::absolute(path).lexically_normal().string();
  });
  broadcast(communicator, text);
  broadcast(communicator, file);
  const Scene scene = read_scene(text, file, options.overrides);
  refuse_idle_settings(scene.time, origin == SceneOrigin::user && !text.starts_with(kWrittenScene));
  on_first_rank(communicator, [&] {  // the first rank's environment counts for all
    refuse_scripts(scene, options);
  });
  return scene;
}

void apply_petsc_options(const Scene& scene) {
  if (scene.petsc.size() > kMaximumPetscOptions)
    throw InputError(fmt::format("{}: petsc: contains {} options, but PETSc accepts at most {}; remove those that have no effect", scene.file,
                                 scene.petsc.size(), kMaximumPetscOptions));
  for (const auto& [name, value] : scene.petsc) {
    const std::string option = "-" + name;
    PetscBool given = PETSC_FALSE;
    check_petsc(PetscOptionsHasName(nullptr, nullptr, option.c_str(), &given));
    if (!given) check_petsc(PetscOptionsSetValue(nullptr, option.c_str(), value.empty() ? nullptr : value.c_str()));
  }
  begin_petsc_log(PETSC_COMM_WORLD);
}

int run_scene(MPI_Comm communicator, const StopRequest& stop, const Scene& scene, const std::string& directory, Start how, const std::string& checkpoint,
              std::unique_ptr<FolderLock> lock, const std::vector<std::string>& changes) {
  const double start = MPI_Wtime();
  const bool first = rank_of(communicator) == 0;
  take_blas_buffer(communicator);
  const auto take_folder = [&] {  // on rank 0
    if (!lock && fs::is_directory(directory)) lock = std::make_unique<FolderLock>(directory);
    if (how != Start::resumed) refuse_foreign_files(directory);
    if (how == Start::afresh) refuse_unfinished_run(directory);
  };
  // Before anything in the folder changes, the scene is validated against its meshes, and the first step is rehearsed if it may be refused.
  Mesh mesh;                              // on rank 0
  std::vector<double> contacts_per_step;  // on rank 0
  std::vector<BodySummary> bodies;        // on rank 0
  on_first_rank(communicator, [&] {
    take_folder();
    mesh = load_scene_mesh(scene, TemporaryDirectory().path());
    bodies = summarize_bodies(mesh, body_names(scene));
    if (how == Start::resumed && scene.partition.contact_weight > 0) contacts_per_step = contacts_in_checkpoint(checkpoint, mesh.vertices.size());
  });
  Simulation simulation = build_simulation(communicator, scene, std::move(mesh), contacts_per_step);
  RunRecord earlier;
  if (how == Start::resumed) earlier = restore_state(simulation, checkpoint);
  if (how == Start::resumed) refuse_unfit_changes(simulation, directory, written_scene(scene), changes);
  RunCosts costs = earlier.costs;
  Driver& loop = *simulation.loop;
  double replaces_results = 0;  // 1 on the first rank if the folder's results are replaced, else 0
  on_first_rank(communicator, [&] { replaces_results = fs::exists(directory + "/history.csv") ? 1 : 0; });
  if (has_petsc_options() || maximum_over_ranks(communicator, replaces_results) > 0) loop.rehearse();
  bool made_folder = false;  // on rank 0
  on_first_rank(communicator, [&] {
    made_folder = !fs::exists(directory);
    make_directory(directory);
    take_folder();
    require_places_for_files(directory);
    make_directory(directory + "/checkpoints");
  });
  if (replaces_results > 0 && how != Start::resumed) spdlog::info("replaces the results of an earlier run in {}", directory);
  log_start(simulation, bodies);
  for (const std::string& change : changes) spdlog::info("changed from here on: {}", change);
  if (first && how == Start::resumed)
    spdlog::info("continues after step {} at t = {:.9g} s, from {}{}", loop.steps(), loop.state().time, checkpoint,
                 loop.done() ? fmt::format("; nothing is left to do until time.end, {:.9g} s", scene.time.end) : "");
  StepWatch watch(MPI_Wtime);
  const Interruption look = [&](std::optional<double> velocity_error) {
    if (const auto warning = watch.look(velocity_error); warning && first) spdlog::warn("{}", *warning);
    return stop.signal_on_any_rank(communicator);
  };
  if (how != Start::resumed) {
    try {
      watch.begin_equilibrium();
      settle(simulation, first, look);
    } catch (const InputError&) {  // on all ranks alike
      on_first_rank(communicator, [&] { leave_as_found(directory, made_folder, lock); });
      throw;
    } catch (const Interrupted& interruption) {  // on all ranks alike
      if (first)
        spdlog::warn("stopped by signal {} in the search for equilibrium at the start, before the first step: nothing has been saved; start the run again",
                     interruption.signal());
      return kSignalExit + interruption.signal();
    }
  }
  if (how != Start::resumed) warn_about_start(simulation, bodies);

  Recorder recorder(simulation, directory, how == Start::resumed, earlier.history_checksum, earlier.lacks_frame);
  // Written last, so that a scene that does not fit the existing results changes nothing.
  on_first_rank(communicator, [&] { replace_text_file(directory + "/scene.yaml", written_scene(scene)); });
  if (how != Start::resumed || earlier.lacks_frame) recorder.record_initial();
  costs.setup_seconds += MPI_Wtime() - start;
  write_run_report(directory, simulation, costs, "running");
  ReservedRoom room(simulation, directory);
  auto save = [&](const char* status) {
    costs.output_seconds = earlier.costs.output_seconds + recorder.seconds();
    costs.contact_work = sum(earlier.costs.contact_work, contact_work(simulation));
    simulation.contact_counts.fade();
    recorder.flush();
    const auto write = [&] {
      std::string path = save_state(simulation, directory, {costs, recorder.history_checksum(), recorder.lacks_frame()});
      write_run_report(directory, simulation, costs, status);
      return path;
    };
    try {
      return write();
    } catch (const FileError&) {
      if (!room.release()) throw;
      return write();
    }
  };
  const auto stopped = [&](int signal) {
    const std::string saved = save("interrupted");
    if (first) spdlog::warn("stopped by signal {} after step {}; continue with: traction resume {} (from {})", signal, loop.steps(), directory, saved);
    return kSignalExit + signal;
  };
  const auto given_up = [&](const std::string& reason, const char* state) {  // what to throw
    try {
      return SolverError(fmt::format("{}; {} is in {}", reason, state, save("solver gave up")));
    } catch (const FileError& fault) {
      throw FileError(fmt::format("{}; {} cannot be saved: {}", reason, state, fault.what()));
    }
  };
  const auto not_recorded = [&](const FileError& fault) {  // what to throw
    room.release();
    try {
      recorder.record_again();
      return FileError(fmt::format("{}; the state after step {} is in {}: make room, and continue with: traction resume {}", fault.what(), loop.steps(),
                                   save("interrupted"), directory));
    } catch (const FileError& another) {
      return FileError(fmt::format("{}; the state after step {} cannot be saved: {}", fault.what(), loop.steps(), another.what()));
    }
  };
  loop.set_interruption(look);
  ContactJumps jumps(watched_contacts(simulation, how != Start::resumed));
  ContactChatter chatter(carrying_contacts(simulation));
  CrossingWatch crossings(simulation);
  if (first && how != Start::resumed) warn(crossings.warnings_at_start());
  CheckpointClock due(communicator, scene.output.checkpoint_every);
  bool options_checked = false;
  {
    Progress progress(first, loop.state().time, scene.time.end, scene.output.log_every);
    while (!loop.done()) {
      const double step_start = MPI_Wtime();
      StepRecord step;
      const State before = simulation.meetings.empty() && simulation.contacts.empty() ? State() : loop.state();
      try {
        const LogStage phase("Steps");
        watch.begin_step(loop.steps() + 1, loop.state().time);
        step = loop.advance();
      } catch (const Interrupted& interruption) {  // thrown on all ranks alike, as SolverError is
        return stopped(interruption.signal());
      } catch (const SolverError& error) {
        throw given_up(error.what() + meetings_ahead(simulation), "the last good state");
      }
      for (const auto& meetings : simulation.meetings)
        for (std::string& warning : meetings->warnings(before, loop.state())) step.warnings.push_back(std::move(warning));
      const auto taken = [&](std::size_t contact) { return speed_taken(simulation, contact, step, before.v); };
      for (std::string& warning : jumps.look(step, taken)) step.warnings.push_back(std::move(warning));
      chatter.look(step);
      if (first && !options_checked) warn_about_unused_options();
      options_checked = true;
      count(step, MPI_Wtime() - step_start, costs);
      simulation.contact_counts.add_step(simulation.contacts);
      {
        const LogStage phase("Output");
        bool has_frame = false;
        try {
          has_frame = recorder.record(step);
        } catch (const SolverError& error) {
          throw given_up(error.what(), "the state after this step");
        } catch (const FileError& fault) {  // on all ranks alike
          throw not_recorded(fault);
        }
        if (has_frame || loop.done())
          for (std::string& warning : crossings.look()) step.warnings.push_back(std::move(warning));
      }
      progress.update(step);
      if (first)
        for (const std::string& warning : step.warnings) spdlog::warn("step {} at t = {:.6g} s: {}", step.step, step.time, warning);
      if (loop.done()) break;
      if (const int signal = stop.signal_on_any_rank(communicator)) return stopped(signal);
      if (due.after(step)) {
        save("running");
        room.take();
        due.saved();
      }
    }
  }
  save("done");
  if (first) log_energy_balance(loop);
  const std::vector<std::string> closing = loop.closing_warnings(), chattering = chatter.warnings();  // collective
  if (first) {
    warn(closing);
    warn(chattering);
    log_repeats(costs);
  }
  if (first) spdlog::info("done: {} steps in {:.1f} s, results in {}", loop.steps(), MPI_Wtime() - start, directory);
  return 0;
}

int resume_run(MPI_Comm communicator, const StopRequest& stop, const std::string& directory, const SceneOptions& options) {
  std::unique_ptr<FolderLock> lock;  // on rank 0
  on_first_rank(communicator, [&] {
    if (fs::is_directory(directory)) lock = std::make_unique<FolderLock>(directory);
  });
  const std::string checkpoint = newest_checkpoint(communicator, directory);
  refuse_initial_overrides(options.overrides);
  const Scene scene = load_scene(communicator, directory + "/scene.yaml", options, SceneOrigin::earlier_run);
  apply_petsc_options(scene);
  return run_scene(communicator, stop, scene, directory, Start::resumed, checkpoint, std::move(lock), options.overrides);
}

void check_scene(MPI_Comm communicator, const Scene& scene, bool estimate) {
  apply_petsc_options(scene);
  take_blas_buffer(communicator);
  HeldWarnings warnings;            // until the scene, which is long, is printed
  Mesh mesh;                        // on rank 0
  std::vector<BodySummary> bodies;  // on rank 0
  std::string size;
  on_first_rank(communicator, [&] {
    mesh = load_scene_mesh(scene, TemporaryDirectory().path());
    if (scene.partition.file) read_partition(*scene.partition.file, mesh);
    bodies = summarize_bodies(mesh, body_names(scene));
    size =
        fmt::format("{} vertices, {}, {} bod{}", mesh.vertices.size(), describe_elements(bodies), scene.bodies.size(), scene.bodies.size() == 1 ? "y" : "ies");
  });
  {
    const Simulation simulation = build_simulation(communicator, scene, std::move(mesh));
    if (has_petsc_options() || splits_modes(scene.time)) simulation.loop->rehearse();
    log_start(simulation, bodies);
    if (!settles(scene)) warn_about_start(simulation, bodies);
    const std::vector<std::string> overlaps = CrossingWatch(simulation).warnings_at_start();
    on_first_rank(communicator, [&] { warn(overlaps); });
  }
  on_first_rank(communicator, [&] {
    std::cout << written_scene(scene) << std::flush;
    warnings.release();
    const int count = warnings.count();
    std::cout << "# good" << (count == 0 ? "" : fmt::format(", with {} warning{}", count, count == 1 ? "" : "s")) << ": " << size << "\n";
  });
  if (!estimate) return;
  const std::string text = estimate_run(communicator, scene);
  on_first_rank(communicator, [&] { std::cout << text; });
}

void write_modes(MPI_Comm communicator, const Scene& scene, const std::string& directory, int count) {
  take_blas_buffer(communicator);
  std::unique_ptr<FolderLock> lock;  // on rank 0
  const auto take_folder = [&] {
    if (!lock && fs::is_directory(directory)) lock = std::make_unique<FolderLock>(directory);
    refuse_results_but_modes(directory);
    refuse_unfinished_run(directory);
  };
  Mesh mesh;  // on rank 0
  on_first_rank(communicator, [&] {
    take_folder();
    mesh = load_scene_mesh(scene, TemporaryDirectory().path());
    warn_about_modes(scene, summarize_bodies(mesh, body_names(scene)));
  });
  Simulation simulation = build_simulation(communicator, scene, std::move(mesh));
  const bool first = rank_of(communicator) == 0;
  StepWatch watch(MPI_Wtime);
  watch.begin_equilibrium();
  settle(simulation, first, [&](std::optional<double> velocity_error) {
    if (const auto warning = watch.look(velocity_error); warning && first) spdlog::warn("{}", *warning);
    return 0;
  });
  const System& system = *simulation.system;
  const State& state = simulation.loop->state();
  const Modes modes = lowest_modes(*simulation.system, state, count, count == scene.time.modes ? scene.time.modes_source.text : "command line: --count");
  constexpr double kZero = 1e-9;  // rounding gives rigid motions eigenvalues of this size, of either sign, relative to modes that deform
  const double zero = kZero * std::max(modes.eigenvalues[count - 1], modes.scale);
  const auto unstable = std::count_if(modes.eigenvalues.begin(), modes.eigenvalues.begin() + count, [&](double value) { return value < -zero; });
  on_first_rank(communicator, [&] {
    if (unstable > 0)
      spdlog::warn(
          "{} of the modes grow instead of vibrating, and have negative frequencies: without contact, which modes ignore, the bodies are not in a stable "
          "equilibrium at the start",
          unstable);
    make_directory(directory);
    take_folder();
    FieldWriter::remove_frames(directory);
    std::string table = kModesColumns;
    for (int k = 0; k < count; ++k) {
      const double value = modes.eigenvalues[k];
      table += fmt::format("{},{:.12g},{:.12g}\n", k + 1, value, std::copysign(std::sqrt(std::abs(value)), value) / (2 * std::numbers::pi));
    }
    replace_text_file(directory + "/modes.csv", table);
  });
  // The largest displacement of a drawn mode, in parts of the bodies' size.
  constexpr double kDrawn = 0.1;
  double size = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double lower = std::numeric_limits<double>::infinity(), upper = -lower;
    for (int i = 0; i < system.halo().owned(); ++i) lower = std::min(lower, state.q[i][axis]), upper = std::max(upper, state.q[i][axis]);
    size = std::max(size, maximum_over_ranks(communicator, upper) - minimum_over_ranks(communicator, lower));
  }
  FieldWriter fields(communicator, directory, field_piece(*simulation.mesh, scene), 0,
                     {.in_one_file = scene.output.files == FrameFiles::one, .planned = static_cast<double>(count)});
  for (int k = 0; k < count; ++k) {
    const Field& shape = modes.basis->shape(k);
    double largest = 0;
    for (int i = 0; i < system.halo().owned(); ++i) largest = std::max(largest, shape[i].norm());
    Field positions = state.q;
    positions.array() += kDrawn * size / maximum_over_ranks(communicator, largest) * shape.array();
    fields.write_frame(k + 1, positions.values(), std::vector<PointField>{{"mode", 3, shape.values()}});
  }
  on_first_rank(communicator, [&] { draw("plot_modes.py", directory); });
}

void partition_scene(MPI_Comm communicator, const Scene& scene, int parts, const std::string& file, const std::string& table) {
  on_first_rank(communicator, [&] {
    const TemporaryDirectory meshes;
    const Mesh mesh = load_scene_mesh(scene, meshes.path());
    const Partition partition = partition_elements(mesh, parts, contact_costs(scene, mesh));
    write_partition(file, mesh, partition);
    const PartitionQuality quality = measure_quality(mesh, partition);
    if (!table.empty()) replace_text_file(table, counts_csv(quality));
    std::cout << quality_table(quality) << "written: " << file << (table.empty() ? "" : ", " + table) << "\n";
  });
}

}  // namespace traction
