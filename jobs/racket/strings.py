#!/usr/bin/python3
"""Writes the woven strings of a racket at their natural length: mains.msh along x, and crosses.msh along y, alternately above and below them."""

import argparse
import pathlib

import numpy

SIDE = 0.24              # edge of the square between the ends of the strings [m]
RADIUS = 0.9e-3          # as in scene.yaml [m]
APART = 0.2e-3           # distance of surfaces where strings cross [m]


def strings(count, parts, along):
    """Points [count, 1 + parts (count + 1), 3]: straight between crossings, where they are alternately above and below."""
    crossings = (numpy.arange(count) + 0.5) / count * SIDE - SIDE / 2
    stations = numpy.concatenate([[-SIDE / 2], crossings, [SIDE / 2]])
    places = []
    for number, across in enumerate(crossings):
        side = numpy.array([0, *((-1) ** (number + k + along) for k in range(count)), 0])
        fine = numpy.arange(parts * (count + 1) + 1) / parts
        s, z = numpy.interp(fine, range(count + 2), stations), numpy.interp(fine, range(count + 2), side * (RADIUS + APART / 2))
        places.append(numpy.stack([s, numpy.full_like(s, across), z] if along == 0 else [numpy.full_like(s, across), s, z], axis=1))
    return numpy.array(places)


def gmsh_text(name, points):
    count, size = points.shape[:2]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "3", f'1 1 "{name}"', '0 2 "low_ends"', '0 3 "high_ends"', "$EndPhysicalNames", "$Nodes", str(count * size)]
    lines += [f"{i} {x:.9g} {y:.9g} {z:.9g}" for i, (x, y, z) in enumerate(points.reshape(-1, 3), 1)]
    elements = [f"15 2 {region} {region} {s * size + k}" for s in range(count) for region, k in ((2, 1), (3, size))]
    elements += [f"1 2 1 {s + 1} {s * size + k} {s * size + k + 1}" for s in range(count) for k in range(1, size)]
    return "\n".join([*lines, "$EndNodes", "$Elements", str(len(elements)), *(f"{i} {element}" for i, element in enumerate(elements, 1)), "$EndElements", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=8, help="strings each way")
    parser.add_argument("--parts", type=int, default=3, help="segments between crossings")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for along, name in enumerate(("mains", "crosses")):
        (arguments.out / f"{name}.msh").write_text(gmsh_text(name, strings(arguments.count, arguments.parts, along)))


if __name__ == "__main__":
    main()
