// Gmsh's .msh format, versions 2.2 and 4.1, as text or binary of either byte order. The format is described in the Gmsh reference manual,
// "MSH file format". The numbers of a section come in the same order in text and in binary, except for the elements of version 2.2.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "errors.h"
#include "mesh/formats/gmsh_file.h"
#include "mesh/formats/mesh_formats.h"
#include "mesh/mesh_builder.h"

namespace traction {

namespace {

constexpr std::uint32_t kOne = 1, kOneSwapped = 0x01000000;

const char* element_type_name(std::int64_t type) {
  static const char* const names[] = {"",
                                      "line",
                                      "triangle",
                                      "quadrangle",
                                      "tetrahedron",
                                      "hexahedron",
                                      "prism",
                                      "pyramid",
                                      "3-node line",
                                      "6-node triangle",
                                      "9-node quadrangle",
                                      "10-node tetrahedron",
                                      "27-node hexahedron",
                                      "18-node prism",
                                      "14-node pyramid",
                                      "point",
                                      "8-node quadrangle",
                                      "20-node hexahedron",
                                      "15-node prism",
                                      "13-node pyramid"};
  const bool known = type >= 1 && type < static_cast<std::int64_t>(std::size(names));
  return known ? names[type] : "higher-order or unknown element";
}

struct ElementShape {
  int dimension = 0, nodes = 0;
};

// The regions of an element. Regions that list it with the opposite orientation are kept apart.
struct Groups {
  std::vector<int> same, reversed;
};

class GmshReader {
 public:
  explicit GmshReader(const std::string& path) : file_(path, read_bytes(path)), builder_(path) {}

  Mesh read(const std::set<std::string>& rods, const std::set<std::string>& shells) {
    builder_.keep_curves(rods);
    builder_.keep_surfaces(shells);
    read_file();
    return builder_.finish("physical_");
  }
  SurfaceMesh read_surface() {
    builder_.keep_all_triangles();
    read_file();
    return builder_.finish_surface();
  }

 private:
  void read_file() {
    read_format();
    while (!file_.at_end()) read_section();
    if (!nodes_read_) file_.fail("there is no $Nodes section. The file is cut short or isn't a mesh: write it again");
    if (!elements_read_) file_.fail("there is no $Elements section. The file is cut short or isn't a mesh: write it again");
    for (const auto& [key, name] : names_) builder_.name_region(key.first, key.second, name);
  }
  void read_format();
  void read_section();
  void read_names();
  void read_entities();
  void read_nodes_2();
  void read_nodes_4();
  void read_elements_2_text(std::int64_t count);
  void read_elements_2_binary(std::int64_t count);
  void read_elements_2();
  void read_elements_4();

  void expect_end(const std::string& section);
  Vec3 read_position();
  void add_node(std::int64_t number, const Vec3& position);
  void index_nodes();
  int vertex(std::int64_t number) const;
  ElementShape shape(std::int64_t type) const;
  Groups groups(int dimension, const std::vector<std::int64_t>& tags);
  void add_element(const ElementShape& element, const Groups& groups);

  GmshFile file_;
  MeshBuilder builder_;
  int version_ = 0;
  bool entities_read_ = false, nodes_read_ = false, elements_read_ = false;
  std::map<std::pair<int, std::int64_t>, std::string> names_;
  std::map<std::pair<int, std::int64_t>, std::vector<std::int64_t>> physical_tags_;  // by entity (dimension, tag)
  std::vector<std::pair<std::int64_t, int>> nodes_;                                  // pairs of a node's number in the file and its vertex; sorted
};

void GmshReader::read_format() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // editors on Windows may put it in front
  std::string_view line = file_.at_end() ? "" : file_.next_line();
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  while (line == "$Comments" && file_.skip_section("Comments")) line = file_.next_line();
  if (line != "$MeshFormat") file_.fail("a Gmsh mesh starts with $MeshFormat; this file doesn't. Give a .msh file written by Gmsh");
  std::istringstream format{std::string(file_.next_line())};
  std::string version;
  int encoding = -1, size_width = 0;
  format >> version >> encoding >> size_width;
  if (!format || (encoding != 0 && encoding != 1)) file_.fail("the format line isn't VERSION ENCODING SIZE, such as 4.1 0 8. Write the mesh again with Gmsh");
  if (version != "2.2" && version != "4.1")
    file_.fail(fmt::format("version {} isn't supported, only 2.2 and 4.1 are. Convert it: gmsh -save -format msh41 -o NEW.msh OLD.msh", version.substr(0, 20)));
  version_ = version == "2.2" ? 2 : 4;
  if (encoding == 1) {
    if (size_width != 8 && (version_ == 2 || size_width != 4))
      file_.fail(fmt::format("numbers of {} bytes aren't supported. Write the mesh again with -format msh41", size_width));
    file_.set_binary(static_cast<std::size_t>(size_width));
    const auto one = static_cast<std::uint32_t>(file_.integer("the number one"));
    if (one != kOne && one != kOneSwapped) file_.fail("the byte order can't be recognised. The file is damaged: write it again");
    if (one == kOneSwapped) file_.set_swapped();
  }
  expect_end("MeshFormat");
}

void GmshReader::read_section() {
  const std::string line(file_.next_line());
  if (line == "$PhysicalNames") read_names();
  else if (line == "$Entities" && version_ == 4) read_entities();
  else if (line == "$Nodes") version_ == 2 ? read_nodes_2() : read_nodes_4();
  else if (line == "$Elements") version_ == 2 ? read_elements_2() : read_elements_4();
  else if (line == "$PartitionedEntities") file_.fail("the mesh is partitioned. Save it without partitions: traction-partition makes its own");
  else if (line == "$ParametricNodes") file_.fail("parametric nodes aren't supported. Save the mesh without -save_parametric");
  else if (line.size() < 2 || line[0] != '$' || line.starts_with("$End"))
    file_.fail("a section, such as $Nodes, should start here. The file is damaged: write it again");
  else if (!file_.skip_section(line.substr(1))) file_.fail("the section has no end. The file is cut short: write it again");
}

void GmshReader::expect_end(const std::string& section) {
  if (file_.next_line() != "$End" + section) file_.fail(fmt::format("$End{} is expected here. The file is cut short or damaged: write it again", section));
}

void GmshReader::read_names() {
  const std::int64_t count = file_.text_integer("the number of physical names");
  file_.end_text_record();
  file_.require_room(count, 6, 6, "physical names");
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t dimension = file_.text_integer("the dimension of a physical group");
    if (dimension < 0 || dimension > 3) file_.fail("the dimension of a physical group is from 0 to 3. Write the mesh again with Gmsh");
    const std::int64_t tag = file_.text_integer("the tag of a physical group");
    const std::string_view name = file_.line();
    if (name.size() < 2 || name.front() != '"' || name.back() != '"') file_.fail("a name in quotes should end the line. Write the mesh again with Gmsh");
    if (name.size() > 2) names_[{static_cast<int>(dimension), tag}] = std::string(name.substr(1, name.size() - 2));
  }
  expect_end("PhysicalNames");
}

void GmshReader::read_entities() {
  if (elements_read_ || entities_read_) file_.fail("$Entities comes once and before $Elements. Write the mesh again with Gmsh");
  entities_read_ = true;
  std::int64_t counts[4];
  for (std::int64_t& count : counts) count = file_.size("the number of entities");
  file_.end_record();
  for (int dimension = 0; dimension < 4; ++dimension) {
    file_.require_room(counts[dimension], 8, 36, "entities");
    for (std::int64_t i = 0; i < counts[dimension]; ++i) {
      const std::int64_t entity = file_.integer("the tag of an entity");
      for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) file_.real("a bound of an entity");
      const std::int64_t physical = file_.size("the number of physical groups");
      file_.require_room(physical, 2, 4, "physical groups");
      std::vector<std::int64_t>& tags = physical_tags_[{dimension, entity}];
      for (std::int64_t k = 0; k < physical; ++k) tags.push_back(file_.integer("the tag of a physical group"));
      if (dimension > 0) {
        const std::int64_t bounding = file_.size("the number of bounding entities");
        file_.require_room(bounding, 2, 4, "bounding entities");
        for (std::int64_t k = 0; k < bounding; ++k) file_.integer("the tag of a bounding entity");
      }
      file_.end_record();
    }
  }
  expect_end("Entities");
}

Vec3 GmshReader::read_position() {
  Vec3 position;
  for (int axis = 0; axis < 3; ++axis) position[axis] = file_.real("a coordinate of a node");
  return position;
}

void GmshReader::add_node(std::int64_t number, const Vec3& position) { nodes_.emplace_back(number, builder_.add_vertex(position)); }

void GmshReader::index_nodes() {
  std::sort(nodes_.begin(), nodes_.end());
  const auto twice = std::adjacent_find(nodes_.begin(), nodes_.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != nodes_.end()) file_.fail(fmt::format("the node {} is in $Nodes twice. Write the mesh again with Gmsh", twice->first));
}

int GmshReader::vertex(std::int64_t number) const {
  if (!nodes_.empty() && number >= nodes_.front().first && number <= nodes_.back().first) {
    // Numbers without gaps, the usual case, are found at once.
    const auto guess = static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(nodes_.front().first);
    if (guess < nodes_.size() && nodes_[guess].first == number) return nodes_[guess].second;
    const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), std::make_pair(number, 0));
    if (found != nodes_.end() && found->first == number) return found->second;
  }
  file_.fail(fmt::format("there is no node {} in $Nodes. Write the mesh again with Gmsh", number));
}

void GmshReader::read_nodes_2() {
  if (nodes_read_) file_.fail("$Nodes comes twice. Write the mesh again with Gmsh");
  nodes_read_ = true;
  const std::int64_t count = file_.text_integer("the number of nodes");
  file_.end_text_record();
  file_.require_room(count, 8, 28, "nodes");
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = file_.integer("the number of a node");
    add_node(number, read_position());
    file_.end_record();
  }
  expect_end("Nodes");
  index_nodes();
}

void GmshReader::read_nodes_4() {
  if (nodes_read_) file_.fail("$Nodes comes twice. Write the mesh again with Gmsh");
  nodes_read_ = true;
  const std::int64_t blocks = file_.size("the number of node blocks"), count = file_.size("the number of nodes");
  file_.size("the smallest node tag");
  file_.size("the largest node tag");
  file_.end_record();
  file_.require_room(blocks, 8, 16, "node blocks");
  file_.require_room(count, 8, 28, "nodes");
  std::vector<std::int64_t> numbers;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t dimension = file_.integer("the dimension of an entity");
    if (dimension < 0 || dimension > 3) file_.fail("the dimension of an entity is from 0 to 3. Write the mesh again with Gmsh");
    file_.integer("the tag of an entity");
    const bool parametric = file_.integer("the parametric flag") != 0;
    const std::int64_t in_block = file_.size("the number of nodes in a block");
    file_.end_record();
    if (in_block > count - builder_.vertex_count())
      file_.fail(fmt::format("the blocks hold more than the {} nodes announced. Write the mesh again with Gmsh", count));
    numbers.clear();
    for (std::int64_t i = 0; i < in_block; ++i) {
      numbers.push_back(file_.size("the tag of a node"));
      file_.end_record();
    }
    for (std::int64_t number : numbers) {
      add_node(number, read_position());
      for (std::int64_t k = 0; parametric && k < dimension; ++k) file_.real("a parametric coordinate of a node");
      file_.end_record();
    }
  }
  if (builder_.vertex_count() != count)
    file_.fail(fmt::format("{} nodes are announced, {} are listed. Write the mesh again with Gmsh", count, builder_.vertex_count()));
  expect_end("Nodes");
  index_nodes();
}

ElementShape GmshReader::shape(std::int64_t type) const {
  switch (type) {
    case 15: return {0, 1};
    case 1: return {1, 2};
    case 2: return {2, 3};
    case 4: return {3, 4};
    case 8: return {1, 3};
    case 9: return {2, 6};
    case 11: return {3, 10};
    case 3:
    case 5:
    case 6:
    case 7:
      file_.fail(fmt::format("a {} (type {}): only tetrahedra and triangles are supported. Mesh without Recombine, also in extrusions", element_type_name(type),
                             type));
    default:
      file_.fail(fmt::format("a {} (type {}): only tetrahedra and triangles of first and second order are supported. Mesh with Mesh.ElementOrder = 1, or 2",
                             element_type_name(type), type));
  }
}

Groups GmshReader::groups(int dimension, const std::vector<std::int64_t>& tags) {
  Groups result;
  for (std::int64_t tag : tags) {
    if (tag == 0) continue;
    // A negative tag lists a surface with reversed orientation; volumes have only one orientation.
    auto& list = tag < 0 && dimension == 2 ? result.reversed : result.same;
    const int region = builder_.region(dimension, std::abs(tag));
    if (std::find(list.begin(), list.end(), region) == list.end()) list.push_back(region);
  }
  return result;
}

void GmshReader::add_element(const ElementShape& element, const Groups& groups) {
  std::array<int, 10> v{};
  for (int i = 0; i < element.nodes; ++i) v[i] = vertex(version_ == 2 ? file_.integer("a node of an element") : file_.size("a node of an element"));
  for (int k = element.dimension + 1; k < element.nodes; ++k) {
    constexpr std::array<std::array<int, 2>, 6> kEdges = {{{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}}};  // in Gmsh's order
    const auto& [a, b] = kEdges[k - element.dimension - 1];
    builder_.add_midpoint(v[a], v[b], v[k]);
  }
  if (element.dimension == 3) {
    builder_.add_tetrahedron({v[0], v[1], v[2], v[3]}, groups.same);
  } else if (element.dimension == 2) {
    if (!groups.same.empty() || groups.reversed.empty()) builder_.add_triangle({v[0], v[1], v[2]}, groups.same);
    if (!groups.reversed.empty()) builder_.add_triangle({v[0], v[2], v[1]}, groups.reversed);
  } else if (element.dimension == 1) {
    builder_.add_segment({v[0], v[1]}, groups.same);
  } else {
    builder_.add_point(v[0], groups.same);
  }
}

void GmshReader::read_elements_2() {
  if (!nodes_read_ || elements_read_) file_.fail("$Elements comes once and after $Nodes. Write the mesh again with Gmsh");
  elements_read_ = true;
  const std::int64_t count = file_.text_integer("the number of elements");
  file_.end_text_record();
  file_.require_room(count, 9, 8, "elements");
  file_.is_binary() ? read_elements_2_binary(count) : read_elements_2_text(count);
  expect_end("Elements");
}

void GmshReader::read_elements_2_text(std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    file_.integer("the number of an element");
    const ElementShape element = shape(file_.integer("the type of an element"));
    const std::int64_t tags = file_.integer("the number of tags");
    file_.require_room(tags, 2, 4, "tags");
    std::int64_t physical = 0;
    for (std::int64_t k = 0; k < tags; ++k) {
      const std::int64_t tag = file_.integer("a tag of an element");
      if (k == 0) physical = tag;
    }
    add_element(element, groups(element.dimension, {physical}));
    file_.end_record();
  }
}

void GmshReader::read_elements_2_binary(std::int64_t count) {
  for (std::int64_t done = 0; done < count;) {
    const ElementShape element = shape(file_.integer("the type of an element"));
    const std::int64_t in_block = file_.integer("the number of elements in a block"), tags = file_.integer("the number of tags");
    if (in_block <= 0 || in_block > count - done)
      file_.fail(fmt::format("the blocks don't hold the {} elements announced. Write the mesh again with Gmsh", count));
    file_.require_room(tags, 2, 4, "tags");
    file_.require_room(in_block, 1, 4 * static_cast<std::size_t>(1 + tags + element.nodes), "elements");
    for (std::int64_t i = 0; i < in_block; ++i) {
      file_.integer("the number of an element");
      std::int64_t physical = 0;
      for (std::int64_t k = 0; k < tags; ++k) {
        const std::int64_t tag = file_.integer("a tag of an element");
        if (k == 0) physical = tag;
      }
      add_element(element, groups(element.dimension, {physical}));
    }
    done += in_block;
  }
}

void GmshReader::read_elements_4() {
  if (!nodes_read_ || elements_read_) file_.fail("$Elements comes once and after $Nodes. Write the mesh again with Gmsh");
  elements_read_ = true;
  const std::int64_t blocks = file_.size("the number of element blocks"), count = file_.size("the number of elements");
  file_.size("the smallest element tag");
  file_.size("the largest element tag");
  file_.end_record();
  file_.require_room(blocks, 8, 16, "element blocks");
  file_.require_room(count, 4, 8, "elements");
  std::int64_t done = 0;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t dimension = file_.integer("the dimension of an entity"), entity = file_.integer("the tag of an entity");
    const std::int64_t type = file_.integer("the type of an element");
    const ElementShape element = shape(type);
    if (element.dimension != dimension)
      file_.fail(fmt::format("a {} in an entity of dimension {}. Write the mesh again with Gmsh", element_type_name(type), dimension));
    const std::int64_t in_block = file_.size("the number of elements in a block");
    if (in_block > count - done) file_.fail(fmt::format("the blocks hold more than the {} elements announced. Write the mesh again with Gmsh", count));
    const auto tags = physical_tags_.find({element.dimension, entity});
    if (entities_read_ && tags == physical_tags_.end())
      file_.fail(fmt::format("the entity {} of dimension {} isn't in $Entities. Write the mesh again with Gmsh", entity, dimension));
    file_.end_record();
    const Groups in = tags == physical_tags_.end() ? Groups{} : groups(element.dimension, tags->second);
    for (std::int64_t i = 0; i < in_block; ++i) {
      file_.size("the tag of an element");
      add_element(element, in);
      file_.end_record();
    }
    done += in_block;
  }
  if (done != count) file_.fail(fmt::format("{} elements are announced, {} are listed. Write the mesh again with Gmsh", count, done));
  expect_end("Elements");
}

}  // namespace

Mesh read_gmsh(const std::string& path, const std::set<std::string>& rods, const std::set<std::string>& shells) { return GmshReader(path).read(rods, shells); }
SurfaceMesh read_gmsh_surface(const std::string& path) { return GmshReader(path).read_surface(); }

}  // namespace traction
