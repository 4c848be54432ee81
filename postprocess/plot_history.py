#!/usr/bin/python3
"""Plots columns of history.csv over time, of one run or several in one picture.

    plot_history.py out --columns ball.z --out height.png
    plot_history.py coarse fine --labels '4 mm' '2 mm' --columns ball.vz ball.z --from 0.71 --to 0.74 --out impact.png

Columns of one unit share a panel; each further unit gets a panel below.
"""

import argparse
import csv
import math
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

# Pattern of a column's name, what it is, its unit.
QUANTITIES = [
    (r".*\.[xyz]", "position", "m"),
    (r".*\.v[xyz]", "velocity", "m/s"),
    (r".*\.f[xyz]", "force", "N"),
    (r".*\.volume\d*", "volume", "m³"),
    (r".*\.pressure\d*", "pressure", "Pa"),
    (r".*_energy", "energy", "J"),
    (r"min_gap", "smallest gap", "m"),
    (r"time", "time", "s"),
    (r"dt", "time step", "s"),
]
COLOURS = ["#1f5a94", "#d1642b", "#3d8b57", "#8a4f9e", "#b5932b", "#5f6b73"]
STYLES = ["-", "--", ":", "-."]


def quantity(column):
    for pattern, name, unit in QUANTITIES:
        if re.fullmatch(pattern, column):
            return name, unit
    return column.rsplit(".", 1)[-1].replace("_", " "), ""


def with_unit(name, unit):
    return f"{name} [{unit}]" if unit else name


def read_history(directory, columns):
    """Values by column; a row that is still being written is left out."""
    path = directory / "history.csv"
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        names = next(reader, [])
        missing = [column for column in columns if column not in names]
        if missing:
            raise ValueError(f"{path}: no column {', '.join(missing)}; there are {', '.join(names)}")
        rows = [[float(cell) for cell in row] for row in reader if len(row) == len(names)]
    return {column: [row[names.index(column)] for row in rows] for column in columns}


def plot_panel(axes, columns, runs, labels, arguments):
    for i, (history, run_label) in enumerate(zip(runs, labels)):
        for j, column in enumerate(columns):
            # One colour per run where there are several, one per column otherwise.
            colour = COLOURS[(i if len(runs) > 1 else j) % len(COLOURS)]
            style = STYLES[j % len(STYLES)] if len(runs) > 1 else "-"
            label = ", ".join(part for part in (run_label if len(runs) > 1 else "", column if len(columns) > 1 else "") if part)
            inside = [k for k, time in enumerate(history["time"]) if arguments.begin <= time <= arguments.end]
            values = [history[column][k] for k in inside]
            values = [value if math.isfinite(value) else math.nan for value in values]
            marker = "." if len(inside) <= 40 else None
            axes.plot([history["time"][k] for k in inside], values, style, color=colour, label=label, marker=marker, linewidth=1.6)
    name, unit = quantity(columns[0])
    only = columns[0].replace(".", " ").replace("_", " ") if len(columns) == 1 and "." in columns[0] else name
    axes.set_ylabel(arguments.ylabel or with_unit(only, unit))
    axes.grid(color="0.9", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.01)
    if len(columns) > 1 or len(runs) > 1:
        axes.legend(frameon=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", nargs="+", type=pathlib.Path, metavar="DIR", help="folder of a run, with history.csv")
    parser.add_argument("--columns", nargs="+", required=True, metavar="COLUMN", help="names in the first line of history.csv")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="FILE", help="picture to make (.png, .svg or .pdf)")
    parser.add_argument("--labels", nargs="+", metavar="LABEL", help="one per run (default: the folders' names)")
    parser.add_argument("--ylabel", help="text on the vertical axis (default: from the column's name)")
    parser.add_argument("--title", help="text above the plot")
    parser.add_argument("--from", dest="begin", type=float, default=-math.inf, metavar="TIME", help="first time [s]")
    parser.add_argument("--to", dest="end", type=float, default=math.inf, metavar="TIME", help="last time [s]")
    arguments = parser.parse_args()
    labels = arguments.labels or [directory.resolve().name for directory in arguments.directories]
    if len(labels) != len(arguments.directories):
        parser.error(f"{len(labels)} labels for {len(arguments.directories)} runs")
    panels = {}
    for column in arguments.columns:
        panels.setdefault(quantity(column), []).append(column)
    if arguments.ylabel and len(panels) > 1:
        parser.error("--ylabel is for columns of one unit")
    try:
        runs = [read_history(directory, ["time", *arguments.columns]) for directory in arguments.directories]
    except (OSError, ValueError) as problem:
        sys.exit(str(problem))

    pyplot.rcParams.update({"font.size": 11, "axes.edgecolor": "0.4", "axes.labelcolor": "0.15", "xtick.color": "0.3",
                            "ytick.color": "0.3"})
    size = (7, 1.2 + 2.8 * len(panels))
    figure, all_axes = pyplot.subplots(len(panels), 1, sharex=True, squeeze=False, figsize=size, layout="constrained")
    for axes, columns in zip(all_axes[:, 0], panels.values()):
        plot_panel(axes, columns, runs, labels, arguments)
    all_axes[-1, 0].set_xlabel("time [s]")
    if arguments.title:
        figure.suptitle(arguments.title)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(arguments.out, dpi=160)


if __name__ == "__main__":
    main()
