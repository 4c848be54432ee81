"""What the squish shows: how much of the cavity's volume is lost, and what a step costs."""

SOURCE = "P0 Table II"
# Of the coarsest mesh, by the study's labels: volume loss [percent], seconds per frame on 12 cores, memory [GB].
PUBLISHED = {
    "E 100 kPa, kappa 1, direct": (33.6, 0.354, 0.228),
    "E 100 kPa, kappa 1, iterative": (33.6, 0.391, 0.081),
    "E 100 kPa, kappa 0.01, direct": (0.49, 1.08, None),
    "E 100 kPa, kappa 0.01, iterative": (0.49, 0.463, None),
    "E 1000 kPa, kappa none, direct": (74.3, None, None),
    "E 1000 kPa, kappa none, iterative": (74.3, None, None),
}


def costs(run, published=(None, None, None)):
    volume = run.columns("ball.volume")[0]
    total = run.report["costs"]["total"]
    loss, seconds, memory = ("" if value is None else value for value in published)
    return [
        ("volume loss", 100 * (1 - volume[-1] / volume[0]), "%", loss, SOURCE if loss != "" else ""),
        ("seconds per step", total["seconds"] / total["steps"], "s", seconds, SOURCE if seconds != "" else ""),
        ("peak memory", run.report["costs"]["peak_memory_bytes"] / 1e9, "GB", memory, SOURCE if memory != "" else ""),
    ]


def summary(run):
    return [("elements", run.report["elements"], "", "", ""), ("steps", run.report["costs"]["total"]["steps"], "", 804, SOURCE), *costs(run)]


def pictures(run):
    out = run.directory
    run.postprocess("plot_history.py", out, "--columns", "ball.volume", "above.fz", "--out", out / "squish_history.png")
    if (out / "fields.hdf.series").exists():
        run.postprocess("render_fields.py", out, "--sheet", out / "squish.png", "--frames", "0,8,14,20", "--clip", "--color", "contact_pressure")


def study(runs, directory):
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in costs(run, PUBLISHED.get(run.label, (None, None, None)))]
    return rows
