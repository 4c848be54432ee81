// The place where a setting was written.
#pragma once

#include <string>

namespace traction {

/// The place where a setting was written, such as "scene.yaml:12: bodies.ball.solid.core", for checks that are made later, for example against the mesh.
struct Source {
  std::string text;
  bool operator==(const Source&) const { return true; }  ///< settings are equal wherever they were written
};

}  // namespace traction
