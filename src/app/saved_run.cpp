#include "app/saved_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "errors.h"
#include "output/slab_file.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// What to do before a run continues that could not write a file.
const char* remedy_for(const FileError& fault) {
  const std::string_view reason = fault.what();
  const auto is = [&](int error) { return reason.find(std::strerror(error)) != std::string_view::npos; };
  return is(ENOSPC) || is(EDQUOT) ? "make room" : "remove the cause";
}

}  // namespace

SavedRun::SavedRun(Simulation& simulation, std::string directory, const std::string& scene, const std::optional<RunRecord>& earlier, double start)
    : simulation_(simulation),
      directory_(std::move(directory)),
      earlier_(earlier ? earlier->costs : RunCosts{}),
      costs_(earlier_),
      recorder_(simulation, directory_, earlier.has_value(), earlier ? earlier->history_checksum : std::nullopt, earlier && earlier->lacks_frame) {
  on_first_rank(simulation_.system->communicator(), [&] { replace_text_file(directory_ + "/scene.yaml", scene); });
  if (!earlier || earlier->lacks_frame) recorder_.record_initial();
  costs_.setup_seconds += MPI_Wtime() - start;
  write_run_report(directory_, simulation_, costs_, "running");
  room_.emplace(simulation_, directory_);
}

void SavedRun::count(const StepRecord& step, double seconds) {
  const bool touching = touches(step.contacts);
  RunCosts::Phase& phase = touching ? costs_.contact : costs_.flight;
  ++phase.steps;
  phase.repeats += step.repeats;
  phase.newton_iterations += step.solver.newton_iterations;
  phase.linear_iterations += step.solver.linear_iterations;
  phase.eliminations += step.solver.eliminations;
  phase.seconds += seconds;
}

bool SavedRun::record(const StepRecord& step) {
  try {
    return recorder_.record(step);
  } catch (const SolverError& error) {
    throw given_up(error.what(), "the state after this step");
  } catch (const FileError& fault) {  // on all ranks alike
    room_->release();
    const std::string saved = saved_after(fault.what(), fmt::format("the state after step {}", simulation_.loop->steps()), "interrupted");
    throw FileError(fmt::format("{}: {}, and continue with: traction resume {}", saved, remedy_for(fault), directory_));
  }
}

std::string SavedRun::save(const char* status) {
  costs_.output_seconds = earlier_.output_seconds + recorder_.seconds();
  costs_.contact_work = sum(earlier_.contact_work, contact_work(simulation_));
  simulation_.contact_counts.fade();
  try {
    return write(status);
  } catch (const FileError&) {
    if (!room_->release()) throw;
    return write(status);
  }
}

void SavedRun::save_and_continue() {
  save("running");
  room_->take();
}

SolverError SavedRun::given_up(const std::string& reason, const std::string& state) { return SolverError(saved_after(reason, state, "solver gave up")); }

// Some file systems report a full disk only where files are flushed.
std::string SavedRun::write(const char* status) {
  recorder_.flush();
  std::string path = save_state(simulation_, directory_, {costs_, recorder_.history_checksum(), recorder_.lacks_frame()});
  write_run_report(directory_, simulation_, costs_, status);
  return path;
}

std::string SavedRun::saved_after(const std::string& reason, const std::string& state, const char* status) {
  try {
    recorder_.record_again();
    return fmt::format("{}; {} is in {}", reason, state, save(status));
  } catch (const FileError& fault) {
    throw FileError(fmt::format("{}; {} cannot be saved: {}", reason, state, fault.what()));
  }
}

}  // namespace traction
