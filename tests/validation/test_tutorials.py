"""The tutorials do what they show: every command and program on their pages runs, prints what the page prints, and makes the page's pictures.

A page docs/tutorials/NAME.md has its files in docs/tutorials/NAME. Blocks of code are, by their language,
  sh, python   commands, run in that folder in the order of the page; `bash` marks commands that are for the reader alone;
  text         what the commands above print: words are the same, numbers within a hundredth, and a line of "..." matches any lines;
  yaml         a part of a file in the folder.
Blocks that import a module of OPTIONAL are only compiled where it is missing.
TRACTION_PICTURES=1 puts the pictures that are made into the repository. Pictures in other folders, such as docs/tutorials/paraview, are made by hand.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
import unittest.mock

from traction_runs import ENVIRONMENT

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs/tutorials"
TOLERANCE = 0.01
OPTIONAL = ("pyvista",)   # modules that Debian does not have: blocks that import them run where they are installed
NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?%?$")


def blocks(page):
    """(language, text) of the page's blocks of code."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def missing_module(language, text):
    """The module of OPTIONAL that a block imports and that is not installed, or None."""
    found = re.search(rf"^import ({'|'.join(OPTIONAL)})\b", text, re.MULTILINE) if language == "python" else None
    return found[1] if found and importlib.util.find_spec(found[1]) is None else None


def same_word(expected, found):
    if expected == found:
        return True
    if not (NUMBER.match(expected) and NUMBER.match(found)):
        return False
    first, second = (float(word.rstrip("%")) for word in (expected, found))
    return abs(first - second) <= TOLERANCE * abs(first)


def same_line(expected, found):
    first, second = (re.split(r"[\s,;:()=]+", line.strip()) for line in (expected, found))
    return len(first) == len(second) and all(map(same_word, first, second))


def difference(expected, found):
    """Where printed lines differ from a page's, or None; "..." on the page matches any number of lines."""
    if not expected:
        return None if not found else f"'{found[0]}' is printed, and not on the page"
    if expected[0].strip() == "...":
        return None if any(difference(expected[1:], found[skipped:]) is None for skipped in range(len(found) + 1)) else f"no lines as after '...': {expected[1:]} in {found}"
    if not found:
        return f"'{expected[0]}' is not printed"
    if not same_line(expected[0], found[0]):
        return f"'{expected[0]}' is on the page, '{found[0]}' is printed"
    return difference(expected[1:], found[1:])


class Tutorials(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="traction-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        shutil.copytree(TUTORIALS, self.folder / "tutorials", ignore=shutil.ignore_patterns("out*", "*.png"))
        path = os.pathsep.join([os.environ["TRACTION_BUILD"], str(ROOT / "postprocess"), "/usr/bin", os.environ["PATH"]])
        self.environment = {**os.environ, **ENVIRONMENT, "PATH": path, "TRACTION": str(ROOT), "OMPI_MCA_rmaps_base_oversubscribe": "1"}

    def execute(self, interpreter, text, folder):
        """What commands print; with all that they have started ended when time is up."""
        process = subprocess.Popen(interpreter, cwd=folder, env=self.environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            printed, _ = process.communicate(text, timeout=300)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, _ = process.communicate()
            self.fail(f"not done after 300 s:\n{text}\n{printed}")
        self.assertEqual(process.returncode, 0, f"{text}\n{printed}")
        return printed

    def follow(self, name):
        page, folder = TUTORIALS / f"{name}.md", self.folder / "tutorials" / name
        folder.mkdir(exist_ok=True)   # new where the tutorial has no files of its own
        files = [path.read_text() for path in sorted(folder.iterdir()) if path.suffix in (".yaml", ".geo")]
        printed, commands, is_left_out = None, 0, False
        for language, text in blocks(page):
            if language == "text" and is_left_out:
                continue
            is_left_out = missing_module(language, text) is not None
            if is_left_out:
                compile(text, str(page), "exec")
            elif language in ("sh", "python"):
                printed, commands = self.execute(["bash", "-e"] if language == "sh" else ["/usr/bin/python3"], text, folder), commands + 1
            elif language == "text":
                self.assertIsNotNone(printed, "a page prints something before its first command")
                problem = difference(text.splitlines(), printed.splitlines())
                self.assertIsNone(problem, f"{problem}\n{printed}")
            elif language == "yaml":
                self.assertTrue(any(text in file for file in files), f"no file in {name} has these lines:\n{text}")
            else:
                self.assertIn(language, ("bash", "geo"))
                self.assertTrue(language != "geo" or any(text in file for file in files), text)
        self.assertGreater(commands, 1)
        for picture in re.findall(rf"!\[[^\]]*\]\({name}/([^)]*)\)", page.read_text()):
            self.assertTrue((folder / picture).is_file(), f"no command of the page makes {picture}")
            if os.environ.get("TRACTION_PICTURES"):
                shutil.copy(folder / picture, TUTORIALS / name / picture)
            self.assertTrue((TUTORIALS / name / picture).is_file(), f"{picture} is missing; make it with TRACTION_PICTURES=1")

    def test_comparison_sees_other_words_and_numbers(self):
        self.assertIsNone(difference(["a 1.00", "...", "end"], ["a 1.005", "x", "y", "end"]))
        for found in (["a 1.02", "end"], ["b 1.00", "end"], ["a 1.00"], ["a 1.00", "end", "more"]):
            self.assertIsNotNone(difference(["a 1.00", "...", "end"], found))

    def test_blocks_with_missing_modules_are_left_out(self):
        self.assertIsNone(missing_module("python", "import json\n"))
        self.assertIsNone(missing_module("sh", "import pyvista\n"))
        with unittest.mock.patch("importlib.util.find_spec", return_value=None):
            self.assertEqual(missing_module("python", "import json\nimport pyvista\n"), "pyvista")
        with unittest.mock.patch("importlib.util.find_spec", return_value=object()):
            self.assertIsNone(missing_module("python", "import pyvista\n"))


for tutorial in sorted(TUTORIALS.glob("*.md")):
    setattr(Tutorials, f"test_{tutorial.stem}", lambda self, name=tutorial.stem: self.follow(name))


if __name__ == "__main__":
    unittest.main()
