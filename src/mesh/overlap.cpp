// Finds bodies that lie in each other before anything moves.

#include <vtkCellArray.h>
#include <vtkImplicitPolyDataDistance.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <Eigen/Geometry>

#include "mesh/read_mesh.h"

namespace traction {

Overlap deepest_overlap(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& surface, const std::vector<Vec3>& points) {
  Overlap deepest;
  if (surface.empty()) return deepest;  // wires and nails have no inside
  Eigen::AlignedBox3d box;
  double volume = 0;  // six times the enclosed volume; negative for a container
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
  vtkNew<vtkImplicitPolyDataDistance> distance;  // negative behind the surface; joins corners that coincide
  distance->SetInput(data);
  for (Vec3 x : points) {
    if (volume > 0 && !box.contains(x)) continue;
    const double depth = -distance->EvaluateFunction(x.data());
    if (depth > deepest.depth) deepest = {depth, x};
  }
  return deepest;
}

}  // namespace traction
