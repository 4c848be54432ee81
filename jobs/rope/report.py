"""Report of the rope: the moment that twists it against that of straight strands until they touch, where they touch first, and what friction keeps of the twist."""

import math
import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"), str(pathlib.Path(__file__).resolve().parent)]
from field_frames import Frames  # noqa: E402
from plot_history import COLOURS  # noqa: E402
import strands  # noqa: E402


class Strands:
    """Straight strands between their feet and their heads, which are turned by an angle; each is pulled upwards by the same force."""

    def __init__(self, run):
        body = run.scene["bodies"]["rope"]
        material = body["rod"]["strands"]
        frame = Frames(run.directory).read(0)
        points = frame.points - frame.fields["displacement"]
        self.feet = points[points[:, 2] < 1e-9, :2]
        self.load = body["loads"]["pull"]["force"][2] / len(self.feet)
        self.stiffness = material["youngs_modulus"] * math.pi * material["radius"] ** 2
        self.reach = 2 * material["radius"] + run.scene["contacts"]["touch"]["thickness"]
        self.turning = body["driven"][0]["motion"]

    def angle(self, time):
        """The angle of the heads [rad] that the motions of the scene prescribe."""
        total = numpy.zeros_like(numpy.asarray(time, dtype=float))
        for motion in self.turning:
            ramp, since = motion["ramp"], numpy.maximum(numpy.asarray(time) - motion.get("start", 0), 0)
            total += motion["angular_velocity"][2] * numpy.where(since < ramp, since**2 / (2 * ramp), since - ramp / 2)
        return total

    def heights(self, angle):
        """Heights of the heads [m]: the strands are stretched by what pulls them."""
        across = 2 * numpy.linalg.norm(self.feet, axis=1) * abs(math.sin(angle / 2))
        length = numpy.full(len(self.feet), strands.LENGTH)
        for _ in range(50):
            height = numpy.sqrt(length**2 - across**2)
            length = strands.LENGTH * (1 + self.load * length / height / self.stiffness)
        return height

    def moment(self, angle):
        return float((self.load * (self.feet**2).sum(axis=1) * math.sin(angle) / self.heights(angle)).sum())

    def distance(self, angle):
        """The least distance of two axes [m]."""
        turn = numpy.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        below = numpy.column_stack([self.feet, numpy.zeros(len(self.feet))])
        along = numpy.column_stack([self.feet @ turn.T, self.heights(angle)]) - below
        one, other = numpy.triu_indices(len(self.feet), 1)
        u, v, w = along[one], along[other], below[one] - below[other]
        a, b, c, d, e = ((x * y).sum(axis=1) for x, y in ((u, u), (u, v), (v, v), (u, w), (v, w)))
        across = a * c - b * b
        parallel = across < 1e-12 * a * c
        s = numpy.clip(numpy.where(parallel, 0, (b * e - c * d) / numpy.where(parallel, 1, across)), 0, 1)
        t = numpy.clip((b * s + e) / c, 0, 1)
        s = numpy.clip((b * t - d) / a, 0, 1)
        return float(numpy.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=1).min())

    def touching_angle(self):
        lower, upper = 0.0, math.pi
        for _ in range(40):
            middle = (lower + upper) / 2
            lower, upper = (middle, upper) if self.distance(middle) > self.reach else (lower, middle)
        return lower


class Twisting:
    """A run's angles and moments. The moment is the mean of those on both ends, which differ by the drag."""

    def __init__(self, run):
        self.strands = Strands(run)
        self.time, at_feet, at_heads, self.pairs = (numpy.array(column) for column in run.columns("time", "rope.feet.mz", "rope.heads.mz", "touch.contacts"))
        self.moment = (at_heads - at_feet) / 2
        self.angle = self.strands.angle(self.time)
        self.most = int(numpy.argmax(self.angle))

    def kept(self):
        """The angle at which the rope would rest without a moment, as it is turned back; 0 if its moment never changes its sign."""
        back = numpy.arange(self.most, len(self.time))
        below = numpy.flatnonzero(self.moment[back] < 0)
        if not below.size or below[0] == 0:
            return 0.0
        k = back[below[0]]
        share = self.moment[k - 1] / (self.moment[k - 1] - self.moment[k])
        return float(self.angle[k - 1] + share * (self.angle[k] - self.angle[k - 1]))


def summary(run):
    twisting = Twisting(run)
    spent = run.report["costs"]["total"]
    rows = []
    degrees = numpy.degrees(twisting.angle)
    first = int(numpy.argmax(twisting.pairs > 0)) if (twisting.pairs > 0).any() else len(degrees) - 1
    for wanted in (30, 60):
        if wanted < degrees[first]:
            k = int(numpy.argmin(numpy.abs(degrees[:first] - wanted)))
            rows.append((f"moment at {degrees[k]:.1f} degrees", 1e3 * float(twisting.moment[k]), "N mm", 1e3 * twisting.strands.moment(twisting.angle[k]), "straight strands: sum of n r^2 sin(angle)/z"))
    rows.append(("angle at which strands touch, up to a step less", float(degrees[first]), "deg", math.degrees(twisting.strands.touching_angle()), "distance of straight strands"))
    driven, friction, damping, numerical, gap, pull = run.columns("work_driven", "work_friction", "work_damping", "energy_numerical", "min_gap", "rope.feet.fz")
    back_and_forth = abs(degrees[-1]) < 1
    rows += [
        ("largest angle", float(degrees[twisting.most]), "deg", "", ""),
        ("moment there", 1e3 * float(twisting.moment[twisting.most]), "N mm", "", ""),
        ("pull at the feet there", -pull[twisting.most], "N", run.scene["bodies"]["rope"]["loads"]["pull"]["force"][2], "the load"),
        ("pairs in contact there", float(twisting.pairs[twisting.most]), "", "", ""),
        ("smallest gap between surfaces", min(gap), "m", "", "more than 0: nothing passes through anything"),
        ("work of friction", 1e3 * friction[-1], "mJ", "", ""),
        ("energy that numerical errors added", 1e3 * numerical[-1], "mJ", 0, ""),
    ]
    if back_and_forth:
        rows += [
            ("angle at which the rope rests without a moment, on its way back", math.degrees(twisting.kept()), "deg", "", "0 without friction"),
            ("work of the heads, there and back", 1e3 * driven[-1], "mJ", "", ""),
            ("the part of it that friction and damping took", -(friction[-1] + damping[-1]) / driven[-1], "", "", ""),
        ]
    return [*rows, ("Newton iterations per step", spent["newton_iterations"] / spent["steps"], "", "", ""), ("steps", float(spent["steps"]), "", "", ""),
            ("seconds", spent["seconds"], "s", "", "")]


def curves(runs, path):
    figure, axes = pyplot.subplots(figsize=(8, 4.5), constrained_layout=True)
    for colour, (label, twisting) in zip(COLOURS, runs):
        degrees = numpy.degrees(twisting.angle)
        axes.plot(degrees[: twisting.most + 1], 1e3 * twisting.moment[: twisting.most + 1], color=colour, label=label)
        axes.plot(degrees[twisting.most:], 1e3 * twisting.moment[twisting.most:], "--", color=colour, linewidth=1)
    angles = numpy.linspace(0, math.pi, 91)
    axes.plot(numpy.degrees(angles), [1e3 * runs[0][1].strands.moment(angle) for angle in angles], "k:", label="straight strands that do not touch")
    axes.axvline(math.degrees(runs[0][1].strands.touching_angle()), color="0.8", linewidth=1)
    axes.axhline(0, color="0.8", linewidth=1)
    axes.set(xlabel="angle of the heads [degrees] (dashed: back)", ylabel="moment [N mm]")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def pictures(run):
    twisting = Twisting(run)
    curves([("", twisting)], run.directory / "moment.png")
    last = len(Frames(run.directory)) - 1
    most = round(last * twisting.time[twisting.most] / twisting.time[-1])
    frames = [round(most * k / 4) for k in range(5)] + ([last] if most < last else [])
    run.render("rope.png", frames, "--color", "contact_pressure", "--azimuth", "0", "--elevation", "8", "--zoom", "1.25", "--sheet-size", "200x560")


def study(runs, directory):
    curves([(run.label, Twisting(run)) for run in runs], directory / "moments.png")
    return [(f"{quantity}: {run.label}", *rest) for run in runs for quantity, *rest in summary(run)]
