#include "mesh_partition/broadcast_mesh.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace traction {

namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // bytes of one message

template <typename T>
constexpr bool is_plain = std::is_trivially_copyable_v<T> || std::is_same_v<T, Vec3>;

// Turns numbers and lists into bytes, one after the other.
struct Writer {
  std::vector<char> bytes;

  void plain(const void* from, std::size_t size) {
    const auto* first = static_cast<const char*>(from);
    bytes.insert(bytes.end(), first, first + size);
  }
  template <typename List>
  void length(const List& list) {
    const std::size_t count = list.size();
    plain(&count, sizeof count);
  }
};

// Reads numbers and lists back from bytes in the same order.
struct Reader {
  const char* next;

  void plain(void* to, std::size_t size) {
    if (size > 0) std::memcpy(to, next, size);
    next += size;
  }
  template <typename List>
  void length(List& list) {
    std::size_t count = 0;
    plain(&count, sizeof count);
    list.resize(count);
  }
};

template <typename Stream, typename List, typename Each>
void pass(Stream& stream, List& list, Each each) {
  stream.length(list);
  for (auto& item : list) each(item);
}

template <typename Stream, typename List>
void pass(Stream& stream, List& list) {
  static_assert(is_plain<typename List::value_type>);
  stream.length(list);
  stream.plain(list.data(), list.size() * sizeof(typename List::value_type));
}

template <typename Stream>
void pass(Stream& stream, Mesh& mesh) {
  pass(stream, mesh.vertices);
  pass(stream, mesh.tetrahedra);
  pass(stream, mesh.quadratics);
  pass(stream, mesh.triangles);
  pass(stream, mesh.shells);
  pass(stream, mesh.hinges);
  pass(stream, mesh.segments);
  pass(stream, mesh.rods);
  pass(stream, mesh.joints);
  pass(stream, mesh.dependents);
  pass(stream, mesh.frames, [&](RigidFrame& frame) {
    stream.plain(&frame.mass, sizeof frame.mass);
    stream.plain(&frame.own_mass, sizeof frame.own_mass);
    stream.plain(frame.particles.data(), sizeof frame.particles);
    stream.plain(frame.positions.data(), sizeof frame.positions);
    stream.plain(&frame.reach, sizeof frame.reach);
  });
  pass(stream, mesh.insides, [&](RigidInside& inside) {
    pass(stream, inside.vertices);
    pass(stream, inside.tetrahedra);
  });
  pass(stream, mesh.regions, [&](Region& region) {
    pass(stream, region.name);
    stream.plain(&region.dimension, sizeof region.dimension);
    pass(stream, region.members);
    pass(stream, region.segments);
    pass(stream, region.rods);
  });
  pass(stream, mesh.source);
  pass(stream, mesh.start_positions);
  pass(stream, mesh.start_velocities);
}

}  // namespace

void broadcast(MPI_Comm communicator, Mesh& mesh) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  Writer writer;
  if (rank == 0) pass(writer, mesh);
  std::size_t size = writer.bytes.size();
  static_assert(sizeof size == sizeof(unsigned long long));
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, communicator);
  writer.bytes.resize(size);
  for (std::size_t done = 0; done < size; done += kMostAtOnce)
    MPI_Bcast(writer.bytes.data() + done, static_cast<int>(std::min(kMostAtOnce, size - done)), MPI_CHAR, 0, communicator);
  if (rank == 0) return;
  Reader reader{writer.bytes.data()};
  pass(reader, mesh);
}

}  // namespace traction
