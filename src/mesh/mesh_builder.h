// Collects what a mesh file lists, in the order of the file, and makes a Mesh of it. Internal to this folder.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/read_mesh.h"
#include "mesh/second_order.h"

namespace traction {

/// The name in Mesh::regions of a region that the file names and that has no elements, for messages alone; regions whose names begin with '<' are not listed.
std::string empty_region(const std::string& name);
bool is_empty_region(const Region& region);

/// Collects the vertices, elements and regions of a mesh in the order of its file.
class MeshBuilder {
 public:
  explicit MeshBuilder(std::string source) : source_(std::move(source)) {}

  /// Also keeps triangles that are in no region.
  void keep_all_triangles() { keeps_all_triangles_ = true; }
  /// The segments of curves of these names are elements, whose vertices are kept.
  void keep_curves(std::set<std::string> names) { kept_curves_ = std::move(names); }
  /// The triangles of surfaces of these names are elements. If `all` or `boundary` is one, and the mesh has no tetrahedra and no region of that name, triangles
  /// in no region are kept, too. Likewise segments in no region are kept, in a curve `all`, if this is one of the kept curves and there are no triangles.
  void keep_surfaces(std::set<std::string> names) { kept_surfaces_ = std::move(names); }

  int add_vertex(const Vec3& position);
  int vertex_count() const { return static_cast<int>(vertices_.size()); }

  /// The region of this dimension and number, created on first use. Regions are ordered by descending dimension, then number.
  int region(int dimension, std::int64_t number);
  void name_region(int dimension, std::int64_t number, const std::string& name);

  /// Adds an element. One that is listed again with the same orientation is the same element in further regions. Triangles, segments and points in no region
  /// are left out. An element that is listed again in one of its regions, or without a region, is counted as a copy (Region::copies).
  void add_tetrahedron(const std::array<int, 4>& vertices, const std::vector<int>& regions);
  void add_triangle(const std::array<int, 3>& vertices, const std::vector<int>& regions);
  void add_segment(const std::array<int, 2>& ends, const std::vector<int>& regions);
  void add_point(int vertex, const std::vector<int>& regions);

  /// Adds the vertex in the middle of an edge of an element of second order. Throws InputError if the edge has another one already.
  void add_midpoint(int a, int b, int vertex);

  /// Tetrahedra of second order become ten-node ones, and the other elements parts of first order (make_quadratic). `unnamed` is put before the number of a
  /// region without a name. Regions without elements are kept as empty_region(). Throws InputError if two regions have the same name, if only some tetrahedra
  /// are of second order, or surfaces or curves without them.
  Mesh finish(const std::string& unnamed);
  /// The triangles, segments and points as they are listed, without regions. Throws InputError if the file contains tetrahedra.
  SurfaceMesh finish_surface();

 private:
  struct ArrayHash {
    template <std::size_t N>
    std::size_t operator()(const std::array<int, N>& values) const {
      std::uint64_t hash = 0;
      for (int value : values) {
        hash = (hash ^ static_cast<std::uint32_t>(value)) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 29;
      }
      return hash;
    }
  };
  struct NumberedRegion {
    Region region;
    std::int64_t number = 0;
  };

  void add_member(int member, const std::vector<int>& regions);
  bool names_own_region(const std::set<std::string>& kept, const std::string& own) const;
  void keep_unnamed();
  void check_kept_curves(const std::string& unnamed) const;
  bool is_kept(const NumberedRegion& entry, const std::string& unnamed) const;
  std::vector<int> drop_unused_vertices(const std::vector<char>& keeps_segment);
  /// Drops the segments without both of their ends; returns the new number of each, -1 for those.
  std::vector<int> drop_loose_segments(const std::vector<int>& new_index);
  void name_unnamed(const std::string& unnamed);
  void check_names() const;
  void check_order() const;

  std::string source_;
  std::vector<Vec3> vertices_;
  std::vector<std::array<int, 4>> tetrahedra_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<std::array<int, 2>> segments_;
  std::vector<int> points_;
  std::vector<std::array<int, 3>> unnamed_triangles_;  // in no region
  std::vector<std::array<int, 2>> unnamed_segments_;
  std::vector<int> copied_tetrahedra_;  // those that are listed once more in no region
  EdgeMidpoints midpoints_;
  bool keeps_all_triangles_ = false;
  std::set<std::string> kept_curves_, kept_surfaces_;
  std::vector<NumberedRegion> regions_;
  std::map<std::pair<int, std::int64_t>, int> region_of_number_;
  std::unordered_map<std::array<int, 4>, int, ArrayHash> tetrahedron_of_vertices_;
  std::unordered_map<std::array<int, 3>, int, ArrayHash> triangle_of_vertices_;
  std::unordered_map<std::array<int, 2>, int, ArrayHash> segment_of_ends_;
};

}  // namespace traction
