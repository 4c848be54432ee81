// Keeping ranks together when one of them fails: an exception on any rank becomes the same exception on all.
#pragma once

#include <mpi.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace traction {

/// Runs `action` on every rank; if it threw an InputError, SolverError, FileError or Interrupted anywhere, every rank throws that error (the lowest failing
/// rank's). Any other std::exception arrives as a FileError. @collective
void on_all_ranks(MPI_Comm communicator, const std::function<void()>& action);

/// Runs `action` on rank 0 only; its error is thrown on every rank. @collective
void on_first_rank(MPI_Comm communicator, const std::function<void()>& action);

/// Sum, minimum, maximum over ranks of one number. @collective
double sum_over_ranks(MPI_Comm communicator, double value);
double minimum_over_ranks(MPI_Comm communicator, double value);
double maximum_over_ranks(MPI_Comm communicator, double value);
/// Replaces each number by its sum over ranks. @collective
void sum_over_ranks(MPI_Comm communicator, std::span<double> values);
/// Replaces each number by its maximum over ranks. @collective
void maximum_over_ranks(MPI_Comm communicator, std::span<double> values);

/// Rank 0's text or numbers on every rank. @collective
void broadcast(MPI_Comm communicator, std::string& text);
void broadcast(MPI_Comm communicator, std::vector<double>& values);
/// The values of all ranks, in the order of the ranks, on every rank. @collective
std::vector<double> concatenated_over_ranks(MPI_Comm communicator, std::span<const double> values);

}  // namespace traction
