#include "system/couplings.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "parallel/collective.h"
#include "parallel/rendezvous.h"
#include "parallel/vertex_gather.h"
#include "system/state.h"

namespace traction {

namespace {

// Sums blocks of the same place, in the order in which they come.
void sort_and_sum(std::vector<Coupling>& couplings) {
  std::stable_sort(couplings.begin(), couplings.end(),
                   [](const Coupling& a, const Coupling& b) { return std::pair(a.row, a.column) < std::pair(b.row, b.column); });
  std::size_t count = 0;
  for (const Coupling& coupling : couplings) {
    if (count > 0 && same_place(couplings[count - 1], coupling)) couplings[count - 1].block += coupling.block;
    else couplings[count++] = coupling;
  }
  couplings.resize(count);
}

void drop_fixed(const Halo& halo, const std::vector<char>& fixed, std::vector<Coupling>& couplings) {
  std::vector<PetscInt> vertices;
  for (const Coupling& coupling : couplings) vertices.insert(vertices.end(), {coupling.row, coupling.column});
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  Field owned(halo.owned()), copies(static_cast<int>(vertices.size()));
  for (int i = 0; i < halo.owned(); ++i) owned[i].setConstant(fixed[i] ? 1 : 0);
  VertexGather(halo, vertices).gather(owned.values(), copies.values());
  const auto is_fixed = [&](PetscInt vertex) {
    return copies[static_cast<int>(std::lower_bound(vertices.begin(), vertices.end(), vertex) - vertices.begin())].x() != 0;
  };
  std::erase_if(couplings, [&](const Coupling& coupling) { return is_fixed(coupling.row) || is_fixed(coupling.column); });
}

// `couplings` sorted by row.
std::vector<Coupling> send_to_owners(const Halo& halo, const std::vector<Coupling>& couplings) {
  static_assert(sizeof(Coupling) == 2 * sizeof(PetscInt) + 9 * sizeof(double));  // nothing but numbers, which bytes may carry
  int ranks = 1;
  MPI_Comm_size(halo.communicator(), &ranks);
  std::vector<PetscInt> end_of(ranks);  // of each rank's vertices
  const PetscInt end = halo.first_owned() + halo.owned();
  MPI_Allgather(&end, 1, MPIU_INT, end_of.data(), 1, MPIU_INT, halo.communicator());
  std::vector<int> receivers;
  std::vector<std::vector<char>> messages;
  for (auto first = couplings.begin(); first != couplings.end();) {
    const auto owner = std::upper_bound(end_of.begin(), end_of.end(), first->row);
    const auto last = std::find_if(first, couplings.end(), [&](const Coupling& coupling) { return coupling.row >= *owner; });
    const char* bytes = reinterpret_cast<const char*>(&*first);
    receivers.push_back(static_cast<int>(owner - end_of.begin()));
    messages.emplace_back(bytes, bytes + (last - first) * sizeof(Coupling));
    first = last;
  }
  std::vector<Coupling> received;
  for (const std::vector<char>& message : exchange_messages(halo.communicator(), receivers, messages)) {
    const std::size_t first = received.size();
    received.resize(first + message.size() / sizeof(Coupling));
    std::memcpy(static_cast<void*>(received.data() + first), message.data(), message.size());
  }
  return received;
}

}  // namespace

std::vector<Coupling> sum_couplings(const Halo& halo, std::vector<Coupling> couplings, const std::vector<char>& fixed) {
  if (sum_over_ranks(halo.communicator(), static_cast<double>(couplings.size())) == 0) return {};
  drop_fixed(halo, fixed, couplings);
  sort_and_sum(couplings);
  couplings = send_to_owners(halo, couplings);
  sort_and_sum(couplings);
  return couplings;
}

}  // namespace traction
