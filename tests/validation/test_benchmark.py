"""tests/benchmark: its arithmetic on numbers done by hand, its options, and two rows measured."""

import contextlib
import dataclasses
import datetime
import io
import math
import os
import pathlib
import platform
import sys
import unittest
import unittest.mock

from traction_runs import JOBS, RunTest, execute

sys.path.insert(0, str(JOBS.parent / "tests" / "benchmark"))
import cases  # noqa: E402
import figures  # noqa: E402
import plot_results  # noqa: E402
import results  # noqa: E402
import table  # noqa: E402


def call(*words):
    """(exit code, stdout, stderr) of the table's program."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            code = table.main([str(word) for word in words])
        except SystemExit as leave:
            code = leave.code
    return code, output.getvalue(), errors.getvalue()


class Arithmetic(unittest.TestCase):
    def test_exponent_of_a_power_law(self):
        self.assertAlmostEqual(figures.exponent([1, 10, 100], [3, 3 * 10**1.5, 3 * 10**3]), 1.5)

    def test_exponent_by_least_squares(self):
        # log2 of the values 0, 2, 1 over those of the sizes 0, 1, 2: the slope is (-1 * -1 + 0 * 1 + 1 * 0) / 2.
        self.assertAlmostEqual(figures.exponent([1, 2, 4], [1, 4, 2]), 0.5)

    def test_medians_by_name(self):
        rows = [("a", 5), ("b", 1), ("a", 1), ("b", 2), ("a", 2)]
        self.assertEqual(figures.median_by(rows, lambda row: row[0], lambda row: row[1]), {"a": 2, "b": 1.5})

    def test_measurements_take_turns(self):
        order = []
        results = figures.interleaved({name: lambda name=name: order.append(name) or len(order) for name in "ab"}, 3)
        self.assertEqual(order, list("ababab"))
        self.assertEqual(results, {"a": [1, 3, 5], "b": [2, 4, 6]})

    def test_what_does_not_finish_is_not_repeated(self):
        class GivenUp:
            unfinished = "> 30 s (limit)"

        results = figures.interleaved({"slow": GivenUp, "fast": lambda: 1}, 3)
        self.assertEqual((len(results["slow"]), results["fast"]), (1, [1, 1, 1]))

    def test_units(self):
        self.assertEqual([figures.seconds_text(s) for s in (12.34, 0.01234, 1.234e-5)], ["12.3 s", "12.3 ms", "12.3 us"])
        self.assertEqual([figures.thousands(n) for n in (600, 10368, 105456, 998250, 1234567)], ["600", "10K", "105K", "998K", "1.23M"])


class Judging(unittest.TestCase):
    most, least = figures.Target("<= 0.5", most=0.5), figures.Target(">= 5 times faster", least=5)

    def mark(self, ratio, target, **others):
        return figures.Row("row", "", "", ratio, target, **others).mark()

    def test_marks_what_misses_its_target(self):
        self.assertEqual([self.mark(ratio, self.most) for ratio in (0.4, 0.5, 0.6)], ["", "", "MISSED"])
        self.assertEqual([self.mark(ratio, self.least) for ratio in (4, 5, 6)], ["MISSED", "", ""])
        self.assertEqual(self.mark(100, figures.NO_TARGET), "")

    def test_a_figure_may_count_instead_of_the_ratio(self):
        self.assertEqual([self.mark(0.1, self.most, figure=figure) for figure in (0.4, 0.6)], ["", "MISSED"])

    def test_a_lower_bound_tells_only_if_it_is_good_enough(self):
        self.assertEqual([self.mark(ratio, self.least, at_least=True) for ratio in (4, 6)], ["undecided", ""])
        self.assertEqual([self.mark(ratio, self.most, at_least=True) for ratio in (0.4, 0.6)], ["undecided", "MISSED"])

    def test_table(self):
        rows = [figures.Row("one", "1 s", "3 s", 1 / 3, self.most), figures.Row("another", "10 s", "given up", 4, self.least, at_least=True)]
        self.assertEqual(figures.aligned(rows).splitlines(), ["what     ours  against   ratio  target",
                                                              "one      1 s   3 s       0.333  <= 0.5",
                                                              "another  10 s  given up  > 4    >= 5 times faster  undecided"])


class Given:
    """A run as a case sees it."""

    def __init__(self, seconds_per_step=math.nan, unfinished="", wall_seconds=0.0, seconds=0.0):
        self.seconds_per_step, self.unfinished, self.wall_seconds, self.seconds = seconds_per_step, unfinished, wall_seconds, seconds


class BesideOthers(unittest.TestCase):
    ball = cases.TennisBall(cases.QUICK)

    def test_against_the_faster_one(self):
        row = self.ball.beside_others(2.0, 1.0, {"a": [Given(30), Given(20), Given(10)], "b": [Given(40)]})
        self.assertEqual((row.ratio, row.at_least, row.against), (10, False, "a 20 s; b 40 s"))

    def test_a_limit_is_a_lower_bound(self):
        # 30 s less 1.2 s of set-up, over six steps.
        limited = [Given(unfinished="> 30 s (limit)", wall_seconds=30.0)]
        row = self.ball.beside_others(1.0, 1.2, {"a": limited, "b": [Given(40)]})
        self.assertAlmostEqual(row.ratio, 4.8)
        self.assertTrue(row.at_least)
        row = self.ball.beside_others(1.0, 1.2, {"a": limited, "b": [Given(4)]})
        self.assertEqual((row.ratio, row.at_least, row.against), (4, False, "a > 4.8 s; b 4 s"))


class CostOverSize(unittest.TestCase):
    case = cases.CostOverSize(cases.QUICK)

    def test_linear_cost(self):
        row = self.case.row("cost", {cells: [Given(1e-3 * cells**3, seconds=0)] for cells in (10, 20, 30)})
        self.assertAlmostEqual(row.ratio, 1)
        self.assertEqual((row.ours, row.mark()), ("n^1: 1 s, 8 s, 27 s", ""))

    def test_a_mesh_that_takes_too_long(self):
        # 6000 tetrahedra: 1 s per step, 2 s besides; 48000: 600 s, of which 16 s besides. log(292) / log(8) = 2.73.
        row = self.case.row("cost", {10: [Given(1, wall_seconds=4, seconds=2)], 20: [Given(unfinished="> 600 s (limit)", wall_seconds=600)]})
        self.assertAlmostEqual(row.ratio, math.log(292) / math.log(8))
        self.assertEqual((row.ours, row.at_least, row.mark()), ("n^2.73: 1 s, > 292 s, given up at 48K tets", True, "MISSED"))


class Record(RunTest):
    def test_one_line_for_each_figure_at_a_commit(self):
        path = self.folder / "results.csv"
        day = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
        row = figures.Row("a step", "2 s", "3 s", 2 / 3, value=2, unit="s", more=(("iterations", 7, "1", figures.COUNT),))
        self.assertEqual(figures.Row("not finished", "", "", 1).records(), [])
        results.append(path, row.records(), 0.125, "tests/benchmark/run --only 'a step'", day)
        results.append(path, dataclasses.replace(row, value=1 / 3, more=()).records(), 0, "again", day)
        header, *lines = path.read_text().splitlines()
        self.assertEqual(header, "date,commit,machine,figure,value,unit,kind,others,command")
        ends = (",a step,2,s,wall time,0.12,tests/benchmark/run --only 'a step'", ",a step: iterations,7,1,count,0.12,tests/benchmark/run --only 'a step'", ",a step,0.333333,s,wall time,0.00,again")
        self.assertEqual(len(lines), len(ends))
        for line, end in zip(lines, ends):
            self.assertTrue(line.startswith("2026-01-02T03:04:05Z,") and line.endswith(end), line)
        self.assertNotIn(platform.node(), [row["machine"] for row in results.read(path)])

    def test_wall_times_beside_other_programs_are_left_out(self):
        path = self.folder / "results.csv"
        row = figures.Row("a step", "2 s", "3 s", 2 / 3, value=2, unit="s", more=(("iterations", 7, "1", figures.COUNT),))
        for others, kinds in ((1.5, ["count"]), (0.1, ["count", "wall time", "count"])):
            table.keep(table.parse_arguments(["--quick", "--results", str(path)]), row, others)
            self.assertEqual([line["kind"] for line in results.read(path)], kinds)
        self.assertEqual({line["command"] for line in results.read(path)}, {"tests/benchmark/run --quick --only 'a step'"})

    def test_the_record_of_the_project(self):
        """Its lines have every column and a number, and name no host. Figures may be older than the table's rows are."""
        rows = results.read(JOBS.parent / "tests/benchmark/results.csv")
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.assertEqual(tuple(row), results.COLUMNS)
            self.assertTrue(all(row.values()), row)
            self.assertTrue(math.isfinite(float(row["value"])), row)
            self.assertIn(row["kind"], (figures.WALL_TIME, figures.CPU_TIME, figures.COUNT, figures.RATIO, figures.MEMORY))
            self.assertRegex(row["machine"], r"^\d+ x \S")

    def test_medians_over_commits(self):
        lines = [("3", "c2", "m", "f", 5), ("1", "c1", "m", "f", 1), ("2", "c1", "m", "f", 2), ("2", "c1", "n", "f", 7), ("1", "c1", "m", "g", 4), ("2", "c1", "m", "f", 9)]
        path = self.write("results.csv", "\n".join([",".join(results.COLUMNS), *(f"2026-01-0{day},{commit},{machine},{figure},{value},s,wall time,0,command"
                                                                                 for day, commit, machine, figure, value in lines)]) + "\n")
        rows = results.read(path)
        self.assertEqual([row["commit"] for row in rows], ["c1"] * 5 + ["c2"])
        self.assertEqual(results.series(rows), {("f", "s"): {"m": {"c1": 2, "c2": 5}, "n": {"c1": 7}}, ("g", "s"): {"m": {"c1": 4}}})
        picture = self.folder / "plot.png"
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(plot_results.main([str(path), "--out", str(picture)]), 0)
            self.assertEqual(plot_results.main([str(path), "--only", "h"]), 2)
            self.assertEqual(plot_results.main([str(self.folder / "none.csv")]), 4)
        self.assertEqual(picture.read_bytes()[:4], b"\x89PNG")

    def test_figures_over_size(self):
        lines = [(1, "c1", "whole run, 10K tets", 9), (2, "c2", "whole run, 10K tets", 1), (2, "c2", "whole run, 1.5M tets", 6), (2, "c2", "800 tets", 3), (2, "c2", "times faster", 2)]
        path = self.write("results.csv", "\n".join([",".join(results.COLUMNS), *(f'2026-01-0{day},{commit},m,"a row: {figure}",{value},s,CPU time,0,command' for day, commit, figure, value in lines)]) + "\n")
        found = plot_results.by_size(results.series(results.read(path)))
        self.assertEqual(found, {("whole run", "s", "tets"): {("a row", "m"): {1e4: 1, 1.5e6: 6}}, ("", "s", "tets"): {("a row", "m"): {800: 3}}})
        picture = self.folder / "plot.png"
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(plot_results.main([str(path), "--over-size", "--out", str(picture)]), 0)
            self.assertEqual(plot_results.main([str(path), "--over-size", "--only", "faster", "--out", str(picture)]), 2)
        self.assertEqual(picture.read_bytes()[:4], b"\x89PNG")


class Program(RunTest):
    def test_measures_the_rows_asked_for(self):
        path, record = self.folder / "table.csv", self.folder / "results.csv"
        code, output, errors = call("--quick", "--only", "residual", "--csv", path, "--results", record)
        self.assertEqual(code, 0, errors)
        recorded = results.read(record)
        self.assertEqual([(tuple(row), row["kind"]) for row in recorded], [(results.COLUMNS, "CPU time"), (results.COLUMNS, "ratio")] * 2)
        for row in recorded[::2]:
            self.assertTrue(row["figure"].startswith("residual (in "))
            self.assertEqual(row["unit"], "s")
            self.assertIn(f"{row['figure']}  {figures.seconds_text(float(row['value']))}", output)
        header, *lines = path.read_text().splitlines()
        self.assertEqual(header, "what,ours,against,ratio,target")
        self.assertEqual(len(lines), 2)
        printed = output.splitlines()
        self.assertEqual(printed[0].split(), header.split(","))
        for line, row in zip(printed[1:], lines):
            self.assertTrue(line.startswith("residual (in "))
            _, ratio, target = row.rsplit(",", 2)
            self.assertGreater(float(ratio), 0)
            self.assertEqual(target, "<= 1")
        self.assertRegex(printed[-1], r"^\d+ s; other programs kept \d\.\d\d of \d+ cores busy")

    def test_a_linear_solve(self):
        workshop = table.Workshop(pathlib.Path(os.environ["TRACTION_BUILD"]), self.folder / "work")
        rows = workshop.linear_solve((4, 4, 4), (0.1, 0.1, 0.1), ["automatic", "ml", "none"], repeats=2, ranks=2, limit=3)
        self.assertEqual([(row["repeat"], row["preconditioner"]) for row in rows], [(r, kind) for r in (1, 2) for kind in ("automatic", "ml", "none")])
        for row in rows:
            self.assertEqual((row["vertices"], row["tetrahedra"]), (125, 384))
            self.assertGreater(row["setup_seconds"], 0)
            self.assertGreater(row["solve_seconds"], 0)
            if row["preconditioner"] == "none":
                self.assertEqual((row["iterations"], row["converged"]), (3, 0))
            else:
                self.assertEqual(row["converged"], 1)
        self.assertEqual({row["iterations"] for row in rows if row["preconditioner"] == "automatic"}, {1})   # a factor of the matrix itself

    def test_a_run_is_given_up_at_its_limit(self):
        workshop = table.Workshop(pathlib.Path(os.environ["TRACTION_BUILD"]), self.folder / "work")
        run = workshop.simulate(workshop.meshed_scene("ball_squish", 0.03), {"time.end": 3e-3}, ranks=2)
        self.assertEqual((run.unfinished, run.steps, run.elements), ("", 3, 983))
        run = workshop.simulate(workshop.meshed_scene("ball_squish", 0.03), {}, ranks=2, limit=1.5)
        self.assertEqual(run.unfinished, "> 1.5 s (limit)")

    def test_mistakes_in_options(self):
        for words, message in ((["--fast"], "Unrecognized arguments: --fast"), (["--only"], "expected one argument"), (["--limit", "soon"], "needs a positive number, not 'soon'"),
                               (["--only", "nothing like it"], "No row has 'nothing like it' in its name"),
                               (["--csv", "/no/such/folder/x"], "--csv: there is no folder"), (["--results", "/no/such/folder/x"], "--results: there is no folder")):
            code, output, errors = call(*words)
            self.assertEqual((code, output, len(errors.splitlines())), (2, "", 1), words)
            self.assertIn(message, errors)
        code, _, errors = execute(["tests/benchmark/linear_solve", "--preconditioners", "nonesuch"])
        self.assertEqual(code, 2)
        self.assertIn("nonesuch", errors)

    def test_a_program_that_is_not_built(self):
        with unittest.mock.patch.dict(os.environ, {"TRACTION_BUILD": str(self.folder)}):
            code, _, errors = call("--quick", "--only", "residual")
        self.assertEqual(code, 4)
        self.assertIn("elastic_kernels is missing: build it with", errors)

    def test_names_of_rows_are_unique(self):
        for plan in (cases.QUICK, cases.Plan()):
            names = [name for kind in cases.CASES for name in kind(plan).names()]
            self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
