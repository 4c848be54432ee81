#include "contact/vertex_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/admissible_part.h"
#include "contact/crossing.h"
#include "contact/passage.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// The region behind the surface in which the gap is negative is at least 0.4 of the reach deep, for every thickness and reach that contact allows. A vertex
// that moves by this part of the reach at once cannot pass it.
constexpr double kPartOfReach = 0.25;

constexpr int kMostPieces = 100;  // largest number of pieces into which the paths of a step are divided

}  // namespace

VertexSurface::VertexSurface(std::shared_ptr<const Halo> halo, ImplicitSurface surface, bool two_sided, Search search, std::vector<PairWeight> weights,
                             const std::vector<char>& is_driven, const std::vector<char>& at_rim)
    : halo_(std::move(halo)),
      surface_(surface),
      two_sided_(two_sided),
      search_(std::move(search)),
      weights_(std::move(weights)),
      finder_(surface),
      driven_(halo_->local()),
      has_rim_(maximum_over_ranks(halo_->communicator(), std::any_of(at_rim.begin(), at_rim.begin() + halo_->owned(), [](char is) { return is != 0; })) > 0) {
  for (int i = 0; i < halo_->local(); ++i) driven_[i].x() = is_driven[i];
  if (!has_rim_) return;
  at_rim_ = Field(halo_->local());
  for (int i = 0; i < halo_->local(); ++i) at_rim_[i].x() = at_rim[i];
}

void VertexSurface::begin_step(const State& state) {
  if (two_sided_) {
    sides_for_.reset();
    start_ = state.q;
  }
  update(state.q);
}

Field VertexSurface::copies_of(const Field& field) const {
  Field result(search_.nearby()->copies().count());
  search_.nearby()->copies().forward(field.values(), result.values());
  return result;
}

void VertexSurface::update(const Field& positions) {
  search_.update(positions);
  const Search::Nearby& nearby = *search_.nearby();
  if (two_sided_ && sides_for_ != search_.nearby()) {
    sides_.assign(nearby.candidates(), 0);
    sides_for_ = search_.nearby();
  }
  if (has_rim_ && rim_for_ != search_.nearby()) {
    const Field copies = copies_of(at_rim_);
    copies_at_rim_.resize(static_cast<std::size_t>(nearby.copies().count()));
    for (int i = 0; i < nearby.copies().count(); ++i) copies_at_rim_[i] = copies[i].x() > 0;
    rim_for_ = search_.nearby();
  }
  const auto is_at_rim = [&](int copy) { return copies_at_rim_[copy] != 0; };
  const Field now = copies_of(positions), start = two_sided_ ? copies_of(start_) : Field();
  const WorkClock::Shift shift(work_);
  auto pairs = std::make_shared<Pairs>();
  for (std::size_t k = 0; k < count(); ++k) {
    const std::span<const int> candidates = nearby.near(k);
    if (candidates.empty()) continue;
    const Vec3 x = positions[vertex(k)];
    finder_.begin(x, !two_sided_);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::array<int, 3>& copies = nearby.items()[candidates[i]];
      finder_.add(static_cast<int>(i), copies, {now[copies[0]], now[copies[1]], now[copies[2]]});
    }
    finder_.find();
    for (int sheet = 0; sheet < finder_.count(); ++sheet) {
      pairs->pairs.push_back({k, static_cast<std::uint64_t>(sheet), pairs->triangles.size(), false});
      if (two_sided_) find_sides(k, finder_.triangles(sheet), x, now, start);
      for (int candidate : finder_.triangles(sheet)) {
        const std::array<int, 3> triangle = turned(k, candidate);
        pairs->triangles.push_back(triangle);
        if (has_rim_ && std::any_of(triangle.begin(), triangle.end(), is_at_rim)) pairs->pairs.back().has_rim = true;
      }
    }
  }
  pairs_ = std::move(pairs);
}

// The side is that of the vertex at the start of the step, so that a vertex which a guess takes through the surface from beyond its reach is not lost.
void VertexSurface::find_sides(std::size_t query, std::span<const int> sheet, const Vec3& x, const Field& now, const Field& start) {
  const Search::Nearby& nearby = *search_.nearby();
  const auto side = [&](int candidate) -> signed char& { return sides_[nearby.first(query) + static_cast<std::size_t>(candidate)]; };
  if (std::all_of(sheet.begin(), sheet.end(), [&](int candidate) { return side(candidate) != 0; })) return;
  std::vector<Corners<double>> corners;
  for (int candidate : sheet) {
    const std::array<int, 3>& copies = nearby.items()[nearby.near(query)[static_cast<std::size_t>(candidate)]];
    corners.push_back({now[copies[0]], now[copies[1]], now[copies[2]]});
  }
  const ImplicitSurfaceSample<double> sample(surface_, x, corners);
  double distance = 0;
  sample.for_each_corner([&](std::size_t i, int a, double share) {
    const std::array<int, 3>& copies = nearby.items()[nearby.near(query)[static_cast<std::size_t>(sheet[i])]];
    const Vec3 corner = start[copies[0]], edge1 = start[copies[1]] - corner, edge2 = start[copies[2]] - corner;
    distance += share * edge1.cross(edge2).normalized().dot(start_[vertex(query)] - start[copies[a]]);
  });
  for (int candidate : sheet)
    if (side(candidate) == 0) side(candidate) = distance < 0 ? -1 : 1;
}

std::array<int, 3> VertexSurface::turned(std::size_t query, int candidate) const {
  const Search::Nearby& nearby = *search_.nearby();
  const auto& [a, b, c] = nearby.items()[nearby.near(query)[static_cast<std::size_t>(candidate)]];
  if (two_sided_ && sides_[nearby.first(query) + static_cast<std::size_t>(candidate)] < 0) return {a, c, b};
  return {a, b, c};
}

std::span<const int> VertexSurface::Surroundings::points(std::size_t k, std::vector<int>& buffer) const {
  buffer.assign(1, family_->vertex(pairs_->pairs[k].query));
  for (const auto& triangle : pairs_->triangles_of(k))
    for (int copy : triangle) buffer.push_back(owned() + copy);
  return buffer;
}

Field VertexSurface::Surroundings::copies_of(const Field& field) const {
  Field result(copies());
  nearby_->copies().forward(field.values(), result.values());
  return result;
}

VertexSurface::Surroundings VertexSurface::surroundings(const State& state) const {
  Surroundings result(*this);
  result.q = result.copies_of(state.q);
  result.v = result.copies_of(state.v);
  return result;
}

std::vector<double> VertexSurface::gaps_at(const Field& positions, double offset) {
  update(positions);
  const Surroundings near(*this);
  const Field copies = near.copies_of(positions);
  const WorkClock::Shift shift(work_);
  std::vector<double> gaps(count(), std::numeric_limits<double>::infinity());
  std::vector<int> buffer;
  std::vector<Vec3> x;
  for (std::size_t k = 0; k < near.count(); ++k) {
    const std::size_t query = pairs_->pairs[k].query;
    x.assign(1, positions[vertex(query)]);
    for (int point : near.points(k, buffer).subspan(1)) x.push_back(copies[point - near.owned()]);
    const SurfaceSample<double> sample(surface_, x, pairs_->pairs[k].has_rim);
    if (sample.within_reach()) gaps[query] = std::min(gaps[query], sample.gap() - offset);
  }
  return gaps;
}

std::optional<double> VertexSurface::admissible_part(const ContactLaw& law, const State& state, const Field& displacement) {
  Field moved = state.q;
  const auto gaps_after = [&](double part) {
    moved.array() = state.q.array() + part * displacement.array();
    return gaps_at(moved, law.offset);
  };
  const std::vector<double> start = gaps_after(0);
  const auto spare = [&](const std::vector<double>& gaps) {  // the smallest spare distance over the vertices
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < gaps.size(); ++k) least = std::min(least, gaps[k] - least_gap(start[k], law.thickness));
    return minimum_over_ranks(communicator(), least);
  };
  if (!(spare(start) > 0)) return std::nullopt;
  double distance = 0;  // largest distance that a vertex of either side moves; the two sides may move in opposite directions
  for (int vertex : search_.watched()) distance = std::max(distance, displacement[vertex].norm());
  distance = maximum_over_ranks(communicator(), distance);
  return traction::admissible_part(kPartOfReach * surface_.reach / (2 * distance), [&](double part) { return spare(gaps_after(part)) >= 0; });
}

int VertexSurface::pieces_of(const Field& start, const Field& end) const {
  std::array<double, 4> sums{0, 0, 0, static_cast<double>(search_.watched().size())};
  for (int vertex : search_.watched())
    for (int i = 0; i < 3; ++i) sums[i] += end[vertex][i] - start[vertex][i];
  sum_over_ranks(communicator(), sums);
  const Vec3 mean = Vec3(sums[0], sums[1], sums[2]) / sums[3];
  double departure = 0;
  for (int vertex : search_.watched()) departure = std::max(departure, (end[vertex] - start[vertex] - mean).norm());
  departure = maximum_over_ranks(communicator(), departure);
  // Every point of a triangle is nearer to its centroid than the distance at which contact begins to fade.
  const double longest = surface_.reach - surface_.fade_from, pieces = std::ceil(2 * departure / longest);
  if (!(pieces > 1)) return 1;
  BoundingBox vertices, triangles;  // boxes around their paths, without the common motion
  const auto include = [&](BoundingBox& box, int vertex) {
    box.include(start[vertex]);
    box.include(end[vertex] - mean);
  };
  for (const auto& query : search_.queries()) include(vertices, query[0]);
  for (const auto& item : search_.items())
    for (int corner : item) include(triangles, corner);
  bool meet = true;
  for (int i = 0; i < 3; ++i)
    for (const auto& [one, other] : {std::pair{&vertices, &triangles}, std::pair{&triangles, &vertices}})
      meet = minimum_over_ranks(communicator(), one->lower[i]) <= maximum_over_ranks(communicator(), other->upper[i]) && meet;
  return meet ? static_cast<int>(std::min(pieces, static_cast<double>(kMostPieces) + 1)) : 0;
}

// A vertex that crosses a triangle from its front goes in, and must end where the sheet that contains this triangle pushes it back.
std::optional<Vec3> VertexSurface::passage(const ContactLaw&, const State& start, const State& end) {
  const int pieces = pieces_of(start.q, end.q);
  if (pieces == 0) return {};
  if (pieces > kMostPieces) return first_over_ranks(communicator(), count() > 0 ? std::optional<Vec3>(start.q[vertex(0)]) : std::nullopt);
  std::vector<TriangleCrossings> paths(count());
  Field from = start.q, to = start.q;
  for (int piece = 1; piece <= pieces; ++piece) {
    const double part = static_cast<double>(piece) / pieces;
    to.array() = (1 - part) * start.q.array() + part * end.q.array();
    update(to);
    add_crossings(from, to, paths);
    from = to;
  }
  std::optional<Vec3> found;
  std::vector<char> is_held(count(), 0);  // whether the sheet that contains the crossed triangle holds the vertex
  const Field copies = copies_of(end.q);
  std::vector<Corners<double>> corners;
  for (std::size_t k = 0; k < pairs_->pairs.size(); ++k) {
    const std::size_t query = pairs_->pairs[k].query;
    if (!paths[query].entry()) continue;
    corners.clear();
    bool is_here = false;
    for (const auto& triangle : pairs_->triangles_of(k)) {
      corners.push_back({copies[triangle[0]], copies[triangle[1]], copies[triangle[2]]});
      is_here = is_here || number_of(triangle) == paths[query].triangle();
    }
    if (is_here && ImplicitSurfaceSample<double>(surface_, end.q[vertex(query)], corners, pairs_->pairs[k].has_rim).gradient().dot(*paths[query].entry()) > 0)
      is_held[query] = 1;
  }
  for (std::size_t k = 0; k < count(); ++k)
    if (paths[k].leads_through() || (paths[k].entry() && !is_held[k])) found = start.q[vertex(k)];
  return first_over_ranks(communicator(), found);
}

// A hash of a triangle that is the same on every rank and in every search, and hardly ever the same for two triangles near each other.
long VertexSurface::number_of(const std::array<int, 3>& copies) const {
  std::array<PetscInt, 3> vertices{};
  for (int a = 0; a < 3; ++a) vertices[a] = search_.nearby()->to_global(copies[a]);
  std::sort(vertices.begin(), vertices.end());
  constexpr std::uint64_t kMixing = 0x9e3779b97f4a7c15ull;
  std::uint64_t number = 0;
  for (const PetscInt vertex : vertices) number = (number ^ static_cast<std::uint64_t>(vertex)) * kMixing;
  return static_cast<long>(number >> 1);
}

void VertexSurface::add_crossings(const Field& from, const Field& to, std::vector<TriangleCrossings>& paths) const {
  const Search::Nearby& nearby = *search_.nearby();
  const Field before = copies_of(from), after = copies_of(to), driven = copies_of(driven_);
  const WorkClock::Shift shift(work_);
  std::vector<std::pair<Crossing, long>> crossings;
  for (std::size_t k = 0; k < count(); ++k) {
    crossings.clear();
    for (int candidate = 0; candidate < static_cast<int>(nearby.near(k).size()); ++candidate) {
      const std::array<int, 3> triangle = turned(k, candidate);
      const auto corners = [&](const Field& field) { return Corners<double>{field[triangle[0]], field[triangle[1]], field[triangle[2]]}; };
      const auto crossing = find_crossing(from[vertex(k)], to[vertex(k)], corners(before), corners(after));
      if (!crossing) continue;
      const bool all_driven = driven_[vertex(k)].x() * driven[triangle[0]].x() * driven[triangle[1]].x() * driven[triangle[2]].x() > 0;
      if (!all_driven) crossings.emplace_back(*crossing, number_of(triangle));
    }
    std::sort(crossings.begin(), crossings.end(), [](const auto& a, const auto& b) { return a.first.part < b.first.part; });
    for (const auto& [crossing, triangle] : crossings) paths[k].add(crossing, triangle);
  }
}

}  // namespace traction
