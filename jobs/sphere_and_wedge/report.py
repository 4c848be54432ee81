"""Report of the sphere in the wedge: energy, smallest gap, events, and whether anything passes through anything."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))
import event_report  # noqa: E402

VIEW = ("--azimuth", "-65", "--elevation", "15")


def summary(run):
    return event_report.rows_of_run(run)


def pictures(run):
    event_report.energy_picture(run.directory / "energy.png", [("", event_report.history(run))])
    run.render("frames.png", (0, 15, 25, 35, 50, 70), *VIEW)
    event_report.film(run, "sphere_and_wedge.mp4", *VIEW)


def study(runs, directory):
    event_report.energy_picture(directory / "sphere_and_wedge.png", [(run.label, event_report.history(run)) for run in runs])
    return event_report.labelled(runs)
