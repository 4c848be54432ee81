#!/usr/bin/python3
"""Writes the hollow shapes of the trash compactor, closed surfaces of triangles: the platonic solids and a torus, each standing on z = 0 above the origin."""

import argparse
import pathlib
import sys

import numpy
import scipy.spatial

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from surface_mesh import gmsh_text  # noqa: E402

GOLDEN = (1 + 5**0.5) / 2
SIGNS = numpy.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
PAIRS = numpy.array([(a, b) for a in (-1, 1) for b in (-1, 1)], float)


def turned_about(pairs):
    """Corners (0, a, b) and those with the coordinates passed round."""
    corners = numpy.column_stack([numpy.zeros(len(pairs)), pairs])
    return numpy.concatenate([numpy.roll(corners, k, axis=1) for k in range(3)])


# Corners, and into how many parts an edge of their triangles is cut. Squares and pentagons are triangles around their middle first.
SOLIDS = {
    "tetrahedron": (SIGNS[[0, 3, 5, 6]], 6),
    "cube": (SIGNS, 4),
    "octahedron": (numpy.concatenate([numpy.eye(3), -numpy.eye(3)]), 5),
    "dodecahedron": (numpy.concatenate([SIGNS, turned_about(PAIRS * (1 / GOLDEN, GOLDEN))]), 2),
    "icosahedron": (turned_about(PAIRS * (1, GOLDEN)), 3),
}


def faces_of(corners):
    """Points and outward triangles of a convex solid."""
    hull = scipy.spatial.ConvexHull(corners)
    points, triangles = list(corners), []
    for plane in numpy.unique(hull.equations.round(6), axis=0):
        face = numpy.flatnonzero(abs(corners @ plane[:3] + plane[3]) < 1e-5)
        middle = corners[face].mean(axis=0)
        first = corners[face[0]] - middle
        second = numpy.cross(plane[:3], first)
        face = face[numpy.argsort(numpy.arctan2((corners[face] - middle) @ second, (corners[face] - middle) @ first))]
        if len(face) == 3:
            triangles.append(tuple(face))
            continue
        points.append(middle)
        triangles += [(a, b, len(points) - 1) for a, b in zip(face, numpy.roll(face, -1))]
    return numpy.array(points), triangles


def cut(points, triangles, parts):
    """Each triangle in parts^2 of its shape."""
    all_points, all_triangles = [], []
    for a, b, c in points[numpy.array(triangles)]:
        number = {}
        for i in range(parts + 1):
            for j in range(parts + 1 - i):
                number[i, j] = len(all_points)
                all_points.append(a + (b - a) * i / parts + (c - a) * j / parts)
        for i, j in number:
            if i + j < parts:
                all_triangles.append((number[i, j], number[i + 1, j], number[i, j + 1]))
            if i + j < parts - 1:
                all_triangles.append((number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]))
    _, first, place = numpy.unique(numpy.array(all_points).round(9), axis=0, return_index=True, return_inverse=True)
    return numpy.array(all_points)[first], place.ravel()[numpy.array(all_triangles)]


def torus(around, across, ratio):
    """A ring of radius 1 whose tube has the radius `ratio`."""
    u, v = numpy.meshgrid(2 * numpy.pi * numpy.arange(around) / around, 2 * numpy.pi * numpy.arange(across) / across, indexing="ij")
    radius = 1 + ratio * numpy.cos(v)
    points = numpy.stack([radius * numpy.cos(u), radius * numpy.sin(u), ratio * numpy.sin(v)], axis=-1).reshape(-1, 3)
    at = lambda i, j: i % around * across + j % across   # noqa: E731
    triangles = []
    for i in range(around):
        for j in range(across):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
    return points, numpy.array(triangles)


def standing(points, triangles):
    """With the first triangle below: the lowest face of a solid lies on z = 0."""
    a, b, c = points[triangles[0]]
    up, along = numpy.cross(c - a, b - a), b - a
    up, along = up / numpy.linalg.norm(up), along / numpy.linalg.norm(along)
    return points @ numpy.array([along, numpy.cross(up, along), up]).T


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--radius", type=float, default=0.075, help="about each shape [m]")
    options = parser.parse_args()
    shapes = {}
    for name, (corners, parts) in SOLIDS.items():
        points, triangles = cut(*faces_of(corners), parts)
        shapes[name] = standing(points / numpy.linalg.norm(corners[0]), triangles), triangles
    points, triangles = torus(22, 9, 0.45)
    shapes["torus"] = points / 1.45, triangles
    for name, (points, triangles) in shapes.items():
        points = options.radius * (points - [0, 0, points[:, 2].min()])
        (options.out / f"{name}.msh").write_text(gmsh_text(points, {"skin": triangles}))


if __name__ == "__main__":
    main()
