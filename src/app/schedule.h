// Steps and frames that the schedule of a run foresees.
#pragma once

#include <vector>

#include "simulation/simulation.h"

namespace traction {

/// Steps of equal length that follow each other without a change of the schedule.
struct ScheduledPiece {
  double begin = 0, end = 0;  ///< [s]
  double steps = 0;

  double step() const { return (end - begin) / steps; }  ///< [s]
};

/// Divides the time after `begin` [s] at the changes of the step's length and at `ends` [s], at which steps end, too. Halved steps are not foreseen.
std::vector<ScheduledPiece> scheduled_pieces(const TimeSettings& time, double begin, std::vector<double> ends = {});

/// The pieces of the rest of a simulation, in which steps also end where parts are released and at the corners of loads.
std::vector<ScheduledPiece> scheduled_pieces(const Simulation& simulation);

/// Counts the steps of all pieces.
double scheduled_steps(const std::vector<ScheduledPiece>& pieces);

/// Counts the frames that are written after the steps of all pieces: one after each step that reaches a multiple of `every` [s] or is longer than it.
double scheduled_frames(const std::vector<ScheduledPiece>& pieces, double every);

}  // namespace traction
