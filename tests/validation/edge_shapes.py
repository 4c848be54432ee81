"""Small meshes of sharp shapes, made of points and tetrahedra or triangles, as coarse as they can be: what contact of edges and faces is tested with.

All have one region of their elements, "solid" or "shell", and solids one of their surface, "surface".
"""

import dataclasses
import itertools

import numpy

from traction_runs import boundary, gmsh_text

CUBE_5 = [(0, 3, 6, 5), (1, 3, 0, 5), (2, 0, 3, 6), (4, 0, 6, 5), (7, 3, 5, 6)]     # corners numbered x fastest


@dataclasses.dataclass
class Shape:
    """`cells` are tetrahedra (turned so that their volume is positive), or triangles of a shell."""

    points: numpy.ndarray
    cells: numpy.ndarray

    def __post_init__(self):
        self.points = numpy.asarray(self.points, float)
        self.cells = numpy.array(self.cells, int)
        if self.solid:
            inverted = self.volumes() < 0
            self.cells[inverted] = self.cells[inverted][:, [0, 1, 3, 2]]
            assert numpy.all(self.volumes() > 1e-15), "a flat tetrahedron"

    @property
    def solid(self):
        return self.cells.shape[1] == 4

    def volumes(self):
        corners = self.points[self.cells]
        return numpy.linalg.det(corners[:, 1:] - corners[:, :1]) / 6

    @property
    def volume(self):
        return float(self.volumes().sum())

    @property
    def triangles(self):
        return numpy.array(boundary(self.cells)) if self.solid else self.cells

    @property
    def centroid(self):
        corners = self.points[self.cells]
        if self.solid:
            weights = self.volumes()
        else:
            weights = numpy.linalg.norm(numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        return numpy.average(corners.mean(axis=1), axis=0, weights=weights)

    def moved(self, by):
        return Shape(self.points + numpy.array(by, float), self.cells)

    def turned(self, axis, degrees):
        """About the origin."""
        axis = numpy.array(axis, float) / numpy.linalg.norm(axis)
        c, s = numpy.cos(numpy.radians(degrees)), numpy.sin(numpy.radians(degrees))
        p = self.points
        return Shape(p * c + numpy.cross(axis, p) * s + numpy.outer(p @ axis, axis) * (1 - c), self.cells)

    def refined(self, times=1):
        """Every tetrahedron in eight (Bey), every triangle in four."""
        shape = self
        for _ in range(times):
            shape = shape._halved()
        return shape

    def _halved(self):
        middles, points = {}, [tuple(p) for p in self.points]

        def middle(a, b):
            key = (a, b) if a < b else (b, a)
            if key not in middles:
                middles[key] = len(points)
                points.append(tuple((self.points[a] + self.points[b]) / 2))
            return middles[key]

        cells = []
        for cell in self.cells.tolist():
            m = {pair: middle(cell[pair[0]], cell[pair[1]]) for pair in itertools.combinations(range(len(cell)), 2)}
            if len(cell) == 3:
                a, b, c = cell
                cells += [(a, m[0, 1], m[0, 2]), (m[0, 1], b, m[1, 2]), (m[0, 2], m[1, 2], c), (m[0, 1], m[1, 2], m[0, 2])]
            else:
                a, b, c, d = cell
                cells += [(a, m[0, 1], m[0, 2], m[0, 3]), (m[0, 1], b, m[1, 2], m[1, 3]), (m[0, 2], m[1, 2], c, m[2, 3]), (m[0, 3], m[1, 3], m[2, 3], d),
                          (m[0, 1], m[0, 2], m[0, 3], m[1, 3]), (m[0, 1], m[0, 2], m[1, 2], m[1, 3]), (m[0, 2], m[0, 3], m[1, 3], m[2, 3]), (m[0, 2], m[1, 2], m[1, 3], m[2, 3])]
        return Shape(points, cells)

    def gmsh(self):
        """In Gmsh's format, with the region rim, for shells: the triangles at the border."""
        if self.solid:
            return gmsh_text(self.points.tolist(), [(1, *t) for t in self.cells.tolist()], [(2, *t) for t in self.triangles.tolist()], {1: (3, "solid"), 2: (2, "surface")})
        return gmsh_text(self.points.tolist(), [], [(1, *t) for t in self.cells.tolist()], {1: (2, "shell")})

    def gmsh_with(self, regions, points=None):
        """With further regions of the surface, {name: condition of a triangle's corners (3 x 3)}, which may overlap "surface", and of vertices, {name: condition of one}."""
        names = {1: (3, "solid"), 2: (2, "surface")} if self.solid else {1: (2, "shell")}
        triangles = [(2, *t) for t in self.triangles.tolist()] if self.solid else [(1, *t) for t in self.cells.tolist()]
        for number, (name, keep) in enumerate(regions.items(), 3):
            names[number] = (2, name)
            triangles += [(number, *t) for t in self.triangles.tolist() if keep(self.points[t])]
        vertices = []
        for number, (name, keep) in enumerate((points or {}).items(), 3 + len(regions)):
            names[number] = (0, name)
            vertices += [(number, v) for v, point in enumerate(self.points) if keep(point)]
        return gmsh_text(self.points.tolist(), [(1, *t) for t in self.cells.tolist()] if self.solid else [], triangles, names, vertices)

    def obj(self):
        triangles = self.triangles
        used, which = numpy.unique(triangles, return_inverse=True)
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in self.points[used].tolist()]
        return "\n".join(lines + [f"f {a} {b} {c}" for a, b, c in (which.reshape(-1, 3) + 1).tolist()]) + "\n"

    @property
    def height(self):
        return float(numpy.ptp(self.points[:, 2]))


def on_floor(shape):
    return shape.moved((0, 0, -shape.points[:, 2].min()))


def box(size, cells=None, five=False):
    """A box around the z axis that stands on z = 0: five tetrahedra, or six to each of its cells."""
    if five:
        points = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        return Shape((numpy.array(points) - (0.5, 0.5, 0)) * size, CUBE_5)
    nx, ny, nz = cells or (1, 1, 1)
    grid = numpy.stack(numpy.meshgrid(numpy.arange(nx + 1), numpy.arange(ny + 1), numpy.arange(nz + 1), indexing="ij"), axis=-1).reshape(-1, 3)
    strides = numpy.array([(ny + 1) * (nz + 1), nz + 1, 1])
    corners = (grid[numpy.all(grid < (nx, ny, nz), axis=1)] @ strides)[:, None]
    tetrahedra = []
    for order in itertools.permutations(strides.tolist()):
        path = numpy.concatenate([[0], numpy.cumsum(order)])
        tetrahedra.append(corners + path)
    return Shape((grid / (nx, ny, nz) - (0.5, 0.5, 0)) * size, numpy.concatenate(tetrahedra))


def cube(size):
    return box((size, size, size), five=True)


def extruded(outline, triangles, width, layers=1):
    """A prism along y, -width/2 to width/2, of points (x, z) and triangles of them: three tetrahedra to each, which fit."""
    outline = numpy.array(outline, float)
    points = numpy.concatenate([numpy.stack([outline[:, 0], numpy.full(len(outline), y), outline[:, 1]], axis=1) for y in numpy.linspace(-width / 2, width / 2, layers + 1)])
    tetrahedra = []
    for layer in range(layers):
        for triangle in triangles:
            a, b, c = (corner + layer * len(outline) for corner in sorted(triangle))
            up = len(outline)
            tetrahedra += [(a, b, c, c + up), (a, b, b + up, c + up), (a, a + up, b + up, c + up)]
    return Shape(points, tetrahedra)


def spike(width, height):
    """A pyramid on a square, tip up."""
    w = width / 2
    return Shape([(-w, -w, 0), (w, -w, 0), (w, w, 0), (-w, w, 0), (0, 0, height)], [(0, 1, 2, 4), (0, 2, 3, 4)])


def wedge(width, height, length):
    """A roof with its ridge along y."""
    return extruded([(-width / 2, 0), (width / 2, 0), (0, height)], [(0, 1, 2)], length)


def tetrahedron(size):
    """Regular, tip up, with edges `size`."""
    r = size / numpy.sqrt(3)
    base = [(r * numpy.cos(a), r * numpy.sin(a), 0) for a in numpy.radians([0, 120, 240])]
    return Shape([*base, (0, 0, size * numpy.sqrt(2 / 3))], [(0, 1, 2, 3)])


def block_with_hole(width, height, depth):
    """A block whose whole top is a pit, a pyramid upside down."""
    w = width / 2
    square = [(-w, -w), (w, -w), (w, w), (-w, w)]
    points = [(x, y, 0) for x, y in square] + [(x, y, height) for x, y in square] + [(0, 0, height - depth)]
    cells = [(0, 1, 2, 8), (0, 2, 3, 8)]
    for i in range(4):
        j = (i + 1) % 4
        cells += [(i, j, j + 4, 8), (i, j + 4, i + 4, 8)]
    return Shape(points, cells)


def block_with_crack(width, height, depth, length):
    """A block with a notch along y whose rims are the block's upper edges."""
    w = width / 2
    return extruded([(-w, 0), (w, 0), (w, height), (0, height - depth), (-w, height)], [(0, 1, 3), (1, 2, 3), (0, 3, 4)], length)


def upside_down(shape):
    return on_floor(shape.turned((1, 0, 0), 180))


def sheet(size, cells):
    """A shell in the plane z = 0 around the origin, its squares halved in turns along either diagonal."""
    nx, ny = cells
    points = [(size[0] * (i / nx - 0.5), size[1] * (j / ny - 0.5), 0) for i in range(nx + 1) for j in range(ny + 1)]
    triangles = []
    for i in range(nx):
        for j in range(ny):
            a, b, c, d = i * (ny + 1) + j, (i + 1) * (ny + 1) + j, (i + 1) * (ny + 1) + j + 1, i * (ny + 1) + j + 1
            triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 == 0 else [(a, b, d), (b, c, d)]
    return Shape(points, triangles)


def ball(radius, cells=4):
    """A cube of cells drawn out to a ball around (0, 0, radius)."""
    shape = box((2, 2, 2), (cells, cells, cells)).moved((0, 0, -1))
    largest = numpy.max(numpy.abs(shape.points), axis=1, keepdims=True)
    length = numpy.linalg.norm(shape.points, axis=1, keepdims=True)
    # Half way between the cube's shells and spheres inside, so that no tetrahedron at the cube's edges goes flat; spheres outside.
    return Shape(radius * shape.points * numpy.where(length > 0, largest / numpy.where(length > 0, length, 1), 1) + (0, 0, radius), shape.cells)


def arch_stone(radius, thickness, width, begin, end, gap):
    """A stone of an arch around the y axis between two angles [radians], whose joints stay `gap`/2 away from those angles; 8 corners."""
    corners = []
    for angle, inwards in ((begin, 1), (end, -1)):
        normal = numpy.array((-numpy.sin(angle), numpy.cos(angle)))
        for r in (radius - thickness / 2, radius + thickness / 2):
            corners.append(r * numpy.array((numpy.cos(angle), numpy.sin(angle))) + inwards * gap / 2 * normal)
    return extruded([corners[0], corners[1], corners[3], corners[2]], [(0, 1, 2), (0, 2, 3)], width)


def random_shape(random, size):
    """A tetrahedron, cube, wedge or spike of about a size, turned at random around its centroid, which is the origin."""
    kind = random.integers(4)
    scale = size * random.uniform(0.7, 1.3, 3)
    if kind == 0:
        shape = tetrahedron(scale[0])
    elif kind == 1:
        shape = box(tuple(scale), five=True)
    elif kind == 2:
        shape = wedge(*scale)
    else:
        shape = spike(scale[0], 1.5 * scale[1])
    shape = shape.moved(-shape.centroid)
    return shape.turned(random.normal(size=3), random.uniform(0, 360)), ("tetrahedron", "cube", "wedge", "spike")[kind]
