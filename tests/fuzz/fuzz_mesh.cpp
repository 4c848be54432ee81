// Runs libFuzzer on the readers of meshes and of obstacles' surfaces: a file must be refused with an InputError, or be a mesh whose elements can be checked.
// FUZZ_EXTENSION, such as ".msh", selects the reader.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "errors.h"
#include "mesh/read_mesh.h"

using namespace traction;

namespace {

// A file name of this process, because several processes may fuzz at the same time.
std::string file_name() { return "/dev/shm/traction_fuzz_" + std::to_string(getpid()) + FUZZ_EXTENSION; }

void remove_file() { std::remove(file_name().c_str()); }

void check(const std::string& path) {
  const std::string extension = FUZZ_EXTENSION;
  if (extension == ".stl" || extension == ".obj") {
    read_surface(path);
    return;
  }
  try {
    read_surface(path);
  } catch (const InputError&) {  // most meshes are no surfaces
  }
  Mesh mesh = read_mesh(path);
  check_elements(mesh);
  boundary_faces(mesh);
  const std::vector<Region> regions = mesh.regions;
  for (const Region& region : regions)
    if (region.dimension == 2) orient_closed_surface(mesh, region);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = file_name();
  static const int at_exit = std::atexit(remove_file);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (at_exit != 0 || !file || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) std::abort();
  try {
    check(path);
  } catch (const InputError& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  return 0;
}
