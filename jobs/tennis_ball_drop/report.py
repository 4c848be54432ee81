"""Report of the drop test: fall, contact, rebound."""

import math
import pathlib

RADIUS = 0.033
DROP = 2.54
GRAVITY = 9.81
LIFT_OFF = 0.02  # [s] without contact: the bounce is over


def bounce(run):
    """Time of first contact [s], duration [s], and the height [m] of the ball's lowest point to which its energy of motion would carry it after the bounce."""
    time, height, speed, contacts = run.columns("time", "ball.z", "ball.vz", "bounce.contacts")
    touching = [i for i, count in enumerate(contacts) if count > 0]
    if not touching:
        return None
    last = touching[0]   # for the first bounce
    for i in touching:
        if time[i] - time[last] < LIFT_OFF:
            last = i
    if last + 1 >= len(time):
        return None
    rebound = height[last + 1] - RADIUS + max(speed[last + 1], 0) ** 2 / (2 * GRAVITY)
    return time[touching[0]], time[last] - time[touching[0]], rebound


def summary(run):
    rows = [("mass", run.report["total_mass"] * 1e3, "g", "56.0 to 59.4", "ITF Rules of Tennis, Appendix I")]
    found = bounce(run)
    if found:
        start, duration, rebound = found
        rows += [
            ("first contact", start, "s", f"{math.sqrt(2 * DROP / GRAVITY):.4f}", "free fall from 2.54 m"),
            ("contact duration", duration * 1e3, "ms", "", ""),
            ("rebound height", rebound, "m", "1.35 to 1.47", "ITF bound test; the damping is calibrated to it"),
        ]
    rows += [
        ("steps", run.report["costs"]["total"]["steps"], "", "", ""),
        ("Newton iterations", run.report["costs"]["total"]["newton_iterations"], "", "", ""),
        ("linear iterations", run.report["costs"]["total"]["linear_iterations"], "", "", ""),
        ("seconds", run.report["costs"]["total"]["seconds"], "s", "", ""),
    ]
    return rows


def pictures(run):
    from field_frames import Series

    out = run.directory
    run.postprocess("plot_history.py", out, "--columns", "ball.z", "--out", out / "height.png", "--ylabel", "height of the centre [m]")
    if not Series.exists(out):
        return
    found = bounce(run)
    if found:
        start, duration, _ = found
        frames = impact_frames(out, start, duration)
        run.postprocess("render_fields.py", out, "--sheet", out / "impact.png", "--frames", ",".join(map(str, frames)), "--clip", "--follow",
                        "--color", "velocity")


def impact_frames(directory, start, duration):
    """Six frames from just before the impact to just after it."""
    from field_frames import Series

    times = Series(directory, "fields").times
    wanted = [start + duration * (-0.2 + 1.4 * k / 5) for k in range(6)]
    return [min(range(len(times)), key=lambda i: abs(times[i] - t)) for t in wanted]


def study(runs, directory):
    """Labels are "INTEGRATOR, pressurised" or "..., not pressurised", and with ", impact step H s" for a step other than the scene's."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 3, figsize=(12, 3.8), constrained_layout=True)
    rows, by_step, colours = [], {}, {}
    for run in runs:
        found = bounce(run)
        rows.append((f"rebound height: {run.label}", found[2] if found else "no rebound", "m", "", ""))
        rows.append((f"seconds: {run.label}", run.report["costs"]["total"]["seconds"], "s", "", ""))
        integrator, pressure = run.label.split(", ")[:2]
        colour = colours.setdefault(integrator, f"C{len(colours)}")
        if pressure == "pressurised":
            by_step.setdefault(integrator, []).append((run.scene["time"]["step"][1]["step"], found[2] if found else 0))
        if "impact step" not in run.label:
            time, height = run.columns("time", "ball.z")
            panels[0 if pressure == "pressurised" else 1].plot(time, [z - RADIUS for z in height], color=colour, label=integrator, linewidth=1)
    for integrator, points in by_step.items():
        points.sort()
        panels[2].semilogx(*zip(*points), "o-", color=colours[integrator], label=integrator, markersize=4)
    panels[0].set(title="pressurised", ylabel="height of the lowest point at rest [m]")
    panels[1].set(title="not pressurised")
    panels[2].set(title="pressurised", xlabel="time step in the impact [s]", ylabel="rebound height [m]")
    for panel in panels[:2]:
        panel.set(xlabel="time [s]", ylim=(0, DROP))
        panel.sharey(panels[0])
    panels[0].legend(frameon=False, fontsize=8)
    figure.savefig(pathlib.Path(directory) / "height.png", dpi=150)
    return rows
