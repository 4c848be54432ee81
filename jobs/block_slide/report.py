"""Report of the slide: where and when the block stops."""

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

    families = {}   # label before the colon -> runs, by the order of study.yaml
    for run in runs:
        families.setdefault(run.label.split(":")[0], []).append(run)
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    rows = []
    for number, (family, members) in enumerate(families.items()):
        found = [(run.scene["time"]["step"][1]["step"], None if run.gave_up else stop(run)) for run in members]
        for run, (_, result) in zip(members, found):
            nothing = "solver gave up" if run.gave_up else "never"
            rows.append((f"stop distance: {run.label}", result[1] if result else nothing, "m", STOP_DISTANCE, SOURCE))
            rows.append((f"stop time: {run.label}", result[0] if result else nothing, "s", STOP_TIME, SOURCE))
        stopped = [(step, *result) for step, result in found if result]
        name = family if stopped else f"{family} (never stops)"
        style = ("o-" if family.startswith("BE") else "s--") if "implicit" in family else ("o:" if family.startswith("BE") else "s:")
        for panel, column in ((panels[0], 2), (panels[1], 1)):
            panel.semilogx([row[0] for row in stopped], [row[column] for row in stopped], style, markersize=4, color=f"C{number}", label=name)
    for panel, exact, name in ((panels[0], STOP_DISTANCE, "stop distance [m]"), (panels[1], STOP_TIME, "stop time [s]")):
        panel.axhline(exact, color="black", linewidth=0.8, label="closed form")
        panel.axhspan(0.99 * exact, 1.01 * exact, color="0.9", label="within 1 %")
        panel.set(xlabel="time step [s]", ylabel=name)
    panels[0].legend(frameon=False, fontsize=8)
    figure.savefig(pathlib.Path(directory) / "stop_over_step.png", dpi=150)
    return rows
