// Paths of vertices that move uniformly between kicks, and a brute-force search for what passed through what along them: it knows nothing of contact.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "asynchronous/event_loop.h"

namespace traction::test {

class RecordedPaths {
 public:
  // Records a loop's vertices from now on; both must stay where they are.
  explicit RecordedPaths(EventLoop& loop) : loop_(loop), paths_(loop.state().q.values().size() / 3) {
    for (std::size_t i = 0; i < paths_.size(); ++i) note(static_cast<int>(i));
    loop.vertices().watch([this](int vertex) { note(vertex); });
  }
  // Ends the paths at the loop's time.
  void end() {
    for (std::size_t i = 0; i < paths_.size(); ++i) note(static_cast<int>(i));
  }
  std::size_t kicks() const {
    std::size_t sum = 0;
    for (const auto& path : paths_) sum += path.size();
    return sum;
  }
  Vec3 at(int vertex, double time) const {
    const auto& path = paths_[static_cast<std::size_t>(vertex)];
    const auto next = std::upper_bound(path.begin(), path.end(), time, [](double t, const Place& place) { return t < place.time; });
    if (next == path.begin()) return path.front().x;
    if (next == path.end()) return path.back().x;
    const Place &a = *(next - 1), &b = *next;
    return a.x + (time - a.time) / (b.time - a.time) * (b.x - a.x);
  }
  // Whether a vertex and a triangle (first_side 1), or two edges (2), ever pass through each other.
  bool pass(int first_side, const std::array<int, 4>& points) const {
    std::vector<double> times;
    for (const int point : points)
      for (const Place& place : paths_[static_cast<std::size_t>(point)]) times.push_back(place.time);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    for (std::size_t k = 0; k + 1 < times.size(); ++k) {
      std::array<Vec3, 4> from, to;
      for (int a = 0; a < 4; ++a) {
        from[a] = at(points[a], times[k]);
        to[a] = at(points[a], times[k + 1]);
      }
      if (pass(first_side, from, to)) return true;
    }
    return false;
  }

 private:
  struct Place {
    double time;
    Vec3 x;
  };
  void note(int vertex) {
    auto& path = paths_[static_cast<std::size_t>(vertex)];
    const double time = loop_.vertices().time_of(vertex);
    if (path.empty() || path.back().time < time) path.push_back({time, loop_.state().q[vertex]});
  }
  static double volume(const std::array<Vec3, 4>& x) { return (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]); }
  static std::array<Vec3, 4> between(const std::array<Vec3, 4>& from, const std::array<Vec3, 4>& to, double s) {
    std::array<Vec3, 4> x;
    for (int a = 0; a < 4; ++a) x[a] = from[a] + s * (to[a] - from[a]);
    return x;
  }
  // Four points in one plane: whether the vertex is in the triangle, or the edges cross.
  static bool meet(int first_side, const std::array<Vec3, 4>& x) {
    if (first_side == 1) {
      const Vec3 e = x[2] - x[1], f = x[3] - x[1], n = e.cross(f), r = x[0] - x[1];
      const double b = r.cross(f).dot(n) / n.squaredNorm(), c = e.cross(r).dot(n) / n.squaredNorm();
      return b >= 0 && c >= 0 && b + c <= 1;
    }
    const Vec3 e = x[1] - x[0], f = x[3] - x[2], n = e.cross(f), r = x[2] - x[0];
    const double t = r.cross(f).dot(n) / n.squaredNorm(), u = r.cross(e).dot(n) / n.squaredNorm();
    constexpr double kSamePlace = 1e-7;  // relative to the edges: parallel ones in one plane have any t and u
    return t >= 0 && t <= 1 && u >= 0 && u <= 1 && (x[0] + t * e - x[2] - u * f).norm() < kSamePlace * (e.norm() + f.norm());
  }
  // The volume spanned by uniformly moving points is a cubic in time: one zero between any two of its extremes.
  static bool pass(int first_side, const std::array<Vec3, 4>& from, const std::array<Vec3, 4>& to) {
    const auto at = [&](double s) { return volume(between(from, to, s)); };
    const double y0 = at(0), y1 = at(1.0 / 3), y2 = at(2.0 / 3), y3 = at(1);
    const double a = 4.5 * (y3 - 3 * y2 + 3 * y1 - y0), b = 4.5 * (-y3 + 4 * y2 - 5 * y1 + 2 * y0), c = y3 - y0 - a - b;
    std::vector<double> ends{0, 1};
    if (const double root = b * b - 3 * a * c; root >= 0 && a != 0)
      for (const double sign : {-1.0, 1.0})
        if (const double s = (-b + sign * std::sqrt(root)) / (3 * a); s > 0 && s < 1) ends.push_back(s);
    std::sort(ends.begin(), ends.end());
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      double low = ends[k], high = ends[k + 1];
      if (at(low) * at(high) > 0) continue;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (at(low) * at(middle) <= 0 ? high : low) = middle;
      }
      if (meet(first_side, between(from, to, low))) return true;
    }
    return false;
  }

  EventLoop& loop_;
  std::vector<std::vector<Place>> paths_;
};

}  // namespace traction::test
