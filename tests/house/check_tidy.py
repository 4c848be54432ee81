#!/usr/bin/python3
"""Runs clang-tidy, with the checks of .clang-tidy, on the lines that changed since the branch left main; on main, since the commit before. What is not committed counts.

A header is seen through the source of its name, or else a source that includes it. Of many sources only those with the most changed lines are looked at.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from sources import ROOT, arguments, files, report, skip

MOST = 4   # sources; each takes some twenty seconds
FOLDERS = ("src", "mesh_partition", "tests")
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")
WARNING = re.compile(r"^(\S+?):(\d+):\d+: (?:warning|error): (.*)$", re.MULTILINE)


def git(*words, root=ROOT):
    """What git prints, or None if it fails."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def base_of(root=ROOT):
    """The commit that changes are counted from, or None."""
    head = git("rev-parse", "HEAD", root=root)
    for main in ("origin/main", "main"):
        base = git("merge-base", main, "HEAD", root=root)
        if base and base != head:
            return base
    return git("rev-parse", "HEAD~1", root=root)


def changed_lines(base, root=ROOT):
    """{path relative to the root: [(first line, last line)]} of added and changed lines in C++ files."""
    lines, path = {}, None
    for line in git("diff", "-U0", base, "--", *FOLDERS, root=root).splitlines():
        if line.startswith("+++ "):
            path = line[6:] if line.endswith((".h", ".cpp")) else None
        elif path and (match := HUNK.match(line)):
            first, count = int(match[1]), int(match[2] or 1)
            if count:
                lines.setdefault(path, []).append((first, first + count - 1))
    return lines


def sources_of(changed, root=ROOT):
    """The sources to look at, those with the most changed lines first; those of a header's lines count for its source."""
    texts = None
    counts = {}
    for path, ranges in changed.items():
        source = pathlib.Path(path)
        if source.suffix == ".h":
            source = source.with_suffix(".cpp")
            if not (root / source).is_file():
                texts = texts or {file.relative_to(root): file.read_text() for file in files(".cpp", root=root, folders=FOLDERS)}
                include = f'#include "{re.sub("^(src|tests)/", "", path)}"'
                source = next((file for file, text in texts.items() if include in text), None)
        if source:
            counts[source] = counts.get(source, 0) + sum(last - first + 1 for first, last in ranges)
    return sorted(counts, key=lambda source: -counts[source])


def options_of(source, commands):
    """The compiler's arguments that select what is read: those of the source itself, or else of the tests, which have all include folders."""
    own = [command for command in commands if command["file"] == str(ROOT / source)]
    command = (own or [command for command in commands if "unit_tests.dir" in command["command"]])[0]["command"]
    words = shlex.split(command)
    kept = [word for word in words if word.startswith(("-D", "-I", "-std=", "-march="))]
    return kept + [word for option, folder in zip(words, words[1:]) if option == "-isystem" for word in (option, folder)]


def tidy(source, commands, line_filter):
    words = ["clang-tidy", "--quiet", f"--line-filter={line_filter}", str(source), "--", *options_of(source, commands)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True).stdout


def main():
    build = arguments(__doc__).parse_args().build
    database = build / "compile_commands.json"
    for missing, reason in ((shutil.which("clang-tidy") is None, "there is no clang-tidy (package clang-tidy)"), (not database.is_file(), f"{database} is missing"),
                            (git("rev-parse", "HEAD") is None, "this is no git repository")):
        if missing:
            skip(reason)
    base = base_of()
    if base is None:
        skip("the history has no commit to compare with")
    commands = json.loads(database.read_text())
    changed = changed_lines(base)
    sources = [source for source in sources_of(changed) if "tests/fuzz" not in str(source)]
    if not sources:
        skip(f"no C++ line has changed since {base[:9]}")
    if sources[MOST:]:
        print(f"not looked at, beyond the {MOST} sources with the most changes: {', '.join(map(str, sources[MOST:]))}")
    line_filter = json.dumps([{"name": path, "lines": ranges} for path, ranges in changed.items()])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outputs = list(pool.map(lambda source: tidy(source, commands, line_filter), sources[:MOST]))
    found = {match.groups() for output in outputs for match in WARNING.finditer(output)}
    report([f"{os.path.relpath(file, ROOT)}:{line}: {message}" for file, line, message in sorted(found)])


if __name__ == "__main__":
    main()
