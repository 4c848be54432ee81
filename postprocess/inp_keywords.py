"""An Abaqus .inp file as a list of keywords with their parameters and lines of data, for scene_from_inp. Nodes, elements and sets stay unread until they are asked for."""

import dataclasses
import pathlib

MESH = {"NODE", "ELEMENT", "NSET", "ELSET", "SURFACE"}   # keywords whose data may be long
DEEPEST = 6   # files that are open at once


class InputFault(Exception):
    """A mistake in the file: place, matter, remedy."""


def capitals(text):
    """Keywords, parameters and labels are equal if they differ in case alone."""
    return text.strip().upper()


def joined(text):
    """A keyword or parameter without its blanks: ENDSTEP."""
    return capitals(text).replace(" ", "").replace("\t", "")


def split(line):
    """The parts of a line between commas, without the blanks and quotes around them. Commas in quotes are part of a label."""
    parts, start, quoted = [], 0, False
    for at, letter in enumerate(line + ","):
        quoted ^= letter == '"'
        if at == len(line) or (letter == "," and not quoted):
            part = line[start:at].strip()
            parts.append(part[1:-1] if len(part) > 1 and part[0] == part[-1] == '"' else part)
            start = at + 1
    return parts


@dataclasses.dataclass
class Row:
    """A line of data."""

    words: list
    place: str   # FILE:LINE

    def text(self, i):
        return self.words[i] if i < len(self.words) else ""

    def number(self, i, what, default=None):
        """The i-th word as a number; `default` where it is empty or missing."""
        if not self.text(i):
            if default is not None:
                return default
            raise InputFault(f"{self.place}: the line ends where {what} is expected; complete it")
        try:
            value = float(self.text(i).replace("D", "E").replace("d", "e"))   # Fortran's exponents of double precision
        except ValueError:
            value = float("nan")
        if not abs(value) < float("inf"):
            raise InputFault(f"{self.place}: '{self.text(i)[:40]}' where {what}, a finite number, is expected; correct it")
        return value

    def numbers(self):
        """All words as numbers; those that are empty are 0."""
        return [self.number(i, "a constant", 0) for i in range(len(self.words))]


@dataclasses.dataclass
class Keyword:
    """A keyword, its parameters, and its lines of data."""

    name: str          # in capitals, without blanks
    parameters: dict   # by names in capitals, without blanks; None for one without a value
    place: str         # FILE:LINE
    lines: list        # (line as it is written, its place), the keyword's own first
    own: int = 1       # how many of the lines are the keyword's own

    def has(self, parameter):
        return parameter in self.parameters

    def value(self, parameter, default=None):
        return self.parameters.get(parameter) or default

    def word(self, parameter, default=""):
        """A value that is compared with words of the format: in capitals, without blanks."""
        return joined(self.value(parameter, default))

    def required(self, parameter):
        if not self.value(parameter):
            raise InputFault(f"{self.place}: *{self.name} needs {parameter}=VALUE; add it")
        return self.value(parameter)

    def rows(self):
        """The lines of data; without the empty word behind a comma at the end of a line."""
        for line, place in self.lines[self.own :]:
            words = split(line)
            if len(words) > 1 and not words[-1]:
                words.pop()
            yield Row(words, place)

    def row(self):
        """The first line of data, empty if there is no line."""
        return next(self.rows(), Row([], self.place))

    def written(self):
        return [line for line, _ in self.lines]


def lines_of(path, shown, above=()):
    """(line, FILE:LINE) of a file and of those that it includes, without comments and empty lines. `shown` is the file's name in messages."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InputFault(f"{shown}: can't be read: {error.strerror}; check its name and permissions") from None
    for number, line in enumerate(text.splitlines(), 1):
        line, place = line.strip(), f"{shown}:{number}"
        if not line or line.startswith("**"):
            continue
        if line[0] == "*" and joined(line[1:].split(",")[0]) == "INCLUDE":
            named = [part.partition("=")[2].strip().strip('"') for part in split(line) if joined(part.partition("=")[0]) == "INPUT"]
            if not named or not named[0]:
                raise InputFault(f"{place}: *INCLUDE without INPUT=FILE; name the file")
            inner = path.parent / named[0]
            if len(above) + 2 > DEEPEST or inner.resolve() in [*above, path.resolve()]:
                raise InputFault(f"{place}: *INCLUDE of {named[0]} inside itself, or in more than five files inside each other; put them into one")
            yield from lines_of(inner, named[0], (*above, path.resolve()))
        else:
            yield line, place


def keyword_of(line, place):
    first, *rest = split(line[1:])
    if not first:
        raise InputFault(f"{place}: a star without a keyword; remove the line, or begin a comment with two stars")
    parameters = {}
    for part in filter(None, rest):
        name, _, value = part.partition("=")
        value = value.strip()
        parameters[joined(name)] = (value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value) or None
    return Keyword(joined(first), parameters, place, [])


def read_keywords(path):
    """The keywords of a file in their order."""
    found, pending = [], None   # pending: lines of a keyword that a comma at the end of a line continues
    for line, place in lines_of(pathlib.Path(path), pathlib.Path(path).name):
        if pending is not None or line[0] == "*":
            if pending is not None and line[0] == "*":
                raise InputFault(f"{pending[0][1]}: the line ends with a comma, but the next one does not continue it; remove the comma")
            pending = [*(pending or []), (line, place)]
            if line.endswith(","):
                continue
            keyword = keyword_of("".join(text for text, _ in pending), pending[0][1])
            keyword.lines, keyword.own, pending = pending, len(pending), None
            found.append(keyword)
        elif not found:
            raise InputFault(f"{place}: a keyword, such as *NODE, should come before data; give an input file of Abaqus or CalculiX")
        else:
            found[-1].lines.append((line, place))
    if pending is not None:
        raise InputFault(f"{pending[0][1]}: the line ends with a comma, but no other follows; remove the comma")
    return found
