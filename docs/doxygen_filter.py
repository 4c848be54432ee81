#!/usr/bin/python3
"""A header as Doxygen reads it: its first comment is that of the file, signs in comments are no commands, and SETTING(...) is the member that it declares.

Doxygen calls it with the header's path.
"""

import re
import sys

STRING = r'"(?:[^"\\]|\\.)*"'


def arguments(text):
    """What stands between the commas of a call's arguments, outside of quotes and brackets."""
    parts, depth = [""], 0
    for piece in re.findall(rf"{STRING}|.", text, re.DOTALL):
        depth += piece in ("(", "{", "[", "<")
        depth -= piece in (")", "}", "]", ">")
        if piece == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return [" ".join(part.split()) for part in parts]


def member(match):
    """The member that a SETTING declares, with its sentence and its properties."""
    kind, name, default, sentence, *properties = arguments(match[2])
    words = "".join(re.findall(rf'"((?:[^"\\]|\\.)*)"', sentence)).replace('\\"', '"')
    notes = " ".join(filter(None, [words, ", ".join(properties)]))
    return f"{match[1]}/// {escaped(notes)}\n{match[1]}{kind} {name} = {default};"


def escaped(comment):
    """Without what Doxygen takes for commands or tags, except @collective, which the Doxyfile defines."""
    return re.sub(r"(\\|@(?!collective\b)|[<>&#%$])", r"\\\1", comment)


def filtered(text):
    text = re.sub(rf"^([ \t]*)SETTING\(((?:{STRING}|[^\"])*?)\);", member, text, flags=re.MULTILINE)
    lines, opening = [], True
    for line in text.splitlines():
        opening = opening and line.startswith("//")
        if opening:
            lines.append(("" if lines else "/// @file\n") + f"///{escaped(line[2:])}")
        else:
            lines.append(re.sub(r"(///<?)(.*)", lambda match: match[1] + escaped(match[2]), line))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.write(filtered(header.read()))
