#include "simulation/body_mesh.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <system_error>
#include <variant>

#include "errors.h"
#include "mesh/formats/geo_parameters.h"
#include "mesh/formats/mesh_formats.h"
#include "mesh/mesh_faults.h"
#include "mesh/mesh_plan.h"
#include "mesh/own_regions.h"
#include "mesh/read_mesh.h"
#include "settings/file_ending.h"
#include "settings/missing_file.h"
#include "simulation/solid_order.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

Mesh read_body_mesh(const Body& body, const std::string& work_directory) {
  std::error_code unknown;  // set for names that are too long, or in folders that may not be read
  if (!fs::exists(body.mesh, unknown))
    throw InputError(fmt::format("{}: no such file: {}; {}", body.source.text, body.mesh, remedy_for_missing_file(body.mesh)));
  std::set<std::string> rods, shells;
  for (const auto& [name, material] : body.rod) rods.insert(name);
  for (const auto& [name, material] : body.shell) shells.insert(name);
  if (file_ending(body.mesh) != ".geo") return with_source(body.source.text, [&] { return read_mesh(body.mesh, rods, shells); });
  with_source(body.parameters_source.text, [&] { check_geo_parameters(body.mesh, read_bytes(body.mesh), body.mesh_parameters); });
  fs::create_directories(work_directory);
  const std::string generated = (fs::path(work_directory) / (body.name + ".msh")).string();
  with_source(body.source.text, [&] { generate_mesh(body.mesh, body.mesh_parameters, generated); });
  Mesh mesh = with_source(fmt::format("{}: the mesh that Gmsh makes of {}", body.source.text, body.mesh), [&] { return read_mesh(generated, rods, shells); });
  mesh.source = body.mesh;  // the file that a user can correct
  return mesh;
}

// The names of all regions of a body's mesh in its scene.
std::set<std::string> named_regions(const Body& body, const Scene& scene) {
  std::set<std::string> names;
  for (const auto& [name, material] : body.solid) names.insert(name);
  for (const auto& [name, material] : body.shell) names.insert(name);
  for (const auto& [name, material] : body.rod) names.insert(name);
  for (const VolumePenaltySettings& volume : body.volumes) names.insert({volume.region, volume.surface});
  for (const DrivenSettings& driven : body.driven) names.insert(driven.region);  // and fixed
  for (const LoadSettings& load : body.loads) names.insert(load.region);
  const auto add = [&](const BodySurface& side) {
    if (side.body == body.name) names.insert(side.region);
  };
  for (const ContactSettings& contact : scene.contacts) {
    add(contact.vertices);
    if (const auto* other = std::get_if<BodySurface>(&contact.against)) add(*other);
  }
  for (const SpringSettings& spring : scene.springs) add(spring.from), add(spring.to);
  for (const AttachmentSettings& attachment : scene.attachments) add(attachment.vertices), add(attachment.to);
  const std::string prefix = body.name + ".";
  for (const auto& [name, longest] : scene.time.asynchronous.longest)
    if (name.starts_with(prefix)) names.insert(name.substr(prefix.size()));
  return names;
}

}  // namespace

Mesh load_body_mesh(const Body& body, const Scene& scene, const std::string& work_directory) {
  Mesh mesh = read_body_mesh(body, work_directory);
  set_order(mesh, body, scene);
  for (Vec3& x : mesh.vertices) x *= body.scale;
  check_elements(mesh);
  refuse_overlaps(mesh);
  with_source(body.source.text, [&] { add_own_regions(mesh, named_regions(body, scene)); });
  return mesh;
}

}  // namespace traction
