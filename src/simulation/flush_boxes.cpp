#include "simulation/flush_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <variant>

namespace traction {

namespace {

constexpr double kSamePlane = 1e-9;            // relative to the largest coordinate
constexpr std::size_t kMostRectangles = 5000;  // on a face of a box; a box that others would cut into more stays apart

// Whether the bodies of a contact meet an obstacle in the same contact, or in another one of the same kind and thickness.
bool meets(const Scene& scene, const ContactSettings& settings, const std::string& obstacle) {
  return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactSettings& contact) {
    if (contact.geometry != ContactGeometry::edges_and_faces || contact.thickness != settings.thickness) return false;
    const auto* against = std::get_if<std::string>(&contact.against);
    return contact.all || settings.all || (against && *against == obstacle && contact.vertices == settings.vertices);
  });
}

// The corners of a box's rectangles. All lie exactly where planes of its cuts meet.
using Corner = std::array<double, 3>;

Corner corner_at(const Vec3& x) { return {x.x(), x.y(), x.z()}; }

}  // namespace

// A part of the face of a box that is normal to `axis`.
struct FlushBoxes::Rectangle {
  int axis;
  bool upper;  // on the face with the greater coordinate
  Vec3 low, high;

  Vec3 middle() const { return (low + high) / 2; }
  Vec3 normal() const { return (upper ? 1.0 : -1.0) * Vec3::Unit(axis); }
  std::array<Vec3, 4> corners() const {  // around the outward normal
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Vec3 beside = low, behind = low;
    beside[u] = high[u];
    behind[v] = high[v];
    return upper ? std::array{low, beside, high, behind} : std::array{low, behind, high, beside};
  }
};

FlushBoxes::FlushBoxes(const Scene& scene, const ContactSettings& settings) {
  for (const Obstacle& obstacle : scene.obstacles) {
    const auto* box = std::get_if<BoxSettings>(&obstacle.shape);
    if (!box || !has_faces(obstacle) || !meets(scene, settings, obstacle.name)) continue;
    obstacles_.push_back(&obstacle);
    boxes_.push_back(*box);
    rounding_ = std::max({rounding_, kSamePlane * box->lower.cwiseAbs().maxCoeff(), kSamePlane * box->upper.cwiseAbs().maxCoeff()});
  }
  neighbours_.resize(boxes_.size());
  for (std::size_t one = 0; one < boxes_.size(); ++one)
    for (std::size_t other = 0; other < boxes_.size(); ++other)
      if (one != other && obstacles_[one]->motion == obstacles_[other]->motion &&
          (boxes_[one].lower.array() <= boxes_[other].upper.array() + rounding_).all() &&
          (boxes_[other].lower.array() <= boxes_[one].upper.array() + rounding_).all())
        neighbours_[one].push_back(other);
  set_apart_the_most_cut();
}

// Takes the box that others cut into most parts from its neighbours, as long as these are too many.
void FlushBoxes::set_apart_the_most_cut() {
  std::vector<std::size_t> parts(boxes_.size());
  const auto count = [&](std::size_t number) {
    const std::size_t x = cuts(number, 0).size() - 1, y = cuts(number, 1).size() - 1, z = cuts(number, 2).size() - 1;
    parts[number] = std::max({x * y, y * z, z * x});
  };
  for (std::size_t number = 0; number < boxes_.size(); ++number) count(number);
  while (!parts.empty()) {
    const auto most = std::ranges::max_element(parts);
    if (*most <= kMostRectangles) return;
    const auto number = static_cast<std::size_t>(most - parts.begin());
    doubts_.push_back(fmt::format(
        "{}: the {} boxes that '{}' touches would cut one of its faces into {} parts, more than {}. It therefore keeps its edges and corners where it is "
        "flush with them, and what slides feels these as ridges; give it as several boxes, or all of these boxes as one mesh",
        obstacles_[number]->source.text, neighbours_[number].size(), obstacles_[number]->name, *most, kMostRectangles));
    const std::vector<std::size_t> left = std::exchange(neighbours_[number], {});
    count(number);
    for (const std::size_t other : left) {
      std::erase(neighbours_[other], number);
      count(other);
    }
  }
}

// Where boxes that touch this one begin and end, and itself.
std::vector<double> FlushBoxes::cuts(std::size_t number, int axis) const {
  std::vector<double> all{boxes_[number].lower[axis], boxes_[number].upper[axis]};
  for (const std::size_t other : neighbours_[number])
    for (const double plane : {boxes_[other].lower[axis], boxes_[other].upper[axis]})
      if (plane > all[0] + rounding_ && plane < all[1] - rounding_) all.push_back(plane);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end(), [&](double one, double two) { return two - one <= rounding_; }), all.end());
  return all;
}

std::vector<FlushBoxes::Rectangle> FlushBoxes::rectangles(std::size_t number) const {
  const std::array<std::vector<double>, 3> planes{cuts(number, 0), cuts(number, 1), cuts(number, 2)};
  std::vector<Rectangle> result;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const std::vector<double>&across = planes[static_cast<std::size_t>(u)], &along = planes[static_cast<std::size_t>(v)];
    for (const bool upper : {false, true})
      for (std::size_t i = 0; i + 1 < across.size(); ++i)
        for (std::size_t j = 0; j + 1 < along.size(); ++j) {
          Rectangle rectangle{axis, upper, {}, {}};
          rectangle.low[axis] = rectangle.high[axis] = (upper ? boxes_[number].upper : boxes_[number].lower)[axis];
          rectangle.low[u] = across[i];
          rectangle.high[u] = across[i + 1];
          rectangle.low[v] = along[j];
          rectangle.high[v] = along[j + 1];
          if (is_outside(rectangle, number)) result.push_back(rectangle);
        }
  }
  return result;
}

// Whether a rectangle is on the surface of all boxes, and belongs to this one there.
bool FlushBoxes::is_outside(const Rectangle& rectangle, std::size_t number) const {
  const Vec3 x = rectangle.middle();
  if (is_inside(number, x, rectangle.normal())) return false;
  return std::none_of(neighbours_[number].begin(), neighbours_[number].end(), [&](std::size_t other) {
    const BoxSettings& box = boxes_[other];
    bool coincides = other < number && std::abs((rectangle.upper ? box.upper : box.lower)[rectangle.axis] - x[rectangle.axis]) <= rounding_;
    for (int axis = 0; axis < 3; ++axis)
      if (axis != rectangle.axis) coincides = coincides && box.lower[axis] < x[axis] && x[axis] < box.upper[axis];
    return coincides;
  });
}

// Whether the place just beside x, on one of its sides, is inside the box or one that it touches.
bool FlushBoxes::is_inside(std::size_t number, const Vec3& x, const Vec3& side) const {
  const Vec3 beside = x + 2 * rounding_ * side;
  const auto contains = [&](std::size_t each) {
    return (boxes_[each].lower.array() < beside.array()).all() && (beside.array() < boxes_[each].upper.array()).all();
  };
  return contains(number) || std::any_of(neighbours_[number].begin(), neighbours_[number].end(), contains);
}

BoxFaces FlushBoxes::faces_of(const Obstacle& obstacle) const {
  const auto number = static_cast<std::size_t>(std::find(obstacles_.begin(), obstacles_.end(), &obstacle) - obstacles_.begin());
  const std::vector<Rectangle> parts = rectangles(number);
  BoxFaces result;
  std::map<Corner, int> corners;             // and their numbers
  std::map<std::pair<int, int>, int> sides;  // number of rectangles at each of their edges
  for (const Rectangle& part : parts) {
    std::array<int, 4> numbers{};
    std::ranges::transform(part.corners(), numbers.begin(), [&](const Vec3& x) {
      const auto [corner, is_new] = corners.try_emplace(corner_at(x), static_cast<int>(corners.size()));
      if (is_new) result.mesh.vertices.push_back(x);
      return corner->second;
    });
    for (std::size_t i = 0; i < 4; ++i) ++sides[std::minmax(numbers[i], numbers[(i + 1) % 4])];
    result.mesh.triangles.push_back({numbers[0], numbers[1], numbers[2]});
    result.mesh.triangles.push_back({numbers[0], numbers[2], numbers[3]});
  }
  if (neighbours_[number].empty()) return result;
  std::vector<int> boxes_at(corners.size(), 1);  // number of boxes that have each corner
  for (const std::size_t other : neighbours_[number]) {
    std::set<Corner> others;
    for (const Rectangle& part : rectangles(other))
      for (const Vec3& x : part.corners()) others.insert(corner_at(x));
    const std::array<std::vector<double>, 3> planes{cuts(other, 0), cuts(other, 1), cuts(other, 2)};
    for (std::size_t i = 0; i < boxes_at.size(); ++i) {
      Corner nearest = corner_at(result.mesh.vertices[i]);  // on the other box's planes, which may differ from these by rounding
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (const auto plane = std::ranges::lower_bound(planes[axis], nearest[axis] - rounding_);
            plane != planes[axis].end() && *plane <= nearest[axis] + rounding_)
          nearest[axis] = *plane;
      boxes_at[i] += others.contains(nearest) ? 1 : 0;
    }
  }
  for (std::size_t t = 0; t < result.mesh.triangles.size(); ++t) {
    const std::array<int, 3>& triangle = result.mesh.triangles[t];
    const Rectangle& part = parts[t / 2];
    TriangleBorder& border = result.borders.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      border.corners[i] = 1.0 / boxes_at[static_cast<std::size_t>(triangle[i])];
      const std::pair<int, int> ends = std::minmax(triangle[i], triangle[(i + 1) % 3]);
      const auto side = sides.find(ends);  // a diagonal is none
      border.edges[i] = side != sides.end() && side->second == 1;
      if (!border.edges[i]) continue;
      const Vec3 middle = (result.mesh.vertices[static_cast<std::size_t>(ends.first)] + result.mesh.vertices[static_cast<std::size_t>(ends.second)]) / 2;
      const Vec3 beyond = (middle - part.middle()).normalized();
      if (is_inside(number, middle, beyond - part.normal()) && !is_inside(number, middle, beyond + part.normal()))
        result.flat_edges.push_back({ends.first, ends.second});
    }
  }
  std::sort(result.flat_edges.begin(), result.flat_edges.end());
  return result;
}

}  // namespace traction
