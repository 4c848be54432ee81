"""Reads the frames of a run (fields.hdf.series) as numpy arrays, the parts of all ranks joined."""

import dataclasses
import functools
import json
import pathlib

import h5py
import numpy

# Corners of a tetrahedron's faces, counterclockwise from outside.
FACES = numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
LINE, TRIANGLE, TETRAHEDRON = 3, 5, 10   # VTK's numbers


class Topology:
    """What the frames of a run share: `cells` are the tetrahedra of solids, `triangles` those of shells, with `regions` and `triangle_regions`, `lines` the segments of rods. Vertices are joined by
    their number in the scene's meshes, so that bodies which touch stay apart."""

    def __init__(self, group):
        points = group["NumberOfPoints"][:]
        corners = group["NumberOfConnectivityIds"][:]
        first_points = numpy.concatenate([[0], numpy.cumsum(points)[:-1]])
        connectivity = group["Connectivity"][:] + numpy.repeat(first_points, corners)
        # `first`: the stored point of each vertex; `joined`: the vertex of each stored point.
        self.vertex_ids, self.first, joined = numpy.unique(group["PointData/vertex_id"][:], return_index=True, return_inverse=True)
        types, regions = group["Types"][:], group["CellData/region"][:]
        sizes = numpy.select([types == TETRAHEDRON, types == TRIANGLE], [4, 3], 2)
        of_cell = numpy.repeat(types, sizes)
        self.cells = joined[connectivity[of_cell == TETRAHEDRON]].reshape(-1, 4)
        self.regions = regions[types == TETRAHEDRON]
        self.triangles = joined[connectivity[of_cell == TRIANGLE]].reshape(-1, 3)
        self.triangle_regions = regions[types == TRIANGLE]
        self.lines = joined[connectivity[of_cell == LINE]].reshape(-1, 2)
        self.line_regions = regions[types == LINE]
        # Tetrahedra, then triangles, then lines, as the stored cells number them.
        self.cell_order = numpy.concatenate([numpy.flatnonzero(types == kind) for kind in (TETRAHEDRON, TRIANGLE, LINE)])

    @functools.cached_property
    def canonical_cells(self):
        """An order of the tetrahedra, triangles and lines that follows from the numbers of their vertices, and so is the same on any number of ranks."""
        order = [numpy.lexsort(numpy.sort(self.vertex_ids[cells], axis=1).T) for cells in (self.cells, self.triangles, self.lines)]
        return numpy.concatenate([order[0], order[1] + len(self.cells), order[2] + len(self.cells) + len(self.triangles)])

    def at_vertices(self, values, of_tetrahedra=True, of_triangles=True, of_lines=True):
        """The mean of the elements around each vertex, of those kinds of elements; 0 around vertices without any."""
        total, count = numpy.zeros((len(self.first), *values.shape[1:])), numpy.zeros(len(self.first))
        of_kind = numpy.split(values, numpy.cumsum([len(self.cells), len(self.triangles)]))
        parts = zip((self.cells, self.triangles, self.lines), of_kind, (of_tetrahedra, of_triangles, of_lines))
        for cells, numbers, counts in parts:
            if counts:
                for corner in cells.T:
                    numpy.add.at(total, corner, numbers)
                    numpy.add.at(count, corner, 1)
        return total / numpy.maximum(count, 1).reshape(-1, *[1] * (values.ndim - 1))

    @functools.cached_property
    def _faces(self):
        """All faces, the cell of each, an order that brings equal ones together, and where in it a group of equal ones starts."""
        faces = self.cells[:, FACES].reshape(-1, 3)
        cells = numpy.repeat(numpy.arange(len(self.cells)), 4)
        key = numpy.sort(faces, axis=1)
        order = numpy.lexsort(key.T)
        differs = numpy.any(key[order][1:] != key[order][:-1], axis=1)
        starts = numpy.concatenate([[0], numpy.flatnonzero(differs) + 1])
        return faces, cells, order, starts

    @functools.cached_property
    def surface(self):
        """Triangles of the solids' surface, seen from outside, and of the shells, and the region of each."""
        if not len(self.cells):
            return self.triangles, self.triangle_regions
        faces, cells, order, starts = self._faces
        single = numpy.diff(numpy.append(starts, len(order))) == 1
        chosen = order[starts[single]]
        return numpy.concatenate([faces[chosen], self.triangles]), numpy.concatenate([self.regions[cells[chosen]], self.triangle_regions])

    @functools.cached_property
    def drawn(self):
        """Vertices of the surface and of rods."""
        return numpy.unique(numpy.concatenate([self.surface[0].ravel(), self.lines.ravel()]))

    @functools.cached_property
    def interfaces(self):
        """Triangles between tetrahedra of different regions."""
        if not len(self.cells):
            return numpy.empty((0, 3), int)
        faces, cells, order, starts = self._faces
        pairs = starts[numpy.diff(numpy.append(starts, len(order))) == 2]
        one, other = order[pairs], order[pairs + 1]
        return faces[one[self.regions[cells[one]] != self.regions[cells[other]]]]

    @functools.cached_property
    def bodies(self):
        """Vertices of the surface, or of the rods, of each connected body."""
        label = numpy.arange(len(self.first))
        while True:
            lowest = label.copy()
            for cells in (self.cells, self.triangles, self.lines):
                numpy.minimum.at(lowest, cells, label[cells].min(axis=1, keepdims=True))
            lowest = lowest[lowest]
            if numpy.array_equal(lowest, label):
                break
            label = lowest
        on_surface = self.drawn
        return [on_surface[label[on_surface] == body] for body in numpy.unique(label[on_surface])]


@dataclasses.dataclass
class Frame:
    time: float               # [s]
    topology: Topology
    points: numpy.ndarray     # vertices x 3 [m]
    fields: dict              # name -> one or three numbers per vertex
    cell_fields: dict         # name -> one or six numbers (xx, yy, zz, xy, yz, xz) per tetrahedron, then per triangle, then per line


class Frames:
    """The frames of a run's folder, read one at a time."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        path = self.directory / "fields.hdf.series"
        if not path.exists():
            raise OSError("no frames of fields; a run writes them if its scene has output.every, as in output: {every: 1e-2}")
        series = json.loads(path.read_text(encoding="utf-8"))
        self.names = [entry["name"] for entry in series["files"]]
        self.times = [entry["time"] for entry in series["files"]]
        self._topologies = {}

    def __len__(self):
        return len(self.names)

    def read(self, index, points_only=False):
        """A Frame; one of points only has no fields, and takes a seventh of the time."""
        with h5py.File(self.directory / self.names[index], "r") as file:
            group = file["VTKHDF"]
            link = group.get("Connectivity", getlink=True).filename
            if link not in self._topologies:
                self._topologies[link] = Topology(group)
            topology = self._topologies[link]
            points = group["Points"][:][topology.first]
            if points_only:
                return Frame(self.times[index], topology, points, {}, {})
            fields = {name: data[:][topology.first] for name, data in group["PointData"].items() if name != "vertex_id"}
            cell_fields = {name: data[:][topology.cell_order] for name, data in group["CellData"].items() if name not in ("partition", "region")}
            return Frame(self.times[index], topology, points, fields, cell_fields)
