"""Motions that turn farther in a step than the program follows, and other settings that do nothing or contradict the mesh: refused or warned of."""

import json
import unittest

from test_closed_forms_friction import ball, disc
from traction_runs import ShortRunTest, box_text

RIGID = {"density": 500}


class FastTurns(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("cube.msh", box_text((1, 1, 1), (0.1, 0.1, 0.1)))
        self.write("rod.txt", "\n".join(f"{0.1 + 0.03 * i:.6f} 0.05 0.05" for i in range(11)) + "\n")

    def clamped_rod(self, speed, step, body=None):
        bodies = {"hub": {"mesh": "cube.msh", "rigid": RIGID, **(body or {"driven": [{"vertices": "surface", "motion": {"angular_velocity": [speed, 0, 0], "about": [0, 0.05, 0.05]}}]})},
                  "block": {"mesh": "cube.msh", "rigid": RIGID, "fixed": "surface", "initial": {"translate": [0.4, 0, 0]}},
                  "rod": {"mesh": "rod.txt", "rod": {"rod": {"radius": 0.005, "youngs_modulus": 1e8, "poisson_ratio": 0, "density": 1000}}}}
        clamps = {"a": {"vertices": "rod.first_point", "to": "hub", "tangent": True}, "b": {"vertices": "rod.last_point", "to": "block", "tangent": True}}
        return {"time": {"step": step, "end": 2 * step, "inertia": False}, "bodies": bodies, "attachments": clamps, "output": {"every": 1}}

    def test_body_that_turns_a_clamped_rod(self):
        """The rod's twist is followed by less than half a turn per step: faster motions of what carries it lost whole turns without a word."""
        for ranks in (1, 2):
            outcome = self.run_program("run", json.dumps(self.clamped_rod(60, 0.1)), out=f"fast{ranks}", ranks=ranks)
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn("half a turn", outcome.errors)
        # Torque G J φ / L of the twist that the second step ends with.
        outcome = self.simulate(json.dumps(self.clamped_rod(20, 0.1)), out="slow")
        torque = 5e7 * 3.141592653589793 * 0.005**4 / 2 * 20 * 0.2 / 0.3
        self.assertAlmostEqual(abs(outcome.last_row()["block.surface.mx"]), torque, delta=0.01 * torque)

    def test_motor(self):
        def hinge(**motor):
            return {"time": {"step": 0.1, "end": 0.2}, "bodies": {"cube": {"mesh": "cube.msh", "rigid": RIGID}},
                    "joints": {"h": {"kind": "hinge", "between": "cube", "at": [0, 0, 0], "axis": [1, 0, 0], "motor": motor}}}
        ramp = [{"time": 0, "factor": 0}, {"time": 0.2, "factor": 1}]
        for number, motor in enumerate(({"speed": 16}, {"speed": -60, "over": ramp}, {"angle": 4, "over": ramp})):
            outcome = self.run_program("run", json.dumps(hinge(**motor)), out=f"out{number}")
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn("the motor turns by", outcome.errors)
            self.assertIn("give steps of", outcome.errors)
        self.simulate(json.dumps(hinge(angle=0.5, over=ramp)), out="slow")


class IdleOrContradictory(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("cube.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1)))

    def test_shape_of_a_pressure_field(self):
        self.write("ball.msh", ball(6, 0.05).gmsh_with({}))
        self.write("disc.msh", disc(0.05, 0.1, 4, 4).gmsh_with({}))
        self.write("hexagon.msh", disc(0.05, 0.1, 1, 4).gmsh_with({}))
        sphere, cylinder, few = {"shape": "sphere", "radius": 0.05}, {"shape": "cylinder", "radius": 0.05, "length": 0.1}, {"facets": 6}
        for number, (mesh, shape, warns) in enumerate((
                ("cube", {"shape": "box", "size": [0.1, 0.1, 0.1]}, False), ("cube", {"shape": "box", "size": [0.1, 0.1, 0.104]}, True),
                ("cube", sphere, True), ("cube", {"shape": "cylinder", "radius": 0.0564, "length": 0.1}, True),
                ("ball", sphere, False), ("ball", sphere | few, False), ("ball", {"shape": "sphere", "radius": 0.056}, True),
                ("disc", cylinder, False), ("disc", cylinder | few, False), ("hexagon", cylinder | few, False), ("disc", cylinder | {"length": 0.12}, True))):
            scene = {"time": {"step": 1e-3, "end": 2e-3}, "gravity": [0, 0, -9.81],
                     "bodies": {"body": {"mesh": f"{mesh}.msh", "rigid": RIGID, "initial": {"rotate": {"axis": [0, 0, 1], "angle": 30}, "translate": [0, 0, 0.2]}}},
                     "surfaces": {"floor": {"plane": {}}}, "pressure_fields": {"body": {"modulus": 1e5, **shape}}, "pressure_contacts": {"touch": {"between": ["body", "floor"]}}}
            outcome = self.simulate(json.dumps(scene), out=f"out{number}")
            self.assertEqual("so make them agree" in outcome.errors, warns, f"{mesh} {shape}: {outcome.errors}")

    def test_longest_steps_of_a_region_without_elements(self):
        scene = {"time": {"step": 1e-3, "end": 2e-3, "integrator": "asynchronous", "asynchronous": {"longest": {"cube.bottom": 1e-5}}}, "gravity": [0, 0, -9.81],
                 "bodies": {"cube": {"mesh": "cube.msh", "solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": 1000}}}}}
        for ranks in (1, 2):
            outcome = self.run_program("run", json.dumps(scene), out=f"out{ranks}", ranks=ranks)
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn("no element lies in this region", outcome.errors)

    def test_bodies_without_mass(self):
        self.write("tiny.txt", "0 0 0\n1e-200 0 0\n2e-200 0 0\n")
        scene = {"time": {"step": 1e-3, "end": 2e-3},
                 "bodies": {"rod": {"mesh": "tiny.txt", "rod": {"rod": {"radius": 0.002, "youngs_modulus": 1e7, "poisson_ratio": 0, "density": 1000}}}}}
        outcome = self.run_program("run", json.dumps(scene))
        self.assertEqual(outcome.code, 2, outcome.errors)
        self.assertIn("the mass of all bodies", outcome.errors)


if __name__ == "__main__":
    unittest.main()
