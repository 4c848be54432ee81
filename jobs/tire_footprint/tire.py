"""What is published of the tire 205/60 R15, and what the three jobs with this tire measure alike."""

import math

import numpy

SOURCE = "TNO 2013, TNO_car205_60R15.tir, MF-Tyre/MF-Swift 6.2"
RADIUS, FREE = 0.3135, 0.9974              # [m] unloaded, and the free radius in parts of it
WIDTH, LOAD, PRESSURE = 0.205, 4000, 220e3   # [m], [N], [Pa] nominal
STIFFNESS, QUADRATIC = 209651.5, 15.416    # [N/m] at the nominal load, Q_FZ2
LENGTH, BREADTH = (0.6715, 0.7308), (1.0588, -1.1863)   # Q_RA1, Q_RA2 and Q_RB1, Q_RB2
ROLLING = (8.39, 0.2587, 0.07355)          # BREFF, DREFF, FREFF


def linear_term():
    """Q_FZ1, which follows from the stiffness at the nominal load."""
    return math.sqrt((STIFFNESS * RADIUS / LOAD) ** 2 - 4 * QUADRATIC)


def stiffer(pressure):
    """Factor on load and stiffness at another gas pressure [Pa]: PFZ1."""
    return 1 + 0.7097 * (pressure / PRESSURE - 1)


def published_load(deflection, pressure=PRESSURE):
    """Load [N] of a deflection [m]."""
    part = numpy.asarray(deflection) / RADIUS
    return stiffer(pressure) * LOAD * (linear_term() * part + QUADRATIC * part**2)


def published_deflection(load, pressure=PRESSURE):
    """Deflection [m] under a load [N]."""
    first = linear_term()
    return RADIUS * (math.sqrt(first**2 + 4 * QUADRATIC * load / LOAD / stiffer(pressure)) - first) / (2 * QUADRATIC)


def published_patch(load, pressure=PRESSURE):
    """Length and width [m] of the patch under a load [N]."""
    part = load / (stiffer(pressure) * STIFFNESS * RADIUS)
    return 2 * RADIUS * (LENGTH[0] * math.sqrt(part) + LENGTH[1] * part), 2 * WIDTH * (BREADTH[0] * part ** (1 / 3) + BREADTH[1] * part)


def published_rolling_radius(load):
    """Effective rolling radius [m], without torque and without the growth with speed."""
    low, peak, high = ROLLING
    return RADIUS * FREE - LOAD / STIFFNESS * (peak * math.atan(low * load / LOAD) + high * load / LOAD)


def magic(slip, stiffness, shape, peak, curvature):
    """The Magic Formula without shifts."""
    if peak == 0:
        return 0 * slip
    reduced = stiffness / (shape * peak) * slip
    return peak * numpy.sin(shape * numpy.arctan(reduced - curvature * (reduced - numpy.arctan(reduced))))


def published_braking(slip, load=LOAD):
    """Longitudinal force [N] over longitudinal slip at nominal pressure, without shifts: PCX1, PDX1, PDX2, PEX1, PEX2, PKX1, PKX2, PKX3."""
    more = load / LOAD - 1
    stiffness = load * (21.69 + 13.774 * more) * math.exp(-0.4119 * more)
    return magic(numpy.asarray(slip), stiffness, 1.579, load * (1.0422 - 0.0827 * more), 0.11185 + 0.3127 * more)


def published_cornering(angle, load=LOAD):
    """Size of the lateral force [N] over the slip angle [rad], without shifts: PCY1, PDY1, PDY2, PEY1, PEY2, PKY1, PKY2, PKY4."""
    more = load / LOAD - 1
    return magic(numpy.asarray(angle), published_cornering_stiffness(load), 1.3332, load * (0.8784 - 0.06445 * more), -0.8227 - 0.6062 * more)


def published_cornering_stiffness(load=LOAD):
    """[N/rad]."""
    return 15.314 * LOAD * math.sin(1.9896 * math.atan(load / (1.7044 * LOAD)))


def published_aligning(angle, load=LOAD):
    """Size of the aligning moment [N m], the lateral force times the pneumatic trail: QBZ1, QBZ2, QCZ1, QDZ1, QDZ2, QEZ1, QEZ2, without shifts and residual moment."""
    more, angle = load / LOAD - 1, numpy.asarray(angle)
    reduced = (11.692 - 1.3225 * more) * angle
    curvature = -2.17 + 1.0036 * more
    phase = 1.2793 * numpy.arctan(reduced - curvature * (reduced - numpy.arctan(reduced)))
    trail = RADIUS * load / LOAD * (0.08993 - 0.005979 * more) * numpy.cos(phase) * numpy.cos(angle)
    return trail * published_cornering(angle, load)


def published_resistance(load=LOAD, speed=16.7):
    """Rolling resistance [N] at the nominal pressure: QSY1, QSY3, QSY4."""
    return load * (0.00702 + 0.001515 * speed / 16.7 + 8.514e-5 * (speed / 16.7) ** 4)


def brush(slip, stiffness, friction, load):
    """Force of a brush with a parabola of pressure along the patch, over the theoretical slip: `stiffness` [N] is the slope at no slip."""
    part = stiffness * numpy.abs(slip) / (3 * friction * load)
    return friction * load * numpy.where(part < 1, 1 - (1 - numpy.minimum(part, 1)) ** 3, 1) * numpy.sign(slip)


def brush_moment(slip, stiffness, friction, load, length):
    """Aligning moment [N m] of the same brush, of a patch of this length."""
    part = numpy.minimum(stiffness * numpy.abs(slip) / (3 * friction * load), 1)
    return friction * load * length / 2 * part * (1 - part) ** 3


class Footprint:
    """Forces of one frame between tread and road, at vertices and on a regular grid of the road: two shears, along and across, and pressure [Pa], all on the tire."""

    def __init__(self, frame, contact="contact_force", cell=4e-3):
        faces, _ = frame.topology.surface
        force, pressure = frame.fields[contact], frame.fields["contact_pressure"]
        touching = pressure > 0
        self.force = force[touching].sum(axis=0)
        self.points = frame.points[touching]
        self.stress = numpy.zeros_like(force)   # force over area at rest
        self.stress[touching] = force[touching] * (pressure[touching] / force[touching, 2])[:, None]
        around = faces[touching[faces].any(axis=1)]
        # The tread's faces on the road: those that look down.
        corner = frame.points[around]
        normal = numpy.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
        around = around[normal[:, 2] < -0.5 * numpy.linalg.norm(normal, axis=1)]
        self.cell = cell
        low, high = frame.points[around.ravel(), :2].min(axis=0), frame.points[around.ravel(), :2].max(axis=0)
        first, last = numpy.floor(low / cell), numpy.ceil(high / cell)
        self.x, self.y = (cell * (numpy.arange(first[i], last[i]) + 0.5) for i in (0, 1))
        self.grid = self.sample(frame.points, around)

    def sample(self, points, triangles):
        """Linear on triangles, at the middles of the grid's cells: [x, y, 3]; 0 outside."""
        from matplotlib.tri import LinearTriInterpolator, Triangulation

        numbers, corners = numpy.unique(triangles, return_inverse=True)
        sheet = Triangulation(*points[numbers, :2].T, corners.reshape(-1, 3))
        finder = sheet.get_trifinder()
        place = numpy.meshgrid(self.x, self.y, indexing="ij")
        return numpy.stack([LinearTriInterpolator(sheet, self.stress[numbers, i], finder)(*place).filled(0) for i in range(3)], axis=-1)

    @property
    def load_of_grid(self):
        """Integral of the pressure over the grid [N]."""
        return self.grid[:, :, 2].sum() * self.cell**2

    def extent(self, least=1e4):
        """Length in the middle plane, largest width, and area [m, m, m^2] of where the pressure is above `least` [Pa]."""
        pressed = self.grid[:, :, 2] > least
        middle = numpy.abs(self.y) <= 0.5 * self.cell + 1e-9
        return pressed[:, middle].any(axis=1).sum() * self.cell, pressed.sum(axis=1).max() * self.cell, pressed.sum() * self.cell**2
