"""Bodies that jam until contact is pressed through most of its thickness: a step that fails names the contact, the place and the remedy."""

import re
import unittest

import numpy

from edge_scenes import EVERYTHING, Builder
from edge_shapes import extruded
from traction_runs import RunTest

PITCH, HEIGHT, BASE = 0.02, 0.01, 0.01   # the teeth's, and the thickness of the plate below them [m]


def rack(teeth, width):
    """A plate with teeth of trapezoids along x, that point up."""
    points, triangles = [], []
    for tooth in range(teeth):
        columns = [PITCH * (tooth + share) for share in (0, 0.2, 0.35, 0.65, 0.8, 1)]
        first = len(points)
        points += [(x, z) for x in columns for z in (-BASE, 0)]
        for k in range(0, 10, 2):
            a, b, c, d = (first + k + i for i in range(4))
            triangles += [(a, c, b), (b, c, d)]
        left, low, high, right = (first + 2 * k + 1 for k in (1, 2, 3, 4))
        points += [(columns[2], HEIGHT), (columns[3], HEIGHT)]
        up, over = len(points) - 2, len(points) - 1
        triangles += [(left, low, up), (low, over, up), (low, high, over), (high, right, over)]
    joined = {}
    numbers = [joined.setdefault((round(x, 9), round(z, 9)), len(joined)) for x, z in points]
    return extruded(list(joined), [tuple(numbers[i] for i in triangle) for triangle in triangles], width)


class JammedContact(RunTest):
    def scene(self):
        b = Builder("rack", EVERYTHING, step=1e-2, end=1.0, thickness=3e-4, friction=0, gravity=(0, 0, 0), every=1.0)
        b.body("lower", rack(5, 0.02), youngs_modulus=1e9, regions={"base": lambda x: bool(numpy.all(x[:, 2] < -BASE + 1e-9))}, fixed=("base",))
        upper = rack(3, 0.015).turned((1, 0, 0), 180)
        b.body("upper", upper, (1.5 * PITCH, 0, HEIGHT + 5e-4), youngs_modulus=1e9, regions={"base": lambda x: bool(numpy.all(x[:, 2] > HEIGHT + BASE + 5e-4 - 1e-9))})
        b.scene["bodies"]["upper"]["driven"] = [{"vertices": "base", "motion": [{"velocity": [0, 0, -0.002], "stop": 0.4}, {"velocity": [0.01, 0, 0], "start": 0.4}]}]
        scene = b.done()
        scene.scene["contacts"]["everything"]["stiffness"] = 1e5
        return scene

    def test_the_contact_and_the_remedy_are_named(self):
        """Teeth are pushed along until they jam, and the forces that do not balance are at vertices of coarse elements, far from where the teeth touch. A thousand times the stiffness carries them."""
        self.scene().write(self.folder)
        soft = self.run_program("run", self.folder / "scene.yaml", sets={"time.maximum_halvings": 3}, out="soft")
        self.assertEqual(soft.code, 3, soft.errors)
        found = re.search(r"while contact 'everything' is pressed through ([0-9.]+) % of its thickness, at \((\S+), (\S+), (\S+)\); it is too soft for its load: give it a greater pressure", soft.errors)
        self.assertIsNotNone(found, soft.errors)
        self.assertNotIn("badly shaped", soft.errors)
        pressed, x, y, z = map(float, found.groups())
        self.assertTrue(80 < pressed < 100)
        firm = self.simulate(self.folder / "scene.yaml", sets={"contacts.everything.stiffness": 1e8}, out="firm")
        self.assertGreater(firm.history["min_gap"].min() / 3e-4, 0.2)
        self.assertTrue(1.5 * PITCH < x < 5 * PITCH and abs(y) <= 0.01 + 1e-3 and -1e-3 < z < HEIGHT + 2e-3, found.groups())


if __name__ == "__main__":
    unittest.main()
