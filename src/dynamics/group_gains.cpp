#include "dynamics/group_gains.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr std::size_t kAlone = 8;  // number of groups that are examined one by one
constexpr double kRatio = 4;       // quotient of the energies that neighbouring classes of other groups have moved
constexpr int kLastClass = 16;     // holds all that have moved still less

using Meetings = std::set<std::pair<int, int>>;

// The energy of contact at each body, the same on all ranks; adds this rank's meetings.
std::vector<double> contact_energies(std::span<const std::shared_ptr<ContactGroup>> contacts, const State& state, const Field& bodies, std::size_t count,
                                     Meetings& meetings, MPI_Comm communicator) {
  ContactByBody found{std::vector<double>(count, 0.0), std::move(meetings)};
  for (const auto& contact : contacts) contact->add_by_body(state, bodies, found);
  meetings = std::move(found.meetings);
  sum_over_ranks(communicator, found.energies);
  return std::move(found.energies);
}

std::vector<std::pair<int, int>> of_all_ranks(const Meetings& meetings, MPI_Comm communicator) {
  std::vector<double> flat;
  for (const auto& [one, other] : meetings) flat.insert(flat.end(), {static_cast<double>(one), static_cast<double>(other)});
  flat = concatenated_over_ranks(communicator, flat);
  std::vector<std::pair<int, int>> all;
  for (std::size_t i = 0; i + 1 < flat.size(); i += 2) all.emplace_back(static_cast<int>(flat[i]), static_cast<int>(flat[i + 1]));
  return all;
}

}  // namespace

std::vector<GroupGain> gains_of_groups(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts, std::span<const ContactSummary> summaries,
                                       const EnergyBalance& balance, const EnergyBalance::Step& account, const State& start, const State& end,
                                       const ContactTrace& trace, const MovedEnergy::Moved& moved) {
  const std::size_t count = moved.bodies.size();
  // If only one body is touched, it is judged with the whole scene, unless contact has moved more energy in other bodies before.
  const auto is_judged_with_scene = [&](std::size_t touched, double energy) { return touched == 1 && energy > moved.energy / 2; };
  const auto touched = std::count_if(moved.bodies.begin(), moved.bodies.end(), [](double energy) { return energy > 0; });
  if (touched == 0 || is_judged_with_scene(static_cast<std::size_t>(touched), *std::max_element(moved.bodies.begin(), moved.bodies.end()))) return {};
  const MPI_Comm communicator = system.communicator();
  const Field& numbers = balance.bodies().numbers();
  Meetings meetings;
  for (const StepSample& sample : trace.within) contact_energies(contacts, sample.state, numbers, count, meetings, communicator);
  const std::vector<double> before = contact_energies(contacts, start, numbers, count, meetings, communicator);
  const std::vector<double> after = contact_energies(contacts, end, numbers, count, meetings, communicator);
  const std::vector<int> group_of = balance.bodies().groups(of_all_ranks(meetings, communicator));

  struct Group {
    double moved = 0, before = 0, after = 0;
    bool left_out = false;
    std::vector<std::size_t> bodies;
  };
  std::map<int, Group> found;
  for (std::size_t b = 0; b < count; ++b) {
    Group& group = found[group_of[b]];
    group.bodies.push_back(b);
    group.moved += moved.bodies[b];
    group.before += before[b];
    group.after += after[b];
    for (std::size_t i = 0; i < contacts.size(); ++i) group.left_out |= !summaries[i].obstacles.empty() && (trace.forces.empty() || trace.forces[i][b] > 0);
  }
  std::vector<std::pair<double, const Group*>> groups;
  for (const auto& [number, group] : found)
    if (group.moved > 0) groups.emplace_back(group.moved + std::abs(group.after - group.before), &group);
  std::stable_sort(groups.begin(), groups.end(), [](const auto& one, const auto& other) { return one.first > other.first; });
  if (groups.empty() || is_judged_with_scene(groups.size(), groups.front().first)) return {};

  std::map<std::size_t, GroupGain> classes;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& [energy, group] = groups[g];
    if (group->left_out) continue;
    const double smaller = std::log(groups.front().first / energy) / std::log(kRatio);
    GroupGain& gain = classes[g < kAlone ? g : kAlone + static_cast<std::size_t>(std::min<double>(smaller, kLastClass))];
    gain.bodies.resize(count, 0);
    gain.energy += group->after - group->before;
    gain.moved += energy;
    gain.stays |= group->before > 0 && group->after > 0;
    for (const std::size_t body : group->bodies) gain.bodies[body] = 1;
  }
  std::vector<GroupGain> gains;
  for (auto& [number, gain] : classes) {
    gain.energy += balance.part_of(account, start, end, gain.bodies).change;
    gains.push_back(std::move(gain));
  }
  return gains;
}

}  // namespace traction
