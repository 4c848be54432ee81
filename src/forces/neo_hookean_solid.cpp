#include "forces/neo_hookean_solid.h"

namespace traction {

namespace {

using Dual9 = Dual<double, 9>;

// d vec(P) / d vec(F), 9x9, with vec(A)[3 i + j] = A(i, j).
Eigen::Matrix<double, 9, 9> material_tangent(const NeoHookean& material, const Mat3& F) {
  Matrix3<Dual9> seeded;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      seeded(i, j) = Dual9(F(i, j));
      seeded(i, j).derivative[3 * i + j] = 1;
    }
  const Matrix3<Dual9> stress = material.first_piola_stress(seeded);
  Eigen::Matrix<double, 9, 9> tangent;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 9; ++k) tangent(3 * i + j, k) = stress(i, j).derivative[k];
  return tangent;
}

Mat3 gradient_at(const SolidElement& element, const Field& q) {
  const auto& v = element.vertices;
  return deformation_gradient<double>(element, {q[v[0]], q[v[1]], q[v[2]], q[v[3]]});
}

}  // namespace

SolidElement::SolidElement(const std::array<int, 4>& element_vertices, const std::array<Vec3, 4>& rest, const NeoHookean& element_material)
    : vertices(element_vertices), material(element_material) {
  Mat3 shape;
  for (int a = 1; a < 4; ++a) shape.col(a - 1) = rest[a] - rest[0];
  inverse_rest_shape = shape.inverse();
  volume = shape.determinant() / 6;
}

NeoHookeanSolid::NeoHookeanSolid(std::vector<SolidElement> elements, int interior_elements, std::vector<char> owned)
    : elements_(std::move(elements)), interior_elements_(interior_elements), owned_(std::move(owned)) {}

std::span<const SolidElement> NeoHookeanSolid::elements(Zone zone) const {
  const std::span<const SolidElement> all(elements_);
  return zone == Zone::interior ? all.first(interior_elements_) : all.subspan(interior_elements_);
}

void NeoHookeanSolid::add_force(const State& state, Zone zone, Field& force) const {
  for (const SolidElement& element : elements(zone)) {
    std::array<Vec3, 4> x;
    for (int a = 0; a < 4; ++a) x[a] = state.q[element.vertices[a]];
    const auto f = element_forces<double>(element, x);
    for (int a = 0; a < 4; ++a) force[element.vertices[a]] += f[a];
  }
}

void NeoHookeanSolid::add_product(const State& state, const State& direction, Zone zone, Field& change) const {
  for (const SolidElement& element : elements(zone)) {
    std::array<Vector3<Dual<double>>, 4> x;
    for (int a = 0; a < 4; ++a) {
      const int vertex = element.vertices[a];
      for (int i = 0; i < 3; ++i) x[a][i] = make_dual(state.q[vertex][i], direction.q[vertex][i]);
    }
    const auto f = element_forces<Dual<double>>(element, x);
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) change[element.vertices[a]][i] += f[a][i].derivative[0];
  }
}

void add_tangent_blocks(const SolidElement& element, const Eigen::Matrix<double, 9, 9>& tangent, double factor, BlockMatrix& matrix) {
  // grad N_a of the vertices 0..3 as columns.
  Eigen::Matrix<double, 3, 4> gradient;
  gradient.rightCols<3>() = element.inverse_rest_shape.transpose();
  gradient.col(0) = -gradient.rightCols<3>().rowwise().sum();
  for (int a = 0; a < 4; ++a)
    for (int b = a; b < 4; ++b) {
      Mat3 block;   // df_a/dx_b (i, k) = -V sum_jl gradN_a[j] dP_ij/dF_kl gradN_b[l]; the tangent is symmetric
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) block(i, k) = gradient.col(a).dot(tangent.block<3, 3>(3 * i, 3 * k) * gradient.col(b));
      block *= -element.volume * factor;
      matrix.add(element.vertices[a], element.vertices[b], block);
      if (a != b) matrix.add(element.vertices[b], element.vertices[a], block.transpose());
    }
}

void NeoHookeanSolid::add_blocks(const State& state, double dq, double, BlockMatrix& matrix) const {
  for (const SolidElement& element : elements_) add_tangent_blocks(element, material_tangent(element.material, gradient_at(element, state.q)), dq, matrix);
}

double NeoHookeanSolid::energy(const State& state) const {
  double sum = 0;
  for (std::size_t e = 0; e < elements_.size(); ++e)
    if (owned_[e]) sum += elements_[e].volume * elements_[e].material.energy_density(gradient_at(elements_[e], state.q));
  return sum;
}

}  // namespace traction
