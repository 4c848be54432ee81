#include "output/folder_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "errors.h"

namespace traction {
namespace {

class FolderLocks : public testing::Test {
 protected:
  FolderLocks() { std::filesystem::create_directories(folder_); }
  ~FolderLocks() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = testing::TempDir() + "traction_folder_lock_test_" + std::to_string(getpid());
};

TEST_F(FolderLocks, ASecondLockIsRefusedAndNamesTheProcess) {
  const FolderLock lock(folder_);
  try {
    const FolderLock second(folder_);
    FAIL() << "two locks";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("process " + std::to_string(getpid()) + " on "), std::string::npos) << error.what();
  }
}

TEST_F(FolderLocks, AFileThatADeadProcessHasLeftBarsNobody) {
  std::ofstream(folder_ + "/run.lock") << "process 1 on elsewhere\n";
  EXPECT_NO_THROW(FolderLock{folder_});
}

TEST_F(FolderLocks, NothingIsLeft) {
  for (int i = 0; i < 3; ++i) const FolderLock lock(folder_);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace traction
