"""Coarse bodies with edges and faces pass through nothing, where prescribed motions push other contacts, and where contact is damped: by a test of triangles that
shares no code with contact."""

import pathlib
import sys
import unittest

from edge_scenes import DEFAULT, Builder
from edge_shapes import box, upside_down, wedge
from traction_runs import ShortRunTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))

from run_crossing import check_run  # noqa: E402

RIMS = {  # axis and angle of the cube's start, place above the rim, velocity, angular velocity; all passed through the plate, by up to 11 mm
    "edge first": ((-0.2, 0.5, 0.8), 107, (0.55, -0.2, 0.12), (-0.45, 0.3, -2.9), (1.5, -2.7, -0.65)),
    "corner first": ((0.6, 1.3, -0.4), 40, (0.53, -0.08, 0.115), (-0.4, 0, -1.3), (-2.6, -2.4, -3.2)),
    "sideways": ((1.1, -0.3, 0.2), 200, (0.51, 0.19, 0.12), (0.3, 0, -2.4), (-2, -2.2, -2.5)),
}


class NothingPasses(ShortRunTest):
    def holds(self, builder, ranks):
        builder.done().write(self.folder)
        for count in ranks:
            out = f"out_{len(list(self.folder.glob('out*')))}"
            outcome = self.simulate(self.folder / "scene.yaml", ranks=count, out=out)
            crossed = [(time, item.pair, item.crossing.depth) for time, found in check_run(outcome.directory) for item in found if item.crossing.depth > 1e-9]
            self.assertEqual(crossed, [], outcome.errors)
            yield outcome

    def test_a_blade_presses_a_pad_on_a_table(self):
        """The blade moves as prescribed. What the pad does about the table, on which nothing is prescribed, must be looked at, too."""
        for kind in ("obstacle", "body"):
            with self.subTest(kind):
                b = Builder("knife", DEFAULT, step=0.05, end=0.35, friction=0.3)
                b.support(kind, "table", box((1, 1, 0.1)), (0, 0, -0.1))
                b.body("pad", box((0.1, 0.1, 0.05), (3, 3, 2)), (0, 0, 1e-3), youngs_modulus=1e6)
                b.body("blade", upside_down(wedge(0.03, 0.08, 0.14)), (0.007, 0.004, 0.06), youngs_modulus=2e11)
                b.scene["bodies"]["blade"]["driven"] = [{"vertices": "solid", "motion": {"velocity": [0, 0, -0.035]}}]
                b.touch("pad", "table")
                b.touch("blade", "pad")
                for outcome in self.holds(b, (1, 2, 4)):
                    self.assertGreater(outcome.history["pad.z"].min(), 0.02)

    def test_damped_contact_on_a_rim(self):
        """Cubes that turn fall on the rim of a plate. Hunt and Crossley's factor is zero where a stage's velocity leads apart, even while its positions close up."""
        for name, (axis, angle, place, velocity, spin) in RIMS.items():
            for damping in (5, 50):
                with self.subTest(name, damping=damping):
                    b = Builder("rim", DEFAULT, step=0.01, end=0.2, friction=0.4)
                    b.fixed("floor", box((1, 1, 0.1), (6, 6, 1)), (0, 0, -0.1))
                    cube = box((0.1, 0.1, 0.1), (3, 3, 3))
                    b.body("cube", cube.moved(-cube.centroid).turned(axis, angle), place, youngs_modulus=1e6, velocity=list(velocity), angular_velocity=list(spin))
                    b.touch("cube", "floor", damping=damping)
                    for outcome in self.holds(b, (1,)):
                        self.assertLessEqual(outcome.history["work_contact_damping"].max(), 0)


if __name__ == "__main__":
    unittest.main()
