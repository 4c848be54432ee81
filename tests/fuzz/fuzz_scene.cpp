// libFuzzer on the reader of scenes: a text is refused with an InputError of one line, or is a scene that reads back from its printed form as itself.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "errors.h"
#include "scene/read_scene.h"

using namespace traction;

namespace {

void require(bool condition, const std::string& what) {
  if (condition) return;
  std::cerr << what << std::endl;
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string printed;
  try {
    printed = to_yaml(read_scene(text, "/scene.yaml", {}));
  } catch (const InputError& error) {
    const std::string message = error.what();
    require(message.starts_with("/scene.yaml:") && message.find('\n') == std::string::npos, "not a message of one line with its place: " + message);
    return 0;
  }
  const Scene again = read_scene(printed, "/scene.yaml", {});
  require(to_yaml(again) == printed, "does not read back as itself:\n" + printed + "\n" + to_yaml(again));
  to_json(again);
  return 0;
}
