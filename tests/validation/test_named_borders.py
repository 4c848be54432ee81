"""The border between two named parts of one flat surface, in contacts of their own, is no edge: what slides over it feels neither a ridge nor a gap."""

import unittest

from traction_runs import RunTest, box_text

SIZE = (1.2, 0.6, 0.1)   # the table's, in cells of 0.2 m
MIDDLE = (0.6, 0.4)      # where its parts meet
SPEED, WEIGHT = 0.5, 981


def table(cells=(6, 3, 1)):
    """A table whose top is named in halves and in quarters."""
    on_top = lambda x: x[2] > SIZE[2] - 1e-9   # noqa: E731
    faces = {"left": lambda x: on_top(x) and x[0] < MIDDLE[0], "right": lambda x: on_top(x) and x[0] > MIDDLE[0], "whole": on_top}
    for number in range(4):
        faces[f"quarter{number}"] = lambda x, right=number % 2, back=number // 2: on_top(x) and (x[0] > MIDDLE[0]) == bool(right) and (x[1] > MIDDLE[1]) == bool(back)
    return box_text(cells, SIZE, faces=faces)


def scene(parts, place, velocity, settings=None, gravity=WEIGHT, end=0.5):
    """A block of 0.1 x 0.1 x 0.05 m that slides over these parts of the table. It is pressed so hard that the contact gives way by a third of its thickness."""
    contacts = "\n".join(f"  on_{part}: {{both: [block, table.{part}], thickness: 1e-3{settings[i] if settings else ''}}}" for i, part in enumerate(parts))
    return f"""\
time: {{step: 5e-3, end: {end}}}
gravity: [0, 0, {-gravity}]
bodies:
  table: {{mesh: table.msh, solid: {{solid: {{youngs_modulus: 1e9, poisson_ratio: 0.3, density: 1000}}}}, fixed: [solid]}}
  block:
    mesh: block.msh
    solid: {{solid: {{youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}}}
    damping: {{stiffness: 1e-4}}
    initial: {{translate: [{place[0]}, {place[1]}, {SIZE[2] + 8e-4}], velocity: {list(velocity)}, equilibrium: true}}
contacts:
{contacts}
solver: {{tolerance: 1e-8}}
"""


class NamedBorders(RunTest):
    def setUp(self):
        super().setUp()
        self.write("table.msh", table())
        self.write("block.msh", box_text((2, 2, 1), (0.1, 0.1, 0.05)))

    def check_that_nothing_is_felt(self, history, velocity):
        for axis, speed in zip("xy", velocity):
            self.assertLess(abs(history[f"block.v{axis}"] - speed).max(), 1e-6)
        for axis in "xyz":
            self.assertLess(abs(history[f"block.w{axis}"]).max(), 1e-5)

    def test_a_block_slides_from_half_to_half(self):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                history = self.simulate(scene(("left", "right"), (0.43, 0.25), (SPEED, 0, 0)), ranks=ranks, out=f"out{ranks}").history
                self.check_that_nothing_is_felt(history, (SPEED, 0))
                self.assertEqual(history["on_right.fz"][0], 0)
                self.assertEqual(history["on_left.fz"][-1], 0)

    def test_a_block_slides_over_a_corner_of_four_parts(self):
        for ranks in (1, 2):
            history = self.simulate(scene([f"quarter{number}" for number in range(4)], (0.46, 0.31), (SPEED, 0.3, 0), end=0.3), ranks=ranks, out=f"out{ranks}").history
            self.check_that_nothing_is_felt(history, (SPEED, 0.3))

    def test_four_parts_act_like_one(self):
        """A body of the table's size, on which the vertices of the table press, too: it feels these where edges are not divided, and they are those of the whole."""
        self.write("block.msh", box_text((2, 2, 1), (0.7, 0.5, 0.05)))
        start = (0.26, 0.11), (SPEED, 0.3, 0)
        undivided = [", subdivision: 1"] * 4
        whole = self.simulate(scene(["whole"], *start, undivided, end=0.15), out="whole").history
        self.assertGreater(abs(whole["block.vx"] - SPEED).max(), 1e-3)
        for ranks in (1, 2):
            parts = self.simulate(scene([f"quarter{number}" for number in range(4)], *start, undivided, end=0.15), ranks=ranks, out=f"parts{ranks}").history
            for column in ("block.vx", "block.vy", "block.wz", "contact_energy"):
                self.assertLess(abs(parts[column] - whole[column]).max(), 1e-5 * abs(whole[column]).max(), column)
            weight = sum(parts[f"on_quarter{number}.fz"] for number in range(4))
            self.assertLess(abs(weight - whole["on_whole.fz"]).max(), 1e-4 * 35 * WEIGHT)

    def test_parts_act_like_the_whole_on_any_number_of_ranks(self):
        """Ranks whose borders between parts of the mesh run beside the border of the named parts know some of its corners from others alone."""
        self.write("table.msh", table((12, 6, 1)))
        for ranks in (3, 7):
            energies = [self.simulate(scene(parts, (MIDDLE[0] + 3e-4, 0.27), (SPEED, 0.2, 0), end=0.01), ranks=ranks, out=f"out{ranks}{len(parts)}").history["contact_energy"]
                        for parts in (("whole",), ("left", "right"))]
            self.assertLess(abs(energies[1] / energies[0] - 1).max(), 1e-8)

    def test_each_part_has_its_friction(self):
        """From a part that brakes with a tenth of the weight onto one that brakes with three tenths."""
        frictions = [f", friction: {{dynamic: {mu}, tolerance: 1e-4}}" for mu in (0.1, 0.3)]
        history = self.simulate(scene(("left", "right"), (0.4, 0.25), (1, 0, 0), frictions, gravity=9.81, end=0.4)).history
        for mu, first, last in ((0.1, 0.46, 0.54), (0.3, 0.66, 0.72)):   # places of the block's middle at which it lies on one part
            inside = (history["block.x"] > first) & (history["block.x"] < last)
            times, speeds = history["time"][inside], history["block.vx"][inside]
            self.assertAlmostEqual((speeds[0] - speeds[-1]) / (times[-1] - times[0]) / (mu * 9.81), 1, delta=1e-3)


if __name__ == "__main__":
    unittest.main()
