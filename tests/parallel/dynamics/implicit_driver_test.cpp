// The implicit driver: stiffening of contacts that were pushed through, retries with half the step, and giving up.

#include "dynamics/implicit_driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/scheduled_step.h"
#include "errors.h"
#include "parallel/collective.h"
#include "simulation/simulation.h"
#include "support/box_mesh.h"

namespace traction {
namespace {

bool first_rank() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank == 0;
}

// A term that adds nothing to its contact and records the loop's calls on the term before it.
class Watch : public ContactTerm {
 public:
  struct Attempt {
    double gap = 0, stiffness = 0, time = 0;
  };

  Watch(std::shared_ptr<ContactTerm> term, std::shared_ptr<const ContactLaw> law) : ContactTerm(std::move(law)), term_(std::move(term)) {}

  ContactSummary summarize(const State& state) override {
    attempts.push_back({term_->summarize(state).minimum_gap, law().stiffness, state.time});
    return {std::numeric_limits<double>::infinity(), 0, Vec3::Zero()};
  }
  void add_points(const State&, std::vector<ContactPoint>&) const override {}
  void add_vertex_forces(const State&, Field&, Field&) const override {}
  void add_force(const State&, Zone, Field&) const override {}
  void add_product(const Linearization&, const State&, Zone, Field&) const override {}

  // Solves that converged since it was last cleared, of which stages within a step are looked at before its end.
  std::vector<Attempt> attempts;
  std::vector<Attempt> ends() const {
    std::vector<Attempt> result;
    for (std::size_t k = 0; k < attempts.size(); ++k)
      if (k + 1 == attempts.size() || attempts[k + 1].time <= attempts[k].time) result.push_back(attempts[k]);
    return result;
  }

 private:
  std::shared_ptr<ContactTerm> term_;
};

// A force that is undefined beyond `latest`, as it is for an inverted element: a step whose last stage is later fails. Only rank 0 detects it.
class Fragile : public Force {
 public:
  // With a contact, the force breaks only while the contact is stiffer than `stiffness`.
  bool breaks(const State& state) const { return state.time > latest && (!contact || contact->stiffness() > stiffness); }
  void add_force(const State& state, Zone zone, Field& force) const override {
    if (zone == Zone::interior && first_rank() && breaks(state)) force[0].setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  void add_product(const Linearization&, const State&, Zone, Field&) const override {}

  double latest = std::numeric_limits<double>::infinity();  // [s]
  const ContactGroup* contact = nullptr;
  double stiffness = 0;
};

// A soft block of 8 kg that lands on the plane z = 0 at 3 m/s. Its 36 J far exceed the energy that the 16 vertices below can store at this stiffness: kappa
// delta^2 or 5e-4 J each, at zero gap.
Scene landing(double step, double end) {
  Scene scene;
  scene.time.steps = {{0, step, std::nullopt}};
  scene.time.end = end;
  scene.gravity = Vec3(0, 0, -9.81);
  Body body;
  body.name = "block";
  body.solid["solid"] = {1e5, 0.4, 1000, {}};
  body.initial.velocity = Vec3(0, 0, -3);
  scene.bodies = {body};
  scene.obstacles = {{"floor", PlaneSettings{Vec3::Zero(), Vec3::UnitZ()}, {}, {}}};
  ContactSettings contact;
  contact.name = "landing";
  contact.vertices = {"block", "surface"};
  contact.against = "floor";
  contact.thickness = 1e-2;
  contact.stiffness = 5;
  contact.stiffening = Stiffening::multiply;
  scene.contacts = {contact};
  scene.solver.tolerance = 1e-9;
  return scene;
}

Mesh block_mesh(double height) { return test::box_mesh("block", Vec3(0, 0, height), Vec3(0.2, 0.2, height + 0.2), {3, 3, 3}); }

// A simulation whose driver is watched.
struct Watched {
  explicit Watched(const Scene& scene, double height) : simulation(build_simulation(PETSC_COMM_WORLD, scene, block_mesh(height))) {
    contact = simulation.contacts.at(0);
    contact->for_each_term([&](const auto& term) { watch = std::make_shared<Watch>(term, contact->law()); });
    contact->add(watch);
    fragile = std::make_shared<Fragile>();
    simulation.system->add(fragile);
    loop = std::make_unique<ImplicitDriver>(*simulation.system, std::vector<std::shared_ptr<ContactGroup>>{contact}, scene.time, scene.solver,
                                            simulation.loop->state());
  }
  double kappa() const { return simulation.contacts.at(0)->stiffness(); }
  double contact_energy() const { return contact->total_energy(PETSC_COMM_WORLD, loop->state()); }

  Simulation simulation;
  std::shared_ptr<ContactGroup> contact;
  std::shared_ptr<Watch> watch;
  std::shared_ptr<Fragile> fragile;
  std::unique_ptr<ImplicitDriver> loop;
};

Archive saved(const Driver& driver) {
  Archive archive;
  driver.save(archive);
  return archive;
}

// Largest difference of the owned vertices' positions [m] and velocities [m/s].
double difference(const State& a, const State& b, int owned) {
  double largest = 0;
  for (int i = 0; i < owned; ++i) largest = std::max({largest, (a.q[i] - b.q[i]).norm(), (a.v[i] - b.v[i]).norm()});
  return maximum_over_ranks(PETSC_COMM_WORLD, largest);
}

// The stiffenings in a run.
struct Stiffenings {
  int steps = 0, afterwards = 0, released = 0;  // steps that stiffened, later ones in contact, returns to the base stiffness
  double smallest = 1e9;                        // smallest of the penetrations that were not accepted [m]
};

Stiffenings run_to_the_end(Watched& run) {
  const double base = run.kappa(), thickness = run.contact->thickness();
  Stiffenings met;
  while (!run.loop->done()) {
    const double kappa = run.kappa(), energy = run.contact_energy();
    const Archive start = saved(*run.loop);
    run.watch->attempts.clear();
    const StepRecord record = run.loop->advance();
    const ContactSummary summary = record.contacts.at(0);
    auto attempts = run.watch->ends();
    EXPECT_EQ(attempts.size(), record.repeats + 1u);  // no solve failed
    EXPECT_EQ(record.dt, scheduled_step(run.simulation.scene.time, start.number("time"), 0).length);
    EXPECT_GE(summary.minimum_gap, 0);
    EXPECT_EQ(summary.minimum_gap, attempts.back().gap);
    EXPECT_EQ(attempts.front().stiffness, kappa);
    for (std::size_t k = 0; k + 1 < attempts.size(); ++k) {
      EXPECT_LT(attempts[k].gap, 0);
      met.smallest = std::min(met.smallest, -attempts[k].gap);
      // b'(gap) / b'(delta / 2), b' proportional to (delta - gap)^2.
      const double factor = std::pow((thickness - attempts[k].gap) / (thickness / 2), 2);
      EXPECT_NEAR(stiffening_factor(attempts[k].gap, thickness), factor, 1e-14 * factor);
      EXPECT_NEAR(attempts[k + 1].stiffness, factor * attempts[k].stiffness, 1e-14 * attempts[k + 1].stiffness);
    }
    const double reached = attempts.back().stiffness;
    if (summary.active > 0) {
      EXPECT_EQ(run.kappa(), reached);
    } else {
      EXPECT_EQ(run.kappa(), base);
      met.released += kappa > base;
    }
    EXPECT_EQ(minimum_over_ranks(PETSC_COMM_WORLD, run.kappa()), maximum_over_ranks(PETSC_COMM_WORLD, run.kappa()));
    // The penalty's energy is proportional to kappa.
    EXPECT_NEAR(record.stiffening_energy, energy * (reached / kappa - 1), 1e-12 * record.stiffening_energy);
    met.afterwards += met.steps > 0 && summary.active > 0;
    if (record.repeats == 0) {
      EXPECT_EQ(record.stiffening_energy, 0);
      continue;
    }
    ++met.steps;
    EXPECT_GT(record.stiffening_energy, 0);  // it touched where the step began
    // The step equals the one that the final stiffness gives from the same start.
    const State end = run.loop->state();
    ImplicitDriver direct(*run.simulation.system, {run.contact}, run.simulation.scene.time, run.simulation.scene.solver, end);
    direct.load(start);
    EXPECT_EQ(direct.advance().repeats, 0);
    EXPECT_LT(difference(direct.state(), end, run.simulation.system->halo().owned()), 1e-6);
  }
  return met;
}

TEST(Stiffening, KeepsALandingOutOfTheFloorAndEndsWithContact) {
  Watched run(landing(2e-3, 0.07), 0.02);
  const Stiffenings met = run_to_the_end(run);
  EXPECT_GE(met.steps, 1);
  EXPECT_GE(met.afterwards, 10);
  EXPECT_GE(met.released, 1);
}

// At 3 m/s a step goes at most 0.6 mm deep.
TEST(Stiffening, KeepsOutSmallPenetrationsToo) {
  Watched run(landing(2e-4, 0.01), 0.02);
  const Stiffenings met = run_to_the_end(run);
  EXPECT_GE(met.steps, 2);
  EXPECT_LT(met.smallest, 6e-4);
}

// Layers keep all gaps positive, and add no energy, neither at the start of a step nor in total.
TEST(Layers, KeepALandingOutOfTheFloorAndAddNoEnergy) {
  for (const Integrator integrator : {Integrator::sdirk2, Integrator::trapezoidal, Integrator::bdf2}) {
    Scene scene = landing(1e-3, 0.07);
    scene.time.integrator = integrator;
    scene.contacts[0].stiffening = Stiffening::layers;
    Watched run(scene, 0.02);
    double most_layers = 0, energy_at_start = 0, largest = -1e9;
    while (!run.loop->done()) {
      const double base = run.kappa();
      const StepRecord record = run.loop->advance();
      double energy = record.kinetic_energy;
      for (const double stored : record.energies) energy += stored;
      if (record.step == 1) energy_at_start = energy;
      largest = std::max(largest, energy);
      EXPECT_EQ(record.stiffening_energy, 0);
      EXPECT_GT(record.contacts.at(0).minimum_gap, 0);
      EXPECT_EQ(run.kappa(), base);
      const std::vector<ContactLayer> layers = run.contact->hardness().layers;
      most_layers = std::max(most_layers, static_cast<double>(layers.size()));
      for (std::size_t l = 0; l < layers.size(); ++l) {
        EXPECT_LE(layers[l].thickness, l == 0 ? run.contact->thickness() : layers[l - 1].thickness);
        EXPECT_EQ(minimum_over_ranks(PETSC_COMM_WORLD, layers[l].stiffness), maximum_over_ranks(PETSC_COMM_WORLD, layers[l].stiffness));
      }
      if (record.contacts.at(0).active == 0) {
        EXPECT_EQ(layers.size(), 0u);
      }
    }
    EXPECT_GE(most_layers, 1);
    EXPECT_LT(largest, energy_at_start + 0.01 * 36);  // J
    EXPECT_GT(run.loop->state().time, 0.06);
  }
}

// A start behind the surface has no room for a layer: the contact is stiffened as in P0, and the energy that this adds is counted.
TEST(Layers, AreNotForAStartInPenetration) {
  Scene scene = landing(1e-3, 0.005);
  scene.contacts[0].stiffening = Stiffening::layers;
  scene.contacts[0].stiffness = 10;
  Watched run(scene, -0.5e-2);
  const StepRecord record = run.loop->advance();
  EXPECT_GT(record.stiffening_energy, 0);
  EXPECT_GE(record.contacts.at(0).minimum_gap, 0);
  EXPECT_GT(run.kappa(), 10);
}

// A step that fails is repeated with half its length; four good steps later the length doubles.
class Retry : public testing::Test {
 protected:
  struct Steps {
    std::vector<double> lengths, times;
    std::vector<int> repeats;
  };

  // Takes all steps of a body that falls freely. `limits`: by step number, the largest step [s] that succeeds.
  static Steps fall(const TimeSettings& time, const std::map<long, double>& limits) {
    Scene scene = landing(0.01, 0.1);
    scene.time = time;
    Watched run(scene, 1);
    Steps steps;
    while (!run.loop->done()) {
      const auto limit = limits.find(run.loop->steps() + 1);
      run.fragile->latest = limit == limits.end() ? std::numeric_limits<double>::infinity() : run.loop->state().time + limit->second;
      const StepRecord record = run.loop->advance();
      EXPECT_EQ(record.time, run.loop->state().time);
      EXPECT_EQ(record.step, run.loop->steps());
      EXPECT_EQ(record.stiffening_energy, 0);
      steps.lengths.push_back(record.dt);
      steps.times.push_back(record.time);
      steps.repeats.push_back(record.repeats);
      for (int i = 0; i < run.simulation.system->halo().owned(); ++i) {
        EXPECT_NEAR(run.loop->state().v[i].z(), -3 - 9.81 * record.time, 1e-7);
        const double fallen = 3 * record.time + 9.81 / 2 * record.time * record.time;
        EXPECT_NEAR(run.loop->state().q[i].z(), run.simulation.mesh->vertices[i].z() - fallen, 1e-8);
      }
    }
    return steps;
  }

  static void expect_lengths(const Steps& steps, const std::vector<std::pair<int, double>>& expected) {
    std::vector<double> lengths;
    for (const auto& [count, length] : expected) lengths.insert(lengths.end(), count, length);
    ASSERT_EQ(steps.lengths.size(), lengths.size());
    for (std::size_t n = 0; n < lengths.size(); ++n) EXPECT_NEAR(steps.lengths[n], lengths[n], 1e-14) << "step " << n + 1;
  }
};

// The second step of 10 ms fails, and again with 5 ms.
TEST_F(Retry, HalvesAndGrowsBack) {
  TimeSettings time;
  time.steps = {{0, 0.01, std::nullopt}, {0.06, 0.02, std::nullopt}};
  time.end = 0.1;
  const Steps steps = fall(time, {{2, 0.003}});
  expect_lengths(steps, {{1, 0.01}, {4, 0.0025}, {4, 0.005}, {2, 0.01}, {2, 0.02}});
  EXPECT_EQ(steps.repeats, (std::vector<int>{0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(steps.times.at(10), 0.06);  // on the schedule, to the last bit
  EXPECT_EQ(steps.times.back(), 0.1);
}

// One more failure after two good steps: four good ones are needed from there.
TEST_F(Retry, AFailureStartsTheCountAnew) {
  TimeSettings time;
  time.steps = {{0, 0.01, std::nullopt}};
  time.end = 0.1;
  const Steps steps = fall(time, {{1, 0.006}, {3, 0.003}});
  expect_lengths(steps, {{2, 0.005}, {4, 0.0025}, {4, 0.005}, {6, 0.01}});
  EXPECT_EQ(steps.times.back(), 0.1);
}

// Steps end at the end of a piece of the schedule, although halving and doubling have left a remainder that no step divides: 0.027 s in steps of 10 ms are 3 of
// 9 ms.
TEST_F(Retry, LandsOnTheSchedule) {
  TimeSettings time;
  time.steps = {{0, 0.01, std::nullopt}, {0.027, 0.02, std::nullopt}};
  time.end = 0.05;
  const Steps steps = fall(time, {{2, 0.007}, {4, 0.003}});
  double sum = 0;
  for (double length : steps.lengths) sum += length;
  EXPECT_NEAR(sum, 0.05, 1e-15);
  EXPECT_EQ(std::count(steps.times.begin(), steps.times.end(), 0.027), 1);
  EXPECT_EQ(steps.times.back(), 0.05);
}

// With floating-point numbers 0.002 + (0.018 - 0.002) is not 0.018, and 0.018 + (0.051 - 0.018) not 0.051.
TEST_F(Retry, TimesOfTheScheduleAreExact) {
  TimeSettings time;
  time.steps = {{0, 0.1, std::nullopt}, {0.002, 0.1, std::nullopt}, {0.018, 0.1, std::nullopt}};
  time.end = 0.051;
  volatile double first = 0.002, second = 0.018, end = 0.051;
  ASSERT_NE(first + (second - first), second);
  ASSERT_NE(second + (end - second), end);
  EXPECT_EQ(fall(time, {}).times, (std::vector<double>{0.002, 0.018, 0.051}));
}

// A landing in which Newton's method is allowed fewer iterations than long steps need.
TEST_F(Retry, FollowsAFailureOfTheSolver) {
  Scene scene = landing(0.016, 0.08);
  scene.contacts[0].stiffness = 2e4;  // stiff enough
  scene.solver.method = NewtonMethod::newton;
  scene.solver.maximum_iterations = 4;
  Watched run(scene, 0.02);
  int halvings = 0, good_steps = 0, failures = 0, doublings = 0;
  while (!run.loop->done()) {
    const double start = run.loop->state().time;
    const StepRecord record = run.loop->advance();
    halvings += record.repeats;  // no repeat is for stiffening
    failures += record.repeats;
    EXPECT_EQ(run.kappa(), 2e4);
    EXPECT_NEAR(record.dt, scheduled_step(scene.time, start, halvings).length, 1e-15);
    EXPECT_LE(record.dt, 0.016 / (1 << halvings) + 1e-15);
    EXPECT_NEAR(record.time, start + record.dt, 1e-15);
    EXPECT_GT(record.solver.newton_iterations, 4 * record.repeats);  // failed steps count too
    EXPECT_LT(record.solver.residual, scene.solver.tolerance);
    if (record.repeats > 0) good_steps = 0;
    if (halvings > 0 && ++good_steps == 4) --halvings, ++doublings, good_steps = 0;
    EXPECT_EQ(saved(*run.loop).number("halvings"), halvings);
    EXPECT_EQ(saved(*run.loop).number("good steps"), good_steps);
    for (double value : {saved(*run.loop).number("halvings"), double(record.repeats), double(record.solver.newton_iterations)})
      EXPECT_EQ(minimum_over_ranks(PETSC_COMM_WORLD, value), maximum_over_ranks(PETSC_COMM_WORLD, value));
  }
  EXPECT_EQ(run.loop->state().time, 0.08);
  EXPECT_GE(failures, 1);
  EXPECT_GE(doublings, 1);
}

// The block after three steps, about to be pushed through the floor: whole and half steps stiffen the contact, which is not at its base stiffness.
class BeforeStiffening : public testing::Test {
 protected:
  explicit BeforeStiffening(int maximum_halvings = 8) : run(with_halvings(maximum_halvings), 0.02) {
    for (int step = 0; step < 3; ++step) run.loop->advance();
    run.contact->set_stiffness(kappa);
    run.watch->attempts.clear();
    run.fragile->contact = run.simulation.contacts.at(0).get();
    run.fragile->stiffness = kappa;
  }
  static Scene with_halvings(int maximum) {
    Scene scene = landing(step, 0.12);
    scene.time.maximum_halvings = maximum;
    return scene;
  }

  static constexpr double step = 2e-3, kappa = 7.5;
  Watched run;
};

// The whole step is solved, stiffened, and then fails. The half step starts with the earlier stiffness, and ends as if the whole step had not been tried.
TEST_F(BeforeStiffening, ARetryStartsWithTheStiffnessOfTheStepsStart) {
  Archive start = saved(*run.loop);
  const double energy = run.contact_energy();
  run.fragile->latest = start.number("time") + 0.6 * step;
  const StepRecord record = run.loop->advance();
  const auto attempts = run.watch->ends();
  const double reached = run.kappa();
  EXPECT_NEAR(record.dt, step / 2, 1e-15);
  ASSERT_GE(attempts.size(), 3u);
  EXPECT_EQ(record.repeats, static_cast<int>(attempts.size()));  // and one that failed
  EXPECT_LT(attempts[0].gap, 0);
  EXPECT_EQ(attempts[0].stiffness, kappa);
  EXPECT_LT(attempts[1].gap, 0);
  EXPECT_GT(attempts[1].gap, attempts[0].gap);
  EXPECT_EQ(attempts[1].stiffness, kappa);
  EXPECT_GT(reached, kappa);
  EXPECT_GT(energy, 0);
  EXPECT_NEAR(record.stiffening_energy, energy * (reached / kappa - 1), 1e-12 * record.stiffening_energy);
  EXPECT_EQ(saved(*run.loop).number("halvings"), 1);
  EXPECT_EQ(saved(*run.loop).number("good steps"), 1);

  const State end = run.loop->state();
  run.fragile->latest = std::numeric_limits<double>::infinity();
  run.contact->set_stiffness(kappa);
  ImplicitDriver half(*run.simulation.system, {run.contact}, run.simulation.scene.time, run.simulation.scene.solver, end);
  start.numbers["halvings"] = 1;
  half.load(start);
  const StepRecord same = half.advance();
  EXPECT_EQ(same.repeats, record.repeats - 2);
  EXPECT_NEAR(run.kappa(), reached, 1e-6 * reached);
  EXPECT_LT(difference(half.state(), end, run.simulation.system->halo().owned()), 1e-6);
}

class LastHalving : public BeforeStiffening {
 protected:
  LastHalving() : BeforeStiffening(1) {}
};

TEST_F(LastHalving, GivesUpAndLeavesEverythingAsItWas) {
  const State before = run.loop->state();
  run.fragile->latest = before.time;
  int thrown = 0;
  std::string message;
  try {
    run.loop->advance();
  } catch (const SolverError& error) {
    thrown = 1;
    message = error.what();
  }
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, thrown), ranks);
  EXPECT_NE(message.find("step 4 "), std::string::npos) << message;
  EXPECT_NE(message.find("halved 1 times"), std::string::npos) << message;
  ASSERT_EQ(run.watch->ends().size(), 2u);  // whole and half step, each stiffened once
  for (const auto& attempt : run.watch->ends()) {
    EXPECT_LT(attempt.gap, 0);
    EXPECT_EQ(attempt.stiffness, kappa);
  }
  EXPECT_EQ(run.kappa(), kappa);
  EXPECT_EQ(run.loop->steps(), 3);
  const State& after = run.loop->state();
  EXPECT_EQ(after.time, before.time);
  EXPECT_TRUE(std::ranges::equal(after.q.values(), before.q.values()));
  EXPECT_TRUE(std::ranges::equal(after.v.values(), before.v.values()));

  // Without the cause of the failure the run continues from there.
  run.fragile->latest = std::numeric_limits<double>::infinity();
  const StepRecord next = run.loop->advance();
  EXPECT_EQ(next.step, 4);
  EXPECT_NEAR(next.dt, step / 2, 1e-15);
}

}  // namespace
}  // namespace traction
