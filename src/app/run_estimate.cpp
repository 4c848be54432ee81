#include "app/run_estimate.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "app/output_size.h"
#include "app/temporary_directory.h"
#include "parallel/collective.h"
#include "simulation/load_times.h"
#include "simulation/scene_mesh.h"
#include "simulation/simulation.h"

namespace traction {

namespace {

constexpr int kTrialSteps = 3;
constexpr double kGiga = 1e9;

// Counts the steps of a run in which no step is halved. Steps end at the corners of loads.
double scheduled_steps(const Scene& scene) {
  const TimeSettings& time = scene.time;
  const std::vector<double> corners = time.integrator == Integrator::asynchronous ? std::vector<double>() : corners_of_loads(scene);
  double steps = 0;
  for (std::size_t i = 0; i < time.steps.size(); ++i) {
    const double end = i + 1 < time.steps.size() ? std::min(time.end, time.steps[i + 1].from) : time.end;
    double start = time.steps[i].from;
    const auto add_until = [&](double next) {
      if (next > start) steps += std::ceil((next - start) / time.steps[i].step - 1e-9);
      start = std::max(start, next);
    };
    for (const double corner : corners) add_until(std::min(corner, end));
    add_until(end);
  }
  return steps;
}

double memory_of_this_process() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.3g} min", seconds / 60);
  return fmt::format("{:.3g} h", seconds / 3600);
}

}  // namespace

std::string estimate_run(MPI_Comm communicator, const Scene& scene) {
  Mesh mesh;  // on rank 0
  on_first_rank(communicator, [&] { mesh = load_scene_mesh(scene, TemporaryDirectory().path()); });
  const double start = MPI_Wtime();
  const Simulation simulation = build_simulation(communicator, scene, std::move(mesh));
  const double built = MPI_Wtime();
  const OutputSize size = expected_output(simulation);  // at the start of the run
  int steps = 0;
  while (steps < kTrialSteps && !simulation.loop->done()) simulation.loop->advance(), ++steps;
  const double setup = maximum_over_ranks(communicator, built - start), per_step = maximum_over_ranks(communicator, MPI_Wtime() - built) / steps;
  const double memory = memory_of_this_process(), total = sum_over_ranks(communicator, memory);
  const double least = minimum_over_ranks(communicator, memory), most = maximum_over_ranks(communicator, memory);
  const double scheduled = scheduled_steps(scene);
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);

  std::string text =
      fmt::format("# on {} rank(s): {:.0f} steps scheduled; the first {} took {} each, after {} of set-up: at this pace {} {}\n", ranks, scheduled, steps,
                  duration(per_step), duration(setup), scene.time.error_tolerance ? "at least" : "about", duration(setup + scheduled * per_step));
  text += fmt::format("# memory: {:.3g} GB in all, {:.3g} to {:.3g} GB per rank; {:.0f} to {:.0f} elements per rank\n", total / kGiga, least / kGiga,
                      most / kGiga, simulation.quality.elements.minimum, simulation.quality.elements.maximum);
  const auto events = simulation.loop->expected_events();
  for (std::size_t k = 0; k < events.size(); ++k)
    text += fmt::format("{}{:.3g} {}{}", k == 0 ? "# events: " : ", ", events[k].second * scene.time.end, events[k].first,
                        k + 1 == events.size() ? "; those of contact come on top\n" : "");
  return text + fmt::format("# written: {}\n", size.text());
}

}  // namespace traction
