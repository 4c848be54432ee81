#include "app/material_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/fibre_loading.h"
#include "elements/materials/solid_materials.h"
#include "elements/softening.h"

namespace traction {

namespace {

constexpr int kPoints = 120;  // number of points from one end of a curve to the other

// The state next to one whose deformation is known.
template <typename Material>
HomogeneousState next_state(const Material& material, Loading loading, double stretch, const Mat3& last) {
  return loaded_state(material, loading, stretch, last(2, 2));
}
template <typename Material>
HomogeneousState next_state(const Reinforced<Material>& material, Loading loading, double stretch, const Mat3& last) {
  return loaded_state(material, loading, stretch, last);
}

// Appends the points of a curve from the shape at rest to `end`, that at rest not included.
template <typename Material>
void follow(const Material& material, Loading loading, double end, MaterialPoint point, std::vector<MaterialPoint>& points) {
  const double rest = loading == Loading::shear ? 0 : 1;
  if (end == rest) return;
  Mat3 last = Mat3::Identity();
  for (int i = 1; i <= kPoints; ++i) {
    point.loading = loading;
    point.stretch = rest + (end - rest) * i / kPoints;
    const HomogeneousState state = next_state(material, loading, point.stretch, last);
    if (!std::isfinite(state.stress)) return;
    last = state.F;
    point.stress = state.stress;
    point.energy = state.energy;
    point.volume_ratio = state.F.determinant();
    points.push_back(point);
  }
}

// Appends the curves of a material in all loadings in which it differs.
template <typename Material>
void load(const Material& material, bool has_fibres, double least, double most, MaterialPoint point, std::vector<MaterialPoint>& points) {
  for (const auto& choice : choices_of(Loading{})) {
    if (is_across(choice.value) && !has_fibres) continue;
    const bool shears = choice.value == Loading::shear;
    std::vector<MaterialPoint> pressed;
    if (!shears) follow(material, choice.value, least, point, pressed);
    points.insert(points.end(), pressed.rbegin(), pressed.rend());
    point.loading = choice.value;
    point.stretch = shears ? 0 : 1;
    points.push_back(point);
    follow(material, choice.value, shears ? most - 1 : most, point, points);
  }
}

template <typename Material>
Reinforced<Material> reinforced(const Material& matrix, const std::vector<FibreSettings>& fibres) {
  std::vector<Vec3> directions;
  for (const FibreSettings& family : fibres) directions.push_back(family.at(family.through + (family.axis ? family.axis->unitOrthogonal() : Vec3::Zero())));
  directions = specimen_directions(directions);
  Reinforced<Material> result{matrix, {}};
  for (std::size_t i = 0; i < fibres.size(); ++i) result.families.push_back(FibreFamily<double>::from(fibres[i], directions[i]));
  return result;
}

// The law of a rubber after the softening by its first stretch.
template <template <typename> typename Material>
struct Softened {
  Material<double> whole;
  SofteningLaw<Material, double> softening;

  SofteningEnergy energies() const { return {softening.r, softening.m, softening.beta}; }
  double energy_density(const Mat3& F) const {
    const double shape = softening.shape.energy_density(F);
    return whole.energy_density(F) + energies().stored(shape, std::max(shape, softening.peak));
  }
  template <typename T>
  Matrix3<T> first_piola_stress(const Matrix3<T>& F) const {
    return traction::first_piola_stress<T>(whole, F) + softening.template first_piola_stress<T>(F);
  }
};

// Calls action.operator()<Material>(law, law without a bulk modulus) for the law of rubber that a solid has.
template <typename Action>
void with_shape(const SolidMaterialSettings& settings, Action action) {
  with_law(settings.material, [&]<template <typename> typename Material>() {
    if constexpr (requires { Material<double>::bulk; }) {
      action.template operator()<Material>(Material<double>::from(settings), shape_law<Material>(settings));
    }
  });
}

double shear_modulus(const SolidMaterialSettings& settings) {
  double mu = 0;
  with_law(settings.material, [&]<template <typename> typename Material>() { mu = Material<double>::from(settings).linear_moduli().mu; });
  return mu;
}

}  // namespace

std::vector<ModulusPoint> relaxation_curves(const Scene& scene) {
  constexpr int kPerDecade = 20;
  std::vector<ModulusPoint> points;
  for (const Body& body : scene.bodies)
    for (const auto& [region, settings] : body.solid) {
      if (settings.prony.empty()) continue;
      const auto [shortest, longest] =
          std::minmax_element(settings.prony.begin(), settings.prony.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
      const double first = shortest->time / 100, mu = shear_modulus(settings);
      const int count = static_cast<int>(std::ceil(kPerDecade * std::log10(100 * longest->time / first)));
      for (int i = 0; i <= count; ++i) {
        ModulusPoint point{body.name + "." + region, first * std::pow(10, static_cast<double>(i) / kPerDecade), mu, mu, 0};
        for (const PronySettings& branch : settings.prony) {
          const double ratio = branch.time / point.time;  // the angular frequency times the relaxation time
          point.relaxing += mu * branch.ratio * std::exp(-1 / ratio);
          point.storage += mu * branch.ratio * ratio * ratio / (1 + ratio * ratio);
          point.loss += mu * branch.ratio * ratio / (1 + ratio * ratio);
        }
        points.push_back(point);
      }
    }
  return points;
}

std::vector<MaterialPoint> material_curves(const Scene& scene, double least, double most) {
  std::vector<MaterialPoint> points;
  for (const Body& body : scene.bodies)
    for (const auto& solid : body.solid)
      with_law(solid.second.material, [&]<template <typename> typename Material>() {
        const std::vector<FibreSettings>& fibres = solid.second.fibres;
        const auto material = Material<double>::from(solid.second);
        MaterialPoint point;
        point.material = body.name + "." + solid.first;
        if (fibres.empty()) load(material, false, least, most, point, points);
        else load(reinforced(material, fibres), true, least, most, point, points);
      });
  return points;
}

std::vector<CyclicPoint> cyclic_curves(const Scene& scene, double most) {
  constexpr int kLevels = 3, kCycles = 2 * kLevels;
  std::vector<CyclicPoint> points;
  for (const Body& body : scene.bodies)
    for (const auto& solid : body.solid) {
      const std::optional<SofteningSettings>& softening = solid.second.mullins;
      if (!softening || !(most > 1)) continue;
      with_shape(solid.second, [&]<template <typename> typename Material>(const Material<double>& law, const Material<double>& shape) {
        Softened<Material> material{law, {shape, softening->r, softening->m, softening->beta, 0}};
        double free = 1;
        for (int cycle = 1; cycle <= kCycles; ++cycle)
          for (int i = 0; i <= 2 * kPoints; ++i) {
            const int level = (cycle + 1) / 2;
            const double end = 1 + (most - 1) * level / kLevels;
            const double stretch = 1 + (end - 1) * (kPoints - std::abs(i - kPoints)) / kPoints;
            const HomogeneousState state = loaded_state(material, Loading::uniaxial, stretch, free);
            if (!std::isfinite(state.stress)) return;
            free = state.F(2, 2);
            material.softening.peak = std::max(material.softening.peak, shape.energy_density(state.F));
            points.push_back(
                {body.name + "." + solid.first, cycle, stretch, state.stress, state.energy, material.energies().dissipated(material.softening.peak)});
          }
      });
    }
  return points;
}

std::string table_of(const std::vector<MaterialPoint>& points) {
  std::string table = "material,loading,stretch,stress,energy_density,volume_ratio\n";
  for (const MaterialPoint& point : points)
    table += fmt::format("{},{},{:.10g},{:.12g},{:.12g},{:.12g}\n", point.material, word_of(point.loading), point.stretch, point.stress, point.energy,
                         point.volume_ratio);
  return table;
}

std::string table_of(const std::vector<ModulusPoint>& points) {
  std::string table = "material,time,relaxation_modulus,storage_modulus,loss_modulus\n";
  for (const ModulusPoint& point : points)
    table += fmt::format("{},{:.10g},{:.12g},{:.12g},{:.12g}\n", point.material, point.time, point.relaxing, point.storage, point.loss);
  return table;
}

std::string table_of(const std::vector<CyclicPoint>& points) {
  std::string table = "material,cycle,stretch,stress,energy_density,dissipated\n";
  for (const CyclicPoint& point : points)
    table += fmt::format("{},{},{:.10g},{:.12g},{:.12g},{:.12g}\n", point.material, point.cycle, point.stretch, point.stress, point.energy, point.dissipated);
  return table;
}

}  // namespace traction
