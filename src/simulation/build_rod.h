// Builds the forces of a scene's rods.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "forces/rod_bending.h"
#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// Adds the stretching, bending and twist of all rods to the system. Null without joints on any rank. @collective
std::shared_ptr<const RodBending> add_rods(System& system, const Scene& scene, const SceneMaterials& materials);

/// Sentences for the user about doubtful properties of a scene's rods. @collective
std::vector<std::string> doubts_about_rods(const DistributedMesh& mesh, const Scene& scene);

/// The twists of the segments whose ends a group that holds all of a region's vertices drives, as a group to follow it.
DrivenGroup twists_driven_by(const System& system, const SceneMaterials& materials, const DrivenGroup& group, const std::vector<int>& region);

/// The owned twists of a body's rods.
std::vector<int> twists_of(const DistributedMesh& mesh, const Body& body);

/// Gives twists the angular velocity [rad/s] of their body along their segments.
void set_twist_velocities(const DistributedMesh& mesh, const SceneMaterials& materials, const Body& body, State& state);

}  // namespace traction
