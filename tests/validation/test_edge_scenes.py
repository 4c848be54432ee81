"""The scenes with edges, corners and thin bodies are what they claim to be: valid meshes, nothing that crosses or touches at the start, and settings that the program accepts."""

import unittest

import numpy

from edge_scenes import DEFAULT, EDGES, EVERYTHING
from edge_scenes_catalogue import CATALOGUE, arch_stones, critical_friction, critical_ratio, slack
from edge_shapes import ball, block_with_crack, block_with_hole, box, cube, random_shape, sheet, spike, tetrahedron, upside_down, wedge
from traction_runs import RunTest, execute

from run_crossing import Obstacle  # found by edge_scenes
from surface_crossing import Prepared, Surface, cross

SOME = [name for name in CATALOGUE if not name.startswith("random_") and not name.endswith((".fine", ".off", "0mm")) or name in ("random_000", "table_outside.top.20mm")]


class Shapes(unittest.TestCase):
    def test_volumes(self):
        for shape, volume in ((cube(0.2), 0.008), (box((1, 2, 3), (2, 3, 4)), 6), (spike(0.2, 0.3), 0.004), (wedge(0.2, 0.3, 0.4), 0.012), (tetrahedron(1), 2**0.5 / 12),
                              (block_with_hole(0.3, 0.25, 0.15), 0.3**2 * 0.2), (block_with_crack(0.3, 0.25, 0.15, 0.3), 0.3**2 * 0.175)):
            for once in (shape, shape.refined(), upside_down(shape), shape.refined(2).turned((1, 2, 3), 40)):
                self.assertAlmostEqual(once.volume, volume, delta=1e-12)
                self.assertGreater(once.volumes().min(), 0)
            # A closed surface, turned outwards: its volume by the divergence theorem.
            for once in (shape, shape.refined(2)):
                p, q, r = (once.points[once.triangles[:, i]] for i in range(3))
                self.assertAlmostEqual(float(numpy.sum(p * numpy.cross(q, r)) / 6), volume, delta=1e-12)
        self.assertAlmostEqual(ball(0.05, 8).volume, 4 / 3 * numpy.pi * 0.05**3, delta=0.1 * 4 / 3 * numpy.pi * 0.05**3)

    def test_no_shape_crosses_itself(self):
        random = numpy.random.default_rng(1)
        shapes = [cube(0.2), block_with_hole(0.3, 0.25, 0.15).refined(), block_with_crack(0.3, 0.25, 0.15, 0.3).refined(), ball(0.05), sheet((1, 2), (4, 5))]
        for shape in shapes + [random_shape(random, 0.1)[0] for _ in range(20)]:
            surface = Prepared(Surface("one", shape.triangles), shape.points)
            self.assertEqual(cross(surface, surface).piercings, 0)

    def test_critical_arch(self):
        # For very many stones t/R = 0.1075 (Milankovitch 1907). Seven stones have fewer places for hinges, so that less suffices.
        self.assertGreater(slack(1.01 * critical_ratio()), 0)
        self.assertLess(slack(0.99 * critical_ratio()), 0)
        self.assertAlmostEqual(critical_ratio(71), 0.1075, delta=2e-4)
        self.assertLess(critical_ratio(), 0.1075)
        # By linear programming over the forces at both ends of every joint (scipy's linprog), for stones that are trapezoids.
        self.assertAlmostEqual(critical_ratio(), 0.095703, delta=1e-6)
        for thickness, friction in ((1.01, 0.394362), (1.2, 0.376193), (2, 0.306945), (3, 0.298156)):
            self.assertAlmostEqual(critical_friction(thickness * critical_ratio()), friction, delta=2e-6)
        self.assertEqual(len(arch_stones(0.1, 0.3, 1e-3)), 7)


class Scenes(RunTest):
    def test_nothing_crosses_at_the_start(self):
        for name in CATALOGUE:
            scene = CATALOGUE[name](DEFAULT)
            scene.write(self.folder / name)
            bodies = [Prepared(Surface(body, shape.triangles), shape.points) for body, shape in scene.shapes.items()]
            obstacles = [Obstacle(key, surface, self.folder / name) for key, surface in scene.scene["surfaces"].items()]
            for i, one in enumerate(bodies):
                for other in bodies[i + 1 :]:
                    self.assertEqual(cross(one, other).piercings, 0, f"{name}: {one.surface.name}, {other.surface.name}")
                if "fixed" not in scene.scene["bodies"][one.surface.name]:
                    for obstacle in obstacles:
                        self.assertEqual(obstacle.crossing(one, 0, 1e-9).piercings, 0, f"{name}: {one.surface.name}, {obstacle.name}")

    def test_scenes_are_accepted(self):
        for name in SOME:
            CATALOGUE[name](DEFAULT).write(self.folder / name)
            code, _, errors = execute(["traction", "check", "scene.yaml"], folder=self.folder / name)
            self.assertEqual(code, 0, f"{name}: {errors}")

    def test_geometries(self):
        for name in SOME:
            pairs = CATALOGUE[name](EDGES).scene["contacts"]
            for key, contact in pairs.items():
                self.assertEqual(contact.get("geometry") == EDGES, contact.get("against") != "floor", f"{name}: {key}")
            self.assertEqual(list(CATALOGUE[name](EVERYTHING).scene["contacts"]), ["everything"])


if __name__ == "__main__":
    unittest.main()
