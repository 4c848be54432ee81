"""What the drop test shows: fall, contact, rebound."""

import math
import pathlib

RADIUS = 0.033
DROP = 2.54
GRAVITY = 9.81


def bounce(run):
    """Time of first contact [s], duration [s], and the height [m] of the ball's lowest point to which its energy of motion would carry it after the bounce."""
    time, height, speed, contacts = run.columns("time", "ball.z", "ball.vz", "bounce.contacts")
    touching = [i for i, count in enumerate(contacts) if count > 0]
    if not touching or touching[-1] + 1 >= len(time):
        return None
    after = touching[-1] + 1
    rebound = height[after] - RADIUS + max(speed[after], 0) ** 2 / (2 * GRAVITY)
    return time[touching[0]], time[touching[-1]] - time[touching[0]], rebound


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
    out = run.directory
    run.postprocess("plot_history.py", out, "--columns", "ball.z", "--out", out / "height.png", "--ylabel", "height of the centre [m]")
    if not (out / "fields.hdf.series").exists():
        return
    found = bounce(run)
    if found:
        start, duration, _ = found
        frames = impact_frames(out, start, duration)
        run.postprocess("render_fields.py", out, "--sheet", out / "impact.png", "--frames", ",".join(map(str, frames)), "--clip", "--follow",
                        "--color", "velocity")


def impact_frames(directory, start, duration):
    """Six frames from just before the impact to just after it."""
    import json

    times = [frame["time"] for frame in json.loads((pathlib.Path(directory) / "fields.hdf.series").read_text())["files"]]
    wanted = [start + duration * (-0.2 + 1.4 * k / 5) for k in range(6)]
    return [min(range(len(times)), key=lambda i: abs(times[i] - t)) for t in wanted]


def study(runs, directory):
    directory = pathlib.Path(directory)
    runs[0].postprocess("plot_history.py", *[run.directory for run in runs], "--labels", *[run.label for run in runs], "--columns", "ball.z", "--out",
                        directory / "height.png", "--ylabel", "height of the centre [m]")
    rows = []
    for run in runs:
        found = bounce(run)
        rows.append((f"rebound height: {run.label}", found[2] if found else "no rebound", "m", "", ""))
        rows.append((f"seconds: {run.label}", run.report["costs"]["total"]["seconds"], "s", "", ""))
    return rows
