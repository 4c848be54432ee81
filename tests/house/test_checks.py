"""The checks of this folder find what they look for, in small trees and histories made for it."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import check_format
import check_language
import check_lengths
import check_petsc
import check_rooms
import check_tidy
import sources


class Tree(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="traction-test-"))
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, files):
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=test", "-c", "user.email=test@localhost", *words], cwd=self.root, check=True, capture_output=True)


class Rooms(Tree):
    def faults(self, files):
        self.write(files)
        return check_rooms.faults(self.root)

    def test_down_and_beside(self):
        self.assertEqual(self.faults({"src/errors.h": "", "src/math/dual.h": '#include "errors.h"\n', "src/solver/newton.h": '#include "contact/law.h"\n#include <vector>\n',
                                      "src/contact/law.h": '#include "math/dual.h"\n', "mesh_partition/part.h": '#include "mesh/formats/msh.h"\n', "src/mesh/formats/msh.h": "",
                                      "src/app/main.cpp": '#include "mesh_partition/part.h"\n'}), [])

    def test_up(self):
        fault, = self.faults({"src/math/dual.h": '\n#include "mesh/mesh.h"\n', "src/mesh/mesh.h": ""})
        self.assertTrue(fault.startswith("src/math/dual.h:2: math includes src/mesh/mesh.h, from a floor above it; move what it needs down"), fault)

    def test_rooms_in_a_circle(self):
        fault, = self.faults({"src/solver/a.h": '#include "contact/b.h"\n', "src/contact/b.h": "", "src/contact/c.h": '#include "solver/d.h"\n', "src/solver/d.h": ""})
        self.assertIn("rooms include each other in a circle: ", fault)
        self.assertIn("src/contact/c.h:1 (contact includes solver)", fault)

    def test_files_in_a_circle(self):
        fault, = self.faults({"src/math/a.h": '#include "math/b.h"\n', "src/math/b.h": '#include "math/c.h"\n', "src/math/c.h": '#include "math/a.h"\n'})
        self.assertIn("files include each other in a circle: src/math/a.h:1 includes src/math/b.h, src/math/b.h:1", fault)

    def test_tests_lie_in_rooms(self):
        faults = self.faults({"src/math/dual.h": "", "src/errors.h": "", "tests/unit/math/dual_test.cpp": "", "tests/unit/errors_test.cpp": "", "tests/parallel/math/what_ranks_do_test.cpp": "",
                              "tests/unit/cellar/wine_test.cpp": "", "tests/parallel/math/errors_test.cpp": ""})
        self.assertEqual(faults, ["tests/unit/cellar/wine_test.cpp: src has no folder cellar; tests lie in folders as in src",
                                  "tests/parallel/math/errors_test.cpp: has the name of a source in .; move it there, or name it after what it tests"])

    def test_unknown_room_and_missing_file(self):
        faults = self.faults({"src/cellar/a.h": '#include "math/b.h"\n#include "c.h"\n', "src/math/b.h": ""})
        self.assertIn('src/cellar/a.h:2: "c.h" is neither in src nor at the root', faults[0])
        self.assertIn("src/cellar/a.h:1: the room cellar is on no floor", faults[1])


class Lengths(Tree):
    def test_five_hundred_lines_are_enough(self):
        self.write({"src/good.h": "\n" * 500, "src/bad.cpp": "\n" * 501, "jobs/a/out/result.py": "\n" * 900})
        fault, = check_lengths.faults(sources.files(".h", ".cpp", ".py", root=self.root), self.root)
        self.assertTrue(fault.startswith("src/bad.cpp:501: the file has 501 lines, more than 500;"), fault)


class Petsc(Tree):
    def test_errors_and_objects(self):
        self.write({"src/parallel/petsc_handle.h": "PetscObjectDestroy(&object);\n", "src/parallel/a.cpp": "PetscCommDestroy(&own);  // no MatDestroy(&m)\n",
                    "src/solver/a.cpp": "check_petsc(MatCreate(c, m.receive()));\nPetscCallAbort(c, VecCopy(a, b));\nPetscCall(VecCopy(a, b));\n",
                    "mesh_partition/b.cpp": "  check_petsc(ISDestroy(&rows));\n"})
        self.assertEqual([fault.split(" ")[:2] for fault in check_petsc.faults(self.root)], [["mesh_partition/b.cpp:1:", "ISDestroy"], ["src/solver/a.cpp:2:", "PetscCallAbort"]])


class Language(Tree):
    def faults(self, name, text):
        self.write({name: text})
        return check_language.faults([self.root / name], self.root)

    def test_comments_that_begin_with_of(self):
        text = '// Positions\n// of all vertices.\nint a;  // of these\nint b;  // mass of these\nconst char* c = "// of d";\n\n// That of e.\n// Of course.\nint f = 1\'000;  // Those of g\n'
        self.assertEqual([fault.split(";")[0] for fault in self.faults("src/a.h", text)], [
            "src/a.h:3: 'of these' begins with 'of'", "src/a.h:7: 'That of e. Of course.' begins with 'That of'", "src/a.h:9: 'Those of g' begins with 'Those of'"])

    def test_phrases(self):
        text = "// These go on the stack. Others go on\n// until the file is mended, as there is one of which there is none.\nint a;  // a vector, which there is none of\n"
        self.assertEqual([fault.split(" contains ")[1] for fault in self.faults("src/a.cpp", text)],
                         ["'mended'; write 'fix' or rephrase", "'go on'; write 'continue' or rephrase", "'which there is none'; write 'no ...' or rephrase", "'which there is none of'; write 'no ...' or rephrase"])

    def test_what_stands_for_something_and_what_programs_say(self):
        text = "// A log says what, or nothing where there is none.\nint a;  // stands for b, which stands for 10 s\nint c;  // states stay as they are.\nint d;  // d, as they are free\n"
        self.assertEqual([fault.split(" contains ")[1].split(";")[0] for fault in self.faults("tests/a.cpp", text)], ["'there is none'", "'log says'", "'stands for'", "'as they are'"])

    def test_messages(self):
        text = ('#include "a file.h"\nconst char* a = "{}: cannot "\n   // a comment\n  "go on; is it \\"b\\" again?";\nconst char b = \'"\', *c = "Of d.", *d = "of {}", *e = x ? "says so" : R"(is "f" told\nso?)";\n')
        self.assertEqual([fault.split(";")[0] for fault in self.faults("src/a.cpp", text)], [
            "src/a.cpp:2: '{}: cannot go on", "src/a.cpp:5: 'Of d.' begins with 'Of'", "src/a.cpp:5: 'says so' contains 'says'",
            "src/a.cpp:5: 'is \"f\" told\nso?' contains 'told'", "src/a.cpp:2: '{}: cannot go on", "src/a.cpp:5: 'is \"f\" told\nso?' asks the user"])
        self.assertEqual(self.faults("tests/a.cpp", text), [])   # tests hold texts of users

    def test_what_something_leaves_and_what_is_there(self):
        text = "int a;  // What the solver leaves.\nint b;  // sets what it leaves out, where there is room\nint c;  // if a list is there\nint d;  // stays as it is while\nint f;  // as it is.\nint e;  // what a hinge leaves free\n"
        self.assertEqual([fault.split(" contains ")[1].split(";")[0] for fault in self.faults("tests/a.cpp", text)],
                         ["'What the solver leaves'", "'is there'", "'stays as it is'", "'as it is'"])

    def test_comments_that_continue_others(self):
        text = "int a;  // the first,\nint b;  // and the second\n// A sentence,\n// in two lines.\n"
        fault, = self.faults("src/a.cpp", text)
        self.assertTrue(fault.startswith("src/a.cpp:1: 'the first,' ends with a comma"), fault)
        self.assertEqual(self.faults("tests/a.cpp", text), [])

    def test_what_pages_say(self):
        text = "As P4 says, a run warns. It says so.\n\n**Tell users.**\n"
        fault, = self.faults("docs/a.md", text)
        self.assertIn("contains 'says'", fault)
        self.assertEqual(self.faults("CHANGELOG.md", text), [])

    def test_titles_of_a_branch(self):
        self.assertEqual(check_language.titles(self.root), [])
        self.git("init", "-b", "main")
        self.git("commit", "--allow-empty", "-m", "Let old titles be")
        self.assertEqual(check_language.titles(self.root), [])
        self.git("checkout", "-b", "branch")
        for title in ("Let a rod be held", "Letters are read", "Say what is lost", "Report what goes on in a run", "Report how a run goes"):
            self.git("commit", "--allow-empty", "-m", title)
        self.assertEqual([fault.split(": ", 1)[1].split(";")[0] for fault in check_language.titles(self.root)],
                         ["'Report what goes on in a run' contains 'goes on'", "'Say what is lost' begins with 'Say'", "'Let a rod be held' begins with 'Let'"])

    def test_types_have_a_sentence(self):
        text = ("/// A.\ntemplate <typename T>\nstruct A : B<T> {\n  struct Inner {\n    int a;\n  };\n};\nclass C;\n// D.\nclass D final {\n  struct Own {};\n\n public:\n  struct Shown {};\n  /// E.\n  struct E {};\n"
                "\n private:\n  struct Hidden {\n    struct Deeper {};\n  };\n};\nstruct F f(struct G g);\ntemplate <>\nstruct H<int> {\n  struct Outer {};\n};\n")
        self.assertEqual([fault.split(" has ")[0] for fault in self.faults("src/a.h", text)],
                         ["src/a.h:4: Inner", "src/a.h:10: D", "src/a.h:14: Shown", "src/a.h:25: H<int>", "src/a.h:26: Outer"])
        self.assertEqual(self.faults("src/a.cpp", text) + self.faults("tests/a.h", text), [])

    def test_python(self):
        text = '#!/usr/bin/python3\n"""Of a module."""\n\nNAME = "# of text"   # of a name\n# A comment\n# of two lines.\n\n\ndef f():\n    """That of f."""\n'
        self.assertEqual([fault.split(": ")[0] for fault in self.faults("jobs/a.py", text)], ["jobs/a.py:2", "jobs/a.py:4", "jobs/a.py:10"])

    def test_pages(self):
        text = "Of pages the opening is free.\n\n```\nruns go on\n```\n\n| runs go on | no fault |\n\nA run\ngoes\non.\n"
        fault, = self.faults("docs/a.md", text)
        self.assertEqual(fault, "docs/a.md:9: 'A run goes on.' contains 'goes on'; write 'continue' or rephrase")


@unittest.skipIf(shutil.which("clang-format") is None, "there is no clang-format")
class Format(Tree):
    def test_bad_line(self):
        shutil.copy(sources.ROOT / ".clang-format", self.root)
        self.write({"good.h": "int a;\n", "bad.h": "int a;\nint  b;\n"})
        self.assertEqual(check_format.faults(["good.h", "bad.h"], self.root), ["bad.h:2: not formatted; run clang-format -i bad.h"])


@unittest.skipIf(shutil.which("git") is None, "there is no git")
class Tidy(Tree):
    def test_lines_and_sources_of_a_change(self):
        self.write({"src/math/a.h": "int a();\n", "src/math/a.cpp": "\n\n\n", "src/math/only.h": "int b();\n", "tests/unit/only_test.cpp": '#include "math/only.h"\n', "src/same.cpp": ""})
        self.git("init", "-b", "main")
        self.assertIsNone(check_tidy.base_of(self.root))
        self.git("add", "-A")
        self.git("commit", "-m", "first")
        self.assertIsNone(check_tidy.base_of(self.root))
        first = check_tidy.git("rev-parse", "HEAD", root=self.root)
        self.git("checkout", "-b", "branch")
        self.write({"src/math/a.h": "int a();\nint c();\n"})
        self.git("commit", "-a", "-m", "second")
        self.assertEqual(check_tidy.base_of(self.root), first)
        self.write({"src/math/a.cpp": "\nint d();\nint e();\n\n", "src/math/only.h": "int f();\n"})   # not committed
        changed = check_tidy.changed_lines(first, self.root)
        self.assertEqual(changed, {"src/math/a.cpp": [(2, 3)], "src/math/a.h": [(2, 2)], "src/math/only.h": [(1, 1)]})
        self.assertEqual(check_tidy.sources_of(changed, self.root), [pathlib.Path("src/math/a.cpp"), pathlib.Path("tests/unit/only_test.cpp")])
        self.git("checkout", "-f", "main")
        self.git("merge", "branch")
        self.assertEqual(check_tidy.base_of(self.root), first)


if __name__ == "__main__":
    unittest.main()
