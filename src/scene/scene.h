// The scene as plain structs: everything a user can say, with its default and unit. Knows no PETSc and no MPI.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "math/friction_curve.h"
#include "math/tensor.h"
#include "math/time_table.h"

namespace traction {

// trapezoidal_split is the trapezoidal rule with contact and friction outside of its average, as in the original IPC: for comparison (P0 Sec. IV-E).
enum class Integrator {
  backward_euler,
  trapezoidal,
  bdf2,
  tr_bdf2,
  sdirk2,
  tr_sdirk2,
  trapezoidal_split,
  generalized_alpha,  // Chung and Hulbert 1993
  ere,                // exponential Rosenbrock Euler, P1 Eq. 17; of the rest, what treats the lowest modes with it: P1 Eqs. 19-26
  siere,
  beere,
  bdf2ere,
  sbdf2ere,
  str_sbdf2ere
};
enum class ContactPotential { cubic_penalty, log_barrier };  // P0 Sec. III-B, P1 Eq. 28
enum class FrictionCoupling { implicit, lagged };
enum class VolumeModel { quadratic, ideal_gas, nearly_incompressible };  // P0 Eqs. 19, 17, 18
enum class NewtonMethod { inexact_newton, newton };                      // P0 Algorithms 2 and 1
enum class OperatorKind { assembled, matrix_free };
enum class PreconditionerKind { automatic, none, block_jacobi, ilu, asm_ilu, gamg, hypre, ml, mumps, mumps_single };
enum class FieldPrecision { double_, single };
enum class KrylovMethod { fgmres, bicgstab };

// Where a setting was written, so that a check made later (against the mesh, say) can name it: "scene.yaml:12: bodies.ball.solid.core".
struct Source {
  std::string text;
};

// From time `from` on, steps of length `step`. The first piece starts at 0; pieces are sorted by `from`.
struct StepPiece {
  double from = 0;                       // [s]
  double step = 0;                       // [s]
  std::optional<Integrator> integrator;  // none: that of the scene. A few L-stable steps calm a start that the trapezoidal rule would ring with
};

// What integrators can be told.
struct SchemeSettings {
  bool semi_implicit = false;           // one undamped Newton iteration per stage, from the last known state; of all that are not exponential
  double spectral_radius = 0.8;         // generalized_alpha: what it leaves of the fastest oscillations in a step, 0 to 1
  double exponential_tolerance = 1e-8;  // ere: error of a step, in parts of its change of the motion
  int modes = 10;                       // siere to str_sbdf2ere: the lowest so many
  int refresh_modes = 0;                // computed anew after so many steps; 0: those of the start are kept
  bool published_history = false;       // the BDF2 ones: as P1 prints them, with the modes' motion in BDF2's history; they then gain energy
};

struct TimeSettings : SchemeSettings {
  std::vector<StepPiece> steps;
  double end = 0;  // [s]
  Integrator integrator = Integrator::sdirk2;
  int maximum_halvings = 8;               // a step that fails, or errs by too much, is halved at most so many times in a row
  std::optional<double> error_tolerance;  // [m] of positions in a step, estimated; none: the steps as scheduled
};

struct SolidMaterial {
  double youngs_modulus = 0;  // [Pa]
  double poisson_ratio = 0;
  double density = 0;  // [kg/m^3]
  Source source;
};

// Of a thin sheet of triangles. Moduli and density are those of its surface; where a scene gives a thickness t and the bulk's E and rho they are E t, rho t,
// and E t^3 / (12 (1 - nu^2)) for bending.
struct ShellMaterial {
  double youngs_modulus = 0;     // [N/m]
  double poisson_ratio = 0;      // from above -1 to 0.5, which is incompressible: the sheet thins as it is stretched
  double density = 0;            // [kg/m^2]
  double bending_stiffness = 0;  // [N m]; 0: a membrane
  double thickness = 0;          // [m], of contact: surfaces touch half of it before the triangles do
  bool flat = false;             // bends towards a plane instead of the shape it is meshed in
  bool operator==(const ShellMaterial&) const = default;
};

struct ShellRegion : ShellMaterial {
  Source source;
};

struct VolumePenaltySettings {
  std::string surface;  // a closed surface region of the body, or its rims are closed by flat caps (`close_rims`)
  std::string region;   // or a region of tetrahedra, that keeps its volume
  bool close_rims = false;
  double excluded_volume = 0;  // [m^3] within the surface that is not filled: a wheel's in its tire
  VolumeModel model = VolumeModel::ideal_gas;
  double gauge_pressure = 0;                // [Pa]; above the ambient 101325 Pa, at the initial volume
  double compressibility = 1.0 / 101325.0;  // kappa_v [1/Pa]; quadratic and nearly_incompressible only
  TimeTable inflation;                      // how much gas or liquid there is, in parts of what there is at the start; positive
  bool sparse = false;                      // drop the rank-one term from the product, as P0 does for its direct solver
  Source source;
};

struct DampingSettings {  // Rayleigh: f = -(mass M + stiffness K(q)) v
  double mass = 0;        // alpha [1/s]
  double stiffness = 0;   // beta [s]
};

// A rigid motion x(t) = about + R(axis, |angular_velocity| tau(t)) (x - about) + velocity tau(t), where tau' rises linearly from
// 0 to 1 over [start, start + ramp], stays 1, and is 0 again from `stop` on.
struct MotionSettings {
  Vec3 velocity = Vec3::Zero();          // [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s]
  Vec3 about = Vec3::Zero();             // [m]
  double start = 0;                      // [s]
  double ramp = 0;                       // [s]
  std::optional<double> stop;            // [s]
  bool operator==(const MotionSettings&) const = default;
};

// Motions one upon the other: each moves what those before it have made of x(0). None: rest.
using Motion = std::vector<MotionSettings>;

struct DrivenVertices {
  std::string region;  // a region of the body, of any dimension
  Motion motion;       // none: held fixed where they start
  Source source;
};

enum class LoadKind { force, traction, body_force, pressure };
struct LoadSettings {
  std::string name;
  LoadKind kind = LoadKind::force;
  std::string region;          // of the body; pressure and traction need a surface. Empty for body_force: all of it
  Vec3 vector = Vec3::Zero();  // force: the total [N], on surfaces spread by area at rest, else by mass; traction: per area at rest [Pa]; body_force [m/s^2]
  double pressure = 0;         // [Pa] on the present area; positive pushes into the solid
  bool following = false;      // traction: turns with the surface
  TimeTable over;              // a factor on it
  Source source;
};

struct InitialState {
  Vec3 rotation_axis = Vec3::UnitZ();    // rotation about the body's centroid, before translation
  double rotation_angle = 0;             // [degrees]
  Vec3 translate = Vec3::Zero();         // [m]
  Vec3 velocity = Vec3::Zero();          // [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s], about the mass centroid
};

struct Body {
  std::string name;
  std::string mesh;                               // absolute path: .msh, .vtu, .vtk, or .geo (meshed by Gmsh at the start)
  std::map<std::string, double> mesh_parameters;  // .geo only: numbers handed to Gmsh's -setnumber
  double scale = 1;                               // mesh units to metres
  std::map<std::string, SolidMaterial> solid;     // region name -> material; must cover every tetrahedron exactly once
  std::map<std::string, ShellRegion> shell;       // surface region name -> material, of the triangles that are elements
  std::vector<VolumePenaltySettings> volumes;
  DampingSettings damping;
  InitialState initial;
  std::vector<DrivenVertices> driven;  // from `fixed:` and `driven:`
  std::vector<LoadSettings> loads;
  Source source;  // of `mesh:`
};

struct PlaneSettings {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  // unit length after reading
};
struct SphereSettings {
  Vec3 center = Vec3::Zero();
  double radius = 0;
  bool inside = false;  // true: bodies live inside
};
struct CylinderSettings {  // of infinite length
  Vec3 point = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();  // unit length after reading
  double radius = 0;
  bool inside = false;
};
struct BoxSettings {  // axis-aligned
  Vec3 lower = Vec3::Zero();
  Vec3 upper = Vec3::Zero();
  bool inside = false;
};

// The smooth implicit surface of a mesh that contact is computed with (Larionov, Fan, Pai 2021).
struct ImplicitSurfaceSettings {
  double radius_multiplier = 1.5;  // its reach R over the mesh's largest distance from a triangle's centroid to a corner
  double interpolation = 1e-3;     // epsilon of the weights: the smaller, the closer the surface to the triangles
};

struct MeshSettings {  // of triangles, normals out of the obstacle
  std::string file;    // absolute path: .stl or .obj
  double scale = 1;    // mesh units to metres
  ImplicitSurfaceSettings surface;
};

struct Surface {
  std::string name;
  std::variant<PlaneSettings, SphereSettings, CylinderSettings, BoxSettings, MeshSettings> shape;
  Motion motion;
  Source source;
};

struct FrictionSettings : FrictionCurve {  // static_ defaults to dynamic (smoothed Coulomb), stribeck_velocity to 10 tolerance
  bool sliding_basis_derivative = true;    // false: the product drops the derivative of the tangent plane
  FrictionCoupling coupling = FrictionCoupling::implicit;
  int passes = 1;  // lagged only: solves of a step, each with the normal forces of the one before (P0 Eqs. 24-26)
};

// `ball.outer` -> body "ball", region "outer"; `ball` -> the whole boundary, region empty.
struct BodySurface {
  std::string body;
  std::string region;
  bool operator==(const BodySurface&) const = default;
};

struct ContactSettings {
  std::string name;
  BodySurface vertices;                            // `vertices:`, or the first of `both:`
  std::variant<std::string, BodySurface> against;  // a surface by name, or a body's
  bool both = false;                               // `both: [A, B]`: vertices of each against the surface of the other
  std::optional<int> exclusion_ring;               // of a body with itself: triangles so many edges from a vertex do not count for it
  ImplicitSurfaceSettings surface;                 // against a body
  double thickness = 0;                            // delta [m]
  ContactPotential potential = ContactPotential::cubic_penalty;
  std::optional<double> stiffness;  // kappa [N/m]; none: derived from `pressure`, or from the material, and from mesh and thickness
  std::optional<double> pressure;   // [Pa] that the cubic penalty has at zero gap; instead of a stiffness
  std::optional<FrictionSettings> friction;
  Source source;
};

struct SolverSettings {
  NewtonMethod method = NewtonMethod::inexact_newton;
  OperatorKind linear_operator = OperatorKind::assembled;  // of the Newton systems; both exact
  KrylovMethod krylov = KrylovMethod::fgmres;              // inexact_newton only
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  double tolerance = 1e-5;      // [m/s]: mass-weighted root mean square of M^-1 r
  double forcing = 0.01;        // sigma of P0 Algorithm 2
  int maximum_iterations = 60;  // Newton iterations per stage; a landing with friction may take thirty
  int maximum_linear_iterations = 2000;
  bool reproducible = false;  // the same bits from every run on so many ranks, whenever it was interrupted
};

struct PartitionSettings {
  std::optional<std::string> file;  // absolute path; made by traction-partition
  double contact_weight = 0;        // what a vertex in contact costs, in units of one tetrahedron; 0: partitions count tetrahedra only
};

// A checkpoint is written whenever one of these is over.
struct CheckpointInterval {
  double minutes = 30;  // of wall time
  std::optional<int> steps;
  std::optional<double> time;  // [s] of simulated time
};

struct OutputSettings {
  std::optional<double> every;                                         // [s] between field frames; none: no field output
  std::vector<std::string> fields = {"velocity", "contact_pressure"};  // of: velocity, displacement, contact_pressure, contact_force
  FieldPrecision precision = FieldPrecision::double_;                  // of the numbers in frames
  int compression = 0;                                                 // of frames: level of deflate, 0 to 9
  bool contacts = false;                                               // with every frame, a file of the vertices in contact
  int log_every = 50;                                                  // steps between log lines when not on a terminal
  CheckpointInterval checkpoint_every;
  int keep_checkpoints = 2;  // the newest; a damaged one leaves another
};

struct Scene {
  std::string file;  // absolute path
  TimeSettings time;
  Vec3 gravity = Vec3::Zero();  // [m/s^2]
  std::vector<Body> bodies;     // in the order of the file
  std::vector<Surface> surfaces;
  std::vector<ContactSettings> contacts;
  SolverSettings solver;
  PartitionSettings partition;
  OutputSettings output;
  std::map<std::string, std::string> petsc;  // option name without dash -> value ("" for a flag)
};

}  // namespace traction
