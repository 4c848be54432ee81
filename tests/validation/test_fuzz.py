"""Damaged scenes, meshes, partitions and checkpoints end with exit code 0, 2 or 4 and a message: never in a crash, never in a hang, never with a wrong result.

Every case follows from its number. By default some hundred are run; TRACTION_FUZZ_SEEDS=0-9999 runs ten thousand, TRACTION_FUZZ_SEEDS=1234-1234 one again, and
TRACTION_FUZZ_KEEP=FOLDER keeps the files of cases that fail.
"""

import collections
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time
import unittest


from traction_runs import BLOCK_SCENE, Hung, RunTest, box_text, execute

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import mutate  # noqa: E402
import originals  # noqa: E402

SEEDS = os.environ.get("TRACTION_FUZZ_SEEDS", "0-399")
WHOLE_EVERY = 8        # one in so many cases is a run of the program; the others are checked by check_inputs, which does what `traction check` does
LEAKS = ("MPI_ABORT", "MPI_Abort", "PETSC ERROR", "HDF5-DIAG", "terminate called", "Segmentation", "Process received signal", "AddressSanitizer", "runtime error")
# And few iterations: a body of 1e26 Pa would take 60 of 2000 each, nine times over, before the solver gives up.
ONE_STEP = [word for setting in ("time.step=1e-3", "time.end=1e-3", "time.maximum_halvings=1", "solver.maximum_iterations=5", "solver.maximum_linear_iterations=50") for word in ("--set", setting)]
MOTION = [f"block.{name}" for name in ("x", "y", "z", "vx", "vy", "vz")]
SOLVER_GAVE_UP = 3     # a sound answer to a body of 1e300 Pa, but only where something is solved


def is_text(path):
    return b"\0" not in path.read_bytes() and not path.name.startswith(("binary", "appended", "packed")) and path.suffix != ".h5"


class Fuzz(RunTest):
    def setUp(self):
        super().setUp()
        self.originals = self.folder / "originals"
        originals.write(self.originals)
        self.outcomes = collections.Counter()
        self.failures = []

    def damaged(self, chance, source, target):
        """Writes a damaged copy of a file."""
        if source.suffix == ".h5" and chance.random() < 0.4:
            if source != target:
                shutil.copy(source, target)
            mutate.mutate_hdf5(chance, target)
        else:
            target.write_bytes(mutate.mutate(chance, source.read_bytes(), is_text(source)))

    # --- Read in one process after the other

    def scene_with(self, name, mesh):
        scene = originals.MESH_SCENE if pathlib.Path(name).suffix not in (".stl", ".obj") else originals.SURFACE_SCENE
        if name in ("binary.vtu", "appended.vtu", "packed.vtu"):   # whose regions are numbers
            scene = scene.replace("solid: {solid:", "solid: {1:").replace("surface: surface", "surface: 3").replace("block.bottom", "block.2")
        return scene.replace("MESH", mesh)

    def prepare_check(self, seed):
        """Writes the files of a case into the folder of the originals; returns those it wrote, the scene first."""
        chance = random.Random(seed)
        folder = self.originals
        scene = folder / f"case_{seed}.yaml"
        kind = chance.random()
        if kind < 0.35:
            self.damaged(chance, folder / chance.choice(["contacts.yaml", "contacts.yaml", "shell.yaml", "plain.yaml"]), scene)
            return [scene]
        if kind < 0.9:
            name = chance.choice(originals.MESHES + originals.SURFACES)
            file = folder / f"mesh_{seed}{pathlib.Path(name).suffix}"
            self.damaged(chance, folder / name, file)
            scene.write_text(self.scene_with(name, file.name))
        else:
            file = folder / f"parts_{seed}.h5"
            self.damaged(chance, folder / "plain.partition.h5", file)
            scene.write_text((folder / "plain.yaml").read_text() + f"partition: {{file: {file.name}}}\n")
        return [scene, file]

    def check(self, seeds):
        """Batches, so that few files exist at a time."""
        program = pathlib.Path(os.environ["TRACTION_BUILD"]) / "tests" / "check_inputs"
        for first in range(0, len(seeds), 500):
            files = {seed: self.prepare_check(seed) for seed in seeds[first: first + 500]}
            done = subprocess.run([program], input="".join(f"{paths[0]}\n" for paths in files.values()).encode(), capture_output=True)
            answers = [line.split("\t") for line in done.stdout.decode(errors="replace").split("\n")]
            answers = {path: (code, message) for code, path, message in (line for line in answers if len(line) == 3)}
            for seed, paths in files.items():
                code, message = answers.get(str(paths[0]), ("no answer", done.stderr.decode(errors="replace")[-500:]))
                good = code == "0" or (code in ("2", "4") and message)
                self.count(f"check, {code}", good, seed, paths, f"{paths[-1].name}: {code} {message}")
                for path in paths:
                    path.unlink(missing_ok=True)

    def count(self, outcome, good, seed, paths, what):
        self.outcomes[outcome] += 1
        if good:
            return
        self.failures.append(f"case {seed}: {what}")
        if "TRACTION_FUZZ_KEEP" in os.environ:
            kept = pathlib.Path(os.environ["TRACTION_FUZZ_KEEP"]) / f"case_{seed}"
            kept.mkdir(parents=True, exist_ok=True)
            for path in paths:
                shutil.copytree(path, kept, dirs_exist_ok=True) if path.is_dir() else shutil.copy(path, kept)

    # --- Run by the program

    def prepare_run(self):
        """A run of three steps, with the checkpoints of two of them, and what it comes to after the fourth."""
        self.write("block.msh", box_text((1, 1, 2), (0.12, 0.1, 0.1)))
        self.scene = self.write("scene.yaml", BLOCK_SCENE.replace("0.012]", "0.0005]"))   # touches the floor soon
        sets = {"output.every": 1e-3, "output.checkpoint_every": 1e-9, "time.end": 3e-3}
        self.simulate(self.scene, sets=sets, out="base")
        self.reference = self.simulate(self.scene, sets={**sets, "time.end": 4e-3}, out="whole").last_row()
        self.assertGreater(self.reference["contacts"], 0)
        for scene, parts in ((self.scene, 2), (self.originals / "plain.yaml", 2)):
            code, _, errors = execute(["traction-partition", scene, "--parts", parts], folder=self.folder)
            self.assertEqual(code, 0, errors)

    def program_case(self, seed):
        """(name, words, ranks, files, whether the result must be the reference's, codes that are good)."""
        chance = random.Random(seed)
        case = self.folder / f"case_{seed}"
        case.mkdir()
        ranks = 2 if chance.random() < 0.2 else 1
        kind = chance.choice(["scene", "mesh", "partition", "checkpoint", "checkpoint", "results", "traction-partition"])
        if kind in ("checkpoint", "results"):
            out = shutil.copytree(self.folder / "base", case / "out")
            checkpoints = sorted((out / "checkpoints").iterdir())
            others = [path for path in out.iterdir() if path.suffix in (".yaml", ".csv", ".json", ".series", ".h5")]
            victim = chance.choice(checkpoints[-1:] * 3 + checkpoints[:1]) if kind == "checkpoint" else chance.choice(sorted(others))
            self.damaged(chance, victim, victim)
            return kind, ["traction", "resume", out, "--set", "time.step=1e-3", "--set", "time.end=4e-3"], ranks, case, kind == "checkpoint", (0, 2, 4, SOLVER_GAVE_UP)
        if kind == "partition":
            ranks = chance.choice([1, 2])
            self.damaged(chance, self.folder / "scene.partition.h5", case / "parts.h5")
            words = ["traction", "run", self.scene, "--out", case / "out", "--set", "time.end=4e-3", "--set", f"partition.file={case / 'parts.h5'}"]
            return kind, words, ranks, case, True, (0, 2, 4)
        for path in self.originals.iterdir():
            if path.suffix in (".msh", ".stl"):
                (case / path.name).symlink_to(path)
        scene = case / "scene.yaml"
        if kind == "scene":
            self.damaged(chance, self.originals / chance.choice(["contacts.yaml", "shell.yaml", "plain.yaml"]), scene)
        else:
            name = chance.choice(originals.MESHES + originals.SURFACES)
            mesh = case / f"damaged{pathlib.Path(name).suffix}"
            self.damaged(chance, self.originals / name, mesh)
            scene.write_text(self.scene_with(name, mesh.name))
        if kind == "traction-partition":
            return kind, ["traction-partition", scene, "--parts", "2", "--out", case / "parts.h5"], ranks, case, False, (0, 2, 4)
        return kind, ["traction", "run", scene, "--out", case / "out", *ONE_STEP], ranks, case, False, (0, 2, 4, SOLVER_GAVE_UP)

    def run_case(self, seed):
        for seconds in (30, 300):   # the second time in case that the machine had other things to do
            kind, words, ranks, case, same, codes = self.program_case(seed)
            try:
                code, output, errors = execute(words, ranks, seconds, case)
                problem = self.problem(code, output, errors, codes) or (code == 0 and self.wrong_result(case / "out", same))
                break
            except Hung as hung:
                code, problem, errors = "hang", "hangs", str(hung)
                if seconds == 30:
                    shutil.rmtree(case, ignore_errors=True)
        self.count(f"{kind}, {code}", not problem, seed, [case], f"{kind} on {ranks} ranks: {problem}: {errors[-700:] if problem else ''}")
        shutil.rmtree(case, ignore_errors=True)

    @staticmethod
    def problem(code, output, errors, codes):
        if code not in codes:
            return f"exit code {code}"
        found = [leak for leak in LEAKS if leak in output + errors]
        if found:
            return f"shows {found[0]}"
        if code != 0 and not any(line.startswith("traction: error: ") and len(line) > 20 for line in errors.splitlines()):
            return f"exit code {code} without a message"
        return None

    def wrong_result(self, out, same):
        """Not a number in the history of a run that went well, or where the damage must not change the result another one."""
        if not (out / "history.csv").is_file():
            return None
        header, *rows = [line.split(",") for line in (out / "history.csv").read_text().splitlines()]
        if not rows:
            return "no rows in the history"
        last = {name: float(cell) for name, cell in zip(header, rows[-1])}
        wild = [name for name, value in last.items() if not math.isfinite(value) and not (name == "min_gap" and value == math.inf)]
        if wild:
            return f"{wild[0]} is {last[wild[0]]}"
        if same:
            try:
                self.assertEqual(last["step"], self.reference["step"])
                self.assert_rows_agree(self.reference, last, 1e-8, MOTION)
            except AssertionError as difference:
                return f"the result is another one: {difference}"
        return None

    def test_damaged_files(self):
        self.prepare_run()
        first, last = map(int, SEEDS.split("-"))
        seeds = range(first, last + 1)
        start = time.monotonic()
        self.check([seed for seed in seeds if seed % WHOLE_EVERY])
        middle = time.monotonic()
        for seed in seeds:
            if seed % WHOLE_EVERY == 0:
                self.run_case(seed)
        print(json.dumps(dict(sorted(self.outcomes.items())), indent=2), f"\n{middle - start:.0f} s and {time.monotonic() - middle:.0f} s", file=sys.stderr)
        self.assertFalse(self.failures, "\n".join([f"{len(self.failures)} of {len(seeds)} cases fail", *self.failures[:200]]))


if __name__ == "__main__":
    unittest.main()
