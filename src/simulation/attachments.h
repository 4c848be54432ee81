// Vertices of bodies that other bodies carry (docs/theory/rigid.md, "Attachments").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "forces/joint_elements.h"
#include "mesh/mesh.h"
#include "mesh/mesh_plan.h"
#include "scene/scene.h"
#include "simulation/clamp_rods.h"
#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// Gives rigid bodies the mass of the vertices that they carry. `vertex_mass`: for each body of the plan, of its vertices [kg]. Serial.
void add_attached_mass(const Scene& scene, MeshPlan& plan, const std::vector<std::vector<double>>& vertex_mass);

/// Makes attached vertices dependent on those of the elements next to them. `mesh`: of all bodies, with their regions. Throws InputError where nothing can
/// carry a vertex. Serial.
void attach(Mesh& mesh, const Scene& scene);

/// The part of the history about attachments.
struct AttachmentMonitor {
  std::vector<std::vector<int>> vertices;                    ///< owned vertices of each attachment; none for one with springs
  std::shared_ptr<const PointLinks<PinElement, 2>> springs;  ///< springs as pins with the numbers of their attachments; null if no attachment has springs
  std::shared_ptr<const RodClamps> clamps;                   ///< clamps of rods that are carried with their direction; null without any
};

/// Adds the springs of attachments with a stiffness, and the clamps of rods. @collective
AttachmentMonitor add_attachments(System& system, const Scene& scene, const SceneMaterials& materials, const Field& start);
/// Sentences for the user about attachments that do less than they seem to. @collective
std::vector<std::string> doubts_about_attachments(const System& system, const Scene& scene);
/// A sentence for the user about each attachment whose vertices start with another velocity than their body was given, because what carries them has another.
/// `given`: what the scene asks for, at the owned vertices, before the start was made consistent [m/s]. @collective
std::vector<std::string> doubts_about_attached_velocities(const System& system, const Scene& scene, const AttachmentMonitor& monitor, const Field& given,
                                                          const Field& start);
/// For each attachment the force on the attached vertices, and its moment. @collective
std::vector<Reaction> attachment_forces(const System& system, const Scene& scene, const AttachmentMonitor& monitor, const State& state);

}  // namespace traction
