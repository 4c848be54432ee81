// Vertices in contact that solve their own equations before Newton's method judges an iterate: the equations, and what they save.

#include "solver/vertex_elimination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "parallel/collective.h"
#include "support/box_mesh.h"
#include "support/one_stage.h"
#include "support/scenes.h"
#include "support/two_boxes.h"

namespace traction {
namespace {

constexpr double kStep = 5e-3;

int ranks() {
  int count = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &count);
  return count;
}

// A soft block that slides and comes down on the floor.
Scene landing_block() {
  Scene scene = test::resting_box_scene(Integrator::backward_euler);
  scene.bodies[0].initial.velocity = Vec3(0.5, 0.1, -3);
  scene.bodies[0].volumes.clear();
  return scene;
}

Mesh landing_mesh() { return test::box_mesh("block", Vec3(0, 0, 0.002), Vec3(1, 1, 1.002), {3, 3, 3}); }

// A box that comes down on another.
Scene landing_box(ContactGeometry geometry, ContactPotential potential) {
  Scene scene = test::two_boxes_scene(true);
  scene.bodies[1].initial.velocity = Vec3(0.2, 0.1, -4);
  scene.contacts[0].geometry = geometry;
  scene.contacts[0].potential = potential;
  return scene;
}

// The trial of a stage that keeps the velocities of its start.
class Trial {
 public:
  Trial(const Scene& scene, const Mesh& mesh, MPI_Comm communicator = PETSC_COMM_WORLD)
      : simulation_(build_simulation(communicator, scene, mesh)), equation_(*simulation_.system, OperatorKind::assembled) {
    const State& start = simulation_.loop->state();
    equation_.begin({kStep, kStep, start.q, start.v, Field(halo().local())});
    VecCreateMPI(communicator, 3 * halo().owned(), PETSC_DETERMINE, &v_);
    VecDuplicate(v_, &residual_);
    VecDuplicate(v_, &moved_);
    PetscScalar* values = nullptr;
    VecGetArray(v_, &values);
    std::copy_n(start.v.values().begin(), 3 * halo().owned(), values);
    VecRestoreArray(v_, &values);
    equation_.impose_driven(v_);
    equation_.linearize(v_);
    equation_.residual(v_, residual_);
    state_ = equation_.evaluated();
    VecNorm(residual_, NORM_2, &norm_);
  }
  ~Trial() {
    for (Vec* vector : {&v_, &residual_, &moved_}) VecDestroy(vector);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  bool move() { return VertexElimination(equation_, v_).move(v_, residual_, norm_, moved_); }
  double improve() { return VertexElimination(equation_, v_).improve(v_, residual_, norm_); }
  double norm() const { return norm_; }
  Vec3 v(int vertex) const { return entry(v_, vertex); }
  Vec3 moved(int vertex) const { return entry(moved_, vertex); }
  Vec3 residual(int vertex) const { return entry(residual_, vertex); }
  const System& system() const { return *simulation_.system; }
  const Halo& halo() const { return system().halo(); }

  // The residual of a vertex with the velocity w, by (N9): a derivative from products of all forces except contact, and contact's whole force. Vertices with
  // lower numbers are at their new positions. Needs no communication if only obstacles are touched.
  Vec3 own_residual(int vertex, const Vec3& w) const {
    const State& start = state_;
    State before = start;
    for (int j = 0; j < vertex; ++j) place(before, j, moved(j));
    State after = before;
    place(after, vertex, w);
    Mat3 block = system().mass()[vertex] * Mat3::Identity();
    for (int axis = 0; axis < 3; ++axis) {
      State direction(halo().local());
      direction.q[vertex][axis] = kStep;
      direction.v[vertex][axis] = 1;
      Field change(halo().local());
      for (const auto& force : system().forces())
        for (const Zone zone : {Zone::interior, Zone::boundary})
          if (force->is_modal()) force->add_product(Linearization(start, kStep, 1), direction, zone, change);
      block.col(axis) -= kStep * change[vertex];
    }
    const Vec3 change = contact_force(after)[vertex] - contact_force(start)[vertex];
    return system().held().free_part(vertex, residual(vertex) + block * (w - v(vertex)) - kStep * change);
  }

 private:
  static Vec3 entry(Vec vector, int vertex) {
    const PetscScalar* values = nullptr;
    VecGetArrayRead(vector, &values);
    Vec3 result = Eigen::Map<const Vec3>(values + 3 * vertex);
    VecRestoreArrayRead(vector, &values);
    return result;
  }
  void place(State& state, int vertex, const Vec3& velocity) const {
    state.q[vertex] += kStep * (velocity - state.v[vertex]);
    state.v[vertex] = velocity;
  }
  Field contact_force(const State& state) const {
    Field force(halo().local());
    for (const auto& term : system().forces()) {
      if (term->is_modal()) continue;
      term->prepare(state);
      for (const Zone zone : {Zone::interior, Zone::boundary}) term->add_force(state, zone, force);
    }
    return force;
  }

  Simulation simulation_;
  StageEquation equation_;
  State state_;  // at v
  Vec v_ = nullptr, residual_ = nullptr, moved_ = nullptr;
  PetscReal norm_ = 0;
};

// Checks the equations of all vertices that have been moved, and returns their number.
int check_equations(Trial& trial) {
  EXPECT_TRUE(trial.move());
  int count = 0;
  for (int i = 0; i < trial.halo().owned(); ++i) {
    if (trial.moved(i) == trial.v(i)) continue;
    ++count;
    EXPECT_LT(trial.own_residual(i, trial.moved(i)).norm(), 1e-3 * trial.residual(i).norm()) << i;
  }
  return count;
}

// The 16 vertices of the block's lower face, on any partition.
TEST(VertexElimination, SolvesEachVertexsOwnEquation) {
  Trial trial(landing_block(), landing_mesh());
  EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, check_equations(trial)), 16);
}

// Four of the sixteen may not move along x; then they are held whole.
TEST(VertexElimination, MovesNoVertexWhereItIsHeld) {
  for (const bool whole : {false, true}) {
    Scene scene = landing_block();
    HeldPart part;
    if (!whole) part.components = {Axis::x};
    scene.bodies[0].driven.push_back({part, "left", {}, {}});
    Trial trial(scene, landing_mesh());
    EXPECT_EQ(sum_over_ranks(PETSC_COMM_WORLD, check_equations(trial)), whole ? 12 : 16);
    const HeldVertices& held = trial.system().held();
    for (int i = 0; i < trial.halo().owned(); ++i) EXPECT_LT(held.held_part(i, trial.moved(i) - trial.v(i)).norm(), 1e-14);
  }
}

// Both sides of a contact between meshes, each vertex while the others are at their new positions. The independent force includes all ranks' pairs, so each
// rank computes this alone.
TEST(VertexElimination, SolvesTheEquationsOfBothSides) {
  for (const ContactGeometry geometry : {ContactGeometry::smooth_surface, ContactGeometry::edges_and_faces}) {
    Trial trial(landing_box(geometry, ContactPotential::cubic_penalty), test::two_boxes(0.03), PETSC_COMM_SELF);
    EXPECT_GT(check_equations(trial), 16);
  }
}

TEST(VertexElimination, ReplacesTheTrialOnlyByABetterOne) {
  for (const double height : {0.002, 0.1}) {
    Trial trial(landing_block(), test::box_mesh("block", Vec3(0, 0, height), Vec3(1, 1, 1 + height), {3, 3, 3}));
    if (height < 0.01) EXPECT_LT(trial.improve(), 0.5 * trial.norm());
    else EXPECT_EQ(trial.improve(), trial.norm());  // nothing touches
  }
}

// The force on one vertex, and its derivative with respect to that vertex only, against the force and the product of the whole system, which each rank has
// alone.
TEST(VertexForces, AreThoseOfTheWholeForce) {
  for (const Scene& scene : {landing_box(ContactGeometry::smooth_surface, ContactPotential::log_barrier),
                             landing_box(ContactGeometry::edges_and_faces, ContactPotential::cubic_penalty)}) {
    const Simulation simulation = build_simulation(PETSC_COMM_SELF, scene, test::two_boxes(0.03));
    System& system = *simulation.system;
    const State& state = simulation.loop->state();
    const Linearization at(state, 0.7, 1.3);
    system.prepare(state);
    system.linearize(at);
    int seen = 0;
    for (const auto& term : system.forces()) {
      VertexForces* part = term->vertex_forces();
      if (!part) continue;
      Field whole(system.halo().local());
      term->add_force(state, Zone::boundary, whole);
      part->hold_others(state);
      for (int i : part->vertices()) {
        Vec3 force = Vec3::Zero();
        Mat3 derivative = Mat3::Zero();
        part->add(i, at, force, derivative);
        EXPECT_LE((force - whole[i]).norm(), 1e-12 * (1 + whole[i].norm()));
        if (whole[i].norm() > 0) ++seen;
        for (int axis = 0; axis < 3; ++axis) {
          State direction(system.halo().local());
          direction.q[i][axis] = at.dq;
          direction.v[i][axis] = at.dv;
          Field change(system.halo().local());
          term->add_product(at, direction, Zone::boundary, change);
          EXPECT_LE((derivative.col(axis) - change[i]).norm(), 1e-12 * (1 + derivative.norm()));
        }
      }
    }
    EXPECT_GT(seen, 16);
  }
}

struct Outcome {
  NewtonReport report;
  Field velocity;
};

// From the velocities at the start, or from rest, which is before any barrier.
Outcome solve(const Scene& scene, const Mesh& mesh, bool contact_first, double tolerance, bool from_rest) {
  test::OneStage stage(scene, mesh, kStep);
  SolverSettings settings;
  settings.tolerance = tolerance;
  settings.contact_first = contact_first;
  const Field still(stage.halo().local());
  const NewtonReport report = stage.solve(settings, {from_rest ? &still : &stage.start().v});
  EXPECT_TRUE(report.converged) << report.reason;
  return {report, stage.state().v};
}

// Solutions agree to nine digits of the landing speed.
TEST(VertexElimination, TheSolutionIsTheSame) {
  const auto compare = [](const Scene& scene, const Mesh& mesh) {
    const Outcome with = solve(scene, mesh, true, 1e-12, true), without = solve(scene, mesh, false, 1e-12, true);
    // On several ranks all of the boxes' vertices may touch features of other ranks, and are left out then.
    if (ranks() == 1 || scene.bodies.size() == 1) {
      EXPECT_GT(with.report.eliminations, 0);
    }
    EXPECT_EQ(without.report.eliminations, 0);
    const double difference = (with.velocity.array() - without.velocity.array()).lpNorm<Eigen::Infinity>();
    EXPECT_LT(maximum_over_ranks(PETSC_COMM_WORLD, difference), 3e-9);
  };
  Scene scene = landing_block();
  compare(scene, landing_mesh());
  scene.contacts[0].potential = ContactPotential::log_barrier;
  compare(scene, landing_mesh());
  for (const ContactPotential potential : {ContactPotential::cubic_penalty, ContactPotential::log_barrier})
    for (const ContactGeometry geometry : {ContactGeometry::smooth_surface, ContactGeometry::edges_and_faces}) {
      SCOPED_TRACE(static_cast<int>(geometry));
      SCOPED_TRACE(static_cast<int>(potential));
      compare(landing_box(geometry, potential), test::two_boxes(0.03));
    }
}

// At 30 m/s against a friction tolerance of 1 mm/s.
TEST(VertexElimination, SavesIterationsInAHardImpact) {
  Scene scene = landing_block();
  scene.bodies[0].initial.velocity = Vec3(0.3, -0.2, -30);
  scene.bodies[0].solid.begin()->second = {1e6, 0.4, 1000, {}};
  scene.contacts[0].friction->tolerance = 1e-3;
  scene.contacts[0].friction->stribeck_velocity = 1e-2;
  const Outcome with = solve(scene, landing_mesh(), true, 1e-8, false), without = solve(scene, landing_mesh(), false, 1e-8, false);
  EXPECT_LE(with.report.newton_iterations, 8);
  EXPECT_GE(without.report.newton_iterations, 16);
}

}  // namespace
}  // namespace traction
