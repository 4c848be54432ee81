#include "system/couplings.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#include "parallel/collective.h"
#include "parallel/rendezvous.h"
#include "parallel/scatter.h"

namespace traction {

namespace {

// Sorts `order` by key(i), which lies between 0 and `range`, in the order of the list where keys are equal.
template <typename Key>
void counting_sort(std::vector<std::uint32_t>& order, std::size_t range, Key key) {
  std::vector<std::uint32_t> start(range + 1, 0), sorted(order.size());
  for (const std::uint32_t i : order) ++start[key(i) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (const std::uint32_t i : order) sorted[start[key(i)]++] = i;
  order = std::move(sorted);
}

// The order of couplings by row and column, and of the list where these are equal. The blocks are not moved, because they are large.
std::vector<std::uint32_t> sorted_order(const std::vector<Coupling>& couplings, PetscInt vertices) {
  constexpr std::size_t kFew = 8;  // vertices to a coupling, beyond which to count them all costs more than to compare
  std::vector<std::uint32_t> order(couplings.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto range = static_cast<std::size_t>(vertices);
  if (range > kFew * couplings.size()) {
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(couplings[a].row, couplings[a].column) < std::pair(couplings[b].row, couplings[b].column);
    });
  } else {
    counting_sort(order, range, [&](std::uint32_t i) { return static_cast<std::size_t>(couplings[i].column); });
    counting_sort(order, range, [&](std::uint32_t i) { return static_cast<std::size_t>(couplings[i].row); });
  }
  return order;
}

// Sums blocks of the same place, in the order of the list.
void sort_and_sum(std::vector<Coupling>& couplings, PetscInt vertices) {
  std::vector<Coupling> sums;
  for (const std::uint32_t i : sorted_order(couplings, vertices)) {
    if (!sums.empty() && same_place(sums.back(), couplings[i])) sums.back().block += couplings[i].block;
    else sums.push_back(couplings[i]);
  }
  couplings = std::move(sums);
}

// Keeps the free directions' part of each block.
void drop_held(const IndexMap& vertices, const HeldVertices& held, std::vector<Coupling>& couplings) {
  const CoupledVertices coupled(vertices, couplings);
  std::vector<double> marks(held.whole().begin(), held.whole().begin() + vertices.owned());
  const std::vector<double> other_marks = coupled.of_others(marks, 1);
  marks.insert(marks.end(), other_marks.begin(), other_marks.end());
  const auto is_whole = [&](PetscInt vertex) { return marks[coupled.number(vertex)] != 0; };
  std::erase_if(couplings, [&](const Coupling& coupling) { return is_whole(coupling.row) || is_whole(coupling.column); });
  if (!held.has_partial()) return;
  std::vector<double> projectors(9 * static_cast<std::size_t>(vertices.owned()));
  for (int i = 0; i < vertices.owned(); ++i) Eigen::Map<Mat3>(projectors.data() + 9 * static_cast<std::size_t>(i)) = held.projector(i);
  const std::vector<double> other_projectors = coupled.of_others(projectors, 9);
  projectors.insert(projectors.end(), other_projectors.begin(), other_projectors.end());
  const auto projector = [&](PetscInt vertex) { return Eigen::Map<const Mat3>(projectors.data() + 9 * static_cast<std::size_t>(coupled.number(vertex))); };
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

CoupledVertices::CoupledVertices(const IndexMap& vertices, const std::vector<Coupling>& couplings) : map_(vertices) {
  const PetscInt first = vertices.first_owned(), last = first + vertices.owned();
  for (const Coupling& coupling : couplings)
    for (const PetscInt vertex : {coupling.row, coupling.column})
      if (vertex < first || vertex >= last) others_.push_back(vertex);
  std::sort(others_.begin(), others_.end());
  others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
}

std::vector<double> CoupledVertices::of_others(std::span<const double> own, int components) const {
  std::vector<double> copies(static_cast<std::size_t>(components) * others_.size());
  Scatter(map_, others_, components).forward(own, copies);
  return copies;
}

std::vector<Coupling> sum_couplings(const IndexMap& vertices, std::vector<Coupling> couplings, const HeldVertices& held) {
  if (sum_over_ranks(vertices.communicator(), static_cast<double>(couplings.size())) == 0) return {};
  drop_held(vertices, held, couplings);
  sort_and_sum(couplings, vertices.global_count());
  int ranks = 1;
  MPI_Comm_size(vertices.communicator(), &ranks);
  if (ranks == 1) return couplings;
  couplings = send_to_owners(vertices, couplings);
  sort_and_sum(couplings, vertices.global_count());
  return couplings;
}

}  // namespace traction
