#!/usr/bin/python3
"""Plots columns of history.csv over time, of one run or several in one picture.

    plot_history.py out --columns ball.z --out height.png
    plot_history.py coarse fine --labels '4 mm' '2 mm' --columns ball.vz ball.z --from 0.71 --to 0.74 --out impact.png

Columns of one quantity share a panel; each further quantity gets a panel below.
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

# Pattern of a column's name, what it is (None for the last part of the name), its unit.
QUANTITIES = [
    (r".*\.[xyz]", "position", "m"),
    (r".*\.v[xyz]", "velocity", "m/s"),
    (r".*\.f[xyz]", "force", "N"),
    (r".*\.m[xyz]", "moment", "N m"),
    (r".*\.l[xyz]", "angular momentum", "kg m²/s"),
    (r".*\.w[xyz]", "angular velocity", "rad/s"),
    (r".*\.p[xyz]", "momentum", "kg m/s"),
    (r".*\.q[wxyz]", "quaternion", ""),
    (r".*\.volume\d*", "volume", "m³"),
    (r".*\.pressure\d*", "pressure", "Pa"),
    (r".*\.area", "area", "m²"),
    (r".*\.(motor_)?force", None, "N"),
    (r".*\.motor_torque", None, "N m"),
    (r".*\.(\w+_)?power", None, "W"),
    (r".*\.(length|displacement|gap)", None, "m"),
    (r".*\.angle", None, "rad"),
    (r".*_energy|.*\.energy", "energy", "J"),
    (r"work_.*", "work", "J"),
    (r"lost_by_.*", "lost energy", "J"),
    (r"energy_numerical", "energy by numerical errors", "J"),
    (r"energy_gained", "gained energy", "J"),
    (r"momentum_[xyz]", "momentum", "kg m/s"),
    (r"angular_momentum_[xyz]", "angular momentum", "kg m²/s"),
    (r"min_gap", "smallest gap", "m"),
    (r"kappa", "largest stiffness of contact", "N/m"),
    (r"residual", "velocity error", "m/s"),
    (r"error", "estimated error of positions", "m"),
    (r"time", "time", "s"),
    (r"dt", "time step", "s"),
]
SHARED = {"energy", "work", "lost energy", "momentum", "angular momentum"}   # by several columns of the whole scene
COLOURS = ["#1f5a94", "#d1642b", "#3d8b57", "#8a4f9e", "#b5932b", "#5f6b73"]
STYLES = ["-", "--", ":", "-."]


def quantity(column):
    """What a column is, and its unit; empty for numbers without one."""
    last_part = column.rsplit(".", 1)[-1].replace("_", " ")
    for pattern, name, unit in QUANTITIES:
        if re.fullmatch(pattern, column):
            return name or last_part, unit
    return last_part, ""


def axis_text(columns):
    """What the axis of some columns of one quantity shows: a single column's own name where others of that quantity have other names."""
    name, unit = quantity(columns[0])
    if len(columns) == 1 and ("." in columns[0] or name in SHARED):
        name = columns[0].replace(".", " ").replace("_", " ")
    return f"{name} [{unit}]" if unit else name


def labels_of(directories):
    """The folders' names; where these are the same, the shortest parts of the paths that differ: a and b of a/out and b/out."""
    paths = [directory.resolve().parts for directory in directories]
    if len(set(paths)) < len(paths):
        return [directory.name for directory in map(pathlib.Path.resolve, directories)]
    if len({path[-1] for path in paths}) < len(paths):
        while len({path[-1] for path in paths}) == 1 and min(map(len, paths)) > 1:
            paths = [path[:-1] for path in paths]
    labels = []
    for path in paths:
        others = [other for other in paths if other is not path]
        count = next(k for k in range(1, len(path) + 1) if k == len(path) or all(other[-k:] != path[-k:] for other in others))
        labels.append("/".join(path[-count:]))
    return labels


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
    axes.set_ylabel(arguments.ylabel or axis_text(columns))
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
    parser.add_argument("--labels", nargs="+", metavar="LABEL", help="one per run (default: the folders' names, or what differs in their paths)")
    parser.add_argument("--ylabel", help="text on the vertical axis (default: from the column's name)")
    parser.add_argument("--title", help="text above the plot")
    parser.add_argument("--from", dest="begin", type=float, default=-math.inf, metavar="TIME", help="first time [s]")
    parser.add_argument("--to", dest="end", type=float, default=math.inf, metavar="TIME", help="last time [s]")
    arguments = parser.parse_args()
    labels = arguments.labels or labels_of(arguments.directories)
    if len(labels) != len(arguments.directories):
        parser.error(f"{len(labels)} labels for {len(arguments.directories)} runs")
    panels = {}
    for column in arguments.columns:
        panels.setdefault(quantity(column), []).append(column)
    if arguments.ylabel and len(panels) > 1:
        parser.error("--ylabel is for columns of one quantity")
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
