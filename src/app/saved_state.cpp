#include "app/saved_state.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include "app/resumed_motions.h"
#include "errors.h"
#include "output/checkpoint.h"
#include "parallel/collective.h"
#include "scene/read_scene.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

constexpr const char* kContactCounts = "contact_counts";
constexpr const char* kCountedSteps = "counted steps";
constexpr const char* kHistory = "checksum of the history";
constexpr const char* kLacksFrame = "lacks its frame";
constexpr const char* kStiffness = "stiffness of ";
constexpr const char* kBaseStiffness = "base stiffness of ";
constexpr const char* kSpread = "spread of the mesh";  // checkpoints of older versions lack this number
constexpr const char* kLayers = "layers of ";

std::string layer_name(const char* quantity, std::size_t layer, const ContactGroup& contact) {
  return fmt::format("{} of layer {} of {}", quantity, layer + 1, contact.name());
}

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

std::string save_state(const Simulation& simulation, const std::string& directory, const RunRecord& record) {
  const System& system = *simulation.system;
  Archive archive{{}, record.costs.numbers()};
  if (record.history_checksum) archive.numbers[kHistory] = *record.history_checksum;
  if (record.lacks_frame) archive.numbers[kLacksFrame] = 1;
  archive.numbers["mesh"] = simulation.mesh_fingerprint;
  archive.numbers[kSpread] = simulation.mesh_spread;
  simulation.loop->save(archive);
  if (!simulation.contacts.empty()) {
    archive.save(kContactCounts, simulation.contact_counts.counts());
    archive.numbers[kCountedSteps] = simulation.contact_counts.steps();
  }
  for (const auto& contact : simulation.contacts) {
    archive.numbers[kStiffness + contact->name()] = contact->stiffness();
    archive.numbers[kBaseStiffness + contact->name()] = contact->base_stiffness();
    const std::vector<ContactLayer> layers = contact->hardness().layers;
    archive.numbers[kLayers + contact->name()] = static_cast<double>(layers.size());
    for (std::size_t l = 0; l < layers.size(); ++l) {
      archive.numbers[layer_name("thickness", l, *contact)] = layers[l].thickness;
      archive.numbers[layer_name("stiffness", l, *contact)] = layers[l].stiffness;
    }
  }
  const std::string folder = directory + "/checkpoints";
  on_first_rank(system.communicator(), [&] { fs::create_directories(folder); });
  const std::string path = fmt::format("{}/step_{:08d}.h5", folder, simulation.loop->steps());
  write_checkpoint(path, system.halo(), simulation.mesh->vertex_ids, std::move(archive));
  on_first_rank(system.communicator(), [&] {
    std::vector<std::string> all = checkpoints(directory);
    // Newer checkpoints are from a run that went back to this one because one of them was damaged.
    for (; !all.empty() && all.back() != path; all.pop_back()) fs::remove(all.back());
    for (int i = 0; i + simulation.scene.output.keep_checkpoints < static_cast<int>(all.size()); ++i) fs::remove(all[i]);
  });
  return path;
}

RunRecord restore_state(Simulation& simulation, const std::string& path) {
  const Halo& halo = simulation.system->halo();
  Archive archive{{}, read_checkpoint_numbers(path, halo), path};
  if (archive.number("mesh") != simulation.mesh_fingerprint)
    throw InputError(path + ": belongs to other meshes than the scene's; resume with the meshes of the run, or start a new run");
  constexpr double kSame = 1e-6;  // the meshes are generated anew, and rotations may be rounded differently in other builds
  if (const auto spread = archive.numbers.find(kSpread);
      spread != archive.numbers.end() && !(std::abs(spread->second - simulation.mesh_spread) <= kSame * simulation.mesh_spread))
    throw InputError(path + ": belongs to meshes whose vertices lay elsewhere; resume with the mesh files and the `scale` of the run, or start a new run");
  archive.fields = read_checkpoint_fields(path, halo, simulation.mesh->vertex_ids);
  if (archive.numbers.contains(kCountedSteps)) {
    std::vector<double> counts(halo.local());
    archive.load(kContactCounts, counts);
    simulation.contact_counts = ContactCounts(std::move(counts), archive.number(kCountedSteps));
  }
  for (const auto& contact : simulation.contacts) {  // a new base stiffness is stiffened by the same factor as the old one
    const double stiffness = archive.number(kStiffness + contact->name()), base = archive.number(kBaseStiffness + contact->name());
    ContactHardness hardness{base == contact->base_stiffness() ? stiffness : contact->base_stiffness() * (stiffness / base), {}};
    const auto layers = static_cast<std::size_t>(archive.number(kLayers + contact->name()));
    for (std::size_t l = 0; l < layers; ++l)
      hardness.layers.push_back({archive.number(layer_name("thickness", l, *contact)), archive.number(layer_name("stiffness", l, *contact))});
    contact->set_hardness(hardness);
  }
  simulation.loop->load(archive);
  RunRecord record{RunCosts::from_numbers(archive.numbers)};
  if (archive.numbers.contains(kHistory)) record.history_checksum = archive.number(kHistory);
  record.lacks_frame = archive.numbers.contains(kLacksFrame);
  return record;
}

std::vector<double> contacts_in_checkpoint(const std::string& checkpoint, std::size_t vertices) {
  const Halo whole(PETSC_COMM_SELF, static_cast<int>(vertices), {});
  const std::map<std::string, double> numbers = read_checkpoint_numbers(checkpoint, whole);
  const auto steps = numbers.find(kCountedSteps);  // older versions did not write it
  if (steps == numbers.end() || steps->second == 0) return {};
  std::vector<int> in_order(vertices);
  std::iota(in_order.begin(), in_order.end(), 0);
  std::vector<double> counts(vertices);
  read_checkpoint_fields(checkpoint, whole, in_order, {{kContactCounts, counts}});
  for (double& count : counts) count /= steps->second;
  return counts;
}

void refuse_initial_overrides(const std::vector<std::string>& overrides) {
  for (const std::string& assignment : overrides) {
    const std::string path = assignment.substr(0, assignment.find('='));
    const std::size_t dot = path.find('.', std::string("bodies.").size());
    if (path.starts_with("bodies.") && dot != std::string::npos && (path.substr(dot) == ".initial" || path.substr(dot).starts_with(".initial.")))
      throw InputError("--set " + assignment + ": has no effect on a run that continues from a checkpoint; leave it out, or start a new run");
  }
}

void refuse_unfit_changes(const Simulation& simulation, const std::string& directory, const std::string& scene, const std::vector<std::string>& changes) {
  constexpr double kRounding = 1e-9;  // relative to a time
  if (changes.empty()) return;
  const std::string file = directory + "/scene.yaml";
  std::string text;
  on_first_rank(simulation.system->communicator(), [&] {
    std::ostringstream present;
    present << std::ifstream(file, std::ios::binary).rdbuf();
    text = present.str();
    if (text == scene || !simulation.loop->done()) return;  // the settings have these values already, or steps will be taken with them
    const double time = simulation.loop->state().time, end = simulation.scene.time.end;
    if (end < time * (1 - kRounding))
      throw InputError(
          fmt::format("{}: the run has reached t = {:.9g} s, and cannot end at {:.9g} s; give a time.end beyond it, or start a new run", directory, time, end));
    throw InputError(
        fmt::format("{}: the run has ended at time.end, {:.9g} s, so that --set {} changes nothing; give a later end too (--set time.end=...), or "
                    "start a new run",
                    directory, end, changes.front()));
  });
  broadcast(simulation.system->communicator(), text);
  if (text != scene) refuse_jumps(simulation, read_scene(text, file, {}));
}

std::string newest_checkpoint(MPI_Comm communicator, const std::string& directory) {
  std::vector<std::string> all;  // on rank 0
  double count = 0;
  on_first_rank(communicator, [&] {
    all = checkpoints(directory);
    if (fs::is_regular_file(directory))
      throw InputError(directory + ": is a file; resume takes the output folder of a run, in which the run has kept its scene");
    if (!fs::is_directory(directory)) throw InputError(directory + ": no such folder; give the output folder of a run");
    if (all.empty()) throw InputError(directory + ": holds no checkpoint to resume from; start with traction run");
    for (const std::string& path : all)
      if (fs::is_directory(path))
        throw InputError(path + ": is a folder with the name of a checkpoint, so that the run could not write that checkpoint; move it away");
    count = static_cast<double>(all.size());
  });
  std::string path, fault;
  for (int i = static_cast<int>(maximum_over_ranks(communicator, count)) - 1; i >= 0; --i) {
    if (!all.empty()) path = all[i];
    broadcast(communicator, path);
    refuse_other_version(communicator, path);
    const auto found = checkpoint_fault(communicator, path);
    if (!found) return path;
    if (!all.empty()) spdlog::warn("{}; trying the previous checkpoint", *found);
    fault = *found;
  }
  throw InputError(fault + ": damaged, and no older checkpoint exists; start a new run with traction run");
}

void refuse_unfinished_run(const std::string& directory) {
  if (checkpoints(directory).empty()) return;
  std::string status;
  try {
    status = YAML::LoadFile(directory + "/run.json")["status"].as<std::string>();  // JSON is a part of YAML
  } catch (const YAML::Exception&) {}
  if (status == "done") return;
  throw InputError(directory + ": holds the checkpoints of an unfinished run; continue with traction resume, choose another --out, or give --overwrite");
}

}  // namespace traction
