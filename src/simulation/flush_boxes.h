// Boxes that lie side by side or overlap, and act like one obstacle.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "contact/feature_search.h"
#include "mesh/read_mesh.h"
#include "simulation/simulation.h"

namespace traction {

/// The part of the surface of several boxes that belongs to one of them.
struct BoxFaces {
  SurfaceMesh mesh;                     ///< normals point outward
  std::vector<TriangleBorder> borders;  ///< one for each triangle; empty if the box touches no other
  std::vector<std::array<int, 2>>
      flat_edges;  ///< of the mesh, sorted, with their ends in ascending order: beyond these the surface continues in the same plane
};

/// The boxes that a contact, or contacts of the same thickness with the same side, have as obstacles. Those that move alike act like one body: what slides from
/// one to the other feels no edge between them (docs/theory/contact.md, "Edges and faces", (C13)).
class FlushBoxes {
 public:
  FlushBoxes(const Scene& scene, const ContactSettings& settings);

  /// The faces of a box without what lies inside others or on their faces, cut where others end. Of faces that coincide, the first box has them.
  BoxFaces faces_of(const Obstacle& obstacle) const;
  /// Sentences for the user about boxes that others would cut into too many parts, and that are therefore left apart.
  const std::vector<std::string>& doubts() const { return doubts_; }

 private:
  struct Rectangle;
  void set_apart_the_most_cut();
  std::vector<double> cuts(std::size_t number, int axis) const;
  std::vector<Rectangle> rectangles(std::size_t number) const;
  bool is_outside(const Rectangle& rectangle, std::size_t number) const;
  bool is_inside(std::size_t number, const Vec3& x, const Vec3& side) const;

  std::vector<const Obstacle*> obstacles_;            // all boxes, in the scene's order
  std::vector<BoxSettings> boxes_;                    // the same
  std::vector<std::vector<std::size_t>> neighbours_;  // for each box those that it touches, in ascending order
  std::vector<std::string> doubts_;
  double rounding_ = 0;  // planes that are nearer to each other are one [m]
};

}  // namespace traction
