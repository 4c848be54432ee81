"""What a run does to its folder: one run at a time, nothing removed by a run that is refused, no faults that are found out too late."""

import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import numpy

import field_runs  # noqa: F401, finds postprocess
from field_frames import Series
from traction_runs import BLOCK_SCENE, BlockTest, Outcome, execute, start

ENDLESS = {"time.step": 1e-6, "time.end": 10}


class RunFolders(BlockTest):
    def contents(self, folder="out"):
        return {path.relative_to(self.folder): path.read_bytes() for path in (self.folder / folder).rglob("*") if path.is_file()}

    def begin(self, ranks=1, **more):
        words = [word for key, value in (ENDLESS | more).items() for word in ("--set", f"{key}={value}")]
        process = start(["traction", "run", self.scene, "--out", self.folder / "out", "--overwrite", *words], ranks, self.folder)
        self.addCleanup(self.end, process)
        deadline, history = time.monotonic() + 60, self.folder / "out" / "history.csv"
        history.unlink(missing_ok=True)
        while not history.exists() or history.read_bytes().count(b"\n") < 5:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        return process

    @staticmethod
    def end(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()

    def assert_error(self, outcome, code, *parts):
        self.assertEqual(outcome.code, code, outcome.errors)
        lines = outcome.error_lines()
        self.assertEqual(len(lines), 1, outcome.errors)
        for part in parts:
            self.assertIn(part, lines[0])
        for leak in ("PETSC ERROR", "MPI_ABORT", "HDF5-DIAG", "terminate called", "Segmentation"):
            self.assertNotIn(leak, outcome.output + outcome.errors)

    def test_one_run_at_a_time(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                process = self.begin(ranks)
                pid = re.match(r"process (\d+) on ", (self.folder / "out" / "run.lock").read_text())[1]
                for command, scene, options in (("run", self.scene, ()), ("run", self.scene, ("--overwrite",)), ("resume", None, ())):
                    self.assert_error(self.run_program(command, scene, ranks=ranks, options=options), 2, f"process {pid} on ", "is using this folder")
                code, _, errors = execute(["traction", "modes", self.scene, "--out", self.folder / "out", "--count", "2"], folder=self.folder)
                self.assertEqual(code, 2, errors)
                process.send_signal(signal.SIGUSR1)
                _, errors = process.communicate(timeout=60)
                self.assertIn("stopped by signal 10", errors)
                rows = [line.split(",") for line in (self.folder / "out" / "history.csv").read_text().splitlines()[1:]]
                self.assertEqual([int(row[0]) for row in rows], list(range(1, len(rows) + 1)))
                reached = float(rows[-1][1]) if rows else 0
                self.resume(sets={"time.step": 1e-3, "time.end": reached + 5e-3}, ranks=ranks)
                self.assertFalse((self.folder / "out" / "run.lock").exists())

    def test_a_run_continues_whose_frame_could_not_be_written(self):
        """The remedy follows the cause, which need not be a full disk."""
        process = self.begin(**{"output.every": 1e-5})
        in_place_of_a_frame = self.folder / "out" / "fields_000300.hdf"
        in_place_of_a_frame.mkdir()
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 4, errors)
        self.assertRegex(errors, r"fields_000300\.hdf: .*; the state after step 3000 is in .*\.h5: remove the cause, and continue with: traction resume")
        in_place_of_a_frame.rmdir()
        outcome = self.resume(sets={"time.end": 3.02e-3})
        self.assertEqual(len(outcome.history["step"]), 3020)
        self.assertEqual(len(Series(outcome.directory, "fields")), 303)

    def test_the_lock_of_a_dead_process_bars_nobody(self):
        process = self.begin()
        process.kill()
        process.communicate()
        self.assertTrue((self.folder / "out" / "run.lock").exists())
        self.simulate(self.scene, sets={"time.end": 2e-3}, options=["--overwrite"])

    def test_of_two_that_start_together_one_runs(self):
        sets = ["--set", "time.end=0.01"]
        processes = [start(["traction", "run", self.scene, "--out", self.folder / "new", *sets], 1, self.folder) for _ in range(4)]
        ends = [(process.communicate(timeout=120)[1], process.returncode) for process in processes]
        for errors, code in ends:
            self.assertIn(code, (0, 2), errors)
        self.assertTrue(any(code == 0 for _, code in ends))
        steps = [int(line.split(",")[0]) for line in (self.folder / "new" / "history.csv").read_text().splitlines()[1:]]
        self.assertEqual(steps, list(range(1, 11)))
        self.assertEqual(json.loads((self.folder / "new" / "run.json").read_text())["status"], "done")

    def test_a_refused_run_removes_nothing(self):
        self.simulate(self.scene, sets={"time.end": 3e-3, "output.every": 1e-3})
        before = self.contents()
        for sets, code, *parts in (({"time.integrator": "siere", "time.modes": 1000}, 2, "1000 modes are asked for", "ask for fewer"),
                                   ({"petsc": "{ksp_type: cg}"}, 2, "KSP cg does not support", "check the scene's petsc: block"),
                                   ({"petsc": "{pc_type: eisenstat}"}, 2, "PETSc cannot solve with the options", "check the scene's petsc: block"),
                                   ({"petsc": "{snes_type: nonsense}"}, 2, "PETSc refuses an option"),
                                   ({"petsc": "{" + ", ".join(f"option_{i}: {i}" for i in range(2000)) + "}"}, 2, "2000 options", "at most 400")):
            for ranks in (1, 2):
                with self.subTest(sets=str(sets)[:60], ranks=ranks):
                    self.assert_error(self.run_program("run", self.scene, sets=sets, ranks=ranks), code, *parts)
                    self.assertEqual(self.contents(), before)
        options = [word for i in range(1000) for word in (f"-option_{i}", str(i))]
        self.assert_error(self.run_program("run", self.scene, options=["--", *options]), 2, "command line", "at most 400 options")
        self.assert_error(self.run_program("run", self.scene, options=["--", "-ksp_type", "cg"]), 2, "KSP cg does not support")
        self.assert_error(self.run_program("resume", None, options=["--set", "time.end=1", "--", "-ksp_type", "cg"]), 2, "KSP cg does not support")
        self.assertEqual(self.contents(), before)

    def test_files_that_no_run_wrote_are_kept(self):
        """`--out .` once replaced the user's own scene."""
        for name, words in (("scene.yaml", []), ("scene.yaml", ["--overwrite"]), ("history.csv", [])):
            folder = self.folder / "own"
            folder.mkdir(exist_ok=True)
            (folder / name).write_text("# mine\n" + (pathlib.Path(self.scene).read_text() if name == "scene.yaml" else ""))
            before = self.contents("own")
            for ranks in (1, 2):
                outcome = Outcome(*execute(["traction", "run", self.scene, "--out", folder, *words], ranks, 120, self.folder), folder)
                self.assert_error(outcome, 2, name, "was not written by a run", "choose another --out")
                self.assertEqual(self.contents("own"), before)
            (folder / name).unlink()
        for _ in range(2):  # a run may replace an earlier one's results
            self.simulate(self.scene, sets={"time.end": 3e-3}, out="own")

    def test_tables_that_are_not_curves_are_kept(self):
        """A user's table of materials once became one of curves."""
        for command, names in ((["material", self.scene], ("materials.csv", "relaxation.csv", "cyclic.csv", "materials.png")), (["damping"], ("damping.csv", "damping.png")),
                               (["modes", self.scene, "--count", "1"], ("modes.csv", "modes.png"))):
            for name in names:
                with self.subTest(command=command[0], name=name):
                    folder = self.folder / f"folder_of_{name}"
                    folder.mkdir()
                    (folder / name).write_text("rubber,3e5\n")
                    outcome = Outcome(*execute(["traction", *command, "--out", folder], 1, 120, self.folder), folder)
                    self.assert_error(outcome, 2, f"{folder}/{name}: was not written", "would replace", "choose another --out, or move the file away")
                    self.assertEqual({path.name: path.read_text() for path in folder.iterdir()}, {name: "rubber,3e5\n"})
        for _ in range(2):  # a command replaces its own files, and leaves others alone
            code, _, errors = execute(["traction", "material", self.scene, "--out", self.folder / "curves"], 1, 120, self.folder)
            self.assertEqual(code, 0, errors)
            (self.folder / "curves" / "notes.csv").write_text("mine\n")
        self.assertEqual((self.folder / "curves" / "notes.csv").read_text(), "mine\n")

    def test_files_with_the_names_of_results_are_kept_where_no_run_was(self):
        for name in ("run.json", "summary.csv", "fields_000003.hdf", "fields.hdf", "contacts.hdf.series", "fields_mesh.h5", "contact_surfaces_000000.hdf", "checkpoints/step_00000007.h5", "fields_of_barley.zip.part"):
            folder = self.folder / "strange"
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("[1]\n")
            before = self.contents("strange")
            for words in ([], ["--overwrite"]):
                with self.subTest(name=name, words=words):
                    outcome = Outcome(*execute(["traction", "run", self.scene, "--out", folder, *words], 1, 120, self.folder), folder)
                    self.assert_error(outcome, 2, f"{folder}/{name}: was not written by a run", "choose another --out")
                    self.assertEqual(self.contents("strange"), before)
            if name.endswith(".hdf"):
                outcome = Outcome(*execute(["traction", "modes", self.scene, "--count", "1", "--out", folder], 1, 120, self.folder), folder)
                self.assert_error(outcome, 2, f"{folder}/{name}: was not written with modes", "choose another --out")
                self.assertEqual(self.contents("strange"), before)
            shutil.rmtree(folder)
        # A folder of checkpoints of another program does not make a table the history of a run.
        folder = self.folder / "learning"
        (folder / "checkpoints").mkdir(parents=True)
        (folder / "history.csv").write_text("epoch,loss\n1,0.5\n")
        outcome = Outcome(*execute(["traction", "run", self.scene, "--out", folder], 1, 120, self.folder), folder)
        self.assert_error(outcome, 2, "history.csv: was not written by a run")
        # A run that was killed as it began has a history and an empty folder of checkpoints; modes have frames.
        (folder / "history.csv").write_text("step,time,dt,newton_iterations\n")
        (folder / "notes.txt").write_text("mine\n")
        self.simulate(self.scene, sets={"time.end": 3e-3}, out="learning")
        self.assertEqual((folder / "notes.txt").read_text(), "mine\n")
        for command in (["modes", self.scene, "--count", "1"], ["modes", self.scene, "--count", "1"], ["run", self.scene, "--set", "time.end=3e-3"]):
            code, _, errors = execute(["traction", *command, "--out", self.folder / "both"], 1, 120, self.folder)
            self.assertEqual(code, 0, errors)

    def test_a_rehearsal_changes_no_bit(self):
        sets = {"solver.reproducible": "true"}
        plain = self.simulate(self.scene, sets=sets, out="plain")
        self.simulate(self.scene, sets={**sets, "time.end": 1e-3})
        again = self.simulate(self.scene, sets=sets)   # over results, so that its first step is rehearsed
        self.assertEqual((plain.directory / "history.csv").read_bytes(), (again.directory / "history.csv").read_bytes())

    def test_modes_spare_the_results_of_a_run(self):
        self.simulate(self.scene, sets={"time.end": 3e-3, "output.every": 1e-3})
        before = self.contents()
        for ranks in (1, 2):
            code, _, errors = execute(["traction", "modes", self.scene, "--out", self.folder / "out", "--count", "2"], ranks, folder=self.folder)
            self.assertEqual(code, 2, errors)
            self.assertIn("holds the results of a run; choose another --out", errors)
            self.assertEqual(self.contents(), before)
        for _ in range(2):   # over older modes
            code, _, errors = execute(["traction", "modes", self.scene, "--count", "2"], folder=self.folder)
            self.assertEqual(code, 0, errors)
        self.assertTrue((self.folder / "traction_modes" / "modes.csv").exists())

    def test_folders_that_cannot_be_made_are_found_out_at_once(self):
        for place in ("checkpoints", "history.csv"):
            with self.subTest(place=place):
                out = self.folder / place.replace(".", "_")
                out.mkdir()
                if place == "checkpoints":
                    (out / place).write_text("in the way")
                else:
                    (out / place).mkdir()
                (out / "run.json").write_text('{"status": "done"}')
                (out / "scene.yaml").write_text("# Written by traction: every setting of the scene, with defaults and overrides.\n")
                outcome = self.run_program("run", self.scene, out=out.name)
                self.assertEqual(outcome.code, 4, outcome.errors)
                self.assertIn(place, outcome.error_lines()[0])
                self.assertEqual((out / "run.json").read_text(), '{"status": "done"}')

    def test_a_checkpoint_of_another_version_is_named_and_kept(self):
        self.simulate(self.scene, sets={"time.end": 3e-3, "output.checkpoint_every": "{steps: 1}", "output.keep_checkpoints": 3})
        newest = sorted((self.folder / "out" / "checkpoints").iterdir())[-1]
        good = newest.read_bytes()
        newer = good.replace(b"traction checkpoint 5", b"traction checkpoint 9", 1)
        newest.write_bytes(newer)
        before = self.contents()
        for ranks in (1, 2):
            outcome = self.run_program("resume", None, sets={"time.end": 5e-3}, ranks=ranks)
            self.assert_error(outcome, 2, newest.name, "another version of Traction (format 9", "resume with that version")
            self.assertNotIn("damaged", outcome.errors)
            self.assertEqual(self.contents(), before)
        newest.write_bytes(newer[:-1])   # and damaged
        outcome = self.resume(sets={"time.end": 5e-3})
        self.assertIn("trying the previous checkpoint", outcome.errors)

    def test_folders_with_colons(self):
        """What stands before a colon is no name of a file system."""
        for ranks in (1, 2):
            outcome = self.run_program("run", BLOCK_SCENE, ranks=ranks, out=f"a b:{ranks}", sets={"time.end": 3e-3, "output.every": 1e-3})
            self.assertEqual(outcome.code, 0, outcome.errors)
            self.assertTrue(any((self.folder / f"a b:{ranks}" / "checkpoints").iterdir()))

    def test_frames_more_often_than_steps(self):
        self.simulate(self.scene, sets={"time.end": 5e-3, "output.every": 1e-30})
        self.assertEqual(len(list((self.folder / "out").glob("fields_0*.hdf"))), 6)
        self.resume(sets={"time.end": 8e-3})
        self.assertEqual(len(list((self.folder / "out").glob("fields_0*.hdf"))), 9)


class Numbers(BlockTest):
    """Settings so large or small that numbers end: no run ends well with what is no number in its history, none hangs."""

    def test_no_history_holds_what_is_no_number(self):
        itself = "{vertices: block, against: block.surface, thickness: 1e-3, surface: {interpolation: 1e-200}, exclusion_ring: 2}"
        rings = itself.replace(", surface: {interpolation: 1e-200}", "").replace("exclusion_ring: 2", "geometry: smooth_surface, exclusion_ring: 100000")
        friction = "{dynamic: 0.5, tolerance: 1e-2, coupling: lagged, passes: 2147483647}"
        for sets, code, words in (({"contacts.landing": "{vertices: block.bottom, against: floor, thickness: 1e-308}"}, 2, "the thickness of 1e-308 m is below the rounding of positions"),
                                  ({"contacts.landing": "{vertices: block.bottom, against: floor, thickness: 1e-12, pressure: 1e300}"}, 2, "contacts.landing.pressure: '1e300' is too large to be computed with"),
                                  ({"contacts.landing.stiffness": 1e70}, 3, "the last good state is in"),
                                  ({"gravity": "[0, 0, -1e70]"}, 3, "the last good state is in"),
                                  ({"gravity": "[0, 0, -1e300]"}, 2, "gravity.2: '-1e300' is too large to be computed with"),
                                  ({"bodies.block.initial.velocity": "[1e160, 0, 0]"}, 2, "velocity.0: '1e160' is too large to be computed with"),
                                  ({"bodies.block.loads": "{push: {force: [0, 0, 1e160]}}"}, 2, "force.2: '1e160' is too large to be computed with"),
                                  ({"surfaces.floor.motion": "{velocity: [0, 1e160, 0]}"}, 2, "velocity.1: '1e160' is too large to be computed with"),
                                  ({"contacts.landing": itself}, 2, "interpolation"), ({"contacts.landing": rings}, 2, "exclusion_ring"),
                                  ({"contacts.landing.friction": friction}, 2, "passes")):
            with self.subTest(sets=sets):
                outcome = self.run_program("run", self.scene, sets=sets, out="numbers", options=["--overwrite"])
                self.assertEqual(outcome.code, code, outcome.errors)
                self.assertIn(words, outcome.error_lines()[0])
                for name, column in outcome.history.items():
                    if name != "min_gap":
                        self.assertTrue(numpy.all(numpy.isfinite(column)), name)

    def test_rings_beyond_the_whole_surface(self):
        itself = "{vertices: block, against: block.surface, geometry: smooth_surface, thickness: 1e-3, exclusion_ring: 1000}"
        self.simulate(self.scene, sets={"contacts.landing": itself, "time.end": 2e-3})

    def test_little_memory(self):
        for gigabytes in (0.3, 0.45, 0.5, 0.55):
            with self.subTest(gigabytes=gigabytes):
                limit = int(gigabytes * 2**30)
                process = start(["traction", "run", self.scene, "--out", self.folder / "little", "--overwrite"], 1, self.folder,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                _, errors = process.communicate(timeout=120)
                self.assertIn(process.returncode, (0, 3, 4), errors)
                self.assertNotIn("bad_alloc", errors)
                if process.returncode == 4:
                    self.assertEqual(errors.count("error:"), 1, errors)
                    self.assertIn("traction: error: memory ran out on rank 0: ", errors)
                    self.assertIn("'traction check --estimate' prints what a run needs", errors)
        self.assertEqual(process.returncode, 4)   # 0.55 GB are too little


class FullDisks(BlockTest):
    """On a file system of its own, which takes the right to mount one."""

    def small_disk(self, name, kilobytes):
        disk = self.folder / f"disk_{name}"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", disk], capture_output=True).returncode != 0:
            self.skipTest("mounting a file system is not allowed here")
        self.addCleanup(subprocess.run, ["umount", disk], capture_output=True)
        return disk

    def test_a_disk_with_little_room(self):
        for kilobytes, files in itertools.product((4, 8, 12, 16, 20, 24, 32, 64, 100, 300), ("one_per_frame", "one")):
            disk = self.small_disk(f"{kilobytes}_{files}", kilobytes)
            with self.subTest(kilobytes=kilobytes, files=files):
                words = ["traction", "run", self.scene, "--out", disk / "out", "--set", "output.every=1e-3", "--set", "output.checkpoint_every={steps: 1}",
                         "--set", f"output.files={files}", "--set", "output.contacts=true"]
                code, _, errors = execute(words, folder=self.folder)
                self.assertEqual(code, 4, errors)
                self.assertRegex(errors, r"No space left on device|cannot write|cannot make")
                self.assertEqual(len([line for line in errors.splitlines() if line.startswith("traction: error:")]), 1, errors)
                self.assertEqual(list(disk.rglob("*.undo")), [])
                for stem in ("fields", "contacts"):
                    for index in range(len(Series(disk / "out", stem)) if Series.exists(disk / "out", stem) else 0):
                        with Series(disk / "out", stem).frame(index) as (frame, _):
                            self.assertTrue(numpy.isfinite(frame["Points"]).all())

    def test_a_run_continues_that_filled_the_disk_before_its_first_checkpoint(self):
        for files, ranks in itertools.product(("one_per_frame", "one"), (1, 2)):
            sets = {"output.every": 1e-3, "output.contacts": "true", "solver.reproducible": "true", "output.files": files}
            whole = self.simulate(self.scene, sets=sets, ranks=ranks, out=f"whole_{files}_{ranks}")
            frames = len(Series(whole.directory, "fields"))
            for kilobytes in (700, 900) if files == "one_per_frame" else (900, 1000):
                with self.subTest(files=files, ranks=ranks, kilobytes=kilobytes):
                    self.fill_and_continue(whole, frames, sets, ranks, self.small_disk(f"{kilobytes}_{files}_{ranks}", kilobytes))

    def fill_and_continue(self, whole, frames, sets, ranks, disk):
        outcome = self.run_program("run", self.scene, sets=sets, ranks=ranks, out=f"{disk.name}/out")
        self.assertEqual(outcome.code, 4, outcome.errors)
        self.assertEqual(len(outcome.error_lines()), 1, outcome.errors)
        self.assertRegex(outcome.error_lines()[0], r"the state after step \d+ is in .*checkpoints/step_0\d+\.h5: (make room|remove the cause), and continue with: traction resume")
        self.assertEqual(outcome.report["status"], "interrupted")
        self.assertEqual(list(disk.rglob("*.part")), [])
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        self.resume(ranks=ranks, out=f"{disk.name}/out")
        self.assertEqual((disk / "out" / "history.csv").read_bytes(), (whole.directory / "history.csv").read_bytes())
        for stem in ("fields", "contacts"):
            self.assertEqual(len(Series(disk / "out", stem)), frames)
        for index in range(frames):
            with Series(disk / "out", "fields").frame(index) as (frame, _), Series(whole.directory, "fields").frame(index) as (expected, _):
                self.assertTrue((frame["Points"][:] == expected["Points"][:]).all())

    def test_output_that_will_not_fit_is_warned_of_before_the_first_step(self):
        for files, more in (("one_per_frame", ", compression: 1"), ("one", "")):
            process = start(["traction", "run", self.scene, "--out", f"huge_{files}", "--set", "time.step=1e-9", "--set", "time.end=900", "--set", "output.every=1e-9",
                             "--set", f"output.files={files}"], 1, self.folder)
            lines = []
            try:
                while not lines or "fit on the disk" not in lines[-1]:
                    lines.append(process.stderr.readline())
                    self.assertTrue(lines[-1], lines)
            finally:
                process.kill()
                process.communicate()
            text = f"that will not fit on the disk; write less (output.every, output.fields, output.keep_checkpoints), or output: {{precision: single{more}}}"
            self.assertTrue(lines[-1].rstrip().endswith(f"warning: {text}"), lines[-1])

    def test_output_that_cannot_be_written(self):
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("this system has no /dev/full")
        for words in (["check", self.scene], ["schema"], ["--help"]):
            program = pathlib.Path(os.environ["TRACTION_BUILD"]) / "traction"
            with open("/dev/full", "w") as full:
                done = subprocess.run([program, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(done.returncode, 4, done.stderr)
            errors = [line for line in done.stderr.splitlines() if "error:" in line]
            self.assertEqual(len(errors), 1, done.stderr)
            self.assertIn("standard output: cannot write", errors[0])


if __name__ == "__main__":
    unittest.main()
