#include "app/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <petscmat.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/blas_buffer.h"
#include "app/crossing_watch.h"
#include "app/held_warnings.h"
#include "app/old_results.h"
#include "app/output_folder.h"
#include "app/petsc_log.h"
#include "app/run_estimate.h"
#include "app/run_report.h"
#include "app/saved_run.h"
#include "app/saved_state.h"
#include "app/script_check.h"
#include "app/start_check.h"
#include "app/start_log.h"
#include "app/step_loop.h"
#include "app/step_watch.h"
#include "app/stop_request.h"
#include "app/temporary_directory.h"
#include "dynamics/energy_words.h"
#include "errors.h"
#include "output/folder_lock.h"
#include "output/slab_file.h"
#include "parallel/collective.h"
#include "parallel/petsc_handle.h"
#include "run_program.h"
#include "scene/read_scene.h"
#include "settings/missing_file.h"
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

// The folder of a run until its files begin. Serial: its functions are called on the first rank.
class ClaimedFolder {
 public:
  ClaimedFolder(std::string path, Start how, std::unique_ptr<FolderLock> lock) : path_(std::move(path)), how_(how), lock_(std::move(lock)) {}

  // Locks the folder if it exists. Throws InputError if it holds files that the run must not replace.
  void take() {
    if (!lock_ && fs::is_directory(path_)) lock_ = std::make_unique<FolderLock>(path_);
    if (how_ != Start::resumed) refuse_foreign_files(path_);
    if (how_ == Start::afresh) refuse_unfinished_run(path_);
  }
  void make() {
    is_new_ = !fs::exists(path_);
    make_directory(path_);
    take();
    require_places_for_files(path_);
    make_directory(path_ + "/checkpoints");
  }
  bool has_results() const { return fs::exists(path_ + "/history.csv"); }
  // Removes the traces of a run that is refused late: the folder if that is new, else an empty folder for checkpoints.
  void leave_as_found() {
    lock_.reset();
    std::error_code not_empty;
    fs::remove(path_ + "/checkpoints", not_empty);
    if (is_new_) fs::remove(path_, not_empty);
  }

 private:
  std::string path_;
  Start how_;
  std::unique_ptr<FolderLock> lock_;
  bool is_new_ = false;
};

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

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) spdlog::warn("{}", warning);
}

// Reads the scene's mesh on the first rank, where it also fills `bodies`, and builds the simulation. `checkpoint`: empty for a new run. Collective.
Simulation simulation_for(MPI_Comm communicator, const Scene& scene, ClaimedFolder& folder, const std::string& checkpoint, std::vector<BodySummary>& bodies) {
  Mesh mesh;                              // on rank 0
  std::vector<double> contacts_per_step;  // on rank 0
  on_first_rank(communicator, [&] {
    folder.take();
    mesh = load_scene_mesh(scene, TemporaryDirectory().path());
    bodies = summarize_bodies(mesh, body_names(scene));
    if (!checkpoint.empty() && scene.partition.contact_weight > 0) contacts_per_step = contacts_in_checkpoint(checkpoint, mesh.vertices.size());
  });
  return build_simulation(communicator, scene, std::move(mesh), contacts_per_step);
}

// Lets the bodies of a new run settle. Returns the signal that stopped this, or 0. Throws InputError, on all ranks alike, after leaving the folder as it was.
// Collective.
int settle_in(ClaimedFolder& folder, Simulation& simulation, StepWatch& watch, const Interruption& look) {
  const MPI_Comm communicator = simulation.system->communicator();
  const bool first = rank_of(communicator) == 0;
  try {
    watch.begin_equilibrium();
    settle(simulation, first, look);
  } catch (const InputError&) {
    on_first_rank(communicator, [&] { folder.leave_as_found(); });
    throw;
  } catch (const Interrupted& interruption) {  // on all ranks alike
    if (first)
      spdlog::warn("stopped by signal {} in the search for equilibrium at the start, before the first step: nothing has been saved; start the run again",
                   interruption.signal());
    return interruption.signal();
  }
  return 0;
}

}  // namespace

Scene load_scene(MPI_Comm communicator, const std::string& path, const SceneOptions& options, SceneOrigin origin) {
  std::string text, file;
  on_first_rank(communicator, [&] {
    std::ifstream input(path, std::ios::binary);
    if (fs::is_directory(path)) throw InputError(path + ": is a folder; give the scene file in it");
    if (!fs::exists(path)) throw InputError(path + ": no such scene file; " + remedy_for_missing_file(path, "the present folder"));
    if (!input) throw InputError(path + ": the scene file cannot be read; check its permissions");
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
  const bool first = rank_of(communicator) == 0, is_new = how != Start::resumed;
  take_blas_buffer(communicator);
  // Before anything in the folder changes, the scene is validated against its meshes, and the first step is rehearsed if it may be refused.
  ClaimedFolder folder(directory, how, std::move(lock));
  std::vector<BodySummary> bodies;  // on rank 0
  Simulation simulation = simulation_for(communicator, scene, folder, is_new ? "" : checkpoint, bodies);
  Driver& loop = *simulation.loop;
  std::optional<RunRecord> earlier;
  if (!is_new) {
    earlier = restore_state(simulation, checkpoint);
    refuse_unfit_changes(simulation, directory, written_scene(scene), changes);
  }
  double has_results = 0;  // 1 on the first rank if the folder has some, else 0
  on_first_rank(communicator, [&] { has_results = folder.has_results() ? 1 : 0; });
  if (has_petsc_options() || maximum_over_ranks(communicator, has_results) > 0) loop.rehearse();
  on_first_rank(communicator, [&] { folder.make(); });
  if (has_results > 0 && is_new) spdlog::info("replaces the results of an earlier run in {}", directory);
  log_start(simulation, bodies);
  for (const std::string& change : changes) spdlog::info("changed from here on: {}", change);
  if (first && !is_new)
    spdlog::info("continues after step {} at t = {:.9g} s, from {}{}", loop.steps(), loop.state().time, checkpoint,
                 loop.done() ? fmt::format("; nothing is left to do until time.end, {:.9g} s", scene.time.end) : "");
  StepWatch watch(MPI_Wtime);
  const Interruption look = [&](std::optional<double> velocity_error) {
    if (const auto warning = watch.look(velocity_error); warning && first) spdlog::warn("{}", *warning);
    return stop.signal_on_any_rank(communicator);
  };
  if (is_new) {
    if (const int signal = settle_in(folder, simulation, watch, look)) return kSignalExit + signal;
    warn_about_start(simulation, bodies);
  }

  SavedRun saved(simulation, directory, written_scene(scene), earlier, start);
  loop.set_interruption(look);
  StepLoop steps(simulation, saved, watch, stop, is_new);
  if (const int signal = steps.run()) {
    const std::string path = saved.save("interrupted");
    if (first) spdlog::warn("stopped by signal {} after step {}; continue with: traction resume {} (from {})", signal, loop.steps(), directory, path);
    return kSignalExit + signal;
  }
  saved.save("done");
  const std::vector<std::string> closing = loop.closing_warnings(), chattering = steps.closing_warnings();  // collective
  if (!first) return 0;
  log_energy_balance(loop);
  if (const std::vector<std::string> untouched = steps.untouched(); !untouched.empty())
    spdlog::info("contacts in which nothing has touched: {}", fmt::join(untouched, ", "));
  warn(closing);
  warn(chattering);
  log_repeats(saved.costs());
  spdlog::info("done: {} steps in {:.1f} s, results in {}", loop.steps(), MPI_Wtime() - start, directory);
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

namespace {

double frequency_of(double eigenvalue) { return std::copysign(std::sqrt(std::abs(eigenvalue)), eigenvalue) / (2 * std::numbers::pi); }

// `zero`: the size of eigenvalues below which a mode is a rigid motion.
std::string modes_in_words(std::span<const double> eigenvalues, double zero) {
  constexpr std::size_t kShown = 6;
  std::vector<std::string> frequencies;
  for (const double eigenvalue : eigenvalues)
    if (std::abs(eigenvalue) > zero) frequencies.push_back(fmt::format("{:.4g}", frequency_of(eigenvalue)));
  const std::size_t rigid = eigenvalues.size() - frequencies.size();
  const bool more = frequencies.size() > kShown;
  if (more) frequencies.resize(kShown);
  std::string words = fmt::format("{} modes", eigenvalues.size());
  if (rigid > 0) words += fmt::format(", of which {} move without a frequency", rigid);
  if (!frequencies.empty()) words += fmt::format("; the lowest frequencies are {}{} Hz", fmt::join(frequencies, ", "), more ? ", ..." : "");
  return words + ".";
}

}  // namespace

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
      table += fmt::format("{},{:.12g},{:.12g}\n", k + 1, value, frequency_of(value));
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
  on_first_rank(communicator, [&] {
    draw("plot_modes.py", directory);
    std::cout << modes_in_words(std::span(modes.eigenvalues).first(static_cast<std::size_t>(count)), zero) << " Their shapes are in " << directory << ".\n";
  });
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
