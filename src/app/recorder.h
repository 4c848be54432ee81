// What a run leaves in its folder: history, fields, checkpoints.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/run_report.h"
#include "app/simulation.h"
#include "output/contact_writer.h"
#include "output/field_writer.h"
#include "output/history.h"

namespace traction {

class Recorder {
 public:
  // `continued`: keep the rows and frames up to the simulation's present step and time. Collective.
  Recorder(Simulation& simulation, std::string directory, bool continued);

  // After every step: a history row, and a frame when one is due. Collective.
  void record(const StepRecord& step);
  // The first frame of a new run. Collective.
  void record_initial();
  // Writes checkpoints/step_NNNNNNNN.h5 and removes all but the newest two. Collective.
  std::string save_state(const RunCosts& costs) const;
  double seconds() const { return seconds_; }   // spent on output

 private:
  std::vector<double> history_row(const StepRecord& step) const;
  void write_frame();
  ContactColumns contact_columns() const;

  Simulation& simulation_;
  std::string directory_;
  std::vector<std::string> energies_;        // the history's energy columns
  std::optional<HistoryWriter> history_;     // rank 0
  std::unique_ptr<FieldWriter> fields_;      // if the scene asks for fields
  std::unique_ptr<ContactWriter> contacts_;  // if it asks for contacts too
  long frames_due_ = 0;                      // frames written so far in terms of output.every
  double seconds_ = 0;
};

// Puts the simulation where a checkpoint was written; returns what the run had cost until then. Throws InputError on all ranks when the checkpoint does not fit
// the scene. Collective.
RunCosts restore_state(Simulation& simulation, const std::string& checkpoint);

// What contact_costs takes for contacts_per_step, for a mesh of so many vertices: in the steps of the run that wrote a checkpoint, the last above all;
// empty if it has taken none. Throws InputError when the checkpoint is of another mesh. Serial.
std::vector<double> contacts_in_checkpoint(const std::string& checkpoint, std::size_t vertices);

// The newest checkpoint in a run's folder that can be read; throws InputError if there is none. Serial.
std::string newest_checkpoint(const std::string& directory);

// Throws InputError if the folder holds checkpoints of a run that did not end: a new run would destroy them. Serial.
void refuse_unfinished_run(const std::string& directory);

}  // namespace traction
