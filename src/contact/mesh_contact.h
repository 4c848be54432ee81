// Frictional contact of surface vertices with the smooth implicit surface of a deforming mesh: another body's or the same body's, on whatever ranks they live.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/contact.h"
#include "contact/contact_candidates.h"
#include "contact/friction_directions.h"
#include "contact/implicit_surface.h"

namespace traction {

// One direction: vertices against a surface. The owner of the vertex evaluates the contact; forces on the surface's vertices go back to their owners, and
// balance those on the vertex, in sum and moment, contact by contact.
class MeshContact : public Contact {
 public:
  // `two_sided`: a vertex stays on the side of the surface where it is at the start of a step; otherwise on that of the normals.
  MeshContact(std::shared_ptr<const Halo> halo, std::string name, ContactLaw law, ImplicitSurface surface, bool two_sided, ContactCandidates candidates);

  void prepare(const State& state) override;  // searches anew where vertices have moved far
  void linearize(const State& state) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const State& state, const State& direction, Zone zone, Field& change) const override;
  // As if each vertex touched the weighted mean of a few corners of the surface.
  void add_couplings(const State& state, double dq, double dv, std::vector<Coupling>& couplings) const override;
  double energy(const State& state) const override;
  std::optional<double> admissible_part(const State& state, const Field& displacement) override;
  ContactSummary summarize(const State& state) override;
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) override;
  void begin_step(const State& state) override;
  void lag_friction(const State& state) override;
  std::vector<ContactPoint> points(const State& state) const override;
  double work_seconds() const override { return Contact::work_seconds() + candidates_.work_seconds(); }

  const ContactCandidates& candidates() const { return candidates_; }

 private:
  struct Neighbourhood {  // the surface near this rank at one state
    std::shared_ptr<const NearbyTriangles> nearby;
    Field q, v;  // of nearby->copies()
  };
  // The candidates of one vertex.
  struct Candidates {
    const NearbyTriangles& nearby;
    std::span<const int> numbers;  // of its triangles
    bool turned;                   // the vertex is on the side that their normals point away from

    std::size_t size() const { return numbers.size(); }
    bool empty() const { return numbers.empty(); }
    // A triangle's corners, as numbers of copies; its normal is on the side of the vertex.
    std::array<int, 3> operator[](std::size_t i) const {
      const std::array<int, 3>& corners = nearby.triangles()[numbers[i]];
      return turned ? std::array{corners[0], corners[2], corners[1]} : corners;
    }
    Corners<double> corners(const Field& copies, std::size_t i) const {
      const std::array<int, 3> corner = (*this)[i];
      return {copies[corner[0]], copies[corner[1]], copies[corner[2]]};
    }
  };
  Candidates candidates_of(std::size_t k, const NearbyTriangles& nearby) const;
  void find_sides(const Field& positions);
  Neighbourhood neighbourhood(const State& state) const;
  template <typename Action>
  void for_each_contact(const State& state, const Neighbourhood& near, Action action) const;
  template <typename Action>
  void for_each_active(Action action) const;
  // Lagged friction at velocities v of this rank's vertices and `copies` of the surface's: action(k, friction on vertex k, its candidates, reactions on them).
  template <typename T, typename VertexVelocity, typename CopyVelocity, typename Action>
  void for_each_lagged(VertexVelocity velocity_of_vertex, CopyVelocity velocity_of_copy, Action action) const;

  template <typename Action>
  void add_lagged_friction(const State& state, Action action, Field* reactions = nullptr) const;

  std::shared_ptr<const Halo> halo_;
  ImplicitSurface surface_;
  bool two_sided_;
  ContactCandidates candidates_;
  std::vector<signed char>
      sides_;    // of each vertex if two-sided: 1 where normals point to, -1, or 0 where nothing was within reach since the start of the step
  Field start_;  // positions there, if two-sided
  std::vector<std::size_t> active_;  // vertices in contact at the last linearize, into candidates().vertices()
  Neighbourhood linearized_;
  Neighbourhood lagged_;                // where lagged friction has its normal forces from
  std::vector<Vec3> lagged_positions_;  // of the vertices
  FrictionDirections directions_;       // of each vertex
};

}  // namespace traction
