// Divides the triangles near a point into sheets, each of which has its own gap (docs/theory/contact.md, "Sheets").
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/implicit_surface.h"

namespace traction {

/// Divides the triangles within reach of a point into sheets, which are connected by their vertices. A sheet, or a part of one, that faces away from the point
/// is left out if something nearer that faces the point lies before it. Memory is kept from point to point.
class SheetFinder {
 public:
  explicit SheetFinder(const ImplicitSurface& surface) : surface_(surface) {}

  /// `has_outside`: whether normals point out of a body, so that triangles may face away; otherwise they only agree with their neighbours.
  void begin(const Vec3& x, bool has_outside);
  /// `number`: an identifier chosen by the caller. `vertices`: equal numbers mean the same vertex; not negative. Triangles out of reach are ignored.
  void add(int number, const std::array<int, 3>& vertices, const Corners<double>& corners);
  void find();

  int count() const { return static_cast<int>(first_.size()) - 1; }
  /// The numbers of a sheet's triangles, in the order in which they were added.
  std::span<const int> triangles(int sheet) const;

 private:
  struct Triangle {
    int number = 0;
    int root = 0;  ///< the first triangle of its sheet
    bool left_out = false;
    Vec3 area, offset;  ///< twice the area along the normal; from the centroid to the point
    double s_squared = 0;
    /// Computed only if some triangles are turned away from others.
    Vec3 normal;
    double distance = 0, weight = 0;  ///< distance from its plane [m]
  };
  /// A part of the triangles: one sheet, or the triangles of one sheet with normals to one side.
  struct Mean {
    double weight = 0, distance = 0;
    Vec3 normal = Vec3::Zero();

    void add(const Triangle& triangle);
    void divide();
    /// Whether this part lies behind another one that faces the other way, so that both belong to the two sides of one piece of the body.
    bool is_behind(const Mean& other) const;
  };
  int root_of(int triangle);
  void leave_out_backs(int root);
  void leave_out_hidden_sheets();

  ImplicitSurface surface_;
  Vec3 x_ = Vec3::Zero();
  bool has_outside_ = false, opposed_ = false;
  std::vector<Triangle> triangles_;
  std::vector<int> first_with_, stamp_;  ///< by vertex: the first triangle that has it, and the point for which that entry is valid
  int point_ = 0;
  std::vector<int> first_{0}, sorted_;
};

}  // namespace traction
