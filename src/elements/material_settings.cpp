#include "elements/material_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace traction {

namespace {

// All constants of all laws except Poisson's ratio, which every law may take.
std::vector<std::string_view> constants_of_laws() {
  std::vector<std::string_view> all;
  SolidMaterials::for_each([&]<template <typename> typename Material>() {
    for (const std::string_view constant : Material<double>::constants)
      if (constant != "poisson_ratio" && std::find(all.begin(), all.end(), constant) == all.end()) all.push_back(constant);
  });
  return all;
}

// Checks the terms of Ogden's law.
void check_terms(const Given& given, const RubberConstants& constants) {
  const std::vector<double>&shear_moduli = constants.shear_moduli, &exponents = constants.exponents;
  if (shear_moduli.size() != exponents.size() || shear_moduli.size() > Ogden<double>::kMostTerms)
    given.fail("exponents", "has " + std::to_string(exponents.size()) + " numbers, and shear_moduli " + std::to_string(shear_moduli.size()) +
                                "; give as many, at most " + std::to_string(Ogden<double>::kMostTerms));
  if (std::find(exponents.begin(), exponents.end(), 0.0) != exponents.end()) given.fail("exponents", "has a zero; remove that term");
}

void check_shear_modulus(const Given& given, double mu) {
  if (!(mu > 0)) given.fail("", "these constants have a shear modulus of " + std::to_string(mu) + " Pa for small strains; check their signs and units");
}

// The constants of a shell's law beside its density.
std::vector<std::string_view> constants_of(ShellMaterial law) {
  if (law == ShellMaterial::orthotropic) return {"youngs_modulus", "weft_modulus", "poisson_ratio", "shear_modulus", "warp"};
  std::vector<std::string_view> constants;
  SolidMaterials::for_each([&]<template <typename> typename Material>() {
    if (Material<double>::name == word_of(law))
      constants = std::vector<std::string_view>(Material<double>::constants.begin(), Material<double>::constants.end());
  });
  return constants;
}

void check_constants(const Given& given, ShellMaterial material) {
  const std::vector<std::string_view> own = constants_of(material);
  std::string taken;
  for (const std::string_view constant : own) taken += (taken.empty() ? "" : ", ") + std::string(constant);
  const std::string law(word_of(material));
  for (const auto& choice : choices_of(ShellMaterial{}))
    for (const std::string_view name : constants_of(choice.value)) {
      const std::string constant(name);
      const bool takes = std::find(own.begin(), own.end(), name) != own.end();
      if (takes && !given.has(constant)) given.fail("", fmt::format("{} lacks '{}'; give it: as a shell this law takes {}", law, constant, taken));
      if (!takes && given.has(constant))
        given.fail(constant, fmt::format("is no constant of a shell of {}, which takes {}; remove it, or choose the `material` that has it", law, taken));
    }
}

}  // namespace

bool SolidMaterialSettings::takes(std::string_view constant) const {
  bool found = false;
  with_law(material, [&]<template <typename> typename Material>() {
    const auto& constants = Material<double>::constants;
    found = std::find(constants.begin(), constants.end(), constant) != constants.end();
  });
  return found;
}

double SolidMaterialSettings::bulk_modulus_for(double shear_modulus_at_rest) const {
  return bulk_modulus.value_or(traction::bulk_modulus(shear_modulus_at_rest, poisson_ratio));
}

std::pair<double, double> SolidMaterialSettings::sudden_moduli() const {
  double sum = 1;
  for (const PronySettings& branch : prony) sum += branch.ratio;
  const double slow = youngs_modulus / (2 * (1 + poisson_ratio)), bulk = traction::bulk_modulus(slow, poisson_ratio), mu = sum * slow;
  return {9 * bulk * mu / (3 * bulk + mu), (3 * bulk - 2 * mu) / (2 * (3 * bulk + mu))};
}

VolumetricLaw averaged_law(const SolidMaterialSettings& settings) {
  VolumetricLaw part;
  with_law(settings.material, [&]<template <typename> typename Material>() {
    if constexpr (HasVolumetricPart<Material<double>>) part = Material<double>::from(settings).take_volumetric_part();
  });
  return part;
}

void SolidMaterialSettings::complete(const Given& given) {
  const std::string law(word_of(material));
  const bool is_engineering = takes("youngs_modulus");
  std::string taken;
  for (const std::string_view constant : constants_of_laws())
    if (takes(constant)) taken += std::string(constant) + ", ";
  taken += is_engineering ? "poisson_ratio" : "and poisson_ratio or bulk_modulus";
  for (const std::string_view name : constants_of_laws()) {
    const std::string constant(name);
    if (takes(constant) && !given.has(constant)) given.fail("", law + " has no '" + constant + "'; give it: this law takes " + taken);
    if (!takes(constant) && given.has(constant))
      given.fail(constant, "is no constant of " + law + ", which takes " + taken + "; remove it, or choose its `material`");
  }
  if (given.has("bulk_modulus") && is_engineering) given.fail("bulk_modulus", "is for laws without a Young's modulus; give a poisson_ratio instead");
  if (given.has("bulk_modulus") && given.has("poisson_ratio")) given.fail("bulk_modulus", "is another way of giving poisson_ratio; remove one of the two");
  check_terms(given, *this);
  if (is_engineering && !prony.empty())
    given.fail("prony", "is for laws of rubber, which " + law + " is not; take mooney_rivlin (with c01: 0 it is a neo-Hookean material), or use `damping`");
  if (is_engineering && mullins) given.fail("mullins", "is for laws of rubber, which " + law + " is not; take mooney_rivlin, or leave it out");
  if (mullins && !prony.empty())
    given.fail("mullins", "cannot be used with 'prony', because no law describes how stress that relaxes softens; remove one of the two");
  if (!fibres.empty() && is_engineering && law != NeoHookean<double>::name)
    given.fail("fibres", "reinforce neo_hookean and the laws of rubber, and " + law + " is for small strains; take neo_hookean, or leave them out");
  if (pressure == PressureAverage::nodal_average)
    with_law(material, [&]<template <typename> typename Material>() {
      if (!HasVolumetricPart<Material<double>>)
        given.fail("pressure", "nodal_average is for laws with an energy of the change of volume alone, which " + law +
                                   " does not have; take neo_hookean, which is nearly the same at small strains, or leave it out");
    });
  if (is_engineering) return;
  with_law(material, [&]<template <typename> typename Material>() {
    const auto [lambda, mu] = Material<double>::from(*this).linear_moduli();
    check_shear_modulus(given, mu);
    youngs_modulus = mu * (3 * lambda + 2 * mu) / (lambda + mu);
    if (bulk_modulus) poisson_ratio = lambda / (2 * (lambda + mu));
  });
}

// Scenes that the program writes, and from which runs are resumed, have the numbers of the surface. A value of --set may be meant for the bulk, as in the
// user's own scene.
void ShellMaterialSettings::refuse_mixed_overrides(const Given& given) const {
  if (!(thickness > 0) || !given.has("bending_stiffness") || given.is_override("bending_stiffness")) return;
  for (const char* key : {"youngs_modulus", "weft_modulus", "c10", "c01", "c20", "c30", "shear_modulus", "shear_moduli", "density", "thickness"})
    if (given.has(key) && given.is_override(key))
      given.fail(key,
                 "is ambiguous. With a 'bending_stiffness', moduli and density are those of the surface, in N/m and kg/m^2. So they are in every scene that "
                 "traction has written, whatever your own scene had. Override the whole material as {...}, with or without 'bending_stiffness', or override "
                 "'bending_stiffness' too");
}

void StrainLimitSettings::complete(const Given& given) {
  if (!given.has("from")) from = to / 2;
  if (!(from < to)) given.fail("from", fmt::format("is {:.6g}, and must be below 'to', {:.6g}; lower it, or leave it out for half of 'to'", from, to));
}

void ShellMaterialSettings::complete(const Given& given) {
  check_constants(given, material);
  check_terms(given, *this);
  if (is_rubber()) {
    poisson_ratio = 0.5;
    with_rubber(material, [&]<template <typename> typename Material>() {
      const double mu = Material<double>::from(*this).linear_moduli().mu;
      check_shear_modulus(given, mu);
      youngs_modulus = 3 * mu;
    });
  }
  if (material == ShellMaterial::orthotropic && !(poisson_ratio * poisson_ratio * *weft_modulus < youngs_modulus))
    given.fail("poisson_ratio",
               "is too large: its square times weft_modulus must be below youngs_modulus; it is the contraction across the warp of a pull along it");
  if (yield_curvature > 0 && (given.has("bending_stiffness") ? bending_stiffness == 0 : !given.has("thickness")))
    given.fail("yield_curvature", "needs a sheet that bends, and this one has no bending stiffness; give a thickness or a bending_stiffness, or leave it out");
  refuse_mixed_overrides(given);
  if (!given.has("thickness") || given.has("bending_stiffness")) return;
  // A sheet of two moduli bends with their mean: plates here have one bending stiffness.
  const double modulus = weft_modulus ? std::sqrt(youngs_modulus * *weft_modulus) : youngs_modulus;
  const double nu_square = weft_modulus ? poisson_ratio * poisson_ratio * *weft_modulus / youngs_modulus : poisson_ratio * poisson_ratio;
  bending_stiffness = modulus * thickness * thickness * thickness / (12 * (1 - nu_square));
  density *= thickness;
  youngs_modulus *= thickness;
  for (std::optional<double>* constant : {&weft_modulus, &c10, &c01, &c20, &c30, &shear_modulus})
    if (*constant) **constant *= thickness;
  for (double& constant : shear_moduli) constant *= thickness;
}

}  // namespace traction
