// The points of a rod, as a plain table: "x y z" per line, separated by blanks or commas. A fourth number, which such tables have for a twist, is not used;
// empty lines and lines that begin with # are skipped.

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <utility>
#include <vector>

#include "errors.h"
#include "mesh/formats/mesh_formats.h"
#include "mesh/mesh_builder.h"

namespace traction {

namespace {

constexpr double kSamePoint =
    1e-6;  // distance, relative to a segment, within which the last point of a ring counts as its first, because rounding may have moved it

}  // namespace

Mesh read_points(const std::string& path, const std::set<std::string>& rods) {
  MeshBuilder builder(path);
  builder.keep_curves(rods);
  builder.name_region(1, 1, kRodWithoutName);
  std::istringstream lines(read_bytes(path));
  std::string line;
  Vec3 first_point = Vec3::Zero(), last_point = Vec3::Zero();
  bool is_closed = false, is_numbered = true;
  double first_number = 0;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // the byte order mark that some editors write
    const auto commas = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream values(line);
    std::string first;
    if (!(values >> first) || first.starts_with('#')) continue;
    values.clear();
    values.seekg(0);
    Vec3 point;
    std::vector<double> numbers;
    for (double value = 0; values >> value;) numbers.push_back(value);
    if (numbers.size() >= 3) point = Vec3(numbers[0], numbers[1], numbers[2]);
    if (!values.eof() || numbers.size() < 3 || numbers.size() > 4 || !point.allFinite())
      throw InputError(fmt::format("{}:{}: a line holds three numbers, x y z, of the next point along the rod. Write one point per line", path, number));
    if (commas > 0 && commas + 1 != numbers.size())
      throw InputError(fmt::format("{}:{}: has {} numbers and {} comma{}. Write decimal points, and separate the numbers either by blanks or all by commas",
                                   path, number, numbers.size(), commas, commas == 1 ? "" : "s"));
    if (is_closed) throw InputError(fmt::format("{}:{}: the points before this one end where they begin, in a ring. Remove what follows", path, number));
    is_closed = builder.vertex_count() > 2 && (point - first_point).norm() <= kSamePoint * (point - last_point).norm();
    if (builder.vertex_count() == 0) {
      first_point = point;
      first_number = numbers[0];
    }
    last_point = point;
    is_numbered = is_numbered && numbers.size() == 4 && numbers[0] == first_number + builder.vertex_count();
    const int vertex = is_closed ? 0 : builder.add_vertex(point);
    if (builder.vertex_count() > 1) builder.add_segment({(is_closed ? builder.vertex_count() : vertex) - 1, vertex}, {builder.region(1, 1)});
  }
  if (is_numbered && builder.vertex_count() > 2 && (first_number == 0 || first_number == 1))
    throw InputError(
        fmt::format("{}: the first of the four numbers in each line counts the lines. A line holds x y z of a point, of which a fourth number is not "
                    "read; remove the first, or the fourth if x does grow by 1 from point to point",
                    path));
  if (builder.vertex_count() < 2) throw InputError(fmt::format("{}: a rod has two points or more; this file has {}. Add some", path, builder.vertex_count()));
  // Adds the regions by which a rod can be held: its ends, and the segments at them for clamps.
  if (is_closed) return builder.finish("");
  const int last = builder.vertex_count() - 1;
  int number = 0;
  for (const auto& [name, vertices] : std::initializer_list<std::pair<const char*, std::vector<int>>>{
           {"first_point", {0}}, {"last_point", {last}}, {"first_segment", {0, 1}}, {"last_segment", {last - 1, last}}}) {
    builder.name_region(0, ++number, name);
    for (const int vertex : vertices) builder.add_point(vertex, {builder.region(0, number)});
  }
  return builder.finish("");
}

}  // namespace traction
