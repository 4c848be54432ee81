#include "mesh/formats/inp_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace traction {

namespace {

using Types = std::set<std::string, std::less<>>;

// Elements of Abaqus and CalculiX. Gmsh writes triangles as CPS3, whatever they are for.
const Types kTetrahedra = {"C3D4", "C3D4H"};
const Types kTriangles = {"S3", "S3R", "S3RS", "STRI3", "M3D3", "SFM3D3", "R3D3", "DS3", "CPS3", "CPE3", "CPE3H"};
const Types kSegments = {"T3D2", "T3D2H", "B31", "B31H", "B31OS", "B31OSH", "RB3D2"};
const Types kTetrahedra10 = {"C3D10", "C3D10M", "C3D10H", "C3D10HS", "C3D10I", "C3D10MH"};
const Types kTriangles6 = {"STRI65", "S6", "M3D6", "SFM3D6", "CPS6", "CPE6"};
const Types kSegments3 = {"T3D3", "T3D3H", "B32", "B32H"};
const Types kMakers = {"NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM", "IMPORT"};

void add_label(std::vector<InpRange>& ranges, std::int64_t label, int instance, const InpPlace& place) {
  if (!ranges.empty() && ranges.back().step == 1 && ranges.back().instance == instance && ranges.back().last + 1 == label) ranges.back().last = label;
  else ranges.push_back({label, label, 1, instance, place});
}

// Removes ranges that are listed several times, so that sets of sets of sets do not grow without limit.
void remove_repeated(std::vector<InpRange>& ranges) {
  const auto key = [](const InpRange& range) { return std::make_tuple(range.instance, range.first, range.last, range.step); };
  std::sort(ranges.begin(), ranges.end(), [&](const InpRange& a, const InpRange& b) { return key(a) < key(b); });
  ranges.erase(std::unique(ranges.begin(), ranges.end(), [&](const InpRange& a, const InpRange& b) { return key(a) == key(b); }), ranges.end());
}

}  // namespace

InpModel::InpModel(const std::string& path) : file_(path) {
  while (file_.next_keyword()) read_keyword();
  check_end();
}

void InpModel::read_keyword() {
  const std::string& keyword = file_.keyword();
  if (keyword == "NODE") read_nodes();
  else if (keyword == "ELEMENT") read_elements();
  else if (keyword == "NSET") read_set(true);
  else if (keyword == "ELSET") read_set(false);
  else if (keyword == "SURFACE") read_surface();
  else if (keyword == "PART") begin_part();
  else if (keyword == "ENDPART") end("PART", part_);
  else if (keyword == "INSTANCE") begin_instance();
  else if (keyword == "ENDINSTANCE") end("INSTANCE", instance_);
  else if (keyword == "ASSEMBLY" || keyword == "ENDASSEMBLY") {
    if (part_ || instance_ || in_assembly_ == (keyword == "ASSEMBLY"))
      file_.fail(
          fmt::format("*{} can't stand here. Check that every *PART, *INSTANCE and *ASSEMBLY has its end", keyword == "ASSEMBLY" ? keyword : "END ASSEMBLY"));
    in_assembly_ = !in_assembly_;
  } else if (kMakers.contains(keyword)) {
    file_.fail(fmt::format("*{} changes the mesh, and isn't supported. Write the nodes and elements that it makes, as Abaqus/CAE and Gmsh do", keyword));
  }
}

void InpModel::check_end() const {
  if (part_) file_.fail_at(part_->place, "the part has no *END PART. The file is cut short: write it again");
  if (instance_) file_.fail_at(instance_->place, "the instance has no *END INSTANCE. The file is cut short: write it again");
  if (in_assembly_) file_.fail("there is no *END ASSEMBLY. The file is cut short: write it again");
  const auto has_elements = [](const InpPart& part) { return !part.elements.empty(); };
  if (has_elements(outside_) || std::any_of(instances_.begin(), instances_.end(), has_elements)) return;
  if (instances_.empty() && !parts_.empty()) file_.fail("no *INSTANCE places the parts. Add an *ASSEMBLY with one of each part");
  file_.fail("there are no elements. The file is cut short or holds no mesh: write it again");
}

void InpModel::begin_part() {
  if (part_ || instance_ || in_assembly_) file_.fail("*PART can't stand inside a part or an assembly. Check that every *PART has its *END PART");
  const std::string name = file_.required_value("NAME");
  const auto [entry, is_new] = parts_.try_emplace(inp_capitals(name));
  if (!is_new) file_.fail(fmt::format("there are two parts '{}'. Rename one", name));
  part_ = &entry->second;
  part_->name = name;
  part_->place = file_.keyword_place();
}

void InpModel::begin_instance() {
  if (!in_assembly_ || instance_)
    file_.fail("*INSTANCE stands in an *ASSEMBLY, and not inside of another one. Check that every *INSTANCE has its *END INSTANCE");
  if (file_.has("LIBRARY") || file_.has("INSTANCE")) file_.fail("an instance from an earlier analysis isn't supported. Give the mesh in this file");
  const std::string name = file_.required_value("NAME"), part = file_.required_value("PART");
  check_name(name);
  const auto found = parts_.find(inp_capitals(part));
  if (found == parts_.end()) file_.fail(fmt::format("there is no part '{}' above this line. Correct the name", part));
  for (const InpPart& other : instances_)
    if (inp_capitals(other.name) == inp_capitals(name)) file_.fail(fmt::format("there are two instances '{}'. Rename one", name));
  InpPart instance = found->second;
  instance.name = name;
  instance.place = file_.keyword_place();
  int lines = 0;
  for (; file_.next_data(); ++lines) {
    const auto vector = [&](std::size_t first, const char* what) {
      return Vec3(file_.real_or_zero(first, what), file_.real_or_zero(first + 1, what), file_.real_or_zero(first + 2, what));
    };
    if (lines > 1 || file_.words() > (lines == 0 ? 3 : 7))
      file_.fail("an instance has a line with its translation and a line with its rotation at most. Remove the rest");
    if (lines == 0) {
      instance.translation = vector(0, "a translation");
    } else {
      instance.axis_from = vector(0, "a point of the axis");
      instance.axis_to = vector(3, "a point of the axis");
      instance.angle = file_.real(6, "the angle of the rotation");
      if (!((instance.axis_to - instance.axis_from).norm() > 0)) file_.fail("the two points of the axis are one. Give two different ones");
    }
  }
  instances_.push_back(std::move(instance));
  instance_ = &instances_.back();
}

void InpModel::end(const char* what, InpPart*& inside) {
  if (!inside) file_.fail(fmt::format("*END {} without *{} before it. Remove it", what, what));
  inside = nullptr;
}

void InpModel::check_name(const std::string& name) const {
  // Names are in columns of the history, which commas separate.
  if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 127 || c == ',' || c == '"'; }))
    file_.fail("the name has a comma, a quote or a character that can't be printed. Rename it");
}

InpSet& InpModel::set(std::map<std::string, InpSet>& sets, const std::string& name) const {
  check_name(name);
  return sets.try_emplace(inp_capitals(name), InpSet{name, file_.keyword_place(), {}, {}}).first->second;
}

void InpModel::read_nodes() {
  if (file_.has("INPUT")) file_.fail("nodes in another file aren't supported. Put them into this one, or use *INCLUDE");
  if (const auto system = file_.value("SYSTEM"); system && inp_capitals(*system) != "R")
    file_.fail("cylindrical and spherical coordinates aren't supported. Write the nodes in Cartesian ones");
  const auto name = file_.value("NSET");
  std::vector<InpRange>* const in = name ? &set(current().node_sets, *name).ranges : nullptr;
  while (file_.next_data()) {
    const std::int64_t label = file_.label(0, "the number of a node");
    if (file_.words() > 7) file_.fail("a node has a number, three coordinates and up to three components of a normal. Remove the rest");
    Vec3 position;
    for (std::size_t axis = 0; axis < 3; ++axis) position[static_cast<Eigen::Index>(axis)] = file_.real_or_zero(1 + axis, "a coordinate of a node");
    for (std::size_t k = 4; k < file_.words(); ++k) file_.real_or_zero(k, "a component of a normal");
    current().nodes.push_back({label, position, file_.place()});
    if (in) add_label(*in, label, -1, file_.place());
  }
}

void InpModel::read_elements() {
  for (const char* parameter : {"INPUT", "OFFSET", "SOLIDELEMENTNUMBERING"})
    if (file_.has(parameter)) file_.fail(fmt::format("{} of *ELEMENT isn't supported. Write the elements into this file", parameter));
  const std::string given = file_.required_value("TYPE"), type = inp_capitals(given);
  const bool is_quadratic = kTetrahedra10.contains(type) || kTriangles6.contains(type) || kSegments3.contains(type);
  const int dimension = kTetrahedra.contains(type) || kTetrahedra10.contains(type) ? 3
                        : kTriangles.contains(type) || kTriangles6.contains(type)  ? 2
                        : kSegments.contains(type) || kSegments3.contains(type)    ? 1
                                                                                   : 0;
  if (dimension == 0) {
    check_name(given);
    file_.fail(fmt::format(
        "elements of type {}: only tetrahedra (C3D4, C3D10), triangles (S3, S3R, M3D3, CPS3 and their like) and segments (T3D2, B31) are supported. "
        "Mesh with these, or remove the elements",
        type.substr(0, 40)));
  }
  const auto name = file_.value("ELSET");
  std::vector<InpRange>* const in = name ? &set(current().element_sets, *name).ranges : nullptr;
  const int corners = dimension + 1;
  const std::size_t count = static_cast<std::size_t>(is_quadratic ? corners * (corners + 1) / 2 : corners);
  while (file_.next_data()) {
    InpElement element{file_.label(0, "the number of an element"), {}, dimension, static_cast<int>(count), file_.place()};
    std::size_t got = 0, word = 1;
    for (; got < count; ++word) {
      while (word >= file_.words()) {  // the nodes may continue in the next lines
        if (!file_.next_data())
          file_.fail_at(element.place, fmt::format("element {} has {} nodes where its type {} has {}. Complete it", element.label, got, type, count));
        word = 0;
      }
      element.nodes[got++] = file_.label(word, "a node of an element");
    }
    if (word < file_.words()) file_.fail(fmt::format("more than the {} nodes of an element of type {}. Correct its type, or remove them", count, type));
    if (is_quadratic && dimension == 1) std::swap(element.nodes[1], element.nodes[2]);  // the middle is the second of three
    current().elements.push_back(element);
    if (in) add_label(*in, element.label, -1, element.place);
  }
}

int InpModel::find_instance(const std::string& name) const {
  for (std::size_t i = 0; i < instances_.size(); ++i)
    if (inp_capitals(instances_[i].name) == inp_capitals(name)) return static_cast<int>(i);
  file_.fail(fmt::format("there is no instance '{}' above this line. Correct the name", name));
}

void InpModel::add_reference(std::size_t word, bool of_nodes, int instance, std::vector<InpRange>& ranges) const {
  if (file_.is_number(word))
    return add_label(ranges, file_.label(word, of_nodes ? "the number of a node" : "the number of an element"), instance, file_.place());
  const std::string text(file_.word(word));
  const auto sets_of = [&](const InpPart& part) -> const std::map<std::string, InpSet>& { return of_nodes ? part.node_sets : part.element_sets; };
  const InpPart& here = instance_ ? *instance_ : part_ ? *part_ : outside_;
  const InpPart& where = instance < 0 ? here : instances_[static_cast<std::size_t>(instance)];
  auto found = sets_of(where).find(inp_capitals(text));
  bool exists = found != sets_of(where).end();
  // INSTANCE.SET or INSTANCE.LABEL, where both names may have dots of their own.
  for (std::size_t dot = text.find('.'); !exists && &here == &outside_ && dot != std::string::npos; dot = text.find('.', dot + 1)) {
    for (std::size_t i = 0; i < instances_.size() && !exists; ++i) {
      if (inp_capitals(instances_[i].name) != inp_capitals(text.substr(0, dot))) continue;
      const std::string rest = text.substr(dot + 1);
      if (!rest.empty() && rest.size() < 10 && rest.find_first_not_of("0123456789") == std::string::npos)
        return add_label(ranges, std::stoll(rest), static_cast<int>(i), file_.place());
      found = sets_of(instances_[i]).find(inp_capitals(rest));
      exists = found != sets_of(instances_[i]).end();
      instance = static_cast<int>(i);
    }
  }
  if (!exists) {
    check_name(text);
    file_.fail(fmt::format("there is no set of {} '{}' above this line. Correct the name, or define the set above it", of_nodes ? "nodes" : "elements",
                           text.substr(0, 80)));
  }
  const auto append = [&](std::vector<InpRange> more) {
    for (InpRange& range : more)
      if (range.instance < 0) range.instance = instance;
    ranges.insert(ranges.end(), more.begin(), more.end());
    remove_repeated(ranges);
  };
  append(found->second.ranges);
}

void InpModel::read_set(bool of_nodes) {
  const std::string name = file_.required_value(of_nodes ? "NSET" : "ELSET");
  int instance = -1;
  if (const auto given = file_.value("INSTANCE")) {
    if (part_ || instance_) file_.fail("INSTANCE can't be given inside of a part or instance. Remove it");
    instance = find_instance(*given);
  }
  InpSet& target = set(of_nodes ? current().node_sets : current().element_sets, name);
  if (of_nodes && file_.has("ELSET")) {
    const std::string elements = inp_capitals(file_.required_value("ELSET"));
    const auto& sets = instance < 0 ? current().element_sets : instances_[static_cast<std::size_t>(instance)].element_sets;
    const auto found = sets.find(elements);
    if (found == sets.end()) file_.fail("there is no set of elements with the name of ELSET above this line. Correct the name");
    for (InpRange range : found->second.ranges) {
      if (range.instance < 0) range.instance = instance;
      target.of_elements.push_back(range);
    }
    remove_repeated(target.of_elements);
  }
  const bool generate = file_.has("GENERATE");
  while (file_.next_data()) {
    if (generate) {
      const char* const what = "a number of a range FIRST, LAST, STEP";
      InpRange range{file_.label(0, what), file_.label(1, what), file_.words() > 2 ? file_.label(2, what) : 1, instance, file_.place()};
      if (file_.words() > 3 || range.last < range.first) file_.fail("a range is FIRST, LAST, STEP, where LAST isn't below FIRST. Correct it");
      range.last -= (range.last - range.first) % range.step;
      target.ranges.push_back(range);
    } else {
      for (std::size_t i = 0; i < file_.words(); ++i)
        if (!file_.word(i).empty()) add_reference(i, of_nodes, instance, target.ranges);
    }
  }
}

void InpModel::read_surface() {
  const std::string name = file_.required_value("NAME"), type = inp_capitals(file_.value("TYPE").value_or("ELEMENT"));
  check_name(name);
  if (type != "ELEMENT" && type != "NODE")
    file_.fail("only surfaces of type ELEMENT and NODE are supported. Describe a rigid one by 'surfaces' in the scene, and remove it here");
  for (const char* parameter : {"COMBINE", "CROP"})
    if (file_.has(parameter)) file_.fail(fmt::format("{} of *SURFACE isn't supported. List the elements or nodes of the surface", parameter));
  const auto [entry, is_new] = current().surfaces.try_emplace(inp_capitals(name), InpSurface{name, file_.keyword_place(), {}, {}});
  if (!is_new) file_.fail(fmt::format("the surface '{}' is defined again; it is already in {}. Rename one", name, file_.text_of(entry->second.place)));
  InpSurface& surface = entry->second;
  while (file_.next_data()) {
    if (file_.words() > (type == "NODE" ? 2 : 3) || file_.word(0).empty()) file_.fail("a line of a surface is a set or a number, then a face. Correct it");
    if (type == "NODE") {
      add_reference(0, true, -1, surface.nodes);
      continue;
    }
    InpFaces& faces = surface.faces.emplace_back();
    add_reference(0, false, -1, faces.elements);
    if (file_.words() > 1) faces.face = inp_capitals(file_.word(1));
    faces.place = file_.place();
  }
}

}  // namespace traction
