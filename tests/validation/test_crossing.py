"""postprocess/surface_crossing finds what crosses, and nothing else, in shapes made by hand; and check_crossing the same in runs."""

import math
import pathlib
import subprocess
import sys
import time
import unittest

import numpy

POSTPROCESS = pathlib.Path(__file__).resolve().parents[2] / "postprocess"
sys.path.insert(0, str(POSTPROCESS))

from surface_crossing import Prepared, Surface, cross, piercing_depths  # noqa: E402

from traction_runs import CUBE_TETRAHEDRA, CUBE_VERTICES, RunTest, boundary, gmsh_text  # noqa: E402

CUBE = numpy.array(CUBE_VERTICES, float)
CUBE_TRIANGLES = numpy.array(boundary(CUBE_TETRAHEDRA))
TETRAHEDRON = numpy.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
TETRAHEDRON_TRIANGLES = numpy.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
# On its tip.
SPIKE = numpy.array([(0, 0, 0), (-1, -1, 2), (1, -1, 2), (1, 1, 2), (-1, 1, 2)], float) * [0.25, 0.25, 0.5]
SPIKE_TRIANGLES = numpy.array([(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 1, 4), (1, 2, 3), (1, 3, 4)])


def crossing(points, triangles, others, other_triangles, tolerance=1e-9):
    return cross(Prepared(Surface("one", triangles), numpy.asarray(points, float)), Prepared(Surface("other", other_triangles), numpy.asarray(others, float)), tolerance)


def own_crossing(points, triangles):
    surface = Prepared(Surface("one", triangles), numpy.asarray(points, float))
    return cross(surface, surface)


def sheet(cells, height=lambda x, y: 0 * x):
    """A square of side 1 in `cells` by `cells` halved squares."""
    x, y = (grid.ravel() for grid in numpy.meshgrid(*2 * [numpy.linspace(0, 1, cells + 1)], indexing="ij"))
    corner = (numpy.arange(cells)[:, None] * (cells + 1) + numpy.arange(cells)).ravel()
    triangles = numpy.concatenate([numpy.stack([corner, corner + cells + 1, corner + cells + 2], axis=1), numpy.stack([corner, corner + cells + 2, corner + 1], axis=1)])
    return numpy.stack([x, y, height(x, y)], axis=1), triangles


def turned(points, axis, degrees):
    axis = numpy.array(axis, float) / numpy.linalg.norm(axis)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return points * c + numpy.cross(axis, points) * s + numpy.outer(points @ axis, axis) * (1 - c)


class Shapes(unittest.TestCase):
    def assert_crosses(self, found, depth=None, delta=1e-12):
        self.assertGreater(found.piercings, 0)
        self.assertGreater(found.depth, 0)
        if depth is not None:
            self.assertAlmostEqual(found.depth, depth, delta=delta)

    def assert_apart(self, found):
        self.assertEqual((found.depth, found.piercings, found.length), (0, 0, 0))

    def test_spike_in_a_face(self):
        # Over the middle of the cube's face its tip meets the face's diagonal exactly, elsewhere a triangle.
        for x, y in ((0.5, 0.5), (0.6, 0.5), (0.3, 0.35)):
            for depth in (1e-8, 1e-4, 0.05):
                self.assert_crosses(crossing(SPIKE + (x, y, 1 - depth), SPIKE_TRIANGLES, CUBE, CUBE_TRIANGLES), depth)
            for above in (0, 1e-12, 1e-8, 0.1):
                self.assert_apart(crossing(SPIKE + (x, y, 1 + above), SPIKE_TRIANGLES, CUBE, CUBE_TRIANGLES))

    def test_tolerance(self):
        found = [crossing(SPIKE + (0.6, 0.5, 1 - 1e-4), SPIKE_TRIANGLES, CUBE, CUBE_TRIANGLES, tolerance) for tolerance in (0.99e-4, 1.01e-4)]
        self.assert_crosses(found[0])
        self.assert_apart(found[1])

    def test_face_on_face(self):
        # Shifted, so that edges lie on faces and cross edges; and exactly on each other.
        for shift in ((0, 0), (0.3, 0.2), (0.5, 0), (0.25, 0.25)):
            self.assert_apart(crossing(CUBE + (*shift, 1), CUBE_TRIANGLES, CUBE, CUBE_TRIANGLES))
            self.assert_apart(crossing(CUBE + (*shift, 1.01), CUBE_TRIANGLES, CUBE, CUBE_TRIANGLES))
            if all(shift):
                self.assert_crosses(crossing(CUBE + (*shift, 0.99), CUBE_TRIANGLES, CUBE, CUBE_TRIANGLES), 0.01)

    def test_crossed_edges(self):
        # A cube on its edge along x over one on its edge along y: nothing but two edges meet.
        lower = turned(CUBE - 0.5, (0, 1, 0), 45) - (0, 0, math.sqrt(0.5))
        for shift in (0, 0.13):
            for depth in (1e-7, 1e-3, 0.05):
                upper = turned(CUBE - 0.5, (1, 0, 0), 45) + (shift, shift, math.sqrt(0.5) - depth)
                # The least of the ways out is along a face's normal: not more than the depth along z, and not less than half of it.
                found = crossing(upper, CUBE_TRIANGLES, lower, CUBE_TRIANGLES)
                self.assert_crosses(found)
                self.assertLessEqual(found.depth, depth * (1 + 1e-6))
                self.assertGreater(found.depth, 0.5 * depth)
            for above in (1e-12, 1e-7, 1e-3):
                self.assert_apart(crossing(turned(CUBE - 0.5, (1, 0, 0), 45) + (shift, shift, math.sqrt(0.5) + above), CUBE_TRIANGLES, lower, CUBE_TRIANGLES))

    def test_corner_on_corner(self):
        tip = TETRAHEDRON - (0, 0, 1)                   # its tip is the origin
        over = TETRAHEDRON * (-1, -1, -1) + (0, 0, 1)   # and that of this one, too
        self.assert_apart(crossing(over, TETRAHEDRON_TRIANGLES, tip, TETRAHEDRON_TRIANGLES))
        self.assert_apart(crossing(over + (0, 0, 1e-6), TETRAHEDRON_TRIANGLES, tip, TETRAHEDRON_TRIANGLES))
        self.assert_crosses(crossing(over - (-1e-3, -1e-3, 1e-2), TETRAHEDRON_TRIANGLES, tip, TETRAHEDRON_TRIANGLES))

    def test_sheets(self):
        for cells in (1, 4, 32):
            flat = sheet(cells)
            self.assert_apart(crossing(*flat, *flat))
            self.assert_apart(crossing(flat[0] + (0.21, 0.13, 0), flat[1], *flat))
            self.assert_apart(crossing(flat[0] + (0.21, 0.13, 1e-6), flat[1], *flat))
            upright = flat[0][:, [0, 2, 1]] + (0.0123, 0.456, 0)
            self.assert_apart(crossing(upright, flat[1], *flat))           # stands on it
            self.assert_crosses(crossing(upright - (0, 0, 1e-3), flat[1], *flat), 1e-3)

    def test_with_itself(self):
        # A strip rolled up into a spiral does not cross itself; one that winds inwards and then outwards does.
        flat = sheet(24)
        angle = 4 * math.pi * flat[0][:, 0]
        for pitch in (0.1, -0.06):
            radius = 1 + pitch * angle
            self.assert_apart(own_crossing(numpy.stack([radius * numpy.cos(angle), radius * numpy.sin(angle), flat[0][:, 1]], axis=1), flat[1]))
        radius = 1 + 0.1 * numpy.abs(angle - 2 * math.pi)
        points = numpy.stack([radius * numpy.cos(1.05 * angle), radius * numpy.sin(1.05 * angle), flat[0][:, 1]], axis=1)
        self.assert_crosses(own_crossing(points, flat[1]))
        self.assert_apart(own_crossing(CUBE, CUBE_TRIANGLES))

    def test_wholly_inside(self):
        inner = Prepared(Surface("one", CUBE_TRIANGLES, True), 0.2 * CUBE + (0.1, 0.4, 0.4))
        for closed in (True, False):
            outer = Prepared(Surface("other", CUBE_TRIANGLES, closed), CUBE)
            for pair in ((inner, outer), (outer, inner)):
                found = cross(*pair)
                if closed:
                    self.assertAlmostEqual(found.depth, 0.3, delta=1e-12)
                else:
                    self.assert_apart(found)
        # Inside of the box around a block with a pit, but in the pit; and on its wall.
        points = numpy.concatenate([CUBE, [(0.5, 0.5, 0.2)]])
        pit = [t for t in CUBE_TRIANGLES.tolist() if not all(points[t][:, 2] == 1)] + [(4, 5, 8), (5, 7, 8), (7, 6, 8), (6, 4, 8)]
        outer = Prepared(Surface("other", pit, True), points)
        for x, y, z, depth in ((0.45, 0.45, 0.6, 0), (0.45, 0.45, 0.01, None), (0.5, 0.5, 0.2, 0)):
            found = cross(Prepared(Surface("one", CUBE_TRIANGLES, True), 0.1 * CUBE * (1, 1, 1) + (x, y, z)) if depth is None or z > 0.2 else
                          Prepared(Surface("one", SPIKE_TRIANGLES, True), SPIKE * (0.4, 0.4, 0.4) + (x, y, z)), outer)
            self.assertEqual(found.depth > 0, depth is None)

    def test_against_counting(self):
        """Random segments and triangles against the sign of five determinants."""
        random = numpy.random.default_rng(5)
        points = random.normal(size=(5 * 4000, 3))
        triangles, rest = points[: 3 * 4000].reshape(-1, 3, 3), points[3 * 4000 :].reshape(-1, 2, 3)
        depth = piercing_depths(rest[:, 0], rest[:, 1], triangles, numpy.ones((4000, 3), bool))

        def side(a, b, c, d):
            return numpy.sign(numpy.linalg.det(numpy.stack([b - a, c - a, d - a], axis=1)))

        p, q, r = (triangles[:, i] for i in range(3))
        a, b = rest[:, 0], rest[:, 1]
        turns = side(a, b, p, q), side(a, b, q, r), side(a, b, r, p)
        expected = (side(p, q, r, a) != side(p, q, r, b)) & (turns[0] == turns[1]) & (turns[1] == turns[2])
        numpy.testing.assert_array_equal(depth > 0, expected)
        # Moved by its depth, and by a little more than that, in the best of many directions, a segment leaves its triangle; moved by less it never does.
        hits = numpy.flatnonzero(expected)[:200]
        directions = random.normal(size=(400, 3))
        directions /= numpy.linalg.norm(directions, axis=1, keepdims=True)
        for hit in hits:
            moved = rest[hit][None] + 0.999 * depth[hit] * directions[:, None]
            still = piercing_depths(moved[:, 0], moved[:, 1], numpy.repeat(triangles[hit][None], 400, axis=0), numpy.ones((400, 3), bool))
            self.assertTrue(numpy.all(still > 0))

    def test_a_hundred_thousand_triangles(self):
        begun = time.monotonic()
        waves = sheet(158, lambda x, y: 0.01 * numpy.sin(40 * x) * numpy.sin(30 * y))
        above = waves[0] + (0, 0, 1e-4)
        self.assert_apart(crossing(above, waves[1], *waves))
        above[(158 + 1) * 79 + 79, 2] -= 2e-4      # one vertex through
        found = crossing(above, waves[1], *waves)
        self.assert_crosses(found)
        self.assertLess(found.depth, 1e-4)
        print(f"\n  {2 * len(waves[1])} triangles twice in {time.monotonic() - begun:.1f} s", flush=True)


SCENE = """\
time: {step: 0.01, end: 0.1}
bodies:
  still:
    mesh: cube.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    fixed: [solid]
  moving:
    mesh: cube.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [0.3, 0.4, 1.5], velocity: [0, 0, -10]}
surfaces:
  floor: {plane: {point: [0, 0, 0.8], normal: [0, 0, 1]}}
  ball: {sphere: {center: [5, 5, 5], radius: 1}}
  block: {box: {lower: [0.2, 0.2, -3], upper: [0.5, 0.5, 0.7]}}
  lid: {mesh: {file: lid.obj}, motion: {velocity: [0, 0, -10]}}
output: {every: 0.01}
"""


class Runs(RunTest):
    def check(self, *options):
        done = subprocess.run([sys.executable, POSTPROCESS / "check_crossing", self.folder / "out", *options], capture_output=True, encoding="utf-8", check=False)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def test_bodies_and_obstacles(self):
        self.write("cube.msh", gmsh_text(CUBE_VERTICES, [(1, *t) for t in CUBE_TETRAHEDRA]))
        # It sinks ahead of the body, but moves with it.
        self.write("lid.obj", "v -1 -1 1.4\nv 2 -1 1.4\nv 2 2 1.4\nv -1 2 1.4\nf 1 2 3 4\n")
        self.simulate(SCENE)
        done = self.check("--csv", self.folder / "rows.csv", "--skip", "still,floor", "--skip", "still,block", "--skip", "still,lid")
        self.assertEqual(done.returncode, 1, done.stderr)
        header, *rows = [line.split(",") for line in (self.folder / "rows.csv").read_text().splitlines()]
        found = {}
        for row in rows:
            row = dict(zip(header, row))
            found.setdefault((row["surface"], row["other"]), {})[round(float(row["time"]), 6)] = float(row["depth"])
        self.assertEqual(set(found), {("still", "moving"), ("moving", "floor"), ("moving", "block")})
        # Its lower face is at 1.5 - 10 t: in the other body from 0.05 s on, below the floor from 0.07 s on, in the box after 0.08 s.
        for t, depth in found["still", "moving"].items():
            self.assertGreater(t, 0.055)
            self.assertAlmostEqual(depth, min(10 * t - 0.5, 1), delta=0.61)
        self.assertEqual(min(found["still", "moving"]), 0.06)
        self.assertAlmostEqual(found["still", "moving"][0.06], 0.1, delta=1e-6)
        for t, depth in found["moving", "floor"].items():
            self.assertAlmostEqual(depth, 10 * t - 0.7, delta=1e-6)
        self.assertEqual(len(found["moving", "floor"]), 3)
        self.assertEqual(sorted(found["moving", "block"]), [0.09, 0.1])

    def test_nothing(self):
        self.write("cube.msh", gmsh_text(CUBE_VERTICES, [(1, *t) for t in CUBE_TETRAHEDRA]))
        self.write("lid.obj", "v -1 -1 1.4\nv 2 -1 1.4\nv 2 2 1.4\nv -1 2 1.4\nf 1 2 3 4\n")
        self.simulate(SCENE, sets={"time.end": 0.04, "surfaces.floor.plane.point": "[0, 0, -0.1]", "surfaces.block.box.upper": "[0.5, 0.5, -0.1]"})
        done = self.check()
        self.assertEqual((done.returncode, done.stdout), (0, "nothing crosses in 5 frames\n"))

    def test_rods_alone_have_no_surface(self):
        self.write("points.txt", "0 0 0\n1 0 0\n2 0 0\n")
        self.simulate("time: {step: 0.01, end: 0.02}\nbodies: {rod: {mesh: points.txt, rod: {rod: {radius: 0.01, youngs_modulus: 1e7, density: 1000}}}}\n"
                      "surfaces: {floor: {plane: {point: [0, 0, 5]}}}\noutput: {every: 0.01}\n")
        done = self.check()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("nothing to check: no body has a surface", done.stdout)

    def test_an_open_obstacle_has_no_inside(self):
        # A funnel whose triangles are turned to the outside goes around the cube by more than half, and does not touch it.
        self.write("cube.msh", gmsh_text(CUBE_VERTICES, [(1, *t) for t in CUBE_TETRAHEDRA]))
        corners = [(x, y, z) for z in (-1, 3) for y in (-1, 2) for x in (-1, 2)]
        walls = "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "f 1 3 4 2\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\n"
        for lid, crosses in (("", 0), ("f 5 6 8 7\n", 1)):
            self.write("pot.obj", walls + lid)
            self.simulate("time: {step: 0.01, end: 0.01}\nbodies: {cube: {mesh: cube.msh, solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}}}\n"
                          "surfaces: {pot: {mesh: {file: pot.obj}}}\noutput: {every: 0.01}\n", out="out")
            self.assertEqual(self.check().returncode, crosses)

    def test_no_run(self):
        done = self.check()
        self.assertEqual(done.returncode, 2)
        self.assertIn("check_crossing: error", done.stderr)


if __name__ == "__main__":
    unittest.main()
