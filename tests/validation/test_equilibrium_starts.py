"""Bodies that start in equilibrium: prisms that stand on narrow facets, and bodies on obstacles that move, against statics and the smoothed law of friction."""

import json
import math
import unittest

from edge_shapes import box, extruded, on_floor
from traction_runs import RunTest

GRAVITY = 9.81


def prism(sides, radius, width):
    """A prism that lies on one of its sides."""
    corners = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in (2 * math.pi * (i + 0.5) / sides - math.pi / 2 for i in range(sides))]
    return on_floor(extruded([(0, 0), *corners], [(0, i + 1, (i + 1) % sides + 1) for i in range(sides)], width))


class Facets(RunTest):
    def test_rigid_prisms_stand_and_creep(self):
        """A prism of 60 sides stands on a slope below 3 degrees, and creeps without turning by mu (2 s - s^2) = tan(slope), with s in parts of friction's tolerance."""
        self.write("prism.msh", prism(60, 0.05, 0.08).gmsh())
        friction = 0.9
        for degrees, tolerance, step in ((1.5, 1e-2, 2e-3), (1.5, 1e-3, 5e-3), (2.5, 1e-3, 2e-3), (0, 1e-3, 2e-3)):
            for ranks in (1, 2) if degrees == 2.5 else (1,):
                with self.subTest(degrees=degrees, tolerance=tolerance, ranks=ranks):
                    slope = math.radians(degrees)
                    scene = {"time": {"step": step, "end": 0.2}, "gravity": [GRAVITY * math.sin(slope), 0, -GRAVITY * math.cos(slope)],
                             "bodies": {"prism": {"mesh": "prism.msh", "rigid": {"density": 1000}, "initial": {"translate": [0, 0, 9e-4], "equilibrium": True}}},
                             "surfaces": {"slope": {"plane": {"point": [0, 0, 0]}}},
                             "contacts": {"under": {"vertices": "prism", "against": "slope", "thickness": 1e-3, "friction": {"dynamic": friction, "tolerance": tolerance}}}}
                    run = self.simulate(json.dumps(scene), ranks=ranks, out=f"{degrees}_{tolerance}_{ranks}")
                    creep = tolerance * (1 - math.sqrt(1 - math.tan(slope) / friction))
                    for k in (0, -1):
                        self.assertAlmostEqual(run.history["prism.vx"][k], creep, delta=1e-3 * creep + 1e-4 * tolerance)
                    self.assertLess(max(abs(run.history["prism.wy"])), 1e-5)
                    self.assertNotIn("has no equilibrium", run.output + run.errors)


class Belts(RunTest):
    def run_on_belt(self, speed, **more):
        self.write("cube.msh", box((0.1, 0.1, 0.1), (1, 1, 1)).gmsh())
        scene = {"time": {"step": 2e-3, "end": 0.1}, "gravity": [0, 0, -GRAVITY],
                 "bodies": {"cube": {"mesh": "cube.msh", "rigid": {"density": 1000}, "initial": {"translate": [-0.05, -0.05, 9e-4], "equilibrium": True}}},
                 "surfaces": {"belt": {"plane": {"point": [0, 0, 0]}, "motion": {"velocity": [speed, 0, 0]}}},
                 "contacts": {"on": {"vertices": "cube", "against": "belt", "thickness": 1e-3, "friction": {"dynamic": 0.4, "tolerance": 1e-3}}}, **more}
        return self.simulate(json.dumps(scene), out="out")

    def messages(self, run):
        return run.output + run.errors

    def spring(self, stiffness):
        return {"springs": {"tie": {"from": "cube", "anchor": [-0.5, 0, 0.0509], "stiffness": stiffness, "rest_length": 0.5}}}

    def test_a_cube_that_a_spring_holds_on_a_belt(self):
        """The belt slides under the cube, whose spring is stretched by mu m g / k, less or more than the cube's radius of gyration."""
        for stiffness in (50, 500):
            with self.subTest(stiffness=stiffness):
                run = self.run_on_belt(0.3, **self.spring(stiffness))
                expected = 0.4 * GRAVITY / stiffness
                for k in (0, -1):
                    self.assertAlmostEqual(run.history["cube.x"][k], expected, delta=1e-3 * expected)
                self.assertLess(max(abs(run.history["cube.vx"])), 1e-4)

    def test_what_moves_elsewhere_changes_nothing(self):
        """A cube on a slope that stands still, with a press far above it that moves aside: it creeps as Coulomb's smoothed law has it, on 1 and 2 ranks."""
        self.write("cube.msh", box((0.1, 0.1, 0.1), (1, 1, 1)).gmsh())
        slope, friction = math.radians(15), 0.4
        scene = {"time": {"step": 2e-3, "end": 0.02}, "gravity": [GRAVITY * math.sin(slope), 0, -GRAVITY * math.cos(slope)],
                 "bodies": {"cube": {"mesh": "cube.msh", "rigid": {"density": 1000}, "initial": {"translate": [-0.05, -0.05, 9e-4], "equilibrium": True}}},
                 "surfaces": {"slope": {"plane": {"point": [0, 0, 0]}}, "press": {"plane": {"point": [0, 0, 1], "normal": [0, 0, -1]}, "motion": {"velocity": [0.1, 0, -0.1]}}},
                 "contacts": {"all": {"all": True, "thickness": 1e-3, "friction": {"dynamic": friction, "tolerance": 1e-3}}}}
        creep = 1e-3 * (1 - math.sqrt(1 - math.tan(slope) / friction))
        for ranks in (1, 2):
            run = self.simulate(json.dumps(scene), ranks=ranks, out=f"press{ranks}")
            self.assertAlmostEqual(run.history["cube.vx"][0], creep, delta=1e-3 * creep)
            self.assertNotIn("equilibrium where", self.messages(run))
            self.assertNotIn("velocity of 'press'", self.messages(run))

    def test_what_a_belt_carries_is_warned_of(self):
        self.assertIn("body 'cube' has no equilibrium where it starts: 'belt' moves under it at 0.3 m/s, and accelerates it by 3.9", self.messages(self.run_on_belt(0.3)))
        self.assertIn("tolerance below 0.000667 m/s", self.messages(self.run_on_belt(2e-3, **self.spring(5000))))

    def test_a_belt_may_be_a_driven_body(self):
        """Rigid or not, in a contact of two bodies or of all: the cube that starts with the belt's velocity is at rest on it, and any other is warned of."""
        self.write("belt.msh", box((1, 0.4, 0.05), (4, 2, 1)).gmsh())
        self.write("cube.msh", box((0.1, 0.1, 0.1), (1, 1, 1)).gmsh())
        contacts = ({"vertices": "cube", "against": "belt"}, {"vertices": "belt", "against": "cube"}, {"all": True})
        for kind, contact, ranks in (({"rigid": {"density": 1000}}, contacts[0], 1), ({"rigid": {"density": 1000}}, contacts[1], 2),
                                     ({"solid": {"all": {"youngs_modulus": 1e8, "poisson_ratio": 0.3, "density": 1000}}}, contacts[2], 2)):
            for velocity in (0, 1.5):
                with self.subTest(kind=list(kind)[0], contact=contact, velocity=velocity):
                    scene = {"time": {"step": 2e-3, "end": 0.02}, "gravity": [0, 0, -GRAVITY],
                             "bodies": {"cube": {"mesh": "cube.msh", "rigid": {"density": 1000},
                                                 "initial": {"translate": [-0.07, -0.03, 9e-4], "velocity": [velocity, 0, 0], "equilibrium": True}},
                                        "belt": {"mesh": "belt.msh", **kind, "initial": {"translate": [0, 0, -0.05]},
                                                 "driven": [{"vertices": "all", "motion": {"velocity": [1.5, 0, 0]}}]}},
                             "contacts": {"on": {**contact, "thickness": 1e-3, "friction": {"dynamic": 0.4, "tolerance": 1e-3}}}}
                    run = self.simulate(json.dumps(scene), ranks=ranks, out=f"{list(kind)[0]}_{ranks}_{velocity}")
                    if velocity:
                        self.assertNotIn("has no equilibrium", self.messages(run))
                        self.assertLess(max(abs(run.history["cube.vx"] - 1.5)), 1e-5)
                    else:
                        self.assertIn("body 'cube' has no equilibrium where it starts: 'belt' moves under it at 1.5 m/s, and accelerates it by 3.9", self.messages(run))


if __name__ == "__main__":
    unittest.main()
