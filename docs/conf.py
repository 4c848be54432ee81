"""How Sphinx makes a site of the pages: docs/build calls it. The pages are plain Markdown and lie where a reader of the repository expects them, so the whole repository is its source.

The book's order is that of docs/index.md: each of its headings is a part, and the pages that are linked below it are the chapters.
"""

import pathlib
import posixpath
import re

from pygments.lexers import CppLexer

ROOT = pathlib.Path(__file__).resolve().parent.parent
KATEX = "/usr/share/javascript/katex"

project = "Traction"
version = release = re.search(r"project\(traction VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
copyright = ""
html_show_copyright = False

extensions = ["myst_parser", "sphinx.ext.mathjax"]
source_suffix = {".md": "markdown"}
root_doc = "docs/index"
include_patterns = ["docs/**.md", "jobs/*/README.md", "tests/README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
exclude_patterns = ["build*", "jobs/*/out*", "**/__pycache__"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
# A formula touches neither letters nor digits, and begins and ends without a space.
myst_dmath_allow_space = False
myst_dmath_allow_digits = False
suppress_warnings = ["myst.header"]   # the README of a job may begin below the first level

# Formulas are drawn by KaTeX, whose files go into the site. Sphinx loads it, under the name of MathJax, on pages that have formulas.
mathjax_path = "katex.js"
html_static_path = ["_static", KATEX]
html_js_files = [("formulas.js", {"defer": "defer"})]
html_css_files = ["katex.css", "pages.css"]

html_theme = "alabaster"
html_theme_options = {"description": "Deformable bodies in frictional contact", "page_width": "1200px", "sidebar_width": "260px", "fixed_sidebar": True, "show_powered_by": False,
                      "sidebar_collapse": True}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_copy_source = False
html_title = f"Traction {release}"


def parts_of_the_book(index):
    """The table of contents that Sphinx needs, from the headings of the index page and the pages linked below each."""
    for heading, text in re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", index, re.MULTILINE):
        pages = re.findall(r"\]\(([\w./-]+)\.md\)", text)
        names = ["/" + posixpath.normpath(f"docs/{page}") for page in pages]
        yield "\n".join(["```{toctree}", ":hidden:", f":caption: {heading}", "", *dict.fromkeys(names), "```"])


def add_links(app, name, source):
    """The table of contents, and the link to the API pages, which a git host does not have."""
    if name == "docs/library":
        source[0] = source[0].replace("`build/docs/library/index.html`", '<a class="reference internal" href="../library/index.html">library/index.html</a>')
    if name == root_doc:
        source[0] += "\n\n" + "\n\n".join(parts_of_the_book(source[0] + "\n")) + "\n"


def add_entry_page(app, exception):
    if exception is None:
        (pathlib.Path(app.outdir) / "index.html").write_text(f'<!DOCTYPE html><meta charset="utf-8"><title>Traction</title><meta http-equiv="refresh" content="0; url={root_doc}.html">'
                                                             f'<a href="{root_doc}.html">Traction</a>\n')


def setup(app):
    app.add_lexer("geo", CppLexer)   # Gmsh's language looks like C++
    app.connect("source-read", add_links)
    app.connect("build-finished", add_entry_page)
