// How often each vertex has been in contact: what a partition that shares out contact's work is made from when a run is resumed.
#pragma once

#include <memory>
#include <vector>

#include "contact/contact_group.h"

namespace traction {

class ContactCounts {
 public:
  ContactCounts() = default;
  // `counts`: of each local vertex. `steps`: in how many.
  ContactCounts(std::vector<double> counts, double steps) : counts_(std::move(counts)), steps_(steps) {}

  // After every step.
  void add_step(const std::vector<std::shared_ptr<ContactGroup>>& contacts) {
    for (const auto& contact : contacts)
      for (int vertex : contact->touching()) counts_[vertex] += 1;
    steps_ += 1;
  }
  // Half of everything is forgotten, so that the counts follow contacts that move. Before every checkpoint.
  void fade() {
    for (double& count : counts_) count *= 0.5;
    steps_ *= 0.5;
  }

  const std::vector<double>& counts() const { return counts_; }  // right for owned vertices
  double steps() const { return steps_; }

 private:
  std::vector<double> counts_;
  double steps_ = 0;
};

}  // namespace traction
