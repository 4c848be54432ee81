// Watches for bodies that creep where friction should hold them.
#pragma once

#include <string>
#include <vector>

#include "dynamics/growing_warnings.h"
#include "dynamics/step_record.h"
#include "simulation/simulation.h"

namespace traction {

/// Sums how far bodies creep that friction holds: smooth friction holds only what slides at a part of its tolerance (docs/theory/friction.md, "Creep"), so that
/// a body which should stand slides, slowly, until it falls or leaves its support. Bodies that move much faster than they slide, as those that roll or are
/// carried by a belt, do not count, nor those that vibrate.
class CreepWatch {
 public:
  /// `simulation` must outlive this. @collective
  explicit CreepWatch(const Simulation& simulation);

  /// Adds a step, at its end, and returns a sentence for the user about every body that has crept by more than the thickness of its contact and a hundredth of
  /// its size, and again by ten times as much. The same on all ranks. @collective
  std::vector<std::string> look(const StepRecord& step);

 private:
  /// The sliding of one body in the contacts with friction that press on it, weighted by normal forces.
  struct Sliding {
    double force = 0, weighted_speed = 0;  ///< sums over its vertices [N], [N m/s]
    bool slips = false;                    ///< whether it slides in one of them as fast as the tolerance
    std::size_t contact = 0;               ///< in which it is pressed most
    double most = 0;                       ///< with this normal force [N]
  };
  std::vector<double> speeds() const;                     ///< root mean square of each body [m/s]; 0 for bodies without mass. @collective
  std::vector<Sliding> sliding(const StepRecord&) const;  ///< @collective

  const Simulation& simulation_;
  std::vector<std::size_t> watched_;  ///< contacts
  double largest_tolerance_ = 0;      ///< of these [m/s]
  std::vector<double> sizes_;         ///< gyration radius of each body at the start [m]
  std::vector<double> crept_;         ///< [m]
  GrowingWarnings warned_;
};

}  // namespace traction
