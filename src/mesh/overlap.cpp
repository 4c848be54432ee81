// Finds bodies that lie in each other before anything moves.

#include <vtkCellArray.h>
#include <vtkImplicitPolyDataDistance.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "mesh/read_mesh.h"

namespace traction {

namespace {

constexpr double kSurelyBehind = 0.25;  // least winding number, above that in front, of points behind the surface; on it 0.5

// How often a closed surface winds around a point: 1 inside if its triangles are oriented outward, -1 if they are oriented inward, 0 outside. The sum of the
// triangles' solid angles (Van Oosterom and Strackee 1983).
double winding_number(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& surface, const Vec3& x) {
  double angle = 0;
  for (const auto& triangle : surface) {
    const Vec3 a = vertices[triangle[0]] - x, b = vertices[triangle[1]] - x, c = vertices[triangle[2]] - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return angle / (4 * std::numbers::pi);
}

}  // namespace

Overlap deepest_overlap(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& surface, const std::vector<Vec3>& points) {
  Overlap deepest;
  if (surface.empty()) return deepest;  // wires and nails have no inside
  Eigen::AlignedBox3d box;
  double volume = 0;  // six times the enclosed volume, which is negative for a container
  for (const auto& triangle : surface) {
    for (int vertex : triangle) box.extend(vertices[vertex]);
    volume += vertices[triangle[0]].cross(vertices[triangle[1]]).dot(vertices[triangle[2]]);
  }
  vtkNew<vtkPoints> corner_points;
  vtkNew<vtkCellArray> cells;
  for (const auto& triangle : surface) {
    vtkIdType corners[3];
    for (int i = 0; i < 3; ++i) corners[i] = corner_points->InsertNextPoint(vertices[triangle[i]].data());
    cells->InsertNextCell(3, corners);
  }
  vtkNew<vtkPolyData> data;
  data->SetPoints(corner_points);
  data->SetPolys(cells);
  vtkNew<vtkImplicitPolyDataDistance> distance;  // the signed distance is negative behind the surface; corners that coincide are joined
  distance->SetInput(data);
  for (Vec3 x : points) {
    if (volume > 0 && !box.contains(x)) continue;
    const double depth = -distance->EvaluateFunction(x.data());
    if (!(depth > deepest.depth)) continue;
    // In front of a sharp corner the distance may have the wrong sign. There the mean of the neighbours' normals decides on the side.
    const double in_front = volume > 0 ? 0 : -1;
    if (winding_number(vertices, surface, x) - in_front < kSurelyBehind) continue;
    deepest = {depth, x};
  }
  return deepest;
}

}  // namespace traction
