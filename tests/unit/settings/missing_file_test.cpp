// Remedies for files that are missing.

#include "settings/missing_file.h"

#include <gtest/gtest.h>

#include "unit/mesh/mesh_files.h"

namespace traction {
namespace {

TEST(MissingFile, TheRemedyIsWhatTheFolderShows) {
  const test::TemporaryFolder folder;
  folder.write("block.geo", "");
  folder.write("wheel.msh", "");
  EXPECT_EQ(remedy_for_missing_file(folder.path("Block.geo")), "the nearest name in its folder is 'block.geo'");
  EXPECT_EQ(remedy_for_missing_file(folder.path("whel.msh")), "the nearest name in its folder is 'wheel.msh'");
  EXPECT_EQ(remedy_for_missing_file(folder.path("tire.vtu")), "check its name, which is relative to the scene's folder");
  EXPECT_EQ(remedy_for_missing_file(folder.path("tire.vtu"), "the present folder"), "check its name, which is relative to the present folder");
  EXPECT_EQ(remedy_for_missing_file(folder.path("meshes/block.geo")),
            "there is no folder '" + folder.path("meshes") + "', either; names are relative to the scene's folder");
  EXPECT_EQ(remedy_for_missing_file("meshes\\block.geo"), "separate the names of folders with '/'");
  EXPECT_EQ(remedy_for_missing_file(std::string(5000, 'a')), "check its name, which is relative to the scene's folder");
}

}  // namespace
}  // namespace traction
