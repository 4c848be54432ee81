#include "output/undo_file.h"

#include <mpi.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "errors.h"
#include "output/file_seal.h"

namespace traction {

namespace {

namespace fs = std::filesystem;

const std::string kUndoKind = "traction undo 1";

void require_with_reason(bool success, const std::string& message) {
  if (!success) throw FileError(message + ": " + std::strerror(errno));
}

void flush_folder_of(const std::string& path) { flush_to_disk(fs::absolute(path).parent_path().string()); }

std::vector<char> read_range(std::ifstream& file, const ByteRange& range) {
  std::vector<char> bytes(range.end - range.first);
  file.seekg(static_cast<std::streamoff>(range.first));
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

}  // namespace

std::string undo_path(const std::string& path) { return path + ".undo"; }

// Behind the seal: the file's length, the number of ranges, and for each of these its first byte, its end and its bytes.
void save_for_undo(const std::string& path, const std::vector<ByteRange>& ranges) {
  const std::string temporary = undo_path(path) + ".part";
  try {
    std::ifstream file(path, std::ios::binary);
    std::ofstream undo(temporary, std::ios::binary | std::ios::trunc);
    undo << std::string(kSealBytes, '\0');
    const auto write = [&](std::uint64_t number) { undo.write(reinterpret_cast<const char*>(&number), sizeof(number)); };
    write(fs::file_size(path));
    write(ranges.size());
    for (const ByteRange& range : ranges) {
      const std::vector<char> bytes = read_range(file, range);
      write(range.first);
      write(range.end);
      undo.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    require_with_reason(static_cast<bool>(file), path + ": cannot read");
    undo.close();
    require_with_reason(static_cast<bool>(undo), temporary + ": cannot write");
    seal_file(MPI_COMM_SELF, temporary, kUndoKind);
    fs::rename(temporary, undo_path(path));
    flush_folder_of(path);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

void forget_undo(const std::string& path) {
  flush_to_disk(path);
  fs::remove(undo_path(path));
  flush_folder_of(path);  // otherwise the removed file may reappear after a crash of the machine
}

bool undo_change(const std::string& path) {
  const std::string saved = undo_path(path);
  if (!fs::exists(saved)) return false;
  if (const auto fault = seal_fault(MPI_COMM_SELF, saved, kUndoKind))
    throw FileError(*fault + "; it is needed to restore " + path + "; restore both from a copy, or run the scene from its start");
  {
    std::ifstream undo(saved, std::ios::binary);
    undo.seekg(kSealBytes);
    const auto read = [&] {
      std::uint64_t number = 0;
      undo.read(reinterpret_cast<char*>(&number), sizeof(number));
      return number;
    };
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    const std::uint64_t length = read();
    for (std::uint64_t left = read(); left > 0 && undo; --left) {
      ByteRange range;
      range.first = read();
      range.end = read();
      if (range.end < range.first || range.end > length) throw FileError(saved + ": holds no ranges of " + path);
      std::vector<char> bytes(range.end - range.first);
      undo.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      file.seekp(static_cast<std::streamoff>(range.first));
      file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    file.close();
    require_with_reason(file && undo, path + ": cannot be restored from " + saved);
    fs::resize_file(path, length);
  }
  forget_undo(path);
  return true;
}

}  // namespace traction
