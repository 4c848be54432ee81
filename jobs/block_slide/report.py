"""What the slide shows: where and when the block stops."""

import pathlib

STOPPED = 0.95e-3  # [m/s]: friction with a tolerance of 1e-3 lets the block creep on at 0.938e-3: eps (1 - sqrt(1 - tan theta / mu))
STOP_DISTANCE, STOP_TIME = 0.769, 15.38
SOURCE = "P0 Fig. 4, closed form"


def stop(run):
    """Time [s] and distance [m] at which the speed has come down to creep, between rows by interpolation."""
    time, position, speed = run.columns("time", "block.x", "block.vx")
    for i in range(1, len(time)):
        if speed[i] < STOPPED:
            part = (speed[i - 1] - STOPPED) / (speed[i - 1] - speed[i])
            return time[i - 1] + part * (time[i] - time[i - 1]), position[i - 1] + part * (position[i] - position[i - 1])
    return None


def summary(run):
    found = stop(run)
    if not found:
        return [("stop", "never", "", f"{STOP_TIME} s", SOURCE)]
    return [("stop distance", found[1], "m", STOP_DISTANCE, SOURCE), ("stop time", found[0], "s", STOP_TIME, SOURCE)]


def pictures(run):
    run.postprocess("plot_history.py", run.directory, "--columns", "block.x", "block.vx", "--out", run.directory / "slide.png")


def study(runs, directory):
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
    rows = []
    for style, family in (("o-", "BE"), ("s--", "TR")):
        steps, distances, times = [], [], []
        for run in runs:
            if not run.label.startswith(family):
                continue
            found = stop(run)
            rows.append((f"stop distance: {run.label}", found[1] if found else "never", "m", STOP_DISTANCE, SOURCE))
            rows.append((f"stop time: {run.label}", found[0] if found else "never", "s", STOP_TIME, SOURCE))
            if found:
                steps.append(run.scene["time"]["step"][1]["step"])
                distances.append(found[1])
                times.append(found[0])
        panels[0].semilogx(steps, distances, style, label=family)
        panels[1].semilogx(steps, times, style, label=family)
    for panel, exact, name in ((panels[0], STOP_DISTANCE, "stop distance [m]"), (panels[1], STOP_TIME, "stop time [s]")):
        panel.axhline(exact, color="black", linewidth=0.8, label="closed form")
        panel.axhspan(0.99 * exact, 1.01 * exact, color="0.9", label="within 1 %")
        panel.set(xlabel="time step [s]", ylabel=name)
    panels[0].legend(frameon=False)
    figure.savefig(pathlib.Path(directory) / "stop_over_step.png", dpi=150)
    return rows
