// The files in an output folder that a new run or a new set of modes removes or replaces.
#pragma once

#include <array>
#include <initializer_list>
#include <string>

#include "output/surface_writer.h"

namespace traction {

/// The first line of the scenes that runs write.
inline constexpr const char* kWrittenScene = "# Written by traction: every setting of the scene, with defaults and overrides.\n";
/// The names of the kinds of frames, with which their files begin.
inline constexpr std::array kFrameStems = {"fields", "contacts", SurfaceWriter::kStem};
/// The first line of the tables that `traction modes` writes.
inline constexpr const char* kModesColumns = "mode,eigenvalue,frequency\n";

/// Throws InputError if the folder holds a file that a run would remove or replace, and that neither a run nor `traction modes` has written. The folder belongs
/// to a run if its scene.yaml does, and to a run that was killed at its start if its history begins with the columns of one. Serial.
void refuse_foreign_files(const std::string& directory);

/// A table that a command writes, and how its first line begins.
struct OwnTable {
  const char* name;
  const char* columns;
};

/// Throws InputError if the folder holds a file with the name of one of these tables that does not begin as it, or one with the name of the first table's
/// picture without that table: the command would replace the user's file. Serial.
void refuse_foreign_tables(const std::string& directory, std::initializer_list<OwnTable> tables, const char* picture);

/// Throws InputError if the folder holds results of a run, or frames, a table or a picture of modes that `traction modes` has not written. Serial.
void refuse_results_but_modes(const std::string& directory);

/// Removes the files that a killed run had begun to write. Serial.
void remove_unfinished_files(const std::string& directory);

/// Removes the results of an earlier run; all else in the folder is the user's. Serial.
void remove_old_results(const std::string& directory);

}  // namespace traction
