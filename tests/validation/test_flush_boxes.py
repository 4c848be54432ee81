"""Boxes that lie side by side or overlap act like one obstacle: what slides over them feels no ridge at their seams, and they carry its weight together."""

import unittest

from traction_runs import RunTest, box_text

SPEED, GRAVITY = 0.5, 981.0     # [m/s], [m/s^2]
WEIGHT = 0.1 * 0.1 * 0.05 * 1000 * GRAVITY


def box(lower, upper):
    return f"{{box: {{lower: {list(lower)}, upper: {list(upper)}}}"


FLOORS = {
    "side by side": [((-0.6, -0.3, -0.1), (0.05, 0.3, 0)), ((0.05, -0.3, -0.1), (0.7, 0.3, 0))],
    "overlapping": [((-0.6, -0.3, -0.1), (0.07, 0.3, 0)), ((0.03, -0.2, -0.2), (0.7, 0.4, 0))],
    "three at a corner": [((-0.6, -0.3, -0.1), (0.05, 0.3, 0)), ((0.05, -0.3, -0.05), (0.7, 0.02, 0)), ((0.05, 0.02, -0.1), (0.7, 0.4, 0))],
    "let into another": [((-0.6, -0.3, -0.1), (0.7, 0.3, 0)), ((0.04, -0.02, -0.05), (0.06, 0.05, 0))],
    "one less deep": [((-0.6, -0.3, -0.02), (0.05, 0.3, 0)), ((0.05, -0.3, -0.1), (0.7, 0.3, 0))],
}


class FlushBoxes(RunTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((1, 1, 1), (0.1, 0.1, 0.05)))

    def slide(self, boxes, contact_of_all, *arguments, **more):
        return self.slide_and_log(boxes, contact_of_all, *arguments, **more).history

    def slide_and_log(self, boxes, contact_of_all, ranks=1, velocity=(SPEED, 0, 0), end=0.3, motion="", friction="", place=(-0.05, 0.013, 9e-4)):
        """A block that is pressed so hard that the contact gives way by a fifth of its thickness."""
        names = [f"floor{number}" for number in range(len(boxes))]
        surfaces = "\n".join(f"  {name}: {box(*each)}{motion}}}" for name, each in zip(names, boxes))
        contacts = f"  everything: {{all: true, thickness: 1e-3{friction}}}" if contact_of_all else "\n".join(
            f"  on_{name}: {{vertices: block, against: {name}, thickness: 1e-3{friction}}}" for name in names)
        return self.simulate(f"""\
time: {{step: 2e-3, end: {end}}}
gravity: [0, 0, -{GRAVITY}]
bodies:
  block:
    mesh: block.msh
    solid: {{solid: {{youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}}}
    damping: {{stiffness: 1e-4}}
    initial: {{rotate: {{angle: 13}}, translate: {list(place)}, velocity: {list(velocity)}, equilibrium: true}}
surfaces:
{surfaces}
contacts:
{contacts}
""", ranks=ranks, out=f"out{ranks}{contact_of_all}")

    def check_that_nothing_is_felt(self, history):
        self.assertLess(abs(history["block.vx"] - SPEED).max(), 1e-8)
        self.assertLess(abs(history["block.vy"]).max(), 1e-8)
        self.assertLess(history["block.z"].max() - history["block.z"].min(), 1e-8)

    def test_nothing_is_felt_at_seams(self):
        for name, boxes in FLOORS.items():
            with self.subTest(floor=name):
                self.check_that_nothing_is_felt(self.slide(boxes, True, end=0.24))

    def test_boxes_in_contacts_of_their_own_carry_the_weight_together(self):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                boxes = FLOORS["three at a corner"]
                history = self.slide(boxes, False, ranks, place=(-0.12, 0.013, 9e-4), end=0.38)
                self.check_that_nothing_is_felt(history)
                forces = [abs(history[f"on_floor{number}.fz"]) for number in range(len(boxes))]
                self.assertLess(abs(sum(forces) - WEIGHT).max(), 1e-5 * WEIGHT)
                self.assertEqual([force[0] > 0 for force in forces], [True, False, False])
                self.assertEqual([force[-1] > 0 for force in forces], [False, True, True])

    def test_a_box_that_others_would_cut_into_too_many_parts_stays_apart_alone(self):
        places = [(2 + 0.025 * i, -0.45 + 0.025 * i) for i in range(36)]
        crowd = [((1.9, -0.5, -0.1), (3, 0.5, 0)), *[((x, y, 0), (x + 0.01, y + 0.01, 0.01)) for x, y in places]]
        outcome = self.slide_and_log([*FLOORS["side by side"], *crowd], True, end=0.24)
        self.check_that_nothing_is_felt(outcome.history)
        warnings = [line for line in outcome.errors.splitlines() if "It therefore keeps its edges and corners" in line]
        self.assertEqual(len(warnings), 1, outcome.errors)
        self.assertIn("surfaces.floor2: the 36 boxes that 'floor2' touches would cut one of its faces into 5329 parts, more than 5000", warnings[0])

    def test_boxes_that_move_together(self):
        """A block that stays where it is while both boxes move below it."""
        history = self.slide(FLOORS["side by side"], True, velocity=(0, 0, 0), motion=f", motion: {{velocity: [-{SPEED}, 0, 0]}}")
        self.assertLess(abs(history["block.vx"]).max(), 1e-8)

    def test_friction_is_coulombs(self):
        for contact_of_all in (True, False):
            history = self.slide(FLOORS["side by side"], contact_of_all, end=0.2, friction=", friction: {dynamic: 0.001, tolerance: 1e-3}")
            self.assertLess(abs(history["block.vx"][-1] - (SPEED - 0.001 * GRAVITY * 0.2)), 1e-3 * SPEED)

    def test_a_step_stops_the_block(self):
        """The corner between a box and a higher one is none that holds the block away, or lets it pass."""
        history = self.slide([((-0.6, -0.3, -0.1), (0.1, 0.3, 0)), ((0.1, -0.3, -0.1), (0.7, 0.3, 0.03))], True, end=0.4)
        reach = 0.1 / 2 * 1.2 + 1e-3    # half of the turned block and the thickness
        self.assertLess(history["block.x"].max(), 0.1)
        self.assertGreater(history["block.x"].max(), 0.1 - reach - 2e-3)
        self.assertLess(history["block.vx"][-1], 0)
        self.assertGreater(history["block.z"].min(), 0.025)

    def test_held_bodies_that_are_flush_are_warned_of(self):
        """Bodies of meshes that do not match keep their ridge."""
        words = "bodies 'left' and 'right' are held, and faces of them lie flush side by side"
        self.write("plate.msh", box_text((2, 2, 1), (0.3, 0.3, 0.1)))
        self.write("other.msh", box_text((3, 3, 1), (0.3, 0.3, 0.1)))
        solid = "solid: {solid: {youngs_modulus: 1e9, poisson_ratio: 0.3, density: 1000}}"
        for place, fixed, contact, warns in (((0.3, 0, 0), "solid", "all: true", True), ((0.3, 0.1, 0), "solid", "all: true", True),
                                             ((0.3, 0, 0.05), "solid", "all: true", True),      # flush at their sides
                                             ((0.31, 0, 0), "solid", "all: true", False), ((0.3, 0.3, 0.1), "solid", "all: true", False),
                                             ((0.3, 0.31, 0), "solid", "all: true", False), ((0.3, 0, 0), "bottom", "all: true", False),
                                             ((0.3, 0, 0), "solid", "both: [free, left]", False)):
            with self.subTest(place=place, fixed=fixed, contact=contact):
                outcome = self.run_program("check", f"""\
time: {{step: 1e-3, end: 1e-3}}
gravity: [0, 0, -9.81]
bodies:
  left: {{mesh: plate.msh, {solid}, fixed: [solid]}}
  right: {{mesh: other.msh, {solid}, fixed: [{fixed}], initial: {{translate: {list(place)}}}}}
  free: {{mesh: block.msh, {solid}, initial: {{translate: [0.1, 0.1, 0.2]}}}}
contacts: {{touch: {{{contact}, thickness: 1e-3}}}}
""")
                self.assertEqual(words in outcome.output + outcome.errors, warns, outcome.errors)

    def test_so_are_rigid_bodies_that_move_alike(self):
        """Two floors of which the second also rises would not stay flush, and free ones do not either."""
        self.write("plate.msh", box_text((2, 2, 1), (0.3, 0.3, 0.1)))
        rest, rise = ("driven: [{vertices: %s, motion: {velocity: [0, 0, %d]}}]" % ("surface", speed) for speed in (0, 1))
        for left, right, warns in (("fixed: [surface]", "fixed: [bottom]", True), (rise, rise, True), ("fixed: [surface]", rise, False), (rest, rise, False), ("fixed: [surface]", "damping: {}", False)):
            with self.subTest(left=left, right=right):
                outcome = self.run_program("check", f"""\
time: {{step: 1e-3, end: 1e-3}}
bodies:
  left: {{mesh: plate.msh, rigid: {{density: 1000}}, {left}}}
  right: {{mesh: plate.msh, rigid: {{density: 1000}}, {right}, initial: {{translate: [0.3, 0, 0]}}}}
  free: {{mesh: block.msh, solid: {{solid: {{youngs_modulus: 1e9, poisson_ratio: 0.3, density: 1000}}}}, initial: {{translate: [0.1, 0.1, 0.2]}}}}
contacts: {{first: {{both: [free, left], thickness: 1e-3}}, second: {{both: [free, right], thickness: 1e-3}}}}
""")
                self.assertEqual(outcome.code, 0, outcome.errors)
                self.assertEqual("bodies 'left' and 'right' are held, and faces of them lie flush side by side" in outcome.output + outcome.errors, warns, outcome.errors)


if __name__ == "__main__":
    unittest.main()
