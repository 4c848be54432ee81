"""Report of the cloths on spikes: energy, smallest gap, events, and whether anything passes through anything."""

import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
import event_report  # noqa: E402

VIEW = ("--azimuth", "-60", "--elevation", "20", "--color", "none", "--obstacles")


def costs(run, columns):
    return event_report.rows_of_events(run) if event_report.events(run) else [("seconds of computing", run.report["costs"]["total"]["seconds"], "s", "", "")]


def summary(run):
    columns = event_report.history(run)
    rest = columns["time"] <= run.scene["bodies"]["lower"]["driven"][0]["motion"]["start"]
    return [("kinetic energy before the pull", float(columns["kinetic_energy"][rest][-1]), "J", "", ""), ("smallest height of the upper cloth", float(columns["upper.z"].min()), "m", "", ""),
            *event_report.rows_of_gaps(columns), *costs(run, columns), *event_report.rows_of_crossing(run)]


def curves(runs, path):
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 3.6), constrained_layout=True)
    for (label, columns), style in zip(runs, ("-", "--", ":")):
        for name, colour in (("kinetic_energy", "#1f6fb4"), ("elastic_energy", "#c2242f"), ("contact_energy", "#2a323c")):
            axes[0].semilogy(columns["time"], numpy.maximum(columns[name], 1e-9), style, color=colour, linewidth=0.8, label=f"{name.replace('_energy', '')} {label}".strip())
        axes[1].plot(columns["time"], 1000 * columns["min_gap"], style, color="#2a323c", linewidth=0.8, label=label)
    axes[0].set(xlabel="time [s]", ylabel="energy [J]", ylim=(1e-7, 10))
    axes[0].legend(frameon=False, fontsize=8)
    axes[1].set(xlabel="time [s]", ylabel="smallest gap [mm]", ylim=(0, None))
    if len(runs) > 1:
        axes[1].legend(frameon=False)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def pictures(run):
    curves([("", event_report.history(run))], run.directory / "energy.png")
    run.render("frames.png", (0, 300, 380, 460, 540), *VIEW, "--sheet-size", "420x360")
    event_report.film(run, "cloth_on_spikes.mp4", *VIEW, "--every", "10")


def study(runs, directory):
    curves([(run.label, event_report.history(run)) for run in runs], directory / "cloth_on_spikes.png")
    return [(f"{quantity}: {run.label}", *rest) for run in runs for quantity, *rest in summary(run)]
