"""Numbers made from measurements, and the table that shows them."""

import csv
import dataclasses
import math
import statistics

COLUMNS = ("what", "ours", "against", "ratio", "target")


@dataclasses.dataclass(frozen=True)
class Target:
    """A bound on a row's ratio, or on its own figure where the other one is not measured here."""
    text: str
    most: float = math.inf
    least: float = -math.inf

    def judge(self, figure, at_least=False):
        """Whether `figure` is good enough; None if only a lower bound is known, which does not decide."""
        if at_least and (figure < self.least or figure <= self.most < math.inf):
            return None
        return self.least <= figure <= self.most


NO_TARGET = Target("")

WALL_TIME, CPU_TIME, COUNT, RATIO, MEMORY = "wall time", "CPU time", "count", "ratio", "memory"   # what a recorded value is; only the first needs a machine of its own


@dataclasses.dataclass(frozen=True)
class Record:
    """One line of the record, results.csv."""
    figure: str
    value: float
    unit: str
    kind: str


@dataclasses.dataclass
class Row:
    what: str
    ours: str
    against: str
    ratio: float
    target: Target = NO_TARGET
    figure: float | None = None   # that the target bounds, if not the ratio
    at_least: bool = False        # the ratio is only known to be so much or more: the other one did not finish
    value: float = math.nan       # our figure as a number, for the record
    unit: str = ""
    kind: str = WALL_TIME
    more: tuple = ()              # (quantity, value, unit, kind) that belong to the row and are recorded with it

    def records(self):
        """What is recorded of the row: its own figure if it has one, and more."""
        lines = [Record(self.what, self.value, self.unit, self.kind), *(Record(f"{self.what}: {quantity}", *rest) for quantity, *rest in self.more)]
        return [line for line in lines if math.isfinite(line.value)]

    def met(self):
        return self.target.judge(self.ratio if self.figure is None else self.figure, self.at_least)

    def cells(self):
        ratio = ("> " if self.at_least else "") + f"{self.ratio:.3g}" if math.isfinite(self.ratio) else ""
        return [self.what, self.ours, self.against, ratio, self.target.text]

    def mark(self):
        return {True: "", False: "MISSED", None: "undecided"}[self.met()]


def exponent(sizes, values):
    """p of the power law, values = c sizes^p, that fits best: least squares of the logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(value) for value in values]
    x_mean, y_mean = statistics.fmean(x), statistics.fmean(y)
    return sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y)) / sum((a - x_mean) ** 2 for a in x)


def median_by(rows, key, value):
    """{key(row): median of value(row) over the rows with that key}"""
    values = {}
    for row in rows:
        values.setdefault(key(row), []).append(value(row))
    return {name: statistics.median(numbers) for name, numbers in values.items()}


def interleaved(measurements, repeats):
    """Calls each of the named measurements in turn, A, B, A, B, ..., so that what disturbs the machine for a while does not fall on one alone; lists of results by name.
    One that returns a result with `unfinished` set is not repeated: it has used up its time."""
    results = {name: [] for name in measurements}
    for _ in range(repeats):
        for name, measure in measurements.items():
            if not any(getattr(result, "unfinished", "") for result in results[name]):
                results[name].append(measure())
    return results


def aligned(rows):
    """The table as text; what misses its target is marked at the end of its line."""
    lines = [[*COLUMNS, ""]] + [[*row.cells(), row.mark()] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def write_csv(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(row.cells() for row in rows)


def seconds_text(seconds):
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def counted(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


def thousands(count):
    return f"{count / 1e6:.3g}M" if count >= 999500 else f"{round(count / 1e3)}K" if count >= 1000 else str(count)
