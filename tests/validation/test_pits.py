"""A point in a pit, whose walls it reaches before the bottom: the energy is that of (C13), with distances that are computed here."""

import itertools
import unittest

import numpy

from edge_shapes import Shape
from traction_runs import ShortRunTest

THICKNESS = 0.1
SPEED = 0.1     # [m/s]
SPIKE = [(0, 0, 0), (0.02, 0, 1), (-0.01, 0.017, 1), (-0.01, -0.017, 1)]


def pit(walls, slope):
    """A pyramid upside down, with its tip at the origin: an OBJ file, and the corners of its rim."""
    angles = 2 * numpy.pi * numpy.arange(walls) / walls
    rim = numpy.stack([numpy.cos(angles), numpy.sin(angles), numpy.full(walls, slope)], axis=1)
    vertices = "".join("v " + " ".join(f"{x:.17g}" for x in point) + "\n" for point in [(0, 0, 0), *rim])
    return vertices + "".join(f"f 1 {2 + k} {2 + (k + 1) % walls}\n" for k in range(walls)), rim


def penalty(distance):
    return max(THICKNESS - distance, 0)**3


def energy(point, rim):
    """(C13) but for a factor, of a point whose closest points lie within all walls and the edges between them."""
    total = penalty(numpy.linalg.norm(point))   # the pit's bottom
    for one, two in zip(rim, numpy.roll(rim, -1, axis=0)):
        normal = numpy.cross(one, two)
        total += penalty(abs(normal @ point) / numpy.linalg.norm(normal)) - penalty(numpy.linalg.norm(numpy.cross(one, point)) / numpy.linalg.norm(one))
    return total


class Pits(ShortRunTest):
    def test_energy_on_the_way_to_the_bottom(self):
        """On a part of the way all walls and edges are within reach, and the bottom is not."""
        self.write("spike.msh", Shape(SPIKE, [(0, 1, 2, 3)]).gmsh())
        for (walls, slope), (x, y) in itertools.product(((4, 0.8), (3, 1), (6, 0.5)), ((0, 0), (2e-3, -1e-3))):
            with self.subTest(walls=walls, x=x):
                text, rim = pit(walls, slope)
                self.write("pit.obj", text)
                history = self.simulate(f"""\
time: {{step: 5e-3, end: 0.41, integrator: backward_euler}}
bodies:
  spike:
    mesh: spike.msh
    solid: {{solid: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1e10}}}}   # so heavy that contact does not slow it down
    initial: {{translate: [{x}, {y}, 0.14], velocity: [0, 0, {-SPEED}]}}
surfaces: {{pit: {{mesh: {{file: pit.obj}}}}}}
contacts: {{touch: {{vertices: spike, against: pit, thickness: {THICKNESS}, pressure: 1e5}}}}
""", out=f"pit{walls}_{x}").history
                heights = 0.14 - SPEED * history["time"]
                expected = numpy.array([energy(numpy.array([x, y, z]), rim) for z in heights])
                alone = (heights**2 + x**2 + y**2 > THICKNESS**2) & (expected > 0)   # later the spike's edges are within reach, too
                self.assertGreater(alone.sum(), 10)
                factors = history["contact_energy"][alone] / expected[alone]
                self.assertLess(abs(factors / factors[-1] - 1).max(), 2e-3)


if __name__ == "__main__":
    unittest.main()
