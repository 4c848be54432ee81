"""Frames in one file, `output: {files: one}`: the same numbers as in a file for each frame, whoever reads them, however often the run is stopped."""

import shutil
import subprocess
import sys
import unittest

import h5py
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkIOHDF import vtkHDFReader

import field_runs  # noqa: F401, finds postprocess
from check_fields import read_frame
from field_frames import Frames, Series
from test_pressure import EDGE, on_layer
from traction_runs import BLOCK_SCENE, JOBS, BlockTest, RefusalTest, RunTest, box_text, report_of

STEMS = ("fields", "contacts", "contact_surfaces")
SETS = {"solver.reproducible": "true", "output.every": 1e-3, "output.contacts": "true", "output.fields": "[velocity, contact_pressure, stress]"}
COMPARE = JOBS.parent / "postprocess" / "compare"
READS_STEPS = (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) >= (9, 3)


def arrays(directory, stem):
    """A dictionary for each frame, of all arrays that the two ways of storing have."""
    series = Series(directory, stem)
    for index in range(len(series)):
        with series.frame(index) as (group, _):
            names = ["NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds", "Connectivity", "Offsets", "Types", "Points"]
            yield {name: group[name] for name in names + [f"{kind}/{name}" for kind in ("PointData", "CellData") for name in group.names(kind)]}


class OneFile(BlockTest):
    in_running_program = True

    def both(self, scene, sets, ranks, out):
        """The folders of the run with a file for each frame, and of that with one file."""
        return [self.simulate(scene, sets={**sets, "output.files": files}, ranks=ranks, out=f"{out}_{files}_{ranks}").directory for files in ("one_per_frame", "one")]

    def assert_same_numbers(self, apart, one):
        compared = 0
        for stem in STEMS:
            self.assertEqual(Series.exists(apart, stem), Series.exists(one, stem), stem)
            if not Series.exists(one, stem):
                continue
            self.assertTrue(Series(one, stem).is_one_file)
            self.assertEqual(Series(apart, stem).times, Series(one, stem).times)
            for index, (theirs, ours) in enumerate(zip(arrays(apart, stem), arrays(one, stem), strict=True)):
                self.assertEqual(theirs.keys(), ours.keys())
                for name, numbers in theirs.items():
                    self.assertEqual(numbers.dtype, ours[name].dtype, name)
                    self.assertTrue(numpy.array_equal(numbers, ours[name], equal_nan=True), f"{stem}, frame {index}: {name}")
                    compared += numbers.size
        return compared

    def assert_vtk_reads(self, apart, one):
        """By VTK's own reader, if it knows of steps."""
        for stem in STEMS:
            if not Series.exists(one, stem):
                continue
            series, reader = Series(apart, stem), vtkHDFReader()
            reader.SetFileName(str(one / f"{stem}.hdf"))
            reader.UpdateInformation()
            times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
            numpy.testing.assert_array_equal(times, series.times)
            for name, time in zip(series.names, series.times):
                reader.UpdateTimeStep(time)
                ours, theirs = reader.GetOutput(), read_frame(apart / name)
                numpy.testing.assert_array_equal(*(vtk_to_numpy(grid.GetPoints().GetData()) for grid in (ours, theirs)))
                numpy.testing.assert_array_equal(*(vtk_to_numpy(grid.GetCells().GetConnectivityArray()) for grid in (ours, theirs)))
                for data in ("GetPointData", "GetCellData"):
                    for k in range(getattr(theirs, data)().GetNumberOfArrays()):
                        field = getattr(theirs, data)().GetArrayName(k)
                        numpy.testing.assert_array_equal(*(vtk_to_numpy(getattr(grid, data)().GetArray(field)) for grid in (ours, theirs)))

    def compare(self, *words):
        return subprocess.run([sys.executable, COMPARE, *map(str, words)], capture_output=True, text=True)

    def test_the_numbers_are_those_of_a_file_for_each_frame(self):
        for ranks in (1, 2, 4):
            for precision in ("double", "single"):
                with self.subTest(ranks=ranks, precision=precision):
                    apart, one = self.both(self.scene, {**SETS, "output.precision": precision}, ranks, precision)
                    self.assertGreater(self.assert_same_numbers(apart, one), 10000)
                    files = sorted(path.name for path in one.iterdir() if path.name.startswith(("fields", "contact")))
                    self.assertEqual(files, ["contacts.hdf", "fields.hdf"])
                    with h5py.File(one / "fields.hdf") as file:
                        self.assertEqual(list(file["VTKHDF"].attrs["Version"]), [2, 0])
                        self.assertEqual(len(file["VTKHDF/Steps/Values"]), file["VTKHDF/Steps"].attrs["NSteps"])   # VTK's reader has no room for more times
                        self.assertEqual(set(file["VTKHDF/Steps/CellOffsets"][:31]), {0})   # the mesh is stored once
                    self.assertEqual(self.compare(apart, one, "--exact").returncode, 0)
                    if READS_STEPS:
                        self.assert_vtk_reads(apart, one)

    def test_a_single_frame(self):
        """VTK's reader takes the number of its parts from the length of NumberOfPoints, and begins at row 0 of every dataset."""
        for ranks in (1, 2):
            apart, one = self.both(self.scene, {**SETS, "output.every": 1, "time.end": 2e-3}, ranks, "single_frame")
            self.assert_same_numbers(apart, one)
            for stem in ("fields", "contacts"):
                with h5py.File(one / f"{stem}.hdf") as file:
                    self.assertEqual(len(file["VTKHDF/NumberOfPoints"]), ranks)
                    offsets = [name for name in file["VTKHDF/Steps"] if name.endswith("Offsets") and "Data" not in name]
                    self.assertEqual([int(file["VTKHDF/Steps"][name][0]) for name in offsets], [0] * 4)

    def test_contact_surfaces(self):
        self.write("box.msh", box_text((2, 2, 2), (EDGE,) * 3))
        scene = on_layer(10, 0.5, 0.02, translate=1e-3)
        for ranks in (1, 2):
            apart, one = self.both(scene, {"output.every": 2e-3, "output.contacts": "true", "time.step": 1e-3}, ranks, "surfaces")
            self.assert_same_numbers(apart, one)
            self.assertTrue((one / "contact_surfaces.hdf").exists())
            with h5py.File(one / "contact_surfaces.hdf") as file:
                self.assertEqual(bytes(file["Contacts/names"][:]).decode(), "touch\n")
                self.assertGreater(len(set(file["VTKHDF/NumberOfPoints"][:])), 1)   # more and fewer triangles

    def test_stopped_and_resumed_on_other_ranks(self):
        """Frames after the checkpoint are dropped, and the others continue with the mesh of the new ranks."""
        sets = {**SETS, "output.files": "one", "output.checkpoint_every": "{steps: 7}", "output.keep_checkpoints": 9}
        whole = self.simulate(self.scene, sets=sets, out="whole")
        for ranks in ((1, 2), (2, 1), (2, 4)):
            with self.subTest(ranks=ranks):
                out = f"parts_{ranks[0]}_{ranks[1]}"
                first = self.simulate(self.scene, sets={**sets, "time.end": 0.017}, ranks=ranks[0], out=out).directory
                earlier = list(arrays(first, "fields"))
                (first / "checkpoints" / "step_00000017.h5").unlink()   # so that there is something to cut
                self.resume(sets={"time.end": 0.03}, ranks=ranks[1], out=out)
                numpy.testing.assert_allclose(Series(first, "fields").times, Series(whole.directory, "fields").times, rtol=1e-12)
                compared = self.compare(whole.directory, first, "--relative", 1e-6)
                self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
                for theirs, ours in zip(earlier[:15], arrays(first, "fields")):   # those until step 14 are left alone
                    for name in theirs:
                        numpy.testing.assert_array_equal(theirs[name], ours[name])
                self.assertEqual(len(list(arrays(first, "fields"))[-1]["NumberOfPoints"]), ranks[1])
                self.assertEqual(list(first.rglob("*.undo")) + list(first.rglob("*.part")), [])

    def test_many_frames_outgrow_every_room(self):
        """More frames than were planned, as when the end is put off again and again: each time to one frame further."""
        sets = {"output.every": 1e-3, "output.files": "one", "output.contacts": "true", "time.end": 2e-3, "output.checkpoint_every": "{steps: 1}"}
        self.simulate(self.scene, sets=sets)
        for end in range(3, 12):
            self.resume(sets={"time.end": end * 1e-3})
        apart = self.simulate(self.scene, sets={**sets, "time.end": 0.011, "output.files": "one_per_frame"}, out="apart").directory
        numpy.testing.assert_allclose(Series(self.folder / "out", "fields").times, Series(apart, "fields").times, rtol=1e-12)
        self.assertEqual(self.compare(apart, self.folder / "out", "--relative", 1e-6).returncode, 0)

    def test_a_change_that_a_kill_has_interrupted_is_undone(self):
        """As if the program had been killed while it changed HDF5's own data, the worst of which is lost."""
        sets = {**SETS, "output.files": "one", "output.checkpoint_every": "{steps: 5}", "output.keep_checkpoints": 9}
        whole, first = self.simulate(self.scene, sets=sets, out="whole").directory, self.folder / "out"
        shutil.copytree(whole, first)
        for step in (25, 30):
            (first / "checkpoints" / f"step_{step:08d}.h5").unlink()
        path = first / "fields.hdf"
        contents = path.read_bytes()
        self.write_undo(path, contents)
        path.write_bytes(bytes(2000) + contents[2000:] + bytes(100000))
        with self.assertRaisesRegex(OSError, "traction resume restores it"):
            Frames(first)
        self.assertIn("a run was killed while it changed this file, which is now restored", self.resume().errors)
        compared = self.compare(whole, first, "--exact")
        self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
        self.write_undo(path, contents)
        undo = first / "fields.hdf.undo"
        undo.write_bytes(undo.read_bytes()[:-10])
        outcome = self.run_program("resume", None, sets={"time.end": 0.04})
        self.assertEqual(outcome.code, 4, outcome.errors)
        self.assertIn("fields.hdf.undo: truncated or altered", outcome.error_lines()[0])

    @staticmethod
    def write_undo(path, contents):
        """What src/output/undo_file.cpp writes: a seal, the length, one range."""
        words = numpy.array([len(contents), 1, 0, 3000], dtype="<u8").tobytes() + contents[:3000]
        padded = numpy.frombuffer(words + bytes(-len(words) % 8), dtype="<u8")
        with numpy.errstate(over="ignore"):
            x = padded + numpy.uint64(0x9E3779B97F4A7C15) * numpy.arange(1, len(padded) + 1, dtype="<u8")
            x = (x ^ (x >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
            total = int((x ^ (x >> numpy.uint64(31))).sum(dtype="<u8"))
        seal = f"traction undo 1\n{512 + len(words)} bytes, checksum of those behind the first 512: {total:016x}\n".encode()
        path.with_name(path.name + ".undo").write_bytes(seal + bytes(512 - len(seal)) + words)

    def test_a_viewer_does_not_disturb(self):
        """HDF5 locks files that are open for reading; the run writes all the same."""
        sets = {"output.every": 1e-3, "output.files": "one", "time.end": 0.01, "output.checkpoint_every": "{steps: 1}"}
        first = self.simulate(self.scene, sets=sets).directory
        with h5py.File(first / "fields.hdf", "r") as file:
            points = file["VTKHDF/Points"][:10]
            self.resume(sets={"time.end": 0.03})
            numpy.testing.assert_array_equal(points, file["VTKHDF/Points"][:10])
        self.assertEqual(len(Frames(first)), 31)

    def test_what_cannot_continue_in_the_same_file_is_refused(self):
        sets = {"output.every": 2e-3, "output.files": "one", "time.end": 0.01}
        self.simulate(self.scene, sets=sets)
        self.simulate(self.scene, sets={**sets, "output.files": "one_per_frame"}, out="apart")
        cases = [("out", {"output.files": "one_per_frame"}, "output.files: the earlier fields of this run are in one file, and later ones must be stored alike; resume with the run's own setting"),
                 ("apart", {"output.files": "one"}, "output.files: the earlier fields of this run are in a file for each frame"),
                 ("out", {"output.precision": "single"}, "output.precision: the numbers in"),
                 ("out", {"output.fields": "[velocity]"}, "have the fields contact_pressure, velocity, and all frames in one file must have the same fields")]
        for out, changed, message in cases:
            before = {path: path.read_bytes() for path in (self.folder / out).rglob("*") if path.is_file()}
            outcome = self.run_program("resume", None, sets={"time.end": 0.02, **changed}, out=out)
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn(message, outcome.error_lines()[0])
            self.assertEqual(before, {path: path.read_bytes() for path in (self.folder / out).rglob("*") if path.is_file()})
        path = self.folder / "out" / "fields.hdf"
        path.write_bytes(path.read_bytes()[:5000])
        outcome = self.run_program("resume", None, sets={"time.end": 0.02})
        self.assertEqual(outcome.code, 4, outcome.errors)
        self.assertIn("fields.hdf: is damaged, or no file of frames", outcome.error_lines()[0])
        path.unlink()
        self.resume(sets={"time.end": 0.02})   # as where frames in files of their own are gone
        self.assertEqual(len(Frames(self.folder / "out")), 5)
        self.simulate(self.scene, sets={**sets, "output.files": "one_per_frame"}, options=["--overwrite"])
        self.assertFalse(path.exists())

    def test_other_commands_and_tools(self):
        for files in ("one_per_frame", "one"):
            outcome = self.run_program("modes", self.scene, options=["--count", "3", "--out", self.folder / f"modes_{files}"], sets={"output.files": files})
            self.assertEqual(outcome.code, 0, outcome.errors)
        self.assert_same_numbers(self.folder / "modes_one_per_frame", self.folder / "modes_one")
        out = self.simulate(self.scene, sets={"output.every": 5e-3, "output.files": "one"}).directory
        postprocess = COMPARE.parent
        for words in (["render_fields.py", out, "--sheet", out / "sheet.png", "--frames", "0,-1", "--color", "velocity"], ["render_fields.py", out, "--film", out / "film.mp4"],
                      ["check_crossing", out], ["check_crossing", out, "--paths"], ["report_page.py", out]):
            done = subprocess.run(["/usr/bin/python3", postprocess / words[0], *words[1:]], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        self.assertIn("nothing crosses in 7 frames", subprocess.run([postprocess / "check_crossing", out], capture_output=True, text=True).stdout)

    def test_a_run_that_starts_from_the_last_frame(self):
        start = "initial: {positions: %s, velocities: true}"
        rows = []
        for files, name in (("one_per_frame", "fields_000015.hdf"), ("one", "fields.hdf")):
            for ranks in (1, 2):
                self.simulate(self.scene, sets={"time.end": 0.015, "output.every": 1e-3, "output.files": files}, out="first", ranks=ranks)
                lines = [line if "initial:" not in line else "    " + start % f"first/{name}" for line in self.scene.read_text().splitlines()]
                rows.append(self.simulate("\n".join(lines) + "\n", sets={"time.end": 5e-3}, out="second").last_row())
                self.scene = self.write("scene.yaml", BLOCK_SCENE)
                shutil.rmtree(self.folder / "first")
                shutil.rmtree(self.folder / "second")
        for row in rows[1:]:
            self.assert_rows_agree(rows[0], row, 1e-7, ["block.x", "block.z", "block.vx", "block.vz"])


class Refused(RefusalTest):
    def test_compression(self):
        self.write("block.msh", box_text((4, 3, 3), (0.12, 0.1, 0.1)))
        self.write("scene.yaml", BLOCK_SCENE + "output: {every: 1e-3, files: one, compression: 1}\n")
        self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], ["scene.yaml:", "compression", "needs a file for each frame", "remove compression"], 1)


class Reports(RunTest):
    def test_a_report_draws_the_same_of_one_file(self):
        sets = {"bodies.ball.initial.translate": "[0, 0, 0.0502]", "time.end": 0.03, "output": "{every: 5e-3, contacts: true, log_every: 1000}"}
        pictures = []
        for name, more in (("apart", {}), ("one", {"output.files": "one"})):
            run = self.simulate(JOBS / "bouncing_ball" / "scene.yaml", sets={**sets, **more}, out=name)
            self.assertEqual(Series(run.directory, "contact_surfaces").is_one_file, name == "one")
            report_of("bouncing_ball").contact_surface(run, run.directory / "surface.png")
            pictures.append((run.directory / "surface.png").read_bytes())
        self.assertEqual(*pictures)

    def test_no_report_reads_lists_of_frames_itself(self):
        for report in JOBS.glob("*/*.py"):
            self.assertFalse(".hdf.series" in report.read_text(encoding="utf-8"), report)


if __name__ == "__main__":
    unittest.main()
