#include "simulation/build_pressure_contacts.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "mesh/mesh_plan.h"
#include "parallel/collective.h"
#include "pressure/pressure_contact.h"
#include "scene/pressure_friction.h"

namespace traction {

namespace {

Vec3 centroid_of(const RigidInside& inside) {
  Vec3 moment = Vec3::Zero();
  double total = 0;
  for (const auto& t : inside.tetrahedra) {
    const Vec3 &a = inside.vertices[t[0]], &b = inside.vertices[t[1]], &c = inside.vertices[t[2]], &d = inside.vertices[t[3]];
    const double volume = (b - a).cross(c - a).dot(d - a);
    moment += volume / 4 * (a + b + c + d);
    total += volume;
  }
  return moment / total;
}

Mat3 rotation_of(const Body& body) { return Eigen::AngleAxisd(body.initial.rotate.angle * EIGEN_PI / 180, body.initial.rotate.axis).toRotationMatrix(); }

// Half the widths of a shape along its own axes [m].
Vec3 half_widths_of(const PressureFieldSettings& settings) {
  switch (settings.shape) {
    case FieldShape::sphere: return Vec3::Constant(*settings.radius);
    case FieldShape::cylinder: return {*settings.radius, *settings.radius, *settings.length / 2};
    case FieldShape::capsule: return {*settings.radius, *settings.radius, *settings.length / 2 + *settings.radius};
    case FieldShape::box: return *settings.size / 2;
    case FieldShape::mesh: break;
  }
  return Vec3::Zero();
}

// The warning that a shape is not that of the body's mesh; empty if they agree. The mesh may be as round as the shape, or have few facets, as the field has:
// those of a sphere reach a fifth beyond it.
std::string doubt_about_shape(const PressureFieldSettings& settings, const Body& body, const PressureField& field, const RigidInside& inside) {
  constexpr double kFlat = 0.01, kRound = 0.1, kVolume = 0.25;  // what half widths of boxes and round bodies, and volumes, may differ by
  if (settings.shape == FieldShape::mesh) return {};
  const Mat3 axes = rotation_of(body).transpose();
  const auto extent_of = [&](const std::vector<Vec3>& vertices) {
    Eigen::AlignedBox3d box;
    for (const Vec3& x : vertices) box.extend(Vec3(axes * x));
    return box;
  };
  const auto volume_of = [](const std::vector<Vec3>& x, const std::vector<std::array<int, 4>>& tetrahedra) {
    double volume = 0;
    for (const auto& t : tetrahedra) volume += std::abs((x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).dot(x[t[3]] - x[t[0]])) / 6;
    return volume;
  };
  const Vec3 center = axes * centroid_of(inside), half = half_widths_of(settings);
  const Eigen::AlignedBox3d shape(center - half, center + half), mesh = extent_of(inside.vertices);
  const auto distance_of = [&](const Eigen::AlignedBox3d& box) {  // in half widths of the mesh
    return ((box.min() - mesh.min()).cwiseAbs().cwiseMax((box.max() - mesh.max()).cwiseAbs()).array() / (mesh.sizes() / 2).array()).maxCoeff();
  };
  const double apart = std::min(distance_of(shape), distance_of(extent_of(field.vertices)));
  const double volume = volume_of(field.vertices, field.tetrahedra), of_mesh = volume_of(inside.vertices, inside.tetrahedra);
  if (apart <= (settings.shape == FieldShape::box ? kFlat : kRound) && std::abs(volume - of_mesh) <= kVolume * of_mesh) return {};
  const auto words = [](const Eigen::AlignedBox3d& box, double cubic_metres) {
    return fmt::format("{:.4g} x {:.4g} x {:.4g} m with a volume of {:.4g} m^3", box.sizes().x(), box.sizes().y(), box.sizes().z(), cubic_metres);
  };
  return fmt::format("{}: the field's shape is {}, and the mesh of '{}' is {}, along the mesh's axes; contact acts where the shape is, so make them agree",
                     settings.source.text, words(shape, volume), body.name, words(mesh, of_mesh));
}

// On rank 0.
PressureField field_of(const PressureFieldSettings& settings, const Body& body, const RigidInside& inside) {
  constexpr double kEdgesAroundIcosahedron = 5;
  const Vec3 center = centroid_of(inside);
  const Mat3 rotation = rotation_of(body);
  switch (settings.shape) {
    case FieldShape::sphere: {
      const int subdivisions = std::max(0, static_cast<int>(std::lround(std::log2(settings.facets / kEdgesAroundIcosahedron))));
      return sphere_field(center, *settings.radius, subdivisions);
    }
    case FieldShape::box: return box_field(center, rotation, *settings.size);
    case FieldShape::cylinder: return cylinder_field(center, rotation, *settings.radius, *settings.length, settings.facets);
    case FieldShape::capsule: return capsule_field(center, rotation, *settings.radius, *settings.length, settings.facets);
    case FieldShape::mesh: break;
  }
  return with_source(settings.source.text, [&] { return laplace_field(inside.vertices, inside.tetrahedra, settings.core); });
}

template <std::size_t N>
void broadcast_numbers(MPI_Comm communicator, std::vector<std::array<int, N>>& items) {
  std::vector<double> numbers;
  for (const auto& item : items) numbers.insert(numbers.end(), item.begin(), item.end());
  broadcast(communicator, numbers);
  items.resize(numbers.size() / N);
  for (std::size_t i = 0; i < numbers.size(); ++i) items[i / N][i % N] = static_cast<int>(numbers[i]);
}

void broadcast_points(MPI_Comm communicator, std::vector<Vec3>& points) {
  std::vector<double> numbers;
  for (const Vec3& point : points) numbers.insert(numbers.end(), point.begin(), point.end());
  broadcast(communicator, numbers);
  points.resize(numbers.size() / 3);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = Eigen::Map<const Vec3>(numbers.data() + 3 * i);
}

class PressureContactBuilder {
 public:
  PressureContactBuilder(Simulation& simulation, const std::vector<RigidInside>& insides)
      : simulation_(simulation), scene_(simulation.scene), insides_(insides) {}

  void add(const PressureContactSettings& settings) {
    std::vector<PressurePartner> partners;
    std::vector<std::pair<int, int>> excluded;
    if (settings.all) {
      for (const Body& body : scene_.bodies)
        if (find(scene_.pressure_fields, body.name)) partners.push_back(partner(body.name));
      for (const Obstacle& obstacle : scene_.obstacles)
        if (std::holds_alternative<PlaneSettings>(obstacle.shape)) partners.push_back(partner(obstacle.name));
      excluded = named_pairs(partners);
    } else {
      for (const std::string& name : settings.between) partners.push_back(partner(name));
    }
    if (std::none_of(partners.begin(), partners.end(), [](const PressurePartner& one) { return one.is_free; }))
      throw InputError(settings.source.text + (settings.all ? ": all bodies with pressure fields are fixed or driven; contact cannot move them, leave it out"
                                                            : ": both sides are fixed or driven; contact cannot move them, leave it out"));

    PressureLaw traction;
    traction.least_alignment = settings.largest_angle >= 180 ? -1 : std::cos(settings.largest_angle * EIGEN_PI / 180);
    ContactLaw law;
    law.stiffness = settings.all ? largest_modulus(partners) : combined_modulus(partners[0].body->modulus, partners[1].body->modulus);
    if (!settings.all)
      law.damping = combined_dissipation(partners[0].body->modulus, partners[0].body->dissipation, partners[1].body->modulus, partners[1].body->dissipation);
    const bool combines = combines_friction(settings, scene_);
    if (settings.friction || combines) law.friction = traction.friction = true;
    if (settings.friction) law.curve = traction.curve = *settings.friction;
    if (combines) {
      double largest = 0;  // a pair's coefficient is between those of its sides
      for (PressurePartner& partner : partners) {
        partner.friction = friction_of_side(settings, partner.name, scene_).value_or(0);
        largest = std::max(largest, partner.friction);
      }
      law.curve.dynamic = law.curve.static_ = settings.all ? largest : combined_friction(partners[0].friction, partners[1].friction);
    }
    auto group = std::make_shared<ContactGroup>(settings.name, law);
    const std::shared_ptr<const Halo>& halo = simulation_.mesh->halo;
    const auto contact = std::make_shared<PressureContact>(settings.name, halo, PressureSearch(halo, std::move(partners), std::move(excluded)), settings.all,
                                                           traction, combines, group->law());
    group->add(contact);
    simulation_.pressures.push_back(contact);
    simulation_.contacts.push_back(group);
    simulation_.system->add(contact);
  }

 private:
  template <typename Item>
  static const Item* find(const std::vector<Item>& items, const std::string& name) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
    return found == items.end() ? nullptr : &*found;
  }

  // A rigid body's number among these, and its frame.
  std::pair<std::size_t, const RigidFrame&> frame_of(const std::string& name) const {
    std::size_t number = 0;
    for (auto body = scene_.bodies.begin(); body->name != name; ++body) number += body->rigid ? 1 : 0;
    return {number, simulation_.mesh->frames[number]};
  }

  // Collective.
  PressurePartner partner(const std::string& name) {
    PressurePartner result{name, body_of_side(name)};
    if (const Obstacle* obstacle = find(scene_.obstacles, name)) {
      result.motion = obstacle->motion;
      return result;
    }
    const System& system = *simulation_.system;
    result.particles.emplace();
    std::copy_n(frame_of(name).second.particles.begin(), 4, result.particles->begin());
    double free = 0;
    for (const PetscInt particle : *result.particles) {
      const PetscInt own = particle - system.halo().first_owned();
      if (own >= 0 && own < system.halo().owned() && !system.held_for_good()[own]) ++free;
    }
    result.is_free = sum_over_ranks(system.communicator(), free) > 0;
    return result;
  }

  // The partners that have a contact of their own, as PressureSearch takes them.
  std::vector<std::pair<int, int>> named_pairs(const std::vector<PressurePartner>& partners) const {
    std::map<std::string, int> numbers;
    for (const PressurePartner& partner : partners) numbers.emplace(partner.name, static_cast<int>(numbers.size()));
    std::vector<std::pair<int, int>> pairs;
    const auto exclude = [&](const std::string& a, const std::string& b) {
      const auto first = numbers.find(a), second = numbers.find(b);
      if (first != numbers.end() && second != numbers.end()) pairs.emplace_back(std::minmax(first->second, second->second));
    };
    for (const PressureContactSettings& contact : scene_.pressure_contacts)
      if (!contact.all) exclude(contact.between[0], contact.between[1]);
    for (const ContactSettings& contact : scene_.contacts) {
      if (contact.all) continue;
      const auto* body = std::get_if<BodySurface>(&contact.against);
      exclude(contact.vertices.body, body ? body->body : std::get<std::string>(contact.against));
    }
    return pairs;
  }

  static double largest_modulus(const std::vector<PressurePartner>& partners) {
    double largest = 0;
    for (const PressurePartner& partner : partners)
      if (partner.body->is_soft()) largest = std::max(largest, partner.body->modulus);
    return largest;
  }

  // The pressure body of a side, made once for each body or plane, and the same on all ranks. Collective.
  std::shared_ptr<const PressureBody> body_of_side(const std::string& name) {
    std::shared_ptr<const PressureBody>& body = sides_[name];
    if (!body) body = std::make_shared<const PressureBody>(make_side(name));
    return body;
  }

  PressureSide make_side(const std::string& name) {
    const PressureFieldSettings* settings = find(scene_.pressure_fields, name);
    if (const Obstacle* obstacle = find(scene_.obstacles, name)) {
      const auto& plane = std::get<PlaneSettings>(obstacle->shape);
      if (!settings) return PressureSide::plane(plane.point, plane.normal);
      return PressureSide::layer(plane.point, plane.normal, *settings->thickness, settings->modulus, settings->dissipation);
    }
    const MPI_Comm communicator = simulation_.system->communicator();
    const auto& [number, frame] = frame_of(name);
    PressureField field;
    const std::size_t place = number;
    on_first_rank(communicator, [&] {
      if (settings) {
        const Body& body = *find(scene_.bodies, name);
        field = field_of(*settings, body, insides_[place]);
        if (std::string doubt = doubt_about_shape(*settings, body, field, insides_[place]); !doubt.empty()) simulation_.warnings.push_back(std::move(doubt));
      } else field = {insides_[place].vertices, insides_[place].tetrahedra, {}};
    });
    broadcast_points(communicator, field.vertices);
    broadcast_numbers(communicator, field.tetrahedra);
    broadcast(communicator, field.extent);
    if (settings) return PressureSide::body(frame.positions, std::move(field), settings->modulus, settings->dissipation);
    std::vector<std::array<int, 3>> surface = boundary_of(field.tetrahedra);
    return PressureSide::rigid(frame.positions, std::move(field.vertices), std::move(surface));
  }

  Simulation& simulation_;
  const Scene& scene_;
  const std::vector<RigidInside>& insides_;
  std::map<std::string, std::shared_ptr<const PressureBody>> sides_;
};

}  // namespace

void add_pressure_contacts(Simulation& simulation, const std::vector<RigidInside>& insides, const State& initial) {
  PressureContactBuilder builder(simulation, insides);
  for (const PressureContactSettings& contact : simulation.scene.pressure_contacts) {
    builder.add(contact);
    simulation.pressures.back()->refuse_deep_start(initial, contact.source.text);
  }
}

}  // namespace traction
