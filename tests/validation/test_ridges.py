"""Flat faces that are tilted on a sharp edge: without friction they must feel no force along themselves, whatever their mesh."""

import math
import unittest

from traction_runs import ShortRunTest

BLOCK = """\
SetFactory("OpenCASCADE");
Box(1) = {0, -10, 0, 60, 20, 20};
Mesh.MeshSizeMax = 4;
Physical Volume("rubber") = {1};
t() = Surface In BoundingBox{-1, -11, 19.9, 61, 11, 20.1};
Physical Surface("top") = {t()};
Physical Surface("skin") = Boundary{ Volume{1}; };
"""
LEDGE = """\
SetFactory("OpenCASCADE");
Box(1) = {-0.002, -0.02, -0.03, 0.01927, 0.04, 0.019913};
Physical Volume("steel") = {1};
Mesh.MeshSizeMin = 0.01; Mesh.MeshSizeMax = 0.02;
"""
# The block's lower face slopes by 30 degrees. It is pressed 0.5 mm onto the edge, and then drawn along its own direction.
SCENE = """\
time: {step: 2e-3, end: 0.35}
bodies:
  block:
    mesh: block.geo
    scale: 1e-3
    solid: {rubber: {youngs_modulus: 1e7, poisson_ratio: 0.4, density: 1000}}
    damping: {stiffness: 1e-3}
    initial: {rotate: {axis: [0, 1, 0], angle: 30, about: [0, 0, 0]}}
    driven:
      - vertices: top
        motion:
          - {velocity: [-2.5e-3, 0, -4.3301e-3], stop: 0.1}
          - {velocity: [-17.3205e-3, 0, 10e-3], start: 0.1, ramp: 0.02}
%s
"""
BOX = """\
surfaces: {table: {box: {lower: [-0.1, -0.1, -0.1], upper: [17.27e-3, 0.1, -10.087e-3]}}}
contacts: {edge: {vertices: block.skin, against: table, thickness: 2e-4, pressure: 1e7}}"""
BODY = """\
  ledge:
    mesh: ledge.geo
    solid: {steel: {youngs_modulus: 2e11, poisson_ratio: 0.3, density: 7800}}
    fixed: steel
contacts: {edge: {vertices: block.skin, against: ledge, thickness: 2e-4, pressure: 1e7}}"""


class Ridges(ShortRunTest):
    def worst_slope(self, other, **options):
        """The largest force along the face over that across it while the face slides."""
        self.write("block.geo", BLOCK)
        self.write("ledge.geo", LEDGE)
        history = self.simulate(SCENE % other, timeout=600, **options).history
        slides = history["time"] > 0.15
        fx, fz = history["edge.fx"][slides], history["edge.fz"][slides]
        along, across = fx * math.cos(math.pi / 6) - fz / 2, fx / 2 + fz * math.cos(math.pi / 6)
        self.assertGreater(across.min(), 50)
        return abs(along / across).max()

    def test_a_tilted_face_slides_over_the_edge_of_a_box(self):
        for ranks in (1, 2):
            self.assertLess(self.worst_slope(BOX, ranks=ranks, out=f"out{ranks}"), 0.12)

    def test_a_tilted_face_slides_over_the_edge_of_a_body(self):
        self.assertLess(self.worst_slope(BODY), 0.12)


if __name__ == "__main__":
    unittest.main()
