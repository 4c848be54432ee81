// Orientation of surfaces, and the volume that closed ones enclose.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "errors.h"
#include "math/triangle_area.h"
#include "mesh/read_mesh.h"
#include "mesh/shells.h"

namespace traction {

namespace {

constexpr double kSameArea = 1e-9;   // relative to an area: below it two sides have equal areas
constexpr double kNoVolume = 1e-12;  // relative to the diagonal of the surface's bounding box, cubed

struct Edge {
  int low, high;     // vertices
  int triangle;      // position in the region's members
  bool low_to_high;  // whether the triangle passes the edge in this direction
};

struct Neighbour {
  int triangle = 0;
  bool same_direction = false;  // whether both pass the shared edge in the same direction, so that their orientations disagree
};

// Triangles connected through edges.
struct Shell {
  std::vector<int> triangles;  // positions in the region's members
  Eigen::AlignedBox3d box;
};

class SurfaceOrientation {
 public:
  SurfaceOrientation(Mesh& mesh, const Region& region) : mesh_(mesh), region_(region) {}

  // Orients the triangles so that neighbours agree, with the side of most of each connected part's area; the surface may be open.
  void orient_neighbours() {
    find_neighbours(false);
    find_shells();
  }

  double orient() {
    find_neighbours(true);
    find_shells();
    for (const Shell& shell : shells_) orient_outward(shell);
    for (const Shell* hole : holes()) flip(*hole);
    double volume = 0;
    for (const Shell& shell : shells_) volume += signed_volume(shell);
    return volume;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}: the region '{}' {}", mesh_.source, region_.name, what)); }
  std::array<int, 3>& triangle(int position) const { return mesh_.triangles[region_.members[position]]; }
  const Vec3& corner(int position, int i) const { return mesh_.vertices[triangle(position)[i]]; }
  double area(int position) const { return triangle_area(mesh_.vertices, triangle(position)); }

  void find_neighbours(bool is_closed);
  void find_shells();
  void orient_outward(const Shell& shell);
  double signed_volume(const Shell& shell) const;
  bool encloses(const Shell& shell, const Vec3& point) const;
  std::vector<const Shell*> holes() const;
  void flip(const Shell& shell);

  Mesh& mesh_;
  const Region& region_;
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<Shell> shells_;
};

void SurfaceOrientation::find_neighbours(bool is_closed) {
  if (region_.dimension != 2) fail("isn't a surface. Name a region of triangles");
  if (region_.members.empty()) fail("has no triangles. Name a closed surface");
  std::vector<Edge> edges;
  edges.reserve(3 * region_.members.size());
  for (int t = 0; t < static_cast<int>(region_.members.size()); ++t)
    for (int i = 0; i < 3; ++i) {
      const int from = triangle(t)[i], to = triangle(t)[(i + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), t, from < to});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
  });

  neighbours_.resize(region_.members.size());
  for (std::size_t first = 0; first < edges.size();) {
    std::size_t end = first + 1;
    while (end < edges.size() && edges[end].low == edges[first].low && edges[end].high == edges[first].high) ++end;
    const Edge &a = edges[first], &b = edges[end - 1];
    if (end - first > 2 || (end - first == 1 && is_closed)) {
      const Vec3 &x = mesh_.vertices[a.low], &y = mesh_.vertices[a.high];
      const std::string edge = fmt::format("the edge from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z(), y.x(), y.y(), y.z());
      if (end - first == 1) fail(fmt::format("isn't closed: {} belongs to one triangle only. Add the faces that are missing", edge));
      fail(fmt::format("is non-manifold: {} belongs to {} triangles. {}", edge, end - first,
                       is_closed ? "Leave out the faces that don't bound the volume" : "Leave some of them out"));
    }
    if (end - first == 2) {
      const bool same_direction = a.low_to_high == b.low_to_high;
      neighbours_[a.triangle].push_back({b.triangle, same_direction});
      neighbours_[b.triangle].push_back({a.triangle, same_direction});
    }
    first = end;
  }
}

void SurfaceOrientation::find_shells() {
  enum class Turn : char { unknown, keep, flip };
  std::vector<Turn> turns(region_.members.size(), Turn::unknown);
  for (int start = 0; start < static_cast<int>(turns.size()); ++start) {
    if (turns[start] != Turn::unknown) continue;
    turns[start] = Turn::keep;
    Shell shell{{start}, {}};
    for (std::size_t visited = 0; visited < shell.triangles.size(); ++visited) {
      const int current = shell.triangles[visited];
      for (const Neighbour& neighbour : neighbours_[current]) {
        const Turn turn = (turns[current] == Turn::flip) != neighbour.same_direction ? Turn::flip : Turn::keep;
        if (turns[neighbour.triangle] == Turn::unknown) {
          turns[neighbour.triangle] = turn;
          shell.triangles.push_back(neighbour.triangle);
        } else if (turns[neighbour.triangle] != turn) {
          const Vec3& x = corner(current, 0);
          fail(fmt::format("can't be oriented: near ({:.6g}, {:.6g}, {:.6g}) it has one side only. Name a surface with two sides", x.x(), x.y(), x.z()));
        }
      }
    }
    double turned = 0, kept = 0;  // areas
    for (const int t : shell.triangles) (turns[t] == Turn::flip ? turned : kept) += area(t);
    if (turned > kept * (1 + kSameArea))
      for (const int t : shell.triangles) turns[t] = turns[t] == Turn::flip ? Turn::keep : Turn::flip;
    shells_.push_back(std::move(shell));
  }
  for (Shell& shell : shells_)
    for (int t : shell.triangles) {
      if (turns[t] == Turn::flip) std::swap(triangle(t)[1], triangle(t)[2]);
      for (int i = 0; i < 3; ++i) shell.box.extend(corner(t, i));
    }
}

void SurfaceOrientation::flip(const Shell& shell) {
  for (int t : shell.triangles) std::swap(triangle(t)[1], triangle(t)[2]);
}

double SurfaceOrientation::signed_volume(const Shell& shell) const {
  // A nearby reference point preserves the precision of a small surface far from the origin.
  const Vec3 reference = shell.box.center();
  double volume = 0;
  for (int t : shell.triangles) volume += (corner(t, 0) - reference).cross(corner(t, 1) - reference).dot(corner(t, 2) - reference) / 6;
  return volume;
}

void SurfaceOrientation::orient_outward(const Shell& shell) {
  const double volume = signed_volume(shell);
  if (!(std::abs(volume) > kNoVolume * std::pow(shell.box.diagonal().norm(), 3))) {
    const Vec3& x = corner(shell.triangles[0], 0);
    fail(fmt::format("encloses no volume: it is flat near ({:.6g}, {:.6g}, {:.6g}). Name a surface that bounds a volume", x.x(), x.y(), x.z()));
  }
  if (volume < 0) flip(shell);
}

bool SurfaceOrientation::encloses(const Shell& shell, const Vec3& point) const {
  if (!shell.box.contains(point)) return false;
  // The solid angle of a triangle after Van Oosterom and Strackee (1983); they add up to 4 pi inside and to 0 outside.
  double angle = 0;
  for (int t : shell.triangles) {
    const Vec3 a = corner(t, 0) - point, b = corner(t, 1) - point, c = corner(t, 2) - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return angle > 2 * EIGEN_PI;
}

// Shells inside an odd number of others are inner boundaries of the enclosed volume.
std::vector<const Shell*> SurfaceOrientation::holes() const {
  std::vector<const Shell*> result;
  for (const Shell& shell : shells_) {
    // The middle of a triangle is tested, because a vertex may be shared with another shell.
    const int t = shell.triangles[0];
    const Vec3 point = (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3;
    const auto around = std::count_if(shells_.begin(), shells_.end(), [&](const Shell& other) { return &other != &shell && encloses(other, point); });
    if (around % 2 == 1) result.push_back(&shell);
  }
  return result;
}

}  // namespace

double orient_closed_surface(Mesh& mesh, const Region& region) { return SurfaceOrientation(mesh, region).orient(); }

void orient_surface(Mesh& mesh, const Region& region) { SurfaceOrientation(mesh, region).orient_neighbours(); }

}  // namespace traction
