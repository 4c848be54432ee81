#include "simulation/six_node_faces.h"

#include <algorithm>
#include <map>
#include <set>

#include "parallel/collective.h"

namespace traction {

namespace {

using Face = std::array<int, 6>;

// Rotated so that the lowest vertex comes first, which keeps the orientation.
std::array<int, 3> rotated(std::array<int, 3> triangle) {
  std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  return triangle;
}

// Calls action(a triangle, the face of which it is a part) for all parts of all faces in both orientations.
template <typename Action>
void for_each_part(const LocalQuadratic& quadratic, Action action) {
  constexpr std::array<std::array<int, 4>, 4> kMiddle = {{{-1, 4, 5, 6}, {4, -1, 7, 8}, {5, 7, -1, 9}, {6, 8, 9, -1}}};
  constexpr std::array<std::array<int, 3>, 8> kFaces = {{{0, 1, 2}, {0, 2, 1}, {0, 1, 3}, {0, 3, 1}, {0, 2, 3}, {0, 3, 2}, {1, 2, 3}, {1, 3, 2}}};
  const auto& v = quadratic.vertices;
  for (const auto& [i, j, k] : kFaces) {
    const Face face = {v[i], v[j], v[k], v[kMiddle[i][j]], v[kMiddle[j][k]], v[kMiddle[k][i]]};
    const auto& [a, b, c, ab, bc, ca] = face;
    for (const std::array<int, 3>& part : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) action(rotated(part), face);
  }
}

// The same face whichever of its corners comes first.
Face in_order(Face face) {
  const auto lowest = std::min_element(face.begin(), face.begin() + 3) - face.begin();
  std::rotate(face.begin(), face.begin() + lowest, face.begin() + 3);
  std::rotate(face.begin() + 3, face.begin() + 3 + lowest, face.end());
  return face;
}

}  // namespace

std::vector<std::array<int, 6>> six_node_faces(const DistributedMesh& mesh, const LocalRegion& region) {
  std::map<std::array<int, 3>, Face> face_of;
  for (const LocalQuadratic& quadratic : mesh.quadratics)
    for_each_part(quadratic, [&](const std::array<int, 3>& part, const Face& face) { face_of.emplace(part, in_order(face)); });
  std::set<Face> faces;
  double others = 0;
  for (const int t : region.members) {
    // A rank that needs hinges far from its vertices has their triangles without the tetrahedra beneath; these faces count on other ranks.
    const std::array<int, 3>& triangle = mesh.triangles[t];
    if (std::ranges::none_of(triangle, [&](int vertex) { return vertex < mesh.halo->owned(); })) continue;
    const auto found = face_of.find(rotated(triangle));
    if (found == face_of.end()) ++others;
    else faces.insert(found->second);
  }
  if (sum_over_ranks(mesh.halo->communicator(), others) > 0) return {};
  return {faces.begin(), faces.end()};
}

}  // namespace traction
