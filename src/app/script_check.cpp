#include "app/script_check.h"

#include <fmt/format.h>

#include "errors.h"
#include "mesh/geo_commands.h"
#include "settings/file_ending.h"

namespace traction {

void refuse_scripts(const Scene& scene, const SceneOptions& options) {
  const bool none = options.refuse_scripts;
  if (options.allow_scripts && !none) return;
  const std::string who = none ? fmt::format("which --no-scripts or {} forbids", kNoScriptsVariable)
                               : fmt::format("which only --allow-scripts or {}=1 permits", kAllowScriptsVariable);
  for (const Body& body : scene.bodies) {
    if (file_ending(body.mesh) != ".geo") continue;
    if (none)
      throw InputError(
          fmt::format("{}: {} is a script that Gmsh would run with your rights, {}; give a .msh file instead, made from it on a "
                      "machine where the script is trusted",
                      body.source.text, body.mesh, who));
    if (const auto command = find_geo_command(body.mesh))
      throw InputError(
          fmt::format("{}: Gmsh would run {} with your rights, {}: {}:{}: {} (even in a comment); remove that, give a .msh file instead, made from it on a "
                      "machine where the script is trusted, or trust it",
                      body.source.text, body.mesh, who, command->file, command->line, command->what));
  }
  for (const auto& [name, value] : scene.petsc)
    if ((name + " " + value).find("python") != std::string::npos)
      throw InputError(fmt::format("{}: petsc.{}: PETSc would run Python with your rights, {}; remove the option", scene.file, name, who));
}

}  // namespace traction
