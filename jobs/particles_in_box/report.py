"""Report of the balls in a box: energy, momentum, smallest gap, events, and whether anything passes through anything."""

import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
import event_report  # noqa: E402

VIEW = ("--azimuth", "-65", "--elevation", "15", "--clip")


def changes(columns, name):
    """The largest change of a vector over time, and its largest component."""
    values = numpy.stack([columns[f"{name}_{axis}"] for axis in "xyz"])
    return float(numpy.abs(values - values[:, :1]).max()), float(numpy.abs(values).max())


def summary(run):
    columns, rows = event_report.history(run), event_report.rows_of_run(run)
    for name, unit in (("momentum", "kg m/s"), ("angular_momentum", "kg m2/s")):
        change, size = changes(columns, name)
        rows += [(f"largest component of {name}", size, unit, "", ""), (f"largest change of {name}", change, unit, "0 where the box is free and nothing weighs", "P4 Fig. 4")]
    return [*rows, ("taken by restitution", float(columns["lost_by_restitution"][-1]), "J", "", "")]


def pictures(run):
    event_report.energy_picture(run.directory / "energy.png", [("", event_report.history(run))])
    run.render("frames.png", (0, 20, 60, 120, 200), *VIEW)
    event_report.film(run, "particles_in_box.mp4", *VIEW)


def study(runs, directory):
    event_report.energy_picture(directory / "particles_in_box.png", [(run.label, event_report.history(run)) for run in runs])
    return event_report.labelled(runs)
