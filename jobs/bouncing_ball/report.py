"""Report of the bouncing ball: what each bounce keeps of the energy and of the speed, beside Hunt and Crossley's law, and the contact surface."""

import math

import matplotlib
import numpy
from field_frames import Series

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

GRAVITY, MASS, RADIUS, MODULUS = 9.81, 0.25, 0.05, 1e5
SOURCE = "m z'' = F (1 - d z') - m g, integrated"


def restitution(dissipation, speed, steps=20000):
    """The ratio of the speeds out and in of m z'' = F(x) max(0, 1 - d z') - m g with the force of a sphere's field at depth x, by Runge and Kutta's method."""
    def rate(state):
        z, v = state
        depth = max(0.0, -z)
        force = math.pi / 3 * MODULUS * depth**2 * (3 - 2 * depth / RADIUS) * max(0.0, 1 - dissipation * v)
        return numpy.array([v, force / MASS - GRAVITY])

    state, h = numpy.array([0.0, -speed]), 0.2 / steps
    for _ in range(steps):
        k1 = rate(state)
        k2 = rate(state + h / 2 * k1)
        k3 = rate(state + h / 2 * k2)
        k4 = rate(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if state[0] >= 0 and state[1] > 0:
            break
    return math.sqrt(max(0.0, state[1]**2 + 2 * GRAVITY * state[0])) / speed


def bounces(run):
    """The speeds before and after each bounce: those in free flight, taken back to the height at which the ball meets the floor [m/s]."""
    time, z, v, pieces = (numpy.array(column) for column in run.columns("time", "ball.z", "ball.vz", "bounce.contacts"))
    touches = pieces > 0
    starts = numpy.flatnonzero(touches[1:] & ~touches[:-1])
    ends = numpy.flatnonzero(touches[:-1] & ~touches[1:]) + 1
    pairs = []
    for start in starts:
        later = ends[ends > start]
        if later.size:
            pairs.append(tuple(math.sqrt(max(0.0, v[k]**2 + 2 * GRAVITY * (z[k] - RADIUS))) for k in (start, later[0])))
    return pairs


def energy(run):
    time, *parts = (numpy.array(column) for column in run.columns("time", "kinetic_energy", "gravity_energy", "contact_energy"))
    return time, sum(parts)


def rows_of(run):
    pairs, dissipation = bounces(run), run.scene["pressure_fields"]["ball"]["dissipation"]
    rows = [("bounces", len(pairs), "", "", "")]
    if pairs:
        before, after = pairs[0]
        rows.append(("restitution of the first bounce", after / before, "", f"{restitution(dissipation, before):.5f}", SOURCE))
    if dissipation == 0:
        _, total = energy(run)
        height = MASS * GRAVITY * 0.02   # the energy of the drop
        rows.append(("largest change of energy", numpy.abs(total - total[0]).max() / height, "of the drop's", "< 0.01", "P2 Theorem 1"))
    return rows


def summary(run):
    return [*rows_of(run), ("seconds per 1000 steps", 1000 * run.report["costs"]["total"]["seconds"] / run.report["costs"]["total"]["steps"], "s", "", "")]


def contact_surface(run, path):
    """The pressure on the contact surface in the frame where it is largest, with the outlines of its triangles."""
    best, series = None, Series(run.directory, "contact_surfaces")
    for index, time in enumerate(series.times):
        with series.frame(index) as (frame, _):
            points, pressure = frame["Points"], frame["PointData/pressure"]
        if len(points) and (best is None or pressure.max() > best[1].max()):
            best = points, pressure, time
    if best is None:
        return
    points, pressure, time = best
    triangles = numpy.arange(len(points)).reshape(-1, 3)   # each has corners of its own
    figure, axes = pyplot.subplots(figsize=(5.4, 4.4), constrained_layout=True)
    image = axes.tripcolor(1000 * points[:, 0], 1000 * points[:, 1], triangles, pressure / 1000, shading="gouraud", cmap="viridis")
    axes.triplot(1000 * points[:, 0], 1000 * points[:, 1], triangles, color="white", linewidth=0.15)
    figure.colorbar(image, label="pressure [kPa]")
    axes.set(xlabel="x [mm]", ylabel="y [mm]", title=f"contact surface at {time:.3f} s", aspect="equal")
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def pictures(run):
    contact_surface(run, run.directory / "contact_surface.png")
    run.postprocess("plot_history.py", run.directory, "--columns", "ball.z", "bounce.fz", "bounce.pressure", "--out", run.directory / "bouncing_ball.png")
    run.render("frames.png", (0, 12, 14, 26), "--azimuth", "-90", "--elevation", "10")


def study(runs, directory):
    figure, axes = pyplot.subplots(figsize=(7, 4), constrained_layout=True)
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
        time, z = (numpy.array(column) for column in run.columns("time", "ball.z"))
        early = time < 1.5
        axes.plot(time[early], 1000 * (z[early] - RADIUS), linewidth=0.9, label=run.label.split(",")[0])
    axes.set(xlabel="time [s]", ylabel="height of the ball over the floor [mm]")
    axes.legend(frameon=False, ncol=4, loc="lower center", bbox_to_anchor=(0.5, 1))
    figure.savefig(directory / "bouncing_ball.png", dpi=150)
    return rows
