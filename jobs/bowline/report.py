"""Report of the bowline: the pull on the standing end and on the cylinder, energy, smallest gap, events, and whether anything passes through anything."""

import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
import event_report  # noqa: E402

VIEW = ("--azimuth", "-80", "--elevation", "50", "--zoom", "1", "--color", "none")
WIDTH = 0.012   # [m] of the ribbon
PULLS = {"standing end": ("ribbon.first_end.fy", 1), "working end": ("ribbon.last_end.fy", -1), "cylinder": ("cylinder.rims.fy", -1)}


def pull(columns):
    """Forces along the standing part [N], each positive where it stretches the ribbon."""
    return {label: sign * columns[name] for label, (name, sign) in PULLS.items()}


def summary(run):
    columns = event_report.history(run)
    last = {label: float(force[-20:].mean()) for label, force in pull(columns).items()}
    stiffness = run.scene["bodies"]["ribbon"]["shell"]["ribbon"]["youngs_modulus"] * WIDTH
    return [*((f"pull on the {label}, in the last 20 rows", force, "N", "", "") for label, force in last.items()), ("strain of the standing part", last["standing end"] / stiffness, "", "", ""),
            *event_report.rows_of_gaps(columns), *event_report.rows_of_events(run), *event_report.rows_of_crossing(run)]


def curves(runs, path):
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 3.6), constrained_layout=True)
    for (label, columns), style in zip(runs, ("-", "--", ":")):
        for (place, force), colour in zip(pull(columns).items(), ("#2a323c", "#d08a1e", "#1f6fb4")):
            axes[0].plot(columns["time"], 1000 * force, style, color=colour, linewidth=0.8, label=f"{place} {label}".strip())
        for name, colour in (("kinetic_energy", "#1f6fb4"), ("elastic_energy", "#c2242f"), ("bending_energy", "#2a323c")):
            axes[1].semilogy(columns["time"], 1000 * numpy.maximum(columns[name], 1e-12), style, color=colour, linewidth=0.8, label=f"{name.replace('_', ' ')} {label}".strip())
    axes[0].set(xlabel="time [s]", ylabel="pull [mN]")
    axes[0].legend(frameon=False)
    axes[1].set(xlabel="time [s]", ylabel="energy [mJ]", ylim=(1e-5, None))
    axes[1].legend(frameon=False)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def pictures(run):
    curves([("", event_report.history(run))], run.directory / "energy.png")
    run.render("frames.png", (0, 100, 180, 260, 400), *VIEW, "--sheet-size", "360x420")
    event_report.film(run, "bowline.mp4", *VIEW, "--every", "4")


def study(runs, directory):
    curves([(run.label, event_report.history(run)) for run in runs], directory / "bowline.png")
    return [(f"{quantity}: {run.label}", *rest) for run in runs for quantity, *rest in summary(run)]
