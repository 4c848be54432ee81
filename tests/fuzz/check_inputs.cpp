// Does the work of `traction check` for many scenes, each in its own process forked from this one, because starting the whole program takes a hundred times as
// long. With --scene-only one process reads scene after scene, and another continues if it dies: forking takes longer than reading.
//
//   check_inputs [--scene-only] < LIST      (one path of a scene per line)
//
// Prints a line for each scene: exit code, path, message, separated by tabs. The code is that of the program, or "signal N", or "hang" when it took longer than
// 20 s. --scene-only reads the scene and none of the files that it names; the message of a good one is then the scene with every default, as JSON.

#include <sys/mman.h>
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
#include <vector>

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
  std::vector<std::string> paths;
  for (std::string path; std::getline(std::cin, path);) paths.push_back(path);
  // How many scenes have an answer, written by the child, which may die at any of them.
  void* shared = mmap(nullptr, sizeof(std::size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  volatile std::size_t& answered = *static_cast<std::size_t*>(shared);
  while (answered < paths.size()) {
    const std::size_t first = answered, end = scene_only ? paths.size() : first + 1;
    const pid_t child = fork();
    if (child == 0) {
#ifndef TRACTION_SANITIZED  // sanitizers need larger shadow memory
      const rlimit limit{kBytes, kBytes};
      setrlimit(RLIMIT_AS, &limit);
#endif
      for (std::size_t i = first; i < end; ++i) {
        alarm(kSeconds);
        std::string message;
        const int code = outcome(paths[i], scene_only, message);
        print(std::to_string(code), paths[i], message);
        answered = i + 1;
      }
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (status == 0) continue;
    const std::string& path = paths[answered];
    if (WIFSIGNALED(status)) print(WTERMSIG(status) == SIGALRM ? "hang" : "signal " + std::to_string(WTERMSIG(status)), path, "");
    else print("exit " + std::to_string(WEXITSTATUS(status)), path, "");
    answered = answered + 1;
  }
  return 0;
}
