// Frictional contact of a body's surface vertices with an analytic obstacle, still or moving.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/contact_kernel.h"
#include "system/force.h"

namespace traction {

// What contact adds to the history and the time loop's decisions; summed over ranks.
struct ContactSummary {
  double minimum_gap = 0;     // [m]; infinite without vertices
  long active = 0;            // vertices closer than the thickness (to each face of the inside of a box)
  Vec3 force = Vec3::Zero();  // total on the body [N]
};

class SurfaceContact : public Force {
 public:
  // `vertices`: owned vertices of the contact surface. `motion`: of the obstacle.
  SurfaceContact(MPI_Comm communicator, std::string name, std::vector<int> vertices, std::vector<GapFunction> surfaces,
                 std::optional<MotionSettings> motion, ContactLaw law);

  const std::string& name() const { return name_; }
  double stiffness() const { return law_.stiffness; }
  void set_stiffness(double stiffness) { law_.stiffness = stiffness; }
  double base_stiffness() const { return base_stiffness_; }
  double thickness() const { return law_.thickness; }

  ContactSummary summarize(const State& state) const;   // collective
  // Adds this contact's normal force to `normal_force` and its whole force to `total_force`, per vertex [N].
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) const;

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const State& state, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const State& state, double dq, double dv, BlockMatrix& matrix) const override;
  double energy(const State& state) const override;
  std::string energy_name() const override { return "contact"; }

 private:
  Pose pose_at(double time) const { return motion_ ? Pose(*motion_, time) : Pose(); }

  MPI_Comm communicator_;
  std::string name_;
  std::vector<int> vertices_;
  std::vector<GapFunction> surfaces_;
  std::optional<MotionSettings> motion_;
  ContactLaw law_;
  double base_stiffness_;
};

}  // namespace traction
