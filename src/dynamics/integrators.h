// The time integrators, one row of a table each (docs/theory/integrators.md, "Stage tables"). A row describes an integrator and, if it consists of implicit
// stages, contains its coefficients. The class of its family takes the steps.
#pragma once

#include <algorithm>
#include <array>
#include <numbers>
#include <span>
#include <string_view>
#include <vector>

namespace traction {

enum class Integrator {
  backward_euler,
  trapezoidal,
  bdf2,
  tr_bdf2,
  sdirk2,
  tr_sdirk2,
  sdirk3,
  trapezoidal_split,
  generalized_alpha,
  ere,
  siere,
  beere,
  bdf2ere,
  sbdf2ere,
  str_sbdf2ere,
  asynchronous
};

/// Each family has a file of the same name, except `asynchronous`, which has a driver of its own (asynchronous/) and takes no steps.
enum class IntegratorFamily { implicit_stages, additive_stages, generalized_alpha, exponential_euler, asynchronous };

constexpr int kMaximumStages = 3;

/// One implicit stage, solved for u_i = (q_i, v_i):
///   u_i = sum_j alpha[j] u_j + h sum_j beta[j] F(u_j) + a h F(u_i),   F(u) = (v, M^-1 f(q, v)),
/// where the known states u_j are, in order: the start of the previous step, the start of this step, then the earlier stages of this step. In additive schemes
/// F is H, the force without that of the lowest modes (P1 Eq. 18), and their G adds  exponential h phi_1(exponential h J_G) G(u),  u the last known state.
struct StageRow {
  double a = 0;     ///< 0: no stage
  double time = 0;  ///< time of u_i, as a fraction of the step
  std::array<double, kMaximumStages + 1> alpha{}, beta{};
  double exponential = 0;  ///< 0: not additive
};
using StageTable = std::array<StageRow, kMaximumStages>;

/// The error of the positions at the end of a two-stage step is, to leading order h^3, `fraction` times the step times
///   D = (v_1 - v_s) / (1 - time) - (v_s - v_0) / time,
/// where v_0, v_s, v_1 are the velocities at the start, of the first stage, and at the end. The force at the start does not enter, so that stiff motions which
/// the scheme has damped do not count.
struct ErrorEstimate {
  double time = 0;  ///< time of the first stage, as a fraction of the step
  double fraction = 0;
};

/// The properties of an integrator, and its coefficients if it consists of implicit stages.
struct IntegratorTraits {
  Integrator integrator{};
  std::string_view name;     ///< name in scenes
  std::string_view summary;  ///< one sentence for users
  IntegratorFamily family = IntegratorFamily::implicit_stages;
  int order = 2;
  StageTable stages{};             ///< the solution of the last one is the end of the step
  bool two_step = false;           ///< variable-step BDF2; `stages` are used when no previous step is available
  bool semi_implicit = false;      ///< each stage is one Newton iteration by definition
  bool contact_implicit = false;   ///< the stage's implicit part contains the whole impulse of contact and friction
  ErrorEstimate error_estimate{};  ///< zero: no estimate
  constexpr bool estimates_error() const { return error_estimate.fraction > 0; }
  /// Whether this is an exponential or additive integrator.
  constexpr bool is_exponential() const { return family == IntegratorFamily::exponential_euler || family == IntegratorFamily::additive_stages; }
};

namespace coefficients {

constexpr double kGamma = 1 - std::numbers::sqrt2 / 2;  ///< gamma of Alexander's SDIRK2 (1977)
constexpr double kGamma2 = 2 * kGamma;                  ///< gamma of TR-SDIRK2
constexpr double kGamma3 = 0.43586652150845899942;  ///< gamma of Alexander's SDIRK of order 3: the root of x^3 - 3 x^2 + 3/2 x = 1/6 for which it is L-stable
constexpr double kWeight = std::numbers::sqrt2 / 2 / kGamma2;

/// The error of a step is C h^3 v'', where C is the difference between the coefficients of z^3 in R(z) and in e^z. This C belongs to both SDIRK schemes, which
/// have the same R. Trapezoidal stages have an error of order h^3, and D is h^2 v'' / 2; a backward Euler stage has the error (gamma h)^2 v'' / 2, which makes
/// D equal to gamma h^2 v''.
constexpr double kError = 3 * kGamma * kGamma - 2 * kGamma * kGamma * kGamma - 1.0 / 6;

constexpr StageTable kBackwardEuler = {{{1, 1, {0, 1}}}};
constexpr StageTable kTrapezoidal = {{{0.5, 1, {0, 1}, {0, 0.5}}}};                                       ///< P0 Eq. 23
constexpr StageTable kTrBdf2 = {{{0.25, 0.5, {0, 1}, {0, 0.25}}, {1.0 / 3, 1, {0, -1.0 / 3, 4.0 / 3}}}};  ///< P1 Eq. 8
constexpr StageTable kSdirk2 = {{{kGamma, kGamma, {0, 1}}, {kGamma, 1, {0, 1}, {0, 0, 1 - kGamma}}}};     ///< in P0

/// The additive variant of a table: the last stage covers a part of the step and is additive (P1 Eqs. 19 to 22 and 26).
constexpr StageTable additive(StageTable table, double part) {
  std::find_if(table.rbegin(), table.rend(), [](const StageRow& row) { return row.a > 0; })->exponential = part;
  return table;
}

}  // namespace coefficients

inline constexpr auto kIntegratorTable = [] {
  using namespace coefficients;
  using enum Integrator;
  using Family = IntegratorFamily;
  return std::to_array<IntegratorTraits>({
      {.integrator = backward_euler, .name = "backward_euler", .summary = "First order; damps most.", .order = 1, .stages = kBackwardEuler},
      {.integrator = trapezoidal, .name = "trapezoidal", .summary = "Damps nothing, and rings after a sudden load.", .stages = kTrapezoidal},
      {.integrator = bdf2, .name = "bdf2", .summary = "Costs one stage; damps less than backward Euler.", .stages = kSdirk2, .two_step = true},
      {.integrator = tr_bdf2,
       .name = "tr_bdf2",
       .summary = "Damps what the step cannot resolve; estimates its error.",
       .stages = kTrBdf2,
       .error_estimate = {0.5, 2.0 / 24}},  // C = 1/24
      {.integrator = sdirk2,
       .name = "sdirk2",
       .summary = "Damps what the step cannot resolve; estimates its error.",
       .stages = kSdirk2,
       .error_estimate = {kGamma, kError / kGamma}},
      {.integrator = tr_sdirk2,  // P1 Eq. 9
       .name = "tr_sdirk2",
       .summary = "Damps what the step cannot resolve, and little else; estimates its error.",
       .stages = {{{kGamma2 / 2, kGamma2, {0, 1}, {0, kGamma2 / 2}}, {kGamma2 / 2, 1, {0, 1 - kWeight, kWeight}}}},
       .error_estimate = {kGamma2, 2 * kError}},
      {.integrator = sdirk3,
       .name = "sdirk3",
       .summary = "Third order, with three stages; damps what the step cannot resolve.",
       .order = 3,
       .stages = {{{kGamma3, kGamma3, {0, 1}},
                   {kGamma3, (1 + kGamma3) / 2, {0, 1}, {0, 0, (1 - kGamma3) / 2}},
                   {kGamma3, 1, {0, 1}, {0, 0, (16 - 6 * kGamma3) * kGamma3 / 4 - 0.25, (6 * kGamma3 - 20) * kGamma3 / 4 + 1.25}}}}},
      // The scheme of the original IPC, for comparison (P0 Sec. IV-E).
      {.integrator = trapezoidal_split,
       .name = "trapezoidal_split",
       .summary = "The trapezoidal rule with contact outside of its average, for comparison only.",
       .stages = kTrapezoidal,
       .contact_implicit = true},
      {.integrator = generalized_alpha,
       .name = "generalized_alpha",
       .summary = "Damps fast oscillations according to `spectral_radius`.",
       .family = Family::generalized_alpha},
      {.integrator = ere, .name = "ere", .summary = "Exponential Rosenbrock-Euler method.", .family = Family::exponential_euler},
      {.integrator = siere,
       .name = "siere",
       .summary = "Semi-implicit; the lowest modes are exponential.",
       .family = Family::additive_stages,
       .order = 1,
       .stages = additive(kBackwardEuler, 1),
       .semi_implicit = true},
      {.integrator = beere,
       .name = "beere",
       .summary = "Backward Euler; the lowest modes are exponential.",
       .family = Family::additive_stages,
       .order = 1,
       .stages = additive(kBackwardEuler, 1)},
      {.integrator = bdf2ere,
       .name = "bdf2ere",
       .summary = "BDF2; the lowest modes are exponential.",
       .family = Family::additive_stages,
       .stages = additive(kBackwardEuler, 1),
       .two_step = true},
      {.integrator = sbdf2ere,
       .name = "sbdf2ere",
       .summary = "Semi-implicit BDF2; the lowest modes are exponential.",
       .family = Family::additive_stages,
       .stages = additive(kBackwardEuler, 1),
       .two_step = true,
       .semi_implicit = true},
      {.integrator = str_sbdf2ere,
       .name = "str_sbdf2ere",
       .summary = "Semi-implicit trapezoidal rule, then BDF2; the lowest modes are exponential.",
       .family = Family::additive_stages,
       .stages = additive(kTrBdf2, 0.5),
       .semi_implicit = true},
      {.integrator = asynchronous,
       .name = "asynchronous",
       .summary = "Explicit: every element, load and contact has a step of its own, and nothing is solved.",
       .family = Family::asynchronous},
  });
}();
/// The integrators that take steps: all but the last.
inline constexpr std::span<const IntegratorTraits> kStepIntegrators(kIntegratorTable.data(), kIntegratorTable.size() - 1);

constexpr const IntegratorTraits& traits(Integrator integrator) { return kIntegratorTable[static_cast<std::size_t>(integrator)]; }
static_assert(std::all_of(kIntegratorTable.begin(), kIntegratorTable.end(), [](const IntegratorTraits& row) { return &traits(row.integrator) == &row; }),
              "rows are in the order of the enumeration");

/// The stages of a step of length h. `step_ratio` is h over the previous step's length, 0 if there was none; only two-step integrators use it.
std::vector<StageRow> stage_table(const IntegratorTraits& integrator, double step_ratio);
/// The weights w by which the velocity at the end of a step follows from forces, v_1 = v_0 + h M^-1 (w_0 f_0 + sum_i w_i f_i): that of the start, then those of
/// the stages. Empty if forces before the step, or an exponential, have a part in it.
std::vector<double> force_weights(std::span<const StageRow> table);

}  // namespace traction
