#include "parallel/collective.h"

#include <filesystem>
#include <new>
#include <numeric>

#include "errors.h"
#include "out_of_memory.h"

namespace traction {

namespace {

enum class Failure : int { none, input, solver, file, interruption };

[[noreturn]] void throw_failure(Failure failure, const std::string& message, int signal) {
  switch (failure) {
    case Failure::input: throw InputError(message);
    case Failure::solver: throw SolverError(message);
    case Failure::interruption: throw Interrupted(message, signal);
    default: throw FileError(message);
  }
}

double reduce(MPI_Comm communicator, double value, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, communicator);
  return value;
}

template <typename Sequence>
void broadcast_sequence(MPI_Comm communicator, Sequence& sequence, MPI_Datatype type) {
  int count = static_cast<int>(sequence.size());
  MPI_Bcast(&count, 1, MPI_INT, 0, communicator);
  sequence.resize(static_cast<std::size_t>(count));
  MPI_Bcast(sequence.data(), count, type, 0, communicator);
}

}  // namespace

void on_all_ranks(MPI_Comm communicator, const std::function<void()>& action) {
  Failure failure = Failure::none;
  std::string message;
  int signal = 0, rank = 0, size = 1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  try {
    action();
  } catch (const InputError& error) {
    failure = Failure::input, message = error.what();
  } catch (const SolverError& error) {
    failure = Failure::solver, message = error.what();
  } catch (const Interrupted& error) {
    failure = Failure::interruption, message = error.what(), signal = error.signal();
  } catch (const std::filesystem::filesystem_error& error) {
    failure = Failure::file, message = error.path1().string() + ": " + error.code().message() + "; check the path";
  } catch (const std::bad_alloc&) {
    failure = Failure::file, message = out_of_memory(rank);
  } catch (const std::exception& error) {
    failure = Failure::file, message = error.what();
  }
  int failing_rank = failure == Failure::none ? size : rank;
  MPI_Allreduce(MPI_IN_PLACE, &failing_rank, 1, MPI_INT, MPI_MIN, communicator);
  if (failing_rank == size) return;

  int header[3] = {static_cast<int>(failure), static_cast<int>(message.size()), signal};
  MPI_Bcast(header, 3, MPI_INT, failing_rank, communicator);
  message.resize(static_cast<std::size_t>(header[1]));
  MPI_Bcast(message.data(), header[1], MPI_CHAR, failing_rank, communicator);
  throw_failure(static_cast<Failure>(header[0]), message, header[2]);
}

void on_first_rank(MPI_Comm communicator, const std::function<void()>& action) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  on_all_ranks(communicator, [&] {
    if (rank == 0) action();
  });
}

double sum_over_ranks(MPI_Comm communicator, double value) { return reduce(communicator, value, MPI_SUM); }
double minimum_over_ranks(MPI_Comm communicator, double value) { return reduce(communicator, value, MPI_MIN); }
double maximum_over_ranks(MPI_Comm communicator, double value) { return reduce(communicator, value, MPI_MAX); }
void sum_over_ranks(MPI_Comm communicator, std::span<double> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, communicator);
}
void maximum_over_ranks(MPI_Comm communicator, std::span<double> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, communicator);
}

void broadcast(MPI_Comm communicator, std::string& text) { broadcast_sequence(communicator, text, MPI_CHAR); }
void broadcast(MPI_Comm communicator, std::vector<double>& values) { broadcast_sequence(communicator, values, MPI_DOUBLE); }

std::vector<double> concatenated_over_ranks(MPI_Comm communicator, std::span<const double> values) {
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);
  const int count = static_cast<int>(values.size());
  std::vector<int> counts(static_cast<std::size_t>(ranks)), starts(static_cast<std::size_t>(ranks), 0);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator);
  std::partial_sum(counts.begin(), counts.end() - 1, starts.begin() + 1);
  std::vector<double> all(static_cast<std::size_t>(starts.back() + counts.back()));
  MPI_Allgatherv(values.data(), count, MPI_DOUBLE, all.data(), counts.data(), starts.data(), MPI_DOUBLE, communicator);
  return all;
}

}  // namespace traction
