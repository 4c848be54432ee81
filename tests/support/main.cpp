// Runs GoogleTest on all ranks of one MPI job; rank 0 prints, and a failure on any rank fails the job. --sources=PART selects the tests of the sources whose
// path contains PART: a folder with its slash, or a file.

#include <gtest/gtest.h>
#include <slepcsys.h>

#include <string>
#include <string_view>

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

// GoogleTest's filter for the tests of some sources, empty if they have none.
std::string tests_of(std::string_view part) {
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (std::string_view(test.file()).find(part) != std::string_view::npos) filter += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view kSources = "--sources=";
  if (argc > 1 && std::string_view(argv[1]).starts_with(kSources)) {
    const std::string filter = tests_of(argv[1] + kSources.size());
    if (filter.empty()) {
      std::fprintf(stderr, "no test comes from a source whose path contains '%s'\n", argv[1] + kSources.size());
      return 1;
    }
    testing::GTEST_FLAG(filter) = filter;
  }
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
