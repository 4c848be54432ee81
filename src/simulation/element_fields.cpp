#include "simulation/element_fields.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "elements/dihedral_angle.h"
#include "elements/elasticity.h"
#include "elements/materials/solid_materials.h"
#include "elements/quadratic_element.h"
#include "elements/stress_measures.h"
#include "forces/nodal_pressure.h"
#include "forces/softening_solid.h"
#include "parallel/collective.h"
#include "simulation/bending_builder.h"
#include "simulation/make_stencil_force.h"
#include "simulation/material_directions.h"
#include "simulation/rigid_bodies.h"
#include "simulation/scene_materials.h"
#include "simulation/shell_sheets.h"

namespace traction {

namespace {

// The strain and stress of an element, from which the fields are computed.
struct ElementState {
  Mat3 strain = Mat3::Zero();
  Mat3 stress = Mat3::Zero();   // in solids [Pa]
  Mat3 tension = Mat3::Zero();  // in shells [N/m]
  Mat3 moment = Mat3::Zero();   // in shells [N m/m]
  double axial_force = 0;       // in rods [N]
  double curvature = 0;         // in rods [1/m]
  double twist = 0;             // in rods [rad/m]
  Vec3 fibre = Vec3::Zero();    // direction of the first family, as long as its stretch
  double softening = 0;         // the part of the stress of the change of shape that is lost
};

// `is_part`: of a ten-node tetrahedron, without the stress of its mean volume ratio. `fibres`: the families in the element. `lost`: the part of the stress of
// the change of shape that softening has taken.
Mat3 stress_of(const SolidMaterialSettings& settings, const std::vector<FibreFamily<double>>& fibres, const Mat3& F, bool is_part, double lost) {
  Mat3 stress = Mat3::Zero();
  with_law(settings.material, [&]<template <typename> typename Material>() {
    const Material<double> law = is_part ? quadratic_material(Material<double>::from(settings)).first.law : element_law<Material>(settings);
    stress = cauchy_stress(F, first_piola_stress<double>(law, F));
    if constexpr (requires { Material<double>::bulk; })
      if (lost > 0) stress -= lost * cauchy_stress(F, first_piola_stress<double>(shape_law<Material>(settings), F));
  });
  for (const FibreFamily<double>& family : fibres) stress += cauchy_stress(F, family.first_piola_stress(F));
  return stress;
}

template <std::size_t N>
std::array<Vec3, N> gather_at(const Field& positions, const std::array<int, N>& vertices) {
  std::array<Vec3, N> x;
  for (std::size_t a = 0; a < N; ++a) x[a] = positions[vertices[a]];
  return x;
}

// The mean stress of each ten-node tetrahedron by its mean volume ratio [Pa].
std::vector<double> mean_stresses(const DistributedMesh& mesh, const SceneMaterials& materials, const Field& positions) {
  std::vector<double> stresses;
  for (const LocalQuadratic& quadratic : mesh.quadratics) {
    Corner10<double> rest, x;
    for (std::size_t a = 0; a < 10; ++a) rest[a] = mesh.vertices[quadratic.vertices[a]], x[a] = positions[quadratic.vertices[a]];
    const auto element = QuadraticElementOf<double>::at_rest(rest);
    const double ratio = mean_volume_ratio(element, deformation_gradients(element, x));
    const SolidMaterialSettings& settings = *materials.solid[quadratic.part];
    with_law(settings.material, [&]<template <typename> typename Material>() {
      const auto [material, form] = quadratic_material(Material<double>::from(settings));
      stresses.push_back(material.mean.stress(form, ratio));
    });
  }
  return stresses;
}

// Curvature [1/m] and twist [rad/m] of each segment: the means of the values at its joints and clamps. The keys are the segments' local twists. Collective.
std::map<int, std::pair<double, double>> bent_segments(const Simulation& simulation, const State& state) {
  const DistributedMesh& mesh = *simulation.mesh;
  std::map<int, double> length;
  for (const Rod& rod : mesh.rods) length[rod.vertices[2]] = (mesh.vertices[rod.vertices[1]] - mesh.vertices[rod.vertices[0]]).norm();
  std::map<int, std::pair<double, double>> sums;
  std::map<int, int> counts;
  if (simulation.rods)
    for (const RodBending::Reading& joint : simulation.rods->readings(state)) {
      const double joint_length = (length.at(joint.twists[0]) + length.at(joint.twists[1])) / 2;
      for (const int twist : joint.twists) {
        sums[twist].first += std::hypot(joint.strains.first_curvature, joint.strains.second_curvature) / joint_length;
        sums[twist].second += joint.strains.twist / joint_length;
        ++counts[twist];
      }
    }
  if (simulation.attachments.clamps) {
    std::vector<double> clamps;  // each is on one rank: global number of the twist, curvature, twist
    simulation.attachments.clamps->for_each(state, [&](std::size_t e, const auto& x, const auto&, const auto&) {
      const RodClampElement& clamp = simulation.attachments.clamps->elements()[e];
      const std::array<double, 3> strains = clamp.strains<double>(x).value;
      const double half = length.at(clamp.twist) / 2;
      clamps.insert(clamps.end(), {static_cast<double>(mesh.halo->to_global(clamp.twist)), std::hypot(strains[0], strains[1]) / half, strains[2] / half});
    });
    clamps = concatenated_over_ranks(mesh.halo->communicator(), clamps);
    std::map<PetscInt, int> local;
    for (const auto& [twist, value] : length) local[mesh.halo->to_global(twist)] = twist;
    for (std::size_t c = 0; c < clamps.size(); c += 3)
      if (const auto found = local.find(static_cast<PetscInt>(clamps[c])); found != local.end()) {
        sums[found->second].first += clamps[c + 1];
        sums[found->second].second += clamps[c + 2];
        ++counts[found->second];
      }
  }
  for (auto& [twist, sum] : sums) {
    sum.first /= counts[twist];
    sum.second /= counts[twist];
  }
  return sums;
}

// The tensor of a triangle's plane at rest, as it is seen in space when the triangle turns with the rotation in F.
Mat3 turned_with(const Matrix32<double>& F, const Mat3& tensor) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> squared_stretch(F.transpose() * F);
  const Matrix32<double> rotation = F * squared_stretch.operatorInverseSqrt();
  return rotation * tensor.topLeftCorner<2, 2>() * rotation.transpose();
}

Mat3 bending_moment(const BendingBuilder& builder, const std::map<int, Vec3>& elastic, int triangle, const Matrix32<double>& F, const Field& positions) {
  const auto patch = builder.patch(triangle);
  if (!patch || patch->geometry.plate.stiffness == 0) return Mat3::Zero();
  if (const auto found = elastic.find(triangle); found != elastic.end()) return turned_with(F, bending_of(patch->geometry).moment_of(found->second));
  Eigen::Matrix<double, ShellPatch::kAngles, 1> turn = decltype(turn)::Zero();
  for (std::size_t k = 0; k < patch->hinges.size(); ++k) {
    const BendingHinge& hinge = patch->hinges[k];
    turn[static_cast<Eigen::Index>(k)] = DihedralAngle<double>(gather_at(positions, hinge.vertices)).angle - hinge.rest_angle;
  }
  return turned_with(F, bending_of(patch->geometry).moment(turn));
}

std::vector<ElementState> element_states(const Simulation& simulation, const State& at, bool with_moments) {
  const System& system = *simulation.system;
  const DistributedMesh& mesh = *simulation.mesh;
  const Scene& scene = simulation.scene;
  const Field& positions = at.q;
  const SceneMaterials materials = materials_of(scene, mesh);
  const std::vector<char> is_frame = frame_marks(mesh, scene);
  std::vector<double> averaged(mesh.tetrahedra.size(), 0.0);  // mean stresses
  for (const AveragedRegion& region : simulation.averaged) {
    const std::vector<double> stresses = region.pressure->element_stresses(positions);
    for (std::size_t k = 0; k < stresses.size(); ++k) averaged[static_cast<std::size_t>(region.elements[k])] = stresses[k];
  }
  std::vector<double> lost(mesh.tetrahedra.size(), 0.0), lost_in_quadratics(mesh.quadratics.size(), 0.0);
  for (const SoftenedElements& softened : simulation.softened) {
    const std::vector<double> parts = softened.force->lost_parts(at);
    std::vector<double>& target = softened.has_ten_nodes ? lost_in_quadratics : lost;
    for (std::size_t k = 0; k < parts.size(); ++k) target[static_cast<std::size_t>(softened.elements[k])] = parts[k];
  }
  const std::vector<double> means = mean_stresses(mesh, materials, positions);
  std::vector<ElementState> states;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    if (is_frame[e] || !mesh.owns(mesh.tetrahedra[e])) continue;
    const SolidElement element(mesh.tetrahedra[e], places(mesh, mesh.tetrahedra[e]));
    const Mat3 F = deformation_gradient<double, double>(element, gather_at(positions, element.vertices));
    ElementState& state = states.emplace_back();
    state.strain = logarithmic_strain(F);
    const bool is_part = mesh.is_part(static_cast<int>(e));
    const double mean = is_part ? means[mesh.quadratic_of[e]] : averaged[e];
    const std::vector<FibreFamily<double>> fibres = fibres_of(mesh, materials, static_cast<int>(e));
    if (!fibres.empty()) state.fibre = fibres.front().deformed(F);
    state.softening = is_part ? lost_in_quadratics[static_cast<std::size_t>(mesh.quadratic_of[e])] : lost[e];
    state.stress = stress_of(*materials.solid[e], fibres, F, is_part, state.softening) + mean * Mat3::Identity();
  }
  const BendingBuilder builder(system, materials);
  std::map<int, Vec3> elastic;  // bending strains of triangles that yield
  for (const auto& shell : simulation.yielding_shells) elastic.merge(shell->elastic_strains(at));
  for (const int t : shown_triangles(mesh, scene)) {
    if (!mesh.owns(mesh.triangles[t])) continue;
    if (!materials.shell[t]) {  // the surface of a rigid body
      states.emplace_back();
      continue;
    }
    const ShellMaterialSettings& shell = *materials.shell[t];
    ElementState& state = states.emplace_back();
    const std::array<Vec3, 3> rest = places(mesh, mesh.triangles[t]);
    const Placement placement = materials.placement_of(shell);
    Matrix32<double> F;
    with_sheet(shell, placement, rest, [&](const auto& sheet) {
      const MembraneElementOf<std::decay_t<decltype(sheet)>> element(mesh.triangles[t], rest, sheet, 0);
      F = element.deformation_gradient(gather_at(positions, element.vertices));
      state.strain = logarithmic_strain(sheet.squared_thickness_stretch(MembraneMetric<double>(F).det_C), F);
      state.tension = tension(F, sheet.template first_piola_stress<double>(F));
    });
    for (const CordLayer& layer : cords_in(shell, placement, rest)) state.tension += tension(F, layer.first_piola_stress<double>(F));
    if (const auto limit = strain_limit_of(shell)) state.tension += tension(F, limit->first_piola_stress<double>(F));
    if (with_moments) state.moment = bending_moment(builder, elastic, t, F, positions);
  }
  const auto bent = bent_segments(simulation, at);
  for (std::size_t r = 0; r < mesh.rods.size(); ++r) {
    const auto& [a, b, twist] = mesh.rods[r].vertices;
    if (!mesh.owns(mesh.rods[r].vertices)) continue;
    ElementState& state = states.emplace_back();
    const double strain = (positions[b] - positions[a]).norm() / (mesh.vertices[b] - mesh.vertices[a]).norm() - 1;
    state.axial_force = materials.rod[r]->stretching_stiffness() * strain;
    if (const auto found = bent.find(twist); found != bent.end()) std::tie(state.curvature, state.twist) = found->second;
  }
  return states;
}

CellField tensor_field(const char* name, const std::vector<ElementState>& states, Mat3 ElementState::*tensor) {
  CellField field{name, 6, {}};
  for (const ElementState& state : states) {
    const Mat3& t = state.*tensor;
    field.values.insert(field.values.end(), {t(0, 0), t(1, 1), t(2, 2), t(0, 1), t(1, 2), t(0, 2)});
  }
  return field;
}

}  // namespace

std::vector<CellField> element_fields(const Simulation& simulation, const State& at, std::span<const OutputField> wanted) {
  const auto wants = [&](OutputField field) { return std::find(wanted.begin(), wanted.end(), field) != wanted.end(); };
  if (std::none_of(wanted.begin(), wanted.end(), [](OutputField field) { return is_of_elements(field); })) return {};
  const std::vector<ElementState> states = element_states(simulation, at, wants(OutputField::bending_moment));
  std::vector<CellField> fields;
  const auto add_numbers = [&](OutputField field, auto number) {
    if (!wants(field)) return;
    CellField& added = fields.emplace_back(CellField{std::string(word_of(field)), 1, {}});
    for (const ElementState& state : states) added.values.push_back(number(state));
  };
  if (wants(OutputField::stress)) fields.push_back(tensor_field("stress", states, &ElementState::stress));
  add_numbers(OutputField::von_mises_stress, [](const ElementState& state) { return von_mises_stress(state.stress); });
  if (wants(OutputField::strain)) fields.push_back(tensor_field("strain", states, &ElementState::strain));
  if (wants(OutputField::tension)) fields.push_back(tensor_field("tension", states, &ElementState::tension));
  if (wants(OutputField::bending_moment)) fields.push_back(tensor_field("bending_moment", states, &ElementState::moment));
  add_numbers(OutputField::axial_force, [](const ElementState& state) { return state.axial_force; });
  add_numbers(OutputField::curvature, [](const ElementState& state) { return state.curvature; });
  add_numbers(OutputField::twist, [](const ElementState& state) { return state.twist; });
  add_numbers(OutputField::fibre_stretch, [](const ElementState& state) { return state.fibre.norm(); });
  add_numbers(OutputField::softening, [](const ElementState& state) { return state.softening; });
  if (wants(OutputField::fibre_direction)) {
    CellField& added = fields.emplace_back(CellField{"fibre_direction", 3, {}});
    for (const ElementState& state : states) {
      const Vec3 direction = state.fibre.isZero(0) ? state.fibre : state.fibre.normalized();
      added.values.insert(added.values.end(), {direction.x(), direction.y(), direction.z()});
    }
  }
  return fields;
}

}  // namespace traction
