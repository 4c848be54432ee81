#include "simulation/replicated_driver.h"

#include <algorithm>

#include "parallel/collective.h"

namespace traction {

ReplicatedDriver::ReplicatedDriver(const Simulation& part, std::unique_ptr<Simulation> whole)
    : system_(*part.system), whole_(std::move(whole)), driver_(static_cast<AsynchronousDriver&>(*whole_->loop)), state_(system_.halo().local()) {
  const std::vector<int>& ids = whole_->mesh->vertex_ids;
  std::vector<std::size_t> number_of(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) number_of[static_cast<std::size_t>(ids[i])] = i;
  for (const int id : part.mesh->vertex_ids) whole_number_.push_back(number_of[static_cast<std::size_t>(id)]);
  driver_.share(system_.communicator());
  follow();
}

std::vector<double> ReplicatedDriver::part_of(std::span<const double> whole) const {
  const std::size_t components = whole.size() / whole_->mesh->vertex_ids.size();
  std::vector<double> part;
  part.reserve(components * whole_number_.size());
  for (const std::size_t number : whole_number_)
    for (std::size_t k = 0; k < components; ++k) part.push_back(whole[components * number + k]);
  return part;
}

std::vector<double> ReplicatedDriver::whole_of(std::span<const double> part) const {
  const std::size_t components = whole_number_.empty() ? 0 : part.size() / whole_number_.size();
  const auto most = static_cast<std::size_t>(maximum_over_ranks(system_.communicator(), static_cast<double>(components)));
  std::vector<double> whole(most * whole_->mesh->vertex_ids.size(), 0.0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(system_.halo().owned()); ++i)
    for (std::size_t k = 0; k < components; ++k) whole[components * whole_number_[i] + k] = part[components * i + k];
  sum_over_ranks(system_.communicator(), whole);
  return whole;
}

void ReplicatedDriver::follow() {
  const State& whole = driver_.state();
  state_.time = whole.time;
  for (std::size_t i = 0; i < whole_number_.size(); ++i) {
    state_.q[static_cast<int>(i)] = whole.q[static_cast<int>(whole_number_[i])];
    state_.v[static_cast<int>(i)] = whole.v[static_cast<int>(whole_number_[i])];
  }
  std::map<std::string, std::vector<double>> memory = whole_->system->remembered();
  for (auto& [name, values] : memory) values = part_of(values);
  system_.recall(memory);
}

StepRecord ReplicatedDriver::advance() {
  system_.release(state_.time);
  const StepRecord record = driver_.advance();
  follow();
  return record;
}

void ReplicatedDriver::start_from(State state) {
  State whole = driver_.state();
  std::ranges::copy(whole_of(state.q.values()), whole.q.values().begin());
  std::ranges::copy(whole_of(state.v.values()), whole.v.values().begin());
  whole.time = state.time;
  driver_.start_from(std::move(whole));
  follow();
}

void ReplicatedDriver::save(Archive& archive) const {
  Archive whole;
  driver_.save(whole);
  for (const auto& [name, values] : whole.fields) archive.save(name, part_of(values));
  archive.numbers.insert(whole.numbers.begin(), whole.numbers.end());
}

void ReplicatedDriver::load(const Archive& archive) {
  Archive whole;
  whole.numbers = archive.numbers;
  whole.source = archive.source;
  for (const auto& [name, values] : archive.fields) whole.fields[name] = whole_of(values);
  driver_.load(whole);
  follow();
}

}  // namespace traction
