#!/usr/bin/python3
"""Measures how fast Traction and other solvers are, and prints a table: what, ours, against, ratio, target.

Ratios are of measurements made side by side, medians of interleaved repeats; what is "paper" was measured by others on another machine. The ratio is ours over the other,
or for a speed-up ("times faster") the other over ours. "> x" is a lower bound: the other one was given up. Rows that miss their target are marked.
"""

import argparse
import dataclasses
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import cases  # noqa: E402
import results  # noqa: E402
from figures import WALL_TIME, aligned, write_csv  # noqa: E402
from workshop import ROOT, Missing, OtherLoad, ProgramFailed, Workshop, progress  # noqa: E402

DISTURBED = 0.2   # cores busy with other programs


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{message[0].upper()}{message[1:]}; see {self.prog} --help\n")


def positive(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"needs a positive number, not '{text}'")
    return value


def parse_arguments(words):
    parser = Parser(prog="tests/benchmark/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small meshes and few repeats: some minutes instead of more than half an hour")
    parser.add_argument("--only", metavar="TEXT", default="", help="only rows with TEXT in their names")
    parser.add_argument("--csv", metavar="FILE", type=pathlib.Path, help="write the table there, too")
    parser.add_argument("--limit", metavar="SECONDS", type=positive,
                        help="give up the other methods' runs with the tennis ball after so long (default 120, with --quick 30)")
    parser.add_argument("--results", metavar="FILE", type=pathlib.Path, default=HERE / "results.csv",
                        help="append the figures there, with date, commit and machine, but no wall times that other programs disturbed (default tests/benchmark/results.csv)")
    parser.add_argument("--list", action="store_true", help="print the rows' names, measure nothing")
    return parser.parse_args(words)


def measure(chosen, workshop, record):
    """The rows. record(records, others) is called at the end of each case, so that its figures are kept if a later case fails."""
    rows = []
    for case, names in chosen:
        begin = time.monotonic()
        with OtherLoad() as others:
            found = list(case.rows(workshop, names))
        rows += found
        for row in found:
            record(row, others.cores)
        disturbed = f", other programs took {others.cores:.1f} cores" if others.cores > DISTURBED else ""
        progress(f"  {type(case).__name__}: {time.monotonic() - begin:.0f} s{disturbed}")
        for name in set(names) - {row.what for row in found}:
            progress(f"  no result for '{name}': a run of ours did not finish")
    return rows


def keep(arguments, row, others):
    """Appends the row's lines to the record, wall times only if other programs kept no more than DISTURBED cores busy."""
    command = f"tests/benchmark/run{' --quick' if arguments.quick else ''} --only '{row.what}'"
    results.append(arguments.results, [record for record in row.records() if record.kind != WALL_TIME or others <= DISTURBED], others, command)


def main(words=None):
    """`words`: the command's arguments."""
    arguments = parse_arguments(words)
    plan = cases.QUICK if arguments.quick else cases.Plan()
    if arguments.limit:
        plan = dataclasses.replace(plan, ball_limit=arguments.limit)
    every = [(case, case.names()) for case in (kind(plan) for kind in cases.CASES)]
    chosen = [(case, [name for name in names if arguments.only in name]) for case, names in every]
    chosen = [(case, names) for case, names in chosen if names]
    if not chosen:
        print(f"No row has '{arguments.only}' in its name; --list shows them", file=sys.stderr)
        return 2
    for option, path in (("--csv", arguments.csv), ("--results", arguments.results)):
        if path and not path.resolve().parent.is_dir():
            print(f"{option}: there is no folder {path.resolve().parent}", file=sys.stderr)
            return 2
    if arguments.list:
        print("\n".join(name for _, names in chosen for name in names))
        return 0
    build = pathlib.Path(os.environ.get("TRACTION_BUILD", ROOT / "build/release")).resolve()
    try:
        begin = time.monotonic()
        with OtherLoad() as others:
            rows = measure(chosen, Workshop(build, build / "measurements"), lambda row, cores: keep(arguments, row, cores))
        if arguments.csv:
            write_csv(arguments.csv, rows)
    except (Missing, ProgramFailed) as error:
        print(error, file=sys.stderr)
        return 4
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 4
    print(aligned(rows))
    disturbed = ": wall times are disturbed, and not recorded" if others.cores > DISTURBED else ""
    print(f"{time.monotonic() - begin:.0f} s; other programs kept {others.cores:.2f} of {os.cpu_count()} cores busy{disturbed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
