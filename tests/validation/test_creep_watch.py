"""A run warns of bodies that creep where friction should hold them, when they have crept notably, and not of those that roll or are carried, on any number of ranks."""

import json
import math
import re
import unittest

from edge_shapes import cube
from traction_runs import RunTest

SIZE, FRICTION, TOLERANCE, STEP = 0.02, 0.5, 1e-3, 2e-3
LIMIT = 0.01 * SIZE / 2                  # a hundredth of the gyration radius, sqrt(3 m a² / 6 / (2 m)) = a / 2
SPEED = TOLERANCE * (1 - math.sqrt(0.2))  # F4 with tan θ = 0.8 μ


class CreepWatch(RunTest):
    def scene(self, end=0.3, tolerance=TOLERANCE, slope=0.4, **parts):
        """A rigid cube on a slope that friction should hold."""
        self.write("cube.msh", cube(SIZE).gmsh())
        angle = math.atan(slope)
        gravity = [9.81 * math.sin(angle), 0, -9.81 * math.cos(angle)]
        contact = {"vertices": "cube", "against": "floor", "thickness": 5e-5, "friction": {"dynamic": FRICTION, "tolerance": tolerance}}
        floor = {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}
        return {"time": {"step": STEP, "end": end}, "gravity": gravity, "surfaces": {"floor": floor}, "contacts": {"touch": contact},
                "bodies": {"cube": {"mesh": "cube.msh", "rigid": {"density": 1000}, "initial": {"equilibrium": True, "translate": [0, 0, 4e-5]}}}, **parts}

    def warnings(self, scene, **arguments):
        run = self.simulate(json.dumps(scene), **arguments)
        return [line for line in run.errors.splitlines() + run.output.splitlines() if "has crept by" in line]

    def test_a_cube_on_a_slope(self):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                found = self.warnings(self.scene(), ranks=ranks, out=f"out{ranks}")
                self.assertEqual(len(found), 1, found)
                self.assertIn("'cube' has crept by", found[0])
                self.assertAlmostEqual(float(re.search(r"t = ([\d.]+) s", found[0])[1]), LIMIT / SPEED, delta=3 * STEP)
        advised = float(re.search(r"tolerance of ([\d.e-]+) m/s", found[0])[1])
        # What is left until the end is a tenth of the limit, or less where the number is rounded down.
        self.assertLessEqual(advised * SPEED / TOLERANCE * 0.3, 0.1001 * LIMIT)
        self.assertGreater(advised * SPEED / TOLERANCE * 0.3, 0.02 * LIMIT)
        self.assertEqual(self.warnings(self.scene(tolerance=advised), out="advised"), [])

    def test_a_cube_on_a_belt_that_carries_it(self):
        scene = self.scene(slope=0.1)
        scene["surfaces"]["floor"]["motion"] = {"velocity": [-0.1, 0, 0]}
        scene["bodies"]["cube"]["initial"] = {"translate": [0, 0, 4e-5], "velocity": [-0.1, 0, 0]}
        self.assertEqual(self.warnings(scene), [])

    def test_a_cube_that_slides_faster_than_the_tolerance(self):
        self.assertEqual(self.warnings(self.scene(slope=0.6)), [])


if __name__ == "__main__":
    unittest.main()
