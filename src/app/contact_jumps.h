// Watches for impacts that one step decides.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dynamics/step_record.h"
#include "simulation/simulation.h"

namespace traction {

/// Finds contacts that begin with an impact that one step decides.
class ContactJumps {
 public:
  /// The data of a contact that are known before the run.
  struct Contact {
    std::string name;
    double thickness = 0;  ///< [m]
    bool watched = false;
    bool touches = true;  ///< whether anything is, or may be, within the thickness where the first step starts
  };
  /// `contacts`: in the order of StepRecord::contacts.
  explicit ContactJumps(std::vector<Contact> contacts);

  /// A warning for each contact that begins within this step, whether or not it ends there too, and takes so much speed out of a vertex that the vertex would
  /// have travelled further than the thickness; one per contact and run. `taken(i)` returns that speed for a contact [m/s], and may be collective. Called after
  /// every step.
  std::vector<std::string> look(const StepRecord& step, const std::function<double(std::size_t)>& taken);

 private:
  std::vector<Contact> contacts_;
  std::vector<char> nothing_near_;  ///< whether nothing was within the thickness where the last step ended
};

/// The contacts of a scene. Those that bound steps, which nothing can pass through, are not watched. `is_new`: the run is at its start, and its contacts are
/// evaluated there, so that it is known which of them touch. @collective
std::vector<ContactJumps::Contact> watched_contacts(const Simulation& simulation, bool is_new);

/// The greatest change since `before` of a vertex's velocity along the normal of a contact, given by its number [m/s]. If bodies have touched and separated
/// within the step, which the trace in `step` shows, it is that of any of their vertices in any direction. @collective
double speed_taken(const Simulation& simulation, std::size_t contact, const StepRecord& step, const Field& before);

}  // namespace traction
