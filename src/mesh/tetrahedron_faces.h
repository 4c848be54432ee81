// The faces of tetrahedra, and which tetrahedra share them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace traction {

/// A face of one tetrahedron.
struct TetrahedronFace {
  std::array<int, 3> sorted;  ///< its vertices, ascending
  std::size_t number;         ///< four times the tetrahedron's number, plus the face's

  std::size_t tetrahedron() const { return number / 4; }
};

/// The vertices of a face by its number, in the order that points outward from a tetrahedron of positive volume.
inline std::array<int, 3> face_vertices(std::span<const std::array<int, 4>> tetrahedra, std::size_t number) {
  static constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const std::array<int, 4>& t = tetrahedra[number / 4];
  const int* f = kFaces[number % 4];
  return {t[f[0]], t[f[1]], t[f[2]]};
}

/// Calls action(faces) for every face of the tetrahedra, with the faces of all that share it, by ascending number. n log n.
template <typename Action>
void for_each_face(std::span<const std::array<int, 4>> tetrahedra, Action action) {
  std::vector<TetrahedronFace> faces;
  faces.reserve(4 * tetrahedra.size());
  for (std::size_t number = 0; number < 4 * tetrahedra.size(); ++number) {
    std::array<int, 3> sorted = face_vertices(tetrahedra, number);
    std::sort(sorted.begin(), sorted.end());
    faces.push_back({sorted, number});
  }
  std::sort(faces.begin(), faces.end(),
            [](const TetrahedronFace& a, const TetrahedronFace& b) { return a.sorted != b.sorted ? a.sorted < b.sorted : a.number < b.number; });
  for (std::size_t first = 0; first < faces.size();) {
    std::size_t end = first + 1;
    while (end < faces.size() && faces[end].sorted == faces[first].sorted) ++end;
    action(std::span<const TetrahedronFace>(faces).subspan(first, end - first));
    first = end;
  }
}

/// The faces that only one of the tetrahedra has, turned outward.
inline std::vector<std::array<int, 3>> outer_faces(std::span<const std::array<int, 4>> tetrahedra) {
  std::vector<std::array<int, 3>> outer;
  for_each_face(tetrahedra, [&](std::span<const TetrahedronFace> faces) {
    if (faces.size() == 1) outer.push_back(face_vertices(tetrahedra, faces[0].number));
  });
  return outer;
}

}  // namespace traction
