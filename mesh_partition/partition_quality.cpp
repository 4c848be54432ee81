#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "mesh/shell_patches.h"
#include "mesh_partition/partition.h"

namespace traction {

namespace {

template <typename T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::vector<PartCounts> count_parts(const Mesh& mesh, const Partition& partition) {
  const std::vector<int> owners = vertex_owners(mesh, partition);
  std::vector<PartCounts> counts(static_cast<std::size_t>(partition.parts));
  for (int owner : owners) ++counts[owner].vertices;
  for (int part : partition.element_part) ++counts[part].elements;
  std::vector<std::pair<int, int>> ghosts;  // (part, vertex of another)
  // The parts that compute with the given vertices, because they own one of them, and need the others.
  const auto parts_at = [&](std::span<const int> vertices) {
    std::vector<int> parts;
    for (int vertex : vertices) parts.push_back(owners[vertex]);
    sort_unique(parts);
    for (int part : parts)
      for (int vertex : vertices)
        if (owners[vertex] != part) ghosts.emplace_back(part, vertex);
    return parts;
  };
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const std::vector<int> parts = parts_at(mesh.element(e));
    if (parts.size() == 1) ++counts[parts[0]].interior_elements;
    for (int part : parts) ++counts[part].local_elements;
  }
  const ShellPatches patches(mesh.triangles, mesh.hinges);
  for (int t = 0; t < patches.size(); ++t) parts_at(patches.vertices(t));
  for (const Joint& joint : mesh.joints) parts_at(joint.vertices);
  sort_unique(ghosts);
  std::vector<std::pair<int, int>> neighbours;  // (part, other part)
  for (const auto& [part, vertex] : ghosts) {
    ++counts[part].ghosts;
    ++counts[owners[vertex]].sent;
    neighbours.emplace_back(part, owners[vertex]);
  }
  sort_unique(neighbours);
  for (const auto& pair : neighbours) ++counts[pair.first].neighbours;
  return counts;
}

// Counts pairs of tetrahedra of different parts with a common face, of shells with a common edge, and of rods with a common end. Only elements whose vertices
// each belong to several parts are compared.
int count_cuts(const Mesh& mesh, const Partition& partition) {
  constexpr int kNone = -1, kSeveral = -2;
  std::vector<int> part_of(mesh.vertices.size(), kNone);
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int vertex : mesh.element(e)) {
      int& part = part_of[vertex];
      if (part == kNone) part = partition.element_part[e];
      else if (part != partition.element_part[e]) part = kSeveral;
    }
  std::vector<std::array<int, 4>> faces;  // sorted vertices, -1 first where there are two, then the part
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int opposite : mesh.corners(e)) {
      std::array<int, 4> face{-1, -1, -1, partition.element_part[e]};
      std::size_t count = 0;
      for (int vertex : mesh.corners(e))
        if (vertex != opposite) face[count++] = vertex;
      if (std::any_of(face.begin(), face.begin() + count, [&](int vertex) { return part_of[vertex] != kSeveral; })) continue;
      std::sort(face.begin(), face.end() - 1);
      faces.push_back(face);
    }
  std::sort(faces.begin(), faces.end());
  int cut = 0;
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (std::equal(faces[i].begin(), faces[i].end() - 1, faces[i - 1].begin()) && faces[i][3] != faces[i - 1][3]) ++cut;
  return cut;
}

Spread spread_of(const std::vector<PartCounts>& parts, int PartCounts::*count) {
  Spread spread{static_cast<double>(parts[0].*count), 0, 0};
  for (const PartCounts& part : parts) {
    const double value = part.*count;
    spread.minimum = std::min(spread.minimum, value);
    spread.mean += value;
    spread.maximum = std::max(spread.maximum, value);
  }
  spread.mean /= static_cast<double>(parts.size());
  return spread;
}

}  // namespace

PartitionQuality measure_quality(const Mesh& mesh, const Partition& partition) {
  PartitionQuality quality;
  quality.parts = partition.parts;
  quality.vertices_total = static_cast<int>(mesh.vertices.size());
  quality.elements_total = static_cast<int>(mesh.elements());
  quality.edge_cut = count_cuts(mesh, partition);
  quality.counts = count_parts(mesh, partition);
  quality.vertices = spread_of(quality.counts, &PartCounts::vertices);
  quality.elements = spread_of(quality.counts, &PartCounts::elements);
  quality.ghosts = spread_of(quality.counts, &PartCounts::ghosts);
  quality.neighbours = spread_of(quality.counts, &PartCounts::neighbours);
  return quality;
}

std::string quality_table(const PartitionQuality& quality) {
  std::string table = fmt::format("partition: {} part{}, {} vertices, {} elements, edge cut {}\n", quality.parts, quality.parts == 1 ? "" : "s",
                                  quality.vertices_total, quality.elements_total, quality.edge_cut);
  table += fmt::format("{:<20}{:>12}{:>12}{:>12}\n", "per part", "min", "mean", "max");
  const std::array<std::pair<const char*, const Spread*>, 4> rows{
      {{"vertices", &quality.vertices}, {"elements", &quality.elements}, {"ghosts", &quality.ghosts}, {"neighbours", &quality.neighbours}}};
  for (const auto& [name, spread] : rows) table += fmt::format("{:<20}{:>12.0f}{:>12.1f}{:>12.0f}\n", name, spread->minimum, spread->mean, spread->maximum);
  return table;
}

std::string counts_csv(const PartitionQuality& quality) {
  std::string csv = "part,vertices,elements,local_elements,interior_elements,ghosts,sent,neighbours\n";
  for (std::size_t part = 0; part < quality.counts.size(); ++part) {
    const PartCounts& c = quality.counts[part];
    csv += fmt::format("{},{},{},{},{},{},{},{}\n", part, c.vertices, c.elements, c.local_elements, c.interior_elements, c.ghosts, c.sent, c.neighbours);
  }
  return csv;
}

}  // namespace traction
