"""Obstacles and driven bodies that push what they touch, or what flies along with them: as many steps, and the same forces, as against a thing at rest."""

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
# A cube falls on a ridge by 30 mm, and both move. Contact begins at 75 ms, at the fifteenth step.
FLIGHT = """\
time: {step: 5e-3, end: 0.1}
gravity: [0, 0, -9.81]
bodies:
  cube:
    mesh: cube.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    damping: {stiffness: 1e-3}
    initial: {velocity: VELOCITY}
PUSHER
contacts: {touch: {all: true, thickness: 1e-3, friction: {dynamic: 0.4}}}
output: {every: 5e-3}
"""


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

    def test_what_flies_along_takes_the_steps_of_what_is_at_rest(self):
        """The laws of motion are the same in a frame that moves, however far an obstacle goes in a step; only the impact takes some more, where a guess may fail that is good at rest."""
        cube, ridge = edge_shapes.cube(0.1).turned((1, 2, 0), 10).moved((4e-3, 3e-3, 0.23)), edge_shapes.wedge(0.2, 0.2, 0.4)
        self.write("cube.msh", cube.gmsh())
        self.write("pusher.obj", ridge.obj())
        self.write("pusher.msh", ridge.gmsh())
        runs = {}
        for kind, pusher in (("obstacle", OBSTACLE), ("driven body", SOLID)):
            for velocity, ranks in (((0, 0, 0), 1), ((50, 0, 0), 1), ((0, 0, 30), 1), ((7, -90, 11), 2 if kind == "driven body" else 1)):
                with self.subTest(kind, velocity=velocity):
                    scene = FLIGHT.replace("PUSHER", pusher.replace("MOTION", f"{{velocity: {list(velocity)}}}")).replace("VELOCITY", str(list(velocity)))
                    history = self.simulate(scene, out=f"{kind[0]}{velocity}".replace(" ", ""), ranks=ranks).history
                    still = runs.setdefault(kind, history)
                    self.assertGreater(history["touch.contacts"].max(), 0)
                    self.assertLess(len(history["time"]), 1.5 * len(still["time"]))
                    fallen = history["cube.z"][-1] - velocity[2] * history["time"][-1]
                    self.assertLess(abs(fallen - still["cube.z"][-1]), 1e-3)      # by other steps in the impact


if __name__ == "__main__":
    unittest.main()
