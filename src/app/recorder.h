// Writes a run's history and fields into its folder.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/joint_columns.h"
#include "app/output_size.h"
#include "dynamics/growing_warnings.h"
#include "output/contact_writer.h"
#include "output/field_writer.h"
#include "output/history.h"
#include "output/surface_writer.h"
#include "pressure/pressure_contact.h"
#include "scene/scene.h"
#include "simulation/rigid_bodies.h"
#include "simulation/simulation.h"

namespace traction {

/// The piece of the scene's bodies that this rank writes. @collective
FieldPiece field_piece(const DistributedMesh& mesh, const Scene& scene);

/// Throws FileError if one of a run's files cannot be replaced because a folder has its name. Serial.
void require_places_for_files(const std::string& directory);

/// Writes the history, the frames and the list of frames while a run proceeds.
class Recorder {
 public:
  /// `continued`: keep the rows and frames up to the simulation's present step and time; the rows must then have this `checksum`, if it is known.
  /// `lacks_frame`: keep only frames before the present time. @collective
  Recorder(Simulation& simulation, std::string directory, bool continued, std::optional<double> checksum, bool lacks_frame);

  /// After every step: a history row, and a frame when one is due. Returns whether one was. Throws SolverError on all ranks when a number of the row is not
  /// finite. @collective
  bool record(const StepRecord& step);
  /// The first frame of a new run, or one that the run could not write before. @collective
  void record_initial();
  /// After a call of record() that threw FileError: writes the row if that has failed. @collective
  void record_again();
  /// Whether the frame of the last step could not be written.
  bool lacks_frame() const { return lacks_frame_; }
  /// Makes sure that everything recorded so far is on the disk. A checkpoint that refers to it must not be written earlier. @collective
  void flush() const;
  double seconds() const { return seconds_; }  ///< spent on output
  /// The checksum of history.csv so far; on the first rank.
  double history_checksum() const { return history_ ? history_->checksum() : 0; }

 private:
  std::vector<double> history_row(const StepRecord& step);
  void warn_of_strain(const std::vector<RigidPose>& poses, double time);
  void announce_size(const OutputSize& size) const;  ///< logs the size of the files to come, and warns if the disk lacks room for them
  double frames_due_until(double time) const;
  void write_frame();
  /// A triangle that this rank evaluates, with twice its area as a vector, and the number of its contact.
  struct SurfaceTriangle {
    ContactTriangle triangle;
    Vec3 cross;
    std::int32_t contact;
  };
  std::vector<SurfaceTriangle> surface_triangles() const;
  static SurfaceColumns surface_columns(const std::vector<SurfaceTriangle>& triangles);
  ContactColumns contact_columns(const std::vector<SurfaceTriangle>& triangles) const;

  Simulation& simulation_;
  std::string directory_;
  JointColumns joints_;
  std::optional<HistoryWriter> history_;     ///< rank 0
  std::unique_ptr<FieldWriter> fields_;      ///< if the scene asks for fields
  std::unique_ptr<ContactWriter> contacts_;  ///< if the scene asks for contacts, too
  std::unique_ptr<SurfaceWriter> surfaces_;  ///< if the scene asks for contacts and has pressure fields
  double frames_due_ = 0;                    ///< number of frames due until now according to output.every
  double seconds_ = 0;
  std::vector<double> unwritten_row_;  ///< the row of the last step, while it is not in the history
  bool lacks_frame_ = false;
  GrowingWarnings strains_;  ///< of rigid bodies
};

}  // namespace traction
