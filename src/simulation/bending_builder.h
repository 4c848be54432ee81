// The bending of shells, from a distributed mesh to hinges and patches.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "forces/shell_bending.h"
#include "mesh/shell_patches.h"
#include "simulation/element_slots.h"
#include "simulation/scene_materials.h"
#include "system/system.h"

namespace traction {

/// Collects the patches of some triangles, as this rank sees them, and the hinges that they need.
class BendingBuilder {
 public:
  /// Both outlive this. Triangles are clamped if all of their vertices are held at present, or attached to one rigid body, which may be free. @collective
  BendingBuilder(const System& system, const SceneMaterials& materials);

  /// A patch for a triangle, where this rank owns any vertex of it.
  /// `slots`: where triangles keep their flow; those that yield have a place there.
  void add(int triangle, const ElementSlots& slots);

  /// The data from which a triangle's moments follow: its patch, and the angles of the hinges in the patch's order; nothing if it does not bend.
  struct Patch {
    ShellPatch geometry;
    std::vector<BendingHinge> hinges;
  };
  std::optional<Patch> patch(int triangle) const;

  std::vector<BendingHinge> hinges;
  std::vector<BendingPatch> patches;

 private:
  int number_of(int hinge);
  BendingHinge bending_hinge(int hinge) const;
  Plate plate(int triangle) const;
  double winding(int triangle, int hinge) const;
  PatchEdge edge(int triangle, int hinge, const std::vector<int>& hinges_of_patch, double sign) const;
  ShellPatch geometry(int triangle, const std::vector<int>& hinges_of_patch) const;

  const DistributedMesh& mesh_;
  const SceneMaterials& materials_;
  const std::vector<char>& held_;
  const std::vector<int> carriers_;  ///< for each local vertex: one more than the number of the rigid body that carries it, or 0
  const ShellPatches patches_;
  std::map<int, int> numbers_;
};

}  // namespace traction
