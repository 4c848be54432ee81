"""A run whose processes are killed at any moment continues from its last checkpoint, and ends like an undisturbed run.

TRACTION_KILLS is how many kills there are (6), TRACTION_SEED where their sequence begins (0).
"""

import _multiprocessing
import json
import os
import random
import signal
import subprocess
import time
import unittest

import numpy

import field_runs  # noqa: F401, finds postprocess
from field_frames import Series
from traction_runs import BlockTest, start

KILLS, SEED = int(os.environ.get("TRACTION_KILLS", 6)), int(os.environ.get("TRACTION_SEED", 0))
RANKS = 2
PATIENCE = 300   # seconds after which a run that takes half a second is said to hang
# Most of the time goes into files: a checkpoint, a frame and a row per step.
SETS = {"solver.reproducible": "true", "time.end": 0.06, "output.every": 1e-3, "output.contacts": "true", "output.checkpoint_every": "{steps: 1}"}


def frames(directory, stem):
    """The times and the points of the frames of a kind."""
    series, points = Series(directory, stem), []
    for index in range(len(series)):
        with series.frame(index) as (frame, _):
            points.append(frame["Points"])
    return series.times, points


class Kills(BlockTest):
    def test_no_run_is_lost(self):
        self.kill_runs(SETS)

    def test_no_frame_in_one_file_is_lost(self):
        self.kill_runs({**SETS, "output.files": "one"})

    def kill_runs(self, sets):
        whole = self.simulate(self.scene, sets=sets, out="whole", ranks=RANKS)
        expected = (whole.directory / "history.csv").read_bytes()
        self.expected = {stem: frames(whole.directory, stem) for stem in ("fields", "contacts")}
        moments = random.Random(SEED)
        kills = rounds = resumed = self.undone = 0
        while kills < KILLS:
            rounds += 1
            out = self.folder / f"round_{rounds}"
            code = None
            while code != 0:
                checkpoints = list((out / "checkpoints").glob("step_*.h5"))
                resumed += bool(checkpoints)
                words = ["resume", out] if checkpoints else ["run", self.scene, "--out", out, "--overwrite", *(f"--set={key}={value}" for key, value in sets.items())]
                code = self.interrupted(["traction", *words], out / "history.csv", self.moment(moments) if kills < KILLS else None, moments.random() < 0.5)
                kills += code != 0
                self.assert_readable(out)
            self.assertEqual((out / "history.csv").read_bytes(), expected)
            for stem, (expected_times, expected_points) in self.expected.items():
                times, points = frames(out, stem)
                self.assertEqual(times, expected_times)
                for ours, theirs in zip(points, expected_points):
                    numpy.testing.assert_array_equal(ours, theirs)
            self.assertEqual([*out.rglob("*.part"), *out.rglob("*.undo")], [])
        print(f"{kills} kills in {rounds} runs, {resumed} of them survived by a checkpoint, {self.undone} in the midst of a change to HDF5's own data")

    def test_semaphores_of_killed_runs_stop_nobody(self):
        """Open MPI names a semaphore of the node after each file that OMPIO opens; a killed run may leave it locked."""
        name = "/OMPIO_step_00000037.h5.part"
        locked = _multiprocessing.SemLock(1, 0, 1, name, False)   # what sem_open makes; 1: a counting semaphore, whose count is 0
        self.addCleanup(self.unlink, name)
        self.assertTrue(locked._is_zero())
        self.simulate(self.scene, sets={**SETS, "time.end": 0.037, "output.checkpoint_every": "{steps: 37}"}, out="after", ranks=RANKS)
        self.assertTrue((self.folder / "after" / "checkpoints" / "step_00000037.h5").exists())
        self.assertTrue(locked._is_zero())

    @staticmethod
    def unlink(name):
        try:
            _multiprocessing.sem_unlink(name)
        except FileNotFoundError:
            pass

    @staticmethod
    def moment(moments):
        """(how many rows the history is to grow by, seconds after that): most are spread over the writing of a few steps, some over the start."""
        return (0, moments.uniform(0, 1)) if moments.random() < 0.2 else (moments.randint(1, 12), moments.uniform(0, 0.05))

    def interrupted(self, command, history, moment, one_rank):
        """0, or 1 if it was killed then."""
        rows = lambda: history.read_bytes().count(b"\n") if history.exists() else 0
        process = start(command, RANKS, self.folder)
        if moment:
            known, deadline = 1 if "run" in command else rows(), time.monotonic() + PATIENCE
            while process.poll() is None and rows() < known + moment[0]:
                self.assertLess(time.monotonic(), deadline, "hangs")
                time.sleep(0.002)
        try:
            output, errors = process.communicate(timeout=moment[1] if moment else PATIENCE)
            self.assertEqual(process.returncode, 0, errors)
            return 0
        except subprocess.TimeoutExpired:
            self.assertTrue(moment, "hangs")
        ranks = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        for victim in ranks[:1] if one_rank and ranks else [*ranks, str(process.pid)]:
            try:
                os.kill(int(victim), signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.communicate(timeout=60)   # mpirun ends the other ranks when one dies
        deadline = time.monotonic() + 30
        while any(os.path.exists(f"/proc/{rank}") for rank in ranks) and time.monotonic() < deadline:
            time.sleep(0.01)
        return 0 if process.returncode == 0 else 1   # it may have ended just before

    def assert_readable(self, out):
        """Every frame that is listed is whole, and no finished one is missing."""
        for stem, (expected_times, expected_points) in self.expected.items():
            if (out / f"{stem}.hdf.undo").exists():
                self.undone += 1
            elif Series.exists(out, stem):
                times, points = frames(out, stem)
                self.assertEqual(times, expected_times[: len(times)])
                for ours, theirs in zip(points, expected_points):
                    numpy.testing.assert_array_equal(ours, theirs)
                rows = (out / "history.csv").read_bytes().count(b"\n") - 1 if (out / "history.csv").exists() else 0
                self.assertGreaterEqual(len(times), rows)   # the frames of a step follow its row
        if (out / "run.json").exists():
            json.loads((out / "run.json").read_text())


if __name__ == "__main__":
    unittest.main()
