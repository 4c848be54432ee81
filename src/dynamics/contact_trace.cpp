#include "dynamics/contact_trace.h"

#include <algorithm>
#include <limits>

#include "contact/normal_force_sizes.h"
#include "parallel/collective.h"

namespace traction {

bool ContactTrace::acts() const {
  return std::any_of(most.begin(), most.end(), [](double energy) { return energy > 0; });
}

double ContactTrace::force_on(std::size_t body) const {
  double sum = 0;
  for (const std::vector<double>& of_contact : forces) sum += of_contact[body];
  return sum;
}

ContactTrace trace_contacts(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts, const State& start, std::span<const State> stages,
                            std::span<const double> weights, bool forces_jump) {
  const std::size_t bodies = system.bodies().size();
  ContactTrace trace;
  if (stages.empty()) return trace;
  for (const auto& contact : contacts) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    std::vector<double> forces(bodies, 0.0);
    for (const State& stage : stages) {
      const double energy = contact->total_energy(system.communicator(), stage);
      least = std::min(least, energy);
      most = std::max(most, energy);
      if (!(energy > 0)) continue;
      const std::vector<double> sizes = normal_forces({&contact, 1}, stage, system.halo().local()).sizes;
      std::vector<double> sums;
      for (const std::vector<int>& body : system.places()) {
        double& sum = sums.emplace_back(0);
        for (const int vertex : body) sum += sizes[vertex];
      }
      sum_over_ranks(system.communicator(), sums);
      for (std::size_t b = 0; b < bodies; ++b) forces[b] = std::max(forces[b], sums[b]);
    }
    trace.least.push_back(least);
    trace.most.push_back(most);
    trace.forces.push_back(std::move(forces));
  }
  const auto touches = [&](const auto& contact) { return contact->total_energy(system.communicator(), start) > 0; };
  if (weights.empty() || (!forces_jump && !trace.acts() && std::none_of(contacts.begin(), contacts.end(), touches))) return trace;
  trace.knows_weights = true;
  trace.weight_of_start = weights.front();
  trace.weight_of_end = weights.back();
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    StepSample& sample = trace.within.emplace_back(weights[i + 1], stages[i]);
    for (const auto& contact : contacts) sample.contacts.push_back(contact->summarize(stages[i]));
  }
  return trace;
}

}  // namespace traction
