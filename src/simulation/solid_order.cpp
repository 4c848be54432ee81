#include "simulation/solid_order.h"

#include <fmt/format.h>

#include "errors.h"
#include "mesh/second_order.h"

namespace traction {

namespace {

// Refuses settings that only four-node tetrahedra support.
void refuse_for_quadratics(const Body& body, const Scene& scene) {
  const std::string remedy = body.order ? "take order: 1" : "give the body order: 1, which cuts its tetrahedra in eight of four nodes";
  for (const auto& [region, material] : body.solid) {
    if (material.pressure == PressureAverage::nodal_average)
      throw InputError(
          fmt::format("{}.pressure: nodal_average is for four-node tetrahedra, and those of body '{}' have ten nodes, which do not lock without it; "
                      "leave it out, or {}",
                      material.source.text, body.name, remedy));
  }
  if (scene.time.integrator == Integrator::asynchronous && !body.rigid)
    throw InputError(fmt::format("{}: ten-node tetrahedra have no clock of their own in integrator: asynchronous; choose another time.integrator, or {}",
                                 body.order ? body.order_source.text : body.source.text, remedy));
}

}  // namespace

void set_order(Mesh& mesh, const Body& body, const Scene& scene) {
  if (body.order == 2 && mesh.tetrahedra.empty())
    throw InputError(fmt::format("{}: {} has no tetrahedra, and shells and rods are of order 1; leave it out", body.order_source.text, mesh.source));
  if (body.order == 2 && mesh.quadratics.empty()) make_quadratic(mesh, {});
  if (body.order == 1) mesh.quadratics.clear();
  if (!mesh.quadratics.empty()) refuse_for_quadratics(body, scene);
}

}  // namespace traction
