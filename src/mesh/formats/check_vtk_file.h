// Checks the counts in VTK's files before VTK reads them, because VTK trusts them and corrupts its memory if they are wrong. Internal to this folder.
#pragma once

#include <string>

namespace traction {

/// Walks through `bytes`, the contents of the file, up to its cell or point data. Throws InputError if the file is not an unstructured grid, ends too early, or
/// has cells that do not fill the announced space.
void check_legacy_vtk(const std::string& path, const std::string& bytes);

/// Throws InputError if a .vtu file announces an impossible number of points, cells, tuples or components.
void check_xml_vtk(const std::string& path, const std::string& bytes);

}  // namespace traction
