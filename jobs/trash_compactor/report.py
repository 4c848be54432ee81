"""Report of the trash compactor: forces and energies while the walls close, smallest gap, events, and whether anything passes through anything."""

import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
import event_report  # noqa: E402

VIEW = ("--azimuth", "-60", "--elevation", "35", "--zoom", "1.1", "--color", "none")


def summary(run):
    columns = event_report.history(run)
    bodies = len(run.scene["bodies"])
    top = max(float(columns[f"{body}.z"].max()) for body in run.scene["bodies"])
    return [("shapes", bodies, "", "", ""), ("energy lost by plastic flow", float(columns["lost_by_flow"][-1]), "J", "", ""),
            ("bending energy at the end", float(columns["bending_energy"][-1]), "J", "", ""), ("membrane energy at the end", float(columns["elastic_energy"][-1]), "J", "", ""),
            ("kinetic energy at the end", float(columns["kinetic_energy"][-1]), "J", "", ""), ("greatest height of a centroid", top, "m", "", ""),
            *event_report.rows_of_gaps(columns), *event_report.rows_of_events(run), *event_report.rows_of_crossing(run)]


def curves(runs, path):
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 3.6), constrained_layout=True)
    for (label, columns), style in zip(runs, ("-", "--", ":")):
        for name, colour in (("lost_by_flow", "#2a323c"), ("bending_energy", "#1f6fb4"), ("elastic_energy", "#c2242f"), ("kinetic_energy", "#d08a1e")):
            if name in columns:
                axes[0].semilogy(columns["time"], numpy.maximum(columns[name], 1e-9), style, color=colour, linewidth=0.8, label=f"{name.replace('_', ' ').replace(' energy', '')} {label}".strip())
        axes[1].plot(columns["time"], 1000 * columns["min_gap"], style, color="#2a323c", linewidth=0.8, label=label)
    axes[0].set(xlabel="time [s]", ylabel="energy [J]", ylim=(1e-4, None))
    axes[0].legend(frameon=False, fontsize=8)
    axes[1].set(xlabel="time [s]", ylabel="smallest gap [mm]", ylim=(0, None))
    if len(runs) > 1:
        axes[1].legend(frameon=False)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def pictures(run):
    curves([("", event_report.history(run))], run.directory / "energy.png")
    run.render("frames.png", (0, 40, 60, 80, 100), *VIEW, "--sheet-size", "420x360")
    event_report.film(run, "trash_compactor.mp4", *VIEW)


def study(runs, directory):
    curves([(run.label, event_report.history(run)) for run in runs], directory / "trash_compactor.png")
    return [(f"{quantity}: {run.label}", *rest) for run in runs for quantity, *rest in summary(run)]
