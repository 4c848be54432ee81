// What elasticity costs: its product (assembled, and matrix-free by dual numbers), residual and assembly, beside PETSc's product with the same matrix. A plate
// that fits into caches and a block that does not, ordered as every scene is, of four-node tetrahedra and, with the same vertices, of ten-node ones.
//
//   cmake --build build/release --target elastic_kernels && build/release/tests/benchmark/elastic_kernels --benchmark_enable_random_interleaving=true
//   --benchmark_repetitions=9

#include <benchmark/benchmark.h>

#include <memory>

#include "elements/materials/neo_hookean.h"
#include "forces/elastic_solid.h"
#include "forces/quadratic_solid.h"
#include "mesh_partition/distribute.h"
#include "support/box_mesh.h"
#include "support/ten_nodes.h"

namespace traction {
namespace {

struct Body {
  std::shared_ptr<const DistributedMesh> mesh;
  std::shared_ptr<const BlockPattern> pattern;
  std::shared_ptr<Force> solid;
  std::unique_ptr<BlockMatrix> blocks;
  State state, direction;
  Field result;
  Mat petsc = nullptr;  // type MATMPIBAIJ
  Vec x = nullptr, y = nullptr;

  // `edge`: between vertices [m].
  Body(const std::array<int, 3>& cells, double edge, bool has_ten_nodes) {
    const double side = has_ten_nodes ? 2 * edge : edge;
    Mesh whole = test::box_mesh("block", Vec3::Zero(), side * Vec3(cells[0], cells[1], cells[2]), cells);
    if (has_ten_nodes) whole = test::ten_nodes(std::move(whole));
    mesh = std::make_shared<const DistributedMesh>(distribute(PETSC_COMM_WORLD, whole, partition_elements(whole, 1)));
    pattern = std::make_shared<const BlockPattern>(mesh->halo, mesh->tetrahedra, std::vector<std::array<int, 3>>{}, std::vector<Hinge>{}, std::vector<Rod>{},
                                                   std::vector<Joint>{}, mesh->quadratics);
    const NeoHookean<double> law{LameParameters<double>::from_engineering(6e6, 0.4995)};
    if (has_ten_nodes) add_ten_nodes(law);
    else add_four_nodes(law);
    const int owned = mesh->halo->owned();
    state = State(owned);
    direction = State(owned);
    result = Field(owned);
    for (int i = 0; i < owned; ++i) {
      const Vec3 p = mesh->vertices[i];
      state.q[i] = p + 0.05 * edge * Vec3(std::sin(40 * p.y()), std::sin(50 * p.z()), std::sin(60 * p.x()));
      direction.q[i] = direction.v[i] = Vec3(std::sin(70 * p.x()), std::cos(90 * p.y()), std::sin(30 * p.z()));
    }
    blocks = std::make_unique<BlockMatrix>(pattern);
    solid->assembly()->add_blocks({state, 1, 0}, *blocks);

    MatCreateBAIJ(PETSC_COMM_WORLD, 3, 3 * owned, 3 * owned, PETSC_DETERMINE, PETSC_DETERMINE, 40, nullptr, 0, nullptr, &petsc);
    MatSetOption(petsc, MAT_ROW_ORIENTED, PETSC_FALSE);
    blocks->for_each_row(1, std::vector<double>(owned, 0.0), std::vector<char>(owned, 0),
                         [&](int i, const std::vector<int>& columns, const std::vector<Mat3>& row) {
                           for (std::size_t k = 0; k < columns.size(); ++k)
                             MatSetValuesBlocked(petsc, 1, &i, 1, &columns[k], row[k].data(), INSERT_VALUES);  // column by column, as Eigen stores them
                         });
    MatAssemblyBegin(petsc, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(petsc, MAT_FINAL_ASSEMBLY);
    MatCreateVecs(petsc, &x, &y);
    PetscScalar* values = nullptr;
    VecGetArray(x, &values);
    std::copy_n(direction.q.values().begin(), 3 * owned, values);
    VecRestoreArray(x, &values);
  }
  void add_four_nodes(const NeoHookean<double>& law);
  void add_ten_nodes(const NeoHookean<double>& law);
};

void Body::add_four_nodes(const NeoHookean<double>& law) {
  std::vector<SolidElement> elements;
  for (const auto& t : mesh->tetrahedra)
    elements.emplace_back(t, std::array<Vec3, 4>{mesh->vertices[t[0]], mesh->vertices[t[1]], mesh->vertices[t[2]], mesh->vertices[t[3]]});
  const int count = static_cast<int>(elements.size());
  solid = std::make_shared<ElasticSolid<NeoHookean>>(std::make_shared<const SolidBatches>(elements, count, std::vector<char>(elements.size(), 1), pattern),
                                                     std::vector<NeoHookean<double>>(elements.size(), law));
}

void Body::add_ten_nodes(const NeoHookean<double>& law) {
  std::vector<std::array<int, 10>> elements;
  for (const LocalQuadratic& quadratic : mesh->quadratics) elements.push_back(quadratic.vertices);
  const int count = static_cast<int>(elements.size());
  const auto [material, form] = quadratic_material(law);
  solid = std::make_shared<QuadraticSolid<NeoHookean>>(
      std::make_shared<const QuadraticBatches>(elements, mesh->vertices, count, std::vector<char>(elements.size(), 1), pattern),
      std::vector<QuadraticMaterialOf<NeoHookean, double>>(elements.size(), material), form);
}

// These are never destroyed, because MPI ends before static objects would be.
Body& body(int which) {
  static std::array<Body*, 4> bodies{};
  const bool is_plate = which % 2 == 0, has_ten_nodes = which > 1;
  const int half = has_ten_nodes ? 2 : 1;
  if (!bodies[which])
    bodies[which] = new Body(is_plate ? std::array{64 / half, 64 / half, 4 / half} : std::array{44 / half, 44 / half, 44 / half}, 0.01, has_ten_nodes);
  return *bodies[which];
}

// Google Benchmark reports the time of one product; the counter is the figure to compare.
template <typename Work>
void measure(benchmark::State& state, Work work) {
  Body& b = body(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    work(b);
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(state.range(0) % 2 == 0 ? "plate" : "block") + (state.range(0) > 1 ? ", ten nodes" : ""));
  state.counters["ns_per_vertex"] =
      benchmark::Counter(b.mesh->halo->owned() * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void petsc_product(benchmark::State& state) {
  measure(state, [](Body& b) { MatMult(b.petsc, b.x, b.y); });
}
void assembled_product(benchmark::State& state) {
  measure(state, [](Body& b) { b.blocks->multiply(Zone::interior, b.direction.q, b.result); });
}
void matrix_free_product(benchmark::State& state) {
  measure(state, [](Body& b) { b.solid->add_product(b.state, b.direction, Zone::interior, b.result); });
}
void residual(benchmark::State& state) {
  measure(state, [](Body& b) { b.solid->add_force(b.state, Zone::interior, b.result); });
}
void assembly(benchmark::State& state) {
  measure(state, [](Body& b) {
    b.blocks->set_zero();
    b.solid->assembly()->add_blocks({b.state, 1, 0}, *b.blocks);
  });
}

BENCHMARK(petsc_product)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);
BENCHMARK(assembled_product)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);
BENCHMARK(matrix_free_product)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);
BENCHMARK(residual)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);
BENCHMARK(assembly)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace traction
