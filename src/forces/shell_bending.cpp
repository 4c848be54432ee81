#include "forces/shell_bending.h"

#include <algorithm>

#include "elements/dihedral_angle.h"
#include "elements/plastic_flow.h"

namespace traction {

namespace {

constexpr int kPatchVertices = 12;

std::array<Vec3, 4> at_hinge(const BendingHinge& hinge, const Field& field) {
  return {field[hinge.vertices[0]], field[hinge.vertices[1]], field[hinge.vertices[2]], field[hinge.vertices[3]]};
}

// The value and its derivative along a direction.
std::array<Vector3<Dual<double>>, 4> at_hinge(const BendingHinge& hinge, const Field& field, const Field& direction) {
  std::array<Vector3<Dual<double>>, 4> result;
  for (int a = 0; a < 4; ++a) result[a] = make_dual(field[hinge.vertices[a]], direction[hinge.vertices[a]]);
  return result;
}

// S turn of a patch.
template <typename T>
Vector3<T> total_strain(const BendingPatch& patch, const std::vector<T>& turns) {
  Vector3<T> strain(T(0.0), T(0.0), T(0.0));
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < BendingPatch::kHinges; ++k)
      if (patch.hinges[k] >= 0) strain[row] += turns[patch.hinges[k]] * patch.strains(row, k);
  return strain;
}

// The elastic strain of a patch before it yields.
template <typename T>
Vector3<T> trial_strain(const BendingPatch& patch, const std::vector<T>& turns) {
  Vector3<T> strain = total_strain(patch, turns);
  for (int row = 0; row < 3; ++row) strain[row] -= patch.flow[row];
  return strain;
}

Vec3 elastic_strain(const BendingPatch& patch, const std::vector<double>& turns) {
  if (!patch.yields()) return total_strain(patch, turns);
  const Vec3 trial = trial_strain(patch, turns);
  return trial - beyond_yield(trial, patch.yield);
}

double loss_of_flow(const BendingPatch& patch, const std::vector<double>& turns) {
  return patch.yields() ? patch.yield * beyond_yield(trial_strain(patch, turns), patch.yield).norm() : 0;
}

// The plastic strain of a patch after a step, or after an event of the patch.
Vec3 flow_after(const BendingPatch& patch, const std::vector<double>& turns) { return patch.flow + beyond_yield(trial_strain(patch, turns), patch.yield); }

// The moments at the hinges, from the turns of their angles, and from these with viscosity. T: double, or a dual number.
template <typename T>
std::vector<T> moments_of(const std::vector<BendingPatch>& patches, const std::vector<T>& turns, const std::vector<T>& viscous_turns) {
  std::vector<T> moments(turns.size(), T(0.0));
  for (const BendingPatch& patch : patches) {
    Vector3<T> strain = total_strain(patch, viscous_turns);
    if (patch.yields()) {
      const Vector3<T> beyond = beyond_yield(trial_strain(patch, turns), patch.yield);
      for (int row = 0; row < 3; ++row) {
        strain[row] -= patch.flow[row];
        strain[row] -= beyond[row];
      }
    }
    for (int row = 0; row < 3; ++row)
      for (int k = 0; k < BendingPatch::kHinges; ++k)
        if (patch.hinges[k] >= 0) moments[patch.hinges[k]] += strain[row] * patch.strains(row, k);
  }
  return moments;
}

// Calls action(hinge, forces on its vertices). `positions(hinge)` and `velocities(hinge)` are those of its vertices.
template <typename T, typename Positions, typename Velocities, typename Action>
void for_each_hinge_force(const std::vector<BendingHinge>& hinges, const std::vector<BendingPatch>& patches, double viscous_time, const Positions& positions,
                          const Velocities& velocities, const Action& action) {
  std::vector<DihedralAngle<T>> angles;
  std::vector<T> turns, viscous_turns;
  angles.reserve(hinges.size());
  turns.reserve(hinges.size());
  for (const BendingHinge& hinge : hinges) {
    const DihedralAngle<T>& angle = angles.emplace_back(positions(hinge));
    turns.push_back(angle.angle - hinge.rest_angle);
    if (viscous_time == 0) continue;
    const auto v = velocities(hinge);
    T rate(0.0);
    for (int a = 1; a < 4; ++a) rate += angle.gradients[a].dot(v[a] - v[0]);
    viscous_turns.push_back(turns.back() + rate * viscous_time);
  }
  const std::vector<T> moments = moments_of(patches, turns, viscous_time == 0 ? turns : viscous_turns);
  for (std::size_t h = 0; h < hinges.size(); ++h) {
    std::array<Vector3<T>, 4> forces;
    for (int a = 0; a < 4; ++a) forces[a] = angles[h].gradients[a] * -moments[h];
    action(hinges[h], forces);
  }
}

// The gradient in the positions of a patch's vertices of a sum over its hinges.
struct PatchGradients {
  std::array<int, kPatchVertices> vertices;
  int count = 0;
  Eigen::Matrix<double, 3, 3 *kPatchVertices> strain = decltype(strain)::Zero(), rate = decltype(rate)::Zero();  // gradients of S turn, and of S turn'

  int place(int vertex) {
    const auto end = vertices.begin() + count, found = std::find(vertices.begin(), end, vertex);
    if (found == end) vertices[count++] = vertex;
    return static_cast<int>(found - vertices.begin());
  }
};

using TwelveDual = Dual<double, 12>;

}  // namespace

ShellBending::ShellBending(const std::vector<BendingHinge>& hinges, const std::vector<BendingPatch>& patches, int vertices_owned, double viscous_time,
                           int slots)
    : viscous_time_(viscous_time), slots_(slots) {
  const auto is_interior = [&](const BendingPatch& patch) {
    return std::all_of(patch.hinges.begin(), patch.hinges.end(), [&](int h) {
      return h < 0 || std::all_of(hinges[h].vertices.begin(), hinges[h].vertices.end(), [&](int vertex) { return vertex < vertices_owned; });
    });
  };
  std::vector<int> numbers[2] = {std::vector<int>(hinges.size(), -1), std::vector<int>(hinges.size(), -1)};
  for (const BendingPatch& patch : patches) {
    const bool interior = is_interior(patch);
    Part& part = interior ? interior_ : boundary_;
    BendingPatch& added = part.patches.emplace_back(patch);
    for (int& h : added.hinges) {
      if (h < 0) continue;
      int& number = numbers[interior][h];
      if (number < 0) {
        number = static_cast<int>(part.hinges.size());
        part.hinges.push_back(hinges[h]);
      }
      h = number;
    }
  }
}

BendingPatch& ShellBending::patch(int term) {
  const std::size_t number = static_cast<std::size_t>(term), inside = interior_.patches.size();
  return number < inside ? interior_.patches[number] : boundary_.patches[number - inside];
}

ShellBending::Part ShellBending::part_of(int term) const {
  const bool inside = term < static_cast<int>(interior_.patches.size());
  const Part& from = inside ? interior_ : boundary_;
  Part result;
  BendingPatch& patch = result.patches.emplace_back(from.patches[static_cast<std::size_t>(inside ? term : term - static_cast<int>(interior_.patches.size()))]);
  for (int& h : patch.hinges) {
    if (h < 0) continue;
    result.hinges.push_back(from.hinges[h]);
    h = static_cast<int>(result.hinges.size()) - 1;
  }
  return result;
}

std::vector<int> ShellBending::stencil(int term) const {
  std::vector<int> vertices;
  for (const BendingHinge& hinge : part_of(term).hinges) vertices.insert(vertices.end(), hinge.vertices.begin(), hinge.vertices.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

void ShellBending::forces(int term, const State& state, std::span<Vec3> forces) const { forces_of(part_of(term), state, forces); }

double ShellBending::act(int term, const State& state, std::span<Vec3> forces) {
  const Part part = part_of(term);
  forces_of(part, state, forces);
  BendingPatch& own = patch(term);
  if (!own.yields()) return 0;
  const std::vector<double> turns = turns_of(part, state);
  own.flow = flow_after(part.patches.front(), turns);
  return loss_of_flow(part.patches.front(), turns);
}

std::span<double> ShellBending::memory(int term) {
  BendingPatch& own = patch(term);
  return own.yields() ? std::span<double>(own.flow.data(), 3) : std::span<double>();
}

void ShellBending::forces_of(const Part& part, const State& state, std::span<Vec3> forces) const {
  std::array<int, kPatchVertices> vertices;  // in ascending order, as in the stencil
  auto end = vertices.begin();
  for (const BendingHinge& hinge : part.hinges)
    for (const int vertex : hinge.vertices)
      if (std::find(vertices.begin(), end, vertex) == end) *end++ = vertex;
  std::sort(vertices.begin(), end);
  std::fill_n(forces.begin(), end - vertices.begin(), Vec3::Zero());
  for_each_hinge_force<double>(
      part.hinges, part.patches, viscous_time_, [&](const BendingHinge& hinge) { return at_hinge(hinge, state.q); },
      [&](const BendingHinge& hinge) { return at_hinge(hinge, state.v); },
      [&](const BendingHinge& hinge, const std::array<Vec3, 4>& on_hinge) {
        for (int a = 0; a < 4; ++a)
          forces[static_cast<std::size_t>(std::lower_bound(vertices.begin(), end, hinge.vertices[a]) - vertices.begin())] += on_hinge[a];
      });
}

void ShellBending::add_force(const State& state, Zone zone, Field& force) const {
  for_each_hinge_force<double>(
      part(zone).hinges, part(zone).patches, viscous_time_, [&](const BendingHinge& hinge) { return at_hinge(hinge, state.q); },
      [&](const BendingHinge& hinge) { return at_hinge(hinge, state.v); },
      [&](const BendingHinge& hinge, const std::array<Vec3, 4>& forces) {
        for (int a = 0; a < 4; ++a) force[hinge.vertices[a]] += forces[a];
      });
}

void ShellBending::add_product(const Linearization& at, const State& direction, Zone zone, Field& change) const {
  for_each_hinge_force<Dual<double>>(
      part(zone).hinges, part(zone).patches, viscous_time_, [&](const BendingHinge& hinge) { return at_hinge(hinge, at.state.q, direction.q); },
      [&](const BendingHinge& hinge) { return at_hinge(hinge, at.state.v, direction.v); },
      [&](const BendingHinge& hinge, const std::array<Vector3<Dual<double>>, 4>& forces) {
        for (int a = 0; a < 4; ++a) change[hinge.vertices[a]] += derivative_of(forces[a]);
      });
}

// With g and z the gradients of strain S turn and of its rate, the blocks of a patch are -g^T ((dq + beta dv) g + beta dq z), and those of a hinge are its
// moment times the second derivative of its angle.
void ShellBending::add_blocks(const Linearization& at, BlockMatrix& matrix) const {
  const bool symmetric = viscous_time_ == 0;
  if (!symmetric) matrix.make_general();
  const auto add = [&](int i, int j, const Mat3& block) {
    if (symmetric) matrix.add_symmetric(i, j, block);
    else matrix.add_general(i, j, block);
  };
  for (const Part* part : {&interior_, &boundary_}) {
    std::vector<DihedralAngle<Dual<double>>> angles;  // derivatives: over time
    std::vector<double> turns, viscous_turns;
    for (const BendingHinge& hinge : part->hinges) {
      const auto& angle = angles.emplace_back(at_hinge(hinge, at.state.q, at.state.v));
      turns.push_back(angle.angle.value - hinge.rest_angle);
      viscous_turns.push_back(angle.angle.value - hinge.rest_angle + viscous_time_ * angle.angle.derivative[0]);
    }
    for (const BendingPatch& patch : part->patches) {
      PatchGradients gradients;
      for (int k = 0; k < BendingPatch::kHinges; ++k) {
        if (patch.hinges[k] < 0) continue;
        for (int a = 0; a < 4; ++a) {
          const Vector3<Dual<double>>& gradient = angles[patch.hinges[k]].gradients[a];
          const int column = 3 * gradients.place(part->hinges[patch.hinges[k]].vertices[a]);
          for (int i = 0; i < 3; ++i) {
            gradients.strain.col(column + i) += patch.strains.col(k) * gradient[i].value;
            gradients.rate.col(column + i) += patch.strains.col(k) * gradient[i].derivative[0];
          }
        }
      }
      Eigen::Matrix<double, 3, 3 * kPatchVertices> change = gradients.strain * (at.dq + viscous_time_ * at.dv) + gradients.rate * (viscous_time_ * at.dq);
      if (patch.yields()) {
        const Vec3 trial = trial_strain(patch, turns);
        if (trial.norm() > patch.yield) change -= at.dq * (Mat3::Identity() - derivative_at_yield(trial, patch.yield)) * gradients.strain;
      }
      for (int a = 0; a < gradients.count; ++a)
        for (int b = 0; b < gradients.count; ++b)
          if (a != b) add(gradients.vertices[a], gradients.vertices[b], -gradients.strain.middleCols<3>(3 * a).transpose() * change.middleCols<3>(3 * b));
    }
    const std::vector<double> moments = moments_of(part->patches, turns, viscous_turns);
    for (std::size_t h = 0; h < part->hinges.size(); ++h) {
      const BendingHinge& hinge = part->hinges[h];
      std::array<Vector3<TwelveDual>, 4> x;
      for (int a = 0; a < 4; ++a)
        for (int i = 0; i < 3; ++i) {
          x[a][i] = TwelveDual(at.state.q[hinge.vertices[a]][i]);
          x[a][i].derivative[3 * a + i] = 1;
        }
      const DihedralAngle<TwelveDual> angle(x);
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
          if (a == b) continue;  // minus the sum of the others in its row, because the matrix multiplies differences
          Mat3 block;
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) block(i, k) = -at.dq * moments[h] * angle.gradients[a][i].derivative[3 * b + k];
          add(hinge.vertices[a], hinge.vertices[b], block);
        }
    }
  }
}

std::vector<double> ShellBending::turns_of(const Part& part, const State& state) {
  std::vector<double> turns;
  for (const BendingHinge& hinge : part.hinges) turns.push_back(DihedralAngle<double>(at_hinge(hinge, state.q)).angle - hinge.rest_angle);
  return turns;
}

double ShellBending::energy(const State& state) const {
  double total = 0;
  for (const Part* part : {&interior_, &boundary_}) {
    const std::vector<double> turns = turns_of(*part, state);
    for (const BendingPatch& patch : part->patches)
      if (patch.owned) total += 0.5 * elastic_strain(patch, turns).squaredNorm();
  }
  return total;
}

double ShellBending::flow_loss(const State& state) const {
  double total = 0;
  if (slots_ == 0) return total;
  for (const Part* part : {&interior_, &boundary_}) {
    const std::vector<double> turns = turns_of(*part, state);
    for (const BendingPatch& patch : part->patches)
      if (patch.owned) total += loss_of_flow(patch, turns);
  }
  return total;
}

std::map<int, Vec3> ShellBending::elastic_strains(const State& state) const {
  std::map<int, Vec3> strains;
  for (const Part* part : {&interior_, &boundary_}) {
    const std::vector<double> turns = turns_of(*part, state);
    for (const BendingPatch& patch : part->patches)
      if (patch.yields()) strains[patch.triangle] = elastic_strain(patch, turns);
  }
  return strains;
}

void ShellBending::commit(const State& accepted) {
  for (Part* part : {&interior_, &boundary_}) {
    const std::vector<double> turns = turns_of(*part, accepted);
    for (BendingPatch& patch : part->patches)
      if (patch.yields()) patch.flow = flow_after(patch, turns);
  }
}

void ShellBending::save(std::span<double> values) const {
  for (const Part* part : {&interior_, &boundary_})
    for (const BendingPatch& patch : part->patches)
      if (patch.yields()) std::copy_n(patch.flow.data(), 3, &values[place_of(patch)]);
}

void ShellBending::load(std::span<const double> values) {
  for (Part* part : {&interior_, &boundary_})
    for (BendingPatch& patch : part->patches)
      if (patch.yields()) std::copy_n(&values[place_of(patch)], 3, patch.flow.data());
}

}  // namespace traction
