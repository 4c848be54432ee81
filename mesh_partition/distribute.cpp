#include "mesh_partition/distribute.h"

#include <petscmat.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>

#include "errors.h"
#include "mesh/second_order.h"
#include "mesh/shell_patches.h"
#include "parallel/collective.h"
#include "parallel/petsc_handle.h"

namespace traction {

namespace {

// The data that rank 0 sends to one rank, as two arrays.
struct Package {
  std::vector<int> integers;
  std::vector<double> coordinates;
};

void sort_unique(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Position of each vertex in a reverse Cuthill-McKee order of the vertex graph.
std::vector<int> cuthill_mckee_positions(const Mesh& mesh) {
  const std::size_t count = mesh.vertices.size();
  std::vector<std::vector<PetscInt>> neighbours(count);
  const auto couple = [&](std::span<const int> vertices) {
    for (int a : vertices)
      for (int b : vertices) neighbours[a].push_back(b);
  };
  for (std::size_t e = 0; e < mesh.elements(); ++e) couple(mesh.element(e));
  for (const QuadraticTetrahedron& quadratic : mesh.quadratics) couple(quadratic.vertices);
  for (const Hinge& hinge : mesh.hinges) couple(hinge.vertices);
  for (const Joint& joint : mesh.joints) couple(joint.vertices);
  std::vector<PetscInt> start{0}, columns;
  for (auto& row : neighbours) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    columns.insert(columns.end(), row.begin(), row.end());
    start.push_back(static_cast<PetscInt>(columns.size()));
  }
  std::vector<PetscScalar> ones(columns.size(), 1.0);
  PetscHandle<Mat> graph;
  PetscHandle<IS> rows, unused;
  const PetscInt size = static_cast<PetscInt>(count);
  check_petsc(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, size, size, start.data(), columns.data(), ones.data(), graph.receive()));
  check_petsc(MatGetOrdering(graph, MATORDERINGRCM, rows.receive(), unused.receive()));
  const PetscInt* order = nullptr;
  check_petsc(ISGetIndices(rows, &order));
  std::vector<int> positions(count);
  for (std::size_t i = 0; i < count; ++i) positions[order[i]] = static_cast<int>(i);
  check_petsc(ISRestoreIndices(rows, &order));
  return positions;
}

// Makes the packages, one rank at a time, so that rank 0 never holds a second copy of the mesh.
class Packer {
 public:
  Packer(const Mesh& mesh, const Partition& partition) : mesh_(mesh), owners_(vertex_owners(mesh, partition)), ranks_(partition.parts) {
    const std::vector<int> positions = cuthill_mckee_positions(mesh);
    by_owner_.resize(mesh.vertices.size());
    std::iota(by_owner_.begin(), by_owner_.end(), 0);
    std::sort(by_owner_.begin(), by_owner_.end(), [&](int a, int b) { return std::pair(owners_[a], positions[a]) < std::pair(owners_[b], positions[b]); });
    global_.resize(mesh.vertices.size());
    for (std::size_t i = 0; i < by_owner_.size(); ++i) global_[by_owner_[i]] = static_cast<int>(i);
    tetrahedra_of_ = touching(
        mesh.tetrahedra.size(), [&](std::size_t e) -> const auto& { return mesh.tetrahedra[e]; });
    quadratics_of_ = touching(
        mesh.quadratics.size(), [&](std::size_t e) -> const auto& { return mesh.quadratics[e].vertices; });
    triangles_of_ = touching(
        mesh.triangles.size(), [&](std::size_t e) -> const auto& { return mesh.triangles[e]; });
    joints_of_ = touching(
        mesh.joints.size(), [&](std::size_t j) -> const auto& { return mesh.joints[j].vertices; });
    rods_of_ = touching(
        mesh.rods.size(), [&](std::size_t r) -> const auto& { return mesh.rods[r].vertices; });
    for (int rank = 0; rank < ranks_; ++rank) {
      for (int j : joints_of_[rank]) rods_of_[rank].insert(rods_of_[rank].end(), mesh.joints[j].rods.begin(), mesh.joints[j].rods.end());
      sort_unique(rods_of_[rank]);
    }
    find_hinges_of_ranks();
    for (int rank = 0; rank < ranks_; ++rank) {
      std::vector<int>& triangles = triangles_of_[rank];
      for (int h : hinges_of_[rank]) triangles.insert(triangles.end(), mesh.hinges[h].triangles.begin(), mesh.hinges[h].triangles.end());
      sort_unique(triangles);
    }
    dependents_of_.resize(static_cast<std::size_t>(ranks_));
    for (std::size_t d = 0; d < mesh.dependents.size(); ++d) dependents_of_[owners_[mesh.dependents[d].vertex]].push_back(static_cast<int>(d));
    is_shell_.assign(mesh.triangles.size(), 0);
    for (int shell : mesh.shells) is_shell_[shell] = 1;
    local_.assign(mesh.vertices.size(), -1);
    regions_of_tetrahedron_ = regions_by_member(3, 3, mesh.tetrahedra.size(), &Region::members);
    regions_of_triangle_ = regions_by_member(2, 2, mesh.triangles.size(), &Region::members);
    regions_of_vertex_ = regions_by_member(0, 1, mesh.vertices.size(), &Region::members);
    regions_of_rod_ = regions_by_member(1, 1, mesh.rods.size(), &Region::rods);
  }

  // The rigid bodies, with the global numbers of their particles.
  std::vector<RigidFrame> frames() const {
    std::vector<RigidFrame> result = mesh_.frames;
    for (RigidFrame& frame : result)
      for (int& particle : frame.particles) particle = global_[particle];
    return result;
  }

  Package pack(int rank) {
    const std::vector<int>& tetrahedra = tetrahedra_of_[rank];
    const std::vector<int>& triangles = triangles_of_[rank];
    const std::vector<int>& rods = rods_of_[rank];
    const std::vector<int>& joints = joints_of_[rank];
    const auto before = [&](int vertex, int owner) { return owners_[vertex] < owner; };
    const auto begin = std::lower_bound(by_owner_.begin(), by_owner_.end(), rank, before);
    std::vector<int> vertices(begin, std::lower_bound(begin, by_owner_.end(), rank + 1, before));  // numbers in the undistributed mesh, in local order
    const int owned = static_cast<int>(vertices.size());
    for (int i = 0; i < owned; ++i) local_[vertices[i]] = i;
    add_ghosts(mesh_.tetrahedra, tetrahedra, vertices);
    for (int e : quadratics_of_[rank]) add_ghosts(mesh_.quadratics[e].vertices, vertices);
    add_ghosts(mesh_.triangles, triangles, vertices);
    for (int r : rods) add_ghosts(mesh_.rods[r].vertices, vertices);
    std::sort(vertices.begin() + owned, vertices.end(), [&](int a, int b) { return global_[a] < global_[b]; });
    for (std::size_t i = 0; i < vertices.size(); ++i) local_[vertices[i]] = static_cast<int>(i);

    Package package;
    auto& integers = package.integers;
    const auto [tetrahedron_order, interior] = interior_first(
        tetrahedra, owned, [&](int e) -> const auto& { return mesh_.tetrahedra[e]; });
    const auto [quadratic_order, interior_quadratics] = interior_first(
        quadratics_of_[rank], owned, [&](int e) -> const auto& { return mesh_.quadratics[e].vertices; });
    integers = {owned,
                static_cast<int>(vertices.size()),
                static_cast<int>(tetrahedra.size()),
                interior,
                static_cast<int>(quadratic_order.size()),
                interior_quadratics,
                static_cast<int>(triangles.size()),
                static_cast<int>(hinges_of_[rank].size()),
                static_cast<int>(rods.size()),
                static_cast<int>(joints.size()),
                static_cast<int>(dependents_of_[rank].size()),
                mesh_.start_positions.empty() ? 0 : 1};
    for (int vertex : vertices) {
      integers.push_back(vertex);
      integers.push_back(global_[vertex]);
      const Vec3& x = mesh_.vertices[vertex];
      package.coordinates.insert(package.coordinates.end(), x.data(), x.data() + 3);
    }
    for (const std::vector<Vec3>* values : {&mesh_.start_positions, &mesh_.start_velocities})
      if (!values->empty())
        for (int vertex : vertices) package.coordinates.insert(package.coordinates.end(), (*values)[vertex].data(), (*values)[vertex].data() + 3);
    for (int d : dependents_of_[rank])
      package.coordinates.insert(package.coordinates.end(), mesh_.dependents[d].weights.begin(), mesh_.dependents[d].weights.end());
    append_elements(mesh_.tetrahedra, tetrahedron_order, integers);
    append_quadratics(quadratic_order, tetrahedron_order, integers);
    append_elements(mesh_.triangles, triangles, integers);
    for (int t : triangles) integers.push_back(is_shell_[t]);
    for (int h : hinges_of_[rank]) {
      for (int vertex : mesh_.hinges[h].vertices) integers.push_back(local_[vertex]);
      for (int t : mesh_.hinges[h].triangles) integers.push_back(static_cast<int>(std::lower_bound(triangles.begin(), triangles.end(), t) - triangles.begin()));
    }
    const auto append_local = [&](std::span<const int> vertices_of) {
      for (int vertex : vertices_of) integers.push_back(local_[vertex]);
    };
    for (int r : rods) append_local(mesh_.rods[r].vertices);
    for (int j : joints) {
      append_local(mesh_.joints[j].vertices);
      for (int r : mesh_.joints[j].rods) integers.push_back(static_cast<int>(std::lower_bound(rods.begin(), rods.end(), r) - rods.begin()));
    }
    for (int d : dependents_of_[rank]) {
      integers.push_back(local_[mesh_.dependents[d].vertex]);
      for (int master : mesh_.dependents[d].masters) integers.push_back(global_[master]);
    }
    std::vector<std::vector<int>> members(mesh_.regions.size()), rods_of_regions(mesh_.regions.size());
    collect_members(regions_of_tetrahedron_, tetrahedron_order, members);
    collect_members(regions_of_triangle_, triangles, members);
    collect_members(regions_of_vertex_, vertices, members);
    collect_members(regions_of_rod_, rods, rods_of_regions);
    for (const auto* lists : {&members, &rods_of_regions})
      for (const std::vector<int>& list : *lists) {
        integers.push_back(static_cast<int>(list.size()));
        integers.insert(integers.end(), list.begin(), list.end());
      }
    for (int vertex : vertices) local_[vertex] = -1;
    return package;
  }

 private:
  // A rank evaluates each patch that has one of its own vertices, and needs all hinges of that patch.
  void find_hinges_of_ranks() {
    hinges_of_.resize(static_cast<std::size_t>(ranks_));
    const ShellPatches patches(mesh_.triangles, mesh_.hinges);
    for (int t = 0; t < patches.size(); ++t) {
      const std::vector<int> hinges = patches.hinges(t);
      std::vector<int> ranks;
      for (int vertex : patches.vertices(t)) ranks.push_back(owners_[vertex]);
      sort_unique(ranks);
      for (int rank : ranks) hinges_of_[rank].insert(hinges_of_[rank].end(), hinges.begin(), hinges.end());
    }
    for (std::vector<int>& hinges : hinges_of_) sort_unique(hinges);
  }

  // For each rank, the ascending numbers of the items that have a vertex which the rank owns.
  template <typename VerticesOf>
  std::vector<std::vector<int>> touching(std::size_t count, VerticesOf vertices_of) const {
    std::vector<std::vector<int>> result(static_cast<std::size_t>(ranks_));
    for (std::size_t e = 0; e < count; ++e)
      for (int vertex : vertices_of(e)) {
        auto& list = result[owners_[vertex]];
        if (list.empty() || list.back() != static_cast<int>(e)) list.push_back(static_cast<int>(e));
      }
    return result;
  }

  template <std::size_t N>
  void add_ghosts(const std::vector<std::array<int, N>>& elements, const std::vector<int>& used, std::vector<int>& vertices) {
    for (int e : used) add_ghosts(elements[e], vertices);
  }
  void add_ghosts(std::span<const int> element, std::vector<int>& vertices) {
    for (int vertex : element)
      if (local_[vertex] < 0) {
        local_[vertex] = static_cast<int>(vertices.size());
        vertices.push_back(vertex);
      }
  }

  // Elements in an order for locality, those that touch owned vertices only first, and the number of these.
  template <typename VerticesOf>
  std::pair<std::vector<int>, int> interior_first(std::vector<int> elements, int owned, VerticesOf vertices_of) const {
    auto local_range = [&](int e) {
      const auto& vertices = vertices_of(e);
      std::pair range(local_[vertices[0]], local_[vertices[0]]);
      for (int vertex : vertices) range = {std::min(range.first, local_[vertex]), std::max(range.second, local_[vertex])};
      return range;
    };
    std::stable_sort(elements.begin(), elements.end(), [&](int a, int b) {
      const auto [low_a, high_a] = local_range(a);
      const auto [low_b, high_b] = local_range(b);
      return std::pair(high_a >= owned, low_a) < std::pair(high_b >= owned, low_b);
    });
    const auto boundary = std::partition_point(elements.begin(), elements.end(), [&](int e) { return local_range(e).second < owned; });
    return {elements, static_cast<int>(boundary - elements.begin())};
  }

  // The vertices of ten-node tetrahedra, then for each tetrahedron the one that it is a part of, or -1. A tetrahedron that touches an owned vertex is a part of
  // one that does.
  void append_quadratics(const std::vector<int>& quadratics, const std::vector<int>& tetrahedra, std::vector<int>& integers) {
    if (quadratics.empty()) return;
    if (whole_of_.empty()) {
      whole_of_.assign(mesh_.tetrahedra.size(), -1);
      for (std::size_t e = 0; e < mesh_.quadratics.size(); ++e)
        std::fill_n(whole_of_.begin() + mesh_.quadratics[e].first, kQuadraticParts, static_cast<int>(e));
    }
    std::unordered_map<int, int> local;
    for (int e : quadratics) {
      local.emplace(e, static_cast<int>(local.size()));
      for (int vertex : mesh_.quadratics[e].vertices) integers.push_back(local_[vertex]);
    }
    for (int t : tetrahedra) integers.push_back(whole_of_[t] < 0 ? -1 : local.at(whole_of_[t]));
  }

  template <std::size_t N>
  void append_elements(const std::vector<std::array<int, N>>& elements, const std::vector<int>& used, std::vector<int>& integers) const {
    for (int e : used)
      for (int vertex : elements[e]) integers.push_back(local_[vertex]);
  }

  // The regions that each element or vertex belongs to, in compressed form.
  struct Memberships {
    std::vector<int> start, regions;
  };

  Memberships regions_by_member(int lowest_dimension, int highest_dimension, std::size_t members, std::vector<int> Region::*list) const {
    Memberships result{std::vector<int>(members + 1, 0), {}};
    auto for_each = [&](auto action) {
      for (std::size_t r = 0; r < mesh_.regions.size(); ++r)
        if (mesh_.regions[r].dimension >= lowest_dimension && mesh_.regions[r].dimension <= highest_dimension)
          for (int member : mesh_.regions[r].*list) action(member, static_cast<int>(r));
    };
    for_each([&](int member, int) { ++result.start[member + 1]; });
    std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
    result.regions.resize(result.start.back());
    std::vector<int> next = result.start;
    for_each([&](int member, int region) { result.regions[next[member]++] = region; });
    return result;
  }

  // Adds the local number (position in `used`) of each used element or vertex to the regions it belongs to.
  static void collect_members(const Memberships& memberships, const std::vector<int>& used, std::vector<std::vector<int>>& members) {
    for (std::size_t local = 0; local < used.size(); ++local)
      for (int k = memberships.start[used[local]]; k < memberships.start[used[local] + 1]; ++k)
        members[memberships.regions[k]].push_back(static_cast<int>(local));
  }

  const Mesh& mesh_;
  std::vector<int> owners_;
  int ranks_;
  std::vector<int> by_owner_;  // vertices in the order of their global numbers
  std::vector<int> global_;    // vertex -> global number
  std::vector<int> whole_of_;  // tetrahedron -> the ten-node one that it is a part of, or -1; empty until needed
  std::vector<std::vector<int>> tetrahedra_of_, quadratics_of_, triangles_of_, hinges_of_, rods_of_, joints_of_, dependents_of_;
  std::vector<int> is_shell_;  // for each triangle
  Memberships regions_of_tetrahedron_, regions_of_triangle_, regions_of_vertex_, regions_of_rod_;
  std::vector<int> local_;  // scratch: vertex -> local number on the rank being packed, -1 if absent
};

void send(MPI_Comm communicator, const Package& package, int target) {
  const int sizes[2] = {static_cast<int>(package.integers.size()), static_cast<int>(package.coordinates.size())};
  MPI_Send(sizes, 2, MPI_INT, target, 0, communicator);
  MPI_Send(package.integers.data(), sizes[0], MPI_INT, target, 1, communicator);
  MPI_Send(package.coordinates.data(), sizes[1], MPI_DOUBLE, target, 2, communicator);
}

Package receive(MPI_Comm communicator) {
  int sizes[2];
  MPI_Recv(sizes, 2, MPI_INT, 0, 0, communicator, MPI_STATUS_IGNORE);
  Package package{std::vector<int>(static_cast<std::size_t>(sizes[0])), std::vector<double>(static_cast<std::size_t>(sizes[1]))};
  MPI_Recv(package.integers.data(), sizes[0], MPI_INT, 0, 1, communicator, MPI_STATUS_IGNORE);
  MPI_Recv(package.coordinates.data(), sizes[1], MPI_DOUBLE, 0, 2, communicator, MPI_STATUS_IGNORE);
  return package;
}

void unpack(MPI_Comm communicator, const Package& package, DistributedMesh& mesh) {
  const int* next = package.integers.data();
  const int owned = *next++, local = *next++, tetrahedra = *next++;
  mesh.interior_tetrahedra = *next++;
  const int quadratics = *next++;
  mesh.interior_quadratics = *next++;
  const int triangles = *next++, hinges = *next++, rods = *next++, joints = *next++, dependents = *next++;
  const bool has_start = *next++ != 0;
  std::vector<PetscInt> ghosts;
  for (int i = 0; i < local; ++i) {
    mesh.vertex_ids.push_back(*next++);
    if (i >= owned) ghosts.push_back(*next);
    ++next;
    mesh.vertices.emplace_back(Eigen::Map<const Vec3>(package.coordinates.data() + 3 * i));
  }
  const double* coordinates = package.coordinates.data() + 3 * local;
  if (has_start)
    for (std::vector<Vec3>* values : {&mesh.start_positions, &mesh.start_velocities})
      for (int i = 0; i < local; ++i, coordinates += 3) values->emplace_back(Eigen::Map<const Vec3>(coordinates));
  mesh.halo = std::make_shared<const Halo>(communicator, owned, std::move(ghosts));
  for (int e = 0; e < tetrahedra; ++e, next += 4) mesh.tetrahedra.push_back({next[0], next[1], next[2], next[3]});
  for (int e = 0; e < quadratics; ++e, next += 10) std::copy_n(next, 10, mesh.quadratics.emplace_back().vertices.begin());
  if (quadratics > 0) {
    mesh.quadratic_of.assign(next, next + tetrahedra);
    next += tetrahedra;
    for (int t = tetrahedra; t-- > 0;)
      if (mesh.is_part(t)) mesh.quadratics[mesh.quadratic_of[t]].part = t;
  }
  for (int e = 0; e < triangles; ++e, next += 3) mesh.triangles.push_back({next[0], next[1], next[2]});
  for (int t = 0; t < triangles; ++t)
    if (*next++) mesh.shells.push_back(t);
  for (int h = 0; h < hinges; ++h, next += 6) mesh.hinges.push_back({{next[0], next[1], next[2], next[3]}, {next[4], next[5]}});
  for (int r = 0; r < rods; ++r, next += 3) {
    mesh.rods.push_back({{next[0], next[1], next[2]}});
    mesh.twists.push_back(next[2]);
  }
  std::sort(mesh.twists.begin(), mesh.twists.end());
  for (int j = 0; j < joints; ++j, next += 7) mesh.joints.push_back({{next[0], next[1], next[2], next[3], next[4]}, {next[5], next[6]}});
  for (int d = 0; d < dependents; ++d, next += 5, coordinates += 4)
    mesh.dependents.push_back({next[0], {next[1], next[2], next[3], next[4]}, {coordinates[0], coordinates[1], coordinates[2], coordinates[3]}});
  const auto read_list = [&](std::vector<int>& list) {
    const int count = *next++;
    list.assign(next, next + count);
    next += count;
  };
  for (LocalRegion& region : mesh.regions) read_list(region.members);
  for (LocalRegion& region : mesh.regions) read_list(region.rods);
  for (LocalRegion& region : mesh.regions) {
    for (int member : region.members) {
      const std::size_t m = static_cast<std::size_t>(member);
      if (region.dimension == 3) region.vertices.insert(region.vertices.end(), mesh.tetrahedra[m].begin(), mesh.tetrahedra[m].end());
      else if (region.dimension == 2) region.vertices.insert(region.vertices.end(), mesh.triangles[m].begin(), mesh.triangles[m].end());
      else region.vertices.push_back(member);
    }
    std::sort(region.vertices.begin(), region.vertices.end());
    region.vertices.erase(std::unique(region.vertices.begin(), region.vertices.end()), region.vertices.end());
  }
}

// Names and dimensions of all regions, the same on every rank.
void broadcast_regions(MPI_Comm communicator, int rank, const Mesh& mesh, DistributedMesh& result) {
  std::string text;  // "dimension name\n" per region
  if (rank == 0)
    for (const Region& region : mesh.regions) text += std::to_string(region.dimension) + " " + region.name + "\n";
  broadcast(communicator, text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    result.regions.push_back({text.substr(at + 2, end - at - 2), text[at] - '0', {}, {}, {}});
    result.region_numbers.emplace(result.regions.back().name, result.regions.size() - 1);
    at = end + 1;
  }
}

}  // namespace

const LocalRegion* DistributedMesh::find_region(const std::string& name) const {
  const auto found = region_numbers.find(name);
  return found == region_numbers.end() ? nullptr : &regions[found->second];
}

const LocalRegion& DistributedMesh::region(const std::string& name) const {
  if (const LocalRegion* found = find_region(name)) return *found;
  throw InputError("no region '" + name + "' in the mesh");
}

DistributedMesh distribute(MPI_Comm communicator, const Mesh& mesh, const Partition& partition) {
  int rank = 0, size = 1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  DistributedMesh result;
  broadcast_regions(communicator, rank, mesh, result);
  std::optional<Packer> packer;  // on rank 0
  on_first_rank(communicator, [&] { packer.emplace(mesh, partition); });
  Package package, mine;
  for (int target = size - 1; target >= 0; --target) {  // rank 0's own package comes last, and stays
    on_first_rank(communicator, [&] { package = packer->pack(target); });
    if (target == 0) break;
    if (rank == 0) send(communicator, package, target);
    if (rank == target) mine = receive(communicator);
  }
  if (rank == 0) mine = std::move(package);
  unpack(communicator, mine, result);
  std::string frames;
  on_first_rank(communicator, [&] {
    const std::vector<RigidFrame> all = packer->frames();
    frames.assign(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(RigidFrame));
  });
  broadcast(communicator, frames);
  result.frames.resize(frames.size() / sizeof(RigidFrame));
  std::memcpy(static_cast<void*>(result.frames.data()), frames.data(), frames.size());
  return result;
}

}  // namespace traction
