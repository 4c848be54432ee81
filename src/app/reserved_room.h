// Room on the disk that a run keeps for its last state.
#pragma once

#include <mpi.h>

#include <string>

#include "simulation/simulation.h"

namespace traction {

/// A file in DIR/checkpoints as large as a checkpoint, and a frame where one file has all of them, which gives its room away when the disk is full, so that the
/// state can still be saved. The file is removed at the end. It does not exist where the disk lacks the room at the start, or the file system cannot reserve
/// any. All functions are collective.
class ReservedRoom {
 public:
  ReservedRoom(const Simulation& simulation, const std::string& directory);
  ~ReservedRoom();
  ReservedRoom(const ReservedRoom&) = delete;
  ReservedRoom& operator=(const ReservedRoom&) = delete;

  void take();     ///< reserves the room, unless it is reserved
  bool release();  ///< gives the room away; returns whether it was reserved

 private:
  MPI_Comm communicator_;
  std::string path_;
  double bytes_;
  bool is_taken_ = false;
};

}  // namespace traction
