"""report.html: one page that holds a run. Python's parsers read it, and a browser shows it at the widths of a telephone and of a screen."""

import base64
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import numpy

import browser
from traction_runs import ENVIRONMENT, JOBS, BlockTest

POSTPROCESS = JOBS.parent / "postprocess"
sys.path.insert(0, str(POSTPROCESS))
import history_plots  # noqa: E402
from report_page import part_of_energy_moved  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
AWKWARD = "height < 1 & \"x\" > 'y' </td>"
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=")


def text_of(element):
    return "".join(element.itertext())


class Page:
    """A report, which must be well-formed."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        self.root = xml.etree.ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
        self.headings = [text_of(element) for element in self.root.iter() if element.tag in ("h1", "h2")]
        self.rows = [[text_of(cell) for cell in row] for row in self.root.iter("tr")]

    def row(self, name):
        return next(row for row in self.rows if row[0] == name)

    def addresses(self):
        return [element.get(key) for element in self.root.iter() for key in ("src", "href") if element.get(key)]

    def plot(self, title):
        """(curves as lists of points in pixels, their names) of the plot of this title."""
        svg = next(svg for svg in self.root.iter(f"{SVG}svg") if text_of(svg.find(f"{SVG}text")) == title)
        lines = [[tuple(map(float, point.split(","))) for point in line.get("points").split()] for line in svg.iter(f"{SVG}polyline")]
        return lines, [element.text for element in svg.iter(f"{SVG}text")]


class Report(BlockTest):
    def make(self, folder="out", title="A block"):
        done = subprocess.run(["/usr/bin/python3", POSTPROCESS / "report_page.py", self.folder / folder, "--title", title], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return Page(self.folder / folder / "report.html")

    def test_it_holds_the_run_and_nothing_outside_of_the_page(self):
        outcome = self.simulate(self.scene, sets={"output.every": 5e-3})
        (self.folder / "out/picture.png").write_bytes(PIXEL)
        with open(self.folder / "out/summary.csv", "w", newline="") as file:
            csv.writer(file).writerows([["quantity", "value", "unit", "expected", "source"], [AWKWARD, 1.5, "m", "1.4 to 1.6", "a paper"]])
        page = self.make(title=AWKWARD)
        self.assertEqual(page.headings, [AWKWARD, "Summary", "Pictures", "History", "Energy balance", "Cost", "Scene"])
        self.assertEqual(page.row(AWKWARD), [AWKWARD, "1.5", "m", "1.4 to 1.6", "a paper"])
        self.assertTrue(page.addresses())
        for address in page.addresses():
            self.assertTrue(address.startswith("data:image/png;base64,"), address[:80])
        self.assertEqual(base64.b64decode(page.addresses()[0].partition(",")[2]), PIXEL)
        balance = outcome.report["energy_balance"]
        self.assertEqual({name.replace("_", " "): f"{float(value):.6g}" for name, value in balance.items()},
                         {row[0]: row[1] for row in page.rows if len(row) == 2 and row[0].replace(" ", "_") in balance})
        cost = outcome.report["costs"]["total"]
        head = next(row for row in page.rows if "newton iterations" in row)
        self.assertEqual(page.row("total")[head.index("newton iterations")], str(cost["newton_iterations"]))
        self.assertEqual(page.row("total")[head.index("steps")], str(len(outcome.history["step"])))
        self.assertEqual(text_of(page.root.find(".//pre")), (self.folder / "out/scene.yaml").read_text())

    def test_the_report_and_the_log_compare_numerical_errors_with_the_same_energy(self):
        """The largest kinetic energy and the sizes of all works, here summed up from the rows of the history."""
        outcome = self.simulate(self.scene, sets={"time.integrator": "backward_euler", "time.step": 2e-3})
        history, balance = outcome.history, outcome.report["energy_balance"]
        works = [numpy.diff(column, prepend=0) for name, column in history.items() if name.startswith("work_")]
        moved = max(balance["kinetic_at_start"], history["kinetic_energy"].max()) + numpy.abs(works).sum()
        self.assertAlmostEqual(balance["energy_moved"] / moved, 1, delta=1e-6)
        part = -history["energy_numerical"][-1] / moved
        self.assertGreater(part, 0.2)
        words = f"{100 * part:.0f} % of the energy moved"
        self.assertRegex(outcome.errors, rf"\n  numerical +-[0-9.e-]+ J, {words}\n")
        paragraphs = [text_of(paragraph) for paragraph in self.make().root.iter("p")]
        self.assertIn(f"Numerical errors have taken {-balance['numerical']:.3g} J, {words}: the largest kinetic energy plus the sizes of all works.", paragraphs)
        if part > 1 / 3:
            self.assertRegex(outcome.errors, rf"has taken \S+ J out of the motion, {words}, as damping")

    def test_words_of_parts(self):
        for numerical, words in ((-0.26, "26 %"), (-1.7, "100 %"), (0.053, "5.3 %"), (1.7, "170 %"), (-0.0004, "0.04 %")):
            self.assertEqual(part_of_energy_moved(numerical, 1), f"{words} of the energy moved")

    def test_plots_show_the_history(self):
        outcome = self.simulate(self.scene)
        (line, *_), _ = self.make().plot("Time step [s]")
        self.assertEqual(len(line), len(outcome.history["time"]))
        lines, words = self.make().plot("block: velocity of the centre [m/s]")
        self.assertEqual([word for word in words if word in ("x", "y", "z")], ["x", "y", "z"])
        columns = [outcome.history[f"block.v{axis}"] for axis in "xyz"]
        low, high = min(column.min() for column in columns), max(column.max() for column in columns)
        bottom, top = max(y for line in lines for _, y in line), min(y for line in lines for _, y in line)
        self.assertGreater(bottom - top, 100)
        for line, column in zip(lines, columns):
            for (_, y), value in zip(line, column):
                self.assertAlmostEqual((bottom - y) / (bottom - top), (value - low) / (high - low), delta=1e-3)

    def test_a_job_leaves_one(self):
        """A coarse balloon, filled for half a second."""
        job, out = JOBS / "balloon", self.folder / "out"
        environment = {**os.environ, **ENVIRONMENT, "TRACTION": str(pathlib.Path(os.environ["TRACTION_BUILD"]) / "traction")}
        done = subprocess.run(["/usr/bin/python3", JOBS / "run_job.py", job, "--ranks", "1", "--out", out, "--set", "time.end=0.5", "--set", "bodies.balloon.mesh_parameters.element_size=0.03"], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = Page(out / "report.html")
        self.assertEqual(page.headings[0], "Balloon")
        with open(out / "summary.csv", newline="") as file:
            for row in csv.DictReader(file):
                self.assertEqual(page.row(row["quantity"]), [row[key] for key in ("quantity", "value", "unit", "expected", "source")])
        self.assertEqual(len(page.addresses()), len(list(out.glob("*.png"))))
        self.assertEqual(json.loads((out / "run.json").read_text())["status"], "done")

    def test_jobs_that_are_cut_short_have_reports(self):
        """Jobs whose summary or pictures need more of the run than was computed."""
        environment = {**os.environ, **ENVIRONMENT, "TRACTION": str(pathlib.Path(os.environ["TRACTION_BUILD"]) / "traction")}
        for name, end in (("balloon", 0.1), ("stiff_swing", 0.03), ("soft_beam", 0.06)):
            with self.subTest(job=name):
                out = self.folder / name
                done = subprocess.run(["/usr/bin/python3", JOBS / "run_job.py", JOBS / name, "--ranks", "1", "--out", out, "--set", f"time.end={end}"], env=environment, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("Summary", Page(out / "report.html").headings)

    def test_a_folder_without_a_run_is_refused(self):
        done = subprocess.run(["/usr/bin/python3", POSTPROCESS / "report_page.py", self.folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^\[Errno 2\].*run\.json'\n$")

    def test_a_damaged_description_of_a_run_is_named(self):
        self.simulate(self.scene, sets={"output.every": 1e-3, "time.end": 2e-3})
        for content in ("null", '{"scene": []}', '{"status": "do', "\0"):
            (self.folder / "out" / "run.json").write_text(content)
            for tool, *options in (("report_page.py",), ("render_fields.py", "--sheet", "sheet.png"), ("check_crossing",)):
                with self.subTest(content=content, tool=tool):
                    done = subprocess.run(["/usr/bin/python3", POSTPROCESS / tool, self.folder / "out", *options], cwd=self.folder, capture_output=True, text=True)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                    self.assertIn("out/run.json: is damaged; `traction resume` writes it anew", done.stderr)
                    self.assertNotEqual(done.returncode, 0)

    def test_pictures_of_a_run_without_frames_are_refused_with_a_remedy(self):
        self.simulate(self.scene, sets={"output": "{}", "time.end": 2e-3})
        for tool, *options in (("render_fields.py", "--sheet", "sheet.png"), ("check_crossing",)):
            done = subprocess.run(["/usr/bin/python3", POSTPROCESS / tool, self.folder / "out", *options], cwd=self.folder, capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn("a run writes them if its scene has output.every", done.stderr)


@unittest.skipUnless(browser.CHROMIUM and browser.DRIVER, "Chromium or its driver is not installed")
class Browser(BlockTest):
    WIDTHS = (400, 1400)

    def test_a_report_is_shown_whole_and_without_a_network(self):
        self.simulate(self.scene, sets={"output.every": 5e-3})
        subprocess.run(["/usr/bin/python3", POSTPROCESS / "plot_history.py", "out", "--columns", "block.z", "--out", "out/picture.png"], cwd=self.folder, check=True)
        with open(self.folder / "out/summary.csv", "w", newline="") as file:
            long = "a paper with a long name, and a-source-without-blanks" * 2
            csv.writer(file).writerows([["quantity", "value", "unit", "expected", "source"], [AWKWARD, 1.5, "m", "1.4 to 1.6", long], ["speed", 2, "m/s", "", ""]])
        subprocess.run(["/usr/bin/python3", POSTPROCESS / "report_page.py", self.folder / "out", "--title", "A_block_with_a_name_that_cannot_be_broken_anywhere_" * 2], check=True, capture_output=True)
        shown = browser.look_at(self.folder / "out/report.html", self.WIDTHS)
        self.assertEqual(browser.faults(shown), [])
        for width in self.WIDTHS:
            self.assertEqual(shown[width]["inner"], width)
            self.assertEqual([picture[0] for picture in shown[width]["pictures"]], ["picture"])
            self.assertGreater(shown[width]["pictures"][0][1], 300)
            self.assertGreaterEqual(len(shown[width]["plots"]), 4)
            self.assertEqual(shown[width]["tables"][0][0], 3)   # the summary, with its head

    def test_faults_of_a_page_are_found(self):
        for part, fault in (('<img alt="lost" src="lost.png">', "the picture 'lost' is not shown"), ('<img alt="far" src="http://example.invalid/far.png">', "request to http://example.invalid/far.png"),
                            ("<p>" + "x" * 500 + "</p>", "at 400 px the page is"), ("<script>console.error('alarm')</script>", "alarm")):
            with self.subTest(fault=fault):
                page = self.folder / "page.html"
                page.write_text(f"<!DOCTYPE html><html><head><title>A</title></head><body>{part}</body></html>")
                self.assertIn(fault, "\n".join(browser.faults(browser.look_at(page, self.WIDTHS[:1]))))


class Plots(unittest.TestCase):
    def test_ticks_are_round_and_within(self):
        for low, high in ((0, 1), (-3.7e-5, 2.2e-5), (1.9999, 2.0001), (-1e9, 5e12)):
            ticks = history_plots.ticks(low, high)
            self.assertTrue(4 <= len(ticks) <= 9, (low, high, ticks))
            self.assertTrue(all(low - 1e-9 * (high - low) <= tick <= high + 1e-9 * (high - low) for tick in ticks))
            step = f"{ticks[1] - ticks[0]:.6e}"
            self.assertRegex(step, r"^[125]\.0+e")

    def test_thinned_curves_keep_their_extremes(self):
        points = [(k, (k * 7919) % 1009) for k in range(100_000)]
        points[54_321] = (54_321, 1e6)
        thinned = history_plots.thinned(points)
        self.assertLessEqual(len(thinned), history_plots.MOST_POINTS + 2)
        self.assertEqual(max(thinned, key=lambda point: point[1]), (54_321, 1e6))
        self.assertEqual(thinned, sorted(thinned))

    def test_what_is_not_finite_or_does_not_change_is_drawn(self):
        for values in ([1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, float("inf"), 2.0], [float("nan"), 3.0, 3.0]):
            svg = history_plots.plot("a", [0, 1, 2], {"b": values})
            self.assertNotRegex(svg, r"nan|inf\b")
            xml.etree.ElementTree.fromstring(svg)
        self.assertIsNone(history_plots.plot("a", [0, 1], {"b": [float("inf")] * 2}))


if __name__ == "__main__":
    unittest.main()
