#include "simulation/side_balance.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "parallel/collective.h"
#include "simulation/edge_turn.h"

namespace traction {

namespace {

constexpr double kMostTriangles = 20000;  // a cube of so many has 58 cells along an edge
constexpr std::size_t kMostSides = 200;
constexpr double kFlat = 1 - 1e-6;       // cosine of the turn at an edge
constexpr double kSameArea = 1e-3;       // error of a side's area, relative to it, at which the areas of all sides do not contradict each other
constexpr double kLeastShare = 0.25;     // part of its area that a vertex keeps
constexpr double kAlreadyExact = 1e-13;  // what is missing of the prescribed sums, relative; rounding would only be changed into other rounding
constexpr double kDamping = 1e-10;       // part of the largest diagonal entry; it bears contradictions, as rounded coordinates cause them

struct WholeTriangle {
  std::array<int, 3> vertices;  // numbers in the undistributed mesh
  std::array<Vec3, 3> corners;

  Vec3 twice_area() const { return (corners[1] - corners[0]).cross(corners[2] - corners[0]); }  // along its normal [m^2]
};

// The triangles of a surface on every rank, in an order that does not depend on the partition.
std::vector<WholeTriangle> whole_surface(const DistributedMesh& mesh, const std::vector<int>& surface) {
  std::vector<double> own;
  for (const int t : surface) {
    if (!mesh.owns(mesh.triangles[t])) continue;
    for (const int vertex : mesh.triangles[t]) {
      const Vec3& at = mesh.vertices[vertex];
      own.insert(own.end(), {static_cast<double>(mesh.vertex_ids[vertex]), at.x(), at.y(), at.z()});
    }
  }
  const std::vector<double> all = concatenated_over_ranks(mesh.halo->communicator(), own);
  std::vector<WholeTriangle> triangles(all.size() / 12);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    WholeTriangle& triangle = triangles[t];
    for (std::size_t a = 0; a < 3; ++a) {
      const double* values = all.data() + 12 * t + 4 * a;
      triangle.vertices[a] = static_cast<int>(values[0]);
      triangle.corners[a] = Vec3(values[1], values[2], values[3]);
    }
  }
  std::ranges::sort(triangles, {}, &WholeTriangle::vertices);
  return triangles;
}

// This rank's vertices of a surface.
std::set<int> owned_vertices(const DistributedMesh& mesh, const std::vector<int>& surface) {
  std::set<int> owned;
  for (const int t : surface)
    for (const int vertex : mesh.triangles[t])
      if (vertex < mesh.halo->owned()) owned.insert(vertex);
  return owned;
}

// The areas of the vertices of all ranks, by their numbers in the undistributed mesh.
std::map<int, double> whole_areas(const DistributedMesh& mesh, const std::set<int>& vertices, const std::vector<double>& area) {
  std::vector<double> own;
  for (const int vertex : vertices) own.insert(own.end(), {static_cast<double>(mesh.vertex_ids[vertex]), area[vertex]});
  const std::vector<double> all = concatenated_over_ranks(mesh.halo->communicator(), own);
  std::map<int, double> areas;
  for (std::size_t k = 0; k < all.size(); k += 2) areas[static_cast<int>(all[k])] = all[k + 1];
  return areas;
}

// Connected triangles in one plane.
struct FlatSide {
  std::vector<const WholeTriangle*> triangles;
  bool ends_sharply = true;  // whether it has a sharp edge wherever it ends
};

// The sides that end sharply, and those of two triangles or more, such as the facets of a cylinder; without the latter if all are too many.
std::vector<FlatSide> flat_sides(const std::vector<WholeTriangle>& triangles) {
  struct Corner {
    std::size_t triangle, opposite;  // a triangle at an edge, and which of its corners is not at the edge
  };
  std::map<std::pair<int, int>, std::vector<Corner>> beside;
  const auto edge_of = [&](std::size_t t, std::size_t a) { return std::minmax({triangles[t].vertices[a], triangles[t].vertices[(a + 1) % 3]}); };
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t a = 0; a < 3; ++a) beside[edge_of(t, a)].push_back({t, (a + 2) % 3});
  std::vector<FlatSide> sides;
  std::vector<char> seen(triangles.size(), 0);
  for (std::size_t first = 0; first < triangles.size(); ++first) {
    if (seen[first]) continue;
    seen[first] = 1;
    std::vector<std::size_t> found{first};
    FlatSide side;
    for (std::size_t next = 0; next < found.size(); ++next) {
      const std::array<Vec3, 3>& x = triangles[found[next]].corners;
      for (std::size_t a = 0; a < 3; ++a)
        for (const Corner& other : beside.at(edge_of(found[next], a))) {
          if (other.triangle == found[next]) continue;
          const double cosine = cosine_of_turn(x[a], x[(a + 1) % 3], x[(a + 2) % 3], triangles[other.triangle].corners[other.opposite]);
          if (cosine < kFlat) side.ends_sharply = side.ends_sharply && cosine <= kCosineOfSharpTurn;
          else if (!seen[other.triangle]) seen[other.triangle] = 1, found.push_back(other.triangle);
        }
    }
    if (!side.ends_sharply && found.size() < 2) continue;
    for (const std::size_t t : found) side.triangles.push_back(&triangles[t]);
    sides.push_back(std::move(side));
  }
  if (sides.size() > kMostSides) std::erase_if(sides, [](const FlatSide& side) { return !side.ends_sharply; });
  return sides;
}

// What sides prescribe of a whole surface's areas.
enum class Prescribed {
  middles_and_areas,  // the middle of each side, and the area of those that end sharply
  middles             // the middle of each side, and the sum of all areas
};

// Areas of vertices as unknowns, and a row for each sum of them that is prescribed.
class SharesOfArea {
 public:
  SharesOfArea(const std::map<int, double>& areas, const std::vector<FlatSide>& sides, Prescribed prescribed) {
    first_.resize(std::ssize(areas));
    for (const auto& [vertex, area] : areas) {
      first_[std::ssize(numbers_)] = area;
      numbers_.emplace(vertex, std::ssize(numbers_));
    }
    whole_ = first_.sum();
    const bool has_areas = prescribed == Prescribed::middles_and_areas;
    rows_.setZero(3 * std::ssize(sides) + 1, first_.size());
    sums_.setZero(rows_.rows());
    for (std::size_t side = 0; side < sides.size(); ++side) prescribe(sides[side], has_areas, 3 * static_cast<Eigen::Index>(side));
    if (has_areas) return;
    rows_.bottomRows<1>().setConstant(1 / whole_);
    sums_[sums_.size() - 1] = 1;
  }

  // The shares that differ least from the first ones, sum (A - A0)^2 / A0, as factors on these by vertex. Sums that contradict each other are met as well as
  // possible. None if a vertex would keep too little, or if sides would not have their areas.
  std::map<int, double> factors() const {
    const Eigen::VectorXd missing = sums_ - rows_ * first_;
    Eigen::VectorXd found = Eigen::VectorXd::Ones(first_.size());
    if (missing.lpNorm<Eigen::Infinity>() > kAlreadyExact) {
      Eigen::MatrixXd matrix = rows_ * first_.asDiagonal() * rows_.transpose();
      matrix.diagonal().array() += kDamping * matrix.diagonal().maxCoeff();
      found += rows_.transpose() * matrix.llt().solve(missing);
    }
    const Eigen::VectorXd left = sums_ - rows_ * first_.cwiseProduct(found);
    for (const auto& [row, area] : areas_)
      if (std::abs(left[row]) * whole_ > kSameArea * area) return {};
    if (found.minCoeff() < kLeastShare) return {};
    std::map<int, double> result;
    for (const auto& [vertex, number] : numbers_) result[vertex] = found[number];
    return result;
  }

 private:
  // Prescribes, from a row on, that the area of a side's vertices has its middle where the side has it, and perhaps that it is as large.
  void prescribe(const FlatSide& side, bool has_area, Eigen::Index row) {
    Vec3 middle = Vec3::Zero();
    double area = 0;
    std::map<int, Vec3> places;
    for (const WholeTriangle* triangle : side.triangles) {
      const double of_one = triangle->twice_area().norm() / 2;
      area += of_one;
      for (std::size_t a = 0; a < 3; ++a) {
        middle += of_one / 3 * triangle->corners[a];
        places[triangle->vertices[a]] = triangle->corners[a];
      }
    }
    middle /= area;
    const Vec3 normal = side.triangles.front()->twice_area().normalized(), along = normal.unitOrthogonal(), across = normal.cross(along);
    double size = 0;
    for (const auto& [vertex, place] : places) size = std::max(size, (place - middle).norm());
    for (const auto& [vertex, place] : places) {
      const Eigen::Index column = numbers_.at(vertex);
      rows_(row, column) = along.dot(place - middle) / (size * whole_);
      rows_(row + 1, column) = across.dot(place - middle) / (size * whole_);
      if (has_area && side.ends_sharply) rows_(row + 2, column) = 1 / whole_;
    }
    if (!has_area || !side.ends_sharply) return;
    sums_[row + 2] = area / whole_;
    areas_.emplace_back(row + 2, area);
  }

  std::map<int, Eigen::Index> numbers_;  // numbers of unknowns, by vertex
  Eigen::VectorXd first_, sums_;
  double whole_ = 0;  // sum of the first shares [m^2]
  Eigen::MatrixXd rows_;
  std::vector<std::pair<Eigen::Index, double>> areas_;  // rows that prescribe the area of a side, and this area [m^2]
};

}  // namespace

void balance_flat_sides(const DistributedMesh& mesh, const std::vector<int>& surface, std::vector<double>& area) {
  const auto is_own = [&](int t) { return mesh.owns(mesh.triangles[t]); };
  if (sum_over_ranks(mesh.halo->communicator(), static_cast<double>(std::ranges::count_if(surface, is_own))) > kMostTriangles) return;
  const std::vector<WholeTriangle> triangles = whole_surface(mesh, surface);
  const std::vector<FlatSide> sides = flat_sides(triangles);
  if (sides.empty() || sides.size() > kMostSides) return;
  const std::set<int> vertices = owned_vertices(mesh, surface);
  const std::map<int, double> areas = whole_areas(mesh, vertices, area);
  std::map<int, double> factors;
  for (const Prescribed prescribed : {Prescribed::middles_and_areas, Prescribed::middles})
    if (factors.empty()) factors = SharesOfArea(areas, sides, prescribed).factors();
  if (factors.empty()) return;
  for (const int vertex : vertices) area[vertex] *= factors.at(mesh.vertex_ids[vertex]);
}

}  // namespace traction
