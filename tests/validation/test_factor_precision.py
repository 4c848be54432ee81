"""The default preconditioner where single precision does not resolve the stiffnesses of a scene: it gives way to double precision, and only there."""

import json
import unittest

from traction_runs import ShortRunTest, box_text

SIDE = 0.1
FACES = {"top": lambda x: x[2] > SIDE - 1e-9, "bottom_face": lambda x: x[2] < 1e-9}
RAMP = [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]


class Precision(ShortRunTest):
    def run_column(self, stiff, out, preconditioner="automatic", ranks=1):
        """A block on a soft one, without inertia, under a load along its top."""
        for name in ("lower", "upper"):
            self.write(f"{name}.msh", box_text((4, 4, 4), (SIDE,) * 3, faces=FACES))
        material = {name: {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.3, "density": 1000}} for name, modulus in (("lower", 1e3), ("upper", stiff))}
        bodies = {"lower": {"mesh": "lower.msh", "solid": material["lower"], "fixed": "bottom_face"},
                  "upper": {"mesh": "upper.msh", "solid": material["upper"], "initial": {"translate": [0, 0, SIDE]},
                            "loads": {"pull": {"region": "top", "traction": [0.5, 0.25, 0], "over": RAMP}}}}
        scene = {"time": {"step": 0.5, "end": 1, "inertia": False}, "bodies": bodies, "attachments": {"glue": {"vertices": "upper.bottom_face", "to": "lower"}},
                 "solver": {"preconditioner": preconditioner}}
        return self.simulate(json.dumps(scene), out=out, ranks=ranks)

    def test_steel_on_foam_is_factorised_in_double_precision(self):
        single = self.run_column(2e11, "single", "mumps_single")
        rate = single.history["linear_iterations"].sum() / single.history["newton_iterations"].sum()
        last = None
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                outcome = self.run_column(2e11, f"automatic{ranks}", ranks=ranks)
                costs = outcome.report["costs"]
                self.assertGreater(costs["double_precision_builds"], 0)
                self.assertLess(outcome.history["linear_iterations"].sum() / outcome.history["newton_iterations"].sum(), rate / 2)
                if last is not None:
                    self.assert_rows_agree(outcome.last_row(), last, 1e-3, ("upper.x", "upper.y"))
                last = outcome.last_row()

    def test_other_scenes_are_factorised_in_single_precision(self):
        for ranks in (1, 2):
            self.assertEqual(self.run_column(1e6, f"alike{ranks}", ranks=ranks).report["costs"]["double_precision_builds"], 0)


if __name__ == "__main__":
    unittest.main()
