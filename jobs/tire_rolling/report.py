"""Report of the rolling tire: forces and moments over slip beside the published Magic Formula and a brush.

They are those of the road on the tread, and of the support of the wheel.
"""

import math
import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tire_footprint"))
import tire  # noqa: E402

ROLLS = 2        # [s]: when rolling starts, as in scene.yaml
LAST = 0.16      # [m]: the end of the way, over which forces are averaged: six rows of tread
TREAD = 0.0105   # [m]: height, as in tire.geo
PATCH = 0.152, 0.144   # [m]: length and width that tire_footprint finds at 4 kN
BRUSH = "brush on a stiff belt, with G/h of the tread, the patch of tire_footprint, and the friction of the run"


class Rolling:
    """Means over the last part of the way: forces of the road on the tire [N], moments about the axle and the vertical through it [N m], slips."""

    def __init__(self, run):
        self.run = run
        self.time, self.fx, self.fy, self.fz, support_x, torque, self.mz, self.height, self.spin = (
            numpy.array(column) for column in run.columns("time", "patch.fx", "patch.fy", "patch.fz", "wheel.wheel.fx", "wheel.wheel.my", "wheel.wheel.mz", "wheel.z", "wheel.wy"))
        scene = run.scene
        road = scene["surfaces"]["road"]["motion"]
        self.ramp = road["ramp"]
        velocity = numpy.array(road["velocity"])
        self.speed = float(numpy.linalg.norm(velocity))
        self.angle = math.atan2(velocity[1], -velocity[0])
        self.turns = scene["bodies"]["wheel"]["driven"][0]["motion"]["angular_velocity"][1]
        self.friction = scene["contacts"]["patch"]["friction"]["dynamic"]
        since = numpy.maximum(self.time - ROLLS, 0)
        self.way = self.speed * numpy.where(since < self.ramp, since**2 / (2 * self.ramp), since - self.ramp / 2)
        self.mz = -self.mz                                    # what the road exerts on the tire; the support balances it
        self.torque = torque - self.height * support_x        # what drives the wheel, about the axle
        self.support = support_x
        self.end = self.way > max(self.way[-1] - LAST, 0)
        self.steady = self.way[-1] > LAST + 0.2

    def mean(self, column):
        dt = numpy.diff(self.time, prepend=self.time[0])[self.end]
        return float((column[self.end] * dt).sum() / dt.sum())

    def spread(self, column):
        return float(numpy.ptp(column[self.end]))

    @property
    def radius(self):
        """The way of the road along the wheel's plane per angle of the wheel [m]."""
        return self.speed * math.cos(self.angle) / self.turns

    def slip(self, free_radius):
        """Longitudinal slip: negative while braking."""
        return free_radius / self.radius - 1

    @property
    def resistance(self):
        """Power of drive and road, which the tire and sliding take, over the speed [N]."""
        drive, road = self.mean(self.torque) * self.turns, (self.mean(self.fx) * -math.cos(self.angle) + self.mean(self.fy) * math.sin(self.angle)) * self.speed
        return (drive + road) / self.speed

    def loaded_radius(self):
        """From the axle to the lowest tread [m]."""
        road = self.run.scene["surfaces"]["road"]["plane"]["point"][2]
        return self.mean(self.height) - road - self.mean(numpy.array(self.run.columns("min_gap")[0]))

    def stiffness_of_brush(self):
        """Slope of the brush [N], the same in both directions: an ellipse has two thirds of 2 k a^2 w."""
        tread = self.run.scene["bodies"]["tire"]["solid"]["tread"]
        shear = 2 * (tread["c10"] + tread["c01"]) * (1 + sum(part["ratio"] for part in tread["prony"]))
        return 2 / 3 * 2 * shear / TREAD * (PATCH[0] / 2) ** 2 * PATCH[1]


def rows_of(run):
    found = Rolling(run)
    if not found.steady:
        return [("way", found.way[-1], "m", "", "")]
    load = found.mean(found.fz)
    rows = [("load", load, "N", 4000, "weight and load of the axle"), ("force along", found.mean(found.fx), "N", "", ""),
            ("force across", found.mean(found.fy), "N", "", ""),
            ("aligning moment", found.mean(found.mz), "N m", "", ""), ("torque of the drive", found.mean(found.torque), "N m", "", ""),
            ("ripple of the force along, from largest to least", found.spread(found.fx), "N", "", ""),
            ("road's way per angle", found.radius * 1e3, "mm", round(tire.published_rolling_radius(load) * 1e3, 1), tire.SOURCE),
            ("axle to tread", found.loaded_radius() * 1e3, "mm", round((tire.RADIUS * tire.FREE - tire.published_deflection(load)) * 1e3, 1), tire.SOURCE),
            ("all that is taken, over speed", found.resistance, "N", "", ""),
            ("horizontal force over friction times load", math.hypot(found.mean(found.fx), found.mean(found.fy)) / found.friction / load, "", "<= 1", "friction")]
    if abs(found.angle) > 1e-9:
        rows.append(("force across, published", float(tire.published_cornering(abs(found.angle), load)), "N", "", tire.SOURCE))
    return rows


def summary(run):
    total = run.report["costs"]["total"]
    return [*rows_of(run), ("elements", run.report["elements"], "", "", ""), ("steps", total["steps"], "", "", ""),
            ("Newton iterations per step", total["newton_iterations"] / total["steps"], "", "", ""), ("seconds", total["seconds"], "s", "", "")]


def pictures(run):
    found = Rolling(run)
    figure, axes = pyplot.subplots(2, 1, figsize=(7, 5.2), sharex=True, constrained_layout=True)
    for name, column in (("along", found.fx), ("across", found.fy), ("load", found.fz)):
        axes[0].plot(found.way[found.time > ROLLS], column[found.time > ROLLS], label=name)
    axes[1].plot(found.way[found.time > ROLLS], found.mz[found.time > ROLLS], label="aligning moment")
    axes[1].plot(found.way[found.time > ROLLS], found.torque[found.time > ROLLS], label="torque of the drive")
    axes[0].set(ylabel="force of the road [N]")
    axes[1].set(xlabel="way [m]", ylabel="moment [N m]")
    for panel in axes:
        panel.legend(frameon=False, fontsize=8)
    figure.savefig(run.directory / "rolling.png", dpi=110)
    pyplot.close(figure)
    run.render("tire.png", (0, -1), "--color", "velocity", "--sheet-size", "420x420")


class Sweep:
    """The free run, runs with slips straight on, and runs at slip angles.

    Forces of small slips take a longer way to grow than a run has. They are those to which the free run settles and what the run differs from it, as that grows (`relaxed`).
    Others are means.
    """

    SMALL = 0.021   # slip, or tangent of the angle

    def __init__(self, runs):
        cases = [Rolling(run) for run in runs if not run.gave_up]
        cases = [case for case in cases if case.steady]
        straight = sorted((case for case in cases if abs(case.angle) < 1e-9), key=lambda case: case.turns)
        self.free = straight[-1] if straight else None
        self.straight, self.turned = straight[:-1], sorted((case for case in cases if abs(case.angle) > 1e-9), key=lambda case: case.angle)
        if not self.straight:
            return
        near = self.straight[-1]
        self.along = relaxed(near, self.free, "fx")
        self.level = {name: settled(self.free, name, self.along[1]) for name in ("fx", "fy", "mz", "torque")}
        torque = relaxed(near, self.free, "torque")[0]
        # The speed of the wheel at which the torque would vanish.
        self.free_turns = self.free.turns - self.level["torque"] * (near.turns - self.free.turns) / torque
        self.free_radius = self.free.speed / self.free_turns
        self.slip_stiffness = self.along[0] / (near.turns / self.free.turns - 1)
        self.free_force = self.level["fx"] + self.slip_stiffness * (self.free_turns / self.free.turns - 1)

    def value(self, case, column, slip):
        if case is self.free:
            return self.level[column]
        return self.level[column] + relaxed(case, self.free, column)[0] if abs(slip) < self.SMALL else case.mean(getattr(case, column))

    def moment(self, case, force):
        """Aligning moment for a force across, by the trail at the end of the way: the moment alone grows too unevenly."""
        return force * (case.mean(case.mz) - self.level["mz"]) / (case.mean(case.fy) - self.level["fy"])

    def braking(self):
        """Slip, force along, resistance of the runs straight on."""
        return numpy.array([(case.slip(self.free_radius), self.value(case, "fx", case.turns / self.free.turns - 1), case.resistance) for case in [*self.straight, self.free]])

    def cornering(self):
        """Slip angle, force across and aligning moment without those of the free run, resistance."""
        rows = [(0, 0, 0, self.free.resistance)]
        for case in self.turned:
            force = self.value(case, "fy", math.tan(case.angle)) - self.level["fy"]
            rows.append((case.angle, force, self.moment(case, force), case.resistance))
        return numpy.array(rows)


def settled(case, column, length):
    """What a column comes to, if in the second half of the way it nears it as exp(-way/length)."""
    late = case.way > case.way[-1] / 2
    fit = numpy.stack([numpy.ones(late.sum()), numpy.exp(-case.way[late] / length)], axis=1)
    return float(numpy.linalg.lstsq(fit, getattr(case, column)[late], rcond=None)[0][0])


def relaxed(case, free, column):
    """(force [N], length [m]): what the force of a run differs from that of the free one after an endless way, and the way after which it has reached 1 - 1/e of that, if it grows as
    1 - exp(-way/length). What both runs have of the start drops out."""
    way = numpy.linspace(0.02, min(case.way[-1], free.way[-1]), 300)
    difference = numpy.interp(way, case.way, getattr(case, column)) - numpy.interp(way, free.way, getattr(free, column))
    best = None
    for length in numpy.geomspace(0.05, 2, 200):
        shape = 1 - numpy.exp(-way / length)
        force = (shape @ difference) / (shape @ shape)
        error = ((difference - force * shape) ** 2).sum()
        if best is None or error < best[0]:
            best = error, float(force), float(length)
    return best[1:]


def study(runs, directory):
    sweep = Sweep(runs)
    every = [(f"{quantity}: {run.label}", *rest) for run in runs if not run.gave_up for quantity, *rest in rows_of(run)]
    if not sweep.straight:
        return every
    load, friction = sweep.free.mean(sweep.free.fz), sweep.free.friction
    braking, cornering = sweep.braking(), sweep.cornering()
    stiffness = sweep.free.stiffness_of_brush()
    rows = [("free rolling radius", sweep.free_radius * 1e3, "mm", round(tire.published_rolling_radius(load) * 1e3, 1), tire.SOURCE),
            ("axle to tread", sweep.free.loaded_radius() * 1e3, "mm", round((tire.RADIUS * tire.FREE - tire.published_deflection(load)) * 1e3, 1), tire.SOURCE),
            ("rolling resistance, free", -sweep.free_force, "N", round(tire.published_resistance(load), 1), tire.SOURCE),
            ("slip stiffness", sweep.slip_stiffness / 1e3, "kN", round(21.69 * load / 1e3, 1), tire.SOURCE),
            ("way in which forces along grow", sweep.along[1], "m", round(21.69 * load / 381913.4, 3), tire.SOURCE + ": slip stiffness over LONGITUDINAL_STIFFNESS"),
            ("largest force, braking, over load", -braking[:, 1].min() / load, "", 1.04, tire.SOURCE + "; friction is an input here")]
    if sweep.turned:
        least = sweep.turned[0]
        force, way = relaxed(least, sweep.free, "fy")
        published = tire.published_cornering_stiffness(load)
        angles = numpy.radians(numpy.linspace(0, 8, 200))
        trail = float(tire.published_aligning(least.angle, load) / tire.published_cornering(least.angle, load))
        rows += [(f"cornering stiffness, {math.degrees(least.angle):.3g} degrees", force / math.degrees(least.angle), "N/degree", round(published * math.pi / 180), tire.SOURCE),
                 ("way in which forces across grow", way, "m", round(published / 157632.5, 3), tire.SOURCE + ": cornering stiffness over LATERAL_STIFFNESS"),
                 ("pneumatic trail there", abs(cornering[1, 2] / cornering[1, 1]) * 1e3, "mm", round(trail * 1e3, 1), tire.SOURCE),
                 ("largest force, cornering, over load", numpy.abs(cornering[:, 1]).max() / load, "", 0.88, tire.SOURCE + "; friction is an input here"),
                 ("largest aligning moment", numpy.abs(cornering[:, 2]).max(), "N m", round(float(tire.published_aligning(angles, load).max()), 1), tire.SOURCE)]
    rows.append(("slope of the brush", stiffness / 1e3, "kN", "", BRUSH))
    rows += [(f"force along at a slip of {100 * row[0]:.3g} %", row[1], "N", round(float(tire.published_braking(row[0], load))), tire.SOURCE) for row in braking]
    for angle, force, moment, _ in cornering[1:]:
        rows += [(f"force across at {math.degrees(angle):.3g} degrees", force, "N", round(float(tire.published_cornering(angle, load))), tire.SOURCE),
                 (f"aligning moment at {math.degrees(angle):.3g} degrees", -moment, "N m", round(float(tire.published_aligning(angle, load)), 1), tire.SOURCE)]
    draw(braking, cornering, load, friction, stiffness).savefig(directory / "slip.png", dpi=110)
    return rows + every


def draw(braking, cornering, load, friction, stiffness):
    figure, axes = pyplot.subplots(2, 2, figsize=(10, 7.4), constrained_layout=True)
    slips = numpy.linspace(min(braking[:, 0].min(), -0.01), max(braking[:, 0].max(), 0.01), 300)
    axes[0, 0].plot(braking[:, 0] * 100, braking[:, 1] / 1e3, "o", label="found")
    axes[0, 0].plot(slips * 100, tire.published_braking(slips, load) / 1e3, "k--", label="published")
    axes[0, 0].plot(slips * 100, tire.brush(slips / (1 + slips), stiffness, friction, load) / 1e3, "C1:", label="brush")
    axes[0, 0].set(xlabel="slip [%]", ylabel="force along [kN]")
    if len(cornering) > 1:
        angles = numpy.linspace(0, cornering[:, 0].max(), 300)
        degrees = numpy.degrees(angles)
        axes[0, 1].plot(numpy.degrees(cornering[:, 0]), cornering[:, 1] / 1e3, "o", label="found")
        axes[0, 1].plot(degrees, tire.published_cornering(angles, load) / 1e3, "k--", label="published")
        axes[0, 1].plot(degrees, tire.brush(numpy.tan(angles), stiffness, friction, load) / 1e3, "C1:", label="brush")
        axes[1, 1].plot(numpy.degrees(cornering[:, 0]), -cornering[:, 2], "o", label="found")
        axes[1, 1].plot(degrees, tire.published_aligning(angles, load), "k--", label="published")
        axes[1, 1].plot(degrees, tire.brush_moment(numpy.tan(angles), stiffness, friction, load, PATCH[0]), "C1:", label="brush")
    axes[0, 1].set(xlabel="slip angle [degrees]", ylabel="force across [kN]")
    axes[1, 1].set(xlabel="slip angle [degrees]", ylabel="aligning moment [N m]")
    axes[1, 0].plot(braking[:, 0] * 100, braking[:, 2], "o", label="over slip")
    axes[1, 0].axhline(tire.published_resistance(load), color="k", linestyle="--", label="published, free rolling")
    axes[1, 0].set(xlabel="slip [%]", ylabel="power taken over speed [N]", yscale="log")
    for panel in axes.flat:
        panel.legend(frameon=False, fontsize=8)
    return figure
