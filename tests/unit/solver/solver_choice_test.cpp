#include "solver/solver_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace traction {
namespace {

constexpr SolverChoice::Costs kStrong{200, 10};

// One solve: iterations with the cheap preconditioner, and with the strong one, which is built in every `solves_per_build`-th solve.
struct Solve {
  int cheap = 0, strong = 0, solves_per_build = 1;
};

// The costs of solves by a choice, and by each preconditioner alone.
struct Totals {
  double chosen = 0, cheap = 0, strong = 0;
  int by_cheap = 0;
};

Totals totals(int count, const std::function<Solve(int)>& solve_at) {
  SolverChoice choice(kStrong);
  Totals totals;
  bool has_factor = false;
  for (int i = 0; i < count; ++i) {
    const Solve solve = solve_at(i);
    const bool builds = i % solve.solves_per_build == 0;
    totals.cheap += solve.cheap;
    totals.strong += solve.strong * kStrong.iteration + (builds ? kStrong.build : 0);
    if (choice.takes_cheap()) {
      const int most = choice.most_iterations(), iterations = std::min(most, solve.cheap);
      totals.chosen += iterations;
      totals.by_cheap += solve.cheap <= most ? 1 : 0;
      has_factor = false;
      choice.report_cheap(iterations, solve.cheap <= most);
      if (solve.cheap <= most) continue;
    }
    const bool built = builds || !has_factor;
    totals.chosen += solve.strong * kStrong.iteration + (built ? kStrong.build : 0);
    choice.report_strong(solve.strong, built);
    has_factor = true;
  }
  return totals;
}

// The ball's impact in short steps: the strong one is never tried for long.
TEST(SolverChoice, KeepsTheCheapOneWhereItIsCheaper) {
  const Totals found = totals(1000, [](int) { return Solve{60, 8, 2}; });
  EXPECT_GT(found.by_cheap, 950);
  EXPECT_LT(found.chosen, 1.15 * found.cheap);
}

// Flight in long steps: the cheap one hardly converges.
TEST(SolverChoice, GivesTheCheapOneUpWhereItFails) {
  const Totals found = totals(1000, [](int) { return Solve{100000, 1, 50}; });
  EXPECT_EQ(found.by_cheap, 0);
  EXPECT_LT(found.chosen, 1.2 * found.strong);
}

// A factor that is kept for long is not judged by its first solve.
TEST(SolverChoice, FindsTheStrongOneWhereItIsCheaper) {
  const Totals found = totals(1000, [](int) { return Solve{150, 2, 100}; });
  EXPECT_LT(found.by_cheap, 100);
  EXPECT_LT(found.chosen, 0.3 * found.cheap);
  EXPECT_LT(found.chosen, 1.8 * found.strong);
}

TEST(SolverChoice, FollowsChanges) {
  const Totals found = totals(3000, [](int i) { return i / 500 % 2 == 0 ? Solve{60, 8, 2} : Solve{600, 4, 20}; });
  EXPECT_LT(found.chosen, 0.7 * std::min(found.cheap, found.strong));
}

// Where an iteration with the strong one costs as much as a whole solve with the cheap one, the strong one is not even tried.
TEST(SolverChoice, DoesNotTryWhatCannotBeCheaper) {
  const Totals found = totals(1000, [](int) { return Solve{9, 1, 1000}; });
  EXPECT_EQ(found.chosen, found.cheap);
}

}  // namespace
}  // namespace traction
