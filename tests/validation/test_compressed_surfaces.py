"""Surfaces whose cells are as fine as contact reaches: compression alone brings no place of a body into contact with another one."""

import json
import unittest

import numpy

from edge_shapes import Shape, box
from traction_runs import ShortRunTest

CELL = 1e-3


def sheet(across, along):
    """In the plane z = 0, with squares that are divided one way and the other."""
    points = [(i * CELL, j * CELL, 0) for j in range(along + 1) for i in range(across + 1)]
    triangles = []
    for j in range(along):
        for i in range(across):
            a = j * (across + 1) + i
            b, c, d = a + 1, a + across + 1, a + across + 2
            triangles += [(a, b, d), (a, d, c)] if (i + j) % 2 == 0 else [(a, b, c), (b, d, c)]
    return Shape(points, triangles)


class CompressedSurfaces(ShortRunTest):
    """Each is compressed with and without contact of the body with itself, which must make no difference."""

    LENGTH, STRAIN = 12, 0.16

    def forces(self, mesh, body, direction, thickness, ranks=1):
        self.write("body.msh", mesh)
        axis = "xyz".index(direction)
        pushed = [0, 0, 0]
        pushed[axis] = -self.STRAIN
        body = {"mesh": "body.msh", **body, "fixed": [*body.get("fixed", []), {"region": "near", "components": [direction]}],
                "driven": [{"vertices": "far", "components": [direction], "motion": {"velocity": [size * self.LENGTH * CELL for size in pushed]}}]}
        scene = {"time": {"inertia": False, "step": 0.1, "end": 1}, "bodies": {"body": body}}
        contact = {"contacts": {"self": {"vertices": "body", "against": "body", "thickness": thickness}}}
        free = self.simulate(json.dumps(scene), out="free")
        touching = self.simulate(json.dumps({**scene, **contact}), out=f"touching{ranks}", ranks=ranks)
        self.assertEqual(numpy.abs(touching.history["self.contacts"]).max(), 0)
        return [numpy.array(outcome.history[f"body.far.f{direction}"]) for outcome in (free, touching)]

    def expect_no_contact(self, *arguments, **more):
        free, touching = self.forces(*arguments, **more)
        self.assertLess(free[-1], 0)
        numpy.testing.assert_allclose(touching, free, rtol=1e-6)

    def test_a_shell(self):
        """It reaches 3.6 mm, so that places four cells apart are the nearest that might touch."""
        shape = sheet(self.LENGTH, 6)
        points = {"near": lambda x: x[0] == 0, "far": lambda x: x[0] == self.LENGTH * CELL, "everything": lambda x: True}
        body = {"shell": {"shell": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000, "thickness": 3.4e-3}}, "fixed": [{"region": "everything", "components": ["z"]}]}
        for ranks in (1, 2):
            self.expect_no_contact(shape.gmsh_with({}, points), body, "x", 2e-4, ranks=ranks)

    def test_a_slit(self):
        """The legs of a U in its plane are pushed together. They are 1.3 times the reach apart at rest, and touch at their rims."""
        reach, leg, height = 3.6e-3, 4, 14
        across = [i * CELL for i in range(leg + 1)] + [leg * CELL + i * 1.3 * reach / 4 for i in range(1, 4)] + [leg * CELL + 1.3 * reach + i * CELL for i in range(leg + 1)]
        shape = sheet(len(across) - 1, height)
        shape.points[:, 0] = [across[round(x / CELL)] for x in shape.points[:, 0]]
        middle = shape.points[shape.cells].mean(axis=1)
        in_slit = (middle[:, 0] > across[leg]) & (middle[:, 0] < across[leg + 4]) & (middle[:, 1] > 4 * CELL)
        used, cells = numpy.unique(shape.cells[~in_slit], return_inverse=True)
        shape = Shape(shape.points[used], cells.reshape(-1, 3))
        top = {"left": lambda x: x[0] < 1e-9 and x[1] > 9.5 * CELL, "right": lambda x: x[0] > across[-1] - 1e-9 and x[1] > 9.5 * CELL, "everything": lambda x: True}
        self.write("body.msh", shape.gmsh_with({}, top))
        body = {"mesh": "body.msh", "shell": {"shell": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000, "thickness": 3.4e-3}},
                "fixed": [{"region": "everything", "components": ["z"]}, {"region": "left", "components": ["x", "y"]}], "driven": [{"vertices": "right", "components": ["x"], "motion": {"velocity": [-0.5 * reach, 0, 0]}}]}
        scene = {"time": {"inertia": False, "step": 0.05, "end": 1}, "bodies": {"body": body}, "contacts": {"self": {"vertices": "body", "against": "body", "thickness": 2e-4}}}
        history = self.simulate(json.dumps(scene)).history
        self.assertEqual(history["self.contacts"][0], 0)
        self.assertGreater(history["self.contacts"][-1], 0)
        self.assertGreater(history["min_gap"].min(), 0)

    def test_a_plate(self):
        """It is compressed through its thickness, which is a little more than that of the contact, and in its plane."""
        size = (self.LENGTH * CELL, 6 * CELL, 3.5 * CELL)
        shape = box(size, (12, 6, 3))
        low, high = shape.points.min(axis=0), shape.points.max(axis=0)
        body = {"solid": {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0, "density": 1000}}}
        for axis, direction in ((0, "x"), (2, "z")):
            points = {"near": lambda x: x[axis] < low[axis] + 1e-9, "far": lambda x: x[axis] > high[axis] - 1e-9, "corner": lambda x: numpy.linalg.norm(x - low) < 1e-9,
                      "side": lambda x: numpy.linalg.norm(x - (low[0], high[1], low[2])) < 1e-9, "end": lambda x: numpy.linalg.norm(x - (high[0], low[1], low[2])) < 1e-9}
            others = [other for other in "xyz" if other != direction]
            fixed = [{"region": "corner", "components": others}, {"region": "end" if direction == "z" else "side", "components": ["y" if direction == "z" else "z"]}]
            if direction == "z":
                self.LENGTH = 3.5
            self.expect_no_contact(shape.gmsh_with({}, points), {**body, "fixed": fixed}, direction, 3e-3)


if __name__ == "__main__":
    unittest.main()
