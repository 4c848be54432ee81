"""Bad shells end with exit code 2 and one line that names the place, on any rank count, before anything is computed."""

import unittest

from traction_runs import CUBE_TETRAHEDRA, CUBE_VERTICES, RefusalTest, box_text, execute, gmsh_text, line_of

SCENE = """\
time: {step: 1e-3, end: 2e-3}
bodies:
  tube:
    mesh: tube.msh
    shell:
      skin: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000, thickness: 1e-3}
    volume: {surface: skin, close_rims: true, gauge_pressure: 100}
surfaces:
  floor: {plane: {point: [0, 0, -0.5]}}
contacts:
  touch: {vertices: tube.skin, against: floor, thickness: 1e-2}
"""
NAMES = {1: (2, "skin"), 2: (2, "half"), 3: (2, "other"), 4: (1, "edge")}

# A square tube around the z axis, open at both ends, of side 1 and height 2.
RING = [(0, 0), (1, 0), (1, 1), (0, 1)]
VERTICES = [(x, y, z) for z in (0, 1, 2) for x, y in RING]
TRIANGLES = [triangle for j in range(2) for i in range(4)
             for a, b in [(4 * j + i, 4 * j + (i + 1) % 4)] for triangle in ((a, b, b + 4), (a, b + 4, a + 4))]
CAPS = [(0, 2, 1), (0, 3, 2), (8, 9, 10), (8, 10, 11)]


def mesh(vertices=None, triangles=None, half=(), other=()):
    groups = [(1, t) for t in triangles or TRIANGLES] + [(2, t) for t in half] + [(3, t) for t in other]
    return gmsh_text(vertices or VERTICES, [], [(region, *t) for region, t in groups], NAMES)


class BadShells(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("tube.msh", mesh())

    def refused(self, *expected, old=None, new="", place=None):
        """The scene with one part of it replaced. `place`: part of the line that is to be named, by default the replacement."""
        text = SCENE
        if old is not None:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.write("scene.yaml", text)
        for ranks in (1, 2):
            with self.subTest(ranks=ranks, expected=expected):
                self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], [f"scene.yaml:{line_of(text, place or new)}: ", *expected] if place or new else expected, ranks)

    def test_the_scene_is_good_without_mistakes(self):
        for ranks in (1, 2):
            history = self.simulate(self.write("scene.yaml", SCENE), ranks=ranks).history
            self.assertAlmostEqual(history["tube.volume"][0], 2, delta=1e-3)

    def test_three_triangles_at_an_edge(self):
        self.write("tube.msh", mesh([*VERTICES, (2, 2, 1)], [*TRIANGLES, (5, 6, 12)]))
        self.refused("bodies.tube.shell.skin", "tube.msh", "3 shell triangles, among them 4, 11 and 17, meet in the edge from (1, 0, 1) to (1, 1, 1)", "Remesh", place="skin: {youngs")

    def test_a_modulus_for_a_run_that_goes_on_may_be_of_bulk_or_surface(self):
        """Scenes that the program has written have the surface's numbers, whatever the user's had."""
        self.simulate(self.write("scene.yaml", SCENE))
        for key, value in (("youngs_modulus", 2e5), ("density", 500), ("thickness", 2e-3)):
            outcome = self.run_program("resume", None, sets={f"bodies.tube.shell.skin.{key}": value, "time.end": 3e-3})
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn(f"bodies.tube.shell.skin.{key}: is ambiguous. With a 'bending_stiffness'", outcome.error_lines()[0])
        self.resume(sets={"bodies.tube.shell.skin": "{youngs_modulus: 2e5, poisson_ratio: 0.3, density: 1000, thickness: 1e-3}", "time.end": 3e-3})

    def test_rim_that_does_not_close(self):
        # Another tube that touches the rim in a corner alone.
        second = [tuple(v + 11 if v else 0 for v in t) for t in TRIANGLES]
        self.write("tube.msh", mesh([*VERTICES, *((-x, -y, z) for x, y, z in VERTICES[1:])], TRIANGLES + second))
        self.refused("bodies.tube.volume", "tube.msh", "a rim of the region 'skin' does not close: 4 of its edges meet at (0, 0, 0), a corner of triangle ", "Remesh", place="volume:")

    def test_closed_surface_with_rims_to_close(self):
        self.write("tube.msh", mesh(triangles=TRIANGLES + CAPS))
        self.refused("bodies.tube.volume", "the region 'skin' has no rim; it is closed already", place="volume:")

    def test_open_surface_without_closing_it(self):
        self.refused("bodies.tube.volume", "'skin' isn't closed: the edge from (", "Add the faces", old="close_rims: true, ", place="volume:")

    def test_triangle_without_area(self):
        self.write("tube.msh", mesh([*VERTICES, (0.5, 0, 0)], [*TRIANGLES, (0, 12, 1)]))
        self.refused("tube.msh", "the triangle 17 with the vertices (0, 0, 0), (0.5, 0, 0), (1, 0, 0) is degenerate: its area is 0. Remesh there")

    def test_shell_region_that_is_not_a_surface(self):
        self.write("tube.msh", box_text((2, 2, 2), (1, 1, 1)))
        self.refused("bodies.tube.shell.solid", "region 'solid' of ", "not made of triangles", "a shell needs a surface region", old="skin: {you", new="solid: {you")

    def test_unknown_shell_region(self):
        self.refused("bodies.tube.shell.skim", "tube.msh has no region 'skim'; the nearest is 'skin' (it has: skin, all, boundary)", old="skin: {you", new="skim: {you")

    def test_overlapping_shell_regions(self):
        self.write("tube.msh", mesh(half=TRIANGLES[:3]))
        line = "      skin: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000, thickness: 1e-3}\n"
        self.refused("triangle 1 of ", "tube.msh is already in another region under shell; regions must not overlap", old=line, new="      half" + line[10:] + line, place="skin: {you")

    def test_vertices_of_no_element(self):
        self.write("tube.msh", mesh(triangles=TRIANGLES[:8], other=TRIANGLES[8:]))
        self.refused("bodies.tube.mesh", "belongs to no tetrahedron, no shell and no rod", "(0, 0, 2)", place="mesh: tube.msh")

    def test_materials(self):
        for poisson_ratio in ("0.6", "-1"):
            self.refused("bodies.tube.shell.skin.poisson_ratio", "must be above -1 and at most 0.5", poisson_ratio, old="poisson_ratio: 0.3", new=f"poisson_ratio: {poisson_ratio}")
        self.refused("bodies.tube.shell.skin.thickness", "greater than 0", old="thickness: 1e-3}", new="thickness: 0}")
        self.refused("bodies.tube.shell.skin.bending_stiffness", "-1", old="thickness: 1e-3}", new="bending_stiffness: -1}")
        self.refused("bodies.tube.shell.skin", "density", "is missing", "kg/m^3", old=" density: 1000,", place="skin: {you")
        self.refused("bodies.tube.shell.skin", "density", "is missing", "kg/m^2", old="density: 1000, thickness: 1e-3", new="bending_stiffness: 1e-3")

    def test_excluded_volume(self):
        self.refused("bodies.tube.volume", "the surface encloses 2 m^3, no more than the excluded volume of 2.5 m^3; lower excluded_volume", old="gauge_pressure: 100", new="excluded_volume: 2.5")

    def test_rims_of_a_zone(self):
        self.refused("bodies.tube.volume.close_rims", "goes with a surface", "remove one of the two", old="surface: skin", new="region: skin")
        self.refused("bodies.tube.volume", "region 'skin' of ", "not made of tetrahedra", old="surface: skin, close_rims: true", new="region: skin")

    def test_inflation(self):
        self.refused("bodies.tube.volume.inflation.1.time", "must be later than the time before it", old="gauge_pressure: 100", new="inflation: [{time: 1, factor: 1}, {time: 1, factor: 2}]")
        self.refused("bodies.tube.volume.inflation.0.factor", "greater than 0", old="gauge_pressure: 100", new="inflation: [{time: 0, factor: 0}]")

    def test_contact_with_a_shell_of_no_thickness(self):
        self.refused("contacts.touch", "the shell has no thickness", "give the contact a pressure or a stiffness", old="thickness: 1e-3}", new="bending_stiffness: 0}", place="touch:")

    def test_contact_with_a_surface_of_one_side(self):
        # Three quads whose ends are joined after half a turn.
        band = [(0, 2, 1), (1, 2, 3), (2, 4, 3), (3, 4, 5), (4, 1, 5), (5, 1, 0)]
        vertices = [(1, 0, 0), (1, 0, 1), (-0.5, 0.9, 0.3), (-0.5, 0.9, 1), (-0.5, -0.9, 0.4), (-0.4, -0.8, 1)]
        self.write("tube.msh", mesh(vertices, band))
        scene = SCENE.replace("    volume: {surface: skin, close_rims: true, gauge_pressure: 100}\n", "").replace("against: floor", "against: tube.skin, exclusion_ring: 1")
        self.write("scene.yaml", scene)
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], [f"scene.yaml:{line_of(scene, 'touch:')}: contacts.touch: ", "'skin' can't be oriented", "one side only"], ranks)

    def test_body_without_material(self):
        text = SCENE[: SCENE.index("    shell:")] + SCENE[SCENE.index("    volume:"):]
        self.write("scene.yaml", text)
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], ["scene.yaml:3: bodies.tube", "solid", "is missing", "under 'shell' each surface region that is one"], ranks)
        self.refused("bodies.tube.shell", "names no region", old="\n      skin: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000, thickness: 1e-3}", new=" {}", place="shell: {}")

    def test_a_fin_on_a_line_is_a_warning(self):
        """A fin of two squares on an edge of a cube, and the same with triangles on the face beside it."""
        vertices = [*CUBE_VERTICES, (2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 1)]
        fin = [(5, 8, 9), (5, 9, 7), (8, 10, 11), (8, 11, 9)]
        material = "youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000"
        scene = f"time: {{step: 1e-3, end: 1e-3}}\nbodies: {{b: {{mesh: b.msh, solid: {{solid: {{{material}}}}}, shell: {{skin: {{{material}, thickness: 1e-2}}}}}}}}\n"
        for triangles, warns in ((fin, True), ([*fin, (4, 5, 7)], False)):
            self.write("b.msh", gmsh_text(vertices, [(1, *t) for t in CUBE_TETRAHEDRA], [(2, *t) for t in triangles], {1: (3, "solid"), 2: (2, "skin")}))
            code, output, errors = execute(["traction", "check", self.write("scene.yaml", scene)], folder=self.folder)
            self.assertEqual(code, 0, errors)
            self.assertEqual("body 'b': a shell of it has vertices in common with its solids only along a line at (1, 0, 1)" in output + errors, warns, output + errors)


if __name__ == "__main__":
    unittest.main()
