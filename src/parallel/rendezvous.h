// Rendezvous of points with ranks: each point is sent to the ranks in whose box it lies (docs/theory/parallel.md, "Contact across ranks").
#pragma once

#include <mpi.h>

#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "math/bounding_box.h"

namespace traction {

/// Sparse all-to-all exchange (docs/theory/parallel.md, "Sparse messages"): each rank learns who sends to it at a cost that grows with the messages, not with
/// the ranks. Returns the messages received, in the order of the senders' ranks. @collective
std::vector<std::vector<char>> exchange_messages(MPI_Comm communicator, const std::vector<int>& receivers, const std::vector<std::vector<char>>& messages);

/// The boxes of all ranks, 48 bytes each. @collective
std::vector<BoundingBox> gather_boxes(MPI_Comm communicator, const BoundingBox& mine);

/// Sends each item to every rank in whose box its position lies; returns the items that lie in this rank's box. @collective
template <typename Item>
std::vector<Item> find_in_box(MPI_Comm communicator, const BoundingBox& box, std::span<const Item> items) {
  static_assert(std::is_trivially_copyable_v<Item>);
  BoundingBox held;
  for (const Item& item : items) held.include(item.position());
  const std::vector<BoundingBox> boxes = gather_boxes(communicator, box);
  std::vector<int> receivers;
  std::vector<std::vector<char>> messages;
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    if (!held.intersects(boxes[rank])) continue;
    std::vector<char> message;
    for (const Item& item : items)
      if (boxes[rank].contains(item.position())) {
        const char* bytes = reinterpret_cast<const char*>(&item);
        message.insert(message.end(), bytes, bytes + sizeof(Item));
      }
    if (message.empty()) continue;
    receivers.push_back(static_cast<int>(rank));
    messages.push_back(std::move(message));
  }
  std::vector<Item> found;
  for (const std::vector<char>& message : exchange_messages(communicator, receivers, messages)) {
    const std::size_t first = found.size();
    found.resize(first + message.size() / sizeof(Item));
    std::memcpy(found.data() + first, message.data(), message.size());
  }
  return found;
}

}  // namespace traction
