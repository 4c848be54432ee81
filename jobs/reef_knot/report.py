"""Report of the reef knot: the pull on the ribbons' ends, energy, smallest gap, events, and whether anything passes through anything."""

import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
import event_report  # noqa: E402

VIEW = ("--azimuth", "-90", "--elevation", "60", "--zoom", "1.8", "--color", "none")
WIDTH, ENDS = 0.024, 2   # [m] of a ribbon; ends of each


def pull(columns):
    """Tension in an end of each ribbon [N]."""
    return [numpy.abs(columns[f"{body}.ends.fx"]) / ENDS for body in ("one", "other")]


def summary(run):
    columns = event_report.history(run)
    tensions = [float(tension[-20:].mean()) for tension in pull(columns)]
    rows = [(f"tension of an end of {body}, in the last 20 rows", tension, "N", "", "") for body, tension in zip(("one", "other"), tensions)]
    stiffness = run.scene["bodies"]["one"]["shell"]["ribbon"]["youngs_modulus"] * WIDTH
    return [*rows, ("strain of the ends", max(tensions) / stiffness, "", "", ""), *event_report.rows_of_gaps(columns), *event_report.rows_of_events(run), *event_report.rows_of_crossing(run)]


def curves(runs, path):
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 3.6), constrained_layout=True)
    for label, columns in runs:
        axes[0].plot(columns["time"], 1000 * pull(columns)[0], linewidth=0.8, label=label)
        for name, style in (("kinetic_energy", "-"), ("elastic_energy", "--"), ("bending_energy", ":")):
            axes[1].semilogy(columns["time"], 1000 * numpy.maximum(columns[name], 1e-12), style, linewidth=0.8, label=f"{label} {name.replace('_', ' ')}".strip())
    axes[0].set(xlabel="time [s]", ylabel="tension of an end [mN]")
    axes[1].set(xlabel="time [s]", ylabel="energy [mJ]", ylim=(1e-5, None))
    axes[1].legend(frameon=False)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def pictures(run):
    curves([("", event_report.history(run))], run.directory / "energy.png")
    run.render("frames.png", (0, 40, 55, 70, 100), *VIEW, "--sheet-size", "420x300")
    event_report.film(run, "reef_knot.mp4", *VIEW)


def study(runs, directory):
    curves([(run.label, event_report.history(run)) for run in runs], directory / "reef_knot.png")
    return [(f"{quantity}: {run.label}", *rest) for run in runs for quantity, *rest in summary(run)]
