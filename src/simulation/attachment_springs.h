// The springs of attachments with a stiffness (docs/theory/rigid.md, "Attachments").
#pragma once

#include <vector>

#include "forces/joint_elements.h"
#include "scene/scene.h"
#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// Adds the springs of an attachment, by its number in the scene, to the pins that this rank has. They begin at the vertices of its region or, where this is a
/// surface of ten-node tetrahedra, at points of its faces, and end at the points of the other body that are in the same places at the start. `start`: positions
/// of the vertices, ghosts valid [m]. @collective
void add_attachment_springs(const System& system, const Scene& scene, const SceneMaterials& materials, const Field& start, int number,
                            std::vector<PinElement>& pins);

}  // namespace traction
