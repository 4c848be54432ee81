// Where a setting comes from.
#pragma once

#include <string>

namespace traction {

// Where a setting was written, so that a check made later (against the mesh, say) can name it: "scene.yaml:12: bodies.ball.solid.core".
struct Source {
  std::string text;
  bool operator==(const Source&) const { return true; }  // settings are the same wherever they were written
};

}  // namespace traction
