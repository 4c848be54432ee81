#include "output/contact_writer.h"

#include <cstdint>
#include <numeric>

namespace traction {

void ContactWriter::write_frame(double time, const ContactColumns& contacts) {
  constexpr std::uint8_t kVtkVertex = 1;
  const auto count = static_cast<std::int64_t>(contacts.gap.size());
  std::vector<std::int64_t> connectivity(contacts.gap.size()), offsets(contacts.gap.size() + 1);
  std::iota(connectivity.begin(), connectivity.end(), 0);
  std::iota(offsets.begin(), offsets.end(), 0);
  const std::vector<std::uint8_t> types(contacts.gap.size(), kVtkVertex);

  SlabFile file;
  file.groups = {{.path = "/VTKHDF", .vtk_type = "UnstructuredGrid"}, {.path = "/VTKHDF/PointData"}, {.path = "/VTKHDF/CellData"}};
  const auto numbers = [&](const std::string& name, int columns, const std::vector<double>& values) {
    file.slabs.push_back({"/VTKHDF/" + name, NumberType::float64, columns, count, values.data()});
  };
  const auto integers = [&](const std::string& name, const std::vector<std::int32_t>& values) {
    file.slabs.push_back({"/VTKHDF/" + name, NumberType::int32, 0, count, values.data()});
  };
  for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"})
    file.slabs.push_back({std::string("/VTKHDF/") + name, NumberType::int64, 0, 1, &count});
  file.slabs.push_back({"/VTKHDF/Connectivity", NumberType::int64, 0, count, connectivity.data()});
  file.slabs.push_back({"/VTKHDF/Offsets", NumberType::int64, 0, count + 1, offsets.data()});
  file.slabs.push_back({"/VTKHDF/Types", NumberType::uint8, 0, count, types.data()});
  numbers("Points", 3, contacts.points);
  numbers("PointData/normal", 3, contacts.normal);
  numbers("PointData/normal_force", 3, contacts.normal_force);
  numbers("PointData/friction", 3, contacts.friction);
  numbers("PointData/gap", 0, contacts.gap);
  numbers("PointData/pressure", 0, contacts.pressure);
  numbers("PointData/sliding_speed", 0, contacts.sliding_speed);
  integers("PointData/slips", contacts.slips);
  integers("PointData/contact", contacts.contact);
  frames_.add(time, std::move(file));
}

}  // namespace traction
