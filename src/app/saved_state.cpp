#include "app/saved_state.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "errors.h"
#include "output/checkpoint.h"
#include "parallel/collective.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

constexpr const char* kContactCounts = "contact_counts";
constexpr const char* kCountedSteps = "counted steps";
constexpr const char* kStiffness = "stiffness of ";
constexpr const char* kBaseStiffness = "base stiffness of ";

std::string mode_name(int k) { return fmt::format("mode_{:04d}", k + 1); }

// Paths of the checkpoints in a run's folder, oldest first.
std::vector<std::string> checkpoints(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory + "/checkpoints", missing)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("step_") && name.ends_with(".h5")) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end(),
            [](const std::string& a, const std::string& b) { return std::pair(a.size(), a) < std::pair(b.size(), b); });  // by number
  return paths;
}

}  // namespace

std::string save_state(const Simulation& simulation, const std::string& directory, const RunCosts& costs) {
  const TimeLoop& loop = *simulation.loop;
  const System& system = *simulation.system;
  const Trajectory& trajectory = loop.trajectory();
  Checkpoint checkpoint;
  checkpoint.numbers = costs.numbers();
  checkpoint.fields = {{"positions", trajectory.current.q.values()}, {"velocities", trajectory.current.v.values()}};
  checkpoint.numbers.insert({{"step", static_cast<double>(loop.steps())},
                             {"time", trajectory.current.time},
                             {"halvings", static_cast<double>(loop.halvings())},
                             {"good steps", static_cast<double>(loop.good_steps())},
                             {"mesh", simulation.mesh_fingerprint}});
  if (trajectory.previous) {
    checkpoint.fields["previous_positions"] = trajectory.previous->q.values();
    checkpoint.fields["previous_velocities"] = trajectory.previous->v.values();
    checkpoint.numbers["previous_time"] = trajectory.previous->time;
    checkpoint.numbers["previous_step"] = trajectory.previous_step;
  }
  if (trajectory.current.acceleration) {
    checkpoint.fields["accelerations"] = trajectory.current.acceleration->values();
    checkpoint.numbers["accelerations"] = 1;
  }
  if (trajectory.modes) {
    checkpoint.numbers["modes"] = trajectory.modes->count();
    checkpoint.numbers["modes asked for"] = trajectory.modes_asked_for;
    checkpoint.numbers["modes age"] = static_cast<double>(trajectory.modes_age);
    for (int k = 0; k < trajectory.modes->count(); ++k) checkpoint.fields[mode_name(k)] = trajectory.modes->shape(k).values();
  }
  if (!simulation.contacts.empty()) {
    checkpoint.fields[kContactCounts] = simulation.contact_counts.counts();
    checkpoint.numbers[kCountedSteps] = simulation.contact_counts.steps();
  }
  for (const auto& contact : simulation.contacts) {
    checkpoint.numbers[kStiffness + contact->name()] = contact->stiffness();
    checkpoint.numbers[kBaseStiffness + contact->name()] = contact->base_stiffness();
  }
  const std::string folder = directory + "/checkpoints";
  on_first_rank(system.communicator(), [&] { fs::create_directories(folder); });
  const std::string path = fmt::format("{}/step_{:08d}.h5", folder, loop.steps());
  write_checkpoint(path, system.halo(), simulation.mesh->vertex_ids, checkpoint);
  on_first_rank(system.communicator(), [&] {
    std::vector<std::string> all = checkpoints(directory);
    // Those that come after it are of a run that was gone back behind: one of them was damaged.
    for (; !all.empty() && all.back() != path; all.pop_back()) fs::remove(all.back());
    for (int i = 0; i + simulation.scene.output.keep_checkpoints < static_cast<int>(all.size()); ++i) fs::remove(all[i]);
  });
  return path;
}

RunCosts restore_state(Simulation& simulation, const std::string& path) {
  const Halo& halo = simulation.system->halo();
  const std::map<std::string, double> numbers = read_checkpoint_numbers(path, halo);
  auto number = [&](const std::string& name) {
    const auto found = numbers.find(name);
    if (found == numbers.end()) throw InputError(path + ": holds no '" + name + "'; was the scene changed?");
    return found->second;
  };
  if (number("mesh") != simulation.mesh_fingerprint)
    throw InputError(path + ": belongs to other meshes than the scene's; resume with the meshes of the run, or start anew");
  Trajectory trajectory;
  trajectory.current = State(halo.local());
  trajectory.current.time = number("time");
  std::map<std::string, std::span<double>> fields = {{"positions", trajectory.current.q.values()}, {"velocities", trajectory.current.v.values()}};
  if (numbers.count("previous_step")) {
    trajectory.previous = State(halo.local());
    trajectory.previous->time = number("previous_time");
    trajectory.previous_step = number("previous_step");
    fields["previous_positions"] = trajectory.previous->q.values();
    fields["previous_velocities"] = trajectory.previous->v.values();
  }
  if (numbers.count("accelerations")) fields["accelerations"] = trajectory.current.acceleration.emplace(halo.local()).values();
  std::vector<Field> modes(numbers.count("modes") ? static_cast<std::size_t>(number("modes")) : 0, Field(halo.local()));
  for (std::size_t k = 0; k < modes.size(); ++k) fields[mode_name(static_cast<int>(k))] = modes[k].values();
  std::vector<double> counts(halo.local());
  if (numbers.count(kCountedSteps)) fields[kContactCounts] = counts;
  read_checkpoint_fields(path, halo, simulation.mesh->vertex_ids, fields);
  if (numbers.count("modes")) {
    trajectory.modes = std::make_shared<const ModalBasis>(*simulation.system, std::move(modes));
    trajectory.modes_age = static_cast<long>(number("modes age"));
    trajectory.modes_asked_for = static_cast<int>(number("modes asked for"));
  }
  if (numbers.count(kCountedSteps)) simulation.contact_counts = ContactCounts(std::move(counts), number(kCountedSteps));
  for (const auto& contact : simulation.contacts) {  // a base stiffness that was changed for the rest of the run is stiffened as far as the old one was
    const double stiffness = number(kStiffness + contact->name()), base = number(kBaseStiffness + contact->name());
    contact->set_stiffness(base == contact->base_stiffness() ? stiffness : contact->base_stiffness() * (stiffness / base));
  }
  simulation.loop->restore(std::move(trajectory), static_cast<long>(number("step")), static_cast<int>(number("halvings")),
                           static_cast<int>(number("good steps")));
  return RunCosts::from_numbers(numbers);
}

std::vector<double> contacts_in_checkpoint(const std::string& checkpoint, std::size_t vertices) {
  const Halo whole(PETSC_COMM_SELF, static_cast<int>(vertices), {});
  const std::map<std::string, double> numbers = read_checkpoint_numbers(checkpoint, whole);
  const auto steps = numbers.find(kCountedSteps);  // older versions wrote none
  if (steps == numbers.end() || steps->second == 0) return {};
  std::vector<int> in_order(vertices);
  std::iota(in_order.begin(), in_order.end(), 0);
  std::vector<double> counts(vertices);
  read_checkpoint_fields(checkpoint, whole, in_order, {{kContactCounts, counts}});
  for (double& count : counts) count /= steps->second;
  return counts;
}

std::string newest_checkpoint(MPI_Comm communicator, const std::string& directory) {
  std::vector<std::string> all;  // on rank 0
  double count = 0;
  on_first_rank(communicator, [&] {
    all = checkpoints(directory);
    if (all.empty()) throw InputError(directory + ": holds no checkpoint to resume from; start with traction run");
    count = static_cast<double>(all.size());
  });
  std::string path, fault;
  for (int i = static_cast<int>(maximum_over_ranks(communicator, count)) - 1; i >= 0; --i) {
    if (!all.empty()) path = all[i];
    broadcast(communicator, path);
    const auto found = checkpoint_fault(communicator, path);
    if (!found) return path;
    if (!all.empty()) spdlog::warn("{}; trying the one before", *found);
    fault = *found;
  }
  throw InputError(fault + ": damaged, and there is no older checkpoint; start anew with traction run");
}

void remove_checkpoints(const std::string& directory) {
  for (const std::string& checkpoint : checkpoints(directory)) fs::remove(checkpoint);
}

void refuse_unfinished_run(const std::string& directory) {
  if (checkpoints(directory).empty()) return;
  std::string status;
  try {
    status = YAML::LoadFile(directory + "/run.json")["status"].as<std::string>();  // JSON is a part of YAML
  } catch (const YAML::Exception&) {}
  if (status == "done") return;
  throw InputError(directory + ": holds the checkpoints of an unfinished run; go on with traction resume, choose another --out, or give --overwrite");
}

}  // namespace traction
