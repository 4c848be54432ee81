// Files for the tests of the mesh readers: a folder of their own, meshes made by Gmsh, and measures of what was read.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "errors.h"
#include "mesh/read_mesh.h"

namespace traction::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "traction_mesh_XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) result.push_back(entry.path().filename().string());
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  std::filesystem::path path_;
};

// The text with the first `before` in it replaced, which must be there.
inline std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Meshes `geo` and returns the path of the .msh file.
inline std::string gmsh(const TemporaryFolder& folder, const std::string& geo, const std::string& name, const std::string& options) {
  const std::string source = folder.write(name + ".geo", geo + "\n"), target = folder.path(name + ".msh");
  const std::string command = "gmsh '" + source + "' -3 " + options + " -o '" + target + "' > '" + folder.path(name + ".log") + "' 2>&1 < /dev/null";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("gmsh failed: " + contents(folder.path(name + ".log")));
  return target;
}

inline double volume(const Mesh& mesh, const std::array<int, 4>& t) {
  const Vec3& a = mesh.vertices[t[0]];
  return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).dot(mesh.vertices[t[3]] - a) / 6;
}

inline Vec3 area_vector(const Mesh& mesh, const std::array<int, 3>& t) {
  const Vec3& a = mesh.vertices[t[0]];
  return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a) / 2;
}

inline double volume(const Mesh& mesh) {
  double sum = 0;
  for (const auto& tetrahedron : mesh.tetrahedra) sum += volume(mesh, tetrahedron);
  return sum;
}

// The volume, the area or the number of vertices of a region; -1 if there is no such region.
inline double measure(const Mesh& mesh, const std::string& name) {
  const Region* region = mesh.find_region(name);
  if (!region) return -1;
  double sum = 0;
  for (int member : region->members)
    sum += region->dimension == 3 ? volume(mesh, mesh.tetrahedra[member]) : region->dimension == 2 ? area_vector(mesh, mesh.triangles[member]).norm() : 1;
  return sum;
}

inline std::vector<std::string> region_names(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const Region& region : mesh.regions) names.push_back(region.name);
  return names;
}

// The message of the InputError that `call` throws.
template <typename Call>
std::string input_error(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

// Reads a damaged file: it must be refused by an InputError or give a mesh whose indices are in range. Returns whether it was refused.
inline bool refuses(const std::string& path) {
  try {
    const Mesh mesh = read_mesh(path);
    const int vertices = static_cast<int>(mesh.vertices.size());
    for (const auto& tetrahedron : mesh.tetrahedra)
      for (int vertex : tetrahedron) EXPECT_TRUE(vertex >= 0 && vertex < vertices);
    for (const auto& triangle : mesh.triangles)
      for (int vertex : triangle) EXPECT_TRUE(vertex >= 0 && vertex < vertices);
    for (const Region& region : mesh.regions) {
      const std::size_t size = region.dimension == 3 ? mesh.tetrahedra.size() : region.dimension == 2 ? mesh.triangles.size() : mesh.vertices.size();
      for (int member : region.members) EXPECT_TRUE(member >= 0 && member < static_cast<int>(size));
      EXPECT_TRUE(std::is_sorted(region.members.begin(), region.members.end()));
    }
    return false;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    return true;
  }
}

// Replaces one to eight bytes; half of the time near the start, where the counts are.
inline std::string damaged(std::string bytes, std::mt19937& random) {
  const std::size_t range = random() % 2 ? bytes.size() : std::min<std::size_t>(bytes.size(), 1500);
  const std::size_t start = random() % range, count = 1 + random() % 8;
  for (std::size_t i = start; i < std::min(start + count, bytes.size()); ++i) bytes[i] = static_cast<char>(random() % 256);
  return bytes;
}

}  // namespace traction::test
