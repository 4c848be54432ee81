#include "app/run.h"

#include <fmt/format.h>
#include <petscsys.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "app/progress.h"
#include "app/recorder.h"
#include "app/run_report.h"
#include "app/scene_mesh.h"
#include "errors.h"
#include "parallel/collective.h"
#include "scene/read_scene.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

int rank_of(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

void broadcast(MPI_Comm communicator, std::string& text) {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, communicator);
  text.resize(length);
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, communicator);
}

void make_directory(const std::string& directory) {
  std::error_code failure;
  fs::create_directories(directory, failure);
  if (failure) throw FileError(directory + ": cannot make the output folder: " + failure.message());
}

// A folder for meshes that only a check or a partition needs, removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "traction-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw FileError(pattern + ": cannot make a temporary folder");
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void log_start(const Simulation& simulation) {
  spdlog::info("\n{}", quality_table(simulation.quality));
  spdlog::info("total mass {:.6g} kg", simulation.system->total_mass());
  for (const auto& contact : simulation.contacts) spdlog::info("contact '{}': stiffness {:.6g} N/m", contact->name(), contact->base_stiffness());
  const std::string blas = blas_library();
  if (blas.find("openblas") == std::string::npos && blas.find("mkl") == std::string::npos && blas.find("blis") == std::string::npos)
    spdlog::warn("the BLAS in use ({}) is not a fast one; direct solves take several times longer than with OpenBLAS", blas);
}

}  // namespace

Scene load_scene(MPI_Comm communicator, const std::string& path, const std::vector<std::string>& overrides) {
  std::string text, file;
  on_first_rank(communicator, [&] {
    std::ifstream input(path, std::ios::binary);
    if (!input || fs::is_directory(path)) throw InputError(path + ": no such scene file, or it cannot be read; check its name and permissions");
    std::ostringstream contents;
    contents << input.rdbuf();
    text = contents.str();
    file = fs::absolute(path).lexically_normal().string();
  });
  broadcast(communicator, text);
  broadcast(communicator, file);
  return read_scene(text, file, overrides);
}

void apply_petsc_options(const Scene& scene) {
  for (const auto& [name, value] : scene.petsc) {
    const std::string option = "-" + name;
    PetscBool given = PETSC_FALSE;
    PetscCallAbort(PETSC_COMM_WORLD, PetscOptionsHasName(nullptr, nullptr, option.c_str(), &given));
    if (!given) PetscCallAbort(PETSC_COMM_WORLD, PetscOptionsSetValue(nullptr, option.c_str(), value.empty() ? nullptr : value.c_str()));
  }
}

void run_scene(MPI_Comm communicator, const Scene& scene, const std::string& directory, const std::optional<std::string>& checkpoint) {
  const double start = MPI_Wtime();
  const bool first = rank_of(communicator) == 0;
  // The scene is validated against its meshes before anything in the folder changes.
  Mesh mesh;   // on rank 0
  on_first_rank(communicator, [&] { mesh = load_scene_mesh(scene, TemporaryDirectory().path()); });
  Simulation simulation = build_simulation(communicator, scene, std::move(mesh));
  if (checkpoint) restore_state(simulation, *checkpoint);
  on_first_rank(communicator, [&] {
    make_directory(directory);
    std::ofstream(directory + "/scene.yaml") << to_yaml(scene);
  });
  TimeLoop& loop = *simulation.loop;
  if (first) log_start(simulation);

  Recorder recorder(simulation, directory, checkpoint.has_value());
  if (!checkpoint) recorder.record_initial();
  RunCosts costs;
  costs.setup_seconds = MPI_Wtime() - start;
  write_run_report(directory, simulation, costs, "running");
  {
    Progress progress(first, loop.state().time, scene.time.end, scene.output.log_every);
    while (!loop.done()) {
      const double step_start = MPI_Wtime();
      StepRecord step;
      try {
        step = loop.advance();
      } catch (const SolverError& error) {   // thrown on all ranks alike
        costs.output_seconds = recorder.seconds();
        const std::string saved = recorder.save_state();
        write_run_report(directory, simulation, costs, "solver gave up");
        throw SolverError(fmt::format("{}; the last good state is in {}", error.what(), saved));
      }
      bool touching = false;
      for (const ContactSummary& contact : step.contacts) touching = touching || contact.active > 0;
      RunCosts::Phase& phase = touching ? costs.contact : costs.flight;
      ++phase.steps;
      phase.repeats += step.repeats;
      phase.newton_iterations += step.solver.newton_iterations;
      phase.linear_iterations += step.solver.linear_iterations;
      phase.seconds += MPI_Wtime() - step_start;
      recorder.record(step);
      progress.update(step);
    }
  }
  costs.output_seconds = recorder.seconds();
  recorder.save_state();
  write_run_report(directory, simulation, costs, "done");
  if (first) spdlog::info("done: {} steps in {:.1f} s, results in {}", loop.steps(), MPI_Wtime() - start, directory);
}

void resume_run(MPI_Comm communicator, const std::string& directory, const std::vector<std::string>& overrides) {
  std::string checkpoint;
  on_first_rank(communicator, [&] { checkpoint = newest_checkpoint(directory); });
  broadcast(communicator, checkpoint);
  const Scene scene = load_scene(communicator, directory + "/scene.yaml", overrides);
  apply_petsc_options(scene);
  run_scene(communicator, scene, directory, checkpoint);
}

void check_scene(MPI_Comm communicator, const Scene& scene) {
  on_first_rank(communicator, [&] {
    const TemporaryDirectory meshes;
    const Mesh mesh = load_scene_mesh(scene, meshes.path());
    if (scene.partition.file) read_partition(*scene.partition.file, mesh);
    std::cout << to_yaml(scene) << fmt::format("# good: {} vertices, {} tetrahedra, {} bodies\n", mesh.vertices.size(), mesh.tetrahedra.size(),
                                               scene.bodies.size());
  });
}

void partition_scene(MPI_Comm communicator, const Scene& scene, int parts, const std::string& file) {
  on_first_rank(communicator, [&] {
    const TemporaryDirectory meshes;
    const Mesh mesh = load_scene_mesh(scene, meshes.path());
    const Partition partition = partition_elements(mesh, parts);
    write_partition(file, mesh, partition);
    std::cout << quality_table(measure_quality(mesh, partition)) << "written: " << file << "\n";
  });
}

}  // namespace traction
