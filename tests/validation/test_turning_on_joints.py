"""Rigid bodies that turn fast, or far, on joints: Newton's method takes few iterations, and the motions are those of closed forms."""

import json
import math
import re
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import ShortRunTest, box_text

GRAVITY = 9.81
RADIUS, THICKNESS, ARM = 0.05, 0.02, 0.1   # a disk, and the distance of its center from the joint [m]
MASS = 1000 * math.pi * RADIUS**2 * THICKNESS
AXIAL, ACROSS = MASS * RADIUS**2 / 2, MASS * (3 * RADIUS**2 + THICKNESS**2) / 12


class Tops(ShortRunTest):
    def test_a_gyroscope_precesses_in_few_iterations(self):
        """A step that turns the disk by φ strains it by φ² / 2, which the line search must not cut: it did, 39 times a step."""
        self.write("disk.msh", box_text((1, 2, 2), (THICKNESS, 2 * RADIUS, 2 * RADIUS)))
        spin = 200
        rate = MASS * GRAVITY * ARM / (AXIAL * spin)
        disk = {"mesh": "disk.msh", "rigid": {"mass": MASS, "center": [THICKNESS / 2, RADIUS, RADIUS], "inertia": [AXIAL, ACROSS, ACROSS]},
                "initial": {"translate": [ARM - THICKNESS / 2, -RADIUS, -RADIUS], "angular_velocity": [spin, 0, rate], "velocity": [0, rate * ARM, 0]}}
        scene = {"time": {"step": 1e-3, "end": 0.3}, "gravity": [0, 0, -GRAVITY], "bodies": {"disk": disk}, "joints": {"pivot": {"kind": "ball", "between": "disk", "at": [0, 0, 0]}}}
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                history = self.simulate(json.dumps(scene), out=f"gyroscope{ranks}", ranks=ranks).history
                self.assertEqual(len(history["step"]), 300)   # none is repeated
                self.assertLess(history["newton_iterations"].mean(), 10)
                angle = numpy.unwrap(numpy.arctan2(history["disk.y"], history["disk.x"]))
                expect_closed_form(self, field="rigid motion", case=f"gyroscope on a ball joint: precession [rad/s], {ranks} rank(s)", source="m g l / (I ω)", expected=rate, got=numpy.polyfit(history["time"], angle, 1)[0],
                                   tolerance=0.01, mesh="rigid", step="1 ms")

    def test_a_tolerance_that_the_rounding_of_joints_hides_is_named(self):
        self.write("block.msh", box_text((1, 1, 1), (0.1, 0.1, 0.1)))
        block = {"mesh": "block.msh", "rigid": {"density": 1000}}
        bodies = {"first": block, "second": {**block, "initial": {"translate": [0.12, 0, 0], "angular_velocity": [0, 5, 0]}}}
        joints = {"wall": {"kind": "hinge", "axis": [0, 1, 0], "between": "first", "at": [0.05, 0.05, 0.05]},
                  "axle": {"kind": "hinge", "axis": [0, 1, 0], "between": ["first", "second"], "at": [0.11, 0.05, 0.05]}}
        scene = json.dumps({"time": {"step": 2e-3, "end": 2e-3}, "gravity": [0, 0, -GRAVITY], "bodies": bodies, "joints": joints, "solver": {"tolerance": 1e-14}})
        outcome = self.simulate(scene)
        self.assertGreater(len(outcome.history["step"]), 1)
        warnings = re.findall(r"warning: step 1 .*solver.tolerance is 1e-14 m/s, and Newton's method came to a velocity error of .* give solver.tolerance (\S+) m/s or more", outcome.errors)
        self.assertEqual(len(warnings), 1, outcome.errors)
        self.assertEqual(len(self.simulate(scene, sets={"solver.tolerance": warnings[0]}).history["step"]), 1)
        outcome = self.run_program("run", scene, sets={"time.maximum_halvings": 0}, options=["--overwrite"])
        self.assertEqual(outcome.code, 3, outcome.errors)
        self.assertIn("give solver.tolerance", outcome.error_lines()[0])

    def test_a_door_turns_to_the_rest_of_its_spring(self):
        """Without inertia, in one step of 17 degrees and more."""
        self.write("bar.msh", box_text((4, 1, 1), (0.4, 0.04, 0.04)))
        door = {"kind": "hinge", "between": ["bar", "ground"], "at": [0, 0.02, 0.02], "axis": [0, 0, 1], "spring": {"stiffness": 2, "rest": 0.3}}
        push = {"push": {"torque": [0, 0, 1], "over": [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]}}
        scene = {"time": {"step": 0.1, "end": 1, "inertia": False}, "bodies": {"bar": {"mesh": "bar.msh", "rigid": {"density": 1000}, "loads": push}}, "joints": {"hinge": door}}
        history = self.simulate(json.dumps(scene)).history
        self.assertEqual(len(history["step"]), 10)
        self.assertLess(history["newton_iterations"].mean(), 8)
        numpy.testing.assert_allclose(history["hinge.angle"][-1], 0.3 + 1 / 2, rtol=1e-3)


if __name__ == "__main__":
    unittest.main()
