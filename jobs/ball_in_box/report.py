"""Report of the ball in a box: whether energy dies out or grows."""

import pathlib

SOURCE = "P0 Fig. 6"


def mechanical_energy(run):
    """Kinetic, elastic and contact energy [J] over time [s]; gravity's, which has an arbitrary zero, is left out."""
    time, *parts = run.columns("time", "kinetic_energy", "elastic_energy", "contact_energy")
    return time, [sum(row) for row in zip(*parts)]


def rows_of(run):
    time, energy = mechanical_energy(run)
    return [
        ("energy at the start", energy[0], "J", "", ""),
        ("energy, largest", max(energy), "J", "", ""),
        ("energy at the end", energy[-1], "J", "", ""),
        ("end", time[-1], "s", "", ""),
    ]


def summary(run):
    x, y, z = run.columns("ball.x", "ball.y", "ball.z")
    farthest = max(max(abs(v) for v in axis) for axis in (x, y, z))
    return [*rows_of(run), ("ball's centre, farthest from the box's in any coordinate", farthest, "m", "< 0.025", "it stays inside"),
            ("seconds", run.report["costs"]["total"]["seconds"], "s", "", "")]


def plot(runs, path):
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), constrained_layout=True)
    for run in runs:
        axes.semilogy(*mechanical_energy(run), linewidth=0.8, label=run.label or None)
    axes.set(xlabel="time [s]", ylabel="kinetic, elastic and contact energy [J]")
    if len(runs) > 1:
        axes.legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)


def pictures(run):
    out = run.directory
    plot([run], out / "energy.png")
    run.postprocess("plot_history.py", out, "--columns", "ball.z", "box.z", "ball.vx", "--out", out / "ball_in_box.png")
    run.render("frames.png", (0, 1, 2, 8), "--clip", "--color", "velocity")


def study(runs, directory):
    plot(runs, pathlib.Path(directory) / "energy.png")
    return [(f"{quantity}: {run.label}", value, unit, expected, SOURCE)
            for run in runs for quantity, value, unit, expected, _ in rows_of(run)]
