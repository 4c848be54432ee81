"""A gripper lifts a mug that is not convex: the scene of jobs/mug_grasp, shortened, against statics and the integrals of its report."""

import sys
import unittest

from traction_runs import JOBS, RunTest

sys.path.append(str(JOBS))
from run_job import load_report  # noqa: E402

JOB = JOBS / "mug_grasp"
report = load_report(JOB)
# Already gripped when it is lifted, at 0.06 s. The table is that of the start alone.
SHORT = {"time.step": 4e-3, "time.end": 0.16, "bodies.mug.mesh_parameters.element_size": 0.01, "output": "{log_every: 1000}",
         "bodies.hand.driven": "[{vertices: pad, motion: {velocity: [0, 0, 0.1], start: 0.06, ramp: 0.05}}]"}


class MugGrasp(RunTest):
    def lift(self, force):
        over = "[{time: 0, factor: 0}, {time: 0.04, factor: 1}]"
        sets = {**SHORT, **{f"joints.{side}_finger.motor": f"{{force: {force}, over: {over}}}" for side in ("left", "right")}}
        return self.simulate(JOB / "scene.yaml", sets=sets, out=f"force_{force}").history

    def test_pads_carry_it_and_it_creeps(self):
        history = self.lift(6)
        carried = history["left_grip.fz"] + history["right_grip.fz"]
        weight = history["mug.pz"][-1] / history["mug.vz"][-1] * report.GRAVITY
        rising = abs(history["time"] - 0.1).argmin()
        self.assertAlmostEqual(carried[rising], weight * (1 + 0.1 / 0.05 / report.GRAVITY), delta=2e-3 * weight)
        self.assertAlmostEqual(carried[-1], weight, delta=2e-3 * weight)
        self.assertEqual(history["stand.contacts"][-1], 0)
        sinks, turns = report.creep(6, weight, history["mug.x"][-1])
        speed = history["hand.vz"][-1] - history["mug.vz"][-1] - history["mug.wy"][-1] * history["mug.x"][-1]
        print(f"\n  sinks by {1e3 * speed:.4f} mm/s, {1e3 * sinks:.4f} integrated; turns by {history['mug.wy'][-1]:.5f} rad/s, {turns:.5f} integrated", flush=True)
        self.assertAlmostEqual(speed, sinks, delta=0.02 * sinks)
        self.assertAlmostEqual(history["mug.wy"][-1], turns, delta=0.04 * turns)

    def test_a_weak_grip_slides_off(self):
        history = self.lift(2)
        carried = history["left_grip.fz"][-1] + history["right_grip.fz"][-1]
        self.assertAlmostEqual(carried, 2 * report.FRICTION * 2, delta=0.02 * carried)
        self.assertGreater(history["stand.contacts"][-1], 0)
        self.assertLess(history["mug.z"][-1], history["mug.z"][0] + 5e-5)   # the table gives way by 5 micrometres
        self.assertGreater(history["hand.z"][-1], history["hand.z"][0] + 5e-3)


if __name__ == "__main__":
    unittest.main()
