"""jobs/tire_cleat: as a coarse tire rolls over the cleat, forces give it its momentum, push the axle back and up, and stay below those of a standing tire."""

import sys
import unittest

import numpy

from traction_runs import JOBS, RunTest, report_of

sys.path[:0] = [str(JOBS.parent / "postprocess"), str(JOBS / "tire_footprint")]
import tire  # noqa: E402


class Line(unittest.TestCase):
    def test_the_strongest_line_of_a_decaying_oscillation(self):
        Ride = report_of("tire_cleat").Ride
        ride = Ride.__new__(Ride)
        ride.time, ride.ends = numpy.arange(0, 0.2, 2.5e-4), 0.05
        found, width = ride.frequency(100 + numpy.exp(-20 * ride.time) * numpy.sin(2 * numpy.pi * 77 * ride.time))
        self.assertAlmostEqual(found, 77, delta=2)
        self.assertAlmostEqual(width, 1 / 0.15, delta=0.1)


class Cleat(RunTest):
    def test_a_coarse_tire(self):
        sets = {"bodies.tire.mesh_parameters": "{across: 6, side: 3, fine_angle: 150, fine: 25, coarse: 15}",
                "time": "{step: [{from: 0, step: 5e-3}, {from: 0.1, step: 6e-4}], end: 0.145, integrator: backward_euler}",
                "surfaces.road.motion.ramp": 0.01, "surfaces.cleat.motion.ramp": 0.01,
                "bodies.tire.driven.0.motion.0.ramp": 0.01, "surfaces.cleat.box.lower.0": 0.26, "surfaces.cleat.box.upper.0": 0.28,
                "output": "{log_every: 100}"}
        run = self.simulate(JOBS / "tire_cleat" / "scene.yaml", sets=sets, timeout=300)
        history = run.history
        rolling = history["time"] > 0.1 + 1e-9
        dt = history["dt"][rolling]
        for axis in "xz":
            impulse = sum((history[f"{name}.f{axis}"][rolling] * dt).sum() for name in ("patch", "bump", "tire.bead"))
            before = history[f"tire.v{axis}"][~rolling][-1]
            gained = run.report["total_mass"] * (history[f"tire.v{axis}"][-1] - before)
            largest = (numpy.abs(history[f"tire.bead.f{axis}"][rolling]) * dt).sum()
            self.assertAlmostEqual(impulse, gained, delta=0.02 * largest, msg=axis)
        touching = history["bump.fz"] > 1
        self.assertTrue(touching.any())
        first = numpy.flatnonzero(touching)[0]
        standing = -history["tire.bead.fz"][first - 1]
        risen = (-history["tire.bead.fz"][first:]).max() - standing
        self.assertGreater(risen, 100)
        self.assertLess(risen, float(tire.published_load(0.0203 + 0.01) - tire.published_load(0.0203)))
        # Against the way of travel, which is +x, when the cleat is met.
        self.assertLess((-history["tire.bead.fx"][first:]).min(), (-history["tire.bead.fx"])[first - 1] - 100)


if __name__ == "__main__":
    unittest.main()
