#!/usr/bin/python3
"""Writes beam.msh: a beam of 32 x 4 x 4 cubes of edge 1, each cut into five tetrahedra, as in P1's Fig. 6. Neighbouring cubes are mirror images, so that their faces fit.

Regions: `solid` (every tetrahedron) and `ends` (the triangles of the faces x = 0 and x = 32).
"""

import itertools
import pathlib

CELLS = (32, 4, 4)
SOLID, ENDS = 1, 2             # physical groups
TRIANGLE, TETRAHEDRON = 2, 4   # Gmsh's element types
# Corners (x, y, z) of a cube: four at the cut-off ones, and the tetrahedron that is left between the others.
CUT_OFF = ((1, 1, 0), (1, 0, 1), (0, 1, 1), (0, 0, 0))


def number(corner):
    x, y, z = corner
    return 1 + x + (CELLS[0] + 1) * (y + (CELLS[1] + 1) * z)


def volume(corners):
    (a, b, c), (d, e, f), (g, h, i) = ([p - q for p, q in zip(corner, corners[0])] for corner in corners[1:])
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def tetrahedra():
    flip = lambda corner, axis: tuple(1 - value if i == axis else value for i, value in enumerate(corner))   # noqa: E731
    for cell in itertools.product(*map(range, CELLS)):
        cut_off = [flip(corner, 0) if sum(cell) % 2 else corner for corner in CUT_OFF]
        rest = [flip(corner, 0) for corner in cut_off]
        parts = [[corner, *(flip(corner, axis) for axis in range(3))] for corner in cut_off] + [rest]
        for part in parts:
            corners = [tuple(p + q for p, q in zip(cell, corner)) for corner in part]
            yield corners if volume(corners) > 0 else [corners[1], corners[0], *corners[2:]]


def main():
    solid = list(tetrahedra())
    ends = [face for corners in solid for face in itertools.combinations(corners, 3) for x in (0, CELLS[0]) if all(corner[0] == x for corner in face)]
    elements = [(TETRAHEDRON, SOLID, corners) for corners in solid] + [(TRIANGLE, ENDS, face) for face in ends]
    vertices = sorted((number(corner), corner) for corner in itertools.product(*(range(count + 1) for count in CELLS)))
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "2", f'3 {SOLID} "solid"', f'2 {ENDS} "ends"', "$EndPhysicalNames"]
    lines += ["$Nodes", len(vertices), *(f"{n} {x} {y} {z}" for n, (x, y, z) in vertices), "$EndNodes", "$Elements", len(elements)]
    for i, (kind, region, corners) in enumerate(elements, 1):
        lines.append(" ".join(map(str, (i, kind, 2, region, region, *map(number, corners)))))
    pathlib.Path(__file__).with_name("beam.msh").write_text("\n".join(map(str, [*lines, "$EndElements"])) + "\n")


if __name__ == "__main__":
    main()
