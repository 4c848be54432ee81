// Which of two surfaces carries the force between them (docs/theory/contact.md, "Edges and faces").
#pragma once

namespace traction {

/// The size of the body to which a surface belongs, and of the surface's mesh.
struct SurfaceScale {
  double extent = 0;  ///< radius of gyration of the largest connected piece at rest [m]; 0 if unknown
  double cell = 0;    ///< root of the mean area of a vertex [m]; 0 for obstacles and rods
};

/// Which vertices of two surfaces carry the force between them.
enum class PressingSide { both, own, other };

/// A surface presses alone on one whose cells are more than eight times as long, or whose body is more than twice as large. The force then does not depend on
/// where the vertices of the other one lie on its flat faces. Otherwise the vertices of both sides carry half.
PressingSide pressing_side(const SurfaceScale& own, const SurfaceScale& other);

/// Number of parts into which the edges of a surface are divided where it presses on another one, at most 8. If it presses alone, it becomes as fine as the
/// other one. If both press, each becomes as fine as a quarter of the smaller body's extent, so that many places carry the force wherever they are.
int parts_against(const SurfaceScale& own, const SurfaceScale& other);

}  // namespace traction
