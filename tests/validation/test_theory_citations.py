"""docs/theory: what sources cite of it exists, and its formulas are written so that GitHub, MyST and MkDocs all render them."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
THEORY = ROOT / "docs" / "theory"
PAGES = {page.name: page.read_text() for page in sorted(THEORY.glob("*.md"))}
SOURCES = [path for folder in ("src", "mesh_partition", "tests", "jobs", "postprocess") for path in sorted((ROOT / folder).rglob("*"))
           if path.suffix in (".h", ".cpp", ".py", ".md", ".yaml", ".txt") and path != pathlib.Path(__file__).resolve()] + [ROOT / "README.md"]

EQUATION = r"\(([BCDFINV]\d+)\)"                                # (C2); each page has its own letter
POINTER = rf'(?:, "([^"]+)")?((?:(?:,| and) {EQUATION})*)'        # after a page: , "Heading", (C2) and (C3)


def headings(page):
    return re.findall(r"^#+ (.+)$", PAGES[page], re.MULTILINE)


def tags(page):
    return re.findall(r"\\tag\{([A-Z]\d+)\}", PAGES[page])


def text_of(path):
    """A file's text with comments that are wrapped on one line each, and the quotes of messages as users see them."""
    return re.sub(r"\n[ \t]*(?:///?|#)[ \t]?", " ", path.read_text(errors="replace")).replace('\\"', '"')


def formulas(page):
    """Displayed and inline formulas, without code."""
    text = re.sub(r"`[^`\n]*`", "", PAGES[page])
    displayed = re.findall(r"^\$\$\n(.*?)\n\$\$$", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^\$\$\n.*?\n\$\$$", "", text, flags=re.MULTILINE | re.DOTALL)
    return displayed, rest


class Citations(unittest.TestCase):
    def test_sources_cite_sections_and_equations_that_exist(self):
        count = 0
        for path in SOURCES:
            for page, heading, pointers, _ in re.findall(rf"docs/theory/(\w+\.md){POINTER}", text_of(path)):
                with self.subTest(source=str(path.relative_to(ROOT)), page=page, heading=heading):
                    count += 1
                    self.assertIn(page, PAGES)
                    if path.suffix != ".md":
                        self.assertTrue(heading or pointers, "a source cites a section or an equation, not a whole page")
                    if heading:
                        self.assertIn(heading, headings(page))
                    self.assertLessEqual(set(re.findall(EQUATION, pointers)), set(tags(page)))
        self.assertGreater(count, 40)   # the pattern still finds the citations of headers

    def test_pages_cite_each_other_rightly(self):
        all_tags = {tag for page in PAGES for tag in tags(page)}
        for name, text in PAGES.items():
            text = " ".join(text.split())
            for page, heading in re.findall(r'(\w+\.md)\)?, "([^"]+)"', text):
                with self.subTest(page=name, cited=page, heading=heading):
                    self.assertIn(heading, headings(page))
            with self.subTest(page=name):
                self.assertLessEqual(set(re.findall(EQUATION, text)), all_tags)
                self.assertLessEqual(set(re.findall(r"\]\((\w+\.md)\)", text)), set(PAGES))

    def test_no_source_cites_what_is_no_part_of_the_project(self):
        for path in SOURCES + sorted(THEORY.glob("*.md")):
            self.assertNotIn("NUMER" + "ICS", path.read_text(errors="replace"), path)

    def test_keys_of_papers_are_defined(self):
        keys = set(re.findall(r"^- \*\*(P\d)\*\*:", PAGES["index.md"], re.MULTILINE))
        cited = {key for path in SOURCES for key in re.findall(r"\b(P\d) (?:Eq|Sec|Fig|Algorithm|Table)", text_of(path))}
        self.assertGreaterEqual(cited, {"P0", "P1"})
        self.assertLessEqual(cited, keys)

    def test_sections_are_mapped_to_sources_that_exist(self):
        rows = re.findall(r"^\| (\w+\.md)(.*?) \| (.*) \|$", PAGES["index.md"], re.MULTILINE)
        self.assertGreater(len(rows), 10)
        for page, named, places in rows:
            self.assertIn(page, PAGES)
            self.assertLessEqual(set(re.findall(r'"([^"]+)"', named)), set(headings(page)))
            for place in re.findall(r"`([^`]+)`", places):
                self.assertTrue((ROOT / place).exists(), f"docs/theory/index.md says that {place} implements {page}{named}")


class Formulas(unittest.TestCase):
    def test_headings_and_tags_are_unique(self):
        seen = [tag for page in PAGES for tag in tags(page)]
        self.assertEqual(len(seen), len(set(seen)))
        for page in PAGES:
            self.assertEqual(len(headings(page)), len(set(headings(page))), page)
            numbers = [int(tag[1:]) for tag in tags(page)]
            self.assertEqual(numbers, list(range(1, len(numbers) + 1)), page)

    def test_all_renderers_read_them_alike(self):
        for page in PAGES:
            displayed, rest = formulas(page)
            inline = re.findall(r"\$([^$\n]+)\$", rest)
            with self.subTest(page=page):
                self.assertEqual(rest.count("$"), 2 * len(inline), "a dollar sign has no partner on its line")
                for match in re.finditer(r"(.?)\$([^$\n]+)\$(.?)", rest):
                    self.assertFalse(match[1].isalnum() or match[3].isalnum(), f"GitHub reads no formula that touches a letter or digit: {match[0]}")
                for formula in inline:
                    self.assertEqual(formula, formula.strip(), "Markdown reads no formula that begins or ends with a space")
                for formula in displayed + inline:
                    # Before formulas are read Markdown takes \, \; \{ \_ and the like for escaped punctuation, * for emphasis, < for HTML.
                    self.assertIsNone(re.search(r"\\[^A-Za-z]|[*<>]", formula), formula)
                    self.assertEqual(formula.count("{"), formula.count("}"), formula)
                    self.assertEqual(formula.count(r"\left"), formula.count(r"\right") + formula.count(r"\leftarrow"), formula)


if __name__ == "__main__":
    unittest.main()
