// Builds a scene's simulation, takes three steps, and prints the height of its first body's centroid after each, then the height of every vertex.

#include <slepc.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include "scene/read_scene.h"
#include "simulation/scene_mesh.h"
#include "simulation/simulation.h"

int main(int argc, char** argv) {
  SlepcInitialize(&argc, &argv, nullptr, nullptr);
  {
    std::ostringstream text;
    text << std::ifstream(argv[1]).rdbuf();
    const traction::Scene scene = traction::read_scene(text.str(), argv[1], {});
    traction::Simulation simulation = traction::build_simulation(PETSC_COMM_WORLD, scene, traction::load_scene_mesh(scene, "."));
    for (int step = 0; step < 3; ++step) {
      simulation.loop->advance();
      double mass = 0, moment = 0;
      for (int vertex : simulation.system->bodies()[0]) {
        mass += simulation.system->mass()[vertex];
        moment += simulation.system->mass()[vertex] * simulation.loop->state().q[vertex].z();
      }
      std::printf("%.17g\n", moment / mass);
    }
    std::vector<double> heights(simulation.mesh->vertices.size());  // on one rank
    for (std::size_t i = 0; i < heights.size(); ++i) heights[simulation.mesh->vertex_ids[i]] = simulation.loop->state().q[i].z();
    for (double height : heights) std::printf("%.17g\n", height);
  }
  SlepcFinalize();
}
