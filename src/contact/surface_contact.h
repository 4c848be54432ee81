// Frictional contact of a body's surface vertices with an analytic obstacle, still or moving.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/contact.h"

namespace traction {

class SurfaceContact : public Contact {
 public:
  // `vertices`: owned vertices of the contact surface. `motion`: of the obstacle.
  SurfaceContact(MPI_Comm communicator, std::string name, std::vector<int> vertices, std::vector<GapFunction> surfaces,
                 std::optional<MotionSettings> motion, ContactLaw law);

  ContactSummary summarize(const State& state) override;
  void add_vertex_forces(const State& state, Field& normal_force, Field& total_force) override;

  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const State& state, const State& direction, Zone zone, Field& change) const override;
  void add_blocks(const State& state, double dq, double dv, BlockMatrix& matrix) const override;
  double energy(const State& state) const override;

 private:
  Pose pose_at(double time) const { return motion_ ? Pose(*motion_, time) : Pose(); }

  MPI_Comm communicator_;
  std::vector<int> vertices_;
  std::vector<GapFunction> surfaces_;
  std::optional<MotionSettings> motion_;
};

}  // namespace traction
