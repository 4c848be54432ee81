#include "app/run_report.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <petscversion.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "output/slab_file.h"
#include "parallel/collective.h"
#include "scene/read_scene.h"

namespace traction {

namespace {

std::string phase_json(const RunCosts::Phase& phase) {
  return fmt::format(R"({{"steps": {}, "repeats": {}, "newton_iterations": {}, "linear_iterations": {}, "eliminations": {}, "seconds": {:.3f}}})", phase.steps,
                     phase.repeats, phase.newton_iterations, phase.linear_iterations, phase.eliminations, phase.seconds);
}

std::string spread_json(const Spread& spread) {
  return fmt::format(R"({{"min": {}, "mean": {:.1f}, "max": {}}})", spread.minimum, spread.mean, spread.maximum);
}

std::string spread_json(const Spread& spread, int digits) {
  return fmt::format(R"({{"min": {0:.{3}f}, "mean": {1:.{3}f}, "max": {2:.{3}f}}})", spread.minimum, spread.mean, spread.maximum, digits);
}

constexpr std::array<const char*, 3> kContactWork = {"costs contact work min", "costs contact work mean", "costs contact work max"};

Spread over_ranks(MPI_Comm communicator, double value) {
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);
  return {minimum_over_ranks(communicator, value), sum_over_ranks(communicator, value) / ranks, maximum_over_ranks(communicator, value)};
}

// Reports how the present partition divides the work of contact among ranks. Collective.
std::string contact_json(const Simulation& simulation) {
  const MPI_Comm communicator = simulation.system->communicator();
  const ContactCounts& counts = simulation.contact_counts;
  double on_surfaces = 0, in_contact = 0;
  for (int i = 0; i < simulation.system->halo().owned(); ++i) {
    if (simulation.contact_area[i] > 0) ++on_surfaces;
    if (counts.steps() > 0) in_contact += counts.counts()[i] / counts.steps();
  }
  return fmt::format(R"({{"surface_vertices": {}, "vertices_in_contact": {}, "seconds": {}}})", spread_json(over_ranks(communicator, on_surfaces)),
                     spread_json(over_ranks(communicator, in_contact), 3), spread_json(contact_work(simulation), 6));
}

// The file of the BLAS library that the program calls.
std::optional<std::string> file_of_blas() {
  void* symbol = dlsym(RTLD_DEFAULT, "dgemm_");
  Dl_info info;
  if (symbol == nullptr || dladdr(symbol, &info) == 0) return std::nullopt;
  return info.dli_fname;
}

}  // namespace

std::map<std::string, double> RunCosts::numbers() const {
  std::map<std::string, double> result = {{"costs setup", setup_seconds}, {"costs output", output_seconds}};
  auto add = [&](const std::string& name, const Phase& phase) {
    result["costs " + name + " steps"] = static_cast<double>(phase.steps);
    result["costs " + name + " repeats"] = static_cast<double>(phase.repeats);
    result["costs " + name + " newton"] = static_cast<double>(phase.newton_iterations);
    result["costs " + name + " linear"] = static_cast<double>(phase.linear_iterations);
    result["costs " + name + " eliminations"] = static_cast<double>(phase.eliminations);
    result["costs " + name + " seconds"] = phase.seconds;
  };
  add("flight", flight);
  add("contact", contact);
  result.insert({{kContactWork[0], contact_work.minimum}, {kContactWork[1], contact_work.mean}, {kContactWork[2], contact_work.maximum}});
  return result;
}

RunCosts RunCosts::from_numbers(const std::map<std::string, double>& numbers) {
  RunCosts costs;
  // A number that the checkpoint lacks starts from zero.
  const auto number = [&](const std::string& name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0.0 : found->second;
  };
  costs.setup_seconds = number("costs setup");
  costs.output_seconds = number("costs output");
  auto read = [&](const std::string& name, Phase& phase) {
    phase.steps = std::lround(number("costs " + name + " steps"));
    phase.repeats = std::lround(number("costs " + name + " repeats"));
    phase.newton_iterations = std::lround(number("costs " + name + " newton"));
    phase.linear_iterations = std::lround(number("costs " + name + " linear"));
    phase.eliminations = std::lround(number("costs " + name + " eliminations"));
    phase.seconds = number("costs " + name + " seconds");
  };
  read("flight", costs.flight);
  read("contact", costs.contact);
  costs.contact_work = {number(kContactWork[0]), number(kContactWork[1]), number(kContactWork[2])};
  return costs;
}

void log_repeats(const RunCosts& costs) {
  constexpr double kMany = 0.2;  // share of all steps
  const long steps = costs.contact.steps + costs.flight.steps, repeats = costs.contact.repeats + costs.flight.repeats;
  if (!(repeats > kMany * static_cast<double>(steps))) return;
  const bool touched = costs.contact.steps > 0;
  spdlog::warn(
      "{} solves in {} steps were discarded and repeated with a shorter step{} (column `repeats` shows when): a shorter time.step there{} may cost less",
      repeats, steps, touched ? " or a stiffer contact" : "", touched ? ", or a contact's own stiffness," : "");
}

Spread contact_work(const Simulation& simulation) {
  double seconds = 0;
  for (const auto& contact : simulation.contacts) seconds += contact->work_seconds();
  return over_ranks(simulation.system->communicator(), seconds);
}

Spread sum(const Spread& a, const Spread& b) { return {a.minimum + b.minimum, a.mean + b.mean, a.maximum + b.maximum}; }

std::string blas_library() {
  const auto file = file_of_blas();
  if (!file) return "unknown";
  std::error_code failure;
  const auto path = std::filesystem::canonical(*file, failure);
  return failure ? *file : path.string();
}

// Looks at the library that answers the program's calls, because others may be loaded that it does not use.
bool has_fast_blas() {
  const auto file = file_of_blas();
  void* library = file ? dlopen(file->c_str(), RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  constexpr std::array kOwnSymbols = {"openblas_get_config", "MKL_Get_Version", "mkl_get_version", "bli_info_get_version_str"};
  const auto has = [&](const char* symbol) { return dlsym(library != nullptr ? library : RTLD_DEFAULT, symbol) != nullptr; };  // dependencies included
  const bool is_fast = std::any_of(kOwnSymbols.begin(), kOwnSymbols.end(), has);
  if (library != nullptr) dlclose(library);
  return is_fast || blas_library().find("mkl") != std::string::npos;  // MKL's interface does not name the library that has these symbols
}

void write_run_report(const std::string& directory, const Simulation& simulation, const RunCosts& costs, const std::string& status) {
  const MPI_Comm communicator = simulation.system->communicator();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double memory = static_cast<double>(usage.ru_maxrss) * 1024;
  const std::string contact = contact_json(simulation);
  const double total_memory = sum_over_ranks(communicator, memory), largest_memory = maximum_over_ranks(communicator, memory);
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);
  on_first_rank(communicator, [&] {
    const PartitionQuality& quality = simulation.quality;
    const RunCosts::Phase& a = costs.flight;
    const RunCosts::Phase& b = costs.contact;
    const RunCosts::Phase total{a.steps + b.steps,
                                a.repeats + b.repeats,
                                a.newton_iterations + b.newton_iterations,
                                a.linear_iterations + b.linear_iterations,
                                a.eliminations + b.eliminations,
                                a.seconds + b.seconds};
    std::string json = "{\n";
    json += fmt::format("  \"status\": \"{}\",\n", status);
    json += fmt::format("  \"versions\": {{\"traction\": \"{}\", \"petsc\": \"{}.{}.{}\", \"blas\": \"{}\"}},\n", TRACTION_VERSION, PETSC_VERSION_MAJOR,
                        PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR, blas_library());
    json += fmt::format("  \"ranks\": {},\n  \"vertices\": {},\n  \"elements\": {},\n  \"total_mass\": {:.9g},\n", ranks, quality.vertices_total,
                        quality.elements_total, simulation.system->total_mass());
    json += fmt::format("  \"partition\": {{\"parts\": {}, \"edge_cut\": {}, \"vertices\": {}, \"elements\": {}, \"ghosts\": {}, \"neighbours\": {}}},\n",
                        quality.parts, quality.edge_cut, spread_json(quality.vertices), spread_json(quality.elements), spread_json(quality.ghosts),
                        spread_json(quality.neighbours));
    json += fmt::format("  \"contact_balance\": {},\n", contact);
    json += fmt::format(
        "  \"costs\": {{\n    \"setup_seconds\": {:.3f},\n    \"output_seconds\": {:.3f},\n    \"flight\": {},\n    \"contact\": {},\n    \"total\": {},\n",
        costs.setup_seconds, costs.output_seconds, phase_json(a), phase_json(b), phase_json(total));
    json += fmt::format("    \"contact_work_seconds\": {},\n", spread_json(costs.contact_work, 6));
    for (const auto& [name, count] : simulation.loop->counts()) json += fmt::format("    \"{}\": {},\n", name, count);
    json += fmt::format("    \"peak_memory_bytes\": {:.0f},\n    \"peak_memory_bytes_largest_rank\": {:.0f}\n  }},\n", total_memory, largest_memory);
    json += "  \"energy_balance\": {";
    const auto energies = simulation.loop->energy_balance();
    for (std::size_t i = 0; i < energies.size(); ++i) json += fmt::format("{}\"{}\": {:.9g}", i == 0 ? "" : ", ", energies[i].first, energies[i].second);
    json += "},\n";
    json += "  \"contact_stiffness\": {";
    for (std::size_t i = 0; i < simulation.contacts.size(); ++i)
      json += fmt::format("{}\"{}\": {:.9g}", i == 0 ? "" : ", ", simulation.contacts[i]->name(), simulation.contacts[i]->base_stiffness());
    json += "},\n  \"scene\": " + to_json(simulation.scene) + "\n}\n";
    replace_text_file(directory + "/run.json", json);
  });
}

}  // namespace traction
