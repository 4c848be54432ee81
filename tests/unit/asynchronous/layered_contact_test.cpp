// Layers of contact on few vertices: how close they let others come, what they keep, and that nothing passes through them.
#include "asynchronous/layered_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "asynchronous/event_loop.h"
#include "forces/spring_damper.h"
#include "support/few_vertices.h"
#include "support/recorded_paths.h"

namespace traction {
namespace {

LayeredLaw law(double safety = 0.02, double restitution = 1, double friction = 0) { return {"touch", 0.1, 1000, restitution, friction, safety}; }

// One particle of 1 kg that flies against the plane z = 0 from a height of 0.3 m.
struct Bounce {
  double least = 1e9;  // height [m]
  double after = 0;    // speed away from the wall
  Vec3 velocity = Vec3::Zero();
  int layers = 0;

  Bounce(const LayeredLaw& law, const Vec3& before) {
    test::FewVertices particle({Vec3(0, 0, 0.3)});
    particle.state.v[0] = before;
    ContactSetup setup;
    setup.laws = {law};
    setup.walls = {{"wall", "particle", PlaneGap{Vec3::Zero(), Vec3::UnitZ()}, 0, 0, 1, {0}}};
    EventLoop loop(*particle.system, {}, particle.state, std::move(setup));
    loop.vertices().watch([&](int) { least = std::min(least, loop.state().q[0].z()); });
    const double row = 0.02 / before.norm();
    constexpr int kRows = 149;  // until shortly before 3 / |v|
    for (int k = 1; k <= kRows; ++k) {
      loop.advance(k * row);
      layers = std::max(layers, law.layers(loop.state().q[0].z()));
    }
    layers = std::max(layers, law.layers(least));
    velocity = loop.state().v[0];
    after = velocity.z();
  }
};

// Where the sum over all layers has taken the kinetic energy m v^2 / 2.
double closest_approach(double v) {
  double low = 0.01, high = 0.1;
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low * high);
    double energy = 0;
    for (int l = 1; 0.1 * std::pow(l, -0.25) > middle; ++l) energy += 500 * std::pow(l, 3) * std::pow(0.1 * std::pow(l, -0.25) - middle, 2);
    (energy > v * v / 2 ? low : high) = middle;
  }
  return low;
}

TEST(Layers, StopAParticleWhereTheirSumSays) {
  EXPECT_NEAR(closest_approach(10), 0.055107, 5e-7);  // for the layers of P4, added up by hand
  for (const double v : {1.0, 10.0, 100.0}) {
    const double exact = closest_approach(v);
    const Bounce bounce(law(0.01), Vec3(0, 0, -v));
    EXPECT_NEAR(bounce.least, exact, 0.01 * 0.1) << v;
    EXPECT_EQ(bounce.layers, law().layers(bounce.least));
    EXPECT_NEAR(bounce.after, v, 0.02 * v);
  }
  EXPECT_EQ(law().layers(closest_approach(10)), 10);
  EXPECT_EQ(Bounce(law(0.002), Vec3(0, 0, -10)).layers, 10);
}

TEST(Layers, ErrFirstOrderInTheirSteps) {
  double previous = 0;
  for (const double safety : {0.04, 0.01, 0.0025}) {
    double error = 0;  // mean over some speeds: each error is as random as the phase of the clocks
    for (const double v : {7.0, 8.0, 9.0, 10.0, 11.0, 12.0}) error += std::abs(Bounce(law(safety), Vec3(0, 0, -v)).least - closest_approach(v)) / 6;
    if (previous > 0) {
      EXPECT_LT(error, 0.5 * previous) << safety;
    }
    previous = error;
  }
}

TEST(Layers, RestoreAsMuchSpeedAsRestitutionSays) {
  for (const double e : {0.3, 0.6, 0.9}) EXPECT_NEAR(Bounce(law(0.005, e), Vec3(0, 0, -10)).after / 10, e, 0.02 * e) << e;
  EXPECT_LT(std::abs(Bounce(law(0.005, 0), Vec3(0, 0, -10)).after), 0.02 * 10);
}

// A slow particle sticks; a fast one loses mu times the change of its normal momentum.
TEST(Layers, RubByAsMuchAsTheyPress) {
  EXPECT_NEAR(Bounce(law(0.01, 1, 0.2), Vec3(9, 0, -4)).velocity.x(), 9 - 0.2 * 8, 0.03);
  EXPECT_NEAR(Bounce(law(0.01, 1, 0.5), Vec3(0.5, 0, -4)).velocity.x(), 0, 1e-9);
}

// --- triangles

struct Triangles {
  test::FewVertices points;
  ContactSetup setup;
  std::vector<std::array<int, 3>> all;

  // Each a surface of its own, held in shape by springs, or all of one surface.
  Triangles(const std::vector<Vec3>& places, const std::vector<std::array<int, 3>>& triangles, const LayeredLaw& law, int surfaces, double stiffness)
      : points(places), all(triangles) {
    setup.laws = {law};
    setup.surfaces.resize(static_cast<std::size_t>(surfaces));
    std::set<std::pair<int, int>> edges;
    std::vector<SpringDamper> springs;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      ContactSetup::Surface& surface = setup.surfaces[std::min(t, static_cast<std::size_t>(surfaces) - 1)];
      surface.triangles.push_back(triangles[t]);
      for (int i = 0; i < 3; ++i) {
        const int a = triangles[t][i], b = triangles[t][(i + 1) % 3];
        if (std::find(surface.vertices.begin(), surface.vertices.end(), a) == surface.vertices.end()) surface.vertices.push_back(a);
        if (!edges.insert(std::minmax(a, b)).second) continue;
        surface.edges.push_back({a, b});
        springs.push_back({{a, b}, {1, -1}, Vec3::Zero(), stiffness, 0, (places[static_cast<std::size_t>(a)] - places[static_cast<std::size_t>(b)]).norm()});
      }
    }
    setup.laws_of_surfaces.assign(setup.surfaces.size() * setup.surfaces.size(), 0);
    setup.sides_of_surfaces.assign(setup.laws_of_surfaces.size(), 0);
    if (stiffness > 0) points.system->add(std::make_shared<SpringDampers>(PETSC_COMM_SELF, std::move(springs)));
  }
  std::vector<double> steps() const {
    const Potentials potentials(*points.system);
    std::vector<double> steps = stable_steps(potentials, *points.system, points.state);
    for (double& step : steps) step *= 0.3;
    return steps;
  }
  double energy(const State& state) const {
    double sum = 0;
    for (const auto& force : points.system->forces()) sum += force->energy(state);
    for (int i = 0; i < points.system->halo().owned(); ++i) sum += 0.5 * points.system->mass()[static_cast<std::size_t>(i)] * state.v[i].squaredNorm();
    return sum;
  }
  // The number of pairs of separate vertices and triangles, and edges, that pass through each other.
  int passes(const test::RecordedPaths& paths) const {
    int count = 0;
    std::set<std::pair<int, int>> edges;
    for (const auto& t : all) {
      for (int i = 0; i < 3; ++i) edges.insert(std::minmax(t[i], t[(i + 1) % 3]));
      for (int v = 0; v < points.system->halo().owned(); ++v)
        if (std::find(t.begin(), t.end(), v) == t.end() && paths.pass(1, {v, t[0], t[1], t[2]})) ++count;
    }
    for (const auto& [a, b] : edges)
      for (const auto& [c, d] : edges)
        if (std::pair(a, b) < std::pair(c, d) && a != c && a != d && b != c && b != d && paths.pass(2, {a, b, c, d})) ++count;
    return count;
  }
};

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  Momentum(const System& system, const State& state) {
    for (int i = 0; i < system.halo().owned(); ++i) {
      linear += system.mass()[static_cast<std::size_t>(i)] * state.v[i];
      angular += system.mass()[static_cast<std::size_t>(i)] * Vec3(state.q[i]).cross(Vec3(state.v[i]));
    }
  }
};

// Triangles thrown together at random.
Triangles cloud(unsigned seed, double speed, int count, const LayeredLaw& law, double stiffness) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto any = [&] { return Vec3(number(random), number(random), number(random)); };
  std::vector<Vec3> places, velocities;
  std::vector<std::array<int, 3>> triangles;
  for (int t = 0; t < count; ++t) {
    const int column = t % 2, row = t / 2 % 2, layer = t / 4;
    const Vec3 center(2.5 * column, 2.5 * row, 2.5 * layer);
    const Vec3 velocity = speed * (0.3 * any() + (Vec3(1.25, 1.25, 1.25) - center).normalized());
    triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    for (int i = 0; i < 3; ++i) {
      places.push_back(center + 0.8 * any());
      velocities.push_back(velocity);
    }
  }
  Triangles result(places, triangles, law, count, stiffness);
  for (std::size_t i = 0; i < velocities.size(); ++i) result.points.state.v[static_cast<int>(i)] = velocities[i];
  return result;
}

TEST(LayeredContact, LetsNothingThroughAndKeepsMomentum) {
  int tried = 0;
  for (const double speed : {2.0, 50.0})
    for (unsigned seed = 1; seed <= 4; ++seed) {
      Triangles scene = cloud(seed, speed, 8, law(0.05), 1e4);
      EventLoop loop(*scene.points.system, scene.steps(), scene.points.state, scene.setup);
      if (loop.contact()->fault_at_start(0)) continue;
      ++tried;
      const Momentum before(*scene.points.system, loop.state());
      test::RecordedPaths paths(loop);
      long layers = 0;
      for (int row = 1; row <= 10; ++row) {
        loop.advance(row * 0.4 / speed);
        layers += loop.contact()->counts().layers;
      }
      paths.end();
      EXPECT_GT(layers, 100) << seed;
      EXPECT_EQ(scene.passes(paths), 0) << "seed " << seed << " speed " << speed;
      const Momentum after(*scene.points.system, loop.state());
      const double scale = 24 * speed;
      EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * scale);
      EXPECT_LT((after.angular - before.angular).norm(), 1e-11 * scale * 3);
    }
  EXPECT_GE(tried, 4);
}

// The checker sees what passes when nothing prevents it.
TEST(RecordedPaths, SeePassages) {
  int passes = 0;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Triangles scene = cloud(seed, 2, 8, law(), 1e4);
    EventLoop loop(*scene.points.system, scene.steps(), scene.points.state);
    test::RecordedPaths paths(loop);
    for (int row = 1; row <= 10; ++row) loop.advance(row * 0.2);
    paths.end();
    passes += scene.passes(paths);
  }
  EXPECT_GT(passes, 10);
}

// A triangle at 1,000 m/s, its corner ahead, on a sheet of springs whose rim is free.
TEST(LayeredContact, StopsAShardAtAThousandMetresPerSecond) {
  constexpr int kCells = 4;
  std::vector<Vec3> places{Vec3(0.04, 0.03, 0.05), Vec3(0.3, 0.1, 0.9), Vec3(-0.2, 0.15, 0.9)};
  for (Vec3& place : places) place.z() += 0.3;
  std::vector<std::array<int, 3>> triangles{{0, 1, 2}};
  for (int j = 0; j <= kCells; ++j)
    for (int i = 0; i <= kCells; ++i) places.emplace_back(i * 0.5 - 1, j * 0.5 - 1, 0);
  const auto number = [](int i, int j) { return 3 + i + (kCells + 1) * j; };
  for (int j = 0; j < kCells; ++j)
    for (int i = 0; i < kCells; ++i) {
      triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
      triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
    }
  Triangles scene(places, triangles, {"touch", 0.01, 1e6, 1, 0, 0.05}, 2, 1e6);
  for (int i = 0; i < 3; ++i) scene.points.state.v[i] = Vec3(0, 0, -1000);
  EventLoop loop(*scene.points.system, scene.steps(), scene.points.state, scene.setup);
  ASSERT_FALSE(loop.contact()->fault_at_start(0));
  const double energy = scene.energy(loop.state());
  test::RecordedPaths paths(loop);
  for (int row = 1; row <= 20; ++row) loop.advance(row * 2e-4);
  paths.end();
  EXPECT_EQ(scene.passes(paths), 0);
  double contact = 0;
  for (const auto& summary : loop.contact()->summaries()) contact += summary.energy;
  EXPECT_NEAR(scene.energy(loop.state()) + contact, energy, 0.05 * energy);  // steps of 0.3 in springs that are stretched beyond any bound
  const Momentum after(*scene.points.system, loop.state());
  EXPECT_LT((after.linear - Vec3(0, 0, -3000)).norm(), 1e-12 * 3000 * 10);
}

TEST(LayeredContact, NamesWhatTouchesOrCrossesAtTheStart) {
  Triangles near({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0.2, 0.2, 0.05), Vec3(0.2, 0.2, 1), Vec3(0.3, 0.2, 1)}, {{0, 1, 2}, {3, 4, 5}}, law(), 2,
                 0);
  EventLoop loop(*near.points.system, {}, near.points.state, near.setup);
  EXPECT_NE(loop.contact()->fault_at_start(0).value().text.find("0.05 m apart"), std::string::npos);
  Triangles crossing({Vec3(0, 0, 0), Vec3(10, 0, 0), Vec3(0, 10, 0), Vec3(2, 2, -5), Vec3(2, 2, 5), Vec3(3, 2, 5)}, {{0, 1, 2}, {3, 4, 5}}, law(), 2, 0);
  EventLoop other(*crossing.points.system, {}, crossing.points.state, crossing.setup);
  EXPECT_NE(other.contact()->fault_at_start(0).value().text.find("pass through each other"), std::string::npos);
}

// Events depend on nothing but the state at the start of a row.
TEST(LayeredContact, ContinuesFromAnyRow) {
  Triangles scene = cloud(2, 20, 8, law(0.05, 0.8, 0.3), 1e4);
  const std::vector<double> steps = scene.steps();
  EventLoop whole(*scene.points.system, steps, scene.points.state, scene.setup);
  for (int row = 1; row <= 5; ++row) whole.advance(row * 0.02);
  EventLoop second(*scene.points.system, steps, scene.points.state, scene.setup);
  second.set_state(whole.state());
  long layers = 0;
  for (int row = 6; row <= 15; ++row) {
    whole.advance(row * 0.02);
    second.advance(row * 0.02);
    layers += whole.contact()->counts().layers;
  }
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(Vec3(whole.state().q[i]), Vec3(second.state().q[i]));
    EXPECT_EQ(Vec3(whole.state().v[i]), Vec3(second.state().v[i]));
  }
  EXPECT_GT(layers, 0);
}

}  // namespace
}  // namespace traction
