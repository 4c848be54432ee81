#!/usr/bin/python3
"""Plots the figures of results.csv over commits: a panel for each figure, a line for each machine. With --over-size, plots those of several sizes over their size instead.

Figures with a size are those whose names end with it: "..., 105K tets", "... 1M triangles". Their values are medians over the newest commit that has them.
"""

import argparse
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import results  # noqa: E402

COLUMNS = 3
SIZE = re.compile(r"^(.*?): (?:(.*), )?([0-9.]+)([KM]?) (tets|triangles)$")   # row, quantity, number, thousands or millions, of what
RANGE = re.compile(r", \S+ -> \S+ (tets|triangles)")
FACTORS = {"": 1, "K": 1e3, "M": 1e6}


def over_commits(series, commits):
    """A panel for each figure."""
    rows, columns = -(-len(series) // COLUMNS), min(COLUMNS, len(series))
    picture, panels = pyplot.subplots(rows, columns, figsize=(max(5, 0.4 * len(commits)) * columns, 2.6 * rows), squeeze=False, layout="constrained")
    for panel in panels.flat[len(series):]:
        panel.set_axis_off()
    for panel, ((figure, unit), lines) in zip(panels.flat, series.items()):
        for machine, line in lines.items():
            panel.plot([commits.index(commit) for commit in line], list(line.values()), "o-", label=machine)
        panel.set_title(figure, fontsize=7, wrap=True)
        panel.set_ylabel("" if unit == "1" else unit)
        panel.set_ylim(bottom=0)
        panel.set_xticks(range(len(commits)), commits, rotation=45, ha="right", fontsize=7)
    panels[0, 0].legend(fontsize=7)
    return picture


def by_size(series):
    """{(quantity, unit, of what): {(row, machine): {size: value at the newest commit}}} of the figures that have a size."""
    found = {}
    for (figure, unit), lines in series.items():
        if match := SIZE.match(figure):
            row, quantity, number, factor, what = match.groups()
            for machine, line in lines.items():
                found.setdefault((quantity or "", unit, what), {}).setdefault((row, machine), {})[float(number) * FACTORS[factor]] = list(line.values())[-1]
    return found


def over_size(groups):
    """A panel for times, with logarithmic axes, and one for counts; a line for each quantity of each row."""
    units = sorted({unit for _, unit, _ in groups}, reverse=True)
    picture, panels = pyplot.subplots(1, len(units), figsize=(6 * len(units), 4.8), squeeze=False, layout="constrained")
    for panel, unit in zip(panels[0], units):
        chosen = {(row, quantity, what): line for (quantity, of_group, what), lines in groups.items() if of_group == unit for (row, _), line in lines.items()}
        for (row, quantity, what), line in chosen.items():
            sizes = sorted(line)
            label = ": ".join(text for text in (RANGE.sub("", row), quantity) if text)
            panel.plot(sizes, [line[size] for size in sizes], "o-", label=f"{label} ({what.replace('tets', 'tetrahedra')})")
        panel.set_xscale("log")
        panel.set(xlabel="tetrahedra or triangles", ylabel={"s": "CPU time [s]", "1": "number"}.get(unit, unit))
        if unit == "s":
            panel.set_yscale("log")
            first = min(min(line.values()) for line in chosen.values())
            ends = [f(size for line in chosen.values() for size in line) for f in (min, max)]
            panel.plot(ends, [first, first * ends[1] / ends[0]], "k:", linewidth=0.8, label="proportional to size")
        else:
            panel.set_ylim(bottom=0)
        panel.legend(fontsize=6.5, loc="upper center", bbox_to_anchor=(0.5, -0.12))
    return picture


def main(words=None):
    """`words`: the command's arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", type=pathlib.Path, default=HERE / "results.csv", help="default tests/benchmark/results.csv")
    parser.add_argument("--only", metavar="TEXT", default="", help="only figures with TEXT in their names")
    parser.add_argument("--over-size", action="store_true", help="figures of several sizes over their size, at the newest commit")
    parser.add_argument("--out", metavar="FILE", type=pathlib.Path, default=pathlib.Path("results.png"), help="the picture (default results.png)")
    arguments = parser.parse_args(words)
    try:
        rows = [row for row in results.read(arguments.results) if arguments.only in row["figure"]]
    except OSError as error:
        print(f"{error.filename}: {error.strerror}; tests/benchmark/run writes it", file=sys.stderr)
        return 4
    if not rows:
        print(f"{arguments.results} has no figure with '{arguments.only}' in its name", file=sys.stderr)
        return 2
    series = results.series(rows)
    groups = by_size(series) if arguments.over_size else {}
    if arguments.over_size and not groups:
        print(f"{arguments.results} has no figures of several sizes with '{arguments.only}' in their names", file=sys.stderr)
        return 2
    picture = over_size(groups) if groups else over_commits(series, list(dict.fromkeys(row["commit"] for row in rows)))
    picture.savefig(arguments.out, dpi=120)
    print(arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
