// Everything that a simulation needs from the meshes of its bodies, requested at once and answered by one call. Serial: called on one rank.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "mesh/mesh.h"
#include "mesh/read_mesh.h"

namespace traction {

/// Names of the regions that the answer adds for a surface region of a body's mesh. An empty name requests the whole boundary: the outer faces of the
/// tetrahedra, and the shells that are not faces of the solid. No file has regions of these names, except that listed_region of a non-empty name is the name
/// itself.
std::string listed_region(const std::string& region);     ///< its triangles as the file lists them
std::string outward_region(const std::string& region);    ///< oriented out of the solid
std::string two_sided_region(const std::string& region);  ///< oriented so that neighbours agree on a side
std::string closed_region(const std::string& region);     ///< closed, and oriented out of the volume it encloses

/// A surface of a body that is needed, and its purpose.
struct SurfaceRequest {
  enum class Use {
    touches,        ///< listed_region, on whose vertices contact acts
    is_touched,     ///< also outward_region, or two_sided_region if it consists of shells with nothing behind them
    encloses,       ///< closed_region
    encloses_caps,  ///< closed_region, with caps (rim_caps) over its rims
    bounds          ///< closed_region of a region of tetrahedra: its outer faces
  };
  Use use = Use::touches;
  std::string region;  ///< a region of the body's mesh
  std::string source;  ///< where the user requests it; messages begin with this
};

/// The mesh of one body, and the surfaces that are needed of it.
struct BodyMesh {
  std::string name;
  Mesh mesh;
  std::vector<SurfaceRequest> surfaces;
};

/// The mesh of one obstacle, or where to read it.
struct ObstacleMesh {
  std::string name;
  std::string file;  ///< for read_surface
  double scale = 1;  ///< file units to metres
  std::string source;
  std::optional<SurfaceMesh> shape = {};  ///< instead of a file
};

/// A body's region, empty for the whole body, that another body carries. Things that touch its vertices are in the right place.
using JoinedRegion = std::pair<std::string, std::string>;

/// No vertex of a body's surface may start deeper than `depth` [m] inside another body or an obstacle with a closed mesh, nor may an obstacle start so deep
/// inside the body. Contact acts on vertices near a surface; one that lies far behind would not be detected, and would never come out.
struct Separation {
  std::string body, region;  ///< a requested surface
  std::string other;
  bool is_obstacle = false;  ///< the other
  double depth = 0;
  std::string source;
  std::vector<JoinedRegion> joined = {};
};

/// Two surfaces that must not cross at the start, nor lie in each other.
struct Disjunction {
  std::string body, region;         ///< a requested surface
  std::string other, other_region;  ///< an obstacle, with an empty region, or a requested surface, which may be the same one
  std::string source;
  std::vector<JoinedRegion> joined = {};
};

/// Rods that must not pass through a surface at the start, nor lie in it.
struct RodsOutside {
  std::string body;
  std::vector<std::string> regions;  ///< curves of rods in its mesh
  std::string other, other_region;   ///< an obstacle, with an empty region, or a requested surface
  std::string source;
};

/// Everything that a scene needs of its meshes, and the checks that they must pass together.
struct MeshPlan {
  std::vector<BodyMesh> bodies;
  std::vector<ObstacleMesh> obstacles;
  std::vector<Separation> separations;
  std::vector<Disjunction> disjunctions = {};
  std::vector<RodsOutside> rods_outside = {};
};

/// Unites the meshes of all bodies. A body's regions become "body.region", and the region with the body's name holds all of its vertices. Throws InputError
/// that begins with the source of the request that cannot be met.
Mesh assemble(MeshPlan plan);

/// Returns a region by name. Throws InputError that begins with `source` if it does not exist or is empty, or with `objection` if its dimension is not the
/// requested one.
const Region& require_region(const Mesh& mesh, const std::string& name, const std::string& source, std::optional<int> dimension = {},
                             const char* objection = "");

/// Calls `action`; an InputError from it is given a message that begins with `source`.
template <typename Action>
auto with_source(const std::string& source, Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    const std::string text = error.what();
    throw InputError(text.starts_with(source) ? text : source + ": " + text);
  }
}

/// The vertices of a region's members, sorted.
std::vector<int> region_vertices(const Mesh& mesh, const Region& region);

}  // namespace traction
