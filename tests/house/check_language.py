#!/usr/bin/python3
"""Checks comments, docstrings, messages, pages and the titles of a branch's commits for phrases that docs/contributing/style.md replaces.

It also checks that comments of the program do not continue each other, and that a sentence describes each type of a header.
"""

import ast
import io
import re
import tokenize

from check_tidy import git
from sources import ROOT, arguments, files, report

OPENING = re.compile(r"(?i)(of|that of|those of)\b(?! course\b)")   # a fragment that lacks the thing it is about
PROGRAMS = "(run|program|log|message|warning|history|scene|file|page|Traction|MPI|PETSc|METIS|Gmsh)s?"   # they print, report, contain
PHRASES = [(re.compile(rf"\b{pattern}"), remedy) for pattern, remedy in (
    (r"mend(s|ed|ing)?\b", "fix"), (r"(go|goes|going|went|gone) on\b(?! (the|a|an)\b)", "continue"), (r"(which|that) there (are|is) none( of)?\b", "no ..."),
    (r"(cannot|can't|can|be|is|are) told apart\b", "distinguish"), (r"is a number in it none\b", "contains NaN"), (r"(is|are) as (it is|they are)\b", "unchanged"),
    (r"(stand|stands|standing|stood) for\b(?! \d)", "represent"), (r"(?<!which )(?<!that )there (is|are) none\b", "no ... exists"), (r"(?<!small )as they are(?=[.,;:)]|$)", "unchanged"),
    (rf"{PROGRAMS} (say|tell)s?\b", "print, report or contain"),
    (r"[Ww]hat (?!it )[^.;:,]{0,40}\bleaves?\b(?! (free|out|off)\b)", "name what remains"), (r"(is|are) there(?=[.,;:)]| (too|already|if|but)\b|$)", "exists, is given"),
    (r"(?<!small )as it is(?=[.,;:)]|$)", "unchanged"), (r"[Ss]tays? as (it is|they are)(?= )", "unchanged"))]
SPOKEN = (re.compile(r"\b(says?|saying|said|tells?|telling|told)\b"), "print, report, state or distinguish")   # in src only: tests quote people
SPOKEN_IN_PAGES = (re.compile(r"(?<!\bP\d )\b(says|saying|tells|telling)\b"), "print, report, state or distinguish")   # but for papers
CONTINUED = re.compile(r",$")   # by the comment below
TITLE = (re.compile(r"(Let|Say|Tell|Mend)\b"), "Make, Allow, State, Report or Fix")
QUESTION = re.compile(r"[a-z)]\?(?=\s|$)")
SHOWN = 60   # characters of a comment


def comments_of_cpp(text):
    """(line, text) of each comment: lines of // below each other are one, what stands behind code is another."""
    found, above = [], None
    for number, line in enumerate(text.splitlines(), 1):
        code, inside, at = line.strip(), None, -1
        for place, letter in enumerate(line):
            if inside:
                inside = None if letter == inside and line[place - 1] != "\\" else inside
            elif letter == '"' or letter == "'" and not line[:place][-1:].isalnum():
                inside = letter
            elif line.startswith("//", place):
                at = place
                break
        if at < 0:
            above = None
        elif code.startswith("//"):
            if above is None:
                above = len(found)
                found.append((number, line[at:].lstrip("/ ")))
            else:
                found[above] = (found[above][0], f"{found[above][1]} {line[at:].lstrip('/ ')}")
        else:
            above = None
            found.append((number, line[at:].lstrip("/ ")))
    return found


STRING = re.compile(r'R"\((?P<raw>.*?)\)"|"(?P<text>(?:[^"\\\n]|\\.)*)"|(?P<other>//[^\n]*|/\*.*?\*/|\'(?:[^\'\\\n]|\\.)\'|\S)', re.DOTALL)


def strings_of_cpp(text):
    """(line, text) of each string; those that only white space separates are one, as for a compiler. Names of included files are left out."""
    found, joins = [], False
    text = re.sub(r"(?m)^#include .*$", "", text)
    for match in STRING.finditer(text):
        words = match["raw"] if match["text"] is None else match["text"].replace('\\"', '"').replace("\\n", "\n")
        if words is None:
            joins = joins and match[0].startswith(("//", "/*"))
        elif joins:
            found[-1] = (found[-1][0], found[-1][1] + words)
        else:
            found.append((text.count("\n", 0, match.start()) + 1, words))
            joins = True
    return found


def comments_of_python(text):
    found, above = [], None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            words = token.string.lstrip("#! ")
            if above == token.start[0] - 1 and token.line.strip().startswith("#"):
                found[-1] = (found[-1][0], f"{found[-1][1]} {words}")
            else:
                found.append((token.start[0], words))
            above = token.start[0] if token.line.strip().startswith("#") else None
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            found.append((node.body[0].lineno, " ".join(ast.get_docstring(node).split())))
    return sorted(found)


def paragraphs(text):
    """(line, text) of each paragraph of a page, without code, formulas and tables."""
    found, code, above = [], False, False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.strip().startswith(("```", "$$"))
        code ^= fence
        if code or fence or not line.strip() or line.lstrip().startswith(("|", "#", "!")):
            above = False
        elif above:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
        else:
            found.append((number, line.strip()))
            above = True
    return found


TYPE = re.compile(r"( *)(?:template <.*> )?(?:class|struct) (?:alignas\([^)]*\) )?((?:\w|::)+(?:<[^;{]*>)?)(?: final)?(?: *: [^;]*| *\{.*|)$")
ACCESS = re.compile(r"( *)(public|protected|private):")


def undocumented(text):
    """(line, name) of each class and struct of a header, those in private parts aside, without a /// sentence above it. Relies on clang-format's indentation."""
    found, lines, is_private = [], text.splitlines(), {}   # by indentation of the members
    for number, line in enumerate(lines, 1):
        if access := ACCESS.match(line):
            is_private[len(access[1]) + 1] = access[2] == "private"
        if not (match := TYPE.match(line)):
            continue
        depth, above = len(match[1]), number - 2
        is_private[depth + 2] = re.match(r" *(template <.*> )?class", line) is not None
        while above >= 0 and re.match(r" *(template <|requires )", lines[above]):
            above -= 1
        if not any(is_private.get(outer) for outer in range(2, depth + 1, 2)) and not (above >= 0 and lines[above].lstrip().startswith("///")):
            found.append((number, match[2]))
    return found


def titles(root=ROOT):
    """Faults of the titles of commits that are on this branch alone. Those on main cannot be changed any more."""
    if git("rev-parse", "HEAD", root=root) is None or not (bases := [name for name in ("main", "origin/main") if git("rev-parse", "--verify", "-q", name, root=root)]):
        return []
    found = []
    for line in git("log", "--no-merges", "--format=%h %s", "HEAD", *(f"^{base}" for base in bases), root=root).splitlines():
        commit, title = line.split(" ", 1)
        if match := TITLE[0].match(title):
            found.append(f"commit {commit}: '{title}' begins with '{match[0]}'; write '{TITLE[1]}' or rephrase")
        found += [f"commit {commit}: '{title}' contains '{phrase.search(title)[0]}'; write '{remedy}' or rephrase" for phrase, remedy in PHRASES if phrase.search(title)]
    return found


def faults(paths, root=ROOT):
    found = []
    for path in paths:
        text = path.read_text()
        is_page, is_cpp = path.suffix == ".md", path.suffix in (".h", ".cpp")
        folder = path.relative_to(root).parts[0]
        is_product = folder in ("src", "mesh_partition")
        spoken = [SPOKEN] * is_product + [SPOKEN_IN_PAGES] * (is_page and folder in ("docs", "jobs"))
        read = paragraphs if is_page else comments_of_cpp if is_cpp else comments_of_python
        messages = [(line, words) for line, words in strings_of_cpp(text) if " " in words] if is_cpp and is_product else []
        for line, words in read(text) + messages:
            place = f"{path.relative_to(root)}:{line}: '{words[:SHOWN]}{'...' if len(words) > SHOWN else ''}'"
            if not is_page and OPENING.match(words) and ((line, words) not in messages or words[0].isupper()):   # messages are put together from parts
                found.append(f"{place} begins with '{OPENING.match(words)[0]}'; begin with what the comment is about")
            if is_product and (line, words) not in messages and CONTINUED.search(words):
                found.append(f"{place} ends with a comma; let each comment be a sentence or phrase of its own")
            for phrase, remedy in PHRASES + spoken:
                if phrase.search(words):
                    found.append(f"{place} contains '{phrase.search(words)[0]}'; write '{remedy}' or rephrase")
        if is_product and path.suffix == ".h":
            found += [f"{path.relative_to(root)}:{line}: {name} has no sentence that begins with '///' above it; describe what it is" for line, name in undocumented(text)]
        found += [f"{path.relative_to(root)}:{line}: '{words[-SHOWN:]}' asks the user; state what happened, where, why and what to do" for line, words in messages if QUESTION.search(words)]
    return found


def pages(root=ROOT):
    """The pages that the project's people write. The table of style.md quotes phrases, and is skipped as all tables are."""
    return [path for path in files(".md", root=root, folders=("docs", "jobs", "tests")) + [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] if path.exists()]


if __name__ == "__main__":
    arguments(__doc__).parse_args()
    report(faults(files(".h", ".cpp", ".py") + pages()) + titles())
