// How the mesh is shared out among ranks: what a user can choose.
#pragma once

#include <optional>
#include <string>

namespace traction {

struct PartitionSettings {
  std::optional<std::string> file;  // absolute path; made by traction-partition
  double contact_weight = 0;        // what a vertex in contact costs, in units of one tetrahedron; 0: partitions count tetrahedra only
};

}  // namespace traction
