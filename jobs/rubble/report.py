"""Report of the rubble: does all of it come to rest in the box, with its weight on the floor?"""

import math

import numpy

GRAVITY, VOLUME = 9.81, math.pi / 6 * 0.05**3   # [m/s^2], and of every body [m^3]


def rows_of(run):
    names = list(run.scene["bodies"])
    time, force, kinetic, weight_energy, gap, numerical, friction = (
        numpy.array(column) for column in run.columns("time", "everything.fz", "kinetic_energy", "gravity_energy", "min_gap", "energy_numerical", "work_friction"))
    box = run.scene["surfaces"]["box"]["box"]
    area = (box["upper"][0] - box["lower"][0]) * (box["upper"][1] - box["lower"][1])
    heights = numpy.array(run.columns(*(f"{name}.z" for name in names)))
    sides = numpy.abs(run.columns(*(f"{name}.{axis}" for name in names for axis in "xy"))).max()
    strain = max(max(column) for column in run.columns(*(f"{name}.strain" for name in names)))
    late = time >= time[-1] - 0.1
    fall = max(weight_energy[0] - weight_energy[-1], 1e-300)
    return [
        ("bodies", len(names), "", "", ""),
        ("force of the box over their weight, mean of the last 0.1 s", float(numpy.average(force[late]) / (GRAVITY * run.report["total_mass"])), "", "1", "at rest"),
        ("kinetic energy at the end over what weight has done", float(kinetic[-1] / fall), "", "0", "at rest"),
        ("part of it that friction took", float(-friction[-1] / fall), "", "", ""),
        ("energy added by numerical errors, in parts of it", float(numerical[-1] / fall), "", "", ""),
        ("lowest center", float(heights.min()), "m", "> 0.01", "the flattest body lies 0.015 m high"),
        ("farthest center from the middle", float(sides), "m", f"< {box['upper'][0]:.4g}", "the walls"),
        ("smallest gap", float(gap.min()), "m", "> 0", "nothing passes through anything"),
        ("filling, if the heap is even", float(len(names) * VOLUME / (area * 2 * heights[:, -1].mean())), "", "", ""),
        ("largest strain of a rigid body", float(strain), "", "", ""),
    ]


def summary(run):
    spent = run.report["costs"]["total"]
    return [*rows_of(run), ("steps", spent["steps"], "", "", ""), ("Newton iterations per step", spent["newton_iterations"] / spent["steps"], "", "", ""),
            ("seconds per step", spent["seconds"] / spent["steps"], "s", "", ""), ("seconds", spent["seconds"], "s", "", "")]


def pictures(run):
    run.postprocess("plot_history.py", run.directory, "--columns", "everything.fz", "kinetic_energy", "everything.contacts", "--out", run.directory / "rubble_history.png")
    run.render("frames.png", (0, 2, 4, 10), "--azimuth", "-60", "--elevation", "25", "--color", "none")


def study(runs, directory):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4), constrained_layout=True)
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
        time, kinetic = run.columns("time", "kinetic_energy")
        axes.semilogy(time, numpy.maximum(kinetic, 1e-9), label=run.label, linewidth=1)
    axes.set(xlabel="time [s]", ylabel="kinetic energy [J]")
    axes.legend(frameon=False)
    figure.savefig(directory / "rubble.png", dpi=150)
    return rows
