// Field output: one static VTKHDF 1.0 file per frame, its topology shared through external links; or one file for all (output/frame_file.h).
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "output/frame_output.h"

namespace traction {

/// The part of the mesh that one rank writes: its owned elements and the local vertices they use. May be empty.
struct FieldPiece {
  std::vector<int> points;                     ///< local vertex index of each point of the piece
  std::vector<std::int64_t> vertex_ids;        ///< for each point: its vertex number in the scene's meshes, the same at any rank count
  std::vector<std::array<int, 4>> tetrahedra;  ///< into `points`
  std::vector<std::array<int, 3>> triangles;   ///< the triangles that are shells
  std::vector<std::array<int, 2>> lines;       ///< the segments of rods
  std::vector<int> cell_regions;               ///< number of the solid, shell or rod region, for each tetrahedron, then each triangle, then each line
  std::string body_names;                      ///< each followed by a newline
  std::vector<std::int64_t> first_vertices;    ///< the lowest vertex_id of each body, ascending; these two are equal on all ranks
};

/// A field over the local vertices (owned, then ghosts): `values` holds `components` (1 or 3) doubles per local vertex.
struct PointField {
  std::string name;
  int components = 1;
  std::span<const double> values;
};

/// A field over the elements of the piece: `values` holds `components` (1, 3 or 6) doubles for each of its tetrahedra, then for each of its triangles, then for
/// each of its lines.
struct CellField {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

/// Writes DIR/fields_mesh.h5 (topology, cell data "partition" and "region", point data "vertex_id", and the first vertex_id of each body) once, then
/// DIR/fields_NNNNNN.hdf per frame, and keeps DIR/fields.hdf.series up to date; or all of this in DIR/fields.hdf. Every member function is collective over the
/// communicator. Throws FileError on all ranks if any rank fails.
class FieldWriter {
 public:
  /// `first_frame` > 0 continues a series: frames below it are kept, later ones are dropped from the series. Warns of frames and of a topology that are gone; a
  /// single rank writes the topology again.
  FieldWriter(MPI_Comm communicator, std::string directory, FieldPiece piece, int first_frame = 0, FrameStorage storage = {});

  /// `positions`: 3 doubles per local vertex [m].
  void write_frame(double time, std::span<const double> positions, std::span<const PointField> fields, std::span<const CellField> cell_fields = {});
  void flush();  ///< makes sure that the frames are on the disk

  /// Removes every frame, topology and series in a folder. Serial.
  static void remove_frames(const std::string& directory);

  int frames() const { return frames_.frames(); }

 private:
  void write_topology() const;
  void restore_first_topology();

  MPI_Comm communicator_;
  std::string directory_;
  FieldPiece piece_;
  SlabStorage storage_;
  int topology_frame_;  ///< first frame of this run's topology
  FrameOutput frames_;
};

}  // namespace traction
