#!/usr/bin/python3
"""Counts the files and lines that adding things has taken, from the repository's history, as the two tables of docs/contributing/recipes.md."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = (("9b480af", "a setting: `solver.restart`"), ("56516b4", "a material: Saint Venant-Kirchhoff"), ("ff4aec9", "the choice of materials in scenes"), ("62dd85e", "four materials with their curves and a fit: laws of rubber"),
            ("825ad6a", "an integrator: `sdirk3`"), ("d46c368", "a force without settings: links between points of bodies"), ("cc0b4c3", "a force with its settings: `springs`"),
            ("4ec1848", "a force with memory: `prony`"), ("0e71e21", "four fields: stress, strain and tension of elements"), ("2cefb5b", "columns: momentum of rigid bodies"),
            ("0d7cb19", "a column that contact must compute: `CONTACT.area`"), ("aca8a45", "a contact potential: `imc`"), ("b331f31", "three laws of friction: `table`, `decay_velocity`, `anisotropic`"),
            ("6072286", "features of obstacles: wires and nails"), ("23e006d", "a pair family: rods on planes, spheres and cylinders"), ("6253233", "a format of meshes: `.inp`"), ("ef6d0df", "three kinds of materials with their curves: `fibres`, `mullins`, laws and cords of shells"),
            ("7cbbae1", "a job: `bouncing_ball`"))
LARGE = (("6c5d23a", "rigid bodies"), ("c5ddeea", "joints, with motors and springs"), ("f2ea5db", "contact by pressure fields: what it computes"), ("9457e6b", "contact by pressure fields: in scenes"),
         ("6d7f36c", "another clock: asynchronous integration and contact"), ("3a8feeb", "another element: ten-node tetrahedra"))
PARTS = ("src", "tests", "docs", "other")


def part_of(path):
    if path.startswith(("src/", "mesh_partition/")):
        return "src"
    if path.startswith("tests/"):
        return "tests"
    return "docs" if path.startswith("docs/") or path.endswith(".md") else "other"


def cost(commit):
    """{part: (files, lines added, lines removed)} of a commit, by git."""
    counts = {part: (0, 0, 0) for part in PARTS}
    for line in subprocess.run(["git", "show", "--numstat", "--no-renames", "--format=", commit], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        added, removed, path = line.split("\t")
        part = part_of(path)
        counts[part] = tuple(sum(pair) for pair in zip(counts[part], (1, *(int(number.replace("-", "0")) for number in (added, removed)))))   # "-" for pictures
    return counts


def table(examples):
    rows = ["| commit | adds | source | tests | pages | other |", "| --- | --- | --- | --- | --- | --- |"]
    for commit, what in examples:
        cells = [f"{files}: +{added} −{removed}" if files else "–" for files, added, removed in cost(commit).values()]
        rows.append(f"| {commit} | {what} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(f"{table(EXAMPLES)}\nWhat is new in kind takes more:\n\n{table(LARGE)}", end="")
