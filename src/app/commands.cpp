#include "app/commands.h"

#include <petscsys.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <optional>
#include <utility>

#include "app/curves.h"
#include "app/run.h"
#include "errors.h"
#include "parallel/collective.h"
#include "scene/scene_schema.h"

namespace traction {

int run_command(const Arguments& arguments) {
  const MPI_Comm world = PETSC_COMM_WORLD;
  CLI::App app{"Deformable bodies in frictional contact, on MPI ranks. PETSc's options follow after --."};
  app.set_version_flag("--version", TRACTION_VERSION);
  app.require_subcommand(0, 1);  // so that a misspelt command is reported as such
  std::string scene_file, directory = "traction_output", modes_directory = "traction_modes", material_directory = "traction_material";
  SceneOptions options;
  bool overwrite = false;
  const CLI::Validator named([](const std::string& text) { return std::string(text.empty() ? "is empty; give a name" : ""); }, "");

  CLI::App* run = app.add_subcommand("run", "Simulate a scene");
  run->add_option("scene", scene_file, "Scene file (YAML)")->required()->check(named);
  run->add_option("--out", directory, "Output folder")->check(named)->capture_default_str();
  add_scene_options(*run, options);
  run->add_flag("--overwrite", overwrite, "Replace an unfinished run in the output folder");

  CLI::App* check = app.add_subcommand("check", "Validate a scene and print it with all defaults");
  check->add_option("scene", scene_file, "Scene file (YAML)")->required()->check(named);
  add_scene_options(*check, options);

  bool estimate = false;
  check->add_flag("--estimate", estimate, "Take the first steps, and print the time, memory and disk space that a run on these ranks will need");

  CLI::App* resume = app.add_subcommand("resume", "Continue from the newest checkpoint of a run");
  resume->add_option("directory", directory, "Output folder of the run")->required()->check(named);
  add_scene_options(*resume, options);

  CLI::App* modes = app.add_subcommand("modes", "Compute the lowest modes of vibration");
  int count = 0;
  modes->add_option("scene", scene_file, "Scene file (YAML)")->required()->check(named);
  modes->add_option("--out", modes_directory, "Output folder")->check(named)->capture_default_str();
  modes->add_option("--count", count, "How many; by default time.modes of the scene")->check(CLI::Range(1, 1000000));
  add_scene_options(*modes, options);

  CLI::App* damping = app.add_subcommand("damping", "Measure every integrator's numerical damping");
  damping->add_option("--out", directory, "Output folder")->check(named)->capture_default_str();

  CLI::App* material = app.add_subcommand("material", "Compute the curves of a scene's solid materials in standard tests");
  std::pair<double, double> stretches{0.5, 3};
  material->add_option("scene", scene_file, "Scene file (YAML)")->required()->check(named);
  material->add_option("--out", material_directory, "Output folder")->check(named)->capture_default_str();
  material->add_option("--stretch", stretches, "Least and largest stretch: two numbers around 1")->delimiter(',')->capture_default_str();
  add_scene_options(*material, options);

  CLI::App* schema = app.add_subcommand("schema", "Print the JSON Schema of scenes");

  if (const auto code = parse_command_line(app, arguments)) return *code;
  if (app.get_subcommands().empty())
    throw InputError("command line: no command; give one of run, check, resume, modes, damping, material, schema, or see traction --help");
  if (damping->parsed()) {
    write_damping_curves(world, directory);
    return 0;
  }
  if (schema->parsed()) {
    on_first_rank(world, [&] { std::cout << scene_schema(); });
    return 0;
  }
  std::optional<StopRequest> stop;
  if (run->parsed() || resume->parsed()) stop.emplace();
  if (resume->parsed()) return resume_run(world, *stop, directory, options);
  const Scene scene = load_scene(world, scene_file, options);
  if (check->parsed()) {
    check_scene(world, scene, estimate);
    return 0;
  }
  if (material->parsed()) {
    write_material_curves(world, scene, material_directory, stretches.first, stretches.second);
    return 0;
  }
  apply_petsc_options(scene);
  if (modes->parsed()) {
    write_modes(world, scene, modes_directory, count > 0 ? count : scene.time.modes);
    return 0;
  }
  return run_scene(world, *stop, scene, directory, overwrite ? Start::overwriting : Start::afresh);
}

}  // namespace traction
