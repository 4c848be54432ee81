// The part of each vertex's motion that is prescribed (docs/theory/balance.md, "Driven vertices").
#pragma once

#include <utility>
#include <vector>

#include "math/tensor.h"

namespace traction {

/// A vertex is free, held whole, or held along one to three directions, as on rollers. H projects onto the directions in which a vertex is held: it is 0, 1, or
/// the projection on its directions.
class HeldVertices {
 public:
  /// `whole`: whether each vertex is held whole; the others are free.
  HeldVertices(std::vector<char> whole) : whole_(std::move(whole)) {}

  const std::vector<char>& whole() const { return whole_; }
  /// Whether vertices may be held in part, on any rank.
  bool has_partial() const { return has_partial_; }

  /// Must be called before any vertex is held in part, on every rank.
  void allow_partial() {
    has_partial_ = true;
    number_.resize(whole_.size(), -1);
  }
  void hold_whole(int vertex) {
    whole_[vertex] = 1;
    if (has_partial()) number_[vertex] = -1;
  }
  void hold_partly(int vertex, const Mat3& projector) {
    if (number_[vertex] < 0) {
      number_[vertex] = static_cast<int>(projectors_.size());
      projectors_.push_back(projector);
    } else {
      projectors_[number_[vertex]] = projector;
    }
  }

  /// H of a vertex that is held in part; null for other vertices.
  const Mat3* partial(int vertex) const { return has_partial() && number_[vertex] >= 0 ? &projectors_[number_[vertex]] : nullptr; }

  Mat3 projector(int vertex) const {
    if (whole_[vertex]) return Mat3::Identity();
    const Mat3* H = partial(vertex);
    return H ? *H : Mat3(Mat3::Zero());
  }
  /// (1 - H) x
  Vec3 free_part(int vertex, const Vec3& x) const {
    if (whole_[vertex]) return Vec3::Zero();
    if (const Mat3* H = partial(vertex)) return x - *H * x;
    return x;
  }
  /// H x
  Vec3 held_part(int vertex, const Vec3& x) const {
    if (whole_[vertex]) return x;
    if (const Mat3* H = partial(vertex)) return *H * x;
    return Vec3::Zero();
  }
  /// (1 - H_row) block (1 - H_column)
  Mat3 free_part(int row, int column, const Mat3& block) const {
    if (whole_[row] || whole_[column]) return Mat3::Zero();
    Mat3 result = block;
    if (const Mat3* H = partial(row)) result -= *H * Mat3(result);
    if (const Mat3* H = partial(column)) result -= Mat3(result) * *H;
    return result;
  }
  /// The number of directions in which a vertex is free, from 0 to 3.
  int free_directions(int vertex) const {
    if (whole_[vertex]) return 0;
    const Mat3* H = partial(vertex);
    return H ? 3 - static_cast<int>(H->trace() + 0.5) : 3;
  }

 private:
  std::vector<char> whole_;
  bool has_partial_ = false;  ///< the same on all ranks, of which some have no vertices
  std::vector<int> number_;   ///< index of each vertex among the projectors, -1 for none; empty: no vertex is held in part
  std::vector<Mat3> projectors_;
};

}  // namespace traction
