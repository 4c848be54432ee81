// Springs and dampers between two points of bodies, or a point and a place that stays (docs/theory/balance.md, "Gravity and springs").
#pragma once

#include <mpi.h>

#include <vector>

#include "system/force.h"

namespace traction {

/// The vector from its second end to its first is e = sum of w_a q_a - p. A stretched spring pulls the first end by -F and the second by F:
///   F = (k (|e| - l) + c n.e') n,  n = e/|e|;  with l = 0 the ends may meet, where n is undefined, and  F = k e + c e'
struct SpringDamper {
  std::vector<int> vertices;    ///< vertices that this rank owns, each once
  std::vector<double> weights;  ///< w of these; over all ranks those of the first end sum to 1, and those of the second, if it is on a body, to -1
  Vec3 anchor = Vec3::Zero();   ///< p, the place of a second end that does not move [m]
  double stiffness = 0;         ///< k [N/m]
  double damping = 0;           ///< c [N s/m]
  double rest_length = 0;       ///< l [m]

  /// F for e [m] and its rate [m/s]  [N]; not a number where l > 0 and e = 0.
  template <typename T>
  Vector3<T> force(const Vector3<T>& e, const Vector3<T>& rate) const;
  double energy(const Vec3& e) const;  ///< [J]
};

/// All springs of a scene, so that their ends take one reduction. Products are exact; preconditioners know each spring by three terms of rank one.
class SpringDampers : public Force, private Assembly, private SeparateTerms {
 public:
  /// `springs`: the same number in the same order on all ranks of the communicator.
  SpringDampers(MPI_Comm communicator, std::vector<SpringDamper> springs) : communicator_(communicator), springs_(std::move(springs)) {}

  /// Length and force of one spring.
  struct Reading {
    double length = 0;  ///< |e| [m]
    double force = 0;   ///< F.n, positive if it pulls [N]; |F| if n is undefined
  };
  std::vector<Reading> readings(const State& state) const;  ///< @collective

  void linearize(const Linearization& at) override;
  void add_force(const State& state, Zone zone, Field& force) const override;
  void add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const override;
  const Assembly* assembly() const override { return this; }
  void add_blocks(const Linearization&, BlockMatrix&) const override {}
  void add_product_beyond_blocks(const Linearization& at, const State& direction, Zone zone, Field& change) const override {
    add_product(at, direction, zone, change);
  }
  int rank_one_terms() const override { return 3 * static_cast<int>(springs_.size()); }
  void add_rank_one_terms(const Linearization& at, std::vector<RankOneTerm>& terms) const override;
  double energy(const State& state) const override;
  std::string energy_name() const override { return "spring"; }
  std::string work_name() const override;
  std::vector<std::span<const int>> joined() const override {
    std::vector<std::span<const int>> ends;
    for (const SpringDamper& spring : springs_) ends.emplace_back(spring.vertices);
    return ends;
  }
  const SeparateTerms* terms() const override { return this; }

 private:
  int count() const override { return static_cast<int>(springs_.size()); }
  std::vector<int> stencil(int term) const override { return springs_[static_cast<std::size_t>(term)].vertices; }
  void forces(int term, const State& state, std::span<Vec3> forces) const override;
  struct Ends {  // the ends of one spring
    Vec3 e, rate;
  };
  /// The sums of w_a q_a and w_a v_a, without anchors: those of a state, or of a direction. @collective
  std::vector<Ends> sums(const State& state) const;
  Ends own_sum(const SpringDamper& spring, const State& state) const;  ///< this rank's part of one of them
  std::vector<Ends> ends(const State& state) const;                    ///< with them
  void pull(const SpringDamper& spring, const Vec3& F, Field& force) const {
    for (std::size_t k = 0; k < spring.vertices.size(); ++k) force[spring.vertices[k]] -= spring.weights[k] * F;
  }

  struct Derivative {  // derivatives of F at the last linearization
    Mat3 by_position, by_velocity;
  };

  MPI_Comm communicator_;
  std::vector<SpringDamper> springs_;
  std::vector<Derivative> derivatives_;
};

template <typename T>
Vector3<T> SpringDamper::force(const Vector3<T>& e, const Vector3<T>& rate) const {
  using std::sqrt;
  if (rest_length == 0) return e * T(stiffness) + rate * T(damping);
  const T length = sqrt(e.dot(e)), inverse = T(1.0) / length;
  const T tension = (length - rest_length) * stiffness + e.dot(rate) * inverse * damping;
  return e * T(tension * inverse);
}

}  // namespace traction
