"""A clamp whose jaw is struck by a block and closes: the body's contact with itself keeps the jaws apart, and momentum is only passed on."""

import json
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import point_arrays, read_frame
from traction_runs import ShortRunTest, box_text

CELL = 0.02                      # edge of the cells the bodies are made of [m]
CLAMP, STRIKER = (7, 2, 5), (3, 2, 2)
SLIT = 2                         # layer of the clamp's cells that is empty but for one at the back
DENSITY, THICKNESS, SPEED = 1000, 4e-3, 1.5
START = 0.015                    # distance of the block from the upper jaw [m]
STEP, STEPS = 1e-3, 45

SCENE = f"""\
time: {{step: {STEP}, end: {STEP * STEPS}}}
bodies:
  clamp:
    mesh: clamp.msh
    solid: {{solid: {{youngs_modulus: 1e5, poisson_ratio: 0.4, density: {DENSITY}}}}}
  striker:
    mesh: striker.msh
    solid: {{solid: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: {DENSITY}}}}}
    initial: {{translate: [{CELL * (CLAMP[0] - STRIKER[0])}, 0, {CELL * CLAMP[2] + START}], velocity: [0.3, 0, -{SPEED}]}}
contacts:
  jaws: {{vertices: clamp.surface, against: clamp.surface, exclusion_ring: 2, thickness: {THICKNESS}, friction: {{dynamic: 0.3, tolerance: 1e-2}}}}
  blow: {{both: [striker.bottom, clamp.surface], geometry: smooth_surface, thickness: {THICKNESS}, friction: {{dynamic: 0.3, tolerance: 1e-2}}}}
solver: {{tolerance: 1e-12}}
output: {{every: 1e-3}}
"""


def mass(cells, empty=0):
    return DENSITY * (cells[0] * cells[1] * cells[2] - empty) * CELL**3


class SelfContact(ShortRunTest):
    def setUp(self):
        super().setUp()
        size = [tuple(CELL * n for n in cells) for cells in (CLAMP, STRIKER)]
        self.write("clamp.msh", box_text(CLAMP, size[0], keep=lambda i, j, k: k != SLIT or i == 0))
        self.write("striker.msh", box_text(STRIKER, size[1]))

    def slit_widths(self, out):
        """Per frame, the distances between vertices of the two jaws that lie opposite each other at the start [m]."""
        directory = self.folder / out
        pairs, widths = None, []
        for entry in json.loads((directory / "fields.hdf.series").read_text())["files"]:
            grid = read_frame(directory / entry["name"])
            points = vtk_to_numpy(grid.GetPoints().GetData()).reshape(-1, 3)
            order = point_arrays(grid)["vertex_id"][:, 0].argsort(kind="stable")
            points = points[order][numpy.unique(numpy.sort(point_arrays(grid)["vertex_id"][:, 0]), return_index=True)[1]]
            if pairs is None:
                place = {tuple(numpy.rint(x / CELL).astype(int)): v for v, x in enumerate(points) if x[2] < CELL * CLAMP[2] + START / 2}
                pairs = [(place[i, j, SLIT], place[i, j, SLIT + 1]) for i in range(2, CLAMP[0] + 1) for j in range(CLAMP[1] + 1)]
            lower, upper = (points[[pair[side] for pair in pairs]] for side in (0, 1))
            widths.append((upper - lower)[:, 2])
        return numpy.array(widths)

    def test_jaws_close_and_do_not_pass_through_each_other(self):
        outcome = self.simulate(SCENE, timeout=300)
        history = outcome.history
        closed = history["jaws.contacts"] > 0
        struck = history["blow.contacts"] > 0
        # Nothing until the blow: the exclusion ring leaves out what is near because it is connected.
        before = numpy.arange(STEPS) < numpy.argmax(struck)
        self.assertGreater(numpy.count_nonzero(before), 4)
        self.assertFalse(numpy.any(closed & before))
        for name in ("clamp.vx", "clamp.vy", "clamp.vz"):
            self.assertLess(numpy.max(numpy.abs(history[name][before])), 1e-12)   # [m/s], rounding
        self.assertEqual(numpy.max(history["contact_energy"][before]), 0)

        # It closes, and opens again.
        self.assertGreater(numpy.max(history["jaws.contacts"]), 5)
        widths = self.slit_widths("out")
        print(f"\n  slit: {widths.min():.2e} m at the narrowest, in a corner, {widths[:, 1::CLAMP[1] + 1].min():.2e} m in the middle, {CELL} m at the start; {numpy.count_nonzero(closed)} steps in contact, "
              f"{int(numpy.max(history['jaws.contacts']))} vertices at most", flush=True)
        self.assertAlmostEqual(widths[0].min(), CELL, delta=1e-12)
        self.assertLess(widths.min(), THICKNESS)
        self.assertGreater(numpy.min(history["min_gap"]), 0)
        middle = widths[:, 1::CLAMP[1] + 1]   # away from the jaws' sides
        self.assertGreater(middle.min(), 0.1 * THICKNESS)
        # The surface is round where the mesh has sharp edges, and corners have the area of one side: the tips' corners may overlap by part of the thickness.
        self.assertGreater(widths.min(), -0.5 * THICKNESS)

        # Momentum.
        masses = {"clamp": mass(CLAMP, empty=(CLAMP[0] - 1) * CLAMP[1]), "striker": mass(STRIKER)}
        start = masses["striker"] * numpy.array((0.3, 0, -SPEED))
        drift = 0
        for axis, expected in zip("xyz", start):
            total = sum(masses[body] * history[f"{body}.v{axis}"] for body in masses)
            drift = max(drift, numpy.max(numpy.abs(total - expected)))
        print(f"  momentum: off by {drift:.1e} kg m/s of {numpy.linalg.norm(start):.3g}", flush=True)
        self.assertLess(drift, 1e-10)
        self.assertGreater(abs(history["clamp.vz"][-1]), 0.1)

    def test_a_region_may_touch_its_own_body(self):
        # The same triangles twice, or some of them, do not cross themselves; the jaws stay apart, and momentum along z is that of the striker.
        scene = SCENE.replace("exclusion_ring: 2, ", "").replace("geometry: smooth_surface, ", "")
        masses = {"clamp": mass(CLAMP, empty=(CLAMP[0] - 1) * CLAMP[1]), "striker": mass(STRIKER)}
        for against in ("clamp", "clamp.bottom"):
            history = self.simulate(scene.replace("against: clamp.surface", f"against: {against}"), timeout=300, out=against).history
            total = sum(masses[body] * history[f"{body}.vz"] for body in masses)
            self.assertLess(numpy.max(numpy.abs(total + SPEED * masses["striker"])), 1e-10)
        self.assertGreater(numpy.min(self.slit_widths("clamp")), 0)

    def test_ranks_agree(self):
        rows = [self.simulate(SCENE, ranks=ranks, out=f"ranks_{ranks}", timeout=300).history for ranks in (1, 2, 4)]
        for history in rows[1:]:
            for name in ("clamp.x", "clamp.z", "clamp.vx", "clamp.vz", "striker.x", "striker.z", "striker.vx", "striker.vz", "elastic_energy", "contact_energy"):
                scale = numpy.max(numpy.abs(rows[0][name]))
                self.assertLess(numpy.max(numpy.abs(history[name] - rows[0][name])), 1e-8 * scale, name)
            self.assertTrue(numpy.array_equal(history["jaws.contacts"], rows[0]["jaws.contacts"]))


PIECE = (2, 2, 2)                # cells of each of two blocks, one above the other
ROOM = 1.02 * THICKNESS          # between them
FLOOR = "surfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}"
SOLID = f"solid: {{solid: {{youngs_modulus: 1e5, poisson_ratio: 0.3, density: {DENSITY}}}}}"


def blocks(bodies):
    return f"""\
gravity: [0, 0, -9.81]
time: {{step: 2e-3, end: 0.3}}
bodies: {{{bodies}}}
{FLOOR}
contacts: {{touch: {{all: true, thickness: {THICKNESS}, friction: {{dynamic: 0.3, tolerance: 1e-3}}}}}}
solver: {{tolerance: 1e-12}}
"""


class Pieces(ShortRunTest):
    """Two blocks that no element connects, nearer to each other than neighbours along a surface can be: they touch although they are one body."""

    def setUp(self):
        super().setUp()
        height = CELL * PIECE[2]
        nodes, cells = [], (PIECE[0], PIECE[1], 2 * PIECE[2] + 1)
        both = box_text(cells, tuple(CELL * n for n in cells), keep=lambda i, j, k: k != PIECE[2]).splitlines()
        first = both.index("$Nodes") + 2
        for line in both[first:both.index("$EndNodes")]:
            number, x, y, z = line.split()
            nodes.append(f"{number} {x} {y} {float(z) + (ROOM - CELL) * (float(z) > height + CELL / 2)!r}")
        self.write("both.msh", "\n".join([*both[:first], *nodes, *both[both.index("$EndNodes"):]]) + "\n")
        self.write("one.msh", box_text(PIECE, (CELL * PIECE[0], CELL * PIECE[1], height)))
        self.height = height

    def test_pieces_of_one_body_touch_as_two_bodies_do(self):
        start = 1.02 * THICKNESS
        separate = self.simulate(blocks(
            f"lower: {{mesh: one.msh, {SOLID}, initial: {{translate: [0, 0, {start}]}}}}, "
            f"upper: {{mesh: one.msh, {SOLID}, initial: {{translate: [0, 0, {start + self.height + ROOM}]}}}}"), out="separate").history
        middle = (separate["lower.z"] + separate["upper.z"]) / 2
        self.assertGreater(middle[-1], self.height)
        for ranks in (1, 2, 4):
            outcome = self.simulate(blocks(f"both: {{mesh: both.msh, {SOLID}, initial: {{translate: [0, 0, {start}]}}}}"), ranks=ranks, out=f"ranks_{ranks}")
            difference = numpy.max(numpy.abs(outcome.history["both.z"] - middle))
            print(f"\n  {ranks} ranks: height of one body of two pieces and of two bodies differ by {difference:.1e} m", flush=True)
            self.assertLess(difference, 1e-9)
            self.assertNotIn("pass through", outcome.output + outcome.errors)

    def test_a_turned_mesh_does_not_cross_itself(self):
        # Faces that lie in one plane do so up to rounding when the mesh is turned.
        scene = blocks(f"block: {{mesh: one.msh, {SOLID}, initial: {{translate: [0.1, 0.2, 0.3], rotate: {{axis: AXIS, angle: ANGLE}}}}}}")
        for axis in ("[1, 0, 0]", "[0, 1, 0]", "[0.3, 0.5, 0.8]"):
            for angle in (10, 20, 30, 37.123, 45, 60):
                outcome = self.run_program("check", scene.replace("AXIS", axis).replace("ANGLE", str(angle)))
                self.assertEqual(outcome.code, 0, f"{axis} {angle}: {outcome.errors}")

    def test_faces_of_one_piece_too_near_to_touch_are_told(self):
        scene = blocks(f"clamp: {{mesh: clamp.msh, {SOLID}, initial: {{translate: [0, 0, {THICKNESS}]}}}}")
        for width, is_told in ((0.9 * THICKNESS, True), (1.2 * THICKNESS, False)):
            self.write("clamp.msh", box_text(CLAMP, (CELL * CLAMP[0], CELL * CLAMP[1], width * CLAMP[2]), keep=lambda i, j, k: k != SLIT or i == 0))
            for ranks in (1, 2):
                outcome = self.simulate(scene, ranks=ranks, out=f"out_{width}_{ranks}", sets={"time.end": 2e-3})
                warnings = [line for line in outcome.errors.splitlines() if "pass through each other" in line]
                self.assertEqual(len(warnings), is_told, outcome.errors)
                if is_told:
                    self.assertIn("'clamp' are 0.0036 m apart at rest", warnings[0])


if __name__ == "__main__":
    unittest.main()
