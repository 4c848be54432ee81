#!/usr/bin/python3
"""Plots the figures of results.csv over commits: a panel for each figure, a line for each machine."""

import argparse
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import results  # noqa: E402


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="?", type=pathlib.Path, default=HERE / "results.csv", help="default tests/benchmark/results.csv")
    parser.add_argument("--only", metavar="TEXT", default="", help="only figures with TEXT in their names")
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
    commits, series = list(dict.fromkeys(row["commit"] for row in rows)), results.series(rows)
    picture, panels = pyplot.subplots(len(series), 1, figsize=(max(6, 0.4 * len(commits)), 2.6 * len(series)), squeeze=False, layout="constrained")
    for panel, ((figure, unit), lines) in zip(panels[:, 0], series.items()):
        for (machine, cpu), line in lines.items():
            panel.plot([commits.index(commit) for commit in line], list(line.values()), "o-", label=f"{machine}, {cpu}")
        panel.set_title(figure, fontsize=9)
        panel.set_ylabel("" if unit == "1" else unit)
        panel.set_ylim(bottom=0)
        panel.set_xticks(range(len(commits)), commits, rotation=45, ha="right", fontsize=7)
    panels[0, 0].legend(fontsize=7)
    picture.savefig(arguments.out, dpi=120)
    print(arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
