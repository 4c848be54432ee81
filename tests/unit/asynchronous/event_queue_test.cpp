// The queue against a sorted set that does the same slowly.
#include "asynchronous/event_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace traction {
namespace {

TEST(EventQueue, KeepsTheOrderOfTimesAndNumbersWhileTimesChange) {
  EventQueue queue;
  std::set<std::pair<double, int>> sorted;
  std::map<int, double> times;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const int event = static_cast<int>(random() % 200);
    const double time = static_cast<double>(random() % 50);  // many ties
    if (const auto found = times.find(event); found != times.end()) sorted.erase({found->second, event});
    if (random() % 4 == 0) {
      times.erase(event);
      queue.set(event, EventQueue::kNever);
    } else {
      times[event] = time;
      sorted.insert({time, event});
      queue.set(event, time);
      EXPECT_EQ(queue.time_of(event), time);
    }
    ASSERT_EQ(queue.empty(), sorted.empty());
    if (sorted.empty()) continue;
    ASSERT_EQ(queue.next_time(), sorted.begin()->first);
    ASSERT_EQ(queue.next(), sorted.begin()->second);
  }
  while (!queue.empty()) {
    ASSERT_EQ(queue.next(), sorted.begin()->second);
    sorted.erase(sorted.begin());
    queue.remove(queue.next());
  }
  EXPECT_TRUE(sorted.empty());
  EXPECT_EQ(queue.next_time(), EventQueue::kNever);
}

TEST(EventQueue, OrdersEventsAtTheSameTimeByTheirKeys) {
  EventQueue queue;
  queue.set_key(7, 100);
  queue.set_key(8, 50);
  for (const int event : {7, 3, 8}) queue.set(event, 1);
  std::vector<int> order;
  for (; !queue.empty(); queue.remove(queue.next())) order.push_back(queue.next());
  EXPECT_EQ(order, (std::vector{3, 8, 7}));
}

}  // namespace
}  // namespace traction
