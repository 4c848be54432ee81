"""A box of cubic cells, each cut into six tetrahedra around a diagonal (Kuhn), as a binary Gmsh 2.2 file: ten million tetrahedra take a second, not hours of Gmsh.

Regions: `solid` (every tetrahedron) and `bottom` (the triangles of the face z = 0).
"""

import itertools

import numpy

TETRAHEDRA_PER_CELL = 6
SOLID, BOTTOM = 1, 2        # physical groups
TRIANGLE, TETRAHEDRON = 2, 4   # Gmsh's element types


def positions(cells, cell_size):
    """(vertices, 3) coordinates [m]; x runs fastest."""
    z, y, x = numpy.meshgrid(*(cell_size * numpy.arange(count + 1.0) for count in reversed(cells)), indexing="ij")
    return numpy.column_stack([x.ravel(), y.ravel(), z.ravel()])


def tetrahedra(cells):
    """(tetrahedra, 4) vertex numbers, of positive volume, cell after cell."""
    stride = numpy.array([1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)])
    z, y, x = numpy.meshgrid(*(numpy.arange(count) for count in reversed(cells)), indexing="ij")
    corner = (x * stride[0] + y * stride[1] + z * stride[2]).ravel().astype(numpy.int32)
    paths = []   # from a cell's first corner to the opposite one, along one axis after the other
    for order in itertools.permutations(range(3)):
        path = numpy.concatenate([[0], numpy.cumsum(stride[list(order)])])
        even = numpy.linalg.det(numpy.eye(3)[list(order)]) > 0
        paths.append(path if even else path[[0, 1, 3, 2]])
    return (corner[:, None, None] + numpy.array(paths, dtype=numpy.int32)).reshape(-1, 4)


def bottom(cells):
    """(triangles, 3) vertex numbers of the face z = 0, normals out of the box: the faces that the tetrahedra have there."""
    row = cells[0] + 1
    y, x = numpy.meshgrid(numpy.arange(cells[1]), numpy.arange(cells[0]), indexing="ij")
    corner = (x + y * row).ravel().astype(numpy.int32)
    return (corner[:, None, None] + numpy.array([[0, row + 1, 1], [0, row, row + 1]], dtype=numpy.int32)).reshape(-1, 3)


def write_elements(file, kind, region, elements, first_number):
    numpy.array([kind, len(elements), 2], dtype="<i4").tofile(file)   # type, how many, tags of each
    record = numpy.empty((len(elements), 3 + elements.shape[1]), dtype="<i4")
    record[:, 0] = numpy.arange(first_number, first_number + len(elements))
    record[:, 1:3] = region
    record[:, 3:] = elements + 1
    record.tofile(file)


def write_box(path, cells, cell_size):
    """`cells`: along x, y and z."""
    points, solid, floor = positions(cells, cell_size), tetrahedra(cells), bottom(cells)
    nodes = numpy.empty(len(points), dtype=[("number", "<i4"), ("position", "<f8", 3)])
    nodes["number"] = numpy.arange(1, len(points) + 1)
    nodes["position"] = points
    with open(path, "wb") as file:
        file.write(b"$MeshFormat\n2.2 1 8\n")
        numpy.array([1], dtype="<i4").tofile(file)
        file.write(b"\n$EndMeshFormat\n$PhysicalNames\n2\n")
        file.write(f'3 {SOLID} "solid"\n2 {BOTTOM} "bottom"\n$EndPhysicalNames\n$Nodes\n{len(points)}\n'.encode())
        nodes.tofile(file)
        file.write(f"\n$EndNodes\n$Elements\n{len(solid) + len(floor)}\n".encode())
        write_elements(file, TETRAHEDRON, SOLID, solid, 1)
        write_elements(file, TRIANGLE, BOTTOM, floor, 1 + len(solid))
        file.write(b"\n$EndElements\n")
