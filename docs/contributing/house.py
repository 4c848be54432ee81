#!/usr/bin/python3
"""Draws the house: the rooms of src on their floors, as tests/house/check_rooms.py has them, and who includes whom. docs/contributing/house.py > docs/contributing/house.svg

A line leads from a room to one that it includes. A line that only repeats others is left out: `app` includes `mesh` and `scene`, and `scene` includes `mesh`, so `app` has no line to `mesh`. Lines that lead up are red.
`house.py COMMIT` draws the rooms of an earlier commit on today's floors.
"""

import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/house"))
from check_rooms import FLOORS, ROOT, includes, room_of  # noqa: E402

WHAT = {"app": "commands, the life of a run", "simulation": "from a scene to objects", "scene": "reads and checks scenes", "dynamics": "integrators, steps, energy", "forces": "solids, shells, volumes, loads",
        "contact": "pairs, geometry, friction", "pressure": "contact of pressure fields", "asynchronous": "events instead of steps", "solver": "Newton, preconditioners", "system": "state, stage equation, blocks", "output": "history, frames, checkpoints", "mesh_partition": "METIS, distribution",
        "mesh": "reading, checks, formats", "elements": "kernels of one element", "parallel": "index maps, exchanges", "settings": "declaring settings", "math": "dual numbers, packs, laws"}
WIDTH, HEIGHT, ROOM, STOREY, GAP = 960, 52, 200, 96, 24


def lines(rooms, root):
    """Pairs of a room and one that it includes, without those that follow from other pairs."""
    below = {room: set() for room in rooms}
    for file, _, target in includes(root)[0]:
        room, other = room_of(file), room_of(target)
        if room != other and other in below and room in below:
            below[room].add(other)

    def reach(room, passed=frozenset()):
        return set().union(*({other} | reach(other, passed | {room}) for other in below[room] - passed))

    return sorted((room, other) for room in rooms for other in below[room] if not any(other in reach(third) for third in below[room] if third != other))


def draw(root):
    floors = [[room for room in floor if room in WHAT and any((folder / room).is_dir() for folder in (root / "src", root))] for floor in FLOORS]
    floors = [floor for floor in reversed(floors) if floor]
    place = {}
    for storey, floor in enumerate(floors):
        start = (WIDTH - len(floor) * ROOM - (len(floor) - 1) * GAP) / 2
        for number, room in enumerate(floor):
            place[room] = (start + number * (ROOM + GAP), 20 + storey * STOREY)
    height = 20 + len(floors) * STOREY
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">')
    print(f'<rect width="{WIDTH}" height="{height}" fill="white"/>')
    for room, other in lines(place, root):
        (x, y), (u, v) = place[room], place[other]
        color = "#c0392b" if v < y else "#7d8b99"
        if v < y:   # upwards, around the right ends of the rooms
            x, u, y, v = x + ROOM, u + ROOM, y + HEIGHT / 2, v + HEIGHT / 2
            out = max(x, u) + (y - v) / 3
            path = f"M{x:g} {y:g} C{out:g} {y:g} {out:g} {v:g} {u:g} {v:g}"
        elif v > y:
            x, u, y = x + ROOM / 2, u + ROOM / 2, y + HEIGHT
            path = f"M{x:g} {y:g} C{x:g} {y + 40:g} {u:g} {v - 40:g} {u:g} {v:g}"
        else:   # rooms on one floor
            x, u, y = x + ROOM / 2, u + ROOM / 2, y + HEIGHT
            path = f"M{x:g} {y:g} C{x:g} {y + 30:g} {u:g} {y + 30:g} {u:g} {y:g}"
        print(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="1.4"/>')
    for room, (x, y) in place.items():
        print(f'<rect x="{x:g}" y="{y:g}" width="{ROOM}" height="{HEIGHT}" rx="6" fill="#eaf1f7" stroke="#1f5a94"/>')
        print(f'<text x="{x + ROOM / 2:g}" y="{y + 22:g}" text-anchor="middle" font-size="16" font-weight="bold" fill="#1f5a94">{room}</text>')
        print(f'<text x="{x + ROOM / 2:g}" y="{y + 41:g}" text-anchor="middle" font-size="12" fill="#2a323c">{WHAT[room]}</text>')
    print("</svg>")


def main():
    if len(sys.argv) < 2:
        return draw(ROOT)
    sources = subprocess.run(["git", "archive", sys.argv[1], "src", "mesh_partition"], cwd=ROOT, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        tarfile.open(fileobj=io.BytesIO(sources)).extractall(folder)
        draw(pathlib.Path(folder))


if __name__ == "__main__":
    main()
