#!/usr/bin/python3
"""Runs a scene for all combinations of values of its settings, side by side on the machine's cores or as an array of Slurm, and puts what they found into a table and a plot.

Called by jobs/run with --sweep. Each case has a folder of its own, OUT/NNN, with the usual results. OUT/sweep.csv has a row per case: the values, how the run ended, and its
quantities: those of the job's report, or of the history. OUT/sweep.png shows the quantities over the first setting. A sweep that was interrupted continues with the cases that are
not finished, and one with further values of the same settings with those.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import itertools
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys

from run_job import SOLVER_GAVE_UP, Run, load_report

HERE = pathlib.Path(__file__).resolve().parent
BAD_INPUT = 2
MOST_PANELS = 12
REDUCTIONS = {   # functions of a column and of the lengths of the steps that end with its values
    "last": lambda values, steps: values[-1],
    "max": lambda values, steps: max(values),
    "min": lambda values, steps: min(values),
    "mean": lambda values, steps: sum(value * step for value, step in zip(values, steps)) / sum(steps) if sum(steps) > 0 else values[-1],
}


class SweepFault(Exception):
    """A mistake of the user: what it is, and what to do."""


def split_values(text):
    """The values between commas; commas in brackets and quotes belong to a value."""
    values, depth, quote, start = [], 0, "", 0
    for at, letter in enumerate(text + ","):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and depth == 0 or at == len(text):
            values.append(text[start:at].strip())
            start = at + 1
    return values


def read_sweep(text):
    """(path of the setting, its values)"""
    path, equals, values = text.partition("=")
    values = split_values(values)
    if not path or not equals or not all(values):
        raise SweepFault(f"--sweep {text}: write it as path.to.key=a,b,c, without empty values")
    if len(set(values)) < len(values):
        raise SweepFault(f"--sweep {text}: a value is listed twice; remove one")
    return path, values


def cases_of(sweeps):
    """All combinations, the last setting changing fastest: {path: value} each."""
    paths = [path for path, _ in sweeps]
    if len(set(paths)) < len(paths):
        raise SweepFault(f"--sweep names {next(path for path in paths if paths.count(path) > 1)} twice; list all of its values at once")
    return [dict(zip(paths, values)) for values in itertools.product(*(values for _, values in sweeps))]


def label(case):
    return ", ".join(f"{path}={value}" for path, value in case.items())


class Sweep:
    """A sweep in its folder, as sweep.json there describes it."""

    def __init__(self, out, plan):
        self.out, self.plan = out, plan
        self.cases = plan["cases"]

    def folder(self, number):
        return self.out / f"{number:03d}"

    def words(self, command, number):
        """The command line of the program for a case, numbered from 1."""
        settings = [f"{path}={value}" for path, value in self.cases[number - 1].items()]
        words = [os.environ["TRACTION"], command, self.plan["scene"]]
        for setting in [*self.plan["set"], *settings]:
            words += ["--set", setting]
        return words

    def is_finished(self, number):
        report = self.folder(number) / "run.json"
        try:
            return json.loads(report.read_text())["status"] in ("done", "solver gave up")
        except (OSError, ValueError, KeyError):
            return False

    def check(self):
        """Tries all cases before the first one is run."""
        for number in range(1, len(self.cases) + 1):
            done = subprocess.run(self.words("check", number), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace", stdin=subprocess.DEVNULL)
            if done.returncode:
                print(done.stderr, end="", file=sys.stderr)
                raise SweepFault(f"the case {label(self.cases[number - 1])} is refused; nothing was run")

    def run(self, number, launch):
        """Runs a case, its output in OUT/NNN.log; its exit code, 0 if it was finished before."""
        if self.is_finished(number):
            return 0
        folder = self.folder(number)
        words = [*launch, *self.words("run", number), "--out", str(folder), "--overwrite", *self.plan["petsc"]]
        with open(folder.with_name(folder.name + ".log"), "w", encoding="utf-8") as log:
            return subprocess.run(words, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL).returncode

    def run_all(self, jobs):
        """Runs the cases side by side; the first exit code that is no result."""
        # Without binding: several runs would be bound to the same cores.
        launch, worst = ["mpirun", "--bind-to", "none", "-n", str(self.plan["ranks"]), "--oversubscribe"], 0
        checked = False   # whether a case has the quantities that are asked for
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            running = {pool.submit(self.run, number, launch): number for number in range(1, len(self.cases) + 1)}
            for finished in concurrent.futures.as_completed(running):
                number, code = running[finished], finished.result()
                if code == 0 and self.plan["quantities"] and not checked:
                    self.check_quantities(number, running)
                    checked = True
                note = {0: "done", SOLVER_GAVE_UP: "the solver gave up"}.get(code, f"exit code {code}, see {self.folder(number)}.log")
                print(f"case {number} of {len(self.cases)}: {label(self.cases[number - 1])}: {note}", flush=True)
                worst = worst or (code if code not in (0, SOLVER_GAVE_UP) else 0)
        return worst

    def check_quantities(self, number, running):
        """Runs no further cases if the finished one has not the quantities that are asked for."""
        try:
            self.quantities(number)
        except SweepFault:
            for future in running:
                future.cancel()
            raise

    def quantities(self, number):
        """{name with unit: value} of a finished case."""
        run, chosen = Run(self.folder(number)), self.plan["quantities"]
        report = pathlib.Path(self.plan["scene"]).with_name("report.py")
        if not chosen and report.exists():
            rows = load_report(report.parent).summary(run)
            return {f"{quantity} [{unit}]" if unit else quantity: value for quantity, value, unit, _, _ in rows if isinstance(value, (int, float))}
        with open(run.directory / "history.csv", newline="", encoding="utf-8") as file:
            columns = next(csv.reader(file))
        found = {}
        for name in chosen or [column for column in columns if "." in column or column.endswith("_energy")]:
            reduction, _, column = name.rpartition(":")
            if (reduction and reduction not in REDUCTIONS) or column not in columns:
                raise SweepFault(f"--quantity {name} is no column of the history, nor one behind {':, '.join(REDUCTIONS)}:; columns are {', '.join(columns)}. "
                                 "Repeat the command with one of these: cases that are finished are not run again")
            found[name] = REDUCTIONS[reduction or "last"](*run.columns(column, "dt"))
        return found

    def collect(self):
        """Writes sweep.csv and sweep.png of the cases that are finished."""
        rows = []
        for number, case in enumerate(self.cases, 1):
            row = {"case": number} | case
            if self.is_finished(number):
                report = json.loads((self.folder(number) / "run.json").read_text())
                row |= {"status": report["status"], "seconds": report["costs"]["total"]["seconds"]} | self.quantities(number)
            else:
                row["status"] = "not finished"
            rows.append(row)
        names = list(dict.fromkeys(name for row in rows for name in row))
        with open(self.out / "sweep.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows([f"{row[name]:.9g}" if isinstance(row.get(name), float) else row.get(name, "") for name in names] for row in rows)
        known = {"case", "status", "seconds", *self.cases[0]}
        self.plot(rows, [name for name in names if name not in known])
        return rows

    def plot(self, rows, quantities):
        """A panel for each quantity that differs between the cases, over the first setting; a line for each combination of the others."""
        finished = [row for row in rows if row["status"] != "not finished"]
        differing = [name for name in quantities if len({row.get(name) for row in finished}) > 1][:MOST_PANELS]
        if not differing:
            return
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        path, *others = self.cases[0]
        places = [number(case[path]) for case in self.cases]
        words = list(dict.fromkeys(case[path] for case in self.cases))
        is_number = all(place is not None for place in places)
        columns = min(3, len(differing))
        figure, panels = pyplot.subplots(math.ceil(len(differing) / columns), columns, figsize=(4.5 * columns, 3.2 * math.ceil(len(differing) / columns)), squeeze=False, constrained_layout=True)
        for panel, name in itertools.zip_longest(panels.flat, differing):
            if name is None:
                panel.axis("off")
                continue
            lines = {}
            for row in finished:
                if name in row:
                    place = number(row[path]) if is_number else words.index(row[path])
                    lines.setdefault(", ".join(f"{other}={row[other]}" for other in others), []).append((place, row[name]))
            for text, points in lines.items():
                panel.plot(*zip(*sorted(points)), "o-", linewidth=1.2, markersize=4, label=text or None)
            panel.set(xlabel=path, ylabel=name)
            if not is_number:
                panel.set_xticks(range(len(words)), words)
            if others:
                panel.legend(frameon=False, fontsize=7)
        figure.savefig(self.out / "sweep.png", dpi=130)
        pyplot.close(figure)

    def write_array(self, jobs):
        """The script of an array of Slurm, a task for each case, `jobs` of them at a time at most; its path."""
        script = self.out / "sweep.sbatch"
        run = f"{shlex.quote(str(HERE / 'run_sweep.py'))} --out {shlex.quote(str(self.out))}"
        script.write_text("\n".join([
            "#!/bin/bash",
            f"#SBATCH --job-name={pathlib.Path(self.plan['scene']).parent.name}_sweep",
            f"#SBATCH --array=1-{len(self.cases)}%{jobs}",
            f"#SBATCH --ntasks={self.plan['ranks']}",
            "#SBATCH --time=01:00:00",
            f"#SBATCH --output={self.out}/%a.slurm.log",
            "# A task runs one case. When all have ended, `--collect` makes the table and the plot.",
            f"export TRACTION={shlex.quote(os.environ['TRACTION'])} OMP_NUM_THREADS=1",
            f"exec /usr/bin/python3 {run} --case \"$SLURM_ARRAY_TASK_ID\" --launch \"${{LAUNCH:-srun --mpi=pmix}}\"", ""]), encoding="utf-8")
        return script


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def files_of(scene, texts):
    """{name: checksum} of the files beside the scene that these texts name, such as meshes."""
    names = sorted({name for text in texts for name in re.findall(r"[^\s,=\[\]{}:'\"#]+\.\w+", text)})
    paths = {name: scene.parent / name for name in names}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in paths.items() if path.is_file()}


def plan_of(arguments):
    """What is to be run; compared with the plan of an earlier call in the same folder."""
    text = arguments.scene.read_text(encoding="utf-8") if arguments.scene.is_file() else ""
    plan = {"scene": str(arguments.scene.resolve()), "cases": cases_of([read_sweep(text) for text in arguments.sweep]), "set": arguments.set, "ranks": arguments.ranks, "petsc": arguments.petsc,
            "text": text, "files": files_of(arguments.scene.resolve(), [text, *arguments.set, *arguments.sweep])}
    stored = arguments.out / "sweep.json"
    if stored.exists() and not arguments.overwrite:
        earlier = json.loads(stored.read_text(encoding="utf-8"))
        if any(earlier.get(key) != value for key, value in plan.items() if key not in ("cases", "ranks", "text", "files")) or earlier["cases"][0].keys() != plan["cases"][0].keys():
            raise SweepFault(f"{arguments.out} has a sweep of other settings; give another --out, or add --overwrite")
        plan["cases"] = [*earlier["cases"], *(case for case in plan["cases"] if case not in earlier["cases"])]
        plan["files"] = files_of(arguments.scene.resolve(), [text, *arguments.set, *(value for case in plan["cases"] for value in case.values())])
        before, now = earlier.get("files", plan["files"]), plan["files"]
        changed = [str(arguments.scene)] if earlier.get("text", text) != text else []
        changed += [name for name in sorted(before) if before[name] != now.get(name)]   # further cases may have further files
        if changed and not arguments.collect:
            raise SweepFault(f"{', '.join(changed)}: changed since this sweep began, and the cases in {arguments.out} that are finished are of the files before; give another --out, or add --overwrite")
    return plan | {"quantities": arguments.quantity}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", type=pathlib.Path, nargs="?")
    parser.add_argument("--sweep", action="append", default=[], metavar="PATH=A,B,C")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--jobs", type=int, help="cases at a time; as many as the cores allow by default")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--quantity", action="append", default=[], metavar="[max:]COLUMN")
    parser.add_argument("--slurm", action="store_true", help="write the script of an array of Slurm instead of running")
    parser.add_argument("--collect", action="store_true", help="only make the table and the plot of the cases that are finished")
    parser.add_argument("--case", type=int, help="run this case of the sweep in the folder")
    parser.add_argument("--launch", default="mpirun --oversubscribe", help="what starts the programs of --case, without the number of ranks")
    parser.add_argument("--overwrite", action="store_true", help="replace an earlier sweep in the folder")
    own, petsc = sys.argv[1:], []
    if "--" in own:
        own, petsc = own[: own.index("--")], own[own.index("--"):]
    arguments = parser.parse_args(own)
    arguments.petsc, arguments.out = petsc, arguments.out.resolve()
    try:
        return act(arguments)
    except SweepFault as fault:
        print(f"jobs/run: {fault}", file=sys.stderr)
        return BAD_INPUT


def act(arguments):
    if arguments.case:
        sweep = Sweep(arguments.out, json.loads((arguments.out / "sweep.json").read_text(encoding="utf-8")))
        return sweep.run(arguments.case, [*shlex.split(arguments.launch), "-n", str(sweep.plan["ranks"])])
    if arguments.jobs is not None and arguments.jobs < 1:
        raise SweepFault("--jobs needs a number above 0")
    jobs = arguments.jobs or max(1, len(os.sched_getaffinity(0)) // arguments.ranks)
    sweep = Sweep(arguments.out, plan_of(arguments))
    code = 0
    if not arguments.collect:
        sweep.check()
        if arguments.overwrite:
            for report in arguments.out.glob("[0-9]*/run.json"):
                report.unlink()
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "sweep.json").write_text(json.dumps(sweep.plan, indent=1), encoding="utf-8")
        if arguments.slurm:
            print(f"{len(sweep.cases)} cases; submit them by: sbatch {sweep.write_array(jobs)}; when they have ended, add --collect to this command")
            return 0
        code = sweep.run_all(jobs)
    rows = sweep.collect()
    left = sum(row["status"] == "not finished" for row in rows)
    print(f"{len(rows) - left} of {len(rows)} cases are in {sweep.out / 'sweep.csv'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
