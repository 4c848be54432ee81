"""Nearly incompressible solids on which tetrahedra lock, at small strains: Cook's membrane, a clamped block in bending, a thick sphere under pressure."""

import math

import numpy

from edge_shapes import Shape, box
from plane_strain import clamped_at_left

SHEAR_MODULUS = 1e6   # [Pa]
COOK = ((0, 0), (0.48, 0.44), (0.48, 0.60), (0, 0.44))
BLOCK = ((0, 0), (0.4, 0), (0.4, 0.1), (0, 0.1))
INNER, OUTER, PRESSURE = 0.05, 0.1, 1e3


def solid(poisson_ratio, pressure):
    return {"solid": {"youngs_modulus": 2 * SHEAR_MODULUS * (1 + poisson_ratio), "poisson_ratio": poisson_ratio, "density": 1000, "pressure": pressure}}


def scene(mesh, body):
    return {"time": {"step": 0.1, "end": 0.1, "inertia": False}, "bodies": {"body": {"mesh": mesh, **body}}, "output": {"every": 0.1, "fields": ["displacement", "stress"]}}


class PlaneStrain:
    """A quadrilateral, one cell deep, clamped at its left and sheared at its right. What is measured is the mean displacement of the right side along the load."""

    def __init__(self, name, corners, shape, traction, reference_cells):
        self.name, self.corners, self.shape, self.traction, self.reference_cells = name, numpy.array(corners), shape, traction, reference_cells

    def cells(self, size):
        return self.shape[0] * size, self.shape[1] * size

    def mesh(self, size):
        nx, ny = self.cells(size)
        depth = numpy.linalg.norm(self.corners[1] - self.corners[0]) / nx
        cube = box((1, 1, depth), (nx, ny, 1)).moved((0.5, 0.5, 0))
        s, t, z = cube.points.T
        weights = numpy.stack([(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t], axis=1)
        shape = Shape(numpy.column_stack([weights @ self.corners, z]), cube.cells)
        near = 1e-9
        right = self.corners[1][0]
        return shape.gmsh_with({"left": lambda c: bool(numpy.all(abs(c[:, 0]) < near)), "right": lambda c: bool(numpy.all(abs(c[:, 0] - right) < near)),
                                "below": lambda c: bool(numpy.all(abs(c[:, 2]) < near)), "above": lambda c: bool(numpy.all(abs(c[:, 2] - depth) < near))})

    def scene(self, mesh, poisson_ratio, pressure):
        fixed = ["left", {"region": "below", "components": ["z"]}, {"region": "above", "components": ["z"]}]
        return scene(mesh, {"solid": solid(poisson_ratio, pressure), "fixed": fixed, "loads": {"shear": {"region": "right", "traction": [0, self.traction, 0]}}})

    def measured(self, rest, displacement):
        right = abs(rest[:, 0] - self.corners[1][0]) < 1e-9
        heights, first = numpy.unique(numpy.round(rest[right, 1], 9), return_inverse=True)
        mean = numpy.bincount(first, displacement[right, 1]) / numpy.bincount(first)   # over both sides
        return float(numpy.sum((mean[1:] + mean[:-1]) / 2 * numpy.diff(heights)) / (heights[-1] - heights[0]))

    def expected(self, poisson_ratio, finer=1):
        cells = [finer * count for count in self.reference_cells]
        return clamped_at_left(self.corners, cells, SHEAR_MODULUS, poisson_ratio, (0, self.traction))[1]


class ThickSphere:
    """An eighth of a thick sphere under pressure from inside, with closed form (Lame). What is measured is the displacement of the inner surface along the radius."""

    name = "thick sphere"

    def mesh(self, size):
        return f"""SetFactory("OpenCASCADE");
Sphere(1) = {{0, 0, 0, {OUTER}, 0, Pi/2, Pi/2}};
Sphere(2) = {{0, 0, 0, {INNER}, 0, Pi/2, Pi/2}};
solid() = BooleanDifference{{ Volume{{1}}; Delete; }}{{ Volume{{2}}; Delete; }};
e = 1e-6;
Physical Volume("solid") = {{solid()}};
Physical Surface("left") = {{Surface In BoundingBox{{-e, -1, -1, e, 1, 1}}}};
Physical Surface("front") = {{Surface In BoundingBox{{-1, -e, -1, 1, e, 1}}}};
Physical Surface("below") = {{Surface In BoundingBox{{-1, -1, -e, 1, 1, e}}}};
r = {INNER} + e;
inner() = Surface In BoundingBox{{-e, -e, -e, r, r, r}};
Physical Surface("inner") = {{inner()}};
Mesh.MeshSizeMin = {(OUTER - INNER) / size};
Mesh.MeshSizeMax = {(OUTER - INNER) / size};
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
"""

    def scene(self, mesh, poisson_ratio, pressure):
        fixed = [{"region": region, "components": [component]} for region, component in (("left", "x"), ("front", "y"), ("below", "z"))]
        return scene(mesh, {"solid": solid(poisson_ratio, pressure), "fixed": fixed, "loads": {"gas": {"region": "inner", "pressure": PRESSURE}}})

    def measured(self, rest, displacement):
        radius = numpy.linalg.norm(rest, axis=1)
        inner = abs(radius - INNER) < 1e-6
        return float(numpy.mean(numpy.sum(displacement[inner] * rest[inner], axis=1) / INNER))

    def expected(self, poisson_ratio, finer=1):
        modulus = 2 * SHEAR_MODULUS * (1 + poisson_ratio)
        return PRESSURE * INNER**3 / (modulus * (OUTER**3 - INNER**3)) * ((1 - 2 * poisson_ratio) * INNER + (1 + poisson_ratio) * OUTER**3 / (2 * INNER**2))


# Tractions that move the right side by about a thousandth of the length.
CASES = [PlaneStrain("Cook's membrane", COOK, (1, 1), 250, (8, 8)), PlaneStrain("clamped block", BLOCK, (4, 1), 60, (16, 4)), ThickSphere()]


def order(errors, sizes):
    """Slope of errors over numbers of cells, by least squares of logarithms."""
    return -float(numpy.polyfit([math.log(size) for size in sizes], [math.log(abs(error)) for error in errors], 1)[0])
