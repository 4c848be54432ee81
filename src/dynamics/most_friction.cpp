#include "dynamics/most_friction.h"

#include "pressure/pressure_contact.h"

namespace traction {

Field most_friction(const ContactGroup& contact, const State& state, const Field& normal) {
  const int vertices = static_cast<int>(normal.values().size() / 3);
  Field most(vertices);
  bool has_fields = false;
  contact.for_each_term([&](const std::shared_ptr<ContactTerm>& term) {
    if (const auto* pressure = dynamic_cast<const PressureContact*>(term.get())) {
      pressure->add_most_friction(state, most);
      has_fields = true;
    }
  });
  const ContactLaw& law = contact.unweighted_law();
  if (has_fields || !law.friction) return most;
  for (int vertex = 0; vertex < vertices; ++vertex) most[vertex].x() = law.curve.largest_coefficient() * normal[vertex].norm();
  return most;
}

}  // namespace traction
