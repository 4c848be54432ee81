"""Bodies that tremble on their support: friction does not hold them, the run warns of it, and two remedies work."""

import json
import math
import unittest

import numpy

from edge_shapes import box
from traction_runs import RunTest

GRAVITY, FRICTION, SPEED, DEGREES = 9.81, 0.5, 0.1, 25
WARNING, REMEDIES = "contact 'touch' chatters: it carries", ["initial: {equilibrium: true}", "`damping`"]


class Chatter(RunTest):
    """A block of 0.2 x 0.2 x 0.1 m, E = 1 MPa, that slides up or down a slope at 0.1 m/s: the floor is level and the weight turned. At rest its gap is 0.88 mm."""

    def run_block(self, integrator, off=0.0, degrees=DEGREES, end=0.4, contact=None, floor=None, springs=None, **body):
        angle = math.radians(degrees)
        self.write("block.msh", box((0.2, 0.2, 0.1), (4, 4, 2)).gmsh_with({"bottom": lambda corners: bool(numpy.all(abs(corners[:, 2]) < 1e-9))}))
        start = {"translate": [0, 0, 8.8e-4 + off], "velocity": [SPEED, 0, 0], **body.pop("initial", {})}
        scene = {"time": {"step": 5e-3, "end": end, "integrator": integrator}, "gravity": [GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle)],
                 "bodies": {"block": {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}, "initial": start, **body}},
                 "surfaces": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, **(floor or {})}}, "springs": springs or {},
                 "contacts": {"touch": {"vertices": "block.bottom", "against": "floor", "thickness": 1e-3, "friction": {"dynamic": FRICTION, "tolerance": 1e-3}, **(contact or {})}}}
        return self.simulate(json.dumps(scene))

    def way(self):
        """Until it stands, by Coulomb's law."""
        angle = math.radians(DEGREES)
        return SPEED**2 / (2 * GRAVITY * (FRICTION * math.cos(angle) - math.sin(angle)))

    def test_a_block_set_down_off_its_rest_slides_on(self):
        for integrator in ("tr_sdirk2", "trapezoidal"):
            with self.subTest(integrator=integrator):
                outcome = self.run_block(integrator, off=5e-5)
                for words in (WARNING, *REMEDIES):
                    self.assertEqual(outcome.errors.count(words), 1, outcome.errors)
                self.assertGreater(outcome.history["block.vx"][-10:].mean(), 1e-2)   # where it should stand: 1 mm/s at most

    def test_remedies(self):
        for integrator in ("tr_sdirk2", "trapezoidal"):
            for remedy in ({"initial": {"equilibrium": True}}, {"off": 5e-5, "contact": {"damping": 50}}):
                with self.subTest(integrator=integrator, remedy=remedy):
                    outcome = self.run_block(integrator, **remedy)
                    self.assertNotIn("chatters", outcome.errors)
                    history = outcome.history
                    self.assertLess(abs(history["block.vx"][-1]), 1e-3)
                    way = history["block.x"][-1] - history["block.x"][0]
                    self.assertAlmostEqual(way / self.way(), 1, delta=0.04)

    def test_what_bounces_rests_or_sticks_and_slips_is_left_out(self):
        bouncing = self.run_block("tr_sdirk2", off=1e-2, degrees=0, end=0.6)
        touches = numpy.diff((bouncing.history["touch.contacts"] > 0).astype(int))
        self.assertGreater(numpy.count_nonzero(touches > 0), 2)
        resting = self.run_block("tr_sdirk2", degrees=0, initial={"equilibrium": True, "velocity": [0, 0, 0]})
        # On a belt, held by a spring with which its period is 0.1 s: friction falls from static to dynamic, and it sticks again and again.
        spring = {"hold": {"from": "block.solid", "anchor": [1, 0, 0.0509], "stiffness": 4 * (2 * math.pi / 0.1) ** 2, "rest_length": 1}}
        drawn = self.run_block("tr_sdirk2", degrees=0, end=0.6, contact={"friction": {"dynamic": 0.2, "static": 0.5, "tolerance": 1e-3}}, springs=spring,
                               floor={"motion": {"velocity": [-0.05, 0, 0]}}, initial={"velocity": [-0.05, 0, 0]})
        sticks = abs(drawn.history["block.vx"] + 0.05) < 5e-3
        self.assertGreater(numpy.count_nonzero(numpy.diff(sticks.astype(int)) > 0), 2)
        for outcome in (bouncing, resting, drawn):
            self.assertNotIn("chatters", outcome.errors)


if __name__ == "__main__":
    unittest.main()
