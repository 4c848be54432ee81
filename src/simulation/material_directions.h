// Directions of anisotropic materials in the elements of a scene.
#pragma once

#include <array>
#include <vector>

#include "elements/fibres.h"
#include "simulation/scene_materials.h"

namespace traction {

/// The families of fibres in a tetrahedron, with their directions where its body is placed. All parts of a ten-node tetrahedron have those of the whole.
std::vector<FibreFamily<double>> fibres_of(const DistributedMesh& mesh, const SceneMaterials& materials, int tetrahedron);

/// A direction in the plane of a triangle, as a unit vector in its own coordinates (RestTriangle). `rest`: where its vertices are placed at rest [m].
Eigen::Vector2d direction_in_plane(const MaterialDirection& direction, const Placement& placement, const std::array<Vec3, 3>& rest);

/// Throws InputError where an element has no direction, because it lies on an axis, or because it is a shell to which the direction is orthogonal. `mesh`: of a
/// body that is not yet placed, in metres. Serial.
void check_material_directions(const Mesh& mesh, const Body& body);

}  // namespace traction
