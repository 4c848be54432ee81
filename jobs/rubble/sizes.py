#!/usr/bin/python3
"""Seconds per step of the rubble over its bodies and ranks: sizes.py --bodies 100 1000 10000 --ranks 1 2 --out FOLDER.

Runs the scene of each size on each number of ranks until --end, prints a table, and writes it and its picture. Until --fall nothing lands, and steps are 5 ms long. Processor
seconds, those of all ranks without what `traction check` takes, count other programs little; those of several ranks contain their waiting for each other. The program is that of
build/release, or TRACTION.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import resource
import subprocess
import sys

import rubble

HERE = pathlib.Path(__file__).resolve().parent


def processor_seconds(command, **arguments):
    """The processor time of a program and of those that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(bodies, ranks, fall, end, folder):
    """Costs of one run: a row of the table."""
    rubble.write(folder / f"scene_{bodies}", bodies, 1)
    out = folder / f"bodies_{bodies}_ranks_{ranks}"
    program = os.environ.get("TRACTION", str(HERE.parents[1] / "build" / "release" / "traction"))
    mpirun, path = ["mpirun", "-n", ranks, "--oversubscribe", program], folder / f"scene_{bodies}" / "scene.yaml"
    start = processor_seconds([*mpirun, "check", path])
    steps = f"[{{from: 0, step: 5e-3}}, {{from: {fall}, step: 1e-3}}]"
    run = processor_seconds([*mpirun, "run", path, "--out", out, "--overwrite", "--set", f"time.step={steps}", "--set", f"time.end={end}", "--set", "output={log_every: 1000}"])
    costs = json.loads((out / "run.json").read_text())["costs"]
    steps, newton, seconds = (costs["total"][name] for name in ("steps", "newton_iterations", "seconds"))
    return {"bodies": bodies, "ranks": ranks, "start_processor_seconds": start, "processor_seconds_per_step": (run - start) / steps, "steps": steps, "newton_per_step": newton / steps, "seconds_per_step": seconds / steps,
            "seconds_per_newton": seconds / newton}


def exponents(rows, ranks, quantity):
    """Exponents of the bodies between one size and the next on as many ranks."""
    points = sorted((row["bodies"], row[quantity]) for row in rows if row["ranks"] == ranks)
    return [math.log(b / a) / math.log(m / n) for (n, a), (m, b) in zip(points, points[1:])]


def picture(rows, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.4, 4), constrained_layout=True)
    for ranks in sorted({row["ranks"] for row in rows}):
        points = sorted((row["bodies"], row["processor_seconds_per_step"]) for row in rows if row["ranks"] == ranks)
        axes.loglog(*zip(*points), "o-", label=f"{ranks} ranks" if ranks > 1 else "1 rank")
    axes.set(xlabel="bodies", ylabel="processor seconds per step, all ranks")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bodies", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--fall", type=float, default=0.045, help="simulated time in steps of 5 ms [s]")
    parser.add_argument("--end", type=float, default=0.075, help="simulated time [s]")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    rows = []
    for bodies in arguments.bodies:
        for ranks in arguments.ranks:
            rows.append(measure(bodies, ranks, arguments.fall, arguments.end, arguments.out))
            print(", ".join(f"{name} {value:.4g}" for name, value in rows[-1].items()), flush=True)
    for ranks in arguments.ranks:
        for quantity in ("processor_seconds_per_step", "seconds_per_step"):
            print(f"exponents of the bodies on {ranks} ranks, {quantity}: " + ", ".join(f"{value:.2f}" for value in exponents(rows, ranks, quantity)))
    with open(arguments.out / "sizes.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    picture(rows, arguments.out / "sizes.png")


if __name__ == "__main__":
    sys.exit(main())
