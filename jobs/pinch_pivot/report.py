"""Report of the pencil in the grip: what holds, turns and stops it, and the friction moment of two fingertips over the grip force, beside closed forms."""

import math

import matplotlib
import numpy
from field_frames import Series

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

GRAVITY, FRICTION, TOLERANCE, RADIUS = 9.81, 0.6, 1e-4, 0.01   # [m/s^2], friction coefficient, friction tolerance [m/s], of a tip [m]
MODULUS = 5e6                                    # pressure at a field's center [Pa]
MASS = 600 * 0.007 * 0.014 * (0.14 + 0.02 / 3)   # the pencil's [kg]
PLANE_MODULUS = 1e6 / (1 - 0.45**2)              # the deformable tip's E / (1 - nu^2) [Pa]
LOOSE = 0.3                                      # [s]: the fingers begin to loosen their grip
FIELD_SOURCE, HERTZ_SOURCE, CREEP_SOURCE = "a sphere's field on a plane, integrated", "Hertz, 3/16 pi mu F a", "creep of smoothed friction, integrated"


def field_depth(force):
    """How deep a plane lies in a sphere's field that presses with this force: F = pi/3 E d^2 (3 - 2 d/R)."""
    low, high = 0.0, RADIUS
    for _ in range(100):
        depth = (low + high) / 2
        low, high = (depth, high) if math.pi / 3 * MODULUS * depth**2 * (3 - 2 * depth / RADIUS) < force else (low, depth)
    return low


def field_moment(force, spin=math.inf):
    """The friction moment of a sphere's field on a plane that turns at this speed about the normal [N m]: 2 pi mu int p sigma(spin r) r^2 dr."""
    depth = field_depth(force)
    height = RADIUS - depth                                         # the center's, over the plane
    edges = numpy.linspace(0, math.sqrt(RADIUS**2 - height**2), 20001)
    r = (edges[1:] + edges[:-1]) / 2
    pressure = MODULUS * (1 - numpy.sqrt(height**2 + r**2) / RADIUS)
    speed = numpy.minimum(1.0, spin * r / TOLERANCE)                # in parts of the tolerance
    return 2 * math.pi * FRICTION * numpy.sum(pressure * (2 * speed - speed**2) * r**2) * edges[1]


def hertz_moment(force):
    """The friction moment of a ball on a rigid plane that slides everywhere: 3/16 pi mu F a [N m]."""
    return 3 / 16 * math.pi * FRICTION * force * (3 * force * RADIUS / (4 * PLANE_MODULUS)) ** (1 / 3)


def creep(force, moment):
    """The speed of turning at which friction of two tips balances this moment [rad/s]."""
    low, high = 0.0, 10.0
    for _ in range(60):
        spin = (low + high) / 2
        low, high = (spin, high) if 2 * field_moment(force, spin) < moment else (low, spin)
    return low


def turn(run):
    """Time, and the angle by which the pencil has turned about the grip [rad]: its point goes down."""
    time, qw, qy = (numpy.array(column) for column in run.columns("time", "pencil.qw", "pencil.qy"))
    return time, 2 * numpy.arctan2(qy, qw)


def moments(run):
    """Grip force, and the moment with which friction of one tip resists the turning, once all of it slides."""
    time, force, moment = (numpy.array(column) for column in run.columns("time", "left_finger.motor_force", "pencil.pencil.my"))
    return force[time > 0.06], moment[time > 0.06] / 2


def summary(run):
    time, angle = turn(run)
    x, z, spin, force = (numpy.array(column) for column in run.columns("pencil.x", "pencil.z", "pencil.wy", "left_finger.motor_force"))
    if time[-1] < run.scene["joints"]["left_finger"]["motor"]["over"][-1]["time"]:
        return [("turned so far", math.degrees(angle[-1]), "degrees", "", "")]
    held = numpy.flatnonzero(time < LOOSE)[-1]
    loose = force[time > LOOSE].min()
    slid = numpy.hypot(x - x[0] * numpy.cos(angle), z + x[0] * numpy.sin(angle))
    weight = MASS * GRAVITY
    return [
        ("speed of turning in the first grip", spin[held], "rad/s", f"{creep(force[held], weight * x[held]):.6f}", CREEP_SOURCE),
        ("speed of turning in the last grip", spin[-1], "rad/s", f"{creep(force[-1], weight * x[-1]):.6f}", CREEP_SOURCE),
        ("turned between them", math.degrees(angle[-1] - angle[held]), "degrees", "", ""),
        ("slid in the grip", 1000 * slid[-1], "mm", "", ""),
        ("moment of two loose tips", 2 * field_moment(loose), "N m", f"< {weight * x[held]:.4g}", "the weight's"),
        ("moment of two tight tips", 2 * field_moment(force[-1]), "N m", f"> {weight * x[held]:.4g}", "the weight's"),
        ("seconds", run.report["costs"]["total"]["seconds"], "s", "", ""),
    ]


def contact_surfaces(run, path):
    """The pressure on the left contact surface, with the directions of friction, in a loose and a tight grip."""
    figure, all_axes = pyplot.subplots(1, 2, figsize=(8.6, 3.8), constrained_layout=True, sharex=True, sharey=True)
    series = Series(run.directory, "contacts")
    for axes, wanted, title in zip(all_axes, (0.46, run.scene["time"]["end"]), ("loose: slides", "tight: sticks")):
        index = min(range(len(series)), key=lambda index: abs(series.times[index] - wanted))
        with series.frame(index) as (frame, _):
            points = frame["Points"]
            left = points[:, 1] < 0
            pressure, friction, area_points = frame["PointData/pressure"][left], frame["PointData/friction"][left], 1000 * points[left][:, [0, 2]]
        image = axes.tricontourf(area_points[:, 0], area_points[:, 1], pressure / 1000, levels=16, cmap="viridis")
        figure.colorbar(image, label="pressure [kPa]")
        some = numpy.random.default_rng(1).permutation(len(friction))[:120]
        size = numpy.maximum(numpy.linalg.norm(friction[some], axis=1), 1e-30)
        axes.quiver(area_points[some, 0], area_points[some, 1], friction[some, 0] / size, friction[some, 2] / size, color="white", scale=28, width=0.004)
        axes.set(xlabel="x [mm]", title=f"{series.times[index]:.2f} s, {title}", aspect="equal")
    all_axes[0].set_ylabel("z [mm]")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def turning(run, path):
    time, angle = turn(run)
    force, = run.columns("left_finger.motor_force")
    figure, (upper, lower) = pyplot.subplots(2, 1, figsize=(7, 4.4), constrained_layout=True, sharex=True, height_ratios=(2, 1))
    upper.plot(time, numpy.degrees(angle), color="#c2242f")
    upper.set(ylabel="angle of the pencil [degrees]")
    lower.plot(time, force, color="#2a323c")
    lower.set(xlabel="time [s]", ylabel="grip force [N]")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def pictures(run):
    contact_surfaces(run, run.directory / "contact_surface.png")
    turning(run, run.directory / "turning.png")
    run.render("frames.png", (0, 15, 20, 24, 35), "--azimuth", "-90", "--elevation", "10")


def study(runs, directory):
    figure, axes = pyplot.subplots(figsize=(7, 4.6), constrained_layout=True)
    forces = numpy.linspace(0.4, 8, 60)
    axes.plot(forces, [1000 * field_moment(force) for force in forces], color="#1f6fb4", linewidth=1, label="field of a sphere, integrated")
    axes.plot(forces, [1000 * hertz_moment(force) for force in forces], "--", color="#c2242f", linewidth=1, label="Hertz")
    rows = []
    for run, mark in zip(runs, "ox+"):
        force, moment = moments(run)
        field = run.scene.get("pressure_fields")
        expected, source = (field_moment, FIELD_SOURCE) if field else (hertz_moment, HERTZ_SOURCE)
        some = slice(None, None, 5)
        axes.plot(force[some], 1000 * moment[some], mark, color="#1f6fb4" if field else "#c2242f", markersize=5, label=run.label)
        for wanted in (2, 4, 8):
            k = numpy.abs(force - wanted).argmin()
            rows.append((f"moment at {force[k]:.2f} N: {run.label}", 1000 * moment[k], "mN m", f"{1000 * expected(force[k]):.4f}", source))
        steep = numpy.polyfit(numpy.log(force[force > 1.5]), numpy.log(moment[force > 1.5]), 1)[0]
        rows.append((f"exponent of the force: {run.label}", steep, "", "5/4" if field else "4/3", "small patches"))
    axes.set(xlabel="grip force [N]", ylabel="friction moment of one tip [mN m]")
    axes.legend(frameon=False)
    figure.savefig(directory / "friction_moment.png", dpi=120)
    return rows
