// Partitioning of a mesh's elements with METIS (docs/theory/parallel.md, "Partition"), and what a partition is worth. Serial: called on the rank that read the
// mesh.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace traction {

// A partition of the elements of a mesh, in its order.
struct Partition {
  int parts = 1;
  std::vector<int> element_part;  // 0 .. parts-1
};

// METIS k-way partition of the dual graph (tetrahedra that share a face, shells that share an edge with each other or with a tetrahedron) into parts of about
// equal cost. `vertex_costs`: what each vertex costs beside its elements, in units of one tetrahedron, not negative; its elements share it. Empty: all 0.
// Deterministic. Throws InputError when there are more parts than elements.
Partition partition_elements(const Mesh& mesh, int parts, std::span<const double> vertex_costs = {});

// The same mesh in another number of parts: unites neighbouring parts (METIS on the graph of parts) when `parts` is smaller, splits each part when it is
// larger, both by the costs that partition_elements takes. One partition file thus serves every rank count.
Partition change_part_count(const Mesh& mesh, const Partition& partition, int parts, std::span<const double> vertex_costs = {});

// The part that owns each vertex: the one with most of the vertex's elements; ties go to the part that owns fewest vertices so far.
std::vector<int> vertex_owners(const Mesh& mesh, const Partition& partition);

struct Spread {
  double minimum = 0, mean = 0, maximum = 0;
};

// What one part means for the rank that computes it.
struct PartCounts {
  int vertices = 0;           // owned
  int elements = 0;           // that are in this part
  int local_elements = 0;     // that touch an owned vertex: those that the rank computes, some of them as its neighbours do
  int interior_elements = 0;  // of these, the ones that touch owned vertices only: computed while ghosts are under way
  int ghosts = 0;             // vertices of others in the local elements: received in every exchange
  int sent = 0;               // how often owned vertices are ghosts of other parts: sent in every exchange
  int neighbours = 0;         // parts that own the ghosts, which are also those that are sent to
};

struct PartitionQuality {
  int parts = 0;
  int vertices_total = 0, elements_total = 0;
  int edge_cut = 0;                // pairs of elements that share a face, or shells that share an edge, across parts
  std::vector<PartCounts> counts;  // [parts]
  Spread vertices;                 // of these counts over the parts
  Spread elements;
  Spread ghosts;
  Spread neighbours;
};
PartitionQuality measure_quality(const Mesh& mesh, const Partition& partition);
std::string quality_table(const PartitionQuality& quality);
std::string counts_csv(const PartitionQuality& quality);  // one row per part, under a header with the names of PartCounts

// Tells meshes apart by their elements: whether a file made for one mesh fits another.
std::uint64_t fingerprint(const Mesh& mesh);

// A partition file is HDF5: dataset element_part, attributes format, parts and a fingerprint of the mesh.
// Reading throws InputError when the file isn't a partition of this mesh; writing throws FileError.
void write_partition(const std::string& path, const Mesh& mesh, const Partition& partition);
Partition read_partition(const std::string& path, const Mesh& mesh);

}  // namespace traction
