// Runs GoogleTest on all ranks of one MPI job; rank 0 speaks, and a failure on any rank fails the job.

#include <gtest/gtest.h>
#include <slepcsys.h>

namespace {

// On other ranks only failures are printed.
class FailuresOnly : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank, result.file_name() ? result.file_name() : "?", result.line_number(), result.message());
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int count = 1;
  char* arguments[] = {argv[0], nullptr};
  char** list = arguments;
  if (SlepcInitialize(&count, &list, nullptr, nullptr) != 0) return 1;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  SlepcFinalize();
  return failed;
}
