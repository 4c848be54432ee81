#!/usr/bin/python3
"""Opens the frames of a run with VTK's own reader and checks them.

Always: the series lists frames that exist, in order of time; every frame has as many tetrahedra, all of positive volume; copies of a
vertex in several parts agree, and parts fit together, at most two tetrahedra to a face. With options: numbers against formulas of
position (x, y, z, after the motion) and time t, in Python with numpy's functions.

    check_fields.py DIR --cells 324 --volume '2*(1+t/10)' --bounds '0,2*(1+t/10),0,1,-t/2,1-t/2' --field 'velocity=y*z,1-x,3*z'

Prints one line per frame and exits with 1 at the first thing that is wrong.
"""

import argparse
import json
import pathlib
import sys

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import VTK_TETRA
from vtkmodules.vtkIOHDF import vtkHDFReader


class Wrong(Exception):
    """A frame isn't what it should be."""


def require(condition, message):
    if not condition:
        raise Wrong(message)


def evaluate(formula, points, time):
    names = {name: getattr(numpy, name) for name in ("sin", "cos", "exp", "sqrt", "pi", "abs", "minimum", "maximum", "where")}
    value = eval(formula, {"__builtins__": {}}, {**names, "x": points[:, 0], "y": points[:, 1], "z": points[:, 2], "t": time})
    columns = value if isinstance(value, tuple) else (value,)
    return numpy.stack([numpy.broadcast_to(column, len(points)) for column in columns], axis=1)


def require_close(name, found, expected, tolerance):
    error = numpy.max(numpy.abs(found - expected), initial=0)
    scale = max(numpy.max(numpy.abs(expected), initial=0), 1e-300)
    require(error <= tolerance * scale, f"{name}: off by {error:g} where values go to {scale:g}")


def read_frame(path):
    reader = vtkHDFReader()
    require(reader.CanReadFile(str(path)), f"{path}: not a VTKHDF file")
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def point_arrays(grid):
    data = grid.GetPointData()
    arrays = [data.GetArray(i) for i in range(data.GetNumberOfArrays())]
    return {array.GetName(): vtk_to_numpy(array).reshape(grid.GetNumberOfPoints(), -1) for array in arrays}


def tetrahedra(grid):
    types = vtk_to_numpy(grid.GetCellTypesArray())
    require(numpy.all(types == VTK_TETRA), "there are cells that aren't tetrahedra")
    return vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)


def volumes(points, cells):
    corners = points[cells]
    edges = corners[:, 1:] - corners[:, :1]
    return numpy.linalg.det(edges) / 6


def check_fit(fields, points, cells):
    """Copies of a vertex agree, there are no two vertices in one place, and no face belongs to more than two cells."""
    vertices, first, which = numpy.unique(fields["vertex_id"][:, 0], return_index=True, return_inverse=True)
    for name, values in {"positions": points, **fields}.items():
        require(numpy.array_equal(values, values[first][which], equal_nan=True), f"{name}: copies of a vertex differ between parts")
    require(len(numpy.unique(points[first], axis=0)) == len(vertices), "there are vertices of different numbers in one place")
    merged = which[cells]
    faces = numpy.sort(numpy.concatenate([numpy.delete(merged, corner, axis=1) for corner in range(4)]), axis=1)
    require(numpy.unique(faces, axis=0, return_counts=True)[1].max() <= 2, "a face belongs to more than two tetrahedra")
    return len(vertices)


def check_frame(path, time, arguments):
    grid = read_frame(path)
    points = vtk_to_numpy(grid.GetPoints().GetData()).reshape(-1, 3)
    cells = tetrahedra(grid)
    fields = point_arrays(grid)
    partition = vtk_to_numpy(grid.GetCellData().GetArray("partition"))
    region = vtk_to_numpy(grid.GetCellData().GetArray("region"))
    require(len(partition) == len(region) == len(cells), "cell data are of another length than the cells")
    require(cells.min() >= 0 and cells.max() < len(points), "a cell refers to a point that doesn't exist")
    require(len(numpy.unique(cells)) == len(points), "a point belongs to no cell")
    vertex_count = check_fit(fields, points, cells)
    each = volumes(points, cells)
    require(numpy.all(each > 0), f"{numpy.count_nonzero(each <= 0)} tetrahedra have no positive volume")

    if arguments.cells is not None:
        require(len(cells) == arguments.cells, f"{len(cells)} cells, not {arguments.cells}")
    if arguments.volume is not None:
        require_close("volume", each.sum(), evaluate(arguments.volume, points[:1], time)[0, 0], arguments.tolerance)
    if arguments.bounds is not None:
        found = numpy.array(grid.GetBounds())
        require_close("bounds", found, evaluate(arguments.bounds, points[:1], time)[0], arguments.tolerance)
    for field in arguments.field:
        name, formula = field.split("=", 1)
        require(name in fields, f"no field '{name}', there are {', '.join(fields)}")
        expected = evaluate(formula, points, time)
        require(expected.shape == fields[name].shape, f"{name}: {fields[name].shape[1]} components, not {expected.shape[1]}")
        require_close(name, fields[name], expected, arguments.tolerance)
    topology = numpy.column_stack([cells, partition, region])
    parts = len(numpy.unique(partition))
    print(f"{path.name}: t = {time:g} s, {len(cells)} cells in {parts} parts, {vertex_count} vertices, volume {each.sum():.9g} m^3")
    return topology, parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, metavar="DIR", help="folder with fields.hdf.series")
    parser.add_argument("--frames", type=int, help="how many frames there must be")
    parser.add_argument("--cells", type=int, help="how many tetrahedra there must be")
    parser.add_argument("--parts", type=int, help="how many parts with cells there must be")
    parser.add_argument("--volume", help="total volume [m^3], a formula of t")
    parser.add_argument("--bounds", help="xmin,xmax,ymin,ymax,zmin,zmax [m], formulas of t")
    parser.add_argument("--field", action="append", default=[], metavar="NAME=FORMULA", help="values at all points, repeatable")
    parser.add_argument("--tolerance", type=float, default=1e-12, help="of all numbers, relative to the largest value")
    arguments = parser.parse_args()
    try:
        series = json.loads((arguments.directory / "fields.hdf.series").read_text())
        require(series["file-series-version"] == "1.0" and series["files"], "the series lists no frames")
        times = [entry["time"] for entry in series["files"]]
        require(all(a < b for a, b in zip(times, times[1:])), "times of the series don't increase")
        require(arguments.frames in (None, len(times)), f"{len(times)} frames, not {arguments.frames}")
        first = None
        for entry in series["files"]:
            topology, parts = check_frame(arguments.directory / entry["name"], entry["time"], arguments)
            require(arguments.parts in (None, parts), f"{parts} parts, not {arguments.parts}")
            first = topology if first is None else first
            require(len(topology) == len(first), "the number of cells changes")
    except (Wrong, OSError, ValueError, KeyError) as problem:
        sys.exit(f"{arguments.directory}: {problem}")


if __name__ == "__main__":
    main()
