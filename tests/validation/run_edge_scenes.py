#!/usr/bin/python3
"""Runs scenes with edges, corners and thin bodies, and prints a line for each: what it cost, and whether it ended as it must.

    TRACTION_BUILD=build/release tests/validation/run_edge_scenes.py 'spike*' table_inside.body --geometry edges_and_faces
    run_edge_scenes.py --list
    run_edge_scenes.py --write DIR NAME...      # scenes and meshes alone

Every scene must end with exit code 0, no surfaces that cross in any frame, and no more energy than before but for 0.2 % of what falling sets free (1 % where walls are hit at 45 m/s); some have conditions of their own.
Exit status: the number of scenes that fail, at most 100.
"""

import argparse
import fnmatch
import json
import pathlib
import resource
import shutil
import sys
import tempfile
import time

import numpy

from edge_scenes import DEFAULT, EDGES, EVERYTHING, Result
from edge_scenes_catalogue import CATALOGUE
from traction_runs import Hung, Outcome, execute, settings

from field_frames import Frames  # found by edge_scenes
from run_crossing import check_run

TOLERANCE = 1e-9    # crossings less deep are taken for touching [m]


def processor_seconds():
    """Time that all programs started here have used, of those that have ended [s]."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(scene, folder, ranks=1, timeout=600, sets=None, in_running_program=False):
    """A dictionary of figures; `faults` lists what is not as it must be."""
    scene.write(folder)
    out = folder / "out"
    begun, processor_begun = time.monotonic(), processor_seconds()
    try:
        code, output, errors = execute(["traction", "run", folder / "scene.yaml", "--out", out, "--overwrite", *settings(sets or {})], ranks, timeout, folder, in_running_program)
        errors_and_warnings = errors
        errors = next((line for line in errors.splitlines() if "error:" in line), errors.strip()[-300:] if code else "")
    except Hung:
        code, output, errors, errors_and_warnings = None, "", f"still running after {timeout} s", ""
    (folder / "log.txt").write_text(output + errors + "\n")
    outcome = Outcome(code, output, errors, out)
    figures = {"name": scene.name, "ranks": ranks, "code": code, "wall_seconds": time.monotonic() - begun, "processor_seconds": processor_seconds() - processor_begun, "faults": []}
    faults = figures["faults"]
    if code != 0:
        faults.append(f"exit code {code}: {errors}" if code is not None else errors)
    history = outcome.history
    steps = len(history.get("step", ()))
    figures["steps"] = steps
    if not steps:
        return figures
    total = outcome.report["costs"]["total"] if outcome.report and "costs" in outcome.report else None
    figures |= {"time": float(history["time"][-1]), "seconds_per_step": (total["seconds"] if total else figures["wall_seconds"]) / steps,
                "newton": float(numpy.mean(history["newton_iterations"])), "newton_most": int(numpy.max(history["newton_iterations"])),
                "linear": float(numpy.mean(history["linear_iterations"])), "repeats": int(numpy.sum(history["repeats"])), "contacts_most": int(numpy.max(history["contacts"]))}
    crossings(scene, out, figures)
    result = Result(scene, outcome, Frames(out))
    gain, freed = result.energy_gain()
    figures |= {"energy_gain": gain, "energy_gain_relative": gain / freed if freed > 0 else 0.0, "stiffening": float(numpy.sum(history["stiffening_energy"]))}
    if gain > scene.gain * freed:
        faults.append(f"energy grows by {gain:.3g} J, {100 * gain / max(freed, 1e-300):.3g} % of {freed:.3g} J")
    figures["rise"], figures["rises"] = result.rise(), result.rises()
    figures["warnings"] = [text for text in (output + errors_and_warnings).splitlines() if "warning" in text]
    if not scene.throws and figures["rise"] > 1e-3 and numpy.any(result.scene["gravity"]):
        faults.append(f"bounces {1e3 * figures['rise']:.3g} mm above where it fell from")
    figures["conditions"] = []
    if code == 0:
        for what, value, good in scene.judge(result):
            figures["conditions"].append([what, float(value), bool(good)])
            if not good:
                faults.append(f"{what} {value:.4g}")
    return figures


def crossings(scene, out, figures):
    worst, count = None, 0
    try:
        for _, found in check_run(out, TOLERANCE, [set(pair) for pair in scene.skip]):
            found = [item for item in found if item.crossing.depth > TOLERANCE]
            count += bool(found)
            for item in found:
                if worst is None or item.crossing.depth > worst.crossing.depth:
                    worst = item
    except (OSError, KeyError) as error:
        figures["faults"].append(f"frames cannot be read: {error}")
        return
    figures |= {"crossing": worst.crossing.depth if worst else 0.0, "crossing_length": worst.crossing.length if worst else 0.0, "crossing_frames": count}
    if worst:
        figures["faults"].append(f"{' and '.join(worst.pair)} cross by {1e3 * worst.crossing.depth:.3g} mm at {worst.time:.4g} s, in {count} frames")


HEADER = f"{'scene':38} {'code':>4} {'steps':>5} {'ms/step':>8} {'Newton':>6} {'most':>4} {'linear':>7} {'rep':>4} {'cross mm':>9} {'gain %':>8}  verdict"


def line(figures):
    code = "-" if figures["code"] is None else figures["code"]
    if not figures["steps"]:
        return f"{figures['name']:38} {code:>4} {0:>5} {'':61} FAILS: {'; '.join(figures['faults'])}"
    verdict = "FAILS: " + "; ".join(figures["faults"]) if figures["faults"] else "good: " + "; ".join(f"{what} {value:.4g}" for what, value, _ in figures["conditions"])
    return (f"{figures['name']:38} {code:>4} {figures['steps']:>5} {1e3 * figures['seconds_per_step']:8.2f} {figures['newton']:6.1f} {figures['newton_most']:4d} {figures['linear']:7.1f} "
            f"{figures['repeats']:4d} {1e3 * figures.get('crossing', float('nan')):9.3g} {100 * figures['energy_gain_relative']:8.2g}  {verdict}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenes; * and ? stand for parts of names")
    parser.add_argument("--geometry", choices=(DEFAULT, EDGES, EVERYTHING), default=DEFAULT, help=f"{EDGES}: in every contact; {EVERYTHING}: one contact of all")
    parser.add_argument("--ranks", type=int, default=1, metavar="N")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS", help="of each run (600)")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="keep the runs here, a folder each")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="append all figures, a line for each scene")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="a setting of the scenes")
    parser.add_argument("--write", type=pathlib.Path, metavar="DIR", help="write scenes and meshes, and do not run them")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("\n".join(CATALOGUE))
        return 0
    chosen = [name for name in CATALOGUE if any(fnmatch.fnmatch(name, pattern) for pattern in options.names)]
    if not chosen:
        parser.error("no scene of that name; see --list")
    failures = 0
    if not options.write:
        print(HEADER, flush=True)
    for name in chosen:
        scene = CATALOGUE[name](options.geometry)
        if options.write:
            scene.write(options.write / name)
            continue
        folder = (options.out or pathlib.Path(tempfile.mkdtemp(prefix="edge-scene-"))).resolve() / name
        try:
            figures = run(scene, folder, options.ranks, options.timeout, dict(setting.split("=", 1) for setting in options.set))
        finally:
            if not options.out:
                shutil.rmtree(folder.parent, ignore_errors=True)
        figures["geometry"] = options.geometry
        failures += bool(figures["faults"])
        print(line(figures), flush=True)
        if options.json:
            with options.json.open("a") as file:
                file.write(json.dumps(figures) + "\n")
    if not options.write:
        print(f"{len(chosen) - failures} of {len(chosen)} good")
    return min(failures, 100)


if __name__ == "__main__":
    sys.exit(main())
