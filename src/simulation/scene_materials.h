// The materials of a scene's elements.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "mesh_partition/distribute.h"
#include "scene/scene.h"

namespace traction {

/// How a body was placed, from the coordinates of its mesh in metres: turned about a point, and moved.
struct Placement {
  Mat3 rotation = Mat3::Identity();
  Vec3 about = Vec3::Zero(), translation = Vec3::Zero();  ///< [m]

  Vec3 turned(const Vec3& direction) const { return rotation * direction; }
  /// The point of the mesh that was placed here.
  Vec3 origin_of(const Vec3& point) const { return about + rotation.transpose() * (point - translation - about); }
};

/// Pointers into the scene and to the materials of rigid bodies, one for each of this rank's elements.
struct SceneMaterials {
  std::vector<const SolidMaterialSettings*> solid;  ///< one for each tetrahedron
  std::vector<const ShellMaterialSettings*> shell;  ///< one for each triangle; null for triangles that are not elements
  std::vector<const RodMaterialSettings*> rod;      ///< one for each segment of rods
  std::vector<double> hardness;                     ///< for each local vertex of a rigid body, a modulus by which contact is made hard, else 0 [Pa]
  std::shared_ptr<const std::vector<SolidMaterialSettings>> frames;  ///< one for each rigid body
  std::map<const void*, Placement> placements;                       ///< of the bodies with these materials, if they have directions

  template <typename Material>
  Placement placement_of(const Material& material) const {
    const auto found = placements.find(&material);
    return found == placements.end() ? Placement{} : found->second;
  }
};
/// @collective
SceneMaterials materials_of(const Scene& scene, const DistributedMesh& mesh);

}  // namespace traction
