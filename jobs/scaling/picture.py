"""The one picture: what was measured, filled, and what is predicted, open."""

import statistics

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

COLOURS = {"strong": "#1f5a94", "weak": "#3d8b57"}
PREDICTED = ("#d1642b", "#8a4f9e")   # by network


def medians(measured, scaling):
    """ranks -> (seconds per step, oversubscribed, elements)"""
    result = {}
    for ranks in sorted({row["ranks"] for row in measured if row["scaling"] == scaling}):
        rows = [row for row in measured if row["scaling"] == scaling and row["ranks"] == ranks]
        result[ranks] = (statistics.median(row["seconds_per_step"] for row in rows), rows[0]["oversubscribed"] == "yes", rows[0]["elements"])
    return result


def draw_measured(panels, measured, scaling):
    colour, points = COLOURS[scaling], medians(measured, scaling)
    first, elements = points[1][0], points[1][2]
    size = f"{elements:,} tetrahedra" + ("" if scaling == "strong" else " per rank")
    values = [[seconds for seconds, _, _ in points.values()],
              [first / seconds / (ranks if scaling == "strong" else 1) for ranks, (seconds, _, _) in points.items()]]
    marker = "o" if scaling == "strong" else "s"
    for panel, heights in zip(panels, values):
        panel.plot(list(points), heights, "-", color=colour, linewidth=1)
        for ranks, height in zip(points, heights):
            panel.plot(ranks, height, marker, color=colour, markersize=7, alpha=0.4 if points[ranks][1] else 1)
    panels[0].plot([], [], marker + "-", color=colour, label=f"measured, {scaling}: {size}")


def mark_oversubscribed(panels, measured):
    ranks = sorted({row["ranks"] for row in measured if row["oversubscribed"] == "yes"})
    if not ranks:
        return
    for panel in panels:
        panel.axvspan(ranks[0] / 2**0.5, ranks[-1] * 2**0.5, color="0.94", linewidth=0, zorder=0)
    panels[1].annotate("more ranks\nthan cores", ((ranks[0] * ranks[-1]) ** 0.5, 0.02), fontsize=8.5, color="0.4", ha="center")


def draw_model_of_measured(panels, predicted):
    rows = [row for row in predicted if row["case"] != "large"]
    for row in rows:
        panels[0].plot(row["ranks"], row["seconds_per_step"], "x", color="black", markersize=7)
    if rows:
        panels[0].plot([], [], "x", color="black", linestyle="none", label="the model, for these runs")


def draw_predicted(panels, predicted, network, colour):
    rows = [row for row in predicted if row["case"] == "large" and row["network"] == network]
    ranks = [row["ranks"] for row in rows]
    slower = [row["seconds_per_step_without_overlap"] for row in rows]
    for panel, heights, lower in ((panels[0], [row["seconds_per_step"] for row in rows], slower),
                                  (panels[1], [row["efficiency"] for row in rows], [row["efficiency"] * row["seconds_per_step"] / s for row, s in zip(rows, slower)])):
        panel.plot(ranks, heights, "o--", color=colour, markerfacecolor="white", markersize=7, linewidth=1)
        panel.fill_between(ranks, heights, lower, color=colour, alpha=0.15, linewidth=0)
    panels[0].plot([], [], "o--", color=colour, markerfacecolor="white", label=f"predicted, {network}")
    return ranks, rows[0]["seconds_per_step"] * rows[0]["efficiency"] * rows[0]["ranks"]


def draw(measured, predicted, path):
    figure, panels = pyplot.subplots(1, 2, figsize=(12, 5.2), constrained_layout=True)
    for scaling in COLOURS:
        draw_measured(panels, measured, scaling)
    mark_oversubscribed(panels, measured)
    draw_model_of_measured(panels, predicted)
    networks = list(dict.fromkeys(row["network"] for row in predicted if row["case"] == "large"))
    for network, colour in zip(networks, PREDICTED):
        ranks, alone = draw_predicted(panels, predicted, network, colour)
    panels[0].plot(ranks, [alone / count for count in ranks], ":", color="0.5", label="the same without messages and ghosts")
    cells = next(row["mesh"] for row in predicted if row["case"] == "large").split("x")
    elements = 6 * int(cells[0]) * int(cells[1]) * int(cells[2])
    panels[0].set(xscale="log", yscale="log", xlabel="ranks", ylabel="seconds per step")
    panels[1].set(xscale="log", xlabel="ranks", ylabel="parallel efficiency", ylim=(0, 1.15))
    panels[1].axhline(1, color="0.7", linewidth=0.8)
    ticks = sorted({row["ranks"] for row in measured} | set(ranks))
    for panel in panels:
        panel.set_xticks(ticks, [str(tick) for tick in ticks])
        panel.minorticks_off() if panel is panels[1] else panel.tick_params(axis="x", which="minor", bottom=False)
        panel.grid(color="0.92", linewidth=0.8)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].legend(frameon=False, fontsize=8.5, loc="best")
    figure.suptitle(f"Filled: measured.  Open: predicted for {elements:,} tetrahedra, down to no overlap of messages and work", fontsize=11)
    figure.savefig(path, dpi=150)
