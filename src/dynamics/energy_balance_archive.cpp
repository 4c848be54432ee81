// The part of the energy account that checkpoints contain.

#include <fmt/format.h>

#include <utility>

#include "dynamics/energy_balance.h"

namespace traction {

void EnergyBalance::save(Archive& archive) const {
  if (!begun_ && !loaded_) return;
  auto& numbers = archive.numbers;
  numbers["balance numerical"] = numerical_;
  numbers["balance uncertain"] = uncertain_;
  numbers["balance moved"] = moved_;
  numbers["balance changed"] = changed_.total();
  numbers["balance largest kinetic"] = largest_kinetic_;
  numbers["balance initial kinetic"] = initial_kinetic_;
  numbers["balance initial stored"] = initial_stored_;
  numbers["balance kinetic"] = now_.kinetic;
  for (const auto& [name, growth] : {std::pair("", &growth_), std::pair(" in contact", &growth_in_contact_)}) {
    numbers[fmt::format("balance doubled{}", name)] = growth->doubled;
    numbers[fmt::format("balance steps since doubled{}", name)] = growth->steps;
  }
  const std::vector<std::string> names = energy_names(system_);
  for (std::size_t k = 0; k < now_.stored.size() && k < names.size(); ++k) numbers["balance stored " + names[k]] = now_.stored[k];
  for (std::size_t k = 0; k < works_.size(); ++k) numbers[fmt::format("balance work {}", kWorkNames[k])] = works_[k];
  for (std::size_t k = 0; k < now_.exerted.powers.size(); ++k) numbers[fmt::format("balance power {}", k)] = now_.exerted.powers[k];
  for (std::size_t i = 0; i < now_.exerted.obstacles.size(); ++i) {
    ObstacleLoad load = now_.exerted.obstacles[i];
    int k = 0;
    load.for_each_number([&](double number) { numbers[fmt::format("balance load of obstacle {} {}", i, k++)] = number; });
  }
  for (std::size_t i = 0; i <= contacts_.size(); ++i) {
    const std::string name = i < contacts_.size() ? "of " + contacts_[i] : "without contact";
    numbers["balance numerical " + name] = numerical_by_contact_[i];
    numbers["balance warned gain " + name] = warned_of_.last(i < contacts_.size() ? contacts_[i] : "");
    if (i == contacts_.size()) continue;
    numbers["balance touching " + name] = now_.touching[i];
    numbers["balance contact energy " + name] = now_.contact_energies[i];
  }
  if (!system_.driven().empty()) archive.save("forces_on_driven", now_.exerted.on_driven.values());
}

void EnergyBalance::load(const Archive& archive) {
  begun_ = loaded_ = false;
  if (!archive.numbers.contains("balance numerical")) return;
  numerical_ = archive.number("balance numerical");
  uncertain_ = archive.numbers.contains("balance uncertain") ? archive.number("balance uncertain") : 0;
  moved_ = archive.number("balance moved");
  changed_.restore(archive.numbers.contains("balance changed") ? archive.number("balance changed") : 0);
  largest_kinetic_ = archive.number("balance largest kinetic");
  initial_kinetic_ = archive.number("balance initial kinetic");
  initial_stored_ = archive.number("balance initial stored");
  for (const auto& [name, growth] : {std::pair("", &growth_), std::pair(" in contact", &growth_in_contact_)}) {
    const std::string doubled = fmt::format("balance doubled{}", name);
    if (!archive.numbers.contains(doubled)) continue;  // checkpoints of older versions lack these numbers
    *growth = {archive.number(doubled), static_cast<int>(archive.number(fmt::format("balance steps since doubled{}", name)))};
  }
  now_ = {};
  now_.kinetic = archive.number("balance kinetic");
  for (const std::string& name : energy_names(system_)) now_.stored.push_back(archive.number("balance stored " + name));
  for (std::size_t k = 0; k < works_.size(); ++k)
    if (const std::string name = fmt::format("balance work {}", kWorkNames[k]); k < static_cast<std::size_t>(Work::plastic) || archive.numbers.contains(name))
      works_[k] = archive.number(name);
  for (std::size_t k = 0; k < now_.exerted.powers.size(); ++k) now_.exerted.powers[k] = archive.number(fmt::format("balance power {}", k));
  for (std::size_t i = 0; archive.numbers.contains(fmt::format("balance load of obstacle {} 0", i)); ++i) {
    int k = 0;
    now_.exerted.obstacles.emplace_back().for_each_number(
        [&](double& number) { number = archive.number(fmt::format("balance load of obstacle {} {}", i, k++)); });
  }
  for (std::size_t i = 0; i <= contacts_.size(); ++i) {
    const std::string name = i < contacts_.size() ? "of " + contacts_[i] : "without contact";
    numerical_by_contact_[i] = archive.number("balance numerical " + name);
    const auto warned = archive.numbers.find("balance warned gain " + name);
    warned_of_.note(i < contacts_.size() ? contacts_[i] : "", warned == archive.numbers.end() ? 0 : warned->second);
    if (i == contacts_.size()) continue;
    now_.touching.push_back(archive.number("balance touching " + name));
    now_.contact_energies.push_back(archive.number("balance contact energy " + name));
  }
  if (!system_.driven().empty()) {
    now_.exerted.on_driven = Field(system_.halo().local());
    archive.load("forces_on_driven", now_.exerted.on_driven.values());
  }
  loaded_ = true;
}

}  // namespace traction
