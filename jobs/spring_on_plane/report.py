"""Report of the spring on a plane: energy over time, beside an independent model of P4's three ways to take the impact."""

import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "postprocess")]
import event_report  # noqa: E402
import model  # noqa: E402
from plot_history import COLOURS  # noqa: E402

SCALE = 0.2    # [J] the energy with which both masses come to the plane
RADIUS = 0.05  # [m] of the rod: so much is its lower end above the gap


def of_model(run, way="layers", end=None):
    """The model with the settings of a run: times, heights, energies at the times of its rows."""
    time = run.scene["time"]
    return model.simulate(way, end or time["end"], time["step"], step=time["step"], safety=time["asynchronous"]["contact_safety"])


def rows_of(run):
    columns = event_report.history(run)
    energy, time = event_report.total_energy(columns) / SCALE, columns["time"]
    impacts = int(numpy.count_nonzero(numpy.diff((columns["contacts"] > 0).astype(int)) > 0))
    rows = [
        ("impacts", impacts, "", "", ""),
        ("largest change of energy", float(numpy.abs(energy - energy[0]).max()), "of the fall's", "", ""),
        ("slope of energy", float(numpy.polyfit(time, energy, 1)[0]), "1/s", 0, "P4 Fig. 2"),
        *event_report.rows_of_gaps(columns),
        *event_report.rows_of_events(run),
    ]
    early = time < 20.005
    _, low, high, _ = of_model(run, end=20)
    apart = numpy.abs(columns["spring.z"][early] - RADIUS - 0.5 * (low + high)[1:])
    return [*rows, ("largest distance from the model until 20 s", float(apart.max()), "m", 0, "model.py: equal but for rounding")]


def summary(run):
    return rows_of(run)


def pictures(run):
    columns = event_report.history(run)
    event_report.energy_picture(run.directory / "energy.png", [("", columns)])
    run.render("frames.png", (0, 8, 12, 16, 24, 32, 40), "--azimuth", "-90", "--elevation", "5")
    event_report.film(run, "spring.mp4", "--azimuth", "-90", "--elevation", "5", "--size", "480x960")


def study(runs, directory):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4), constrained_layout=True)
    rows = []
    for colour, way in zip(COLOURS, model.WAYS):
        for step, style in ((runs[0].scene["time"]["step"], "-"), (0.05, ":")):
            time, low, _, energy = model.simulate(way, runs[0].scene["time"]["end"], 1.0, step=step)
            change = (energy - energy[0]) / SCALE
            left.plot(time, change, style, color=colour, linewidth=0.9, label=way if style == "-" else None)
            rows += [(f"slope of energy: model, {way}, steps of {step:g} s", float(numpy.polyfit(time, change, 1)[0]), "1/s", "", "P4 Fig. 2"),
                     (f"largest change of energy: model, {way}, steps of {step:g} s", float(numpy.abs(change).max()), "of the fall's", "", "")]
    left.set(xlabel="time [s]", ylabel="change of energy / energy of the fall", title="model.py; dotted: steps of 0.05 s")
    left.legend(frameon=False)
    for colour, run in reversed(list(zip(COLOURS, runs))):
        columns = event_report.history(run)
        energy = event_report.total_energy(columns)
        right.plot(columns["time"], (energy - energy[0]) / SCALE, color=colour, linewidth=0.8, label=run.label)
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
    right.set(xlabel="time [s]", ylim=(-0.3, 0.6), title="Traction")
    right.legend(frameon=False)
    figure.savefig(directory / "spring_on_plane.png", dpi=120)
    return rows
