"""Two things whose motions are prescribed pass through each other, and the log warns when they meet; free bodies touch held ones."""

import re
import unittest

from traction_runs import ShortRunTest, box_text

SOFT = "solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}"
GAP, SPEED, STEP = 0.1, 10.0, 1e-3
# A box 0.1 m below the fixed bottom of a block.
SCENE = """\
time: {step: 1e-3, end: 0.015}
bodies:
  block: {mesh: block.msh, SOFT, initial: {translate: [0, 0, 0.2]}, fixed: bottom}
  box: {mesh: box.msh, BODY, initial: {translate: [0.1, 0.1, 0], VELOCITY}, driven: [DRIVEN]}
contacts: {touch: {TOUCH, thickness: 1e-3}}
"""
UP = f"{{vertices: solid, motion: {{velocity: [0, 0, {SPEED}]}}}}"
KINDS = ("all: true", "both: [box, block]")
SMOOTH = "vertices: box.surface, against: block.surface, geometry: smooth_surface"
SHAPES = {"plane": "plane: {point: [0, 0, 0.2], normal: [0, 0, -1]}", "sphere": "sphere: {center: [0.05, 0.05, 0.25], radius: 0.1}",
          "box": "box: {lower: [-1, -1, 0.2], upper: [1, 1, 0.3]}", "mesh": "mesh: {file: roof.obj}"}


class Meetings(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((3, 3, 3), (0.3, 0.3, 0.3)))
        self.write("box.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1)))
        self.write("roof.obj", "v -1 -1 0.2\nv 1 -1 0.2\nv 1 1 0.2\nv -1 1 0.2\nf 1 3 2\nf 1 4 3\n")

    def scene(self, touch=KINDS[0], body=SOFT, velocity="velocity: [0, 0, 0]", driven=UP):
        return SCENE.replace("BODY", body).replace("VELOCITY", velocity).replace("DRIVEN", driven).replace("TOUCH", touch).replace("SOFT", SOFT)

    def meetings(self, scene, **arguments):
        """(first, second, time of the step's end) of all warnings, and the outcome."""
        outcome = self.simulate(scene, **arguments)
        found = re.findall(r"at t = (\S+) s: '(.*)' and '(.*)' run into each other near", outcome.errors)
        self.assertEqual(len(found), outcome.errors.count("run into each other"), outcome.errors)
        return [({first, second}, float(time)) for time, first, second in found], outcome

    def test_a_driven_body_runs_into_a_fixed_face(self):
        for touch in KINDS:
            for body in (SOFT, "rigid: {density: 1000}"):
                for ranks in (1, 2):
                    with self.subTest(touch, body=body, ranks=ranks):
                        found, outcome = self.meetings(self.scene(touch, body), ranks=ranks, out=f"out{KINDS.index(touch)}{body[:5]}{ranks}")
                        self.assertEqual(len(found), 1, outcome.errors)
                        self.assertEqual(found[0][0], {"box", "block"})
                        self.assertAlmostEqual(found[0][1], GAP / SPEED, delta=1.01 * STEP)
                        self.assertIn("contact 'touch' moves neither", outcome.errors)
                        self.assertIn("leave one of them free", outcome.errors)

    def test_a_step_that_fails_by_it_names_it(self):
        """The smooth surface reaches around the fixed face, where the block is free."""
        for ranks in (1, 2):
            outcome = self.run_program("run", self.scene(SMOOTH), ranks=ranks, out=f"out{ranks}")
            self.assertEqual(outcome.code, 3)
            error, = outcome.error_lines()
            self.assertRegex(error, "'box' and 'block' run into each other near .* contact 'touch' moves neither")

    def test_what_is_free_bounces_off_a_fixed_face(self):
        for touch in (*KINDS, SMOOTH):
            with self.subTest(touch):
                found, outcome = self.meetings(self.scene(touch, velocity="velocity: [0, 0, 1]", driven=""), sets={"time.end": 0.2}, out=f"out{touch[:3]}")
                self.assertEqual(found, [])
                self.assertLess(outcome.history["box.vz"][-1], -0.3)
                self.assertLess(outcome.history["box.z"].max(), 0.2)

    def test_what_passes_by_meets_nothing(self):
        for driven, end in ((UP.replace("[0, 0, ", "[0, 0, -"), 0.03), (UP.replace("[0, 0, ", "[10, 0, "), 0.008), (f"{{vertices: solid, motion: {{velocity: [{SPEED}, 0, 0]}}}}", 0.03)):
            with self.subTest(driven):
                self.assertEqual(self.meetings(self.scene(driven=driven), sets={"time.end": end}, out=f"out{driven[-9]}{end}")[0], [])

    def test_a_driven_body_and_an_obstacle_run_into_each_other(self):
        aside = "solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}, initial: {translate: [0, 0, 0.2]}"
        still = self.scene().replace("translate: [0.1, 0.1, 0]", "translate: [0, 0, 0]").replace(aside, aside.replace("[0, 0, 0.2]", "[9, 9, -9]"))
        for name, shape in SHAPES.items():
            for who, driven, motion in (("the body", SPEED, ""), ("the obstacle", 0.0, f", motion: {{velocity: [0, 0, {-SPEED}]}}")):
                with self.subTest(name, moves=who):
                    scene = still.replace(f"[0, 0, {SPEED}]", f"[0, 0, {driven}]") + f"surfaces: {{roof: {{{shape}{motion}}}}}\n"
                    found, outcome = self.meetings(scene, out=f"{name}{driven}")
                    self.assertEqual([pair for pair, _ in found], [{"box", "roof"}], outcome.errors)
                    # The sphere's lowest point is at 0.15 m, above the middle of the box's face, where it has a vertex.
                    self.assertAlmostEqual(found[0][1], (0.05 if name == "sphere" else GAP) / SPEED, delta=1.01 * STEP)

    def test_what_slides_along_what_it_touches_runs_into_nothing(self):
        floor = "surfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
        for name, x in (("apart", "[0.1, 0.1, 1e-4]"), ("at zero gap", "[0.1, 0.1, 0]")):
            with self.subTest(name):
                scene = self.scene(driven="{vertices: bottom, motion: {velocity: [3, 2, 0]}}").replace("[0.1, 0.1, 0]", x) + floor
                self.assertEqual(self.meetings(scene, out=name)[0], [])


if __name__ == "__main__":
    unittest.main()
