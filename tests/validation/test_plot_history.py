"""Plots of histories: units of all columns, and labels of runs."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

import field_runs  # noqa: F401, finds postprocess
from plot_history import axis_text, labels_of, quantity
from traction_runs import JOBS

OUTPUT = JOBS.parent / "docs" / "output.md"
# Units of columns that are listed together with those of others.
UNIT_OF = {"BODY.LOAD.power": "W"}


def documented_columns():
    """(name, unit) of each column in the table of docs/output.md; the unit of a number without one is empty."""
    table = OUTPUT.read_text().split("## Columns of the history", 1)[1].split("\n## ", 1)[0]
    for line in table.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 3 or not cells[0].startswith("`"):
            continue
        units = ["" if unit in ("–", "-") else unit for unit in cells[1].split(", ")]
        groups = [group for group in re.findall(r"`([^`]+)`", cells[0])]
        names = [expanded(group) for group in groups]
        if len(units) == 1:
            yield from ((name, units[0]) for group in names for name in group)
        elif len(units) == len(names):
            yield from ((name, unit) for group, unit in zip(names, units) for name in group)
        else:   # the units follow the kinds of columns within one group
            kinds = []
            for name in names[0]:
                kinds += [kind] if (kind := name.rsplit(".", 1)[-1].rstrip("xyz")) not in kinds else []
            assert len(kinds) == len(units), line
            yield from ((name, units[kinds.index(name.rsplit(".", 1)[-1].rstrip("xyz"))]) for name in names[0])


def expanded(group):
    """momentum_x and so on of "momentum_x,y,z", and BODY.LOAD.power of "BODY.LOAD.fx,fy,fz,power"."""
    first, *rest = group.split(",")
    stem = first[: max(first.rfind("."), first.rfind("_") if "." not in first else -1) + 1]
    return [first, *(stem + part for part in rest)]


class Units(unittest.TestCase):
    def test_every_column_has_its_unit(self):
        columns = list(documented_columns())
        self.assertGreater(len(columns), 90)
        for name, unit in columns:
            with self.subTest(column=name):
                self.assertEqual(quantity(name)[1], UNIT_OF.get(name, unit))

    def test_of_some_columns(self):
        for column, expected in (("kappa", ("largest stiffness of contact", "N/m")), ("ball.wx", ("angular velocity", "rad/s")), ("ball.x", ("position", "m")), ("axle.motor_torque", ("motor torque", "N m")),
                                 ("ball.pull.power", ("power", "W")), ("work_friction", ("work", "J")), ("ball.strain", ("strain", "")), ("elastic_energy", ("energy", "J"))):
            self.assertEqual(quantity(column), expected)

    def test_a_column_that_is_alone_on_an_axis_is_named(self):
        for columns, text in ((["work_friction"], "work friction [J]"), (["work_friction", "work_damping"], "work [J]"), (["kinetic_energy"], "kinetic energy [J]"), (["ball.wx"], "ball wx [rad/s]"),
                              (["min_gap"], "smallest gap [m]"), (["ball.contacts"], "ball contacts"), (["momentum_x"], "momentum x [kg m/s]")):
            self.assertEqual(axis_text(columns), text)


class Labels(unittest.TestCase):
    def test_tell_the_runs_apart(self):
        folder = tempfile.mkdtemp(prefix="traction-test-")
        self.addCleanup(shutil.rmtree, folder)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        for paths, expected in ((["coarse", "fine"], ["coarse", "fine"]), (["a/out", "b/out"], ["a", "b"]), (["a/x/out", "b/x/out"], ["a", "b"]), (["a/out", "b/out", "c"], ["a/out", "b/out", "c"]),
                                (["s/coarse/out", "s/fine/out"], ["coarse", "fine"]), (["a/out"], ["out"]), (["out", "a/out"], [pathlib.Path(folder).name, "a"]),
                                (["a/1/out", "b/1/out", "b/2/out"], ["a/1", "b/1", "2"]), (["a/out", "a/out"], ["out", "out"])):
            self.assertEqual(labels_of([pathlib.Path(path) for path in paths]), expected, paths)


if __name__ == "__main__":
    unittest.main()
