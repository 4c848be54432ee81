"""jobs/tire_rolling: a coarse tire rolls a short way. Forces balance, have the signs of braking and of a slip angle, stay within friction, and vanish at a rolling
radius between the loaded and the free one."""

import math
import types
import unittest

import numpy

from traction_runs import JOBS, RunTest, report_of

COARSE = {"bodies.tire.mesh_parameters": "{across: 6, side: 3, fine_angle: 110, fine: 22, coarse: 15}",
          "surfaces.road.motion.ramp": 4e-3, "bodies.wheel.driven.0.motion.ramp": 4e-3,
          "time": "{step: [{from: 0, step: 0.05}, {from: 0.1, step: 0.3}, {from: 1, step: 0.25}, {from: 2, step: 2.5e-4}], end: 2.016, inertia: false}",
          "output": "{every: 0.02, fields: [contact_pressure], log_every: 100}"}


class Curves(unittest.TestCase):
    def test_what_forces_come_to(self):
        """Both runs start alike, with a force that dies away; one has a force that grows over 0.4 m."""
        way = numpy.linspace(0, 1, 200)
        free = types.SimpleNamespace(way=way, fx=-30 - 400 * numpy.exp(-way / 0.4))
        other = types.SimpleNamespace(way=way, fx=free.fx - 900 * (1 - numpy.exp(-way / 0.4)))
        force, length = report_of("tire_rolling").relaxed(other, free, "fx")
        self.assertAlmostEqual(force, -900, delta=5)
        self.assertAlmostEqual(length, 0.4, delta=0.01)
        self.assertAlmostEqual(report_of("tire_rolling").settled(free, "fx", 0.4), -30, delta=1e-6)


class Rolling(RunTest):
    def roll(self, spin, angle=0, out="out"):
        speed = 16.7
        sets = COARSE | {"bodies.wheel.driven.0.motion.angular_velocity.1": spin,
                         "surfaces.road.motion.velocity": f"[{-speed * math.cos(angle)}, {speed * math.sin(angle)}, 0]"}
        return self.simulate(JOBS / "tire_rolling" / "scene.yaml", sets=sets, timeout=300, out=out)

    def test_braking_in_a_bend(self):
        """The wheel turns 4 % too slowly, and the road moves 3 degrees to the left below it."""
        run = self.roll(52.3, math.radians(3))
        row = run.last_row()
        load = 3835 + 9.81 * run.report["total_mass"]
        self.assertAlmostEqual(row["patch.fz"], load, delta=0.01 * load)
        self.assertLess(row["patch.fx"], -0.2 * load)
        self.assertGreater(row["patch.fy"], 0.1 * load)
        self.assertLessEqual(math.hypot(row["patch.fx"], row["patch.fy"]), 1.0001 * row["patch.fz"])
        # The support of the wheel balances the road.
        for component in ("x", "y"):
            self.assertAlmostEqual(row[f"wheel.wheel.f{component}"], -row[f"patch.f{component}"], delta=0.01 * load)
        self.assertAlmostEqual(row["wheel.wheel.my"] - row["wheel.z"] * row["wheel.wheel.fx"], (row["wheel.z"] + 0.3145 - row["min_gap"]) * row["patch.fx"], delta=0.02 * load)

    def test_free_rolling(self):
        """Between two speeds of the wheel that need torques of opposite sign."""
        turns, torque, loaded = (56.5, 52.5), [], []
        for number, spin in enumerate(turns):
            history = self.roll(spin, out=f"out{number}").history
            late = history["time"] > 2.014
            torque.append((history["wheel.wheel.my"] - history["wheel.z"] * history["wheel.wheel.fx"])[late].mean())
            loaded.append((history["wheel.z"] + 0.3145 - history["min_gap"])[late].mean())
        self.assertGreater(torque[0], 0)
        self.assertLess(torque[1], 0)
        radius = 16.7 / (turns[0] + (turns[1] - turns[0]) * torque[0] / (torque[0] - torque[1]))
        self.assertGreater(radius, loaded[0])
        self.assertLess(radius, 0.3127)


if __name__ == "__main__":
    unittest.main()
