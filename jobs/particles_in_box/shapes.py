#!/usr/bin/python3
"""Writes balls.msh, hollow balls of 12 vertices in a box, balls.vtk with their random velocities, and box.msh, the box's walls."""

import argparse
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from surface_mesh import ball, gmsh_text  # noqa: E402


def box(side, parts):
    """The walls of a cube about the origin: points and triangles."""
    grid = [(i, j) for i in range(parts) for j in range(parts)]
    corners, triangles = [], []
    for axis in range(3):
        for end in (0, parts):
            for i, j in grid:
                square = [numpy.roll((end, i + u, j + v), axis) for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
                first = len(corners)
                corners += square
                turned = (i + j) % 2
                triangles += [(first, first + 1, first + 2 + turned), (first + turned, first + 2, first + 3)]
    points, number = numpy.unique(numpy.array(corners), axis=0, return_inverse=True)
    return points * side / parts - side / 2, number.ravel()[numpy.array(triangles)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=3, help="balls along each side of the box (default 3)")
    parser.add_argument("--radius", type=float, default=0.08, help="of a ball [m]")
    parser.add_argument("--side", type=float, default=1.0, help="of the box [m]")
    options = parser.parse_args()
    random = numpy.random.default_rng(1)
    unit, faces = ball(1)
    apart = options.side / options.count
    points, triangles, velocities = [], [], []
    for place in numpy.ndindex(*3 * [options.count]):
        middle = (numpy.array(place) + 0.5) * apart - options.side / 2
        direction = random.normal(size=3)
        triangles.append(faces + 12 * len(points))
        points.append(middle + options.radius * unit)
        velocities.append(numpy.tile(direction / numpy.linalg.norm(direction) * random.uniform(0.5, 1), (12, 1)))
    points, velocities = numpy.concatenate(points), numpy.concatenate(velocities)
    (options.out / "balls.msh").write_text(gmsh_text(points, {"balls": numpy.concatenate(triangles)}))
    rows = lambda values: [" ".join(f"{x:.9g}" for x in row) for row in values]   # noqa: E731
    lines = ["# vtk DataFile Version 3.0", "balls", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double", *rows(points), "CELLS 1 2", "1 0", "CELL_TYPES 1", "1", f"POINT_DATA {len(points)}", "VECTORS velocity double", *rows(velocities)]
    (options.out / "balls.vtk").write_text("\n".join([*lines, ""]))
    points, triangles = box(options.side, 4)
    (options.out / "box.msh").write_text(gmsh_text(points, {"walls": triangles}))


if __name__ == "__main__":
    main()
