#!/usr/bin/python3
"""Writes prism.msh, a hollow triangular prism of 71 vertices along y, and sphere.msh, a sphere of 92 vertices and unit radius (P4 Sec. 8.5)."""

import argparse
import pathlib
import sys

import numpy
import scipy.spatial

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from surface_mesh import ball, gmsh_text  # noqa: E402

SIDES = (5, 4, 4)    # edges along the base and the slopes: 13 vertices around the prism
RINGS = 5            # and 3 within each end: 71 in all


def prism(width, height, length):
    """The base of the triangle lies on z = 0, its tip above the middle of it."""
    corners = numpy.array([(-width / 2, 0), (width / 2, 0), (0, height)])
    ring = numpy.concatenate([corners[k] + numpy.arange(n)[:, None] / n * (corners[(k + 1) % 3] - corners[k]) for k, n in enumerate(SIDES)])
    middle = ring.mean(axis=0)
    within = middle + 0.35 * (corners - middle)
    end = numpy.concatenate([ring, within])
    count = len(ring)
    faces = scipy.spatial.Delaunay(end).simplices
    areas = numpy.cross(end[faces[:, 1]] - end[faces[:, 0]], end[faces[:, 2]] - end[faces[:, 0]])
    faces = numpy.where(areas[:, None] > 0, faces, faces[:, ::-1])[numpy.abs(areas) > 1e-6 * width * height]
    stations = numpy.linspace(-length / 2, length / 2, RINGS)
    points = [numpy.stack([ring[:, 0], numpy.full(count, y), ring[:, 1]], axis=1) for y in stations]
    points += [numpy.stack([within[:, 0], numpy.full(3, y), within[:, 1]], axis=1) for y in (stations[0], stations[-1])]
    triangles = []
    for i in range(RINGS - 1):
        for j in range(count):
            a, b = i * count + j, i * count + (j + 1) % count
            c, d = b + count, a + count
            triangles += [(a, c, b), (a, d, c)] if (i + j) % 2 else [(a, d, b), (b, d, c)]
    start = RINGS * count
    first = numpy.where(faces < count, faces, faces - count + start)
    last = numpy.where(faces < count, faces + (RINGS - 1) * count, faces - count + start + 3)
    triangles = numpy.concatenate([triangles, first, last[:, ::-1]])
    foot = [(i * count + j, i * count + j + 1) for i in range(RINGS) for j in range(SIDES[0])]
    return numpy.concatenate(points), triangles, numpy.array(foot)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--width", type=float, default=0.3, help="of the base of a prism [m]")
    parser.add_argument("--height", type=float, default=0.3, help="of a prism [m]")
    parser.add_argument("--length", type=float, default=0.5, help="of a prism [m]")
    options = parser.parse_args()
    points, triangles, foot = prism(options.width, options.height, options.length)
    (options.out / "prism.msh").write_text(gmsh_text(points, {"skin": triangles}, {"foot": foot}))
    points, triangles = ball(3)
    (options.out / "sphere.msh").write_text(gmsh_text(points, {"skin": triangles}))


if __name__ == "__main__":
    main()
