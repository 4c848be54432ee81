// Joins the parts of a surface that meet at their rims without sharing vertices.
#pragma once

#include "mesh/read_mesh.h"

namespace traction {

/// Exporters write seams whose two sides have vertices that differ by rounding, or that lie inside edges of the other side. Contact would take such a seam for
/// the rims of two sheets, one behind the other. Vertices of rims in one place become one, and triangles are divided at the vertices on their open edges; both
/// within 2e-6 of the largest coordinate, 1e-4 of the surface's extent and a tenth of the edges around. Rims that lie apart stay.
void close_seams(SurfaceMesh& mesh);

}  // namespace traction
