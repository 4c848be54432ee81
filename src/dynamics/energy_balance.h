// Where the energy of a run comes from and goes to (docs/theory/balance.md, "Energy balance").
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/contact_term.h"
#include "dynamics/changed_settings.h"
#include "dynamics/contact_gains.h"
#include "dynamics/contact_trace.h"
#include "dynamics/growing_warnings.h"
#include "dynamics/integrators.h"
#include "dynamics/joined_bodies.h"
#include "output/archive.h"
#include "system/system.h"

namespace traction {

/// Kinds of work on the bodies and on the energy that forces store; energy given to them is positive.
enum class Work {
  driven,             ///< by driven vertices and moving obstacles
  loads,              ///< by loads, except what a constant load takes from its potential
  pressure,           ///< by sources of gas or liquid that fill an enclosed volume
  friction,           ///< not positive
  damping,            ///< by materials; not positive
  contact_damping,    ///< not positive
  contact_stiffness,  ///< by changes of the stiffness of contacts
  plastic,            ///< by plastic flow; not positive
  relaxation,         ///< by stress that relaxes: positive while it gives back what it has stored
  softening,          ///< by rubber that softens; not positive
};
inline constexpr std::array<const char*, 10> kWorkNames = {"driven",  "loads",      "pressure", "friction", "damping", "contact_damping", "contact_stiffness",
                                                           "plastic", "relaxation", "softening"};

/// Names of all energies that a system's forces store: first those that every scene may have, then others.
std::vector<std::string> energy_names(const System& system);
inline constexpr std::size_t kContactEnergy = 3;  ///< the index of that of contacts

/// The speed below which motions that nothing touches do not count in warnings, because the solver's tolerance may cause them [m/s]. Loose tolerances are given
/// where motions are fast.
inline double speed_to_count(double tolerance) { return std::max(1000 * std::min(tolerance, 1e-5), 10 * tolerance); }

/// The energy account of accepted steps: every work since the run began, and the remainder, which the numerical methods created or lost. Works are integrals
/// over a step: forces along the displacements of vertices and of obstacles, and the powers of friction and of contact damping over time. Where contact acts or
/// forces jump they weigh the states within the step as the integrator does, otherwise by the trapezoidal rule, of third order in the step. Material damping is
/// taken at the middle of the chord from start to end, where a rigid turn has no rate of strain.
class EnergyBalance {
 public:
  using Works = std::array<double, kWorkNames.size()>;
  static constexpr std::size_t kForceWorks = 3;  ///< works of forces by vertices; the others are those of contacts, damping and plastic flow

  /// All forces that do work, at one state.
  struct Exerted {
    double weight = 0;                    ///< in its step
    double time = 0;                      ///< [s]
    std::array<double, 2> powers{};       ///< powers of friction and of contact damping [W]
    std::vector<ObstacleLoad> obstacles;  ///< loads of the obstacles that move, by contact
    std::vector<Field> forces;            ///< forces of each kind of work [N]; empty if this rank has none
    Field on_driven;                      ///< all forces on vertices but those of damping [N]; empty where nothing is driven
  };
  /// The forces of damping in the middle of the chord from the start of a step to its end, at the velocity along that chord.
  struct Damping {
    Field forces;     ///< [N]; empty where nothing is damped
    Field on_driven;  ///< forces of damping [N], those of dependent vertices added to their masters; empty if nothing is driven
  };
  /// Energies and loads at an accepted state.
  struct Account {
    double kinetic = 0;
    std::vector<double> stored;
    Exerted exerted;
    std::array<double, kForceWorks> sources{};  ///< energy stored by forces that have a work of their own, this rank's share
    std::vector<double> touching;               ///< number of pairs of each contact
    std::vector<double> contact_energies;       ///< the energy that each contact stores [J]
  };
  /// The works that were done in one step, and what remains unexplained.
  struct Step {
    Account end;
    double weight_of_start = 0.5;
    std::vector<Exerted> within;  ///< at the states within the step that the trace contains
    Damping damping;
    /// Whether powers of contact are taken at both ends of the step alone, because the weights of states within it are unknown, or because one of these weights
    /// is negative and would turn a loss into a gain.
    bool powers_at_ends = true;
    Works done{};
    double numerical = 0;        ///< the remainder [J]
    double uncertain = 0;        ///< estimated error of the works of contacts whose power changes in the step, where the integrator's weights are unknown [J]
    double uncertain_loads = 0;  ///< the same of works of loads, motors and sudden starts, where forces jump [J]
    /// The parts of the remainder, and of the sizes of the works, that belong to bodies which nothing touches in the step. 0 until distinguish().
    double elsewhere = 0, works_elsewhere = 0;  ///< [J]
    /// The contact that acts in the step and whose energy changes most; the number of contacts if none acts.
    std::size_t cause = 0;
    std::vector<char> acts;  ///< for each contact: whether it acts in the step

    double in_contact() const { return numerical - elsewhere; }
    double works() const;  ///< sum of the sizes of the works [J]
  };

  /// `system` must outlive this; `contacts`: their names.
  EnergyBalance(const System& system, std::vector<std::string> contacts)
      : system_(system), contacts_(std::move(contacts)), numerical_by_contact_(contacts_.size() + 1) {}

  /// Whether the account knows the state from which the next step starts.
  bool has_begun() const { return begun_; }
  /// Starts at a state, or continues there after load(); ghosts are valid. @collective
  void begin(const State& state, std::span<const ContactSummary> contacts);
  /// The account of a step from the last accepted state, which is `start`, to `end`; `contacts` are the summaries at `end`, and `trace` of the step's stages.
  /// `stiffened`: energy that contacts have gained at `start` since their stiffness was changed there [J]. @collective
  Step step(const State& start, const State& end, std::span<const ContactSummary> contacts, const ContactTrace& trace = {}, double stiffened = 0) const;
  /// What has become of some bodies' energy in a step.
  struct Part {
    double change = 0;  ///< of all energy but that of contacts, less the works but those of contacts [J]
    double works = 0;   ///< sum of the sizes of these works [J]
  };
  /// Finds it for the marked bodies; `marks`: one for each body, the same on all ranks. Bodies that a force joins must be marked together. @collective
  Part part_of(const Step& step, const State& start, const State& end, std::span<const char> marks) const;
  const JoinedBodies& bodies() const { return *bodies_; }  ///< from begin() on
  /// Whether so much of the energy that moved in a step is missing that bodies without inertia may have jumped to another branch of equilibria in it.
  bool suggests_jump(const Step& step) const;
  /// Finds the part of bodies that nothing touches, and that no spring joins with any that is touched; `touched`: one mark for each body, the same on all
  /// ranks. @collective
  void distinguish(Step& step, const State& start, const State& end, std::vector<char> touched) const;
  /// Adds a step that was accepted.
  void add(Step step);

  /// Energies at the last accepted state [J].
  double kinetic_energy() const { return now_.kinetic; }
  const std::vector<double>& stored_energies() const { return now_.stored; }  ///< by energy_names
  /// Work since the beginning [J].
  double work(Work kind) const { return works_[static_cast<std::size_t>(kind)]; }
  double numerical() const { return numerical_; }
  double initial_kinetic_energy() const { return initial_kinetic_; }
  double initial_stored_energy() const { return initial_stored_; }
  double stored_energy() const;
  /// The energy that changes of settings have added at the moments at which the run was continued.
  const ChangedSettings& changed() const { return changed_; }
  ChangedSettings& changed() { return changed_; }

  /// The energy that numerical errors are compared with: the largest kinetic energy plus the sizes of all works so far [J].
  double scale() const { return largest_kinetic_ + moved_; }
  /// The same, but at least with the kinetic energy of all masses at this speed, below which motions do not count [J].
  double moved_so_far(double speed) const;
  /// Returns a warning for the user, once for each contact and again for ten times the gain, when numerical errors have added more than 1 %: all of them, or
  /// those of one contact, of the energy that the run has moved, once that hardly grows; or those of a contact's present episode of the energy that it has
  /// moved. The warning names the contact in which most of this arose. Uncertain parts of the works of loads do not count. `speed`: where nothing touches,
  /// motions below this speed do not count, because the solver's tolerance may cause them [m/s]. `moved_by_contact`: the most energy that contact has moved at
  /// a time [J]; where contact is the cause it replaces the kinetic energy if it is less. `gains`: of each contact, so far. `integrator`: the step's
  /// integrator, on which the remedy depends.
  std::optional<std::string> warning(double speed, double moved_by_contact, const ContactGains& gains, Integrator integrator);
  /// The warning that is due if the run ends here, although the energy moved still grows.
  std::optional<std::string> last_warning(double speed, double moved_by_contact, const ContactGains& gains, Integrator integrator) const;
  /// Why a run must end at a step that was not added yet: numerical errors would have created more than half of the energy that the run has moved. `speed`,
  /// `integrator`: as above. `anywhere`: whether gains while something touches count, too.
  std::optional<std::string> runaway(const Step& step, double speed, Integrator integrator, bool anywhere) const;
  /// A warning at a run's end, when numerical errors have taken more than a third of the energy that the run has moved. Where all bodies are rigid, more than a
  /// tenth of what was moved in contact counts, if most of the loss arose there. `moved_by_contact`: the most energy that contact has moved at a time [J].
  std::optional<std::string> loss(double speed, Integrator integrator, double moved_by_contact) const;

  void save(Archive& archive) const;
  void load(const Archive& archive);
  int saved_fields() const { return system_.driven().empty() ? 0 : 1; }

 private:
  /// A gain beside the energy that has moved.
  struct GainSoFar {
    std::size_t cause;     ///< the contact; the number of contacts for what nothing touched
    double energy, scale;  ///< [J]
    bool is_of_contacts;   ///< whether the scale is the energy moved in contact, else that of the run
  };
  /// The recent growth of an energy.
  struct Growth {
    double doubled = 0;  ///< its value when it had doubled last [J]
    int steps = 0;       ///< number of steps since
  };
  /// Gains beyond 1 %, at most one for each cause, that no warning was about.
  std::vector<GainSoFar> gains_so_far(double speed, double moved_by_contact, const ContactGains& gains) const;
  double moved_in_contact(double moved_by_contact) const;  ///< the energy that contacts and works have moved [J]
  static void grow(Growth& growth, double energy);         ///< adds a step after which the energy is this [J]
  std::vector<double> known_gains() const;                 ///< the gains by cause up to which no further warning is due [J]
  std::string words_of(const GainSoFar& gain, const char* scope, Integrator integrator) const;
  /// Whether this account of the state from which the run continues differs by more than rounding from the one that was saved, because settings were changed
  /// for the rest of the run. @collective
  bool differs(const Account& account) const;
  void take_over(Account account);                         ///< replaces the saved account
  double change_to(const Account& account) const;          ///< of all energies [J]
  double energy_that_moves(const Account& account) const;  ///< what differences of energies are compared with [J]
  Exerted exerted_at(const State& state, std::span<const ContactSummary> contacts, double weight) const;
  Damping damping_between(const State& start, const State& end) const;
  Account account_at(const State& state, std::span<const ContactSummary> contacts, double weight) const;
  /// Calls action(weight, exerted) for the start of a step, the states within it, and its end.
  template <typename Action>
  void for_each_sample(const Step& step, Action action) const;
  Works works_in(const Step& step, const State& start, const State& end) const;  ///< @collective
  /// This rank's share of the works of forces and of driven vertices in a step, of all vertices or of the marked ones.
  Works share_of_works(const Step& step, const std::array<double, kForceWorks>& sources, const State& start, const State& end,
                       const std::vector<char>* marked) const;
  void take_flow_losses(const State& end, Works& done) const;  ///< this rank's share of what plastic flow and softening dissipate in a step to that state [J]
  double change_of_loads(const Account& next, const State& start,
                         const State& end) const;  ///< error of the works of loads: half the change of their forces along the displacements [J]. @collective
  double kinetic_energy(const State& state, const std::vector<char>* marked) const;         ///< this rank's share
  double left_over(const Account& next, const Works& done) const;                           ///< the remainder in that step
  double driven_kinetic_energy(const State& state, const std::vector<char>* marked) const;  ///< this rank's share

  const System& system_;
  std::vector<std::string> contacts_;
  bool begun_ = false;
  bool loaded_ = false;  ///< whether sums and now_ were loaded; begin() sets its time, forces, sources and motions of obstacles
  Account now_;
  Works works_{};
  double numerical_ = 0, initial_kinetic_ = 0, initial_stored_ = 0;
  double largest_kinetic_ = 0;  ///< without what numerical errors have added
  double moved_ = 0;            ///< sum of the sizes of all works of all steps
  ChangedSettings changed_;
  double uncertain_ = 0;                      ///< sum of all steps' uncertain_loads
  std::vector<double> numerical_by_contact_;  ///< numerical errors that this contact caused; the last entry is for what nothing touched
  Growth growth_, growth_in_contact_;         ///< of the energies that gains are compared with: those of the run, and of its contacts
  std::optional<JoinedBodies> bodies_;        ///< from begin() on
  GrowingWarnings warned_of_;                 ///< gains of contacts, by their names, and of what nothing touched, without a name [J]
};

}  // namespace traction
