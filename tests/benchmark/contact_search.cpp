// The cost of the broad phase over the number of surface samples: a wavy sheet of triangles against the vertices of a second sheet just above it. With MPI the
// sheet is cut into strips, one per rank, and the second one turned by a quarter, so that every strip meets every rank.
//
// `search` is that of vertices for triangles (smooth surface), `features` that of vertices and edges of both sheets for triangles and edges of the other.
//
//   cmake --build build/release --target contact_search && mpirun -n 2 build/release/tests/benchmark/contact_search

#include <benchmark/benchmark.h>
#include <petscsys.h>

#include <cmath>
#include <set>

#include "contact/feature_search.h"
#include "contact/pair_search.h"
#include "parallel/collective.h"

namespace traction {
namespace {

struct Sheets {
  std::shared_ptr<const Halo> halo;
  Field positions;
  std::vector<int> upper;
  std::vector<std::array<int, 3>> lower;
  double edge = 0;
};

// Each rank has a strip of the lower sheet with about triangles / ranks triangles of unit area in all, and as many vertices of the upper.
Sheets make_sheets(long triangles) {
  int rank = 0, size = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  const int cells = static_cast<int>(std::lround(std::sqrt(triangles / 2.0))), rows = std::max(1, cells / size);
  Sheets sheets;
  sheets.edge = 1.0 / cells;
  const int vertices = (rows + 1) * (cells + 1);
  sheets.halo = std::make_shared<const Halo>(PETSC_COMM_WORLD, 2 * vertices, std::vector<PetscInt>{});
  sheets.positions = Field(2 * vertices);
  for (int i = 0; i <= rows; ++i)
    for (int j = 0; j <= cells; ++j) {
      const double along = sheets.edge * (rank * rows + i), across = sheets.edge * j;
      const int number = i * (cells + 1) + j;
      sheets.positions[number] = Vec3(along, across, 0.01 * std::sin(10 * along));
      sheets.positions[vertices + number] = Vec3(across, along, 0.01 * std::sin(10 * across) + 0.3 * sheets.edge);
      sheets.upper.push_back(vertices + number);
      if (i == rows || j == cells) continue;
      sheets.lower.push_back({number, number + cells + 1, number + 1});
      sheets.lower.push_back({number + 1, number + cells + 1, number + cells + 2});
    }
  return sheets;
}

void search(benchmark::State& state) {
  Sheets sheets = make_sheets(state.range(0));
  std::vector<std::array<int, 1>> queries;
  for (int vertex : sheets.upper) queries.push_back({vertex});
  PairSearch<1, 3> candidates(sheets.halo, queries, sheets.lower, 1.2 * sheets.edge, {});
  double pairs = 0;
  for (auto _ : state) {
    for (int vertex : sheets.upper) sheets.positions[vertex].x() += sheets.edge;  // beyond the margin: each update searches
    candidates.update(sheets.positions);
    benchmark::DoNotOptimize(candidates.nearby());
  }
  for (std::size_t k = 0; k < sheets.upper.size(); ++k) pairs += static_cast<double>(candidates.nearby()->near(k).size());
  state.SetComplexityN(state.range(0));
  state.counters["pairs_per_vertex"] = pairs / static_cast<double>(sheets.upper.size());
  state.counters["searches"] = static_cast<double>(candidates.searches());
}

BENCHMARK(search)->RangeMultiplier(10)->Range(10000, 1000000)->Iterations(5)->UseRealTime()->Unit(benchmark::kMillisecond)->Complexity(benchmark::oNLogN);

// The vertices, edges and triangles of a sheet whose vertices begin at a number.
ContactSurface surface_of(const Sheets& sheets, int first_vertex, int body) {
  ContactSurface surface;
  surface.body = body;
  std::set<std::array<int, 2>> edges;
  std::set<int> vertices;
  for (std::array<int, 3> triangle : sheets.lower) {
    for (int& corner : triangle) vertices.insert(corner += first_vertex);
    for (int i = 0; i < 3; ++i) edges.insert({std::min(triangle[i], triangle[(i + 1) % 3]), std::max(triangle[i], triangle[(i + 1) % 3])});
    surface.triangles.push_back(triangle);
  }
  for (int vertex : vertices) surface.vertices.push_back({vertex});
  for (const auto& edge : edges) surface.edges.push_back({.ends = edge, .length = (sheets.positions[edge[0]] - sheets.positions[edge[1]]).norm()});
  return surface;
}

void features(benchmark::State& state) {
  Sheets sheets = make_sheets(state.range(0));
  const int local = sheets.halo->local(), second = local / 2;
  SurfacePairs pairs{{0, 1}, {0, 1}, {}};
  FeatureSearch candidates(sheets.halo, {surface_of(sheets, 0, 0), surface_of(sheets, second, 1)}, pairs, {sheets.positions},
                           {std::vector<char>(local, 0), std::vector<char>(local, 0)}, 0.4 * sheets.edge);
  State moving(local);
  moving.q = sheets.positions;
  for (auto _ : state) {
    for (int vertex : sheets.upper) moving.q[vertex].x() += sheets.edge;  // beyond the margin: each update searches
    candidates.update(moving);
    benchmark::DoNotOptimize(candidates.nearby());
  }
  double found = static_cast<double>(candidates.nearby()->edge_pairs.size());
  for (const auto& query : candidates.nearby()->queries) found += static_cast<double>(query.triangles.size());
  state.SetComplexityN(state.range(0));
  state.counters["pairs_per_vertex"] = found / static_cast<double>(2 * sheets.upper.size());
  state.counters["searches"] = static_cast<double>(candidates.searches());
}

BENCHMARK(features)->RangeMultiplier(10)->Range(10000, 1000000)->Iterations(5)->UseRealTime()->Unit(benchmark::kMillisecond)->Complexity(benchmark::oNLogN);

}  // namespace
}  // namespace traction
