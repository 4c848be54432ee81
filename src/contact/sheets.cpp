#include "contact/sheets.h"

#include <algorithm>

namespace traction {

namespace {

constexpr double kTurned = -0.5;  // cosine between normals below which one triangle may be the back of another

}  // namespace

void SheetFinder::Mean::add(const Triangle& triangle) {
  weight += triangle.weight;
  distance += triangle.weight * triangle.distance;
  normal += triangle.weight * triangle.normal;
}

void SheetFinder::Mean::divide() {
  distance /= weight;
  normal /= weight;
}

// Seen from a point between two sheets that face each other, the sum of the distances is the distance between them; it is negative if they are the two sides of
// a body.
bool SheetFinder::Mean::is_behind(const Mean& other) const {
  return distance < other.distance && distance + other.distance < 0 && normal.dot(other.normal) < kTurned * normal.norm() * other.normal.norm();
}

void SheetFinder::begin(const Vec3& x, bool has_outside) {
  x_ = x;
  has_outside_ = has_outside;
  opposed_ = false;
  triangles_.clear();
  ++point_;
}

int SheetFinder::root_of(int triangle) {
  while (triangles_[triangle].root != triangle) triangle = triangles_[triangle].root = triangles_[triangles_[triangle].root].root;
  return triangle;
}

void SheetFinder::add(int number, const std::array<int, 3>& vertices, const Corners<double>& corners) {
  const Vec3 offset = x_ - (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
  const double s_squared = offset.squaredNorm() * (1 / (surface_.reach * surface_.reach));
  if (!(s_squared < 1)) return;
  const int index = static_cast<int>(triangles_.size());
  Triangle& triangle = triangles_.emplace_back();
  triangle.number = number;
  triangle.root = index;
  if (has_outside_) {
    triangle.area = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    triangle.offset = offset;
    triangle.s_squared = s_squared;
    // No two triangles face away from each other if each is turned less than half as far from the first one.
    const double dot = triangle.area.dot(triangles_[0].area);
    opposed_ = opposed_ || dot < 0 || dot * dot < kTurned * kTurned * triangle.area.squaredNorm() * triangles_[0].area.squaredNorm();
  }
  for (int vertex : vertices) {
    const auto at = static_cast<std::size_t>(vertex);
    if (at >= stamp_.size()) {
      stamp_.resize(at + 1, 0);
      first_with_.resize(at + 1, 0);
    }
    if (stamp_[at] != point_) {
      stamp_[at] = point_;
      first_with_[at] = index;
    } else {
      const int one = root_of(first_with_[at]), other = root_of(index);
      triangles_[std::max(one, other)].root = std::min(one, other);
    }
  }
}

// Handles a thin plate near its rim, which is one sheet: separates the part that faces as the nearest triangle does from the part turned the other way.
void SheetFinder::leave_out_backs(int root) {
  const Triangle* nearest = nullptr;
  for (const Triangle& triangle : triangles_)
    if (triangle.root == root && (!nearest || triangle.weight > nearest->weight)) nearest = &triangle;
  const Vec3 normal = nearest->normal;
  const auto side = [&](const Triangle& triangle) {
    const double cosine = triangle.normal.dot(normal);
    return cosine < kTurned ? -1 : cosine > -kTurned ? 1 : 0;
  };
  Mean front, back;
  for (const Triangle& triangle : triangles_) {
    if (triangle.root != root) continue;
    const int at = side(triangle);
    if (at > 0) front.add(triangle);
    if (at < 0) back.add(triangle);
  }
  if (back.weight == 0) return;
  front.divide();
  back.divide();
  const int hidden = back.is_behind(front) ? -1 : front.is_behind(back) ? 1 : 0;
  if (hidden == 0) return;
  for (Triangle& triangle : triangles_)
    if (triangle.root == root && side(triangle) == hidden) triangle.left_out = true;
}

void SheetFinder::leave_out_hidden_sheets() {
  std::vector<std::pair<int, Mean>> sheets;
  for (const Triangle& triangle : triangles_) {
    if (triangle.left_out) continue;
    auto sheet = std::find_if(sheets.begin(), sheets.end(), [&](const auto& one) { return one.first == triangle.root; });
    if (sheet == sheets.end()) sheet = sheets.insert(sheet, {triangle.root, {}});
    sheet->second.add(triangle);
  }
  if (sheets.size() < 2) return;
  for (auto& [root, mean] : sheets) mean.divide();
  for (const auto& [root, mean] : sheets) {
    const Mean& one = mean;
    if (std::none_of(sheets.begin(), sheets.end(), [&](const auto& other) { return one.is_behind(other.second); })) continue;
    for (Triangle& triangle : triangles_)
      if (triangle.root == root) triangle.left_out = true;
  }
}

void SheetFinder::find() {
  const int size = static_cast<int>(triangles_.size());
  for (int i = 0; i < size; ++i) triangles_[i].root = root_of(i);
  if (opposed_) {
    for (Triangle& triangle : triangles_) {
      triangle.normal = triangle.area.normalized();
      triangle.distance = triangle.normal.dot(triangle.offset);
      triangle.weight = surface_.weight(triangle.s_squared);
    }
    for (int i = 0; i < size; ++i)
      if (triangles_[i].root == i) leave_out_backs(i);
    leave_out_hidden_sheets();
  }
  first_.assign(1, 0);
  sorted_.clear();
  for (int root = 0; root < size; ++root) {
    if (triangles_[root].root != root) continue;
    for (int i = root; i < size; ++i)
      if (triangles_[i].root == root && !triangles_[i].left_out) sorted_.push_back(triangles_[i].number);
    if (static_cast<int>(sorted_.size()) > first_.back()) first_.push_back(static_cast<int>(sorted_.size()));
  }
}

std::span<const int> SheetFinder::triangles(int sheet) const {
  return std::span<const int>(sorted_).subspan(static_cast<std::size_t>(first_[sheet]), static_cast<std::size_t>(first_[sheet + 1] - first_[sheet]));
}

}  // namespace traction
