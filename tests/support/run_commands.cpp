// Runs command after command of `traction` on the ranks of one MPI job, because a start of the whole program takes longer than most of what tests ask of it.
//
//   mpirun -n 2 run_commands
//
// Each line of rank 0's standard input is a folder to work in, a file for what all ranks print on stdout, one for stderr, and the words of the command, each
// followed by the character 31. A line of rank 0's standard output answers it: the exit code, or "ranks disagree".

#include <mpi.h>
#include <petscsys.h>
#include <unistd.h>

#include <fcntl.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "app/commands.h"
#include "app/session.h"

namespace {

using namespace traction;

constexpr char kSeparator = 31;
constexpr int kTag = 1;

int rank_of_this() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank;
}

// The next line of rank 0's input on every rank, or nothing at its end. Other ranks sleep meanwhile: MPI's own waiting would keep their cores busy.
bool next_line(std::string& line) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (rank_of_this() == 0) {
    if (!std::getline(std::cin, line)) line.clear();
    for (int other = 1; other < ranks; ++other) MPI_Send(line.data(), static_cast<int>(line.size()), MPI_CHAR, other, kTag, PETSC_COMM_WORLD);
    return !line.empty();
  }
  MPI_Status status;
  constexpr std::chrono::microseconds kLongest{20000};
  std::chrono::microseconds pause{100};
  for (int has_come = 0; !has_come;) {
    MPI_Iprobe(0, kTag, PETSC_COMM_WORLD, &has_come, &status);
    if (has_come) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongest);
  }
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  line.resize(static_cast<std::size_t>(size));
  MPI_Recv(line.data(), size, MPI_CHAR, 0, kTag, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
  return !line.empty();
}

// While it lives, what is written to a file descriptor goes to the end of a file.
class Redirection {
 public:
  Redirection(int descriptor, const std::string& file) : descriptor_(descriptor), before_(dup(descriptor)) {
    const int opened = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT, 0666);
    dup2(opened, descriptor_);
    close(opened);
  }
  ~Redirection() {
    dup2(before_, descriptor_);
    close(before_);
  }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;

 private:
  int descriptor_, before_;
};

int run_line(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream parts(line);
  for (std::string word; std::getline(parts, word, kSeparator);) words.push_back(word);
  std::filesystem::current_path(words.at(0));
  const Redirection output(STDOUT_FILENO, words.at(1)), errors(STDERR_FILENO, words.at(2));
  std::vector<char*> pointers;
  for (std::size_t i = 3; i < words.size(); ++i) pointers.push_back(words[i].data());
  const Arguments arguments = split_arguments(static_cast<int>(pointers.size()), pointers.data());
  const int code = exit_code_of([&] { return run_command(arguments); });
  std::cout.flush();
  std::fflush(nullptr);
  PetscOptionsClear(nullptr);  // what the scene has set
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  return run_session(split_arguments(argc, argv), [] {
    for (std::string line; next_line(line);) {
      const int code = run_line(line);
      int least = code, largest = code;
      MPI_Allreduce(&code, &least, 1, MPI_INT, MPI_MIN, PETSC_COMM_WORLD);
      MPI_Allreduce(&code, &largest, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
      if (rank_of_this() == 0) std::cout << (least == largest ? std::to_string(code) : "ranks disagree") << std::endl;
    }
    return 0;
  });
}
