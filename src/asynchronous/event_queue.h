// The events to come, each with a time that may be changed.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace traction {

/// A binary heap that knows where each event is. The event with the least time comes first; of several at the same time the one with the least key. So the
/// order depends neither on the order in which events were found nor on the rank.
class EventQueue {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  bool empty() const { return heap_.empty(); }
  int next() const { return heap_.front().event; }
  double next_time() const { return heap_.empty() ? kNever : heap_.front().time; }
  /// The time of an event; kNever if it is not in the queue.
  double time_of(int event) const { return contains(event) ? heap_[places_[static_cast<std::size_t>(event)]].time : kNever; }

  /// Sets the key of an event that is not in the queue. By default it is the event's number.
  void set_key(int event, std::uint64_t key) {
    for (std::size_t next = keys_.size(); next <= static_cast<std::size_t>(event); ++next) keys_.push_back(next);
    keys_[static_cast<std::size_t>(event)] = key;
  }
  /// Puts an event into the queue, or changes its time; takes it out if that is kNever.
  void set(int event, double time) {
    if (time == kNever) return remove(event);
    if (static_cast<std::size_t>(event) >= places_.size()) places_.resize(static_cast<std::size_t>(event) + 1, kAbsent);
    std::size_t place = places_[static_cast<std::size_t>(event)];
    if (place == kAbsent) {
      place = heap_.size();
      heap_.emplace_back();
    }
    settle(place, {time, key_of(event), event});
  }
  void remove(int event) {
    if (!contains(event)) return;
    const std::size_t place = places_[static_cast<std::size_t>(event)];
    places_[static_cast<std::size_t>(event)] = kAbsent;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place < heap_.size()) settle(place, last);
  }
  void clear() {
    heap_.clear();
    places_.clear();
  }

 private:
  struct Entry {
    double time;
    std::uint64_t key;
    int event;
    bool operator<(const Entry& other) const { return time != other.time ? time < other.time : key < other.key; }
  };
  static constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

  bool contains(int event) const { return static_cast<std::size_t>(event) < places_.size() && places_[static_cast<std::size_t>(event)] != kAbsent; }
  std::uint64_t key_of(int event) const {
    const auto number = static_cast<std::size_t>(event);
    return number < keys_.size() ? keys_[number] : number;
  }
  void put(std::size_t place, const Entry& entry) {
    heap_[place] = entry;
    places_[static_cast<std::size_t>(entry.event)] = place;
  }
  /// Moves an entry from a free place up or down to where it belongs.
  void settle(std::size_t place, const Entry& entry) {
    while (place > 0 && entry < heap_[(place - 1) / 2]) {
      put(place, heap_[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    for (std::size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
      if (!(heap_[child] < entry)) break;
      put(place, heap_[child]);
      place = child;
    }
    put(place, entry);
  }

  std::vector<Entry> heap_;
  std::vector<std::size_t> places_;  ///< by event
  std::vector<std::uint64_t> keys_;  ///< by event, of the first ones
};

}  // namespace traction
