// Finds commands of a .geo file that do more than make a mesh.
#pragma once

#include <optional>
#include <string>

namespace traction {

/// A place in a .geo file, or in a file that it reads, that may do more than make a mesh.
struct GeoCommand {
  std::string file;
  int line = 0;      ///< from 1
  std::string what;  ///< as in "'SystemCall' can run programs"
};

/// Finds the first place by which Gmsh, with the rights of the user who runs it, could run programs, write files other than the mesh, or set options that lead
/// to either. Looks in `path`, its options in `path`.opt, and all files that they include or merge; returns nothing if all of
/// them only make a mesh.
///
/// The search is cautious rather than exact: words such as Save and SystemCall are found in comments and strings, too, since jumps of loops, macros and
/// conditions that do not hold can lead Gmsh's reader into either; files may be included or merged by a plain name alone, and those merged are scripts or
/// CAD. A file that does not exist does nothing. Throws FileError if one cannot be read.
std::optional<GeoCommand> find_geo_command(const std::string& path);

}  // namespace traction
