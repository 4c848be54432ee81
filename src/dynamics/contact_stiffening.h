// What follows when a step has closed the gaps of a contact too far: a stiffer contact, or a shorter step (docs/theory/contact.md, "Layers", "Stiffening").
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/contact_group.h"
#include "system/system.h"

namespace traction {

class ContactStiffening {
 public:
  enum class Verdict { accept, repeat, halve };
  struct Judgement {
    Verdict verdict = Verdict::accept;
    double energy = 0;  // what stiffening adds to the energy of contacts where the step starts; layers add none [J]
  };

  // `system`: has the masses of the vertices; it and the contacts outlive this.
  ContactStiffening(const System& system, std::vector<std::shared_ptr<ContactGroup>> contacts) : system_(system), contacts_(std::move(contacts)) {}

  bool has_layers() const;  // any contact
  // How hard the contacts are, to go back to.
  std::vector<ContactHardness> hardness() const;
  void set_hardness(std::span<const ContactHardness> hardness) const;

  // Before a step: what touches nothing is made stiff enough for what approaches. `start`: where the step starts, and its summaries there. Collective.
  void foresee(const State& start, std::span<const ContactSummary> summaries) const;
  // After a step was solved that leads to `end`: whether to accept it, to repeat it with the contacts that this has stiffened, or to halve it, which leaves
  // them alone. `may_halve`: whether the step can be halved. Collective.
  Judgement judge(const State& start, std::span<const ContactSummary> at_start, const State& end, std::span<const ContactSummary> at_end, bool may_halve) const;
  // After a step was accepted: forgets what is not needed any more.
  void relax(std::span<const ContactSummary> summaries) const;

 private:
  // The largest m v^2 / 2 of vertices with smaller gaps than `gap` that go deeper, for a whole share of the contact's stiffness [J]. Collective.
  double approaching_energy(const ContactGroup& contact, const State& state, double gap) const;

  const System& system_;
  std::vector<std::shared_ptr<ContactGroup>> contacts_;
};

}  // namespace traction
