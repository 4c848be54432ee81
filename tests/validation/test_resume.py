"""A run in two parts is the same as one in a single part, also after the solver gave up."""

import json
import shutil
import signal
import time
import unittest

import h5py
import numpy

from traction_runs import BlockTest, ShortRunTest, TallBlockTest, box_text, start

END, HALF = 0.03, 0.014
MOTION = ["time", *(f"block.{name}" for name in ("x", "y", "z", "vx", "vy", "vz"))]


class Resume(BlockTest):
    def whole(self, **sets):
        whole = self.simulate(self.scene, sets=sets, out="whole")
        touching = numpy.nonzero(whole.history["contacts"])[0]
        self.assertTrue(len(touching) and whole.history["time"][touching[0]] < HALF, "the block does not land in the first half")
        return whole

    def assert_continuous(self, outcome, times=None):
        steps, moments = outcome.history["step"], outcome.history["time"]
        self.assertEqual(list(steps), list(range(1, len(steps) + 1)))
        self.assertTrue(numpy.all(numpy.diff(moments) > 0))
        self.assertAlmostEqual(moments[-1], END, delta=1e-15)
        if times is not None:
            numpy.testing.assert_allclose(moments, times, rtol=1e-12)

    def test_same_rank_count(self):
        for integrator in ("bdf2", "sdirk2"):
            with self.subTest(integrator=integrator):
                whole = self.whole(**{"time.integrator": integrator})
                self.simulate(self.scene, sets={"time.integrator": integrator, "time.end": HALF}, out=integrator)
                parts = self.resume(sets={"time.end": END}, out=integrator)
                self.assert_continuous(parts, whole.history["time"])
                self.assert_rows_agree(whole.last_row(), parts.last_row(), 1e-10, MOTION + ["elastic_energy", "contacts", "kappa"])

    def test_reproducible_runs_are_the_same_to_the_last_bit(self):
        """Each twice, and once interrupted where no other run has a checkpoint."""
        for ranks, preconditioner in ((1, "mumps"), (1, "mumps_single"), (2, "mumps_single"), (2, "hypre"), (2, "block_jacobi"), (4, "asm_ilu")):
            with self.subTest(ranks=ranks, preconditioner=preconditioner):
                sets = {"solver.reproducible": "true", "solver.preconditioner": preconditioner}
                first = self.simulate(self.scene, sets=sets, out="first", ranks=ranks)
                second = self.simulate(self.scene, sets={"output.checkpoint_every": "{steps: 7}", "output.keep_checkpoints": 9, **sets}, out="second", ranks=ranks)
                whole = (first.directory / "history.csv").read_bytes()
                self.assertEqual(whole, (second.directory / "history.csv").read_bytes())
                for checkpoint in (second.directory / "checkpoints").iterdir():
                    if int(checkpoint.stem[5:]) > 14:
                        checkpoint.unlink()
                again = self.resume(out="second", ranks=ranks)
                self.assertEqual(whole, (again.directory / "history.csv").read_bytes())

    def test_a_reproducible_run_that_is_continued_to_a_later_end_is_the_unbroken_one(self):
        """To the last bit, halved steps and frames between steps included, because no step's length depends on the end."""
        for ranks, sets in ((1, {}), (2, {}), (1, {"time.error_tolerance": 1e-6}), (1, {"output.every": 0.0023}), (1, {"time.step": 7e-4, "time.end": 0.021})):
            with self.subTest(ranks=ranks, **sets):
                sets = {"solver.reproducible": "true", "time.end": END, **sets}
                whole = self.simulate(self.scene, sets=sets, out="whole", ranks=ranks)
                if "time.error_tolerance" in sets:
                    steps = numpy.diff(whole.history["time"])
                    self.assertLess(steps.min(), 0.6 * steps.max())
                self.simulate(self.scene, sets={**sets, "time.end": HALF}, out="parts", ranks=ranks)
                parts = self.resume(sets={"time.end": sets["time.end"]}, out="parts", ranks=ranks)
                self.assertEqual((whole.directory / "history.csv").read_bytes(), (parts.directory / "history.csv").read_bytes())

    def test_what_cannot_be_reproducible_is_refused(self):
        for ranks, preconditioner in ((1, "ml"), (2, "gamg"), (2, "mumps")):
            outcome = self.run_program("run", self.scene, sets={"solver.reproducible": "true", "solver.preconditioner": preconditioner}, ranks=ranks)
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn("solver.reproducible", outcome.error_lines()[0])

    def test_other_rank_counts(self):
        for integrator in ("bdf2", "sdirk2"):
            whole = self.whole(**{"time.integrator": integrator})
            for ranks in (1, 2):
                self.simulate(self.scene, sets={"time.integrator": integrator, "time.end": HALF}, out=f"half_{ranks}", ranks=ranks)
            for ranks in ((1, 2), (2, 1), (2, 4)):
                with self.subTest(integrator=integrator, ranks=ranks):
                    name = f"{integrator}_{ranks}"
                    shutil.copytree(self.folder / f"half_{ranks[0]}", self.folder / name)
                    parts = self.resume(sets={"time.end": END}, out=name, ranks=ranks[1])
                    self.assertEqual(parts.report["ranks"], ranks[1])
                    self.assert_continuous(parts, whole.history["time"])
                    self.assert_rows_agree(whole.last_row(), parts.last_row(), 1e-8, MOTION)

    def test_frames_continue(self):
        output = {"output.every": 2e-3}
        whole, first = (self.simulate(self.scene, sets={"time.end": end, **output}, out=name) for name, end in (("whole", END), ("parts", HALF)))
        self.assertEqual(self.frame_times(first)[-1], HALF)
        parts = self.resume(sets={"time.end": END}, out="parts", ranks=2)
        self.assertEqual(len(self.frame_times(parts)), 1 + round(END / 2e-3))
        numpy.testing.assert_allclose(self.frame_times(parts), self.frame_times(whole), rtol=1e-12, atol=1e-15)
        files = [path.name for path in parts.directory.glob("fields_*.hdf")]
        self.assertEqual(len(files), len(self.frame_times(parts)))

    def test_what_lacks_something_is_refused_and_left_alone(self):
        sets = {"output": "{every: 2e-3, checkpoint_every: {steps: 7}, keep_checkpoints: 9}"}
        first = self.simulate(self.scene, sets={"time.end": HALF, **sets})
        folder = first.directory
        (folder / "checkpoints" / "step_00000014.h5").unlink()   # so that there is something to cut
        contents = lambda: {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}   # noqa: E731
        history, series = folder / "history.csv", folder / "fields.hdf.series"
        rows = history.read_text().splitlines(keepends=True)
        cases = [(history, "".join(rows[:3] + rows[4:]), 2, "history.csv:4:"), (history, rows[0].replace("kappa", "kapa") + "".join(rows[1:]), 2, "history.csv:1:"),
                 (history, "".join([*rows[:3], rows[3][:-2] + ("8\n" if rows[3][-2] == "7" else "7\n"), *rows[4:]]), 2, "history.csv: was changed"),
                 (series, "", 4, "fields.hdf.series"), (series, None, 4, "fields.hdf.series")]
        for path, text, code, place in cases:
            with self.subTest(place=place, text=text):
                whole = path.read_text()
                path.unlink() if text is None else path.write_text(text)
                before = contents()
                for ranks in (1, 2):
                    outcome = self.run_program("resume", None, sets={"time.end": END}, ranks=ranks)
                    self.assertEqual(outcome.code, code, outcome.errors)
                    self.assertIn(place, outcome.error_lines()[0])
                    self.assertEqual(before, contents())
                path.write_text(whole)
        changed = self.run_program("resume", None, sets={"bodies.block.volume": "{surface: surface, model: quadratic, compressibility: 1}"})
        self.assertEqual(changed.code, 2, changed.errors)
        history.unlink()
        parts = self.resume(sets={"time.end": END})
        self.assertIn("history.csv: the rows up to step 7 are missing", parts.errors + parts.output)
        self.assertEqual(list(parts.history["step"]), list(range(8, 31)))
        numpy.testing.assert_allclose(self.frame_times(parts), numpy.arange(16) * 2e-3, rtol=1e-12, atol=1e-15)

    def test_frames_that_are_gone_are_told(self):
        first = self.simulate(self.scene, sets={"time.end": HALF, "output.every": 2e-3})
        folder = first.directory
        mesh = (folder / "fields_mesh.h5").read_bytes()
        (folder / "fields_000001.hdf").unlink()
        (folder / "fields_000003.hdf").write_bytes((folder / "fields_000003.hdf").read_bytes()[:1000])
        (folder / "fields_mesh.h5").unlink()
        for ranks in (2, 1):
            shutil.copytree(folder, self.folder / f"ranks_{ranks}")
            outcome = self.resume(sets={"time.end": END}, out=f"ranks_{ranks}", ranks=ranks)
            self.assertIn("fields_000001.hdf, fields_000003.hdf are missing or damaged", outcome.errors)
            self.assertIn("fields_mesh.h5: was missing, and is written again" if ranks == 1 else "fields_mesh.h5: is missing, and without it the first frames", outcome.errors)
        self.assertEqual(len((self.folder / "ranks_1" / "fields_mesh.h5").read_bytes()), len(mesh))
        with h5py.File(self.folder / "ranks_1" / "fields_000002.hdf") as frame:
            ends = frame["VTKHDF/Offsets"][:]
            self.assertEqual(frame["VTKHDF/Connectivity"].shape, (ends[-1],))
            self.assertLess(frame["VTKHDF/Connectivity"][:].max(), len(frame["VTKHDF/Points"]))
        series = folder / "fields.hdf.series"
        series.write_text(series.read_text()[:60])
        outcome = self.run_program("resume", None, sets={"time.end": END})
        self.assertEqual(outcome.code, 4, outcome.errors)
        for part in ("fields.hdf.series: is damaged", "restore it from a copy, or move it away together with the frames, fields_*.hdf"):
            self.assertIn(part, outcome.error_lines()[0])

    def frame_times(self, outcome):
        entries = json.loads((outcome.directory / "fields.hdf.series").read_text())["files"]
        self.assertTrue(all((outcome.directory / entry["name"]).is_file() for entry in entries))
        return [entry["time"] for entry in entries]

    def test_resume_when_there_is_nothing_left_to_do(self):
        done = self.simulate(self.scene, sets={"time.end": HALF})
        again = self.resume()
        self.assertIn(f"nothing is left to do until time.end, {HALF} s", again.errors)
        for name, column in done.history.items():
            numpy.testing.assert_array_equal(column, again.history[name])

    def test_what_changes_nothing_any_more_is_refused(self):
        """The folder stays unchanged, because its scene would otherwise have settings that no step was taken with."""
        folder = self.simulate(self.scene, sets={"time.end": HALF}).directory
        contents = lambda: {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}   # noqa: E731
        before = contents()
        for sets, words in (({"bodies.block.solid.solid.density": 2000}, ["the run has ended at time.end, 0.014 s", "--set bodies.block.solid.solid.density=2000 changes nothing"]),
                            ({"time.end": 0.01}, ["has reached t = 0.014 s, and cannot end at 0.01 s"])):
            for ranks in (1, 2):
                with self.subTest(sets=sets, ranks=ranks):
                    outcome = self.run_program("resume", None, sets=sets, ranks=ranks)
                    self.assertEqual(outcome.code, 2, outcome.errors)
                    for word in (*words, "start a new run"):
                        self.assertIn(word, outcome.error_lines()[0])
                    self.assertEqual(before, contents())
        self.resume(sets={"time.end": HALF})   # as it is already
        self.assert_continuous(self.resume(sets={"time.end": END, "bodies.block.solid.solid.density": 2000}))

    def test_run_again_starts_afresh(self):
        first = self.simulate(self.scene, sets={"output.every": 2e-3})
        second = self.simulate(self.scene, sets={"time.end": HALF})
        self.assertEqual(second.history["time"][-1], HALF)
        self.assertEqual(list(first.directory.glob("fields*")), [])
        self.assertEqual(len(list((first.directory / "checkpoints").iterdir())), 1)

    def test_after_a_signal(self):
        # Ten thousand steps, of which few are taken before the signal comes.
        for ranks, number in ((1, signal.SIGTERM), (2, signal.SIGUSR1)):
            with self.subTest(ranks=ranks, signal=number):
                out = self.folder / f"stopped_{ranks}"
                words = ["run", self.scene, "--out", out, "--set", "time.step=3e-6"]
                process = start(["traction", *words], ranks, self.folder)
                self.wait_for_rows(out / "history.csv", 5)
                process.send_signal(number)
                _, errors = process.communicate(timeout=60)
                if ranks == 1:   # mpirun has exit codes of its own
                    self.assertEqual(process.returncode, 128 + number, errors)
                self.assertIn("continue with: traction resume", errors)
                self.assertEqual(json.loads((out / "run.json").read_text())["status"], "interrupted")
                again = self.run_program("run", self.scene, out=out.name, ranks=ranks)
                self.assertEqual(again.code, 2, again.errors)
                self.assertIn("unfinished run", again.errors)
                resumed = self.resume(sets={"time.step": 1e-3}, out=out.name, ranks=ranks)
                self.assert_continuous(resumed)
                self.assertEqual(resumed.report["costs"]["total"]["steps"], len(resumed.history["step"]))
                self.simulate(self.scene, out=out.name, ranks=ranks, options=["--overwrite"])

    def wait_for_rows(self, path, rows):
        deadline = time.monotonic() + 60
        while not path.is_file() or len(path.read_text().splitlines()) <= rows:
            self.assertLess(time.monotonic(), deadline, f"{path} does not grow")
            time.sleep(0.05)

    def test_a_damaged_checkpoint_leaves_the_one_before(self):
        whole = self.whole()
        self.simulate(self.scene, sets={"time.end": HALF, "output.checkpoint_every": 1e-9})
        newest, older = sorted((self.folder / "out" / "checkpoints").iterdir(), reverse=True)
        with open(newest, "r+b") as file:
            file.truncate(newest.stat().st_size // 2)
        parts = self.resume(sets={"time.end": END})
        self.assert_continuous(parts, whole.history["time"])
        self.assert_rows_agree(whole.last_row(), parts.last_row(), 1e-10, MOTION)
        self.assertEqual(int(older.stem[5:]), round(HALF / 1e-3) - 1)

    def test_a_folder_in_place_of_a_checkpoint_is_refused(self):
        self.simulate(self.scene, sets={"time.end": HALF})
        newest = sorted((self.folder / "out/checkpoints").glob("*.h5"))[-1]
        newest.unlink()
        newest.mkdir()
        for ranks in (1, 2):
            outcome = self.run_program("resume", None, ranks=ranks)
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn(f"{newest.name}: is a folder with the name of a checkpoint", outcome.errors)

    def test_a_damaged_checkpoint_does_not_outlive_a_good_one(self):
        self.simulate(self.scene, sets={"time.end": HALF, "output.checkpoint_every": "{steps: 5}", "output.keep_checkpoints": 9})
        newest = self.folder / "out" / "checkpoints" / f"step_{round(HALF / 1e-3):08d}.h5"
        newest.write_bytes(newest.read_bytes()[:-1])
        self.resume(sets={"time.end": 0.012, "output.keep_checkpoints": 1})
        self.assertEqual([path.name for path in newest.parent.iterdir()], ["step_00000012.h5"])

    def test_a_stiffness_that_is_changed_is_stiffened_as_before(self):
        """A contact that has been stiffened by a factor keeps it when its stiffness at the start is doubled; the column counts from the new one."""
        sets = {"contacts.landing.stiffening": "multiply", "contacts.landing.stiffness": 50, "time.end": 0.02}
        first = self.simulate(self.scene, sets=sets).history
        stiffened = first["kappa"][-1] / 50
        self.assertGreater(stiffened, 2)
        self.assertGreater(first["contacts"][-1], 0)
        for base in (50, 100):
            shutil.copytree(self.folder / "out", self.folder / f"out{base}")
            parts = self.resume(sets={"contacts.landing.stiffness": base, "time.end": 0.021}, out=f"out{base}").history
            self.assertEqual(len(parts["step"]), len(first["step"]) + 1)
            self.assertAlmostEqual(parts["kappa"][-1] / (base * stiffened), 1, delta=1e-9)

    def test_checkpoints_are_ordered_by_number(self):
        """Names may have unlike numbers of digits."""
        self.simulate(self.scene, sets={"time.end": HALF, "output.checkpoint_every": 1e-9})
        folder = self.folder / "out" / "checkpoints"
        newest, older = sorted(folder.iterdir(), reverse=True)
        newest.rename(folder / "step_100000000.h5")
        older.rename(folder / "step_99999999.h5")
        self.assertIn("step_100000000.h5", self.resume(sets={"time.end": END}).errors)

    def test_checkpoints_by_steps_and_by_time(self):
        for every, expected in (("{steps: 7}", [14, 21, 28, 30]), ("{time: 0.011}", [11, 22, 30])):
            with self.subTest(every=every):
                self.simulate(self.scene, sets={"output.checkpoint_every": every, "output.keep_checkpoints": 4}, out="kept")
                self.assertEqual(sorted(int(path.stem[5:]) for path in (self.folder / "kept" / "checkpoints").iterdir()), expected)

    def test_after_the_solver_gave_up(self):
        # One iteration with a factor in double precision solves the flight of an undeformed block, not its landing.
        straight = {"bodies.block.initial.angular_velocity": "[0, 0, 0]", "solver.preconditioner": "mumps"}
        whole = self.whole(**straight)
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                out = f"gave_up_{ranks}"
                bad = {"solver.maximum_iterations": 1, "time.maximum_halvings": 0, **straight}
                outcome = self.run_program("run", self.scene, sets=bad, out=out, ranks=ranks)
                self.assertEqual(outcome.code, 3, outcome.errors)
                self.assertEqual(len(outcome.error_lines()), 1, outcome.errors)
                self.assertNotIn("MPI_ABORT", outcome.errors)
                message = outcome.error_lines()[0]
                steps = len(outcome.history["step"])
                self.assertGreater(steps, 0)
                self.assertIn(f"step {steps + 1} at t = ", message)
                saved = outcome.directory / "checkpoints" / f"step_{steps:08d}.h5"
                self.assertTrue(message.endswith(f"the last good state is in {saved}"), message)
                self.assertTrue(saved.is_file())
                self.assertEqual(outcome.report["status"], "solver gave up")
                resumed = self.resume(sets={"solver.maximum_iterations": 30, "time.maximum_halvings": 8}, out=out, ranks=ranks)
                self.assert_continuous(resumed, whole.history["time"])
                self.assert_rows_agree(whole.last_row(), resumed.last_row(), 1e-8, MOTION)


class ChangedSettings(BlockTest):
    """What --set changes for the rest of a run."""

    def test_inertia_may_go_and_come_back(self):
        self.simulate(self.scene, sets={"time.integrator": "bdf2", "time.end": 0.02})
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                out = f"out_{ranks}"
                shutil.copytree(self.folder / "out", self.folder / out)
                still = self.resume(sets={"time.inertia": "false", "time.end": 0.023}, out=out, ranks=ranks)
                for text in ("time.integrator: has no effect without inertia", "bodies.block.initial: its velocity has no effect without inertia"):
                    self.assertEqual(still.errors.count(text), 1, still.errors)
                self.assertEqual(list(still.history["kinetic_energy"][20:]), [0, 0, 0])
                again = self.resume(sets={"time.end": 0.025}, out=out, ranks=ranks)
                self.assertNotIn("has no effect", again.errors)
                self.assertEqual(again.history["kinetic_energy"][-1], 0)
                moving = self.resume(sets={"time.inertia": "true", "time.end": 0.03}, out=out, ranks=ranks)
                self.assertEqual(list(moving.history["step"]), list(range(1, 31)))
                self.assertGreater(moving.history["kinetic_energy"][-1], 0)
        refused = self.run_program("resume", None, sets={"time.inertia": "false", "time.integrator": "bdf2"})
        self.assertEqual(refused.code, 2, refused.errors)
        self.assertIn("time.integrator: without inertia there is nothing to integrate", refused.error_lines()[0])

    def test_what_changed_settings_add_is_no_numerical_error(self):
        first = self.simulate(self.scene, sets={"time.end": HALF}).last_row()
        cases = (("gravity", "[0, 0, -98.1]", 9 * first["gravity_energy"]), ("bodies.block.solid.solid.density", 3000, 2 * (first["gravity_energy"] + first["kinetic_energy"])),
                 ("time.inertia", "false", -first["kinetic_energy"]))
        for ranks, (setting, value, added) in zip((1, 2, 1), cases):
            with self.subTest(setting=setting):
                shutil.copytree(self.folder / "out", self.folder / setting)
                outcome = self.resume(sets={setting: value, "time.end": HALF + 2e-3}, out=setting, ranks=ranks)
                balance = outcome.report["energy_balance"]
                self.assertAlmostEqual(balance["changed_settings"], added, delta=1e-6 * abs(added))
                self.assertIn(f"the changed settings have {'added' if added > 0 else 'taken'} {abs(added):.3g} J at the moment", outcome.errors)
                if setting != "time.inertia":   # without it the block snaps to an equilibrium
                    self.assertNotIn("numerical errors have added", outcome.errors)
                    self.assertLess(abs(balance["numerical"] - first["energy_numerical"]), 0.05 * abs(added))
                works = sum(energy for name, energy in balance.items() if name.startswith("work_"))
                closed = balance["kinetic_at_start"] + balance["stored_at_start"] + works + added + balance["numerical"] - balance["kinetic_at_end"] - balance["stored_at_end"]
                self.assertAlmostEqual(closed, 0, delta=1e-5 * abs(added))

    def test_the_first_step_is_judged_by_the_new_settings(self):
        """The energies are the same at a new coefficient of friction, but not what friction exerts there; a single step agrees with many short ones."""
        first = self.simulate(self.scene, sets={"time.end": HALF}).last_row()
        work = {}
        for step, out in ((1e-4, "long"), (5e-6, "short")):
            shutil.copytree(self.folder / "out", self.folder / out)
            last = self.resume(sets={"contacts.landing.friction.dynamic": 0.05, "time.step": step, "time.end": HALF + 1e-4}, out=out).last_row()
            work[out] = last["work_friction"] - first["work_friction"]
        self.assertLess(work["short"], 0)
        self.assertAlmostEqual(work["long"], work["short"], delta=0.05 * abs(work["short"]))

    def test_no_motion_jumps(self):
        """Motions count from the start of the run: another speed would put what they move elsewhere at once."""
        surfaces = {"surfaces.ball": "{sphere: {center: [0, 0, -9], radius: 1}, motion: {velocity: [0, 0, 0.1]}}",
                    "surfaces.belt": "{plane: {point: [0, 0, -20], normal: [0, 0, 1]}, motion: {velocity: [0.1, 0, 0]}}"}
        sets = {"bodies.block.driven": "[{vertices: bottom, components: [z], motion: {velocity: [0, 0, 0.1]}}]", **surfaces}
        self.simulate(self.scene, sets={"time.end": HALF, **sets})
        scene = (self.folder / "out" / "scene.yaml").read_text()
        motion = "bodies.block.driven.0.motion"
        for ranks in (1, 2):
            for setting, value, name, distance in (
                    (motion, "{velocity: [0, 0, 0.3]}", "'block.bottom'", "by 0.0028 m"),   # 0.2 m/s for 14 ms
                    (motion, "{velocity: [0, 0, 0.1], start: 5e-3}", "'block.bottom'", "by 0.0005 m"),
                    ("bodies.block.fixed", "[{region: bottom, components: [x]}]", "'block.bottom'", "would jump by"),   # it has slid
                    ("surfaces.ball.motion", "{velocity: [0, 0, 0.3]}", "'ball'", "by 0.0028 m"), ("surfaces.belt.motion", "{velocity: [0, 0, 0.1]}", "'belt'", "by 0.0014 m")):
                with self.subTest(ranks=ranks, setting=setting, value=value):
                    refused = self.run_program("resume", None, sets={setting: value, "time.end": END}, ranks=ranks)
                    self.assertEqual(refused.code, 2, refused.errors)
                    self.assertEqual(len(refused.error_lines()), 1, refused.errors)
                    for words in (name, distance, "at t = 0.014 s, where the run continues", "motion: [{...}, {..., start: 0.014}], or start a new run"):
                        self.assertIn(words, refused.error_lines()[0])
                    self.assertEqual((self.folder / "out" / "scene.yaml").read_text(), scene)
        # What the message proposes, a motion that stops later, and a belt that runs faster in its own plane.
        for out, value in (("faster", "[{velocity: [0, 0, 0.1]}, {velocity: [0, 0, 0.2], start: 0.014}]"), ("stops", "{velocity: [0, 0, 0.1], stop: 0.02}")):
            shutil.copytree(self.folder / "out", self.folder / out)
            self.resume(sets={motion: value, "surfaces.belt.motion": "{velocity: [0.5, 0, 0]}", "time.end": END}, out=out)

    def test_defaults_that_follow_other_settings_follow_them_still(self):
        """The scene beside the results keeps no static coefficient that the user has not given."""
        self.simulate(self.scene, sets={"time.end": 2e-3})
        for dynamic, end in ((0.8, 3e-3), (0.2, 4e-3)):
            parts = self.resume(sets={"time.end": end, "contacts.landing.friction.dynamic": dynamic})
            self.assertNotIn("static", parts.report["scene"]["contacts"]["landing"]["friction"])
        parts = self.resume(sets={"time.end": 5e-3, "contacts.landing.friction.static": 0.3})
        self.assertEqual(parts.report["scene"]["contacts"]["landing"]["friction"]["static"], 0.3)


class Motors(ShortRunTest):
    """What motors prescribe counts from the start of the run, too."""

    SPEED, STOP, END = 0.1, 0.01, 0.02

    def scene(self, kind, motor):
        side = 0.1
        return f"""\
time: {{step: 1e-3, end: {self.STOP}}}
bodies: {{cube: {{mesh: cube.msh, rigid: {{density: 1000}}}}}}
joints: {{guide: {{kind: {kind}, between: cube, at: {[side / 2] * 3}, axis: [1, 0, 0], motor: {{{motor}}}}}}}
"""

    def setUp(self):
        super().setUp()
        self.write("cube.msh", box_text((1, 1, 1), (0.1, 0.1, 0.1)))

    def test_what_would_jump_is_refused(self):
        over = "over: [{time: 0, factor: 0}, {time: 5e-3, factor: 1}, {time: 8e-3, factor: 0.5}]"
        to_half, half = self.SPEED * (5e-3 / 2 + 3e-3 * 0.75 + 2e-3 * 0.5), 0.5   # the way of that speed, and its last factor
        cases = (("slider", f"speed: {self.SPEED}", "speed", 0.3, "0.002 m", "over: [{time: 0.01, factor: 1}"), ("hinge", f"speed: {self.SPEED}", "speed", 0.2, "0.001 rad", "over: [{time: 0.01, factor: 1}"),
                 ("slider", f"speed: {self.SPEED}, {over}", "speed", 0.2, f"{to_half:.3g} m", f"over: [..., {{time: 0.01, factor: {half}}}"), ("slider", f"displacement: 2e-3, {over}", "displacement", 4e-3, "0.001 m", "over: [..., {time: 0.01, factor: 0.5}"),
                 ("slider", "force: 2", None, f"{{speed: {self.SPEED}}}", "0.0009 m", "prescribes 0.0001"))
        for number, (kind, motor, key, value, jump, remedy) in enumerate(cases):
            self.simulate(self.scene(kind, motor), out=f"out_{number}")
            scene = (self.folder / f"out_{number}" / "scene.yaml").read_text()
            for ranks in (1, 2):
                with self.subTest(motor=motor, ranks=ranks):
                    refused = self.run_program("resume", None, sets={f"joints.guide.motor{'.' + key if key else ''}": value, "time.end": self.END}, ranks=ranks, out=f"out_{number}")
                    self.assertEqual(refused.code, 2, refused.errors)
                    self.assertEqual(len(refused.error_lines()), 1, refused.errors)
                    for words in ("joints.guide.motor", f"'guide' would jump by {jump} at t = 0.01 s, where the run continues", remedy, "or start a new run"):
                        self.assertIn(words, refused.error_lines()[0])
                    self.assertEqual((self.folder / f"out_{number}" / "scene.yaml").read_text(), scene)

    def test_what_the_refusal_proposes_and_all_else_goes_on(self):
        """A cube on a motor that doubles its speed within 2 ms; and changes that prescribe no other place."""
        over = f"[{{time: {self.STOP}, factor: 1}}, {{time: {self.STOP + 2e-3}, factor: 2}}]"
        ways = {over: self.SPEED * (self.END + (self.END - self.STOP - 2e-3) + 2e-3 / 2)}
        for out, setting, value in (("faster", "over", over), ("stiffer", "stiffness", 1e8)):
            self.simulate(self.scene("slider", f"speed: {self.SPEED}"), out=out)
            row = self.resume(sets={f"joints.guide.motor.{setting}": value, "time.end": self.END}, out=out).last_row()
            self.assertAlmostEqual(row["guide.displacement"], ways.get(value, self.SPEED * self.END), delta=1e-8)
        self.simulate(self.scene("slider", "force: 2"), out="pull")
        row = self.resume(sets={"joints.guide.motor.force": 6, "time.end": self.END}, out="pull").last_row()
        self.assertAlmostEqual(row["cube.vx"], 2 * self.STOP + 6 * (self.END - self.STOP), delta=1e-7)   # 1 kg


class ContactWeight(TallBlockTest):
    def test_counts_of_the_run_weigh_in_the_new_partition(self):
        weight = 20
        whole = self.simulate(self.scene, out="whole")
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                out = f"from_{ranks}"
                first = self.simulate(self.scene, sets={"time.end": HALF, "partition.contact_weight": weight}, out=out, ranks=ranks)
                contacts = first.history["contacts"].sum() / len(first.history["step"])
                self.assertTrue(0.5 < contacts < 0.5 * self.bottom_vertices, contacts)
                parts = self.resume(sets={"time.end": END}, out=out, ranks=2)
                elements = parts.report["partition"]["elements"]
                # Not what the whole bottom would cost.
                self.assertAlmostEqual(elements["min"] + weight * contacts, elements["max"], delta=0.1 * (self.elements + weight * contacts))
                self.assertGreater(elements["min"], (self.elements - weight * self.bottom_vertices) / 2 + weight)
                self.assert_rows_agree(whole.last_row(), parts.last_row(), 1e-8, MOTION)
                work, earlier = parts.report["costs"]["contact_work_seconds"], first.report["costs"]["contact_work_seconds"]
                for name, seconds in parts.report["contact_balance"]["seconds"].items():
                    self.assertAlmostEqual(work[name], earlier[name] + seconds, delta=3e-6)


if __name__ == "__main__":
    unittest.main()
