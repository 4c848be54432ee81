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

PressureSide side_of(PressureField field) { return PressureSide::body(test::carrying_points(kRadius), std::move(field), 1e5, 0.3); }

// A sphere whose tetrahedra meet in its center.
PressureSide sphere(int subdivisions) { return side_of(sphere_field(Vec3::Zero(), kRadius, subdivisions)); }

// A block whose tetrahedra fill a lattice of cubes, 5 x 5 x 7 of them, with the field of a body's own mesh: 1,320 tetrahedra, of 1,050 that it was given.
PressureSide block() {
  const double edge = 2 * kRadius / 7;
  auto [vertices, tetrahedra] = test::Cubes({5, 5, 7}, edge, [](int, int, int) { return true; });
  for (Vec3& x : vertices) x -= Vec3(2.5, 2.5, 3.5) * edge;
  return side_of(laplace_field(std::move(vertices), std::move(tetrahedra), 0.5));
}

// Two equal bodies that overlap by this part of their radius along z, one of them turned, so that no mesh features coincide.
struct TwoBodies {
  PressurePair pair;
  PressurePair::Points x{}, v = test::at_rest();
  PressureLaw law;

  TwoBodies(const PressureSide& side, double overlap) : pair(side, side) {
    test::place(x, 0, pair, Mat3::Identity(), (2 - overlap) * kRadius * Vec3::UnitZ());
    test::place(x, 1, pair, Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix(), Vec3::Zero());
    for (int point = 0; point < 4; ++point) v[point] = Vec3(0.1, 0.05, -0.2);
    law.dissipation = 0.3;
    law.friction = true;
    law.curve.static_ = law.curve.dynamic = 0.5;
  }
};

enum class Part { forces, derivative, energy };

// `range(0)`: subdivisions of an icosahedron, of which each makes four times as many tetrahedra, or 0 for blocks; `range(1)`: the overlap in percent of the
// radius.
template <Part kPart>
void pressure_pair(benchmark::State& state) {
  const auto subdivisions = static_cast<int>(state.range(0));
  const PressureSide side = subdivisions > 0 ? sphere(subdivisions) : block();
  const TwoBodies bodies(side, static_cast<double>(state.range(1)) / 100);
  PressurePair::Derivative by_position, by_velocity;
  const int pieces = std::max(1, bodies.pair.evaluate(bodies.law, bodies.x, bodies.v).pieces);
  for (auto _ : state) {
    if constexpr (kPart == Part::forces) benchmark::DoNotOptimize(bodies.pair.evaluate(bodies.law, bodies.x, bodies.v));
    else if constexpr (kPart == Part::derivative) benchmark::DoNotOptimize(bodies.pair.linearize(bodies.law, bodies.x, bodies.v, by_position, by_velocity));
    else benchmark::DoNotOptimize(bodies.pair.energy(bodies.x));
  }
  state.counters["tetrahedra"] = static_cast<double>(side.field.tetrahedra.size());
  state.counters["pieces"] = pieces;
  state.counters["s_per_piece"] = benchmark::Counter(pieces, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

#define PRESSURE_PAIR(part) BENCHMARK(pressure_pair<part>)->ArgsProduct({{0, 1, 2, 3, 4}, {2, 10, 40}})->UseRealTime()->Unit(benchmark::kMicrosecond)
PRESSURE_PAIR(Part::forces);
PRESSURE_PAIR(Part::derivative);
PRESSURE_PAIR(Part::energy);

}  // namespace
}  // namespace traction
