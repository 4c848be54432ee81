"""Report of the bolt in the nut: its advance per turn and the torque that turns it, beside those of a screw."""

import math

import matplotlib
import numpy
from field_frames import Series

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

PITCH, DEPTH, FLANK = 4e-3, 1.6e-3, 0.23   # the thread's [m], [m], and the part of the pitch that a flank takes up
LOAD, FRICTION = 50, 0.1                   # along the axis [N], friction coefficient
STEADY = 0.2, 1.0                          # [s]: the bolt turns at constant speed
SCREW_SOURCE = "statics of a screw"


def columns(run, *names):
    return [numpy.array(column) for column in run.columns(*names)]


def screw_torque(radius, friction):
    """The torque that turns a screw in under a load along it, where it touches at this radius: W r (mu cos l - n_t) / (n_z + mu sin l), with the lead angle l and the
    components of the flank's normal around the axis and along it [N m]."""
    lead = PITCH / (2 * math.pi * radius)
    size = math.sqrt(1 + (FLANK * PITCH / DEPTH) ** 2 + lead**2)
    angle = math.atan(lead)
    return LOAD * radius * (friction * math.cos(angle) - lead / size) / (1 / size + friction * math.sin(angle))


def contact_radius(run):
    """The mean distance of the contact surface from the axis in all frames, weighted with the normal force [m]."""
    total = moment = 0.0
    series = Series(run.directory, "contacts")
    for index in range(len(series)):
        with series.frame(index) as (frame, _):
            points, forces = frame["Points"], frame["PointData/normal_force"]
        if len(points):
            sizes = numpy.linalg.norm(forces, axis=1)
            total, moment = total + sizes.sum(), moment + sizes @ numpy.linalg.norm(points[:, :2], axis=1)
    return moment / total


def turning(run):
    """Time, angle [rad] and depth [m] by which the bolt has been turned in."""
    time, angle, z = columns(run, "time", "spindle.angle", "bolt.z")
    return time, numpy.unwrap(angle), z[0] - z


def rows_of(run):
    time, angle, depth = turning(run)
    torque, force = columns(run, "spindle.motor_torque", "thread.fz")
    friction = run.scene["pressure_contacts"]["thread"].get("friction", {}).get("dynamic", 0)
    turned = angle[-1] / (2 * math.pi)
    if time[-1] < STEADY[0] + 0.125:
        return [("turned so far", turned, "turns", "", "")]
    last = STEADY[0] + math.floor((min(STEADY[1], time[-1]) - STEADY[0]) / 0.125 + 1e-9) * 0.125      # whole quarter turns
    steady = (time > STEADY[0] + 1e-9) & (time < last + 1e-9)
    slope = numpy.polyfit(angle[steady] / (2 * math.pi), depth[steady], 1)[0]
    steps = numpy.diff(time, prepend=0)[steady]
    held = numpy.abs(time - 0.05).argmin()   # the bolt stands under its load
    return [
        ("torque that holds the bolt before it turns", 1000 * torque[held], "mN m", f"{-1000 * LOAD * PITCH / (2 * math.pi):.3f}", "load times pitch over a turn"),
        ("turned by", turned, "turns", "", ""),
        ("advance per turn at constant speed", 1000 * slope, "mm", f"{1000 * PITCH:g}", "pitch"),
        ("advance from the first turning to the end, per turn", 1000 * (depth[-1] - depth[held]) / turned, "mm", f"{1000 * PITCH:g}", "pitch"),
        ("mean torque", 1000 * (torque[steady] @ steps) / steps.sum(), "mN m", f"{1000 * screw_torque(contact_radius(run), friction):.3f}", SCREW_SOURCE),
        ("largest change of the thread's force", numpy.abs(force[steady] - LOAD).max(), "N", "", ""),
    ]


def summary(run):
    return [*rows_of(run), ("seconds", run.report["costs"]["total"]["seconds"], "s", "", "")]


def contact_surface(run, path):
    """The pressure on the flank of the thread, unrolled, at the end."""
    series = Series(run.directory, "contacts")
    with series.frame(len(series) - 1) as (frame, _):
        points, pressure = frame["Points"], frame["PointData/pressure"]
    figure, axes = pyplot.subplots(figsize=(8, 3.6), constrained_layout=True)
    angle = numpy.degrees(numpy.arctan2(points[:, 1], points[:, 0])) % 360
    order = numpy.argsort(pressure)
    image = axes.scatter(angle[order], 1000 * points[order, 2], c=pressure[order] / 1e6, s=6, cmap="viridis")
    figure.colorbar(image, label="pressure [MPa]")
    axes.set(xlabel="angle around the axis [degrees]", ylabel="z [mm]", title=f"contact surface at {series.times[-1]:.2f} s")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def advance(run, path):
    time, angle, depth = turning(run)
    torque, = columns(run, "spindle.motor_torque")
    figure, (upper, lower) = pyplot.subplots(2, 1, figsize=(7, 4.6), constrained_layout=True, sharex=True)
    upper.plot(angle / (2 * math.pi), 1000 * depth, color="#1f6fb4")
    upper.set(ylabel="advance [mm]")
    shown = (time > 0.15) & (time < STEADY[1] + 0.05)
    lower.plot(angle[shown] / (2 * math.pi), 1000 * torque[shown], color="#c2242f", linewidth=0.9)
    friction = run.scene["pressure_contacts"]["thread"]["friction"]["dynamic"]
    lower.axhline(1000 * screw_torque(contact_radius(run), friction), color="#2a323c", linestyle="--", linewidth=0.8)
    lower.set(xlabel="turns", ylabel="torque [mN m]")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def pictures(run):
    contact_surface(run, run.directory / "contact_surface.png")
    advance(run, run.directory / "advance.png")
    run.render("frames.png", (0, 12, 23), "--azimuth", "-60", "--elevation", "15")


def study(runs, directory):
    figure, axes = pyplot.subplots(figsize=(7, 4), constrained_layout=True)
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
        time, angle, _ = turning(run)
        torque, = columns(run, "spindle.motor_torque")
        shown = (time > 0.15) & (time < STEADY[1] + 0.05)
        axes.plot(angle[shown] / (2 * math.pi), 1000 * torque[shown], linewidth=0.9, label=run.label)
    axes.set(xlabel="turns", ylabel="torque [mN m]")
    axes.legend(frameon=False)
    figure.savefig(directory / "torque.png", dpi=120)
    return rows
