"""jobs/run --sweep: the cases of a sweep are run, each once, and their quantities are those of closed forms; also as an array of Slurm."""

import csv
import os
import pathlib
import subprocess
import sys
import unittest

from traction_runs import ENVIRONMENT, JOBS, BlockTest

sys.path.insert(0, str(JOBS))
from run_sweep import SweepFault, cases_of, read_sweep, split_values  # noqa: E402

# A block that falls freely: z = z0 + v t - g t^2 / 2.
FALL = """\
time: {step: 0.01, end: 0.1, integrator: trapezoidal}
gravity: [0, 0, -9.81]
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}}
    initial: {velocity: [0, 0, 0]}
"""
SWEEP = ("--sweep", "gravity=[0, 0, -1], [0, 0, -2]", "--sweep", "bodies.block.initial.velocity.2=0,0.5,1")


class Values(unittest.TestCase):
    def test_commas_in_brackets_and_quotes_belong_to_a_value(self):
        self.assertEqual(split_values("1,2.5,1e-3"), ["1", "2.5", "1e-3"])
        self.assertEqual(split_values("[0, 0, -1], {a: 1, b: [2, 3]}, 'x, y'"), ["[0, 0, -1]", "{a: 1, b: [2, 3]}", "'x, y'"])

    def test_all_combinations(self):
        cases = cases_of([read_sweep("a.b=1,2"), read_sweep("c=x,y,z")])
        self.assertEqual(len(cases), 6)
        self.assertEqual((cases[0], cases[1], cases[5]), ({"a.b": "1", "c": "x"}, {"a.b": "1", "c": "y"}, {"a.b": "2", "c": "z"}))

    def test_mistakes(self):
        for text in ("a.b", "a.b=", "a.b=1,,2", "=1,2", "a.b=1,1"):
            with self.subTest(text), self.assertRaises(SweepFault):
                read_sweep(text)
        with self.assertRaises(SweepFault):
            cases_of([("a", ["1"]), ("a", ["2"])])


class Sweeps(BlockTest):
    cells = (1, 1, 1)

    def setUp(self):
        super().setUp()
        self.scene = self.write("fall.yaml", FALL)
        self.out = self.folder / "sweep"

    def sweep(self, *options, code=0, script=("run_sweep.py",)):
        words = ["/usr/bin/python3", JOBS / script[0], self.scene, "--out", self.out, *options]
        return self.execute(words, code)

    def execute(self, words, code=0, **environment):
        program = pathlib.Path(os.environ["TRACTION_BUILD"]) / "traction"
        done = subprocess.run(list(map(str, words)), env={**ENVIRONMENT, **os.environ, "TRACTION": str(program), **environment}, capture_output=True, encoding="utf-8", timeout=300, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def rows(self):
        with open(self.out / "sweep.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def check_fall(self, rows):
        self.assertEqual(len(rows), 6)
        for row, (g, v) in zip(rows, [(g, v) for g in (1, 2) for v in (0, 0.5, 1)]):
            self.assertEqual(row["status"], "done")
            self.assertEqual((row["gravity"], row["bodies.block.initial.velocity.2"]), (f"[0, 0, -{g}]", f"{v:g}"))
            self.assertAlmostEqual(float(row["block.z"]), 0.05 + 0.1 * v - g * 0.005, delta=1e-6)
            self.assertAlmostEqual(float(row["max:block.vz"]), v - 0.01 * g, delta=1e-6)   # after the first step, where it is greatest

    def test_table_plot_and_a_second_call(self):
        quantities = ("--quantity", "block.z", "--quantity", "max:block.vz")
        self.sweep(*SWEEP, *quantities, "--jobs", "2")
        self.check_fall(self.rows())
        self.assertGreater((self.out / "sweep.png").stat().st_size, 5000)
        self.assertEqual(sum(1 for path in self.out.glob("*/run.json")), 6)
        # An interrupted sweep continues with what is missing.
        first = (self.out / "001" / "run.json").stat().st_mtime_ns
        (self.out / "004" / "run.json").unlink()
        self.sweep(*SWEEP, *quantities)
        self.check_fall(self.rows())
        self.assertEqual((self.out / "001" / "run.json").stat().st_mtime_ns, first)
        # Another sweep does not go into its folder, and a mistake in one case keeps all from running.
        self.assertIn("a sweep of other settings", self.sweep("--sweep", "time.end=0.1,0.2", code=2).stderr)
        self.assertIn("no column", self.sweep(*SWEEP, "--quantity", "ball.z", "--collect", code=2).stderr)
        # Nor do cases of a scene that was edited since go beside those of the scene before; the table of the latter can still be made.
        mesh = (self.folder / "block.msh").read_text()
        self.write("block.msh", mesh + "\n")
        self.assertIn("block.msh: changed since this sweep began", self.sweep(*SWEEP, *quantities, code=2).stderr)
        self.write("block.msh", mesh)
        self.write("fall.yaml", FALL.replace("1e5", "2e5"))
        self.assertIn("fall.yaml: changed since this sweep began", self.sweep(*SWEEP, *quantities, code=2).stderr)
        self.sweep(*SWEEP, *quantities, "--collect")
        self.check_fall(self.rows())

    def test_further_values_add_cases(self):
        quantities = ("--quantity", "block.z")
        self.sweep("--sweep", "gravity=[0, 0, -1]", "--sweep", "bodies.block.initial.velocity.2=0,0.5", *quantities)
        first = (self.out / "001" / "run.json").stat().st_mtime_ns
        self.sweep("--sweep", "gravity=[0, 0, -2]", "--sweep", "bodies.block.initial.velocity.2=0", *quantities)
        self.assertEqual((self.out / "001" / "run.json").stat().st_mtime_ns, first)
        rows = self.rows()
        self.assertEqual([row["status"] for row in rows], ["done"] * 3)
        for row, (g, v) in zip(rows, ((1, 0), (1, 0.5), (2, 0)), strict=True):
            self.assertAlmostEqual(float(row["block.z"]), 0.05 + 0.1 * v - g * 0.005, delta=1e-6)
        # A mesh that further cases have does not belong to those before.
        self.write("other.msh", (self.folder / "block.msh").read_text() + "\n")
        self.sweep("--sweep", "bodies.block.mesh=block.msh", *quantities, "--overwrite")
        self.assertEqual(sum(1 for path in self.out.glob("*/run.json")), 1)
        self.sweep("--sweep", "bodies.block.mesh=other.msh", *quantities)
        self.assertEqual([row["status"] for row in self.rows()], ["done"] * 2)

    def test_a_misspelt_quantity_ends_a_sweep_after_its_first_case(self):
        errors = self.sweep(*SWEEP, "--quantity", "ball.z", "--jobs", "1", code=2).stderr
        self.assertIn("no column", errors)
        self.assertIn("not run again", errors)
        self.assertLess(sum(1 for path in self.out.glob("*/run.json")), 6)

    def test_means_are_over_time(self):
        """The mean of v = -g t over ten short steps and two long ones, each step counted with the speed at its end."""
        self.write("fall.yaml", FALL.replace("step: 0.01", "step: [{from: 0, step: 2e-3}, {from: 0.02, step: 0.04}]"))
        self.sweep("--sweep", "gravity=[0, 0, -1],[0, 0, -2]", "--quantity", "mean:block.vz")
        times = [(2e-3, 2e-3 * k) for k in range(1, 11)] + [(0.04, 0.06), (0.04, 0.1)]
        mean = sum(step * time for step, time in times) / 0.1
        for g, row in enumerate(self.rows(), 1):
            self.assertAlmostEqual(float(row["mean:block.vz"]), -g * mean, delta=1e-8)

    def test_a_case_that_is_refused_keeps_all_from_running(self):
        errors = self.sweep("--sweep", "time.step=0.01,fast", code=2).stderr
        self.assertIn("time.step=fast is refused; nothing was run", errors)
        self.assertIn("time.step", errors.splitlines()[0])
        self.assertFalse(self.out.exists())

    def test_array_of_slurm(self):
        """Each task runs its case; here by hand, as Slurm would."""
        done = self.sweep(*SWEEP, "--slurm", "--jobs", "3", "--ranks", "2")
        script = self.out / "sweep.sbatch"
        self.assertIn(f"sbatch {script}", done.stdout)
        text = script.read_text()
        self.assertIn("#SBATCH --array=1-6%3\n", text)
        self.assertIn("#SBATCH --ntasks=2\n", text)
        for task in (2, 6):
            self.execute(["bash", script], SLURM_ARRAY_TASK_ID=str(task), LAUNCH="mpirun --bind-to none --oversubscribe")
        self.sweep(*SWEEP, "--quantity", "block.z", "--ranks", "2", "--collect")
        rows = self.rows()
        self.assertEqual([row["status"] for row in rows], ["not finished", "done", "not finished", "not finished", "not finished", "done"])
        self.assertAlmostEqual(float(rows[5]["block.z"]), 0.05 + 0.1 - 0.01, delta=1e-6)

    def test_the_command_of_jobs_refuses_what_does_not_fit(self):
        for words, expected in ((("block_slide", "--jobs", "2"), "belongs to a sweep"), ((self.scene,), "jobs/run takes one for --sweep alone"), (("block_slide", "--sweep", "a=1", "--study"), "give one"),
                                (("nothing", "--sweep", "a=1"), "No job")):
            with self.subTest(words):
                self.assertIn(expected, self.execute([JOBS / "run", *words], 2).stderr)


if __name__ == "__main__":
    unittest.main()
