// What the implicit driver saves and loads, so that a run can be continued.

#include <algorithm>
#include <cmath>
#include <map>

#include "dynamics/implicit_driver.h"
#include "system/held_spins.h"

namespace traction {

void ImplicitDriver::save(Archive& archive) const {
  archive.save("positions", state_.q.values());
  archive.save("velocities", state_.v.values());
  for (const auto& [name, values] : system_.remembered()) archive.save(name, values);
  archive.numbers.insert({{"time", state_.time},
                          {"step", static_cast<double>(last_.step)},
                          {"halvings", static_cast<double>(halvings_)},
                          {"good steps", static_cast<double>(good_steps_)},
                          {"calmed steps", static_cast<double>(calmed_)},
                          {"settled steps", static_cast<double>(settled_)},
                          {"settled steps warned of", settled_warnings_.last("steps")}});
  if (state_.mean) archive.numbers.insert({{"velocities from", state_.mean->from}, {"velocities over", state_.mean->duration}});
  for (std::size_t i = 0; i < at_start_.size(); ++i) {
    archive.numbers["gap in " + contacts_[i]->name()] = at_start_[i].yielding_gap;
    archive.numbers["least gap in " + contacts_[i]->name()] = at_start_[i].minimum_gap;
    archive.numbers["pairs in " + contacts_[i]->name()] = static_cast<double>(at_start_[i].active);
    archive.numbers["energy in " + contacts_[i]->name()] = at_start_[i].energy;
  }
  if (error_before_layers_) archive.numbers["balance numerical before layers"] = *error_before_layers_;
  balance_.save(archive);
  moved_.save(archive);
  gains_.save(archive, contact_names());
  stepper_.save(archive);
}

void ImplicitDriver::load(const Archive& archive) {
  archive.load("positions", state_.q.values());
  archive.load("velocities", state_.v.values());
  std::map<std::string, std::vector<double>> memory = system_.remembered();
  for (auto& [name, values] : memory) archive.load(name, values);
  system_.recall(memory);
  state_.time = archive.number("time");
  if (state_.mean)  // older versions wrote nothing of it
    state_.mean = archive.numbers.contains("velocities over") ? MeanVelocity{archive.number("velocities from"), archive.number("velocities over")}
                                                              : MeanVelocity{state_.time};
  last_ = {};
  last_.step = static_cast<long>(archive.number("step"));
  halvings_ = std::min(static_cast<int>(archive.number("halvings")), time_.maximum_halvings);
  good_steps_ = static_cast<int>(archive.number("good steps"));
  const auto number_or_none = [&](const char* name) { return archive.numbers.contains(name) ? archive.number(name) : 0; };  // older versions wrote none
  calmed_ = std::lround(number_or_none("calmed steps"));
  settled_ = std::lround(number_or_none("settled steps"));
  settled_warnings_.note("steps", number_or_none("settled steps warned of"));
  at_start_.clear();
  if (archive.numbers.contains("balance numerical"))
    for (const auto& contact : contacts_) {
      at_start_.emplace_back();
      at_start_.back().yielding_gap = archive.number("gap in " + contact->name());
      const std::string least = "least gap in " + contact->name();  // older versions did not write it
      if (archive.numbers.contains(least)) at_start_.back().minimum_gap = archive.number(least);
      at_start_.back().active = std::lround(archive.number("pairs in " + contact->name()));
      at_start_.back().energy = archive.number("energy in " + contact->name());
    }
  error_before_layers_.reset();
  if (archive.numbers.contains("balance numerical before layers")) error_before_layers_ = archive.number("balance numerical before layers");
  balance_.load(archive);
  moved_.load(archive);
  gains_.load(archive, contact_names());
  system_.release(std::nextafter(state_.time, 0));  // vertices that are released at exactly this time are free from the next step on
  take_back_spins(system_, state_);
  stepper_.load(archive);
}

int ImplicitDriver::saved_fields() const {
  std::vector<Integrator> integrators;
  for (const StepSettings& piece : time_.steps) integrators.push_back(piece.integrator.value_or(time_.integrator));
  std::map<std::string, int> components;  // forces of one name share a field
  for (const auto& term : system_.forces())
    if (Memory* memory = term->memory()) components[memory->name()] = memory->components();
  double remembered = 0;  // doubles per vertex
  for (const auto& [name, count] : components) remembered += count;
  return 2 + static_cast<int>(std::ceil(remembered / 3)) + balance_.saved_fields() + stepper_.saved_fields(integrators);
}

}  // namespace traction
