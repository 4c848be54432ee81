#include "contact/contact_candidates.h"

#include <petscmat.h>

#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>

#include "parallel/collective.h"
#include "parallel/log_event.h"
#include "parallel/rendezvous.h"

namespace traction {

namespace {

constexpr double kMargin = 0.5;  // of the reach: a larger one makes searches rarer and each of them costlier

// What a rank tells about a triangle to those that may touch it.
struct TriangleSample {
  std::array<PetscInt, 3> vertices;  // global numbers
  std::array<double, 3> centroid;

  Vec3 position() const { return Vec3(centroid[0], centroid[1], centroid[2]); }
};

// nanoflann's view of the samples.
struct SampleCloud {
  const std::vector<TriangleSample>& samples;

  std::size_t kdtree_get_point_count() const { return samples.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return samples[i].centroid[axis]; }
  template <typename Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using SampleTree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, SampleCloud>, SampleCloud, 3, std::size_t>;

bool touches(const TriangleSample& triangle, const std::vector<PetscInt>& vertices) {
  return std::any_of(triangle.vertices.begin(), triangle.vertices.end(),
                     [&](PetscInt vertex) { return std::binary_search(vertices.begin(), vertices.end(), vertex); });
}

}  // namespace

ContactCandidates::ContactCandidates(std::shared_ptr<const Halo> halo, std::vector<int> vertices, ContactSurface surface, double reach,
                                     std::vector<std::vector<PetscInt>> excluded)
    : halo_(std::move(halo)),
      vertices_(std::move(vertices)),
      surface_(std::move(surface)),
      reach_(reach),
      margin_(kMargin * reach),
      excluded_(std::move(excluded)),
      watched_(vertices_) {
  // Ghosts of the surface are watched by their owners, if they touch one of their triangles too; to be safe against those that do not, every rank watches its
  // copies.
  for (const auto& triangle : surface_.triangles) watched_.insert(watched_.end(), triangle.begin(), triangle.end());
  std::sort(watched_.begin(), watched_.end());
  watched_.erase(std::unique(watched_.begin(), watched_.end()), watched_.end());
}

double ContactCandidates::moved(const Field& positions) const {
  double largest = 0;
  for (int vertex : watched_) largest = std::max(largest, (positions[vertex] - (*searched_at_)[vertex]).squaredNorm());  // NaN is passed over
  return maximum_over_ranks(halo_->communicator(), std::sqrt(largest));
}

void ContactCandidates::update(const Field& positions) {
  static const LogEvent event("ContactSearch");
  const LogEvent::Scope timed(event);
  // Two that move towards each other come closer by twice that.
  if (!searched_at_ || 2 * moved(positions) > margin_) search(positions);
}

void ContactCandidates::search(const Field& positions) {
  const double radius = reach_ + margin_;
  std::vector<TriangleSample> mine;
  for (const auto& triangle : surface_.triangles) {
    const Vec3 centroid = (positions[triangle[0]] + positions[triangle[1]] + positions[triangle[2]]) / 3;
    mine.push_back({{halo_->to_global(triangle[0]), halo_->to_global(triangle[1]), halo_->to_global(triangle[2])}, {centroid.x(), centroid.y(), centroid.z()}});
  }
  BoundingBox box;
  for (int vertex : vertices_) box.include(positions[vertex]);
  box.grow(radius);
  std::vector<TriangleSample> samples = find_in_box<TriangleSample>(halo_->communicator(), box, mine);
  std::optional<WorkClock::Shift> shift(std::in_place, work_);
  // In an order that does not depend on who sent them.
  std::sort(samples.begin(), samples.end(), [](const TriangleSample& a, const TriangleSample& b) { return a.vertices < b.vertices; });

  const SampleCloud cloud{samples};
  const SampleTree tree(3, cloud);
  std::vector<std::size_t> found;
  std::vector<std::pair<std::size_t, double>> matches;
  auto result = std::make_shared<NearbyTriangles>();
  result->start_.assign(1, 0);
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    if (!samples.empty()) {
      const Vec3 x = positions[vertices_[k]];
      tree.radiusSearch(x.data(), radius * radius, matches, nanoflann::SearchParams());
      const std::size_t first = found.size();
      for (const auto& [sample, distance] : matches)
        if (excluded_.empty() || !touches(samples[sample], excluded_[k])) found.push_back(sample);
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end());
    }
    result->start_.push_back(found.size());
  }

  // Only triangles that are a candidate of someone are kept, and only their vertices are copied.
  std::vector<int> number(samples.size(), -1);
  std::vector<PetscInt> vertices;
  for (std::size_t sample : found) {
    if (number[sample] >= 0) continue;
    number[sample] = static_cast<int>(result->triangles_.size());
    result->triangles_.emplace_back();
    vertices.insert(vertices.end(), samples[sample].vertices.begin(), samples[sample].vertices.end());
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  for (std::size_t sample : found) {
    result->candidates_.push_back(number[sample]);
    for (int a = 0; a < 3; ++a)
      result->triangles_[number[sample]][a] =
          static_cast<int>(std::lower_bound(vertices.begin(), vertices.end(), samples[sample].vertices[a]) - vertices.begin());
  }
  shift.reset();
  result->copies_.emplace(*halo_, vertices, 3);
  result->vertices_ = std::move(vertices);
  nearby_ = std::move(result);
  searched_at_ = positions;
  ++searches_;
}

std::vector<std::vector<PetscInt>> surface_rings(const Halo& halo, const std::vector<std::array<int, 3>>& triangles, const std::vector<int>& vertices,
                                                 int rings) {
  const MPI_Comm communicator = halo.communicator();
  auto check = [&](PetscErrorCode error) { PetscCallAbort(communicator, error); };
  // The graph of edges as a matrix: the pattern of its power is what `rings` edges reach.
  std::vector<std::vector<PetscInt>> neighbours(halo.owned());
  for (int i = 0; i < halo.owned(); ++i) neighbours[i].push_back(halo.to_global(i));
  for (const auto& triangle : triangles)
    for (int a : triangle)
      if (a < halo.owned())
        for (int b : triangle) neighbours[a].push_back(halo.to_global(b));
  std::vector<PetscInt> start{0}, columns;
  for (auto& row : neighbours) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    columns.insert(columns.end(), row.begin(), row.end());
    start.push_back(static_cast<PetscInt>(columns.size()));
  }
  const std::vector<PetscScalar> ones(columns.size(), 1.0);
  Mat edges = nullptr, reached = nullptr;
  check(
      MatCreateMPIAIJWithArrays(communicator, halo.owned(), halo.owned(), PETSC_DETERMINE, PETSC_DETERMINE, start.data(), columns.data(), ones.data(), &edges));
  for (int ring = 1; ring < rings; ++ring) {
    Mat product = nullptr;
    check(MatMatMult(edges, reached ? reached : edges, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product));
    check(MatDestroy(&reached));
    reached = product;
  }
  std::vector<std::vector<PetscInt>> result;
  for (int vertex : vertices) {
    const PetscInt row = halo.to_global(vertex);
    PetscInt count = 0;
    const PetscInt* found = nullptr;
    check(MatGetRow(reached ? reached : edges, row, &count, &found, nullptr));
    result.emplace_back(found, found + count);
    check(MatRestoreRow(reached ? reached : edges, row, &count, &found, nullptr));
    if (rings == 0) result.back() = {row};
    std::sort(result.back().begin(), result.back().end());
  }
  check(MatDestroy(&reached));
  check(MatDestroy(&edges));
  return result;
}

}  // namespace traction
