// Defaults for PETSc's options, which a user's options override. They leave nothing behind in PETSc's options database.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace traction {

/// PETSc's inner solvers (for blocks, for multigrid levels) are configured by options only, and read them whenever they are set up. Options that stayed in the
/// database would affect every other solver of the process, so these are in it only while a Scope exists.
class DefaultOptions {
 public:
  /// Adds an option; `name` begins with a dash.
  void add(std::string name, std::string value) { options_.emplace_back(std::move(name), std::move(value)); }

  /// Holds defaults in PETSc's database from its construction to its destruction.
  class Scope {
   public:
    /// Sets the options that the user has not given; `defaults` must outlive the scope. Scopes of different defaults may be nested.
    explicit Scope(const DefaultOptions& defaults);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    std::vector<const char*> set_;
  };

 private:
  std::vector<std::pair<std::string, std::string>> options_;
};

}  // namespace traction
