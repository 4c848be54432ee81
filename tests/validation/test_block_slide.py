"""A block slides down a slope until friction stops it (P0 Fig. 4): where and when, against rigid-body mechanics."""

import math
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import JOBS, RunTest

GRAVITY, SLOPE, FRICTION, START_SPEED = 9.81, math.radians(10), 0.177, 0.1
FRICTION_TOLERANCE = 1e-3                                                 # [m/s]: slower than this, smoothed friction lets the block creep
DECELERATION = GRAVITY * (FRICTION * math.cos(SLOPE) - math.sin(SLOPE))   # [m/s^2]
# Until it is as slow as the tolerance.
DISTANCE = (START_SPEED**2 - FRICTION_TOLERANCE**2) / (2 * DECELERATION)  # [m]
TIME = (START_SPEED - FRICTION_TOLERANCE) / DECELERATION                  # [s]
CREEP_SPEED = FRICTION_TOLERANCE * (1 - math.sqrt(1 - math.tan(SLOPE) / FRICTION))


class BlockSlide(RunTest):
    def stop(self, integrator, step, where="", **more):
        """Distance and time at which the block is as slow as the friction's tolerance."""
        sets = {"time.step.1.step": step, "time.integrator": integrator, **more}
        history = self.simulate(JOBS / "block_slide" / "scene.yaml", sets=sets, out=f"{integrator}_{step}").history
        speed = history["block.vx"]
        row = int(numpy.argmax(speed < FRICTION_TOLERANCE))
        self.assertGreater(row, 0, "the block never stops")
        part = (speed[row - 1] - FRICTION_TOLERANCE) / (speed[row - 1] - speed[row])
        distance, time = (history[name][row - 1] + part * (history[name][row] - history[name][row - 1]) for name in ("block.x", "time"))
        print(f"\n  {integrator}, h = {step} s: {distance:.6f} m after {time:.5f} s, then {speed[-1]:.4e} m/s", flush=True)
        about = {"field": "friction", "mesh": "block of P0 Fig. 4", "step": f"{integrator}, {1e3 * step:g} ms"}
        # The trapezoidal rule still rings.
        expect_closed_form(self, case=f"block that stops on 10°{where}: creep", source="ε (1 − √(1 − tan θ/μ))", expected=CREEP_SPEED, got=speed[-1], tolerance=0.02, **about)
        expect_closed_form(self, case=f"block that stops on 10°{where}: time", source="v/(g (μ cos θ − sin θ))", expected=TIME, got=time, tolerance=0.01, **about)
        return distance

    def test_the_numbers_are_the_published_ones(self):
        self.assertAlmostEqual(START_SPEED**2 / (2 * DECELERATION), 0.769, delta=5e-4)
        self.assertAlmostEqual(START_SPEED / DECELERATION, 15.38, delta=5e-3)

    def test_distance_and_time(self):
        for integrator in ("backward_euler", "trapezoidal"):
            for step in (0.01, 0.02):
                with self.subTest(integrator=integrator, step=step):
                    expect_closed_form(self, field="friction", case="block that stops on 10°: way", source="v²/(2 g (μ cos θ − sin θ))", expected=DISTANCE, got=self.stop(integrator, step),
                                       tolerance=0.01, mesh="block of P0 Fig. 4", step=f"{integrator}, {1e3 * step:g} ms")

    def test_on_a_mesh(self):
        # The implicit surface of a flat mesh is its plane.
        on_mesh = self.stop("backward_euler", 0.02, " of triangles", **{"surfaces.slope": "{mesh: {file: slope.obj}}"})
        self.assertAlmostEqual(on_mesh, self.stop("backward_euler", 0.02), delta=1e-5)

    def test_on_a_deforming_slab(self):
        # The stiff slab gives way by micrometres: the block stops where it does on the plane.
        slab = {"bodies.slab": "{mesh: slab.geo, solid: {slab: {youngs_modulus: 1e9, poisson_ratio: 0, density: 1000}}, fixed: [bottom]}",
                "contacts.slide.against": "slab.top", "contacts.slide.geometry": "smooth_surface"}
        for integrator in ("backward_euler", "trapezoidal"):
            with self.subTest(integrator=integrator):
                self.assertAlmostEqual(self.stop(integrator, 0.05, " of a slab", **slab), 0.769, delta=0.01 * 0.769)

    def test_backward_euler_is_of_first_order(self):
        # At constant deceleration each of its steps falls short by h^2 a / 2.
        for step in (0.005, 0.05, 0.1):
            with self.subTest(step=step):
                expected = step * (START_SPEED - FRICTION_TOLERANCE) / 2
                self.assertAlmostEqual(DISTANCE - self.stop("backward_euler", step), expected, delta=0.1 * expected)

    def test_the_trapezoidal_rule_is_exact_at_constant_deceleration(self):
        for step in (0.005, 0.05, 0.1):
            with self.subTest(step=step):
                self.assertAlmostEqual(self.stop("trapezoidal", step), DISTANCE, delta=0.002 * DISTANCE)


if __name__ == "__main__":
    unittest.main()
