#include "simulation/rounding_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "errors.h"

namespace traction {

namespace {

constexpr double kFarthest = 1e12;       // distance from the origin, in sizes of the body, at which its shape is off by 2e-4
constexpr double kFarthestCenter = 1e6;  // distance of a centre of mass from its body, in sizes of the body

// The vertices of a body that are places of its surface or its elements, and neither particles of a rigid body nor twists of rods.
std::size_t places_of(const Mesh& mesh) {
  const std::size_t particles = mesh.frames.empty() ? 0 : mesh.frames.front().particles.size();
  return mesh.vertices.size() - mesh.rods.size() - particles;
}

double largest_component(const Vec3& x) { return x.cwiseAbs().maxCoeff(); }

void refuse_places_beyond_rounding(const Mesh& mesh, const Body& body) {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  for (std::size_t i = 0; i < places_of(mesh); ++i) {
    lower = lower.cwiseMin(mesh.vertices[i]);
    upper = upper.cwiseMax(mesh.vertices[i]);
  }
  const double size = largest_component(upper - lower), far = std::max(largest_component(lower), largest_component(upper));
  if (!(far <= kFarthest * size))
    throw InputError(
        fmt::format("{}: body '{}' is {:.3g} m long and lies {:.3g} m from the origin, where rounding would distort its shape; place it nearer "
                    "(initial: {{translate: ...}}), and check the mesh's unit (`scale`)",
                    body.source.text, body.name, size, far));
  if (mesh.frames.empty()) return;
  Vec3 center = Vec3::Zero();
  for (const int particle : mesh.frames.front().particles) center += mesh.vertices[particle] / 4;
  if (const double apart = largest_component(center - (lower + upper) / 2); !(apart <= kFarthestCenter * size))
    throw InputError(
        fmt::format("{}: the centre of mass lies {:.3g} m from body '{}', which is {:.3g} m long; correct 'center', which is in m where the mesh is",
                    body.rigid->source.text, apart, body.name, size));
}

}  // namespace

void refuse_what_rounding_hides(const Scene& scene, const MeshPlan& plan) {
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  for (std::size_t b = 0; b < plan.bodies.size(); ++b) refuse_places_beyond_rounding(plan.bodies[b].mesh, scene.bodies[b]);
  double reach = 0;  // farthest coordinate of a body [m]
  for (const auto& body : plan.bodies)
    for (std::size_t i = 0; i < places_of(body.mesh); ++i) reach = std::max(reach, largest_component(body.mesh.vertices[i]));
  for (const ContactSettings& contact : scene.contacts)
    if (contact.thickness < kRounding * reach)
      throw InputError(
          fmt::format("{}: the thickness of {:.3g} m is below the rounding of positions, which reach {:.3g} m, so that nothing would touch; give a greater "
                      "one: a thousandth of the bodies' size is usual",
                      contact.source.text, contact.thickness, reach));
}

}  // namespace traction
