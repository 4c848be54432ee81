// Does the work of `traction check` for many scenes, each in its own process forked from this one, because starting the whole program takes a hundred times as
// long.
//
//   check_inputs [--scene-only] < LIST      (one path of a scene per line)
//
// Prints a line for each scene: exit code, path, message, separated by tabs. The code is that of the program, or "signal N", or "hang" when it took longer than
// 20 s. --scene-only reads the scene and none of the files that it names; the message of a good one is then the scene with every default, as JSON.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "errors.h"
#include "mesh_partition/partition.h"
#include "scene/read_scene.h"
#include "simulation/scene_mesh.h"

namespace {

using namespace traction;

constexpr unsigned kSeconds = 20;
constexpr rlim_t kBytes = rlim_t{4} << 30;  // files of some kilobytes need no more; a process that asks for more ends here instead of swapping

int outcome(const std::string& path, bool scene_only, std::string& message) {
  try {
    std::ifstream input(path, std::ios::binary);
    std::ostringstream text;
    text << input.rdbuf();
    const Scene scene = read_scene(text.str(), path, {});
    const std::string resolved = to_yaml(scene);
    if (to_yaml(read_scene(resolved, path, {})) != resolved) throw std::logic_error("the printed scene does not read back as itself");
    if (scene_only) {
      message = to_json(scene);
      return 0;
    }
    const Mesh mesh = load_scene_mesh(scene, "/nowhere");
    if (scene.partition.file) read_partition(*scene.partition.file, mesh);
    return 0;
  } catch (const InputError& error) {
    message = error.what();
    return 2;
  } catch (const FileError& error) {
    message = error.what();
    return 4;
  } catch (const std::bad_alloc&) {
    message = "out of memory";
    return 99;
  } catch (const std::exception& error) {
    message = std::string("no error of ours: ") + error.what();
    return 99;
  }
}

void print(const std::string& code, const std::string& path, std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < ' '; }, ' ');
  std::cout << code << '\t' << path << '\t' << message << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const bool scene_only = argc > 1 && std::string(argv[1]) == "--scene-only";
  std::string path;
  while (std::getline(std::cin, path)) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(kSeconds);
#ifndef TRACTION_SANITIZED  // sanitizers need larger shadow memory
      const rlimit limit{kBytes, kBytes};
      setrlimit(RLIMIT_AS, &limit);
#endif
      std::string message;
      const int code = outcome(path, scene_only, message);
      print(std::to_string(code), path, message);
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (WIFSIGNALED(status)) print(WTERMSIG(status) == SIGALRM ? "hang" : "signal " + std::to_string(WTERMSIG(status)), path, "");
    else if (WEXITSTATUS(status) != 0) print("exit " + std::to_string(WEXITSTATUS(status)), path, "");
  }
  return 0;
}
