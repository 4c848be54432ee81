"""jobs/dragster_tire: that its report finds the wrinkles that are put there, and none in a smooth tire; and frames of shells beside solids."""

import sys
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import JOBS, RunTest

sys.path[:0] = [str(JOBS.parent / "postprocess"), str(JOBS / "dragster_tire")]
import report  # noqa: E402
from field_frames import Topology  # noqa: E402

ORDER, AMPLITUDE = 30, 3e-3


def annulus(rings=24, spokes=360):
    """Points and triangles of a bulging side around the y axis."""
    radius, angle = numpy.meshgrid(numpy.linspace(0.2, 0.45, rings), numpy.arange(spokes) * 2 * numpy.pi / spokes, indexing="ij")
    points = numpy.stack([radius * numpy.cos(angle), 0.25 - 2 * (radius - 0.33) ** 2, radius * numpy.sin(angle)], axis=-1).reshape(-1, 3)
    i, j = numpy.meshgrid(numpy.arange(rings - 1), numpy.arange(spokes), indexing="ij")
    a, b = i * spokes + j, i * spokes + (j + 1) % spokes
    triangles = numpy.concatenate([numpy.stack([a, a + spokes, b], axis=-1), numpy.stack([b, a + spokes, b + spokes], axis=-1)]).reshape(-1, 3)
    return points, triangles


def waved(points, order, amplitude):
    """Displaced along y, which is the normal where the side is widest."""
    return points + numpy.outer(amplitude * numpy.cos(order * numpy.arctan2(points[:, 0], -points[:, 2])), [0, 1, 0])


def turned(points, angle):
    x, y, z = points.T
    return numpy.stack([numpy.cos(angle) * x + numpy.sin(angle) * z, y, numpy.cos(angle) * z - numpy.sin(angle) * x], axis=1)


class Wrinkles(unittest.TestCase):
    def setUp(self):
        self.points, triangles = annulus()
        self.side = report.Side(self.points, triangles, 1)
        self.pressed = waved(self.points, 4, 0.02)   # what the ground does to it
        self.shape = self.side.shape(self.pressed)

    def waves(self, points):
        change = self.side.shape(points) - self.shape
        return report.short_waves((change * report.outward(self.shape)).sum(axis=0))

    def test_are_counted_and_measured(self):
        waves = self.waves(waved(self.pressed, ORDER, AMPLITUDE))
        widest = waves[len(waves) // 2]
        self.assertEqual(report.crests(widest), ORDER)
        self.assertAlmostEqual(numpy.abs(widest).max(), AMPLITUDE, delta=0.05 * AMPLITUDE)
        self.assertAlmostEqual(report.root_mean_square(widest), AMPLITUDE / numpy.sqrt(2), delta=0.05 * AMPLITUDE)

    def test_are_not_seen_in_long_waves_nor_in_rubber_that_turns_through_the_flattening(self):
        for points in (waved(self.pressed, 9, 0.01), waved(turned(self.points, 0.4), 4, 0.02)):
            waves = self.waves(points)
            self.assertLess(numpy.abs(waves).max(), 0.05 * AMPLITUDE)
            self.assertEqual(max(report.crests(wave) for wave in waves), 0)

    def test_patch_area_of_a_flat_sheet(self):
        points, triangles = annulus()
        points[:, 1] = 0
        sum_of_areas = report.vertex_areas(points, triangles).sum()
        self.assertAlmostEqual(sum_of_areas, numpy.pi * (0.45**2 - 0.2**2), delta=1e-3 * sum_of_areas)


class ShellsBesideSolids(unittest.TestCase):
    def test_keep_their_regions(self):
        """Two parts that share two vertices: a tetrahedron with a triangle, and a triangle."""
        group = {
            "NumberOfPoints": numpy.array([6, 3]), "NumberOfCells": numpy.array([2, 1]), "NumberOfConnectivityIds": numpy.array([7, 3]),
            "Connectivity": numpy.array([0, 1, 2, 3, 3, 4, 5, 0, 1, 2]), "Types": numpy.array([10, 5, 5]),
            "CellData/region": numpy.array([0, 1, 2]), "PointData/vertex_id": numpy.array([0, 1, 2, 3, 4, 5, 4, 5, 6]),
        }
        topology = Topology(group)
        numpy.testing.assert_array_equal(topology.cells, [[0, 1, 2, 3]])
        numpy.testing.assert_array_equal(topology.triangles, [[3, 4, 5], [4, 5, 6]])
        numpy.testing.assert_array_equal(topology.triangle_regions, [1, 2])
        surface, regions = topology.surface
        self.assertEqual(len(surface), 4 + 2)
        numpy.testing.assert_array_equal(numpy.bincount(regions), [4, 1, 1])
        self.assertEqual(len(topology.bodies), 1)


class Ground(RunTest):
    def test_a_mesh_of_two_triangles_presses_as_the_plane_does(self):
        """Between edges and faces: a coarse tire until it is lowered by two thirds."""
        ground = self.write("ground.obj", "v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nf 1 2 3\nf 1 3 4\n")
        sets = {"bodies.tire.mesh_parameters.element_size": 0.08, "time.end": 0.3, "output.every": 0.3}
        mesh = {"surfaces.ground": f"{{mesh: {{file: {ground}}}}}", "contacts.grip.geometry": "edges_and_faces"}
        plane, triangles = (self.simulate(JOBS / "dragster_tire" / "scene.yaml", out=name, sets=sets | more).last_row() for name, more in (("plane", {}), ("mesh", mesh)))
        self.assertGreater(plane["grip.fz"], 300)
        self.assertEqual(plane["grip.contacts"], triangles["grip.contacts"])
        for name in ("grip.fz", "tire.volume", "min_gap"):
            expect_closed_form(self, field="contact", case=f"tire on two triangles, {name} beside that on a plane", source="vertices alone touch a plane", expected=plane[name], got=triangles[name],
                               tolerance=1e-4, mesh="dragster_tire, elements of 80 mm", step="5 ms")


if __name__ == "__main__":
    unittest.main()
