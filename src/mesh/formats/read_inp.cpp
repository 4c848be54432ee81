// Abaqus's .inp format, as Abaqus/CAE, Gmsh and users of CalculiX write it: nodes, elements, sets and surfaces, flat or in parts and instances.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "errors.h"
#include "mesh/formats/inp_model.h"
#include "mesh/formats/mesh_formats.h"
#include "mesh/mesh_builder.h"

namespace traction {

namespace {

// Corners of the faces S1 to S4 of a tetrahedron, oriented outward (Abaqus Analysis User's Guide, "Three-dimensional solid element library").
constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
const char* const kKinds[] = {"_point", "_curve", "_surface", ""};
const char* const kInNoSet[] = {"", kRodWithoutName, "shell", "solid"};

// The mesh of a part or instance whose labels are resolved.
struct Placed {
  Placed(const InpFile& file, const InpPart& listed) : part(listed), nodes(file, listed.nodes, "node"), elements(file, listed.elements, "element") {}

  const InpPart& part;
  InpLabels nodes, elements;
  int first_vertex = 0;
  std::vector<std::array<int, 4>> corners;  // vertices of the mesh, by element
  std::vector<int> last_set;                // by element: the number of the last set that has it, 0 for none
};

class InpReader {
 public:
  InpReader(const std::string& path, const std::set<std::string>& rods) : model_(path), builder_(path) { builder_.keep_curves(rods); }

  Mesh read() {
    for (const InpPart& instance : model_.instances()) place(instance);
    place(model_.outside());
    for (int p = 0; p < static_cast<int>(placed_.size()); ++p) {
      const InpPart& part = placed_[p].part;
      for (const auto& [key, set] : part.element_sets) add_element_set(p, set);
      for (const auto& [key, surface] : part.surfaces) add_surface(p, surface);
      for (const auto& [key, set] : part.node_sets) add_node_set(p, set);
      add_whole(p);
    }
    name_regions();
    return builder_.finish("set_");
  }

 private:
  // Things of the file that share a name, at most one of each dimension.
  struct Group {
    std::string name;
    int number = 0;
    std::array<const void*, 4> owner{};
  };

  void place(const InpPart& part);
  void add_element_set(int p, const InpSet& set);
  void add_node_set(int p, const InpSet& set);
  void add_surface(int p, const InpSurface& surface);
  // Both sides of a triangle, SPOS and SNEG, are one triangle of a surface; `sided` are those that it has so far.
  void add_faces(int p, const InpFaces& faces, int region, std::set<std::array<int, 3>>& sided);
  void add_whole(int p);
  void name_regions();

  int region(int dimension, const std::string& name, const void* owner, const InpPlace& place);
  std::string full_name(const InpPart& part, const std::string& name) const { return part.name.empty() ? name : part.name + "." + name; }
  void add_element(const Placed& placed, int element, const std::vector<int>& regions);
  bool is_free(const std::array<int, 3>& face);
  int owner_of(const InpRange& range, int p) const { return range.instance < 0 ? p : range.instance; }

  InpModel model_;
  MeshBuilder builder_;
  std::vector<Placed> placed_;  // the instances, then everything outside of them
  std::map<std::string, Group> groups_;
  int sets_ = 0;                                                // number of sets of elements so far
  std::optional<std::vector<std::array<int, 3>>> inner_faces_;  // vertices of the faces that several tetrahedra share, each ascending; sorted
};

void InpReader::place(const InpPart& part) {
  Placed& placed = placed_.emplace_back(model_.file(), part);
  placed.first_vertex = builder_.vertex_count();
  placed.last_set.assign(part.elements.size(), 0);
  for (const InpNode& node : part.nodes) builder_.add_vertex(part.placed(node.position));
  for (const InpElement& element : part.elements) {
    std::array<int, 4>& corners = placed.corners.emplace_back();
    corners.fill(-1);
    const auto vertex = [&](int i) { return placed.first_vertex + placed.nodes.index(element.nodes[i], element.place); };
    for (int i = 0; i <= element.dimension; ++i) corners[i] = vertex(i);
    for (int i = element.dimension + 1; i < element.node_count; ++i) {
      const auto& [a, b] = inp_mid_edges[i - element.dimension - 1];
      builder_.add_midpoint(corners[a], corners[b], vertex(i));
    }
    if (element.dimension == 3) builder_.add_tetrahedron(corners, {});
  }
}

int InpReader::region(int dimension, const std::string& name, const void* owner, const InpPlace& place) {
  const auto [entry, is_new] = groups_.try_emplace(inp_capitals(name), Group{name, static_cast<int>(groups_.size()) + 1, {}});
  const void*& known = entry->second.owner[dimension];
  if (known && known != owner)
    model_.file().fail_at(place, fmt::format("'{}' is also the name of another set, surface or instance with {}. Rename one", name,
                                             dimension == 0   ? "nodes"
                                             : dimension == 1 ? "segments"
                                             : dimension == 2 ? "triangles"
                                                              : "tetrahedra"));
  known = owner;
  return builder_.region(dimension, entry->second.number);
}

void InpReader::add_element(const Placed& placed, int element, const std::vector<int>& regions) {
  const auto& [a, b, c, d] = placed.corners[element];
  const int dimension = placed.part.elements[element].dimension;
  if (dimension == 3) builder_.add_tetrahedron({a, b, c, d}, regions);
  else if (dimension == 2) builder_.add_triangle({a, b, c}, regions);
  else builder_.add_segment({a, b}, regions);
}

void InpReader::add_element_set(int p, const InpSet& set) {
  const std::string name = full_name(placed_[p].part, set.name);
  ++sets_;
  std::array<int, 4> regions{-1, -1, -1, -1};  // the set's regions by dimension, each made for its first element
  for (const InpRange& range : set.ranges) {
    Placed& placed = placed_[owner_of(range, p)];
    for (const int element : placed.elements.indices(range)) {
      if (std::exchange(placed.last_set[element], sets_) == sets_) continue;  // the set's ranges may overlap
      const int dimension = placed.part.elements[element].dimension;
      if (regions[dimension] < 0) regions[dimension] = region(dimension, name, &set, set.place);
      add_element(placed, element, {regions[dimension]});
    }
  }
}

void InpReader::add_node_set(int p, const InpSet& set) {
  const auto in = [&] { return region(0, full_name(placed_[p].part, set.name), &set, set.place); };
  for (const InpRange& range : set.ranges) {
    const Placed& placed = placed_[owner_of(range, p)];
    for (const int node : placed.nodes.indices(range)) builder_.add_point(placed.first_vertex + node, {in()});
  }
  for (const InpRange& range : set.of_elements) {
    const Placed& placed = placed_[owner_of(range, p)];
    for (const int element : placed.elements.indices(range))
      for (int i = 0; i < placed.part.elements[element].node_count; ++i)
        builder_.add_point(placed.first_vertex + placed.nodes.index(placed.part.elements[element].nodes[i], range.place), {in()});
  }
}

void InpReader::add_surface(int p, const InpSurface& surface) {
  const auto in = [&](int dimension) { return region(dimension, full_name(placed_[p].part, surface.name), &surface, surface.place); };
  std::set<std::array<int, 3>> sided;
  for (const InpFaces& faces : surface.faces) add_faces(p, faces, in(2), sided);
  for (const InpRange& range : surface.nodes) {
    const Placed& placed = placed_[owner_of(range, p)];
    for (const int node : placed.nodes.indices(range)) builder_.add_point(placed.first_vertex + node, {in(0)});
  }
}

void InpReader::add_faces(int p, const InpFaces& faces, int region, std::set<std::array<int, 3>>& sided) {
  const std::string& face = faces.face;
  const bool of_tetrahedra = face.size() == 2 && face[0] == 'S' && face[1] >= '1' && face[1] <= '4';
  const bool of_triangles = face == "SPOS" || face == "SNEG";
  if (!face.empty() && !of_tetrahedra && !of_triangles)
    model_.file().fail_at(faces.place, "a face is S1 to S4 of tetrahedra, SPOS or SNEG of triangles. Correct it");
  for (const InpRange& range : faces.elements) {
    const Placed& placed = placed_[owner_of(range, p)];
    for (const int element : placed.elements.indices(range)) {
      const std::array<int, 4>& v = placed.corners[element];
      const int dimension = placed.part.elements[element].dimension;
      if (dimension == 1 || (dimension == 2 && of_tetrahedra) || (dimension == 3 && of_triangles))
        model_.file().fail_at(faces.place, fmt::format("element {} has no face {}. Correct the face, or the set", placed.part.elements[element].label,
                                                       face.empty() ? "at all, it is a segment" : face));
      if (dimension == 2) {
        const std::array<int, 3> triangle = {v[0], v[1], v[2]};
        if (of_triangles && !sided.insert(triangle).second) continue;
        if (face == "SNEG") builder_.add_triangle({v[0], v[2], v[1]}, {region});
        else builder_.add_triangle(triangle, {region});
        continue;
      }
      for (int f = 0; f < 4; ++f) {
        const std::array<int, 3> corners = {v[kFaces[f][0]], v[kFaces[f][1]], v[kFaces[f][2]]};
        if (of_tetrahedra ? f == face[1] - '1' : is_free(corners)) builder_.add_triangle(corners, {region});
      }
    }
  }
}

bool InpReader::is_free(const std::array<int, 3>& face) {
  const auto ascending = [](std::array<int, 3> vertices) {
    std::sort(vertices.begin(), vertices.end());
    return vertices;
  };
  if (!inner_faces_) {
    std::vector<std::array<int, 3>> all;
    for (const Placed& placed : placed_)
      for (std::size_t e = 0; e < placed.corners.size(); ++e)
        for (const auto& corners : kFaces)
          if (placed.part.elements[e].dimension == 3)
            all.push_back(ascending({placed.corners[e][corners[0]], placed.corners[e][corners[1]], placed.corners[e][corners[2]]}));
    std::sort(all.begin(), all.end());
    inner_faces_.emplace();
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i] == all[i - 1]) inner_faces_->push_back(all[i]);
  }
  return !std::binary_search(inner_faces_->begin(), inner_faces_->end(), ascending(face));
}

// An instance is a region; outside of instances elements that are in no set are.
void InpReader::add_whole(int p) {
  const Placed& placed = placed_[p];
  const std::string& instance = placed.part.name;
  std::array<int, 4> regions{-1, -1, -1, -1};
  for (std::size_t e = 0; e < placed.corners.size(); ++e) {
    const int dimension = placed.part.elements[e].dimension;
    if (instance.empty() && placed.last_set[e] != 0) continue;
    if (regions[dimension] < 0)
      regions[dimension] = region(dimension, instance.empty() ? kInNoSet[dimension] : instance, &placed.part, placed.part.elements[e].place);
    add_element(placed, static_cast<int>(e), {regions[dimension]});
  }
}

void InpReader::name_regions() {
  for (const auto& [key, group] : groups_) {
    bool is_first = true;
    for (int dimension = 3; dimension >= 0; --dimension) {
      if (!group.owner[dimension]) continue;
      builder_.name_region(dimension, group.number, is_first ? group.name : group.name + kKinds[dimension]);
      is_first = false;
    }
  }
}

}  // namespace

Mesh read_inp(const std::string& path, const std::set<std::string>& rods) { return InpReader(path, rods).read(); }

}  // namespace traction
