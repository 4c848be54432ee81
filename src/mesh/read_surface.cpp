// Triangle surfaces of obstacles, read by VTK.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkCellArray.h>
#include <vtkCleanPolyData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkOBJReader.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>
#include <vtkTriangleFilter.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "errors.h"
#include "mesh/read_mesh.h"

namespace traction {

namespace {

std::string place(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z()); }

// At most two triangles share an edge, and they pass it in opposite directions, or they disagree about which side is outside. Returns whether the surface is
// closed.
bool check_edges(const SurfaceMesh& mesh, const std::string& path) {
  struct Passes {
    std::vector<std::size_t> triangles;
    int upward = 0;  // from the lower to the higher vertex
  };
  std::map<std::pair<int, int>, Passes> edges;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax({mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3]});
      Passes& passes = edges[{low, high}];
      passes.triangles.push_back(t + 1);
      if (mesh.triangles[t][i] == low) ++passes.upward;
    }
  bool closed = true;
  for (const auto& [edge, passes] : edges) {
    closed = closed && passes.triangles.size() == 2;
    const std::string where = fmt::format("the edge from {} to {}", place(mesh.vertices[edge.first]), place(mesh.vertices[edge.second]));
    if (passes.triangles.size() > 2)
      throw InputError(fmt::format("{}: is non-manifold: {} belongs to {} triangles ({}); leave out those that do not bound the obstacle", path, where,
                                   passes.triangles.size(), fmt::join(passes.triangles, ", ")));
    if (passes.triangles.size() == 2 && passes.upward != 1)
      throw InputError(fmt::format("{}: triangles {} are oriented differently at {}; orient the surface so that all its normals point out of the obstacle",
                                   path, fmt::join(passes.triangles, " and "), where));
  }
  return closed;
}

void check_triangles(const SurfaceMesh& mesh, const std::string& path) {
  if (mesh.triangles.empty()) throw InputError(path + ": holds no triangles; is it an STL or OBJ file?");
  for (const Vec3& x : mesh.vertices)
    if (!x.allFinite()) throw InputError(path + ": has a vertex that is not finite");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 &a = mesh.vertices[mesh.triangles[t][0]], &b = mesh.vertices[mesh.triangles[t][1]], &c = mesh.vertices[mesh.triangles[t][2]];
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    if (!((b - a).cross(c - a).norm() > 1e-12 * longest * longest))
      throw InputError(fmt::format("{}: triangle {} at {} is degenerate; remesh", path, t + 1, place(a)));
  }
}

}  // namespace

SurfaceMesh read_surface(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) throw InputError(path + ": no such file; check its name, which counts from the scene's folder");
  vtkNew<vtkSTLReader> stl;
  vtkNew<vtkOBJReader> obj;
  vtkNew<vtkTriangleFilter> triangles;
  vtkNew<vtkCleanPolyData> clean;   // joins corners that coincide
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".stl") {
    stl->SetFileName(path.c_str());
    triangles->SetInputConnection(stl->GetOutputPort());
  } else if (extension == ".obj") {
    obj->SetFileName(path.c_str());
    triangles->SetInputConnection(obj->GetOutputPort());
  } else {
    throw InputError(path + ": not a format of surfaces; give .stl or .obj");
  }
  triangles->PassVertsOff();
  triangles->PassLinesOff();
  clean->SetInputConnection(triangles->GetOutputPort());
  clean->Update();
  vtkPolyData* data = clean->GetOutput();
  SurfaceMesh mesh;
  for (vtkIdType i = 0; i < data->GetNumberOfPoints(); ++i) mesh.vertices.emplace_back(Eigen::Map<const Vec3>(data->GetPoint(i)));
  vtkNew<vtkIdList> corners;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    data->GetCellPoints(c, corners);
    if (corners->GetNumberOfIds() != 3) continue;
    mesh.triangles.push_back({static_cast<int>(corners->GetId(0)), static_cast<int>(corners->GetId(1)), static_cast<int>(corners->GetId(2))});
  }
  check_triangles(mesh, path);
  mesh.closed = check_edges(mesh, path);
  return mesh;
}

}  // namespace traction
