#include "output/file_seal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "errors.h"
#include "parallel/collective.h"

namespace traction {

namespace {

// The contents of a file that its seal guarantees.
struct Contents {
  std::uint64_t bytes = 0;     // size of the whole file
  std::uint64_t checksum = 0;  // the checksum covers the part behind the seal
};

// Hashes a word and its place to 64 bits (the finaliser of Steele, Lea and Flood's SplitMix). The sum of these detects every change, including exchanged words,
// and does not depend on how the file is divided among ranks.
std::uint64_t scattered(std::uint64_t word, std::uint64_t place) {
  std::uint64_t x = word + 0x9e3779b97f4a7c15u * (place + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Words `first` to `end` behind the seal; the file's last one may be short.
std::uint64_t checksum_of_words(const std::string& path, std::uint64_t first, std::uint64_t end) {
  constexpr std::uint64_t kWordsAtOnce = 1 << 17;
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(kSealBytes + 8 * first));
  std::vector<std::uint64_t> words;
  std::uint64_t sum = 0;
  for (std::uint64_t place = first; place < end;) {
    words.assign(std::min(kWordsAtOnce, end - place), 0);
    file.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(8 * words.size()));
    if (file.gcount() == 0) throw FileError(path + ": cannot read: " + std::strerror(errno));
    for (const std::uint64_t word : words) sum += scattered(word, place++);
  }
  return sum;
}

Contents contents_of(MPI_Comm communicator, const std::string& path) {
  Contents contents;
  on_first_rank(communicator, [&] {
    std::error_code reason;
    contents.bytes = std::filesystem::file_size(path, reason);
    if (reason) throw FileError(path + ": " + reason.message());
    if (contents.bytes < kSealBytes) throw FileError(path + ": cut short");
  });
  MPI_Bcast(&contents.bytes, 1, MPI_UINT64_T, 0, communicator);  // other nodes may not know the file's new length yet
  int rank = 0, ranks = 1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  const std::uint64_t words = (contents.bytes - kSealBytes + 7) / 8;
  const auto first_of = [&](int r) { return words / ranks * r + std::min<std::uint64_t>(r, words % ranks); };
  on_all_ranks(communicator, [&] { contents.checksum = checksum_of_words(path, first_of(rank), first_of(rank + 1)); });
  MPI_Allreduce(MPI_IN_PLACE, &contents.checksum, 1, MPI_UINT64_T, MPI_SUM, communicator);
  return contents;
}

std::string seal_of(const Contents& contents, const std::string& kind) {
  std::string seal = fmt::format("{}\n{} bytes, checksum of those behind the first {}: {:016x}\n", kind, contents.bytes, kSealBytes, contents.checksum);
  seal.resize(kSealBytes, '\0');
  return seal;
}

}  // namespace

void seal_file(MPI_Comm communicator, const std::string& path, const std::string& kind) {
  const std::string seal = seal_of(contents_of(communicator, path), kind);
  on_first_rank(communicator, [&] {
    const int file = open(path.c_str(), O_WRONLY);
    const bool written = file >= 0 && pwrite(file, seal.data(), seal.size(), 0) == kSealBytes;
    const std::string reason = std::strerror(errno);
    if (file >= 0) close(file);
    if (!written) throw FileError(path + ": cannot write: " + reason);
  });
  on_all_ranks(communicator, [&] { flush_to_disk(path); });  // each rank's node may hold a part in memory
}

std::optional<std::string> seal_fault(MPI_Comm communicator, const std::string& path, const std::string& kind) {
  try {
    std::string found(kSealBytes, '\0');
    on_first_rank(communicator, [&] {
      std::ifstream file(path, std::ios::binary);
      if (!file) throw FileError(path + ": " + std::strerror(errno));
      file.read(found.data(), kSealBytes);
      if (!found.starts_with(kind + "\n")) throw FileError(path + ": does not begin with '" + kind + "'");
    });
    broadcast(communicator, found);
    if (found != seal_of(contents_of(communicator, path), kind)) return path + ": truncated or altered; its checksum does not match";
  } catch (const FileError& error) {
    return error.what();
  }
  return std::nullopt;
}

std::string seal_kind(const std::string& path) {
  std::string kind;
  std::ifstream file(path, std::ios::binary);
  std::getline(file, kind);
  return kind.size() < kSealBytes ? kind : std::string();
}

void flush_to_disk(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY);
  bool flushed = false;
  do flushed = file >= 0 && (fsync(file) == 0 || errno == EINVAL);  // EINVAL: the file system needs no flushing
  while (!flushed && file >= 0 && errno == EINTR);
  const std::string reason = std::strerror(errno);
  if (file >= 0) close(file);
  if (!flushed) throw FileError(path + ": cannot flush to the disk: " + reason);
}

}  // namespace traction
