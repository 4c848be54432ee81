#include "mesh/mesh_plan.h"

#include "support/box_mesh.h"
#include "unit/mesh/mesh_files.h"

namespace traction::test {
namespace {

using Use = SurfaceRequest::Use;

// A box of 1 m x 2 m x 3 m from `lower` on, with a region "open" of all of its sides but the top, every other triangle turned.
BodyMesh box(const std::string& name, const Vec3& lower, std::vector<SurfaceRequest> surfaces) {
  Mesh mesh = box_mesh("box", lower, lower + Vec3(1, 2, 3), {2, 2, 2});
  Region open{"open", 2, mesh.find_region("box.surface")->members};
  const std::vector<int> top = mesh.find_region("box.top")->members;
  std::erase_if(open.members, [&](int t) { return std::find(top.begin(), top.end(), t) != top.end(); });
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 2) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
  mesh.regions.push_back(open);
  return {name, mesh, std::move(surfaces)};
}

// The volume that a region encloses if it is closed and oriented outward, and its area.
std::pair<double, double> measures(const Mesh& mesh, const std::string& name) {
  double volume = 0, area = 0;
  for (int t : mesh.find_region(name)->members) {
    volume += area_vector(mesh, mesh.triangles[t]).dot(mesh.vertices[mesh.triangles[t][0]]) / 3;
    area += area_vector(mesh, mesh.triangles[t]).norm();
  }
  return {volume, area};
}

TEST(MeshPlan, AnswersEveryKindOfRequest) {
  MeshPlan plan;
  plan.bodies.push_back(box("first", {5, 5, 5}, {}));
  plan.bodies.push_back(box("second", {0, 0, 0},
                            {{Use::encloses, "box.surface", ""},
                             {Use::encloses_caps, "open", ""},
                             {Use::bounds, "box.solid", ""},
                             {Use::is_touched, "", ""},
                             {Use::is_touched, "open", ""},
                             {Use::touches, "box.top", ""}}));
  const Mesh all = assemble(plan);
  ASSERT_EQ(all.vertices.size(), 54u);
  EXPECT_EQ(all.find_region("second")->members.front(), 27);
  for (const std::string& name : {closed_region("box.surface"), closed_region("open"), closed_region("box.solid"), outward_region(""), listed_region("")}) {
    const auto [volume, area] = measures(all, "second." + name);
    EXPECT_NEAR(volume, 6, 1e-13) << name;
    EXPECT_NEAR(area, 22, 1e-13) << name;
  }
  const auto [volume, area] = measures(all, "second." + outward_region("open"));
  EXPECT_NEAR(volume, 6 - 3 * 2. / 3, 1e-13);  // less what lies between the top and the origin
  EXPECT_NEAR(area, 20, 1e-13);
  EXPECT_EQ(region_vertices(all, *all.find_region("second.box.top")).size(), 9u);
  EXPECT_EQ(all.find_region("first." + listed_region("")), nullptr);  // nothing asks for it
  EXPECT_TRUE(all.start_positions.empty());
}

TEST(MeshPlan, ShellsWithNothingBehindThemHaveTwoSides) {
  BodyMesh sheet = box("sheet", {0, 0, 0}, {{Use::is_touched, "box.surface", ""}});
  sheet.mesh.shells = sheet.mesh.find_region("box.surface")->members;
  BodyMesh skin = sheet;  // skin of a solid
  skin.name = "skin";
  sheet.mesh.tetrahedra.clear();
  std::erase_if(sheet.mesh.regions, [](const Region& region) { return region.dimension == 3; });
  const Mesh all = assemble({{sheet, skin}, {}, {}});
  EXPECT_NEAR(std::abs(measures(all, "sheet." + two_sided_region("box.surface")).first), 6, 1e-13);  // either way, but the same everywhere
  EXPECT_EQ(all.find_region("sheet." + outward_region("box.surface")), nullptr);
  EXPECT_NEAR(measures(all, "skin." + outward_region("box.surface")).first, 6, 1e-13);
}

TEST(MeshPlan, OverlapCountsWhereBodiesStart) {
  const auto plan = [](double depth, double start) {
    MeshPlan result;
    result.bodies.push_back(box("lower", {0, 0, 0}, {}));
    result.bodies.push_back(box("upper", {0.25, 0.5, 2.95}, {{Use::touches, "box.surface", ""}}));
    result.separations.push_back({"upper", "box.surface", "lower", false, depth, "scene.yaml:7"});
    if (start != 0) {
      Mesh& mesh = result.bodies[1].mesh;
      mesh.start_positions = mesh.vertices;
      for (Vec3& x : mesh.start_positions) x.z() += start;
      mesh.start_velocities.assign(mesh.vertices.size(), Vec3(0, 0, -1));
    }
    return result;
  };
  const std::string message = input_error([&] { assemble(plan(0.02, 0)); });
  EXPECT_EQ(message.find("scene.yaml:7: at the start upper reaches 0.05 m into lower at ("), 0u) << message;
  assemble(plan(0.1, 0));
  EXPECT_NE(input_error([&] { assemble(plan(0.1, -0.1)); }).find("reaches 0.15 m"), std::string::npos);
  const Mesh all = assemble(plan(0.02, 1));
  ASSERT_EQ(all.start_positions.size(), 54u);
  EXPECT_EQ(all.start_positions[3], all.vertices[3]);
  EXPECT_EQ(all.start_velocities[3], Vec3::Zero());
  EXPECT_NEAR(all.start_positions[30].z() - all.vertices[30].z(), 1, 1e-15);
  EXPECT_EQ(all.start_velocities[30].z(), -1);
}

TEST(MeshPlan, RequestsThatCannotBeMetAreRefused) {
  const auto message = [](const SurfaceRequest& request) { return input_error([&] { assemble({{box("body", {0, 0, 0}, {request})}, {}, {}}); }); };
  EXPECT_EQ(
      message({Use::touches, "botom", "scene.yaml:9"}),
      "scene.yaml:9: box has no region 'botom'; the nearest is 'box.bottom' (it has: box, box.solid, box.surface, box.<closed>surface, box.bottom, box.left, "
      "box.top, open, all, boundary)");
  EXPECT_EQ(message({Use::touches, "box.solid", "scene.yaml:9"}), "scene.yaml:9: region 'box.solid' of box is not a surface; contact acts on surfaces");
  EXPECT_NE(message({Use::encloses, "open", "scene.yaml:9"}).find("scene.yaml:9: box: the region 'open' isn't closed"), std::string::npos);
  EXPECT_NE(message({Use::encloses_caps, "box.surface", "scene.yaml:9"}).find("has no rim"), std::string::npos);
  EXPECT_NE(message({Use::bounds, "open", "scene.yaml:9"}).find("is not made of tetrahedra"), std::string::npos);
}

TEST(MeshPlan, OneSurfaceOfTwoNamesIsFilledOnce) {
  const auto message = [](Use first, const std::string& second_region, Use second) {
    BodyMesh body = box("body", {0, 0, 0}, {{first, "box.surface", "scene.yaml:8: volume.0"}, {second, second_region, "scene.yaml:9: volume.1"}});
    body.mesh.regions.push_back({"skin", 2, body.mesh.find_region("box.surface")->members});
    return input_error([&] { assemble({{body}, {}, {}}); });
  };
  EXPECT_EQ(
      message(Use::encloses, "skin", Use::encloses),
      "scene.yaml:9: volume.1: the regions 'box.surface' and 'skin' are the same closed surface, so that the pressure behind it would count twice; remove one");
  EXPECT_EQ(message(Use::encloses, "open", Use::encloses_caps), "no InputError");  // the caps are other triangles
  EXPECT_EQ(message(Use::encloses, "box.solid", Use::bounds), "no InputError");    // a solid that keeps its volume, in a gas
  EXPECT_EQ(message(Use::is_touched, "skin", Use::encloses), "no InputError");
}

}  // namespace
}  // namespace traction::test
