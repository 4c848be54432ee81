// Counts how often each vertex has been in contact. A resumed run makes its partition from these counts, so that the work of contact is divided evenly.
#pragma once

#include <memory>
#include <vector>

#include "contact/contact_group.h"

namespace traction {

/// The number of steps in which each local vertex has been in contact.
class ContactCounts {
 public:
  ContactCounts() = default;
  /// `counts`: one for each local vertex. `steps`: the number of steps counted.
  ContactCounts(std::vector<double> counts, double steps) : counts_(std::move(counts)), steps_(steps) {}

  /// Adds one step's contacts. Called after every step.
  void add_step(const std::vector<std::shared_ptr<ContactGroup>>& contacts) {
    for (const auto& contact : contacts)
      for (int vertex : contact->touching()) counts_[vertex] += 1;
    steps_ += 1;
  }
  /// Halves all counts, so that they follow contacts that move. Called before every checkpoint.
  void fade() {
    for (double& count : counts_) count *= 0.5;
    steps_ *= 0.5;
  }

  const std::vector<double>& counts() const { return counts_; }  ///< valid for owned vertices
  double steps() const { return steps_; }

 private:
  std::vector<double> counts_;
  double steps_ = 0;
};

}  // namespace traction
