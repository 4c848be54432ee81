// The scene as plain structs: everything a user can say, with its default and unit. Knows no PETSc and no MPI.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "contact/contact_settings.h"
#include "contact/obstacle_settings.h"
#include "contact/surface_settings.h"
#include "dynamics/time_settings.h"
#include "elements/material_settings.h"
#include "forces/damping_settings.h"
#include "forces/volume_settings.h"
#include "math/tensor.h"
#include "mesh_partition/partition_settings.h"
#include "output/output_settings.h"
#include "settings/source.h"
#include "solver/solver_settings.h"
#include "system/initial_settings.h"
#include "system/motion_settings.h"

namespace traction {

struct DrivenSettings {
  std::string region;  // a region of the body, of any dimension
  Motion motion;       // none: held fixed where they start
  Source source;
};

struct Body {
  std::string name;
  std::string mesh;                                    // absolute path: .msh, .vtu, .vtk, or .geo (meshed by Gmsh at the start)
  std::map<std::string, double> mesh_parameters;       // .geo only: numbers handed to Gmsh's -setnumber
  double scale = 1;                                    // mesh units to metres
  std::map<std::string, SolidMaterialSettings> solid;  // region name -> material; must cover every tetrahedron exactly once
  std::map<std::string, ShellMaterialSettings> shell;  // surface region name -> material, of the triangles that are elements
  std::vector<VolumePenaltySettings> volumes;
  DampingSettings damping;
  InitialSettings initial;
  std::vector<DrivenSettings> driven;  // from `fixed:` and `driven:`
  Source source;                       // of `mesh:`
};

// `ball.outer` -> body "ball", region "outer"; `ball` -> the whole boundary, region empty.
struct BodySurface {
  std::string body;
  std::string region;
  bool operator==(const BodySurface&) const = default;
};

struct ContactSettings : ContactLawSettings {
  std::string name;
  BodySurface vertices;                            // `vertices:`, or the first of `both:`
  std::variant<std::string, BodySurface> against;  // a surface by name, or a body's
  bool both = false;                               // `both: [A, B]`: vertices of each against the surface of the other
  std::optional<int> exclusion_ring;               // of a body with itself: triangles so many edges from a vertex do not count for it
  ImplicitSurfaceSettings surface;                 // against a body
  Source source;
};

struct Scene {
  std::string file;  // absolute path
  TimeSettings time;
  Vec3 gravity = Vec3::Zero();  // [m/s^2]
  std::vector<Body> bodies;     // in the order of the file
  std::vector<Obstacle> obstacles;
  std::vector<ContactSettings> contacts;
  SolverSettings solver;
  PartitionSettings partition;
  OutputSettings output;
  std::map<std::string, std::string> petsc;  // option name without dash -> value ("" for a flag)
};

}  // namespace traction
