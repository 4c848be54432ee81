"""Certificate of a tennis ball: ITF's tests of mass, size, rebound, forward and return deformation, each with pass or fail."""

import math

import numpy
from field_frames import Frames

GRAVITY, DROP = 9.81, 2.54
PRELOAD, LOAD, DEEPEST = 15.57, 80.07, 25.4e-3        # [N], [N], [m]
TEST, DROPPED = 8, 20                                 # [s]: when the test of deformation starts, and when the ball falls; as in scene.yaml
RULES = "ITF Rules of Tennis, Appendix I, Type 2"
LIMITS = {"mass": (56.0, 59.4, "g"), "size": (65.4, 68.6, "mm"), "rebound": (135, 147, "cm"), "forward deformation": (5.6, 7.4, "mm"), "return deformation": (8.0, 10.8, "mm")}
PUNCTURED = "Haake, Carré, Goodwill 2003, J. Sports Sci. 21: 839, impacts of up to 30 m/s"


def crossing(deformation, force, level):
    """Deformation at which a curve first reaches a force, by interpolation between steps; None if it does not."""
    for i in range(1, len(force)):
        if (force[i - 1] - level) * (force[i] - level) <= 0 and force[i] != force[i - 1]:
            return deformation[i - 1] + (level - force[i - 1]) / (force[i] - force[i - 1]) * (deformation[i] - deformation[i - 1])
    return None


def compression(run):
    """The test of deformation: how far the two plates are together [m], counted from the preload, and their force [N], of loading and of unloading; None if the run ended before."""
    time, upper, lower = (numpy.array(column) for column in run.columns("time", "z_plus.fz", "z_minus.fz"))
    moves = [move for move in run.scene["surfaces"]["z_plus"]["motion"] if move["start"] >= TEST]
    start, turn, end = moves[0]["start"], moves[1]["start"], moves[1]["stop"]
    if time[-1] < end:
        return None
    speed = -moves[0]["velocity"][2]
    together = 2 * speed * (numpy.minimum(time, turn) - start - numpy.maximum(time - turn, 0))
    force = (numpy.abs(upper) + numpy.abs(lower)) / 2
    slack = 1e-6
    loading, unloading = (time > start - slack) & (time < turn + slack), (time > turn - slack) & (time < end + slack)
    zero = crossing(together[loading], force[loading], PRELOAD)
    return None if zero is None else [(together[part] - zero, force[part]) for part in (loading, unloading)]


def diameter(run):
    """Mean diameter of the ball [m] at the first frame without plates, and of its cavity's surface, from the positions of vertices."""
    frames = Frames(run.directory)
    index = next((i for i, time in enumerate(frames.times) if TEST - 1e-6 < time), None)
    if index is None:
        return None
    frame = frames.read(index, points_only=True)
    distance = numpy.linalg.norm(frame.points - frame.points.mean(axis=0), axis=1)
    outer = distance[numpy.unique(frame.topology.surface[0])]
    return 2 * outer[outer > (outer.min() + outer.max()) / 2].mean()


class Bounce:
    """The impact on the block."""

    def __init__(self, run):
        time, self.height, speed, contacts, force = (numpy.array(column) for column in run.columns("time", "ball.z", "ball.vz", "z_minus.contacts", "z_minus.fz"))
        touching = numpy.flatnonzero((contacts > 0) & (time > DROPPED + 0.1))
        self.done = touching.size > 0 and touching[-1] + 1 < len(time)
        if not self.done:
            return
        first, last = touching[0] - 1, touching[-1]
        self.duration = time[last] - time[first]
        self.largest = force[touching].max()
        self.path = self.height[first] - self.height[touching].min()
        self.before = speed[first]
        self.after = speed[last + 1]
        floor = -2.539 - 34.3e-3
        self.rebound = lambda radius: self.height[last + 1] + max(self.after, 0) ** 2 / (2 * GRAVITY) - floor - radius
        self.stiffness = run.report["total_mass"] * (math.pi / self.duration) ** 2


def certificate(run):
    """Quantity, value in the unit of LIMITS, of the tests that the run contains."""
    found = {"mass": run.report["total_mass"] * 1e3}
    size = diameter(run)
    if size:
        found["size"] = size * 1e3
    curve = compression(run)
    if curve:
        for name, (deformation, force) in zip(("forward deformation", "return deformation"), curve):
            value = crossing(deformation, force, LOAD)
            if value is not None:
                found[name] = value * 1e3
    bounce = Bounce(run)
    if bounce.done and size:
        found["rebound"] = bounce.rebound(size / 2) * 100
    return found


def summary(run):
    rows = []
    found = certificate(run)
    for name, (low, high, unit) in LIMITS.items():
        if name in found:
            rows.append((name, found[name], unit, f"{low} to {high}: " + ("pass" if low <= found[name] <= high else "fail"), RULES))
    curve, bounce = compression(run), Bounce(run)
    if curve:
        (there, up), (back, down) = curve
        rows += [("largest deformation beyond the preload", there[-1] * 1e3, "mm", "25.4", RULES), ("force there", up[-1], "N", "", ""),
                 ("energy lost in the cycle over energy of loading", 1 - abs(numpy.trapz(down, back)) / numpy.trapz(up, there), "", "", "")]
    if bounce.done:
        rows += [("speed before the impact", -bounce.before, "m/s", f"{math.sqrt(2 * GRAVITY * DROP):.3f}", "free fall from 254 cm"),
                 ("coefficient of restitution", -bounce.after / bounce.before, "", "0.728 to 0.761", "the limits of the rebound"),
                 ("contact", bounce.duration * 1e3, "ms", "", ""), ("largest force", bounce.largest, "N", "", ""),
                 ("stiffness m (π/T)² of the impact", bounce.stiffness / 1e3, "kN/m", "", ""), ("path of the centre", bounce.path * 1e3, "mm", "", "")]
    spent = run.report["costs"]["total"]
    return [*rows, ("tetrahedra", run.report["elements"], "", "", ""), ("Newton iterations", spent["newton_iterations"], "", "", ""),
            ("linear iterations", spent["linear_iterations"], "", "", ""), ("seconds", spent["seconds"], "s", "", "")]


def draw_compression(axes, run, **style):
    curve = compression(run)
    if curve:
        deformation, force = (numpy.concatenate(parts) for parts in zip(*curve))
        axes.plot(deformation * 1e3, force, linewidth=1.1, **style)


def limits_of(axes):
    for name, colour in (("forward deformation", "C2"), ("return deformation", "C3")):
        low, high, _ = LIMITS[name]
        axes.plot([low, high], [LOAD, LOAD], color=colour, linewidth=4, alpha=0.6, label=f"allowed {name}")
    axes.set(xlabel="deformation since the preload [mm]", ylabel="force [N]", xlim=(-2, 27), ylim=(0, None))


def pictures(run):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    out = run.directory
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 3.8), constrained_layout=True, width_ratios=(3, 2))
    draw_compression(left, run, color="C0")
    limits_of(left)
    left.legend(frameon=False, fontsize=8)
    rows = [(name, f"{value:.2f} {LIMITS[name][2]}", f"{LIMITS[name][0]} to {LIMITS[name][1]}", "pass" if LIMITS[name][0] <= value <= LIMITS[name][1] else "fail")
            for name, value in certificate(run).items()]
    right.axis("off")
    if rows:
        cells = right.table(cellText=rows, colLabels=("test", "found", "allowed", ""), loc="center", cellLoc="left", colWidths=(0.42, 0.25, 0.25, 0.12))
        cells.auto_set_font_size(False)
        cells.set_fontsize(9)
        cells.scale(1, 1.8)
        for (row, column), cell in cells.get_celld().items():
            cell.set_linewidth(0)
            if row > 0 and column == 3:
                cell.get_text().set_color("#b3261e" if rows[row - 1][3] == "fail" else "#1a7f37")
    figure.savefig(out / "certificate.png", dpi=150)
    run.render("test.png", (8, 10, 13, 17), "--clip", "--color", "contact_pressure")


def study(runs, directory):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.5, 4.2), constrained_layout=True)
    rows, restitution, stiffness = [], {}, {}
    for number, run in enumerate(runs):
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in summary(run)]
        draw_compression(axes, run, color=f"C{number + 4}", label=run.label)
        bounce = Bounce(run)
        if bounce.done:
            restitution[run.label], stiffness[run.label] = -bounce.after / bounce.before, bounce.stiffness
    if {"pressurised", "punctured"} <= restitution.keys():
        rows += [("loss of restitution by the puncture", 100 * (1 - restitution["punctured"] / restitution["pressurised"]), "%", "20", PUNCTURED),
                 ("loss of stiffness by the puncture", 100 * (1 - stiffness["punctured"] / stiffness["pressurised"]), "%", "35", PUNCTURED)]
    limits_of(axes)
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(directory / "compression.png", dpi=150)
    return rows
