// Contact by nested layers with a clock each, and the certificates that keep inactive ones out of the queue (docs/theory/asynchronous.md, "Certificates").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asynchronous/candidate_search.h"
#include "asynchronous/clocks.h"
#include "asynchronous/contact_points.h"
#include "asynchronous/event_queue.h"
#include "asynchronous/knowledge.h"

namespace traction {

/// A pair is far or close. In a close pair layers 1 to n are active, each with a clock. A slab between the two features, or the distance from a wall, certifies
/// that layer n + 1 is not needed before some time; it is measured again whenever the velocity of one of the points leaves its range. Far pairs are certified
/// by the courses of their points. A course is a uniform motion from which the point stays within a tolerance, which is certified too, so small oscillations
/// change nothing. The same courses bound the boxes of the broad phase. So a gap is above the thickness of some layer at every moment: nothing passes through
/// anything.
///
/// What is certified decides which layers are looked at, and leaves no trace in positions and velocities: a restarted run, which certifies anew, has the same
/// states.
///
/// Where ranks share the events, each has the pairs of the vertices in its share. Courses are those of all ranks and change between spans. A pair with an
/// unknown vertex is in doubt: it is not computed, and from the first moment at which it could act its other vertices are unknown, too.
class LayeredContact {
 public:
  /// Events have the numbers from `first_event` on. Everything that is referred to outlives this.
  LayeredContact(ContactSetup setup, MovingVertices& vertices, int vertex_count, EventQueue& queue, int first_event, Knowledge& knowledge);

  /// Something that, at the present positions, lies closer than a layer or passes through something else. `text`: a sentence without its end.
  struct Fault {
    std::string text, remedy;
    int law = 0;
  };
  std::optional<Fault> fault_at_start(double time);

  /// Starts the sums of a row of the history.
  void begin_row(double start);
  /// Lets obstacles move uniformly from one time until another, between windows.
  void move_obstacles(double start, double end) { points_.move_obstacles(start, end); }
  /// How long a window should be at the present velocities [s]; infinite if nothing moves.
  double window_length() const;
  bool has_moving_obstacles() const;
  /// Finds what may come near each other in a window of time; then begins it, with the pairs that have vertices in the rank's share.
  void find_candidates(double start, double end);
  void begin_window(double start, double end);
  void take_event(int event, double time);
  /// Called after velocities of these vertices have changed.
  void after_kicks(std::span<const int> vertices, double time);
  /// Sums the row's sums and summaries over all ranks. @collective
  void end_row(double end, MPI_Comm communicator);

  /// Where ranks share the events: candidates that are near each other now, each as its four points.
  std::vector<std::array<int, 4>> near_candidates(double now) const;
  /// Begins a span. `velocities` at its start must outlive it.
  void begin_span(double now, const Field& velocities);
  /// Called when a vertex becomes unknown.
  void after_loss(int vertex, double time);
  /// Called when all vertices of the share are known again; `lost` were unknown.
  void end_span(double end, std::span<const int> lost);
  /// Whether a vertex that this rank owns should have a new course. If any rank has one, all ranks begin new courses, for which they must know all vertices.
  bool leaves_course(double time) const;
  void renew_courses(double time);
  /// Vertices of the rank's pairs that are not in its share.
  const std::vector<int>& outside() const { return outside_; }
  /// Restores everything to the start of the span.
  void repeat_span(double start);
  /// Agrees on the amount by which a velocity may change within a span from now on: more than any has changed since the last call. @collective
  void agree_on_changes(MPI_Comm communicator);

  /// The numbers of events so far.
  struct Counts {
    /// Numbers of events of layers, of pairs' certificates (counted on each rank that has the pair), and of points that leave their course.
    long layers = 0, certificates = 0, courses = 0;
  };
  const Counts& counts() const { return sums_.counts; }
  double lost_by_restitution() const { return sums_.lost_by_restitution; }  ///< since begin_row() [J]
  double lost_by_friction() const { return sums_.lost_by_friction; }        ///< the same [J]
  /// The numbers that the history has for one contact.
  struct Summary {
    double energy = 0;                      ///< [J]
    double least_gap = EventQueue::kNever;  ///< least gap of close pairs [m]
    long pairs = 0;                         ///< number of pairs within their first layer
    int layers = 0;                         ///< largest number of layers of one pair
    Vec3 force = Vec3::Zero();              ///< mean on the contact's first side in the row [N]
  };
  const std::vector<Summary>& summaries() const { return summaries_; }  ///< at the end of the last row, one for each law
  const ContactSetup& setup() const { return setup_; }
  /// The impulse that contact has given to each vertex since begin_row() [N s].
  const std::vector<Vec3>& impulses_on_vertices() const { return sums_.on_vertices; }

 private:
  struct Pair {
    PairKind kind = PairKind::vertex_triangle;
    std::array<int, 4> points{};  ///< with a wall: the first alone
    int law = 0, wall = -1;       ///< wall: -1 for none
    std::uint64_t key = 0;        ///< orders events at the same time
    double offset = 0, side = 0;
    double mass = 0;  ///< the least effective mass of any place on both sides [kg]
    bool close = false;
    double certified = 0;        ///< until when layer ticks.size() + 1, or for far pairs contact at all, is not needed [s]
    Vec3 normal = Vec3::Zero();  ///< across the slab
    std::vector<long> ticks;     ///< for each active layer: the number of its next event

    int size() const { return kind == PairKind::vertex_wall ? 1 : 4; }
    int layers() const { return static_cast<int>(ticks.size()); }
  };
  struct Course {  // a point's
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
    double start = 0;
    Vec3 at(double time) const { return place + (time - start) * velocity; }
  };
  struct VelocityRange {  // a point's, for close pairs
    Vec3 center = Vec3::Zero();
    double radius = 0;  ///< [m/s]
  };
  struct Sums {  // since begin_row()
    Counts counts;
    double lost_by_restitution = 0, lost_by_friction = 0;  ///< [J]
    std::vector<Vec3> on_vertices;                         ///< [N s]
    std::vector<Vec3> on_first_sides;                      ///< for each law's contact [N s]
  };
  struct Approach {
    double distance;
    Vec3 normal;
    std::array<double, 4> weights;
  };

  const LayeredLaw& law(const Pair& pair) const { return setup_.laws[static_cast<std::size_t>(pair.law)]; }
  double tolerance(int point) const { return points_.is_vertex(point) ? tolerance_ : 0; }
  double step(const Pair& pair, int layer) const { return law(pair).step(layer, pair.mass); }
  Clock clock(const Pair& pair, int layer) const { return {step(pair, layer), pair.ticks[static_cast<std::size_t>(layer - 1)]}; }
  int event_of(int pair) const { return first_event_ + points_.count() + pair; }

  BoundingBox box_of(int point) const;
  Pair pair_of(const Candidate& candidate) const;
  Pair pair_of(int wall, int vertex) const;
  void add_pair(Pair pair, double time);
  bool immobile(const Pair& pair) const;
  double effective_mass(const Pair& pair) const;
  void begin_course(int point, double time);
  void schedule_course(int point, double time, bool only_earlier);
  void leave_course(int point, double time);
  void change_course(int point, double time);
  void look_at_change(int vertex, double time);
  bool should_leave_course(int point, double time) const;
  void certify_far(int number, double time);
  void make_close(int number, double time);
  void make_far(int number, double time);
  void certify_close(int number, double time);
  void renew(int number, double time);
  void act(int number, int layer, double time);
  void schedule(int number);
  bool is_unknown(int point, double time) const { return points_.is_vertex(point) && knowledge_.until(point) <= time; }
  bool is_in_doubt(const Pair& pair, double time) const;
  void doubt(int number, double time);
  void lose(int number, double time);
  void revive(int number, double time);
  bool is_in_share(const Pair& pair) const;
  /// Whether this rank counts the pair's events and impulses, as the owner of its first vertex does.
  bool counts_here(const Pair& pair) const;
  std::vector<Summary> summarize(double time, double row) const;
  Approach approach(const Pair& pair, const PairVectors& x) const;
  PairVectors positions(const Pair& pair, double time) const;
  PairVectors velocities(const Pair& pair) const;
  double certified_time(const Pair& pair, const PairVectors& x, const PairVectors& v, const std::array<double, 4>& spread, double distance, double time) const;
  double certified_time(const Pair& pair, const PairVectors& x, double distance, double time) const;
  bool stays_in_range(int point);
  void narrow_range(int point);
  std::string name_of_point(int point, double time) const;
  std::string name_of_other(const Pair& pair, double time) const;

  ContactSetup setup_;
  ContactPoints points_;
  EventQueue& queue_;
  Knowledge& knowledge_;
  int first_event_;
  CandidateSearch search_;
  double reach_ = 0;      ///< largest reach of any contact: its thickness and both offsets [m]
  double tolerance_ = 0;  ///< how far a vertex may be from its course [m]
  double mean_edge_ = 0;  ///< [m]
  double window_end_ = 0, row_start_ = 0;
  std::vector<Pair> candidates_, pairs_;  ///< candidates: between find_candidates() and begin_window()
  std::vector<Course> courses_;
  std::vector<VelocityRange> ranges_;
  std::vector<char> touches_;                        ///< whether a point may touch anything
  std::vector<std::vector<int>> far_of_, close_of_;  ///< pairs of each point
  std::vector<int> changed_;                         ///< pairs, while kicks are dealt with
  Sums sums_;
  std::vector<Summary> summaries_;

  /// Ranks that share the events.
  Sums sums_at_start_of_span_;
  double start_of_span_ = 0;
  const Field* velocities_at_start_ = nullptr;  ///< velocities at the span's start; null: this rank has all events
  bool in_span_ = false;
  std::vector<int> outside_;                        ///< vertices of pairs that are not in the rank's share
  std::vector<int> made_far_;                       ///< pairs, in the span
  double allowed_change_ = 0, largest_change_ = 0;  ///< changes of velocities in a span [m/s]
};

}  // namespace traction
