// Loads on bodies: the settings of a user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "math/tensor.h"
#include "settings/declaration.h"
#include "settings/given.h"
#include "settings/source.h"

namespace traction {

/// A row of a table over time, between whose rows a load is interpolated.
struct LoadPoint {
  static constexpr SettingsDescription kDescription{"load_point", "A factor on a load at a time."};
  SETTING(double, time, 0, "Time, ascending.", unit("s"), required("give it in s"));
  SETTING(double, factor, 1, "The load relative to its value.", required("give the load relative to its value"));
};

/// Throws unless the times of a list, which is the setting `path`, ascend. A Point has a time.
template <typename Point>
void check_times_ascend(const Given& given, const std::string& path, const std::vector<Point>& points) {
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].time <= points[i - 1].time)
      given.fail(path + "." + std::to_string(i) + ".time", "must be later than the time before it; sort the list by time");
}

enum class LoadKind { force, torque, traction, body_force, pressure };

/// An entry of a body's loads.
struct LoadSettings {
  static constexpr SettingsDescription kDescription{
      "load", "A force or torque on a body, or on a region of it. Each load has exactly one of force, torque, traction, body_force and pressure.",
      R"([{"oneOf": [{"required": ["force"]}, {"required": ["torque"]}, {"required": ["traction"]}, {"required": ["body_force"]}, {"required": ["pressure"]}]},
          {"if": {"anyOf": [{"required": ["traction"]}, {"required": ["pressure"]}]}, "then": {"required": ["region"]}},
          {"if": {"required": ["following"]}, "then": {"required": ["traction"]}}])"};
  std::string name;
  SETTING(std::string, region, {}, "Region of the mesh: for pressure and traction a surface, which must be given; else it may be left out: the whole body.");
  SETTING(std::optional<Vec3>, force, {}, "Total force, spread over a surface by its area at rest, over other regions by their mass.", unit("N"));
  SETTING(
      std::optional<Vec3>, torque, {},
      "Moment of a couple of fixed direction: forces that turn the region about its centroid as they would turn a rigid body, by area at rest on a surface, "
      "else by mass.",
      unit("N m"));
  SETTING(std::optional<Vec3>, traction, {}, "Force per area at rest.", unit("Pa"));
  SETTING(std::optional<Vec3>, body_force, {}, "Force per mass.", unit("m/s^2"));
  SETTING(std::optional<double>, pressure, {},
          "Pressure on the present area. Positive it pushes into the solid; on a shell it pushes against the normals of the triangles.", unit("Pa"));
  SETTING(bool, following, false, "The traction turns with the surface.", written_if(self.traction.has_value()));
  SETTING(std::vector<LoadPoint>, over, {}, "A factor on the load over time, linear between times, constant before and after.");
  Source source;
  LoadKind kind = LoadKind::force;  ///< the kind that is given
  Vec3 vector = Vec3::Zero();       ///< the load's value, unless it is a pressure

  void complete(const Given& given);
};

}  // namespace traction
