"""Report of the filling: the pressure over the radius, against the closed form of a thin spherical membrane."""

import math
import pathlib

RADIUS = 0.1              # radius in sphere.geo [m]
STIFFEST = 7 ** (1 / 6)   # radius with the largest pressure, in parts of that at the start
SOURCE = "thin neo-Hookean sphere, closed form"


def closed_form(stretch, surface_modulus):
    """Pressure [Pa] in an incompressible neo-Hookean skin with mu t = E t / 3."""
    return 2 * surface_modulus / 3 / RADIUS * (1 / stretch - 1 / stretch**7)


def factor(inflation, time):
    """How much is in the balloon, in parts of what is at the start."""
    for first, second in zip(inflation, inflation[1:]):
        if time <= second["time"]:
            return first["factor"] + (second["factor"] - first["factor"]) * (time - first["time"]) / (second["time"] - first["time"])
    return inflation[-1]["factor"]


def curve(run):
    """Stretches of the radius, by the volume that the mesh encloses at the start; pressures [Pa]; and those of the closed form."""
    body = run.scene["bodies"]["balloon"]
    settings, modulus = body["volume"], body["shell"]["skin"]["youngs_modulus"]
    times, volumes, pressures = run.columns("time", "balloon.volume", "balloon.pressure")
    start = volumes[0] / factor(settings["inflation"], times[0]) * math.exp(settings["compressibility"] * pressures[0])
    stretches = [(volume / start) ** (1 / 3) for volume in volumes]
    return stretches, pressures, [closed_form(stretch, modulus) for stretch in stretches]


def results(run):
    stretches, pressures, expected = curve(run)
    errors = [pressure / exact - 1 for stretch, pressure, exact in zip(stretches, pressures, expected) if stretch >= 1.05]
    top = pressures.index(max(pressures))
    rows = [("largest error of the pressure", 100 * max(map(abs, errors)), "%", 0, SOURCE)] if errors else []
    return rows + [
        ("largest pressure", pressures[top], "Pa", closed_form(STIFFEST, run.scene["bodies"]["balloon"]["shell"]["skin"]["youngs_modulus"]), SOURCE),
        ("stretch at the largest pressure", stretches[top], "", STIFFEST, SOURCE),
        ("pressure at the end", pressures[-1], "Pa", expected[-1], SOURCE),
    ]


def rounded(rows):
    return [(quantity, value, unit, float(f"{expected:.6g}"), source) for quantity, value, unit, expected, source in rows]


def summary(run):
    return [("triangles", run.report["elements"], "", "", ""), *rounded(results(run))]


def plot(runs, path):
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(2, 1, figsize=(6, 6), sharex=True, height_ratios=(2, 1), constrained_layout=True)
    stretches, _, expected = curve(runs[0])
    panels[0].plot(stretches, expected, color="black", linewidth=0.8, label="closed form")
    for run in runs:
        stretches, pressures, expected = curve(run)
        panels[0].plot(stretches[::4], pressures[::4], "o", markersize=3, label=run.label or "measured")
        panels[1].plot(stretches, [100 * (pressure / exact - 1) for pressure, exact in zip(pressures, expected)])
    panels[0].axvline(STIFFEST, color="0.8", linewidth=0.8, zorder=0)
    panels[0].set_ylabel("pressure [Pa]")
    panels[0].legend(frameon=False)
    panels[1].axhline(0, color="black", linewidth=0.8)
    panels[1].set(xlabel="radius, in parts of that at the start", ylabel="error [%]")
    figure.savefig(path, dpi=150)


def pictures(run):
    plot([run], run.directory / "balloon.png")


def study(runs, directory):
    plot(runs, pathlib.Path(directory) / "balloon_meshes.png")
    return rounded([(f"{quantity}: {run.label}", *rest) for run in runs for quantity, *rest in results(run)])
