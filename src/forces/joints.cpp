#include "forces/joints.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr int kSums = 13;  // force, moment about the origin, sum of places, their number, coordinate, effort, power

template <typename Element>
double stiffness_of_springs(const std::vector<Element>& springs) {
  double sum = 0;
  for (const Element& spring : springs) sum += spring.stiffness;
  return sum;
}

}  // namespace

template <typename Element>
std::shared_ptr<const Joints::Links<Element>> Joints::add(const std::shared_ptr<const Halo>& halo, std::vector<Element> elements, const char* energy_name) {
  if (sum_over_ranks(halo->communicator(), static_cast<double>(elements.size())) == 0) return nullptr;
  std::vector<int> sets;
  for (const Element& element : elements) sets.push_back(element.joint);
  const auto links = std::make_shared<Links<Element>>(halo, std::move(elements), sets, count_, energy_name);
  forces_.push_back(links);
  return links;
}

Joints::Joints(const std::shared_ptr<const Halo>& halo, JointParts parts, int count) : communicator_(halo->communicator()), count_(count) {
  const auto name_of = [&](const auto& springs) { return sum_over_ranks(halo->communicator(), stiffness_of_springs(springs)) > 0 ? "spring" : ""; };
  const char* hinge_name = name_of(parts.hinge_springs);
  const char* slider_name = name_of(parts.slider_springs);
  pins_ = add(halo, std::move(parts.pins), "joint");
  guides_ = add(halo, std::move(parts.guides), "joint");
  hinge_springs_ = add(halo, std::move(parts.hinge_springs), hinge_name);
  slider_springs_ = add(halo, std::move(parts.slider_springs), slider_name);
  hinge_motions_ = add(halo, std::move(parts.hinge_motions), "joint");
  slider_motions_ = add(halo, std::move(parts.slider_motions), "joint");
  hinge_drives_ = add(halo, std::move(parts.hinge_drives), "");
  slider_drives_ = add(halo, std::move(parts.slider_drives), "");
}

std::vector<JointReading> Joints::readings(const State& state) const {
  std::vector<double> all(static_cast<std::size_t>(kSums * count_), 0.0), gaps(static_cast<std::size_t>(count_), 0.0);
  // Adds the forces of all elements on their first bodies, and the numbers that `more` reads from each.
  const auto add = [&](const auto& links, auto more) {
    if (!links) return;
    links->for_each(state, [&](std::size_t e, const auto& x, const auto& v, const auto& forces) {
      const auto& element = links->elements()[e];
      double* sums = all.data() + static_cast<std::ptrdiff_t>(kSums) * element.joint;
      for (std::size_t a = 0; a < element.kOfFirst; ++a) {
        Eigen::Map<Vec3>{sums} += forces[a];
        Eigen::Map<Vec3>{sums + 3} += x[a].cross(forces[a]);
      }
      more(element, x, v, sums);
    });
  };
  const auto read_gap = [&](const auto& element, const auto& x, const auto&, double* sums) {
    gaps[element.joint] = std::max(gaps[element.joint], element.gap(x));
    Eigen::Map<Vec3>{sums + 6} += x[element.kOfFirst - 1];
    sums[9] += 1;
  };
  const auto read_coordinate = [&]<typename Coordinate>(Coordinate, const auto& x, double* sums) { sums[10] += Coordinate::template measure<double>(x).value; };
  const auto read_effort = [&]<typename Coordinate>(Coordinate, const auto& now, const auto& x, const auto& v, double* sums) {
    const auto c = Coordinate::template measure<double>(x);
    const double effort = now.template effort<double>(c, v);
    sums[11] += effort;
    sums[12] += effort * JointSpring<Coordinate>::template rate<double>(c, v);
  };
  add(pins_, read_gap);
  add(guides_, read_gap);
  add(hinge_springs_, [&](const auto&, const auto& x, const auto&, double* sums) { read_coordinate(HingeAngle(), x, sums); });
  add(slider_springs_, [&](const auto&, const auto& x, const auto&, double* sums) { read_coordinate(SliderDisplacement(), x, sums); });
  const auto read_hinge = [&](const auto& element, const auto& x, const auto& v, double* sums) {
    read_effort(HingeAngle(), element.at(state.time), x, v, sums);
  };
  const auto read_slider = [&](const auto& element, const auto& x, const auto& v, double* sums) {
    read_effort(SliderDisplacement(), element.at(state.time), x, v, sums);
  };
  add(hinge_motions_, read_hinge);
  add(hinge_drives_, read_hinge);
  add(slider_motions_, read_slider);
  add(slider_drives_, read_slider);

  sum_over_ranks(communicator_, all);
  std::vector<JointReading> readings;
  for (int j = 0; j < count_; ++j) {
    const double* sums = all.data() + static_cast<std::ptrdiff_t>(kSums) * j;
    JointReading& reading = readings.emplace_back();
    reading.force = Eigen::Map<const Vec3>(sums);
    const Vec3 place = Eigen::Map<const Vec3>(sums + 6) / sums[9];
    reading.moment = Eigen::Map<const Vec3>(sums + 3) - place.cross(reading.force);
    reading.gap = maximum_over_ranks(communicator_, gaps[j]);
    reading.coordinate = sums[10];
    reading.effort = sums[11];
    reading.power = sums[12];
  }
  return readings;
}

}  // namespace traction
