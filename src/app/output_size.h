// What a run will write.
#pragma once

#include <string>

#include "simulation/simulation.h"

namespace traction {

// Bytes before compression; in single precision where the scene asks for it.
struct OutputSize {
  double frames = 0, frame = 0;  // from the simulation's present time to its end; the meshes come on top, once
  double per_contact = 0;        // more of a frame, if the scene asks for contacts
  int checkpoints = 0;
  double checkpoint = 0;
  bool compressed = false;  // the frames

  double total() const { return frames * frame + checkpoints * checkpoint; }
  std::string text() const;  // for people
};

// Collective.
OutputSize expected_output(const Simulation& simulation);

}  // namespace traction
