"""Report of the bent limb in its sleeve: the loss of the limb's volume, how the sleeve rides on it, and what a frame costs."""

SOURCE = "P0 Table I"
FRAME = 2.5e-3  # [s]: the scene's step; where that had to be halved a frame is several
# By the study's labels: volume loss [percent], seconds per frame, memory [GB].
PUBLISHED = {
    "5K, mu 0.2, kappa none, iterative": (0.962, 4.81, 1.84),
    "5K, mu 0.2, kappa none, direct": (0.962, 22.1, 6.51),
    "5K, mu 0.8, kappa none, iterative": (0.962, 12.7, 1.91),
    "5K, mu 0.8, kappa none, direct": (0.962, 25.6, 7.09),
    "30K, mu 0.2, kappa none, iterative": (2.55, 8.59, 0.830),
    "30K, mu 0.2, kappa 4.6e-5, iterative": (2.44e-4, 12.2, 0.858),
    "30K, mu 0.8, kappa none, iterative": (2.57, 51.6, 0.625),
    "30K, mu 0.8, kappa 4.6e-5, iterative": (2.44e-4, 53.2, 0.918),
}


def costs(run, published=("", "", "")):
    (volume,) = run.columns("limb.volume")
    total = run.report["costs"]["total"]
    frames = run.scene["time"]["end"] / FRAME
    loss, seconds, memory = published
    source = SOURCE if loss != "" else ""
    return [
        ("volume loss", 100 * (1 - volume[-1] / volume[0]), "%", loss, source),
        ("seconds per frame", total["seconds"] / frames, "s", seconds, source),
        ("peak memory", run.report["costs"]["peak_memory_bytes"] / 1e9, "GB", memory, source),
        ("Newton iterations", total["newton_iterations"], "", "", ""),
        ("linear iterations", total["linear_iterations"], "", "", ""),
        ("steps", total["steps"], "", "", ""),
    ]


def summary(run):
    return [("elements", run.report["elements"], "", "", ""), *costs(run)]


def pictures(run):
    out = run.directory
    run.postprocess("plot_history.py", out, "--columns", "limb.volume", "worn.contacts", "folds.contacts", "--out", out / "bend_history.png")
    run.render("bend.png", (0, 14, 21, 30), "--color", "none", "--azimuth", "-90", "--elevation", "15")


def study(runs, directory):
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in costs(run, PUBLISHED.get(run.label, ("", "", "")))]
    return rows
