"""The account of energy in the history, which the columns must add up to."""

import numpy

WORKS = ("work_driven", "work_loads", "work_pressure", "work_friction", "work_damping", "work_contact_damping", "work_contact_stiffness", "work_plastic", "work_relaxation")


def energy(history):
    """Kinetic and stored energy of each row."""
    return sum(history[name] for name in history if name.endswith("_energy") and name != "stiffening_energy")


def assert_accounted_for(test, history):
    """The columns add up, from each row to the next."""
    change = numpy.diff(energy(history)) - numpy.diff(history["energy_numerical"]) - sum(numpy.diff(history[name]) for name in WORKS)
    scale = numpy.max(numpy.abs(energy(history))) + numpy.max(history["kinetic_energy"])
    test.assertLess(numpy.max(numpy.abs(change)), 1e-9 * scale)
