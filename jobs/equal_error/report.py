"""Report of the oblique impact: what each integrator costs when restitution, contact time and friction's work are all within 1 %.

The labels of the variants are "NAME, N steps" for the errors over the step, "NAME, N steps, tolerance T" for what the step for 1 % costs, "start" for the start of the
program, whose processor seconds are taken off, and "reference, ..." for converged runs, the last of which is the reference.
"""

import math
import pathlib
import sys

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
from plot_history import COLOURS  # noqa: E402

QUANTITIES = ("restitution", "contact time", "friction's work")
ALLOWED = 0.01
DEFAULT = "tr_sdirk2"
FLOOR = 1e-5   # smaller errors are drawn here


def crossing(time, values, k, level):
    """Time between rows k and k + 1 at which the values, linear between rows, cross a level."""
    return time[k] + (level - values[k]) / (values[k + 1] - values[k]) * (time[k + 1] - time[k])


def measured(run):
    """(restitution, contact time, friction's work) of an impact; None if the ball still touches the plane, or never did.

    The contact time is that in which the force is above half of its largest. Where it crosses lower levels it is too curved to be linear between rows of long
    steps, and one would compare how finely integrators write their rows."""
    time, force, speed, work, contacts = (numpy.array(column) for column in run.columns("time", "impact.fz", "ball.vz", "work_friction", "impact.contacts"))
    above = numpy.flatnonzero(force > force.max() / 2)
    if above.size == 0 or contacts[-1] > 0 or above[-1] + 1 == len(time):
        return None
    time, force = numpy.append(0, time), numpy.append(0, force)
    duration = crossing(time, force, above[-1] + 1, force.max() / 2) - crossing(time, force, above[0], force.max() / 2)
    return numpy.array((-speed[-1] / run.scene["bodies"]["ball"]["initial"]["velocity"][2], duration, work[-1]))


def errors(run, reference):
    """Relative errors of the three quantities; infinite if the run has no value."""
    values = None if run.gave_up else measured(run)
    return numpy.full(3, math.inf) if values is None else numpy.abs(values / reference - 1)


def largest_step(steps, found, allowed=ALLOWED):
    """(step, number of the quantity that decides): the step below which all errors are within what is allowed, by interpolation in logarithms between the steps of
    a list and the next shorter ones. The step is None if the shortest is not within it; the quantity is None if all are."""
    order = numpy.argsort(steps)
    steps, found = numpy.asarray(steps, dtype=float)[order], numpy.asarray(found, dtype=float)[order]
    largest, decides = steps[-1], None
    for quantity in range(found.shape[1]):
        out = numpy.flatnonzero(found[:, quantity] > allowed)
        if out.size == 0:
            continue
        k = out[0]
        if k == 0:
            return None, quantity
        low, high = max(found[k - 1, quantity], 1e-12), found[k, quantity]
        part = math.log(allowed / low) / math.log(high / low) if math.isfinite(high) else 0.0
        step = steps[k - 1] * (steps[k] / steps[k - 1]) ** part
        if step < largest or decides is None:
            largest, decides = min(step, largest), quantity
    return largest, decides


def name_of(run):
    return run.label.split(",")[0]


def step_of(run):
    """The step that a run takes unless it halves it: a whole number of them fills its time."""
    end, step = run.scene["time"]["end"], run.scene["time"]["step"]
    return end / math.ceil(end / step - 1e-6)


def costs(run, start=0.0):
    total = run.report["costs"]["total"]
    seconds = total["seconds"] if run.processor_seconds is None else run.processor_seconds - start
    return total["steps"], total["newton_iterations"], total["linear_iterations"], seconds


def summary(run):
    values = measured(run)
    rows = [] if values is None else list(zip(QUANTITIES, (values[0], values[1] * 1e3, values[2] * 1e3), ("", "ms", "mJ"), ("",) * 3, ("",) * 3))
    steps, newton, linear, _ = costs(run)
    return [*rows, ("elements", run.report["elements"], "", "", ""), ("steps", steps, "", "", ""), ("Newton iterations", newton, "", "", ""), ("linear iterations", linear, "", "", "")]


def pictures(run):
    run.postprocess("plot_history.py", run.directory, "--columns", "impact.fx", "impact.fz", "--out", run.directory / "forces.png")
    run.render("impact.png", (0, 1, 2, 3, 4, 6), "--color", "velocity", "--azimuth", "-90", "--elevation", "5")


class Integrator:
    """The variants of an integrator: those over the step, and those at a step for 1 %, over the solver's tolerance. Variants with one tolerance may differ in the
    height from which the ball starts, and so in where within a step it touches first: all must be within 1 %, and the cheapest one counts, because other programs
    only add to what a run takes."""

    def __init__(self, name, runs, reference, start):
        self.name = name
        own = [run for run in runs if name_of(run) == name]
        self.sweep = sorted((run for run in own if "tolerance" not in run.label), key=step_of)
        self.found = [errors(run, reference) for run in self.sweep]
        steps = [step_of(run) for run in self.sweep]
        self.decides = largest_step(steps, self.found)[1] if steps else None
        self.motion_step = largest_step(steps, numpy.array(self.found)[:, :2])[0] if steps else None
        self.tolerance = self.chosen = self.errors = self.costs = None
        groups = {}
        for run in own:
            if "tolerance" in run.label:
                groups.setdefault(run.scene["solver"]["tolerance"], []).append(run)
        for tolerance, group in sorted(groups.items()):
            worst = numpy.max([errors(run, reference) for run in group], axis=0)
            if worst.max() <= ALLOWED:
                self.tolerance, self.errors = tolerance, worst
                self.chosen = min(group, key=lambda run: costs(run, start)[3])
                self.costs = costs(self.chosen, start)

    def iterates(self):
        """Whether its equations are solved to the tolerance."""
        time = self.chosen.scene["time"]
        return not time["semi_implicit"] and time["integrator"] not in ("ere", "siere", "sbdf2ere", "str_sbdf2ere")

    def rows(self, contact_time, default_seconds):
        motion = (f"the same without friction's work: {self.name}", self.motion_step * 1e3 if self.motion_step else "", "ms", "", "")
        if not self.chosen:
            return [(f"step for 1 %: {self.name}", "none", "ms", "", ""), motion]
        step, (steps, newton, linear, seconds) = step_of(self.chosen), self.costs
        cells = [("step for 1 %", step * 1e3, "ms"), ("steps in the time of contact", contact_time / step, ""),
                 ("tolerance", self.tolerance if self.iterates() else "", "m/s"),
                 ("steps", steps, ""), ("Newton", newton, ""), ("linear", linear, ""), ("CPU", seconds, "s"), ("over the default", seconds / default_seconds, ""),
                 ("largest error", self.errors.max() * 100, "%"), ("decided by", "" if self.decides is None else QUANTITIES[self.decides], "")]
        return [*((f"{quantity}: {self.name}", value, unit, "", "") for quantity, value, unit in cells), motion]


def draw(integrators, start, directory):
    figure, (step_axes, cost_axes) = pyplot.subplots(1, 2, figsize=(12, 5.4), constrained_layout=True, sharey=True)
    for number, integrator in enumerate(integrator for integrator in integrators if integrator.sweep):
        drawn = [(step_of(run) * 1e3, costs(run, start)[3], max(error.max(), FLOOR)) for run, error in zip(integrator.sweep, integrator.found) if math.isfinite(error.max())]
        if not drawn:
            continue
        steps, seconds, largest = zip(*drawn)
        style = {"color": COLOURS[number % len(COLOURS)], "marker": "osD^vx"[number // len(COLOURS)], "markersize": 3.5, "linewidth": 2.4 if integrator.name == DEFAULT else 1.0,
                 "linestyle": ("-", "--", ":")[number // len(COLOURS)]}
        step_axes.loglog(steps, largest, label=integrator.name, **style)
        cost_axes.loglog(seconds, largest, label=integrator.name, **style)
    for axes in (step_axes, cost_axes):
        axes.axhline(ALLOWED, color="0.4", linewidth=0.8)
        axes.grid(alpha=0.3)
    step_axes.set(xlabel="step [ms]", ylabel="largest of the three relative errors")
    cost_axes.set(xlabel="processor seconds of the steps")
    cost_axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(directory / "equal_error.png", dpi=130)
    pyplot.close(figure)


def study(runs, directory):
    references = [run for run in runs if name_of(run) == "reference"]
    if not references:
        return [("reference: none among the variants", "", "", "", "")]
    reference = measured(references[-1])
    start = next((run.processor_seconds for run in runs if name_of(run) == "start"), 0.0)
    rows = [(f"{quantity}: reference", value * (1 if quantity == "restitution" else 1e3), unit, "", "") for quantity, value, unit in zip(QUANTITIES, reference, ("", "ms", "mJ"))]
    for run in references[:-1]:
        rows += [(f"{quantity}, error: {run.label}", error * 100, "%", "", "") for quantity, error in zip(QUANTITIES, errors(run, reference))]
    names = list(dict.fromkeys(name_of(run) for run in runs if name_of(run) not in ("reference", "start")))
    integrators = [Integrator(name, runs, reference, start) for name in names]
    draw(integrators, start, directory)
    times, force = (numpy.array(column) for column in references[-1].columns("time", "impact.fz"))
    touching = times[force > 0.01 * force.max()]
    default_seconds = next((integrator.costs[3] for integrator in integrators if integrator.name == DEFAULT and integrator.chosen), math.nan)
    for integrator in sorted(integrators, key=lambda integrator: integrator.costs[3] if integrator.chosen else math.inf):
        rows += integrator.rows(touching[-1] - touching[0], default_seconds)
    return rows
