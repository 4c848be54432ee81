#!/usr/bin/python3
"""Runs a job after everything is built: its scene, its summary and pictures, and with --study the variants that its figure compares.

Called by jobs/run. A job is a folder with scene.yaml, report.py and study.yaml. report.py has summary(run), which returns the rows of summary.csv, pictures(run),
which makes pictures in the run's folder, and study(runs, directory), which does both for the variants. study.yaml lists the variants: a label and the settings
that differ from the scene, or from another `scene` of the folder.
"""

import argparse
import csv
import importlib.util
import json
import os
import pathlib
import resource
import subprocess
import sys

import yaml

SOLVER_GAVE_UP = 3   # exit code

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "postprocess"))
from plot_history import read_history  # noqa: E402
from report_page import write_page  # noqa: E402


class Run:
    """A finished run: its folder, label, run.json and history. A variant of a study also has its processor seconds, those of all ranks with the start of the program."""

    def __init__(self, directory, label="", processor_seconds=None):
        self.directory = directory
        self.label = label
        self.processor_seconds = processor_seconds
        self.report = json.loads((directory / "run.json").read_text())
        self.scene = self.report["scene"]
        self.gave_up = self.report["status"] == "solver gave up"
        if self.gave_up:
            self.label += " (solver gave up)"

    def columns(self, *names):
        """Columns of history.csv as lists of numbers."""
        data = read_history(self.directory, list(names))
        return [[float(value) for value in data[name]] for name in names]

    def postprocess(self, script, *arguments):
        subprocess.run(["/usr/bin/python3", str(HERE.parent / "postprocess" / script), *map(str, arguments)], check=True)

    def render(self, picture, frames, *arguments):
        """Draws the frames of these numbers side by side in the run's folder: those that it has, for it may have been cut short."""
        from field_frames import Series  # needs h5py, as the pictures do

        count = len(Series(self.directory, "fields")) if Series.exists(self.directory) else 0
        if known := [str(frame) for frame in frames if frame < count]:
            self.postprocess("render_fields.py", self.directory, "--sheet", self.directory / picture, "--frames", ",".join(known), *arguments)


def children_seconds():
    """Processor seconds of all programs that were started from here and have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def simulate(scene, directory, settings, arguments):
    """Runs the program; returns its exit code."""
    command = ["mpirun", "-n", str(arguments.ranks), "--oversubscribe", os.environ["TRACTION"], "run", str(scene), "--out", str(directory)]
    for setting in settings:
        command += ["--set", setting]
    if arguments.overwrite:
        command.append("--overwrite")
    return subprocess.run(command + arguments.petsc).returncode


def write_summary(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["quantity", "value", "unit", "expected", "source"])
        for row in rows:
            writer.writerow([f"{cell:.6g}" if isinstance(cell, float) else cell for cell in row])
    width = max(len(str(row[0])) for row in rows)
    for quantity, value, unit, expected, source in rows:
        text = f"{value:.6g}" if isinstance(value, float) else str(value)
        print(f"  {quantity:<{width}}  {text:>12} {unit:<6}" + (f"  expected {expected} ({source})" if expected != "" else ""))


def load_report(job):
    spec = importlib.util.spec_from_file_location("report", job / "report.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def title(job):
    """The first heading of the job's page."""
    page = job / "README.md"
    return page.read_text(encoding="utf-8").splitlines()[0].lstrip("# ") if page.exists() else job.name


def run_study(job, arguments, report, variants):
    runs = []
    for number, variant in enumerate(variants, 1):
        directory = arguments.out / "study" / variant["label"].replace(" ", "_").replace(",", "")
        print(f"variant {number} of {len(variants)}: {variant['label']}", flush=True)
        before = children_seconds()
        code = simulate(job / variant.get("scene", "scene.yaml"), directory, [*variant.get("set", []), *arguments.set], arguments)
        if code not in (0, SOLVER_GAVE_UP):   # a method that fails is a result of the comparison
            return code
        runs.append(Run(directory, variant["label"], children_seconds() - before))
    summary = arguments.out / "study" / "summary.csv"
    write_summary(summary, report.study(runs, arguments.out / "study"))
    with open(summary.with_name("table.md"), "w") as file:
        subprocess.run(["/usr/bin/python3", str(HERE.parent / "postprocess" / "summary_table.py"), str(summary)], stdout=file, check=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--study", nargs="?", const="", metavar="TEXT", help="run the variants of study.yaml too, those with TEXT in their labels")
    parser.add_argument("--overwrite", action="store_true")
    own, petsc = sys.argv[1:], []
    if "--" in own:
        own, petsc = own[: own.index("--")], own[own.index("--"):]
    arguments = parser.parse_args(own)
    arguments.petsc = petsc

    variants = []
    if arguments.study is not None:
        variants = [variant for variant in yaml.safe_load((arguments.job / "study.yaml").read_text()) if arguments.study in variant["label"]]
        if not variants:
            print(f"study.yaml has no variant with '{arguments.study}' in its label", file=sys.stderr)
            return 2
    code = simulate(arguments.job / "scene.yaml", arguments.out, arguments.set, arguments)
    if code != 0:
        return code
    report = load_report(arguments.job)
    run = Run(arguments.out)
    write_summary(arguments.out / "summary.csv", report.summary(run))
    report.pictures(run)
    if variants:
        code = run_study(arguments.job, arguments, report, variants)
    write_page(arguments.out, title(arguments.job))
    print(f"results, summary.csv, pictures and report.html, which shows all of it, are in {arguments.out}")
    return code


if __name__ == "__main__":
    sys.exit(main())
