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

namespace traction {

// A pair is far or close. Of a close one, layers 1 to n are active, each with a clock; that layer n + 1 is not needed before a time is certified by a slab
// between the two features (or by the distance from a wall), which is measured again whenever a velocity of its points changes. Far pairs are certified by what
// their points do by course: a point's course is a uniform motion from which it stays within a tolerance, and that is certified too, so that small oscillations
// change nothing. The same courses bound the boxes of the broad phase. So a gap is above the thickness of some layer at every moment: nothing passes through
// anything.
//
// All of this begins anew with each window of time and depends on nothing but the state there: a restarted run takes the same events.
class LayeredContact {
 public:
  // Events have the numbers from `first_event` on. Everything that is referred to outlives this.
  LayeredContact(ContactSetup setup, MovingVertices& vertices, int vertex_count, EventQueue& queue, int first_event);

  // What lies closer than a layer, or passes through something, where the vertices are. `text`: a sentence without its end.
  struct Fault {
    std::string text, remedy;
    int law = 0;
  };
  std::optional<Fault> fault_at_start(double time);

  // Lets obstacles move until the end of a row of the history, and starts its sums.
  void begin_row(double start, double end);
  // The number of windows into which a row should be divided at the present velocities.
  int windows_of_row(double start, double end) const;
  void begin_window(double start, double end);
  void take_event(int event, double time);
  // Velocities of these vertices have changed.
  void after_kicks(std::span<const int> vertices, double time);

  struct Counts {
    long layers = 0, certificates = 0, courses = 0;  // events: of layers, of pairs' certificates, of points that leave their course
    long pairs = 0, close = 0;                       // candidates of the last window, and those that were close in it
  };
  const Counts& counts() const { return counts_; }
  double lost_by_restitution() const { return lost_by_restitution_; }  // since begin_row() [J]
  double lost_by_friction() const { return lost_by_friction_; }        // the same [J]
  struct Summary {                                                     // for one law at a time
    double energy = 0;                                                 // [J]
    double least_gap = EventQueue::kNever;                             // close pairs' least [m]
    long pairs = 0;                                                    // within their first layer
    int layers = 0;                                                    // most of one pair
    Vec3 force = Vec3::Zero();                                         // mean on the contact's first side since begin_row() [N]
  };
  std::vector<Summary> summaries(double time) const;
  const ContactSetup& setup() const { return setup_; }
  // What contact has given to each vertex since begin_row() [N s].
  const std::vector<Vec3>& impulses_on_vertices() const { return impulses_on_vertices_; }

 private:
  struct Pair {
    PairKind kind = PairKind::vertex_triangle;
    std::array<int, 4> points{};  // with a wall: the first alone
    int law = 0, wall = -1;       // wall: -1 for none
    double offset = 0, side = 0;
    double mass = 0;  // effective, the least that any place on both sides may have [kg]
    bool close = false;
    double certified = 0;        // until when layer ticks.size() + 1, or for far pairs contact at all, is not needed [s]
    Vec3 normal = Vec3::Zero();  // across the slab
    std::vector<long> ticks;     // for each active layer: the number of its next event

    int size() const { return kind == PairKind::vertex_wall ? 1 : 4; }
    int layers() const { return static_cast<int>(ticks.size()); }
  };
  struct Course {  // a point's
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
    double start = 0;
    Vec3 at(double time) const { return place + (time - start) * velocity; }
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
  void certify_far(int number, double time);
  void make_close(int number, double time);
  void make_far(int number, double time);
  void certify_close(int number, double time);
  void renew(int number, double time);
  void act(int number, int layer, double time);
  void schedule(int number);
  Approach approach(const Pair& pair, const FourPoints& x) const;
  FourPoints positions(const Pair& pair, double time) const;
  FourPoints velocities(const Pair& pair) const;
  double certified_time(const Pair& pair, const FourPoints& x, const FourPoints& v, double distance, double time) const;
  std::string name_of_point(int point, double time) const;
  std::string name_of_other(const Pair& pair, double time) const;

  ContactSetup setup_;
  ContactPoints points_;
  EventQueue& queue_;
  int first_event_;
  CandidateSearch search_;
  double reach_ = 0;      // the most that a contact reaches: its thickness and both offsets [m]
  double tolerance_ = 0;  // how far a vertex may be from its course [m]
  double mean_edge_ = 0;  // [m]
  double window_end_ = 0, row_start_ = 0;
  std::vector<Pair> pairs_;
  std::vector<Course> courses_;
  std::vector<char> touches_;                        // whether a point may touch anything
  std::vector<std::vector<int>> far_of_, close_of_;  // pairs of each point
  std::vector<int> changed_;                         // pairs, while kicks are dealt with
  std::vector<Vec3> impulses_on_vertices_;
  std::vector<Vec3> impulses_;  // on the first side of each law's contact, since begin_row() [N s]
  Counts counts_;
  double lost_by_restitution_ = 0, lost_by_friction_ = 0;
};

}  // namespace traction
