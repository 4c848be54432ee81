// Writes run.json: what was run, where, and at what cost.
#pragma once

#include <map>
#include <string>

#include "simulation/simulation.h"

namespace traction {

/// Seconds and counts of one run.
struct RunCosts {
  double setup_seconds = 0;  ///< meshes, partition, distribution
  double output_seconds = 0;
  /// Steps without contact, and in contact.
  struct Phase {
    long steps = 0, repeats = 0, newton_iterations = 0, linear_iterations = 0, eliminations = 0;
    double seconds = 0;
  };
  Phase flight, contact;
  Spread contact_work;  ///< spread over ranks of contacts' work_seconds; parts of a resumed run are added up

  /// The costs by name, for a checkpoint: a resumed run continues from them.
  std::map<std::string, double> numbers() const;
  static RunCosts from_numbers(const std::map<std::string, double>& numbers);
};

/// Collective (memory is summed over ranks); rank 0 writes DIR/run.json. `status`: "running", "done", "interrupted" or "solver gave up".
void write_run_report(const std::string& directory, const Simulation& simulation, const RunCosts& costs, const std::string& status);

/// Logs how many solves were discarded: too long a step costs more than several shorter ones, which users cannot see otherwise.
void log_repeats(const RunCosts& costs);

/// Spread over ranks of the seconds spent on contact with the present partition. @collective
Spread contact_work(const Simulation& simulation);
Spread sum(const Spread& a, const Spread& b);

/// Path of the BLAS library that is loaded.
std::string blas_library();
/// Whether that library, or one that it passes calls on to, is OpenBLAS, MKL or BLIS, whatever its file is called.
bool has_fast_blas();

}  // namespace traction
