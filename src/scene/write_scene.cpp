#include <array>
#include <charconv>
#include <utility>
#include <variant>

#include "scene/choices.h"
#include "scene/read_scene.h"
#include "scene/setting.h"
#include "scene/setting_writer.h"

namespace traction {

namespace {

Setting bare(std::string text) {
  Setting setting;
  setting.kind = Setting::Kind::scalar;
  setting.text = std::move(text);
  return setting;
}

Setting written(std::string_view text) {
  Setting setting = bare(std::string(text));
  setting.quoted = true;
  return setting;
}

Setting written(const std::string& text) { return written(std::string_view(text)); }
Setting written(bool value) { return bare(value ? "true" : "false"); }
Setting written(int value) { return bare(std::to_string(value)); }

// The shortest digits that read back as the same number.
Setting written(double value) {
  std::array<char, 32> buffer;
  std::string digits(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
  // Readers of YAML 1.1, Python's among them, take 1e-04 for text.
  const std::size_t exponent = digits.find('e');
  if (exponent != std::string::npos && digits.find('.') == std::string::npos) digits.insert(exponent, ".0");
  return bare(digits);
}

Setting list() {
  Setting setting;
  setting.kind = Setting::Kind::list;
  return setting;
}

Setting map() {
  Setting setting;
  setting.kind = Setting::Kind::map;
  return setting;
}

Setting written(const Vec3& vector) {
  Setting setting = list();
  for (const double component : vector) setting.items.push_back(written(component));
  return setting;
}

Setting written(const TimeSettings& time) {
  Setting setting = map();
  if (time.steps.size() == 1 && !time.steps[0].integrator) {
    setting.add("step", written(time.steps[0].step));
  } else {
    Setting& pieces = setting.add("step", list());
    for (const StepPiece& piece : time.steps) {
      Setting& item = pieces.items.emplace_back(map());
      item.add("from", written(piece.from));
      item.add("step", written(piece.step));
      if (piece.integrator) item.add("integrator", written(name_of(kIntegrators, *piece.integrator)));
    }
  }
  setting.add("end", written(time.end));
  setting.add("integrator", written(name_of(kIntegrators, time.integrator)));
  setting.add("maximum_halvings", written(time.maximum_halvings));
  if (time.error_tolerance) setting.add("error_tolerance", written(*time.error_tolerance));
  setting.add("semi_implicit", written(time.semi_implicit));
  setting.add("spectral_radius", written(time.spectral_radius));
  setting.add("exponential_tolerance", written(time.exponential_tolerance));
  setting.add("modes", written(time.modes));
  setting.add("refresh_modes", written(time.refresh_modes));
  setting.add("published_history", written(time.published_history));
  return setting;
}

Setting written(const SolidMaterial& material) {
  Setting setting = map();
  setting.add("youngs_modulus", written(material.youngs_modulus));
  setting.add("poisson_ratio", written(material.poisson_ratio));
  setting.add("density", written(material.density));
  return setting;
}

// Moduli are written as those of the surface, which the reader takes them for where a bending stiffness is given.
Setting written(const ShellMaterial& material) {
  Setting setting = map();
  setting.add("youngs_modulus", written(material.youngs_modulus));
  setting.add("poisson_ratio", written(material.poisson_ratio));
  setting.add("density", written(material.density));
  setting.add("bending_stiffness", written(material.bending_stiffness));
  if (material.thickness > 0) setting.add("thickness", written(material.thickness));
  setting.add("flat", written(material.flat));
  return setting;
}

Setting written(const TimeTable& table) {
  Setting setting = list();
  for (const TimePoint& point : table) {
    Setting& item = setting.items.emplace_back(map());
    item.add("time", written(point.time));
    item.add("factor", written(point.factor));
  }
  return setting;
}

Setting written(const VolumePenaltySettings& volume) {
  Setting setting = map();
  if (!volume.region.empty()) setting.add("region", written(volume.region));
  else setting.add("surface", written(volume.surface));
  if (volume.close_rims) setting.add("close_rims", written(volume.close_rims));
  setting.add("excluded_volume", written(volume.excluded_volume));
  setting.add("model", written(name_of(kVolumeModels, volume.model)));
  setting.add("gauge_pressure", written(volume.gauge_pressure));
  setting.add("compressibility", written(volume.compressibility));
  if (!volume.inflation.empty()) setting.add("inflation", written(volume.inflation));
  setting.add("sparse", written(volume.sparse));
  return setting;
}

// A single volume stays a map, so that overrides of the printed scene have the paths of the original.
Setting written(const std::vector<VolumePenaltySettings>& volumes) {
  if (volumes.size() == 1) return written(volumes[0]);
  Setting setting = list();
  for (const VolumePenaltySettings& volume : volumes) setting.items.push_back(written(volume));
  return setting;
}

Setting written(const DampingSettings& damping) {
  Setting setting = map();
  setting.add("mass", written(damping.mass));
  setting.add("stiffness", written(damping.stiffness));
  return setting;
}

Setting written(const InitialState& initial) {
  Setting setting = map();
  Setting& rotate = setting.add("rotate", map());
  rotate.add("axis", written(initial.rotation_axis));
  rotate.add("angle", written(initial.rotation_angle));
  setting.add("translate", written(initial.translate));
  setting.add("velocity", written(initial.velocity));
  setting.add("angular_velocity", written(initial.angular_velocity));
  return setting;
}

Setting written(const MotionSettings& motion) {
  Setting setting = map();
  setting.add("velocity", written(motion.velocity));
  setting.add("angular_velocity", written(motion.angular_velocity));
  setting.add("about", written(motion.about));
  setting.add("start", written(motion.start));
  setting.add("ramp", written(motion.ramp));
  if (motion.stop) setting.add("stop", written(*motion.stop));
  return setting;
}

Setting written(const Motion& motion) {
  if (motion.size() == 1) return written(motion.front());
  Setting setting = list();
  for (const MotionSettings& one : motion) setting.items.push_back(written(one));
  return setting;
}

Setting written(const LoadSettings& load) {
  Setting setting = map();
  if (!load.region.empty()) setting.add("region", written(load.region));
  const std::string key(name_of(kLoadKinds, load.kind));
  setting.add(key, load.kind == LoadKind::pressure ? written(load.pressure) : written(load.vector));
  if (load.kind == LoadKind::traction) setting.add("following", written(load.following));
  if (!load.over.empty()) setting.add("over", written(load.over));
  return setting;
}

Setting written(const Body& body) {
  Setting setting = map();
  setting.add("mesh", written(body.mesh));
  if (!body.mesh_parameters.empty()) {
    Setting& parameters = setting.add("mesh_parameters", map());
    for (const auto& [name, value] : body.mesh_parameters) parameters.add(name, written(value));
  }
  setting.add("scale", written(body.scale));
  if (!body.solid.empty()) {
    Setting& solid = setting.add("solid", map());
    for (const auto& [region, material] : body.solid) solid.add(region, written(material));
  }
  if (!body.shell.empty()) {
    Setting& shell = setting.add("shell", map());
    for (const auto& [region, material] : body.shell) shell.add(region, written(material));
  }
  if (!body.volumes.empty()) setting.add("volume", written(body.volumes));
  setting.add("damping", written(body.damping));
  setting.add("initial", written(body.initial));

  Setting fixed = list(), driven = list();
  for (const DrivenVertices& vertices : body.driven) {
    if (!vertices.motion.empty()) {
      Setting& item = driven.items.emplace_back(map());
      item.add("vertices", written(vertices.region));
      item.add("motion", written(vertices.motion));
    } else {
      fixed.items.push_back(written(vertices.region));
    }
  }
  setting.add("fixed", std::move(fixed));
  setting.add("driven", std::move(driven));
  Setting loads = map();
  for (const LoadSettings& load : body.loads) loads.add(load.name, written(load));
  setting.add("loads", std::move(loads));
  return setting;
}

Setting written(const PlaneSettings& plane) {
  Setting setting = map();
  setting.add("point", written(plane.point));
  setting.add("normal", written(plane.normal));
  return setting;
}

Setting written(const SphereSettings& sphere) {
  Setting setting = map();
  setting.add("center", written(sphere.center));
  setting.add("radius", written(sphere.radius));
  setting.add("inside", written(sphere.inside));
  return setting;
}

Setting written(const CylinderSettings& cylinder) {
  Setting setting = map();
  setting.add("point", written(cylinder.point));
  setting.add("axis", written(cylinder.axis));
  setting.add("radius", written(cylinder.radius));
  setting.add("inside", written(cylinder.inside));
  return setting;
}

Setting written(const BoxSettings& box) {
  Setting setting = map();
  setting.add("lower", written(box.lower));
  setting.add("upper", written(box.upper));
  setting.add("inside", written(box.inside));
  return setting;
}

Setting written(const MeshSettings& mesh) {
  Setting setting = map();
  setting.add("file", written(mesh.file));
  setting.add("scale", written(mesh.scale));
  setting.add("radius_multiplier", written(mesh.surface.radius_multiplier));
  setting.add("interpolation", written(mesh.surface.interpolation));
  return setting;
}

const char* shape_name(const MeshSettings&) { return "mesh"; }
const char* shape_name(const PlaneSettings&) { return "plane"; }
const char* shape_name(const SphereSettings&) { return "sphere"; }
const char* shape_name(const CylinderSettings&) { return "cylinder"; }
const char* shape_name(const BoxSettings&) { return "box"; }

Setting written(const Surface& surface) {
  Setting setting = map();
  std::visit([&](const auto& shape) { setting.add(shape_name(shape), written(shape)); }, surface.shape);
  if (!surface.motion.empty()) setting.add("motion", written(surface.motion));
  return setting;
}

Setting written(const FrictionSettings& friction) {
  Setting setting = map();
  setting.add("dynamic", written(friction.dynamic));
  setting.add("static", written(friction.static_));
  setting.add("tolerance", written(friction.tolerance));
  setting.add("stribeck_velocity", written(friction.stribeck_velocity));
  setting.add("viscous", written(friction.viscous));
  setting.add("sliding_basis_derivative", written(friction.sliding_basis_derivative));
  setting.add("coupling", written(name_of(kFrictionCouplings, friction.coupling)));
  if (friction.coupling == FrictionCoupling::lagged) setting.add("passes", written(friction.passes));
  return setting;
}

Setting written(const ContactSettings& contact) {
  Setting setting = map();
  const auto address = [](const BodySurface& surface) { return surface.region.empty() ? surface.body : surface.body + "." + surface.region; };
  const auto* body = std::get_if<BodySurface>(&contact.against);
  if (contact.both) {
    Setting& sides = setting.add("both", list());
    sides.items.push_back(written(address(contact.vertices)));
    sides.items.push_back(written(address(*body)));
  } else {
    setting.add("vertices", written(address(contact.vertices)));
    setting.add("against", written(body ? address(*body) : std::get<std::string>(contact.against)));
  }
  if (contact.exclusion_ring) setting.add("exclusion_ring", written(*contact.exclusion_ring));
  if (body) {
    Setting& surface = setting.add("surface", map());
    surface.add("radius_multiplier", written(contact.surface.radius_multiplier));
    surface.add("interpolation", written(contact.surface.interpolation));
  }
  setting.add("thickness", written(contact.thickness));
  setting.add("potential", written(name_of(kContactPotentials, contact.potential)));
  if (contact.stiffness) setting.add("stiffness", written(*contact.stiffness));
  if (contact.pressure) setting.add("pressure", written(*contact.pressure));
  if (contact.friction) setting.add("friction", written(*contact.friction));
  return setting;
}

Setting written(const SolverSettings& solver) {
  Setting setting = map();
  setting.add("method", written(name_of(kNewtonMethods, solver.method)));
  setting.add("operator", written(name_of(kOperators, solver.linear_operator)));
  setting.add("krylov", written(name_of(kKrylovMethods, solver.krylov)));
  setting.add("preconditioner", written(name_of(kPreconditioners, solver.preconditioner)));
  setting.add("tolerance", written(solver.tolerance));
  setting.add("forcing", written(solver.forcing));
  setting.add("maximum_iterations", written(solver.maximum_iterations));
  setting.add("maximum_linear_iterations", written(solver.maximum_linear_iterations));
  setting.add("reproducible", written(solver.reproducible));
  return setting;
}

Setting written(const PartitionSettings& partition) {
  Setting setting = map();
  if (partition.file) setting.add("file", written(*partition.file));
  setting.add("contact_weight", written(partition.contact_weight));
  return setting;
}

Setting written(const OutputSettings& output) {
  Setting setting = map();
  if (output.every) setting.add("every", written(*output.every));
  Setting& fields = setting.add("fields", list());
  for (const std::string& field : output.fields) fields.items.push_back(written(field));
  setting.add("contacts", written(output.contacts));
  setting.add("log_every", written(output.log_every));
  setting.add("precision", written(name_of(kFieldPrecisions, output.precision)));
  setting.add("compression", written(output.compression));
  Setting& checkpoint_every = setting.add("checkpoint_every", map());
  checkpoint_every.add("minutes", written(output.checkpoint_every.minutes));
  if (output.checkpoint_every.steps) checkpoint_every.add("steps", written(*output.checkpoint_every.steps));
  if (output.checkpoint_every.time) checkpoint_every.add("time", written(*output.checkpoint_every.time));
  setting.add("keep_checkpoints", written(output.keep_checkpoints));
  return setting;
}

template <typename Item>
Setting written_by_name(const std::vector<Item>& items) {
  Setting setting = map();
  for (const Item& item : items) setting.add(item.name, written(item));
  return setting;
}

Setting written(const Scene& scene) {
  Setting setting = map();
  setting.add("time", written(scene.time));
  setting.add("gravity", written(scene.gravity));
  setting.add("bodies", written_by_name(scene.bodies));
  setting.add("surfaces", written_by_name(scene.surfaces));
  setting.add("contacts", written_by_name(scene.contacts));
  setting.add("solver", written(scene.solver));
  setting.add("partition", written(scene.partition));
  setting.add("output", written(scene.output));
  Setting& petsc = setting.add("petsc", map());
  for (const auto& [name, value] : scene.petsc) petsc.add(name, written(value));
  return setting;
}

}  // namespace

std::string to_yaml(const Scene& scene) { return write_yaml(written(scene)); }

std::string to_json(const Scene& scene) { return write_json(written(scene)); }

}  // namespace traction
