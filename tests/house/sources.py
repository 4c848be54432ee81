"""The project's own files, and how the checks of this folder report what they find."""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77   # exit code of a check that cannot run here; ctest reports it as skipped
FOLDERS = ("src", "mesh_partition", "examples", "tests", "jobs", "postprocess")


def files(*extensions, root=ROOT, folders=FOLDERS):
    """Paths below the folders with one of the extensions, sorted. Results of jobs, jobs/NAME/out*, are left out."""
    found = [path for folder in folders for extension in extensions for path in (root / folder).rglob(f"*{extension}")]
    return sorted(path for path in found if not re.match("jobs/[^/]*/out", str(path.relative_to(root))))


def arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="build folder (default build/release)")
    return parser


def report(faults):
    """Prints the faults, one per line, and leaves with exit code 1 if there are any, else 0."""
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)
