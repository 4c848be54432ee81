"""Report of the swinging bar: the cost of a step with every integrator, over the stiffness of its material."""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
from plot_history import COLOURS  # noqa: E402

ENERGIES = ("kinetic_energy", "elastic_energy", "gravity_energy")


def costs(run):
    total = run.report["costs"]["total"]
    return [
        ("seconds per step", total["seconds"] / total["steps"], "s", "", ""),
        ("linear iterations per step", total["linear_iterations"] / total["steps"], "", "", ""),
        ("steps", total["steps"], "", "", ""),
    ]


def summary(run):
    return [("elements", run.report["elements"], "", "", ""), *costs(run)]


def pictures(run):
    run.postprocess("plot_history.py", run.directory, "--columns", "bar.z", *ENERGIES, "--out", run.directory / "swing_history.png")
    run.render("swing.png", (0, 5, 10, 15), "--azimuth", "-90", "--elevation", "10")


def study(runs, directory):
    figure, (time_axes, iteration_axes) = pyplot.subplots(1, 2, figsize=(11, 4.4), constrained_layout=True)
    rows, curves = [], {}
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in costs(run)]
        if not run.gave_up:
            curves.setdefault(run.label.split(",")[0], []).append((run.scene["bodies"]["bar"]["solid"]["bar"]["youngs_modulus"], *(row[1] for row in costs(run)[:2])))
    for colour, (name, points) in zip(COLOURS, curves.items()):
        moduli, seconds, iterations = zip(*sorted(points))
        time_axes.loglog(moduli, seconds, "o-", color=colour, label=name)
        iteration_axes.loglog(moduli, iterations, "o-", color=colour, label=name)
    time_axes.set_ylabel("seconds per step")
    iteration_axes.set_ylabel("linear iterations (ERE: products) per step")
    for axes in (time_axes, iteration_axes):
        axes.set_xlabel("Young's modulus [Pa]")
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(directory / "stiff_swing.png", dpi=150)
    return rows
