// What elasticity costs: its product (assembled, and matrix-free by dual numbers), residual and assembly, beside PETSc's product with the same matrix. A plate
// that fits into caches and a block that does not, ordered as every scene is.
//
//   cmake --build build/release --target elastic_kernels && build/release/tests/benchmark/elastic_kernels --benchmark_enable_random_interleaving=true
//   --benchmark_repetitions=9

#include <benchmark/benchmark.h>

#include <memory>

#include "elements/materials/neo_hookean.h"
#include "forces/elastic_solid.h"
#include "mesh_partition/distribute.h"
#include "support/box_mesh.h"

namespace traction {
namespace {

struct Body {
  std::shared_ptr<const DistributedMesh> mesh;
  std::shared_ptr<const BlockPattern> pattern;
  std::shared_ptr<ElasticSolid<NeoHookean>> solid;
  std::unique_ptr<BlockMatrix> blocks;
  State state, direction;
  Field result;
  Mat petsc = nullptr;  // type MATMPIBAIJ
  Vec x = nullptr, y = nullptr;

  explicit Body(const std::array<int, 3>& cells) {
    const double edge = 0.01;
    const Mesh whole = test::box_mesh("block", Vec3::Zero(), edge * Vec3(cells[0], cells[1], cells[2]), cells);
    mesh = std::make_shared<const DistributedMesh>(distribute(PETSC_COMM_WORLD, whole, partition_elements(whole, 1)));
    pattern = std::make_shared<const BlockPattern>(mesh->halo, mesh->tetrahedra);
    std::vector<SolidElement> elements;
    for (const auto& t : mesh->tetrahedra)
      elements.emplace_back(t, std::array<Vec3, 4>{mesh->vertices[t[0]], mesh->vertices[t[1]], mesh->vertices[t[2]], mesh->vertices[t[3]]});
    const int count = static_cast<int>(elements.size());
    solid =
        std::make_shared<ElasticSolid<NeoHookean>>(std::make_shared<const SolidBatches>(elements, count, std::vector<char>(elements.size(), 1), pattern),
                                                   std::vector<NeoHookean<double>>(elements.size(), {LameParameters<double>::from_engineering(6e6, 0.4995)}));
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
};

// These are never destroyed, because MPI ends before static objects would be.
Body& body(int which) {
  static Body* const plate = new Body({64, 64, 4});
  static Body* const block = new Body({44, 44, 44});
  return which == 0 ? *plate : *block;
}

// Google Benchmark reports the time of one product; the counter is the figure to compare.
template <typename Work>
void measure(benchmark::State& state, Work work) {
  Body& b = body(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    work(b);
    benchmark::ClobberMemory();
  }
  state.SetLabel(state.range(0) == 0 ? "plate" : "block");
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

BENCHMARK(petsc_product)->DenseRange(0, 1)->Unit(benchmark::kMicrosecond);
BENCHMARK(assembled_product)->DenseRange(0, 1)->Unit(benchmark::kMicrosecond);
BENCHMARK(matrix_free_product)->DenseRange(0, 1)->Unit(benchmark::kMicrosecond);
BENCHMARK(residual)->DenseRange(0, 1)->Unit(benchmark::kMicrosecond);
BENCHMARK(assembly)->DenseRange(0, 1)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace traction
