"""How much energy each integrator takes out of the swinging beam."""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
from plot_history import COLOURS  # noqa: E402

AT_START = 1000 * 0.5 * 0.0625**2 * 9.81 * 0.03125   # [J], of gravity above the beam's lower side
AT_REST = 0.361464   # [J], of gravity and elasticity, of the beam that hangs still: where backward Euler ends
MOMENTS = (1, 4)    # [s]
STYLES = {"BE": "-", "SIERE (10)": "-", "STR-SBDF2ERE (10)": "-.", "TR-BDF2": ":", "SDIRK": "--"}   # as in the figure


def energies(run):
    """Times, potential and total energy [J]."""
    time, kinetic, elastic, gravity = run.columns("time", "kinetic_energy", "elastic_energy", "gravity_energy")
    potential = [e + g for e, g in zip(elastic, gravity)]
    return time, potential, [k + p for k, p in zip(kinetic, potential)]


def costs(run):
    time, potential, total = energies(run)
    rows = []
    for moment in MOMENTS:
        if time[-1] >= moment * (1 - 1e-9):
            index = min(range(len(time)), key=lambda i: abs(time[i] - moment))
            rows.append((f"energy of the swing left after {moment} s", 100 * (total[index] - AT_REST) / (AT_START - AT_REST), "%", "", ""))
    spent = run.report["costs"]["total"]
    return [*rows, ("seconds per step", spent["seconds"] / spent["steps"], "s", "", ""), ("steps", spent["steps"], "", "", "")]


def summary(run):
    return [("elements", run.report["elements"], "", 2560, "P1"), *costs(run)]


def pictures(run):
    run.postprocess("plot_history.py", run.directory, "--columns", "beam.z", "kinetic_energy", "elastic_energy", "gravity_energy", "--out", run.directory / "beam_history.png")
    run.render("beam.png", (0, 1, 2, 3), "--azimuth", "-90", "--elevation", "10")


def study(runs, directory):
    figure, axes = pyplot.subplots(2, 1, figsize=(9, 7), sharex=True, constrained_layout=True)
    for colour, run in zip(COLOURS, runs):
        time, potential, total = energies(run)
        style = STYLES.get(run.label, "-")
        axes[0].plot(time, potential, style, color=colour, label=run.label, linewidth=2.2 if run.label == "BE" else 1.2)
        axes[1].plot(time, total, style, color=colour, label=run.label, linewidth=2.2 if run.label == "BE" else 1.2)
    axes[0].set_ylabel("potential energy [J]")
    axes[1].set_ylabel("total energy [J]")
    axes[1].set_xlabel("time [s]")
    axes[1].legend()
    for panel in axes:
        panel.grid(alpha=0.3)
    figure.savefig(directory / "soft_beam.png", dpi=150)
    return [(f"{quantity}: {run.label}", *rest) for run in runs for quantity, *rest in costs(run)]
