// The rigid bodies of a scene (docs/theory/rigid.md, "Stiffness").
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <vector>

#include "forces/elastic_solid.h"
#include "simulation/scene_materials.h"
#include "simulation/simulation.h"

namespace traction {

/// The material of each rigid body, by its name. @collective
std::map<std::string, RigidMaterial> rigid_materials(const Scene& scene, const DistributedMesh& mesh);

/// One force for the tetrahedra of all rigid bodies. `mesh.frames` must not be empty. @collective
void add_frames(System& system, const Scene& scene, const SceneMaterials& materials);

/// Marks the tetrahedra between the particles of rigid bodies, which frames do not show.
std::vector<char> frame_marks(const DistributedMesh& mesh, const Scene& scene);
/// The triangles that frames show: those that are elements, and the surfaces of rigid bodies; ascending.
std::vector<int> shown_triangles(const DistributedMesh& mesh, const Scene& scene);

/// The owned particles among a rigid body's vertices.
std::vector<int> owned_particles(const DistributedMesh& mesh, const std::string& body);

/// The rotation of a rigid body from where the scene has placed it, and the strain of its tetrahedron.
struct RigidPose {
  Eigen::Quaterniond orientation;  ///< real part not negative
  double strain = 0;               ///< largest principal stretch or shortening
};
/// One for each of DistributedMesh::frames, the same on all ranks. @collective
std::vector<RigidPose> rigid_poses(const System& system, const Field& q);

}  // namespace traction
