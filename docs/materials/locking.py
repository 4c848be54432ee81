#!/usr/bin/python3
"""Errors over the mesh of solids near nu = 1/2, with pressures of elements and averaged over nodes: docs/materials/locking.csv and locking.png, in two minutes on one core; --draw only draws.

TRACTION_BUILD names the build folder, which has the program. Cases and expected values are those of tests/validation/locking_cases.py."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import matplotlib
from vtkmodules.util.numpy_support import vtk_to_numpy

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "validation"))
from check_fields import point_arrays, read_frame
from locking_cases import CASES, order

SIZES = ((4, 8, 16, 32), (2, 4, 8, 16), (2, 4, 8, 12))
RATIOS = (0.4995, 0.49999)
COLOURS = {"element": "tab:red", "nodal_average": "tab:blue"}


def run(case, size, poisson_ratio, pressure):
    """What is measured in a run of a case."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = case.mesh(size)
        mesh = "body.geo" if text.startswith("Set") else "body.msh"
        (folder / mesh).write_text(text)
        (folder / "scene.yaml").write_text(json.dumps(case.scene(mesh, poisson_ratio, pressure)))
        subprocess.run([pathlib.Path(os.environ["TRACTION_BUILD"]) / "traction", "run", "scene.yaml", "--out", "out"], cwd=folder, check=True, capture_output=True)
        frame = read_frame(sorted((folder / "out").glob("fields_0*.hdf"))[-1])
        displacement = point_arrays(frame)["displacement"]
        return case.measured(vtk_to_numpy(frame.GetPoints().GetData()) - displacement, displacement)


def measure():
    """Rows of the table: case, Poisson's ratio, pressure, cells, expected, got, error."""
    rows = []
    for case, sizes in zip(CASES, SIZES):
        for ratio in RATIOS:
            # The reference's own error falls with the power 1.4 of its cells, because of the corners: two of them tell the limit.
            coarse, fine = case.expected(ratio), case.expected(ratio, 2)
            expected = fine + (fine - coarse) / (2**1.4 - 1)
            for pressure in COLOURS:
                for size in sizes:
                    measured = run(case, size, ratio, pressure)
                    rows.append((case.name, ratio, pressure, size, f"{expected:.6g}", f"{measured:.6g}", f"{measured / expected - 1:.4f}"))
                    print(*rows[-1], flush=True)
    with open(HERE / "locking.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("case", "poisson_ratio", "pressure", "cells", "expected", "got", "error"))
        writer.writerows(rows)


def draw():
    with open(HERE / "locking.csv") as file:
        rows = list(csv.DictReader(file))
    figure, axes = plt.subplots(1, 3, figsize=(12, 4), sharey=True)
    for axis, case, sizes in zip(axes, CASES, SIZES):
        for ratio, marker in zip(RATIOS, "os"):
            for pressure, colour in COLOURS.items():
                errors = [float(row["error"]) for row in rows if (row["case"], float(row["poisson_ratio"]), row["pressure"]) == (case.name, ratio, pressure)]
                axis.loglog(sizes, [abs(error) for error in errors], marker + "-", color=colour, fillstyle="full" if marker == "o" else "none",
                            label=f"{'elements' if pressure == 'element' else 'averaged'}, ν = {ratio}: order {order(errors[-2:], sizes[-2:]):.1f}")
        axis.set_title(case.name)
        axis.set_xlabel("cells to the height, or the wall")
        axis.set_xticks(sizes, [str(size) for size in sizes])
        axis.minorticks_off()
        axis.grid(True, alpha=0.3)
        axis.legend(fontsize=8, loc="lower left")
    axes[0].set_ylabel("relative error of the displacement")
    figure.tight_layout()
    figure.savefig(HERE / "locking.png", dpi=100)


if __name__ == "__main__":
    if "--draw" not in sys.argv:
        measure()
    draw()
