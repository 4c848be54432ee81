"""What tests find out about bodies from the frames of a run."""

import sys

import numpy

from traction_runs import JOBS

sys.path.insert(0, str(JOBS.parent / "postprocess"))
from field_frames import Frames   # noqa: E402


def lumped_mass(directory, density):
    """Positions and masses of the vertices in the first frame: every tetrahedron's in equal shares on its own."""
    frame = Frames(directory).read(0)
    corners = frame.points[frame.topology.cells]
    volumes = numpy.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
    masses = numpy.zeros(len(frame.points))
    for corner in frame.topology.cells.T:
        numpy.add.at(masses, corner, density * volumes / 4)
    return frame.points, masses


def lumped_inertia(directory, density, axis):
    """Mass, and moment of inertia about a line along the axis whose coordinate is None, through the others."""
    points, masses = lumped_mass(directory, density)
    arms = sum((points[:, k] - place) ** 2 for k, place in enumerate(axis) if place is not None)
    return masses.sum(), float(masses @ arms)
