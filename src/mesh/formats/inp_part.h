// The contents of a part or instance in an Abaqus .inp file, or those outside of both. Internal to this folder.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "math/tensor.h"
#include "mesh/formats/inp_file.h"

namespace traction {

/// A node of the list.
struct InpNode {
  std::int64_t label;
  Vec3 position;
  InpPlace place;
};

/// An element of the list.
struct InpElement {
  std::int64_t label;
  std::array<std::int64_t, 10> nodes{};  ///< labels: the corners, then the middles of edges (inp_mid_edges) in elements of second order
  int dimension;                         ///< 3: tetrahedron, 2: triangle, 1: segment
  int node_count;
  InpPlace place;
};

/// Corners of the edges in whose middles elements of second order have nodes, in Abaqus's order: the first of segments, three of triangles, all of tetrahedra.
inline constexpr std::array<std::array<int, 2>, 6> inp_mid_edges = {{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};

/// Members of a set by label: first, first + step, ..., last.
struct InpRange {
  std::int64_t first, last, step = 1;
  int instance = -1;  ///< number of the instance whose labels these are; -1: labels of the part with the set
  InpPlace place;
};

/// A set of nodes or of elements.
struct InpSet {
  std::string name;  ///< in the spelling that the file has first
  InpPlace place;
  std::vector<InpRange> ranges;
  std::vector<InpRange> of_elements;  ///< in a set of nodes: elements whose nodes are in it, too
};

/// Faces of elements: one per element that the ranges name.
struct InpFaces {
  std::vector<InpRange> elements;
  std::string face;  ///< in capitals: S1 to S4, SPOS, SNEG; empty for triangles, and for the faces that belong to one tetrahedron alone
  InpPlace place;
};

/// A surface of faces or of nodes.
struct InpSurface {
  std::string name;
  InpPlace place;
  std::vector<InpFaces> faces;
  std::vector<InpRange> nodes;  ///< nodes of a surface of type NODE
};

/// Nodes, elements and sets whose labels belong together. Sets are found by their names in capitals.
struct InpPart {
  std::string name;  ///< name of the instance; empty outside of instances
  InpPlace place;
  std::vector<InpNode> nodes;
  std::vector<InpElement> elements;
  std::map<std::string, InpSet> node_sets, element_sets;
  std::map<std::string, InpSurface> surfaces;
  /// The place of an instance, which is first moved, then turned about the line from `axis_from` to `axis_to` by an angle in degrees.
  Vec3 translation = Vec3::Zero(), axis_from = Vec3::Zero(), axis_to = Vec3::Zero();
  double angle = 0;

  Vec3 placed(const Vec3& position) const;
};

/// The places of labels in a list of nodes or elements.
class InpLabels {
 public:
  /// Throws InputError at the second of two entries with one label. `noun` names an entry in messages.
  template <typename Entry>
  InpLabels(const InpFile& file, const std::vector<Entry>& entries, const char* noun) : file_(file), noun_(noun) {
    std::vector<InpPlace> places;
    for (const Entry& entry : entries) {
      sorted_.emplace_back(entry.label, static_cast<int>(sorted_.size()));
      places.push_back(entry.place);
    }
    sort(places);
  }

  /// The entry with a label. Throws InputError at `place` if no entry has it.
  int index(std::int64_t label, const InpPlace& place) const;
  /// The entries of a range, by ascending label. Throws InputError if one of them does not exist.
  std::vector<int> indices(const InpRange& range) const;

 private:
  void sort(const std::vector<InpPlace>& places);

  const InpFile& file_;
  const char* noun_;
  std::vector<std::pair<std::int64_t, int>> sorted_;
};

}  // namespace traction
