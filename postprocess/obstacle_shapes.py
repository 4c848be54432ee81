"""Triangles of a scene's boxes, spheres, cylinders and meshes, where they are at a time, for pictures."""

import dataclasses

import numpy

from run_crossing import BOX_CORNERS, BOX_TRIANGLES, move, read_triangles
from run_description import read_scene_of_run

AROUND = 64   # corners of a circle


@dataclasses.dataclass
class Shape:
    points: numpy.ndarray      # n x 3, at time 0 [m]
    triangles: numpy.ndarray   # m x 3
    motion: object             # as in the scene; an empty list for one that stands still
    see_through: bool = True   # it may hide bodies, or contain them
    outline: numpy.ndarray = None   # what a camera fits, if it is not all points

    def at(self, time):
        """The points at a time."""
        return move(self.points, self.motion, time)

    def outline_at(self, time):
        return move(self.points if self.outline is None else self.outline, self.motion, time)


@dataclasses.dataclass
class Plane:
    point: numpy.ndarray    # at time 0 [m]
    normal: numpy.ndarray   # unit length
    motion: object          # as in the scene; an empty list for one that stands still

    def at(self, time):
        """The point and the normal at a time."""
        point, tip = move(numpy.stack([self.point, self.point + self.normal]), self.motion, time)
        return point, tip - point


def grid_triangles(rows, columns):
    """Triangles between neighbours in a grid of points whose columns form a circle."""
    i, j = (index.ravel() for index in numpy.meshgrid(numpy.arange(rows - 1), numpy.arange(columns), indexing="ij"))
    here, beside = i * columns + j, i * columns + (j + 1) % columns
    return numpy.concatenate([numpy.stack([here, beside, here + columns], axis=1), numpy.stack([beside, beside + columns, here + columns], axis=1)])


def sphere(settings):
    polar = numpy.linspace(0, numpy.pi, AROUND // 2 + 1)[:, None]
    around = numpy.arange(AROUND) * 2 * numpy.pi / AROUND
    outward = numpy.stack([numpy.sin(polar) * numpy.cos(around), numpy.sin(polar) * numpy.sin(around), numpy.cos(polar) + 0 * around], axis=-1).reshape(-1, 3)
    return numpy.array(settings.get("center", (0, 0, 0)), float) + float(settings["radius"]) * outward, grid_triangles(AROUND // 2 + 1, AROUND)


def cylinder(settings, middle, length):
    """The part of an infinite cylinder around the foot of `middle` on its axis."""
    axis = numpy.array(settings.get("axis", (0, 0, 1)), float)
    axis /= numpy.linalg.norm(axis)
    first = numpy.cross(axis, numpy.eye(3)[numpy.argmin(numpy.abs(axis))])
    first /= numpy.linalg.norm(first)
    angle = numpy.arange(AROUND)[:, None] * 2 * numpy.pi / AROUND
    circle = float(settings["radius"]) * (numpy.cos(angle) * first + numpy.sin(angle) * numpy.cross(axis, first))
    point = numpy.array(settings.get("point", (0, 0, 0)), float)
    foot = point + axis * axis.dot(middle - point)
    return numpy.concatenate([foot + circle - length / 2 * axis, foot + circle + length / 2 * axis]), grid_triangles(2, AROUND)


def box(settings):
    lower, upper = (numpy.array(settings[corner], float) for corner in ("lower", "upper"))
    return lower + BOX_CORNERS * (upper - lower), BOX_TRIANGLES


def drawn_obstacles(directory, middle, length, with_meshes=False):
    """A Shape for each obstacle of a run but its planes; infinite cylinders are cut to a length around what lies in the middle."""
    shapes = []
    for surface in (read_scene_of_run(directory).get("surfaces") or {}).values():
        if not isinstance(surface, dict):
            continue
        motion = surface.get("motion") or []
        if "box" in surface:
            shapes.append(Shape(*box(surface["box"]), motion))
        elif "sphere" in surface:
            shapes.append(Shape(*sphere(surface["sphere"]), motion))
        elif "cylinder" in surface:
            points, triangles = cylinder(surface["cylinder"], middle, length)
            shapes.append(Shape(points, triangles, motion, outline=(points[:AROUND] + points[AROUND:]) / 2))
        elif "mesh" in surface and with_meshes:
            shapes.append(Shape(*read_triangles(directory / surface["mesh"]["file"], surface["mesh"].get("scale", 1)), motion, see_through=False))
    return shapes
