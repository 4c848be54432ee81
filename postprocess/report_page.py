#!/usr/bin/python3
"""Writes DIR/report.html: a run on one page that opens anywhere, without a network and without the other files of the run.

    report_page.py out --title 'Tennis ball drop'

It contains the run's summary with expected values (summary.csv, for runs of jobs), its pictures (*.png) and films (*.mp4), plots of history.csv, the account of energy, the cost of the run, and its scene.
"""

import argparse
import base64
import csv
import html
import pathlib
import sys

from history_plots import panels
from plot_history import read_history
from run_description import read_run

STYLE = """
body { font: 15px/1.5 sans-serif; color: #2a323c; max-width: 1080px; margin: 2em auto; padding: 0 1em; }
p, h1, figcaption { overflow-wrap: anywhere; } h1 { margin-bottom: 0; } h2 { margin-top: 2em; border-bottom: 1px solid #cfd6dd; }
.wide { overflow-x: auto; } table { border-collapse: collapse; } td, th { padding: 3px 12px 3px 0; text-align: left; border-bottom: 1px solid #e6eaee; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1em 0; } figcaption { color: #5f6b73; font-size: 13px; } img, video { display: block; max-width: 100%; max-height: 620px; } svg { max-width: 100%; height: auto; } pre { background: #f4f6f8; padding: 1em; overflow-x: auto; font-size: 12px; }
.plots { display: flex; flex-wrap: wrap; gap: 12px; } .failed { color: #b3261e; font-weight: bold; }
"""
LARGEST_FILM = 16 << 20   # bytes; a larger film stays a separate file
TYPES = {".png": "image/png", ".mp4": "video/mp4"}


def text(value):
    return html.escape(str(value), quote=True)


def number(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def table(head, rows, numbers=()):
    """`numbers` are the columns that are set to the right."""
    lines = ['<div class="wide"><table>', "<tr>" + "".join(f"<th>{text(cell)}</th>" for cell in head) + "</tr>"] if head else ['<div class="wide"><table>']
    for row in rows:
        lines.append("<tr>" + "".join(f'<td class="number">{text(cell)}</td>' if column in numbers else f"<td>{text(cell)}</td>" for column, cell in enumerate(row)) + "</tr>")
    return "\n".join([*lines, "</table></div>"])


def summary(directory):
    path = directory / "summary.csv"
    if not path.exists():
        return ""
    with open(path, newline="", encoding="utf-8") as file:
        rows = [[row[key] for key in ("quantity", "value", "unit", "expected", "source")] for row in csv.DictReader(file)]
    return "<h2>Summary</h2>\n" + table(["quantity", "value", "unit", "expected", "source"], rows, numbers=(1, 3))


def pictures(directory):
    figures = []
    for path in sorted(path for path in directory.iterdir() if path.suffix in TYPES):
        if path.suffix == ".mp4" and path.stat().st_size > LARGEST_FILM:
            figures.append(f"<p>{text(path.name)} is too large for this page; it is a separate file in the same folder.</p>")
            continue
        address = f"data:{TYPES[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"
        shown = f'<img src="{address}" alt="{text(path.stem)}"/>' if path.suffix == ".png" else f'<video src="{address}" controls="controls"></video>'
        figures.append(f"<figure>{shown}<figcaption>{text(path.stem)}</figcaption></figure>")
    return "<h2>Pictures</h2>\n" + "\n".join(figures) if figures else ""


def part_of_energy_moved(numerical, moved):
    """In the words, and with the digits, of the log. A loss may exceed the energy moved in a fall that hardly begins, and then counts as all of it."""
    percent = 100 * (min(1, -numerical / moved) if numerical < 0 else numerical / moved)
    return f"{percent:.2g} % of the energy moved" if percent < 10 else f"{percent:.0f} % of the energy moved"


def energy_balance(report):
    balance = report.get("energy_balance")
    if not balance:
        return ""
    rows = [(name.replace("_", " "), number(float(value))) for name, value in balance.items()]
    share = ""
    if balance.get("energy_moved", 0) > 0 and "numerical" in balance:
        numerical = balance["numerical"]
        share = (f"<p>Numerical errors have {'added' if numerical > 0 else 'taken'} {abs(numerical):.3g} J, {part_of_energy_moved(numerical, balance['energy_moved'])}: "
                 "the largest kinetic energy plus the sizes of all works.</p>")
    law = "The stored and kinetic energy at the end is that at the start plus the work done on the bodies [J]." if "numerical" in balance else "Energies and losses [J]."
    return f"<h2>Energy balance</h2>\n<p>{law}</p>\n" + table([], rows, numbers=(1,)) + share


def costs(report):
    spent = report.get("costs", {})
    phases = [(name, spent[name]) for name in ("flight", "contact", "total") if name in spent]
    if not phases:
        return ""
    keys = list(phases[0][1])
    rows = [(name, *(number(phase[key]) for key in keys)) for name, phase in phases]
    rest = [(key.replace("_", " "), number(spent[key])) for key in ("setup_seconds", "output_seconds", "preconditioner_builds") if key in spent]
    if "peak_memory_bytes" in spent:
        rest.append(("peak memory, all ranks [MB]", number(spent["peak_memory_bytes"] / 1e6)))
    rest += [(what, number(report[what])) for what in ("ranks", "vertices", "elements") if what in report]
    return "<h2>Cost</h2>\n" + table(["", *(key.replace("_", " ") for key in keys)], rows, numbers=range(1, len(keys) + 1)) + "<p></p>" + table([], rest, numbers=(1,))


def plots(directory):
    with open(directory / "history.csv", newline="", encoding="utf-8") as file:
        names = next(csv.reader(file), [])
    history = read_history(directory, names) if names else {}
    drawn = panels(history) if history.get("time") else []
    return '<h2>History</h2>\n<div class="plots">' + "\n".join(drawn) + "</div>" if drawn else ""


def scene(directory):
    path = directory / "scene.yaml"
    return f"<h2>Scene</h2>\n<p>With every default, as the run has read it.</p>\n<pre>{text(path.read_text(encoding='utf-8'))}</pre>" if path.exists() else ""


def page(directory, title):
    report = read_run(directory)
    status = report.get("status", "unfinished")
    versions = ", ".join(f"{name} {value}" for name, value in report.get("versions", {}).items())
    total = report.get("costs", {}).get("total", {})
    facts = [f"{total['steps']} steps in {number(float(total['seconds']))} s" if total else "", f"{report['ranks']} rank{'s' * (report['ranks'] != 1)}" if "ranks" in report else "", versions]
    head = f"<h1>{text(title)}</h1>\n<p><span class=\"{'done' if status == 'done' else 'failed'}\">{text(status)}</span>: {text('; '.join(filter(None, facts)))}</p>"
    study = directory / "study"
    parts = [head, summary(directory), pictures(directory), plots(directory), energy_balance(report), costs(report)]
    if (study / "summary.csv").exists():
        parts += ["<h1>Study</h1>", summary(study), pictures(study)]
    parts.append(scene(directory))
    body = "\n".join(filter(None, parts))
    return f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/><title>{text(title)}</title><style>{STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n'


def write_page(directory, title):
    path = directory / "report.html"
    path.write_text(page(directory, title), encoding="utf-8")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, metavar="DIR", help="folder of a run, with run.json and history.csv")
    parser.add_argument("--title", help="heading of the page (default: the folder's name)")
    arguments = parser.parse_args()
    try:
        print(write_page(arguments.directory, arguments.title or arguments.directory.resolve().name))
    except (OSError, ValueError) as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
