#include "system/couplings.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "parallel/collective.h"
#include "parallel/rendezvous.h"
#include "parallel/scatter.h"

namespace traction {

namespace {

// Sums blocks of the same place, in the order of the list.
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

// Keeps the free directions' part of each block.
void drop_held(const IndexMap& vertices, const HeldVertices& held, std::vector<Coupling>& couplings) {
  std::vector<PetscInt> coupled;
  for (const Coupling& coupling : couplings) coupled.insert(coupled.end(), {coupling.row, coupling.column});
  std::sort(coupled.begin(), coupled.end());
  coupled.erase(std::unique(coupled.begin(), coupled.end()), coupled.end());
  std::vector<double> marks(held.whole().begin(), held.whole().begin() + vertices.owned()), copies(coupled.size());
  Scatter(vertices, coupled, 1).forward(marks, copies);
  const auto number = [&](PetscInt vertex) { return std::lower_bound(coupled.begin(), coupled.end(), vertex) - coupled.begin(); };
  const auto is_whole = [&](PetscInt vertex) { return copies[number(vertex)] != 0; };
  std::erase_if(couplings, [&](const Coupling& coupling) { return is_whole(coupling.row) || is_whole(coupling.column); });
  if (!held.has_partial()) return;
  std::vector<double> own(9 * static_cast<std::size_t>(vertices.owned())), projectors(9 * coupled.size());
  for (int i = 0; i < vertices.owned(); ++i) Eigen::Map<Mat3>(own.data() + 9 * static_cast<std::size_t>(i)) = held.projector(i);
  Scatter(vertices, coupled, 9).forward(own, projectors);
  const auto projector = [&](PetscInt vertex) { return Eigen::Map<const Mat3>(projectors.data() + 9 * number(vertex)); };
  for (Coupling& coupling : couplings) {
    coupling.block -= projector(coupling.row) * Mat3(coupling.block);
    coupling.block -= Mat3(coupling.block) * projector(coupling.column);
  }
}

// `couplings` sorted by row.
std::vector<Coupling> send_to_owners(const IndexMap& vertices, const std::vector<Coupling>& couplings) {
  static_assert(sizeof(Coupling) == 2 * sizeof(PetscInt) + 9 * sizeof(double));  // only numbers, which may be sent as bytes
  std::vector<int> receivers;
  std::vector<std::vector<char>> messages;
  for (auto first = couplings.begin(); first != couplings.end();) {
    const int owner = vertices.owner_of(first->row);
    const auto last = std::find_if(first, couplings.end(), [&](const Coupling& coupling) { return coupling.row >= vertices.first_of(owner + 1); });
    const char* bytes = reinterpret_cast<const char*>(&*first);
    receivers.push_back(owner);
    messages.emplace_back(bytes, bytes + (last - first) * sizeof(Coupling));
    first = last;
  }
  std::vector<Coupling> received;
  for (const std::vector<char>& message : exchange_messages(vertices.communicator(), receivers, messages)) {
    const std::size_t first = received.size();
    received.resize(first + message.size() / sizeof(Coupling));
    std::memcpy(static_cast<void*>(received.data() + first), message.data(), message.size());
  }
  return received;
}

}  // namespace

std::vector<Coupling> sum_couplings(const IndexMap& vertices, std::vector<Coupling> couplings, const HeldVertices& held) {
  if (sum_over_ranks(vertices.communicator(), static_cast<double>(couplings.size())) == 0) return {};
  drop_held(vertices, held, couplings);
  sort_and_sum(couplings);
  couplings = send_to_owners(vertices, couplings);
  sort_and_sum(couplings);
  return couplings;
}

}  // namespace traction
