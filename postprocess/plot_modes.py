#!/usr/bin/python3
"""Plots the spectrum in modes.csv, which `traction modes SCENE --out DIR` leaves in DIR: eigenvalues over their numbers (P1 Fig. 5).

    plot_modes.py DIR [--out modes.png]
"""

import argparse
import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path, help="where modes.csv is")
    parser.add_argument("--out", type=pathlib.Path, help="the picture; DIR/modes.png by default")
    arguments = parser.parse_args()
    with open(arguments.directory / "modes.csv", newline="", encoding="utf-8") as file:
        values = [float(row["eigenvalue"]) for row in csv.DictReader(file)]
    # Rigid motions, whose eigenvalues are zero but for rounding, would set the scale.
    elastic = [(number, value) for number, value in enumerate(values, 1) if value > 1e-8 * max(values)]
    figure, panel = pyplot.subplots(figsize=(6, 4), constrained_layout=True)
    panel.plot([number for number, _ in elastic], [value for _, value in elastic], ".", color="#1f5a94", markersize=4)
    panel.set(xlabel="mode", ylabel="eigenvalue λ = ω² [1/s²]", yscale="log" if elastic else "linear")
    figure.savefig(arguments.out or arguments.directory / "modes.png", dpi=150)


if __name__ == "__main__":
    main()
