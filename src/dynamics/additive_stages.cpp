#include "dynamics/additive_stages.h"

#include <fmt/format.h>

#include "solver/modes.h"
#include "system/body_motion.h"

namespace traction {

namespace {

constexpr const char* kPlaces = "places_of_modes";

std::string mode_name(int k) { return fmt::format("mode_{:04d}", k + 1); }

// The same state, except for driven vertices and what follows them: in the directions in which they are held they have the constant velocity that takes them to
// their positions at `time`. Collective.
State with_mean_drive(const System& system, const State& state, double time) {
  if (system.driven().empty()) return state;
  State result = state, end = state;
  end.time = time;
  system.set_driven_positions(end);
  for (int i = 0; i < system.halo().owned(); ++i)
    result.v[i] = system.held().free_part(i, result.v[i]) + system.held().held_part(i, (end.q[i] - state.q[i]) / (time - state.time));
  system.exchange(result.v);  // dependent vertices count as held, and move as their masters do
  return result;
}

}  // namespace

void AdditiveStages::prepare(const State& start) {
  const bool due = settings_.refresh_modes > 0 && age_ >= settings_.refresh_modes;
  const std::size_t released = solver_.system().constraints().released;
  if (computed_ && asked_for_ == settings_.modes && released_ == released && !due) {
    modes_ = turned_modes(start);
    return;
  }
  modes_ = computed_ = lowest_modes(solver_.system(), start, settings_.modes, settings_.modes_source.text).basis;
  places_ = start.q;
  age_ = 0;
  asked_for_ = settings_.modes;
  released_ = released;
}

std::shared_ptr<const ModalBasis> AdditiveStages::turned_modes(const State& start) const {
  const System& system = solver_.system();
  if (system.dependents().any()) return computed_;  // dependent vertices join bodies that may turn by different angles
  const std::vector<Mat3> rotations = body_rotations(system, places_, start.q);
  std::vector<Field> shapes;
  for (int k = 0; k < computed_->count(); ++k) {
    Field& shape = shapes.emplace_back(computed_->shape(k));
    for (std::size_t b = 0; b < rotations.size(); ++b)
      for (const int vertex : system.bodies()[b]) shape[vertex] = rotations[b] * shape[vertex];
    system.exchange(shape);
  }
  return std::make_shared<const ModalBasis>(system, std::move(shapes));
}

void AdditiveStages::take(Step& step, State& next) {
  prepare(step.start);
  ImplicitStages::take(step, next);
}

bool AdditiveStages::solve_stage(Step& step, Stage stage, const StageRow& row, const State& last, State& solution) {
  if (row.exponential == 0 || modes_->count() == 0) return ImplicitStages::solve_stage(step, std::move(stage), row, last, solution);
  System& system = solver_.system();
  const double stage_step = stage.step, tau = row.exponential * step.h;
  if (!settings_.published_history && tau != stage_step) complete_other_forces(tau - stage_step, last, stage.momentum);
  // tau phi_1(tau J_G) G; the first tau is the stage's a h, as published.
  const auto exponential_part = [&](const ModalSplit& split) {
    const double factor = settings_.published_history ? stage_step : tau;
    StageExponential exponential{&split, split.exponential(tau), !settings_.published_history, tau};
    exponential.increment.q *= factor;
    exponential.increment.v *= factor;
    return exponential;
  };
  State base = with_mean_drive(system, last, stage.time);
  if (step.semi_implicit) {
    base.time = stage.time;
    Field force = solver_.linearize(std::move(stage), base);
    const ModalSplit split(system, modes_, base, last.time, base.time);
    return solver_.solve_linearized(step, base, std::move(force), exponential_part(split), solution);
  }
  system.prepare(base);
  system.linearize(base);
  const ModalSplit split(system, modes_, base, last.time, stage.time);
  const StageExponential exponential = exponential_part(split);
  stage.split = modes_;
  if (exponential.project_history) {
    const auto project = [&](Field& hat, const Field& known) {
      Field history(system.halo().local());
      history.array() = hat.array() - known.array();
      modes_->add_motion(-modes_->coordinates(history), hat);
    };
    project(stage.q_hat, last.q);
    project(stage.v_hat, last.v);
  }
  modes_->add_motion(exponential.increment.q, stage.q_hat);
  modes_->add_motion(exponential.increment.v, stage.v_hat);
  // The solver bounds the paths of its iterates; the modes' motion is no part of these.
  return solver_.solve_fully(step, std::move(stage), row.time * step.h, last, solution) && solver_.is_admissible(last, solution, step.report.reason);
}

void AdditiveStages::complete_other_forces(double duration, const State& last, Field& momentum) const {
  Field force(solver_.system().halo().local());
  solver_.system().force(last, force, Terms::other);
  modes_->add_force(duration * modes_->loads(force), momentum);
}

void AdditiveStages::save(Archive& archive) const {
  if (!computed_) return;
  archive.numbers["modes"] = computed_->count();
  archive.numbers["modes asked for"] = asked_for_;
  archive.numbers["modes age"] = static_cast<double>(age_);
  archive.numbers["modes after releases"] = static_cast<double>(released_);
  for (int k = 0; k < computed_->count(); ++k) archive.save(mode_name(k), computed_->shape(k).values());
  archive.save(kPlaces, places_.values());
}

void AdditiveStages::load(const Archive& archive) {
  computed_.reset();
  if (!archive.numbers.contains("modes") || !archive.fields.contains(kPlaces))
    return;  // older versions did not save these positions, so modes are computed anew
  const int local = solver_.system().halo().local();
  std::vector<Field> shapes(static_cast<std::size_t>(archive.number("modes")), Field(local));
  for (std::size_t k = 0; k < shapes.size(); ++k) archive.load(mode_name(static_cast<int>(k)), shapes[k].values());
  places_ = Field(local);
  archive.load(kPlaces, places_.values());
  computed_ = std::make_shared<const ModalBasis>(solver_.system(), std::move(shapes));
  asked_for_ = static_cast<int>(archive.number("modes asked for"));
  age_ = static_cast<long>(archive.number("modes age"));
  released_ = archive.numbers.contains("modes after releases") ? static_cast<std::size_t>(archive.number("modes after releases")) : 0;
}

}  // namespace traction
