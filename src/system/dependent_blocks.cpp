#include "system/dependent_blocks.h"

namespace traction {

void add_blocks_of_dependents(const System& system, const BlockMatrix& blocks, std::vector<Coupling>& couplings) {
  if (!system.dependents().any()) return;
  const Halo& halo = system.halo();
  const std::vector<char>& is_dependent = system.dependents().marks();
  for (int i = 0; i < halo.owned(); ++i) {
    Mat3 diagonal = blocks.diagonal()[i];
    bool is_neighbour = false;
    blocks.for_each_coupling(i, [&](int j, const Mat3& block) {
      diagonal -= block;
      if (!is_dependent[i] && !is_dependent[j]) return;
      is_neighbour = true;
      couplings.push_back({halo.to_global(i), halo.to_global(j), block});
    });
    // An independent vertex keeps its diagonal block in the matrix itself.
    if (is_dependent[i] && (is_neighbour || !diagonal.isZero(0))) couplings.push_back({halo.to_global(i), halo.to_global(i), diagonal});
  }
}

}  // namespace traction
