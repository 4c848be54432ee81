#!/usr/bin/python3
"""Writes sphere.msh, a sphere of 642 vertices and unit radius."""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from surface_mesh import ball, gmsh_text  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--parts", type=int, default=8, help="into which edges of an icosahedron are cut (default 8)")
    options = parser.parse_args()
    points, triangles = ball(options.parts)
    (options.out / "sphere.msh").write_text(gmsh_text(points, {"skin": triangles}))


if __name__ == "__main__":
    main()
