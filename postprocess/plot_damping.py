#!/usr/bin/python3
"""Plots damping.csv, which `traction damping --out DIR` leaves in DIR: numerical damping d/omega over omega h, of every integrator (P1 Fig. 3).

    plot_damping.py DIR [--out damping.png]
"""

import argparse
import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

STYLES = ["-", "--", ":", "-."]


def curves(path):
    """{integrator: [(omega h, d / omega)]} in the order of the file."""
    result = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            result.setdefault(row["integrator"], []).append((float(row["omega_h"]), float(row["d_over_omega"])))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path, help="where damping.csv is")
    parser.add_argument("--out", type=pathlib.Path, help="the picture; DIR/damping.png by default")
    arguments = parser.parse_args()
    figure, panel = pyplot.subplots(figsize=(8, 5), constrained_layout=True)
    for number, (integrator, points) in enumerate(curves(arguments.directory / "damping.csv").items()):
        panel.plot(*zip(*points), STYLES[number // 10 % len(STYLES)], color=f"C{number % 10}", linewidth=1.2, label=integrator.replace("_", " "))
    panel.set_xscale("log")
    panel.set(xlabel="ωh", ylabel="numerical damping d/ω")
    panel.axhline(0, color="0.8", linewidth=0.8, zorder=0)
    panel.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(arguments.out or arguments.directory / "damping.png", dpi=150)


if __name__ == "__main__":
    main()
