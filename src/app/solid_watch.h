// Watches solids for deformations in which the law of their material means nothing.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulation/simulation.h"

namespace traction {

/// Finds elements that have turned inside out, which laws of finite energy at a volume of zero allow (Saint Venant-Kirchhoff, linear elastic), and elements of
/// linear elastic solids whose turn counts as a strain (docs/theory/balance.md, "Neo-Hookean solids").
class SolidWatch {
 public:
  /// `simulation` must outlive this. @collective
  explicit SolidWatch(const Simulation& simulation);

  /// A warning for each body and fault that the present state has and no state looked at before had. The same on all ranks. @collective
  std::vector<std::string> look();

 private:
  enum class Fault { inverted, turned };
  struct Element {
    int body;        ///< number in the scene
    int number;      ///< of the tetrahedron, or of the ten-node tetrahedron
    bool ten_nodes;  ///< which of the two
    bool is_linear;  ///< whether its law is that of small rotations
  };
  /// Calls action(deformation gradient) for each of the element's quadrature points.
  template <typename Action>
  void for_each_gradient(const Element& element, const Field& positions, const Action& action) const;
  Vec3 middle(const Element& element, const Field& positions) const;
  std::string warning(int body, Fault fault, double value, const Vec3& place) const;

  const Simulation& simulation_;
  std::vector<Element> elements_;  ///< that this rank owns, of laws with finite energies
  bool watches_ = false;           ///< whether any rank has such elements
  std::set<std::pair<int, Fault>> known_;
};

}  // namespace traction
