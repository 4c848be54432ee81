#include "app/material_stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace traction {

namespace {

// Calls action(curve) for each curve: the points of one material in one loading, by ascending stretch.
template <typename Action>
void for_each_curve(const std::vector<MaterialPoint>& points, Action action) {
  for (std::size_t first = 0, end = 0; first < points.size(); first = end) {
    while (end < points.size() && points[end].material == points[first].material && points[end].loading == points[first].loading) ++end;
    action(std::span(points).subspan(first, end - first));
  }
}

double rest_of(Loading loading) { return loading == Loading::shear ? 0 : 1; }

// The distance of a shape from that at rest.
double distance_from_rest(const MaterialPoint& point) { return point.loading == Loading::shear ? std::abs(point.stretch) : std::abs(std::log(point.stretch)); }

std::string name_of(const MaterialPoint& point) { return point.loading == Loading::shear ? "shear" : fmt::format("{} loading", word_of(point.loading)); }

}  // namespace

std::vector<std::string> materials_that_give_way(const std::vector<MaterialPoint>& points) {
  constexpr double kRounding = 1e-9;  // relative to the stress
  std::vector<const MaterialPoint*> nearest;
  for_each_curve(points, [&](std::span<const MaterialPoint> curve) {
    for (std::size_t i = 1; i < curve.size(); ++i) {
      const MaterialPoint &before = curve[i - 1], &after = curve[i];
      if (!(after.stress - before.stress < -kRounding * std::max(std::abs(before.stress), std::abs(after.stress)))) continue;
      const MaterialPoint* found = distance_from_rest(before) < distance_from_rest(after) ? &before : &after;
      if (nearest.empty() || nearest.back()->material != found->material) nearest.push_back(found);
      else if (distance_from_rest(*found) < distance_from_rest(*nearest.back())) nearest.back() = found;
    }
  });
  std::vector<std::string> sentences;
  for (const MaterialPoint* point : nearest) {
    const bool shears = point->loading == Loading::shear;
    sentences.push_back(fmt::format(
        "material '{}' gives way in {} {} a {} of {:.3g}, where its stress falls: a body that gets there collapses or does not converge. Check the signs and "
        "units of its constants, and fit them to data of such stretches; `traction material` draws its curves",
        point->material, name_of(*point), !shears && point->stretch < 1 ? "below" : "above", shears ? "shear" : "stretch", point->stretch));
  }
  return sentences;
}

std::vector<std::string> curves_cut_short(const std::vector<MaterialPoint>& points, double least, double most) {
  constexpr double kRounding = 1e-9;
  std::vector<std::string> sentences;
  const auto add = [&](const MaterialPoint& last) {
    sentences.push_back(
        fmt::format("material '{}': the curve of {} ends at a {} of {:.3g}, because its law has no finite stress, or no state with free sides, beyond",
                    last.material, name_of(last), last.loading == Loading::shear ? "shear" : "stretch", last.stretch));
  };
  for_each_curve(points, [&](std::span<const MaterialPoint> curve) {
    const double rest = rest_of(curve.front().loading);
    if (rest == 1 && curve.front().stretch > least + kRounding) add(curve.front());
    if (curve.back().stretch < rest + (most - 1) * (1 - kRounding)) add(curve.back());
  });
  return sentences;
}

}  // namespace traction
