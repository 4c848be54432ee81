#include "app/solid_watch.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "elements/elasticity.h"
#include "elements/materials/solid_materials.h"
#include "elements/quadratic_element.h"
#include "elements/solid_element.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kNotableStrain = 0.01;  // strain as which a turn may count without a warning

struct Law {
  bool is_finite = false;  // whether an element that is inside out has an energy
  bool is_linear = false;
};

Law law_of(const SolidMaterialSettings& settings) {
  Law law;
  const Mat3 mirrored = Vec3(-1, 1, 1).asDiagonal();
  with_law(settings.material, [&]<template <typename> typename Material>() {
    law.is_finite = std::isfinite(element_law<Material>(settings).energy_density(mirrored));
    law.is_linear = Material<double>::name == LinearElastic<double>::name;
  });
  return law;
}

// The strain as which the rotation of a deformation gradient counts where strains are linear: 1 - cos of its angle.
double strain_by_rotation(const Mat3& F) {
  const Eigen::JacobiSVD<Mat3> parts(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 rotation = parts.matrixU() * parts.matrixV().transpose();
  return (3 - rotation.trace()) / 2;
}

}  // namespace

SolidWatch::SolidWatch(const Simulation& simulation) : simulation_(simulation) {
  const DistributedMesh& mesh = *simulation.mesh;
  const std::vector<Body>& bodies = simulation.scene.bodies;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (const auto& [region, settings] : bodies[b].solid) {
      const Law law = law_of(settings);
      if (!law.is_finite) continue;
      for (const int e : mesh.region(bodies[b].name + "." + region).members) {
        if (!mesh.owns(mesh.tetrahedra[e])) continue;
        const int quadratic = mesh.is_part(e) ? mesh.quadratic_of[e] : -1;
        if (quadratic >= 0 && mesh.quadratics[quadratic].part != e) continue;
        elements_.push_back({static_cast<int>(b), quadratic >= 0 ? quadratic : e, quadratic >= 0, law.is_linear});
      }
    }
  watches_ = sum_over_ranks(mesh.halo->communicator(), static_cast<double>(elements_.size())) > 0;
}

template <typename Action>
void SolidWatch::for_each_gradient(const Element& element, const Field& positions, const Action& action) const {
  const DistributedMesh& mesh = *simulation_.mesh;
  if (!element.ten_nodes) {
    const std::array<int, 4>& vertices = mesh.tetrahedra[element.number];
    std::array<Vec3, 4> rest, x;
    for (std::size_t a = 0; a < 4; ++a) rest[a] = mesh.vertices[vertices[a]];
    const SolidElement solid(vertices, rest);  // which may have its vertices in another order
    for (std::size_t a = 0; a < 4; ++a) x[a] = positions[solid.vertices[a]];
    action(deformation_gradient<double, double>(solid, x));
    return;
  }
  const std::array<int, 10>& vertices = mesh.quadratics[element.number].vertices;
  Corner10<double> rest, x;
  for (std::size_t a = 0; a < 10; ++a) rest[a] = mesh.vertices[vertices[a]], x[a] = positions[vertices[a]];
  for (const Mat3& F : deformation_gradients(QuadraticElementOf<double>::at_rest(rest), x)) action(F);
}

Vec3 SolidWatch::middle(const Element& element, const Field& positions) const {
  const DistributedMesh& mesh = *simulation_.mesh;
  const std::array<int, 4>& corners = mesh.tetrahedra[element.ten_nodes ? mesh.quadratics[element.number].part : element.number];
  Vec3 sum = Vec3::Zero();
  for (const int vertex : corners) sum += positions[vertex];
  return sum / 4;
}

std::string SolidWatch::warning(int body, Fault fault, double value, const Vec3& place) const {
  const std::string where = fmt::format("near ({:.4g}, {:.4g}, {:.4g})", place.x(), place.y(), place.z());
  const std::string& name = simulation_.scene.bodies[static_cast<std::size_t>(body)].name;
  if (fault == Fault::inverted)
    return fmt::format(
        "elements of body '{}' have turned inside out {}: its law allows this and means nothing there, nor does what follows. Take 'neo_hookean', which "
        "resists it, smaller loads, or a finer mesh where loads act",
        name, where);
  return fmt::format(
      "body '{}' turns by {:.0f} degrees {}, and 'linear_elastic' takes this for a strain of {:.1f} %, so that the body swells and resists turning. Take "
      "'neo_hookean' or 'saint_venant_kirchhoff', which hold for rotations of any size",
      name, std::acos(std::max(1 - value, -1.0)) * 180 / std::numbers::pi, where, 100 * value);
}

std::vector<std::string> SolidWatch::look() {
  std::vector<std::string> warnings;
  if (!watches_) return warnings;
  Field positions = simulation_.loop->state().q;
  simulation_.mesh->halo->exchange(positions.values());

  struct Worst {
    double value = 0;
    Vec3 place = Vec3::Zero();
  };
  std::map<std::pair<int, Fault>, Worst> worst;
  const auto is_known = [&](const Element& element, Fault fault) { return known_.contains({element.body, fault}); };
  const auto count = [&](const Element& element, Fault fault, double value) {
    if (is_known(element, fault)) return;
    Worst& present = worst[{element.body, fault}];
    if (value > present.value) present = {value, middle(element, positions)};
  };
  for (const Element& element : elements_) {
    if (is_known(element, Fault::inverted) && (!element.is_linear || is_known(element, Fault::turned))) continue;
    for_each_gradient(element, positions, [&](const Mat3& F) {
      if (const double volume = F.determinant(); volume <= 0) count(element, Fault::inverted, 1 - volume);
      else if (!element.is_linear) return;
      else if (const double strain = strain_by_rotation(F); strain > kNotableStrain) count(element, Fault::turned, strain);
    });
  }

  std::vector<double> found;  // body, fault, value, place
  for (const auto& [key, present] : worst)
    found.insert(found.end(), {static_cast<double>(key.first), key.second == Fault::turned ? 1.0 : 0.0, present.value, present.place.x(), present.place.y(),
                               present.place.z()});
  worst.clear();
  const std::vector<double> all = concatenated_over_ranks(simulation_.mesh->halo->communicator(), found);
  for (std::size_t k = 0; k + 5 < all.size(); k += 6) {
    Worst& present = worst[{static_cast<int>(all[k]), all[k + 1] > 0 ? Fault::turned : Fault::inverted}];
    if (all[k + 2] > present.value) present = {all[k + 2], Vec3(all[k + 3], all[k + 4], all[k + 5])};
  }
  for (const auto& [key, present] : worst) {
    known_.insert(key);
    warnings.push_back(warning(key.first, key.second, present.value, present.place));
  }
  return warnings;
}

}  // namespace traction
