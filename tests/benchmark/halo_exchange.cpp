// The cost of messages: a message to and fro between two ranks, one exchange of a halo between neighbours, and a sum over all ranks. jobs/scaling predicts runs
// on many ranks from these. Their seconds are wall time, with nothing else to wait for.
//
//   cmake --build build/release --target halo_exchange && mpirun -n 2 build/release/tests/benchmark/halo_exchange

#include <benchmark/benchmark.h>
#include <petscsys.h>

#include "parallel/collective.h"
#include "parallel/halo.h"

namespace traction {
namespace {

int rank_of_this() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank;
}

int rank_count() {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  return ranks;
}

// A message from the first rank to the second and back: twice the time of a message. Argument: bytes.
void ping_pong(benchmark::State& state) {
  std::vector<char> message(static_cast<std::size_t>(state.range(0)));
  const int size = static_cast<int>(message.size()), rank = rank_of_this();
  if (rank_count() < 2) return state.SkipWithError("needs two ranks");
  MPI_Barrier(PETSC_COMM_WORLD);
  for (auto _ : state) {
    if (rank == 0) {
      MPI_Send(message.data(), size, MPI_CHAR, 1, 0, PETSC_COMM_WORLD);
      MPI_Recv(message.data(), size, MPI_CHAR, 1, 0, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(message.data(), size, MPI_CHAR, 0, 0, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(message.data(), size, MPI_CHAR, 0, 0, PETSC_COMM_WORLD);
    }
  }
}

// Ghosts are every eighth vertex of the rank after this one, so that what is sent must be gathered, as in a run. On two ranks each sends to the other and
// receives from it. Argument: ghosts.
void halo_exchange(benchmark::State& state) {
  const int ghosts = static_cast<int>(state.range(0)), ranks = rank_count(), next = (rank_of_this() + 1) % ranks;
  if (ranks < 2) return state.SkipWithError("needs two ranks");
  constexpr int kSpacing = 8;
  const int owned = kSpacing * ghosts;
  std::vector<PetscInt> numbers;
  for (int i = 0; i < ghosts; ++i) numbers.push_back(next * owned + kSpacing * i);
  const Halo halo(PETSC_COMM_WORLD, owned, std::move(numbers));
  std::vector<double> values(3 * static_cast<std::size_t>(halo.local()));
  halo.exchange(values);  // the first one sets up buffers
  MPI_Barrier(PETSC_COMM_WORLD);
  for (auto _ : state) halo.exchange(values);
}

void sum_of_ranks(benchmark::State& state) {
  MPI_Barrier(PETSC_COMM_WORLD);
  for (auto _ : state) benchmark::DoNotOptimize(sum_over_ranks(PETSC_COMM_WORLD, 1.0));
}

BENCHMARK(ping_pong)->RangeMultiplier(8)->Range(8, 1 << 18)->Iterations(100)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(halo_exchange)->RangeMultiplier(4)->Range(16, 4096)->Iterations(100)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(sum_of_ranks)->Iterations(1000)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace traction
