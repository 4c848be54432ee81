"""The frames of a run, opened with VTK's own reader: whole, and in agreement with the history and the report."""

import argparse
import contextlib
import json
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

import check_fields
from traction_runs import BlockTest, ShortRunTest, box_text

END, EVERY = 0.02, 2e-3
DENSITY = 1000   # the scene's [kg/m^3]


class Fields(BlockTest):
    in_running_program = True

    def run_with_frames(self, ranks, **more):
        sets = {"time.end": END, "output.every": EVERY, **more}
        outcome = self.simulate(self.scene, ranks=ranks, sets=sets, out=f"out_{ranks}")
        series = json.loads((outcome.directory / "fields.hdf.series").read_text())["files"]
        return outcome, series

    def frame(self, outcome, entry):
        """Points, cells, and point arrays of a frame."""
        grid = check_fields.read_frame(outcome.directory / entry["name"])
        points = vtk_to_numpy(grid.GetPoints().GetData()).reshape(-1, 3)
        return points, check_fields.tetrahedra(grid), check_fields.point_arrays(grid)

    def test_frames_are_whole(self):
        for ranks in (1, 2):
            outcome, series = self.run_with_frames(ranks)
            expected = argparse.Namespace(cells=outcome.report["elements"], volume=None, bounds=None, field=[], tolerance=1e-12)
            for entry in series:
                with self.subTest(ranks=ranks, frame=entry["name"]):
                    with contextlib.redirect_stdout(None):
                        _, parts = check_fields.check_frame(outcome.directory / entry["name"], entry["time"], expected)
                    self.assertEqual(parts, ranks)
                    _, _, arrays = self.frame(outcome, entry)
                    self.assertEqual(len(numpy.unique(arrays["vertex_id"])), outcome.report["vertices"])

    def test_series_has_a_frame_for_every_interval(self):
        outcome, series = self.run_with_frames(2)
        numpy.testing.assert_allclose([entry["time"] for entry in series], numpy.arange(0, END + EVERY / 2, EVERY), rtol=1e-9, atol=1e-15)
        for entry in series[1:]:
            self.assertLess(numpy.min(numpy.abs(outcome.history["time"] - entry["time"])), 1e-15)

    def test_centroid_velocity_and_force_agree_with_the_history(self):
        outcome, series = self.run_with_frames(2, **{"output.fields": "[velocity, displacement, contact_pressure, contact_force]"})
        start, cells, _ = self.frame(outcome, series[0])
        mass = numpy.zeros(len(start))
        for corner in cells.T:
            numpy.add.at(mass, corner, DENSITY * check_fields.volumes(start, cells) / 4)
        self.assertAlmostEqual(mass.sum(), outcome.report["total_mass"], delta=1e-8 * mass.sum())
        touched = False
        for entry in series[1:]:
            points, _, arrays = self.frame(outcome, entry)
            row = int(numpy.argmin(numpy.abs(outcome.history["time"] - entry["time"])))
            numpy.testing.assert_allclose(points - start, arrays["displacement"], atol=1e-15)
            for i, name in enumerate("xyz"):
                self.assertAlmostEqual(mass @ points[:, i] / mass.sum(), outcome.history[f"block.{name}"][row], delta=1e-12)
                self.assertAlmostEqual(mass @ arrays["velocity"][:, i] / mass.sum(), outcome.history[f"block.v{name}"][row], delta=1e-11)
            # A vertex in several parts appears in each of them: its force counts once.
            once = numpy.unique(arrays["vertex_id"], return_index=True)[1]
            force = arrays["contact_force"][once].sum(axis=0)
            recorded = [outcome.history[f"landing.f{name}"][row] for name in "xyz"]
            numpy.testing.assert_allclose(force, recorded, atol=1e-10 * max(1, numpy.linalg.norm(recorded)))
            pressed = numpy.count_nonzero(arrays["contact_pressure"][once])
            self.assertEqual(pressed, outcome.history["landing.contacts"][row])
            touched = touched or pressed > 0
        self.assertTrue(touched, "no frame shows the block in contact")

    def test_contacts_agree_with_the_history(self):
        for ranks in (1, 2):
            outcome, _ = self.run_with_frames(ranks, **{"output.contacts": "true"})
            series = json.loads((outcome.directory / "contacts.hdf.series").read_text())["files"]
            numpy.testing.assert_allclose([entry["time"] for entry in series], numpy.arange(0, END + EVERY / 2, EVERY), rtol=1e-9, atol=1e-15)
            slipped = 0
            for entry in series[1:]:
                grid = check_fields.read_frame(outcome.directory / entry["name"])
                row = int(numpy.argmin(numpy.abs(outcome.history["time"] - entry["time"])))
                self.assertEqual(grid.GetNumberOfCells(), outcome.history["landing.contacts"][row])
                if not grid.GetNumberOfCells():
                    continue
                arrays = check_fields.point_arrays(grid)
                points = vtk_to_numpy(grid.GetPoints().GetData()).reshape(-1, 3)
                recorded = [outcome.history[f"landing.f{name}"][row] for name in "xyz"]
                total = (arrays["normal_force"] + arrays["friction"]).sum(axis=0)
                numpy.testing.assert_allclose(total, recorded, atol=1e-10 * max(1, numpy.linalg.norm(recorded)))
                numpy.testing.assert_allclose(arrays["normal"], numpy.tile([0, 0, 1], (len(points), 1)), atol=1e-14)   # the floor's
                numpy.testing.assert_allclose(arrays["gap"][:, 0], points[:, 2], atol=1e-14)
                # Friction is that of the scene: 0.5, fully developed from 1e-2 m/s on.
                speed = arrays["sliding_speed"][:, 0]
                share = numpy.where(speed < 1e-2, 2 * speed / 1e-2 - (speed / 1e-2) ** 2, 1)
                normal_force = numpy.linalg.norm(arrays["normal_force"], axis=1)
                numpy.testing.assert_allclose(numpy.linalg.norm(arrays["friction"], axis=1), 0.5 * share * normal_force, rtol=1e-9, atol=1e-12)
                numpy.testing.assert_array_equal(arrays["slips"][:, 0], (speed >= 1e-2).astype(int))
                slipped += arrays["slips"].sum()
            self.assertGreater(slipped, 0)

    def test_a_run_without_every_writes_no_frames(self):
        outcome = self.simulate(self.scene, sets={"time.end": 2e-3})
        self.assertEqual(list(outcome.directory.glob("fields*")), [])


class FieldsOfTwoBodies(ShortRunTest):
    """A block lands on another one while it slides and turns: both have the contact's force, one opposite to the other."""

    SCENE = """\
time: {step: 1e-3, end: 0.02}
gravity: [0, 0, -9.81]
bodies:
  upper:
    mesh: upper.msh
    solid: {solid: {youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}}
    initial: {translate: [0.03, 0.02, 0.106], velocity: [0.5, 0.1, -1], angular_velocity: [0, 0.3, 0.5]}
  lower:
    mesh: lower.msh
    solid: {solid: {youngs_modulus: 2e5, poisson_ratio: 0.3, density: 1000}}
    fixed: bottom
contacts:
  landing: {both: [upper.surface, lower.surface], geometry: GEOMETRY, thickness: 2e-3, friction: {dynamic: 0.5, tolerance: 1e-2}}
output: {every: 2e-3, fields: [contact_force]}
solver: {tolerance: 1e-9}
"""

    def test_both_sides_have_the_force_of_the_history(self):
        upper, lower = box_text((3, 2, 2), (0.08, 0.07, 0.06)), box_text((4, 4, 3), (0.14, 0.12, 0.1))
        self.write("upper.msh", upper)
        self.write("lower.msh", lower)
        for geometry in ("edges_and_faces", "smooth_surface"):
            for ranks in (1, 2):
                with self.subTest(geometry=geometry, ranks=ranks):
                    outcome = self.simulate(self.SCENE.replace("GEOMETRY", geometry), ranks=ranks, out=f"{geometry}_{ranks}")
                    series = json.loads((outcome.directory / "fields.hdf.series").read_text())["files"]
                    pressed = 0
                    for entry in series[1:]:
                        arrays = check_fields.point_arrays(check_fields.read_frame(outcome.directory / entry["name"]))
                        row = int(numpy.argmin(numpy.abs(outcome.history["time"] - entry["time"])))
                        ids, once = numpy.unique(arrays["vertex_id"], return_index=True)
                        force = arrays["contact_force"][once]
                        first = ids < 4 * 3 * 3     # the upper body's vertices come first
                        recorded = numpy.array([outcome.history[f"landing.f{name}"][row] for name in "xyz"])
                        rounding = 1e-12 * numpy.abs(force).sum() + 1e-300
                        numpy.testing.assert_allclose(force[first].sum(axis=0), recorded, rtol=0, atol=rounding)
                        numpy.testing.assert_allclose(force[~first].sum(axis=0), -recorded, rtol=0, atol=rounding)
                        if outcome.history["landing.contacts"][row]:
                            pressed += 1
                            self.assertGreater(recorded[2], 0)
                            for side in (first, ~first):
                                self.assertGreater(numpy.abs(force[side]).max(), 0)
                    self.assertGreater(pressed, 4)


if __name__ == "__main__":
    unittest.main()
