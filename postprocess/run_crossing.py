"""Which surfaces of a run cross, frame by frame or between frames: bodies with each other, with themselves, and with obstacles (planes, spheres, boxes, meshes)."""

import dataclasses
import pathlib

import numpy

from field_frames import Frames
from path_crossing import Moving, Passage, passage
from run_description import read_scene_of_run
from surface_crossing import Crossing, Prepared, Surface, cross, distances

BOX_CORNERS = numpy.array([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)])
BOX_TRIANGLES = numpy.array([(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)])


def elapsed(motion, time):
    """The integral of a motion's speed factor, which rises from 0 to 1 over [start, start + ramp] and ends at `stop`."""
    start, ramp = motion.get("start", 0), motion.get("ramp", 0)
    time = max(0.0, min(time, motion.get("stop", numpy.inf)) - start)
    return time**2 / (2 * ramp) if ramp > 0 and time < ramp else max(0.0, time - ramp / 2)


def move(points, motions, time):
    """Points of an obstacle after the rigid motions of the scene, one upon the other."""
    for motion in motions if isinstance(motions, list) else [motions]:
        tau = elapsed(motion, time)
        about = numpy.array(motion.get("about", (0, 0, 0)), float)
        turn = numpy.array(motion.get("angular_velocity", (0, 0, 0)), float) * tau
        angle = numpy.linalg.norm(turn)
        away = points - about
        if angle > 0:
            axis = turn / angle
            away = away * numpy.cos(angle) + numpy.cross(axis, away) * numpy.sin(angle) + numpy.outer(away @ axis, axis) * (1 - numpy.cos(angle))
        points = about + away + numpy.array(motion.get("velocity", (0, 0, 0)), float) * tau
    return points


def read_gmsh_triangles(path, scale):
    """The file is text of Gmsh's format 2 or 4."""
    lines = path.read_text().splitlines()
    old = lines[lines.index("$MeshFormat") + 1].startswith("2")
    nodes = lines[lines.index("$Nodes") + 2 : lines.index("$EndNodes")]
    elements = lines[lines.index("$Elements") + 2 : lines.index("$EndElements")]
    points, corners = {}, []
    if old:
        for line in nodes:
            number, *place = line.split()
            points[number] = [float(c) for c in place]
        for line in elements:
            words = line.split()
            if words[1] == "2":  # a triangle
                corners.append(words[-3:])
    else:
        while nodes:
            count = int(nodes[0].split()[3])
            for number, place in zip(nodes[1 : 1 + count], nodes[1 + count : 1 + 2 * count]):
                points[number.strip()] = [float(c) for c in place.split()[:3]]
            nodes = nodes[1 + 2 * count :]
        while elements:
            _, _, element, count = elements[0].split()
            if element == "2":
                corners += [line.split()[1:4] for line in elements[1 : 1 + int(count)]]
            elements = elements[1 + int(count) :]
    row = {number: i for i, number in enumerate(points)}
    return scale * numpy.array(list(points.values())), numpy.array([[row[number] for number in triangle] for triangle in corners], int).reshape(-1, 3)


def read_vtk_triangles(path, scale):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOLegacy import vtkGenericDataObjectReader
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    reader = vtkGenericDataObjectReader() if path.suffix.lower() == ".vtk" else vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    mesh = reader.GetOutput()
    triangles = []
    for i in range(mesh.GetNumberOfCells()):
        cell = mesh.GetCell(i)
        if cell.GetCellType() == 5:  # a triangle
            triangles.append([cell.GetPointId(k) for k in range(3)])
    return scale * vtk_to_numpy(mesh.GetPoints().GetData()).astype(float), numpy.array(triangles, int).reshape(-1, 3)


def read_triangles(path, scale):
    """Points and triangles of an .obj, .stl, .msh, .vtk or .vtu file."""
    kind = path.suffix.lower()
    if kind == ".msh":
        return read_gmsh_triangles(path, scale)
    if kind in (".vtk", ".vtu"):
        return read_vtk_triangles(path, scale)
    if kind not in (".obj", ".stl"):
        raise ValueError(f"{path}: obstacles are read from .obj, .stl, .msh, .vtk and .vtu files only")
    data = path.read_bytes()
    if path.suffix.lower() == ".obj":
        points, triangles = [], []
        for line in data.decode(errors="replace").splitlines():
            words = line.split()
            if words[:1] == ["v"]:
                points.append([float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                corners = [int(word.split("/")[0]) for word in words[1:]]
                corners = [corner - 1 if corner > 0 else len(points) + corner for corner in corners]
                triangles += [(corners[0], *pair) for pair in zip(corners[1:], corners[2:])]
        return scale * numpy.array(points), numpy.array(triangles, int).reshape(-1, 3)
    if len(data) >= 84 and len(data) == 84 + 50 * int.from_bytes(data[80:84], "little"):
        records = numpy.frombuffer(data[84:], numpy.dtype([("numbers", "<f4", 12), ("spare", "<u2")]))
        corners = records["numbers"][:, 3:].reshape(-1, 3).astype(float)
    else:
        corners = numpy.array([line.split()[1:4] for line in data.decode(errors="replace").splitlines() if line.split()[:1] == ["vertex"]], float)
    points, which = numpy.unique(corners, axis=0, return_inverse=True)
    return scale * points, which.reshape(-1, 3)


def is_closed(triangles):
    """Whether each edge has a triangle on either side: an open surface has no inside."""
    sides = numpy.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return numpy.all(numpy.unique(sides, axis=0, return_counts=True)[1] == 2)


class Obstacle:
    def __init__(self, name, scene, folder):
        self.name, self.scene = name, scene
        self.motion = scene.get("motion", [])
        self.surface = None
        if "box" in scene:
            lower, upper = (numpy.array(scene["box"][corner], float) for corner in ("lower", "upper"))
            self.points, self.surface = lower + BOX_CORNERS * (upper - lower), Surface(name, BOX_TRIANGLES, not scene["box"].get("inside", False))
        elif "mesh" in scene:
            self.points, triangles = read_triangles(folder / scene["mesh"]["file"], scene["mesh"].get("scale", 1))
            self.surface = Surface(name, triangles, is_closed(triangles))

    def crossing(self, body, time, tolerance):
        if self.surface is not None:
            if not len(self.surface.triangles):     # wires and nails
                return Crossing()
            return cross(body, Prepared(self.surface, move(self.points, self.motion, time)), tolerance)
        corners = body.points[body.surface.triangles]
        if "plane" in self.scene:
            foot = numpy.array(self.scene["plane"].get("point", (0, 0, 0)), float)
            normal = numpy.array(self.scene["plane"].get("normal", (0, 0, 1)), float)
            foot, tip = move(numpy.array([foot, foot + normal / numpy.linalg.norm(normal)]), self.motion, time)
            depth = ((foot - corners) @ (tip - foot)).max(axis=1)
        elif "sphere" in self.scene:
            sphere = self.scene["sphere"]
            centre = move(numpy.array([sphere.get("center", (0, 0, 0))], float), self.motion, time)[0]
            inside = sphere.get("inside", False)
            depth = numpy.linalg.norm(corners - centre, axis=2).max(axis=1) - sphere["radius"] if inside else sphere["radius"] - distances(centre, corners)
        else:
            return Crossing()
        deepest = int(numpy.argmax(depth))
        if depth[deepest] <= tolerance:
            return Crossing()
        return Crossing(float(depth[deepest]), float(depth[deepest]), int(numpy.count_nonzero(depth > tolerance)), tuple(corners[deepest].mean(axis=0)))


def bodies_of(frames, frame):
    """The Surface of each body, from the names beside the frames. Shells are open, and so is a solid with a shell."""
    names, first = frames.bodies
    triangles = frame.topology.surface[0]
    owner = numpy.searchsorted(first, frame.topology.vertex_ids[triangles[:, 0]], side="right") - 1
    shell = numpy.zeros(len(names), bool)
    shell[owner[len(triangles) - len(frame.topology.triangles) :]] = True
    return [Surface(name, triangles[owner == i], not shell[i]) for i, name in enumerate(names)]


@dataclasses.dataclass
class Found:
    """A crossing of a pair of surfaces in a frame."""

    time: float
    pair: tuple
    crossing: Crossing


class NoSurfaces(Exception):
    """There is nothing to check."""


def check_run(directory, tolerance=1e-9, skip=(), every=1):
    """Yields for each frame (time, list of Found). Raises NoSurfaces if the bodies are rods alone."""
    directory = pathlib.Path(directory)
    frames = Frames(directory)
    scene = read_scene_of_run(directory)
    obstacles = [Obstacle(name, surface, directory) for name, surface in scene.get("surfaces", {}).items()]
    surfaces, topology = [], None
    for index in range(0, len(frames), every):
        frame = frames.read(index, points_only=True)
        if frame.topology is not topology:
            topology = frame.topology
            surfaces = [surface for surface in bodies_of(frames, frame) if len(surface.triangles)]
            if not surfaces:
                raise NoSurfaces("no body has a surface: it has rods alone, and rods are not checked")
        bodies = [Prepared(surface, frame.points) for surface in surfaces]
        pairs = [((one.surface.name, other.surface.name), cross(one, other, tolerance)) for i, one in enumerate(bodies) for other in bodies[i:]
                 if near(one, other) and {one.surface.name, other.surface.name} not in skip]
        pairs += [((body.surface.name, obstacle.name), obstacle.crossing(body, frame.time, tolerance)) for body in bodies for obstacle in obstacles
                  if {body.surface.name, obstacle.name} not in skip]
        yield frame.time, [Found(frame.time, pair, crossing) for pair, crossing in pairs if crossing.piercings]


@dataclasses.dataclass
class Passed:
    """A passage of a pair of surfaces through each other between a frame and the one before it."""

    time: float
    pair: tuple
    passage: Passage


def check_paths(directory, skip=(), every=1):
    """Yields for each frame but the first (time, list of Passed), if vertices move uniformly between the frames: bodies, and obstacles that are meshes or boxes. Raises NoSurfaces as check_run does."""
    directory = pathlib.Path(directory)
    frames = Frames(directory)
    scene = read_scene_of_run(directory)
    obstacles = [obstacle for obstacle in (Obstacle(name, surface, directory) for name, surface in scene.get("surfaces", {}).items()) if obstacle.surface is not None]
    before, surfaces, topology = None, [], None
    for index in range(0, len(frames), every):
        frame = frames.read(index, points_only=True)
        if before is not None:
            if frame.topology is not topology:
                topology = frame.topology
                surfaces = [surface for surface in bodies_of(frames, frame) if len(surface.triangles)]
                if not surfaces:
                    raise NoSurfaces("no body has a surface: it has rods alone, and rods are not checked")
            bodies = [Moving(surface, before.points, frame.points) for surface in surfaces]
            others = [Moving(obstacle.surface, *(move(obstacle.points, obstacle.motion, time) for time in (before.time, frame.time))) for obstacle in obstacles]
            pairs = [(one, other) for i, one in enumerate(bodies) for other in [*bodies[i:], *others] if {one.surface.name, other.surface.name} not in skip]
            found = [((one.surface.name, other.surface.name), passage(one, other)) for one, other in pairs]
            yield frame.time, [Passed(frame.time, pair, item) for pair, item in found if item.count]
        before = frame


def near(one, other):
    return numpy.all(one.lower.min(axis=0) <= other.upper.max(axis=0)) and numpy.all(other.lower.min(axis=0) <= one.upper.max(axis=0))
