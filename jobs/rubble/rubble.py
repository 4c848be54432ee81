#!/usr/bin/python3
"""Writes the scene of N rigid bodies of five shapes that fall into an open box, and their meshes.

rubble.py --bodies 100 --out FOLDER writes FOLDER/scene.yaml and the meshes beside it. The bodies stand on a jittered lattice over the box, each turned at random, and
turned anew if it would cross a neighbour: the same number and seed give the same scene. The box has room for the rubble at any number: its base grows with the bodies, so that they always pile up equally high.
"""

import argparse
import math
import pathlib

import numpy

SIZE = 0.05                      # diameter of the ball whose mass each body has about [m]
CELL = 1.75 * SIZE               # edge of a cell in which a body starts [m]
LAYERS = 5                       # cells that a full column has
WALL = 0.5 * SIZE                # between the lattice and the walls [m]
CLEARANCE = 1e-4                 # least distance of bodies at the start [m]
PHI = (1 + math.sqrt(5)) / 2


def box(x, y, z):
    return [(sx * x / 2, sy * y / 2, sz * z / 2) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]


def shapes():
    """Corners by name, of convex bodies with about the volume of a ball of diameter SIZE."""
    prism = [(math.cos(a), math.sin(a), 0.8 * s) for a in numpy.arange(6) * math.pi / 3 for s in (-1, 1)]
    ball = [p for one in (-1, 1) for other in (-PHI, PHI) for p in ((0, one, other), (one, other, 0), (other, 0, one))]
    corners = {"cube": box(1, 1, 1), "brick": box(1.5, 1, 0.7), "tetrahedron": [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], "prism": prism, "ball": ball}
    scaled = {}
    for name, points in corners.items():
        points = numpy.array(points, dtype=float)
        scaled[name] = points * (math.pi / 6 * SIZE**3 / volume(points)) ** (1 / 3)
    return scaled


def faces(points):
    """The triangles of the hull of a few points, outwards: each plane through three points that has all others behind it, as a fan from its first corner."""
    found = {}
    for a in range(len(points)):
        for b in range(a + 1, len(points)):
            for c in range(b + 1, len(points)):
                normal = numpy.cross(points[b] - points[a], points[c] - points[a])
                if numpy.linalg.norm(normal) < 1e-12 or numpy.dot(normal, points[a]) == 0:
                    continue
                normal /= numpy.linalg.norm(normal) * numpy.sign(numpy.dot(normal, points[a]))
                heights = (points - points[a]) @ normal
                if heights.max() < 1e-9:
                    found[tuple(numpy.flatnonzero(heights > -1e-9))] = normal
    triangles = []
    for corners, normal in found.items():
        corners = numpy.array(corners)
        offsets = points[corners] - points[corners].mean(axis=0)
        across = numpy.cross(normal, offsets[0])
        angles = numpy.arctan2(offsets @ across, offsets @ offsets[0] * numpy.linalg.norm(across) / numpy.linalg.norm(offsets[0]))
        angles[angles < 1e-9 - numpy.pi] += 2 * numpy.pi   # half a turn back is half a turn, whatever the rounding
        around = corners[numpy.argsort(angles)]
        triangles += [(around[0], around[i], around[i + 1]) for i in range(1, len(around) - 1)]
    return triangles


def volume(points):
    return sum(numpy.dot(points[a], numpy.cross(points[b], points[c])) for a, b, c in faces(points)) / 6


def mesh(points):
    """Gmsh's format 2.2: tetrahedra between the faces and the center, or a single one."""
    surface = faces(points)
    if len(points) == 4:
        a, b, c = surface[0]
        nodes, tetrahedra = points, [(6 - a - b - c, a, b, c)]
    else:
        nodes, tetrahedra = numpy.vstack([points, numpy.zeros(3)]), [(len(points), *face) for face in surface]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "1", '3 1 "body"', "$EndPhysicalNames", "$Nodes", str(len(nodes))]
    lines += [f"{i} {x:.12g} {y:.12g} {z:.12g}" for i, (x, y, z) in enumerate(nodes, 1)]
    lines += ["$EndNodes", "$Elements", str(len(tetrahedra))]
    lines += [f"{i} 4 2 1 1 " + " ".join(str(v + 1) for v in corners) for i, corners in enumerate(tetrahedra, 1)]
    return "\n".join(lines + ["$EndElements", ""])


def turned(points, axis, degrees):
    """Points after a rotation about an axis through the origin (Rodrigues' formula)."""
    axis, angle = axis / numpy.linalg.norm(axis), math.radians(degrees)
    return points * math.cos(angle) + numpy.cross(axis, points) * math.sin(angle) + numpy.outer(points @ axis, axis) * (1 - math.cos(angle))


def separation(first, second, triangles):
    """The largest gap between two convex bodies along the normals of their faces and of pairs of edges; they cross if it is negative. `triangles`: of each body."""
    axes, edges = [], []
    for points, corners in zip((first, second), triangles):
        corners = numpy.array(corners)
        sides = [points[corners[:, (i + 1) % 3]] - points[corners[:, i]] for i in range(3)]
        axes.append(numpy.cross(sides[0], sides[1]))
        edges.append(numpy.vstack(sides))
    axes.append(numpy.cross(edges[0][:, None], edges[1][None]).reshape(-1, 3))
    axes = numpy.vstack(axes)
    lengths = numpy.linalg.norm(axes, axis=1)
    axes = axes[lengths > 1e-9 * lengths.max()] / lengths[lengths > 1e-9 * lengths.max(), None]
    one, other = first @ axes.T, second @ axes.T
    return numpy.maximum(one.min(axis=0) - other.max(axis=0), other.min(axis=0) - one.max(axis=0)).max()


def scene(bodies, seed):
    """The text of scene.yaml; settings.yaml has what does not depend on the bodies."""
    corners = shapes()
    triangles = {name: faces(points) for name, points in corners.items()}
    reach = {name: numpy.linalg.norm(points, axis=1).max() for name, points in corners.items()}
    placed = {}  # what stands in a cell

    def fits(cell, shape, position, points):
        for offset in numpy.ndindex(3, 3, 3):
            other = placed.get(tuple(numpy.array(cell) + offset - 1))
            if other and numpy.linalg.norm(position - other[1]) < reach[shape] + reach[other[0]] and separation(points, other[2], (triangles[shape], triangles[other[0]])) < CLEARANCE:
                return False
        return True

    random = numpy.random.default_rng(seed)
    side = math.ceil(math.sqrt(bodies / LAYERS))
    half, height = side * CELL / 2 + WALL, (math.ceil(bodies / side**2) + 2) * CELL
    lines = [f"# {bodies} rigid bodies of five shapes fall into an open box. Written by rubble.py; seed {seed}.", (pathlib.Path(__file__).parent / "settings.yaml").read_text().rstrip()]
    lines += ["surfaces:", f"  box: {{box: {{lower: [{-half:.6g}, {-half:.6g}, 0], upper: [{half:.6g}, {half:.6g}, {height:.6g}], inside: true}}}}", "bodies:"]
    names = sorted(shapes())
    for number in range(bodies):
        layer, place = divmod(number, side**2)
        row, column = divmod(place, side)
        position = numpy.array([column + 0.5 - side / 2, row + 0.5 - side / 2, layer + 0.7]) * CELL + random.uniform(-0.06, 0.06, 3) * SIZE
        axis = random.normal(size=3)
        angle, spin = random.uniform(0, 180), random.normal(size=3) * 3
        shape = names[random.integers(len(names))]
        points, again = position + turned(corners[shape], axis, angle), numpy.random.default_rng([seed, number])
        while not fits((layer, row, column), shape, position, points):
            axis, angle = again.normal(size=3), again.uniform(0, 180)
            points = position + turned(corners[shape], axis, angle)
        placed[layer, row, column] = (shape, position, points)
        numbers = [", ".join(f"{value:.6g}" for value in vector) for vector in (axis, position, spin)]
        lines.append(f"  {shape}_{number}: {{mesh: {shape}.msh, rigid: {{density: 2000, largest_strain: 1e-3}}, "
                     f"initial: {{rotate: {{axis: [{numbers[0]}], angle: {angle:.6g}}}, translate: [{numbers[1]}], angular_velocity: [{numbers[2]}]}}}}")
    return "\n".join(lines + [""])


def write(folder, bodies, seed):
    """scene.yaml, and the meshes that it names, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, points in shapes().items():
        (folder / f"{name}.msh").write_text(mesh(points))
    (folder / "scene.yaml").write_text(scene(bodies, seed))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bodies", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    write(arguments.out, arguments.bodies, arguments.seed)


if __name__ == "__main__":
    main()
