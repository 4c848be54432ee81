// What a run tells in its folder: history and fields.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "output/contact_writer.h"
#include "output/field_writer.h"
#include "output/history.h"
#include "scene/scene.h"
#include "simulation/simulation.h"

namespace traction {

// The piece of the scene's bodies that this rank writes. Collective.
FieldPiece field_piece(const DistributedMesh& mesh, const Scene& scene);

// Throws FileError where a folder lies in the place of one of a run's files, which the run could not replace. Serial.
void require_places_for_files(const std::string& directory);

class Recorder {
 public:
  // `continued`: keep the rows and frames up to the simulation's present step and time. Collective.
  Recorder(Simulation& simulation, std::string directory, bool continued);

  // After every step: a history row, and a frame when one is due. Throws SolverError on all ranks when a number of the row is not finite. Collective.
  void record(const StepRecord& step);
  // The first frame of a new run. Collective.
  void record_initial();
  // Sees what is recorded so far safely on the disk, as a checkpoint that stands on it must be. Collective.
  void flush() const;
  double seconds() const { return seconds_; }  // spent on output

 private:
  std::vector<double> history_row(const StepRecord& step) const;
  void announce_size() const;  // of the files to come, and whether the disk has room for them
  double frames_due_until(double time) const;
  void write_frame();
  ContactColumns contact_columns() const;

  Simulation& simulation_;
  std::string directory_;
  std::optional<HistoryWriter> history_;     // rank 0
  std::unique_ptr<FieldWriter> fields_;      // if the scene asks for fields
  std::unique_ptr<ContactWriter> contacts_;  // if it asks for contacts too
  double frames_due_ = 0;                    // until now, in terms of output.every
  double seconds_ = 0;
};

}  // namespace traction
