"""Free tops against the closed form of Euler's equations in Jacobi's elliptic functions: order of the schemes, closed polhodes, flips of the middle axis."""

import math
import unittest

import numpy

from closed_forms import expect_closed_form
from test_rigid import INERTIA, SIDES, euler_top, quaternion, top, turn_between, turned
from traction_runs import ShortRunTest, box_text

SECOND_ORDER = ("tr_sdirk2", "tr_bdf2", "trapezoidal", "bdf2", "generalized_alpha")   # sdirk2 loses its order to stiff rigid bodies (docs/theory/rigid.md, "Stiffness")
STEPS = 256, 512   # in a period, in which the top makes about two turns
# What is compared: what may be wrong with it, and the source of what is expected.
COMPARED = {"orientation": ("after a period [rad]", 0.01, "Euler's equations, by Runge and Kutta"), "angular velocity in the body": ("largest error in a period, over its size", 0.005, "Jacobi's elliptic functions"),
            "angular momentum": ("largest error in a period, over its size", 1e-3, "is kept"), "polhode": ("distance of its ends, over the angular velocity", 0.005, "closed after a period of Jacobi's functions")}


def quarter_period(m):
    """Complete elliptic integral of the first kind of the parameter m = k²: π / 2 over the arithmetic-geometric mean of 1 and √(1 - m)."""
    a, b = 1.0, math.sqrt(1 - m)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def jacobi(u, m):
    """sn, cn and dn of u for the parameter m, by the arithmetic-geometric mean (Abramowitz and Stegun 16.4)."""
    a, b, c = 1.0, math.sqrt(1 - m), math.sqrt(m)
    ratios = []
    while c > 1e-16:
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        ratios.append(c / a)
    angle = 2 ** len(ratios) * a * u
    for ratio in reversed(ratios):
        angle = (angle + math.asin(ratio * math.sin(angle))) / 2
    sine = math.sin(angle)
    return sine, math.cos(angle), math.sqrt(1 - m * sine**2)


class Polhode:
    """Period of the angular velocity of a free brick in the body, and, if it begins without spin about y, the middle axis, this velocity (Landau and Lifshitz, Mechanics, § 37)."""

    def __init__(self, spin):
        self.spin = numpy.array(spin, dtype=float)
        energy, momentum = (INERTIA * self.spin**2).sum(), ((INERTIA * self.spin)**2).sum()   # twice the energy; the momentum's square
        low, middle, high = INERTIA
        about_z, about_x = momentum - energy * low, energy * high - momentum
        self.is_about_z = momentum > energy * middle   # the spin about z never turns over; otherwise that about x
        pace = (high - middle) * about_z, (middle - low) * about_x
        self.m = min(pace) / max(pace)
        self.rate = math.sqrt(max(pace) / INERTIA.prod())
        self.about_y = math.sqrt((about_x if self.is_about_z else about_z) / (middle * (high - middle if self.is_about_z else middle - low)))

    @property
    def period(self):
        return 4 * quarter_period(self.m) / self.rate

    def at(self, time):
        sn, cn, dn = jacobi(self.rate * time, self.m)
        return numpy.array([self.spin[0] * (cn if self.is_about_z else dn), self.about_y * sn, self.spin[2] * (dn if self.is_about_z else cn)])


def spins_in_body(history):
    """Angular velocities in the body, one row for each of the history's."""
    orientations = numpy.stack([history[f"top.q{c}"] for c in "wxyz"], axis=1)
    spins = numpy.stack([history[f"top.w{c}"] for c in "xyz"], axis=1)
    return numpy.array([turned(q * [1, -1, -1, -1], w) for q, w in zip(orientations, spins)])


class FreeTops(ShortRunTest):
    SPIN = (6, 0, 12)

    def setUp(self):
        super().setUp()
        self.write("brick.msh", box_text((3, 2, 1), SIDES))

    def test_closed_form_is_that_of_eulers_equations(self):
        for spin in (self.SPIN, (12, 0, 6), (1, 0, 0.7)):
            for time in (0.1, 0.7):
                orientation, velocity = euler_top(spin, time, 2000)
                numpy.testing.assert_allclose(turned(orientation * [1, -1, -1, -1], velocity), Polhode(spin).at(time), atol=1e-9)

    def test_a_period_by_schemes_of_second_order(self):
        """After a period of Jacobi's functions the angular velocity in the body is back where it began. It, the orientation and the angular momentum are off by the second order of the step."""
        polhode = Polhode(self.SPIN)
        end, momentum, size = polhode.period, INERTIA * polhode.spin, numpy.linalg.norm(self.SPIN)
        orientation, _ = euler_top(self.SPIN, end, 4000)
        for integrator in SECOND_ORDER:
            errors = {what: [] for what in COMPARED}
            for count in STEPS:
                history = self.simulate(top(self.SPIN, end, end / count, f", integrator: {integrator}"), out=f"{integrator}{count}").history
                self.assertEqual(len(history["step"]), count)
                spins, momenta = spins_in_body(history), numpy.stack([history[f"top.l{c}"] for c in "xyz"], axis=1)
                expected = numpy.array([polhode.at(time) for time in history["time"]])
                errors["angular velocity in the body"].append(numpy.linalg.norm(spins - expected, axis=1).max() / size)
                errors["polhode"].append(numpy.linalg.norm(spins[-1] - polhode.spin) / size)
                errors["angular momentum"].append(numpy.linalg.norm(momenta - momentum, axis=1).max() / numpy.linalg.norm(momentum))
                errors["orientation"].append(turn_between(orientation, quaternion({name: column[-1] for name, column in history.items()})))
            same = {"field": "rigid bodies", "mesh": "brick", "step": f"{integrator}, {STEPS[-1]} a period"}
            for what, (coarse, fine) in errors.items():
                order = math.log2(coarse / fine)
                print(f"\n  {integrator}: {what} off by {coarse:.2e}, {fine:.2e}; order {order:.2f}", flush=True)
                self.assertGreater(order, 1.9)
                case, tolerance, source = COMPARED[what]
                expect_closed_form(self, case=f"free top, {integrator}: {what}, {case}", source=source, expected=0, got=float(fine), scale=1, tolerance=tolerance, **same)

    def test_spin_about_the_middle_axis_turns_over_again_and_again(self):
        """It passes through zero after a quarter of the period and every half of it."""
        polhode = Polhode((0, 20, 2))
        history = self.simulate(top(polhode.spin.tolist(), 5.2 / 4 * polhode.period, 1e-3)).history
        about, time = spins_in_body(history)[:, 1], history["time"]
        turning = numpy.flatnonzero(about[:-1] * about[1:] < 0)
        times = time[turning] + (time[turning + 1] - time[turning]) * about[turning] / (about[turning] - about[turning + 1])
        self.assertEqual(len(times), 3)
        for number, found in enumerate(times):
            expect_closed_form(self, field="rigid bodies", case=f"spin about the middle axis: time of flip {number + 1}", source="(2 n - 1) K(m) / rate (Jacobi's elliptic functions)",
                               expected=(2 * number + 1) * polhode.period / 4, got=float(found), tolerance=5e-3, mesh="brick", step="1 ms")


if __name__ == "__main__":
    unittest.main()
