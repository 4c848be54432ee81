"""Report of the chopsticks: the grip force of a torque, and what friction carries of the ball."""

import math

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

GRAVITY, FRICTION, TOLERANCE = 9.81, 0.5, 1e-3   # [m/s^2], friction coefficient of the sticks, its tolerance [m/s]
HINGE = -0.15                                    # place of the hinge along x [m]
ACCELERATION, RISE = 2.0, (0.2, 0.3)             # [m/s^2] of the hand between these times [s]


def columns(run, *names):
    return [numpy.array(column) for column in run.columns(*names)]


def mass(run):
    """The ball's mass: the total less those of the rigid bodies, from their momentum when the hand is fastest [kg]."""
    speed = columns(run, "hand.vz")[0]
    fastest = abs(speed).argmax()
    rigid = [columns(run, f"{body}.pz", f"{body}.vz") for body in ("still", "moving", "hand")]
    return run.report["total_mass"] - sum(momentum[fastest] / velocity[fastest] for momentum, velocity in rigid)


def creep(force, weight):
    """The speed at which a ball sinks between two sticks that press with this force [m/s]."""
    return TOLERANCE * (1 - math.sqrt(max(0, 1 - weight / (2 * FRICTION * force))))


def rows_of(run):
    time, still, moving, still_up, moving_up = columns(run, "time", "still_grip.fy", "moving_grip.fy", "still_grip.fz", "moving_grip.fz")
    x, z, vz, hand, hand_vz = columns(run, "ball.x", "ball.z", "ball.vz", "hand.z", "hand.vz")
    torque = run.scene["joints"]["knuckle"]["motor"]["torque"]
    if time[-1] < RISE[1]:
        return [("grip force so far", still[-1], "N", "", "")]
    weight = mass(run) * GRAVITY
    force = torque / (x[abs(time - RISE[0]).argmin()] - HINGE)
    start, middle = (abs(time - moment).argmin() for moment in (RISE[0], RISE[1] - 0.02))
    carried = still_up + moving_up
    behind = ("ball stays behind the hand by", 1000 * ((hand[-1] - hand[start]) - (z[-1] - z[start])), "mm", "", "")
    if 2 * FRICTION * force < weight:
        return [("sticks can carry", 2 * FRICTION * force, "N", f"{weight:.5f} to lift it", "weight"), behind]
    return [
        ("grip force of the moving stick", -moving[-1], "N", f"{force:.6f}", "torque over distance"),
        ("grip force of the still stick", still[-1], "N", f"{force:.6f}", "torque over distance"),
        behind,
        ("sticks carry while they speed up", carried[middle], "N", f"{weight * (1 + ACCELERATION / GRAVITY):.5f}", "m (g + a)"),
        ("sticks carry at the end", carried[-1], "N", f"{weight:.5f}", "m g"),
        ("speed of sinking at the end", 1000 * (hand_vz[-1] - vz[-1]), "mm/s", f"{1000 * creep(force, weight):.4f}", "creep of smoothed friction, one speed everywhere"),
    ]


def summary(run):
    return [*rows_of(run), ("seconds", run.report["costs"]["total"]["seconds"], "s", "", "")]


def pictures(run):
    run.postprocess("plot_history.py", run.directory, "--columns", "ball.z", "hand.z", "still_grip.fy", "stand.fz", "--out", run.directory / "lift.png")
    run.render("frames.png", (0, 10, 35), "--color", "von_mises_stress", "--azimuth", "-60", "--elevation", "20")


def study(runs, directory):
    figure, axes = pyplot.subplots(figsize=(7, 4), constrained_layout=True)
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
        time, z = columns(run, "time", "ball.z")
        axes.plot(time, 1000 * z, label=run.label)
    axes.set(xlabel="time [s]", ylabel="height of the ball's center [mm]")
    axes.legend(frameon=False)
    figure.savefig(directory / "heights.png", dpi=120)
    return rows
