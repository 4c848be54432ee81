#include "dynamics/drifting_bodies.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "dynamics/supports.h"
#include "system/body_motion.h"

namespace traction {

namespace {

constexpr double kNotable = 0.1;  // drift to warn of, in parts of the body's gyration radius, or in radians
constexpr double kStep = 1e-6;    // the same for one step; smaller drifts are not counted

std::string text_of(const Vec3& vector) {
  constexpr double kRounded = 5e-3;  // smaller components are printed as zero
  Vec3 direction = vector.normalized();
  for (double& component : direction)
    if (std::abs(component) < kRounded) component = 0;
  return fmt::format("({:.2g}, {:.2g}, {:.2g})", direction.x(), direction.y(), direction.z());
}

}  // namespace

std::vector<std::string> DriftingBodies::warnings(const System& system, std::span<const std::shared_ptr<ContactGroup>> contacts, const State& start,
                                                  const State& end) {
  if (system.bodies().empty()) return {};
  if (drifts_.empty()) drifts_.assign(system.bodies().size(), Vec6::Zero());
  Field displacement(system.halo().local());
  displacement.array() = end.q.array() - start.q.array();
  const std::vector<BodyMotion> motions = body_motions(system, end.q, displacement);  // "velocities" are displacements
  std::vector<std::pair<std::size_t, Vec6>> moved;
  for (std::size_t b = 0; b < motions.size(); ++b) {
    Vec6 motion;
    motion << motions[b].velocity / motions[b].gyration_radius(), motions[b].angular_velocity;
    if (motion.norm() > kStep) moved.emplace_back(b, motion);
  }
  if (moved.empty()) return {};
  Supports supports(system, motions, end.q);
  supports.add_held_vertices();
  supports.add_joints();
  supports.add_weights(end);
  for (const auto& contact : contacts) supports.add_contact(*contact, end);
  supports.complete();
  std::vector<std::string> warnings;
  for (const auto& [body, motion] : moved) {
    drifts_[body] += supports.free_part(body, motion);
    const Vec3 slide = drifts_[body].head<3>(), turn = drifts_[body].tail<3>();
    const std::string& name = system.body_names()[body];
    if (const double extent = std::max(slide.norm(), turn.norm()); !(extent > kNotable) || !warned_.is_due(name, extent)) continue;
    const std::string drift =
        slide.norm() > turn.norm()
            ? fmt::format("has moved {:.3g} m along {} by t = {:.4g} s", slide.norm() * motions[body].gyration_radius(), text_of(slide), end.time)
            : fmt::format("has turned by {:.2g} degrees about {} by t = {:.4g} s", turn.norm() * 180 / std::numbers::pi, text_of(turn), end.time);
    const char* reason = supports.slips(body)    ? "nothing resists that motion, because contact without friction resists motions across its surface alone"
                         : supports.slides(body) ? "nothing resists that motion, because friction is fully developed where it touches anything"
                                                 : "no support, joint, spring or contact resists that motion";
    const char* remedy = supports.slips(body) ? "Give its contacts friction, hold" : supports.slides(body) ? "Give its contacts more friction, hold" : "Hold";
    warnings.push_back(
        fmt::format("body '{}' drifts without inertia: it {}, and {}. How far it drifts depends on the length of the steps and on the solver's tolerance. {} a "
                    "region of it "
                    "along that motion (fixed: {{region: ..., components: ...}}), or run it with inertia",
                    name, drift, reason, remedy));
  }
  return warnings;
}

}  // namespace traction
