"""Runs of the program and of the message benchmark, and what is read from their outputs."""

import csv
import json
import os
import resource
import subprocess
import sys
import time

import box_mesh
from model import StepCounts

CELL_SIZE = 0.01   # [m]
KERNELS = {"product": "StageProduct", "residual": "StageResidual", "blocks": "StageBlocks"}   # events of PETSc's log


class ProgramFailed(Exception):
    def __init__(self, command, code, output):
        super().__init__(f"{' '.join(map(str, command))} ended with exit code {code}:\n" + "\n".join(output.splitlines()[-8:]))
        self.code = code


def cores():
    return len(os.sched_getaffinity(0))


def element_count(cells):
    return box_mesh.TETRAHEDRA_PER_CELL * cells[0] * cells[1] * cells[2]


def mesh_name(cells):
    return "x".join(map(str, cells))


def finish(process):
    output, _ = process.communicate()
    if process.returncode != 0:
        raise ProgramFailed(process.args, process.returncode, output)
    return output


def start(command, directory, environment=None):
    return subprocess.Popen(list(map(str, command)), cwd=directory, env={**os.environ, **(environment or {})}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class OtherLoad:
    """How many cores, in the mean over a `with` block, were busy with what this process did not start: measurements with much of it are worth little."""

    def __enter__(self):
        self.begin = self.clocks()
        return self

    def __exit__(self, *_):
        wall, busy, own = (after - before for after, before in zip(self.clocks(), self.begin))
        self.cores = max(0.0, busy - own) / wall

    @staticmethod
    def clocks():
        with open("/proc/stat") as file:
            user, nice, system, _, _, interrupts, soft_interrupts = map(int, file.readline().split()[1:8])
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        busy = (user + nice + system + interrupts + soft_interrupts) / os.sysconf("SC_CLK_TCK")
        return time.monotonic(), busy, sum(usage.ru_utime + usage.ru_stime for usage in usages)


class Programs:
    """The programs of a build folder, which run in a work folder that holds the meshes."""

    def __init__(self, build, scene, work):
        self.build, self.scene, self.work = build, scene, work
        self.work.mkdir(parents=True, exist_ok=True)

    def mesh(self, cells):
        path = self.work / f"{mesh_name(cells)}.msh"
        if not path.is_file():
            box_mesh.write_box(path.with_suffix(".part"), cells, CELL_SIZE)
            path.with_suffix(".part").rename(path)
        return path

    def start_run(self, cells, name, launcher=(), environment=None):
        command = [*launcher, self.build / "traction", "run", self.scene, "--out", name, "--overwrite", "--set", f"bodies.block.mesh={self.mesh(cells)}",
                   "--", "-log_view", f":{name}.log.csv:ascii_csv"]
        return start(command, self.work, environment)

    def finish_run(self, process, name):
        finish(process)
        return Measurement(self.work / name / "run.json", self.work / f"{name}.log.csv")

    def run_on_ranks(self, cells, ranks):
        # Without yielding, a rank that waits for a message keeps the rank that should send it off their common core.
        environment = {"OMPI_MCA_mpi_yield_when_idle": "1"} if ranks > cores() else {}
        name = f"{mesh_name(cells)}_on_{ranks}"
        return self.finish_run(self.start_run(cells, name, ["mpirun", "-n", ranks, "--oversubscribe"], environment), name)

    def run_on_every_core(self, cells):
        """As many runs on one rank at once as there are cores: what a rank takes where other cores use the same memory."""
        names = [f"{mesh_name(cells)}_copy_{i}" for i in range(cores())]
        self.mesh(cells)
        processes = [self.start_run(cells, name) for name in names]
        return [self.finish_run(process, name) for process, name in zip(processes, names)]

    def partition(self, cells, parts, table):
        """Writes the table of counts per part, unless it exists; returns the seconds it took."""
        if table.is_file():
            return 0.0
        begin = time.monotonic()
        scratch = self.work / "partition.h5"
        command = [self.build / "traction-partition", self.scene, "--parts", parts, "--set", f"bodies.block.mesh={self.mesh(cells)}", "--out", scratch, "--csv", table]
        table.parent.mkdir(parents=True, exist_ok=True)
        finish(start(command, self.work))
        scratch.unlink()
        return time.monotonic() - begin

    def messages(self, repetitions):
        """Seconds by benchmark and size, the least of the repetitions: whatever else the machine does can only add to them."""
        # A line of the MPI library would spoil the output, hence a file.
        benchmark = self.build / "tests/benchmark/halo_exchange"
        command = ["mpirun", "-n", 2, "--oversubscribe", benchmark, f"--benchmark_repetitions={repetitions}", "--benchmark_format=json"]
        output = finish(start(["bash", "-c", '"$@" 2> messages.log', "bash", *command], self.work))
        seconds = {}
        for row in json.loads(output)["benchmarks"]:
            if row.get("error_occurred"):
                raise ProgramFailed(command, 1, row["error_message"])
            if row["run_type"] != "iteration":
                continue
            name, *arguments = row["run_name"].split("/")
            key = (name, int(arguments[0]) if arguments[0].isdigit() else 0)
            seconds[key] = min(seconds.get(key, float("inf")), 1e-6 * row["real_time"])
        return seconds


class Measurement:
    """One finished run."""

    def __init__(self, report, log):
        report = json.loads(report.read_text())
        total = report["costs"]["total"]
        self.ranks, self.elements, self.vertices = report["ranks"], report["elements"], report["vertices"]
        self.steps, self.linear_iterations, self.newton_iterations = total["steps"], total["linear_iterations"], total["newton_iterations"]
        self.seconds = total["seconds"]
        self.events = {}   # for the first rank: (calls, seconds, reductions)
        with open(log, newline="") as file:
            for row in csv.DictReader(file):
                if row["Stage Name"] == "Steps" and row["Rank"] == "0":
                    self.events[row["Event Name"]] = (int(row["Count"]), float(row["Time"]), float(row["Num Reductions"]))

    def calls(self, kernel):
        return self.events[KERNELS[kernel]][0]

    def kernel_seconds(self):
        """Seconds per element and call, and of all the rest per vertex and linear iteration. Of a run on one rank."""
        seconds = {name: self.events[event][1] for name, event in KERNELS.items()}
        per_call = {name: seconds[name] / (self.calls(name) * self.elements) for name in KERNELS}
        return {**per_call, "rest": (self.seconds - sum(seconds.values())) / (self.linear_iterations * self.vertices)}

    def counts(self):
        """Counts of a mean step. PETSc counts reductions on two ranks and more, and only its own: Traction adds about one per Newton iteration."""
        reductions = self.events["SNESSolve"][2] + self.newton_iterations
        return StepCounts(*(number / self.steps for number in (self.calls("product"), self.calls("residual"), self.calls("blocks"), self.linear_iterations, reductions)))


def progress(text):
    print(text, file=sys.stderr, flush=True)
