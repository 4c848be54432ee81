"""What an impact of a ball on a plane z = 0 that does not move says: restitutions, spin, times. For the reports of superball and ball_oblique.

The ball comes with a velocity (vx1, 0, -vz1), and perhaps a spin w1 about y, and leaves with (vx2, 0, vz2) and w2. Forward spin is positive:
a ball that rolls has R w = vx.
"""

import math

import numpy

QUIET = 0.01   # part of the largest force below which a force does not count


class Impact:
    """An impact of the body `ball` in the contact `impact` of a run."""

    def __init__(self, run, radius):
        names = ("time", "dt", "impact.fx", "impact.fz", "impact.contacts", "ball.vx", "ball.vz", "ball.wy", "ball.ly")
        self.time, self.step, self.friction, self.force, contacts, vx, vz, self.spin, momentum = (numpy.array(column) for column in run.columns(*names))
        initial = run.scene["bodies"]["ball"]["initial"]
        self.vx1, self.vz1 = initial["velocity"][0], -initial["velocity"][2]
        self.w1 = initial.get("angular_velocity", [0, 0, 0])[1]
        self.speed, self.angle = math.hypot(self.vx1, self.vz1), math.degrees(math.atan2(self.vz1, self.vx1))
        self.radius, self.mass = radius, run.report["total_mass"]
        self.coefficient = run.scene["contacts"]["impact"]["friction"]["dynamic"]
        touching = numpy.flatnonzero(contacts > 0)
        # It has left for good where it rises and touches nothing.
        self.done = touching.size > 0 and touching[-1] + 1 < len(self.time) and vz[-1] > 0
        if not self.done:
            return
        flight = slice(touching[-1] + 1, None)
        # Its shape vibrates in flight, and so does the angular velocity that belongs to its momentum.
        self.vx2, self.vz2, self.w2 = vx[-1], vz[-1], self.spin[flight].mean()
        self.spin_momentum = momentum[-1] - momentum[0]
        self.inertia = momentum[-1] / self.w2 if abs(self.w2) > 1 else math.nan
        loud = numpy.flatnonzero(self.force > QUIET * self.force.max())
        self.start, self.stop = self.time[loud[0] - 1] if loud[0] > 0 else 0.0, self.time[loud[-1]]
        self.duration, self.largest = self.stop - self.start, self.force.max()
        self.half_time = self.time[numpy.flatnonzero(self.force > self.largest / 2)[0]] - self.start
        self.normal_impulse, self.tangential_impulse = (self.force * self.step).sum(), (self.friction * self.step).sum()

    @property
    def normal_restitution(self):
        return self.vz2 / self.vz1

    @property
    def tangential_restitution(self):
        """What becomes of the slip of a lowest point at the distance R: -1 without friction, 0 where the ball rolls off, 1 where slip is turned round."""
        return (self.radius * self.w2 - self.vx2) / (self.vx1 - self.radius * self.w1)

    @property
    def speed_ratio(self):
        return self.vx2 / self.vx1

    @property
    def spin_ratio(self):
        return self.radius * (self.w2 - self.w1) / self.speed

    @property
    def impulse_ratio(self):
        """Impulse of friction over that of the normal force, from the velocities: the coefficient of friction where the ball slides all the time."""
        return (self.vx1 - self.vx2) / (self.vz1 + self.vz2)

    @property
    def inertia_factor(self):
        return self.inertia / (self.mass * self.radius**2)

    @property
    def arm(self):
        """Arm at which friction's impulse would give the spin, over the radius. Below 1: the ball is flattened, or the normal force acts before its centre."""
        return self.spin_momentum / (self.mass * (self.vx1 - self.vx2) * self.radius)

    def reversals(self):
        """Times after the first touch at which friction changes its direction, counted where it exceeds a hundredth of its largest on both sides."""
        loud = numpy.flatnonzero(numpy.abs(self.friction) > QUIET * numpy.abs(self.friction).max())
        return [self.time[later] - self.start for earlier, later in zip(loud, loud[1:]) if self.friction[earlier] * self.friction[later] < 0]


def sliding(angle, coefficient, restitution, factor):
    """(speed ratio, tangential restitution, spin ratio) of a rigid ball of the inertia `factor` m R² that slides all the time, from an angle in degrees."""
    angle = numpy.radians(angle)
    lost = coefficient * (1 + restitution) * numpy.tan(angle)
    return 1 - lost, (1 + 1 / factor) * lost - 1, lost * numpy.cos(angle) / factor


def rows_of(impact):
    """Rows of a summary that need nothing published: the balance of momentum, contact and friction."""
    oblique = impact.vx1 > 0
    rows = [("angle of incidence from the surface", impact.angle, "degrees", "", ""), ("speed before", impact.speed, "m/s", "", "")]
    if not impact.done:
        return rows
    rows.append(("normal impulse over change of momentum", impact.normal_impulse / (impact.mass * (impact.vz1 + impact.vz2)), "", "1", "balance of momentum"))
    if oblique:
        balance = -impact.tangential_impulse / (impact.mass * (impact.vx1 - impact.vx2))
        rows.append(("friction's impulse over change of momentum", balance, "", "1", "balance of momentum"))
    rows += [("contact", impact.duration * 1e3, "ms", "", ""), ("largest force", impact.largest, "N", "", "")]
    if oblique:
        rows.append(("friction's impulse over normal impulse", impact.impulse_ratio, "", f"<= {impact.coefficient:g}", "Coulomb's law; equal where it slides"))
        rows.append(("changes of the friction's direction", len(impact.reversals()), "", "", ""))
        rows += [(f"change {number} of direction after", time * 1e6, "µs", "", "") for number, time in enumerate(impact.reversals(), 1)]
    return rows


def draw_forces(axes, impact, colour="C0", label=""):
    """Normal force, and friction dashed, in newtons over milliseconds since the first touch."""
    shown = (impact.time > impact.start - 1e-4) & (impact.time < impact.stop + 3e-4)
    time = (impact.time[shown] - impact.start) * 1e3
    axes.plot(time, impact.force[shown], color=colour, linewidth=1.2, label=label)
    if impact.vx1 > 0:
        axes.plot(time, impact.friction[shown], color=colour, linewidth=1.2, linestyle="--")
    axes.axhline(0, color="0.7", linewidth=0.6, zorder=0)
    axes.set(xlabel="time since the first touch [ms]", ylabel="force [N]")
