// Which .geo files may do more than make a mesh.

#include "mesh/geo_commands.h"

#include <gtest/gtest.h>

#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

// What is found in a file with this text; empty if nothing.
std::string command_in(const std::string& text) {
  const TemporaryFolder folder;
  const auto found = find_geo_command(folder.write("part.geo", text));
  return found ? std::to_string(found->line) + ": " + found->what : std::string();
}

TEST(GeoCommands, ScriptsThatMakeAMeshAreAccepted) {
  EXPECT_EQ(command_in(R"(SetFactory("OpenCASCADE");
DefineConstant[ size = {0.5, Name "Parameters/size"} ];
General.Terminal = 1;
Mesh.SaveAll = 0; Mesh.MshFileVersion = 2.2;
Macro Corner // one end
  Point(newp) = {x, 0, 0};
Return
For i In {1:3}
  If (i > 2)
    Call Corner;
  EndIf
EndFor
Printf("size %g > %g", size, Max(i, 2));
Field[1] = MathEval; Field[1].F = Sprintf("%g", size);
Merge "bracket.step";
)"),
            "");
}

TEST(GeoCommands, CommandsAreFoundWhereverTheyStand) {
  for (const char* const command : {"SystemCall \"x\";", "System \"x\";", "NonBlockingSystemCall \"x\";", "OnelabRun(\"x\");", "Field[1] = ExternalProcess;",
                                    "Save \"x.msh\";", "Save View[0] \"x\";", "Print \"x.png\";", "CreateDir \"x\";", "Plugin(Curl).Run;",
                                    "General.OptionsFileName = \"x\";", "General.SaveSession = 1;", "General\n.SaveSession = 1;", "Solver.Executable0 = \"x\";",
                                    "StringToName[\"x\"] = 1;", "Printf(\"x\") > \"file\";", "Printf(\"x\") >> \"file\";", "Printf(\"%g\", 1)\n> \"file\";"}) {
    EXPECT_EQ(command_in(std::string("a = 1;\n") + command).substr(0, 3), "2: ") << command;
    EXPECT_NE(command_in(std::string("/* EndIf ") + command + " */"), "") << command;
    EXPECT_NE(command_in(std::string("x = \"EndIf") + command), "") << command;
  }
}

TEST(GeoCommands, WhatCannotBeReadAsTextIsRefused) {
  EXPECT_NE(command_in("\x1f\x8b\x08"), "");
  EXPECT_NE(command_in("a = 1;\rb = 2;"), "");
  EXPECT_EQ(command_in("a = 1;\r\nb = 2;\r\n"), "");
  EXPECT_NE(command_in(std::string(5000, ' ')), "");
  EXPECT_NE(command_in("Printf(\"" + std::string(1100, 'x') + "\");"), "");  // Gmsh ends the string before its end
}

TEST(GeoCommands, FilesThatAreReadAreSearchedToo) {
  const TemporaryFolder folder;
  const std::string part = folder.write("part.geo", "Include \"sizes.txt\";\nMerge \"bracket.step\"; MergeWithBoundingBox 'other.geo';\n");
  folder.write("other.geo", "Include \"part.geo\";\n");
  folder.write("bracket.step", "Save \"a text that Gmsh does not read as a script\";");
  EXPECT_FALSE(find_geo_command(part));
  for (const char* const name : {"sizes.txt", "other.geo", "part.geo.opt", "bracket.step.opt", "other.geo.opt"}) {
    const std::string file = folder.path(name), before = std::string(name) == "other.geo" ? "Include \"part.geo\";\n" : "";
    folder.write(name, "size = 1;\nPrint \"x.png\";");
    const auto found = find_geo_command(part);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->file, file);
    EXPECT_EQ(found->line, 2);
    folder.write(name, before);
  }
  EXPECT_FALSE(find_geo_command(part));
}

TEST(GeoCommands, FilesAreReadByAPlainNameAlone) {
  for (const char* const command : {"Include Str(\"x\", \"y\");", "Include name;", "Merge \"x.msh\";", "Merge \"x.py\";", "Merge \"x.STL\";", "Include\n\"x\";",
                                    "Include \"c:/x\";", "Merge \"\\x.geo\";", "Merge \"x.step\"\n", "Merge /* x.step */ \"x.msh\";"})
    EXPECT_NE(command_in(command), "") << command;
}

}  // namespace
}  // namespace traction::test
