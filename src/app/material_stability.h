// Doubts about the curves of materials.
#pragma once

#include <string>
#include <vector>

#include "app/material_curves.h"

namespace traction {

/// A sentence about each material whose stress falls along a curve of `points`, as these come from material_curves: it gives way there (docs/theory/balance.md,
/// "Laws of rubber"). It names the loading and the stretch nearest to the shape at rest.
std::vector<std::string> materials_that_give_way(const std::vector<MaterialPoint>& points);

/// A sentence about each curve of `points` that ends before the stretches that were asked for.
std::vector<std::string> curves_cut_short(const std::vector<MaterialPoint>& points, double least, double most);

}  // namespace traction
