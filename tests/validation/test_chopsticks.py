"""Two sticks lift a soft ball: the scene of jobs/chopsticks, shortened, against statics."""

import unittest

from traction_runs import JOBS, RunTest

GRAVITY, FRICTION, ARM = 9.81, 0.5, 0.15
SHORT = {"time.end": 0.28, "bodies.ball.mesh_parameters.element_size": 0.003, "output": "{log_every: 1000}", "bodies.ball.initial.translate": "[0, 0, 0.01012]",
         "bodies.hand.driven": "[{vertices: hand, motion: {velocity: [0, 0, 0.1], start: 0.1, ramp: 0.05}}]"}


class Chopsticks(RunTest):
    def lift(self, torque):
        """The history, and the ball's mass: the total less those of the rigid bodies, from their momentum at the end."""
        motor = f"{{torque: {torque}, over: [{{time: 0, factor: 0}}, {{time: 0.08, factor: 1}}]}}"
        outcome = self.simulate(JOBS / "chopsticks" / "scene.yaml", sets={**SHORT, "joints.knuckle.motor": motor}, out=f"torque_{torque}")
        row = outcome.last_row()
        rigid = sum(row[f"{body}.pz"] / row[f"{body}.vz"] for body in ("still", "moving", "hand"))
        return outcome.history, outcome.report["total_mass"] - rigid

    def test_strong_grip_lifts_the_ball(self):
        history, mass = self.lift(0.015)
        row = {name: column[-1] for name, column in history.items()}
        force, weight = 0.015 / ARM, mass * GRAVITY
        print(f"\n  grip forces {row['still_grip.fy']:.5f} and {-row['moving_grip.fy']:.5f} N, {force:.5f} by statics; "
              f"carried {row['still_grip.fz'] + row['moving_grip.fz']:.6f} N, {weight:.6f} by weight", flush=True)
        self.assertAlmostEqual(row["still_grip.fy"], force, delta=0.01 * force)
        self.assertAlmostEqual(-row["moving_grip.fy"], force, delta=0.01 * force)
        self.assertAlmostEqual(row["still_grip.fz"] + row["moving_grip.fz"], weight, delta=0.01 * weight)
        self.assertEqual(row["stand.contacts"], 0)
        self.assertAlmostEqual(row["ball.vz"], row["hand.vz"], delta=4e-4)   # it creeps, slower than the tolerance

    def test_weak_grip_leaves_it(self):
        history, mass = self.lift(0.005)
        self.assertLess(2 * FRICTION * 0.005 / ARM, mass * GRAVITY)
        self.assertGreater(history["stand.contacts"][-1], 0)
        self.assertGreater(history["hand.z"][-1] - history["hand.z"][0], 0.015)
        self.assertLess(history["ball.z"][-1], history["ball.z"][0] + 1e-3)


if __name__ == "__main__":
    unittest.main()
