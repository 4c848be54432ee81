#include "simulation/surface_scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "math/triangle_area.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// The integrals of 1, x and |x|^2 over some elements.
class ElementMoments {
 public:
  static constexpr std::size_t kNumbers = 5;

  // A simplex of any dimension, whose volume or area is given.
  void add(std::span<const Vec3> corners, double measure) {
    const double count = static_cast<double>(corners.size());
    Vec3 sum = Vec3::Zero();
    double squares = 0;
    for (const Vec3& x : corners) {
      sum += x;
      squares += x.squaredNorm();
    }
    numbers[0] += measure;
    for (std::size_t axis = 0; axis < 3; ++axis) numbers[1 + axis] += measure * sum[static_cast<int>(axis)] / count;
    numbers[4] += measure * (squares + sum.squaredNorm()) / (count * (count + 1));
  }
  double radius_of_gyration() const {
    if (!(numbers[0] > 0)) return 0;
    const Vec3 middle = Vec3(numbers[1], numbers[2], numbers[3]) / numbers[0];
    return std::sqrt(std::max(0.0, numbers[4] / numbers[0] - middle.squaredNorm()));
  }

  std::array<double, kNumbers> numbers{};
};

struct PieceMoments {
  ElementMoments solids, shells;
};

// The radii of gyration of all pieces, by their numbers. Collective.
std::map<PetscInt, double> radii_of_gyration(const DistributedMesh& mesh, const std::vector<PetscInt>& pieces) {
  std::map<PetscInt, PieceMoments> moments;
  std::set<PetscInt> particles;  // the points that carry rigid bodies
  for (const RigidFrame& frame : mesh.frames) particles.insert(frame.particles.begin(), frame.particles.end());
  for (const auto& tetrahedron : mesh.tetrahedra) {
    if (!mesh.owns(tetrahedron)) continue;
    std::array<Vec3, 4> x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = mesh.vertices[tetrahedron[i]];
    const double volume = std::abs((x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0])) / 6;
    ElementMoments& solids = moments[pieces[tetrahedron[0]]].solids;
    if (!particles.contains(mesh.halo->to_global(tetrahedron[0]))) solids.add(x, volume);
    else
      for (const Vec3& particle : x) solids.add({&particle, 1}, volume / 4);  // four points have the moments of a rigid body, and not what is between them
  }
  for (const int t : mesh.shells) {
    const auto& triangle = mesh.triangles[t];
    if (!mesh.owns(triangle)) continue;
    std::array<Vec3, 3> x;
    for (std::size_t i = 0; i < 3; ++i) x[i] = mesh.vertices[triangle[i]];
    moments[pieces[triangle[0]]].shells.add(x, triangle_area(x[0], x[1], x[2]));
  }
  std::vector<double> own;
  for (const auto& [piece, sum] : moments) {
    own.push_back(static_cast<double>(piece));
    own.insert(own.end(), sum.solids.numbers.begin(), sum.solids.numbers.end());
    own.insert(own.end(), sum.shells.numbers.begin(), sum.shells.numbers.end());
  }
  moments.clear();
  const std::vector<double> all = concatenated_over_ranks(mesh.halo->communicator(), own);
  for (std::size_t i = 0; i < all.size(); i += 1 + 2 * ElementMoments::kNumbers) {
    PieceMoments& sum = moments[static_cast<PetscInt>(all[i])];
    for (std::size_t k = 0; k < ElementMoments::kNumbers; ++k) {
      sum.solids.numbers[k] += all[i + 1 + k];
      sum.shells.numbers[k] += all[i + 1 + ElementMoments::kNumbers + k];
    }
  }
  std::map<PetscInt, double> radii;
  for (const auto& [piece, sum] : moments) radii[piece] = std::max(sum.solids.radius_of_gyration(), sum.shells.radius_of_gyration());
  return radii;
}

}  // namespace

void measure_scales(const DistributedMesh& mesh, const std::vector<PetscInt>& pieces, std::vector<ContactSurface>& surfaces) {
  const std::map<PetscInt, double> radii = radii_of_gyration(mesh, pieces);
  std::vector<double> sums, extents;  // for each surface: area and number of vertices; the extent
  for (const ContactSurface& surface : surfaces) {
    double area = 0, count = 0, extent = 0;
    if (!surface.is_obstacle && surface.twist_radius == 0)
      for (const SurfaceVertex& vertex : surface.vertices) {
        area += vertex.area;
        count += 1;
        if (const auto found = radii.find(pieces[vertex.vertex]); found != radii.end()) extent = std::max(extent, found->second);
      }
    sums.insert(sums.end(), {area, count});
    extents.push_back(extent);
  }
  sum_over_ranks(mesh.halo->communicator(), sums);
  maximum_over_ranks(mesh.halo->communicator(), extents);
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (sums[2 * s] > 0) surfaces[s].scale = {extents[s], std::sqrt(sums[2 * s] / sums[2 * s + 1])};
}

}  // namespace traction
