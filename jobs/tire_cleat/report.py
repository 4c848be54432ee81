"""Report of the cleat: forces on the axle while the tire rolls over it, and how the belt rings afterwards."""

import matplotlib
import numpy
from field_frames import Frames

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

MODES = "TNO 2013, TNO_car205_60R15.tir, MF-Tyre/MF-Swift 6.2: undamped, of the belt on its rim"
VERTICAL = 76.63   # [Hz]: FREQ_LONG, of the fore-and-aft and vertical mode
ENVELOPING = "Gough; Julien and Paulsen, after Dorfi 2004, Tire Sci. Technol. 32: 188: a minimum where the cleat is below the axle"


def first(motions):
    return motions[0] if isinstance(motions, list) else motions


class Ride:
    """Forces on the axle [N], up and along the way of travel, over time and over the place of the cleat's middle from the axle [m]."""

    def __init__(self, run):
        self.run = run
        self.time, vertical, along, self.road, self.bump = (numpy.array(column) for column in run.columns("time", "tire.bead.fz", "tire.bead.fx", "patch.fz", "bump.fz"))
        self.vertical, self.along = -vertical, -along     # the support exerts the opposite on the tire
        box, motion = run.scene["surfaces"]["cleat"]["box"], first(run.scene["surfaces"]["cleat"]["motion"])
        self.speed = -motion["velocity"][0]
        middle = (box["lower"][0] + box["upper"][0]) / 2
        since = numpy.maximum(self.time - motion["start"], 0)
        ramp = motion["ramp"]
        self.cleat = middle - self.speed * numpy.where(since < ramp, since**2 / (2 * ramp), since - ramp / 2)
        self.height = box["upper"][2] - run.scene["surfaces"]["road"]["plane"]["point"][2]
        touching = numpy.flatnonzero((self.bump > 1) | (numpy.abs(numpy.array(run.columns("bump.fx")[0])) > 1))
        self.begins, self.ends = (self.time[touching[0]], self.time[touching[-1]]) if touching.size else (None, None)

    @property
    def passed(self):
        return self.begins is not None and self.time[-1] > self.ends + 0.03

    def before(self, column):
        """Mean over the last 30 ms before the cleat."""
        chosen = (self.time < self.begins) & (self.time > self.begins - 0.03)
        return float(column[chosen].mean())

    def change(self, column):
        return column - self.before(column)

    def crossings(self, column):
        """Frequency by the times at which the force rises through its mean after the cleat [Hz]; None with fewer than three."""
        chosen = self.time > self.ends
        time, values = self.time[chosen], column[chosen] - column[chosen].mean()
        rising = numpy.flatnonzero((values[:-1] < 0) & (values[1:] >= 0))
        if rising.size < 3:
            return None
        at = time[rising] - values[rising] * (time[rising + 1] - time[rising]) / (values[rising + 1] - values[rising])
        return float((rising.size - 1) / (at[-1] - at[0]))

    def humps(self, column):
        """The largest values while the cleat comes and while it goes, and the least one between them, which lies where the cleat is [m ahead of the axle]."""
        under = (self.time >= self.begins) & (self.time <= self.ends + 5e-3)
        coming, going = under & (self.cleat > 0.01), under & (self.cleat < -0.01)
        first, last = (numpy.flatnonzero(part)[column[part].argmax()] for part in (coming, going))
        low = first + int(column[first:last + 1].argmin())
        return column[first], column[low], column[last], self.cleat[low]

    def frequency(self, column):
        """Frequency of the strongest line after the cleat [Hz]: zeros are appended, so that lines are 1 Hz apart; and the half width of a line, by the length of what is left."""
        chosen = self.time > self.ends
        step = numpy.diff(self.time[chosen]).min()
        even = numpy.arange(self.time[chosen][0], self.time[-1], step)
        values = numpy.interp(even, self.time, column)
        values = (values - values.mean()) * numpy.hanning(len(values))
        lines = numpy.abs(numpy.fft.rfft(values, int(1 / step)))
        frequencies = numpy.fft.rfftfreq(int(1 / step), step)
        band = frequencies > 20
        return float(frequencies[band][lines[band].argmax()]), 1 / (even[-1] - even[0])


def rows_of(run):
    ride = Ride(run)
    if ride.begins is None:
        return [("load so far", float(ride.vertical[-1]), "N", "", "")]
    rows = [("height of the cleat", ride.height * 1e3, "mm", 10, "the scene"), ("speed", ride.speed * 3.6, "km/h", 40, "the scene"),
            ("load before the cleat", ride.before(ride.vertical), "N", 4000, "the scene's height of the axle"),
            ("force along before the cleat", ride.before(ride.along), "N", "", ""),
            ("time from first to last touch", (ride.ends - ride.begins) * 1e3, "ms", "", "")]
    for name, column in (("vertical", ride.vertical), ("along", ride.along)):
        change = ride.change(column)[ride.time >= ride.begins]
        rows += [(f"largest {name} force beyond that before", change.max(), "N", "", ""), (f"least {name} force beyond that before", change.min(), "N", "", "")]
    if ride.passed:
        coming, low, going, place = (float(value) for value in ride.humps(ride.vertical))
        before = ride.before(ride.vertical)
        rows += [("vertical force beyond that before, cleat coming", coming - before, "N", "", ""),
                 ("the same between the humps", low - before, "N", "less than on both sides", ENVELOPING),
                 ("the same, cleat going", going - before, "N", "", ""),
                 ("place of the cleat ahead of the axle at that minimum", place * 1e3, "mm", 0, ENVELOPING)]
        if counted := ride.crossings(ride.vertical):
            rows.append(("frequency of the vertical force afterwards, by crossings", counted, "Hz", VERTICAL, MODES))
        for name, column, published in (("vertical", ride.vertical, VERTICAL), ("along", ride.along, "")):
            found, width = ride.frequency(column)
            rows += [(f"frequency of the {name} force afterwards", found, "Hz", published, MODES if published else ""),
                     (f"half width of that line ({name})", width, "Hz", "", "")]
    return rows


def summary(run):
    total = run.report["costs"]["total"]
    return [*rows_of(run), ("elements", run.report["elements"], "", "", ""), ("steps", total["steps"], "", "", ""),
            ("Newton iterations per step", total["newton_iterations"] / total["steps"], "", "", ""), ("seconds", total["seconds"], "s", "", "")]


def draw(axes, ride, label=None, **style):
    shown = ride.time > ride.begins - 0.02
    time = (ride.time[shown] - ride.begins) * 1e3
    axes[0].plot(time, ride.vertical[shown] / 1e3, label=label, **style)
    axes[1].plot(time, ride.along[shown] / 1e3, label=label, **style)


def panels():
    figure, axes = pyplot.subplots(2, 1, figsize=(7.5, 5.6), sharex=True, constrained_layout=True)
    axes[0].set_ylabel("vertical force on the axle [kN]")
    axes[1].set(ylabel="force along on the axle [kN]", xlabel="time since the cleat was touched [ms]")
    return figure, axes


def pictures(run):
    ride = Ride(run)
    if ride.begins is None:
        return
    figure, axes = panels()
    draw(axes, ride, color="C0")
    for panel in axes:
        panel.axvspan(0, (ride.ends - ride.begins) * 1e3, color="0.9", zorder=0)
    figure.savefig(run.directory / "cleat.png", dpi=110)
    pyplot.close(figure)
    times = numpy.array(Frames(run.directory).times)
    wanted = [int(numpy.abs(times - time).argmin()) for time in numpy.linspace(ride.begins - 0.003, ride.ends + 0.003, 4)]
    run.render("frames.png", sorted(set(wanted)), "--color", "contact_pressure", "--elevation", "4", "--azimuth=-90", "--sheet-size", "290x290")


def study(runs, directory):
    figure, axes = panels()
    rows = []
    for number, run in enumerate(runs):
        if run.gave_up:
            continue
        ride = Ride(run)
        if ride.begins is not None:
            draw(axes, ride, run.label, color=f"C{number}")
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
    axes[0].legend(frameon=False, fontsize=8)
    figure.savefig(directory / "cleat_study.png", dpi=110)
    return rows
