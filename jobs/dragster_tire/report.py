"""Report of the tire: wrinkles along its sides, the patch on the ground, traction, and how much of the patch sticks.

Wrinkles are looked for on rings of both sides, which at rest are circles about the axle. On each ring, the displacement along the side's mean normal since the spin began is taken at equal angles
around the axle, angles in space, so that the flattening at the ground, which stays below while the rubber turns, drops out. What remains of it, and the bulge of a whole side that is dragged along,
are long waves: those of orders below LOWEST around the axle are taken away. A crest is the largest value between two zeros of what is left, if it is above CREST.
"""

import functools

import numpy
from matplotlib import pyplot
from matplotlib.tri import LinearTriInterpolator, Triangulation

from field_frames import Frames, Series

LOWEST = 13                            # waves shorter than 30 degrees are wrinkles
CREST = 1e-3                           # [m]
NEAR = 60                              # [degrees] to both sides of straight down: near the ground
RINGS = numpy.linspace(0.2, 0.8, 13)   # parts of the way from the wheel's radius to the shoulder's
ANGLES = 1440
SOURCE = "P0 Sec. V-C2"


def spin_start(run):
    """When the rim starts to turn [s]."""
    return min(motion.get("start", 0) for motion in run.scene["bodies"]["tire"]["driven"][0]["motion"] if any(motion.get("angular_velocity", [0])))


def has_spun(run):
    """Whether the run has come as far as the spin, which all of this is about."""
    return run.columns("time")[0][-1] > spin_start(run) + 1e-9


class Side:
    """One side of the tire, measured on rings. `rest`: positions about the axle in the undeformed mesh."""

    def __init__(self, rest, triangles, sign):
        chosen = triangles[numpy.all(sign * rest[triangles][:, :, 1] > 0, axis=1)]
        self.vertices, corners = numpy.unique(chosen, return_inverse=True)
        x, _, z = rest[self.vertices].T
        self.sheet = Triangulation(x, z, corners.reshape(-1, 3))   # seen along the axle no part of a side covers another
        self.finder = self.sheet.get_trifinder()
        radius = numpy.hypot(x, z)
        radii = radius.min() + RINGS[:, None] * (radius.max() - radius.min())
        angle = numpy.arange(ANGLES) * 2 * numpy.pi / ANGLES
        self.at = radii * numpy.cos(angle), radii * numpy.sin(angle)

    def shape(self, points):
        """Radius and lateral place [m] of each ring at equal angles in space, the first of them straight down: 2 x rings x angles."""
        x, y, z = (LinearTriInterpolator(self.sheet, values, self.finder)(*self.at).filled(numpy.nan) for values in points[self.vertices].T)
        angle, radius = numpy.arctan2(x, -z) % (2 * numpy.pi), numpy.hypot(x, z)
        wanted = numpy.arange(ANGLES) * 2 * numpy.pi / ANGLES
        result = numpy.empty((2, *x.shape))
        for ring, known in enumerate(numpy.isfinite(x)):
            for i, values in enumerate((radius, y)):
                result[i, ring] = numpy.interp(wanted, angle[ring, known], values[ring, known], period=2 * numpy.pi)
        return result


def outward(shape):
    """Unit normals of the mean section: 2 x rings x 1."""
    radius, lateral = numpy.gradient(shape.mean(axis=2), axis=1)
    normal = numpy.array([-lateral, radius]) * numpy.sign(shape[1].mean())
    return (normal / numpy.linalg.norm(normal, axis=0))[:, :, None]


def short_waves(displacement):
    spectrum = numpy.fft.rfft(displacement, axis=-1)
    spectrum[..., :LOWEST] = 0
    return numpy.fft.irfft(spectrum, displacement.shape[-1], axis=-1)


def crests(wave):
    positive = wave > 0
    starts = numpy.flatnonzero(positive & ~numpy.roll(positive, 1))
    if not len(starts):
        return 0
    return sum(part.max() > CREST for part in numpy.split(numpy.roll(wave, -starts[0]), starts[1:] - starts[0]))


def root_mean_square(values):
    return numpy.sqrt((values**2).mean())


def vertex_areas(points, triangles):
    a, b, c = (points[corner] for corner in triangles.T)
    area = numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1) / 2
    return numpy.bincount(triangles.ravel(), numpy.repeat(area / 3, 3), minlength=len(points))


def stick_share(contacts, index):
    """The part of the patch's area that slides more slowly than the friction's tolerance."""
    with contacts.frame(index) as (frame, _):
        pressure, force, slips = (frame[f"PointData/{name}"] for name in ("pressure", "normal_force", "slips"))
    pressed = pressure > 0
    area = numpy.linalg.norm(force[pressed], axis=1) / pressure[pressed]
    return area[slips[pressed] == 0].sum() / area.sum() if pressed.any() else numpy.nan


class Measures:
    """Arrays with a number per frame, from the last frame before the spin on. Lengths in m, `area` in m^2, `load` (vertical) and `traction` in N."""

    def __init__(self, run):
        frames = Frames(run.directory)
        self.first = max(i for i, time in enumerate(frames.times) if time <= spin_start(run) + 1e-9)
        self.time = numpy.array(frames.times[self.first:])
        rest, before = frames.read(0), frames.read(self.first)
        triangles, region = rest.topology.triangles, rest.topology.triangle_regions
        names = list(run.scene["bodies"]["tire"]["shell"])
        tread = triangles[region == names.index("outer")]
        axle = (rest.points.min(axis=0) + rest.points.max(axis=0)) / 2
        from_axle = numpy.hypot(*(rest.points - axle)[:, [0, 2]].T)
        rim = from_axle < from_axle.min() * (1 + 1e-6)
        sides = [Side(rest.points - axle, triangles[region == names.index("inner")], sign) for sign in (-1, 1)]
        axle = axle + (before.points - rest.points)[rim].mean(axis=0)
        # The ground pushes the tread in by so much, measured against its top.
        self.deflection = before.points[:, 2].max() - axle[2] - (axle[2] - before.points[:, 2].min())
        shapes = [side.shape(before.points - axle) for side in sides]
        contacts = Series(run.directory, "contacts")
        rows = [self._row(frames.read(i), sides, shapes, axle, tread) for i in range(self.first, len(frames))]
        self.rms, self.rms_around, self.peak, self.crests, self.crests_around, self.area, self.patch_length = numpy.array(rows).T
        self.stick = numpy.array([stick_share(contacts, i) for i in range(self.first, len(frames))])

    @staticmethod
    def _row(frame, sides, shapes, axle, tread):
        waves = []
        for side, shape in zip(sides, shapes):
            waves.extend(short_waves(((side.shape(frame.points - axle) - shape) * outward(shape)).sum(axis=0)))
        waves = numpy.array(waves)
        near = numpy.abs((numpy.arange(ANGLES) * 360 / ANGLES + 180) % 360 - 180) <= NEAR
        ring = waves[numpy.argmax((waves[:, near] ** 2).mean(axis=1))]   # where wrinkles are strongest
        pressed = frame.fields["contact_pressure"] > 0
        length = numpy.ptp(frame.points[pressed, 0]) if pressed.any() else 0
        return (root_mean_square(waves[:, near]), root_mean_square(waves), numpy.abs(waves[:, near]).max(), crests(numpy.where(near, ring, 0)), crests(ring),
                vertex_areas(frame.points, tread)[pressed].sum(), length)

    def wrinkled(self):
        """Numbers of the frames with a crest."""
        return numpy.flatnonzero(self.crests)


@functools.cache
def measures(run):
    return Measures(run)


def during_spin(run):
    """Time [s], traction and load [N] of every step from the spin's start on."""
    time, traction, load = map(numpy.array, run.columns("time", "grip.fx", "grip.fz"))
    turning = time >= spin_start(run) - 1e-9
    return time[turning], traction[turning], load[turning]


def rows_of(run):
    found = measures(run)
    time, traction, load = during_spin(run)
    wrinkled = found.wrinkled()
    spinning = slice(1, None)
    friction = run.scene["contacts"]["grip"]["friction"]
    rows = [
        ("largest wrinkle amplitude", found.peak.max() * 1e3, "mm", "", ""),
        ("largest rms of wrinkles near the ground", found.rms.max() * 1e3, "mm", "", ""),
        ("most crests on a ring near the ground", int(found.crests.max()), "", "", ""),
        ("most crests on a whole ring", int(found.crests_around.max()), "", "", ""),
        ("frames with crests during the spin", 100 * len(wrinkled) / (len(found.time) - 1), "%", "", ""),
        ("patch area before the spin", found.area[0], "m^2", "", ""),
        ("patch area during the spin, mean", found.area[spinning].mean(), "m^2", "", ""),
        ("patch area during the spin, least", found.area[spinning].min(), "m^2", "", ""),
        ("patch area during the spin, largest", found.area[spinning].max(), "m^2", "", ""),
        ("load before the spin", load[0], "N", "", ""),
        ("largest traction", traction.max(), "N", "", ""),
        ("largest traction over load", (traction / load).max(), "", f"< {friction.get('static', friction['dynamic'])}", "static friction"),
        ("mean traction over load", traction.mean() / load.mean(), "", "", ""),
        ("share of the patch that sticks, mean over the spin", 100 * found.stick[spinning].mean(), "%", "", ""),
        ("share of the patch that sticks, least", 100 * found.stick.min(), "%", "", ""),
    ]
    if len(wrinkled):
        rows.insert(0, ("first crest", found.time[wrinkled[0]], "s", "", ""))
    return rows


def cost_rows(run):
    total = run.report["costs"]["total"]
    return [
        ("triangles", run.report["elements"], "", "", ""),
        ("steps", total["steps"], "", "", ""),
        ("Newton iterations per step", total["newton_iterations"] / total["steps"], "", "", ""),
        ("seconds", total["seconds"], "s", "", ""),
    ]


def summary(run):
    if not has_spun(run):
        return cost_rows(run)
    found = measures(run)
    time, pressure, contacts = map(numpy.array, run.columns("time", "tire.pressure", "grip.contacts"))
    filled = run.scene["bodies"]["tire"]["volume"]["inflation"][-1]["time"]
    free = (time >= filled - 1e-9) & (contacts == 0)
    return [
        ("gauge pressure before the ground is touched", pressure[free].mean() / 101325, "atm", 0.68, SOURCE),
        ("gauge pressure before the spin", pressure[time <= spin_start(run) + 1e-9][-1] / 101325, "atm", "", ""),
        ("deflection at the ground", found.deflection * 1e3, "mm", "", ""),
        ("patch length before the spin", found.patch_length[0], "m", "", ""),
        *rows_of(run),
        *cost_rows(run),
    ]


def draw(panels, run, **style):
    found = measures(run)
    time, traction, load = during_spin(run)
    panels[0].plot(found.time, found.peak * 1e3, "-", label=run.label or "largest amplitude", **style)
    panels[1].plot(found.time, found.crests, "-", label=run.label or "near the ground", **style)
    panels[2].plot(found.time, found.area * 1e4, "-", **style)
    panels[3].plot(time, traction / load, "-", **style)
    panels[4].plot(found.time, 100 * found.stick, "-", label=run.label or "sticks", **style)


def panels_over_time():
    figure, panels = pyplot.subplots(5, 1, figsize=(8, 11), sharex=True, constrained_layout=True)
    for panel, name in zip(panels, ("wrinkles [mm]", "crests on a ring", "patch area [cm²]", "traction / load", "share of the patch [%]")):
        panel.set_ylabel(name)
    panels[-1].set_xlabel("time [s]")
    return figure, panels


def pictures(run):
    if not has_spun(run):
        return
    out, found = run.directory, measures(run)
    figure, panels = panels_over_time()
    draw(panels, run, color="C0")
    panels[0].plot(found.time, found.rms * 1e3, "--", color="C1", label="rms near the ground")
    panels[1].plot(found.time, found.crests_around, "--", color="C1", label="all around")
    panels[4].plot(found.time, 100 - 100 * found.stick, "--", color="C1", label="slips")
    for panel in (panels[0], panels[1], panels[4]):
        panel.legend(frameon=False, fontsize=8)
    for panel in panels:
        panel.set_ylim(bottom=0)
    figure.savefig(out / "tire_history.png", dpi=120)
    pyplot.close(figure)

    onset = next(iter(found.wrinkled()), 0)
    calm = next((i for i in range(onset, len(found.time)) if not found.crests[i]), 0)
    shown = {0, onset, calm, int(found.crests_around.argmax()), int(found.peak.argmax())}
    numbers = ",".join(str(found.first + i) for i in sorted(shown))
    views = {"side": (-90, 5, "none"), "oblique": (-40, 8, "none"), "below": (-65, -35, "contact_pressure")}
    for name, (azimuth, elevation, colour) in views.items():
        run.postprocess("render_fields.py", out, "--sheet", out / f"tire_{name}.png", "--frames", numbers, "--color", colour, f"--azimuth={azimuth}", f"--elevation={elevation}",
                        "--sheet-size", "400x400")
    sheets = [pyplot.imread(out / f"tire_{name}.png")[:, :, :3] for name in views]
    pyplot.imsave(out / "tire.png", numpy.concatenate(sheets))


def study(runs, directory):
    figure, panels = panels_over_time()
    rows = []
    for number, run in enumerate(runs):
        if run.gave_up:
            continue
        draw(panels, run, color=f"C{number}", linewidth=1.2)
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run) + cost_rows(run)]
    for panel in panels:
        panel.set_ylim(bottom=0)
    panels[0].legend(frameon=False, fontsize=8)
    figure.savefig(directory / "tire_study.png", dpi=120)
    return rows
