#include "app/recorder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "app/joint_columns.h"
#include "app/old_results.h"
#include "app/output_size.h"
#include "app/repeated_warnings.h"
#include "dynamics/energy_balance.h"
#include "output/file_seal.h"
#include "output/slab_file.h"
#include "parallel/collective.h"
#include "simulation/contact_fields.h"
#include "simulation/element_fields.h"
#include "simulation/scene_mesh.h"
#include "system/body_motion.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

bool keeps_vibrations(const TimeSettings& time) {
  return std::any_of(time.steps.begin(), time.steps.end(), [&](const StepSettings& piece) {
    const Integrator integrator = piece.integrator.value_or(time.integrator);
    return integrator == Integrator::trapezoidal || integrator == Integrator::generalized_alpha;
  });
}

std::vector<std::string> history_columns(const Simulation& simulation) {
  std::vector<std::string> columns = {"step",     "time",    "dt",    "newton_iterations", "linear_iterations", "eliminations", "residual",
                                      "contacts", "min_gap", "kappa", "kinetic_energy"};
  for (const std::string& energy : energy_names(*simulation.system)) columns.push_back(energy + "_energy");
  for (const auto& [name, value] : simulation.loop->history()) columns.push_back(name);
  for (const BodyMonitor& body : simulation.bodies) {
    for (const char* component : {"x", "y", "z", "vx", "vy", "vz", "lx", "ly", "lz", "wx", "wy", "wz"}) columns.push_back(body.name + "." + component);
    if (body.is_rigid())
      for (const char* component : {"px", "py", "pz", "qw", "qx", "qy", "qz", "strain"}) columns.push_back(body.name + "." + component);
    for (std::size_t i = 0; i < body.volumes.size(); ++i)
      for (const char* quantity : {".volume", ".pressure"}) columns.push_back(body.name + quantity + (i == 0 ? "" : std::to_string(i + 1)));
    for (const LoadMonitor& load : body.loads)
      for (const char* quantity : load.is_torque ? std::array{".mx", ".my", ".mz", ".power"} : std::array{".fx", ".fy", ".fz", ".power"})
        columns.push_back(body.name + "." + load.name + quantity);
  }
  std::set<std::string> held;
  for (const DrivenGroup& group : simulation.system->driven()) {
    if (!held.insert(group.name).second) continue;
    std::string name = group.name;  // regions may have any name
    std::replace_if(
        name.begin(), name.end(), [](unsigned char letter) { return letter == ',' || letter == '"' || letter < ' '; }, '_');
    for (const char* component : {".fx", ".fy", ".fz", ".mx", ".my", ".mz"}) columns.push_back(name + component);
  }
  for (const SpringSettings& spring : simulation.scene.springs)
    for (const char* quantity : {".length", ".force"}) columns.push_back(spring.name + quantity);
  for (const AttachmentSettings& attachment : simulation.scene.attachments)
    for (const char* component : {".fx", ".fy", ".fz", ".mx", ".my", ".mz"}) columns.push_back(attachment.name + component);
  for (const std::string& column : JointColumns::names(simulation.scene)) columns.push_back(column);
  for (const auto& contact : simulation.contacts)
    for (const char* component : {"fx", "fy", "fz", "contacts", "area"}) columns.push_back(contact->name() + "." + component);
  for (const auto& pressure : simulation.pressures) {
    columns.push_back(pressure->name() + ".pressure");
    if (pressure->is_group())
      for (const char* quantity : {".pairs", ".force", ".energy", ".friction_power", ".damping_power"}) columns.push_back(pressure->name() + quantity);
  }
  return columns;
}

constexpr double kNotRigid = 0.2;       // strain at which a rigid body's run ends
constexpr std::size_t kMinimumGap = 8;  // index of the column that is infinite if nothing is near

// The total of a load, its force [N] or its moment [N m], and its power [W]. Collective.
std::array<double, 4> resultant(const LoadMonitor& load, const System& system, const State& state) {
  const Force& force = *load.force;
  Field forces(system.halo().local());
  for (const Zone zone : {Zone::interior, Zone::boundary}) force.add_force(state, zone, forces);
  std::array<double, 4> sums{};
  for (int i = 0; i < system.halo().owned(); ++i) {
    const Vec3 counted = load.is_torque ? Vec3(state.q[i].cross(forces[i])) : Vec3(forces[i]);
    for (int k = 0; k < 3; ++k) sums[k] += counted[k];
    sums[3] += forces[i].dot(state.v[i]);
  }
  sum_over_ranks(system.communicator(), sums);
  return sums;
}

// All frames in one file are stored alike. Throws InputError if those in the folder are not stored as the scene wants them. Serial.
void require_same_storage(const std::string& directory, const std::string& stem, const FramesFound& found, const OutputSettings& output) {
  if (found.count == 0 || !output.every) return;
  const std::string remedy = "resume with the run's own setting, or start anew in another folder";
  if (found.in_one_file != (output.files == FrameFiles::one))
    throw InputError(fmt::format("output.files: the earlier {} of this run are in {}, and later ones must be stored alike; {}", stem,
                                 found.in_one_file ? "one file" : "a file for each frame", remedy));
  if (!found.in_one_file) return;
  const std::string path = directory + "/" + stem + ".hdf";
  bool single_precision = false;
  std::vector<std::string> stored = fields_in_file(path, single_precision), wanted;
  if (single_precision != (output.precision == FieldPrecision::single))
    throw InputError(fmt::format("output.precision: the numbers in {} are {}, and all frames in one file must have the same precision; {}", path,
                                 single_precision ? "single" : "double", remedy));
  if (stem != "fields") return;
  for (const OutputField field : output.fields) wanted.emplace_back(word_of(field));
  std::sort(stored.begin(), stored.end());
  std::sort(wanted.begin(), wanted.end());
  if (stored != wanted)
    throw InputError(fmt::format("output.fields: the frames in {} have the fields {}, and all frames in one file must have the same fields; {}", path,
                                 fmt::join(stored, ", "), remedy));
}

}  // namespace

void require_places_for_files(const std::string& directory) {
  std::vector<std::string> names = {"history.csv", "run.json", "scene.yaml"};
  for (const std::string stem : kFrameStems) names.insert(names.end(), {stem + ".hdf.series", stem + ".hdf"});
  for (const std::string& name : names) {
    const fs::path path = fs::path(directory) / name;
    std::error_code missing;
    if (fs::is_directory(path, missing)) throw FileError(path.string() + ": is a folder, and the run writes a file of that name; move it away");
  }
}

FieldPiece field_piece(const DistributedMesh& mesh, const Scene& scene) {
  FieldPiece piece;
  std::vector<int> point_of(mesh.vertices.size(), -1), region_of(mesh.tetrahedra.size(), 0), region_of_triangle(mesh.triangles.size(), 0),
      region_of_rod(mesh.rods.size(), 0);
  const std::vector<char> is_frame = frame_marks(mesh, scene);
  int number = 0;
  for (const Body& body : scene.bodies) {
    const auto count = [&](const auto& materials, std::vector<int>& regions) {
      for (const auto& [name, material] : materials) {
        for (int element : mesh.region(body.name + "." + name).members) regions[element] = number;
        ++number;
      }
    };
    count(body.solid, region_of);
    count(body.shell, region_of_triangle);
    for (const auto& [name, material] : body.rod) {
      for (int rod : mesh.region(body.name + "." + name).rods) region_of_rod[rod] = number;
      ++number;
    }
    if (body.rigid) {
      for (int triangle : mesh.region(contact_region({body.name, ""})).members) region_of_triangle[triangle] = number;
      ++number;
    }
    double lowest = std::numeric_limits<double>::infinity();
    for (int vertex : mesh.region(body.name).vertices) lowest = std::min<double>(lowest, mesh.vertex_ids[vertex]);
    piece.body_names += body.name + "\n";
    piece.first_vertices.push_back(static_cast<std::int64_t>(minimum_over_ranks(mesh.halo->communicator(), lowest)));
  }
  // Adds an element's vertices as points of the piece.
  const auto add = [&](auto element, auto& cells) {
    for (int& vertex : element) {
      int& point = point_of[vertex];
      if (point < 0) {
        point = static_cast<int>(piece.points.size());
        piece.points.push_back(vertex);
        piece.vertex_ids.push_back(mesh.vertex_ids[vertex]);
      }
      vertex = point;
    }
    cells.push_back(element);
  };
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    if (is_frame[e] || !mesh.owns(mesh.tetrahedra[e])) continue;
    add(mesh.tetrahedra[e], piece.tetrahedra);
    piece.cell_regions.push_back(region_of[e]);
  }
  for (int t : shown_triangles(mesh, scene)) {
    if (!mesh.owns(mesh.triangles[t])) continue;
    add(mesh.triangles[t], piece.triangles);
    piece.cell_regions.push_back(region_of_triangle[t]);
  }
  for (std::size_t r = 0; r < mesh.rods.size(); ++r) {
    if (!mesh.owns(mesh.rods[r].vertices)) continue;
    add(std::array{mesh.rods[r].vertices[0], mesh.rods[r].vertices[1]}, piece.lines);
    piece.cell_regions.push_back(region_of_rod[r]);
  }
  return piece;
}

Recorder::Recorder(Simulation& simulation, std::string directory, bool continued, std::optional<double> checksum, bool lacks_frame)
    : simulation_(simulation), directory_(std::move(directory)), joints_(simulation) {
  const MPI_Comm communicator = simulation_.system->communicator();
  std::array<int, kFrameStems.size()> frames{};  // numbers of frames that are kept
  if (continued) {                               // checked before the history is truncated, so that nothing is lost if the frames are inconsistent
    const double time = simulation_.loop->state().time;
    on_first_rank(communicator, [&] {
      for (std::size_t kind = 0; kind < kFrameStems.size(); ++kind) {
        const FramesFound found = frames_found(directory_, kFrameStems[kind], lacks_frame ? std::nextafter(time, -1) : time);
        require_same_storage(directory_, kFrameStems[kind], found, simulation_.scene.output);
        frames[kind] = found.count;
      }
    });
    MPI_Bcast(frames.data(), static_cast<int>(frames.size()), MPI_INT, 0, communicator);
    frames_due_ = frames_due_until(time);
  }
  on_first_rank(communicator, [&] {
    const std::string path = directory_ + "/history.csv";
    const std::vector<std::string> columns = history_columns(simulation_);
    remove_unfinished_files(directory_);
    if (!continued) remove_old_results(directory_);
    const bool there = continued && fs::exists(path);
    if (there) history_.emplace(path, columns, simulation_.loop->steps(), checksum);
    else history_.emplace(path, columns);
    if (continued && simulation_.loop->steps() > 0 && !(there && history_->has_earlier_rows()))
      spdlog::warn("{}: the rows up to step {} are missing; the file starts after that step", path, simulation_.loop->steps());
  });
  const OutputSettings& output = simulation_.scene.output;
  const OutputSize size = expected_output(simulation_);
  const auto storage = [&](int kept) {
    return FrameStorage{{output.precision == FieldPrecision::single, output.compression}, output.files == FrameFiles::one, kept + size.frames};
  };
  if (output.every)
    fields_ = std::make_unique<FieldWriter>(communicator, directory_, field_piece(*simulation_.mesh, simulation_.scene), frames[0], storage(frames[0]));
  else if (continued) cut_frames(communicator, directory_, kFrameStems[0], frames[0]);  // a later continuation needs the series
  if (output.every && output.contacts) contacts_ = std::make_unique<ContactWriter>(communicator, directory_, frames[1], storage(frames[1]));
  else if (continued) cut_frames(communicator, directory_, kFrameStems[1], frames[1]);
  if (output.every && output.contacts && !simulation_.pressures.empty()) {
    std::string names;
    for (const auto& contact : simulation_.contacts) names += contact->name() + "\n";
    surfaces_ = std::make_unique<SurfaceWriter>(communicator, directory_, std::move(names), frames[2], storage(frames[2]));
  } else if (continued && frames[2] > 0) {
    cut_frames(communicator, directory_, kFrameStems[2], frames[2]);
  }
  announce_size(size);
}

void Recorder::announce_size(const OutputSize& size) const {
  on_first_rank(simulation_.system->communicator(), [&] {
    std::error_code unknown;
    const double room = static_cast<double>(fs::space(directory_, unknown).available);
    spdlog::info("output to come: {}{}", size.text(), unknown ? "" : fmt::format("; {:.4g} MB are free", room / 1e6));
    if (!unknown && size.total() > room)
      spdlog::warn("that will not fit on the disk; write less (output.every, output.fields, output.keep_checkpoints), or output: {{precision: single{}}}",
                   simulation_.scene.output.files == FrameFiles::one ? "" : ", compression: 1");
  });
}

void Recorder::record_initial() {
  if (!fields_) return;
  write_frame();
  frames_due_ = frames_due_until(simulation_.loop->state().time);
}

// The count includes the frame at the start.
double Recorder::frames_due_until(double time) const {
  constexpr double kRounding = 1e-9;  // relative rounding error of times, which are sums of steps
  const auto every = simulation_.scene.output.every;
  return every ? 1 + std::floor(time / *every * (1 + kRounding)) : 0;
}

bool Recorder::record(const StepRecord& step) {
  const double start = MPI_Wtime();
  const std::vector<double> row = history_row(step);
  on_first_rank(simulation_.system->communicator(), [&] {
    for (std::size_t i = 0; i < row.size(); ++i)
      if (std::isnan(row[i]) || (std::isinf(row[i]) && i != kMinimumGap))
        throw SolverError(fmt::format("step {} at t = {:.9g} s: '{}' is not a finite number; the step is not recorded", step.step, step.time,
                                      history_columns(simulation_)[i]));
  });
  const auto every = simulation_.scene.output.every;
  const double due = frames_due_until(step.time);
  const bool is_due = due > frames_due_ || (every && *every < step.dt);
  unwritten_row_ = row;
  lacks_frame_ = is_due;
  record_again();
  if (is_due) {
    write_frame();
    frames_due_ = due;
  }
  lacks_frame_ = false;
  seconds_ += MPI_Wtime() - start;
  return is_due;
}

void Recorder::record_again() {
  on_first_rank(simulation_.system->communicator(), [&] {
    if (!unwritten_row_.empty()) history_->append(unwritten_row_);
  });
  unwritten_row_.clear();
}

std::vector<double> Recorder::history_row(const StepRecord& step) {
  const System& system = *simulation_.system;
  const State& state = simulation_.loop->state();
  const std::vector<BodyMotion> motions = body_motions(system, state.q, state.v);
  const std::vector<RigidPose> poses = rigid_poses(system, state.q);
  warn_of_strain(poses, state.time);
  std::size_t rigid = 0;

  double active = 0, minimum_gap = std::numeric_limits<double>::infinity(), stiffness = 0;
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    active += static_cast<double>(step.contacts[i].active);
    minimum_gap = std::min(minimum_gap, step.contacts[i].minimum_gap);
    if (i < simulation_.scene.contacts.size()) stiffness = std::max(stiffness, simulation_.contacts[i]->present_stiffness());
  }
  std::vector<double> row = {static_cast<double>(step.step),
                             step.time,
                             step.dt,
                             static_cast<double>(step.solver.newton_iterations),
                             static_cast<double>(step.solver.linear_iterations),
                             static_cast<double>(step.solver.eliminations),
                             step.solver.residual,
                             active,
                             minimum_gap,
                             stiffness,
                             step.kinetic_energy};
  row.insert(row.end(), step.energies.begin(), step.energies.end());
  for (const auto& [name, value] : simulation_.loop->history()) row.push_back(value);
  for (std::size_t b = 0; b < simulation_.bodies.size(); ++b) {
    for (const Vec3& vector : {motions[b].center, motions[b].velocity, motions[b].angular_momentum, motions[b].angular_velocity})
      row.insert(row.end(), vector.begin(), vector.end());
    if (simulation_.bodies[b].is_rigid()) {
      const RigidPose& pose = poses[rigid++];
      const Vec3 momentum = motions[b].mass * motions[b].velocity;
      row.insert(row.end(), momentum.begin(), momentum.end());
      row.insert(row.end(), {pose.orientation.w(), pose.orientation.x(), pose.orientation.y(), pose.orientation.z(), pose.strain});
    }
    for (const auto& penalty : simulation_.bodies[b].volumes) {
      const double volume = penalty->volume(state.q);
      row.insert(row.end(), {volume, penalty->law_at(state.time).pressure(volume)});
    }
    for (const LoadMonitor& load : simulation_.bodies[b].loads) {
      const std::array<double, 4> sums_of_load = resultant(load, system, state);
      row.insert(row.end(), sums_of_load.begin(), sums_of_load.end());
    }
  }
  for (const Reaction& reaction : step.solver.reactions) {
    row.insert(row.end(), reaction.force.begin(), reaction.force.end());
    row.insert(row.end(), reaction.moment.begin(), reaction.moment.end());
  }
  if (simulation_.springs)
    for (const SpringDampers::Reading& spring : simulation_.springs->readings(state)) row.insert(row.end(), {spring.length, spring.force});
  for (const Reaction& carried : attachment_forces(system, simulation_.scene, simulation_.attachments, state)) {
    row.insert(row.end(), carried.force.begin(), carried.force.end());
    row.insert(row.end(), carried.moment.begin(), carried.moment.end());
  }
  const std::vector<double> joints = joints_.values(state);
  row.insert(row.end(), joints.begin(), joints.end());
  for (const ContactSummary& contact : step.contacts) {
    row.insert(row.end(), {contact.force.x(), contact.force.y(), contact.force.z()});
    row.push_back(static_cast<double>(contact.active));
    row.push_back(contact.area);
  }
  for (const auto& pressure : simulation_.pressures) {
    const PressureContact::Totals& totals = pressure->totals();
    row.push_back(totals.largest_pressure);
    if (pressure->is_group()) row.insert(row.end(), {totals.pairs, totals.force, totals.energy, totals.friction_power, totals.damping_power});
  }
  return row;
}

// Warns of each rigid body that deforms, and again when it deforms ten times as much. `poses`: of the rigid bodies, in the order of the scene's bodies.
void Recorder::warn_of_strain(const std::vector<RigidPose>& poses, double time) {
  RepeatedWarnings warnings;
  std::size_t rigid = 0;
  for (std::size_t b = 0; b < simulation_.bodies.size(); ++b) {
    if (!simulation_.bodies[b].is_rigid()) continue;
    const Body& body = simulation_.scene.bodies[b];
    const double strain = poses[rigid++].strain;
    if (strain > kNotRigid) {
      const char* advice = keeps_vibrations(simulation_.scene.time)
                               ? "Take tr_sdirk2, as integrators that keep vibrations (trapezoidal, generalized_alpha) let "
                                 "it ring up where it turns or is driven. Else give"
                               : "Give";
      throw SolverError(
          fmt::format("{}: at t = {:.6g} s the rigid body is strained by {:.3g}, so that it is not rigid any more. {} it a youngs_modulus far above the {:.3g} "
                      "Pa that it has, "
                      "as it needs if what it carries or hits is more than 100 times as heavy as itself, or take shorter steps",
                      body.rigid->source.text, time, strain, advice, simulation_.bodies[b].rigid_modulus));
    }
    if (strain <= body.rigid->largest_strain || !strains_.is_due(body.name, strain)) continue;
    warnings.add("strain", body.name,
                 fmt::format("{}: at t = {:.6g} s the rigid body is strained by {:.3g}, more than its largest_strain of {:.3g}; give it a youngs_modulus of "
                             "{:.2g} Pa, instead of {:.2g} Pa, or check what presses on it",
                             body.rigid->source.text, time, strain, body.rigid->largest_strain,
                             2 * strain / body.rigid->largest_strain * simulation_.bodies[b].rigid_modulus, simulation_.bodies[b].rigid_modulus));
  }
  const std::vector<std::string> messages = warnings.messages();
  if (messages.empty()) return;
  on_first_rank(simulation_.system->communicator(), [&] {
    for (const std::string& message : messages) spdlog::warn("{}", message);
  });
}

void Recorder::write_frame() {
  const System& system = *simulation_.system;
  const State& state = simulation_.loop->state();
  const std::vector<OutputField>& wanted = simulation_.scene.output.fields;
  auto wants = [&](OutputField field) { return std::find(wanted.begin(), wanted.end(), field) != wanted.end(); };
  std::vector<PointField> fields;
  if (wants(OutputField::velocity)) fields.push_back({"velocity", 3, state.v.values()});
  Field displacement(system.halo().local());
  if (wants(OutputField::displacement)) {
    for (int i = 0; i < system.halo().local(); ++i) displacement[i] = state.q[i] - simulation_.mesh->vertices[i];  // frames show no twists
    fields.push_back({"displacement", 3, displacement.values()});
  }
  const std::vector<VertexField> of_contact = contact_fields(simulation_, state, wanted);
  for (const VertexField& field : of_contact) fields.push_back({std::string(word_of(field.field)), components_of(field.field), field.values});
  fields_->write_frame(state.time, state.q.values(), fields, element_fields(simulation_, state, wanted));
  const std::vector<SurfaceTriangle> triangles = contacts_ || surfaces_ ? surface_triangles() : std::vector<SurfaceTriangle>{};
  if (contacts_) contacts_->write_frame(state.time, contact_columns(triangles));
  if (surfaces_) surfaces_->write_frame(state.time, surface_columns(triangles));
}

std::vector<Recorder::SurfaceTriangle> Recorder::surface_triangles() const {
  std::vector<SurfaceTriangle> triangles;
  for (std::size_t k = 0; k < simulation_.pressures.size(); ++k)
    for (const ContactTriangle& triangle : simulation_.pressures[k]->surface(simulation_.loop->state())) {
      const auto& [a, b, c] = triangle.corners;
      const Vec3 cross = (b - a).cross(c - a);
      if (cross.norm() > 0) triangles.push_back({triangle, cross, static_cast<std::int32_t>(simulation_.scene.contacts.size() + k)});
    }
  return triangles;
}

SurfaceColumns Recorder::surface_columns(const std::vector<SurfaceTriangle>& triangles) {
  SurfaceColumns columns;
  for (const auto& [triangle, cross, contact] : triangles) {
    for (const Vec3& corner : triangle.corners) columns.points.insert(columns.points.end(), corner.begin(), corner.end());
    columns.point_pressure.insert(columns.point_pressure.end(), triangle.pressure.begin(), triangle.pressure.end());
    columns.pressure.push_back((triangle.pressure[0] + triangle.pressure[1] + triangle.pressure[2]) / 3);
    columns.traction.insert(columns.traction.end(), triangle.traction.begin(), triangle.traction.end());
    columns.slip.insert(columns.slip.end(), triangle.slip.begin(), triangle.slip.end());
    columns.contact.push_back(contact);
  }
  return columns;
}

ContactColumns Recorder::contact_columns(const std::vector<SurfaceTriangle>& triangles) const {
  const State& state = simulation_.loop->state();
  ContactColumns columns;
  const auto append = [](std::vector<double>& column, const Vec3& value) { column.insert(column.end(), value.data(), value.data() + 3); };
  for (std::size_t number = 0; number < simulation_.contacts.size(); ++number) {
    const ContactGroup& contact = *simulation_.contacts[number];
    for (const ContactPoint& point : contact.points(state)) {
      append(columns.points, point.position);
      append(columns.normal, point.normal);
      append(columns.normal_force, point.normal_force);
      append(columns.friction, point.friction);
      columns.gap.push_back(point.gap);
      columns.pressure.push_back(point.area > 0 ? point.normal_force.norm() / point.area : 0);
      columns.sliding_speed.push_back(point.sliding_speed);
      columns.slips.push_back(point.sliding_speed >= contact.friction_tolerance() ? 1 : 0);
      columns.contact.push_back(static_cast<std::int32_t>(number));
    }
  }
  // Triangles of the surfaces where pressure fields meet, each as its center.
  for (const auto& [triangle, cross, contact] : triangles) {
    const auto& [a, b, c] = triangle.corners;
    const double area = cross.norm() / 2;
    const Vec3 normal = cross.normalized() * (cross.dot(triangle.traction) < 0 ? -1 : 1), pressed = triangle.traction.dot(normal) * normal;
    append(columns.points, (a + b + c) / 3);
    append(columns.normal, normal);
    append(columns.normal_force, area * pressed);
    append(columns.friction, area * (triangle.traction - pressed));
    columns.gap.push_back(0);
    columns.pressure.push_back(pressed.norm());
    columns.sliding_speed.push_back(triangle.slip.norm());
    columns.slips.push_back(triangle.slip.norm() >= simulation_.contacts[contact]->friction_tolerance() ? 1 : 0);
    columns.contact.push_back(contact);
  }
  return columns;
}

void Recorder::flush() const {
  on_first_rank(simulation_.system->communicator(), [&] { flush_to_disk(directory_ + "/history.csv"); });
  if (fields_) fields_->flush();
  if (contacts_) contacts_->flush();
  if (surfaces_) surfaces_->flush();
}

}  // namespace traction
