"""Report of the racket: restitution, dwell time and spin of the ball, and what the racket takes."""

import math

import numpy

STRINGS, LENGTH, RADIUS, DENSITY = 16, 0.24, 9e-4, 1140   # number, length at rest [m], radius [m], density [kg/m^3]: as in strings.py and scene.yaml
BARS = ("right", "left", "far", "near")
BOOK = "Brody, Cross, Lindsey 2002, The Physics and Technology of Tennis"


class Impact:
    """The figures of the impact, from a run's history."""

    def __init__(self, run):
        self.time, mains, crosses, fz, gz = self.arrays(run, "time", "hit_mains.contacts", "hit_crosses.contacts", "hit_mains.fz", "hit_crosses.fz")
        touching = numpy.flatnonzero(mains + crosses > 0)
        self.met = touching.size > 0
        self.left = self.met and touching[-1] + 1 < len(self.time)
        if not self.met:
            return
        self.first, self.last = int(touching[0]), int(touching[-1])
        self.force = fz + gz
        self.dwell = self.time[self.last] - self.time[self.first - 1]
        self.velocity = numpy.stack(self.arrays(run, "ball.vx", "ball.vy", "ball.vz"), axis=1)
        self.spin = self.arrays(run, "ball.wy")[0]
        pulls = numpy.mean(self.arrays(run, *(f"pull_{bar}.motor_force" for bar in BARS)), axis=0)
        self.tension = pulls[self.first - 1] / (STRINGS / 2)
        self.before, self.after = self.velocity[self.first - 1], self.velocity[-1]
        string_mass = STRINGS / 2 * LENGTH * math.pi * RADIUS**2 * DENSITY
        masses = run.report["total_mass"] - 2 * string_mass
        parts = ("frame", *BARS)
        momentum = [sum(self.arrays(run, *(f"{part}.pz" for part in parts))), self.arrays(run, "mains.vz")[0], self.arrays(run, "crosses.vz")[0]]
        speed = self.arrays(run, "frame.vz")[0]
        moving = numpy.abs(speed) > 0.1
        frame_mass = float(numpy.median(self.arrays(run, "frame.pz")[0][moving] / speed[moving])) if moving.any() else float("nan")
        bar_speed = self.arrays(run, "right.vz")[0]
        bar_mass = float(numpy.median((self.arrays(run, "right.pz")[0] / numpy.where(moving, bar_speed, 1))[moving])) if moving.any() else float("nan")
        self.free = bool(moving.any())
        self.ball_mass = masses - frame_mass - 4 * bar_mass if self.free else float("nan")
        self.momentum = momentum[0] + string_mass * (momentum[1] + momentum[2])
        # The velocity of the head's middle after the impact, a mean over the frame's vibration.
        late = self.time > self.time[-1] - 2e-3
        x, turn = self.arrays(run, "frame.x", "frame.wy")
        self.head = float(numpy.mean((speed + turn * x)[late])) if self.free else 0.0
        self.transferred = float(numpy.mean(self.momentum[late]))

    @staticmethod
    def arrays(run, *names):
        return [numpy.array(column) for column in run.columns(*names)]


def rows_of(run):
    impact = Impact(run)
    if not impact.met:
        return [("impact", "none", "", "", "")]
    rows = [("tension of a string before the impact", float(impact.tension), "N", "", ""), ("largest force on the ball", float(impact.force.max()), "N", "", "")]
    if not impact.left:
        return [*rows, ("the ball leaves", "not within the run", "", "", "")]
    apparent = -impact.after[2] / impact.before[2]
    relative = -(impact.after[2] - impact.head) / impact.before[2]
    rows.append(("dwell time", 1e3 * float(impact.dwell), "ms", "about 5", BOOK))
    if impact.free:
        rows += [("apparent restitution", float(apparent), "", "about 0.4", BOOK),
                 ("momentum of the racket over what the ball lost", impact.transferred / (impact.ball_mass * (impact.before[2] - impact.after[2])), "", "1", "no force from outside")]
    rows.append(("restitution, relative to the middle of the head", float(relative), "", "about 0.85", BOOK))
    if abs(impact.before[0]) > 1:
        rows += [("speed along the strings after, in parts of that before", float(impact.after[0] / impact.before[0]), "", "0.6 of a hollow ball that ends rolling", "I = 2/3 m R^2"),
                 ("spin after the impact", float(impact.spin[-1]), "rad/s", "", ""),
                 ("spin times radius over speed along the strings", float(impact.spin[-1] * 0.033 / impact.after[0]), "", "1 of a ball that rolls", "")]
    return rows


def summary(run):
    spent = run.report["costs"]["total"]
    return [*rows_of(run), ("Newton iterations per step", spent["newton_iterations"] / spent["steps"], "", "", ""), ("seconds", spent["seconds"], "s", "", "")]


def pictures(run):
    out = run.directory
    run.postprocess("plot_history.py", out, "--columns", "ball.vz", "hit_mains.fz", "hit_crosses.fz", "pull_right.motor_force", "--out", out / "impact.png")
    run.render("frames.png", (8, 13, 16, 20), "--azimuth", "-60", "--elevation", "15", "--color", "velocity", "--zoom", "1.3")


def study(runs, directory):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9.5, 3.8), constrained_layout=True)
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
        impact = Impact(run)
        if not impact.met:
            continue
        since = 1e3 * (impact.time - impact.time[impact.first])
        shown = (since > -0.5) & (since < 7)
        left.plot(since[shown], impact.force[shown], label=run.label, linewidth=1.1)
        right.plot(since[shown], impact.velocity[shown, 2], label=run.label, linewidth=1.1)
    left.set(xlabel="time since the first touch [ms]", ylabel="force on the ball [N]")
    right.set(xlabel="time since the first touch [ms]", ylabel="velocity of the ball off the strings [m/s]")
    left.legend(frameon=False, fontsize=8)
    figure.savefig(directory / "racket.png", dpi=150)
    return rows
