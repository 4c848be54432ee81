#include <algorithm>
#include <string_view>

#include "scene/nearest_name.h"
#include "scene/scene_sections.h"

namespace traction {

namespace {

constexpr double kAmbientPressure = 101325;  // [Pa]

std::string read_mesh(const SettingReader& setting, const std::filesystem::path& folder) {
  const std::string path = read_path(setting, folder);
  const std::string extension = std::filesystem::path(path).extension().string();
  const std::vector<std::string_view> valid = {".msh", ".vtu", ".vtk", ".geo"};
  if (std::find(valid.begin(), valid.end(), extension) == valid.end()) {
    setting.fail(quoted_excerpt(setting.text()) + " does not end as a mesh file does; the nearest ending is '" + nearest_name(extension, valid) +
                 "' (one of: " + listing(valid) + ")");
  }
  return path;
}

std::map<std::string, double> read_mesh_parameters(const SettingReader& setting, const std::string& mesh) {
  if (std::filesystem::path(mesh).extension() != ".geo") {
    setting.fail("only a .geo mesh takes parameters; remove them, or give the .geo file as mesh");
  }
  std::map<std::string, double> parameters;
  for (const auto& [name, value] : setting.named_entries()) parameters[name] = value.number();
  return parameters;
}

SolidMaterial read_material(const SettingReader& setting) {
  setting.expect_keys({"youngs_modulus", "poisson_ratio", "density"});
  SolidMaterial material;
  material.source.text = setting.source();
  material.youngs_modulus = setting.require("youngs_modulus", "give Young's modulus in Pa").positive();
  const SettingReader poisson_ratio = setting.require("poisson_ratio", "give a number above -1 and below 0.5");
  material.poisson_ratio = poisson_ratio.number();
  if (material.poisson_ratio <= -1 || material.poisson_ratio >= 0.5) {
    poisson_ratio.fail("must be above -1 and below 0.5, found " + excerpt(poisson_ratio.text()) +
                       "; for a nearly incompressible solid give a value like 0.499");
  }
  material.density = setting.require("density", "give the density in kg/m^3").positive();
  return material;
}

std::map<std::string, SolidMaterial> read_solid(const SettingReader& setting) {
  std::map<std::string, SolidMaterial> solid;
  for (const auto& [region, material] : setting.entries()) {
    if (region.empty()) material.fail("the region has no name; use a region of the mesh");
    solid[region] = read_material(material);
  }
  if (solid.empty()) setting.fail("names no region; give each region of the mesh its material");
  return solid;
}

// Either of the surface (N/m, kg/m^2, N m), or with a thickness of what it is made of (Pa, kg/m^3).
ShellRegion read_shell_material(const SettingReader& setting) {
  setting.expect_keys({"youngs_modulus", "poisson_ratio", "density", "bending_stiffness", "thickness", "flat"});
  ShellRegion material;
  material.source.text = setting.source();
  const auto thickness = setting.find("thickness");
  const auto bending = setting.find("bending_stiffness");
  const bool is_bulk = thickness && !bending;
  material.youngs_modulus = setting.require("youngs_modulus", is_bulk ? "give Young's modulus in Pa" : "give Young's modulus of the surface in N/m").positive();
  const SettingReader poisson_ratio = setting.require("poisson_ratio", "give a number above -1, at most 0.5");
  material.poisson_ratio = poisson_ratio.number();
  if (material.poisson_ratio <= -1 || material.poisson_ratio > 0.5) {
    poisson_ratio.fail("must be above -1 and at most 0.5, found " + excerpt(poisson_ratio.text()) + "; rubber has 0.5, fabric about 0.3");
  }
  material.density = setting.require("density", is_bulk ? "give the density in kg/m^3" : "give the mass per area in kg/m^2").positive();
  if (thickness) material.thickness = thickness->positive();
  if (bending) material.bending_stiffness = bending->non_negative();
  if (is_bulk) {
    const double t = material.thickness, nu = material.poisson_ratio;
    material.bending_stiffness = material.youngs_modulus * t * t * t / (12 * (1 - nu * nu));
    material.youngs_modulus *= t;
    material.density *= t;
  }
  setting.read("flat", material.flat, &SettingReader::boolean);
  return material;
}

std::map<std::string, ShellRegion> read_shell(const SettingReader& setting) {
  std::map<std::string, ShellRegion> shell;
  for (const auto& [region, material] : setting.entries()) {
    if (region.empty()) material.fail("the region has no name; use a surface region of the mesh");
    shell[region] = read_shell_material(material);
  }
  if (shell.empty()) setting.fail("names no region; give each surface region of the shell its material");
  return shell;
}

TimeTable read_time_table(const SettingReader& setting, double (SettingReader::*factor)() const, const char* remedy) {
  TimeTable table;
  for (const SettingReader& item : setting.items()) {
    item.expect_keys({"time", "factor"});
    const SettingReader time = item.require("time", "give it in s");
    const TimePoint point{time.number(), (item.require("factor", remedy).*factor)()};
    if (!table.empty() && point.time <= table.back().time) time.fail("must be later than the time before it; sort the list by time");
    table.push_back(point);
  }
  return table;
}

VolumePenaltySettings read_volume(const SettingReader& setting) {
  setting.expect_keys({"surface", "region", "close_rims", "excluded_volume", "model", "gauge_pressure", "compressibility", "inflation", "sparse"});
  VolumePenaltySettings volume;
  volume.source.text = setting.source();
  if (const auto region = setting.find("region")) {
    volume.region = region->text();
    for (const char* key : {"surface", "close_rims"})
      if (const auto other = setting.find(key)) other->fail("goes with a surface, but a region of tetrahedra is named too; remove one of the two");
  } else {
    volume.surface = setting.require("surface", "name a closed surface region of the mesh, or under 'region' one of tetrahedra").text();
  }
  setting.read("close_rims", volume.close_rims, &SettingReader::boolean);
  setting.read("excluded_volume", volume.excluded_volume, &SettingReader::non_negative);
  setting.read("model", volume.model, kVolumeModels);
  setting.read("gauge_pressure", volume.gauge_pressure, &SettingReader::number);
  setting.read("compressibility", volume.compressibility, &SettingReader::number);
  if (const auto inflation = setting.find("inflation"))
    volume.inflation = read_time_table(*inflation, &SettingReader::positive, "give the amount in parts of that at the start");
  setting.read("sparse", volume.sparse, &SettingReader::boolean);

  if (volume.gauge_pressure <= -kAmbientPressure) {
    setting.require("gauge_pressure", "").fail("must be above -101325 Pa, which is vacuum; give the pressure relative to the atmosphere");
  }
  if (volume.model != VolumeModel::ideal_gas) {
    const SettingReader compressibility = setting.require("compressibility", "give it in 1/Pa; that of water is 4.6e-10");
    const std::string model(name_of(kVolumeModels, volume.model));
    if (volume.compressibility <= 0) compressibility.fail("must be greater than 0 for the model '" + model + "'; give it in 1/Pa");
  }
  // The rest volume of the quadratic model is V / (1 - p kappa).
  if (volume.model == VolumeModel::quadratic && volume.gauge_pressure * volume.compressibility >= 1) {
    setting.require("gauge_pressure", "").fail("times the compressibility must be below 1 for the model 'quadratic'; lower one of the two");
  }
  return volume;
}

DampingSettings read_damping(const SettingReader& setting) {
  setting.expect_keys({"mass", "stiffness"});
  DampingSettings damping;
  setting.read("mass", damping.mass, &SettingReader::non_negative);
  setting.read("stiffness", damping.stiffness, &SettingReader::non_negative);
  return damping;
}

InitialState read_initial(const SettingReader& setting) {
  setting.expect_keys({"rotate", "translate", "velocity", "angular_velocity"});
  InitialState initial;
  if (const auto rotate = setting.find("rotate")) {
    rotate->expect_keys({"axis", "angle"});
    rotate->read("axis", initial.rotation_axis, &SettingReader::direction);
    rotate->read("angle", initial.rotation_angle, &SettingReader::number);
  }
  setting.read("translate", initial.translate, &SettingReader::vector);
  setting.read("velocity", initial.velocity, &SettingReader::vector);
  setting.read("angular_velocity", initial.angular_velocity, &SettingReader::vector);
  return initial;
}

void add_driven(std::vector<DrivenVertices>& driven, const SettingReader& region, DrivenVertices added) {
  const auto same = [&](const DrivenVertices& other) { return other.region == added.region; };
  if (std::any_of(driven.begin(), driven.end(), same)) {
    region.fail("the region '" + excerpt(added.region) + "' is already fixed or driven; name it once");
  }
  driven.push_back(std::move(added));
}

std::vector<DrivenVertices> read_driven(const SettingReader& body) {
  std::vector<DrivenVertices> driven;
  if (const auto fixed = body.find("fixed")) {
    for (const SettingReader& region : fixed->one_or_more()) add_driven(driven, region, {region.text(), {}, {region.source()}});
  }
  if (const auto list = body.find("driven")) {
    for (const SettingReader& item : list->items()) {
      item.expect_keys({"vertices", "motion"});
      const SettingReader region = item.require("vertices", "name a region of the mesh");
      const SettingReader motion = item.require("motion", "give one, or list the region under 'fixed' instead");
      add_driven(driven, region, {region.text(), read_motion(motion), {item.source()}});
    }
  }
  return driven;
}

LoadSettings read_load(const std::string& name, const SettingReader& setting) {
  setting.expect_keys({"region", "force", "traction", "body_force", "pressure", "following", "over"});
  LoadSettings load;
  load.name = name;
  load.source.text = setting.source();
  std::optional<SettingReader> found;
  for (const auto& [word, kind] : kLoadKinds) {
    const auto value = setting.find(word);
    if (!value) continue;
    if (found) value->fail("the load has another kind already; give each a name of its own under 'loads'");
    found = value;
    load.kind = kind;
    if (kind == LoadKind::pressure) load.pressure = value->number();
    else load.vector = value->vector();
  }
  if (!found) setting.fail("says nothing of the load; give its 'force', 'traction', 'body_force' or 'pressure'");
  if (load.kind != LoadKind::body_force || setting.find("region")) load.region = setting.require("region", "name a region of the mesh").text();
  if (const auto following = setting.find("following")) {
    if (load.kind != LoadKind::traction) following->fail("goes with a traction only; a pressure always follows its surface, other loads keep their direction");
    load.following = following->boolean();
  }
  if (const auto over = setting.find("over")) load.over = read_time_table(*over, &SettingReader::number, "give the load in parts of the value above");
  return load;
}

}  // namespace

std::string read_path(const SettingReader& setting, const std::filesystem::path& folder) { return (folder / setting.text()).lexically_normal().string(); }

Body read_body(const std::string& name, const SettingReader& setting, const std::filesystem::path& folder) {
  setting.expect_keys({"mesh", "mesh_parameters", "scale", "solid", "shell", "volume", "damping", "initial", "fixed", "driven", "loads"});
  Body body;
  body.name = name;
  const SettingReader mesh = setting.require("mesh", "give the path of a .msh, .vtu, .vtk or .geo file");
  body.mesh = read_mesh(mesh, folder);
  body.source.text = mesh.source();
  if (const auto parameters = setting.find("mesh_parameters")) body.mesh_parameters = read_mesh_parameters(*parameters, body.mesh);
  setting.read("scale", body.scale, &SettingReader::positive);
  if (const auto shell = setting.find("shell")) body.shell = read_shell(*shell);
  if (const auto solid = setting.find("solid")) body.solid = read_solid(*solid);
  else if (body.shell.empty()) setting.require("solid", "give each region of the mesh its material, or under 'shell' each surface region that is one");
  if (const auto volumes = setting.find("volume")) {
    for (const SettingReader& volume : volumes->one_or_more()) body.volumes.push_back(read_volume(volume));
  }
  if (const auto damping = setting.find("damping")) body.damping = read_damping(*damping);
  if (const auto initial = setting.find("initial")) body.initial = read_initial(*initial);
  body.driven = read_driven(setting);
  if (const auto loads = setting.find("loads"))
    for (const auto& [load, settings] : loads->named_entries()) {
      body.loads.push_back(read_load(load, settings));
      for (const DrivenVertices& driven : body.driven)  // both head columns of the history
        if (driven.region == load) settings.fail("has the name of a region that is fixed or driven; give the load another");
    }
  return body;
}

}  // namespace traction
