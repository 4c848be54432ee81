// Partitions a mesh's elements with METIS (docs/theory/parallel.md, "Partition"), and measures the quality of a partition. Serial: called on the rank that read
// the mesh.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace traction {

/// A partition of the elements of a mesh, in the mesh's order.
struct Partition {
  int parts = 1;
  std::vector<int> element_part;  ///< 0 .. parts-1
};

/// METIS k-way partition of the dual graph (tetrahedra that share a face; shells that share an edge with each other or with a tetrahedron) into parts of about
/// equal cost. `vertex_costs`: the cost of each vertex besides that of its elements, not negative, in units of one tetrahedron; it is spread over the vertex's
/// elements. Empty: all 0. Deterministic. Throws InputError when the mesh has fewer elements than parts.
Partition partition_elements(const Mesh& mesh, int parts, std::span<const double> vertex_costs = {});

/// Converts a partition of the same mesh to another number of parts: unites neighbouring parts (METIS on the graph of parts) when `parts` is smaller, splits
/// each part when it is larger. Costs are as in partition_elements. One partition file thus serves every rank count.
Partition change_part_count(const Mesh& mesh, const Partition& partition, int parts, std::span<const double> vertex_costs = {});

/// The part that owns each vertex: the one with most of the vertex's elements; ties go to the part that owns fewest vertices so far.
std::vector<int> vertex_owners(const Mesh& mesh, const Partition& partition);

/// Smallest, mean and largest of some numbers.
struct Spread {
  double minimum = 0, mean = 0, maximum = 0;
};

/// Counts that determine the cost of a part for the rank that computes it.
struct PartCounts {
  int vertices = 0;           ///< owned
  int elements = 0;           ///< elements assigned to this part
  int local_elements = 0;     ///< elements that touch an owned vertex: the rank computes these, some of them as its neighbours do
  int interior_elements = 0;  ///< local elements that touch owned vertices only: computed while ghosts are being exchanged
  int ghosts = 0;             ///< number of vertices of other parts in the local elements, which are received in every exchange
  int sent = 0;               ///< number of times that owned vertices are ghosts of other parts, which are sent in every exchange
  int neighbours = 0;         ///< parts that own the ghosts; the same parts receive this part's vertices
};

/// How evenly a partition divides work, and how much its parts exchange.
struct PartitionQuality {
  int parts = 0;
  int vertices_total = 0, elements_total = 0;
  int edge_cut = 0;                ///< pairs of elements that share a face, or shells that share an edge, across parts
  std::vector<PartCounts> counts;  ///< [parts]
  Spread vertices;                 ///< spread of these counts over the parts
  Spread elements;
  Spread ghosts;
  Spread neighbours;
};
PartitionQuality measure_quality(const Mesh& mesh, const Partition& partition);
std::string quality_table(const PartitionQuality& quality);
std::string counts_csv(const PartitionQuality& quality);  ///< one row per part, under a header with the names of PartCounts

/// A hash of the mesh's elements, which shows whether a file was made for this mesh.
std::uint64_t fingerprint(const Mesh& mesh);

/// A partition file is HDF5: dataset element_part, attributes format, parts and a fingerprint of the mesh.
/// Reading throws InputError when the file isn't a partition of this mesh; writing throws FileError.
void write_partition(const std::string& path, const Mesh& mesh, const Partition& partition);
Partition read_partition(const std::string& path, const Mesh& mesh);

}  // namespace traction
