// HDF5 files of datasets that are cut into one slab of consecutive rows per rank, written by all ranks together.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace traction {

enum class NumberType { float64, float32, int64, int32, uint8 };

/// How the numbers of a file are stored.
struct SlabStorage {
  bool single_precision = false;  ///< for data given as float64
  int compression = 0;            ///< level of deflate, 0 (none) to 9
};

/// One dataset and this rank's rows of it, in rank order. Each row has `columns` numbers; 0 columns make a dataset of one dimension.
struct Slab {
  std::string path;  ///< path in the file, e.g. "/VTKHDF/PointData/velocity"
  NumberType type = NumberType::float64;
  int columns = 0;
  std::int64_t rows = 0;  ///< on this rank, may be 0
  const void* data = nullptr;
};

/// A link from `path` in the new file to `target_path` in `target_file`, whose name is relative to the new file's folder.
struct ExternalLink {
  std::string path;
  std::string target_file;
  std::string target_path;
};

/// A group, made before everything else, with the attributes that VTK looks for if `vtk_type` isn't empty.
struct SlabGroup {
  std::string path;
  std::array<std::int64_t, 2> vtk_version = {1, 0};
  std::string vtk_type = {};
};

/// Equal on all ranks except for `rows` and `data` of the slabs.
struct SlabFile {
  std::vector<SlabGroup> groups;
  std::vector<Slab> slabs;
  std::vector<ExternalLink> links;
  SlabStorage storage = {};
  std::string seal = {};  ///< kind of the seal at its beginning (output/file_seal.h), which also makes sure that the file is on the disk; empty: none
};

/// Writes the complete file or nothing: under a temporary name, renamed when it is closed. Throws FileError on all ranks if any rank fails. @collective
void write_slab_file(MPI_Comm communicator, const std::string& path, const SlabFile& contents);

/// Replaces a small text file atomically. Serial; throws FileError.
void replace_text_file(const std::string& path, const std::string& text);

}  // namespace traction
