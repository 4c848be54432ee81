"""Obstacles in pictures of fields: their shapes, where they are at a time, and that they are drawn."""

import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile
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

    def picture(self, name, scene, *options, **sets):
        self.simulate(scene, sets={"time.end": 2e-3, "output.every": 1e-3, **sets}, out=name)
        picture = self.folder / f"{name}.png"
        subprocess.run([POSTPROCESS / "render_fields.py", self.folder / name, "--frames=-1", *options, "--color", "none", "--sheet", picture], check=True, timeout=120)
        return pyplot.imread(picture)[..., :3]

    def changed(self, first, second):
        """The part of the pictures that differs."""
        self.assertEqual(first.shape, second.shape)
        return (numpy.abs(first - second) > 0.05).any(axis=2).mean()

    def test_they_are_drawn(self):
        """A box beside the block covers a part of the picture that is empty without it."""
        pictures = [self.picture(name, scene, "--azimuth=-90", "--zoom=0.3", "--follow") for name, scene in (("plain", self.scene), ("shapes", self.with_shapes))]
        self.assertGreater(self.changed(*pictures), 0.01)
        self.assertLess(self.changed(*pictures), 0.5)

    def test_planes_that_move_are_drawn_where_they_are(self):
        """A floor that comes up to its place looks like one that stands there, and not like none."""
        text = self.scene.read_text()
        floor = text[text.index("  floor:") : text.index("contacts:")]
        moving = "  floor: {plane: {point: [0, 0, -0.01], normal: [0, 0, 1]}, motion: {velocity: [0, 0, 10], start: 0, stop: 1e-3}}\n"
        below = "  floor: {plane: {point: [0, 0, -5], normal: [0, 0, 1]}}\n"
        still, moved, none = (self.picture(name, text.replace(floor, surface)) for name, surface in (("still", floor), ("moved", moving), ("none", below)))
        self.assertLess(self.changed(still, moved), 0.01)
        self.assertGreater(self.changed(none, moved), 0.1)

    def test_the_view_shows_obstacles_beside_the_bodies(self):
        """Those that are not much larger, and not far away."""
        import field_runs  # noqa: F401, finds postprocess
        from field_frames import Frames
        from obstacle_shapes import drawn_obstacles
        from render_fields import Camera, Survey

        extra = SURFACES + "  hall: {box: {lower: [-5, -5, -0.1], upper: [5, 5, -0.05]}}\n  far: {sphere: {center: [9, 0, 0.1], radius: 0.05}}\n"
        text = self.scene.read_text()
        self.simulate(text.replace(text[text.index("surfaces:") : text.index("contacts:")], extra), sets={"time.end": 2e-3, "output.every": 1e-3})
        frames = Frames(self.folder / "out")
        camera = Camera(numpy.array([0, 0, 1.0]), -90, 11, 1.5)
        survey = Survey(frames, [0], camera, None)
        alone = survey.distance
        shapes = dict(zip(("ledge", "ball", "pipe", "hall", "far"), drawn_obstacles(self.folder / "out", survey.middle, survey.width)))
        survey.widen([shapes["hall"], shapes["far"]], [0])
        self.assertEqual(survey.distance, alone)
        survey.widen(shapes.values(), [0])
        self.assertGreater(survey.distance, 1.2 * alone)
        self.assertLess(survey.distance, 6 * alone)
        slope = numpy.tan(numpy.radians(Camera.VIEW_ANGLE / 2))
        for name in ("ledge", "ball"):
            right, up, toward = camera.project(shapes[name].at(0) - survey.focal_point).T
            self.assertLess((numpy.abs(up) / (survey.distance - toward)).max(), slope, name)
            self.assertLess((numpy.abs(right) / (survey.distance - toward)).max(), 1.5 * slope, name)

    def test_a_sheet_shows_the_whole_run(self):
        """Evenly spaced frames from the first to the last, although the block touches the floor in some of them only."""
        import field_runs  # noqa: F401, finds postprocess
        from render_fields import sheet_frames

        for chosen, count, frames, expected in ((range(11), 6, None, [0, 2, 4, 6, 8, 10]), (range(11), 1, None, [0]), (range(3), 6, None, [0, 1, 2]), (range(0, 11, 5), 2, None, [0, 10]),
                                                ([3, 7], 6, [3, 7], [3, 7])):
            self.assertEqual(sheet_frames(argparse.Namespace(frames=frames, sheet_count=count), list(chosen)), expected)


class Sheets(unittest.TestCase):
    HEIGHT, WIDTH, ABOVE = 100, 300, 38   # pixels of a picture, and above it

    def test_the_colour_bar_and_its_title_are_shown_whole(self):
        """However few or small the pictures are: next to the edges of the sheet nothing but white is below the pictures, so that nothing is cut off."""
        import field_runs  # noqa: F401, finds postprocess
        from render_fields import Colouring, save_sheet

        folder = pathlib.Path(tempfile.mkdtemp(prefix="traction-test-"))
        self.addCleanup(shutil.rmtree, folder)
        for field, largest in (("velocity", 1.2), ("contact_pressure", 3e5), ("softening", 0.3), ("a_field_of_some_other_program_with_a_long_name", 12345.6)):
            for count, width in ((1, 300), (2, 300), (3, 300), (6, 300), (1, 120), (6, 100)):
                with self.subTest(field=field, count=count, width=width):
                    tiles = [numpy.zeros((self.HEIGHT, width, 3))] * count
                    save_sheet(folder / "sheet.png", tiles, [""] * count, Colouring(field, largest))
                    sheet = pyplot.imread(folder / "sheet.png")[..., :3]
                    self.assertEqual(sheet.shape[1], count * width + 8 * (count + 1))
                    below = sheet[self.ABOVE + self.HEIGHT + 1:]
                    self.assertLess(below.min(), 0.9)
                    self.assertEqual(below[:, :4].min(), 1)
                    self.assertEqual(below[:, -4:].min(), 1)
                    self.assertEqual(below[:4].min(), 1)
                    self.assertEqual(below[-4:].min(), 1)


if __name__ == "__main__":
    unittest.main()
