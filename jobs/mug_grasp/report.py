"""Report of the mug in the gripper: what carries it, how it creeps, and how it hangs on a finger."""

import math

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

GRAVITY, FRICTION, TOLERANCE = 9.81, 0.6, 1e-3           # [m/s^2], friction coefficient of the pads, its tolerance [m/s]
MODULUS, PAD, DEPTH, RADIUS = 2e5, 0.03, 0.016, 0.04     # a pad's modulus [Pa], width and height, thickness; the mug's radius [m]
ACCELERATION, RISE = 2.0, (0.2, 0.3)                     # [m/s^2] of the hand between these times [s]
CREEP_SOURCE = "friction of a box's field on a cylinder, integrated"


def pressure(force):
    """A grid of the places (x, z) on the mug's side where a pad presses with this force, with their areas, pressures and the cosine of the wall's slope towards the pad."""
    edges = numpy.linspace(-PAD / 2, PAD / 2, 401)
    middle = (edges[1:] + edges[:-1]) / 2
    x, z = numpy.meshgrid(middle, middle, indexing="ij")
    projected = (edges[1] - edges[0]) ** 2
    low, high = 0.0, DEPTH / 4
    for _ in range(60):
        depth = (low + high) / 2
        inside = numpy.minimum(depth - RADIUS + numpy.sqrt(RADIUS**2 - x**2), PAD / 2 - numpy.maximum(abs(x), abs(z)))
        p = MODULUS * numpy.maximum(0, inside) / (DEPTH / 2)
        low, high = (depth, high) if p.sum() * projected < force else (low, depth)
    cosine = numpy.sqrt(1 - (x / RADIUS) ** 2)
    return x, z, projected / cosine, p, cosine


def creep(force, weight, arm):
    """The speeds at which a mug sinks between two pads and turns about the line between them [m/s, rad/s], by Newton's method: friction balances the weight at this arm."""
    x, z, area, p, cosine = pressure(force)

    def balance(state):
        along, up = -state[1] * z * cosine, state[0] - state[1] * x          # the pads' velocity against the mug, along its side
        speed = numpy.hypot(along, up)
        part = numpy.minimum(speed / TOLERANCE, 1)
        size = FRICTION * p * area * (2 * part - part**2) / numpy.maximum(speed, 1e-15)
        return numpy.array([2 * numpy.sum(size * up) - weight, 2 * numpy.sum(size * (-along * cosine * z - up * x)) - weight * arm])

    state = numpy.array([0.1 * TOLERANCE, 1e-3])
    for _ in range(50):
        value = balance(state)
        columns = [(balance(state + h) - value) / h.sum() for h in (numpy.array([1e-9, 0]), numpy.array([0, 1e-7]))]
        change = numpy.linalg.solve(numpy.array(columns).T, -value)
        state = state + change * min(1, 0.3 * TOLERANCE / max(1e-15, abs(change[0]), PAD * abs(change[1])))
    return state


def columns(run, *names):
    return [numpy.array(column) for column in run.columns(*names)]


def mass(run):
    """The mug's mass, from its momentum when it is fastest [kg]."""
    momentum, speed = columns(run, "mug.pz", "mug.vz")
    fastest = abs(speed).argmax()
    return momentum[fastest] / speed[fastest]


def rates(run):
    """The speeds at which the mug sinks between the pads and turns, at the end [m/s, rad/s]."""
    vz, spin, x, hand = columns(run, "mug.vz", "mug.wy", "mug.x", "hand.vz")
    return hand[-1] - vz[-1] - spin[-1] * x[-1], spin[-1]   # the center is beside the pads


def lift_rows(run):
    time, left, right, height, hand, x = columns(run, "time", "left_grip.fz", "right_grip.fz", "mug.z", "hand.z", "mug.x")
    force = run.scene["joints"]["left_finger"]["motor"]["force"]
    weight = mass(run) * GRAVITY
    start, middle = (abs(time - moment).argmin() for moment in (RISE[0], sum(RISE) / 2))
    rows = [("grip can carry", 2 * FRICTION * force, "N", f"{weight:.4f} to stay", "weight"),
            ("mug stays behind the hand by", 1000 * ((hand[-1] - hand[start]) - (height[-1] - height[start])), "mm", "", "")]
    if 2 * FRICTION * force > weight and time[-1] > RISE[1]:
        sinks, turns = creep(force, weight, x[-1])
        speed, spin = rates(run)
        rows += [("pads carry while they speed up", left[middle] + right[middle], "N", f"{weight * (1 + ACCELERATION / GRAVITY):.4f}", "m (g + a)"),
                 ("pads carry at the end", left[-1] + right[-1], "N", f"{weight:.4f}", "m g"),
                 ("speed of sinking at the end", 1000 * speed, "mm/s", f"{1000 * sinks:.5f}", CREEP_SOURCE),
                 ("speed of turning at the end", spin, "rad/s", f"{turns:.6f}", CREEP_SOURCE)]
    return rows


def hook_rows(run):
    """How the mug hangs, about which it swings from one second on."""
    time, x, fz, qw, qy = columns(run, "time", "mug.x", "hook.fz", "mug.qw", "mug.qy")
    late = time > 1
    return [("mug hangs beside the finger's axis by", 1000 * (numpy.mean((x.max(where=late, initial=-1), x.min(where=late, initial=1))) - 0.05), "mm", "less than 1.8", "friction of 0.3 on a finger of 6 mm"),
            ("finger carries at the end", fz[-1], "N", f"{mass(run) * GRAVITY:.4f}", "m g"),
            ("mug has turned by", math.degrees(2 * math.atan2(qy[-1], qw[-1])), "degrees", "", "")]


def rows_of(run):
    return lift_rows(run) if "hand" in run.scene["bodies"] else hook_rows(run)


def summary(run):
    return [*rows_of(run), ("seconds", run.report["costs"]["total"]["seconds"], "s", "", "")]


def pictures(run):
    run.postprocess("plot_history.py", run.directory, "--columns", "mug.z", "hand.z", "left_grip.fz", "stand.fz", "--out", run.directory / "lift.png")
    run.render("frames.png", (0, 10, 20, 40), "--azimuth", "-60", "--elevation", "20")


def study(runs, directory):
    figure, axes = pyplot.subplots(figsize=(7, 4), constrained_layout=True)
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
        time, z = columns(run, "time", "mug.z")
        axes.plot(time, 1000 * z, label=run.label)
        if "hand" not in run.scene["bodies"]:
            run.render("hook.png", (0, 8, 12, 40), "--azimuth", "-60", "--elevation", "20")
    axes.set(xlabel="time [s]", ylabel="height of the mug's center [mm]")
    axes.legend(frameon=False)
    figure.savefig(directory / "heights.png", dpi=120)
    return rows
