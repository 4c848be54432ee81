#!/usr/bin/python3
"""Checks that errors of PETSc are thrown (check_petsc) and that handles destroy its objects, outside src/parallel/petsc_handle.h, which does both."""

import re

from sources import ROOT, arguments, files, report

ABORT = re.compile(r"\b(PetscCallAbort|CHKERRABORT|PetscCallContinue|CHKERRCONTINUE)\b")
DESTROY = re.compile(r"\b(?!PetscCommDestroy)[A-Z]\w*Destroy\s*\(")   # a communicator is no object that a handle could own
HOME = "src/parallel/petsc_handle.h"


def faults(root=ROOT):
    found = []
    for path in files(".h", ".cpp", root=root, folders=("src", "mesh_partition")):
        if str(path.relative_to(root)) == HOME:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0]
            place = f"{path.relative_to(root)}:{number}"
            if match := ABORT.search(code):
                found.append(f"{place}: {match[1]} ends the program with PETSc's own number; use check_petsc, and in functions that PETSc calls PetscCall")
            if match := DESTROY.search(code):
                found.append(f"{place}: {match[0].rstrip('( ')} is forgotten where something throws; let a PetscHandle own the object")
    return found


if __name__ == "__main__":
    arguments(__doc__).parse_args()
    report(faults())
