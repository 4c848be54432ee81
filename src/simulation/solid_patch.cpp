#include "simulation/solid_patch.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "parallel/collective.h"

namespace traction {

namespace {

struct Moments {
  double mass = 0;
  Vec3 center = Vec3::Zero();
  Mat3 second = Mat3::Zero();  // about the center, divided by the mass [m^2]

  double smallest() const { return Eigen::SelfAdjointEigenSolver<Mat3>(second, Eigen::EigenvaluesOnly).eigenvalues()[0]; }
};

Moments moments_of(const std::vector<SolidPatch::Vertex>& vertices) {
  Moments moments;
  for (const auto& [vertex, weight, place] : vertices) {
    moments.mass += weight;
    moments.center += weight * place;
  }
  moments.center /= moments.mass;
  for (const auto& [vertex, weight, place] : vertices)
    moments.second += weight / moments.mass * (place - moments.center) * (place - moments.center).transpose();
  return moments;
}

// The owned vertices of a body's solids, with their masses.
std::vector<SolidPatch::Vertex> owned_vertices(const System& system, const Body& body, const Field& start) {
  std::vector<int> numbers;
  for (const auto& [name, material] : body.solid) {
    const std::vector<int>& region = system.mesh().region(body.name + "." + name).vertices;
    numbers.insert(numbers.end(), region.begin(), region.end());
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<SolidPatch::Vertex> result;
  for (const int vertex : numbers)
    if (vertex < system.halo().owned()) result.push_back({system.halo().to_global(vertex), system.own_mass()[vertex], start[vertex]});
  return result;
}

// How a body's solids are shaped around a place.
struct LocalShape {
  double thickness;  // [m]
  Mat3 axes;         // orthonormal columns, which turn with the body
};

// A tetrahedron as one of several, which sums of numbers describe.
struct Piece {
  double distance;  // the distance of its center from the place [m]
  double volume;
  Vec3 center;  // from the place
  Mat3 second;  // second moments about the place over the volume
};

std::vector<Piece> owned_pieces(const System& system, const Body& body, const Vec3& place, const Field& start) {
  const DistributedMesh& mesh = system.mesh();
  std::vector<Piece> pieces;
  for (const auto& [name, material] : body.solid)
    for (const int e : mesh.region(body.name + "." + name).members) {
      const std::array<int, 4>& t = mesh.tetrahedra[e];
      if (!mesh.owns(t)) continue;
      std::array<Vec3, 4> x;
      Vec3 center = Vec3::Zero();
      for (int a = 0; a < 4; ++a) {
        x[a] = start[t[a]] - place;
        center += x[a] / 4;
      }
      Mat3 second = 16 * center * center.transpose();  // (sum of x_a x_a^T + sum of x_a (sum of x_a)^T) / 20
      for (const Vec3& arm : x) second += arm * arm.transpose();
      pieces.push_back({center.norm(), (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6, center, second / 20});
    }
  return pieces;
}

// How much a vertex or tetrahedron counts at a distance of `beyond` times the radius from the ball within which all count as much.
double weight_at(double beyond) { return beyond < 1 ? std::pow(1 - beyond * beyond, 2) : 0; }

// Directions that turn with the body: the edges of the tetrahedron with the lowest numbers of vertices, shorter ones first, because those of regular meshes lie
// along the faces of the body. Collective.
std::array<Vec3, 6> directions_of(const System& system, const Body& body, const Field& start) {
  const DistributedMesh& mesh = system.mesh();
  using Lowest = std::array<double, 16>;  // numbers, ascending, and places
  std::vector<double> numbers;
  std::optional<Lowest> lowest;
  for (const auto& [name, material] : body.solid)
    for (const int e : mesh.region(body.name + "." + name).members) {
      std::array<int, 4> t = mesh.tetrahedra[e];
      std::sort(t.begin(), t.end(), [&](int one, int other) { return mesh.vertex_ids[one] < mesh.vertex_ids[other]; });
      Lowest candidate;
      for (int a = 0; a < 4; ++a) {
        candidate[a] = mesh.vertex_ids[t[a]];
        for (int i = 0; i < 3; ++i) candidate[4 + 3 * a + i] = start[t[a]][i];
      }
      if (!lowest || std::lexicographical_compare(candidate.begin(), candidate.begin() + 4, lowest->begin(), lowest->begin() + 4)) lowest = candidate;
    }
  if (lowest) numbers.assign(lowest->begin(), lowest->end());
  numbers = concatenated_over_ranks(system.communicator(), numbers);
  auto best = numbers.begin();
  for (auto other = best; other != numbers.end(); other += 16)
    if (std::lexicographical_compare(other, other + 4, best, best + 4)) best = other;
  std::array<Vec3, 6> edges;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto place = [&](std::size_t corner) { return Eigen::Map<const Vec3>(&*(best + 4 + 3 * static_cast<std::ptrdiff_t>(corner))); };
    edges[k] = place(kTetrahedronEdges[k][1]) - place(kTetrahedronEdges[k][0]);
  }
  constexpr double kEqual = 1e-6;
  const double longest = std::max_element(edges.begin(), edges.end(), [](const Vec3& one, const Vec3& other) { return one.norm() < other.norm(); })->norm();
  const auto length_of = [&](const Vec3& edge) { return std::round(edge.norm() / (kEqual * longest)); };
  std::stable_sort(edges.begin(), edges.end(), [&](const Vec3& one, const Vec3& other) { return length_of(one) < length_of(other); });
  return edges;
}

// Eigenvectors of second moments where these differ, and other directions of the body where they do not, as in cubes and round bodies.
Mat3 axes_of(const Mat3& second, const std::array<Vec3, 6>& directions) {
  constexpr double kEqual = 0.1;                     // moments that differ by less, relative to the largest, differ by the mesh alone
  constexpr double kAcross = 1e-3, kParallel = 0.1;  // least cosine that distinguishes a vector from its opposite, and least sine of different directions
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(second);
  const Vec3 moments = solver.eigenvalues();
  std::vector<Vec3> candidates;
  for (int i = 0; i < 3; ++i) {
    const auto differs = [&](int j) { return j < 0 || j > 2 || std::abs(moments[i] - moments[j]) > kEqual * moments[2]; };
    if (!differs(i - 1) || !differs(i + 1)) continue;
    const Vec3 axis = solver.eigenvectors().col(i);
    const auto decides = [&](const Vec3& direction) { return std::abs(axis.dot(direction)) > kAcross * direction.norm(); };
    const auto along = [&](const Vec3& one) { return std::abs(axis.dot(one)) / one.norm(); };
    auto found = std::find_if(directions.begin(), directions.end(), decides);
    if (found == directions.end())  // a very flat tetrahedron across the axis
      found = std::max_element(directions.begin(), directions.end(), [&](const Vec3& a, const Vec3& b) { return along(a) < along(b); });
    const Vec3& direction = *found;
    candidates.emplace_back(axis.dot(direction) > 0 ? axis : Vec3(-axis));
  }
  candidates.insert(candidates.end(), directions.begin(), directions.end());
  Mat3 axes;
  axes.col(0) = candidates[0].normalized();
  for (std::size_t k = 1; k < candidates.size(); ++k) {
    const Vec3 across = candidates[k] - candidates[k].dot(axes.col(0)) * axes.col(0);
    axes.col(1) = across.normalized();
    if (across.norm() > kParallel * candidates[k].norm()) break;
  }
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

// The shape at the smallest radius around a place at which the body is at most half as thick as that is long (docs/theory/rigid.md, "Joints"). The thickness is
// that of the box with the same smallest second moment. Around places on faces, edges and corners of bodies that are not thin it is 0.58 times the radius or
// more, so that it only ends where the other side of a wall, bar or body is reached. Collective.
LocalShape shape_around(const System& system, const Body& body, const Vec3& place, double inner, double farthest, const Field& start) {
  constexpr int kRadii = 97;
  constexpr double kLargest = 4, kPerOctave = 8;  // radii, relative to the farthest distance, which the body does not reach
  constexpr double kPieces = 12, kElement = 1.5;  // least number of tetrahedra, and least radius relative to the size of these
  constexpr std::size_t kSums = 12;               // number, volume, weight, and first and second moments
  std::array<double, kRadii> radii;
  for (int k = 0; k < kRadii; ++k) radii[k] = kLargest * farthest * std::exp2((k + 1 - kRadii) / kPerOctave);
  std::vector<double> sums(kRadii * kSums, 0.0);
  for (const Piece& piece : owned_pieces(system, body, place, start))
    for (int k = kRadii - 1; k >= 0; --k) {
      const double weight = piece.volume * weight_at(std::max(piece.distance - inner, 0.0) / radii[k]);
      if (weight == 0) break;
      double* sum = &sums[static_cast<std::size_t>(k) * kSums];
      sum[0] += 1;
      sum[1] += piece.volume;
      sum[2] += weight;
      for (int i = 0; i < 3; ++i) {
        sum[3 + i] += weight * piece.center[i];
        for (int j = 0; j <= i; ++j) sum[6 + i * (i + 1) / 2 + j] += weight * piece.second(i, j);
      }
    }
  sum_over_ranks(system.communicator(), sums);
  const std::array<Vec3, 6> directions = directions_of(system, body, start);
  double last = 0, excess = 0;  // the radius before, and by how much the body is too thick for it
  for (int k = 0;; ++k) {
    const double* sum = &sums[static_cast<std::size_t>(k) * kSums];
    const bool is_whole = k + 1 == kRadii;
    if (!is_whole && (sum[0] < kPieces || radii[k] < kElement * std::cbrt(6 * sum[1] / sum[0]))) continue;
    const Vec3 center = Vec3(sum[3], sum[4], sum[5]) / sum[2];
    Mat3 second;
    second << sum[6], sum[7], sum[9], sum[7], sum[8], sum[10], sum[9], sum[10], sum[11];
    second = second / sum[2] - center * center.transpose();
    const double thickness = std::sqrt(12 * Eigen::SelfAdjointEigenSolver<Mat3>(second, Eigen::EigenvaluesOnly).eigenvalues()[0]);
    const double beyond = thickness - radii[k] / 2;
    if (beyond <= 0 || is_whole) return {excess > 0 ? (last + (radii[k] - last) * excess / (excess - beyond)) / 2 : thickness, axes_of(second, directions)};
    last = radii[k];
    excess = beyond;
  }
}

// A cell of the space around a place, along the axes of the body there. It consists of numbers alone, because ranks exchange it.
struct Cell {
  std::array<double, 3> index{};
  double offset = 0, vertex = 0;  // the vertex nearest to the middle: its distance in multiples of kTie of the cell's size, and its global number
  std::array<double, 3> place{};
  double id = 0;      // the vertex's number in the undistributed mesh, which decides between equal distances
  double weight = 0;  // sum over all vertices in the cell
};
constexpr double kTie = 1e-6;

// The vertices around a place within a distance `inner` + `radius`, one for each cell of the space, with the weights of all in it. Collective.
std::vector<SolidPatch::Vertex> vertices_within(const System& system, const std::vector<SolidPatch::Vertex>& owned, const Vec3& at, double inner, double radius,
                                                double cell_size, const Mat3& axes) {
  constexpr double kShift = 0.0137;  // no vertices of a regular mesh lie on borders between cells
  std::map<std::array<double, 3>, Cell> cells;
  const auto add = [&](const Cell& cell) {
    const auto [found, is_new] = cells.try_emplace(cell.index, cell);
    if (is_new) return;
    const double weight = found->second.weight + cell.weight;
    if (std::tuple(cell.offset, cell.id) < std::tuple(found->second.offset, found->second.id)) found->second = cell;
    found->second.weight = weight;
  };
  for (const auto& [vertex, mass, place] : owned) {
    const double beyond = std::max((place - at).norm() - inner, 0.0) / radius;
    if (!(beyond < 1)) continue;
    const Vec3 scaled = axes.transpose() * (place - at) / cell_size;
    Cell cell;
    double square = 0;
    for (int i = 0; i < 3; ++i) {
      cell.index[i] = std::floor(scaled[i] + 0.5 + kShift);
      square += std::pow(scaled[i] - cell.index[i], 2);
      cell.place[i] = place[i];
    }
    cell.offset = std::round(std::sqrt(square) / kTie);
    cell.vertex = static_cast<double>(vertex);
    cell.id = system.mesh().vertex_ids[static_cast<std::size_t>(vertex - system.halo().first_owned())];
    cell.weight = mass * weight_at(beyond);
    add(cell);
  }
  constexpr std::size_t kNumbers = sizeof(Cell) / sizeof(double);
  static_assert(sizeof(Cell) == 10 * sizeof(double));
  std::vector<double> numbers;
  for (const auto& [index, cell] : cells) {
    const auto* first = reinterpret_cast<const double*>(&cell);
    numbers.insert(numbers.end(), first, first + kNumbers);
  }
  numbers = concatenated_over_ranks(system.communicator(), numbers);
  cells.clear();
  for (std::size_t n = 0; n < numbers.size(); n += kNumbers) {
    Cell cell;
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(n), kNumbers, reinterpret_cast<double*>(&cell));
    add(cell);
  }
  std::vector<SolidPatch::Vertex> result;
  result.reserve(cells.size());
  for (const auto& [index, cell] : cells)
    result.push_back({static_cast<PetscInt>(cell.vertex), cell.weight, Vec3(cell.place[0], cell.place[1], cell.place[2])});
  return result;
}

}  // namespace

SolidPatch::SolidPatch(std::vector<Vertex> vertices) : vertices_(std::move(vertices)) {
  const Moments moments = moments_of(vertices_);
  for (Vertex& vertex : vertices_) vertex.weight /= moments.mass;
  center_ = moments.center;
  inverse_ = moments.second.inverse();
}

CarriedPoint SolidPatch::carry(const Vec3& place) const {
  CarriedPoint carried{{}, place};
  const Vec3 slope = inverse_ * (place - center_);
  for (const auto& [vertex, weight, x] : vertices_) {
    carried.point.vertices.push_back(vertex);
    carried.point.weights.push_back(weight * (1 + (x - center_).dot(slope)));
  }
  return carried;
}

std::optional<SolidPatch> patch_around(const System& system, const Body& body, const Vec3& place, const Field& start) {
  constexpr std::size_t kLeast = 8, kMost = 128;
  constexpr double kCell = 0.4;     // size of a cell, relative to the thickness
  constexpr double kLargest = 0.5;  // the largest, so that cells do not join both sides
  constexpr double kSpread = 0.1;   // least standard deviation of the places along any direction, relative to the thickness
  constexpr double kGrowth = 1.25;
  const std::optional<double> distance = distance_from_tetrahedra(system, body, place, start);
  if (!distance) return std::nullopt;
  const std::vector<SolidPatch::Vertex> owned = owned_vertices(system, body, start);
  double farthest = 0;
  for (const SolidPatch::Vertex& vertex : owned) farthest = std::max(farthest, (vertex.place - place).norm());
  farthest = maximum_over_ranks(system.communicator(), farthest);
  const auto [thickness, axes] = shape_around(system, body, place, *distance, farthest, start);
  for (double radius = thickness;; radius *= kGrowth) {
    std::vector<SolidPatch::Vertex> vertices;
    for (double cell = kCell * thickness; vertices.empty() || (vertices.size() > kMost && cell <= kLargest * thickness); cell *= kGrowth) {
      vertices = vertices_within(system, owned, place, *distance, radius, cell, axes);
      if (vertices.empty()) break;
    }
    const bool is_whole = radius > 2 * farthest;
    if (!is_whole && (vertices.size() < kLeast || moments_of(vertices).smallest() < std::pow(kSpread * thickness, 2))) continue;
    return SolidPatch(std::move(vertices));
  }
}

}  // namespace traction
