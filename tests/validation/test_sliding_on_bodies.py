"""A block slides over a larger body, whose mesh is another one, as it slides over a plane: the vertices that come under it are no ridges.

The block of 0.5 kg is pressed on with 490 N, so that the contact gives way by a fifth of its thickness.
"""

import json
import unittest

from closed_forms import expect_closed_form
from edge_scenes import DEFAULT, Builder
from edge_shapes import box
from traction_runs import RunTest

SPEED, GRAVITY = 0.5, 981.0     # [m/s], [m/s^2]


class SlidingOnBodies(RunTest):
    def slide(self, floor_cells, ranks=1, cells=(1, 1, 1), modulus=1e9, friction=0.0, end=0.3, fixed="solid", floor=(1.2, 0.6, 0.1), start=-0.4, **contact):
        scene = Builder("slide", DEFAULT, friction=friction, end=end, step=2e-3, every=end, gravity=(0, 0, -GRAVITY))
        if friction:
            scene.friction["tolerance"] = 1e-3
        regions = {"bottom": lambda corners: bool((corners[:, 2] < -floor[2] + 1e-9).all())}
        scene.body("floor", box(floor, floor_cells), (0, 0, -floor[2]), youngs_modulus=modulus, fixed=(fixed,), regions=regions)
        scene.body("block", box((0.1, 0.1, 0.05), cells).turned((0, 0, 1), 13), (start, 0.013, 0.0009), youngs_modulus=1e7, damping={"stiffness": 1e-4},
                   velocity=[SPEED, 0, 0], equilibrium=True)
        scene.touch("block", "floor", **contact)
        for name, text in scene.files.items():
            self.write(name, text)
        return self.simulate(json.dumps(scene.scene), ranks=ranks).history

    def expect_speed(self, name, expected, tolerance, got, mesh):
        expect_closed_form(self, field="contact", case=f"sliding on a body, {name}", source="v - μ g t", expected=expected, got=got, tolerance=tolerance, mesh=mesh,
                           step="tr_sdirk2, 2 ms")

    def test_without_friction_speed_is_kept(self):
        for name, cells, ranks in (("cells as wide as the block", (14, 7, 1), 1), ("wider cells", (5, 2, 1), 1), ("narrower cells", (36, 18, 1), 1),
                                   ("2 ranks", (14, 7, 1), 2), ("4 ranks", (14, 7, 1), 4)):
            for modulus in (1e7, 1e9):
                history = self.slide(cells, ranks, modulus=modulus)
                self.expect_speed(f"{name}, {modulus:g} Pa", SPEED, 1e-8, history["block.vx"][-1], f"block 1 x 1 x 1, floor {cells[0]} x {cells[1]} x {cells[2]}")
                self.assertLess(max(history["block.z"]) - min(history["block.z"]), 1e-8)

    def test_friction_is_coulombs(self):
        speed = self.slide((14, 7, 1), cells=(2, 2, 1), friction=0.001)["block.vx"][-1]
        self.expect_speed("friction of 0.001", SPEED - 0.001 * GRAVITY * 0.3, 1e-3, speed, "block 2 x 2 x 1, floor 14 x 7 x 1")

    def test_on_a_floor_that_gives_way(self):
        """A floor that the block strains has waves that take a little."""
        speed = self.slide((14, 7, 2), modulus=1e9, fixed="bottom")["block.vx"][-1]
        self.expect_speed("held at its bottom", SPEED, 2e-3, speed, "block 1 x 1 x 1, floor 14 x 7 x 2")

    def test_on_a_body_of_similar_size(self):
        """Both press, at places between their vertices. Vertices alone stopped the block to 0.37 and 0.45 m/s, and drove it aside at 0.16 and 0.13 m/s."""
        for cells, floor_cells in (((1, 1, 1), (3, 2, 1)), ((4, 4, 2), (3, 2, 1))):
            history = self.slide(floor_cells, cells=cells, end=0.16, floor=(0.2, 0.16, 0.05), start=-0.04)
            name = f"similar size, {'x'.join(map(str, cells))} on {'x'.join(map(str, floor_cells))} cells"
            self.expect_speed(name, SPEED, 0.01, history["block.vx"][-1], name)
            self.assertLess(abs(history["block.vy"][-1]), 1e-2)


if __name__ == "__main__":
    unittest.main()
