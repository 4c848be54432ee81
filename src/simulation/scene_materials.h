// The materials of a scene's elements.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
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

/// The modulus by which contact is made hard on a rigid body, which has no material (docs/theory/rigid.md, "Hardness").
struct RigidHardness {
  double steady = 0;  ///< what steady loads need [Pa]
  double impact = 0;  ///< what stops impacts within a thickness, times that thickness [Pa m]
  double most = 0;    ///< what a step resolves [Pa]

  double modulus(double thickness) const { return std::clamp(impact / thickness, steady, most); }  ///< of a contact of this thickness [m]
};
/// What contact and the force between its particles know of a rigid body.
struct RigidMaterial {
  SolidMaterialSettings tetrahedron;  ///< between the particles
  RigidHardness hardness;
};

/// Pointers into the scene and to the materials of rigid bodies, one for each of this rank's elements.
struct SceneMaterials {
  std::vector<const SolidMaterialSettings*> solid;                    ///< one for each tetrahedron
  std::vector<const ShellMaterialSettings*> shell;                    ///< one for each triangle; null for triangles that are not elements
  std::vector<const RodMaterialSettings*> rod;                        ///< one for each segment of rods
  std::shared_ptr<const std::map<std::string, RigidMaterial>> rigid;  ///< of each rigid body, by its name
  std::map<const void*, Placement> placements;                        ///< of the bodies with these materials, if they have directions

  template <typename Material>
  Placement placement_of(const Material& material) const {
    const auto found = placements.find(&material);
    return found == placements.end() ? Placement{} : found->second;
  }
};
/// @collective
SceneMaterials materials_of(const Scene& scene, const DistributedMesh& mesh);

}  // namespace traction
