// VTK trusts the counts in its files, and damages its memory where they are wrong; so they are checked before it reads them. Internal to
// this folder.
#pragma once

#include <string>

namespace traction {

// Walks through `bytes`, the contents of the file, up to its cell or point data. Throws InputError if the file holds something else than an
// unstructured grid, if it ends too early or if its cells don't fill the space they announce.
void check_legacy_vtk(const std::string& path, const std::string& bytes);

// Throws InputError if a .vtu file announces a number of points, cells, tuples or components that can't be.
void check_xml_vtk(const std::string& path, const std::string& bytes);

}  // namespace traction
