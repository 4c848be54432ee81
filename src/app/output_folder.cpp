#include "app/output_folder.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <iostream>

#include "errors.h"
#include "run_program.h"

namespace traction {

namespace fs = std::filesystem;

void make_directory(const std::string& directory) {
  std::error_code failure;
  fs::create_directories(directory, failure);
  if (failure) throw FileError(directory + ": cannot make the output folder: " + failure.message() + "; give another one with --out");
}

void draw(const std::string& script, const std::string& directory) {
  const std::string argument = fs::absolute(directory).string();  // an absolute path, which no script mistakes for an option
  const auto status = run_program({TRACTION_POSTPROCESS "/" + script, argument}, [](std::string_view text) { std::cerr << text; });
  if (status != 0) spdlog::warn("no picture was drawn of the results in {}: postprocess/{} needs Python with matplotlib", directory, script);
}

}  // namespace traction
