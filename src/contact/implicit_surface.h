// The smooth implicit surface of a triangle mesh (docs/theory/contact.md, "Smooth implicit surface"), over any scalar: gap, its gradient in the query point and
// in the mesh's vertices alike, and how the surface moves at the query point.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/surface_rim.h"
#include "math/dual.h"
#include "math/tensor.h"

namespace traction {

/// d(x) = sum w_i n_i . (x - p_i) / sum w_i over triangles with centroid p_i and unit normal n_i, w_i = w(|x - p_i| / reach); the normals point out of the
/// body. Between `fade_from` and the reach d fades to `rim_gap`, so that the gap does not jump where triangles come within reach: rim_gap + (d - rim_gap) f,
/// where f is 1 within `fade_from` of any centroid and 0 out of reach of all. Past the rim of an open surface f also falls to 0 over a distance of `rim_gap`.
struct ImplicitSurface {
  double reach = 0;          ///< R [m]: triangles whose centroids are farther away do not count
  double interpolation = 0;  ///< epsilon of w: the smaller, the closer the surface passes by each centroid's plane
  double fade_from = 0;      ///< [m], below the reach
  double rim_gap = 0;        ///< the thickness of the contact, at which forces end [m]

  /// w of s^2, 1 at 0 and 0 at 1, (C4): the published weight less its expansion to second order about s = 1, so that contact forces do not jump when a triangle
  /// comes within reach.
  template <typename T>
  T weight(const T& s_squared) const {
    const T x = (1.0 - s_squared) * (1 / (1 + interpolation)), y = (s_squared + interpolation) * (1 / (1 + interpolation));
    return (scale() * x * x * x) * (4.0 - 3.0 * x) / (y * y);
  }
  /// dw / d(s^2)
  template <typename T>
  T weight_slope(const T& s_squared) const {
    const T x = (1.0 - s_squared) * (1 / (1 + interpolation)), y = (s_squared + interpolation) * (1 / (1 + interpolation));
    return (-scale() / (1 + interpolation) * x * x) * (12.0 - 16.0 * x + 6.0 * x * x) / (y * y * y);
  }

  /// f of s^2 for one triangle: 1 up to fade_from, 0 beyond the reach, twice differentiable.
  template <typename T>
  T fade(const T& s_squared) const {
    const T u = (1.0 - s_squared) * fade_rate();
    return real_part(u) < 1 ? u * u * u * (10.0 - 15.0 * u + 6.0 * u * u) : T(1.0);
  }
  /// df / d(s^2)
  template <typename T>
  T fade_slope(const T& s_squared) const {
    const T u = (1.0 - s_squared) * fade_rate(), rest = 1.0 - u;
    return real_part(u) < 1 ? (-30 * fade_rate()) * (u * u * rest * rest) : T(0.0);
  }

  /// The missing part of contact as a function of z, the squared distance past a triangle over the square of `rim_gap`: 0 over the triangle, 1 from rim_gap on,
  /// 1 - (1 - z)^3 between.
  template <typename T>
  T past_rim(const T& z) const {
    return real_part(z) < 1 ? z * (3.0 - z * (3.0 - z)) : T(1.0);
  }
  /// d(past_rim) / dz
  template <typename T>
  T past_rim_slope(const T& z) const {
    const T rest = 1.0 - z;
    return real_part(z) < 1 ? 3.0 * (rest * rest) : T(0.0);
  }

 private:
  double scale() const {  // 1 / w at s = 0 with scale 1, where x = 1 / (1 + epsilon)
    const double x = 1 / (1 + interpolation), y = interpolation / (1 + interpolation);
    return y * y / (x * x * x * (4 - 3 * x));
  }
  double fade_rate() const { return 1 / (1 - fade_from * fade_from / (reach * reach)); }
};

/// Positions or velocities of the three vertices of a triangle.
template <typename T>
using Corners = std::array<Vector3<T>, 3>;

/// Groups points into triangles, three at a time.
template <typename T>
std::span<const Corners<T>> as_corners(std::span<const Vector3<T>> points) {
  static_assert(sizeof(Corners<T>) == 3 * sizeof(Vector3<T>));
  return {reinterpret_cast<const Corners<T>*>(points.data()), points.size() / 3};
}
template <typename T>
std::span<Corners<T>> as_corners(std::span<Vector3<T>> points) {
  static_assert(sizeof(Corners<T>) == 3 * sizeof(Vector3<T>));
  return {reinterpret_cast<Corners<T>*>(points.data()), points.size() / 3};
}

/// The smooth surface near one point: gap, gradients and velocity.
template <typename T>
class ImplicitSurfaceSample {
 public:
  /// Evaluates the surface at `x`, near the given triangles, some of which may be out of reach. `has_rim`: whether the surface ends among these triangles.
  ImplicitSurfaceSample(const ImplicitSurface& surface, const Vector3<T>& x, std::span<const Corners<T>> triangles, bool has_rim = false);

  /// False where no triangle is within reach, and thus no contact.
  bool within_reach() const { return !terms_.empty(); }
  const T& gap() const { return gap_; }                     ///< [m]
  const T& distance() const { return distance_; }           ///< d before it fades [m]
  const Vector3<T>& gradient() const { return gradient_; }  ///< dd/dx, of about unit length except at the rim

  /// reactions[i] += factor dd/d(corners of triangle i): what the normal force does to the mesh.
  void add_gap_gradient(const T& factor, std::span<Corners<T>> reactions) const;

  /// Velocity of the surface at x, the weighted mean of the triangles' velocities, each continued to x linearly in its plane and with its normal's rotation: a
  /// mesh in rigid motion carries x along rigidly, wherever x is. U: double or T.
  template <typename U>
  Vector3<U> velocity(std::span<const Corners<U>> velocities) const;
  /// reactions[i] += d(velocity . force)/d(corner velocities of triangle i): the force's power on the surface, and so its moment, is kept.
  template <typename U>
  void add_velocity_transpose(const Vector3<U>& force, std::span<Corners<U>> reactions) const;
  /// action(triangle, corner, share of that corner in the point of the surface below x) for triangles within reach.
  template <typename Action>
  void for_each_corner(Action action) const {
    for (const Term& term : terms_)
      for (int a = 0; a < 3; ++a) action(term.triangle, a, term.weight * term.corner_shares[a]);
  }

 private:
  struct Term {  // one triangle within reach
    std::size_t triangle = 0;
    Vector3<T> edge1, edge2;  ///< from corner 0 [m]
    Vector3<T> normal;
    T inverse_area;          ///< 1 / |edge1 x edge2|
    Vector3<T> offset;       ///< x - p [m]
    T distance;              ///< n . offset [m]
    T weight, weight_slope;  ///< relative to the sum of all weights
    T fade, fade_slope;
    T normal_share, offset_share;  ///< dd/dx = sum of normal_share n + offset_share offset
    Vector3<T> corner_shares;      ///< share of each corner in the point below x, barycentric
    Overhang<T> overhang;          ///< if x may lie past the rim
    T overhang_share = T(0.0);     ///< dd/d(overhang.square)
  };
  /// The part of contact that remains past the rim. Stores the derivative of this part with respect to the squared overhang of each term.
  T part_over_surface(const ImplicitSurface& surface, const Vector3<T>& x, std::span<const Corners<T>> triangles);

  double inverse_reach_squared_ = 0;
  std::vector<Term> terms_;
  bool ends_ = false;  ///< whether x lies past the rim
  T gap_{}, distance_{};
  Vector3<T> gradient_ = Vector3<T>::Constant(T(0.0));
};

template <typename T>
ImplicitSurfaceSample<T>::ImplicitSurfaceSample(const ImplicitSurface& surface, const Vector3<T>& x, std::span<const Corners<T>> triangles, bool has_rim)
    : inverse_reach_squared_(1 / (surface.reach * surface.reach)) {
  using std::sqrt;
  T weights(0.0), weighted_distance(0.0), unfaded(1.0);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Corners<T>& corner = triangles[i];
    Term term;
    term.offset = x - (corner[0] + corner[1] + corner[2]) * T(1.0 / 3.0);
    const T s_squared = term.offset.squaredNorm() * inverse_reach_squared_;
    if (!(real_part(s_squared) < 1)) continue;
    term.triangle = i;
    term.edge1 = corner[1] - corner[0];
    term.edge2 = corner[2] - corner[0];
    const Vector3<T> area = term.edge1.cross(term.edge2);
    term.inverse_area = 1.0 / sqrt(area.squaredNorm());
    term.normal = area * term.inverse_area;
    term.distance = term.normal.dot(term.offset);
    term.weight = surface.weight(s_squared);
    term.weight_slope = surface.weight_slope(s_squared);
    term.fade = surface.fade(s_squared);
    term.fade_slope = surface.fade_slope(s_squared);
    unfaded = unfaded * (1.0 - term.fade);
    // Barycentric coordinate of corner a: 1/3 + offset . (n x opposite edge) / |area|.
    const Vector3<T> turned = term.offset.cross(term.normal) * term.inverse_area;
    const T third(1.0 / 3.0), share1 = third - turned.dot(term.edge2), share2 = third + turned.dot(term.edge1);
    term.corner_shares = Vector3<T>(T(1.0) - share1 - share2, share1, share2);
    weights += term.weight;
    weighted_distance += term.weight * term.distance;
    terms_.push_back(term);
  }
  if (terms_.empty()) return;
  const T inverse = 1.0 / weights;
  const T distance = weighted_distance * inverse, within = 1.0 - unfaded;
  const T over = has_rim ? part_over_surface(surface, x, triangles) : T(1.0), fade = within * over;
  const bool fades = real_part(unfaded) > 0, ends = real_part(over) < 1;
  distance_ = distance;
  gap_ = fades || ends ? surface.rim_gap + (distance - surface.rim_gap) * fade : distance;
  for (Term& term : terms_) {
    term.weight = term.weight * inverse;
    term.weight_slope = term.weight_slope * inverse;
    term.normal_share = term.weight * fade;
    term.offset_share = (term.distance - distance) * term.weight_slope * fade;
    if (fades) term.offset_share += (distance - surface.rim_gap) * over * term.fade_slope * unfaded / (1.0 - term.fade);
    term.offset_share = term.offset_share * (2 * inverse_reach_squared_);
    gradient_ += term.normal * term.normal_share + term.offset * term.offset_share;
    if (!ends) continue;
    ends_ = true;
    term.overhang_share = term.overhang_share * ((distance - surface.rim_gap) * within);
    gradient_ += term.overhang.across * (2.0 * term.overhang_share);
  }
}

template <typename T>
T ImplicitSurfaceSample<T>::part_over_surface(const ImplicitSurface& surface, const Vector3<T>& x, std::span<const Corners<T>> triangles) {
  constexpr double kNone = 1e-100;  // if the missing part is smaller, x is over a triangle
  const double inverse_square = 1 / (surface.rim_gap * surface.rim_gap);
  T missing(1.0);
  for (Term& term : terms_) {
    term.overhang = overhang(x, triangles[term.triangle], term.normal, term.distance, term.corner_shares);
    missing = missing * surface.past_rim(T(term.overhang.square * inverse_square));
    if (real_part(missing) < kNone) return T(1.0);
  }
  for (Term& term : terms_) {
    const T z = term.overhang.square * inverse_square;
    term.overhang_share = surface.past_rim_slope(z) * missing / surface.past_rim(z) * (-inverse_square);
  }
  return 1.0 - missing;
}

template <typename T>
void ImplicitSurfaceSample<T>::add_gap_gradient(const T& factor, std::span<Corners<T>> reactions) const {
  for (const Term& term : terms_) {
    // Derivative of d through the centroid, a third for each corner.
    const Vector3<T> by_centroid = term.normal * term.normal_share + term.offset * term.offset_share;
    const Vector3<T> share = by_centroid * (factor * (-1.0 / 3.0));
    // Derivative of d through the normal: dn = (1 - n n^T) d(edge1 x edge2) / |area|.
    const Vector3<T> by_area = (term.offset - term.normal * term.distance) * (factor * term.normal_share * term.inverse_area);
    const Vector3<T> by_edge1 = term.edge2.cross(by_area), by_edge2 = by_area.cross(term.edge1);
    Corners<T>& reaction = reactions[term.triangle];
    reaction[0] += share - by_edge1 - by_edge2;
    reaction[1] += share + by_edge1;
    reaction[2] += share + by_edge2;
    if (!ends_) continue;
    for (int a = 0; a < 3; ++a)
      reaction[a] += (term.normal * (term.distance * term.overhang.difference[a]) - term.overhang.across * term.overhang.closest[a]) *
                     (2.0 * factor * term.overhang_share);
  }
}

template <typename T>
template <typename U>
Vector3<U> ImplicitSurfaceSample<T>::velocity(std::span<const Corners<U>> velocities) const {
  Vector3<U> sum = Vector3<U>::Constant(U(0.0));
  for (const Term& term : terms_) {
    const Corners<U>& v = velocities[term.triangle];
    const Vector3<U> edge1 = term.edge1.template cast<U>(), edge2 = term.edge2.template cast<U>(), normal = term.normal.template cast<U>();
    const Vector3<U> area_rate = (v[1] - v[0]).cross(edge2) + edge1.cross(v[2] - v[0]);
    const Vector3<U> turning = (area_rate - normal * normal.dot(area_rate)) * U(term.inverse_area);  // dn/dt
    const Vector3<U> below = v[0] * U(term.corner_shares[0]) + v[1] * U(term.corner_shares[1]) + v[2] * U(term.corner_shares[2]);
    sum += (below + turning * U(term.distance)) * U(term.weight);
  }
  return sum;
}

template <typename T>
template <typename U>
void ImplicitSurfaceSample<T>::add_velocity_transpose(const Vector3<U>& force, std::span<Corners<U>> reactions) const {
  for (const Term& term : terms_) {
    Corners<U>& reaction = reactions[term.triangle];
    const Vector3<U> edge1 = term.edge1.template cast<U>(), edge2 = term.edge2.template cast<U>(), normal = term.normal.template cast<U>();
    const Vector3<U> weighted = force * U(term.weight);
    for (int a = 0; a < 3; ++a) reaction[a] += weighted * U(term.corner_shares[a]);
    const Vector3<U> lever = (weighted - normal * normal.dot(weighted)) * U(term.distance * term.inverse_area);
    const Vector3<U> by_edge1 = edge2.cross(lever), by_edge2 = lever.cross(edge1);
    reaction[0] -= by_edge1 + by_edge2;
    reaction[1] += by_edge1;
    reaction[2] += by_edge2;
  }
}

}  // namespace traction
