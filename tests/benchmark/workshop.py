"""Where measurements are made: the build folder's programs, meshes that are kept from call to call, and single runs of them."""

import csv
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOBS = ROOT / "jobs"
sys.path[:0] = [str(JOBS), str(JOBS / "scaling")]
import box_mesh  # noqa: E402
from figures import COUNT, CPU_TIME  # noqa: E402
from measurements import OtherLoad, ProgramFailed, finish, progress, start  # noqa: E402, F401

SOLVER_GAVE_UP = 3   # exit code
MESH_LINES = re.compile(r"^    mesh: (.*)\n    mesh_parameters: .*\n", re.MULTILINE)


def kill_ranks(mpirun):
    """Ends what mpirun started, and so mpirun, which is left alive to wait for them: else their time would seem to be other programs'."""
    for children in pathlib.Path(f"/proc/{mpirun.pid}/task").glob("*/children"):
        for child in children.read_text().split():
            os.kill(int(child), signal.SIGKILL)


def children_seconds():
    """CPU time [s] of the programs that were started and have ended, and of what these started."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Missing(Exception):
    """A program that must be built before the measurements is missing."""


class Run:
    """Runs the program; returns run.json if the run finished."""

    def __init__(self, directory, wall_seconds, unfinished="", cpu_seconds=0.0):
        self.wall_seconds, self.cpu_seconds = wall_seconds, cpu_seconds   # both with set-up; ranks that wait for each other use CPU time, too
        self.unfinished = unfinished   # why it has no result, else empty
        if unfinished:
            return
        report = json.loads((directory / "run.json").read_text())
        costs = report["costs"]
        total = costs["total"]
        self.elements, self.ranks = report["elements"], report["ranks"]
        self.steps, self.repeats, self.seconds = total["steps"], total["repeats"], total["seconds"]
        self.newton_iterations, self.linear_iterations = total["newton_iterations"], total["linear_iterations"]
        self.steps_in_contact = costs["contact"]["steps"]
        self.memory = costs["peak_memory_bytes"]
        self.contact_share = costs["contact_work_seconds"]["max"] / total["seconds"]

    @property
    def seconds_per_step(self):
        return self.seconds / self.steps

    def records(self):
        """What of it is worth a line in the record and does not depend on what else the machine does, or little."""
        lines = [("Newton iterations per step", self.newton_iterations / self.steps, "1", COUNT), ("linear iterations per step", self.linear_iterations / self.steps, "1", COUNT)]
        return (*lines, ("whole run", self.cpu_seconds, "s", CPU_TIME)) if self.ranks == 1 else tuple(lines)

    def __str__(self):
        if self.unfinished:
            return self.unfinished
        repeated = f", {self.repeats} repeated" if self.repeats else ""
        return (f"{self.elements} tetrahedra, {self.steps} steps ({self.steps_in_contact} in contact{repeated}), {self.newton_iterations} Newton and "
                f"{self.linear_iterations} linear iterations, {self.seconds_per_step:.3g} s per step")


class Workshop:
    def __init__(self, build, folder):
        for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMP_NUM_THREADS"):
            os.environ.setdefault(name, "1")
        self.build, self.folder = build, folder
        self.folder.mkdir(parents=True, exist_ok=True)

    def program(self, name):
        path = self.build / name
        if not path.is_file():
            raise Missing(f"{path} is missing: build it with `cmake --build {self.build} --target {path.name}`")
        return path

    def kept(self, name, sources, make):
        """The file `name` of the work folder, made anew by make(path) if one of its sources is younger."""
        path = self.folder / name
        if not path.is_file() or any(source.stat().st_mtime > path.stat().st_mtime for source in sources):
            part = path.with_suffix(".part" + path.suffix)
            make(part)
            part.rename(path)
        return path

    def box(self, cells, edge):
        """A cube, so many cells along each edge."""
        return self.kept(f"box_{cells}_{edge:g}.msh", [JOBS / "scaling/box_mesh.py"], lambda path: box_mesh.write_box(path, (cells,) * 3, edge / cells))

    @staticmethod
    def job_scene(job):
        return JOBS / job / "scene.yaml"

    def meshed_scene(self, job, element_size):
        """The scene of a job with one body, and a mesh made once instead of by Gmsh in every run."""
        scene = self.job_scene(job)
        text = scene.read_text()
        geometry = (scene.parent / MESH_LINES.search(text).group(1)).resolve()

        def mesh(path):
            finish(start(["gmsh", "-3", "-v", "1", "-setnumber", "element_size", element_size, "-format", "msh41", "-bin", "-o", path, geometry], self.folder))

        path = self.kept(f"{job}_{element_size:g}.msh", [geometry], mesh)
        written = self.folder / f"{job}_{element_size:g}.yaml"
        written.write_text(MESH_LINES.sub(f"    mesh: {path}\n", text))
        return written

    def simulate(self, scene, settings, ranks, limit=None):
        """A run of `traction` without fields; given up, and `unfinished`, after `limit` seconds or when the solver gives up."""
        directory = self.folder / "run"
        command = ["mpirun", "-n", ranks, "--oversubscribe", self.program("traction"), "run", scene, "--out", directory, "--overwrite"]
        for path, value in {**settings, "output": "{log_every: 100000}"}.items():
            command += ["--set", f"{path}={value}"]
        begin, used = time.monotonic(), children_seconds()
        process = start(command, self.folder)
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            kill_ranks(process)
            process.communicate()
            return Run(directory, limit, f"> {limit:g} s (limit)")
        wall_seconds = time.monotonic() - begin
        if process.returncode == SOLVER_GAVE_UP:
            return Run(directory, wall_seconds, f"solver gave up after {wall_seconds:.3g} s")
        if process.returncode != 0:
            raise ProgramFailed(process.args, process.returncode, output)
        return Run(directory, wall_seconds, cpu_seconds=children_seconds() - used)

    def linear_solve(self, cells, size, preconditioners, repeats, ranks, limit=6000, speed=0.1):
        """Rows of the program's CSV, as dictionaries of numbers but for the preconditioner's name."""
        command = ["mpirun", "-n", ranks, "--oversubscribe", self.program("tests/benchmark/linear_solve"), "--cells", ",".join(map(str, cells)),
                   "--size", ",".join(map(str, size)), "--preconditioners", ",".join(preconditioners), "--repeats", repeats, "--limit", limit, "--speed", speed]
        lines = finish(start(command, self.folder)).splitlines()
        header = next(i for i, line in enumerate(lines) if line.startswith("vertices,"))   # MPI may have printed something before
        rows = [row for row in csv.DictReader(lines[header:]) if row["solve_seconds"] is not None]
        return [{key: value if key == "preconditioner" else float(value) for key, value in row.items()} for row in rows]

    def kernels(self, names, repetitions, least_seconds):
        """(benchmark, seconds) of every repetition, in random order. CPU time: they run on one core and wait for nothing."""
        return self.benchmarks("elastic_kernels", [f"--benchmark_filter=^({'|'.join(names)})$", "--benchmark_enable_random_interleaving=true", f"--benchmark_min_time={least_seconds}"],
                               repetitions)

    def benchmarks(self, program, options, repetitions):
        """(benchmark, CPU seconds) of every repetition of a program of Google Benchmark, on one rank."""
        report = self.folder / f"{program}.json"
        finish(start([self.program(f"tests/benchmark/{program}"), *options, f"--benchmark_repetitions={repetitions}", f"--benchmark_out={report}", "--benchmark_out_format=json"], self.folder))
        seconds = {"us": 1e-6, "ms": 1e-3}
        return [(row["run_name"], seconds[row["time_unit"]] * row["cpu_time"]) for row in json.loads(report.read_text())["benchmarks"] if row["run_type"] == "iteration"]
