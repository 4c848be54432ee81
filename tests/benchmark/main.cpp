// Google Benchmark under MPI. All ranks run the same benchmarks, so each of these must fix its number of iterations; only the first rank reports.

#include <benchmark/benchmark.h>
#include <petscsys.h>

#include <ostream>

int main(int argc, char** argv) {
  PetscInitialize(nullptr, nullptr, nullptr, nullptr);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  benchmark::Initialize(&argc, argv);
  std::ostream nowhere(nullptr);
  benchmark::ConsoleReporter quiet;
  quiet.SetOutputStream(&nowhere);
  quiet.SetErrorStream(&nowhere);
  if (rank == 0) benchmark::RunSpecifiedBenchmarks();
  else benchmark::RunSpecifiedBenchmarks(&quiet);
  PetscFinalize();
  return 0;
}
