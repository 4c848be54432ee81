// A contact of the scene: a law, and the terms that obey it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/contact_term.h"
#include "contact/stiffness_ahead.h"
#include "contact/stiffness_control.h"

namespace traction {

/// The present stiffness of a contact, which stiffening changes.
struct ContactHardness {
  double stiffness = 0;              ///< kappa [N/m]
  std::vector<ContactLayer> layers;  ///< as in ContactLaw
};

/// One entry of a scene's contacts: its law and stiffness, its terms, and sums over them for the history.
class ContactGroup {
 public:
  ContactGroup(std::string name, const ContactLaw& law) : name_(std::move(name)), law_(law), present_(std::make_shared<ContactLaw>(law)) {}

  /// The law that terms are made with. `side`: 1 if a term's first side is the group's first side, -1 if it is the second.
  std::shared_ptr<const ContactLaw> law() const { return present_; }
  void add(std::shared_ptr<ContactTerm> term, double side = 1) { terms_.push_back({std::move(term), side}); }
  /// Calls action(term) for each.
  template <typename Action>
  void for_each_term(Action action) const {
    for (const Term& term : terms_) action(term.term);
  }

  const std::string& name() const { return name_; }
  double thickness() const { return law_.thickness; }
  double friction_tolerance() const { return law_.curve.tolerance; }  ///< [m/s]; faster sliding counts as slip
  double stiffness() const { return law_.stiffness; }                 ///< kappa [N/m], as stiffened
  double base_stiffness() const { return base_stiffness_; }
  void set_stiffness(double stiffness);
  /// kappa and layers together: the force at zero gap divided by 3 delta [N/m].
  double present_stiffness() const;
  const ContactLaw& unweighted_law() const { return law_; }
  ContactHardness hardness() const { return {law_.stiffness, law_.layers}; }
  void set_hardness(const ContactHardness& hardness);

  /// Makes a stiffness that the scene does not set also strong enough for approaching bodies (docs/theory/contact.md, "Choice of stiffness"); `ahead` computes
  /// it.
  void look_ahead(StiffnessAhead ahead) { ahead_ = std::move(ahead); }
  bool looks_ahead() const { return ahead_.has_value(); }
  /// Chooses the stiffness for the bodies that approach from this state on, if look_ahead was called. Nothing may be in contact. @collective
  void foresee(const State& state);
  /// Makes the stiffness follow the smallest gap (docs/theory/rods.md, "Control of the stiffness").
  void control_stiffness(const StiffnessControl& control) { control_ = control; }
  /// Adapts a controlled stiffness after a step that ended at this state, with this smallest gap [m]. Returns the energy that this adds to the contact [J].
  /// @collective
  double adapt_stiffness(MPI_Comm communicator, const State& state, double gap);
  /// Undoes the stiffening once nothing touches any more.
  void relax();
  /// A factor on the whole force, 1 by default. Schemes that weigh contact differently from other forces set it while they compute a step.
  void set_weight(double weight);
  bool has_lagged_friction() const { return law_.friction && law_.lagged; }
  int friction_passes() const { return has_lagged_friction() ? law_.passes : 1; }

  /// Sums over the terms, at any state whose ghosts are valid. @collective
  void begin_step(const State& state);
  void lag_friction(const State& state);
  ContactSummary summarize(const State& state);
  std::optional<Vec3> passage(const State& start, const State& end);  ///< the first passage that a term finds
  std::vector<ContactPoint> points(const State& state) const;
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const;
  void add_normal_magnitudes(const State& state, Field& magnitudes) const;
  void add_sliding(const State& state, Field& sliding, Field& shares) const;
  /// The most friction that the contact can exert on each vertex that this rank owns, in the first component [N]: its largest coefficient of friction times the
  /// normal force, or what pairs with coefficients of their own add up to. `normal`: the normal forces at the state. @collective
  Field most_friction(const State& state, const Field& normal) const;
  void add_by_body(const State& state, const Field& bodies, ContactByBody& result) const;
  double total_energy(MPI_Comm communicator, const State& state) const;  ///< sum over all ranks [J]

  std::vector<int> touching() const;
  double work_seconds() const;

 private:
  struct Term {
    std::shared_ptr<ContactTerm> term;
    double side;
  };
  void update_present_law();

  std::string name_;
  ContactLaw law_;
  double base_stiffness_ = law_.stiffness;
  std::optional<StiffnessAhead> ahead_;
  std::optional<StiffnessControl> control_;
  double weight_ = 1;
  std::shared_ptr<ContactLaw> present_;  ///< the law with the weight in its coefficients
  std::vector<Term> terms_;
};

}  // namespace traction
