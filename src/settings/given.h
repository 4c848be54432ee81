// The settings of one struct as the user has given them. A struct that has rules between its settings, or defaults that depend on others, has a member
//
//   void complete(const Given& given);
//
// which is called when all its settings are read. Knows no input format.
#pragma once

#include <string>
#include <string_view>

namespace traction {

/// The settings of a struct that a user has given; reports mistakes at their places.
class Given {
 public:
  virtual ~Given() = default;

  /// Paths are those of settings within the struct, "friction.static" or "both.1"; an empty one is the struct itself.
  virtual bool has(std::string_view path) const = 0;
  /// The value as it was written, for messages.
  virtual std::string text(std::string_view path) const = 0;
  /// Whether the value was given by --set instead of the scene's file.
  virtual bool is_override(std::string_view path) const = 0;
  /// Returns a text such as "scene.yaml:12: contacts.bounce.vertices".
  virtual std::string source(std::string_view path = {}) const = 0;
  /// Throws InputError with a text such as "scene.yaml:12: contacts.bounce.vertices: what", where `what` ends with a remedy after a semicolon.
  [[noreturn]] virtual void fail(std::string_view path, const std::string& what) const = 0;
};

}  // namespace traction
