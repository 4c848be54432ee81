#include "app/contact_jumps.h"

#include <fmt/format.h>

#include <algorithm>

#include "parallel/collective.h"

namespace traction {

ContactJumps::ContactJumps(std::vector<Contact> contacts) : contacts_(std::move(contacts)) {
  for (const Contact& contact : contacts_) nothing_near_.push_back(!contact.touches);
}

std::vector<std::string> ContactJumps::look(const StepRecord& step, const std::function<double(std::size_t)>& taken) {
  constexpr double kSteps = 4;  // number of steps within the thickness that resolve an impact
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& contact = contacts_[i];
    const bool touches = step.contacts[i].active > 0;
    if (contact.watched && nothing_near_[i] && (touches || step.solver.contact.acts(i))) {
      const double travel = taken(i) * step.dt;
      if (travel > contact.thickness) {
        warnings.push_back(
            fmt::format("contact '{}' begins with a travel of {:.3g} m per step of {:.3g} s, more than the thickness of {:.3g} m, so that this step alone "
                        "decides on the impact; to resolve it take steps of {:.1g} s there (time.step), or a larger thickness",
                        contact.name, travel, step.dt, contact.thickness, step.dt * contact.thickness / (kSteps * travel)));
        contact.watched = false;
      }
    }
    nothing_near_[i] = !touches;
  }
  return warnings;
}

std::vector<ContactJumps::Contact> watched_contacts(const Simulation& simulation, bool is_new) {
  std::vector<ContactJumps::Contact> contacts;
  const bool implicit = simulation.scene.time.integrator != Integrator::asynchronous;
  for (std::size_t i = 0; i < simulation.contacts.size(); ++i) {
    const ContactGroup& contact = *simulation.contacts[i];
    bool bounded = i >= simulation.scene.contacts.size();  // pressure fields have no thickness
    contact.for_each_term([&](const auto& term) { bounded = bounded || term->step_bound(); });
    const bool watched = implicit && simulation.system->has_inertia() && !bounded;
    bool touches = true;
    if (watched && is_new) touches = maximum_over_ranks(simulation.system->communicator(), contact.points(simulation.loop->state()).empty() ? 0.0 : 1.0) > 0;
    contacts.push_back({contact.name(), contact.thickness(), watched, touches});
  }
  return contacts;
}

double speed_taken(const Simulation& simulation, std::size_t contact, const StepRecord& step, const Field& before) {
  const State& state = simulation.loop->state();
  const System& system = *simulation.system;
  const ContactTrace& trace = step.solver.contact;
  double taken = 0;
  for (const ContactPoint& point : simulation.contacts[contact]->points(state))
    if (point.vertex >= 0) taken = std::max(taken, (state.v[point.vertex] - before[point.vertex]).dot(point.normal));
  const bool has_left = step.contacts[contact].active == 0 && trace.acts(contact);
  for (std::size_t b = 0; b < system.bodies().size() && has_left; ++b)
    if (trace.forces[contact][b] > 0)
      for (const int vertex : system.bodies()[b]) taken = std::max(taken, (state.v[vertex] - before[vertex]).norm());
  return maximum_over_ranks(system.communicator(), taken);
}

}  // namespace traction
