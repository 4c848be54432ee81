"""Signals that ask a run to end: it stops between two iterations, saves its state, and a resumed run ends as the one that nothing has happened to."""

import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from traction_runs import BlockTest, box_text, start

# Most of a step is Newton's iterations, so that most signals come while a step is solved, not between steps.
SHORT_STEPS = {"solver.reproducible": "true", "time.step": 2e-4}
# So many that no step of the landing block ends while a test waits.
ENDLESS_STEP = {"contacts.landing.friction": "{dynamic: 0.5, tolerance: 1e-2, coupling: lagged, passes: 1000}", "bodies.block.initial.translate": "[0, 0, 5e-4]",
                "time.step": 1e-4}
# A tolerance that rounding does not let the search for equilibrium meet: it takes all of its 1,000 steps.
ENDLESS_SEARCH = {"bodies.block.initial.equilibrium": "true", "bodies.block.initial.velocity": "[0, 0, 0]", "bodies.block.initial.angular_velocity": "[0, 0, 0]",
                  "contacts.landing.friction": "{dynamic: 0.5, tolerance: 1e-2, coupling: lagged, passes: 1000}", "solver.tolerance": "1e-14"}


class Signals(BlockTest):
    def begin(self, sets, ranks=1, out="out", **arguments):
        words = ["run", self.scene, "--out", self.folder / out, *(word for key, value in sets.items() for word in ("--set", f"{key}={value}"))]
        return start(["traction", *words], ranks, self.folder, **arguments)

    def wait_for(self, what, condition, process, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertIsNone(process.poll(), f"it ended before {what}")
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def rows(self, out="out"):
        path = self.folder / out / "history.csv"
        return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else -1

    def status(self, out="out"):
        return json.loads((self.folder / out / "run.json").read_text())["status"]

    def runs(self, out="out"):
        """Whether the run has begun its first step."""
        return (self.folder / out / "run.json").exists()

    def test_every_signal_that_asks_for_an_end_saves_the_state(self):
        for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU):
            with self.subTest(signal=number.name):
                process = self.begin(SHORT_STEPS, out=number.name)
                self.wait_for("rows", lambda: self.rows(number.name) > 1, process)
                process.send_signal(number)
                _, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 128 + number, errors)
                self.assertIn(f"stopped by signal {int(number)} after step {self.rows(number.name)}; continue with: traction resume", errors)
                self.assertEqual(self.status(number.name), "interrupted")
                self.assertEqual(len(list((self.folder / number.name / "checkpoints").glob("step_*.h5"))), 1)
                self.assertFalse((self.folder / number.name / "run.lock").exists())

    def test_a_step_that_takes_long_is_left_at_its_start(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                out = f"long_{ranks}"
                process = self.begin(ENDLESS_STEP, ranks, out)
                self.wait_for("the first step", lambda: self.runs(out), process)
                time.sleep(0.5)
                rows = self.rows(out)
                process.send_signal(signal.SIGUSR1)   # which mpirun hands on
                _, errors = process.communicate(timeout=60)
                self.assertIn("stopped by signal 10", errors)
                self.assertLessEqual(self.rows(out), rows + 1)
                self.assertEqual(self.status(out), "interrupted")

    def test_the_search_for_equilibrium_is_left(self):
        self.write("block.msh", box_text((8, 6, 6), (0.12, 0.1, 0.1)))
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                out = f"search_{ranks}"
                process = self.begin(ENDLESS_SEARCH, ranks, out)
                while "contact 'landing': thickness" not in process.stderr.readline():   # the last lines before the search
                    self.assertIsNone(process.poll())
                process.send_signal(signal.SIGUSR1)
                _, errors = process.communicate(timeout=60)
                self.assertIn("stopped by signal 10 in the search for equilibrium at the start, before the first step: nothing has been saved; start the run again", errors)
                self.assertNotEqual(process.returncode, 0)
                if ranks == 1:
                    self.assertEqual(process.returncode, 128 + signal.SIGUSR1)
                self.assertEqual(self.rows(out), -1)
                self.assertFalse((self.folder / out / "run.lock").exists())
                self.simulate(self.scene, sets={"time.end": 2e-3}, out=out, ranks=ranks)

    def test_an_interrupted_step_leaves_no_trace(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                whole = self.simulate(self.scene, sets=SHORT_STEPS, out=f"whole_{ranks}", ranks=ranks)
                out, code, signals = f"parts_{ranks}", None, 0
                process = self.begin(SHORT_STEPS, ranks, out)
                while True:
                    before = self.rows(out)
                    if signals < 4:
                        self.wait_for("a row", lambda: self.rows(out) > max(before, 30 + 20 * signals), process)
                        process.send_signal(signal.SIGUSR1)
                        signals += 1
                    _, errors = process.communicate(timeout=120)
                    code = process.returncode
                    if "stopped by signal" not in errors:
                        break
                    process = start(["traction", "resume", self.folder / out], ranks, self.folder)
                self.assertEqual(code, 0, errors)
                self.assertEqual((self.folder / out / "history.csv").read_bytes(), (whole.directory / "history.csv").read_bytes())

    def test_more_signals_while_it_saves(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number.name):
                out = f"again_{number.name}"
                process = self.begin({"output.checkpoint_every": "{steps: 1}"}, out=out)
                self.wait_for("rows", lambda: self.rows(out) > 2, process)
                while process.poll() is None:
                    process.send_signal(number)
                    time.sleep(0.0005)
                _, errors = process.communicate(timeout=60)
                self.assertIn(process.returncode, (128 + number, -number), errors)   # the last ones may come when MPI has ended
                self.assertIn("stopped by signal", errors)
                self.assertEqual(self.status(out), "interrupted")
                self.resume(out=out)

    def test_a_log_that_nobody_reads_any_more(self):
        process = self.begin({"output.log_every": 1})
        process.stderr.readline()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=120), 0)
        process.stdout.close()
        self.assertEqual(self.status(), "done")

    def test_a_signal_that_was_ignored_at_the_start_stays_ignored(self):
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)   # as nohup does
        process = self.begin({}, preexec_fn=ignore)
        self.wait_for("rows", lambda: self.rows() > 1, process)
        process.send_signal(signal.SIGHUP)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)

    def test_mpirun_that_is_told_twice_leaves_nobody(self):
        process = self.begin(ENDLESS_STEP, 2)
        self.wait_for("the first step", self.runs, process)
        ranks = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        self.assertEqual(len(ranks), 2)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        deadline = time.monotonic() + 60
        while left := [rank for rank in ranks if pathlib.Path(f"/proc/{rank}").exists()]:
            self.assertLess(time.monotonic(), deadline, f"{left} are still there\n{errors}")
            time.sleep(0.1)
        # mpirun kills at the second signal, so that the state may be lost; the folder is free.
        self.simulate(self.scene, sets={"time.end": 2e-3}, options=["--overwrite"])

    def test_commands_that_save_nothing_end_at_once(self):
        """With the signal's own effect, and none of PETSc's stacks; ignored signals stay ignored."""
        self.write("block.msh", box_text((16, 12, 12), (0.12, 0.1, 0.1)))
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGXCPU):
            with self.subTest(signal=number.name):
                process = start(["traction", "check", self.scene, "--estimate"], 1, self.folder)
                while "contact 'landing': thickness" not in process.stderr.readline():
                    self.assertIsNone(process.poll())
                process.send_signal(number)
                output, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, -number, errors)
                self.assertNotIn("PETSC", output + errors)
        process = start(["traction", "check", self.scene, "--estimate"], 1, self.folder, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while "contact 'landing': thickness" not in process.stderr.readline():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGHUP)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)

    def test_a_script_of_gmsh_that_does_not_end(self):
        self.write("endless.geo", 'SetFactory("Built-in");\nFor i In {0:1000000000}\n  a = i;\nEndFor\n')
        self.scene = self.write("scene.yaml", self.scene.read_text().replace("block.msh", "endless.geo"))
        for command in ("run", "check"):
            with self.subTest(command=command):
                self.end_with_its_script(self.begin({}) if command == "run" else start(["traction", "check", self.scene], 1, self.folder))

    def end_with_its_script(self, process):
        gmsh = lambda: subprocess.run(["pgrep", "-P", str(process.pid), "gmsh"], capture_output=True, text=True).stdout.split()
        found = []
        self.wait_for("Gmsh", lambda: found or found.extend(gmsh()) or found, process)
        child = found[0]
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
        self.assertIn("stopped by signal 15 while gmsh ran", errors)
        self.assertFalse(pathlib.Path(f"/proc/{child}").exists())
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
