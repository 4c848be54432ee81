#include "parallel/collective.h"

#include <gtest/gtest.h>

#include "errors.h"
#include "support/shared_folder.h"

namespace traction {
namespace {

template <typename Error>
std::string message_everywhere(int failing_rank) {
  const int rank = test::rank_in(MPI_COMM_WORLD);
  try {
    on_all_ranks(MPI_COMM_WORLD, [&] {
      if (rank == failing_rank) throw Error("rank " + std::to_string(rank) + " says no");
    });
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(OnAllRanks, AnExceptionOnOneRankIsThrownOnAll) {
  for (int failing = 0; failing < test::size_of(MPI_COMM_WORLD); ++failing) {
    const std::string expected = "rank " + std::to_string(failing) + " says no";
    EXPECT_EQ(message_everywhere<InputError>(failing), expected);
    EXPECT_EQ(message_everywhere<SolverError>(failing), expected);
    EXPECT_EQ(message_everywhere<FileError>(failing), expected);
  }
}

TEST(OnAllRanks, AnInterruptionKeepsItsSignal) {
  const int rank = test::rank_in(MPI_COMM_WORLD), last = test::size_of(MPI_COMM_WORLD) - 1;
  int signal = 0;
  try {
    on_all_ranks(MPI_COMM_WORLD, [&] {
      if (rank == last) throw Interrupted("stopped", 15);
    });
  } catch (const Interrupted& interruption) {
    signal = interruption.signal();
  }
  EXPECT_EQ(signal, 15);
}

TEST(OnAllRanks, WithoutAnExceptionNothingIsThrown) {
  int runs = 0;
  EXPECT_NO_THROW(on_all_ranks(MPI_COMM_WORLD, [&] { ++runs; }));
  EXPECT_EQ(runs, 1);
}

TEST(OnAllRanks, TheLowestFailingRankIsHeard) {
  const int rank = test::rank_in(MPI_COMM_WORLD), size = test::size_of(MPI_COMM_WORLD), lowest = size / 2;
  std::string message;
  try {
    on_all_ranks(MPI_COMM_WORLD, [&] {
      if (rank == lowest) throw InputError("lowest");
      if (rank > lowest) throw SolverError("another");
    });
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "lowest");
}

TEST(OnAllRanks, AnyOtherExceptionArrivesAsAFileError) {
  const int rank = test::rank_in(MPI_COMM_WORLD), last = test::size_of(MPI_COMM_WORLD) - 1;
  std::string message;
  try {
    on_all_ranks(MPI_COMM_WORLD, [&] {
      if (rank == last) throw std::out_of_range("far off");
    });
  } catch (const FileError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "far off");
}

// Both an empty message and one longer than any buffer.
TEST(OnAllRanks, MessagesOfAnyLength) {
  for (const std::size_t length : {0u, 100000u}) {
    const std::string sent(length, 'x');
    std::string received = "nothing";
    try {
      on_all_ranks(MPI_COMM_WORLD, [&] {
        if (test::rank_in(MPI_COMM_WORLD) == 0) throw InputError(sent);
      });
    } catch (const InputError& error) {
      received = error.what();
    }
    EXPECT_EQ(received, sent);
  }
}

TEST(OnAllRanks, GoesOnAfterAFailure) {
  EXPECT_THROW(on_all_ranks(MPI_COMM_WORLD, [] { throw SolverError("all"); }), SolverError);
  EXPECT_NO_THROW(on_all_ranks(MPI_COMM_WORLD, [] {}));
}

TEST(OnFirstRank, RunsThereAloneAndThrowsOnAll) {
  int runs = 0;
  on_first_rank(MPI_COMM_WORLD, [&] { ++runs; });
  EXPECT_EQ(runs, test::rank_in(MPI_COMM_WORLD) == 0 ? 1 : 0);
  EXPECT_THROW(on_first_rank(MPI_COMM_WORLD, [] { throw FileError("no"); }), FileError);
}

TEST(OverRanks, SumMinimumMaximum) {
  const int rank = test::rank_in(MPI_COMM_WORLD), size = test::size_of(MPI_COMM_WORLD);
  EXPECT_EQ(sum_over_ranks(MPI_COMM_WORLD, rank + 0.5), 0.5 * size * size);  // 0.5 + 1.5 + ...
  EXPECT_EQ(minimum_over_ranks(MPI_COMM_WORLD, 10.0 - rank), 11.0 - size);
  EXPECT_EQ(maximum_over_ranks(MPI_COMM_WORLD, 10.0 - rank), 10);
}

}  // namespace
}  // namespace traction
