"""postprocess/path_crossing finds what passes through what between two frames, and nothing else."""

import pathlib
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))

from path_crossing import Moving, Passage, changes_of_sign, passage, through_edges  # noqa: E402
from surface_crossing import Surface  # noqa: E402

TRIANGLE = Surface("triangle", [(0, 1, 2)]), numpy.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], float)
TETRAHEDRON = Surface("tetrahedron", [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]), numpy.array([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)])


def moving(shape, before=(0, 0, 0), after=(0, 0, 0)):
    surface, points = shape
    return Moving(surface, points + before, points + after)


class Paths(unittest.TestCase):
    def test_cubics(self):
        """Against the eigenvalues of companion matrices."""
        coefficients = numpy.random.default_rng(0).normal(size=(500, 4))
        rows, times = changes_of_sign(coefficients)
        for row, cubic in enumerate(coefficients):
            roots = numpy.roots(cubic[::-1])
            numpy.testing.assert_allclose(sorted(times[rows == row]), sorted(x.real for x in roots if abs(x.imag) < 1e-12 and 0 < x.real < 1), atol=1e-8)

    def test_what_passes_through_a_triangle(self):
        for place, expected in (((0.2, 0.2), True), ((-0.05, 0.3), True), ((2, 2), False), ((-0.2, 0.3), False)):
            with self.subTest(place=place):
                found = passage(moving(TETRAHEDRON, (*place, 1), (*place, -1)), moving(TRIANGLE))
                self.assertEqual(found.count > 0, expected)
        # In the first of these the tip of four faces and edges comes through: at half of the way its base does.
        found = passage(moving(TETRAHEDRON, (0.2, 0.2, 1), (0.2, 0.2, -1)), moving(TRIANGLE))
        self.assertAlmostEqual(found.fraction, 0.5, delta=1e-12)

    def test_a_corner_of_the_triangle_passes_through_the_tetrahedron(self):
        self.assertGreater(passage(moving(TRIANGLE, (0.01, 0.01, -1), (0.01, 0.01, 0.05)), moving(TETRAHEDRON)).count, 0)

    def test_what_only_comes_near(self):
        self.assertEqual(passage(moving(TETRAHEDRON, (0.2, 0.2, 1), (0.2, 0.2, 1e-9)), moving(TRIANGLE)).count, 0)

    def test_a_surface_and_itself(self):
        """Two triangles of one surface pass through each other; neighbours that turn about their common edge do not."""
        points = numpy.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.2, 0.2, 0.5), (0.4, 0.2, 0.5), (0.2, 0.4, 0.5)])
        after = points.copy()
        after[3:, 2] = -0.5
        apart = Moving(Surface("one", [(0, 1, 2), (3, 4, 5)]), points, after)
        self.assertGreater(passage(apart, apart).count, 0)
        points = numpy.array([(0, 0, 0), (1, 0, 0), (0, 1, 0.5), (0, -1, 0.5)])
        after = points * [1, 1, -1]
        hinged = Moving(Surface("one", [(0, 1, 2), (1, 0, 3)]), points, after)
        self.assertEqual(passage(hinged, hinged).count, 0)

    def test_parallel_edges(self):
        """Two edges of a flat sheet, 24 mm apart, that falls: rounding alone turns them to each other."""
        x, y = [0.09995652169999998, 0.07821739129999998, 0.07821739129999998, 0.05647826089999998], [-0.297878049, -0.310073171, -0.285682927, -0.297878049]
        before, after = (numpy.stack([x, y, z], axis=1)[None] for z in ([0.26598085711444897, 0.265980857114449, 0.265980857114449, 0.26598085711444913],
                                                                        [0.26592362994808333, 0.2659236299480839, 0.26592362994808344, 0.26592362994808366]))
        found = Passage()
        through_edges(before, after, found)
        self.assertEqual(found.count, 0)


if __name__ == "__main__":
    unittest.main()
