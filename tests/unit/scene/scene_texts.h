// Scenes and small tools shared by the tests of the scene reader.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "errors.h"
#include "scene/read_scene.h"

namespace traction::test {

// Every key of the grammar except those of a schedule of time steps.
inline const std::string kFullScene = R"(time:
  step: 1e-4
  end: 1.2
  integrator: tr_bdf2
  maximum_halvings: 5
gravity: [0, 0, -9.81]
bodies:
  ball:
    mesh: meshes/ball.geo
    mesh_parameters: {element_size: 3e-3}
    scale: 0.5
    solid:
      core:
        youngs_modulus: 6e6
        poisson_ratio: 0.4995
        density: 934
      felt: {youngs_modulus: 5.4e6, poisson_ratio: 0.3, density: 4.69}
    volume:
      surface: cavity
      model: nearly_incompressible
      gauge_pressure: 101325
      compressibility: 2e-6
      sparse: true
    damping:
      mass: 0.25
      stiffness: 1e-5
    initial:
      rotate:
        axis: [0, 0, 2]
        angle: 10
      translate: [0, 0, 2.54]
      velocity: [1, 2, 3]
      angular_velocity: [4, 5, 6]
    fixed: [base, rim]
    driven:
      - vertices: top
        motion:
          velocity: [0, 0, -0.1]
          angular_velocity: [0, 1, 0]
          about: [7, 8, 9]
          start: 0.1
          ramp: 0.2
          stop: 1
  plate:
    mesh: plate.msh
    solid: {all: {youngs_modulus: 1e9, poisson_ratio: 0.2, density: 2000}}
    loads:
      pull: {region: tip, force: [0, 0, -10], over: [{time: 0, factor: 0}, {time: 0.5, factor: -2}]}
      shear: {region: face, traction: [1, 0, 0], following: true}
      shake: {body_force: [0, 2, 0]}
      wind: {region: face, pressure: -3}
  tire:
    mesh: tire.msh
    shell:
      tread: {youngs_modulus: 2e6, poisson_ratio: 0.5, density: 1100, thickness: 0.01}
      side:
        youngs_modulus: 3e4
        poisson_ratio: 0.25
        density: 12
        bending_stiffness: 0.7
        thickness: 4e-3
        flat: true
      lining: {youngs_modulus: 500, poisson_ratio: 0.3, density: 0.2}
    volume:
      - surface: tread
        close_rims: true
        excluded_volume: 0.05
        inflation:
          - {time: 0.5, factor: 1.25}
          - {time: 2, factor: 3}
      - {region: filling, model: quadratic, compressibility: 1e-7}
surfaces:
  court:
    plane: {point: [0, 0, 0.5], normal: [0, 3, 4]}
  globe:
    sphere: {center: [1, 2, 3], radius: 4, inside: true}
  pipe:
    cylinder: {point: [1, 0, 0], axis: [0, 5, 0], radius: 0.25, inside: true}
    motion: {velocity: [0, 0, 1]}
  crate:
    box: {lower: [-1, -1, -1], upper: [1, 2, 3], inside: true}
  slope:
    mesh: {scale: 0.01, file: slope.stl, radius_multiplier: 2, interpolation: 1e-4}
contacts:
  bounce:
    vertices: ball.outer
    against: court
    thickness: 5e-4
    stiffness: 1e4
    friction:
      dynamic: 0.6
      static: 0.7
      tolerance: 2e-2
      stribeck_velocity: 0.1
      viscous: 0.05
      sliding_basis_derivative: false
      coupling: lagged
      passes: 4
  scrape: {vertices: plate, against: pipe, thickness: 1e-3}
  press: {both: [ball.outer, plate], thickness: 2e-3, surface: {radius_multiplier: 2, interpolation: 1e-4}}
  fold: {vertices: ball.outer, against: ball.inner, exclusion_ring: 3, thickness: 4e-3}
solver:
  method: newton
  preconditioner: mumps
  tolerance: 1e-6
  forcing: 0.1
  maximum_iterations: 40
  maximum_linear_iterations: 3000
  reproducible: true
partition: {file: ball.partition.h5, contact_weight: 25}
output:
  every: 1e-3
  fields: [velocity, contact_force]
  contacts: true
  log_every: 10
  precision: single
  compression: 3
  checkpoint_every: {minutes: 5, steps: 100, time: 0.02}
  keep_checkpoints: 4
petsc: {ksp_monitor: "", ksp_rtol: 1e-3, log_view: true}
)";

// Only the required keys.
inline const std::string kSmallScene = R"(time: {step: 1e-3, end: 1}
bodies:
  ball:
    mesh: ball.msh
    solid: {core: {youngs_modulus: 6e6, poisson_ratio: 0.3, density: 934}}
)";

inline std::string replaced(std::string text, const std::string& old_part, const std::string& new_part) {
  const std::size_t position = text.find(old_part);
  if (position == std::string::npos) throw std::logic_error("the scene has no '" + old_part + "'");
  return text.replace(position, old_part.size(), new_part);
}

// The line, counted from 1, on which the part begins.
inline int line_of(const std::string& text, const std::string& part) {
  const std::size_t position = text.find(part);
  if (position == std::string::npos) throw std::logic_error("the scene has no '" + part + "'");
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

inline Scene read(const std::string& text, const std::vector<std::string>& overrides = {}) { return read_scene(text, "/jobs/bounce/scene.yaml", overrides); }

// The message of the error, empty if nothing was thrown.
inline std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    read_scene(text, "scene.yaml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace traction::test
