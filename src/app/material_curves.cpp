#include "app/material_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/materials/solid_materials.h"

namespace traction {

namespace {

constexpr int kPoints = 120;  // from one end of the curves to the other

// Appends the points of a curve from the shape at rest to `end`, that at rest not included.
template <typename Material>
void follow(const Material& material, Loading loading, double end, MaterialPoint point, std::vector<MaterialPoint>& points) {
  const double rest = loading == Loading::shear ? 0 : 1;
  if (end == rest) return;
  double free = 1;
  for (int i = 1; i <= kPoints; ++i) {
    point.loading = loading;
    point.stretch = rest + (end - rest) * i / kPoints;
    const HomogeneousState state = loaded_state(material, loading, point.stretch, free);
    if (!std::isfinite(state.stress)) return;
    free = state.F(2, 2);
    point.stress = state.stress;
    point.energy = state.energy;
    point.volume_ratio = state.F.determinant();
    points.push_back(point);
  }
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
    for (const auto& [region, settings] : body.solid)
      with_law(settings.material, [&]<template <typename> typename Material>() {
        const auto material = Material<double>::from(settings);
        MaterialPoint point;
        point.material = body.name + "." + region;
        for (const auto& choice : choices_of(Loading{})) {
          const bool shears = choice.value == Loading::shear;
          std::vector<MaterialPoint> pressed;
          if (!shears) follow(material, choice.value, least, point, pressed);
          points.insert(points.end(), pressed.rbegin(), pressed.rend());
          point.loading = choice.value;
          point.stretch = shears ? 0 : 1;
          points.push_back(point);
          follow(material, choice.value, shears ? most - 1 : most, point, points);
        }
      });
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

}  // namespace traction
