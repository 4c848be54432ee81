"""Finds where surfaces of triangles cross: the edges of one that pierce triangles of another, and how deep.

An edge pierces a triangle when its ends lie on both sides of the triangle's plane and it passes through the triangle. Its depth is the shortest way by which the edge can be moved
out of the triangle: past one of its own ends, or past a side of the triangle at which the surface bends or ends. Depths up to `tolerance` count as touching, and so do triangles in one
plane. For finely meshed surfaces that are deep in each other the depth is a lower bound: it does not exceed the size of the triangles by much.

A closed surface is full: what lies wholly inside of it is as deep as the distance of its farthest vertex from the surface.

Independent of the simulator's contact: nothing here is shared with it.
"""

import dataclasses

import numpy

FLAT = numpy.cos(numpy.radians(5))   # sides of triangles at which a surface bends by less are no way out
CHUNK = 1 << 20                      # pairs worked on at a time
FEW = 1 << 14                        # pairs of boxes that are compared one by one rather than through a tree


def cross_rows(a, b):
    """numpy.cross of rows, which spends ten times as long on a few."""
    x, y, z = a.T
    u, v, w = b.T
    return numpy.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)


def unit_rows(vectors):
    length = numpy.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / numpy.where(length > 0, length, 1)


class Surface:
    """Triangles of numbered points, with their edges: an edge and a triangle that share a point are neighbours and do not cross. A `closed` one, with triangles turned outwards, is full."""

    def __init__(self, name, triangles, closed=False):
        self.name, self.closed = name, closed
        self.triangles = numpy.asarray(triangles, int).reshape(-1, 3)
        sides = numpy.sort(self.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        self.edges, self.edge_of_side = numpy.unique(sides, axis=0, return_inverse=True)
        self.edge_of_side = self.edge_of_side.reshape(-1, 3)

    def sharp(self, points):
        """For each triangle's three sides, whether the surface bends or ends there."""
        p, q, r = (points[self.triangles[:, i]] for i in range(3))
        normals = unit_rows(cross_rows(q - p, r - p))
        edges, owners = self.edge_of_side.ravel(), numpy.repeat(numpy.arange(len(self.triangles)), 3)
        order = numpy.argsort(edges, kind="stable")
        count = numpy.bincount(edges, minlength=len(self.edges))
        first = numpy.cumsum(count) - count
        sharp = count != 2
        pairs = numpy.flatnonzero(count == 2)
        one, other = owners[order[first[pairs]]], owners[order[first[pairs] + 1]]
        # Without regard to which way triangles are turned: shells and obstacles may be turned either way.
        sharp[pairs] = numpy.abs(numpy.sum(normals[one] * normals[other], axis=1)) < FLAT
        return sharp[self.edge_of_side]


class BoxTree:
    """Boxes in a balanced binary tree, halved along the longest side of their centres' extent."""

    def __init__(self, lower, upper):
        count = len(lower)
        self.levels = max(0, int(numpy.ceil(numpy.log2(max(1, count)))))
        leaves = 1 << self.levels
        centres = (lower + upper) / 2
        order = numpy.full(leaves, -1)
        order[:count] = numpy.arange(count)
        for level in range(self.levels):
            parts = order.reshape(1 << level, -1)
            values = numpy.where((parts >= 0)[..., None], centres[parts], numpy.nan)
            with numpy.errstate(all="ignore"):
                filled = numpy.any(parts >= 0, axis=1)
                extent = numpy.zeros((len(parts), 3))
                extent[filled] = numpy.nanmax(values[filled], axis=1) - numpy.nanmin(values[filled], axis=1)
            axis = numpy.argmax(extent, axis=1)
            keys = numpy.take_along_axis(values, axis[:, None, None], axis=2)[..., 0]   # empty places sort last
            order = numpy.take_along_axis(parts, numpy.argsort(keys, axis=1, kind="stable"), axis=1).ravel()
        self.order = order
        low, high = numpy.full((leaves, 3), numpy.inf), numpy.full((leaves, 3), -numpy.inf)
        low[order >= 0], high[order >= 0] = lower[order[order >= 0]], upper[order[order >= 0]]
        self.low, self.high = [low], [high]     # from the leaves to the root
        for _ in range(self.levels):
            self.low.append(self.low[-1].reshape(-1, 2, 3).min(axis=1))
            self.high.append(self.high[-1].reshape(-1, 2, 3).max(axis=1))

    def overlaps(self, lower, upper):
        """Yields arrays (box, query) of pairs that overlap."""
        for begin in range(0, len(lower), 20000):
            query = numpy.arange(begin, min(begin + 20000, len(lower)))
            node = numpy.zeros(len(query), int)
            for level in range(self.levels, -1, -1):
                low, high = self.low[level], self.high[level]
                hit = numpy.all((lower[query] <= high[node]) & (upper[query] >= low[node]), axis=1)
                query, node = query[hit], node[hit]
                if level and len(query):
                    query, node = numpy.repeat(query, 2), (2 * node[:, None] + [0, 1]).ravel()
            for start in range(0, len(query), CHUNK):
                yield self.order[node[start : start + CHUNK]], query[start : start + CHUNK]


def heights(a, b, corners):
    """How far the two ends of segments are above the planes of triangles."""
    p = corners[:, 0]
    normal = unit_rows(cross_rows(corners[:, 1] - p, corners[:, 2] - p))
    return numpy.sum(normal * (a - p), axis=1), numpy.sum(normal * (b - p), axis=1)


def piercing_depths(a, b, corners, sharp):
    """How deep segments a b are in triangles (pairs x corner x 3): positive where they pierce them, else at most 0."""
    p = corners[:, 0]
    height_a, height_b = heights(a, b, corners)
    through = numpy.minimum(numpy.abs(height_a), numpy.abs(height_b))
    depth = numpy.where(height_a * height_b < 0, through, -1.0)
    direction = (b - a) * numpy.sign(height_b - height_a)[:, None]
    size = numpy.max(numpy.abs(corners - p[:, None]), axis=(1, 2)) + numpy.max(numpy.abs(b - a), axis=1)
    for i in range(3):
        begin, end = corners[:, i], corners[:, (i + 1) % 3]
        side = unit_rows(cross_rows(direction, end - begin))
        inside = numpy.sum(side * (a - begin), axis=1)     # how far the segment's line passes inside of this side
        inside = numpy.where(numpy.any(side != 0, axis=1), inside, -1.0)
        limit = numpy.where(sharp[:, i], inside, numpy.inf)
        # Through a side at which the surface is flat counts, up to rounding, so that nothing slips through between two triangles.
        depth = numpy.minimum(depth, numpy.where(inside < -1e-13 * size, -1.0, limit))
    return depth


@dataclasses.dataclass
class Crossing:
    """Crossings of two surfaces in one frame."""

    depth: float = 0.0          # depth of the deepest piercing [m]
    length: float = 0.0         # the longest piece of an edge that lies beyond a triangle that it pierces [m]
    piercings: int = 0
    place: tuple = ()           # where the deepest one pierces

    def add(self, depth, a, b, corners, tolerance):
        hits = numpy.flatnonzero(depth > tolerance)
        if not len(hits):
            return
        p = corners[hits, 0]
        normal = numpy.cross(corners[hits, 1] - p, corners[hits, 2] - p)
        from_a, to_b = (numpy.sum(normal * (x[hits] - p), axis=1) for x in (a, b))
        fraction = from_a / (from_a - to_b)
        beyond = numpy.minimum(fraction, 1 - fraction) * numpy.linalg.norm(b[hits] - a[hits], axis=1)
        self.piercings += len(hits)
        self.length = max(self.length, float(beyond.max()))
        worst = numpy.argmax(depth[hits])
        if depth[hits][worst] > self.depth:
            self.depth = float(depth[hits][worst])
            self.place = tuple(float(x) for x in a[hits][worst] + fraction[worst] * (b[hits] - a[hits])[worst])


class Prepared:
    """A surface at given points of its vertices, with the tree of its triangles."""

    def __init__(self, surface, points):
        self.surface, self.points = surface, points
        corners = points[surface.triangles]
        self.lower, self.upper = corners.min(axis=1), corners.max(axis=1)
        ends = points[surface.edges]
        self.edge_lower, self.edge_upper = ends.min(axis=1), ends.max(axis=1)
        self._tree = self._sharp = None

    @property
    def tree(self):
        self._tree = self._tree or BoxTree(self.lower, self.upper)
        return self._tree

    def overlaps(self, lower, upper):
        """Yields arrays (triangle, query) of triangles whose boxes overlap others."""
        if len(self.lower) * len(lower) > FEW:
            yield from self.tree.overlaps(lower, upper)
        else:
            query, triangle = numpy.nonzero(numpy.all((lower[:, None] <= self.upper) & (upper[:, None] >= self.lower), axis=2))
            yield triangle, query

    @property
    def sharp(self):
        if self._sharp is None:
            self._sharp = self.surface.sharp(self.points)
        return self._sharp


def pierce(edges_of, triangles_of, crossing, tolerance, same):
    """Edges of one surface through triangles of another, or of itself."""
    if not len(edges_of.lower) or not len(triangles_of.lower):
        return
    low, high = triangles_of.lower.min(axis=0), triangles_of.upper.max(axis=0)
    near = numpy.flatnonzero(numpy.all((edges_of.edge_lower <= high) & (edges_of.edge_upper >= low), axis=1))
    for triangle, query in triangles_of.overlaps(edges_of.edge_lower[near], edges_of.edge_upper[near]) if len(near) else ():
        edge = near[query]
        ends, corners = edges_of.surface.edges[edge], triangles_of.surface.triangles[triangle]
        if same:
            apart = numpy.all(ends[:, :, None] != corners[:, None, :], axis=(1, 2))
            triangle, ends, corners = triangle[apart], ends[apart], corners[apart]
        a, b, at = edges_of.points[ends[:, 0]], edges_of.points[ends[:, 1]], triangles_of.points[corners]
        height_a, height_b = heights(a, b, at)
        through = height_a * height_b < 0       # all others pierce nothing
        if not numpy.any(through):
            continue
        triangle, a, b, at = triangle[through], a[through], b[through], at[through]
        crossing.add(piercing_depths(a, b, at, triangles_of.sharp[triangle]), a, b, at, tolerance)


def distances(point, corners):
    """Distance of a point from triangles."""
    p, q, r = (corners[:, i] for i in range(3))
    normal = unit_rows(cross_rows(q - p, r - p))
    height = numpy.sum(normal * (point - p), axis=1)
    foot = point - height[:, None] * normal
    within = numpy.ones(len(p), bool)
    distance = numpy.full(len(p), numpy.inf)
    for begin, end in ((p, q), (q, r), (r, p)):
        side = end - begin
        within &= numpy.sum(numpy.cross(side, foot - begin) * normal, axis=1) >= 0
        along = numpy.clip(numpy.sum((point - begin) * side, axis=1) / numpy.maximum(numpy.sum(side**2, axis=1), 1e-300), 0, 1)
        distance = numpy.minimum(distance, numpy.linalg.norm(point - begin - along[:, None] * side, axis=1))
    return numpy.where(within, numpy.abs(height), distance)


def windings(point, corners):
    """How often triangles go round a point (Van Oosterom and Strackee 1983): 1 inside of a closed surface, 0 outside."""
    p, q, r = (corners[:, i] - point for i in range(3))
    a, b, c = (numpy.linalg.norm(x, axis=1) for x in (p, q, r))
    volume = numpy.sum(p * numpy.cross(q, r), axis=1)
    rest = a * b * c + numpy.sum(p * q, axis=1) * c + numpy.sum(q * r, axis=1) * a + numpy.sum(r * p, axis=1) * b
    return float(numpy.sum(2 * numpy.arctan2(volume, rest)) / (4 * numpy.pi))


def swallow(inner, outer, crossing, tolerance):
    """Adds that a surface lies wholly inside of a closed one, if it does; the two must not cross."""
    if not outer.surface.closed or not len(inner.lower) or not len(outer.lower):
        return
    low, high = inner.lower.min(axis=0), inner.upper.max(axis=0)
    if numpy.any(low < outer.lower.min(axis=0)) or numpy.any(high > outer.upper.max(axis=0)):
        return
    corners = outer.points[outer.surface.triangles]
    vertices = numpy.unique(inner.surface.triangles)[:: max(1, len(inner.lower) // 200)]      # enough to find about the deepest
    points = inner.points[vertices]
    depth = numpy.array([distances(point, corners).min() for point in points])
    deepest = int(numpy.argmax(depth))
    if depth[deepest] > tolerance and windings(points[deepest], corners) > 0.5:
        crossing.depth, crossing.piercings, crossing.place = float(depth[deepest]), 1, tuple(float(x) for x in points[deepest])


def cross(one, other, tolerance=1e-9):
    """The Crossing of two prepared surfaces, or, where both are the same one, of a surface with itself."""
    found = Crossing()
    pierce(one, other, found, tolerance, one is other)
    if one is not other:
        pierce(other, one, found, tolerance, False)
        if not found.piercings:
            swallow(one, other, found, tolerance)
            swallow(other, one, found, tolerance)
    return found
