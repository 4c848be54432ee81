#include "simulation/attachment_springs.h"

#include <algorithm>
#include <array>

#include "elements/surface_load_elements.h"
#include "parallel/collective.h"
#include "simulation/body_points.h"
#include "simulation/make_stencil_force.h"
#include "simulation/region_shares.h"
#include "simulation/six_node_faces.h"

namespace traction {

namespace {

// Where a spring begins. It consists of numbers alone, because ranks exchange it.
struct SpringEnd {
  std::array<double, 6> vertices{}, weights{};  // global numbers; a vertex of weight 0 means nothing
  std::array<double, 3> place{};                // at the start [m]
  double share = 0;                             // part of the attachment's stiffness, relative to the other springs' parts
  double rank = 0;                              // the rank that has the spring
};

SpringEnd at_vertex(const System& system, int vertex, double share, const Field& start) {
  SpringEnd end;
  end.vertices[0] = static_cast<double>(system.halo().to_global(vertex));
  end.weights[0] = 1;
  for (int i = 0; i < 3; ++i) end.place[i] = start[vertex][i];
  end.share = share;
  return end;
}

// The points of a face of a ten-node tetrahedron that integrate over its area at rest, so that vertices bear what their shape functions weigh.
void add_points(const System& system, const std::array<int, 6>& face, const Field& start, std::vector<SpringEnd>& ends) {
  QuadraticFace::for_each_point<double>(places(system.mesh(), face), [&](double weight, const std::array<double, 6>& shapes, const Vec3& area) {
    SpringEnd& end = ends.emplace_back();
    end.weights = shapes;
    end.share = weight * area.norm();
    for (std::size_t a = 0; a < face.size(); ++a) {
      end.vertices[a] = static_cast<double>(system.halo().to_global(face[a]));
      for (int i = 0; i < 3; ++i) end.place[i] += shapes[a] * start[face[a]][i];
    }
  });
}

// The ends of all springs of an attachment, on every rank. Collective.
std::vector<SpringEnd> ends_of(const System& system, const SceneMaterials& materials, const LocalRegion& region, const Field& start) {
  std::vector<SpringEnd> ends;
  const auto faces = region.dimension == 2 ? six_node_faces(system.mesh(), region) : std::vector<std::array<int, 6>>();
  if (sum_over_ranks(system.communicator(), static_cast<double>(faces.size())) > 0) {
    for (const auto& face : faces)
      if (system.mesh().owns(face)) add_points(system, face, start, ends);
  } else {
    for (const auto& [vertex, share] : shares_of_vertices(system, materials, region, region.dimension == 2))
      if (share >= 0) ends.push_back(at_vertex(system, vertex, share, start));  // a negative one belongs to a vertex of another body
  }
  int rank = 0;
  MPI_Comm_rank(system.communicator(), &rank);
  for (SpringEnd& end : ends) end.rank = rank;
  constexpr std::size_t kNumbers = sizeof(SpringEnd) / sizeof(double);
  static_assert(sizeof(SpringEnd) == 17 * sizeof(double));
  const std::vector<double> numbers = concatenated_over_ranks(system.communicator(), {reinterpret_cast<const double*>(ends.data()), kNumbers * ends.size()});
  ends.resize(numbers.size() / kNumbers);
  std::copy(numbers.begin(), numbers.end(), reinterpret_cast<double*>(ends.data()));
  return ends;
}

BodyPoint point_of(const SpringEnd& end) {
  BodyPoint point;
  for (std::size_t a = 0; a < end.weights.size(); ++a)
    if (end.weights[a] != 0) {
      point.vertices.push_back(static_cast<PetscInt>(end.vertices[a]));
      point.weights.push_back(end.weights[a]);
    }
  return point;
}

}  // namespace

void add_attachment_springs(const System& system, const Scene& scene, const SceneMaterials& materials, const Field& start, int number,
                            std::vector<PinElement>& pins) {
  const AttachmentSettings& attachment = scene.attachments[static_cast<std::size_t>(number)];
  const std::vector<SpringEnd> ends = ends_of(system, materials, system.mesh().region(to_text(attachment.vertices)), start);
  double total = 0;
  for (const SpringEnd& end : ends) total += end.share;
  int rank = 0;
  MPI_Comm_rank(system.communicator(), &rank);
  for (const SpringEnd& end : ends) {
    const CarriedPoint carried = point_of_body(system, scene.body(attachment.to.body), Vec3(end.place[0], end.place[1], end.place[2]), start);
    if (end.rank == rank) pins.push_back({{point_of(end), carried.point}, number, *attachment.stiffness * end.share / total});
  }
}

}  // namespace traction
