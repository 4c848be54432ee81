"""jobs/ball_oblique: friction drives the spin of a coarse tennis ball that grips up, changes its direction and takes some of it back; one that slides keeps Coulomb's law."""

import math
import sys
import unittest

import numpy

from traction_runs import JOBS, RunTest, report_of

sys.path.insert(0, str(JOBS.parent / "postprocess"))
sys.path.insert(0, str(JOBS))
from oblique_impact import Impact  # noqa: E402

RADIUS = 33.78e-3


class Published(unittest.TestCase):
    def test_ratios_of_a_bounce(self):
        """Cross prints for wood at 20 degrees: vx2/vx1 = 0.84, e_y = 0.80; and for the slow bounce on emery paper R ω2/vx2 = 1.41."""
        module = report_of("ball_oblique")
        wood, slow = module.published(module.BOUNCES[0]), module.published(module.BOUNCES[-1])
        self.assertAlmostEqual(wood["speed_ratio"], 0.84, delta=0.01)
        self.assertAlmostEqual(wood["normal_restitution"], 0.80, delta=0.01)
        self.assertAlmostEqual(slow["spin_ratio"] / slow["speed_ratio"] / math.cos(math.radians(20)), 1.41, delta=0.02)


class BallOblique(RunTest):
    def impact(self, speed, angle, friction, end):
        along, down = speed * math.cos(math.radians(angle)), speed * math.sin(math.radians(angle))
        sets = {"bodies.ball.mesh_parameters": "{element_size: 10e-3, core_layers: 1}", "bodies.ball.initial.velocity": f"[{along!r}, 0, {-down!r}]",
                "time": f"{{step: 5e-5, end: {end}}}", "contacts.impact.friction.dynamic": friction, "output": "{log_every: 1000}"}
        outcome = self.simulate(JOBS / "ball_oblique" / "scene.yaml", sets=sets, timeout=200)
        impact = Impact(outcome, RADIUS)
        self.assertTrue(impact.done)
        self.assertAlmostEqual(impact.normal_impulse, impact.mass * (impact.vz1 + impact.vz2), delta=2e-2 * impact.normal_impulse)
        self.assertAlmostEqual(-impact.tangential_impulse, impact.mass * (impact.vx1 - impact.vx2), delta=3e-2 * abs(impact.tangential_impulse))
        self.assertLess(impact.normal_restitution, 1)
        amount = (101325 + outcome.history["ball.pressure"]) * outcome.history["ball.volume"] ** 1.4   # an adiabatic gas
        self.assertLess(numpy.ptp(amount), 1e-6 * amount[0])
        return impact, outcome

    def test_a_ball_that_grips(self):
        impact, outcome = self.impact(25, 45, 0.6, 5e-3)
        self.assertLess(impact.impulse_ratio, 0.9 * impact.coefficient)
        turned = impact.reversals()
        self.assertGreaterEqual(len(turned), 1)
        self.assertTrue(0.3 * impact.duration < turned[0] < 0.8 * impact.duration, turned)
        # Friction has driven the spin up, and takes some of it back.
        self.assertGreater(impact.spin.max(), 1.1 * impact.w2)
        self.assertGreater(impact.w2, 0)
        self.assertLess(outcome.last_row()["work_friction"], 0)

    def test_a_ball_that_slides(self):
        impact, _ = self.impact(10, 16, 0.25, 8e-3)
        self.assertAlmostEqual(impact.impulse_ratio, impact.coefficient, delta=1e-2 * impact.coefficient)
        self.assertEqual(impact.reversals(), [])
        # A shell of the mean radius of core and felt has 2/3 (R_mean / R)², about 0.5; the arm is shorter than the radius because the ball is flattened.
        self.assertTrue(0.45 < impact.inertia_factor < 0.6, impact.inertia_factor)
        self.assertTrue(0.7 < impact.arm < 1, impact.arm)


if __name__ == "__main__":
    unittest.main()
