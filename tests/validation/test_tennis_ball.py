"""A tennis ball dropped from 2.54 m (P0 Fig. 10), on a coarse mesh: what its rebound owes to pressure, integrator and time step."""

import math
import unittest

import numpy

from traction_runs import JOBS, RunTest

GRAVITY, DROP, RADIUS, CONTACT_THICKNESS = 9.81, 2.54, 33e-3, 5e-4
LIGHTEST, HEAVIEST = 56.0e-3, 59.4e-3   # a ball's mass by the rules of tennis [kg]
END = 0.735                             # [s]: just after the bounce
IMPACT_STEPS = (5e-4, 2e-4)             # [s]
FLIGHT_STEP = 2.5e-3                    # [s]


class TennisBall(RunTest):
    rebounds = {}

    def drop(self, integrator, step, **more):
        """Height [m] to which the ball's lowest point would rise, by its energy after the bounce. Runs once for all tests."""
        key = (integrator, step, *more.items())
        if key not in self.rebounds:
            self.rebounds[key] = self.measure(integrator, step, more)
        return self.rebounds[key]

    def measure(self, integrator, step, more):
        sets = {"bodies.ball.mesh_parameters.element_size": 8e-3, "time.integrator": integrator, "time.step.1.step": step, "time.end": END,
                "output": "{}", **more}
        history = self.simulate(JOBS / "tennis_ball_drop" / "scene.yaml", ranks=2, sets=sets, timeout=240).history
        touching = numpy.nonzero(history["contacts"])[0]
        first, last = history["time"][touching[0]], history["time"][touching[-1]]
        self.assertLess(last, history["time"][-1], "the ball does not lift off")
        # Backward Euler falls h v / 2 too far in a time t = v / g; the others follow a parabola exactly.
        lag = FLIGHT_STEP / 2 if integrator == "backward_euler" else 0
        expected = math.hypot(math.sqrt(2 * (DROP - CONTACT_THICKNESS) / GRAVITY), lag) - lag
        self.assertAlmostEqual(first, expected, delta=step)
        rebound = history["ball.vz"][-1] ** 2 / (2 * GRAVITY) + history["ball.z"][-1] - RADIUS
        self.assertGreater(history["ball.vz"][-1], 0)
        self.assertLess(rebound, DROP)
        print(f"\n  {integrator}, h = {step} s {more or ''}: contact from {first:.4f} to {last:.4f} s, rebound {rebound:.4f} m", flush=True)
        return rebound

    def test_mass(self):
        for size in ("4e-3", "8e-3"):
            report = self.simulate(JOBS / "tennis_ball_drop" / "scene.yaml", ranks=2, out=size,
                                   sets={"time.end": 2.5e-3, "bodies.ball.mesh_parameters.element_size": size}).report
            print(f"\n  element size {size} m: {report['elements']} elements, {1e3 * report['total_mass']:.3f} g", flush=True)
            self.assertTrue(LIGHTEST <= report["total_mass"] <= HEAVIEST, report["total_mass"])

    def test_pressure_makes_it_bounce(self):
        unpressurised = self.drop("sdirk2", IMPACT_STEPS[0], **{"bodies.ball.volume.gauge_pressure": 0})
        self.assertGreater(self.drop("sdirk2", IMPACT_STEPS[0]), unpressurised)

    def test_an_impact_takes_few_iterations(self):
        """100 mph against a wall: ten iterations for the two stages of a step, once as many as 26 (docs/theory/newton.md, "Vertices in contact first")."""
        history = self.simulate(JOBS / "tennis_ball_wall" / "scene.yaml", sets={"time.end": 4e-4, "output": "{}"}, timeout=240).history
        self.assertEqual(len(history["step"]), 8)
        self.assertEqual(numpy.count_nonzero(history["contacts"]), 8)
        # 75 measured on one rank and on two, 83 on a processor with longer vectors, and 163 without solving for vertices in contact first. A fifth is room for other
        # meshes of Gmsh and other roundings.
        self.assertLessEqual(history["newton_iterations"].sum(), 90)

    def test_damping_of_the_integrators(self):
        lost = {integrator: [self.drop("sdirk2", step) - self.drop(integrator, step) for step in IMPACT_STEPS]
                for integrator in ("backward_euler", "bdf2")}
        for coarse, fine in lost.values():
            self.assertGreater(fine, 0)
            self.assertLess(fine, coarse)
        self.assertGreater(lost["backward_euler"][1], lost["bdf2"][0])


if __name__ == "__main__":
    unittest.main()
