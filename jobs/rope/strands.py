#!/usr/bin/python3
"""Writes strands.msh: upright strands whose lower ends are spread over a disc like the seeds of a sunflower."""

import argparse
import math
import pathlib

import numpy

LENGTH = 0.3             # length of a strand [m]
SPREAD = 1.9e-3          # the k-th strand is SPREAD sqrt(k - 1/2) from the axis [m]
GOLDEN = math.pi * (3 - math.sqrt(5))   # the angle from each strand to the next


def feet(count):
    """Places [count, 2] of the lower ends."""
    k = numpy.arange(count)
    radius, angle = SPREAD * numpy.sqrt(k + 0.5), GOLDEN * k
    return numpy.stack([radius * numpy.cos(angle), radius * numpy.sin(angle)], axis=1)


def gmsh_text(count, segments):
    size = segments + 1
    points = [(x, y, LENGTH * k / segments) for x, y in feet(count) for k in range(size)]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "3", '1 1 "strands"', '0 2 "feet"', '0 3 "heads"', "$EndPhysicalNames", "$Nodes", str(len(points))]
    lines += [f"{i} {x:.9g} {y:.9g} {z:.9g}" for i, (x, y, z) in enumerate(points, 1)]
    elements = [f"15 2 {region} {region} {s * size + k}" for s in range(count) for region, k in ((2, 1), (3, size))]
    elements += [f"1 2 1 {s + 1} {s * size + k} {s * size + k + 1}" for s in range(count) for k in range(1, size)]
    return "\n".join([*lines, "$EndNodes", "$Elements", str(len(elements)), *(f"{i} {element}" for i, element in enumerate(elements, 1)), "$EndElements", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="strands")
    parser.add_argument("--segments", type=int, default=20, help="segments of a strand")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.out.write_text(gmsh_text(arguments.count, arguments.segments))


if __name__ == "__main__":
    main()
