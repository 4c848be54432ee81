#include "app/step_loop.h"

#include <fmt/format.h>
#include <petscoptions.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "app/progress.h"
#include "errors.h"
#include "parallel/log_event.h"
#include "parallel/petsc_handle.h"

namespace traction {

namespace {

// Warns of options that PETSc has not read by the end of a step: they are misspelt.
void warn_about_unused_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  check_petsc(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  for (PetscInt i = 0; i < count; ++i) spdlog::warn("PETSc knows no option '-{}' here; it has no effect", names[i]);
  check_petsc(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
}

// Ends the message about a step that fails: names the things that run into each other in it as prescribed. Collective.
std::string meetings_ahead(const Simulation& simulation) {
  std::string text;
  State end = simulation.loop->state();
  double step = 0;
  for (const StepSettings& piece : simulation.scene.time.steps) step = std::max(step, piece.step);
  end.time += step;
  if (!simulation.meetings.empty()) simulation.system->set_driven_positions(end);
  for (const auto& meetings : simulation.meetings)
    for (const std::string& warning : meetings->warnings(simulation.loop->state(), end)) text += "; " + warning;
  return text;
}

}  // namespace

StepLoop::StepLoop(Simulation& simulation, SavedRun& saved, StepWatch& watch, const StopRequest& stop, bool is_new)
    : simulation_(simulation),
      saved_(saved),
      watch_(watch),
      stop_(stop),
      communicator_(simulation.system->communicator()),
      jumps_(watched_contacts(simulation, is_new)),
      chatter_(carrying_contacts(simulation)),
      creep_(simulation),
      crossings_(simulation),
      solids_(simulation),
      due_(communicator_, simulation.scene.output.checkpoint_every) {
  int rank = 0;
  MPI_Comm_rank(communicator_, &rank);
  first_ = rank == 0;
  if (is_new && simulation.scene.time.integrator != Integrator::asynchronous) touched_.assign(simulation.scene.contacts.size(), 0);
  if (first_ && is_new)
    for (const std::string& warning : crossings_.warnings_at_start()) spdlog::warn("{}", warning);
}

int StepLoop::run() {
  Driver& loop = *simulation_.loop;
  Progress progress(first_, loop.state().time, simulation_.scene.time.end, simulation_.scene.output.log_every);
  while (!loop.done()) {
    const double start = MPI_Wtime();
    const State before = simulation_.meetings.empty() && simulation_.contacts.empty() ? State() : loop.state();
    StepRecord step;
    try {
      step = take_step();
    } catch (const Interrupted& interruption) {  // thrown on all ranks alike, as SolverError is
      return interruption.signal();
    }
    look_at(step, before);
    saved_.count(step, MPI_Wtime() - start);
    simulation_.contact_counts.add_step(simulation_.contacts);
    log_of(step, step.warnings);  // before anything that may fail
    record(step);
    progress.update(step);
    if (loop.done()) break;
    if (const int signal = stop_.signal_on_any_rank(communicator_)) return signal;
    if (!due_.after(step)) continue;
    saved_.save_and_continue();
    due_.saved();
  }
  return 0;
}

std::vector<std::string> StepLoop::untouched() const {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < touched_.size(); ++c) {
    const ContactSettings& contact = simulation_.scene.contacts[c];
    const auto* other = std::get_if<BodySurface>(&contact.against);
    const bool is_of_one_body = !contact.all && other && other->body == contact.vertices.body;
    if (!touched_[c] && !is_of_one_body) names.push_back(fmt::format("'{}'", contact.name));
  }
  return names;
}

StepRecord StepLoop::take_step() {
  try {
    const LogStage phase("Steps");
    watch_.begin_step(simulation_.loop->steps() + 1, simulation_.loop->state().time, simulation_.system->has_inertia());
    return simulation_.loop->advance();
  } catch (const SolverError& error) {
    throw saved_.given_up(error.what() + meetings_ahead(simulation_), "the last good state");
  }
}

void StepLoop::look_at(StepRecord& step, const State& before) {
  for (const auto& meetings : simulation_.meetings)
    for (std::string& warning : meetings->warnings(before, simulation_.loop->state())) step.warnings.push_back(std::move(warning));
  const auto taken = [&](std::size_t contact) { return speed_taken(simulation_, contact, step, before.v); };
  for (std::string& warning : jumps_.look(step, taken)) step.warnings.push_back(std::move(warning));
  for (std::string& warning : solids_.look()) step.warnings.push_back(std::move(warning));
  for (std::string& warning : creep_.look(step)) step.warnings.push_back(std::move(warning));
  chatter_.look(step);
  for (std::size_t c = 0; c < std::min(touched_.size(), step.contacts.size()); ++c) touched_[c] |= step.contacts[c].active > 0;
  if (first_ && !options_checked_) warn_about_unused_options();
  options_checked_ = true;
}

void StepLoop::log_of(const StepRecord& step, const std::vector<std::string>& warnings) const {
  if (!first_) return;
  for (const std::string& warning : warnings) spdlog::warn("step {} at t = {:.6g} s: {}", step.step, step.time, warning);
}

void StepLoop::record(const StepRecord& step) {
  const LogStage phase("Output");
  if (saved_.record(step) || simulation_.loop->done()) log_of(step, crossings_.look());
}

}  // namespace traction
