"""jobs/racket: strings of its script are woven, and are as tight as their stretch makes them."""

import math
import shutil
import sys
import unittest

import numpy

from traction_runs import JOBS, RunTest

sys.path.insert(0, str(JOBS / "racket"))
import strings  # noqa: E402

STIFFNESS = 5e9 * math.pi * strings.RADIUS**2   # EA of a string [N]
PULL = 4.7e-3                                   # path of each side of the head [m]


class Racket(RunTest):
    def test_the_strings_of_the_job_are_what_the_script_writes(self):
        for along, name in enumerate(("mains", "crosses")):
            self.assertEqual(strings.gmsh_text(name, strings.strings(8, 3, along)), (JOBS / "racket" / f"{name}.msh").read_text())

    def test_strings_are_woven(self):
        """Where two strings cross, their surfaces are APART; each passes over and under in turn, and over where the other passes under."""
        mains, crosses = strings.strings(8, 3, 0), strings.strings(8, 3, 1)
        for i, j in numpy.ndindex(8, 8):
            over, under = mains[i, 3 * (j + 1)], crosses[j, 3 * (i + 1)]
            numpy.testing.assert_allclose(over[:2], under[:2], atol=1e-12)
            self.assertAlmostEqual(over[2] - under[2], (-1) ** (i + j) * (2 * strings.RADIUS + strings.APART), delta=1e-12)

    # Without friction every string has one tension: its stiffness times its strain. Weaving adds a part of 1e-3 to the length, which changes little.
    def test_tension(self):
        shutil.copytree(JOBS / "racket", self.folder / "racket", ignore=shutil.ignore_patterns("out*"))
        for along, name in enumerate(("mains", "crosses")):
            (self.folder / "racket" / f"{name}.msh").write_text(strings.gmsh_text(name, strings.strings(3, 3, along)))
        sets = {"time": "{step: 4e-4, end: 6e-3, integrator: backward_euler}", "contacts.weave.friction.dynamic": 0, "bodies.ball.initial.translate": "[0, 0, 0.5]", "output": "{log_every: 100}"}
        row = self.simulate(self.folder / "racket" / "scene.yaml", sets=sets, timeout=200).last_row()
        at_rest = numpy.linalg.norm(numpy.diff(strings.strings(3, 3, 0)[0], axis=0), axis=1).sum()
        for side in ("right", "left", "far", "near"):
            displacement = row[f"pull_{side}.displacement"]
            self.assertAlmostEqual(displacement, PULL, delta=0.02 * PULL)
            expected = 3 * STIFFNESS * 2 * displacement / at_rest
            self.assertAlmostEqual(row[f"pull_{side}.motor_force"], expected, delta=0.02 * expected)
        # Nothing pulls the racket as a whole.
        self.assertLess(math.hypot(row["frame.px"], row["frame.py"], row["frame.pz"]), 1e-3)


if __name__ == "__main__":
    unittest.main()
