"""Report of the grasp: whether the bowl stays between the pads."""

import pathlib

LIFT = 0.15        # [s]: the pads begin to rise
TOLERANCE = 1e-3   # [m/s] of the friction: a bowl that sticks slips at less
SOURCE = "P0 Fig. 5"


def slip(run):
    """How far the bowl has slipped down between the pads since they began to rise, and how far the pads have risen [m]."""
    time, bowl, pad = run.columns("time", "bowl.z", "east.z")
    start = min(range(len(time)), key=lambda i: abs(time[i] - LIFT))
    return (pad[-1] - pad[start]) - (bowl[-1] - bowl[start]), pad[-1] - pad[start], time[-1] - time[start]


def summary(run):
    slipped, risen, duration = slip(run)
    return [
        ("pads risen by", risen, "m", "", ""),
        ("bowl slipped by", slipped, "m", f"< {TOLERANCE * duration:.2g}", "sticking, with the creep of smoothed friction"),
        ("Newton iterations per step", run.report["costs"]["total"]["newton_iterations"] / run.report["costs"]["total"]["steps"], "", "", ""),
        ("seconds", run.report["costs"]["total"]["seconds"], "s", "", ""),
    ]


def pictures(run):
    out = run.directory
    run.postprocess("plot_history.py", out, "--columns", "bowl.z", "east.z", "east.fz", "--out", out / "height.png")
    run.render("grasp.png", (0, 6, 12, 30), "--color", "contact_pressure")


def study(runs, directory):
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), constrained_layout=True)
    rows = []
    reference = runs[0].columns("time", "bowl.z")
    for number, run in enumerate(runs):
        time, height = run.columns("time", "bowl.z")
        slipped, _, _ = slip(run)
        rows.append((f"bowl slipped by: {run.label}", slipped, "m", "", SOURCE))
        at = {round(t, 6): z for t, z in zip(time, height)}
        apart = max(abs(at[round(t, 6)] - z) for t, z in zip(*reference) if round(t, 6) in at)
        rows.append((f"largest difference in height from the first: {run.label}", apart, "m", "", SOURCE))
        axes.plot([t / 5e-3 for t in time], height, "-" if "implicit" in run.label else "--", linewidth=3 - 0.4 * number, label=run.label)
    axes.set(xlabel="frame of 5 ms", ylabel="height of the bowl's centre [m]")
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(pathlib.Path(directory) / "height.png", dpi=150)
    return rows
