#include "simulation/build_springs.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "errors.h"
#include "parallel/collective.h"
#include "simulation/region_shares.h"

namespace traction {

namespace {

// Adds the mean position of a region, times `side`, to the sum that is a spring's vector. The mean is by area if the region is a surface, else by mass.
void add_end(const System& system, const SceneMaterials& materials, const BodySurface& end, double side, std::map<int, double>& weights) {
  const LocalRegion& region = system.mesh().region(to_text(end));
  const std::map<int, double> shares = shares_of_vertices(system, materials, region, region.dimension == 2);
  double total = 0;
  for (const auto& [vertex, share] : shares) total += share;
  total = sum_over_ranks(system.communicator(), total);
  for (const auto& [vertex, share] : shares) weights[vertex] += side * share / total;
}

// A spring between its ends, and its length at the start [m], 0 if the ends lie in one place. Collective.
struct PlacedSpring {
  SpringDamper spring;
  double length;
};

PlacedSpring place_spring(const System& system, const SceneMaterials& materials, const SpringSettings& settings, const Field& start) {
  SpringDamper spring;
  spring.stiffness = settings.stiffness;
  spring.damping = settings.damping;
  std::map<int, double> weights;
  add_end(system, materials, settings.from, 1, weights);
  if (settings.anchor) spring.anchor = *settings.anchor;
  else add_end(system, materials, settings.to, -1, weights);
  std::array<double, 4> sums{};
  for (const auto& [vertex, weight] : weights) {
    spring.vertices.push_back(vertex);
    spring.weights.push_back(weight);
    for (int i = 0; i < 3; ++i) sums[i] += weight * start[vertex][i];
    sums[3] += std::abs(weight) * start[vertex].norm();
  }
  sum_over_ranks(system.communicator(), sums);
  constexpr double kRounding = 1e-12;  // rounding error of a length, relative to the distances from the origin
  const double distance = (Vec3(sums[0], sums[1], sums[2]) - spring.anchor).norm(), length = distance > kRounding * sums[3] ? distance : 0;
  spring.rest_length = settings.rest_length.value_or(length);
  if (length == 0 && spring.rest_length > 0)
    throw InputError(settings.source.text +
                     ": its ends lie in one place, so that it has no direction to push in; move them apart, or give it a rest_length of 0");
  return {std::move(spring), length};
}

}  // namespace

std::shared_ptr<const SpringDampers> add_springs(System& system, const Scene& scene, const SceneMaterials& materials, const Field& start) {
  if (scene.springs.empty()) return nullptr;
  std::vector<SpringDamper> springs;
  for (const SpringSettings& settings : scene.springs) springs.push_back(place_spring(system, materials, settings, start).spring);
  const auto force = std::make_shared<SpringDampers>(system.communicator(), std::move(springs));
  system.add(force);
  return force;
}

std::vector<std::string> doubts_about_springs(const System& system, const Scene& scene, const SceneMaterials& materials, const Field& start) {
  const SpringSettings* first = nullptr;
  double length = 0;
  int others = 0;
  for (const SpringSettings& settings : scene.springs) {
    if (!(settings.damping > 0) || settings.rest_length != 0) continue;
    const double apart = place_spring(system, materials, settings, start).length;
    if (apart == 0) continue;
    if (first) ++others;
    else first = &settings, length = apart;
  }
  if (!first) return {};
  return {
      fmt::format("{}: with a rest_length of 0 its damping acts on the relative velocity of its ends in all directions. It slows bodies that turn about each "
                  "other, too, and takes angular momentum from them. If its ends stay apart, give a rest_length above 0, as that of the start, {:.6g} m{}",
                  first->source.text, length, others == 0 ? "" : fmt::format(" (and {} more spring{})", others, others == 1 ? "" : "s"))};
}

}  // namespace traction
