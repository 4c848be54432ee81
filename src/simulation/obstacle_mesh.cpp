#include "simulation/obstacle_mesh.h"

#include <algorithm>

#include "parallel/collective.h"

namespace traction {

SurfaceMesh box_mesh(const BoxSettings& box) {
  SurfaceMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3& x = mesh.vertices.emplace_back();
    for (int axis = 0; axis < 3; ++axis) x[axis] = corner >> axis & 1 ? box.upper[axis] : box.lower[axis];
  }
  for (int axis = 0; axis < 3; ++axis)
    for (int upper = 0; upper < 2; ++upper) {
      const int first = upper << axis, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
      const std::array<int, 4> corners =
          upper ? std::array<int, 4>{first, first + u, first + u + v, first + v} : std::array<int, 4>{first, first + v, first + u + v, first + u};
      mesh.triangles.push_back({corners[0], corners[1], corners[2]});
      mesh.triangles.push_back({corners[0], corners[2], corners[3]});
    }
  mesh.closed = true;
  return mesh;
}

SurfaceMesh obstacle_mesh(MPI_Comm communicator, const MeshObstacleSettings& settings) {
  std::vector<double> numbers;  // closed or not; numbers of vertices, triangles and segments; coordinates; corners; points
  on_first_rank(communicator, [&] {
    const SurfaceMesh mesh = read_surface(settings.file);
    numbers = {mesh.closed ? 1.0 : 0.0, static_cast<double>(mesh.vertices.size()), static_cast<double>(mesh.triangles.size()),
               static_cast<double>(mesh.segments.size())};
    for (const Vec3& x : mesh.vertices)
      for (int i = 0; i < 3; ++i) numbers.push_back(settings.scale * x[i]);
    for (const auto& triangle : mesh.triangles) numbers.insert(numbers.end(), triangle.begin(), triangle.end());
    for (const auto& segment : mesh.segments) numbers.insert(numbers.end(), segment.begin(), segment.end());
    numbers.insert(numbers.end(), mesh.points.begin(), mesh.points.end());
  });
  broadcast(communicator, numbers);
  SurfaceMesh mesh;
  mesh.closed = numbers[0] != 0;
  auto next = numbers.begin() + 4;
  const auto index = [&next] { return static_cast<int>(*next++); };
  for (mesh.vertices.resize(static_cast<std::size_t>(numbers[1])); Vec3 & x : mesh.vertices)
    for (double& coordinate : x) coordinate = *next++;
  for (mesh.triangles.resize(static_cast<std::size_t>(numbers[2])); auto& triangle : mesh.triangles) std::generate(triangle.begin(), triangle.end(), index);
  for (mesh.segments.resize(static_cast<std::size_t>(numbers[3])); auto& segment : mesh.segments) std::generate(segment.begin(), segment.end(), index);
  while (next != numbers.end()) mesh.points.push_back(index());
  return mesh;
}

}  // namespace traction
