"""The logarithmic barrier keeps bodies apart at steps that carry them many times the depth of what they hit."""

import unittest

from traction_runs import RunTest, box_text


def sheet_text(cells, size):
    """A square of triangles in z = 0, normals up, as a Wavefront file."""
    lines = [f"v {size * (i / cells - 0.5)} {size * (j / cells - 0.5)} 0" for j in range(cells + 1) for i in range(cells + 1)]
    for j in range(cells):
        for i in range(cells):
            a = j * (cells + 1) + i + 1
            lines += [f"f {a} {a + 1} {a + cells + 2}", f"f {a} {a + cells + 2} {a + cells + 1}"]
    return "\n".join(lines) + "\n"


# 10 m/s and steps of 10 ms: 100 mm a step.
SHEET_SCENE = """\
time: {step: 1e-2, end: 0.05}
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [-0.05, -0.05, 0.05], velocity: [2, 0, -10], angular_velocity: [0, 3, 0]}
surfaces:
  sheet: {mesh: {file: sheet.obj}}
contacts:
  stop: {vertices: block.bottom, against: sheet, geometry: smooth_surface, thickness: 2e-3, potential: log_barrier, friction: {dynamic: 0.3, tolerance: 1e-2}}
"""

PAIR_SCENE = """\
time: {step: 5e-3, end: 0.04}
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [0, 0, 0.06], velocity: [0, 1, -10]}
  slab:
    mesh: slab.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [-0.05, -0.05, -0.03], velocity: [0, 0, 2]}
contacts:
  blow: {vertices: block.bottom, against: slab, geometry: smooth_surface, thickness: 2e-3, potential: log_barrier, friction: {dynamic: 0.3, tolerance: 1e-2}}
solver: {tolerance: 1e-9}
"""


class LogBarrier(RunTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((3, 3, 3), (0.1, 0.1, 0.1)))
        self.write("slab.msh", box_text((6, 6, 1), (0.2, 0.2, 0.03)))
        self.write("sheet.obj", sheet_text(10, 0.3))

    def test_a_block_does_not_fly_through_a_sheet(self):
        outcome = self.simulate(SHEET_SCENE)
        self.assertGreater(outcome.history["min_gap"].min(), 0)
        self.assertGreater(outcome.history["block.vz"][-1], 0)    # it rebounds

    def test_nor_with_the_penalty(self):
        # No position at the end of a full step is near the sheet: the paths between are followed, and steps that lead through are shortened.
        history = self.simulate(SHEET_SCENE, sets={"contacts.stop.potential": "cubic_penalty"}).history
        self.assertGreater(history["repeats"].sum(), 0)
        self.assertGreater(history["min_gap"].min(), 0)
        self.assertGreater(history["block.vz"][-1], 0)

    def test_two_bodies_stay_apart_on_any_ranks(self):
        rows = {}
        for ranks in (1, 2, 4):
            outcome = self.simulate(PAIR_SCENE, ranks=ranks, out=f"ranks_{ranks}")
            history = outcome.history
            self.assertGreater(history["min_gap"].min(), 0)
            self.assertGreater(history["block.vz"][-1], history["slab.vz"][-1])   # they part
            # Masses are 1 kg and 1.2 kg.
            momentum = 1.0 * history["block.vz"] + 1.2 * history["slab.vz"]
            self.assertLess(abs(momentum + 10 - 2.4).max(), 1e-6)
            rows[ranks] = outcome.last_row()
        names = [f"{body}.{component}" for body in ("block", "slab") for component in ("x", "y", "z", "vx", "vy", "vz")]
        for ranks in (2, 4):
            self.assert_rows_agree(rows[ranks], rows[1], 1e-6, names)

    def test_a_start_in_penetration_is_refused(self):
        for ranks in (1, 2):
            outcome = self.run_program("run", SHEET_SCENE, ranks=ranks, sets={"bodies.block.initial.translate": "[-0.05, -0.05, -1e-4]"}, out=f"refused_{ranks}")
            self.assertEqual(outcome.code, 2)
            self.assertEqual(len(outcome.error_lines()), 1)
            self.assertIn("a log barrier needs a start free of penetration", outcome.errors)


if __name__ == "__main__":
    unittest.main()
