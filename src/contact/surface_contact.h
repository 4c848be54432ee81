// Frictional contact of a body's surface vertices with an analytic obstacle, still or moving.
#pragma once

#include <string>
#include <vector>

#include "contact/contact.h"
#include "contact/friction_directions.h"

namespace traction {

class SurfaceContact : public Contact {
 public:
  // `vertices`: owned vertices of the contact surface. `motion`: of the obstacle.
  SurfaceContact(MPI_Comm communicator, std::string name, std::vector<int> vertices, std::vector<GapFunction> surfaces, Motion motion, ContactLaw law);

  ContactSummary summarize(const State& state) override;
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) override;
  void lag_friction(const State& state) override;
  std::vector<ContactPoint> points(const State& state) const override;

  void linearize(const State& state) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const State& state, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const State& state, double dq, double dv, BlockMatrix& matrix) const override;
  void add_product_beyond_blocks(const State&, const State&, Zone, Field&) const override {}
  double energy(const State& state) const override;
  std::optional<double> admissible_part(const State& state, const Field& displacement) override;

 private:
  Pose pose_at(double time) const { return Pose(motion_, time); }
  // Of the k-th vertex at x with velocity v, with the s-th surface.
  template <typename T>
  ContactForce<T> force_on(std::size_t k, std::size_t s, const Pose& pose, const ContactLaw& law, const Vector3<T>& x, const Vector3<T>& v) const;
  // Calls action(vertex, force) for every vertex and surface.
  template <typename Action>
  void for_each_contact(const State& state, Action action) const;

  MPI_Comm communicator_;
  std::vector<int> vertices_;
  std::vector<GapFunction> surfaces_;
  Motion motion_;
  std::vector<Vec3> lagged_positions_;  // of the vertices, for lagged friction
  Pose lagged_pose_;
  FrictionDirections directions_;  // of each vertex with each surface
};

}  // namespace traction
