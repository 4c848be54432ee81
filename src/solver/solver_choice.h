// Which of two linear solvers is cheaper at present (docs/theory/newton.md, "Choice of preconditioner").
#pragma once

namespace traction {

/// Chooses between a cheap preconditioner, which may take many iterations, and a strong one, which costs much to build and to apply. It counts and never times,
/// so that two runs of a scene take the same decisions. The unit of all costs is one iteration with the cheap preconditioner. Each is tried for some solves,
/// and the cheaper one is kept until it has cost so much that another trial is worth its cost, or until its solves have become dearer.
class SolverChoice {
 public:
  /// The costs of building the strong preconditioner, and of one iteration with it.
  struct Costs {
    double build = 0, iteration = 0;
  };

  explicit SolverChoice(Costs strong) : strong_(strong) {}
  void set_costs(Costs strong) { strong_ = strong; }

  bool takes_cheap() const { return takes_cheap_; }
  /// The number of iterations after which a solve with the cheap preconditioner is given up.
  int most_iterations() const;
  /// After each solve: its cost. A cheap solve that did not converge is followed by one with the strong preconditioner.
  void report_cheap(int iterations, bool converged);
  void report_strong(int iterations, bool built);

 private:
  double& mean() { return takes_cheap_ ? cheap_mean_ : strong_mean_; }
  double mean_of_other() const { return takes_cheap_ ? strong_mean_ : cheap_mean_; }
  void change();
  void begin_trial();
  void report(double cost);
  void settle();

  Costs strong_;
  bool takes_cheap_ = true;
  double cheap_mean_ = -1, strong_mean_ = -1;  ///< costs of a solve; negative: unknown
  bool has_changed_ = false;                   ///< whether no solve was reported since the present solver was chosen
  int trial_ = 0;                              ///< remaining solves of the present solver's trial; 0: no trial
  double trial_sum_ = 0;                       ///< costs of the trial's solves so far
  double trial_cost_ = 0;                      ///< costs of the last trial, including those of changing solvers
  double spent_ = 0;                           ///< costs since the last trial
  double kept_at_ = -1;                        ///< mean cost of the kept solver when it was chosen; negative: unknown
  double patience_ = 0;                        ///< the multiple of the last trial's cost after which the next one begins
};

}  // namespace traction
