// traction-partition: partitions a scene's mesh once, for runs at any rank count.

#include <petscsys.h>
#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/run.h"
#include "app/session.h"

int main(int argc, char** argv) {
  using namespace traction;
  const Arguments arguments = split_arguments(argc, argv);
  return run_session(arguments, [&] {
    CLI::App app{"Partitions the mesh of a scene with METIS and prints the partition's quality."};
    std::string scene_file, output, table;
    SceneOptions options;
    int parts = 0;
    app.add_option("scene", scene_file, "Scene file (YAML)")->required();
    app.add_option("--parts", parts, "Number of parts")->required();
    app.add_option("--out", output, "Partition file; by default SCENE.partition.h5 beside the scene");
    app.add_option("--csv", table, "Also write a table with a row per part: its vertices, elements, ghosts, neighbours");
    add_scene_options(app, options);
    if (const auto code = parse_command_line(app, arguments)) return *code;
    const Scene scene = load_scene(PETSC_COMM_WORLD, scene_file, options);
    if (output.empty()) output = std::filesystem::path(scene_file).replace_extension(".partition.h5").string();
    partition_scene(PETSC_COMM_WORLD, scene, parts, output, table);
    return 0;
  });
}
