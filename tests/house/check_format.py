#!/usr/bin/python3
"""Checks that all C++ sources are formatted by .clang-format."""

import re
import shutil
import subprocess

from sources import ROOT, arguments, files, report, skip


def faults(paths, root=ROOT):
    """The first badly formatted line of each file."""
    done = subprocess.run(["clang-format", "--dry-run", *paths], cwd=root, capture_output=True, text=True, check=True)
    first = {}
    for file, line in re.findall(r"^(\S+?):(\d+):\d+: warning: code should be clang-formatted", done.stderr, re.MULTILINE):
        first.setdefault(file, line)
    return [f"{file}:{line}: not formatted; run clang-format -i {file}" for file, line in first.items()]


if __name__ == "__main__":
    arguments(__doc__).parse_args()
    if shutil.which("clang-format") is None:
        skip("there is no clang-format (package clang-format)")
    report(faults([path.relative_to(ROOT) for path in files(".h", ".cpp")]))
