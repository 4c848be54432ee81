"""jobs/sinusoid_press: finite elements and a pressure field against closed forms, and against each other."""

import sys
import unittest

import numpy

from traction_runs import JOBS, RunTest

sys.path[:0] = [str(JOBS), str(JOBS / "sinusoid_press")]
import report  # noqa: E402
from run_job import Run  # noqa: E402

GAP = 1e-3   # half of the thickness of contact
COARSE = {"time.step": 0.1, "bodies.layer.mesh_parameters.element_size": 0.125, "output": "{log_every: 100}"}


class SinusoidPress(RunTest):
    def press(self, amplitude, **sets):
        amplitudes = {f"bodies.{name}.mesh_parameters.amplitude": amplitude for name in ("stamp", "twin")}
        out = f"out{amplitude}"
        self.simulate(JOBS / "sinusoid_press" / "scene.yaml", sets={**COARSE, **amplitudes, **sets}, out=out)
        run = Run(self.folder / out)
        return run, *report.curves(run)

    # A flat stamp compresses the layer without widening it; a linear pressure is that of Hooke's law. The depth is uncertain by half of the thickness of contact.
    def test_flat_stamp(self):
        run, depth, elements, pressed, _ = self.press(0)
        for d, force, field in zip(depth[1:], elements[1:], pressed[1:]):
            self.assertGreater(force, report.flat(run, d - GAP))
            self.assertLess(force, report.flat(run, d + GAP))
            self.assertAlmostEqual(field / (1e6 * 1.3461538 * d), 1, delta=2e-3)

    # 0.354 is P2's value of the field by quadrature. Of the finite elements the field has 0.70 on a fine mesh.
    def test_crests(self):
        _, depth, elements, pressed, _ = self.press(0.333)
        stiffness = 1e6 * 1.3461538 * 0.4
        self.assertAlmostEqual(pressed[-1] / stiffness, 0.354, delta=1e-3)
        for d, field in zip(depth[1:], pressed[1:]):
            self.assertAlmostEqual(field / stiffness, report.field(0.333, d), delta=1e-3)
        self.assertAlmostEqual(pressed[-1] / elements[-1], 0.70, delta=0.02)
        self.assertTrue(numpy.all(elements[1:] > pressed[1:]))


if __name__ == "__main__":
    unittest.main()
