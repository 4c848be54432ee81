#include "scene/read_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "scene/override_setting.h"
#include "scene/scene_sections.h"
#include "scene/setting.h"
#include "scene/setting_reader.h"

namespace traction {

namespace {

constexpr double kLeastStep = 1e-12;  // in parts of the whole time

double read_step(const SettingReader& setting) {
  const double step = setting.number();
  if (step == 0) setting.fail("zero-length time step; give a positive number of seconds");
  if (step < 0) setting.fail("negative time step " + excerpt(setting.text()) + "; give a positive number of seconds");
  return step;
}

constexpr const char* kEstimating = "tr_bdf2, sdirk2 or tr_sdirk2";

bool estimates_error(Integrator integrator) {
  return integrator == Integrator::tr_bdf2 || integrator == Integrator::sdirk2 || integrator == Integrator::tr_sdirk2;
}

std::vector<StepSettings> read_steps(const SettingReader& setting) {
  if (!setting.is_list()) return {{0, read_step(setting), std::nullopt}};
  std::vector<StepSettings> pieces;
  for (const SettingReader& item : setting.items()) {
    item.expect_keys({"from", "step", "integrator"});
    const SettingReader from = item.require("from", "give the time in s from which on the step holds");
    StepSettings piece{from.number(), read_step(item.require("step", "give the length of the step in s")), std::nullopt};
    if (const auto integrator = item.find("integrator")) piece.integrator = integrator->choice(kIntegrators);
    if (pieces.empty() && piece.from != 0) from.fail("the first piece must begin at 0, found " + excerpt(from.text()) + "; write from: 0");
    if (!pieces.empty() && piece.from <= pieces.back().from) {
      from.fail("must come after the piece before, found " + excerpt(from.text()) + "; sort the pieces by increasing time");
    }
    pieces.push_back(piece);
  }
  if (pieces.empty()) setting.fail("the schedule is empty; give a number, or a list of {from: ..., step: ...}");
  return pieces;
}

bool is_exponential(Integrator integrator) { return integrator >= Integrator::ere; }

void read_scheme(const SettingReader& setting, TimeSettings& time) {
  setting.read("semi_implicit", time.semi_implicit, &SettingReader::boolean);
  const bool exponential =
      std::any_of(time.steps.begin(), time.steps.end(), [&](const StepSettings& piece) { return is_exponential(piece.integrator.value_or(time.integrator)); });
  if (time.semi_implicit && exponential)
    setting.find("semi_implicit")
        ->fail("holds for integrators that are not exponential; siere, sbdf2ere and str_sbdf2ere are semi-implicit as they are: leave it out");
  if (const auto radius = setting.find("spectral_radius")) {
    time.spectral_radius = radius->number();
    if (time.spectral_radius < 0 || time.spectral_radius > 1)
      radius->fail("must be from 0 to 1, found " + excerpt(radius->text()) + "; 1 damps nothing, 0 most");
  }
  if (const auto tolerance = setting.find("exponential_tolerance")) {
    time.exponential_tolerance = tolerance->number();
    if (time.exponential_tolerance < 1e-14 || time.exponential_tolerance >= 1)
      tolerance->fail("must be at least 1e-14 and below 1, found " + excerpt(tolerance->text()) + "; a usual value is 1e-8");
  }
  setting.read("modes", time.modes, &SettingReader::non_negative_integer);
  setting.read("refresh_modes", time.refresh_modes, &SettingReader::non_negative_integer);
  setting.read("published_history", time.published_history, &SettingReader::boolean);
}

TimeSettings read_time(const SettingReader& setting) {
  setting.expect_keys({"step", "end", "integrator", "maximum_halvings", "error_tolerance", "semi_implicit", "spectral_radius", "exponential_tolerance", "modes",
                       "refresh_modes", "published_history"});
  TimeSettings time;
  time.steps = read_steps(setting.require("step", "give the length of a time step in s"));
  const SettingReader end = setting.require("end", "give the time in s at which to stop");
  time.end = end.positive();
  for (const StepSettings& piece : time.steps) {  // or rounding would let time stand still
    if (piece.step < kLeastStep * time.end) end.fail("takes more than 1e12 steps of the shortest length; lengthen the steps, or stop earlier");
  }
  setting.read("integrator", time.integrator, kIntegrators);
  setting.read("maximum_halvings", time.maximum_halvings, &SettingReader::non_negative_integer);
  setting.read("error_tolerance", time.error_tolerance, &SettingReader::positive);
  if (time.error_tolerance) {
    for (const StepSettings& piece : time.steps) {
      const Integrator integrator = piece.integrator.value_or(time.integrator);
      if (!estimates_error(integrator))
        setting.find("error_tolerance")
            ->fail(fmt::format("{} tells no error of its steps; take {}, or leave error_tolerance out", name_of(kIntegrators, integrator), kEstimating));
    }
  }
  read_scheme(setting, time);
  return time;
}

SolverSettings read_solver(const SettingReader& setting) {
  setting.expect_keys(
      {"method", "operator", "krylov", "preconditioner", "tolerance", "forcing", "maximum_iterations", "maximum_linear_iterations", "reproducible"});
  SolverSettings solver;
  setting.read("method", solver.method, kNewtonMethods);
  setting.read("operator", solver.linear_operator, kOperators);
  setting.read("krylov", solver.krylov, kKrylovMethods);
  setting.read("preconditioner", solver.preconditioner, kPreconditioners);
  setting.read("tolerance", solver.tolerance, &SettingReader::positive);
  if (const auto forcing = setting.find("forcing")) {
    solver.forcing = forcing->number();
    if (solver.forcing <= 0 || solver.forcing >= 1) {
      forcing->fail("must be above 0 and below 1, found " + excerpt(forcing->text()) + "; a usual value is 0.01");
    }
  }
  setting.read("maximum_iterations", solver.maximum_iterations, &SettingReader::positive_integer);
  setting.read("maximum_linear_iterations", solver.maximum_linear_iterations, &SettingReader::positive_integer);
  setting.read("reproducible", solver.reproducible, &SettingReader::boolean);
  return solver;
}

PartitionSettings read_partition(const SettingReader& setting, const std::filesystem::path& folder) {
  setting.expect_keys({"file", "contact_weight"});
  PartitionSettings partition;
  if (const auto file = setting.find("file")) partition.file = read_path(*file, folder);
  setting.read("contact_weight", partition.contact_weight, &SettingReader::non_negative);
  return partition;
}

CheckpointSettings read_checkpoint_interval(const SettingReader& setting) {
  CheckpointSettings every;
  if (!setting.is_map()) {
    every.minutes = setting.positive();
    return every;
  }
  setting.expect_keys({"minutes", "steps", "time"});
  setting.read("minutes", every.minutes, &SettingReader::positive);
  setting.read("steps", every.steps, &SettingReader::positive_integer);
  setting.read("time", every.time, &SettingReader::positive);
  return every;
}

OutputSettings read_output(const SettingReader& setting) {
  setting.expect_keys({"every", "fields", "contacts", "log_every", "checkpoint_every", "keep_checkpoints", "precision", "compression"});
  OutputSettings output;
  setting.read("every", output.every, &SettingReader::positive);
  if (const auto fields = setting.find("fields")) {
    output.fields.clear();
    for (const SettingReader& field : fields->one_or_more()) {
      const std::string name(field.choice(kOutputFields));
      if (std::find(output.fields.begin(), output.fields.end(), name) != output.fields.end()) {
        field.fail("the field '" + name + "' is listed twice; remove one");
      }
      output.fields.push_back(name);
    }
  }
  setting.read("contacts", output.contacts, &SettingReader::boolean);
  setting.read("precision", output.precision, kFieldPrecisions);
  if (const auto compression = setting.find("compression")) {
    output.compression = compression->non_negative_integer();
    if (output.compression > 9)
      compression->fail("must be from 0 (none) to 9 (smallest, slowest), found " + excerpt(compression->text()) + "; 1 does most of it");
  }
  setting.read("log_every", output.log_every, &SettingReader::positive_integer);
  if (const auto every = setting.find("checkpoint_every")) output.checkpoint_every = read_checkpoint_interval(*every);
  setting.read("keep_checkpoints", output.keep_checkpoints, &SettingReader::positive_integer);
  return output;
}

std::map<std::string, std::string> read_petsc(const SettingReader& setting) {
  std::map<std::string, std::string> options;
  for (const auto& [name, value] : setting.entries()) {
    if (name.empty() || name[0] == '-') value.fail("an option is named without its dash; write 'ksp_monitor', not '-ksp_monitor'");
    if (name.find_first_of(" \t\r\n") != std::string::npos) value.fail("an option's name has no blanks; put its value after the colon");
    options[name] = value.any_scalar();
  }
  return options;
}

Scene read_whole(const SettingReader& setting, const std::filesystem::path& file) {
  setting.expect_keys({"time", "gravity", "bodies", "surfaces", "contacts", "solver", "partition", "output", "petsc"});
  const std::filesystem::path folder = file.parent_path();
  Scene scene;
  scene.file = file.string();
  scene.time = read_time(setting.require("time", "give at least time: {step: ..., end: ...}"));
  setting.read("gravity", scene.gravity, &SettingReader::vector);

  const SettingReader bodies = setting.require("bodies", "describe at least one body");
  for (const auto& [name, body] : bodies.named_entries()) scene.bodies.push_back(read_body(name, body, folder));
  if (scene.bodies.empty()) bodies.fail("there is no body; describe at least one");
  if (const auto surfaces = setting.find("surfaces")) {
    for (const auto& [name, surface] : surfaces->named_entries()) scene.obstacles.push_back(read_surface(name, surface, folder));
  }
  if (const auto contacts = setting.find("contacts")) {
    for (const auto& [name, contact] : contacts->named_entries()) {
      scene.contacts.push_back(read_contact(name, contact, scene.bodies, scene.obstacles));
    }
  }

  if (const auto solver = setting.find("solver")) scene.solver = read_solver(*solver);
  if (const auto partition = setting.find("partition")) scene.partition = read_partition(*partition, folder);
  if (const auto output = setting.find("output")) scene.output = read_output(*output);
  if (const auto petsc = setting.find("petsc")) scene.petsc = read_petsc(*petsc);
  return scene;
}

// Falls back on the path as given where the working folder is unknown.
std::filesystem::path absolute_path(const std::string& file) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(file, error);
  return error ? std::filesystem::path(file) : absolute.lexically_normal();
}

}  // namespace

Scene read_scene(const std::string& text, const std::string& file, const std::vector<std::string>& overrides) {
  Setting root = parse_setting(text, [&](int line) { return file + ":" + std::to_string(line); });
  for (const std::string& assignment : overrides) override_setting(root, assignment);
  return read_whole(SettingReader(root, ""), absolute_path(file));
}

}  // namespace traction
