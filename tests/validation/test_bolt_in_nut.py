"""A bolt turns into a nut by the pitch of its thread: the scene of jobs/bolt_in_nut, shortened and coarse, against the statics of a screw."""

import math
import unittest

from traction_runs import JOBS, RunTest

PITCH, LOAD, STEPS = 4e-3, 50, 24
SPEED = 4 * math.pi   # [rad/s]
COARSE = {"bodies.nut.mesh_parameters.steps": STEPS, "bodies.bolt.mesh_parameters.steps": STEPS, "bodies.nut.mesh_parameters.element_size": 0.0026,
          "bodies.bolt.mesh_parameters.turns": 3, "time.step": 5e-3, "time.integrator": "backward_euler", "output": "{log_every: 1000}"}


class BoltInNut(RunTest):
    def test_it_advances_by_its_pitch_per_turn(self):
        over = "[{time: 0.05, factor: 0}, {time: 0.06, factor: 1}]"
        sets = {**COARSE, "time.end": 0.18, "joints.spindle.motor": f"{{speed: {SPEED}, over: {over}}}", "pressure_contacts.thread.friction.dynamic": 0}
        history = self.simulate(JOBS / "bolt_in_nut" / "scene.yaml", sets=sets, timeout=300).history
        time, angle, z = history["time"], history["spindle.angle"], history["bolt.z"]
        held = abs(time - 0.05).argmin()
        # The bolt stands under its load: the driver keeps it from turning, by the work of the load over a turn.
        torque = -LOAD * PITCH / (2 * math.pi)
        self.assertAlmostEqual(history["spindle.motor_torque"][held], torque, delta=0.06 * abs(torque))   # facets that do not lie on each other exactly
        # After whole facets of the thread the surfaces touch as before.
        facet = 2 * math.pi / STEPS
        found = None
        for k in range(held + 1, len(time)):
            facets = math.floor(angle[k] / facet)
            if facets >= 2 and angle[k - 1] < facets * facet:
                part = (facets * facet - angle[k - 1]) / (angle[k] - angle[k - 1])
                found = facets, z[k - 1] + part * (z[k] - z[k - 1])
        facets, height = found
        advance = (z[held] - height) / facets * STEPS
        print(f"\n  torque {1e3 * history['spindle.motor_torque'][held]:.2f} mN m, {1e3 * torque:.2f} by statics; advance over {facets} facets {1e3 * advance:.4f} mm per turn", flush=True)
        self.assertAlmostEqual(advance, PITCH, delta=0.005 * PITCH)


if __name__ == "__main__":
    unittest.main()
