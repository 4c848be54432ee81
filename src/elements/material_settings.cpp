#include "elements/material_settings.h"

#include <algorithm>
#include <cmath>

namespace traction {

namespace {

// Calls action.operator()<Material>() for the law of a material.
template <typename Action>
void with_law(SolidMaterial material, Action action) {
  SolidMaterials::for_each([&]<template <typename> typename Material>() {
    if (word_of(material) == Material<double>::name) action.template operator()<Material>();
  });
}

constexpr std::array kConstants = {"youngs_modulus", "c10", "c01", "c20", "c30", "shear_modulus", "locking_stretch", "shear_moduli", "exponents"};

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

void SolidMaterialSettings::complete(const Given& given) {
  const std::string law(word_of(material));
  std::string taken;
  for (const char* constant : kConstants)
    if (takes(constant)) taken += (taken.empty() ? "" : ", ") + std::string(constant);
  for (const char* constant : kConstants) {
    if (takes(constant) && !given.has(constant)) given.fail("", law + " has no '" + constant + "'; give it: this law takes " + taken);
    if (!takes(constant) && given.has(constant))
      given.fail(constant, "is no constant of " + law + ", which takes " + taken + "; remove it, or choose its `material`");
  }
  const bool is_engineering = takes("youngs_modulus");
  if (given.has("bulk_modulus") && is_engineering) given.fail("bulk_modulus", "is for laws without a Young's modulus; give a poisson_ratio instead");
  if (given.has("bulk_modulus") && given.has("poisson_ratio")) given.fail("bulk_modulus", "is another way of giving poisson_ratio; remove one of the two");
  if (shear_moduli.size() != exponents.size() || shear_moduli.size() > Ogden<double>::kMostTerms)
    given.fail("exponents", "has " + std::to_string(exponents.size()) + " numbers, and shear_moduli " + std::to_string(shear_moduli.size()) +
                                "; give as many, at most " + std::to_string(Ogden<double>::kMostTerms));
  if (std::find(exponents.begin(), exponents.end(), 0.0) != exponents.end()) given.fail("exponents", "has a zero; remove that term");
  if (is_engineering && !prony.empty())
    given.fail("prony", "is for laws of rubber, which " + law + " is not; take mooney_rivlin (with c01: 0 it is a neo-Hookean material), or use `damping`");
  if (is_engineering) return;
  with_law(material, [&]<template <typename> typename Material>() {
    const auto [lambda, mu] = Material<double>::from(*this).linear_moduli();
    if (!(mu > 0)) given.fail("", "these constants have a shear modulus of " + std::to_string(mu) + " Pa for small strains; check their signs and units");
    youngs_modulus = mu * (3 * lambda + 2 * mu) / (lambda + mu);
    poisson_ratio = lambda / (2 * (lambda + mu));
  });
}

}  // namespace traction
