// From a scene to the objects that simulate it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/time_loop.h"
#include "forces/volume_penalty.h"
#include "mesh_partition/distribute.h"

namespace traction {

// What the history says about a body.
struct BodyMonitor {
  std::string name;
  std::vector<int> vertices;                               // owned
  std::vector<std::shared_ptr<VolumePenalty>> volumes;
};

// Members are in the order of construction: each refers to the ones before it.
struct Simulation {
  Scene scene;
  PartitionQuality quality;                                // on rank 0
  double mesh_fingerprint = 0;                             // equal for equal meshes
  std::shared_ptr<const DistributedMesh> mesh;
  std::unique_ptr<System> system;
  std::vector<BodyMonitor> bodies;
  std::vector<std::shared_ptr<Contact>> contacts;
  std::vector<double> contact_area;                        // of each owned vertex on a contact surface, else 0 [m^2]
  std::unique_ptr<TimeLoop> loop;
};

// Partitions and distributes the scene's mesh (from load_scene_mesh; rank 0 passes it, the others' is ignored) and builds everything the scene asks for. Throws
// InputError on all ranks alike. Collective.
Simulation build_simulation(MPI_Comm communicator, const Scene& scene, Mesh mesh);

// The partition a scene asks for, from its file or by METIS. Serial.
Partition partition_for(const Scene& scene, const Mesh& mesh, int parts);

}  // namespace traction
