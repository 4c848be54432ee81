// A run from another start than its scene's.
#pragma once

#include "dynamics/driver.h"

namespace traction::test {

// Gives a driver that has taken no step other positions and velocities, ghosts valid.
inline void start_from(Driver& driver, const State& state) {
  Archive archive;
  driver.save(archive);
  archive.save("positions", state.q.values());
  archive.save("velocities", state.v.values());
  driver.load(archive);
}

}  // namespace traction::test
