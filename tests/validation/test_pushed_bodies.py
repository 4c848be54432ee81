"""Obstacles and driven bodies that push what they touch: as many steps, and the same forces, as if the body were moved against a thing at rest."""

import unittest

import edge_shapes
from traction_runs import RunTest

STEPS = 10                                   # each moves the pusher by 5 mm, two and a half times the contact's thickness
SCENE = """\
time: {step: 0.05, end: 0.5, inertia: false}
gravity: [0, 0, 0]
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000}}
    HOLD
PUSHER
contacts: {touch: {all: true, thickness: 2e-3, friction: {dynamic: 0.3}}}
solver: {tolerance: 1e-9, relative_tolerance: 1e-9}
output: {every: 0.05}
"""
OBSTACLE = """\
surfaces:
  pusher:
    mesh: {file: pusher.obj}
    motion: MOTION"""
SOLID = """\
  pusher:
    mesh: pusher.msh
    solid: {solid: {youngs_modulus: 1e9, poisson_ratio: 0.3, density: 1000}}
    driven: [{vertices: solid, motion: MOTION}]"""
STILL, RISING = "{velocity: [0, 0, 0]}", "{velocity: [0, 0, 0.1]}"


class PushedBodies(RunTest):
    def setUp(self):
        super().setUp()
        block = edge_shapes.box((0.2, 0.2, 0.2), (4, 4, 4)).moved((0, 0, 0.1015))
        pusher = edge_shapes.box((0.12, 0.12, 0.1), (2, 2, 2))
        self.write("block.msh", block.gmsh_with({}, {"top": lambda point: point[2] > 0.3}))
        self.write("pusher.obj", pusher.obj())
        self.write("pusher.msh", pusher.gmsh_with({}))

    def run_with(self, pusher, motion, hold="fixed: top", **arguments):
        scene = SCENE.replace("PUSHER", pusher).replace("MOTION", motion).replace("HOLD", hold)
        return self.simulate(scene, out=f"out{len(list(self.folder.glob('out*')))}", **arguments).history

    def test_a_rising_pusher_is_as_good_as_a_sinking_block(self):
        sunk = self.run_with(OBSTACLE, STILL, "driven: [{vertices: top, motion: {velocity: [0, 0, -0.1]}}]")
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                rising = self.run_with(OBSTACLE, RISING, ranks=ranks)
                self.assertEqual(len(rising["time"]), STEPS)
                first, second = sunk["block.top.fz"][-1], rising["block.top.fz"][-1]
                self.assertAlmostEqual(second, first, delta=1e-4 * abs(first))      # friction remembers the way, which has other steps
                self.assertEqual(rising["touch.contacts"][-1], sunk["touch.contacts"][-1])

    def test_a_driven_pusher(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                self.assertEqual(len(self.run_with(SOLID, RISING, ranks=ranks)["time"]), STEPS)

    def test_a_ramp_from_rest_ends_as_deep_as_a_steady_motion(self):
        ramp = self.run_with(OBSTACLE, "{velocity: [0, 0, 0.1], ramp: 0.2}")
        steady = self.run_with(OBSTACLE, RISING)
        self.assertEqual(len(ramp["time"]), STEPS)
        first, second = steady["block.top.fz"][-3], ramp["block.top.fz"][-1]        # the ramp lags by half of its time, two steps
        self.assertAlmostEqual(second, first, delta=1e-4 * abs(first))


if __name__ == "__main__":
    unittest.main()
