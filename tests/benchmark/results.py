"""The record of what was measured, results.csv: a line for each figure, commit and machine.

`kind` is wall time, CPU time, count, ratio (of measurements that took turns) or memory. `others` is how many cores other programs kept busy meanwhile; wall times are recorded
only where that is nearly none. `command` measures the figure again.
"""

import csv
import datetime
import os
import pathlib
import platform
import re
import statistics
import subprocess

COLUMNS = ("date", "commit", "machine", "figure", "value", "unit", "kind", "others", "command")
MEASURED = (":/CMakeLists.txt", ":/CMakePresets.json", ":/cmake", ":/src", ":/jobs", ":/tests/benchmark/*.cpp")   # what figures depend on, as git's paths
HERE = pathlib.Path(__file__).resolve().parent


def commit():
    """The last commit that changed what is measured, with a + if files differ from it; empty without git."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", *MEASURED)
        return git("log", "-1", "--format=%h", "--abbrev=10", "--", *MEASURED) + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine():
    """The processor: its cores and model, and no host's name."""
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"{os.cpu_count()} x {model[1] if model else platform.machine()}"


def append(path, records, others, command, now=None):
    """Appends a line for each of the records. The file begins with its header."""
    now = now or datetime.datetime.now(datetime.timezone.utc)
    here = [now.strftime("%Y-%m-%dT%H:%M:%SZ"), commit(), machine()]
    is_new = not path.is_file() or path.stat().st_size == 0
    with open(path, "a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        writer.writerows([*here, record.figure, f"{record.value:.6g}", record.unit, record.kind, f"{others:.2f}", command] for record in records)


def read(path):
    """Its lines as dictionaries, by date."""
    with open(path, newline="") as file:
        return sorted(csv.DictReader(file), key=lambda row: row["date"])


def series(rows):
    """{(figure, unit): {machine: {commit: median of its values}}}"""
    values = {}
    for row in rows:
        lines = values.setdefault((row["figure"], row["unit"]), {})
        lines.setdefault(row["machine"], {}).setdefault(row["commit"], []).append(float(row["value"]))
    return {figure: {machine: {name: statistics.median(numbers) for name, numbers in of_commit.items()} for machine, of_commit in lines.items()}
            for figure, lines in values.items()}
