#include "dynamics/moved_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/normal_force_sizes.h"
#include "parallel/collective.h"

namespace traction {

namespace {

constexpr double kForgotten = 1.0 / 64;  // share of the difference to the reference that each step forgets
constexpr double kFaded = 1e-3;          // share of the largest energy that each step forgets

}  // namespace

MovedEnergy::Present MovedEnergy::present(const State& state, const ContactTrace& trace) const {
  const std::vector<double> sizes = normal_forces(contacts_, state, system_.halo().local()).sizes;
  Present now{body_motions(system_, state.q, state.v), {}};
  for (const std::vector<int>& body : system_.places()) {
    double sum = 0;
    for (const int vertex : body) sum += sizes[vertex];
    now.touched.push_back(sum);
  }
  sum_over_ranks(system_.communicator(), now.touched);
  for (std::size_t b = 0; b < now.touched.size(); ++b) now.touched[b] = now.touched[b] > 0 || trace.force_on(b) > 0 ? 1 : 0;
  return now;
}

void MovedEnergy::begin(const State& state, double contact_energy) {
  if (reference_) return;
  reference_ = Reference{{}, contact_energy};
  for (const BodyMotion& motion : body_motions(system_, state.q, state.v))
    reference_->bodies.push_back({motion.mass * motion.velocity, motion.angular_momentum, motion.deforming_energy, 0});
}

MovedEnergy::Moved MovedEnergy::moved(const Present& end, double contact_energy, double height) const {
  Moved moved;
  moved.energy = moved.contact = std::abs(contact_energy - reference_->contact_energy);
  for (std::size_t b = 0; b < end.motions.size(); ++b) {
    const BodyMotion& motion = end.motions[b];
    const Body& before = reference_->bodies[b];
    moved.masses.push_back(motion.mass);
    double& of_body = moved.bodies.emplace_back(0);
    if (end.touched[b] == 0 && before.touched == 0) continue;
    const double inertia = motion.inertia.trace() / 3;
    of_body = (motion.mass * motion.velocity - before.momentum).squaredNorm() / (2 * motion.mass);
    if (inertia > 0) of_body += (motion.angular_momentum - before.angular_momentum).squaredNorm() / (2 * inertia);
    of_body += std::max(motion.deforming_energy, before.deforming);
    of_body = std::max(of_body, motion.mass * system_.reference_acceleration() * height);
    moved.energy += of_body;
  }
  return moved;
}

MovedEnergy::Moved MovedEnergy::until(const State& end, double contact_energy, double height, const ContactTrace& trace) const {
  Moved result = moved(present(end, trace), contact_energy, height);
  result.energy = std::max(peak_, result.energy);
  return result;
}

void MovedEnergy::accept(const State& end, double contact_energy, const ContactTrace& trace) {
  const Present now = present(end, trace);
  const double energy = moved(now, contact_energy, 0).energy;
  peak_ = std::max((1 - kFaded) * peak_, energy);
  largest_ = std::max(largest_, energy);
  reference_->contact_energy += kForgotten * (contact_energy - reference_->contact_energy);
  for (std::size_t b = 0; b < now.motions.size(); ++b) {
    const BodyMotion& motion = now.motions[b];
    Body& body = reference_->bodies[b];
    body.momentum += kForgotten * (motion.mass * motion.velocity - body.momentum);
    body.angular_momentum += kForgotten * (motion.angular_momentum - body.angular_momentum);
    body.deforming = std::max(motion.deforming_energy, (1 - kForgotten) * body.deforming);
    body.touched = std::max(body.touched, now.touched[b]);
  }
}

void MovedEnergy::leave(const Moved& moved) {
  largest_ = std::max(largest_, std::accumulate(moved.bodies.begin(), moved.bodies.end(), moved.contact));
  reference_.reset();
}

void MovedEnergy::save(Archive& archive) const {
  archive.numbers["moved peak"] = peak_;
  archive.numbers["moved at most"] = largest_;
  if (!reference_) return;
  archive.numbers["moved contact energy"] = reference_->contact_energy;
  for (std::size_t b = 0; b < reference_->bodies.size(); ++b) {
    const Body& body = reference_->bodies[b];
    for (int i = 0; i < 3; ++i) {
      archive.numbers[fmt::format("moved momentum {} {}", b, i)] = body.momentum[i];
      archive.numbers[fmt::format("moved angular momentum {} {}", b, i)] = body.angular_momentum[i];
    }
    archive.numbers[fmt::format("moved deforming {}", b)] = body.deforming;
    archive.numbers[fmt::format("moved touched {}", b)] = body.touched;
  }
}

void MovedEnergy::load(const Archive& archive) {
  reference_.reset();
  peak_ = archive.number("moved peak");
  largest_ = archive.number("moved at most");
  if (!archive.numbers.contains("moved contact energy")) return;
  reference_ = Reference{std::vector<Body>(system_.bodies().size()), archive.number("moved contact energy")};
  for (std::size_t b = 0; b < reference_->bodies.size(); ++b) {
    Body& body = reference_->bodies[b];
    for (int i = 0; i < 3; ++i) {
      body.momentum[i] = archive.number(fmt::format("moved momentum {} {}", b, i));
      body.angular_momentum[i] = archive.number(fmt::format("moved angular momentum {} {}", b, i));
    }
    body.deforming = archive.number(fmt::format("moved deforming {}", b));
    body.touched = archive.number(fmt::format("moved touched {}", b));
  }
}

}  // namespace traction
