"""Surfaces that jobs make without Gmsh: triangles between points, in regions with names, as text of a .msh file."""

import numpy


def gmsh_text(points, regions, curves=None):
    """`regions`: triangles by name; `curves`: edges by name, as rows of point numbers from 0."""
    groups = [(2, name, numpy.asarray(cells, int)) for name, cells in regions.items()] + [(1, name, numpy.asarray(cells, int)) for name, cells in (curves or {}).items()]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(groups))]
    lines += [f'{dimension} {number} "{name}"' for number, (dimension, name, _) in enumerate(groups, 1)]
    lines += ["$EndPhysicalNames", "$Nodes", str(len(points)), *(f"{i} {x:.9g} {y:.9g} {z:.9g}" for i, (x, y, z) in enumerate(points, 1)), "$EndNodes"]
    elements = [f"{dimension} 2 {number} {number} {' '.join(str(corner + 1) for corner in cell)}" for number, (dimension, _, cells) in enumerate(groups, 1) for cell in cells]
    return "\n".join([*lines, "$Elements", str(len(elements)), *(f"{i} {element}" for i, element in enumerate(elements, 1)), "$EndElements", ""])


def strip(points):
    """Triangles of a grid of points, [rows, columns] of their numbers, with the shorter way between corners left to chance: diagonals alternate."""
    rows, columns = points.shape
    triangles = []
    for i in range(rows - 1):
        for j in range(columns - 1):
            a, b, c, d = points[i, j], points[i + 1, j], points[i + 1, j + 1], points[i, j + 1]
            triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
    return numpy.array(triangles)


def ribbon(line, heights, columns, width):
    """Points [rows, columns] of a ribbon that lies flat along a line in the plane, at a height above it for each of the line's points."""
    along = numpy.gradient(line, axis=0)
    along /= numpy.linalg.norm(along, axis=1, keepdims=True)
    across = numpy.stack([-along[:, 1], along[:, 0]], axis=1)
    offsets = numpy.linspace(-width / 2, width / 2, columns)
    flat = line[:, None] + offsets[None, :, None] * across[:, None]
    return numpy.concatenate([flat, numpy.broadcast_to(heights[:, None, None], (*flat.shape[:2], 1))], axis=2)


def ribbon_text(points, turn=(1, 1, 1), ends=("ends",)):
    """The ribbon, each coordinate multiplied by one of `turn`, as text of a .msh file: the region `ribbon`, and the edges across its two ends, as one curve or as two."""
    numbers = numpy.arange(points.shape[0] * points.shape[1]).reshape(points.shape[:2])
    first, last = (numpy.stack([row[:-1], row[1:]], axis=1) for row in (numbers[0], numbers[-1]))
    curves = {ends[0]: numpy.concatenate([first, last])} if len(ends) == 1 else dict(zip(ends, (first, last)))
    return gmsh_text(points.reshape(-1, 3) * turn, {"ribbon": strip(numbers)}, curves)


def ball(parts):
    """Points on the unit sphere and outward triangles: an icosahedron whose edges are cut into `parts`, 10 parts^2 + 2 vertices."""
    golden = (1 + 5**0.5) / 2
    corners = numpy.array([(-1, golden, 0), (1, golden, 0), (-1, -golden, 0), (1, -golden, 0), (0, -1, golden), (0, 1, golden), (0, -1, -golden), (0, 1, -golden),
                           (golden, 0, -1), (golden, 0, 1), (-golden, 0, -1), (-golden, 0, 1)])
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9),
             (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    points, triangles = [], []
    for a, b, c in corners[numpy.array(faces)]:
        start = {(i, j): len(points) + k for k, (i, j) in enumerate((i, j) for i in range(parts + 1) for j in range(parts + 1 - i))}
        points += [a + (b - a) * i / parts + (c - a) * j / parts for i, j in start]
        for i, j in start:
            if i + j < parts:
                triangles.append((start[i, j], start[i + 1, j], start[i, j + 1]))
            if i + j < parts - 1:
                triangles.append((start[i + 1, j], start[i + 1, j + 1], start[i, j + 1]))
    points = numpy.array(points)
    points /= numpy.linalg.norm(points, axis=1, keepdims=True)
    _, first, number = numpy.unique(points.round(9), axis=0, return_index=True, return_inverse=True)
    return points[first], number.ravel()[numpy.array(triangles)]
