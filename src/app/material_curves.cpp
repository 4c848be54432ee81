#include "app/material_curves.h"

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

}  // namespace

std::vector<MaterialPoint> material_curves(const Scene& scene, double least, double most) {
  std::vector<MaterialPoint> points;
  for (const Body& body : scene.bodies)
    for (const auto& [region, settings] : body.solid)
      SolidMaterials::for_each([&]<template <typename> typename Material>() {
        if (word_of(settings.material) != Material<double>::name) return;
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

}  // namespace traction
