#!/usr/bin/python3
"""Strong and weak scaling measured on this machine, and runs on 16 to 4096 ranks predicted from kernel times, message costs and real partitions.

Four stages, each of which reads what those before it left in the output folder:

    measure    measured.csv, kernels.csv, counts.csv, messages.csv: runs on 1, 2, 4, 8 and 16 ranks, as far as there are cores, what kernels and messages cost
    partition  partitions.csv: how many vertices, elements, ghosts and neighbours METIS gives every rank (kept from earlier calls)
    predict    predicted.csv, summary.csv: the model of model.py
    plot       scaling.png
"""

import argparse
import csv
import dataclasses
import os
import pathlib
import shutil
import statistics
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from measurements import OtherLoad, ProgramFailed, Programs, cores, element_count, mesh_name, progress  # noqa: E402
from model import KernelSeconds, Network, StepCounts, one_rank, step_seconds  # noqa: E402
from run_job import write_summary  # noqa: E402

STAGES = ("measure", "partition", "predict", "plot")
SPREAD_COLUMNS = ("vertices", "elements", "local_elements", "interior_elements", "ghosts", "sent", "neighbours")
DISTURBED = 0.2   # cores busy with other programs, from which on a run counts only if no better one exists
THIS_MACHINE = "this machine's messages"


class InputError(Exception):
    pass


@dataclasses.dataclass
class Plan:
    """Which meshes, by their cells along x, y and z. All have cells of one size: a step then takes about as many iterations on each."""
    strong: tuple = (32, 32, 32)
    weak: dict = dataclasses.field(default_factory=lambda: {1: (20, 20, 21), 2: (40, 20, 21), 4: (40, 40, 21), 8: (80, 40, 21), 16: (80, 80, 21)})   # by ranks
    kernels: tuple = ((8, 8, 7), (16, 16, 15), (32, 32, 32))   # from what a rank has among 4096 to more than it has among 64
    large: tuple = (119, 119, 119)
    parts: tuple = (16, 64, 256, 1024, 4096)
    repeats: int = 3
    message_repetitions: int = 30

    def __post_init__(self):
        """More ranks than there are cores show that the program works there, for which four are enough."""
        self.weak = {ranks: cells for ranks, cells in self.weak.items() if ranks <= max(4, cores())}


QUICK = Plan(strong=(16, 16, 16), weak={1: (10, 10, 10), 2: (20, 10, 10), 4: (20, 20, 10)}, kernels=((8, 8, 7), (16, 16, 16)), large=(55, 55, 55),
             parts=(16, 64), repeats=2)


def write_rows(path, rows):
    with open(path.with_suffix(".part"), "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        for row in rows:
            writer.writerow({key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()})
    path.with_suffix(".part").rename(path)


def read_rows(path, stage):
    if not path.is_file():
        raise InputError(f"{path} is missing; make it with --only {stage}")
    with open(path, newline="") as file:
        return [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def undisturbed(rows, *keys):
    """Without the rows that other programs disturbed, where there are others with the same keys."""
    def calm(row):
        return row["cores_busy_otherwise"] <= DISTURBED

    with_calm = {tuple(row[key] for key in keys) for row in rows if calm(row)}
    return [row for row in rows if calm(row) or tuple(row[key] for key in keys) not in with_calm]


def read_measured(out):
    return undisturbed(read_rows(out / "measured.csv", "measure"), "scaling", "ranks")


def median_of(rows, key):
    return statistics.median(row[key] for row in rows)


def disturbance(others):
    return f" (disturbed: other programs took {others.cores:.1f} cores)" if others.cores > DISTURBED else ""


def measure(plan, programs, out):
    cases = [("strong", plan.strong, ranks) for ranks in plan.weak] + [("weak", cells, ranks) for ranks, cells in plan.weak.items()]
    measured, kernels, counts = [], [], {}
    # One repeat after the other, not one case after the other: what disturbs the machine for a while then does not fall on one case alone.
    for repeat in range(1, plan.repeats + 1):
        for scaling, cells, ranks in cases:
            with OtherLoad() as others:
                run = programs.run_on_ranks(cells, ranks)
            row = {"scaling": scaling, "ranks": ranks, "oversubscribed": "yes" if ranks > cores() else "no", "repeat": repeat, "mesh": mesh_name(cells),
                   "elements": run.elements, "vertices": run.vertices, "steps": run.steps, "seconds_per_step": run.seconds / run.steps,
                   "newton_iterations_per_step": run.newton_iterations / run.steps, "linear_iterations_per_step": run.linear_iterations / run.steps,
                   "cores_busy_otherwise": others.cores}
            progress(f"repeat {repeat} of {plan.repeats}: {scaling}, {ranks} ranks, {run.elements} elements: {row['seconds_per_step']:.4g} s per step"
                     + disturbance(others))
            measured.append(row)
            if scaling == "strong" and ranks == 2:
                counts = dataclasses.asdict(run.counts())
        for cells in plan.kernels:
            with OtherLoad() as others:
                copies = programs.run_on_every_core(cells)
            for copy in copies:
                kernels.append({"elements": copy.elements, "vertices": copy.vertices, "repeat": repeat, **copy.kernel_seconds(), "cores_busy_otherwise": others.cores})
            progress(f"repeat {repeat} of {plan.repeats}: kernels, {copy.elements} elements: {1e9 * kernels[-1]['product']:.4g} ns per element of a product"
                     + disturbance(others))
    write_rows(out / "measured.csv", measured)
    write_rows(out / "kernels.csv", kernels)
    write_rows(out / "counts.csv", [counts])
    messages = programs.messages(plan.message_repetitions)
    write_rows(out / "messages.csv", [{"benchmark": name, "size": size, "seconds": seconds} for (name, size), seconds in sorted(messages.items())])


def partition_tables(plan, out):
    """(mesh, parts) -> file, for the large mesh and for those measured on up to as many ranks as there are cores."""
    meshes = [(plan.large, parts) for parts in plan.parts]
    meshes += [(cells, ranks) for ranks, weak in plan.weak.items() if 1 < ranks <= cores() for cells in (plan.strong, weak)]
    return {(cells, parts): out / "partitions" / f"{mesh_name(cells)}_{parts}.csv" for cells, parts in meshes}


def read_parts(table):
    rows = read_rows(table, "partition")
    return {column: numpy.array([row[column] for row in rows], dtype=float) for column in SPREAD_COLUMNS}


def partition(plan, programs, out):
    rows = []
    for (cells, parts), table in partition_tables(plan, out).items():
        seconds = programs.partition(cells, parts, table)
        progress(f"{element_count(cells)} elements in {parts} parts: {f'{seconds:.0f} s' if seconds else 'kept from before'}")
        row = {"mesh": mesh_name(cells), "parts": parts}
        for column, values in read_parts(table).items():
            row.update({f"{column}_min": int(values.min()), f"{column}_mean": float(values.mean()), f"{column}_max": int(values.max())})
        rows.append(row)
    write_rows(out / "partitions.csv", rows)


def this_machine(messages):
    """Latency from the smallest exchange, bandwidth from what the largest takes longer (packing included), stages of sums from a sum over two ranks."""
    exchange = {row["size"]: row["seconds"] for row in messages if row["benchmark"] == "halo_exchange"}
    least, most = min(exchange), max(exchange)
    return Network(THIS_MACHINE, exchange[least], 24 * (most - least) / (exchange[most] - exchange[least]),
                   next(row["seconds"] for row in messages if row["benchmark"] == "sum_of_ranks"))


def predict(plan, out, given):
    """`given`: the network that the command line describes."""
    measured, messages = read_measured(out), read_rows(out / "messages.csv", "measure")
    rows = undisturbed(read_rows(out / "kernels.csv", "measure"), "elements")
    kernels = KernelSeconds([{"elements": size, **{name: median_of([row for row in rows if row["elements"] == size], name) for name in KernelSeconds.NAMES}}
                             for size in sorted({row["elements"] for row in rows})])
    counts = StepCounts(**read_rows(out / "counts.csv", "measure")[0])
    here = this_machine(messages)
    large_vertices = (plan.large[0] + 1) * (plan.large[1] + 1) * (plan.large[2] + 1)
    alone = step_seconds(one_rank(element_count(plan.large), large_vertices), kernels, counts, here)["seconds_per_step"]
    predicted = []

    def add(case, cells, parts, one_rank_seconds, step_counts, network):
        table = read_parts(partition_tables(plan, out)[cells, parts])
        result = step_seconds(table, kernels, step_counts, network)
        predicted.append({"case": case, "mesh": mesh_name(cells), "ranks": parts, "network": network.name, **result,
                          "seconds_per_step_without_overlap": step_seconds(table, kernels, step_counts, network, overlap=False)["seconds_per_step"],
                          "efficiency": one_rank_seconds / (parts * result["seconds_per_step"])})

    for network in (here, given):
        for parts in plan.parts:
            add("large", plan.large, parts, alone, counts, network)
    for scaling, cells, ranks in sorted({(row["scaling"], row["mesh"], row["ranks"]) for row in measured}):
        if not 1 < ranks <= cores():
            continue
        # What the model makes of the runs that were measured, with the iterations that they took.
        runs, single = ([row for row in measured if row["scaling"] == scaling and row["ranks"] == count] for count in (ranks, 1))
        factor = median_of(runs, "linear_iterations_per_step") / counts.linear_iterations
        own = StepCounts(*(factor * value for value in dataclasses.astuple(counts)))
        work = 1 if scaling == "strong" else ranks   # for a run on one rank
        add(scaling, tuple(map(int, cells.split("x"))), ranks, work * median_of(single, "seconds_per_step"), own, here)
    write_rows(out / "predicted.csv", predicted)
    write_summary(out / "summary.csv", summary(measured, predicted, kernels, counts, here))


def summary(measured, predicted, kernels, counts, here):
    rows = []
    for scaling in ("strong", "weak"):
        single = [row for row in measured if row["scaling"] == scaling and row["ranks"] == 1]
        first, first_iterations = median_of(single, "seconds_per_step"), median_of(single, "linear_iterations_per_step")
        for ranks in sorted({row["ranks"] for row in measured}):
            runs = [row for row in measured if row["scaling"] == scaling and row["ranks"] == ranks]
            name = f"{scaling}, {ranks} rank{'s' if ranks > 1 else ''}" + (" (oversubscribed)" if runs[0]["oversubscribed"] == "yes" else "")
            seconds = median_of(runs, "seconds_per_step")
            model = [row["seconds_per_step"] for row in predicted if row["case"] == scaling and row["ranks"] == ranks]
            rows.append((f"{name}: step", seconds, "s", f"{model[0]:.6g}" if model else "", "model" if model else ""))
            iterations = median_of(runs, "linear_iterations_per_step")
            efficiency = first / seconds / (ranks if scaling == "strong" else 1)
            rows.append((f"{name}: efficiency", efficiency, "", "", ""))
            rows.append((f"{name}: efficiency per linear iteration", efficiency * iterations / first_iterations, "", "", ""))
            rows.append((f"{name}: linear iterations per step", float(iterations), "", "", ""))
    disturbed = sum(row["cores_busy_otherwise"] > DISTURBED for row in measured)
    rows.append(("runs above that other programs disturbed", f"{disturbed} of {len(measured)}", "", "0", ""))
    smallest, largest = (int(round(numpy.exp(size))) for size in (kernels.sizes[0], kernels.sizes[-1]))
    for size in (smallest, largest):
        rows.append((f"product, {size} elements per rank", 1e9 * float(kernels("product", size)), "ns/element", "", ""))
        rows.append((f"residual, {size} elements per rank", 1e9 * float(kernels("residual", size)), "ns/element", "", ""))
    rows += [("predicted steps: linear iterations", float(counts.linear_iterations), "", "", ""), ("halo exchange: latency", 1e6 * here.latency, "us", "", ""),
             ("halo exchange: bandwidth", 1e-9 * here.bandwidth, "GB/s", "", ""), ("sum over two ranks", 1e6 * here.stage_latency, "us", "", "")]
    for row in predicted:
        if row["case"] == "large":
            rows.append((f"predicted, {row['ranks']} ranks, {row['network']}: step", row["seconds_per_step"], "s", "", ""))
            rows.append((f"predicted, {row['ranks']} ranks, {row['network']}: efficiency", row["efficiency"], "", "", ""))
    return rows


def positive(text):
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"needs a positive number, not '{text}'")
    return value


def parse_arguments():
    parser = argparse.ArgumentParser(prog="jobs/run scaling", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="output folder (default jobs/scaling/out, with --quick jobs/scaling/out_quick)")
    parser.add_argument("--quick", action="store_true", help="small meshes, and 16 and 64 parts of a million tetrahedra: a minute or two")
    parser.add_argument("--only", choices=STAGES, help="one stage instead of all")
    parser.add_argument("--latency", type=positive, metavar="MICROSECONDS", help="of a message on the network to predict for (default 1.5, assumed)")
    parser.add_argument("--bandwidth", type=positive, metavar="GB/S", help="of a rank on that network (default 12, assumed)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    plan = QUICK if arguments.quick else Plan()
    out = (arguments.out or HERE / ("out_quick" if arguments.quick else "out")).resolve()
    latency, bandwidth = arguments.latency or 1.5, arguments.bandwidth or 12
    origin = "given" if arguments.latency and arguments.bandwidth else "assumed"
    given = Network(f"{latency:g} us and {bandwidth:g} GB/s ({origin})", 1e-6 * latency, 1e9 * bandwidth, 1e-6 * latency)
    stages = (arguments.only,) if arguments.only else STAGES
    try:
        out.mkdir(parents=True, exist_ok=True)
        programs = Programs(pathlib.Path(os.environ.get("TRACTION_BUILD", HERE.parents[1] / "build/release")), HERE / "scene.yaml", out / "runs")
        if "measure" in stages:
            measure(plan, programs, out)
        if "partition" in stages:
            partition(plan, programs, out)
        if "predict" in stages:
            predict(plan, out, given)
        if "plot" in stages:
            from picture import draw
            draw(read_measured(out), read_rows(out / "predicted.csv", "predict"), out / "scaling.png")
        if not arguments.only:
            shutil.rmtree(programs.work)   # meshes, hundreds of megabytes, and runs
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except ProgramFailed as error:
        print(error, file=sys.stderr)
        return error.code if error.code > 0 else 4   # a signal ended it
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 4
    print(f"{', '.join(stages)}: results are in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
