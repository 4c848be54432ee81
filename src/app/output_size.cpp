#include "app/output_size.h"

#include <fmt/format.h>

#include "app/recorder.h"
#include "app/schedule.h"
#include "parallel/collective.h"

namespace traction {

std::string OutputSize::text() const {
  constexpr double kMega = 1e6;
  std::string text;
  if (frames > 0)
    text += fmt::format("{:.0f} frames of {:.3g} MB{}{}, ", frames, frame / kMega, compressed ? " before compression" : "",
                        per_contact > 0 ? fmt::format(" and {:.0f} B per contact", per_contact) : "");
  return text + fmt::format("up to {} checkpoints of {:.3g} MB, {:.4g} MB in all{}", checkpoints, checkpoint / kMega, total() / kMega,
                            per_contact > 0 ? " but contacts" : "");
}

OutputSize expected_output(const Simulation& simulation) {
  const MPI_Comm communicator = simulation.system->communicator();
  const Scene& scene = simulation.scene;
  OutputSize size;
  if (scene.output.every) {
    int of_point = 3, of_cell = 0;  // numbers per point (first its position) and per cell
    for (const OutputField field : scene.output.fields) (is_of_elements(field) ? of_cell : of_point) += components_of(field);
    const double number = scene.output.precision == FieldPrecision::single ? sizeof(float) : sizeof(double);
    size.frames = (simulation.loop->steps() == 0 ? 1 : 0) + scheduled_frames(scheduled_pieces(simulation), *scene.output.every);
    const FieldPiece piece = field_piece(*simulation.mesh, scene);
    size.frame = sum_over_ranks(communicator, static_cast<double>(piece.points.size() * of_point +
                                                                  (piece.tetrahedra.size() + piece.triangles.size() + piece.lines.size()) * of_cell)) *
                 number;
    if (scene.output.contacts) size.per_contact = ContactWriter::kNumbers * number + ContactWriter::kOtherBytes;
    size.compressed = scene.output.compression > 0;
  }
  const int numbers = 3 * simulation.loop->saved_fields() + (simulation.contacts.empty() ? 0 : 1);
  size.checkpoints = scene.output.keep_checkpoints + 1;  // a new one is written before the oldest is removed
  size.checkpoint = simulation.system->halo().global_count() * static_cast<double>(numbers) * sizeof(double);
  return size;
}

}  // namespace traction
