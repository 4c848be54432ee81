"""Small plane strain of nearly incompressible solids, by an element that does not lock: displacements of order 2 and pressures of order 1 on quadrilaterals (Taylor and Hood 1973)."""

import numpy

POINTS, WEIGHTS = numpy.polynomial.legendre.leggauss(3)


def lagrange(nodes, x):
    """Values and slopes at x of the polynomials that are 1 at one of the nodes and 0 at the others."""
    values, slopes = [], []
    for i, own in enumerate(nodes):
        others = [node for j, node in enumerate(nodes) if j != i]
        scale = numpy.prod([own - other for other in others])
        values.append(numpy.prod([x - other for other in others]) / scale)
        slopes.append(sum(numpy.prod([x - other for k, other in enumerate(others) if k != skipped]) for skipped in range(len(others))) / scale)
    return numpy.array(values), numpy.array(slopes)


def shapes(nodes, x, y):
    """Values and gradients of products of these, the first direction fastest."""
    (u, du), (v, dv) = lagrange(nodes, x), lagrange(nodes, y)
    return numpy.outer(v, u).ravel(), numpy.array([numpy.outer(v, du).ravel(), numpy.outer(dv, u).ravel()])


def clamped_at_left(corners, cells, shear_modulus, poisson_ratio, traction):
    """Mean displacement of the right side of a quadrilateral (left below, right below, right above, left above) that is clamped at its left and bears a traction at its right. [m, Pa]"""
    (nx, ny), corners = cells, numpy.array(corners, float)
    compliance = (1 - 2 * poisson_ratio) / (2 * shear_modulus * poisson_ratio)   # 1 / lambda
    columns = 2 * nx + 1
    displacements, pressures = columns * (2 * ny + 1), (nx + 1) * (ny + 1)
    size = 2 * displacements + pressures

    def place(s, t):
        return numpy.array([(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t]) @ corners

    points = numpy.array([place(i / (2 * nx), j / (2 * ny)) for j in range(2 * ny + 1) for i in range(columns)])
    matrix, load, mean = numpy.zeros((size, size)), numpy.zeros(size), numpy.zeros(displacements)
    height = numpy.linalg.norm(corners[2] - corners[1])
    for j in range(ny):
        for i in range(nx):
            nodes = [(2 * j + b) * columns + 2 * i + a for b in range(3) for a in range(3)]
            own = [2 * displacements + (j + b) * (nx + 1) + i + a for b in range(2) for a in range(2)]
            for y, wy in zip(POINTS, WEIGHTS):
                for x, wx in zip(POINTS, WEIGHTS):
                    _, gradients = shapes((-1, 0, 1), x, y)
                    jacobian = gradients @ points[nodes]
                    weight = wx * wy * numpy.linalg.det(jacobian)
                    gradients = numpy.linalg.solve(jacobian, gradients)
                    strain = numpy.zeros((3, 18))   # xx, yy, 2 xy
                    strain[0, 0::2] = strain[2, 1::2] = gradients[0]
                    strain[1, 1::2] = strain[2, 0::2] = gradients[1]
                    both = numpy.array([[2 * node, 2 * node + 1] for node in nodes]).ravel()
                    matrix[numpy.ix_(both, both)] += weight * shear_modulus * strain.T @ numpy.diag([2, 2, 1]) @ strain
                    pressure, _ = shapes((-1, 1), x, y)
                    divergence = weight * numpy.outer(strain[0] + strain[1], pressure)
                    matrix[numpy.ix_(both, own)] -= divergence
                    matrix[numpy.ix_(own, both)] -= divergence.T
                    matrix[numpy.ix_(own, own)] -= weight * compliance * numpy.outer(pressure, pressure)
        right = [(2 * j + b) * columns + columns - 1 for b in range(3)]
        share = height / ny * numpy.array([1, 4, 1]) / 6
        mean[right] += share / height
        for component in range(2):
            load[[2 * node + component for node in right]] += share * traction[component]
    held = [2 * j * columns + component for j in range(2 * ny + 1) for component in range(2)]
    free = numpy.setdiff1d(numpy.arange(size), held)
    solution = numpy.zeros(size)
    solution[free] = numpy.linalg.solve(matrix[numpy.ix_(free, free)], load[free])
    return numpy.array([mean @ solution[component:2 * displacements:2] for component in range(2)])
