#!/usr/bin/python3
"""Runs the jobs whose figures papers print or others have measured, and writes what they find into docs/verification_papers.csv, of which tests/verification makes two tables.

    tests/validation/paper_figures.py [--only TEXT] [--limit SECONDS]

The file lists each printed figure, the job and the run that repeat it (the label of a variant in study.yaml, or `scene`), and the row of the job's summary that is compared,
times `factor`. Settings that the run changes follow the label, as in `n = 1; time.step=5e-4`. A row without a run has a figure of the job's page, or a remark that explains why nothing repeats it. TRACTION_BUILD names the folder of the build.
"""

import argparse
import csv
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "jobs"))
import run_job  # noqa: E402

TABLE = ROOT / "docs" / "verification_papers.csv"
NOT_RUN = "not run"   # how remarks begin that a run makes untrue
PICTURE = TABLE.with_suffix(".png")
PICTURE_OF_MEASUREMENTS = TABLE.with_name("verification_measurements.png")
COLUMNS = ("paper", "case", "quantity", "printed", "unit", "job", "run", "row", "factor", "ours", "remark")


def read():
    with open(TABLE, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(rows):
    with open(TABLE, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def simulate(job, label, directory, build, limit):
    """Runs a job; returns its summary, {quantity: value}, where seconds are those of the processor: the clock's times the share of a core that the run had."""
    scene, sets = job / "scene.yaml", []
    name, *changes = label.split("; ")
    if name != "scene":
        variant = next(variant for variant in yaml.safe_load((job / "study.yaml").read_text()) if variant["label"] == name)
        scene, sets = job / variant.get("scene", "scene.yaml"), variant.get("set", [])
    sets = [*sets, *changes]
    command = [str(build / "traction"), "run", str(scene), "--out", str(directory), "--overwrite", *(word for setting in sets for word in ("--set", setting))]
    environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1", **os.environ}
    begin, used = time.monotonic(), cpu_seconds()
    subprocess.run(command, check=True, timeout=limit, env=environment, stdout=subprocess.DEVNULL)
    share = (cpu_seconds() - used) / (time.monotonic() - begin)   # the part of a core that the run had
    run, report = run_job.Run(directory, label), run_job.load_report(job)
    rows = report.summary(run)
    run_job.write_summary(directory / "summary.csv", rows)
    found = {row[0]: row[1] for row in rows}
    if name != "scene":   # what only the study of the job compares
        for quantity, value, *_ in report.study([run], directory):
            found.setdefault(quantity.removesuffix(f": {label}"), value)
    return {quantity: value * share if "seconds" in quantity else value for quantity, value in found.items()}


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def section(rows):
    """Lines of docs/verification.md."""
    papers, measured = [row for row in rows if not is_measurement(row)], [row for row in rows if is_measurement(row)]
    ran = [row for row in papers if row["ours"]]
    return ["", "## Figures of the papers", "",
            f"What papers print, beside what the [jobs](index.md#jobs) find: {len(ran)} of {len(papers)} figures were computed, by `tests/validation/paper_figures.py` on one rank; the last column explains the others."
            " Where a paper leaves out dimensions, the job's page lists what was chosen or fitted. Our seconds are those of one processor, because several other programs shared the machine;"
            " the papers' are of the clock, on other machines: 12 cores of a Threadripper 1920X (P0), one of an i7-9700K (P3).",
            "", f"![Ours over the papers' figures]({PICTURE.name})", "", *table(papers, "paper", "printed"),
            "", "## Measurements", "",
            f"What others have measured, beside what the [jobs](index.md#jobs) find: {len(measured)} figures. Ours are those of the job's page, which also has its sources and what it assumes of materials;"
            " `tests/validation/paper_figures.py` repeats the rows that name a run. Figures to which losses were fitted are left out."
            " The rows of ITF are limits within which approved balls are measured to lie. Those of TNO follow from the constants of a property file, which describe a tire."
            " The last column explains what does not agree. The tangential restitution passes through zero, so its difference is not relative, and the picture leaves it out.",
            "", f"![Ours over the measured figures]({PICTURE_OF_MEASUREMENTS.name})", "", *table(measured, "source", "measured")]


def table(rows, source, value_of_others):
    lines = [f"| {source} | case | quantity | {value_of_others} | ours | difference | job | run | remark |", "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        ours, difference = "–", ""
        if row["ours"]:
            printed, value = float(row["printed"]), float(row["ours"])
            ours = f"{value:.4g} {row['unit']}".strip()
            difference = f"× {value / printed:.2g}" if is_cost(row) else f"{value - printed:+.3f}" if passes_through_zero(row) else f"{100 * (value / printed - 1):+.1f} %"
        job = f"[{row['job']}](../jobs/{row['job']}/README.md)" if row["job"] else ""
        lines.append("| " + " | ".join([row["paper"], row["case"], row["quantity"], f"{row['printed']} {row['unit']}".strip(), ours, difference, job, row["run"], row["remark"]]) + " |")
    return lines


def is_measurement(row):
    """Whether a row compares with others' measurements instead of with a paper whose method Traction has (P0 to P4)."""
    return not re.match(r"P\d ", row["paper"])


def passes_through_zero(row):
    return row["quantity"].startswith("tangential restitution")


def is_cost(row):
    return row["quantity"].startswith(("time per", "memory"))


def draw(rows):
    """Ours over the printed figure, a line for each that was computed: results above, costs below; and measurements in a picture of their own."""
    ran = [row for row in rows if row["ours"] and not passes_through_zero(row)]
    papers = [row for row in ran if not is_measurement(row)]
    draw_panels(PICTURE, {"results: ours over the paper's": [row for row in papers if not is_cost(row)], "seconds of a processor and memory: ours over the paper's": [row for row in papers if is_cost(row)]})
    draw_panels(PICTURE_OF_MEASUREMENTS, {"ours over the measured figure": [row for row in ran if is_measurement(row)]})


def draw_panels(path, panels):
    """A panel for each title; the last has a logarithmic axis. Each source has a color."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    heights = [len(chosen) for chosen in panels.values()]
    sources = sorted({row["paper"].split()[0] for chosen in panels.values() for row in chosen})
    figure, axes = pyplot.subplots(len(panels), 1, figsize=(9, 0.2 * sum(heights) + 0.8 * len(panels)), height_ratios=heights, constrained_layout=True, squeeze=False)
    for panel, (title, chosen) in zip(axes[:, 0], panels.items()):
        for number, row in enumerate(chosen):
            panel.plot(float(row["ours"]) / float(row["printed"]), number, "o", color=f"C{sources.index(row['paper'].split()[0]) % 10}")
        panel.axvline(1, color="black", linewidth=0.8)
        panel.set_yticks(range(len(chosen)), [f"{row['case']}: {row['quantity']}" for row in chosen], fontsize=6)
        panel.invert_yaxis()
        panel.set_title(title, fontsize=9)
        panel.grid(axis="x", alpha=0.3)
    panel.set_xscale("log")
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="TEXT", default="", help="only runs whose job or label contains TEXT")
    parser.add_argument("--limit", metavar="SECONDS", type=float, default=600, help="give a run up after so long (default 600)")
    arguments = parser.parse_args()
    build = pathlib.Path(os.environ.get("TRACTION_BUILD", ROOT / "build/release")).resolve()
    failed = 0
    for job, label in dict.fromkeys((row["job"], row["run"]) for row in read() if row["run"]):
        if arguments.only not in f"{job}: {label}":
            continue
        directory = build / "papers" / job / label.replace(" ", "_").replace(",", "").replace(":", "").replace(";", "")
        directory.parent.mkdir(parents=True, exist_ok=True)
        print(f"{job}: {label}", flush=True)
        try:
            found = simulate(ROOT / "jobs" / job, label, directory, build, arguments.limit)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            print(f"  {error}", file=sys.stderr)
            failed = 1
            continue
        rows = read()   # anew, for another process may have filled other rows
        for row in rows:
            if (row["job"], row["run"]) == (job, label):
                row["ours"] = f"{float(found[row['row']]) * float(row['factor']):.6g}"
                row["remark"] = row["remark"] if not row["remark"].startswith(NOT_RUN) else ""
        write(rows)
    return failed


if __name__ == "__main__":
    sys.exit(main())
