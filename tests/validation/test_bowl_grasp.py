"""Pads lift a bowl by friction (P0 Fig. 5), if and only if friction is strong enough for the slope of its wall."""

import unittest

from traction_runs import JOBS, RunTest

SLOPE = 25 / 70                # slope of the bowl's wall, as a tangent: below this coefficient no pressure holds it
TOLERANCE = 1e-3               # [m/s], of friction
LIFT, STEADY, END = 0.15, 0.2, 0.3   # [s]: the pads begin to rise, move at constant speed


class BowlGrasp(RunTest):
    def lift(self, coefficient):
        """How far the pads have risen, how far the bowl has slipped since, and how far since their speed is constant [m]."""
        sets = {f"contacts.{pad}.friction.dynamic": coefficient for pad in ("east", "north", "south")}
        sets |= {"time.end": END, "bodies.bowl.mesh_parameters.element_size": 0.011}
        history = self.simulate(JOBS / "bowl_grasp" / "scene.yaml", ranks=2, timeout=400, sets=sets, out=f"mu_{coefficient}").history
        start, steady = (abs(history["time"] - time).argmin() for time in (LIFT, STEADY))
        slip = history["east.z"] - history["bowl.z"]
        return history["east.z"][-1] - history["east.z"][start], slip[-1] - slip[start], slip[-1] - slip[steady]

    def test_strong_friction_holds_it(self):
        risen, slipped, crept = self.lift(0.65)
        self.assertGreater(risen, 0.02)
        self.assertLess(slipped, 0.05 * risen)             # with the shear of the pads
        self.assertLess(crept, TOLERANCE * (END - STEADY))

    def test_weak_friction_does_not(self):
        risen, slipped, _ = self.lift(0.9 * SLOPE)
        self.assertGreater(slipped, 0.5 * risen)


if __name__ == "__main__":
    unittest.main()
