"""Bodies that hang on joints, without inertia: what may turn freely is no instability."""

import json
import unittest

from traction_runs import ShortRunTest, box_text

GRAVITY, DENSITY = 9.81, 1000


class HangingBodies(ShortRunTest):
    def test_a_bar_on_a_ball_joint_may_turn_about_itself(self):
        """Nothing resists or drives that turn. The rounding of forces, and small forces without balance, once counted as a drive."""
        self.write("bar.msh", box_text((2, 2, 8), (0.04, 0.04, 0.4)))
        for modulus in (1e5, 1e7, 1e8, 1e9, 2e11):
            for ranks in (1, 2):
                solid = {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.3, "density": DENSITY}}
                scene = {"time": {"step": 0.1, "end": 1, "inertia": False}, "gravity": [0, 0, -GRAVITY], "bodies": {"bar": {"mesh": "bar.msh", "solid": solid}}, "joints": {"pivot": {"kind": "ball", "between": ["bar", "ground"], "at": [0.02, 0.02, 0.4]}}}
                run = self.simulate(json.dumps(scene), out=f"{modulus}_{ranks}", ranks=ranks)
                self.assertNotIn("not near the last one", run.errors)
                self.assertNotIn("is not stable", run.errors)
                self.assertEqual(run.report["costs"]["settled_steps"], 0)
                self.assertAlmostEqual(run.history["pivot.fz"][-1], 0.04 * 0.04 * 0.4 * DENSITY * GRAVITY, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
