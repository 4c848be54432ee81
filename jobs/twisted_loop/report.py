"""Report of the twisted loop: turns of the end against twist and writhe, the moment, and the plectoneme."""

import functools
import math
import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
from field_frames import Frames  # noqa: E402
from plot_history import COLOURS  # noqa: E402


def writhe(points):
    """Writhe in turns of a curve whose ends continue straight for a hundred times their distance: Gauss's integral of all pairs of segments (Klenin and Langowski 2000, method 1a)."""
    far = 100 * numpy.linalg.norm(points[-1] - points[0])
    first, last = points[0] - points[1], points[-1] - points[-2]
    points = numpy.vstack([points[0] + far * first / numpy.linalg.norm(first), points, points[-1] + far * last / numpy.linalg.norm(last)])
    one, other = numpy.triu_indices(len(points) - 1, 2)
    a, b, c, d = points[one], points[one + 1], points[other], points[other + 1]
    sides = [c - a, d - a, d - b, c - b]
    normals = [numpy.cross(u, v) for u, v in zip(sides, sides[1:] + sides[:1])]
    sizes = [numpy.linalg.norm(normal, axis=1, keepdims=True) for normal in normals]
    across = numpy.min(sizes, axis=0)[:, 0] > 1e-14   # other pairs lie in a plane
    normals = [normal[across] / size[across] for normal, size in zip(normals, sizes)]
    area = sum(numpy.arcsin(numpy.clip((u * v).sum(axis=1), -1, 1)) for u, v in zip(normals, normals[1:] + normals[:1]))
    sign = numpy.sign((numpy.cross(d - c, b - a) * (c - a)).sum(axis=1))[across]
    return float((sign * area).sum() / (2 * math.pi))


@functools.cache
def turns(run):
    """Times, and the twist and the writhe of the rod in turns."""
    frames = Frames(run.directory)
    time, twists, writhes = [], [], []
    for index in range(len(frames)):
        frame = frames.read(index)
        lines = frame.topology.lines[numpy.argsort(frame.topology.lines[:, 0])]
        points = frame.points[[*lines[:, 0], lines[-1, 1]]]
        rest = points - frame.fields["displacement"][[*lines[:, 0], lines[-1, 1]]]
        lengths = numpy.linalg.norm(numpy.diff(rest, axis=0), axis=1)
        twist = frame.cell_fields["twist"][len(frame.topology.cells) + len(frame.topology.triangles):][numpy.argsort(frame.topology.lines[:, 0])]
        time.append(frame.time)
        twists.append(float(twist @ lengths) / (2 * math.pi))
        writhes.append(writhe(points))
    return time, numpy.array(twists), numpy.array(writhes)


def summary(run):
    time, twists, writhes = turns(run)
    spent = run.report["costs"]["total"]
    gap, contacts = run.columns("min_gap", "contacts")
    return [
        ("twist at the end", twists[-1], "turns", "", ""),
        ("writhe at the end", writhes[-1], "turns", "", ""),
        ("twist and writhe at the end", twists[-1] + writhes[-1], "turns", time[-1], "the end's turns (Calugareanu, White, Fuller)"),
        ("largest difference between them and the end's turns", float(numpy.abs(twists + writhes - time).max()), "turns", 0, ""),
        ("smallest gap between surfaces", min(gap), "m", "", ""),
        ("most pairs in contact", max(contacts), "", "", ""),
        ("Newton iterations per step", spent["newton_iterations"] / spent["steps"], "", "", ""),
        ("seconds per step", spent["seconds"] / spent["steps"], "s", "", ""),
    ]


def pictures(run):
    time, twists, writhes = turns(run)
    figure, (upper, lower) = pyplot.subplots(2, 1, figsize=(8, 6), sharex=True, constrained_layout=True)
    upper.plot(time, twists, color=COLOURS[0], label="twist")
    upper.plot(time, writhes, color=COLOURS[1], label="writhe")
    upper.plot(time, twists + writhes, color=COLOURS[2], label="both")
    upper.plot(time, time, "k:", label="the end's turns")
    upper.set_ylabel("turns")
    upper.legend(frameon=False)
    history, moment, force = run.columns("time", "rod.last_segment.mx", "rod.last_segment.fx")
    lower.plot(history, [1e3 * value for value in moment], color=COLOURS[0], label="moment [N mm]")
    lower.plot(history, [10 * value for value in force], color=COLOURS[1], label="force [0.1 N]")
    lower.set_xlabel("time [s]")
    lower.legend(frameon=False)
    figure.savefig(run.directory / "turns.png", dpi=120)
    run.render("loop.png", (30, 50, 60, 70, 80), "--color", "twist", "--zoom", "2.2")


def study(runs, directory):
    figure, axes = pyplot.subplots(figsize=(8, 4), constrained_layout=True)
    rows = []
    for colour, run in zip(COLOURS, runs):
        time, twists, writhes = turns(run)
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in summary(run)]
        axes.plot(time, writhes, color=colour, label=run.label)
    axes.set_xlabel("time [s]")
    axes.set_ylabel("writhe [turns]")
    axes.legend(frameon=False)
    figure.savefig(directory / "writhe.png", dpi=120)
    return rows
