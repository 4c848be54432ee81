// Broad phase of contact between edges and faces: finds the vertices and triangles, and the edges, that may be near each other, on whatever ranks they live.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "contact/arc_lengths.h"
#include "contact/attached_places.h"
#include "contact/contact_law.h"
#include "contact/features.h"
#include "contact/pressing_sides.h"
#include "contact/work_clock.h"
#include "parallel/halo.h"
#include "parallel/rendezvous.h"
#include "system/rigid_motion.h"
#include "system/state.h"

namespace traction {

/// A segment of a rod (its ends along it and the twist) or a triangle of a shell, in numbers of points, by which a surface turns.
struct TurnAt {
  std::array<int, 3> points;
  double weight;  ///< in the mean of several
};
/// By what a surface turns at one of its features; empty where the surface is where its points are.
using TurnsAt = std::vector<TurnAt>;

/// An edge of a contact surface: a side of its triangles, or an edge without triangles as in a wire, or the axis of a rod's segment.
struct SurfaceEdge {
  std::array<int, 2> ends;      ///< in the order along the rod if it is a rod's segment
  double sharpness = 1;         ///< factor on the penalty of a pair with this edge: 0 where the surface is flat, 1 where it is sharp
  double weight = 1, area = 0;  ///< as for SurfaceVertex
  double length = 0;            ///< at rest [m]
  bool is_lone = false;         ///< no triangle has it
  TurnsAt turns{};              ///< at most two count
};

/// A vertex that touches, with its share of the surface.
struct SurfaceVertex {
  int vertex;
  double weight = 1;     ///< factor on the penalty
  double area = 0;       ///< [m^2]
  double sharpness = 1;  ///< as for SurfaceEdge; the largest around the vertex
  double part = 1;       ///< share of weight and area at the vertex itself; places on its faces have the rest
  TurnsAt turns{};
};

/// An additional place where contact presses on a surface, on an edge or a triangle.
struct SurfacePlace {
  std::array<int, 3> points;  ///< the first place.corners of these span it
  Place place;
  double weight = 1, area = 0;  ///< as for SurfaceVertex
  TurnsAt turns{};
};

/// Marks the edges and corners of a triangle at which its surface continues in another contact with the same partner.
struct TriangleBorder {
  std::array<bool, 3> edges{};             ///< whether another contact has the triangle beyond the edge from each corner to the next
  std::array<double, 3> corners{1, 1, 1};  ///< this contact's part of each corner: 1 over the number of contacts that have it

  bool is_any() const { return edges[0] || edges[1] || edges[2] || corners != std::array<double, 3>{1, 1, 1}; }
};

/// A surface in contact. For a body, each rank has the vertices that it owns; each edge, triangle and place is on one rank only, in local numbers. An obstacle
/// is complete on every rank, in the numbering of its own points.
struct ContactSurface {
  std::vector<SurfaceVertex> vertices;
  std::vector<SurfaceEdge> edges;
  std::vector<std::array<int, 3>> triangles;
  std::vector<TriangleBorder> borders;  ///< one for each triangle, or none at all
  std::vector<SurfacePlace> places;     ///< in addition to the vertices
  int divisions = 1;                    ///< how many parts the places divide each edge into
  double offset = 0;                    ///< how far the surface is from its points: half the thickness of shells, the radius of rods and round obstacles [m]
  double twist_radius = 0;              ///< radius at which arc length is the unknown of a rod's twist [m]; 0 without rods
  bool is_shell = false;                ///< whether faces have two sides
  bool turns_by_faces = false;          ///< whether friction acts beside the faces, which are the middle of a shell
  /// Upper bound on the factor on the penalty per area with which rigid bodies and obstacles press on this surface [1/m^2]. Rigid bodies and obstacles
  /// themselves have no bound.
  double most_per_area = std::numeric_limits<double>::infinity();
  /// For a rigid body, upper bound on this factor where it presses on rigid bodies and obstacles, or an obstacle presses on it [1/m^2].
  double rigid_per_area = std::numeric_limits<double>::infinity();
  SurfaceScale scale{};  ///< has a cell of 0 unless the surface consists of a body's faces
  int body = -1;         ///< -1 for an obstacle; contact between two surfaces of one body ignores what is near at rest
  bool is_obstacle = false;
  std::vector<Vec3> points;  ///< points of an obstacle at time 0 [m]
  Motion motion;             ///< motion of an obstacle

  bool turns() const { return twist_radius > 0 || turns_by_faces; }  ///< whether friction acts at the surface's offset from its points
};

/// The shape of bodies at rest, by which contact distinguishes neighbours along a surface or a rod from parts that may touch each other.
struct RestShape {
  Field positions;                 ///< local [m]
  Field normals{};                 ///< unit vectors at the vertices of faces, on their owners; zero elsewhere
  Field rims{};                    ///< vectors in the planes of shells at the vertices on their rims, out of the surface, on their owners; zero elsewhere
  std::vector<PetscInt> pieces{};  ///< number of the connected piece of each local vertex (connected_pieces()); empty: everything is one piece
  ArcLengths rods{};               ///< places along the rods among the surfaces
  AttachedPlaces attached{};       ///< by which pieces of several bodies are connected
};

/// Defines which surfaces touch each other, in the space of the surfaces, because a scene may have thousands.
struct SurfacePairs {
  std::vector<int> families;            ///< one for each surface: those of one family do not touch each other or themselves; -1: of none
  std::vector<double> sides;            ///< one for each surface: 0 if it is on the contact's first side, 1 if it is on the second; all equal: on both
  std::set<std::pair<int, int>> apart;  ///< other pairs that do not touch, each in ascending order

  int surfaces() const { return static_cast<int>(families.size()); }
  bool operator()(int first, int second) const {
    if (families[first] >= 0 && families[first] == families[second]) return false;
    return apart.empty() || !apart.contains(std::minmax(first, second));
  }
  /// 1 if the pair's first surface is on the contact's first side, -1 if it is on the second, 0 if it is on both.
  double side(int first, int second) const { return sides[second] - sides[first]; }
};

/// A vertex, place, edge or triangle near others, with the numbers of its points. Local numbers of vertices that this rank owns come first, then copies, then
/// obstacle points.
struct NearbyFeature {
  int surface = 0;
  std::array<int, 3> points{-1, -1, -1};
  double weight = 1, area = 0, sharpness = 1, part = 1;
  bool is_lone = false;
  Place place;
  PetscInt piece = 0;  ///< see RestShape
  TurnsAt turns{};
  TriangleBorder border{};

  bool is_place() const { return place.corners > 1; }
  bool is_segment() const { return points[2] < 0; }  ///< for features listed with the triangles
  /// The corners of a triangle, or the ends of a lone edge, the second of them twice.
  std::array<int, 3> corners() const { return {points[0], points[1], points[is_segment() ? 1 : 2]}; }
};

/// The outcome of a search.
class NearbyFeatures {
 public:
  /// A vertex or place, and the triangles that may be near it.
  struct Query {
    NearbyFeature feature;       ///< a vertex or a place
    std::vector<int> triangles;  ///< indices into `triangles`; places meet no lone edges
  };
  std::vector<Query> queries;
  std::vector<NearbyFeature> triangles, edges;  ///< both lists contain lone edges
  std::vector<std::array<int, 2>> edge_pairs;   ///< indices into `edges`

  int owned() const { return owned_; }
  int copies() const { return scatter_->count() + obstacle_points_; }
  PetscInt global_of(int point) const;  ///< -1 for an obstacle's point
  /// The field's values at the copies, and 0 at obstacle points. @collective
  Field copies_of(const Field& field) const;
  void add_back(const Field& copies, Field& field) const;  ///< @collective
  int first_obstacle_copy() const { return scatter_->count(); }

 private:
  friend class FeatureSearch;
  int owned_ = 0, obstacle_points_ = 0;
  PetscInt first_owned_ = 0;
  std::vector<PetscInt> vertices_;  ///< global numbers of the copies
  std::optional<Scatter> scatter_;
};

/// Finds the features of surfaces that may touch each other soon, across ranks.
class FeatureSearch {
 public:
  /// Describes which local vertices are held or driven from outside.
  struct Driven {
    std::vector<char> ever;         ///< whether vertices are driven, at least for a time
    std::vector<char> for_good;     ///< whether they are always driven; features that are always driven do not touch each other
    bool among_themselves = false;  ///< whether to find only the pairs of features that are always driven on both sides
  };
  /// Describes where faces of a body are nearer to each other at rest than they can touch, across an empty space.
  struct Slit {
    int body;
    double width;  ///< [m]
    double reach;  ///< of the contact between them [m]
    Vec3 at;       ///< one of the places, at rest [m]
  };

  /// `thickness`: the gap within which a contact acts [m]. Surfaces must be in the same order on all ranks. @collective
  FeatureSearch(std::shared_ptr<const Halo> halo, std::vector<ContactSurface> surfaces, SurfacePairs pairs, RestShape rest, Driven driven, double thickness);

  /// The narrowest slit of every body that has one. @collective
  std::vector<Slit> slits() const;

  /// Searches again if points have moved so far since the last search that a pair within reach could be missing. @collective
  void update(const State& state);
  /// Whether anything that is not moved by forces (obstacles, driven vertices) has different positions in the two states. @collective
  bool is_moved_from_outside(const State& start, const State& end) const;
  /// Finds what may come within reach on straight paths from one state to another. Uses the last search if it suffices. If the paths are short, a new search
  /// around their start is kept for further paths, and takes the last one's place when update() needs a new one. @collective
  std::shared_ptr<const NearbyFeatures> along(const State& start, const State& end);

  const std::shared_ptr<const NearbyFeatures>& nearby() const { return nearby_; }
  const std::vector<ContactSurface>& surfaces() const { return surfaces_; }
  const SurfacePairs& pairs() const { return pairs_; }
  const Halo& halo() const { return *halo_; }
  /// The positions or velocities of all obstacles' points in their order [m, m/s].
  std::vector<Vec3> obstacle_positions(double time) const;
  std::vector<Vec3> obstacle_velocities(const State& state) const;
  long searches() const { return searches_; }
  double work_seconds() const { return work_.seconds(); }

 private:
  struct Primitive;  ///< feature data that ranks send each other
  class BroadPhase;  ///< one search by boxes
  struct Paths;      ///< positions at both ends of straight paths
  /// What a search has found, and where.
  struct Found {
    std::shared_ptr<const NearbyFeatures> nearby;
    Field at;                     ///< positions of vertices [m]
    std::vector<Vec3> obstacles;  ///< positions of the points of obstacles [m]
    double margin;                ///< how much nearer than at these positions a pair may come to be within reach [m]
  };

  std::shared_ptr<const NearbyFeatures> search(const Paths& paths, double inflation) const;
  std::shared_ptr<NearbyFeatures> everything_near(const Paths& paths, double inflation) const;
  std::shared_ptr<NearbyFeatures> near_at_rest() const;
  std::vector<Primitive> own_primitives(const Paths& paths, double inflation) const;
  Primitive primitive(int surface, std::span<const int> points, const Paths& paths, double inflation) const;
  void drop_neighbours(NearbyFeatures& found) const;
  /// The distance of the places of two features at which contact sets in [m].
  double reach_between(const NearbyFeature& a, const NearbyFeature& b) const;
  bool may_be_neighbours(const NearbyFeature& a, const NearbyFeature& b) const;
  /// Whether features of connected pieces that meet at a place at rest [m] are neighbours there: in one body everywhere, in two where they are attached.
  bool is_connected_near(const NearbyFeature& a, const NearbyFeature& b, const Vec3& place) const;
  /// A place of a surface at rest.
  struct RestPlace {
    Vec3 position;     ///< [m]
    Vec3 normal, rim;  ///< out of a face, and out of a shell's rim, of any length; otherwise zero
  };
  /// Whether features that are not far apart at rest lie beside each other along a surface, or on two sides of a solid, so that compression alone brings them
  /// nearer.
  bool are_beside_each_other(const NearbyFeature& a, const NearbyFeature& b, const RestPlace& one, const RestPlace& other) const;
  std::optional<bool> are_neighbours_along_rod(const NearbyFeatures& found, const NearbyFeature& a, const NearbyFeature& b) const;
  double moved(const Field& from, const std::vector<Vec3>& obstacles, const State& to) const;
  bool suffices(const std::optional<Found>& found, const State& state) const;
  Found search_around(const State& state, double margin) const;
  double margin_after(double distance) const;

  static constexpr double kAtRest = 1.05;     ///< in multiples of the reach: neighbouring places that are nearer to each other at rest do not touch
  static constexpr double kAtAttachment = 2;  ///< in multiples of the reach: places of two bodies are neighbours so far from where one carries the other

  std::shared_ptr<const Halo> halo_;
  std::vector<ContactSurface> surfaces_;
  SurfacePairs pairs_;
  RestShape rest_;
  Driven driven_;
  double thickness_;
  double reach_;  ///< the largest distance that matters, without the offsets of obstacles [m]
  double mean_edge_ = std::numeric_limits<double>::infinity();
  std::vector<int> first_point_;  ///< index of each surface's first point among the points of obstacles
  int obstacle_points_ = 0;
  std::vector<int> watched_;
  std::optional<Found> last_, ahead_;  ///< of update(), and of a path that the last one does not suffice for
  std::shared_ptr<const NearbyFeatures> nearby_;
  long searches_ = 0;
  mutable WorkClock work_;
};

}  // namespace traction
