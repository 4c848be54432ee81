"""Runs without inertia whose loads exceed what friction can bear end with a message that names the friction."""

import json
import unittest

from traction_runs import ShortRunTest, box_text

SOLID = {"solid": {"youngs_modulus": 1e8, "poisson_ratio": 0.3, "density": 1000}}


class FrictionLimit(ShortRunTest):
    def test_friction_that_cannot_bear_a_torque_is_named(self):
        """A collar that is pressed on a shaft turns on it from a torque on."""
        outside = lambda x: max(abs(x[0] - 0.04), abs(x[1] - 0.04)) > 0.04 - 1e-9
        self.write("collar.msh", box_text((4, 4, 1), (0.08, 0.08, 0.02), keep=lambda i, j, k: i in (0, 3) or j in (0, 3), faces={"outside": outside}))
        loads = {"squeeze": {"region": "outside", "pressure": 2e5, "over": [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]},
                 "turn": {"region": "outside", "torque": [0, 0, 10], "over": [{"time": 1, "factor": 0}, {"time": 2, "factor": 1}]}}
        collar = {"mesh": "collar.msh", "solid": SOLID, "fixed": {"region": "bottom", "components": ["z"]}, "loads": loads}
        contact = {"vertices": "collar", "against": "shaft", "thickness": 1e-4, "friction": {"dynamic": 0.2, "tolerance": 1e-6}, "pressure": 2e7}
        scene = {"time": {"step": 0.2, "end": 2, "inertia": False, "maximum_halvings": 4}, "bodies": {"collar": collar}, "contacts": {"fit": contact},
                 "surfaces": {"shaft": {"cylinder": {"point": [0.04, 0.04, 0], "axis": [0, 0, 1], "radius": 0.0199}}}}
        outcome = self.run_program("run", json.dumps(scene))
        self.assertEqual(outcome.code, 3, outcome.errors)
        self.assertRegex(outcome.errors, r"only friction holds body 'collar' against its loads, and (9[0-9]|100) % of what its contacts can bear is used up: it slides or turns")


if __name__ == "__main__":
    unittest.main()
