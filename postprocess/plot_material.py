#!/usr/bin/python3
"""Plots materials.csv, relaxation.csv and cyclic.csv, which `traction material SCENE --out DIR` leaves in DIR: force per area at rest over stretch, or over shear, and moduli over
time where stress relaxes, and cycles where rubber softens, a column of panels for each material.

    plot_material.py DIR [--out materials.png]
"""

import argparse
import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def loading_panel(panel, material, table):
    """Force per area over stretch, a line for each loading."""
    loadings = {}
    for row in table:
        if row["material"] == material:
            loadings.setdefault(row["loading"], []).append((float(row["stretch"]), 1e-6 * float(row["stress"])))
    for number, (loading, points) in enumerate(loadings.items()):
        stretches, stresses = zip(*points)
        if loading == "shear":  # from its rest at 0, beside the others' at 1
            stretches, loading = [1 + shear for shear in stretches], "shear, over 1 + shear"
        panel.plot(stretches, stresses, color=f"C{number}", linewidth=1.4, label=loading)
    panel.set(title=material, xlabel="stretch", ylabel="force per area at rest, MPa")
    panel.axhline(0, color="0.8", linewidth=0.8, zorder=0)
    panel.axvline(1, color="0.8", linewidth=0.8, zorder=0)
    panel.legend(frameon=False, fontsize=8)


def relaxation_panel(panel, material, table):
    """Moduli over time, and over the inverse of the angular frequency."""
    own = [row for row in table if row["material"] == material]
    if not own:
        panel.axis("off")
        return
    times = [float(row["time"]) for row in own]
    for number, (key, label) in enumerate((("relaxation_modulus", "held for the time"), ("storage_modulus", "storage"), ("loss_modulus", "loss"))):
        panel.plot(times, [1e-6 * float(row[key]) for row in own], color=f"C{number}", linewidth=1.4, label=label)
    panel.set(title=material, xlabel="time, or 1 / angular frequency, s", ylabel="shear modulus, MPa", xscale="log", ylim=(0, None))
    panel.legend(frameon=False, fontsize=8)


def cyclic_panel(panel, material, table):
    """Force per area over stretch that is repeated and increased."""
    own = [row for row in table if row["material"] == material]
    if not own:
        panel.axis("off")
        return
    for cycle in dict.fromkeys(row["cycle"] for row in own):
        points = [(float(row["stretch"]), 1e-6 * float(row["stress"])) for row in own if row["cycle"] == cycle]
        panel.plot(*zip(*points), color=f"C{int(cycle) - 1}", linewidth=1.2, label=f"cycle {cycle}")
    panel.set(title=material, xlabel="stretch", ylabel="force per area at rest, MPa")
    panel.legend(frameon=False, fontsize=8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path, help="where materials.csv is")
    parser.add_argument("--out", type=pathlib.Path, help="the picture; DIR/materials.png by default")
    arguments = parser.parse_args()
    table, relaxation = rows(arguments.directory / "materials.csv"), rows(arguments.directory / "relaxation.csv")
    cyclic = rows(arguments.directory / "cyclic.csv")
    materials = list(dict.fromkeys(row["material"] for row in table))
    lines = 1 + bool(relaxation) + bool(cyclic)
    figure, panels = pyplot.subplots(lines, len(materials), figsize=(5 * len(materials), 4 * lines), squeeze=False, constrained_layout=True)
    for number, material in enumerate(materials):
        loading_panel(panels[0][number], material, table)
        if relaxation:
            relaxation_panel(panels[1][number], material, relaxation)
        if cyclic:
            cyclic_panel(panels[-1][number], material, cyclic)
    figure.savefig(arguments.out or arguments.directory / "materials.png", dpi=150)


if __name__ == "__main__":
    main()
