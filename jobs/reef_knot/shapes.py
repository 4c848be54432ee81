#!/usr/bin/python3
"""Writes one.msh and other.msh, two ribbons in a loose reef knot.

Each ribbon lies flat along a bight: it comes in from its ends between the legs of the other one's turn, passes below that turn and above the other's legs, and turns round in a half circle below the other's ends. Turned by 180 degrees about y, one
ribbon is the other.
"""

import argparse
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from surface_mesh import ribbon, ribbon_text  # noqa: E402

END, INNER, OUTER, CENTRE, HEIGHT = 0.2, 0.022, 0.066, 0.06, 0.008   # [m]: the ends' length, legs from the axis, the turn's middle, and heights from the plane between the ribbons


def smooth(x):
    x = numpy.clip(x, 0, 1)
    return x**3 * (10 - 15 * x + 6 * x**2)


def middle_line(count):
    """Points of half a ribbon, from its end at negative x to the middle of its turn, evenly spaced."""
    x = numpy.linspace(-END - CENTRE, CENTRE, 2000)
    leg = numpy.stack([x, INNER + (OUTER - INNER) * smooth((x + CENTRE * 0.75) / (1.5 * CENTRE))], axis=1)
    angle = numpy.linspace(0, numpy.pi / 2, 1000)[1:]
    turn = numpy.stack([CENTRE + OUTER * numpy.sin(angle), OUTER * numpy.cos(angle)], axis=1)
    line = numpy.concatenate([leg, turn])
    length = numpy.concatenate([[0], numpy.cumsum(numpy.linalg.norm(numpy.diff(line, axis=0), axis=1))])
    places = numpy.linspace(0, length[-1], count)
    return numpy.stack([numpy.interp(places, length, line[:, i]) for i in range(2)], axis=1)


def height(x, y):
    """Above the other's legs near the middle, below its turn on the left; below its legs where it turns on the right. Between the crossings it changes sides."""
    left = smooth((x + 0.062) / 0.036)      # from the other's turn to the other's legs
    right = smooth((x - 0.026) / 0.036)     # and on to the turn
    return HEIGHT * (-1 + 2 * left - 2 * right)


def along_both_legs(rows):
    half = middle_line(rows)
    return numpy.concatenate([half, (half * [1, -1])[-2::-1]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=61, help="of vertices along half a ribbon (default 61)")
    parser.add_argument("--columns", type=int, default=5, help="of vertices across a ribbon (default 5)")
    parser.add_argument("--width", type=float, default=0.024, help="of a ribbon [m]")
    options = parser.parse_args()
    line = along_both_legs(options.rows)
    points = ribbon(line, height(line[:, 0], line[:, 1]), options.columns, options.width)
    for name, turn in (("one", [1, 1, 1]), ("other", [-1, 1, -1])):
        (options.out / f"{name}.msh").write_text(ribbon_text(points, turn))


if __name__ == "__main__":
    main()
