#include "parallel/rendezvous.h"

#include <algorithm>
#include <numeric>

#include "parallel/petsc_handle.h"

namespace traction {

std::vector<std::vector<char>> exchange_messages(MPI_Comm communicator, const std::vector<int>& receivers, const std::vector<std::vector<char>>& messages) {
  std::vector<int> sizes;
  for (const std::vector<char>& message : messages) sizes.push_back(static_cast<int>(message.size()));
  PetscMPIInt senders = 0, *sender_ranks = nullptr;
  int* sender_sizes = nullptr;
  check_petsc(PetscCommBuildTwoSided(communicator, 1, MPI_INT, static_cast<PetscMPIInt>(receivers.size()), receivers.data(), sizes.data(), &senders,
                                     &sender_ranks, &sender_sizes));
  std::vector<int> order(senders);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return sender_ranks[a] < sender_ranks[b]; });
  PetscMPIInt tag = 0;
  MPI_Comm own = MPI_COMM_NULL;  // PETSc's duplicate of the communicator, so that other messages cannot be mistaken for these
  check_petsc(PetscCommDuplicate(communicator, &own, &tag));
  std::vector<std::vector<char>> received(senders);
  std::vector<MPI_Request> requests;
  for (int k = 0; k < senders; ++k) {
    received[k].resize(sender_sizes[order[k]]);
    MPI_Irecv(received[k].data(), sender_sizes[order[k]], MPI_CHAR, sender_ranks[order[k]], tag, own, &requests.emplace_back());
  }
  for (std::size_t k = 0; k < receivers.size(); ++k) MPI_Isend(messages[k].data(), sizes[k], MPI_CHAR, receivers[k], tag, own, &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  check_petsc(PetscCommDestroy(&own));
  check_petsc(PetscFree(sender_ranks));
  check_petsc(PetscFree(sender_sizes));
  return received;
}

std::vector<BoundingBox> gather_boxes(MPI_Comm communicator, const BoundingBox& mine) {
  static_assert(sizeof(BoundingBox) == 6 * sizeof(double));
  int size = 1;
  MPI_Comm_size(communicator, &size);
  std::vector<BoundingBox> boxes(size);
  MPI_Allgather(&mine, 6, MPI_DOUBLE, boxes.data(), 6, MPI_DOUBLE, communicator);
  return boxes;
}

}  // namespace traction
