// Settings of a run's output.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "settings/declaration.h"
#include "settings/given.h"

namespace traction {

enum class OutputField {
  velocity,
  displacement,
  contact_pressure,
  contact_force,
  contact_traction,
  sliding_velocity,
  stress,
  von_mises_stress,
  strain,
  tension,
  bending_moment,
  axial_force,
  curvature,
  twist,
  fibre_stretch,
  softening,
  fibre_direction
};
enum class FieldPrecision { double_, single };
enum class FrameFiles { one_per_frame, one };

constexpr auto choices_of(OutputField) {
  using enum OutputField;
  return std::to_array<Choice<OutputField>>(
      {{velocity, "velocity", "Velocity [m/s]."},
       {displacement, "displacement", "Displacement from the shape at rest, where `initial` places it [m]."},
       {contact_pressure, "contact_pressure", "Normal contact forces per area at rest [Pa]."},
       {contact_force, "contact_force", "Sum of all contact forces, with friction [N]."},
       {contact_traction, "contact_traction", "Contact force per area at rest [Pa]."},
       {sliding_velocity, "sliding_velocity", "Velocity of a surface against what it touches, along the plane of contact [m/s]."},
       {stress, "stress", "Cauchy stress per element, for solids [Pa]."},
       {von_mises_stress, "von_mises_stress", "Von Mises stress per element, for solids [Pa]."},
       {strain, "strain", "Logarithmic strain per element."},
       {tension, "tension", "Force per present length, per element, for shells [N/m]."},
       {bending_moment, "bending_moment", "Moment per length at rest, per element, for shells [N m/m]."},
       {axial_force, "axial_force", "Force along rods, per segment; positive where they are pulled [N]."},
       {curvature, "curvature", "Curvature of rods beyond that of the shape without stress, per segment [1/m]."},
       {twist, "twist", "Twist of rods per length beyond that of the shape without stress, per segment [rad/m]."},
       {fibre_stretch, "fibre_stretch", "Stretch of the first family of fibres per element; 0 without fibres."},
       {softening, "softening", "Part of the stress of the change of shape that rubber has lost by its first stretch (`mullins`), per element, for solids."},
       {fibre_direction, "fibre_direction", "Present direction of the first family of fibres per element, a unit vector; 0 without fibres."}});
}

/// Whether a field has one value, or one tensor, per element; the others have values at vertices.
constexpr bool is_of_elements(OutputField field) { return field >= OutputField::stress; }
constexpr bool is_of_contact(OutputField field) { return field >= OutputField::contact_pressure && field <= OutputField::sliding_velocity; }
constexpr int components_of(OutputField field) {
  using enum OutputField;
  if (field == fibre_direction) return 3;
  if (is_of_elements(field)) return field == von_mises_stress || field >= axial_force ? 1 : 6;
  return field == contact_pressure ? 1 : 3;
}

constexpr auto choices_of(FieldPrecision) {
  return std::to_array<Choice<FieldPrecision>>({{FieldPrecision::double_, "double", "64 bits."}, {FieldPrecision::single, "single", "32 bits."}});
}

constexpr auto choices_of(FrameFiles) {
  using enum FrameFiles;
  return std::to_array<Choice<FrameFiles>>({{one_per_frame, "one_per_frame", "A file for each frame, and a list of them for ParaView 5.11 or newer."},
                                            {one, "one", "One file that grows, for ParaView 5.12 or newer: a run of many frames does not fill a folder."}});
}

/// A checkpoint is written whenever one of these intervals has passed.
struct CheckpointSettings {
  static constexpr SettingsDescription kDescription{"checkpoint_interval", "Intervals after which a checkpoint is written."};
  SETTING(double, minutes, 30, "Wall time.", unit("min"), positive);
  SETTING(std::optional<int>, steps, {}, "Steps.", at_least(1));
  SETTING(std::optional<double>, time, {}, "Simulated time.", unit("s"), positive);
};

/// The output of a run: what is written, how often and how precisely.
struct OutputSettings {
  static constexpr SettingsDescription kDescription{"output", "What a run writes."};
  SETTING(std::optional<double>, every, {}, "Time between frames of fields; without it none are written.", unit("s"), positive);
  SETTING(std::vector<OutputField>, fields, fields_by_default(), "Fields of the frames.", one_or_more, even_if_empty);
  SETTING(bool, contacts, false, "With every frame, a file of the vertices in contact.");
  SETTING(FrameFiles, files, FrameFiles::one_per_frame, "Files of the frames.");
  SETTING(int, log_every, 50,
          "Number of steps between lines of the log if it does not go to a terminal. A line follows at the end of a step, too, if the last is a minute old.",
          at_least(1));
  SETTING(FieldPrecision, precision, FieldPrecision::double_, "Precision of the numbers in frames.");
  SETTING(int, compression, 0, "Level of compression of frames (deflate): 0 for none, 9 for the smallest files.", at_least(0), at_most(9),
          hint("level 1 already saves most"));
  SETTING(CheckpointSettings, checkpoint_every, {}, "Wall time between checkpoints in minutes, or a map of intervals.", shorthand("minutes"));
  SETTING(int, keep_checkpoints, 2, "Number of the newest checkpoints that are kept, so that another one remains if one is damaged.", at_least(1));

  void complete(const Given& given) const {
    if (contacts && !every) given.fail("contacts", "needs frames of fields; give output.every, or remove contacts");
    if (compression > 0 && files == FrameFiles::one)
      given.fail("compression",
                 "needs a file for each frame; remove compression, or remove files: one (precision: single makes frames smaller in either case)");
  }

  static std::vector<OutputField> fields_by_default() { return {OutputField::velocity, OutputField::contact_pressure}; }
};

}  // namespace traction
