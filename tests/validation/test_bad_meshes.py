"""Meshes of the wrong kind or unit are refused with what the file is, and how to get the right one."""

import unittest

from bad_scene import NAMES, SCENE, BadSceneTest, mesh
from edge_shapes import sheet
from traction_runs import CUBE_TETRAHEDRA, CUBE_VERTICES, boundary, gmsh_text

PLANE = "plane: {point: [0, 0, -0.5]}"


class BadMeshes(BadSceneTest):
    def test_a_surface_as_a_body(self):
        for name, more in (("part.stl", ()), ("part.obj", ("convert an .obj to it first",))):
            self.refused("cube.msh", name, "bodies.cube.mesh", f"'{name}' has triangles alone, and a body needs tetrahedra",
                         f'Merge "{name}"; Surface Loop(1) = {{Surface{{:}}}}; Volume(1) = {{1}}; Physical Volume("solid") = {{1}};', *more)

    def test_a_geometry_as_an_obstacle(self):
        for name in ("ramp.geo", "ramp.step"):
            self.write(name, "Point(1) = {0, 0, 0};\n")
            self.refused(PLANE, f"mesh: {{file: {name}}}", "surfaces.floor", f"{name}: is a geometry without triangles, which obstacles need; make them with: gmsh -2 ", f"{name} -o ", "ramp.stl, and give that file")

    def test_a_solid_without_tetrahedra(self):
        skin = [(2, *t) for t in boundary(CUBE_TETRAHEDRA)]
        self.write("cube.msh", gmsh_text(CUBE_VERTICES, [], skin, NAMES))
        scene = SCENE.replace("cube.bottom", "cube.skin").replace("    volume: {surface: skin}\n", "")
        for region in ("inside", "skin"):
            text = scene.replace("inside:", f"{region}:")
            self.refused(None, None, f"bodies.cube.solid.{region}", "has no tetrahedra, which a solid needs; mesh and name the volume", f'Physical Volume("{region}") = {{1}}', "or give a shell", scene=text)

    def test_regions_with_the_name_of_their_body(self):
        fixed = SCENE.replace("    volume: {surface: skin}", "    fixed: [cube.bottom]")
        self.refused("fixed: [cube.bottom]", "fixed: [cube.bottom]", "has no region 'cube.bottom'; give 'bottom', without the body's name", scene=fixed)

    def test_regions_that_are_empty(self):
        """Gmsh writes the names of physical groups without elements, too."""
        fixed = SCENE.replace("    volume: {surface: skin}", "    fixed: [another]")
        self.refused("fixed: [another]", "fixed: [another]", "region 'another' of ", "cube.msh is empty: the file names it, but none of the body's elements belongs to it", "physical group", scene=fixed)
        self.refused("fixed: [another]", "fixed: [anothr]", "cube.msh has no region 'anothr'", scene=fixed)
        rod = SCENE[:SCENE.index("    solid:")] + "    rod: {another: {youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1000, radius: 1e-3}}\n"
        self.refused(None, None, "the region 'another' is empty, and a rod needs a curve with segments", 'Physical Curve("another")', scene=rod)

    def test_obstacles_and_bodies_of_other_units(self):
        """The cube is 1 m long; an obstacle crosses it that is as large, or 1000 times as large, and it is the obstacle then that lacks a scale."""
        hint = "'floor' is 1000 m long: if its mesh is in millimetres, give it scale: 1e-3 ('cube' is 1 m long)"
        for size, expected in ((3, False), (1000, True)):
            self.write("floor.obj", sheet((size, size), (2, 2)).moved((0, 0, 0.3)).obj())
            self.write("scene.yaml", SCENE.replace(PLANE, "mesh: {file: floor.obj}").replace("cube.bottom", "cube"))
            outcome = self.run_program("run", self.folder / "scene.yaml")
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn("at the start cube crosses floor", outcome.errors)
            self.assertEqual(hint in outcome.errors, expected, outcome.errors)
            self.assertEqual("millimetres" in outcome.errors, expected, outcome.errors)
            self.assertNotRegex(outcome.errors, r"[0-9]e-[12][0-9]")   # positions without rounding errors
        self.write("cube.msh", mesh(vertices=[(1000 * x, 1000 * y, 1000 * z) for x, y, z in CUBE_VERTICES]))
        self.write("floor.obj", sheet((3, 3), (2, 2)).moved((400, 400, 300)).obj())
        self.refused(None, None, "at the start floor lies in cube", "'cube' is 1000 m long: if its mesh is in millimetres, give it scale: 1e-3 ('floor' is 3 m long)",
                     scene=SCENE.replace(PLANE, "mesh: {file: floor.obj}").replace("cube.bottom", "cube"))

    def test_all_surfaces_name_the_obstacle(self):
        """A sheet of 1 m thickness, where mm are meant, that starts 0.3 m above one of two planes."""
        self.write("sheet.msh", gmsh_text([(0, 0, 0), (0.2, 0, 0), (0, 0.2, 0), (0.2, 0.2, 0)], [], [(2, 0, 1, 2), (2, 1, 3, 2)], NAMES))
        scene = SCENE[:SCENE.index("    solid:")].replace("cube.msh", "sheet.msh") + """\
    shell: {skin: {youngs_modulus: 1e6, poisson_ratio: 0.4, density: 1000, thickness: 1}}
surfaces:
  wall: {plane: {point: [-5, 0, 0], normal: [1, 0, 0]}}
  floor: {plane: {point: [0, 0, -0.3]}}
contacts:
  touch: {all: true, thickness: 1e-2}
"""
        self.refused(None, None, "contacts.touch", "'cube' and 'floor' touch", "the shell of 'cube' is 1 m thick, and the body 0.2 m long: thicknesses are in metres", scene=scene)


if __name__ == "__main__":
    unittest.main()
