// The cost of one pair of bodies that press on each other with their pressure fields: forces alone, forces with their derivative, and the stored energy.
//
//   cmake --build build/release --target pressure_pair && build/release/tests/benchmark/pressure_pair

#include "pressure/pressure_pair.h"

#include <benchmark/benchmark.h>

#include <algorithm>

#include "support/pressure_bodies.h"

namespace traction {
namespace {

constexpr double kRadius = 0.05;

// Two equal spheres that overlap by this part of their radius, one of them turned, so that no mesh features coincide.
struct TwoSpheres {
  PressurePair pair;
  PressurePair::Points x{}, v = test::at_rest();
  PressureLaw law;

  TwoSpheres(int subdivisions, double overlap) : pair(side(subdivisions), side(subdivisions)) {
    test::place(x, 0, pair, Mat3::Identity(), (2 - overlap) * kRadius * Vec3::UnitZ());
    test::place(x, 1, pair, Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix(), Vec3::Zero());
    for (int point = 0; point < 4; ++point) v[point] = Vec3(0.1, 0.05, -0.2);
    law.dissipation = 0.3;
    law.friction = true;
    law.curve.static_ = law.curve.dynamic = 0.5;
  }

  static PressureSide side(int subdivisions) {
    return PressureSide::body(test::carrying_points(kRadius), sphere_field(Vec3::Zero(), kRadius, subdivisions), 1e5, 0.3);
  }
};

enum class Part { forces, derivative, energy };

// `range(0)`: subdivisions of an icosahedron, of which each makes four times as many tetrahedra; `range(1)`: the overlap in percent of the radius.
template <Part kPart>
void pressure_pair(benchmark::State& state) {
  const TwoSpheres spheres(static_cast<int>(state.range(0)), static_cast<double>(state.range(1)) / 100);
  PressurePair::Derivative by_position, by_velocity;
  const int pieces = std::max(1, spheres.pair.evaluate(spheres.law, spheres.x, spheres.v).pieces);
  for (auto _ : state) {
    if constexpr (kPart == Part::forces) benchmark::DoNotOptimize(spheres.pair.evaluate(spheres.law, spheres.x, spheres.v));
    else if constexpr (kPart == Part::derivative) benchmark::DoNotOptimize(spheres.pair.linearize(spheres.law, spheres.x, spheres.v, by_position, by_velocity));
    else benchmark::DoNotOptimize(spheres.pair.energy(spheres.x));
  }
  state.counters["tetrahedra"] = 20 * std::pow(4, static_cast<double>(state.range(0)));
  state.counters["pieces"] = pieces;
  state.counters["s_per_piece"] = benchmark::Counter(pieces, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

#define PRESSURE_PAIR(part) BENCHMARK(pressure_pair<part>)->ArgsProduct({{1, 2, 3, 4}, {2, 10, 40}})->UseRealTime()->Unit(benchmark::kMicrosecond)
PRESSURE_PAIR(Part::forces);
PRESSURE_PAIR(Part::derivative);
PRESSURE_PAIR(Part::energy);

}  // namespace
}  // namespace traction
