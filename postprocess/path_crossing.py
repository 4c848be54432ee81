"""Finds what passes through what between two frames, if every vertex moves uniformly from one to the other.

A vertex passes through a triangle, or an edge through an edge, where the four points come to lie in one plane, the volume of their tetrahedron changes its sign, and the two meet there.
Pairs that share a point are neighbours and are left out. Vertices do not really move uniformly between frames, so frames must be frequent: a near miss may be reported, and a passage there and back between two frames is not found.

Independent of the simulator's contact: nothing here is shared with it.
"""

import dataclasses

import numpy

from surface_crossing import BoxTree

PARALLEL = 1e-9   # sine of the angle below which edges have no direction across both
WITHIN = 1e-9   # relative: what meets the rim of a triangle or the end of an edge meets it


@dataclasses.dataclass
class Passage:
    """The first of the passages between two frames, and how many there are."""

    count: int = 0
    fraction: float = 1.0   # part of the time from the earlier frame to the later one
    place: tuple = ()

    def add(self, fractions, places):
        if not len(fractions):
            return
        self.count += len(fractions)
        first = int(numpy.argmin(fractions))
        if fractions[first] < self.fraction or not self.place:
            self.fraction, self.place = float(fractions[first]), tuple(float(x) for x in places[first])


class Moving:
    """A surface_crossing.Surface with its points in two frames, and trees of what its edges and triangles sweep over."""

    def __init__(self, surface, before, after):
        self.surface, self.before, self.after = surface, before, after
        self.vertices = numpy.unique(surface.triangles)[:, None]
        self.triangles, self.edges = (Swept(cells, before, after) for cells in (surface.triangles, surface.edges))
        self.corners = Swept(self.vertices, before, after)


class Swept:
    """Cells (vertices, edges or triangles) and the boxes around what they sweep over."""

    def __init__(self, cells, before, after):
        self.cells, self.before, self.after = cells, before, after
        places = numpy.concatenate([before[cells], after[cells]], axis=1)
        self.lower, self.upper = places.min(axis=1), places.max(axis=1)
        self._tree = None

    @property
    def tree(self):
        self._tree = self._tree or BoxTree(self.lower, self.upper)
        return self._tree


def changes_of_sign(coefficients):
    """Where in [0, 1] cubics (rows c0, c1, c2, c3 of c0 + c1 t + ...) change their sign: (row, t) of each place."""
    c = coefficients
    value = lambda t, rows=slice(None): ((c[rows, 3] * t + c[rows, 2]) * t + c[rows, 1]) * t + c[rows, 0]   # noqa: E731
    # Between the places where the derivative is zero a cubic is monotonic.
    a, b, d = 3 * c[:, 3], c[:, 2], c[:, 1]
    with numpy.errstate(all="ignore"):
        root = numpy.sqrt(b * b - a * d)
        far = -(b + numpy.where(b < 0, -root, root))
        turns = numpy.stack([far / a, d / far], axis=1)
    turns = numpy.sort(numpy.clip(numpy.where(numpy.isfinite(turns), turns, 0.0), 0, 1), axis=1)
    ends = numpy.concatenate([numpy.zeros((len(c), 1)), turns, numpy.ones((len(c), 1))], axis=1)
    rows, times = [], []
    for piece in range(3):
        low, high = ends[:, piece], ends[:, piece + 1]
        change = numpy.flatnonzero(numpy.sign(value(low)) * numpy.sign(value(high)) < 0)
        low, high = low[change], high[change]
        rising = value(high, change) > 0
        for _ in range(60):
            middle = (low + high) / 2
            upper = (value(middle, change) > 0) == rising
            low, high = numpy.where(upper, low, middle), numpy.where(upper, middle, high)
        rows.append(change)
        times.append((low + high) / 2)
    return numpy.concatenate(rows), numpy.concatenate(times)


def volumes(before, after):
    """Coefficients of the triple product of three vectors (pairs x 3 x 3) that change uniformly."""
    change = after - before
    triple = lambda u, v, w: numpy.sum(numpy.cross(u, v) * w, axis=1)   # noqa: E731
    (a, b, c), (d, e, f) = (before[:, i] for i in range(3)), (change[:, i] for i in range(3))
    return numpy.stack([triple(a, b, c), triple(d, b, c) + triple(a, e, c) + triple(a, b, f), triple(d, e, c) + triple(d, b, f) + triple(a, e, f), triple(d, e, f)], axis=1)


def at(before, after, rows, times):
    return before[rows] + times[:, None, None] * (after[rows] - before[rows])


def through_triangles(before, after, found):
    """Vertices (the first of four points) through triangles (the others)."""
    rows, times = changes_of_sign(volumes(before[:, 1:] - before[:, :1], after[:, 1:] - after[:, :1]))
    point, p, q, r = (at(before, after, rows, times)[:, i] for i in range(4))
    normal = numpy.cross(q - p, r - p)
    area = numpy.sum(normal * normal, axis=1)
    within = area > 0
    for begin, end in ((p, q), (q, r), (r, p)):
        within &= numpy.sum(numpy.cross(end - begin, point - begin) * normal, axis=1) >= -WITHIN * area
    found.add(times[within], point[within])


def through_edges(before, after, found):
    """Edges (the first two of four points) through edges."""
    rows, times = changes_of_sign(volumes(before[:, 1:] - before[:, :1], after[:, 1:] - after[:, :1]))
    a, b, c, d = (at(before, after, rows, times)[:, i] for i in range(4))
    normal = numpy.cross(b - a, d - c)
    area = numpy.sum(normal * normal, axis=1)
    with numpy.errstate(all="ignore"):
        one = numpy.sum(numpy.cross(c - a, d - c) * normal, axis=1) / area
        other = numpy.sum(numpy.cross(c - a, b - a) * normal, axis=1) / area
        lengths = numpy.sum((b - a)**2, axis=1) * numpy.sum((d - c)**2, axis=1)
        within = (area > PARALLEL**2 * lengths) & (one >= -WITHIN) & (one <= 1 + WITHIN) & (other >= -WITHIN) & (other <= 1 + WITHIN)
    found.add(times[within], a[within] + one[within, None] * (b - a)[within])


def examine(first, second, test, same, found):
    """Cells of one kind against cells of another, of two surfaces or of one."""
    if not len(first.cells) or not len(second.cells):
        return
    near = numpy.flatnonzero(numpy.all((first.lower <= second.upper.max(axis=0)) & (first.upper >= second.lower.min(axis=0)), axis=1))
    for box, query in second.tree.overlaps(first.lower[near], first.upper[near]) if len(near) else ():
        one, other = first.cells[near[query]], second.cells[box]
        if same:
            apart = numpy.all(one[:, :, None] != other[:, None, :], axis=(1, 2))
            one, other = one[apart], other[apart]
        test(*(numpy.concatenate([a[one], b[other]], axis=1) for a, b in ((first.before, second.before), (first.after, second.after))), found)


def passage(one, other):
    """The Passage of two moving surfaces, or, where both are the same one, of a surface and itself."""
    found, same = Passage(), one is other
    examine(one.corners, other.triangles, through_triangles, same, found)
    if not same:
        examine(other.corners, one.triangles, through_triangles, same, found)
    examine(one.edges, other.edges, through_edges, same, found)
    return found
