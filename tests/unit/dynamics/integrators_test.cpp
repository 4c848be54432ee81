// Each table applied to u' = lambda u in complex arithmetic, z = lambda h, against the scheme's known stability function.

#include "dynamics/integrators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>

namespace traction {
namespace {

using Complex = std::complex<double>;

const std::vector<Integrator> kOneStep = {Integrator::backward_euler, Integrator::trapezoidal, Integrator::tr_bdf2,
                                          Integrator::sdirk2,         Integrator::tr_sdirk2,   Integrator::sdirk3};

// The end of a step from u = 1, with u = `previous` at the start of the step before.
Complex amplification(const std::vector<StageRow>& table, Complex z, Complex previous = 0) {
  std::vector<Complex> known{previous, 1};
  for (const StageRow& row : table) {
    Complex right = 0;
    for (std::size_t j = 0; j < known.size(); ++j) right += (row.alpha[j] + z * row.beta[j]) * known[j];
    known.push_back(right / (1.0 - row.a * z));
  }
  return known.back();
}

std::vector<StageRow> stage_table(Integrator integrator, double step_ratio) { return traction::stage_table(traits(integrator), step_ratio); }

Complex amplification(Integrator integrator, Complex z) { return amplification(stage_table(integrator, 1), z); }

const std::vector<Complex> kSamples = {{-0.1, 0}, {-3, 0}, {0, 2}, {-1, 5}, {-40, -7}, {0.05, 0.2}};

void expect_function(Integrator integrator, const std::function<Complex(Complex)>& expected) {
  for (const Complex z : kSamples) EXPECT_NEAR(std::abs(amplification(integrator, z) - expected(z)), 0, 2e-15 * (1 + std::abs(expected(z)))) << z;
}

TEST(StageTable, BackwardEuler) {
  expect_function(Integrator::backward_euler, [](Complex z) { return 1.0 / (1.0 - z); });
}

TEST(StageTable, Trapezoidal) {
  expect_function(Integrator::trapezoidal, [](Complex z) { return (1.0 + z / 2.0) / (1.0 - z / 2.0); });
}

// P1 Eq. 8 over two half steps.
TEST(StageTable, TrBdf2) {
  expect_function(Integrator::tr_bdf2, [](Complex z) { return (12.0 + 5.0 * z) / ((4.0 - z) * (3.0 - z)); });
}

// Alexander's method, with 1 - gamma the weight of the first stage.
TEST(StageTable, Sdirk2) {
  const double gamma = 1 - std::sqrt(2.0) / 2;
  expect_function(Integrator::sdirk2, [&](Complex z) { return (1.0 + (1 - 2 * gamma) * z) / ((1.0 - gamma * z) * (1.0 - gamma * z)); });
}

// A double pole at 2/gamma and two order conditions leave one L-stable function: that of Alexander's method with gamma / 2 for its gamma.
TEST(StageTable, TrSdirk2) {
  const double half_gamma = (2 - std::sqrt(2.0)) / 2;
  expect_function(Integrator::tr_sdirk2, [&](Complex z) { return (1.0 + (1 - 2 * half_gamma) * z) / ((1.0 - half_gamma * z) * (1.0 - half_gamma * z)); });
}

// Alexander (1977): a triple pole at 1/gamma and three order conditions leave one L-stable function.
TEST(StageTable, Sdirk3) {
  const double g = 0.4358665215084590;
  EXPECT_NEAR(g * g * g - 3 * g * g + 1.5 * g, 1.0 / 6, 1e-15);
  expect_function(Integrator::sdirk3, [&](Complex z) { return (1.0 + (1 - 3 * g) * z + (0.5 - 3 * g + 3 * g * g) * z * z) / std::pow(1.0 - g * z, 3); });
}

// The error of one step shrinks by 2^(p + 1) when the step is halved.
TEST(StageTable, OrderOnTheExponential) {
  for (const Integrator integrator : kOneStep)
    for (const Complex z : {Complex(-0.02, 0), Complex(0, 0.02), Complex(-0.01, 0.015)}) {
      const double error = std::abs(amplification(integrator, z) - std::exp(z));
      const double halved = std::abs(amplification(integrator, z / 2.0) - std::exp(z / 2.0));
      EXPECT_NEAR(std::log2(error / halved), traits(integrator).order + 1, 0.05);
    }
}

// q'' = lambda v, whose velocity the schemes follow as they do u' = lambda u, and whose positions they integrate: the estimate is the error itself in the limit
// of small steps.
TEST(StageTable, TheErrorEstimateIsTheErrorOfPositions) {
  for (const Integrator integrator : {Integrator::tr_bdf2, Integrator::sdirk2, Integrator::tr_sdirk2}) {
    ASSERT_TRUE(traits(integrator).estimates_error());
    const ErrorEstimate& estimate = traits(integrator).error_estimate;
    const Complex z(-0.001, 0.002);  // h = 1
    std::vector<Complex> v{0, 1}, q{0, 0};
    for (const StageRow& row : stage_table(integrator, 1)) {
      Complex right_v = 0, right_q = 0;
      for (std::size_t j = 0; j < v.size(); ++j) {
        right_v += (row.alpha[j] + z * row.beta[j]) * v[j];
        right_q += row.alpha[j] * q[j] + row.beta[j] * v[j];
      }
      v.push_back(right_v / (1.0 - row.a * z));
      q.push_back(right_q + row.a * v.back());
      if (v.size() == 3) {
        EXPECT_DOUBLE_EQ(row.time, estimate.time);
      }
    }
    const double error = std::abs(q[3] - (std::exp(z) - 1.0) / z);
    const Complex change = (v[3] - v[2]) / (1 - estimate.time) - (v[2] - v[1]) / estimate.time;
    EXPECT_NEAR(estimate.fraction * std::abs(change) / error, 1, 0.01);
  }
  EXPECT_FALSE(traits(Integrator::backward_euler).estimates_error());
}

TEST(StageTable, StiffDecayIsDampedByAllButTheTrapezoidalRule) {
  for (const Integrator integrator : kOneStep) {
    const double remaining = std::abs(amplification(integrator, -1e9));
    if (integrator == Integrator::trapezoidal) {
      EXPECT_NEAR(remaining, 1, 1e-8);
    } else {
      EXPECT_LT(remaining, 1e-8);
    }
  }
}

// On the imaginary axis the trapezoidal rule keeps the amplitude, the others never raise it.
TEST(StageTable, OscillationsDoNotGrow) {
  for (const Integrator integrator : kOneStep)
    for (double frequency = 1e-3; frequency < 1e6; frequency *= 1.5) {
      const double amplitude = std::abs(amplification(integrator, Complex(0, frequency)));
      if (integrator == Integrator::trapezoidal) {
        EXPECT_NEAR(amplitude, 1, 1e-15) << frequency;
      } else {
        EXPECT_LE(amplitude, 1 + 1e-15) << frequency;
      }
    }
}

// u' = 1 has u = t: each stage must give its own time.
TEST(StageTable, StagesAreSolutionsAtTheirTimes) {
  for (const double ratio : {0.5, 1.0, 2.0})
    for (Integrator integrator : {Integrator::backward_euler, Integrator::trapezoidal, Integrator::bdf2, Integrator::tr_bdf2, Integrator::sdirk2,
                                  Integrator::tr_sdirk2, Integrator::sdirk3}) {
      std::vector<double> times{-1 / ratio, 0};
      for (const StageRow& row : stage_table(integrator, ratio)) {
        double time = row.a;
        for (std::size_t j = 0; j < times.size(); ++j) time += row.alpha[j] * times[j] + row.beta[j];
        EXPECT_NEAR(time, row.time, 1e-15);
        times.push_back(row.time);
      }
      EXPECT_EQ(times.back(), 1);
    }
}

// u = t^k, k = 0, 1, 2, from t = -h_previous and 0 to h: u(h) = alpha_0 u(-h_previous) + alpha_1 u(0) + a h u'(h) without error.
TEST(VariableStepBdf2, ExactForQuadratics) {
  for (const double ratio : {0.5, 0.8, 1.0, 1.7, 2.0}) {
    const auto table = stage_table(Integrator::bdf2, ratio);
    ASSERT_EQ(table.size(), 1u);
    const StageRow& row = table[0];
    const double h = 0.3, h_previous = h / ratio;
    EXPECT_NEAR(row.alpha[0] + row.alpha[1], 1, 1e-15);
    EXPECT_NEAR(row.alpha[0] * -h_previous + row.a * h, h, 1e-15);
    EXPECT_NEAR(row.alpha[0] * h_previous * h_previous + row.a * h * 2 * h, h * h, 1e-15);
    EXPECT_EQ(row.beta, decltype(row.beta){});
  }
}

// docs/theory/integrators.md, "Stage tables": a = 2/3, u = (4 u_t - u_{t-h}) / 3.
TEST(VariableStepBdf2, KnownCoefficientsForEqualSteps) {
  const StageRow row = stage_table(Integrator::bdf2, 1).at(0);
  EXPECT_DOUBLE_EQ(row.a, 2.0 / 3);
  EXPECT_DOUBLE_EQ(row.alpha[0], -1.0 / 3);
  EXPECT_DOUBLE_EQ(row.alpha[1], 4.0 / 3);
}

TEST(VariableStepBdf2, ThirdOrderLocalErrorOnTheExponential) {
  for (const double ratio : {0.5, 1.0, 2.0}) {
    auto error = [&](double z) { return std::abs(amplification(stage_table(Integrator::bdf2, ratio), z, std::exp(-z / ratio)) - std::exp(z)); };
    EXPECT_NEAR(std::log2(error(-0.01) / error(-0.005)), 3, 0.05) << ratio;
  }
}

// Roots of (1 - a z) r^2 = alpha_1 r + alpha_0.
double largest_root(double ratio, Complex z) {
  const StageRow row = stage_table(Integrator::bdf2, ratio).at(0);
  const Complex lead = 1.0 - row.a * z, root = std::sqrt(row.alpha[1] * row.alpha[1] + 4.0 * lead * row.alpha[0]);
  return std::max(std::abs((row.alpha[1] + root) / (2.0 * lead)), std::abs((row.alpha[1] - root) / (2.0 * lead)));
}

TEST(VariableStepBdf2, StableForEqualStepsAndZeroStableForAllAllowedRatios) {
  for (double frequency = 1e-2; frequency < 1e6; frequency *= 1.5) EXPECT_LE(largest_root(1, Complex(0, frequency)), 1 + 1e-14) << frequency;
  EXPECT_LT(largest_root(1, -1e12), 1e-5);
  for (const double ratio : {0.1, 0.5, 1.0, 2.0}) EXPECT_LE(largest_root(ratio, 0), 1 + 1e-14) << ratio;
}

TEST(VariableStepBdf2, Sdirk2TakesItsPlaceWithoutAUsablePreviousStep) {
  for (const double ratio : {0.0, 2.5}) {
    const auto table = stage_table(Integrator::bdf2, ratio);
    EXPECT_EQ(table.size(), 2u);
    for (const Complex z : kSamples) EXPECT_EQ(amplification(table, z), amplification(Integrator::sdirk2, z));
  }
}

}  // namespace
}  // namespace traction
