// Energy that numerical errors add while something touches, contact by contact and episode by episode (docs/theory/balance.md, "Energy balance").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output/archive.h"

namespace traction {

/// An episode of a contact is a sequence of steps in each of which it acts. An episode may regain what it has lost, for example if a bounce takes two steps.
/// But no loss makes up for the gain of another episode or another contact.
class ContactGains {
 public:
  /// The data by which one step changes the account of gains.
  struct Step {
    std::vector<char> acts;     ///< for each contact: whether it acts in the step
    std::size_t cause = 0;      ///< the contact to which the error belongs; the number of contacts if it belongs to none
    double change = 0;          ///< the step's error without the gains and losses of bodies that nothing touches [J]
    std::vector<double> moved;  ///< for each contact: the energy that it has moved until the step's end [J]
    double works = 0;           ///< sum of the sizes of all works in the step [J]
    double noise = 0;           ///< error that the solver's tolerance and rounding may cause in the step [J]
  };
  /// The gain of a contact's episode.
  struct Gain {
    std::size_t contact = 0;
    double energy = 0, moved = 0;  ///< energies [J] that the episode's errors have added, and that the contact has moved
  };

  explicit ContactGains(std::size_t contacts) : episodes_(contacts) {}

  void add(const Step& step);
  /// Whether the present episode of a contact is in its first part, in which the energy moved grows from step to step.
  bool is_growing(std::size_t contact) const { return episodes_[contact].is_growing(); }
  /// The gain of the present episode of a contact since it began [J].
  double of_episode(std::size_t contact) const;
  /// The gain of all episodes of a contact [J].
  double of_all_episodes(std::size_t contact) const;
  /// The size of the noise in all episodes of a contact [J].
  double noise(std::size_t contact) const;
  /// The contact whose episode has gained more than `share` of the energy that it has moved, beyond noise; if several have, the one that has gained most. An
  /// episode is judged when what it has moved hardly grows any more, or when it ends: at the beginning of an impact any error is large beside the little that
  /// it has moved. `known`: for each contact, a gain up to which its episode does not count [J]; empty for none.
  std::optional<Gain> beyond(double share, std::span<const double> known = {}) const;

  /// Entries of the archive have the names of the contacts.
  void save(Archive& archive, std::span<const std::string> names) const;
  void load(const Archive& archive, std::span<const std::string> names);

 private:
  struct Episode {
    double net = 0, moved = 0, works = 0, noise = 0;  ///< noise: sum of squares [J^2]
    double before = 0, noise_before = 0;              ///< gains and noise of earlier episodes
    double moved_before = 0;                          ///< energy moved before the episode's last step [J]

    bool is_growing() const;
    std::optional<Gain> gain(std::size_t contact) const;  ///< beyond noise
  };

  template <typename Action>
  static void for_each_number(Episode& episode, Action action) {
    action("net", episode.net);
    action("moved", episode.moved);
    action("works", episode.works);
    action("noise", episode.noise);
    action("before", episode.before);
    action("noise before", episode.noise_before);
    action("moved before", episode.moved_before);
  }

  std::vector<Episode> episodes_;  ///< the present or the last one of each contact
  std::vector<Gain> ended_;        ///< gains of episodes that the last step has ended while they grew
};

}  // namespace traction
