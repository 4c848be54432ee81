"""Runs of the programs for the tests beside this file: each in a folder that is removed afterwards, none for ever."""

import importlib.util
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import numpy

from running_program import Hung, execute_in_running_program

JOBS = pathlib.Path(__file__).resolve().parents[2] / "jobs"
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",         # the ranks may be more than the cores that are free
    "OMPI_MCA_odls_base_sigkill_timeout": "0",   # else mpirun waits two seconds after a program's exit code other than 0
    # All ranks are on this machine: no search for networks, and no daemon beside a program that runs without mpirun.
    "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_ess_singleton_isolated": "1",
    # Nor for devices, nor for ways to add numbers up that Open MPI would not choose on one machine: a tenth of a start.
    "HWLOC_COMPONENTS": "-linuxio,-pci", "OMPI_MCA_coll": "tuned,basic,libnbc,self,inter",
}

CUBE_VERTICES = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
# Five tetrahedra, the middle one first.
CUBE_TETRAHEDRA = [(0, 3, 6, 5), (1, 3, 0, 5), (2, 0, 3, 6), (4, 0, 6, 5), (7, 3, 5, 6)]


def report_of(job):
    """The module jobs/NAME/report.py of a job."""
    sys.path[:0] = [path for path in (str(JOBS.parent / "postprocess"), str(JOBS)) if path not in sys.path]
    spec = importlib.util.spec_from_file_location(f"{job}_report", JOBS / job / "report.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Outcome:
    """How a program ended, and what it left in its output folder."""

    def __init__(self, code, output, errors, directory):
        self.code = code
        self.output = output
        self.errors = errors
        self.directory = directory
        self.report = None      # contents of run.json
        self.history = {}       # column -> numbers, one per row
        if directory is not None and (directory / "run.json").is_file():
            self.report = json.loads((directory / "run.json").read_text())
        if directory is not None and (directory / "history.csv").is_file():
            header, *rows = [line.split(",") for line in (directory / "history.csv").read_text().splitlines()]
            table = numpy.array(rows, dtype=float).reshape(-1, len(header))
            self.history = {name: table[:, i] for i, name in enumerate(header)}

    def error_lines(self):
        return [line for line in self.errors.splitlines() if line.startswith("traction: error:")]

    def last_row(self):
        return {name: column[-1] for name, column in self.history.items()}

    def columns(self, *names):
        """Columns of the history; with `scene`, what reports of jobs ask of a run."""
        return [self.history[name] for name in names]

    @property
    def scene(self):
        return self.report["scene"]


def start(command, ranks, folder, **arguments):
    """A running program of the build folder, in a process group of its own; `arguments` are for Popen."""
    program = pathlib.Path(os.environ["TRACTION_BUILD"]) / command[0]
    launcher = ["mpirun", "-n", str(ranks), "--oversubscribe"] if ranks > 1 else []
    words = [*launcher, str(program), *map(str, command[1:])]
    return subprocess.Popen(words, cwd=folder, env={**ENVIRONMENT, **os.environ}, encoding="utf-8", errors="replace", stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **arguments)


def execute(command, ranks=1, timeout=120, folder=None, in_running_program=False):
    """(exit code, stdout, stderr) of a program of the build folder; with the whole process group ended when time is up. A command of traction can run in a process that
    has run others before it, on as many ranks."""
    if in_running_program:
        return execute_in_running_program(command, ranks, timeout, folder, {**ENVIRONMENT, **os.environ})
    process = start(command, ranks, folder)
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        raise Hung(f"still running after {timeout} s: {' '.join(process.args)}\n{output}\n{errors}") from None
    return process.returncode, output, errors


def settings(sets):
    return [word for path, value in sets.items() for word in ("--set", f"{path}={value}")]


class RunTest(unittest.TestCase):
    """A test with a folder of its own, self.folder, in which it runs programs."""

    in_running_program = False      # whether run_program starts a program of its own only for the first run on a number of ranks: for many short runs
    runs_started = set()            # numbers of ranks

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="traction-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_program(self, command, scene, ranks=1, sets=None, timeout=120, out="out", options=()):
        """`traction command`; `scene` is a file, the text of one, or for resume nothing. Results lie in self.folder/out."""
        directory = self.folder / out
        if isinstance(scene, str):
            scene = self.write("scene.yaml", scene)
        words = ["traction", command, directory if command == "resume" else scene, *settings(sets or {})]
        if command == "run":
            words += ["--out", directory]
        in_running_program = self.in_running_program and not options and ranks in self.runs_started
        self.runs_started.add(ranks)
        code, output, errors = execute([*words, *options], ranks, timeout, self.folder, in_running_program)
        return Outcome(code, output, errors, directory)

    def simulate(self, scene, **arguments):
        return self.succeeded(self.run_program("run", scene, **arguments))

    def resume(self, **arguments):
        return self.succeeded(self.run_program("resume", None, **arguments))

    def succeeded(self, outcome):
        self.assertEqual(outcome.code, 0, outcome.errors)
        self.assertEqual(outcome.report["status"], "done")
        return outcome

    def assert_rows_agree(self, first, second, tolerance, names=None):
        """Relative to the size of the whole vector a component belongs to, for components that are zero but for rounding."""
        for name in names or first:
            group = [other for other in first if stem(other) == stem(name)]
            scale = max(1e-300, math.hypot(*(first[other] for other in group)))
            self.assertLessEqual(abs(first[name] - second[name]), tolerance * scale, f"{name}: {first[name]!r}, {second[name]!r}")


class ShortRunTest(RunTest):
    """A RunTest whose runs take less time than starts of programs do."""

    in_running_program = True


class RefusalTest(RunTest):
    """Runs what must be refused: with exit code 2 and one line, before anything is written. On each number of ranks the first scene of a class is refused by a
    program of its own, the others by one that has refused others before."""

    started = set()     # classes, and numbers of ranks

    def contents(self):
        return {path.relative_to(self.folder): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def assert_refused(self, words, expected, ranks, alone=False):
        """`expected` are parts of the message: the place, the matter, the remedy. `alone`: by a program of its own."""
        before = self.contents()
        alone = alone or words[0] != "traction" or "--" in words or (type(self), ranks) not in self.started
        self.started.add((type(self), ranks))
        code, output, errors = execute(words, ranks, 60, self.folder, in_running_program=not alone)
        self.assertEqual(code, 2, errors)
        lines = [line for line in errors.splitlines() if line.startswith("traction: error:")]
        self.assertEqual(len(lines), 1, errors)
        for part in expected:
            self.assertIn(part, lines[0])
        for leak in ("MPI_Abort", "MPI_ABORT", "PETSC ERROR", "HDF5-DIAG", "terminate called", "Segmentation", "what()"):
            self.assertNotIn(leak, output + errors)
        if ranks == 1:
            self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertEqual(output, "")
        self.assertEqual(self.contents(), before, "something was written")
        self.assertFalse((self.folder / "out").exists())


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


def stem(column):
    """ball for ball.x; ball.v for ball.vx; any other name unchanged."""
    name, dot, component = column.rpartition(".")
    return name + dot + component[:-1] if dot and component[-1] in "xyz" and len(component) < 3 else column


def gmsh_text(vertices, tetrahedra, triangles=(), names=None, points=()):
    """A mesh in Gmsh's format 2.2. Elements, and points that regions consist of, are (region number, vertex, ...), names {region number: (dimension, name)}."""
    names = names or {1: (3, "solid")}
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(names))]
    lines += [f'{dimension} {number} "{name}"' for number, (dimension, name) in names.items()]
    lines += ["$EndPhysicalNames", "$Nodes", str(len(vertices))]
    lines += [f"{i} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(vertices, 1)]
    elements = [(15, p) for p in points] + [(2, t) for t in triangles] + [(4, t) for t in tetrahedra]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    lines += [f"{i} {kind} 2 {t[0]} {t[0]} " + " ".join(str(v + 1) for v in t[1:]) for i, (kind, t) in enumerate(elements, 1)]
    return "\n".join(lines + ["$EndElements", ""])


def boundary(tetrahedra):
    """The faces that belong to one tetrahedron only."""
    count = {}
    for t in tetrahedra:
        for face in ((t[0], t[2], t[1]), (t[0], t[1], t[3]), (t[0], t[3], t[2]), (t[1], t[2], t[3])):
            count.setdefault(tuple(sorted(face)), []).append(face)
    return [faces[0] for faces in count.values() if len(faces) == 1]


def box_text(cells, size, keep=lambda i, j, k: True, faces=None, points=None):
    """A box from the origin, or those of its cells (i, j, k) that are kept, six tetrahedra to each; regions solid, surface and, below, bottom. `faces` are further
    surface regions, {name: whether a triangle with its centroid at x is in it}, `points` regions of vertices, {name: whether one at x is in it}."""
    nx, ny, nz = cells
    index = {}
    for k in range(nz + 1):
        for j in range(ny + 1):
            for i in range(nx + 1):
                index[i, j, k] = len(index)
    vertices = [(i * size[0] / nx, j * size[1] / ny, k * size[2] / nz) for i, j, k in index]
    tetrahedra, bottom = [], []
    for i, j, k in numpy.ndindex(nx, ny, nz):
        if not keep(i, j, k):
            continue
        corner = numpy.array((i, j, k))
        for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)):
            # From corner to opposite corner, along one axis after the other.
            path = [corner]
            for axis in order:
                path.append(path[-1] + numpy.eye(3, dtype=int)[axis])
            a, b, c, d = (index[tuple(point)] for point in path)
            even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
            tetrahedra.append((1, a, b, c, d) if even else (1, a, b, d, c))
        if k == 0:
            a, b, c, d = (index[i + x, j + y, 0] for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)))
            bottom += [(2, a, c, b), (2, a, d, c)]
    surface = [(3, *face) for face in boundary([t[1:] for t in tetrahedra])]
    names, further = {1: (3, "solid"), 2: (2, "bottom"), 3: (2, "surface")}, []
    for number, (name, holds) in enumerate((faces or {}).items(), 4):
        names[number] = (2, name)
        further += [(number, *face[1:]) for face in surface if holds(numpy.mean([vertices[v] for v in face[1:]], axis=0))]
    chosen = []
    for number, (name, holds) in enumerate((points or {}).items(), len(names) + 1):
        names[number] = (0, name)
        chosen += [(number, v) for v, x in enumerate(vertices) if holds(x)]
    return gmsh_text(vertices, tetrahedra, bottom + surface + further, names, chosen)


# A soft block that lands on the floor while it moves sideways and turns.
BLOCK_SCENE = """\
time: {step: 1e-3, end: 0.03}
gravity: [0, 0, -9.81]
bodies:
  block:
    mesh: block.msh
    solid:
      solid: {youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}
    initial: {translate: [0, 0, 0.012], velocity: [0.5, 0.1, -1], angular_velocity: [0, 1, 0.5]}
surfaces:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
contacts:
  landing: {vertices: block.bottom, against: floor, thickness: 1e-3, stiffness: 1e3, friction: {dynamic: 0.5, tolerance: 1e-2}}
solver: {tolerance: 1e-11}
"""


class BlockTest(RunTest):
    """Has BLOCK_SCENE and its mesh in its folder."""

    cells = (4, 3, 3)

    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text(self.cells, (0.12, 0.1, 0.1)))
        self.scene = self.write("scene.yaml", BLOCK_SCENE)


class TallBlockTest(BlockTest):
    """Has cells so flat that two parts of about equal numbers of elements lie one above the other, and all contact in the lower one."""

    cells = (2, 2, 12)
    elements, bottom_vertices = 6 * 2 * 2 * 12, 9
