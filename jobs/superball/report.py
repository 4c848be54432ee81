"""Report of the superball: restitutions and spin beside what Cross measured, over the angle of incidence, and its forces."""

import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from oblique_impact import Impact, draw_forces, rows_of, sliding  # noqa: E402

RADIUS = 23e-3   # [m]
CROSS = "Cross 2014, Exp. Mech. 54: 1523, Fig. 3, as digitised (README.md)"
# Angle from the surface in degrees, vx2/vx1, e_y, e_x, R w2/vx2, R (w2 - w1)/v1.
PUBLISHED = (
    (16.1, 0.775, 0.988, -0.119, 0.853, 0.556), (26.6, 0.639, 0.902, 0.110, 1.164, 0.667), (28.9, 0.573, 0.924, 0.376, 1.663, 0.854),
    (36.8, 0.517, 0.902, 0.559, 2.006, 0.783), (38.3, 0.541, 0.918, 0.421, 1.751, 0.720), (39.4, 0.508, 0.899, 0.642, 2.167, 0.800),
    (42.7, 0.524, 0.914, 0.670, 2.101, 0.709), (44.3, 0.480, 0.900, 0.679, 2.345, 0.772), (47.3, 0.491, 0.896, 0.565, 2.092, 0.675),
    (62.9, 0.511, 0.902, 0.659, 2.131, 0.443), (69.0, 0.552, 0.880, 0.509, 1.790, 0.307), (71.4, 0.539, 0.897, 0.653, 2.026, 0.309),
    (78.0, 0.491, 0.890, 0.604, 2.051, 0.185))
NORMAL = (0.889, 0.915)   # e_y at 90 degrees, to which the losses are fitted
QUANTITIES = (("speed along the surface after over before", "speed_ratio", 1), ("normal restitution e_y", "normal_restitution", 2),
              ("tangential restitution e_x", "tangential_restitution", 3), ("change of spin R (ω2 - ω1)/v1", "spin_ratio", 5))


def expected(angle, column):
    """The two published points next to an angle, as text."""
    near = sorted(PUBLISHED, key=lambda point: abs(point[0] - angle))[:2]
    return " and ".join(f"{point[column]:.3f} at {point[0]:g}°" for point in sorted(near))


def quantities(impact):
    if not impact.done:
        return []
    if impact.vx1 == 0:
        return [("normal restitution e_y", impact.normal_restitution, "", f"{NORMAL[0]} and {NORMAL[1]}: fitted", CROSS)]
    rows = [(name, getattr(impact, attribute), "", expected(impact.angle, column), CROSS) for name, attribute, column in QUANTITIES]
    return [*rows, ("inertia over m R²", impact.inertia_factor, "", "0.4", "a solid ball; masses are lumped at vertices"),
            ("arm of the friction's impulse over the radius", impact.arm, "", "", "")]


def summary(run):
    impact = Impact(run, RADIUS)
    spent = run.report["costs"]["total"]
    return [("mass", run.report["total_mass"] * 1e3, "g", "46.2", CROSS), *quantities(impact), *rows_of(impact),
            ("tetrahedra", run.report["elements"], "", "", ""), ("Newton iterations", spent["newton_iterations"], "", "", ""),
            ("linear iterations", spent["linear_iterations"], "", "", ""), ("seconds", spent["seconds"], "s", "", "")]


def pictures(run):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    impact = Impact(run, RADIUS)
    if impact.done:
        figure, axes = pyplot.subplots(figsize=(6, 3.6), constrained_layout=True)
        draw_forces(axes, impact)
        axes.set_title("normal force, and friction (dashed)", fontsize=9)
        figure.savefig(run.directory / "forces.png", dpi=150)
        pyplot.close(figure)
    run.render("impact.png", (0, 3, 5, 7, 9, 11), "--clip", "--color", "velocity")


def groups(runs):
    """Impacts of a study by what comes before the angle in the label; those of the scene itself under an empty text."""
    found = {}
    for run in runs:
        impact = Impact(run, RADIUS)
        if impact.done:
            found.setdefault(run.label.rpartition(", ")[0], []).append(impact)
    return {name: sorted(members, key=lambda impact: impact.angle) for name, members in found.items()}


def study(runs, directory):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    found = groups(runs)
    figure, every = pyplot.subplots(1, 3, figsize=(12, 4), constrained_layout=True)
    angles = numpy.linspace(10, 89, 200)
    for axes, (name, attribute, column) in zip(every, QUANTITIES[1:]):
        axes.plot([point[0] for point in PUBLISHED], [point[column] for point in PUBLISHED], "ko", markersize=5, label="Cross 2014")
        if attribute == "normal_restitution":
            axes.plot([90, 90], NORMAL, "ko", markersize=5)
        for number, (group, members) in enumerate(found.items()):
            members = [impact for impact in members if impact.vx1 > 0 or attribute == "normal_restitution"]
            style = {"marker": ".", "linewidth": 1.4} if group == "" else {"marker": "+x^vs"[number % 5], "linestyle": "none", "markersize": 6}
            values = [getattr(impact, attribute) for impact in members]
            axes.plot([impact.angle for impact in members], values, color=f"C{number}", label=group or "found", **style)
        if attribute != "normal_restitution" and "" in found:
            coefficient = found[""][0].coefficient
            slides = sliding(angles, coefficient, 0.9, 0.4)[{"tangential_restitution": 1, "spin_ratio": 2}[attribute]]
            rolls = 0 * angles if attribute == "tangential_restitution" else numpy.cos(numpy.radians(angles)) / 1.4
            axes.plot(angles, slides, color="0.6", linewidth=0.9, linestyle="--", label="rigid ball that slides")
            axes.plot(angles, rolls, color="0.6", linewidth=0.9, linestyle=":", label="rigid ball that rolls off")
        axes.set(xlabel="angle of incidence from the surface [degrees]", title=name, xlim=(10, 92))
        axes.set_ylim(*{"normal_restitution": (0.8, 1.02), "tangential_restitution": (-0.4, 1), "spin_ratio": (0, 1.05)}[attribute])
    every[1].legend(frameon=False, fontsize=7, loc="lower right")
    figure.savefig(directory / "superball.png", dpi=130)
    pyplot.close(figure)
    return [(f"{quantity}: {run.label}", *rest) for run in runs for quantity, *rest in [*quantities(Impact(run, RADIUS)), *rows_of(Impact(run, RADIUS))[2:]]]
