"""Bodies that are attached somewhere, and touch each other elsewhere: they start nearer to each other than the contact's thickness, as things that lie do."""

import unittest

from test_plastic_shells import strip_text
from traction_runs import ShortRunTest, box_text

SOFT = "solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}"
THICKNESS = 1e-3  # at which contact sets in
GAP = 0.9e-3      # when the runs begin


class ThingsThatLie(ShortRunTest):
    """A cable, a cloth, and a lid that are attached at one end to the block on which they lie. Contact carries each of them, wherever it is farther from the
    attachment than twice the contact's reach."""

    SCENE = """\
time: {{step: 2e-3, end: 0.2}}
gravity: [0, 0, -9.81]
bodies:
  block: {{mesh: block.msh, solid: {{solid: {{youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}}}, fixed: bottom, initial: {{translate: [0, 0, -0.02]}}}}
  thing: {{{thing}}}
attachments: {{end: {{vertices: thing.{end}, to: block, largest_gap: 0.01}}}}
contacts: {{touch: {{all: true, thickness: 1e-3}}}}
"""

    def lies(self, thing, end, height, deepest, ranks=(1, 2)):
        """`height`: of the thing's middle at the start, `deepest`: how far it may sink [m]."""
        self.write("block.msh", box_text((8, 3, 2), (0.2, 0.06, 0.02)))
        ends = []
        for number in ranks:
            outcome = self.simulate(self.SCENE.format(thing=thing, end=end), ranks=number, out=f"out_{number}")
            self.assertNotIn("apart at rest", outcome.output + outcome.errors)
            heights = outcome.history["thing.z"]
            self.assertAlmostEqual(heights[0], height, delta=2e-4)
            self.assertGreater(heights[-1], height - deepest)
            self.assertLess(heights[-1], height + THICKNESS)
            ends.append(heights[-1])
        self.assertAlmostEqual(ends[0], ends[-1], delta=1e-5)

    def test_a_cable(self):
        radius = 2e-3
        self.write("cable.txt", "".join(f"{0.03 + 0.01 * k:.9g} 0.03 {radius + GAP:.9g}\n" for k in range(15)))
        self.lies(f"mesh: cable.txt, rod: {{rod: {{radius: {radius}, youngs_modulus: 1e6, density: 1000}}}}, damping: {{mass: 50}}", "first_point", radius + GAP,
                  GAP)

    def test_a_cloth(self):
        gap = 0.99e-3   # a cloth is so light that more compression would throw it up
        self.write("cloth.msh", strip_text((14, 4), 0.14, 0.04))
        self.lies(f"mesh: cloth.msh, shell: {{sheet: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000, thickness: 2e-4}}}}, damping: {{mass: 50}}, "
                  f"initial: {{translate: [0.03, 0.01, {gap + 1e-4}]}}", "clamp", gap + 1e-4, gap, (1,))

    def test_a_lid(self):
        self.write("lid.msh", box_text((5, 3, 2), (0.1, 0.04, 0.01), points={"hinge": lambda x: x[0] < 1e-9 and x[2] < 1e-9}))
        self.lies(f"mesh: lid.msh, {SOFT}, damping: {{mass: 50}}, initial: {{translate: [0.03, 0.01, {GAP}]}}, loads: {{press: {{region: solid, "
                  "body_force: [0, 0, -50]}}", "hinge", 5e-3 + GAP, GAP, (1,))


class Leaves(ShortRunTest):
    """Two leaves whose left ends are attached to one base; the upper one is pressed on the lower one."""

    SCENE = f"""\
time: {{step: 1e-2, end: 0.2}}
bodies:
  upper: {{mesh: leaf.msh, {SOFT}, damping: {{mass: 20}}, initial: {{translate: [0, 0, HEIGHT]}}, loads: {{press: {{region: top, traction: [0, 0, -100]}}}}}}
  lower: {{mesh: leaf.msh, {SOFT}, damping: {{mass: 20}}}}
  base: {{mesh: base.msh, rigid: {{density: 1000}}, fixed: solid, initial: {{translate: [-0.02, 0, -0.01]}}}}
attachments: {{a: {{vertices: upper.left, to: base}}, b: {{vertices: lower.left, to: base}}}}
contacts: {{touch: {{both: [upper.bottom, lower.top], thickness: 1e-3}}}}
"""

    def test_the_upper_one_lies_on_the_lower_one(self):
        self.write("leaf.msh", box_text((6, 2, 1), (0.12, 0.04, 0.01), faces={"left": lambda x: x[0] < 1e-9, "top": lambda x: x[2] > 0.01 - 1e-9}))
        self.write("base.msh", box_text((1, 2, 2), (0.02, 0.04, 0.04)))
        forces = []
        for gap, ranks in ((GAP, 1), (GAP, 2), (1.2e-3, 1)):
            outcome = self.simulate(self.SCENE.replace("HEIGHT", str(0.01 + gap)), ranks=ranks, out=f"out_{gap}_{ranks}")
            heights = outcome.history["upper.z"] - outcome.history["lower.z"]
            self.assertGreater(heights[-1], 0.01)
            self.assertLess(heights[-1], 0.01 + 1.2 * THICKNESS)
            forces.append(outcome.history["touch.fz"][-1])
        self.assertAlmostEqual(forces[0], forces[1], delta=1e-3 * forces[1])
        self.assertGreater(forces[0], 2 * forces[2])  # the leaf bends down from the wider gap until it lies, and carries more itself


class RegionsOfOneBody(ShortRunTest):
    def test_lips_that_start_too_near_to_touch_are_named(self):
        """Two regions of one body, nearer at rest than 1.05 times the contact's thickness, count as neighbours along its surface."""
        slot = lambda i, j, k: not (k == 1 and i > 0)
        faces = {"lower_lip": lambda x: abs(x[2] - 2e-3) < 1e-9, "upper_lip": lambda x: abs(x[2] - 4e-3) < 1e-9}
        self.write("clip.msh", box_text((6, 2, 3), (0.06, 0.01, 6e-3), keep=slot, faces=faces))
        for thickness, named in ((2e-3, True), (1.8e-3, False)):
            outcome = self.simulate(f"""\
time: {{step: 1e-3, end: 1e-3}}
bodies: {{clip: {{mesh: clip.msh, {SOFT}}}}}
contacts: {{lips: {{vertices: clip.upper_lip, against: clip.lower_lip, thickness: {thickness}}}}}
""", out=f"out_{thickness}")
            self.assertEqual("faces of 'clip' are 0.002 m apart at rest" in outcome.output + outcome.errors, named)


if __name__ == "__main__":
    unittest.main()
