// Responds to a step that has closed the gaps of a contact too far: with a stiffer contact, or a shorter step (docs/theory/contact.md, "Layers", "Stiffening").
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/contact_group.h"
#include "system/system.h"

namespace traction {

/// Decides after each step whether its contacts were stiff enough, and stiffens them.
class ContactStiffening {
 public:
  enum class Verdict { accept, repeat, halve };
  /// What to do with a step, and what stiffening costs.
  struct Judgement {
    Verdict verdict = Verdict::accept;
    double energy = 0;  ///< energy that stiffening adds to contacts where the step starts; layers add none [J]
  };

  /// `system`: provides the masses of the vertices; it and the contacts must outlive this object.
  ContactStiffening(const System& system, std::vector<std::shared_ptr<ContactGroup>> contacts) : system_(system), contacts_(std::move(contacts)) {}

  bool has_layers() const;  ///< whether any contact has layers
  /// The present hardness of the contacts, to restore it later.
  std::vector<ContactHardness> hardness() const;
  void set_hardness(std::span<const ContactHardness> hardness) const;

  /// Called before a step: makes contacts that touch nothing stiff enough for what approaches. `start`: where the step starts; `summaries`: the contacts there.
  /// @collective
  void foresee(const State& start, std::span<const ContactSummary> summaries) const;
  /// Judges a solved step that leads to `end`: accept it, repeat it with the contacts that this call has stiffened, or halve it with unchanged contacts.
  /// `may_halve`: whether the step can be halved. @collective
  Judgement judge(const State& start, std::span<const ContactSummary> at_start, const State& end, std::span<const ContactSummary> at_end, bool may_halve) const;
  /// Explains why a step to `end` fails, if vertices remain too deep however often judge() has stiffened contacts. Names the place and remedies. @collective
  std::string failure(const State& end) const;
  /// Called after a step that ends at `end` was accepted: lets controlled stiffnesses follow the gaps. Returns the energy that this adds to contacts [J].
  /// @collective
  double adapt(const State& end, std::span<const ContactSummary> summaries) const;
  /// Called after a step was accepted: removes stiffening that is no longer needed.
  void relax(std::span<const ContactSummary> summaries) const;

 private:
  /// The largest m v^2 / 2 of the vertices whose gaps are smaller than `gap` and that move deeper, scaled to a whole share of the contact's stiffness [J].
  /// @collective
  double approaching_energy(const ContactGroup& contact, const State& state, double gap) const;

  const System& system_;
  std::vector<std::shared_ptr<ContactGroup>> contacts_;
};

}  // namespace traction
