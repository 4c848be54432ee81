"""Comparison with closed forms: asserts, and records a row of the table docs/verification.md where tests/verification asks for it.

tests/support/closed_forms.h does the same for the tests in C++.
"""

import csv
import io
import math
import os
import pathlib

COLUMNS = ("field", "case", "source", "expected", "got", "error", "tolerance", "mesh", "step")


def expect_closed_form(test, *, field, case, source, expected, got, tolerance, mesh, step, scale=None):
    """Asserts that `got` is off by `tolerance` times `scale` at most; `scale` is |expected| unless given, as it must be where zero is expected.

    `source` names the formula, `mesh` and `step` describe how finely it was computed.
    """
    scale = abs(expected) if scale is None else scale
    error = abs(got - expected) / scale if scale > 0 else math.inf
    folder = os.environ.get("TRACTION_VERIFICATION")
    if folder:
        line = io.StringIO()
        numbers = (f"{value:.9g}" for value in (expected, got, error, tolerance))
        csv.writer(line, lineterminator="\n").writerow((field, case, source, *numbers, mesh, step))
        with open(pathlib.Path(folder) / "closed_forms.csv", "ab", buffering=0) as file:
            file.write(line.getvalue().encode())   # in one piece, as several tests write side by side
    print(f"\n  {case}: {got:.6g}, expected {expected:.6g}, error {error:.2g} of {tolerance:g}", flush=True)
    test.assertLessEqual(error, tolerance, f"{case}: {got!r}, expected {expected!r}")
