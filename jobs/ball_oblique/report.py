"""Report of the tennis ball: restitutions, spin and forces over speed, angle and friction, beside what Cross measured and what a rigid ball does."""

import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from oblique_impact import Impact, draw_forces, rows_of, sliding  # noqa: E402

RADIUS = 33.78e-3    # [m], of the inflated ball
RULES = "ITF Rules of Tennis, Appendix I"
FORCE = "Cross 1999, Sports Engineering 2: 23"
GRIP = "Cross 2002, Am. J. Phys. 70: 1093"
BOUNCE = "Cross 2002, Am. J. Phys. 70: 482, Tables I and II"
DROP, LIMITS = 7.06, (0.729, 0.761)   # speed after the fall of 2.54 m [m/s]; restitutions of rebounds of 1.35 and 1.47 m
EARLY = 2e-4                          # [s]
# Surface, angle before, speed before, speed after, angle after, spin after: degrees, m/s and rad/s.
BOUNCES = (("wood", 20, 3.72, 3.09, 19.2, 34.9), ("wood", 45, 3.80, 2.53, 50.4, 58.2),
           ("emery paper", 20, 3.53, 2.24, 27.2, 78.5), ("emery paper", 45, 3.70, 2.66, 51.3, 49.9),
           ("Rebound Ace", 20, 3.35, 2.13, 23.4, 76.7), ("Rebound Ace", 45, 3.60, 2.66, 49.3, 50.6), ("emery paper", 20, 2.24, 1.37, 26.2, 52.4))
PAPER_RADIUS = 33e-3   # [m]
NAMES = (("speed along the surface after over before", "speed_ratio"), ("normal restitution e_y", "normal_restitution"),
         ("tangential restitution e_x", "tangential_restitution"), ("spin R ω2/v1", "spin_ratio"))


def published(bounce):
    """The ratios of a bounce of Cross by the names of those of an impact."""
    _, angle, before, after, rises, spin = bounce
    angle, rises = numpy.radians((angle, rises))
    vx1, vx2 = before * numpy.cos(angle), after * numpy.cos(rises)
    return {"speed_ratio": vx2 / vx1, "normal_restitution": after * numpy.sin(rises) / (before * numpy.sin(angle)),
            "tangential_restitution": (PAPER_RADIUS * spin - vx2) / vx1, "spin_ratio": PAPER_RADIUS * spin / before}


def expected(impact, label, attribute):
    """(value, source) of the bounces of Cross that a variant repeats: those on the surface that its label names, or those that grip if it names emery paper."""
    if " as " not in label:
        return "", ""
    surface = label.rpartition(" as ")[2]
    surfaces = ("emery paper", "Rebound Ace") if surface == "emery paper" else (surface,)
    same = [bounce for bounce in BOUNCES if bounce[1] == round(impact.angle) and bounce[0] in surfaces and bounce[2] > 3]
    return "; ".join(f"{published(bounce)[attribute]:.3f} on {bounce[0]}" for bounce in same), BOUNCE


def quantities(impact, label=""):
    if not impact.done:
        return []
    if impact.vx1 == 0:
        known = (f"{LIMITS[0]} to {LIMITS[1]}: fitted", RULES) if abs(impact.speed - DROP) < 0.01 else ("", "")
        early = impact.force[(impact.time >= impact.start) & (impact.time <= impact.start + EARLY + 1e-9)].max()
        return [("normal restitution e_y", impact.normal_restitution, "", *known),
                ("largest force of the first 200 µs over the largest", early / impact.largest, "", "about 0.5", FORCE)]
    rows = [(name, getattr(impact, attribute), "", *expected(impact, label, attribute)) for name, attribute in NAMES]
    slides = sliding(impact.angle, impact.coefficient, impact.normal_restitution, impact.inertia_factor)
    if abs(impact.impulse_ratio / impact.coefficient - 1) < 0.01:
        rows.append(("spin over that of a rigid ball that slides", impact.spin_ratio / slides[2], "", "1", "without flattening, with its inertia, μ and e_y"))
    return [*rows, ("inertia over m R²", impact.inertia_factor, "", "", ""), ("arm of the friction's impulse over the radius", impact.arm, "", "", "")]


def summary(run):
    impact = Impact(run, RADIUS)
    spent = run.report["costs"]["total"]
    pressure, = run.columns("ball.pressure")
    rows = [("mass", run.report["total_mass"] * 1e3, "g", "56.0 to 59.4", RULES), ("pressure of the inflated ball before", pressure[0] / 1e3, "kPa", "", "")]
    rows += [*quantities(impact), *((*row[:3], ">= 1 where it grips", GRIP) if row[0].startswith("changes") else row for row in rows_of(impact))]
    return [*rows, ("tetrahedra", run.report["elements"], "", "", ""), ("Newton iterations", spent["newton_iterations"], "", "", ""),
            ("linear iterations", spent["linear_iterations"], "", "", ""), ("seconds", spent["seconds"], "s", "", "")]


def draw_spin(axes, impact):
    """Surface speed R ω and speed of the centre, over milliseconds since the first touch."""
    shown = (impact.time > impact.start - 1e-4) & (impact.time < impact.stop + 3e-4)
    axes.plot((impact.time[shown] - impact.start) * 1e3, impact.radius * impact.spin[shown], color="C3", linewidth=1.2, label="R ω")
    axes.axhline(impact.vx2, color="C2", linewidth=1, linestyle=":", label="speed along the surface after")
    axes.set(xlabel="time since the first touch [ms]", ylabel="[m/s]")
    axes.legend(frameon=False, fontsize=8)


def pictures(run):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    impact = Impact(run, RADIUS)
    if impact.done:
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.5), constrained_layout=True)
        draw_forces(left, impact)
        left.set_title("normal force, and friction (dashed)", fontsize=9)
        draw_spin(right, impact)
        figure.savefig(run.directory / "forces.png", dpi=150)
        pyplot.close(figure)
    run.render("impact.png", (0, 1, 2, 4, 6, 8), "--clip", "--color", "velocity")


def of_the_grid(label):
    """Whether a variant has the scene's mesh and friction, or the smaller friction of the second series."""
    return label.count(",") == 1 or label.endswith("friction 0.25")


def draw_over_angle(every, pairs):
    """The ratios over the angle, a line for each speed and friction, with the bounces of Cross."""
    series = {}
    for label, impact in pairs:
        if of_the_grid(label) and impact.vx1 > 0:
            series.setdefault((round(impact.speed, 1), impact.coefficient), []).append(impact)
    low = [impact for label, impact in pairs if " as " in label]
    for axes, (name, attribute) in zip(every, NAMES[1:]):
        for number, ((speed, coefficient), members) in enumerate(sorted(series.items())):
            members.sort(key=lambda impact: impact.angle)
            line, = axes.plot([impact.angle for impact in members], [getattr(impact, attribute) for impact in members], ".-", linewidth=1.2, color=f"C{number}",
                              label=f"{speed:.3g} m/s, μ = {coefficient:g}")
            if attribute != "normal_restitution":
                which = {"tangential_restitution": 1, "spin_ratio": 2}[attribute]
                slides = [sliding(impact.angle, coefficient, impact.normal_restitution, impact.inertia_factor)[which] for impact in members]
                axes.plot([impact.angle for impact in members], slides, color=line.get_color(), linewidth=0.8, linestyle="--")
        values = [getattr(impact, attribute) for impact in low]
        axes.plot([impact.angle for impact in low], values, "s", color="0.45", markersize=5, fillstyle="none", label="3.5 to 3.8 m/s, as Cross")
        for surface, marker in (("wood", "k^"), ("emery paper", "ko"), ("Rebound Ace", "kd")):
            bounces = [bounce for bounce in BOUNCES if bounce[0] == surface]
            axes.plot([bounce[1] for bounce in bounces], [published(bounce)[attribute] for bounce in bounces], marker, markersize=4, label=f"Cross 2002, {surface}")
        axes.set(xlabel="angle of incidence from the surface [degrees]", title=name, xlim=(10, 80))
    every[1].axhline(0, color="0.7", linewidth=0.7, zorder=0)
    every[0].plot([], [], color="0.4", linewidth=0.8, linestyle="--", label="rigid ball that slides")
    every[0].set_ylim(0.4, 0.9)
    every[1].set_ylim(-0.8, 0.5)
    every[2].set_ylim(0, 0.95)
    every[0].legend(frameon=False, fontsize=6.5, ncol=2)


def study(runs, directory):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    pairs = [(run.label, impact) for run in runs if (impact := Impact(run, RADIUS)).done]
    figure, every = pyplot.subplots(1, 3, figsize=(12.5, 4.2), constrained_layout=True)
    draw_over_angle(every, pairs)
    figure.savefig(directory / "ratios.png", dpi=130)
    pyplot.close(figure)

    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(12.5, 3.8), constrained_layout=True)
    normal = [(label, impact) for label, impact in pairs if impact.vx1 == 0]
    for number, (label, impact) in enumerate(pair for pair in normal if of_the_grid(pair[0])):
        draw_forces(left, impact, f"C{number}", f"{impact.speed:g} m/s")
        middle.plot(impact.speed, impact.normal_restitution, "o", color=f"C{number}")
    middle.plot([DROP, DROP], LIMITS, color="C2", linewidth=5, alpha=0.5, label="ITF's limits")
    middle.set(xlabel="speed at 90 degrees [m/s]", ylabel="normal restitution", ylim=(0.3, 0.85))
    middle.legend(frameon=False, fontsize=8)
    left.legend(frameon=False, fontsize=8)
    oblique = [impact for label, impact in pairs if of_the_grid(label) and impact.vx1 > 0]
    for number, impact in enumerate(impact for impact in oblique if abs(impact.speed - 25) < 0.1 and impact.coefficient > 0.5):
        shown = (impact.time > impact.start) & (impact.time < impact.stop)
        time, share = (impact.time[shown] - impact.start) * 1e3, -impact.friction[shown] / impact.largest
        right.plot(time, share, color=f"C{number}", linewidth=1.2, label=f"{impact.angle:.0f}°")
    right.axhline(0, color="0.7", linewidth=0.7, zorder=0)
    right.set(xlabel="time since the first touch [ms]", ylabel="friction against the motion over largest force", title="friction at 25 m/s, μ = 0.6")
    right.legend(frameon=False, fontsize=8)
    figure.savefig(directory / "forces.png", dpi=130)
    pyplot.close(figure)
    return [(f"{quantity}: {label}", *rest) for label, impact in pairs for quantity, *rest in [*quantities(impact, label), *rows_of(impact)[2:]]]
