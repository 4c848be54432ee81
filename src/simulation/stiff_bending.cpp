#include "simulation/stiff_bending.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "math/triangle_area.h"
#include "mesh/connected_vertices.h"
#include "mesh/read_mesh.h"

namespace traction {

namespace {

// The length of a body of uniform thickness is the root of twelve times its squared radius of gyration, its thickness twice its volume over its surface; in
// square bars half of their side. A plate five times as wide as thick, and a bar four times as long, have this ratio of the two.
constexpr double kSlender = 10;
constexpr std::size_t kThinBodies = 3;  // number of bodies that are described one by one

struct ThinPiece {
  double volume = 0, area = 0, squares = 0;  // `squares`: integral of |x|^2 over the volume
  Vec3 moment = Vec3::Zero();                // first moment of the volume
  long vertices = 0, on_surface = 0, held = 0;

  double thickness() const { return 2 * volume / area; }
  double length() const { return std::sqrt(12 * std::max(0.0, squares / volume - (moment / volume).squaredNorm())); }
  bool is_thin_layer() const { return vertices > 0 && vertices == on_surface && held < vertices && area > 0 && length() > kSlender * thickness(); }
};

}  // namespace

std::vector<std::string> doubts_about_bending(const Scene& scene, const Mesh& mesh, const std::vector<char>& held) {
  std::unordered_map<std::string, const Region*> regions;
  for (const Region& region : mesh.regions) regions.emplace(region.name, &region);
  std::vector<int> bodies(mesh.vertices.size(), -1);  // for each vertex that may belong to such a solid
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (body.solid.empty() || body.rigid) continue;
    for (const int vertex : regions.at(body.name)->members) bodies[static_cast<std::size_t>(vertex)] = static_cast<int>(b);
  }
  for (const QuadraticTetrahedron& quadratic : mesh.quadratics)
    for (const int vertex : quadratic.vertices) bodies[static_cast<std::size_t>(vertex)] = -1;
  ConnectedVertices connected(mesh.vertices.size());
  for (const auto& tetrahedron : mesh.tetrahedra)
    for (const int vertex : tetrahedron) connected.connect(vertex, tetrahedron[0]);
  std::map<int, ThinPiece> pieces;  // by root, with moments about it
  std::vector<char> in_solid(mesh.vertices.size(), 0), on_surface(mesh.vertices.size(), 0);
  for (const auto& [a, b, c, d] : mesh.tetrahedra) {
    if (bodies[static_cast<std::size_t>(a)] < 0) continue;
    const int root = connected.root(a);
    ThinPiece& piece = pieces[root];
    const Vec3 u = mesh.vertices[b] - mesh.vertices[a], v = mesh.vertices[c] - mesh.vertices[a], w = mesh.vertices[d] - mesh.vertices[a];
    const double volume = std::abs(u.cross(v).dot(w)) / 6;
    Vec3 sum = Vec3::Zero();
    double squares = 0;
    for (const int vertex : {a, b, c, d}) {
      const Vec3 x = mesh.vertices[vertex] - mesh.vertices[root];
      sum += x;
      squares += x.squaredNorm();
      in_solid[static_cast<std::size_t>(vertex)] = 1;
    }
    squares += sum.squaredNorm();
    piece.volume += volume;
    piece.moment += volume / 4 * sum;
    piece.squares += volume / 20 * squares;
  }
  if (pieces.empty()) return {};
  for (const auto& [a, b, c] : boundary_faces(mesh)) {
    if (bodies[static_cast<std::size_t>(a)] < 0) continue;
    pieces[connected.root(a)].area += triangle_area(mesh.vertices, {a, b, c});
    for (const int vertex : {a, b, c}) on_surface[static_cast<std::size_t>(vertex)] = 1;
  }
  for (std::size_t vertex = 0; vertex < in_solid.size(); ++vertex)
    if (in_solid[vertex] != 0) {
      ThinPiece& piece = pieces[connected.root(static_cast<int>(vertex))];
      ++piece.vertices;
      piece.on_surface += on_surface[vertex];
      piece.held += held[vertex];
    }
  std::map<int, const ThinPiece*> thin;  // the longest of each body, by the body's number
  for (const auto& [root, piece] : pieces) {
    if (!piece.is_thin_layer()) continue;
    const ThinPiece*& longest = thin.try_emplace(bodies[static_cast<std::size_t>(root)], &piece).first->second;
    if (piece.length() > longest->length()) longest = &piece;
  }
  std::vector<std::string> doubts;
  for (const auto& [body, piece] : thin)
    if (doubts.size() < kThinBodies)
      doubts.push_back(fmt::format(
          "body '{}' has one layer of linear tetrahedra through its thickness, so that it bends far too little: a cantilever of such cells by a sixth of what "
          "it should. If its bending matters take order: 2, which is right within 2 %, or four or more layers",
          scene.bodies[static_cast<std::size_t>(body)].name));
  if (thin.size() > kThinBodies) doubts.push_back(fmt::format("{} more such bodies have one layer of linear tetrahedra", thin.size() - kThinBodies));
  return doubts;
}

}  // namespace traction
