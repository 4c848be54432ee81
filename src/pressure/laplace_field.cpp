#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <limits>

#include "errors.h"
#include "pressure/pressure_field.h"

namespace traction {

namespace {

// The distance of a point from a triangle: from the closest point of its plane if that lies inside, else from the closest point of its edges.
double distance(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, normal = ab.cross(ac);
  const double square = normal.squaredNorm();
  if (square > 0) {
    const double beta = (x - a).cross(ac).dot(normal) / square, gamma = ab.cross(x - a).dot(normal) / square;
    if (beta >= 0 && gamma >= 0 && beta + gamma <= 1) return std::abs((x - a).dot(normal)) / std::sqrt(square);
  }
  const auto to_edge = [&](const Vec3& p, const Vec3& q) {
    const Vec3 along = q - p;
    const double t = along.squaredNorm() > 0 ? std::clamp((x - p).dot(along) / along.squaredNorm(), 0.0, 1.0) : 0.0;
    return (x - p - t * along).norm();
  };
  return std::min({to_edge(a, b), to_edge(b, c), to_edge(c, a)});
}

using Sparse = Eigen::SparseMatrix<double>;

// Solves Laplace's equation for the vertices without a number in `given`, which are NaN there.
void solve(PressureField& field, const std::vector<double>& given) {
  std::vector<int> unknown(given.size(), -1);
  int unknowns = 0;
  for (std::size_t v = 0; v < given.size(); ++v)
    if (std::isnan(given[v])) unknown[v] = unknowns++;
  field.extent = given;
  if (unknowns == 0) return;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(unknowns);
  for (const auto& t : field.tetrahedra) {
    Mat3 edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = field.vertices[t[i + 1]] - field.vertices[t[0]];
    Eigen::Matrix<double, 3, 4> gradients;
    gradients.rightCols<3>() = edges.inverse().transpose();
    gradients.col(0) = -gradients.rightCols<3>().rowwise().sum();
    const Eigen::Matrix4d stiffness = edges.determinant() / 6 * gradients.transpose() * gradients;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        if (unknown[t[i]] < 0) continue;
        if (unknown[t[j]] >= 0) entries.emplace_back(unknown[t[i]], unknown[t[j]], stiffness(i, j));
        else right[unknown[t[i]]] -= stiffness(i, j) * given[t[j]];
      }
  }
  Sparse matrix(unknowns, unknowns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Sparse> factor(matrix);
  const Eigen::VectorXd solution = factor.solve(right);
  for (std::size_t v = 0; v < given.size(); ++v)
    if (unknown[v] >= 0) field.extent[v] = solution[unknown[v]];
}

// Whether each vertex lies in the middle of its part of the body: no ball around another vertex, within the boundary, contains it and is much larger than the
// ball around itself.
std::vector<char> in_the_middle(const std::vector<Vec3>& vertices, const std::vector<double>& depth) {
  constexpr double kMiddle = 0.7;  // a plate's or rod's middle is where the depth is at least this part of its half thickness
  std::vector<int> deepest_first;
  for (std::size_t v = 0; v < vertices.size(); ++v)
    if (depth[v] > 0) deepest_first.push_back(static_cast<int>(v));
  std::sort(deepest_first.begin(), deepest_first.end(), [&](int a, int b) { return depth[a] > depth[b]; });
  std::vector<char> middle(vertices.size(), 0);
  for (const int v : deepest_first) {
    const auto others = std::partition_point(deepest_first.begin(), deepest_first.end(), [&](int u) { return kMiddle * depth[u] > depth[v]; });
    middle[v] = std::none_of(deepest_first.begin(), others, [&](int u) { return (vertices[u] - vertices[v]).squaredNorm() < depth[u] * depth[u]; });
  }
  return middle;
}

}  // namespace

PressureField laplace_field(std::vector<Vec3> vertices, std::vector<std::array<int, 4>> tetrahedra, double core) {
  const std::vector<std::array<int, 3>> surface = boundary_of(tetrahedra);
  const std::size_t own_vertices = vertices.size();
  std::vector<char> outside(vertices.size(), 0);
  for (const auto& triangle : surface)
    for (const int vertex : triangle) outside[vertex] = 1;
  for (std::size_t e = 0, count = tetrahedra.size(); e < count; ++e) {
    const std::array<int, 4> t = tetrahedra[e];
    if (!std::all_of(t.begin(), t.end(), [&](int v) { return outside[v]; })) continue;
    const int center = static_cast<int>(vertices.size());
    vertices.push_back((vertices[t[0]] + vertices[t[1]] + vertices[t[2]] + vertices[t[3]]) / 4);
    outside.push_back(0);
    tetrahedra[e] = {t[0], t[1], t[2], center};
    for (const std::array<int, 4>& part : {std::array{t[0], t[3], t[1], center}, std::array{t[1], t[3], t[2], center}, std::array{t[2], t[3], t[0], center}})
      tetrahedra.push_back(part);
  }

  std::vector<double> depth(vertices.size(), 0.0);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (outside[v]) continue;
    depth[v] = std::numeric_limits<double>::infinity();
    for (const auto& [a, b, c] : surface) depth[v] = std::min(depth[v], distance(vertices[v], vertices[a], vertices[b], vertices[c]));
  }
  const double deepest = depth.empty() ? 0 : *std::max_element(depth.begin(), depth.end());
  if (!(deepest > 0)) throw InputError("the tetrahedra enclose no volume in which the pressure could increase from the boundary inwards; check the mesh");
  constexpr double kRounding = 1e-9;
  const std::vector<char> middle = in_the_middle(vertices, depth);
  std::vector<double> given(vertices.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (outside[v]) given[v] = 0;
    else if (v >= own_vertices || middle[v] || depth[v] >= core * deepest * (1 - kRounding)) given[v] = std::min(1.0, depth[v] / (core * deepest));
  }
  PressureField field{std::move(vertices), std::move(tetrahedra), {}};
  solve(field, given);
  for (std::size_t v = 0; v < field.vertices.size(); ++v)
    if (!outside[v] && !(field.extent[v] > 0))
      throw InputError(fmt::format(
          "the pressure field is not positive inside: {:.3g} at ({:.6g}, {:.6g}, {:.6g}); improve the mesh there, whose tetrahedra have too obtuse angles, or "
          "give the field a 'shape'",
          field.extent[v], field.vertices[v].x(), field.vertices[v].y(), field.vertices[v].z()));
  return field;
}

}  // namespace traction
