"""Two blocks at rest, one on the other, on a floor: a thousand steps. Weight goes through the contact, and neither drifts."""

import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import RunTest, box_text

GRAVITY, DENSITY = 9.81, 1000
LOWER, UPPER = 0.2, 0.15                 # edges [m]
FRICTION, TOLERANCE = 0.5, 1e-3          # coefficient, and the speed at which it is fully developed [m/s]
SETTLED = 2.0                            # [s]
# Each block's "bottom" is where its mesh begins; the lower one stands on its head, so that its "bottom" is on top.
SCENE = f"""\
time: {{step: 0.01, end: 12, integrator: backward_euler}}
gravity: [0, 0, -{GRAVITY}]
bodies:
  lower:
    mesh: lower.msh
    solid: {{solid: {{youngs_modulus: 1e6, poisson_ratio: 0.4, density: {DENSITY}}}}}
    damping: {{mass: 2, stiffness: 1e-3}}
    initial: {{rotate: {{axis: [1, 0, 0], angle: 180}}, translate: [0, 0, 8e-4]}}
  upper:
    mesh: upper.msh
    solid: {{solid: {{youngs_modulus: 1e6, poisson_ratio: 0.4, density: {DENSITY}}}}}
    damping: {{mass: 2, stiffness: 1e-3}}
    initial: {{translate: [0.025, 0.025, 0.2016]}}
surfaces:
  floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}
contacts:
  ground: {{vertices: lower, against: floor, thickness: 1e-3, friction: {{dynamic: {FRICTION}, tolerance: {TOLERANCE}}}}}
  stack: {{both: [upper.bottom, lower.bottom], geometry: smooth_surface, thickness: 1e-3, friction: {{dynamic: {FRICTION}, tolerance: {TOLERANCE}}}}}
solver: {{tolerance: 1e-8}}
"""


class Stack(RunTest):
    def test_a_thousand_steps_at_rest(self):
        self.write("lower.msh", box_text((4, 4, 4), (LOWER, LOWER, LOWER)))
        self.write("upper.msh", box_text((3, 3, 3), (UPPER, UPPER, UPPER)))
        outcome = self.simulate(SCENE, ranks=2, timeout=300)
        rest = outcome.history["time"] > SETTLED
        self.assertGreaterEqual(numpy.count_nonzero(rest), 999)
        weight = [DENSITY * edge**3 * GRAVITY for edge in (UPPER, LOWER)]
        for contact, expected in (("stack", weight[0]), ("ground", sum(weight))):
            expect_closed_form(self, field="contact", case=f"block on a block on a floor: force of the {contact}", source="Σ m g", expected=expected, got=outcome.history[f"{contact}.fz"][-1],
                               tolerance=1e-5, mesh="4 × 4 × 4 and 3 × 3 × 3 cells", step="backward_euler, 10 ms")
        for body in ("lower", "upper"):
            for axis in "xy":
                drift = numpy.ptp(outcome.history[f"{body}.{axis}"][rest])
                speed = numpy.max(numpy.abs(outcome.history[f"{body}.v{axis}"][rest]))
                print(f"\n  {body}.{axis}: moves by {drift:.2e} m in {numpy.count_nonzero(rest)} steps, at {speed:.2e} m/s at most", flush=True)
                # No force pulls sideways, so bodies move far more slowly than the speed at which friction is fully developed.
                self.assertLess(speed, 0.01 * TOLERANCE)
            self.assertLess(numpy.ptp(outcome.history[f"{body}.z"][rest]), 1e-5)


if __name__ == "__main__":
    unittest.main()
