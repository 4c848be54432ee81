// Pairs of surface vertices and the smooth implicit surface of a deforming mesh: another body's or the same body's, on whatever ranks they live.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contact/contact_law.h"
#include "contact/implicit_surface.h"
#include "contact/pair_search.h"

namespace traction {

// A vertex, the first point, and the corners of the triangles near it: see contact_law.h.
template <typename T>
class SurfaceSample {
 public:
  SurfaceSample(const ImplicitSurface& surface, std::span<const Vector3<T>> x) : sample_(surface, x[0], as_corners<T>(x.subspan(1))) {}

  bool within_reach() const { return sample_.within_reach(); }
  const T& gap() const { return sample_.gap(); }
  const Vector3<T>& gradient() const { return sample_.gradient(); }
  void add_gap_gradient(const T& factor, std::span<Vector3<T>> forces) const {
    forces[0] += sample_.gradient() * factor;
    sample_.add_gap_gradient(factor, as_corners<T>(forces.subspan(1)));
  }
  template <typename U, typename Frame>
  Vector3<U> relative_velocity(std::span<const Vector3<U>> v, const Frame&) const {
    return v[0] - sample_.template velocity<U>(as_corners<U>(v.subspan(1)));
  }
  template <typename U>
  void add_velocity_transpose(const Vector3<U>& force, std::span<Vector3<U>> forces) const {
    forces[0] += force;
    sample_.template add_velocity_transpose<U>(-force, as_corners<U>(forces.subspan(1)));
  }
  template <typename Action>
  void for_each_share(Action action) const {
    action(0, 1.0);
    sample_.for_each_corner([&](std::size_t triangle, int corner, double share) { action(1 + 3 * triangle + static_cast<std::size_t>(corner), share); });
  }

 private:
  ImplicitSurfaceSample<T> sample_;
};

// A family of pairs: see pair_force.h. There is a pair for each vertex; its other points are the corners of the triangles near it. The owner of the vertex
// evaluates the contact; forces on the surface's vertices go back to their owners, and balance those on the vertex, in sum and moment, contact by contact.
class VertexSurface {
 public:
  static constexpr bool touches_mesh = true;
  template <typename T>
  using Sample = SurfaceSample<T>;
  struct Frame {};  // nothing else moves

  using Search = PairSearch<1, 3>;

  // `two_sided`: a vertex stays on the side of the surface where it is at the start of a step; otherwise on that of the normals.
  // `weights`: of the searched vertices.
  VertexSurface(std::shared_ptr<const Halo> halo, ImplicitSurface surface, bool two_sided, Search search, std::vector<PairWeight> weights);

  class Surroundings {  // the surface near this rank at one state
   public:
    Frame frame;
    Field q, v;  // of the copies

    std::size_t count() const { return family_->count(); }
    std::uint64_t key(std::size_t k) const { return k; }
    bool near(std::size_t k) const { return !nearby_->near(k).empty(); }
    // The vertex and the corners of the triangles near it, in an order that puts the triangle's normal on the vertex's side.
    std::span<const int> points(std::size_t k, std::vector<int>& buffer) const;
    int first_side(std::size_t) const { return 1; }
    double side(std::size_t) const { return 1; }
    PairWeight weight(std::size_t k) const { return family_->weights_[k]; }
    int owned() const { return family_->halo_->owned(); }
    int copies() const { return nearby_->copies().count(); }
    Field copies_of(const Field& field) const;
    void add_back(const Field& reactions, Field& force) const { nearby_->copies().add_back(reactions.values(), force.values()); }
    PetscInt global_of(int point) const { return point < owned() ? family_->halo_->to_global(point) : nearby_->to_global(point - owned()); }
    int vertex_of(int point) const {
      const PetscInt vertex = global_of(point) - family_->halo_->first_owned();
      return vertex >= 0 && vertex < owned() ? static_cast<int>(vertex) : -1;
    }
    template <typename T>
    SurfaceSample<T> sample(std::size_t, std::span<const Vector3<T>> x) const {
      return {family_->surface_, x};
    }

   private:
    friend class VertexSurface;
    explicit Surroundings(const VertexSurface& family) : family_(&family), nearby_(family.search_.nearby()) {}

    const VertexSurface* family_;
    std::shared_ptr<const Search::Nearby> nearby_;
  };

  MPI_Comm communicator() const { return halo_->communicator(); }
  void begin_step(const State& state);
  void prepare(const State& state) { update(state.q); }
  double work_seconds() const { return work_.seconds() + search_.work_seconds(); }
  Frame frame_at(double) const { return {}; }
  Surroundings surroundings(const State& state) const;
  bool bounds_steps(const ContactLaw& law) const { return law.potential == ContactPotential::log_barrier; }
  bool is_clear(const ContactLaw&, const State&, const State&) const { return true; }
  std::optional<double> admissible_part(const ContactLaw& law, const State& state, const Field& displacement);

  const Search& search() const { return search_; }

 private:
  std::size_t count() const { return search_.queries().size(); }
  int vertex(std::size_t k) const { return search_.queries()[k][0]; }
  void update(const Field& positions);
  void find_sides(const Field& positions);
  // The gap of each vertex; infinite where the surface is out of reach. Searches anew where vertices have moved far.
  std::vector<double> gaps_at(const Field& positions, double offset);

  std::shared_ptr<const Halo> halo_;
  ImplicitSurface surface_;
  bool two_sided_;
  Search search_;
  std::vector<PairWeight> weights_;
  // The side of each vertex if two-sided: 1 where normals point to, -1, or 0 where nothing was within reach since the start of the step.
  std::vector<signed char> sides_;
  Field start_;  // positions there, if two-sided
  WorkClock work_;
};

}  // namespace traction
