"""Two soft fingertips hold a pencil, let it turn and stop it (P2 Fig. 4): the scene of jobs/pinch_pivot, shortened, against the closed forms of its report."""

import math
import sys
import unittest

from traction_runs import JOBS, RunTest

sys.path.append(str(JOBS))
from run_job import load_report  # noqa: E402

JOB = JOBS / "pinch_pivot"
report = load_report(JOB)
COARSE = {"pressure_fields.left.facets": 40, "pressure_fields.right.facets": 40, "output": "{log_every: 1000}"}
WEIGHT = report.MASS * report.GRAVITY


def grip(*points):
    """The settings of both fingers' force over time, in parts of 4 N."""
    over = "[" + ", ".join(f"{{time: {time}, factor: {factor}}}" for time, factor in points) + "]"
    return {f"joints.{side}_finger.motor.over": over for side in ("left", "right")}


class PinchPivot(RunTest):
    def test_friction_moment_over_grip_force(self):
        driven = "[{vertices: pencil, motion: {angular_velocity: [0, 2, 0], ramp: 0.01}}]"
        for parts in (0.5, 1.5):
            sets = {**COARSE, **grip((0, 0), (0.02, parts)), "gravity": "[0, 0, 0]", "time.step": 4e-3, "time.end": 0.1, "time.integrator": "backward_euler",
                    "bodies.pencil.fixed": "[]", "bodies.pencil.driven": driven}
            row = self.simulate(JOB / "scene.yaml", sets=sets, out=f"out_{parts}").last_row()
            expected = report.field_moment(4 * parts)
            print(f"\n  at {4 * parts} N: {1e3 * row['pencil.pencil.my'] / 2:.4f} mN m, {1e3 * expected:.4f} integrated", flush=True)
            self.assertAlmostEqual(row["pencil.pencil.my"] / 2, expected, delta=0.01 * expected)

    def test_holds_turns_and_stops(self):
        sets = {**COARSE, **grip((0, 0), (0.05, 1), (0.16, 1), (0.17, 0.25), (0.25, 0.25), (0.26, 1)), "time.end": 0.34}
        history = self.simulate(JOB / "scene.yaml", sets=sets).history
        held, loose = ((history["time"] < time).nonzero()[0][-1] for time in (0.16, 0.25))
        creep = report.creep(4, WEIGHT * history["pencil.x"][held])
        self.assertAlmostEqual(history["pencil.wy"][held], creep, delta=0.01 * creep)
        self.assertAlmostEqual(history["left_grip.fz"][held] + history["right_grip.fz"][held], -WEIGHT, delta=1e-3 * WEIGHT)
        # The loose fingers hold it back by their friction moment, and it turns by what is left of the weight's moment.
        inertia = history["pencil.ly"][loose] / history["pencil.wy"][loose] + report.MASS * history["pencil.x"][0] ** 2
        free = 0.5 * (WEIGHT * history["pencil.x"][0] - 2 * report.field_moment(1)) / inertia * 0.08**2
        angle = 2 * math.atan2(history["pencil.qy"][loose], history["pencil.qw"][loose])
        self.assertAlmostEqual(angle, free, delta=0.1 * free)   # the moments change a little with the angle, and while the force falls
        creep = report.creep(4, WEIGHT * history["pencil.x"][-1])
        self.assertAlmostEqual(history["pencil.wy"][-1], creep, delta=0.01 * creep)
        angle = 2 * math.atan2(history["pencil.qy"][-1], history["pencil.qw"][-1])
        x, z = history["pencil.x"][-1], history["pencil.z"][-1]
        slid = math.hypot(x - history["pencil.x"][0] * math.cos(angle), z + history["pencil.x"][0] * math.sin(angle))
        print(f"\n  turned by {math.degrees(angle):.1f} degrees, {math.degrees(free):.1f} integrated while loose; slid by {1e3 * slid:.3f} mm", flush=True)
        self.assertLess(slid, 2e-4)


if __name__ == "__main__":
    unittest.main()
