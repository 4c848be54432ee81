"""jobs/ball_approval: a coarse ball between the plates obeys Boyle's law and the balance of forces, and its gas carries a part of the load; and how the report reads a curve."""

import unittest

import numpy

from traction_runs import JOBS, RunTest, report_of

AMBIENT = 101325   # [Pa]
PLATES = {f"surfaces.z_{side}": f"{{plane: {{point: [0, 0, {sign * 34.3e-3}], normal: [0, 0, {-sign}]}}, motion: {{velocity: [0, 0, {-sign * 5.8e-3}], start: 0.4}}}}" for side, sign in (("plus", 1), ("minus", -1))}


class Curve(unittest.TestCase):
    def test_where_a_curve_crosses_a_force(self):
        crossing, deformation, force = report_of("ball_approval").crossing, numpy.array([0, 1, 2, 3]), numpy.array([0, 10, 30, 20])
        self.assertAlmostEqual(crossing(deformation, force, 5), 0.5, delta=1e-12)
        self.assertAlmostEqual(crossing(deformation, force, 25), 1.75, delta=1e-12)
        self.assertAlmostEqual(crossing(deformation[::-1], force[::-1], 25), 2.5, delta=1e-12)
        self.assertIsNone(crossing(deformation, force, 31))


class BallApproval(RunTest):
    def test_a_ball_between_plates(self):
        sets = {"bodies.ball.mesh_parameters": "{element_size: 12e-3, core_layers: 1}", "time.step": 0.1, "time.end": 1.4, "time.integrator": "backward_euler", "output": "{log_every: 100}", **PLATES}
        history = self.simulate(JOBS / "ball_approval" / "scene.yaml", sets=sets, timeout=200).history
        # Isothermal gas: absolute pressure times volume is constant, here over a change of pressure that can be seen.
        amount = (AMBIENT + history["ball.pressure"]) * history["ball.volume"]
        self.assertLess(numpy.ptp(amount), 1e-6 * amount[0])
        self.assertGreater(numpy.ptp(history["ball.pressure"]), 2e3)
        force = history["z_plus.fz"][-1]
        self.assertLess(force, -50)
        self.assertAlmostEqual(history["z_minus.fz"][-1], -force, delta=0.02 * abs(force))
        self.assertLess(history["work_relaxation"][-1], 0)


if __name__ == "__main__":
    unittest.main()
