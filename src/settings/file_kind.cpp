#include "settings/file_kind.h"

#include <algorithm>
#include <array>
#include <utility>

namespace traction {

namespace {

using namespace std::string_view_literals;

constexpr auto kStarts = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"$MeshFormat"sv, "a mesh of Gmsh"sv},
    {"# vtk DataFile"sv, "a VTK file"sv},
    {"<VTKFile"sv, "a VTK file"sv},
    {"<?xml"sv, "an XML file"sv},
    {"ISO-10303-21"sv, "a CAD file (STEP)"sv},
    {"\x89PNG"sv, "a picture"sv},
    {"\xff\xd8\xff"sv, "a picture"sv},
    {"GIF8"sv, "a picture"sv},
    {"\x89HDF"sv, "an HDF5 file"sv},
    {"%PDF"sv, "a PDF file"sv},
    {"PK\x03\x04"sv, "a zip archive"sv},
    {"\x1f\x8b"sv, "a compressed file"sv},
    {"\x7f"
     "ELF"sv,
     "a program"sv},
});

constexpr auto kEndings = std::to_array<std::pair<std::string_view, std::string_view>>({
    {".msh"sv, "a mesh of Gmsh"sv},
    {".geo"sv, "a geometry of Gmsh"sv},
    {".vtu"sv, "a VTK file"sv},
    {".vtk"sv, "a VTK file"sv},
    {".inp"sv, "a model of Abaqus"sv},
    {".stl"sv, "a surface of triangles"sv},
    {".obj"sv, "a surface of triangles"sv},
    {".step"sv, "a CAD file (STEP)"sv},
    {".stp"sv, "a CAD file (STEP)"sv},
    {".csv"sv, "a table"sv},
    {".py"sv, "a Python program"sv},
});

std::string_view without_blanks(std::string_view text) { return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size())); }

}  // namespace

std::string kind_of_file(std::string_view bytes) {
  const std::string_view start = without_blanks(bytes);
  for (const auto& [signature, kind] : kStarts)
    if (start.starts_with(signature)) return std::string(kind);
  if (start.starts_with("solid") && start.find("facet normal") != std::string_view::npos) return "a surface of triangles";
  if (bytes.find('\0') != std::string_view::npos) return "a binary file";
  return {};
}

std::string kind_by_ending(std::string_view ending) {
  const auto* found = std::find_if(kEndings.begin(), kEndings.end(), [&](const auto& each) { return each.first == ending; });
  return found == kEndings.end() ? std::string() : std::string(found->second);
}

}  // namespace traction
