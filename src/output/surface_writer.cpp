#include "output/surface_writer.h"

#include <numeric>

namespace traction {

void SurfaceWriter::write_frame(double time, const SurfaceColumns& triangles) {
  constexpr std::uint8_t kVtkTriangle = 5;
  const auto cells = static_cast<std::int64_t>(triangles.contact.size()), points = 3 * cells;
  std::vector<std::int64_t> connectivity(static_cast<std::size_t>(points)), offsets(static_cast<std::size_t>(cells) + 1);
  std::iota(connectivity.begin(), connectivity.end(), 0);
  for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] = static_cast<std::int64_t>(3 * k);
  const std::vector<std::uint8_t> types(triangles.contact.size(), kVtkTriangle);
  int rank = 0;
  MPI_Comm_rank(communicator_, &rank);

  SlabFile file;
  file.groups = {{.path = "/VTKHDF", .vtk_type = "UnstructuredGrid"}, {.path = "/VTKHDF/PointData"}, {.path = "/VTKHDF/CellData"}, {.path = "/Contacts"}};
  file.slabs = {{"/VTKHDF/NumberOfPoints", NumberType::int64, 0, 1, &points},
                {"/VTKHDF/NumberOfCells", NumberType::int64, 0, 1, &cells},
                {"/VTKHDF/NumberOfConnectivityIds", NumberType::int64, 0, 1, &points},
                {"/VTKHDF/Connectivity", NumberType::int64, 0, points, connectivity.data()},
                {"/VTKHDF/Offsets", NumberType::int64, 0, cells + 1, offsets.data()},
                {"/VTKHDF/Types", NumberType::uint8, 0, cells, types.data()},
                {"/VTKHDF/Points", NumberType::float64, 3, points, triangles.points.data()},
                {"/VTKHDF/PointData/pressure", NumberType::float64, 0, points, triangles.point_pressure.data()},
                {"/VTKHDF/CellData/mean_pressure", NumberType::float64, 0, cells, triangles.pressure.data()},
                {"/VTKHDF/CellData/traction", NumberType::float64, 3, cells, triangles.traction.data()},
                {"/VTKHDF/CellData/slip_velocity", NumberType::float64, 3, cells, triangles.slip.data()},
                {"/VTKHDF/CellData/contact", NumberType::int32, 0, cells, triangles.contact.data()},
                {"/Contacts/names", NumberType::uint8, 0, rank == 0 ? static_cast<std::int64_t>(contact_names_.size()) : 0, contact_names_.data()}};
  frames_.add(time, std::move(file));
}

}  // namespace traction
