// The size of the files that a run will write.
#pragma once

#include <string>

#include "simulation/simulation.h"

namespace traction {

/// Bytes before compression; single precision if the scene asks for it.
struct OutputSize {
  double frames = 0,
         frame = 0;        ///< all frames of the schedule from the present time to the end, and one frame; the meshes are written once and are not included
  double per_contact = 0;  ///< additional bytes of a frame per contact, if the scene asks for contacts
  int checkpoints = 0;
  double checkpoint = 0;
  bool compressed = false;  ///< whether frames are compressed

  double total() const { return frames * frame + checkpoints * checkpoint; }
  std::string text() const;  ///< a sentence for the log
};

/// Estimates the output of the rest of a simulation. @collective
OutputSize expected_output(const Simulation& simulation);

}  // namespace traction
