// Elements that a mesh file lists more often than its regions explain.
#pragma once

#include "mesh/mesh_plan.h"
#include "scene/scene.h"

namespace traction {

/// Warns once for each file of elements of bodies that it lists several times within one region. They count once. An element that the file lists once for each
/// of its regions is none of these. Serial: called on one rank.
void warn_about_copied_elements(const Scene& scene, const MeshPlan& plan);

}  // namespace traction
