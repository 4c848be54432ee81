"""The force that pulls an overhand knot tight, over how much closer the ends come to each other; against the theory for a loose trefoil."""

import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import collections, pyplot, ticker  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "postprocess"))
import event_report  # noqa: E402
from field_frames import Frames  # noqa: E402
from plot_history import COLOURS  # noqa: E402

LENGTH = 1.0          # [m] of the rod
RADIUS = 1.6e-3       # [m] of its section
STIFFNESS = 1.8e5 * numpy.pi * RADIUS**4 / 4   # EI [N m^2]
SEGMENT = LENGTH / 300
TREFOIL = 0.492       # sigma of P3 Eq. 25
SOURCE = "P3"
SPEEDS, FRICTIONS = {"n = 2, 3 mm per s": 3, "n = 2": 6, "n = 2, 9 mm per s": 9}, {"n = 4": 0.1, "n = 4, friction 0.2": 0.2, "n = 4, friction 0.3": 0.3}
THERE_AND_BACK = "n = 1, tight and open"
POTENTIALS = ("log_barrier", "imc")   # compared with the penalty, for n = 1 and 2
VIEW = ("--azimuth", "0", "--elevation", "10", "--zoom", "3.5", "--size", "960x720")   # the film shows the knot without the ends of the rod
# P3 gives no number for e where loops invert. Its Table 1 has iterations and iterations per step, from which the steps of 0.5 ms of each pull follow, and the knots start where ours do:
# the pull ends at e = 0.153 m for n = 3 and 0.226 m for n = 4, after the loops have inverted (its Figs. 1 and 6).
PULL_ENDS = {"n = 3": 0.66992 - 0.012 * 5e-4 * 261707 / 3.04, "n = 4": 0.67005 - 0.012 * 5e-4 * 239987 / 3.24}


def travel(motion, time):
    """How far a motion has moved its region along y [m]."""
    pieces = motion if isinstance(motion, list) else [motion]
    total = numpy.zeros_like(time)
    for piece in pieces:
        t = numpy.clip(numpy.minimum(time, piece.get("stop", numpy.inf)) - piece["start"], 0, None)
        ramp = piece["ramp"]
        total += piece["velocity"][1] * numpy.where(t < ramp, 0.5 * t * t / ramp if ramp > 0 else 0, t - 0.5 * ramp)
    return total


class Pull:
    """The force [N] on both ends over the shortening e = L - end-to-end distance [m], with means over the passing of one segment."""

    def __init__(self, run):
        columns = run.columns("time", "rope.first_segment.fy", "rope.last_segment.fy", "work_damping")
        self.time, first, last, damping = map(numpy.array, columns)
        rope = run.scene["bodies"]["rope"]
        points = numpy.loadtxt(HERE / pathlib.Path(rope["mesh"]).name)
        moved = [travel(driven["motion"], self.time) for driven in rope["driven"]]
        self.apart = moved[1] - moved[0]
        self.shortening = LENGTH - (points[-1, 1] - points[0, 1] + self.apart)
        self.force = 0.5 * (last - first)
        self.damping = damping
        turn = int(numpy.argmax(self.apart))
        self.tightening = slice(0, turn + 1)
        self.loosening = slice(turn, len(self.time))

    def smooth(self, part=None, without_drag=False):
        """Shortening, falling or rising, and force as means over the passing of one segment, on a grid of a tenth of it."""
        part = self.tightening if part is None else part
        e, force, work = self.shortening[part], self.force[part], self.damping[part]
        order = numpy.argsort(e, kind="stable")
        e, force, work = e[order], force[order], work[order]
        # Integrals over e, so that steps of different sizes count by their size.
        integral = numpy.concatenate([[0], numpy.cumsum(0.5 * (force[1:] + force[:-1]) * numpy.diff(e))])
        if without_drag:   # the work that drag has taken is the part of the work of the ends that it needs
            integral -= work - work[0]
        grid = numpy.arange(e[0] + 0.5 * SEGMENT, e[-1] - 0.5 * SEGMENT, 0.1 * SEGMENT)
        at = lambda x: numpy.interp(x, e, integral)   # noqa: E731
        return grid, (at(grid + 0.5 * SEGMENT) - at(grid - 0.5 * SEGMENT)) / SEGMENT


def scaled(force):
    return force * RADIUS**2 / STIFFNESS


def theory(shortening, friction):
    """F h^2/EI of P3 Eq. 25; negative friction where the knot is loosened."""
    epsilon = numpy.sqrt(RADIUS / (shortening / (2 * numpy.pi)))
    return 0.5 * epsilon**4 + friction * TREFOIL * epsilon**3


def inversion(pull):
    """Where the force drops while the ends move apart, from where the loop buckles to the foot of the drop: (shortening, force) of both; None without one."""
    e, force = (values[::-1] for values in pull.smooth())
    highest = numpy.maximum.accumulate(force)
    foot = int(numpy.argmax(1 - force / highest))
    if force[foot] > 0.85 * highest[foot]:
        return None
    top = int(numpy.argmax(force[: foot + 1]))
    return e[top], force[top], e[foot], force[foot]


def at(curve, shortening):
    """A force of a curve at a shortening; not a number outside."""
    return float(numpy.interp(shortening, *curve, left=numpy.nan, right=numpy.nan))


def costs(run):
    total = run.report["costs"]["total"]
    balance = run.report["energy_balance"]
    time, gap = run.columns("time", "min_gap")
    moved = balance["work_driven"]
    gaps = 1e6 * numpy.array([g for t, g in zip(time, gap) if t > 1 and numpy.isfinite(g)])
    overlaps = run.scene["contacts"]["self"].get("potential") == "imc"
    return [
        ("smallest gap", 1e6 * min(gap), "µm", "" if overlaps else "> 0", "P3 Sec. 3.3: rarely below -5 µm" if overlaps else "nothing penetrates"),
        ("largest least gap after 1 s", gaps.max(), "µm", "< 20", f"{SOURCE} Sec. 3.3: hovering"),
        ("mean least gap after 1 s", gaps.mean(), "µm", "", ""),
        ("steps with an overlap beyond 5 µm after 1 s", 100 * float((gaps < -5).mean()), "%", "", ""),
        ("Newton iterations per step", total["newton_iterations"] / total["steps"], "", "", ""),
        ("linear iterations per Newton iteration", total["linear_iterations"] / total["newton_iterations"], "", "", ""),
        ("repeated solves", total["repeats"], "", "", ""),
        ("steps", total["steps"], "", "", ""),
        ("milliseconds per step", 1e3 * total["seconds"] / total["steps"], "ms", "", ""),
        ("taken by the integrator, of the work of the ends", -100 * balance["numerical"] / moved, "%", "", ""),
    ]


def summary(run):
    pull = Pull(run)
    curve = pull.smooth()
    rows = []
    for e in (0.65, 0.6, 0.5, 0.4):
        if curve[0][0] < e < curve[0][-1]:
            rows.append((f"pull force at e = {e} m, times h^2/EI", scaled(at(curve, e)), "", f"{theory(e, 0.1):.3g}", "P3 Eq. 25, for loose knots"))
    return [*rows, *costs(run)]


def pictures(run):
    pull = Pull(run)
    curve = pull.smooth()
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(pull.shortening, 1e3 * pull.force, color="0.75", linewidth=0.6, label="each step")
    axes.plot(curve[0], 1e3 * curve[1], color=COLOURS[0], label="mean over a segment")
    axes.set(xlabel="e = L - end-to-end distance [m]", ylabel="pull force [mN]", ylim=(0, 1.1e3 * curve[1].max()))
    axes.invert_xaxis()
    axes.legend(frameon=False)
    figure.savefig(run.directory / "force.png", dpi=150)
    frames = Frames(run.directory)
    chosen = numpy.linspace(0, len(frames) - 1, 4).astype(int)
    figure, all_axes = pyplot.subplots(1, len(chosen), figsize=(12, 4), layout="constrained")
    for axes, index in zip(all_axes, chosen):
        draw_rod(axes, frames.read(int(index)), COLOURS[0])
    figure.savefig(run.directory / "knot.png", dpi=120)
    event_report.film(run, "overhand_knot.mp4", *VIEW, "--rate", "12")


def draw_rod(axes, frame, colour):
    """Draws the knot from the side, along x, with what is nearer over what is behind it."""
    x = frame.points[numpy.argsort(frame.topology.vertex_ids)]   # along the rod
    bend = numpy.linalg.norm(numpy.diff(x, 2, axis=0), axis=1)
    bent = numpy.flatnonzero(bend > 0.2 * bend.max())   # all but the straight parts of the tails
    knot = x[max(bent[0] - 8, 0): bent[-1] + 10]
    middle, half = 0.5 * (knot.min(axis=0) + knot.max(axis=0)), 0.55 * max(numpy.ptp(knot[:, 1]), numpy.ptp(knot[:, 2]))
    axes.set(xlim=(middle[1] - half, middle[1] + half), ylim=(middle[2] - half, middle[2] + half), aspect="equal", xticks=[], yticks=[])
    axes.set_title(f"{frame.time:.3g} s, {2e3 * half:.0f} mm wide", fontsize=9)
    figure = axes.figure
    figure.draw_without_rendering()
    points = 72 / figure.dpi * axes.get_window_extent().width / (2 * half)   # per metre
    fine = numpy.array([x[i] + t * (x[i + 1] - x[i]) for i in range(len(x) - 1) for t in (0, 0.25, 0.5, 0.75)] + [x[-1]])
    layers = ((1, 2.0, "white"), (1, 1.7, "0.15"), (2, 1.3, colour))   # how far beyond a piece, width in radii, colour
    strokes = [(fine[max(i - more, 0): i + 2 + more, 1:], width * RADIUS * points, shade) for i in numpy.argsort(fine[:-1, 0]) for more, width, shade in layers]
    axes.add_collection(collections.LineCollection([s[0] for s in strokes], linewidths=[s[1] for s in strokes], colors=[s[2] for s in strokes]))


def draw_knots(runs, directory):
    """Knots 1 to 4 where they start, where they are tight, and where the loops of 3 and 4 have inverted."""
    known = [run for run in runs if run.label in [f"n = {n}" for n in range(1, 5)]]
    if not known:
        return
    figure, all_axes = pyplot.subplots(len(known), 4, figsize=(12, 3.1 * len(known)), squeeze=False, layout="constrained")
    for row, colour, run in zip(all_axes, COLOURS, known):
        frames, pull = Frames(run.directory), Pull(run)
        end = frames.times[-1]
        found = inversion(pull)
        top, foot = (float(numpy.interp(-e, -pull.shortening, pull.time)) for e in (found[0], found[2])) if found else (0.85 * end, 0.93 * end)
        for axes, time in zip(row, (0, 0.97 * top, foot + 0.5, end)):
            draw_rod(axes, frames.read(int(numpy.argmin(numpy.abs(numpy.array(frames.times) - time)))), colour)
        row[0].set_ylabel(run.label)
    figure.savefig(directory / "overhand_knot.png", dpi=80)


def draw(pulls, directory):
    figure, (knots, trefoil, friction) = pyplot.subplots(1, 3, figsize=(16, 5), layout="constrained")
    for colour, n in zip(COLOURS, range(1, 5)):
        if pull := pulls.get(f"n = {n}"):
            e, force = pull.smooth()
            knots.plot(pull.shortening, 1e3 * pull.force, color=colour, alpha=0.25, linewidth=0.5)
            knots.plot(e, 1e3 * force, color=colour, label=f"n = {n}")
    knots.set(xlabel="e = L - end-to-end distance [m]", ylabel="pull force [mN]", title="Fig. 6a: knots 1 to 4", ylim=(0, 25))
    knots.invert_xaxis()
    knots.legend(frameon=False)
    for colour, (label, speed) in zip(COLOURS, SPEEDS.items()):
        if label in pulls:
            e, force = pulls[label].smooth()
            trefoil.loglog(2 * numpy.pi * RADIUS / e, scaled(force), color=colour, linewidth=3 - 0.25 * speed, label=f"n = 2, {speed} mm/s")
    if pull := pulls.get(THERE_AND_BACK):
        for part, sign, colour in ((pull.tightening, 1, COLOURS[3]), (pull.loosening, -1, COLOURS[4])):
            e, force = pull.smooth(part)
            trefoil.loglog(2 * numpy.pi * RADIUS / e, scaled(force), color=colour, label="n = 1, " + ("tightening" if sign > 0 else "loosening"))
            trefoil.loglog(2 * numpy.pi * RADIUS / e, theory(e, 0.1 * sign), "--", color=colour, label="Eq. 25")
    trefoil.set(xlabel="h/R", ylabel="F h²/EI", title="Fig. 5a: trefoil and theory, speeds", ylim=(1e-5, None))
    trefoil.legend(frameon=False)
    for colour, (label, mu) in zip(COLOURS, FRICTIONS.items()):
        if label in pulls:
            e, force = pulls[label].smooth()
            friction.loglog(2 * numpy.pi * RADIUS / e, scaled(force), color=colour, label=f"n = 4, µ = {mu}")
    friction.set(xlabel="h/R", ylabel="F h²/EI", title="Fig. 5b: friction")
    friction.legend(frameon=False)
    for panel in (knots, trefoil, friction):
        panel.grid(alpha=0.3, which="both")
    for panel in (trefoil, friction):
        panel.xaxis.set_major_locator(ticker.FixedLocator([0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1]))
        panel.xaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
        panel.xaxis.set_minor_locator(ticker.NullLocator())
    figure.savefig(directory / "overhand_knot_force.png", dpi=120)


def compare_speeds(pulls):
    rows, known = [], [label for label in SPEEDS if label in pulls]
    for without in (False, True):
        curves = {label: pulls[label].smooth(without_drag=without) for label in known}
        for label in known:
            if label == "n = 2" or "n = 2" not in curves:
                continue
            e = numpy.arange(0.32, 0.601, 0.002)
            off = numpy.array([at(curves[label], x) / at(curves["n = 2"], x) - 1 for x in e])
            what = "without drag, " if without else ""
            rows.append((f"{what}{label}: force against 6 mm/s, mean", 100 * float(numpy.nanmean(off)), "%", "", ""))
            rows.append((f"{what}{label}: force against 6 mm/s, at most", 100 * float(numpy.nanmax(abs(off))), "%", "", ""))
    return rows


def compare_frictions(pulls):
    curves = {mu: pulls[label].smooth() for label, mu in FRICTIONS.items() if label in pulls}
    rows = []
    for lower, higher in ((0.1, 0.2), (0.2, 0.3)):
        if lower in curves and higher in curves:
            e = numpy.arange(0.35, 0.601, 0.002)
            ratio = [at(curves[higher], x) / at(curves[lower], x) for x in e]
            rows.append((f"n = 4: force with friction {higher} over {lower}, least", float(numpy.nanmin(ratio)), "", "> 1", f"{SOURCE} Fig. 5b"))
            rows.append((f"n = 4: force with friction {higher} over {lower}, most", float(numpy.nanmax(ratio)), "", "", ""))
    return rows


def compare_potentials(pulls):
    rows = []
    for n in (1, 2):
        for potential in POTENTIALS:
            label = f"n = {n}, {potential}"
            if label not in pulls or f"n = {n}" not in pulls:
                continue
            penalty, other = pulls[f"n = {n}"].smooth(), pulls[label].smooth()
            e = numpy.arange(0.4, 0.661, 0.002)
            off = numpy.array([at(other, x) / at(penalty, x) - 1 for x in e])
            rows.append((f"{label}: force against the penalty, mean", 100 * float(numpy.nanmean(off)), "%", "", ""))
            rows.append((f"{label}: force against the penalty, at most", 100 * float(numpy.nanmax(abs(off))), "%", "", ""))
    return rows


def compare_with_theory(pull):
    rows = []
    for name, part, friction in (("tightening", pull.tightening, 0.1), ("loosening", pull.loosening, -0.1)):
        curve = pull.smooth(part)
        for e in (0.7, 0.65, 0.6, 0.55, 0.5, 0.4, 0.32):
            rows.append((f"trefoil {name}, e = {e}: F h^2/EI", scaled(at(curve, e)), "", f"{theory(e, friction):.3g}", "P3 Eq. 25"))
    e, force = pull.smooth(pull.loosening)
    locked = e[force < 0]
    if len(locked):
        epsilon = float(numpy.sqrt(RADIUS * 2 * numpy.pi / locked[0]))
        rows.append(("trefoil loosening: locked at epsilon", epsilon, "", 0.0984, "P3 Eq. 26; its Fig. 5a: 0.1285"))
    return rows


def study(runs, directory):
    pulls = {run.label: Pull(run) for run in runs}
    rows = []
    for n in range(1, 5):
        if pull := pulls.get(f"n = {n}"):
            for e in (0.6, 0.5, 0.4, 0.3, 0.25):
                rows.append((f"n = {n}: pull force at e = {e} m", 1e3 * at(pull.smooth(), e), "mN", "", ""))
    for label, pull in pulls.items():
        if "open" not in label and (found := inversion(pull)):
            expected = f"> {PULL_ENDS[label]:.3f}" if label in PULL_ENDS else ""
            rows += [(f"{label}: loop inverts at e", found[0], "m", expected, f"{SOURCE} Fig. 6 and Table 1: before the pull ends"), (f"{label}: force before", 1e3 * found[1], "mN", "", ""),
                     (f"{label}: foot of the drop at e", found[2], "m", "", ""), (f"{label}: force there", 1e3 * found[3], "mN", "", "")]
    rows += compare_speeds(pulls) + compare_frictions(pulls) + compare_potentials(pulls)
    if THERE_AND_BACK in pulls:
        rows += compare_with_theory(pulls[THERE_AND_BACK])
    draw(pulls, directory)
    draw_knots(runs, directory)
    for run in runs:
        if run.label in [f"n = {n}" for n in range(1, 5)]:
            event_report.film(run, f"knot_{run.label[-1]}.mp4", *VIEW, "--rate", "12")
    return rows + [(f"{run.label}: {quantity}", *rest) for run in runs for quantity, *rest in costs(run)]
