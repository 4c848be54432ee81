"""The pages: the site of docs/ builds without a warning, every link inside the project leads somewhere, in the site and in the repository, every formula can be drawn, and the README is short."""

import html.parser
import json
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
KATEX = pathlib.Path("/usr/share/javascript/katex/katex.js")
PAGES = sorted(path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("jobs/*/*.md"), *ROOT.glob("tests/*.md")])
OUTSIDE = ("http:", "https:", "mailto:", "data:")


class SitePage(html.parser.HTMLParser):
    """The names that a page of the site can be entered by, and where its links and pictures lead; and the texts of its formulas."""

    def __init__(self, path):
        super().__init__()
        self.names, self.targets, self.formulas, self.within = set(), [], [], None
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.update(attributes[key] for key in ("id", "name") if attributes.get(key))
        self.targets += [attributes[key] for key in ("href", "src") if attributes.get(key)]
        if "math" in (attributes.get("class") or "").split():
            self.within = [tag, ""]

    def handle_data(self, data):
        if self.within:
            self.within[1] += data

    def handle_endtag(self, tag):
        if self.within and tag == self.within[0]:
            self.formulas.append(self.within[1])
            self.within = None


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="traction-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.built = subprocess.run([ROOT / "docs/build", cls.folder], capture_output=True, text=True)
        cls.library = cls.folder / "library"   # API pages, which Doxygen makes
        cls.pages = {path: SitePage(path) for path in cls.folder.rglob("*.html") if cls.library not in path.parents}

    def test_it_builds_without_a_warning(self):
        self.assertEqual(self.built.returncode, 0, self.built.stderr)
        self.assertEqual(self.built.stderr, "")
        self.assertGreater(len(self.pages), 30)

    def test_links_lead_somewhere(self):
        count = 0
        for path, page in self.pages.items():
            for target in page.targets:
                if target.startswith(OUTSIDE) or path.name == "search.html":
                    continue
                place, _, name = urllib.parse.unquote(target).partition("#")
                other = (path.parent / place.partition("?")[0]).resolve() if place else path
                with self.subTest(page=str(path.relative_to(self.folder)), target=target):
                    count += 1
                    self.assertTrue(other.exists())
                    if name and other.suffix == ".html":
                        self.assertIn(name, self.pages[other].names)
        self.assertGreater(count, 500)

    def test_headers_have_their_pages(self):
        names = {path.name for path in self.library.glob("*.html")}
        self.assertLessEqual({"index.html", "classtraction_1_1Force.html", "structtraction_1_1Simulation.html", "structtraction_1_1StepRecord.html"}, names)
        settings = (self.library / "structtraction_1_1SolverSettings.html").read_text()
        self.assertIn("Krylov method of inexact_newton.", settings)   # a SETTING is the member that it declares
        self.assertNotIn("SETTING", settings)
        self.assertIn("../library/index.html", self.pages[self.folder / "docs/library.html"].targets)

    def test_styles_have_their_fonts(self):
        styles = self.folder / "_static/katex.css"
        fonts = set(re.findall(r"url\(([^)]+)\)", styles.read_text()))
        self.assertGreater(len(fonts), 10)
        for font in fonts:
            self.assertTrue((styles.parent / font).is_file(), font)

    def test_formulas_can_be_drawn(self):
        """By the script of the pages, in an interpreter without a browser: its document has the formulas' texts, and KaTeX makes text instead of elements."""
        formulas = {formula for page in self.pages.values() for formula in page.formulas}
        self.assertGreater(len(formulas), 300)
        script = ["Array.prototype.fill = function (value) { for (var i = 0; i < this.length; ++i) this[i] = value; return this; };",   # duktape lacks it
                  "var katex, formulas = %s;" % json.dumps([{"textContent": formula} for formula in sorted(formulas)]), KATEX.read_text(), """
            katex = katex || this.katex;
            katex.render = function (text, element, options) {
              try { element.drawn = this.renderToString(text, {displayMode: options.displayMode, throwOnError: true, strict: "error"}); } catch (problem) { print(text + ": " + problem.message); }
            };
            var document = {addEventListener: function (event, action) { action(); }, querySelectorAll: function (selector) { return selector === ".math" ? formulas : []; }};""",
                  (self.folder / "_static/formulas.js").read_text(),
                  "print(formulas.filter(function (formula) { return formula.drawn; }).length + ' drawn');"]
        path = self.folder / "drawing.js"
        path.write_text("\n".join(script))
        done = subprocess.run(["duk", path], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{len(formulas)} drawn\n", ""))
        displayed = sum(formula.strip().startswith("\\[") for formula in formulas)
        self.assertGreater(displayed, 50)
        for path, page in self.pages.items():
            if page.formulas:
                self.assertIn("katex.js", " ".join(page.targets), path)
                self.assertIn("formulas.js", " ".join(page.targets), path)


def without_code(text):
    text = re.sub(r"^( *)(```+|~~~+).*?^\1\2 *$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(`+)[^`]+\1", "``", text)


def anchors(text):
    """The names that git hosts and Sphinx give to a page's headings."""
    names = {}
    for heading in re.findall(r"^#{1,6} +(.+?) *$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        count = names.get(name, 0)
        names[name] = count + 1
        if count:
            names[f"{name}-{count}"] = 1
    return set(names)


class Pages(unittest.TestCase):
    def test_links_lead_somewhere(self):
        count = 0
        for page in PAGES:
            for target in re.findall(r"\]\(([^()\s]+)\)", without_code(page.read_text())):
                if target.startswith(OUTSIDE):
                    continue
                place, _, name = target.partition("#")
                other = (page.parent / place).resolve() if place else page
                with self.subTest(page=str(page.relative_to(ROOT)), target=target):
                    count += 1
                    self.assertTrue(other.exists())
                    if name:
                        self.assertIn(name, anchors(other.read_text()))
        self.assertGreater(count, 100)

    def test_files_that_pages_name_exist(self):
        count = 0
        for page in PAGES:
            for name in re.findall(r"`((?:src|tests|jobs|postprocess|docs|mesh_partition|examples|packaging)/[\w./-]+)`", page.read_text()):
                if "NAME" in name or "/out" in name or name == "docs/build":
                    continue
                with self.subTest(page=str(page.relative_to(ROOT)), name=name):
                    count += 1
                    self.assertTrue(any(ROOT.glob(name.rstrip("/") + "*")))
        self.assertGreater(count, 100)

    def test_every_page_of_docs_is_in_the_book(self):
        index = ROOT / "docs/index.md"
        linked = {(index.parent / target).resolve() for target in re.findall(r"\]\(([\w./-]+\.md)\)", index.read_text())}
        for page in PAGES:
            if page not in (index, ROOT / "README.md"):
                self.assertIn(page, linked, f"docs/index.md has no link to {page.relative_to(ROOT)}")

    def test_the_picture_of_the_house_is_that_of_the_includes(self):
        drawn = subprocess.run([ROOT / "docs/contributing/house.py"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(drawn, (ROOT / "docs/contributing/house.svg").read_text(), "draw it anew: docs/contributing/house.py > docs/contributing/house.svg")
        before = subprocess.run([ROOT / "docs/contributing/house.py", "d937e1b"], capture_output=True, text=True)
        if before.returncode == 0:   # else the repository's history is missing
            self.assertEqual(before.stdout, (ROOT / "docs/contributing/house_before.svg").read_text(), "draw it anew: docs/contributing/house.py d937e1b > docs/contributing/house_before.svg")

    def test_every_room_is_in_the_picture_of_the_house(self):
        drawn = (ROOT / "docs/contributing/house.svg").read_text()
        rooms = [path.name for path in (ROOT / "src").iterdir() if path.is_dir()] + ["mesh_partition"]
        self.assertEqual([room for room in rooms if f">{room}</text>" not in drawn], [])

    def test_costs_of_recipes_are_those_of_the_commits(self):
        counted = subprocess.run([ROOT / "docs/contributing/costs.py"], capture_output=True, text=True)
        if counted.returncode:
            self.skipTest("the repository's history is missing")
        self.assertIn(counted.stdout, (ROOT / "docs/contributing/recipes.md").read_text(), "copy the table that docs/contributing/costs.py prints")

    def test_the_scene_of_the_readme_is_that_of_the_first_tutorial(self):
        scene, = re.findall(r"^```yaml\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
        self.assertEqual(scene, (ROOT / "docs/tutorials/first_run/scene.yaml").read_text())

    def test_the_lines_of_the_example_are_in_it(self):
        program = (ROOT / "examples/library/main.cpp").read_text()
        shown = re.findall(r"^```cpp\n(.*?)^```", (ROOT / "docs/library.md").read_text(), re.DOTALL | re.MULTILINE)
        self.assertEqual(len(shown), 2)
        for text in shown:
            self.assertIn(text, program)

    def test_the_version_is_the_same_everywhere(self):
        version = re.search(r"project\(traction VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1], version)
        self.assertIn(f"## {version}\n", (ROOT / "CHANGELOG.md").read_text())

    def test_the_spack_recipe_has_what_cmake_looks_for(self):
        """Spack's vocabulary is replaced by records of the calls, as Spack itself need not be installed."""
        calls = []
        names = ("version", "variant", "depends_on", "generator", "conflicts")
        vocabulary = {name: lambda *words, name=name, **options: calls.append((name, *words)) for name in names} | {"CMakePackage": object}
        recipe = (ROOT / "packaging/spack/packages/traction/package.py").read_text().replace("from spack.package import *", "")
        exec(compile(recipe, "package.py", "exec"), vocabulary)
        wanted = [re.match("[a-z0-9-]+", call[1])[0] for call in calls if call[0] == "depends_on"]
        spack = {"MPI": "mpi", "HDF5": "hdf5", "Eigen3": "eigen", "CLI11": "cli11", "VTK": "vtk", "PETSC": "petsc", "SLEPC": "slepc", "METIS_LIBRARY": "metis", "SMUMPS_LIBRARY": "mumps", "DMUMPS_LIBRARY": "mumps", "PkgConfig": "pkgconfig"}
        needed = re.findall(r"^(?:find_package|pkg_check_modules|find_library)\((\S+) .*REQUIRED", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
        self.assertGreaterEqual(len(needed), 12)
        self.assertEqual([name for name in needed if spack.get(name, name) not in wanted], [])
        self.assertIn("nanoflann", wanted)   # headers alone
        programs = re.search(r"programs\)\s*packages\+=\((.*?)\)", (ROOT / "jobs/install_packages").read_text(), re.DOTALL)[1]
        modules = {"vtk9": "vtk", "yaml": "py-pyyaml", "jsonschema": None}   # tests alone need the last one
        needed = [modules.get(name, f"py-{name}") for name in re.findall(r"python3-(\w+)", programs)]
        self.assertGreater(len(needed), 4)
        self.assertEqual([name for name in needed if name and name not in wanted], [])
        geometries = [path for path in ROOT.glob("jobs/*/*.geo") if 'SetFactory("OpenCASCADE")' in path.read_text()]
        self.assertGreater(len(geometries), 5)
        self.assertTrue(any("+opencascade" in word for call in calls for word in call[1:] if word.startswith("gmsh")), "Spack builds Gmsh without OpenCASCADE unless it is asked to")
        self.assertIn(("version", re.search(r"project\(traction VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]), calls)

    def test_the_readme_fits_a_screen_and_a_half(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().split()), 900)


if __name__ == "__main__":
    unittest.main()
