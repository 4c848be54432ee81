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
  Mat3 second = Mat3::Zero();  // over the mass

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

// The thickness of the box with the same smallest second moment as the vertices of all ranks [m]. Collective.
double thickness_of(MPI_Comm communicator, const std::vector<SolidPatch::Vertex>& owned) {
  std::array<double, 4> sums{};
  for (const auto& [vertex, mass, place] : owned) {
    sums[0] += mass;
    for (int i = 0; i < 3; ++i) sums[1 + i] += mass * place[i];
  }
  sum_over_ranks(communicator, sums);
  Moments moments{sums[0], Vec3(sums[1], sums[2], sums[3]) / sums[0], Mat3::Zero()};
  for (const auto& [vertex, mass, place] : owned) moments.second += mass / moments.mass * (place - moments.center) * (place - moments.center).transpose();
  sum_over_ranks(communicator, {moments.second.data(), 9});
  return std::sqrt(12 * moments.smallest());
}

// A cell of the space around a place. It consists of numbers alone, because ranks exchange it.
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
                                                double cell_size) {
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
    const Vec3 scaled = (place - at) / cell_size;
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
    cell.weight = mass * std::pow(1 - beyond * beyond, 2);
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
  const double thickness = thickness_of(system.communicator(), owned);
  double farthest = 0;
  for (const SolidPatch::Vertex& vertex : owned) farthest = std::max(farthest, (vertex.place - place).norm());
  farthest = maximum_over_ranks(system.communicator(), farthest);
  for (double radius = thickness;; radius *= kGrowth) {
    std::vector<SolidPatch::Vertex> vertices;
    for (double cell = kCell * thickness; vertices.empty() || (vertices.size() > kMost && cell <= kLargest * thickness); cell *= kGrowth) {
      vertices = vertices_within(system, owned, place, *distance, radius, cell);
      if (vertices.empty()) break;
    }
    const bool is_whole = radius > 2 * farthest;
    if (!is_whole && (vertices.size() < kLeast || moments_of(vertices).smallest() < std::pow(kSpread * thickness, 2))) continue;
    return SolidPatch(std::move(vertices));
  }
}

}  // namespace traction
