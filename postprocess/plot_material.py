#!/usr/bin/python3
"""Plots materials.csv, which `traction material SCENE --out DIR` leaves in DIR: force per area at rest over stretch, or over shear, a panel for each material.

    plot_material.py DIR [--out materials.png]
"""

import argparse
import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def curves(path):
    """{material: {loading: [(stretch, stress)]}} in the order of the file; stress in MPa."""
    result = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            result.setdefault(row["material"], {}).setdefault(row["loading"], []).append((float(row["stretch"]), 1e-6 * float(row["stress"])))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path, help="where materials.csv is")
    parser.add_argument("--out", type=pathlib.Path, help="the picture; DIR/materials.png by default")
    arguments = parser.parse_args()
    materials = curves(arguments.directory / "materials.csv")
    figure, panels = pyplot.subplots(1, len(materials), figsize=(5 * len(materials), 4), squeeze=False, constrained_layout=True)
    for panel, (material, loadings) in zip(panels[0], materials.items()):
        for number, (loading, points) in enumerate(loadings.items()):
            stretches, stresses = zip(*points)
            if loading == "shear":  # from its rest at 0, beside the others' at 1
                stretches, loading = [1 + shear for shear in stretches], "shear, over 1 + shear"
            panel.plot(stretches, stresses, color=f"C{number}", linewidth=1.4, label=loading)
        panel.set(title=material, xlabel="stretch", ylabel="force per area at rest, MPa")
        panel.axhline(0, color="0.8", linewidth=0.8, zorder=0)
        panel.axvline(1, color="0.8", linewidth=0.8, zorder=0)
        panel.legend(frameon=False, fontsize=8)
    figure.savefig(arguments.out or arguments.directory / "materials.png", dpi=150)


if __name__ == "__main__":
    main()
