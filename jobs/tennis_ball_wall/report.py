"""Report of the impact on the wall: deformation, contact time, speed after it."""

import pathlib

SPEED = 44.7


def summary(run):
    time, position, speed, contacts, force = run.columns("time", "ball.x", "ball.vx", "impact.contacts", "impact.fx")
    touching = [i for i, count in enumerate(contacts) if count > 0]
    rows = [("mass", run.report["total_mass"] * 1e3, "g", "56.0 to 59.4", "ITF Rules of Tennis, Appendix I"),
            ("elements", run.report["elements"], "", "", "")]
    if touching:
        rows += [
            ("contact duration", (time[touching[-1]] - time[touching[0]]) * 1e3, "ms", "", ""),
            ("largest force", -min(force), "N", "", ""),
            ("centre to wall at the turning point", -max(position) * 1e3, "mm", "", ""),
            ("speed after over speed before", -speed[-1] / SPEED, "", "", ""),
        ]
    rows += [("steps", run.report["costs"]["total"]["steps"], "", "", ""),
             ("seconds per step", run.report["costs"]["total"]["seconds"] / run.report["costs"]["total"]["steps"], "s", "", ""),
             ("peak memory", run.report["costs"]["peak_memory_bytes"] / 1e9, "GB", "", "")]
    return rows


def pictures(run):
    from field_frames import Series

    out = pathlib.Path(run.directory)
    run.postprocess("plot_history.py", out, "--columns", "ball.vx", "impact.fx", "--out", out / "impact_history.png")
    if not Series.exists(out):
        return
    frames = len(Series(out, "fields"))
    chosen = ",".join(str(round(k * min(frames - 1, 20) / 5)) for k in range(6))
    run.postprocess("render_fields.py", out, "--sheet", out / "impact.png", "--frames", chosen, "--clip", "--color", "velocity")


def study(runs, directory):
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in summary(run)]
    return rows
