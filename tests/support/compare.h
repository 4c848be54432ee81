// Fields of different partitions, compared vertex by vertex.
#pragma once

#include <algorithm>
#include <map>

#include "mesh_partition/distribute.h"
#include "system/state.h"

namespace traction::test {

// Values of a field by vertex number in the undistributed mesh, owned vertices only.
inline std::map<int, Vec3> by_id(const DistributedMesh& mesh, const Field& field) {
  std::map<int, Vec3> result;
  for (int i = 0; i < mesh.halo->owned(); ++i) result[mesh.vertex_ids[i]] = field[i];
  return result;
}

// Largest difference to the reference over this rank's vertices, relative to the reference's largest value.
inline double difference(const std::map<int, Vec3>& part, const std::map<int, Vec3>& reference) {
  double largest = 0, scale = 0;
  for (const auto& [id, value] : reference) scale = std::max(scale, value.norm());
  for (const auto& [id, value] : part) largest = std::max(largest, (value - reference.at(id)).norm());
  return largest / scale;
}

}  // namespace traction::test
