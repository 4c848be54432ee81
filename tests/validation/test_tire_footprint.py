"""jobs/tire_footprint: published curves are consistent; a coarse tire of plies on the road is in equilibrium, and gives way by about as much as is published."""

import json
import math
import sys
import unittest

import numpy

from traction_runs import JOBS, RunTest

sys.path[:0] = [str(JOBS.parent / "postprocess"), str(JOBS / "tire_footprint")]
import tire  # noqa: E402
from field_frames import Frames  # noqa: E402

AMBIENT = 101325   # [Pa]


class Published(unittest.TestCase):
    def test_load_and_deflection(self):
        deflection = tire.published_deflection(tire.LOAD)
        self.assertAlmostEqual(float(tire.published_load(deflection)), tire.LOAD, delta=1e-6 * tire.LOAD)
        slope = (tire.published_load(deflection + 1e-6) - tire.published_load(deflection - 1e-6)) / 2e-6
        self.assertAlmostEqual(float(slope), tire.STIFFNESS, delta=1e-4 * tire.STIFFNESS)

    def test_slopes_of_the_magic_formula_and_the_brush(self):
        self.assertAlmostEqual(float(tire.published_braking(1e-6)) / 1e-6, 21.69 * tire.LOAD, delta=10)
        self.assertAlmostEqual(float(tire.published_cornering(1e-6)) / 1e-6, tire.published_cornering_stiffness(), delta=10)
        self.assertAlmostEqual(float(tire.brush(1e-6, 9e4, 1, 4000)) / 1e-6, 9e4, delta=10)
        self.assertEqual(float(tire.brush(-0.5, 9e4, 0.8, 4000)), -3200)
        # The trail of a brush is a third of half its length.
        self.assertAlmostEqual(float(tire.brush_moment(1e-6, 9e4, 1, 4000, 0.15) / tire.brush(1e-6, 9e4, 1, 4000)), 0.025, delta=1e-5)


class Footprint(RunTest):
    def test_a_coarse_tire_on_the_road(self):
        sets = {"bodies.tire.mesh_parameters": "{across: 8, side: 3, fine: 24, fine_angle: 80, coarse: 15}",
                "time": "{step: [{from: 0, step: 0.05}, {from: 0.1, step: 0.2}, {from: 1, step: 0.1}], end: 3.4, inertia: false}",
                "output": "{every: 3.4, fields: [contact_pressure, contact_force], log_every: 100}"}
        run = self.simulate(JOBS / "tire_footprint" / "scene.yaml", sets=sets, timeout=300)
        row, history = run.last_row(), run.history
        # What lies on the road: the weight of tire and wheel, and the load of the axle.
        self.assertAlmostEqual(row["footprint.fz"], -row["wheel.axle.fz"] + 9.81 * run.report["total_mass"], delta=2)
        self.assertLess(math.hypot(row["footprint.fx"], row["footprint.fy"]), 10)
        amount = (AMBIENT + history["tire.pressure"]) * history["tire.volume"]
        late = history["time"] > 1.001
        self.assertLess(numpy.ptp(amount[late]), 1e-3 * amount[-1])
        inflated = int(numpy.argmin(numpy.abs(history["time"] - 1)))
        self.assertAlmostEqual(history["tire.pressure"][inflated], 220e3, delta=4e3)
        axle = history["wheel.z"] - history["min_gap"]
        deflection = axle[inflated] - axle[-1]
        self.assertAlmostEqual(deflection, tire.published_deflection(row["footprint.fz"]), delta=0.1 * deflection)
        frames = Frames(run.directory)
        frame = frames.read(len(frames.times) - 1)
        found = tire.Footprint(frame)
        self.assertAlmostEqual(found.force[2], row["footprint.fz"], delta=1e-3 * row["footprint.fz"])
        self.assertAlmostEqual(found.load_of_grid, row["footprint.fz"], delta=0.06 * row["footprint.fz"])
        force = frame.fields["contact_force"]
        self.assertTrue((numpy.hypot(force[:, 0], force[:, 1]) <= force[:, 2] * 1.0001 + 1e-6).all())
        length, width, area = found.extent()
        self.assertLess(area, length * width)
        self.assertAlmostEqual(area, row["footprint.area"], delta=0.15 * area)

    def test_the_three_jobs_have_the_same_tire(self):
        import yaml
        tires = [yaml.safe_load((JOBS / f"tire_{name}" / "scene.yaml").read_text())["bodies"]["tire"] for name in ("footprint", "rolling", "cleat")]
        for name in ("solid", "shell"):
            for other in tires[1:]:
                self.assertEqual(json.dumps(tires[0][name]), json.dumps(other[name]))


if __name__ == "__main__":
    unittest.main()
