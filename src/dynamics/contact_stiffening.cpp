#include "dynamics/contact_stiffening.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "contact/contact_layers.h"
#include "contact/passage.h"
#include "parallel/collective.h"

namespace traction {

bool ContactStiffening::has_layers() const {
  return std::any_of(contacts_.begin(), contacts_.end(), [](const auto& contact) { return !contact->unweighted_law().layers.empty(); });
}

std::vector<ContactHardness> ContactStiffening::hardness() const {
  std::vector<ContactHardness> hardness;
  for (const auto& contact : contacts_) hardness.push_back(contact->hardness());
  return hardness;
}

void ContactStiffening::set_hardness(std::span<const ContactHardness> hardness) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i) contacts_[i]->set_hardness(hardness[i]);
}

void ContactStiffening::foresee(const State& start, std::span<const ContactSummary> summaries) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (summaries[i].active == 0) contacts_[i]->foresee(start);
}

double ContactStiffening::approaching_energy(const ContactGroup& contact, const State& state, double gap) const {
  double largest = 0;
  for (const ContactPoint& point : contact.points(state)) {
    if (point.gap >= gap || point.closing_speed <= 0 || !(point.weight > 0) || point.vertex < 0) continue;
    largest = std::max(largest, system_.effective_mass()[point.vertex] * point.closing_speed * point.closing_speed / (2 * point.weight));
  }
  return maximum_over_ranks(system_.communicator(), largest);
}

ContactStiffening::Judgement ContactStiffening::judge(const State& start, std::span<const ContactSummary> at_start, const State& end,
                                                      std::span<const ContactSummary> at_end, bool may_halve) const {
  struct Layer {
    ContactGroup& contact;
    Penetration penetration;
  };
  std::vector<Layer> layers;
  std::vector<std::size_t> multiplied;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactLaw& law = contacts_[i]->unweighted_law();
    const double gap = at_end[i].yielding_gap;
    if (!law.yields()) continue;
    // Where vertices are already behind the surface, a new layer would add energy.
    if (law.stiffening == Stiffening::multiply || !has_room_for_layer(law, at_start[i].yielding_gap)) {
      if (gap < 0) multiplied.push_back(i);
    } else if (const double least = least_gap_after_step(law); gap < least) {
      layers.push_back({*contacts_[i], {at_start[i].yielding_gap, gap, approaching_energy(*contacts_[i], end, least)}});
      if (may_halve && is_too_thin(law, layers.back().penetration)) return {Verdict::halve};
    }
  }
  Judgement judgement{layers.empty() && multiplied.empty() ? Verdict::accept : Verdict::repeat};
  for (const Layer& layer : layers) {
    ContactLaw law = layer.contact.unweighted_law();
    add_layer(law, layer.penetration);
    layer.contact.set_hardness({law.stiffness, law.layers});
  }
  for (const std::size_t i : multiplied) {
    ContactGroup& contact = *contacts_[i];
    const double factor = stiffening_factor(at_end[i].yielding_gap, contact.thickness());
    const double before = contact.total_energy(system_.communicator(), start);
    contact.set_stiffness(contact.stiffness() * factor);
    judgement.energy += contact.total_energy(system_.communicator(), start) - before;
  }
  return judgement;
}

std::string ContactStiffening::failure(const State& end) const {
  const MPI_Comm communicator = system_.communicator();
  double deepest = std::numeric_limits<double>::infinity();  // gap, relative to the thickness
  std::string text = "contact was stiffened as often as a step allows, and still does not hold";
  for (const auto& contact : contacts_) {
    if (!contact->unweighted_law().yields()) continue;
    const std::vector<ContactPoint> points = contact->points(end);
    const auto least = std::min_element(points.begin(), points.end(), [](const ContactPoint& a, const ContactPoint& b) { return a.gap < b.gap; });
    const double own = least == points.end() ? std::numeric_limits<double>::infinity() : least->gap, gap = minimum_over_ranks(communicator, own);
    if (!(gap / contact->thickness() < deepest)) continue;
    deepest = gap / contact->thickness();
    const Vec3 place = *first_over_ranks(communicator, own == gap ? std::optional<Vec3>(least->position) : std::nullopt);
    text = fmt::format(
        "contact '{}' does not hold the vertex at ({:.4g}, {:.4g}, {:.4g}), which comes as near as {:.3g} m to the surface or lies behind it, however stiff it "
        "is "
        "made; if a prescribed motion leads the vertex or the surface there, let it end before, else take shorter steps (time.step, time.maximum_halvings) or "
        "give the contact a greater stiffness",
        contact->name(), place.x(), place.y(), place.z(), gap);
  }
  return text;
}

double ContactStiffening::adapt(const State& end, std::span<const ContactSummary> summaries) const {
  double added = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (summaries[i].active > 0) added += contacts_[i]->adapt_stiffness(system_.communicator(), end, summaries[i].minimum_gap);
  return added;
}

void ContactStiffening::relax(std::span<const ContactSummary> summaries) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactGroup& contact = *contacts_[i];
    if (summaries[i].active == 0) {
      contact.relax();
    } else if (!contact.unweighted_law().layers.empty()) {
      ContactLaw law = contact.unweighted_law();
      remove_layers(law, summaries[i].yielding_gap);
      contact.set_hardness({law.stiffness, law.layers});
    }
  }
}

}  // namespace traction
