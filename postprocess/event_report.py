"""What reports of asynchronous runs have in common: energy over time, events by kind, gaps, and whether anything passes through anything."""

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

from plot_history import COLOURS  # noqa: E402
from run_crossing import check_paths, check_run  # noqa: E402

LOST = ("lost_by_restitution", "lost_by_friction", "lost_by_flow")


def history(run):
    """All columns of a run's history."""
    path = run.directory / "history.csv"
    with open(path, encoding="utf-8") as file:
        names = file.readline().strip().split(",")
    return dict(zip(names, numpy.loadtxt(path, delimiter=",", skiprows=1, ndmin=2).T))


def total_energy(columns):
    """Kinetic and stored energy over time, without what restitution and friction have taken [J]."""
    return sum(values for name, values in columns.items() if name.endswith("_energy"))


def largest_kinetic(columns):
    return columns["kinetic_energy"].max()


def drift(columns):
    """The slope of a straight line through the energy over time, and the largest distance from its first value, in parts of the largest kinetic energy [1/s, 1]."""
    energy, scale = total_energy(columns) / largest_kinetic(columns), columns["time"]
    return float(numpy.polyfit(scale, energy, 1)[0]), float(numpy.abs(energy - energy[0]).max())


def events(run):
    """Events by kind."""
    return {name.removeprefix("events_"): count for name, count in run.report["costs"].items() if name.startswith("events_")}


def rows_of_events(run):
    counts, seconds = events(run), run.report["costs"]["total"]["seconds"]
    rows = [(f"events: {kind}", count, "", "", "") for kind, count in counts.items() if count]
    return [*rows, ("events in all", sum(counts.values()), "", "", ""), ("events per second of computing", sum(counts.values()) / max(seconds, 1e-9), "1/s", "", ""),
            ("seconds of computing", seconds, "s", "", "")]


def rows_of_gaps(columns):
    rows = [("smallest gap between surfaces", float(columns["min_gap"].min()), "m", "> 0", "nothing passes through anything"), ("most pairs in contact", int(columns["contacts"].max()), "", "", "")]
    return rows + ([("most layers of a pair", int(columns["layers"].max()), "", "", "")] if "layers" in columns else [])


def rows_of_crossing(run, skip=(), every=1):
    """Frames in which surfaces cross, and passages between frames, by the programs beside this file, which share nothing with the simulator."""
    crossing = sum(bool(found) for _, found in check_run(run.directory, 1e-9, skip, every))
    passages = sum(item.passage.count for _, found in check_paths(run.directory, skip, every) for item in found)
    return [("frames in which surfaces cross", crossing, "", 0, "postprocess/check_crossing"), ("passages between frames", passages, "", 0, "postprocess/check_crossing --paths")]


def energy_picture(path, runs, title="", size=(8, 3.6)):
    """Energies over time relative to the first one, in parts of the largest kinetic energy; `runs` are (label, columns)."""
    figure, axes = pyplot.subplots(figsize=size, constrained_layout=True)
    for number, (label, columns) in enumerate(runs):
        energy = total_energy(columns)
        axes.plot(columns["time"], (energy - energy[0]) / largest_kinetic(columns), linewidth=0.8, color=COLOURS[number % len(COLOURS)], label=label)
    axes.set(xlabel="time [s]", ylabel="change of energy / largest kinetic energy", title=title)
    if len(runs) > 1:
        axes.legend(frameon=False)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def film(run, name, *arguments):
    """A film of all frames in the run's folder."""
    run.postprocess("render_fields.py", run.directory, "--film", run.directory / name, *arguments)


def rows_of_run(run, skip=(), every=1):
    """What every asynchronous run reports; of an implicit one, what it has of it."""
    columns = history(run)
    slope, change = drift(columns)
    rows = [("slope of energy", slope, "1/s", "", ""), ("largest change of energy", change, "of the largest kinetic energy", "", ""), *rows_of_gaps(columns)]
    if events(run):
        rows += rows_of_events(run)
    else:
        rows.append(("seconds of computing", run.report["costs"]["total"]["seconds"], "s", "", ""))
    return rows + rows_of_crossing(run, skip, every)


def labelled(runs, **options):
    """The rows of several runs, with their labels."""
    return [(f"{quantity}: {run.label}", *rest) for run in runs for quantity, *rest in rows_of_run(run, **options)]
