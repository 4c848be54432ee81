// The words by which a scene names the values of its enumerations, for reading and writing alike.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "scene/scene.h"

namespace traction {

template <typename Value>
struct Choice {
  std::string_view name;
  Value value;
};

template <typename Value, std::size_t count>
using Choices = std::array<Choice<Value>, count>;

inline constexpr Choices<Integrator, 14> kIntegrators = {{{"backward_euler", Integrator::backward_euler},
                                                          {"trapezoidal", Integrator::trapezoidal},
                                                          {"bdf2", Integrator::bdf2},
                                                          {"tr_bdf2", Integrator::tr_bdf2},
                                                          {"sdirk2", Integrator::sdirk2},
                                                          {"tr_sdirk2", Integrator::tr_sdirk2},
                                                          {"trapezoidal_split", Integrator::trapezoidal_split},
                                                          {"generalized_alpha", Integrator::generalized_alpha},
                                                          {"ere", Integrator::ere},
                                                          {"siere", Integrator::siere},
                                                          {"beere", Integrator::beere},
                                                          {"bdf2ere", Integrator::bdf2ere},
                                                          {"sbdf2ere", Integrator::sbdf2ere},
                                                          {"str_sbdf2ere", Integrator::str_sbdf2ere}}};

inline constexpr Choices<ContactPotential, 2> kContactPotentials = {
    {{"cubic_penalty", ContactPotential::cubic_penalty}, {"log_barrier", ContactPotential::log_barrier}}};

// The key under which a load's value stands.
inline constexpr Choices<LoadKind, 4> kLoadKinds = {
    {{"force", LoadKind::force}, {"traction", LoadKind::traction}, {"body_force", LoadKind::body_force}, {"pressure", LoadKind::pressure}}};

inline constexpr Choices<FrictionCoupling, 2> kFrictionCouplings = {{{"implicit", FrictionCoupling::implicit}, {"lagged", FrictionCoupling::lagged}}};

inline constexpr Choices<VolumeModel, 3> kVolumeModels = {
    {{"quadratic", VolumeModel::quadratic}, {"ideal_gas", VolumeModel::ideal_gas}, {"nearly_incompressible", VolumeModel::nearly_incompressible}}};

inline constexpr Choices<NewtonMethod, 2> kNewtonMethods = {{{"inexact_newton", NewtonMethod::inexact_newton}, {"newton", NewtonMethod::newton}}};

inline constexpr Choices<OperatorKind, 2> kOperators = {{{"assembled", OperatorKind::assembled}, {"matrix_free", OperatorKind::matrix_free}}};

inline constexpr Choices<KrylovMethod, 2> kKrylovMethods = {{{"fgmres", KrylovMethod::fgmres}, {"bicgstab", KrylovMethod::bicgstab}}};

inline constexpr Choices<FieldPrecision, 2> kFieldPrecisions = {{{"double", FieldPrecision::double_}, {"single", FieldPrecision::single}}};

inline constexpr Choices<PreconditionerKind, 10> kPreconditioners = {{{"automatic", PreconditionerKind::automatic},
                                                                      {"none", PreconditionerKind::none},
                                                                      {"block_jacobi", PreconditionerKind::block_jacobi},
                                                                      {"ilu", PreconditionerKind::ilu},
                                                                      {"asm_ilu", PreconditionerKind::asm_ilu},
                                                                      {"gamg", PreconditionerKind::gamg},
                                                                      {"hypre", PreconditionerKind::hypre},
                                                                      {"ml", PreconditionerKind::ml},
                                                                      {"mumps", PreconditionerKind::mumps},
                                                                      {"mumps_single", PreconditionerKind::mumps_single}}};

// Fields are kept as their names.
inline constexpr Choices<std::string_view, 4> kOutputFields = {
    {{"velocity", "velocity"}, {"displacement", "displacement"}, {"contact_pressure", "contact_pressure"}, {"contact_force", "contact_force"}}};

template <typename Value, std::size_t count>
constexpr std::string_view name_of(const Choices<Value, count>& choices, Value value) {
  for (const Choice<Value>& choice : choices) {
    if (choice.value == value) return choice.name;
  }
  return {};
}

}  // namespace traction
