"""Report of the squish: the loss of the cavity's volume, and the cost of a step."""

SOURCE = "P0 Table II"
# By the study's labels: volume loss [percent], seconds per frame, memory [GB].
PUBLISHED = {
    "1K, E 100 kPa, kappa 1, direct": (33.6, 0.832, 0.393),
    "1K, E 100 kPa, kappa 1, direct, sparse": (33.6, 0.354, 0.228),
    "1K, E 100 kPa, kappa 1, iterative": (33.6, 0.391, 0.081),
    "55K, E 100 kPa, kappa 1, direct": (27.8, 15.9, 1.69),
    "55K, E 100 kPa, kappa 1, iterative": (27.8, 31.9, 0.719),
    "160K, E 100 kPa, kappa 1, direct": (27.7, 61.0, 4.26),
    "160K, E 100 kPa, kappa 1, iterative": (27.7, 111, 1.92),
    "1K, E 100 kPa, kappa 0.01, direct": (0.49, 0.871, 0.672),
    "1K, E 100 kPa, kappa 0.01, direct, sparse": (0.49, 1.08, 0.478),
    "1K, E 100 kPa, kappa 0.01, iterative": (0.49, 0.463, 0.214),
    "55K, E 100 kPa, kappa 0.01, direct": (0.36, 89.1, 2.03),
    "55K, E 100 kPa, kappa 0.01, iterative": (0.36, 42.6, 0.884),
    "1K, E 1 MPa, kappa none, direct": (74.3, 0.312, 0.388),
    "1K, E 1 MPa, kappa none, iterative": (74.3, 0.593, 0.097),
    "55K, E 1 MPa, kappa none, direct": (74.6, 8.28, 1.52),
    "55K, E 1 MPa, kappa none, iterative": (74.6, 28.3, 0.732),
    "160K, E 1 MPa, kappa none, direct": (75.0, 25.5, 4.14),
    "160K, E 1 MPa, kappa none, iterative": (75.0, 56.2, 2.62),
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
    run.render("squish.png", (0, 8, 14, 20), "--clip", "--color", "contact_pressure")


def study(runs, directory):
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in costs(run, PUBLISHED.get(run.label, (None, None, None)))]
    return rows
