"""Report of the footprint: load over deflection, and pressure and shear in the patch, beside what is published of the tire."""

import pathlib
import sys

import matplotlib
import numpy
from field_frames import Frames

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import tire  # noqa: E402

INFLATED = 1   # [s]: when all air is in, as in scene.yaml
LOADS = (2000, 3000, 4000, 5000)   # [N]


class Press:
    """Load and deflection of every step, and the footprints of the frames."""

    def __init__(self, run):
        self.run = run
        self.time, self.load, height, gap, self.pressure, self.area, self.axle = (
            numpy.array(column) for column in run.columns("time", "footprint.fz", "wheel.z", "min_gap", "tire.pressure", "footprint.area", "wheel.axle.fz"))
        self.frames = Frames(run.directory)
        road = run.scene["surfaces"]["road"]["plane"]["point"][2]
        self.pressing = self.time > INFLATED + 1e-9
        # From the axle to where the tire's lowest places are: the road less the gap that is left under the tread. Free: the tread just touches then.
        self.loaded = height - road - gap
        self.free = float(numpy.interp(INFLATED, self.time, self.loaded))
        self.deflection = self.free - self.loaded
        self.inflated = float(numpy.interp(INFLATED, self.time, self.pressure))

    def columns_at(self, time, *names):
        steps, *columns = self.run.columns("time", *names)
        return [numpy.interp(time, steps, column) for column in columns]

    def deflection_at(self, load):
        return numpy.interp(load, self.load[self.pressing], self.deflection[self.pressing])

    def stiffness_at(self, load, step=250):
        """Slope of the curve [N/m]."""
        low, high = self.deflection_at(load - step), self.deflection_at(load + step)
        return 2 * step / (high - low)

    def footprint(self, index):
        return tire.Footprint(self.frames.read(index))

    def frame_near(self, load):
        """Number of the frame whose load is nearest."""
        loads = [self.columns_at(time, "footprint.fz")[0] if time > INFLATED else 0 for time in self.frames.times]
        return int(numpy.argmin(numpy.abs(numpy.array(loads) - load)))

    def reached(self, load):
        return self.load[-1] > 0.999 * load


def published_stiffness(load, pressure):
    """Slope of the published curve [N/m]."""
    at = tire.published_deflection(load, pressure)
    return float(tire.published_load(at + 1e-5, pressure) - tire.published_load(at - 1e-5, pressure)) / 2e-5


def rows_of(run):
    press = Press(run)
    inflated = press.inflated
    rows = [("pressure when inflated", inflated / 1e3, "kPa", "", ""),
            ("free radius", press.free * 1e3, "mm", round(tire.RADIUS * tire.FREE * 1e3, 1), tire.SOURCE),
            ("mass of the tire", run.report["total_mass"] - run.scene["bodies"]["wheel"]["rigid"]["mass"], "kg", 9.3, tire.SOURCE)]
    for load in LOADS:
        if press.reached(load):
            rows.append((f"deflection at {load} N", press.deflection_at(load) * 1e3, "mm", round(tire.published_deflection(load, inflated) * 1e3, 2), tire.SOURCE))
    if press.reached(tire.LOAD + 250):
        rows.append(("stiffness at 4000 N", press.stiffness_at(tire.LOAD) / 1e3, "N/mm", round(published_stiffness(tire.LOAD, inflated) / 1e3, 1), tire.SOURCE))
    index = press.frame_near(tire.LOAD)
    if press.frames.times[index] > INFLATED:
        found = press.footprint(index)
        load = found.force[2]
        length, width = tire.published_patch(load, inflated)
        got = found.extent()
        rows += [("load of the footprint", load, "N", "", ""), ("length of the patch", got[0] * 1e3, "mm", round(length * 1e3, 1), tire.SOURCE),
                 ("width of the patch", got[1] * 1e3, "mm", round(width * 1e3, 1), tire.SOURCE),
                 ("area of the patch, of the map", got[2] * 1e4, "cm^2", round(length * width * 1e4), tire.SOURCE + ": a rectangle of that length and width"),
                 ("area of the patch, of vertices", numpy.interp(press.frames.times[index], press.time, press.area) * 1e4, "cm^2", "", ""),
                 ("integral of the map's pressure over the load", found.load_of_grid / load, "", 1, "equilibrium"),
                 ("largest pressure", found.grid[:, :, 2].max() / 1e3, "kPa", "", ""),
                 ("mean pressure over the gas's", load / got[2] / numpy.interp(press.frames.times[index], press.time, press.pressure), "", "", ""),
                 ("largest shear along", numpy.abs(found.grid[:, :, 0]).max() / 1e3, "kPa", "", ""),
                 ("largest shear across", numpy.abs(found.grid[:, :, 1]).max() / 1e3, "kPa", "", "")]
    return rows


def summary(run):
    total = run.report["costs"]["total"]
    return [*rows_of(run), ("elements", run.report["elements"], "", "", ""), ("steps", total["steps"], "", "", ""),
            ("Newton iterations per step", total["newton_iterations"] / total["steps"], "", "", ""), ("seconds", total["seconds"], "s", "", "")]


def draw_curve(axes, press, **style):
    axes.plot(press.deflection[press.pressing] * 1e3, press.load[press.pressing] / 1e3, **style)


def published_curve(axes, largest, pressure=tire.PRESSURE, **style):
    deflection = numpy.linspace(0, largest, 60)
    axes.plot(deflection * 1e3, tire.published_load(deflection, pressure) / 1e3, **style)


def draw_map(axes, found, component, title, **style):
    picture = axes.imshow(found.grid[:, :, component].T / 1e3, origin="lower", extent=[v * 1e3 for v in (found.x[0], found.x[-1], found.y[0], found.y[-1])], **style)
    axes.set(title=title, xlabel="along [mm]", ylabel="across [mm]")
    axes.get_figure().colorbar(picture, ax=axes, shrink=0.75)


def pictures(run):
    press = Press(run)
    figure, axes = pyplot.subplots(2, 2, figsize=(9.5, 7.4), constrained_layout=True)
    draw_curve(axes[0, 0], press, color="C0", label="found")
    published_curve(axes[0, 0], press.deflection.max(), color="k", linestyle="--", label="published")
    axes[0, 0].set(xlabel="deflection [mm]", ylabel="load [kN]", xlim=(0, None), ylim=(0, None))
    axes[0, 0].legend(frameon=False)
    index = press.frame_near(tire.LOAD)
    if press.frames.times[index] > INFLATED:
        found = press.footprint(index)
        largest = numpy.abs(found.grid[:, :, :2]).max() / 1e3
        draw_map(axes[0, 1], found, 2, f"pressure at {found.force[2]:.0f} N [kPa]", cmap="viridis", vmin=0)
        draw_map(axes[1, 0], found, 0, "shear along, on the tread [kPa]", cmap="RdBu_r", vmin=-largest, vmax=largest)
        draw_map(axes[1, 1], found, 1, "shear across, on the tread [kPa]", cmap="RdBu_r", vmin=-largest, vmax=largest)
        length, width = tire.published_patch(found.force[2])
        axes[0, 1].add_patch(pyplot.Rectangle((-length * 500, -width * 500), length * 1e3, width * 1e3, fill=False, edgecolor="w", linestyle="--"))
    figure.savefig(run.directory / "footprint.png", dpi=110)
    pyplot.close(figure)
    run.render("tire.png", (2, index), "--color", "contact_pressure", "--elevation=-38", "--sheet-size", "360x360")


def study(runs, directory):
    figure, axes = pyplot.subplots(figsize=(6.5, 4.6), constrained_layout=True)
    rows = []
    for number, run in enumerate(runs):
        if run.gave_up:
            continue
        press = Press(run)
        draw_curve(axes, press, color=f"C{number}", label=run.label)
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
    for pressure, largest in ((220e3, 0.025), (176e3, 0.029), (264e3, 0.0218)):
        published_curve(axes, largest, pressure, color="k", linestyle="--", linewidth=0.8, label="published, 176, 220 and 264 kPa" if pressure == 220e3 else None)
    axes.set(xlabel="deflection [mm]", ylabel="load [kN]", xlim=(0, None), ylim=(0, None))
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(directory / "load_deflection.png", dpi=110)
    return rows
