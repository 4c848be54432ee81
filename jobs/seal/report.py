"""Report of the seal: force, contact width and peak pressure over squeeze, beside Lindley's formula and Hertz's for a line contact."""

import math

import numpy
from field_frames import Frames

LINDLEY = "Lindley 1967, J. IRI 1: 209, with the modulus of plane strain E/(1 - ν²)"
HERTZ = "Hertz's line contact with Lindley's force"
BODIES = ("free", "grooved")
SHOWN = (0.1, 0.2, 0.3)


class Cord:
    """Sizes and moduli of a run's cord."""

    def __init__(self, run):
        body = run.scene["bodies"]["free"]
        sizes = body["mesh_parameters"]
        self.diameter, self.width = sizes["diameter"], sizes["width"]
        self.modulus = body["solid"]["rubber"]["youngs_modulus"]
        surfaces = run.scene["surfaces"]
        self.apart = surfaces["lid"]["plane"]["point"][2] - surfaces["bottom"]["plane"]["point"][2]
        motion = surfaces["lid"]["motion"]
        self.speed = -(motion[0] if isinstance(motion, list) else motion)["velocity"][2]
        self.run = run

    def squeeze(self, time):
        """What the distance of the plates is short of the diameter, in parts of it."""
        return 1 - (self.apart - self.speed * numpy.asarray(time)) / self.diameter

    def column(self, name):
        return numpy.array(self.run.columns(name)[0])

    def force(self, body):
        """Force of the lid per length of the cord, over E d."""
        return numpy.abs(self.column(f"{body}_lid.fz")) / self.width / (self.modulus * self.diameter)

    def contact_width(self, body):
        """Width of the contact with the lid over d, by the area of its vertices: uncertain by one element."""
        return self.column(f"{body}_lid.area") / self.width / self.diameter

    def peaks(self, body):
        """(squeeze, largest pressure over E) of each frame, on the lid's side of the cord."""
        frames, found = Frames(self.run.directory), []
        for index, time in enumerate(frames.times):
            if time == 0:   # the mesh before its first equilibrium
                continue
            frame = frames.read(index)
            x, z = frame.points[:, 0], frame.points[:, 2]
            here = (x < 0.01) == (body == "free")
            top = here & (z > z[here].mean() + 0.2 * self.diameter) & (numpy.abs(x - x[here].mean()) < 0.3 * self.diameter)
            # The two faces of the slice are the same place.
            pressure = frame.fields["contact_pressure"][top]
            found.append((float(self.squeeze(time)), float(numpy.sort(pressure)[-2:].mean()) / self.modulus))
        return numpy.array(found)


def lindley(squeeze):
    """Force per length over E d, of ν = 1/2 in plane strain."""
    return 4 / 3 * (1.25 * squeeze**1.5 + 50 * squeeze**6)


def hertz(force):
    """(width over d, peak pressure over E) of a cylinder of ν = 1/2 on a rigid plane under a force per length over E d."""
    return math.sqrt(6 * force / math.pi), math.sqrt(8 * force / (3 * math.pi))


def rows_of(run):
    cord = Cord(run)
    squeeze = cord.squeeze(cord.column("time"))
    rows = []
    for body in BODIES:
        force, width, peaks = cord.force(body), cord.contact_width(body), cord.peaks(body)
        for share in SHOWN:
            if squeeze[-1] < share - 1e-3:
                continue
            name = f"{body}, {100 * share:.0f} %"
            known = (f"{lindley(share):.4f}", LINDLEY) if body == "free" else ("", "")
            wide, peak = (f"{value:.3f}" for value in hertz(lindley(share))) if body == "free" else ("", "")
            source = HERTZ if body == "free" else ""
            rows += [(f"{name}: force over E d", float(numpy.interp(share, squeeze, force)), "", *known),
                     (f"{name}: contact width over d", float(numpy.interp(share, squeeze, width)), "", wide, source),
                     (f"{name}: peak pressure over E", float(numpy.interp(share, *peaks.T)), "", peak, source)]
    walls = [cord.column(f"grooved_{wall}.fx") / cord.width / (cord.modulus * cord.diameter) for wall in ("left", "right")]
    for name, force in zip(("left", "right"), walls):
        touched = numpy.flatnonzero(numpy.abs(force) > 1e-6)
        if touched.size:
            rows += [(f"squeeze at which the cord meets the {name} wall", float(squeeze[touched[0]]), "", "", ""), (f"force of the {name} wall over E d, at the end", float(abs(force[-1])), "", "", "")]
    stored, gained = cord.column("elastic_energy")[-1], cord.column("energy_numerical")
    # The mesh overlaps the plates' contact at the start; the first equilibrium releases what that stores.
    return [*rows, ("energy from numerical errors after the first step over stored energy", float((gained[-1] - gained[0]) / stored), "", "0", "balance of energy")]


def summary(run):
    spent = run.report["costs"]["total"]
    return [*rows_of(run), ("steps", spent["steps"], "", "", ""), ("Newton iterations per step", spent["newton_iterations"] / spent["steps"], "", "", ""), ("seconds", spent["seconds"], "s", "", "")]


def draw(run, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    cord = Cord(run)
    squeeze = cord.squeeze(cord.column("time"))
    smooth = numpy.linspace(1e-3, squeeze[-1], 200)
    figure, panels = pyplot.subplots(1, 3, figsize=(11.5, 3.6), constrained_layout=True)
    for body, colour in zip(BODIES, ("C0", "C1")):
        panels[0].plot(100 * squeeze, cord.force(body), color=colour, label=body)
        panels[1].plot(100 * squeeze, cord.contact_width(body), color=colour)
        peaks = cord.peaks(body)
        panels[2].plot(100 * peaks[:, 0], peaks[:, 1], "o-", color=colour, markersize=3)
    panels[0].plot(100 * smooth, lindley(smooth), "k--", linewidth=1, label="Lindley 1967, plane strain")
    panels[1].plot(100 * smooth, [hertz(lindley(value))[0] for value in smooth], "k--", linewidth=1)
    panels[2].plot(100 * smooth, [hertz(lindley(value))[1] for value in smooth], "k--", linewidth=1)
    for panel, name in zip(panels, ("force over E d", "contact width over d", "peak pressure over E")):
        panel.set(xlabel="squeeze [%]", ylabel=name, xlim=(0, None), ylim=(0, None))
    panels[0].legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def pictures(run):
    draw(run, run.directory / "squeeze.png")
    run.render("cords.png", (1, 7, 14, 20), "--azimuth", "-90", "--elevation", "0", "--color", "stress")


def study(runs, directory):
    rows = []
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
        draw(run, directory / f"{run.label.replace(' ', '_').replace(',', '')}.png")
    return rows
