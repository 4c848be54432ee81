// The share of a surface that each of its vertices has in contact (docs/theory/contact.md, "Area of a vertex").
#pragma once

#include <vector>

#include "mesh_partition/distribute.h"

namespace traction {

/// The area with which one side of the region presses at each owned vertex [m^2], see measure_vertex_areas(). @collective
std::vector<double> vertex_areas(const DistributedMesh& mesh, const LocalRegion& region);
/// Sets the entries of the region's owned vertices to these areas, at the cost of the region alone. A vertex has a third of each triangle around it. At an edge
/// or a corner, where sides meet, it has a mean of what each of them has there, so that a side which presses alone does so with its own area, and those of its
/// vertices are balanced, see balance_flat_sides(). @collective
void measure_vertex_areas(const DistributedMesh& mesh, const LocalRegion& region, std::vector<double>& area);

/// The mean of areas that are each weighted with itself [m^2].
double mean_of_sides(const std::vector<double>& areas);

}  // namespace traction
