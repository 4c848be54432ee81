// Settings of how the mesh is divided among ranks.
#pragma once

#include <optional>
#include <string>

#include "settings/declaration.h"

namespace traction {

/// How a mesh is divided among ranks.
struct PartitionSettings {
  static constexpr SettingsDescription kDescription{"partition", "How the mesh is shared out among ranks."};
  SETTING(std::optional<std::string>, file, {}, "Partition made by traction-partition, from the scene's folder.", path);
  SETTING(double, contact_weight, 0, "What a vertex in contact costs, in units of one tetrahedron; 0: tetrahedra alone are counted.", non_negative);
};

}  // namespace traction
