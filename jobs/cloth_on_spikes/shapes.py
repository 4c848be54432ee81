#!/usr/bin/python3
"""Writes cloth.msh, a square of 1,994 vertices with a hem along its least x, and spikes.obj, 36 spikes of six slivers whose sharpest angle is 3.47 degrees (P4 Sec. 8.6)."""

import argparse
import math
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from surface_mesh import gmsh_text  # noqa: E402

ANGLE = 3.47    # [degrees]


def row(number, columns):
    """Places of a row in [0, 1]: rows alternate between evenly spaced points and points in the middle of these, and at both ends."""
    even = numpy.arange(columns) / (columns - 1)
    return even if number % 2 else numpy.array([0, *(even[1:] + even[:-1]) / 2, 1])


def cloth(side, rows, columns):
    """Points and triangles; the four corners, each of one triangle only, are cut off."""
    lines = [row(i, columns) for i in range(rows)]
    first = numpy.cumsum([0, *map(len, lines)])
    points = numpy.array([(side * (x - 0.5), side * (i / (rows - 1) - 0.5), 0) for i, line in enumerate(lines) for x in line])
    triangles = []
    for i in range(rows - 1):
        a, b = 0, 0    # along both rows, by the shorter step
        one, other = lines[i], lines[i + 1]
        while a < len(one) - 1 or b < len(other) - 1:
            forward = b == len(other) - 1 or (a < len(one) - 1 and one[a + 1] + one[a] <= other[b + 1] + other[b])
            triangles.append((first[i] + a, first[i] + a + 1, first[i + 1] + b) if forward else (first[i] + a, first[i + 1] + b + 1, first[i + 1] + b))
            a, b = a + forward, b + (not forward)
    triangles = numpy.array(triangles)
    corners = [0, first[1] - 1, first[rows - 1], first[rows] - 1]
    kept = numpy.setdiff1d(numpy.arange(len(points)), corners)
    number = numpy.full(len(points), -1)
    number[kept] = numpy.arange(len(kept))
    triangles = number[triangles]
    return points[kept], triangles[(triangles >= 0).all(axis=1)]


def hem(points, side):
    places = numpy.flatnonzero(points[:, 0] < -side / 2 + 1e-9)
    places = places[numpy.argsort(points[places, 1])]
    return numpy.stack([places[:-1], places[1:]], axis=1)


def spikes(count, apart, height):
    points, triangles = [], []
    half = math.radians(ANGLE) / 2
    radius = height * 2 * math.sin(half) / math.sqrt(1 - 4 * math.sin(half)**2)   # six corners, as far apart as from the middle
    for i in range(count):
        for j in range(count):
            middle = (numpy.array([i, j]) - (count - 1) / 2) * apart
            start = len(points)
            points.append((*middle, height))
            points += [(middle[0] + radius * math.cos(k * math.pi / 3), middle[1] + radius * math.sin(k * math.pi / 3), 0) for k in range(6)]
            triangles += [(start, start + 1 + k, start + 1 + (k + 1) % 6) for k in range(6)]
    return numpy.array(points), triangles


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=47, help="of the cloth, odd (default 47)")
    parser.add_argument("--columns", type=int, default=42)
    parser.add_argument("--side", type=float, default=1.0, help="of the cloth [m]")
    parser.add_argument("--apart", type=float, default=0.16, help="distance of spikes [m]")
    parser.add_argument("--height", type=float, default=0.25, help="height of spikes [m]")
    options = parser.parse_args()
    points, triangles = cloth(options.side, options.rows, options.columns)
    (options.out / "cloth.msh").write_text(gmsh_text(points, {"cloth": triangles}, {"hem": hem(points, options.side)}))
    points, triangles = spikes(6, options.apart, options.height)
    lines = [*("v " + " ".join(f"{x:.9g}" for x in point) for point in points), *("f " + " ".join(str(corner + 1) for corner in triangle) for triangle in triangles)]
    (options.out / "spikes.obj").write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
