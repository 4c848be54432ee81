#!/usr/bin/python3
"""Checks who includes whom: the rooms (folders) of src stand on floors, and no file includes one from a floor above its own.

Rooms on one floor may include each other, but not in a circle, and nor may files. Tests of the kinds unit and parallel lie in folders as in src, and a test that has the name of a source lies in its room.
"""

import re

from sources import ROOT, arguments, files, report

# From the ground up. A room that is new needs a place here. "src" are the headers that lie in no room.
FLOORS = (("src",), ("settings", "math"), ("mesh", "elements", "parallel"), ("output", "mesh_partition"), ("system",), ("forces", "contact", "solver", "pressure"), ("dynamics", "asynchronous"),
          ("scene",), ("simulation",), ("app",))
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def room_of(path):
    """The room of a path relative to the root."""
    parts = path.parts
    return parts[1] if parts[0] == "src" and len(parts) > 2 else parts[0]


def includes(root):
    """(file, line, included file) of all includes of the project's own files, paths relative to the root; and what is wrong with others."""
    found, faults = [], []
    for path in files(".h", ".cpp", root=root, folders=("src", "mesh_partition")):
        here = path.relative_to(root)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := INCLUDE.match(line):
                target = next((folder / match[1] for folder in (root / "src", root) if (folder / match[1]).is_file()), None)
                if target is None:
                    faults.append(f'{here}:{number}: "{match[1]}" is neither in src nor at the root; write the path from there, as "mesh/mesh.h"')
                else:
                    found.append((here, number, target.relative_to(root)))
    return found, faults


def circle(edges):
    """A circle in a graph {node: [(next node, label)]}, as the labels along it, or None."""
    state = {}

    def visit(node, path):
        state[node] = "open"
        for target, label in edges.get(node, ()):
            if state.get(target) == "open":
                along = [*path, (node, label)]
                start = next(i for i, (begin, _) in enumerate(along) if begin == target)
                return [name for _, name in along[start:]]
            if target not in state and (found := visit(target, [*path, (node, label)])):
                return found
        state[node] = "done"
        return None

    return next((found for node in list(edges) if node not in state and (found := visit(node, []))), None)


def misplaced_tests(root):
    """What is wrong with the folders of tests."""
    sources = {}   # name: its folders
    for path in files(".h", ".cpp", root=root, folders=("src", "mesh_partition")):
        sources.setdefault(path.stem, set()).add(path.parent.relative_to(root / "src" if path.is_relative_to(root / "src") else root))
    found = []
    for kind in ("unit", "parallel"):
        for path in files("_test.cpp", root=root, folders=(f"tests/{kind}",)):
            room, name = path.parent.relative_to(root / "tests" / kind), path.stem.removesuffix("_test")
            if not any((folder / room).is_dir() for folder in (root / "src", root)):
                found.append(f"{path.relative_to(root)}: src has no folder {room}; tests lie in folders as in src")
            elif room not in sources.get(name, {room}):
                found.append(f"{path.relative_to(root)}: has the name of a source in {sorted(map(str, sources[name]))[0]}; move it there, or name it after what it tests")
    return found


def faults(root=ROOT):
    floor_of = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
    found, faults = includes(root)
    rooms, graph = {}, {}
    for file, line, target in found:
        place, room, other = f"{file}:{line}", room_of(file), room_of(target)
        unknown = [name for name in (room, other) if name not in floor_of]
        if unknown:
            faults.append(f"{place}: the room {unknown[0]} is on no floor; give it a place in FLOORS of tests/house/check_rooms.py")
        elif floor_of[other] > floor_of[room]:
            faults.append(f"{place}: {room} includes {target}, from a floor above it; move what it needs down to {room} or below, or the code that needs it up to {other}")
        elif other != room:
            rooms.setdefault(room, []).append((other, f"{place} ({room} includes {other})"))
        graph.setdefault(file, []).append((target, f"{place} includes {target}"))
    for what, edges in (("rooms", rooms), ("files", graph)):
        if around := circle(edges):
            faults.append(f"{around[0].split(' ')[0]}: {what} include each other in a circle: {', '.join(around)}; move what both need to a third")
    return faults + misplaced_tests(root)


if __name__ == "__main__":
    arguments(__doc__).parse_args()
    report(faults())
