#!/usr/bin/python3
"""Writes ribbon.msh, a ribbon in a loose bowline, and cylinder.msh, which its loop goes round.

The standing part comes down at x = 0, makes a small loop to its right and crosses itself in front. The ribbon goes round the cylinder, comes up through the small loop from behind, goes behind the standing part, and down through the small loop again.
"""

import argparse
import pathlib
import sys

import numpy
import scipy.interpolate

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from surface_mesh import gmsh_text, ribbon, ribbon_text, strip  # noqa: E402

# Places along the middle line, and its heights at the crossings and ends [mm].
LINE = [(0, 230, 4), (0, 170, None), (0, 122, 4), (0, 74, -4), (0, 41, -10), (0, 0, None), (10.5, -25.5, None), (24, -34, 4), (36, -36, 4), (48, -34, 4), (61.5, -25.5, None), (72, 0, None), (63, 25, None),
        (48, 36, -4), (24, 39.5, -4), (0, 41, -1), (-32, 32, 0), (-58, -5, None), (-66, -60, None), (-68, -120, 0), (-50, -170, None), (0, -195, 0), (50, -170, None), (68, -120, 0), (64, -85, None),
        (52, -58, -4), (48, -34, -4), (48, 0, None), (48, 36, 4), (48, 75, 4), (36, 108, None), (0, 122, -4), (-26, 112, None), (-26, 84, None), (0, 74, 4), (18, 62, 4), (24, 39.5, 4), (24, 0, None),
        (24, -34, -4), (22, -68, -4)]
CENTRE, RADIUS, HEIGHT = -0.125, 0.04, 0.1   # the cylinder's [m]


def middle_line(spacing):
    """Points at equal distances [m], and their heights."""
    places = 1e-3 * numpy.array([place[:2] for place in LINE], float)
    chords = numpy.concatenate([[0], numpy.cumsum(numpy.linalg.norm(numpy.diff(places, axis=0), axis=1) ** 0.5)])
    fine = numpy.linspace(0, chords[-1], 20000)
    line = scipy.interpolate.CubicSpline(chords, places)(fine)
    known = [(chord, 1e-3 * place[2]) for chord, place in zip(chords, LINE) if place[2] is not None]
    heights = scipy.interpolate.PchipInterpolator(*zip(*known))(fine)
    length = numpy.concatenate([[0], numpy.cumsum(numpy.linalg.norm(numpy.diff(line, axis=0), axis=1))])
    even = numpy.linspace(0, length[-1], int(round(length[-1] / spacing)) + 1)
    return numpy.stack([numpy.interp(even, length, line[:, i]) for i in range(2)], axis=1), numpy.interp(even, length, heights)


def cylinder(around, along):
    angle = 2 * numpy.pi * numpy.arange(around) / around
    rings = [numpy.stack([RADIUS * numpy.cos(angle), CENTRE + RADIUS * numpy.sin(angle), numpy.full(around, z)], axis=1) for z in numpy.linspace(-HEIGHT / 2, HEIGHT / 2, along + 1)]
    numbers = numpy.arange(around * (along + 1)).reshape(along + 1, around)
    closed = numpy.concatenate([numbers, numbers[:, :1]], axis=1)
    rims = numpy.concatenate([numpy.stack([ring, numpy.roll(ring, -1)], axis=1) for ring in (numbers[0], numbers[-1])])
    return gmsh_text(numpy.concatenate(rings), {"wall": strip(closed)}, {"rims": rims})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--spacing", type=float, default=5e-3, help="of vertices along the ribbon [m]")
    parser.add_argument("--columns", type=int, default=4, help="of vertices across the ribbon (default 4)")
    parser.add_argument("--width", type=float, default=0.012, help="of the ribbon [m]")
    options = parser.parse_args()
    (options.out / "ribbon.msh").write_text(ribbon_text(ribbon(*middle_line(options.spacing), options.columns, options.width), ends=("first_end", "last_end")))
    (options.out / "cylinder.msh").write_text(cylinder(32, 12))


if __name__ == "__main__":
    main()
