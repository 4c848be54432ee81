// Doubts about a scene that need its bodies, forces and masses.
#pragma once

#include <string>
#include <vector>

#include "simulation/scene_materials.h"
#include "simulation/simulation.h"

namespace traction {

/// A sentence with the remedy about each part of the scene that is doubtful: lumped masses, frames of other runs, springs, joints, loads, attachments, rods and
/// thicknesses. The simulation has all but its contacts and its driver. `given`: the velocities that the scene asks for [m/s]. `initial`: the state at the
/// start, in which what is attached or driven moves as it must. @collective
std::vector<std::string> doubts_about_build(const Simulation& simulation, const SceneMaterials& materials, const Field& given, const State& initial);

}  // namespace traction
