// The coefficients of friction of sides that meet by their pressure fields (docs/theory/pressure.md, "Traction").
#pragma once

#include <optional>
#include <string>

#include "scene/scene.h"

namespace traction {

/// Whether the coefficient of a contact's pairs is combined from those of both sides. Otherwise the contact gives it.
bool combines_friction(const PressureContactSettings& contact, const Scene& scene);
/// The coefficient of a body or plane in a contact that combines them; none if neither the side nor the contact has one.
std::optional<double> friction_of_side(const PressureContactSettings& contact, const std::string& side, const Scene& scene);
/// Whether a contact combines the coefficient that a body or plane has of its own.
bool uses_friction_of(const std::string& side, const Scene& scene);
/// Refuses contacts in which coefficients are missing, or contradict each other. Their sides must have been checked.
void check_pressure_friction(const Given& given, const Scene& scene);

}  // namespace traction
