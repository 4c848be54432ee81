"""jobs/superball: a coarse ball that slides has the spin of a rigid one, and friction turns round within the impact of one that grips; momentum is kept."""

import math
import sys
import unittest

from traction_runs import JOBS, RunTest, report_of

sys.path.insert(0, str(JOBS.parent / "postprocess"))
sys.path.insert(0, str(JOBS))
from oblique_impact import Impact, sliding  # noqa: E402

RADIUS, SPEED = 23e-3, 5


class Sliding(unittest.TestCase):
    def test_a_ball_that_slides(self):
        """Its friction's impulse is μ times the normal one, and its arm is R: with e = 0.8 and μ = 0.1 at 45 degrees it loses 0.18 of its speed along the surface."""
        ratio, restitution, spin = sliding(45, 0.1, 0.8, 0.4)
        self.assertAlmostEqual(ratio, 0.82, delta=1e-12)
        self.assertAlmostEqual(spin, 0.18 / 0.4 / math.sqrt(2), delta=1e-12)
        self.assertAlmostEqual(restitution, 0.18 / 0.4 - 0.82, delta=1e-12)


class Superball(RunTest):
    def impact(self, angle, end):
        along, down = SPEED * math.cos(math.radians(angle)), SPEED * math.sin(math.radians(angle))
        sets = {"bodies.ball.mesh_parameters": "{element_size: 5e-3, coarsest: 8e-3}", "bodies.ball.initial.velocity": f"[{along!r}, 0, {-down!r}]",
                "time": f"{{step: 5e-5, end: {end}}}", "output": "{log_every: 1000}"}
        outcome = self.simulate(JOBS / "superball" / "scene.yaml", sets=sets, timeout=200)
        impact = Impact(outcome, RADIUS)
        self.assertTrue(impact.done)
        self.assertAlmostEqual(impact.normal_impulse, impact.mass * (impact.vz1 + impact.vz2), delta=5e-3 * impact.normal_impulse)
        self.assertAlmostEqual(-impact.tangential_impulse, impact.mass * (impact.vx1 - impact.vx2), delta=1e-2 * abs(impact.tangential_impulse))
        self.assertLess(impact.normal_restitution, 1)
        self.assertLess(abs(outcome.last_row()["energy_numerical"]), 1e-2 * impact.mass * SPEED**2 / 2)
        return impact, outcome

    def test_a_flat_impact_slides(self):
        impact, _ = self.impact(16, 4.5e-3)
        self.assertAlmostEqual(impact.impulse_ratio, impact.coefficient, delta=5e-3 * impact.coefficient)
        self.assertAlmostEqual(impact.inertia_factor, 0.4, delta=0.03)   # masses are lumped at vertices
        ratio, _, spin = sliding(impact.angle, impact.coefficient, impact.normal_restitution, impact.inertia_factor)
        self.assertAlmostEqual(impact.speed_ratio, ratio, delta=5e-3)
        self.assertAlmostEqual(impact.spin_ratio, spin, delta=0.03 * spin)
        self.assertEqual(impact.reversals(), [])

    def test_a_steep_impact_grips_and_returns_slip(self):
        """Friction turns round within the impact, and the ball spins faster than one that rolls off, as Cross measured."""
        impact, outcome = self.impact(63, 4e-3)
        self.assertLess(impact.impulse_ratio, 0.5 * impact.coefficient)
        self.assertGreaterEqual(len(impact.reversals()), 1)
        self.assertGreater(impact.tangential_restitution, 0.3)
        self.assertLess(impact.tangential_restitution, 1)
        self.assertLess(outcome.last_row()["work_relaxation"], 0)
        self.assertLess(outcome.last_row()["work_friction"], 0)
        published = next(point for point in report_of("superball").PUBLISHED if point[0] == 62.9)
        self.assertAlmostEqual(impact.normal_restitution, published[2], delta=0.04)
        self.assertAlmostEqual(impact.tangential_restitution, published[3], delta=0.15)


if __name__ == "__main__":
    unittest.main()
