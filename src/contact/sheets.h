// The triangles near a point as sheets, each of which has a gap of its own (docs/theory/contact.md, "Sheets").
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/implicit_surface.h"

namespace traction {

// Divides the triangles within reach of a point into sheets: those that hang together by their vertices. What faces away from the point while another sheet or
// another part of the same sheet, nearer to the point and turned towards it, lies before it is left out. Keeps its memory from point to point.
class SheetFinder {
 public:
  explicit SheetFinder(const ImplicitSurface& surface) : surface_(surface) {}

  // `has_outside`: normals point out of a body, so that triangles may face away; otherwise they only agree with their neighbours.
  void begin(const Vec3& x, bool has_outside);
  // `number`: any of the caller's. `vertices`: equal numbers are the same vertex; not negative. Triangles out of reach are passed over.
  void add(int number, const std::array<int, 3>& vertices, const Corners<double>& corners);
  void find();

  int count() const { return static_cast<int>(first_.size()) - 1; }
  // The numbers of a sheet's triangles, in the order in which they were added.
  std::span<const int> triangles(int sheet) const;

 private:
  struct Triangle {
    int number = 0;
    int root = 0;  // the first triangle that hangs together with it
    bool left_out = false;
    Vec3 area, offset;  // twice the area along the normal; from the centroid to the point
    double s_squared = 0;
    // These are of use, and found, only where some triangles are turned away from others.
    Vec3 normal;
    double distance = 0, weight = 0;  // from its plane [m]
  };
  // A part of the triangles: those of one sheet, or of one sheet with normals on one side.
  struct Mean {
    double weight = 0, distance = 0;
    Vec3 normal = Vec3::Zero();

    void add(const Triangle& triangle);
    void divide();
    // Whether this lies behind another, which is turned the other way: the point and the other are on the same side of the body between the two.
    bool is_behind(const Mean& other) const;
  };
  int root_of(int triangle);
  void leave_out_backs(int root);
  void leave_out_hidden_sheets();

  ImplicitSurface surface_;
  Vec3 x_ = Vec3::Zero();
  bool has_outside_ = false, opposed_ = false;
  std::vector<Triangle> triangles_;
  std::vector<int> first_with_, stamp_;  // by vertex: the first triangle that has it, and for which point that holds
  int point_ = 0;
  std::vector<int> first_{0}, sorted_;
};

}  // namespace traction
