"""postprocess/compare finds what differs between two runs, reports where, and ends with a status for scripts."""

import os
import pathlib
import shutil
import signal
import subprocess

import h5py
import numpy

from traction_runs import BlockTest

COMPARE = pathlib.Path(__file__).resolve().parents[2] / "postprocess" / "compare"
END, EVERY = 0.02, 4e-3   # lands at 0.012 s


class Compare(BlockTest):
    def run_on(self, ranks, **more):
        sets = {"time.end": END, "output.every": EVERY, "output.fields": "[velocity, contact_pressure]", **more}
        return self.simulate(self.scene, ranks=ranks, sets=sets, out=f"on_{ranks}").directory

    def compare(self, a, b, *options):
        return subprocess.run([COMPARE, a, b, *options], capture_output=True, text=True)

    def assert_status(self, status, a, b, *options):
        done = self.compare(a, b, *options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stderr if status == 2 else done.stdout

    def copy(self, run, name):
        return pathlib.Path(shutil.copytree(run, self.folder / name))

    def test_no_verdict_without_memory(self):
        run = self.run_on(1)
        for fault, words in (("MemoryError()", "the memory ran out"), ("RuntimeError('no such luck')", "no such luck")):
            program = f"import numpy, runpy, sys; sys.argv[0] = {str(COMPARE)!r}\ndef fail(*_, **__): raise {fault}\nnumpy.linalg.norm = fail\nrunpy.run_path(sys.argv[0], run_name='__main__')"
            done = subprocess.run(["/usr/bin/python3", "-c", program, run, run], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(COMPARE.parent)})
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(words, done.stderr)

    def test_a_reader_that_has_seen_enough(self):
        run = self.run_on(1)
        for program, words in ((COMPARE, [run, run]), (COMPARE.with_name("check_crossing"), [run])):
            reader, writer = os.pipe()
            os.close(reader)   # as `head` does
            done = subprocess.run([program, *words], stdout=writer, stderr=subprocess.PIPE, text=True)
            os.close(writer)
            self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))

    def with_cell(self, run, name, step, column, change):
        """A copy of a run, one number of whose history is changed."""
        copied = self.copy(run, name)
        lines = (run / "history.csv").read_text().splitlines()
        place = lines[0].split(",").index(column)
        cells = lines[step].split(",")
        cells[place] = repr(change(float(cells[place])))
        lines[step] = ",".join(cells)
        (copied / "history.csv").write_text("\n".join(lines) + "\n")
        return copied

    def test_any_numbers_of_ranks(self):
        runs = {ranks: self.run_on(ranks) for ranks in (1, 2, 4)}
        for ranks in (2, 4):
            self.assertIn("the runs agree: 20 rows, ", self.assert_status(0, runs[1], runs[ranks], "--relative", "1e-9"))
        self.assertIn("6 frames, 3 fields compared", self.assert_status(0, runs[2], runs[4], "--relative", "1e-9"))
        # Sums over ranks round otherwise: two rank counts are never the same to the last bit.
        self.assertIn("BEYOND", self.assert_status(1, runs[1], runs[2], "--exact"))
        again = self.copy(runs[1], "again")
        self.assertTrue(self.assert_status(0, runs[1], again, "--exact").startswith("the runs agree"))
        other = self.run_on(2, **{"gravity": "[0, 0, -9.80]"})
        self.assertIn("block.", self.assert_status(1, runs[1], other))

    def test_a_number_of_the_history(self):
        run = self.run_on(1)
        speed = self.last_speed(run)
        changed = self.with_cell(run, "changed", 7, "block.vy", lambda value: value + 1e-5 * speed)
        table = self.assert_status(1, run, changed)
        line, = (line for line in table.splitlines() if line.endswith("BEYOND"))
        words = line.split()
        self.assertEqual(words[0], "block.v")
        self.assertAlmostEqual(float(words[1]) / (1e-5 * speed), 1, delta=5e-3)      # three digits are printed
        self.assertAlmostEqual(float(words[2]) / (1e-6 * speed), 1, delta=5e-3)
        self.assertIn("column block.vy, step 7, t = 0.007 s", line)
        self.assert_status(0, run, changed, "--relative", "2e-5")
        self.assert_status(0, run, changed, "--relative", "0", "--absolute", repr(2e-5 * speed))
        self.assert_status(0, run, changed, "--tolerance", "block.v=2e-5")
        self.assert_status(0, run, changed, "--tolerance", f"block.*=0,{2e-5 * speed!r}")
        self.assert_status(1, run, changed, "--tolerance", "block=2e-5")
        self.assert_status(0, run, changed, "--skip", "block.v?")
        self.assert_status(0, run, changed, "--only", "*_energy")
        self.assert_status(1, run, changed, "--history", "--by", "time")
        self.assert_status(1, run, changed, "--common")

    def last_speed(self, run):
        """The largest speed of the centroid [m/s], which a difference is measured by."""
        header, *rows = [line.split(",") for line in (run / "history.csv").read_text().splitlines()]
        columns = [header.index(f"block.v{name}") for name in "xyz"]
        return max(numpy.linalg.norm([float(row[i]) for i in columns]) for row in rows)

    def test_the_solvers_effort_and_what_is_not_finite(self):
        run = self.run_on(1)
        effort = self.with_cell(run, "effort", 3, "linear_iterations", lambda count: count + 1)
        self.assert_status(0, run, effort)
        self.assertIn("linear_iterations", self.assert_status(1, run, effort, "--effort"))
        self.assertIn("linear_iterations", self.assert_status(1, run, effort, "--exact"))
        # Without a vertex near a surface the smallest gap is infinite: the same in both, and nothing like a number.
        gap = self.with_cell(run, "gap", 3, "min_gap", lambda value: float("inf"))
        self.assert_status(0, gap, self.copy(gap, "same_gap"))
        self.assertRegex(self.assert_status(1, run, gap), r"min_gap +inf .* step 3,")
        tiny = self.with_cell(run, "tiny", 3, "stiffening_energy", lambda value: value + 1e-200)
        self.assert_status(0, run, tiny)
        self.assert_status(1, run, tiny, "--exact")
        nothing = self.with_cell(run, "nothing", 3, "block.z", lambda value: float("nan"))
        self.assertRegex(self.assert_status(1, run, nothing), r"block +inf .* column block.z, step 3,")
        self.assert_status(0, nothing, self.copy(nothing, "same"), "--exact")

    def test_a_vertex_of_a_frame(self):
        run, parts = self.run_on(1), self.run_on(2)
        frame, vertex = 4, 33
        with h5py.File(parts / f"fields_{frame:06d}.hdf", "r+") as file:
            group = file["VTKHDF"]
            stored = numpy.flatnonzero(group["PointData/vertex_id"][:] == vertex)
            values = group["PointData/velocity"]
            for row in stored:
                values[row] = values[row] + numpy.array([0, -1e-3, 0])
        table = self.assert_status(1, run, parts)
        line, = (line for line in table.splitlines() if line.endswith("BEYOND"))
        self.assertEqual(line.split()[:2], ["fields/velocity", "0.001"])
        self.assertIn(f"vertex {vertex}, frame {frame}, t = 0.016 s", line)
        self.assert_status(0, run, parts, "--history")
        self.assert_status(0, run, parts, "--only", "fields/points")
        self.assert_status(0, run, parts, "--tolerance", "fields/velocity=0,1.001e-3")

    def test_what_only_one_run_has(self):
        run = self.run_on(1)
        shorter = self.copy(run, "shorter")
        lines = (run / "history.csv").read_text().splitlines(keepends=True)
        (shorter / "history.csv").write_text("".join(lines[:-2]))
        self.assertIn("2 rows of the history of A have no partner", self.assert_status(1, run, shorter))
        self.assertIn("18 rows", self.assert_status(0, run, shorter, "--common"))
        without = self.simulate(self.scene, sets={"time.end": END}, out="without").directory
        self.assertIn("only B has frames", self.assert_status(1, without, run))
        self.assert_status(0, without, run, "--common")
        fewer = self.simulate(self.scene, sets={"time.end": END, "output.every": 2 * EVERY, "output.fields": "velocity"}, out="fewer").directory
        said = self.assert_status(1, run, fewer)
        self.assertIn("only A has the fields fields/contact_pressure", said)
        self.assertRegex(said, "[23] frames of A have no partner")
        finer = self.simulate(self.scene, sets={"time.end": END, "time.step": 5e-4}, out="finer").directory
        self.assertIn("20 rows", self.assert_status(1, run, finer, "--by", "time", "--common"))

    def test_bad_input(self):
        run = self.run_on(1)
        self.assertIn("give the output folder of a run", self.assert_status(2, run, self.folder / "nowhere"))
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("history.csv", self.assert_status(2, empty, run))
        for name, text, expected in (("words", "step,time\n1,soon\n", "history.csv:2"), ("cut", "step,time\n1,0.1\n2\n", "history.csv:3"), ("other", "a,b\n1,2\n", "step and time"),
                                     ("again", "step,time\n1,0.1\n2,0.2\n2,0.2\n", "step 2 follows on 2")):
            changed = self.copy(run, name)
            (changed / "history.csv").write_text(text)
            self.assertIn(expected, self.assert_status(2, run, changed))
        cut = self.copy(run, "cut_frame")
        with open(cut / "fields_000002.hdf", "r+b") as file:
            file.truncate(1000)
        self.assertIn("cannot be read", self.assert_status(2, run, cut))
        other = self.copy(run, "other_mesh")
        with h5py.File(other / "fields_mesh.h5", "r+") as file:
            file["PointData/vertex_id"][3] = 1000
        self.assertIn("different meshes", self.assert_status(2, run, other))
        self.assert_status(2, run, run, "--tolerance", "block=soon")
        self.assert_status(2, run, run, "--relative", "-1")


if __name__ == "__main__":
    import unittest
    unittest.main()
