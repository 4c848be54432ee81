// Watches for bodies that tremble on their supports.
#pragma once

#include <string>
#include <vector>

#include "dynamics/step_record.h"
#include "simulation/simulation.h"

namespace traction {

/// Finds contacts with friction that carry a weight with a force which swings far about its mean without opening, while bodies slide: friction, which follows
/// the force, then does not hold bodies that it should hold, and they creep (docs/limits.md). Swings of bodies that friction holds nevertheless do not count.
class ContactChatter {
 public:
  /// The data of a contact that are known before the run.
  struct Contact {
    std::string name;
    double least_load = 0, largest_load = 0;  ///< a contact with a mean force between these carries weight [N]; it is not watched if both are 0
    double creep = 0;                         ///< speed up to which bodies creep that friction holds [m/s]
  };
  /// `contacts`: in the order of StepRecord::contacts.
  explicit ContactChatter(std::vector<Contact> contacts) : contacts_(std::move(contacts)), present_(contacts_.size()), worst_(contacts_.size()) {}

  /// Called after every step.
  void look(const StepRecord& step);
  /// A sentence for each contact whose force has swung too often.
  std::vector<std::string> warnings() const;

 private:
  /// A time in which a contact touches without a break.
  struct Episode {
    double begin = 0, end = 0;   ///< [s]
    double impulse = 0;          ///< integral of the force's size over time [N s]
    double impulse_before = 0;   ///< the same, at the last swing [N s]
    double friction_work = 0;    ///< energy that friction has dissipated since the last swing [J]
    double first = 0, last = 0;  ///< times of the first and the last swing [s]
    int swings = 0;              ///< rises from below the lower limit to above the upper one, each counted only if bodies slid after the rise before it
    bool is_low = false;         ///< whether the force has been below the lower limit since it was above the upper one
    double mean() const { return end > begin ? impulse / (end - begin) : 0; }  ///< [N]
  };

  std::vector<Contact> contacts_;
  std::vector<Episode> present_, worst_;
};

/// The contacts of a scene. Watches contacts with friction, against obstacles or between bodies of which one may rest on the other by its weight.
std::vector<ContactChatter::Contact> carrying_contacts(const Simulation& simulation);

}  // namespace traction
