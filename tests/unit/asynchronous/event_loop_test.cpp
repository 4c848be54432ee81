// A vertical spring that bounces on a plane (P4 Sec. 8.1), over a million events: its energy stays where it is.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asynchronous/event_loop.h"
#include "forces/gravity.h"
#include "forces/spring_damper.h"
#include "support/few_vertices.h"

namespace traction {
namespace {

constexpr double kGravity = 9.81, kStiffness = 400;

TEST(SpringOnPlane, KeepsItsEnergyOverAMillionEvents) {
  test::FewVertices spring({Vec3(0, 0, 1), Vec3(0, 0, 2)});
  const auto force = std::make_shared<SpringDampers>(PETSC_COMM_SELF, std::vector{SpringDamper{{0, 1}, {1, -1}, Vec3::Zero(), kStiffness, 0, 1}});
  spring.system->add(force);
  spring.system->add(std::make_shared<Gravity>(std::vector<double>(2, 1.0), Vec3(0, 0, -kGravity)));
  ContactSetup setup;
  setup.laws = {{"bounce", 0.1, 1000, 1, 0, 0.02}};
  setup.walls = {{"plane", "spring", PlaneGap{Vec3::Zero(), Vec3::UnitZ()}, 0, 0, 1, {0, 1}}};
  EventLoop loop(*spring.system, {1e-3, 2.3e-3}, spring.state, std::move(setup));  // the spring's limit is 0.07 s
  double sum = 0, sum_t = 0, sum_tt = 0, sum_e = 0, sum_te = 0, lowest = 1e300, highest = 0, least = 1e300;
  long events = 0;
  for (int row = 1; events < 1000000; ++row) {
    const double t = row * 0.05;
    loop.advance(t);
    for (const long count : loop.events()) events += count;
    events += loop.contact()->counts().layers + loop.contact()->counts().certificates;
    const State& state = loop.state();
    double energy = force->energy(state) + loop.contact()->summaries()[0].energy;
    for (int i = 0; i < 2; ++i) energy += 0.5 * state.v[i].squaredNorm() + kGravity * state.q[i].z();
    energy /= 3 * kGravity;  // relative to the start
    least = std::min(least, state.q[0].z());
    lowest = std::min(lowest, energy), highest = std::max(highest, energy);
    sum += 1, sum_t += t, sum_tt += t * t, sum_e += energy, sum_te += t * energy;
  }
  const double slope = (sum * sum_te - sum_t * sum_e) / (sum * sum_tt - sum_t * sum_t);
  RecordProperty("slope", std::to_string(slope));
  RecordProperty("oscillation", std::to_string(highest - lowest));
  EXPECT_LT(std::abs(slope), 1e-4);
  EXPECT_GT(lowest, 0.97);
  EXPECT_LT(highest, 1.03);
  EXPECT_GT(least, 0);
}

}  // namespace
}  // namespace traction
