"""Reads the frames of a run (fields.hdf.series, or fields.hdf with `output: {files: one}`) as numpy arrays, the parts of all ranks joined."""

import contextlib
import dataclasses
import functools
import json
import pathlib

import h5py
import numpy

# Corners of a tetrahedron's faces, counterclockwise from outside.
FACES = numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
LINE, TRIANGLE, TETRAHEDRON = 3, 5, 10   # VTK's numbers


class Step:
    """A frame of a file that has all of them, as the group VTKHDF of a file of its own: arrays by their paths, as numpy arrays."""

    def __init__(self, root, index):
        self.root, self.index, steps = root, index, root["Steps"]
        self.first_part = int(steps["PartOffsets"][index])
        self.parts = slice(self.first_part, self.first_part + int(steps["NumberOfParts"][index]))
        self.points, self.cells, self.corners = (int(root[name][self.parts].sum()) for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"))

    def names(self, group):
        return list(self.root[group])

    def __getitem__(self, path):
        steps = self.root["Steps"]
        offset = lambda name: int(steps[name][self.index])
        if path.startswith("NumberOf"):
            return self.root[path][self.parts]
        if path == "Offsets":
            first, count = offset("CellOffsets") + self.first_part, self.cells + self.parts.stop - self.parts.start
        elif "/" in path:
            group, name = path.split("/")
            first, count = offset(f"{group}Offsets/{name}"), self.points if group == "PointData" else self.cells
        else:
            name, count = {"Points": ("PointOffsets", self.points), "Types": ("CellOffsets", self.cells), "Connectivity": ("ConnectivityIdOffsets", self.corners)}[path]
            first = offset(name)
        return self.root[path][first : first + count]


class OneFrame:
    """The frame in a file of its own, as a Step."""

    def __init__(self, root):
        self.root = root

    def names(self, group):
        return list(self.root[group])

    def __getitem__(self, path):
        return self.root[path][:]


class Series:
    """The frames of a kind in a run's folder, `stem` fields, contacts or contact_surfaces: in a file each or in one. Raises OSError if the folder has none."""

    def __init__(self, directory, stem):
        self.directory, self.stem = pathlib.Path(directory), stem
        listed, self.one = self.directory / f"{stem}.hdf.series", self.directory / f"{stem}.hdf"
        self.is_one_file = not listed.exists()
        if self.is_one_file:
            if not self.one.exists():
                raise FileNotFoundError(f"{self.one.name}.series: no such file")
            with self._open(self.one) as file:
                steps = file["VTKHDF/Steps"]
                self.times = steps["Values"][: int(steps.attrs["NSteps"])].tolist()
            self.names = [f"{stem}_{index:06d}.hdf" for index in range(len(self.times))]
        else:
            files = json.loads(listed.read_text(encoding="utf-8"))["files"]
            self.names, self.times = [entry["name"] for entry in files], [entry["time"] for entry in files]

    @staticmethod
    def exists(directory, stem="fields"):
        return any((pathlib.Path(directory) / f"{stem}{ending}").is_file() for ending in (".hdf.series", ".hdf"))

    def __len__(self):
        return len(self.times)

    def _open(self, path):
        try:
            return h5py.File(path, "r")
        except OSError as problem:
            if path.with_name(path.name + ".undo").exists():
                raise OSError(f"{path.name} was being extended when its run was killed; traction resume restores it, from {path.name}.undo") from problem
            raise

    @contextlib.contextmanager
    def frame(self, index):
        """A Step or OneFrame, and the open file."""
        with self._open(self.one if self.is_one_file else self.directory / self.names[index]) as file:
            yield (Step(file["VTKHDF"], index) if self.is_one_file else OneFrame(file["VTKHDF"])), file


class Topology:
    """What the frames of a run share: `cells` are the tetrahedra of solids, `triangles` those of shells, with `regions` and `triangle_regions`, `lines` the segments of rods. Vertices are joined by
    their number in the scene's meshes, so that bodies which touch stay apart."""

    def __init__(self, group):
        points = group["NumberOfPoints"]
        corners = group["NumberOfConnectivityIds"]
        first_points = numpy.concatenate([[0], numpy.cumsum(points)[:-1]])
        connectivity = group["Connectivity"] + numpy.repeat(first_points, corners)
        # `first`: the stored point of each vertex; `joined`: the vertex of each stored point.
        self.vertex_ids, self.first, joined = numpy.unique(group["PointData/vertex_id"], return_index=True, return_inverse=True)
        types, regions = group["Types"], group["CellData/region"]
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
        if not Series.exists(directory):
            raise OSError("no frames of fields; a run writes them if its scene has output.every, as in output: {every: 1e-2}")
        self.series = Series(directory, "fields")
        self.names, self.times = self.series.names, self.series.times
        self._topologies = {}

    def __len__(self):
        return len(self.names)

    @functools.cached_property
    def bodies(self):
        """Names of the run's bodies, and the lowest vertex_id of each."""
        path = self.series.one if self.series.is_one_file else sorted(self.directory.glob("fields_mesh*.h5"))[0]
        with h5py.File(path, "r") as file:
            if "Bodies" not in file:
                return ["bodies"], numpy.array([0])
            return bytes(file["Bodies/names"][:]).decode().splitlines(), file["Bodies/first_vertex"][:]

    def read(self, index, points_only=False):
        """A Frame; one of points only has no fields, and takes a seventh of the time."""
        with self.series.frame(index) as (group, file):
            key = group.first_part if self.series.is_one_file else file["VTKHDF"].get("Connectivity", getlink=True).filename
            if key not in self._topologies:
                self._topologies[key] = Topology(group)
            topology = self._topologies[key]
            points = group["Points"][topology.first]
            if points_only:
                return Frame(self.times[index], topology, points, {}, {})
            fields = {name: group[f"PointData/{name}"][topology.first] for name in group.names("PointData") if name != "vertex_id"}
            cell_fields = {name: group[f"CellData/{name}"][topology.cell_order] for name in group.names("CellData") if name not in ("partition", "region")}
            return Frame(self.times[index], topology, points, fields, cell_fields)
