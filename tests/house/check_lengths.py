#!/usr/bin/python3
"""Checks that no source file has more than 500 lines."""

from sources import ROOT, arguments, files, report

MOST = 500


def faults(paths, root=ROOT):
    found = []
    for path in paths:
        lines = len(path.read_text().splitlines())
        if lines > MOST:
            found.append(f"{path.relative_to(root)}:{MOST + 1}: the file has {lines} lines, more than {MOST}; split it by what its parts do")
    return found


if __name__ == "__main__":
    arguments(__doc__).parse_args()
    report(faults(files(".h", ".cpp", ".py")))
