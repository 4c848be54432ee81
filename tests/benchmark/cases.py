"""What the table's rows measure. A case measures once what some rows share, and knows their names before it does."""

import dataclasses
import math
import statistics

from figures import COUNT, CPU_TIME, MEMORY, NO_TARGET, RATIO, Row, Target, counted, exponent, interleaved, median_by, seconds_text, thousands
from workshop import box_mesh, progress

RANKS = 2
# The paper's own linear algebra: exact products by dual numbers, BiCGSTAB, nothing else, and a line search on the residual. Same tolerance as ours.
# This is the place for settings of the recipe that the program learns.
PAPER_RECIPE = {"solver": "{operator: matrix_free, krylov: bicgstab, preconditioner: none}"}
BALL_STEP = 1e-5   # [s]; the paper gives 1000 frames, but not their step. Contact begins in the third
RUBBER = {"bodies.block.solid.solid": "{youngs_modulus: 6e6, poisson_ratio: 0.4995, density: 934}"}   # the tennis ball's core


@dataclasses.dataclass
class Plan:
    """How large, how often, how long."""
    kernel_repetitions: int = 25
    kernel_seconds: float = 0.3
    ball_size: float = 1.7e-3             # element edge [m]; 107,545 tetrahedra
    ball_name: str = "108K tets"
    ball_steps: int = 6
    ball_limit: float = 120               # [s]
    squish_size: float = 0.00365
    squish_name: str = "160K tets"
    squish_steps: int = 10
    mesh_cells: tuple = (12, 17, 26, 37, 55)   # along each edge of a cube: 10K to 1M tetrahedra
    cube_limit: float = 600               # [s]
    plates: tuple = (("A", 2), ("B", 1))       # name, repeats
    plate_kinds: tuple = ("automatic", "ml")
    plate_limit: int = 6000
    two_ranks: tuple = (("in cache", 17, 4, 1.8), ("in DRAM", 41, 2, 1.6))   # name, cells, steps, least speed-up
    grasp_steps: int = 40
    contact_squish_size: float = 0.0053
    contact_squish_name: str = "58K tets"
    repeats: int = 3
    long_repeats: int = 2                 # for cases that take a minute
    once: int = 30                        # cubes of more cells along an edge take minutes, and are measured once


QUICK = Plan(kernel_repetitions=5, kernel_seconds=0.05, ball_size=4e-3, ball_name="12K tets", ball_limit=30, squish_size=0.0053, squish_name="58K tets", squish_steps=5,
             mesh_cells=(12, 17, 26), cube_limit=60, plates=(("A", 1),), plate_kinds=("automatic",), two_ranks=(("in cache", 17, 2, 1.8), ("in DRAM", 34, 1, 1.6)),
             grasp_steps=16, contact_squish_size=0.012, contact_squish_name="9K tets", repeats=2, long_repeats=1)


class Kernels:
    """What elasticity costs on one core, beside PETSc's product with the same matrix."""

    PETSC = "PETSc MATMPIBAIJ product"
    # name, benchmark, compared with, whose name is, target
    COMPARED = (("elastic product, one core, double", "assembled_product", "petsc_product", PETSC, Target("<= 0.5", most=0.5)),
                ("elastic product without a matrix", "matrix_free_product", "petsc_product", PETSC, NO_TARGET),
                ("residual", "residual", "petsc_product", PETSC, Target("<= 1", most=1)),
                ("tangent assembly", "assembly", "assembled_product", "our product", Target("<= 10", most=10)))
    BODIES = (("in cache, 98K tets", 0), ("in DRAM, 511K tets", 1))   # plate and block of elastic_kernels.cpp

    def __init__(self, plan):
        self.plan = plan

    def lines(self):
        return {f"{what} ({where})": (what, f"{ours}/{body}", f"{against}/{body}", other, target)
                for what, ours, against, other, target in self.COMPARED for where, body in self.BODIES}

    def names(self):
        return list(self.lines())

    def rows(self, workshop, chosen):
        lines = {name: line for name, line in self.lines().items() if name in chosen}
        benchmarks = sorted({benchmark for line in lines.values() for benchmark in line[1:3]})
        progress(f"kernels: {', '.join(benchmarks)}")
        seconds = median_by(workshop.kernels(benchmarks, self.plan.kernel_repetitions, self.plan.kernel_seconds), lambda row: row[0], lambda row: row[1])
        for name, (_, ours, against, other, target) in lines.items():
            yield Row(name, seconds_text(seconds[ours]), f"{seconds_text(seconds[against])}, {other}", seconds[ours] / seconds[against], target, value=seconds[ours], unit="s", kind=CPU_TIME,
                      more=((f"over {other}", seconds[ours] / seconds[against], "1", RATIO),))


class TennisBall:
    """A tennis ball at 100 mph from 1 mm before the wall into it: beside the paper's recipe and direct solves in the same program, and beside the paper's numbers."""

    PAPER_SECONDS, PAPER_MEMORY = 4.89, 11.33e9   # per frame on 12 cores; bytes

    def __init__(self, plan):
        self.plan = plan
        self.step = f"whole implicit step, tennis ball impact, {plan.ball_name}, h = {BALL_STEP:g} s"
        self.frame = f"tennis ball at 100 mph, {plan.ball_name}, per frame (first {plan.ball_steps}, h = {BALL_STEP:g} s)"
        self.memory = f"memory, tennis ball, {plan.ball_name}, all of {RANKS} ranks"

    def names(self):
        return [self.step, self.frame, self.memory]

    def rows(self, workshop, chosen):
        plan = self.plan
        scene = workshop.meshed_scene("tennis_ball_wall", plan.ball_size)
        methods = {"ours": {}, "method: newton": {"solver.method": "newton"}, "paper's recipe": PAPER_RECIPE} if self.step in chosen else {"ours": {}}

        def measured(name):
            settings = {"time.step": BALL_STEP, "time.end": plan.ball_steps * BALL_STEP, **methods[name]}
            run = workshop.simulate(scene, settings, RANKS, limit=None if name == "ours" else plan.ball_limit)
            progress(f"tennis ball, {name}: {run}")
            return run

        runs = interleaved({name: lambda name=name: measured(name) for name in methods}, plan.long_repeats)
        done = [run for run in runs.pop("ours") if not run.unfinished]
        if not done:
            return
        ours = statistics.median(run.seconds_per_step for run in done)
        if self.step in chosen:
            yield self.beside_others(ours, done[0].wall_seconds - done[0].seconds, runs)
        if self.frame in chosen:
            yield Row(self.frame, seconds_text(ours), f"{self.PAPER_SECONDS} s, paper, 12 cores", ours / self.PAPER_SECONDS, Target("< 1", most=1), value=ours, unit="s", more=done[0].records())
        if self.memory in chosen:
            memory = statistics.median(run.memory for run in done)
            yield Row(self.memory, f"{memory / 1e9:.3g} GB", f"{self.PAPER_MEMORY / 1e9:.4g} GB, paper", memory / self.PAPER_MEMORY, Target("<= 0.5 GB", most=0.5e9), memory,
                      value=memory, unit="B", kind=MEMORY)

    def beside_others(self, ours, overhead, others):
        """`overhead`: seconds of a run outside of its steps. A run that was given up at the limit spent no less than the rest of it on steps."""
        seconds, texts = {}, []
        for name, runs in others.items():
            unfinished = next((run for run in runs if run.unfinished), None)
            if unfinished:
                seconds[name] = max(0.0, unfinished.wall_seconds - overhead) / self.plan.ball_steps
                texts.append(f"{name} > {seconds_text(seconds[name])}" if ">" in unfinished.unfinished else f"{name}: {unfinished.unfinished}")
            else:
                seconds[name] = statistics.median(run.seconds_per_step for run in runs)
                texts.append(f"{name} {seconds_text(seconds[name])}")
        best = min(seconds, key=seconds.get)
        at_least = any(run.unfinished for run in others[best])
        return Row(self.step, seconds_text(ours), "; ".join(texts), seconds[best] / ours, Target(">= 5 times faster", least=5), at_least=at_least, value=ours, unit="s")


# From the start at full speed, not over the scene's ramp of 50 ms: steps in which next to nothing happens would be no measure.
PRESS_AT_ONCE = {"surfaces.press.motion.ramp": 0}


class BallSquish:
    """The largest mesh of P0 Table II, from the start on."""

    DIRECT, ITERATIVE = 61, 111   # seconds per step on 12 cores, 160K elements

    def __init__(self, plan):
        self.plan = plan
        self.name = f"ball squish, {plan.squish_name}, kappa_v = 1, per step (first {plan.squish_steps}, pressed at once)"

    def names(self):
        return [self.name]

    def rows(self, workshop, chosen):
        scene = workshop.meshed_scene("ball_squish", self.plan.squish_size)
        run = workshop.simulate(scene, {"time.end": self.plan.squish_steps * 1e-3, **PRESS_AT_ONCE}, RANKS)
        progress(f"ball squish: {run}")
        if not run.unfinished:
            yield Row(self.name, seconds_text(run.seconds_per_step), f"{self.DIRECT} s direct, {self.ITERATIVE} s iterative, paper, 160K, 12 cores",
                      run.seconds_per_step / self.DIRECT, Target("<= 10 s", most=10), run.seconds_per_step, value=run.seconds_per_step, unit="s", more=run.records())


class CostOverSize:
    """The same cube of rubber lands on the floor, on finer and finer meshes."""

    EDGE, STEPS = 0.1, 2

    def __init__(self, plan):
        self.plan = plan
        sizes = f"{self.tetrahedra(plan.mesh_cells[0])} -> {self.tetrahedra(plan.mesh_cells[-1])} tets"
        self.kinds = {f"cost per step over mesh size, {sizes}, {kind}": kind for kind in ("ml", "automatic")}

    @staticmethod
    def tetrahedra(cells):
        return thousands(box_mesh.TETRAHEDRA_PER_CELL * cells**3)

    def names(self):
        return list(self.kinds)

    def rows(self, workshop, chosen):
        pairs = [(name, cells) for name in self.kinds if name in chosen for cells in self.plan.mesh_cells]

        def measured(name, cells):
            settings = {"bodies.block.mesh": workshop.box(cells, self.EDGE), "time.end": self.STEPS * 1e-3, "time.integrator": "backward_euler",
                        "solver.preconditioner": self.kinds[name], "solver.krylov": "fgmres", **RUBBER}   # the program's default, not the scene's
            run = workshop.simulate(workshop.job_scene("scaling"), settings, RANKS, limit=self.plan.cube_limit)
            progress(f"cube of {self.tetrahedra(cells)}, {self.kinds[name]}: {run}")
            return run

        runs = interleaved({pair: lambda pair=pair: measured(*pair) for pair in pairs if pair[1] <= self.plan.once}, self.plan.long_repeats)
        for name, cells in pairs:
            if cells > self.plan.once and not any(run.unfinished for (other, _), group in runs.items() if other == name for run in group):
                runs[name, cells] = [measured(name, cells)]
        for name in self.kinds:
            groups = {cells: runs[name, cells] for cells in self.plan.mesh_cells if (name, cells) in runs}
            if len(groups) >= 2:
                yield self.row(name, groups)

    def row(self, name, groups):
        """`groups`: runs by cells along an edge. A run that was given up bounds its time, and so the exponent, from below; outside of steps it spends as much per
        tetrahedron as the one before."""
        sizes, seconds, texts, overhead, at_least = [], [], [], 0.0, False
        for cells, runs in groups.items():
            size = box_mesh.TETRAHEDRA_PER_CELL * cells**3
            unfinished = next((run for run in runs if run.unfinished), None)
            if unfinished:
                value, at_least = max(1e-9, unfinished.wall_seconds - overhead * size) / self.STEPS, True
            else:
                value, overhead = statistics.median(run.seconds_per_step for run in runs), (runs[0].wall_seconds - runs[0].seconds) / size
            sizes.append(size)
            seconds.append(value)
            texts.append(("> " if unfinished else "") + seconds_text(value))
            if unfinished:
                texts.append(f"given up at {thousands(size)} tets")
                break
        power = exponent(sizes, seconds)
        return Row(name, f"n^{power:.3g}: " + ", ".join(texts), "n^1", power, Target("<= 1.1", most=1.1), at_least=at_least, value=power, unit="1")


class WorkOverSize:
    """The cubes of CostOverSize on one rank: CPU time, which other programs change little."""

    def __init__(self, plan):
        self.plan = plan
        self.cells = [cells for cells in plan.mesh_cells if cells <= plan.once]
        sizes = f"{CostOverSize.tetrahedra(self.cells[0])} -> {CostOverSize.tetrahedra(self.cells[-1])} tets"
        self.kinds = {f"CPU time of {CostOverSize.STEPS} steps with set-up over mesh size, {sizes}, one rank, {kind}": kind for kind in ("ml", "automatic")}

    def names(self):
        return list(self.kinds)

    def rows(self, workshop, chosen):
        for name in chosen:
            runs = {}
            for cells in self.cells:
                settings = {"bodies.block.mesh": workshop.box(cells, CostOverSize.EDGE), "time.end": CostOverSize.STEPS * 1e-3, "time.integrator": "backward_euler",
                            "solver.preconditioner": self.kinds[name], "solver.krylov": "fgmres", **RUBBER}
                run = workshop.simulate(workshop.job_scene("scaling"), settings, 1)
                progress(f"{name}: {run}, {run.cpu_seconds:.3g} s of CPU time")
                if run.unfinished:
                    return
                runs[run.elements] = run
            seconds = [run.cpu_seconds for run in runs.values()]
            power = exponent(list(runs), seconds)
            yield Row(name, f"n^{power:.3g}: " + ", ".join(map(seconds_text, seconds)), "n^1", power, value=power, unit="1", kind=RATIO,
                      more=tuple((f"{quantity}, {thousands(size)} tets", *rest) for size, run in runs.items() for quantity, *rest in run.records()))


class LinearSolve:
    """One linear system to 1e-2, set-up included, and BiCGSTAB without preconditioner with the same operator."""

    PLATES = {"A": ((85, 85, 2), (0.14, 0.14, 0.0033), 15), "B": ((152, 152, 3), (0.14, 0.14, 0.0033), 8)}   # cells, size [m], least speed-up
    SPEED = 1.0   # [m/s]: as in an impact, where BiCGSTAB without preconditioner fails
    SIZES = {"A": "22K vertices, 87K tets", "B": "94K vertices, 416K tets"}

    def __init__(self, plan):
        self.plan = plan

    @staticmethod
    def name(plate, kind):
        return f"linear solve with set-up, nu = 0.4995, h = 1e-3, plate {plate} ({LinearSolve.SIZES[plate]}), {kind}"

    def names(self):
        return [self.name(plate, kind) for plate, _ in self.plan.plates for kind in self.plan.plate_kinds]

    def rows(self, workshop, chosen):
        for plate, repeats in self.plan.plates:
            kinds = [kind for kind in self.plan.plate_kinds if self.name(plate, kind) in chosen]
            if not kinds:
                continue
            cells, size, least = self.PLATES[plate]
            progress(f"linear solve, plate {plate}: {', '.join(kinds)}, none")
            solves = workshop.linear_solve(cells, size, [*kinds, "none"], repeats, RANKS, self.plan.plate_limit, self.SPEED)
            seconds = median_by(solves, lambda row: row["preconditioner"], lambda row: row["setup_seconds"] + row["solve_seconds"])
            last = {row["preconditioner"]: row for row in solves}
            for kind in kinds:
                iterations, given_up = int(last["none"]["iterations"]), not last["none"]["converged"]
                ours = f"{seconds_text(seconds[kind])}, {counted(int(last[kind]['iterations']), 'iteration')}" + ("" if last[kind]["converged"] else ", not converged")
                against = f"{seconds_text(seconds['none'])}, BiCGSTAB " + (f"given up at {iterations} iterations" if given_up else counted(iterations, "iteration"))
                yield Row(self.name(plate, kind), ours, against, seconds["none"] / seconds[kind], Target(f">= {least} times faster", least=least), value=seconds[kind], unit="s",
                          more=(("iterations", last[kind]["iterations"], "1", COUNT), ("times faster than BiCGSTAB alone", seconds["none"] / seconds[kind], "1", RATIO)))


class IterationsOverSize:
    """Iterations of the scalable preconditioner on the cubes of CostOverSize."""

    def __init__(self, plan):
        self.plan = plan
        self.name = (f"linear iterations to 1e-2 over mesh size, {CostOverSize.tetrahedra(plan.mesh_cells[0])} -> "
                     f"{CostOverSize.tetrahedra(plan.mesh_cells[-1])} tets, ml")

    def names(self):
        return [self.name]

    def rows(self, workshop, chosen):
        sizes, iterations = [], []
        for cells in self.plan.mesh_cells:
            solve, = workshop.linear_solve((cells,) * 3, (CostOverSize.EDGE,) * 3, ["ml"], 1, RANKS)
            progress(f"linear solve, ml: {solve['tetrahedra']:.0f} tetrahedra, {solve['iterations']:.0f} iterations")
            sizes.append(solve["tetrahedra"])
            iterations.append(solve["iterations"])
        power = exponent(sizes, iterations)
        yield Row(self.name, f"n^{power:.3g}: " + ", ".join(f"{count:.0f}" for count in iterations), "n^(1/6)", power / (1 / 6), Target("exponent < 0.167", most=0.167), power,
                      value=power, unit="1", kind=COUNT, more=tuple((f"{thousands(int(size))} tets", count, "1", COUNT) for size, count in zip(sizes, iterations)))


class TwoRanks:
    """A landing block of jobs/scaling on one rank and on two."""

    EDGE_OF_CELL = 0.01   # [m]

    def __init__(self, plan):
        self.plan = plan
        self.lines = {f"two ranks against one, whole step, {where} ({CostOverSize.tetrahedra(cells)} tets), block Jacobi": (cells, steps, least)
                      for where, cells, steps, least in plan.two_ranks}

    def names(self):
        return list(self.lines)

    def rows(self, workshop, chosen):
        for name, (cells, steps, least) in self.lines.items():
            if name not in chosen:
                continue

            def measured(ranks):
                settings = {"bodies.block.mesh": workshop.box(cells, cells * self.EDGE_OF_CELL), "time.end": steps * 1e-3, "solver.preconditioner": "block_jacobi"}
                run = workshop.simulate(workshop.job_scene("scaling"), settings, ranks)
                progress(f"{name}, {counted(ranks, 'rank')}: {run}")
                return run

            runs = interleaved({ranks: lambda ranks=ranks: measured(ranks) for ranks in (1, 2)}, self.plan.repeats)
            one, two = ([run for run in runs[ranks] if not run.unfinished] for ranks in (1, 2))
            if one and two:
                seconds = [statistics.median(run.seconds_per_step for run in group) for group in (two, one)]
                iterations = [group[0].linear_iterations / group[0].steps for group in (two, one)]
                texts = [seconds_text(s) + (f", {seconds_text(s / n)} per linear iteration" if iterations[0] != iterations[1] else "") for s, n in zip(seconds, iterations)]
                yield Row(name, texts[0], f"{texts[1]}, one rank", seconds[1] / seconds[0], Target(f">= {least} times faster", least=least), value=seconds[0], unit="s",
                          more=(("times faster", seconds[1] / seconds[0], "1", RATIO), ("linear iterations per step", iterations[0], "1", COUNT),
                                ("linear iterations per step, one rank", iterations[1], "1", COUNT)))


class ContactShare:
    """What contact costs in steps that are full of it: search, forces and linearization, without waiting for other ranks."""

    TARGET = Target("<= 15 %", most=0.15)

    def __init__(self, plan):
        self.plan = plan
        self.grasp = f"contact as a share of a step, bowl grasp (first {plan.grasp_steps} steps), one rank"
        self.squish = f"contact as a share of a step, ball squish, {plan.contact_squish_name} (first {plan.squish_steps} steps), one rank"

    def names(self):
        return [self.grasp, self.squish]

    def rows(self, workshop, chosen):
        cases = {self.grasp: lambda: (workshop.job_scene("bowl_grasp"), {"time.end": self.plan.grasp_steps * 5e-3}),
                 self.squish: lambda: (workshop.meshed_scene("ball_squish", self.plan.contact_squish_size), {"time.end": self.plan.squish_steps * 1e-3, **PRESS_AT_ONCE})}
        for name, case in cases.items():
            if name in chosen:
                scene, settings = case()
                run = workshop.simulate(scene, settings, 1)
                progress(f"{name}: {run}")
                if not run.unfinished:
                    yield Row(name, f"{100 * run.contact_share:.3g} % of {seconds_text(run.seconds_per_step)}", "whole step", run.contact_share, self.TARGET,
                              value=run.contact_share, unit="1", kind=RATIO, more=run.records())


class ContactSearch:
    """What finding all that is near takes, over the number of triangles."""

    KINDS = {"vertices and triangles": "search", "edges, faces and vertices of two bodies": "features"}   # name, benchmark of contact_search.cpp
    SIZES = (10000, 100000, 1000000)
    LOGARITHMIC = exponent(SIZES, [size * math.log(size) for size in SIZES])   # what n log n has between these sizes

    def __init__(self, plan):
        self.plan = plan
        self.lines = {f"search of what is near over size, {kind}, {thousands(self.SIZES[0])} -> {thousands(self.SIZES[-1])} triangles": benchmark for kind, benchmark in self.KINDS.items()}

    def names(self):
        return list(self.lines)

    def rows(self, workshop, chosen):
        for name in self.lines:
            if name not in chosen:
                continue
            measured = workshop.benchmarks("contact_search", [f"--benchmark_filter=^{self.lines[name]}/"], self.plan.long_repeats)
            seconds = median_by(measured, lambda row: int(row[0].split("/")[1]), lambda row: row[1])
            sizes = sorted(seconds)
            progress(f"{name}: {', '.join(seconds_text(seconds[size]) for size in sizes)}")
            power = exponent(sizes, [seconds[size] for size in sizes])
            yield Row(name, f"n^{power:.3g}: " + ", ".join(seconds_text(seconds[size]) for size in sizes), f"n log n: n^{self.LOGARITHMIC:.3g}", power / self.LOGARITHMIC, value=power, unit="1", kind=RATIO,
                      more=tuple((f"{thousands(size)} triangles", seconds[size], "s", CPU_TIME) for size in sizes))


CASES = (Kernels, TennisBall, BallSquish, CostOverSize, WorkOverSize, LinearSolve, IterationsOverSize, TwoRanks, ContactShare, ContactSearch)
