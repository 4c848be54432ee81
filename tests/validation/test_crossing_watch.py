"""A run warns once of each two surfaces that pass into each other, on any number of ranks, and of nothing else."""

import json
import re
import unittest

from edge_shapes import Shape, cube, sheet
from traction_runs import RunTest

SOFT = {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": 1000}}
EDGE = 0.1


class CrossingWatch(RunTest):
    def setUp(self):
        super().setUp()
        self.write("cube.msh", cube(EDGE).gmsh())
        self.write("floor.obj", sheet((2, 2), (2, 2)).obj())

    def scene(self, **parts):
        """Two cubes, the upper one 4 cm above the lower, which flies up to it by 6 cm within 60 ms."""
        bodies = {"lower": {"mesh": "cube.msh", "solid": SOFT, "initial": {"velocity": [0, 0, 1]}},
                  "upper": {"mesh": "cube.msh", "solid": SOFT, "initial": {"translate": [0.045, 0.012, EDGE + 0.04]}}}
        return {"time": {"step": 5e-3, "end": 0.06}, "bodies": bodies, "output": {"every": 0.01}, **parts}

    def warnings(self, scene, **arguments):
        run = self.simulate(json.dumps(scene), **arguments)
        return [line for line in run.errors.splitlines() + run.output.splitlines() if "pass into" in line or "passes into" in line]

    def test_bodies_without_contact(self):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                found = self.warnings(self.scene(), ranks=ranks, out=f"out{ranks}")
                self.assertEqual(len(found), 1, found)
                self.assertIn("'lower' and 'upper' pass into each other", found[0])
                self.assertIn("no contact is between them", found[0])
                # The first frame after 40 ms, at which they touch.
                self.assertAlmostEqual(float(re.search(r"t = ([\d.]+) s", found[0])[1]), 0.05, delta=1e-9)
                self.assertAlmostEqual(float(re.search(r"by ([\d.]+) m", found[0])[1]), 0.01, delta=1e-6)

    def test_without_frames_the_end_is_looked_at(self):
        scene = self.scene()
        del scene["output"]
        found = self.warnings(scene)
        self.assertEqual(len(found), 1, found)
        self.assertAlmostEqual(float(re.search(r"t = ([\d.]+) s", found[0])[1]), 0.06, delta=1e-9)

    def test_contact_joints_and_an_early_end_need_no_warning(self):
        contact = {"everything": {"all": True, "thickness": 1e-3}}
        spring = {"tie": {"from": "lower", "to": "upper", "stiffness": 1e-9}}
        for parts in ({"contacts": contact}, {"springs": spring}, {"time": {"step": 5e-3, "end": 0.035}}):
            with self.subTest(parts=parts):
                self.assertEqual(self.warnings(self.scene(**parts)), [])

    def test_bodies_that_a_third_one_joins_are_watched(self):
        scene = self.scene(springs={"one": {"from": "lower", "to": "far", "stiffness": 1e-9}, "other": {"from": "far", "to": "upper", "stiffness": 1e-9}})
        scene["bodies"]["far"] = {"mesh": "cube.msh", "solid": SOFT, "initial": {"translate": [1, 0, 0]}}
        found = self.warnings(scene)
        self.assertEqual(len(found), 1, found)
        self.assertIn("'lower' and 'upper' pass into each other", found[0])

    def test_obstacles(self):
        scene = self.scene(surfaces={"floor": {"mesh": {"file": "floor.obj"}}})
        scene["bodies"] = {"block": {"mesh": "cube.msh", "solid": SOFT, "initial": {"translate": [0.013, 0.021, 0.04], "velocity": [0, 0, -1]}}}
        found = self.warnings(scene)
        self.assertEqual(len(found), 1, found)
        self.assertIn("'block' and 'floor' pass into each other", found[0])
        scene["contacts"] = {"landing": {"vertices": "block", "against": "floor", "thickness": 1e-3}}
        self.assertEqual(self.warnings(scene, out="held"), [])

    def test_a_region_alone_does_not_hold_the_rest(self):
        """Only the top of a cube is named: it falls through the floor, and comes to rest on its top at best."""
        self.write("topped.msh", cube(EDGE).gmsh_with({"top": lambda corners: bool((corners[:, 2] > EDGE - 1e-9).all())}))
        block = {"mesh": "topped.msh", "solid": SOFT, "initial": {"translate": [0, 0, 0.02], "velocity": [0, 0, -1]}}
        for floor in ({"plane": {"point": [0, 0, 0]}}, {"box": {"lower": [-1, -1, -1], "upper": [1, 1, 0]}}):
            scene = self.scene(bodies={"block": block}, surfaces={"floor": floor}, contacts={"landing": {"vertices": "block.top", "against": "floor", "thickness": 1e-3}})
            found = self.warnings(scene, out=next(iter(floor)))
            self.assertEqual(len(found), 1, found)
            self.assertIn("'block' and 'floor' pass into each other", found[0])
            self.assertIn("it names regions", found[0])
            scene["contacts"]["landing"]["vertices"] = "block"
            self.assertEqual(self.warnings(scene, out="whole_" + next(iter(floor))), [])

    def test_what_touches_at_the_start_may_cross_later(self):
        """The block starts a rounding error below the plane, which is no crossing, and a second one starts far below, which is one that the user knows of."""
        block = {"mesh": "cube.msh", "solid": SOFT, "initial": {"translate": [0, 0, -1e-12], "velocity": [0, 0, -1]}}
        scene = self.scene(bodies={"block": block, "sunk": {**block, "initial": {"translate": [0.5, 0, -0.05], "velocity": [0, 0, -1]}}}, surfaces={"floor": {"plane": {"point": [0, 0, 0]}}})
        found = self.warnings(scene)
        self.assertEqual(len(found), 1, found)
        self.assertIn("'block' and 'floor' pass into each other", found[0])

    def test_bodies_that_overlap_at_the_start(self):
        """A cube lies in the corner of another one, which is said once, before the first step, and by `check` too."""
        text = "'lower' and 'upper' overlap at the start near ("
        def placed(height, **parts):
            scene = self.scene(time={"step": 5e-3, "end": 0.01}, gravity=[0, 0, 0], **parts)
            for body in scene["bodies"].values():
                body["initial"].pop("velocity", None)
            scene["bodies"]["upper"]["initial"]["translate"] = [0.045, 0.012, height]
            return json.dumps(scene)
        for ranks in (1, 2):
            checked = self.run_program("check", self.write("scene.yaml", placed(0.07)), ranks=ranks)
            run = self.simulate(placed(0.07), ranks=ranks, out=f"out{ranks}")
            for outcome in (checked, run):
                self.assertEqual(outcome.code, 0, outcome.errors)
                self.assertEqual(outcome.errors.count(text), 1, outcome.errors)
                for part in ("and no contact is between them", "Move them apart and name them in a contact (vertices: lower, against: upper), or join them by an attachment"):
                    self.assertIn(part, outcome.errors)
            self.assertNotIn("pass into", run.errors)
            self.assertRegex(checked.output, "# good, with [0-9]+ warning")
        self.assertNotIn(text, self.resume(sets={"time.end": 0.02}, out="out1").errors)
        spring = {"tie": {"from": "lower", "to": "upper", "stiffness": 1e-9}}
        tie = {"tie": {"vertices": "upper", "to": "lower"}}
        for scene in (placed(EDGE), placed(0.11), placed(0.07, springs=spring), placed(EDGE, attachments=tie)):
            self.assertNotIn("overlap at the start", self.run_program("check", self.write("scene.yaml", scene)).errors)

    def test_a_body_passes_into_itself(self):
        """One of its two pieces is driven into the other."""
        low, high = cube(EDGE), cube(EDGE).moved((0.045, 0.012, EDGE + 0.04))
        pieces = Shape([*low.points, *high.points], [*low.cells, *(high.cells + len(low.points))])
        self.write("pieces.msh", pieces.gmsh_with({"low": lambda corners: bool((corners[:, 2] < EDGE + 1e-9).all()), "high": lambda corners: bool((corners[:, 2] > EDGE + 1e-9).all())}))
        scene = self.scene(bodies={"pair": {"mesh": "pieces.msh", "solid": SOFT, "fixed": ["low"], "driven": [{"vertices": "high", "motion": {"velocity": [0, 0, -1]}}]}})
        found = self.warnings(scene)
        self.assertEqual(len(found), 1, found)
        self.assertIn("'pair' passes into itself", found[0])
        self.assertIn("no contact is between its parts", found[0])


if __name__ == "__main__":
    unittest.main()
