#include "simulation/lumped_mass.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

#include "math/triangle_area.h"
#include "mesh/second_order.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// [m] at rest.
double length_of(const DistributedMesh& mesh, const Rod& rod) { return (mesh.vertices[rod.vertices[1]] - mesh.vertices[rod.vertices[0]]).norm(); }

// Calls the function with the vertices and the mass of each element that concentrates it in equal parts: all but ten-node tetrahedra.
template <typename Function>
void for_each_mass(const DistributedMesh& mesh, const SceneMaterials& materials, const Function& function) {
  const auto edge = [&](int a, int b) -> Vec3 { return mesh.vertices[b] - mesh.vertices[a]; };
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    if (mesh.is_part(static_cast<int>(e))) continue;
    const auto& t = mesh.tetrahedra[e];
    function(std::span<const int>(t), materials.solid[e]->density * edge(t[0], t[1]).cross(edge(t[0], t[2])).dot(edge(t[0], t[3])) / 6);
  }
  for (const int e : mesh.shells) {
    const auto& t = mesh.triangles[e];
    function(std::span<const int>(t), materials.shell[e]->density * triangle_area(mesh.vertices, t));
  }
  for (std::size_t r = 0; r < mesh.rods.size(); ++r)
    function(std::span<const int>(mesh.rods[r].vertices).first(2), materials.rod[r]->density * materials.rod[r]->area() * length_of(mesh, mesh.rods[r]));
}

// Calls the function with each ten-node tetrahedron and the masses at its vertices.
template <typename Function>
void for_each_quadratic(const DistributedMesh& mesh, const SceneMaterials& materials, const Function& function) {
  for (const LocalQuadratic& quadratic : mesh.quadratics) {
    std::array<double, 10> masses = lumped_volumes(mesh.vertices, quadratic.vertices);
    for (double& mass : masses) mass *= materials.solid[quadratic.part]->density;
    function(quadratic, masses);
  }
}

// The elements of a region, by their vertices: it may list triangles of its own that are also shells.
class ElementsOfRegion {
 public:
  ElementsOfRegion(const DistributedMesh& mesh, const LocalRegion& region) {
    for (const int member : region.members) {
      if (region.dimension == 3) add(mesh.tetrahedra[member]);
      if (region.dimension == 2) add(mesh.triangles[member]);
    }
    for (const int r : region.rods) add(std::span(mesh.rods[r].vertices).first(2));
  }
  bool contains(std::span<const int> vertices) const { return elements_.contains(sorted(vertices)); }

 private:
  static std::vector<int> sorted(std::span<const int> vertices) {
    std::vector<int> result(vertices.begin(), vertices.end());
    std::sort(result.begin(), result.end());
    return result;
  }
  void add(std::span<const int> vertices) { elements_.insert(sorted(vertices)); }

  std::set<std::vector<int>> elements_;
};

// The moment of inertia of masses with the given second moments, about the same point.
Mat3 inertia_of(const Mat3& second_moments) { return second_moments.trace() * Mat3::Identity() - second_moments; }

}  // namespace

std::vector<double> lumped_mass(const DistributedMesh& mesh, const SceneMaterials& materials) {
  std::vector<double> mass(mesh.vertices.size(), 0.0);
  for_each_mass(mesh, materials, [&](std::span<const int> element, double of_element) {
    for (const int vertex : element) mass[vertex] += of_element / static_cast<double>(element.size());
  });
  for_each_quadratic(mesh, materials, [&](const LocalQuadratic& quadratic, const std::array<double, 10>& masses) {
    for (std::size_t a = 0; a < masses.size(); ++a) mass[quadratic.vertices[a]] += masses[a];
  });
  // The polar moment of inertia of a segment, at the radius where its twist is measured.
  for (std::size_t r = 0; r < mesh.rods.size(); ++r)
    mass[mesh.rods[r].vertices[2]] += materials.rod[r]->density * materials.rod[r]->area() * length_of(mesh, mesh.rods[r]) / 2;
  return mass;
}

std::vector<double> lumped_mass(const DistributedMesh& mesh, const SceneMaterials& materials, const LocalRegion& region) {
  const ElementsOfRegion elements(mesh, region);
  std::vector<double> mass(mesh.vertices.size(), 0.0);
  for_each_mass(mesh, materials, [&](std::span<const int> element, double of_element) {
    if (!elements.contains(element)) return;
    for (const int vertex : element) mass[vertex] += of_element / static_cast<double>(element.size());
  });
  for_each_quadratic(mesh, materials, [&](const LocalQuadratic& quadratic, const std::array<double, 10>& masses) {
    if (!elements.contains(mesh.tetrahedra[quadratic.part])) return;
    for (std::size_t a = 0; a < masses.size(); ++a) mass[quadratic.vertices[a]] += masses[a];
  });
  return mass;
}

namespace {

// A direction without its length and sign: the components to two digits, the first of them that is not zero positive.
std::string direction_text(const Vec3& direction) {
  constexpr double kDigits = 100;
  Vec3 rounded = (kDigits * direction.normalized()).array().round() / kDigits;
  for (int i = 2; i >= 0; --i)
    if (rounded[i] < 0 && rounded.head(i).isZero(0)) rounded = -rounded;
  rounded += Vec3::Zero();  // turns -0 into 0
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", rounded.x(), rounded.y(), rounded.z());
}

// The axes of the turns whose ratio of moments is largest, in words. Ratios in increasing order, and the turns of these motions as columns.
std::string axes_of_largest(const Eigen::VectorXd& ratios, const Eigen::Matrix3Xd& turns) {
  constexpr double kSame = 0.99;  // axes whose ratios differ by less are named together
  const Eigen::Index last = ratios.size() - 1;
  const auto is_alike = [&](Eigen::Index from_last) { return last >= from_last && ratios[last - from_last] > kSame * ratios[last]; };
  if (is_alike(2)) return "every axis";
  if (is_alike(1)) return fmt::format("all axes across the direction {}", direction_text(turns.col(last - 1).cross(turns.col(last))));
  return fmt::format("the axis {}", direction_text(turns.col(last)));
}

using Mat6 = Eigen::Matrix<double, 6, 6>;

// The stiffness of supports, as springs of stiffness 1, against a body's displacements and its turns about its center in parts of its size. Collective.
Mat6 stiffness_of_supports(const DistributedMesh& mesh, const SupportedBody& body, const Vec3& center, double size) {
  Mat6 stiffness = Mat6::Zero();
  for (const auto& [vertex, direction] : body.holds) {
    Eigen::Matrix<double, 6, 1> wrench;
    wrench << direction, (mesh.vertices[vertex] - center).cross(direction) / size;
    stiffness += wrench * wrench.transpose();
  }
  sum_over_ranks(mesh.halo->communicator(), std::span(stiffness.data(), stiffness.size()));
  return stiffness;
}

// The largest ratio of the kinetic energy that lumping adds to that of the uniform body, among the rigid motions that supports of the given stiffness allow.
InertiaExcess largest_excess(double mass, double size, const Mat3& inertia, const Mat3& surplus, const Mat6& stiffness) {
  constexpr double kFree = 1e-9;  // a motion is free if its stiffness is below this part of the largest
  const Eigen::SelfAdjointEigenSolver<Mat6> motions(stiffness);
  const double largest = motions.eigenvalues()[5];
  Eigen::Index free = 0;
  while (free < 6 && motions.eigenvalues()[free] <= kFree * largest) ++free;
  if (free == 0) return {};
  const Eigen::MatrixXd allowed = motions.eigenvectors().leftCols(free);
  Mat6 of_uniform = Mat6::Zero(), added = Mat6::Zero();
  of_uniform.topLeftCorner<3, 3>().diagonal().setConstant(mass);
  of_uniform.bottomRightCorner<3, 3>() = inertia / (size * size);
  added.bottomRightCorner<3, 3>() = surplus / (size * size);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> ratios(allowed.transpose() * added * allowed, allowed.transpose() * of_uniform * allowed);
  const double share = ratios.eigenvalues()[free - 1];
  constexpr double kNone = 1e-12;  // motions without a turn have no excess but rounding
  if (share < kNone) return {};
  return {share, axes_of_largest(ratios.eigenvalues(), (allowed * ratios.eigenvectors()).bottomRows<3>())};
}

}  // namespace

// About its center, a uniform simplex of n vertices has second moments m sum d d^T / (n (n + 1)); lumping makes them m sum d d^T / n.
std::vector<InertiaExcess> excess_of_inertia(const DistributedMesh& mesh, const SceneMaterials& materials, const std::vector<SupportedBody>& bodies) {
  std::vector<Mat3> excess(mesh.vertices.size(), Mat3::Zero());  // excess of second moments, in shares of vertices [kg m^2]
  for_each_mass(mesh, materials, [&](std::span<const int> element, double mass) {
    const double count = static_cast<double>(element.size());
    Vec3 center = Vec3::Zero();
    for (const int vertex : element) center += mesh.vertices[vertex] / count;
    for (const int vertex : element) {
      const Vec3 arm = mesh.vertices[vertex] - center;
      excess[vertex] += mass / (count + 1) * arm * arm.transpose();
    }
  });
  // d is the arm of a corner about the center, and m the element's mass. Where sides are straight, masses of m/36 at corners and 4 m/27 at the middles of edges
  // have the second moment 11/108 m sum d d^T.
  for_each_quadratic(mesh, materials, [&](const LocalQuadratic& quadratic, const std::array<double, 10>& masses) {
    const std::array<int, 10>& vertices = quadratic.vertices;
    const double of_element = std::accumulate(masses.begin(), masses.end(), 0.0);
    Vec3 center = Vec3::Zero();
    for (std::size_t a = 0; a < 4; ++a) center += mesh.vertices[vertices[a]] / 4;
    for (std::size_t a = 0; a < 4; ++a) {
      const Vec3 arm = mesh.vertices[vertices[a]] - center;
      excess[vertices[a]] += of_element * (11.0 / 108 - 1.0 / 20) * arm * arm.transpose();
    }
  });
  const std::vector<double> mass = lumped_mass(mesh, materials);
  const int owned = mesh.halo->owned();

  constexpr std::size_t kFirst = 4, kSecond = 18;  // number of sums for each body
  std::vector<double> first(kFirst * bodies.size(), 0.0), second(kSecond * bodies.size(), 0.0);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (const int vertex : mesh.region(bodies[b].name).vertices) {
      if (vertex >= owned) continue;
      first[kFirst * b] += mass[vertex];
      Eigen::Map<Vec3>(&first[kFirst * b + 1]) += mass[vertex] * mesh.vertices[vertex];
    }
  sum_over_ranks(mesh.halo->communicator(), first);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Vec3 center = Eigen::Map<const Vec3>(&first[kFirst * b + 1]) / first[kFirst * b];
    Eigen::Map<Mat3> of_lumps(&second[kSecond * b]), surplus(&second[kSecond * b + 9]);
    for (const int vertex : mesh.region(bodies[b].name).vertices) {
      if (vertex >= owned) continue;
      const Vec3 arm = mesh.vertices[vertex] - center;
      of_lumps += mass[vertex] * arm * arm.transpose();
      surplus += excess[vertex];
    }
  }
  sum_over_ranks(mesh.halo->communicator(), second);

  std::vector<InertiaExcess> largest;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double body_mass = first[kFirst * b];
    const Vec3 center = Eigen::Map<const Vec3>(&first[kFirst * b + 1]) / body_mass;
    const Mat3 of_lumps = Eigen::Map<const Mat3>(&second[kSecond * b]), surplus = Eigen::Map<const Mat3>(&second[kSecond * b + 9]);
    Mat3 inertia = inertia_of(of_lumps - surplus);
    constexpr double kOnALine = 1e-9;  // share of the trace: masses on a line have no inertia about it
    if (Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues()[0] < kOnALine * inertia.trace())
      inertia += kOnALine * inertia.trace() * Mat3::Identity();
    const double size = std::sqrt(inertia.trace() / body_mass);
    largest.push_back(largest_excess(body_mass, size, inertia, inertia_of(surplus), stiffness_of_supports(mesh, bodies[b], center, size)));
  }
  return largest;
}

}  // namespace traction
