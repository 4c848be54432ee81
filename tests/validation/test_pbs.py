"""The PBS batch scripts of jobs/, with stand-ins for PBS's commands: this shows what jobs/batch does, not what a real PBS would."""

import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from traction_runs import ENVIRONMENT, JOBS, Outcome, RunTest, settings

SCENES = sorted(path.parent for path in JOBS.glob("*/scene.yaml") if not (path.parent / "run").exists())
STEPS = 2010
AGAIN = "-W depend=afterany:1.server job.pbs"
SAVE = "mkdir -p out/checkpoints; touch out/checkpoints/step_00000001.h5"
SLIDE = {"time.step.1.step": 5e-3, "time.end": 10.2, "output": "{log_every: 500}"}


class Pbs(RunTest):
    """Has a copy of jobs/block_slide in its folder, whose job.pbs works in out, and stand-ins for qstat (a job of WALLTIME) and qsub (keeps its arguments)."""

    def setUp(self):
        super().setUp()
        self.job = self.folder / "jobs" / "block_slide"
        shutil.copytree(JOBS / "block_slide", self.job, ignore=shutil.ignore_patterns("out*"))
        (self.folder / "jobs" / "batch").symlink_to(JOBS / "batch")
        self.write("nodes", "localhost\nlocalhost\n")
        self.stand_in("qsub", f'echo "$@" >> {self.folder}/submitted; echo 2.server')
        self.walltime("01:00:00")

    def stand_in(self, name, text):
        path = self.write(f"bin/{name}", f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)
        return path

    def walltime(self, hours_minutes_seconds):
        self.stand_in("qstat", f'[ "$*" = "-f 1.server" ] && echo "    Resource_List.walltime = {hours_minutes_seconds}"')

    def start(self, options):
        """Runs job.pbs as PBS does: a copy of it, elsewhere."""
        text = (self.job / "job.pbs").read_text()
        self.assertIn("\nexec ../batch", text)
        words = " ".join(f"'{word}'" for word in options)
        script = self.write("spool/1.server.SC", re.sub(r"\nexec ../batch.*", f"\nexec ../batch {words}", text))
        environment = {**ENVIRONMENT, **os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "PBS_JOBID": "1.server",
                       "PBS_O_WORKDIR": str(self.job), "PBS_NODEFILE": str(self.folder / "nodes"), "OMPI_MCA_hwloc_base_binding_policy": "none"}   # the cores may be busy with other tests
        environment = {name: value for name, value in environment.items() if not name.startswith("SLURM_")}
        return subprocess.Popen(["bash", script], cwd=self.folder, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run_job(self, options=(), code=0):
        return self.finish(self.start(options), code)

    def finish(self, process, code):
        output, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, code, output)
        return Outcome(code, output, output, self.job / "out")

    def submitted(self):
        path = self.folder / "submitted"
        return path.read_text().splitlines() if path.exists() else []

    def launcher(self, text):
        """Instead of mpirun: partitions nothing, and runs TEXT instead of the simulation."""
        return ["--launch", self.stand_in("launcher", f'[ "$3" != traction-partition ] || exit 0\n{text}')]

    def test_every_scene_has_a_job(self):
        for job in SCENES:
            with self.subTest(job=job.name):
                subprocess.run(["bash", "-n", job / "job.pbs"], check=True)
                name = re.search(r"^#PBS -N (\w+)$", (job / "job.pbs").read_text(), re.MULTILINE).group(1)
                self.assertLessEqual(len(name), 15)   # what older versions of PBS take

    def test_a_run_in_two_jobs(self):
        history = self.job / "out" / "history.csv"
        simulation = settings(SLIDE)
        process = self.start(simulation)
        deadline = time.monotonic() + 60
        while not history.is_file() or len(history.read_text().splitlines()) < 20:
            self.assertLess(time.monotonic(), deadline, "the history does not grow")
            time.sleep(0.05)
        process.send_signal(signal.SIGUSR1)
        first = self.finish(process, 138)
        self.assertEqual(self.submitted(), [AGAIN])
        second = self.run_job(simulation)
        self.assertIn(f"going on from {self.job}/out/checkpoints/step_{len(first.history['step']):08d}.h5", second.output)
        self.assertEqual(list(second.history["step"]), list(range(1, STEPS + 1)))
        self.assertEqual(second.report["ranks"], 2)
        self.assertIn("nothing to do", self.run_job(simulation).output)
        self.assertEqual(self.submitted(), [AGAIN])

    def test_warning_before_the_end(self):
        """Two minutes before the walltime is over, here after one second."""
        self.walltime("00:02:01")
        launcher = self.launcher(f"trap '{SAVE}; exit 138' USR1; for i in {{1..300}}; do sleep 0.1; done")
        self.assertIn("queued again", self.run_job(launcher, 138).output)
        self.assertEqual(self.submitted(), [AGAIN])

    def test_which_ends_are_queued_again(self):
        cases = {"killed before it saved": ("exit 138", 138, False), "cancelled": (f"{SAVE}; exit 143", 143, False), "bad input": (f"{SAVE}; exit 2", 2, False),
                 "gave up": (f"{SAVE}; exit 3", 3, False), "disk full": (f"{SAVE}; exit 4", 4, False), "time is up": (f"{SAVE}; exit 138", 138, True),
                 "ended late, after a warning": (f"trap '' USR1; kill -USR1 $PPID; {SAVE}; sleep 0.5; exit 143", 143, True)}
        for name, (text, code, again) in cases.items():
            with self.subTest(end=name):
                shutil.rmtree(self.job / "out", ignore_errors=True)
                (self.folder / "submitted").unlink(missing_ok=True)
                self.run_job(self.launcher(text), code)
                self.assertEqual(self.submitted(), [AGAIN] if again else [])


if __name__ == "__main__":
    unittest.main()
