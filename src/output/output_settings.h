// What a run writes: what a user can choose.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace traction {

enum class FieldPrecision { double_, single };

// A checkpoint is written whenever one of these is over.
struct CheckpointSettings {
  double minutes = 30;  // of wall time
  std::optional<int> steps;
  std::optional<double> time;  // [s] of simulated time
};

struct OutputSettings {
  std::optional<double> every;                                         // [s] between field frames; none: no field output
  std::vector<std::string> fields = {"velocity", "contact_pressure"};  // of: velocity, displacement, contact_pressure, contact_force
  FieldPrecision precision = FieldPrecision::double_;                  // of the numbers in frames
  int compression = 0;                                                 // of frames: level of deflate, 0 to 9
  bool contacts = false;                                               // with every frame, a file of the vertices in contact
  int log_every = 50;                                                  // steps between log lines when not on a terminal
  CheckpointSettings checkpoint_every;
  int keep_checkpoints = 2;  // the newest; a damaged one leaves another
};

}  // namespace traction
