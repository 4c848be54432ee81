"""The batch scripts of jobs/ on a real Slurm: they run, continue by themselves when their time is over, and end when they should."""

import contextlib
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

import numpy

from slurm_cluster import SlurmCluster, children_of, why_not
from traction_runs import ENVIRONMENT, JOBS, Outcome, RunTest, settings, stem

SCENES = sorted(path.parent for path in JOBS.glob("*/scene.yaml") if not (path.parent / "run").exists())   # scaling is a program of its own
ENDS = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE")
# jobs/block_slide for a part of its way: ten steps of 0.02 s and 2000 of 5 ms, in a few seconds.
STEPS = 2010
SLIDE = {"time.step.1.step": 5e-3, "time.end": 10.2, "solver.tolerance": 1e-9, "output": "{log_every: 500}"}
COSTS = ("newton_iterations", "linear_iterations", "eliminations", "residual")   # depend on the age of the preconditioner, which a continued run builds again
MPIRUN = ("--launch", "mpirun --bind-to none")                   # the cores may be busy with other tests


@unittest.skipIf(why_not(), why_not())
class Slurm(RunTest):
    @classmethod
    def setUpClass(cls):
        cls.cluster = SlurmCluster({**ENVIRONMENT, **os.environ})
        cls.addClassCleanup(cls.cluster.stop)

    def submit(self, *options, out="out", ranks=2, slurm=(), **sets):
        """The number of a new job of block_slide, which works in self.folder/OUT and writes to self.folder/OUT.log."""
        words = ["sbatch", "--parsable", f"--ntasks={ranks}", f"--output={self.folder / out}.log", *slurm, "job.sbatch", "--out", self.folder / out, *options]
        job = self.cluster.command(*words, *settings({**SLIDE, **sets}), folder=JOBS / "block_slide").strip()
        self.addCleanup(self.cluster.command, "scancel", "--quiet", job)
        return job

    def show(self, job):
        return dict(re.findall(r"(\w+)=(\S*)", self.cluster.command("scontrol", "--oneliner", "show", "job", job)))

    def wait_for(self, what, condition, seconds=500, out="out"):
        deadline = time.monotonic() + seconds
        while not condition():
            log = self.folder / f"{out}.log"
            self.assertLess(time.monotonic(), deadline, f"waited {seconds} s for {what}\n{log.read_text() if log.is_file() else 'no log'}\n{self.cluster.logs()}")
            time.sleep(0.1)

    def finish(self, job, state, exit_code, restarts, out="out"):
        """Waits for the end of a job; the outcome of its run. `restarts` is the number of times that it was queued again, or a range."""
        self.wait_for(f"the end of job {job}", lambda: self.show(job)["JobState"] in ENDS, out=out)
        log, shown = (self.folder / f"{out}.log").read_text(), self.show(job)
        self.assertEqual((shown["JobState"], shown["ExitCode"]), (state, exit_code), log)
        self.assertIn(int(shown["Restarts"]), restarts if isinstance(restarts, range) else [restarts], log)
        return Outcome(int(exit_code.partition(":")[0]), log, log, self.folder / out)

    def wait_for_rows(self, rows, out="out"):
        history = self.folder / out / "history.csv"
        self.wait_for(f"{rows} steps", lambda: history.is_file() and len(history.read_text().splitlines()) > rows, out=out)

    def ranks_of(self, out="out"):
        """Process ids of the ranks that work in a folder."""
        ranks = []
        for process in children_of(os.getpid()):
            try:
                words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            except OSError:   # it has ended
                continue
            if words[0].endswith(b"traction") and str(self.folder / out).encode() in words:
                ranks.append(process)
        return ranks

    def assert_same_history(self, whole, parts):
        self.assertEqual(list(parts.history["step"]), list(range(1, STEPS + 1)))
        self.assertEqual(set(whole.history), set(parts.history))
        for name, column in whole.history.items():
            if name not in COSTS:
                scale = max(numpy.abs(whole.history[other]).max() for other in whole.history if stem(other) == stem(name))   # for the whole vector
                # The solver's error is 1e-9 m/s of 0.1 m/s. In a step of 5 ms that is 5e-12 m, over which the weight of 1e4 N works on the elastic energy of 0.02 J,
                # and on the remainder of the energy account.
                tolerance = 1e-5 if name in ("elastic_energy", "energy_numerical") else 1e-8
                self.assertLessEqual(numpy.abs(column - parts.history[name]).max(), tolerance * scale, name)

    def test_every_scene_has_a_job_that_slurm_accepts(self):
        for job in SCENES:
            with self.subTest(job=job.name):
                subprocess.run(["bash", "-n", job / "job.sbatch"], check=True)
                self.cluster.command("sbatch", "--test-only", "--ntasks=2", "job.sbatch", folder=job)
                self.assertIn("#SBATCH --signal=B:USR1@120\n", (job / "job.sbatch").read_text())

    def test_time_is_up(self):
        """A job that is stopped by its time limit on its way, queued again and finished, has the results of an uninterrupted job."""
        whole = self.finish(self.submit(out="whole"), "COMPLETED", "0:0", 0, out="whole")
        self.assertEqual(len(whole.history["step"]), STEPS)
        self.assertIn("written: ", whole.output)   # the partition
        self.assertEqual(whole.report["ranks"], 2)

        # The warning comes 15 to 45 s after the start: Slurm looks every 30 s, and is early rather than late.
        job = self.submit(slurm=("--time=1", "--signal=B:USR1@15"))
        self.wait_for_rows(20)
        with self.held():
            pass
        parts = self.finish(job, "COMPLETED", "0:0", range(1, 9))
        self.assertRegex(parts.output, r"stopped by signal 10 after step \d+")
        self.assertRegex(parts.output, r"batch: time is up: queued again")
        self.assertRegex(parts.output, r"batch: going on from .*step_\d+\.h5")
        self.assertEqual(parts.output.count("written: "), 1, "partitioned more than once")
        self.assert_same_history(whole, parts)

    @contextlib.contextmanager
    def held(self):
        """However fast the machine is: the ranks stand still, until each of them was sent SIGUSR1."""
        ranks = self.ranks_of()
        self.assertEqual(len(ranks), 2)
        for rank in ranks:
            os.kill(rank, signal.SIGSTOP)
        yield
        self.wait_for("a warning", lambda: all(self.is_pending(signal.SIGUSR1, rank) for rank in ranks))
        for rank in ranks:
            os.kill(rank, signal.SIGCONT)

    def is_pending(self, number, process):
        pending = re.search(r"^ShdPnd:\s*(\w+)", pathlib.Path(f"/proc/{process}/status").read_text(), re.MULTILINE).group(1)
        return bool(int(pending, 16) >> (number - 1) & 1)

    def test_a_sweep_is_an_array(self):
        """Its tasks run the cases, and their friction decides how far block_slide's block came."""
        words = ["/usr/bin/python3", JOBS / "run_sweep.py", JOBS / "block_slide" / "scene.yaml", "--sweep", "contacts.slide.friction.dynamic=0.1,0.2", "--quantity", "block.x", "--out", self.folder / "sweep"]
        words += [*settings({**SLIDE, "time.end": 0.5}), "--jobs", "1"]
        environment = {**ENVIRONMENT, **os.environ, "TRACTION": str(pathlib.Path(os.environ["TRACTION_BUILD"]) / "traction")}
        subprocess.run([*map(str, words), "--slurm"], check=True, env=environment, stdout=subprocess.DEVNULL)
        job = self.cluster.command("sbatch", "--parsable", self.folder / "sweep" / "sweep.sbatch").strip()
        self.addCleanup(self.cluster.command, "scancel", "--quiet", job)
        self.wait_for(f"the end of the array {job}", lambda: not self.cluster.command("squeue", "--noheader", f"--job={job}").strip())
        subprocess.run([*map(str, words), "--collect"], check=True, env=environment, stdout=subprocess.DEVNULL)
        low, high = csv.DictReader((self.folder / "sweep" / "sweep.csv").read_text().splitlines())
        self.assertEqual((low["status"], high["status"]), ("done", "done"), [path.read_text() for path in (self.folder / "sweep").glob("*.log")])
        self.assertNotEqual(low["block.x"], high["block.x"])

    def status(self, out="out"):
        return json.loads((self.folder / out / "run.json").read_text())["status"]

    def test_mpirun(self):
        job = self.submit(*MPIRUN)
        self.wait_for_rows(20)
        with self.held():
            self.cluster.command("scancel", "--batch", "--signal=USR1", job)   # what Slurm does when time is almost up
        outcome = self.finish(job, "COMPLETED", "0:0", 1)
        self.assertRegex(outcome.output, r"stopped by signal 10 after step \d+")
        self.assertEqual(list(outcome.history["step"]), list(range(1, STEPS + 1)))
        self.assertEqual(outcome.report["ranks"], 2)

    def test_cancelled(self):
        """A cancelled job is not queued again; its state is saved. Meanwhile no other job may work in its folder, and a finished run is left alone."""
        long = {"time.step.1.step": 1e-4}
        first = self.submit(ranks=1, **long)
        self.wait_for_rows(20)
        second = self.submit(ranks=1, slurm=(f"--output={self.folder}/second.log",), **long)
        refused = self.finish(second, "FAILED", "2:0", 0, out="second")
        self.assertIn(f"another job is at work in {self.folder}/out", refused.output)
        self.cluster.command("scancel", first)
        self.wait_for("the end", lambda: self.show(first)["JobState"] == "CANCELLED")
        self.wait_for("the saved state", lambda: self.status() == "interrupted", 35)
        self.assertEqual(self.show(first)["Restarts"], "0")
        self.assertIn("stopped by signal 15", (self.folder / "out.log").read_text())
        steps = len(Outcome(0, "", "", self.folder / "out").history["step"])

        resumed = self.resume(sets={"time.step": 0.02})
        self.assertGreater(len(resumed.history["step"]), steps)
        self.assertEqual(list(resumed.history["step"]), list(range(1, len(resumed.history["step"]) + 1)))
        again = self.finish(self.submit(), "COMPLETED", "0:0", 0)
        self.assertIn("is finished: nothing to do", again.output)
        numpy.testing.assert_array_equal(again.history["time"], resumed.history["time"])

    def test_failures_end_the_chain(self):
        for code, sets in ((2, {"time.end": -1}), (3, {"solver.maximum_iterations": 1, "time.maximum_halvings": 0})):
            with self.subTest(code=code):
                out = f"failed_{code}"
                outcome = self.finish(self.submit(out=out, **sets), "FAILED", f"{code}:0", 0, out=out)
                self.assertEqual(len(outcome.error_lines()), 1, outcome.output)
                self.assertIn(f"ended with exit code {code}", outcome.output)


if __name__ == "__main__":
    unittest.main()
