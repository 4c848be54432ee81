"""A run warns once of each body whose elements turn inside out, or whose turn its law takes for a strain, on any number of ranks, and of nothing else."""

import json
import re
import unittest

from traction_runs import RunTest, box_text

SIZE = 0.1
UPSIDE_DOWN, TURN = "turned inside out", "'linear_elastic' takes this for a strain"


class SolidWatch(RunTest):
    def setUp(self):
        super().setUp()
        faces = {"top": lambda x: x[2] > SIZE - 1e-9}
        self.write("cell.msh", box_text((1, 1, 1), (SIZE, SIZE, SIZE), faces=faces))
        self.write("cube.msh", box_text((2, 2, 2), (SIZE, SIZE, SIZE), faces=faces))

    def body(self, mesh, material, **parts):
        return {"mesh": mesh, "solid": {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000, "material": material}}, **parts}

    def warnings(self, scene, **arguments):
        run = self.simulate(json.dumps(scene), **arguments)
        return [line for line in run.errors.splitlines() + run.output.splitlines() if UPSIDE_DOWN in line or TURN in line]

    def test_a_cell_that_is_pressed_flat(self):
        """Its upper face reaches the lower one after 50 ms, and is below it in the step to 51 ms. All vertices are driven or held."""
        for ranks, order in ((1, 1), (2, 1), (4, 1), (1, 2)):
            with self.subTest(ranks=ranks, order=order):
                cell = self.body("cell.msh", "saint_venant_kirchhoff", fixed="bottom", driven=[{"vertices": "top", "motion": {"velocity": [0, 0, -SIZE / 0.05]}}], order=order)
                found = self.warnings({"time": {"step": 1e-3, "end": 0.06}, "bodies": {"cell": cell}}, ranks=ranks, out=f"out{ranks}{order}")
                self.assertEqual(len(found), 1, found)
                self.assertIn("body 'cell' have turned inside out near", found[0])
                if order == 1:
                    self.assertAlmostEqual(float(re.search(r"t = ([\d.]+) s", found[0])[1]), 0.051, delta=1e-9)

    def test_a_cube_that_turns(self):
        """The angle whose cosine is 0.99, 0.1415, is passed in the step to 15 ms."""
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                cube = self.body("cube.msh", "linear_elastic", initial={"angular_velocity": [0, 0, 10]})
                found = self.warnings({"time": {"step": 1e-3, "end": 0.03}, "bodies": {"cube": cube}}, ranks=ranks, out=f"turn{ranks}")
                self.assertEqual(len(found), 1, found)
                self.assertIn("body 'cube' turns by 9 degrees", found[0])
                self.assertAlmostEqual(float(re.search(r"t = ([\d.]+) s", found[0])[1]), 0.015, delta=1.001e-3)

    def test_laws_that_hold_for_all_rotations_and_small_turns_need_no_warning(self):
        for material, speed in (("neo_hookean", 10), ("saint_venant_kirchhoff", 10), ("linear_elastic", 4)):
            with self.subTest(material=material):
                cube = self.body("cube.msh", material, initial={"angular_velocity": [0, 0, speed], "rotate": {"axis": [0, 0, 1], "angle": 60}})
                self.assertEqual(self.warnings({"time": {"step": 1e-3, "end": 0.03}, "bodies": {"cube": cube}}, out=material), [])


if __name__ == "__main__":
    unittest.main()
