#!/usr/bin/python3
"""Prints how the belt moves in each mode of `traction modes modes.yaml --out DIR`.

A part of the tread's motion is a shift or a turn of a stiff ring, or a wave around it; the largest part is named.
"""

import argparse
import csv
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
from field_frames import Frames  # noqa: E402

PUBLISHED = {"lateral": 41.47, "yaw and camber": 53.46, "windup": 67.73, "vertical and along": 76.63}   # [Hz]: TNO 2013, TNO_car205_60R15.tir


def wave(values, angle, order):
    """Sum of the squares of what a wave of this order around the axle makes of values."""
    return sum((values @ shape) ** 2 / (shape @ shape) for shape in (numpy.cos(order * angle), numpy.sin(order * angle)))


def parts(points, motion):
    """Parts of the motion of the tread's vertices, about the y axis."""
    x, _, z = points.T
    radius = numpy.hypot(x, z)
    around, outward = (motion[:, 0] * z - motion[:, 2] * x) / radius, (motion[:, 0] * x + motion[:, 2] * z) / radius
    angle, count = numpy.arctan2(x, -z), len(points)
    mean = motion.mean(axis=0)
    found = {"lateral": count * mean[1] ** 2, "yaw and camber": wave(motion[:, 1], angle, 1), "windup": count * around.mean() ** 2, "vertical and along": count * (mean[0] ** 2 + mean[2] ** 2)}
    found |= {f"{name}, {order} waves": wave(values, angle, order) for order in (2, 3, 4) for name, values in (("lateral", motion[:, 1]), ("radial", outward))}
    return {name: value / (motion**2).sum() for name, value in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    directory = parser.parse_args().directory
    frames = Frames(directory)
    with open(directory / "modes.csv") as file:
        rows = list(csv.DictReader(file))
    print("mode  frequency [Hz]  part of the tread's motion            published [Hz]")
    for index, row in enumerate(rows):
        frame = frames.read(index)
        faces, regions = frame.topology.surface
        tread = numpy.unique(faces[regions == 0])
        found = parts(frame.points[tread], frame.fields["mode"][tread])
        name = max(found, key=found.get)
        print(f"{row['mode']:>4}  {float(row['frequency']):14.2f}  {100 * found[name]:3.0f} % {name:<30}  {PUBLISHED.get(name, '')}")


if __name__ == "__main__":
    main()
