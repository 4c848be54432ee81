#include "dynamics/contact_gains.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace traction {

namespace {

constexpr double kForgottenLoss = 1.0 / 64;  // share of a loss that each step forgets, in episodes that last
constexpr double kNoise = 3;                 // multiple of the noise's standard deviation; errors of single steps are independent

constexpr double kGrowth = 1.1;  // factor by which the energy moved grows from step to step in the first part of an impact

}  // namespace

bool ContactGains::Episode::is_growing() const { return moved > kGrowth * moved_before; }

std::optional<ContactGains::Gain> ContactGains::Episode::gain(std::size_t contact) const {
  if (!(net > kNoise * std::sqrt(noise))) return {};
  return Gain{contact, net, moved + works};
}

void ContactGains::add(const Step& step) {
  ended_.clear();
  for (std::size_t i = 0; i < episodes_.size(); ++i) {
    Episode& episode = episodes_[i];
    if (!step.acts[i]) {
      if (const auto gain = episode.gain(i); gain && episode.is_growing()) ended_.push_back(*gain);
      const double gained = std::max(episode.net, 0.0);
      episode = {0, 0, 0, 0, episode.before + gained, episode.noise_before + (gained > 0 ? episode.noise : 0), 0};
      continue;
    }
    if (episode.net < 0) episode.net *= 1 - kForgottenLoss;
    if (i == step.cause) {
      episode.net += step.change;
      episode.noise += step.noise * step.noise;
    }
    episode.moved_before = episode.moved;
    episode.moved = std::max(episode.moved, step.moved[i]);
    episode.works += step.works;
  }
}

double ContactGains::of_episode(std::size_t contact) const { return episodes_[contact].net; }

double ContactGains::of_all_episodes(std::size_t contact) const { return episodes_[contact].before + std::max(episodes_[contact].net, 0.0); }

double ContactGains::noise(std::size_t contact) const { return kNoise * std::sqrt(episodes_[contact].noise + episodes_[contact].noise_before); }

std::optional<ContactGains::Gain> ContactGains::beyond(double share, std::span<const double> known) const {
  std::vector<Gain> gains = ended_;
  for (std::size_t i = 0; i < episodes_.size(); ++i)
    if (const auto gain = episodes_[i].gain(i); gain && !episodes_[i].is_growing()) gains.push_back(*gain);
  std::optional<Gain> most;
  for (const Gain& gain : gains) {
    const bool is_known = !known.empty() && gain.energy <= known[gain.contact];
    if (!is_known && gain.energy > share * gain.moved && (!most || gain.energy > most->energy)) most = gain;
  }
  return most;
}

void ContactGains::save(Archive& archive, std::span<const std::string> names) const {
  for (std::size_t i = 0; i < episodes_.size(); ++i) {
    Episode episode = episodes_[i];
    for_each_number(episode, [&](const char* what, double& number) { archive.numbers[fmt::format("gains {} of {}", what, names[i])] = number; });
  }
}

void ContactGains::load(const Archive& archive, std::span<const std::string> names) {
  for (std::size_t i = 0; i < episodes_.size(); ++i)
    for_each_number(episodes_[i], [&](const char* what, double& number) { number = archive.number(fmt::format("gains {} of {}", what, names[i])); });
}

}  // namespace traction
