#include "mesh/read_mesh.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "errors.h"
#include "mesh/formats/mesh_formats.h"
#include "settings/file_ending.h"
#include "settings/file_kind.h"
#include "settings/missing_file.h"

namespace traction {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kStart = 4096;  // bytes of a file that show its kind

// Reports a file that cannot be opened: the mistake of the user who named it, unless the machine fails.
[[noreturn]] void fail_to_open(const std::string& path, const std::error_code& reason) {
  for (const int of_machine : {EIO, ENOMEM, EMFILE, ENFILE, ESTALE, ETIMEDOUT})
    if (reason.value() == of_machine) throw FileError(fmt::format("{}: can't be read: {}. Check the machine and the disk it is on", path, reason.message()));
  throw InputError(fmt::format("{}: can't be read: {}. Check its name and permissions", path, reason.message()));
}

}  // namespace

void refuse_other_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return;  // reported by its reader
  std::string start(kStart, '\0');
  start.resize(std::fread(start.data(), 1, start.size(), file.get()));
  if (start.empty() && !std::ferror(file.get())) throw InputError(fmt::format("{}: the file is empty. Write the mesh again", path));
  const std::string kind = kind_of_file(start);
  for (const char* packed : {"a zip archive", "a compressed file"})
    if (kind == packed) throw InputError(fmt::format("{}: is {}, and no mesh. Unpack it first", path, kind));
  for (const char* other : {"a picture", "a PDF file", "a program", "a CAD file (STEP)"})
    if (kind == other) throw InputError(fmt::format("{}: is {}, and no mesh. Give a mesh file", path, kind));
}

std::string read_bytes(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) fail_to_open(path, {errno, std::generic_category()});
  std::string bytes;
  std::error_code unknown_size;
  const auto expected = fs::file_size(path, unknown_size);
  if (!unknown_size) bytes.reserve(expected);
  char block[1 << 16];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get())) bytes.append(block, got);
  if (std::ferror(file.get())) throw FileError(fmt::format("{}: reading failed: {}. Check the disk it is on", path, std::strerror(errno)));
  return bytes;
}

Mesh read_mesh(const std::string& path, const std::set<std::string>& rods, const std::set<std::string>& shells) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    throw InputError(fmt::format("{}: no such file; {}", path, remedy_for_missing_file(path, "the present folder")));
  if (error) fail_to_open(path, error);
  if (!fs::is_regular_file(status)) throw InputError(fmt::format("{}: is not a file. Give a mesh file", path));

  const std::string extension = file_ending(path);
  for (const char* known : {".msh", ".vtu", ".vtk", ".inp", ".txt"})
    if (extension == known) refuse_other_file(path);
  if (extension == ".msh") return read_gmsh(path, rods, shells);
  if (extension == ".vtu" || extension == ".vtk") return read_vtk(path, rods, shells);
  if (extension == ".inp") return read_inp(path, rods);
  if (extension == ".txt") return read_points(path, rods);
  throw InputError(
      fmt::format("{}: a mesh file ends in .msh, .vtu, .vtk or .inp, or is a .txt with the points of a rod. Convert it to one of these formats", path));
}

}  // namespace traction
