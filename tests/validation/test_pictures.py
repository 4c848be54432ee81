"""Obstacles in pictures of fields: their shapes, where they are at a time, and that they are drawn."""

import json
import subprocess
import unittest

import numpy
from matplotlib import pyplot

from traction_runs import JOBS, BlockTest

POSTPROCESS = JOBS.parent / "postprocess"
SURFACES = """\
surfaces:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  ledge: {box: {lower: [0.2, 0, 0.1], upper: [0.25, 0.1, 0.2]}, motion: {velocity: [0, 0, 1], start: 0.01, stop: 0.02}}
  ball: {sphere: {center: [0, 0.3, 0.1], radius: 0.05}}
  pipe: {cylinder: {point: [0, -0.3, 0.1], axis: [2, 0, 0], radius: 0.04}}
"""


class Pictures(BlockTest):
    cells = (1, 1, 1)

    def setUp(self):
        super().setUp()
        text = self.scene.read_text()
        floor = text[text.index("surfaces:") : text.index("contacts:")]
        self.with_shapes = text.replace(floor, SURFACES)

    def test_shapes(self):
        import field_runs  # noqa: F401, finds postprocess
        from obstacle_shapes import drawn_obstacles

        self.simulate(self.with_shapes, sets={"time.end": 2e-3})
        scene = json.loads((self.folder / "out" / "run.json").read_text())["scene"]
        self.assertEqual(list(scene["surfaces"]), ["floor", "ledge", "ball", "pipe"])
        middle = numpy.array([1.0, 5, 5])
        ledge, ball, pipe = drawn_obstacles(self.folder / "out", middle, 0.5)
        for time, height in ((0, 0.1), (0.015, 0.105), (1, 0.11)):
            numpy.testing.assert_allclose(ledge.at(time).min(axis=0), (0.2, 0, height), atol=1e-12)
            numpy.testing.assert_allclose(ledge.at(time).max(axis=0), (0.25, 0.1, height + 0.1), atol=1e-12)
        numpy.testing.assert_allclose(numpy.linalg.norm(ball.at(0) - (0, 0.3, 0.1), axis=1), 0.05)
        numpy.testing.assert_allclose(numpy.linalg.norm(pipe.at(0)[:, 1:] - (-0.3, 0.1), axis=1), 0.04)
        numpy.testing.assert_allclose((pipe.at(0)[:, 0].min(), pipe.at(0)[:, 0].max()), (0.75, 1.25))
        for shape, area in ((ledge, 2 * (0.05 * 0.1 + 0.05 * 0.1 + 0.1 * 0.1)), (ball, 4 * numpy.pi * 0.05**2), (pipe, 2 * numpy.pi * 0.04 * 0.5)):
            a, b, c = (shape.at(0)[shape.triangles[:, corner]] for corner in range(3))
            self.assertAlmostEqual(numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1).sum() / 2 / area, 1, delta=0.01)

    def test_they_are_drawn(self):
        """A box beside the block covers a part of the picture that is empty without it."""
        pictures = []
        for name, scene in (("plain", self.scene), ("shapes", self.with_shapes)):
            self.simulate(scene, sets={"time.end": 2e-3, "output.every": 1e-3}, out=name)
            picture = self.folder / f"{name}.png"
            subprocess.run([POSTPROCESS / "render_fields.py", self.folder / name, "--frames=-1", "--azimuth=-90", "--zoom=0.3", "--color", "none", "--sheet", picture], check=True, timeout=120)
            pictures.append(pyplot.imread(picture))
        self.assertEqual(pictures[0].shape, pictures[1].shape)
        changed = (numpy.abs(pictures[0] - pictures[1])[..., :3] > 0.05).any(axis=2)
        self.assertGreater(changed.mean(), 0.01)
        self.assertLess(changed.mean(), 0.5)


if __name__ == "__main__":
    unittest.main()
