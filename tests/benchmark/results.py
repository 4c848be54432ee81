"""The record of what was measured, results.csv: a line for each figure, commit and machine."""

import csv
import datetime
import math
import os
import pathlib
import platform
import re
import statistics
import subprocess

COLUMNS = ("date", "commit", "machine", "cpu", "figure", "value", "unit")
HERE = pathlib.Path(__file__).resolve().parent


def commit():
    """The commit that is checked out, with a + if files differ from it; empty without git."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(exclude)results.csv")
        return git("rev-parse", "--short=10", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def cpu():
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"{os.cpu_count()} x {model[1] if model else platform.machine()}"


def append(path, rows, now=None):
    """Appends the rows that have a value. The file begins with its header."""
    now = now or datetime.datetime.now(datetime.timezone.utc)
    here = [now.strftime("%Y-%m-%dT%H:%M:%SZ"), commit(), platform.node(), cpu()]
    is_new = not path.is_file() or path.stat().st_size == 0
    with open(path, "a", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(COLUMNS)
        writer.writerows([*here, row.what, f"{row.value:.6g}", row.unit] for row in rows if math.isfinite(row.value))


def read(path):
    """Its lines as dictionaries, by date."""
    with open(path, newline="") as file:
        return sorted(csv.DictReader(file), key=lambda row: row["date"])


def series(rows):
    """{(figure, unit): {(machine, cpu): {commit: median of its values}}}"""
    values = {}
    for row in rows:
        lines = values.setdefault((row["figure"], row["unit"]), {})
        lines.setdefault((row["machine"], row["cpu"]), {}).setdefault(row["commit"], []).append(float(row["value"]))
    return {figure: {machine: {name: statistics.median(numbers) for name, numbers in of_commit.items()} for machine, of_commit in lines.items()}
            for figure, lines in values.items()}
