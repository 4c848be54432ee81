#include "system/stage_matrix.h"

#include <utility>

#include "parallel/collective.h"
#include "parallel/log_event.h"

namespace traction {

StageMatrix::StageMatrix(StageEquation& equation, bool couples) : equation_(equation), couples_(couples), start_(equation.system().halo().owned() + 1, 0) {}

bool StageMatrix::assemble() {
  static const LogEvent event("StageMatrix");
  const LogEvent::Scope timed(event);
  const System& system = equation_.system();
  equation_.assemble();
  std::vector<Coupling> couplings = equation_.couplings(couples_);
  couplings = sum_couplings(system.halo(), std::move(couplings), system.held());
  const bool same = std::equal(couplings.begin(), couplings.end(), couplings_.begin(), couplings_.end(), same_place);
  couplings_ = std::move(couplings);
  std::fill(start_.begin(), start_.end(), 0);
  for (const Coupling& coupling : couplings_) ++start_[coupling.row - system.halo().first_owned() + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  return couples_ && maximum_over_ranks(system.communicator(), same ? 0 : 1) > 0;
}

std::vector<char> StageMatrix::coupled_vertices() const {
  const BlockPattern& pattern = equation_.blocks().pattern();
  const std::vector<char>& held = equation_.system().held().whole();
  std::vector<char> marks(equation_.system().halo().owned(), 0);
  for (int i = 0; i < equation_.system().halo().owned(); ++i) {
    const auto couples = [&](int other) { return !held[i] && !held[other]; };
    for (int edge = pattern.first_edge(i); edge < pattern.first_edge(i + 1) && !marks[i]; ++edge) marks[i] = couples(pattern.upper_vertex(edge));
    for (const auto& lower : pattern.lower_edges(i)) marks[i] = marks[i] || couples(lower.vertex);
    for (const Coupling& coupling : couplings_of(i)) marks[i] = marks[i] || coupling.column != coupling.row;
  }
  return marks;
}

void StageMatrix::scale_held_part(int i, Mat3& diagonal) const {
  const System& system = equation_.system();
  const Mat3* held = system.held().partial(i);
  if (!held) return;
  diagonal += (diagonal.cwiseAbs().maxCoeff() - system.effective_mass()[i]) * *held;
}

void StageMatrix::preallocate(Mat matrix) const {
  const Halo& halo = equation_.system().halo();
  std::vector<PetscInt> own(halo.owned(), 0), other(halo.owned(), 0);
  for (int i = 0; i < halo.owned(); ++i)
    for (const Coupling& coupling : couplings_of(i)) {
      const PetscInt local = coupling.column - halo.first_owned();
      ++(local >= 0 && local < halo.owned() ? own : other)[i];  // some are neighbours', too
    }
  equation_.blocks().preallocate(matrix, std::move(own), std::move(other));
}

}  // namespace traction
