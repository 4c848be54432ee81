"""Rods that touch: what rolls, ropes over cylinders and rods, knots."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import RunTest

GRAVITY = 9.81


def table(points):
    return "".join(" ".join(f"{x:.17g}" for x in point) + "\n" for point in points)


def straight(start, end, segments):
    return [[a + (b - a) * k / segments for a, b in zip(start, end)] for k in range(segments + 1)]


def rod(radius, modulus, density=1000, **more):
    return {"rod": {"radius": radius, "youngs_modulus": modulus, "poisson_ratio": 0.5, "density": density, **more}}


class RodContact(RunTest):
    def expect(self, case, **values):
        expect_closed_form(self, field="contact of rods", case=case, **values)


class Rolling(RodContact):
    """A stiff rod along x that rolls down towards -y, by friction that turns it."""

    RADIUS, LENGTH, SLOPE = 0.01, 0.1, 0.2
    THICKNESS, TIME = 1e-4, 0.2

    def roll(self, out, friction=0.5, ranks=1, **scene):
        across = 1.5 * self.THICKNESS
        self.write("roller.txt", table(straight((-self.LENGTH / 2, 0, self.RADIUS + across), (self.LENGTH / 2, 0, self.RADIUS + across), 4)))
        down = [0, -GRAVITY * math.sin(self.SLOPE), -GRAVITY * math.cos(self.SLOPE)]
        bodies = {"roller": {"mesh": "roller.txt", "rod": rod(self.RADIUS, 1e7)}, **scene.pop("bodies", {})}
        contact = {"thickness": self.THICKNESS, "friction": {"dynamic": friction, "tolerance": 1e-4}, **scene.pop("contact")}
        scene = {"time": {"step": 1e-3, "end": self.TIME}, "gravity": down, "bodies": bodies, "contacts": {"touch": contact}, **scene}
        history = self.simulate(json.dumps(scene), out=out, ranks=ranks).history
        v = history["roller.vy"]
        t = history["time"]
        late = t > self.TIME / 2
        return numpy.polyfit(t[late], v[late], 1)[0]

    def expect_rolling(self, what, **arguments):
        about = {"mesh": "4 segments", "step": "1 ms"}
        down = GRAVITY * math.sin(self.SLOPE)
        self.expect(f"rod that rolls down {what}: acceleration", source="2/3 g sin α", expected=-2 / 3 * down, got=self.roll("rolls", **arguments), tolerance=0.01, **about)
        # Friction holds what rolls if its coefficient is at least a third of the slope; with half of that the rod slides as well.
        friction = math.tan(self.SLOPE) / 6
        slides = -(down - friction * GRAVITY * math.cos(self.SLOPE))
        self.expect(f"rod that slides and rolls down {what}: acceleration", source="g (sin α − μ cos α)", expected=slides, got=self.roll("slides", friction=friction, **arguments), tolerance=0.01, **about)

    def test_plane(self):
        self.expect_rolling("a plane", contact={"vertices": "roller", "against": "floor"}, surfaces={"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}})

    def test_box(self):
        self.expect_rolling("a box", contact={"vertices": "roller", "against": "floor"}, surfaces={"floor": {"box": {"lower": [-1, -1, -1], "upper": [1, 1, 0]}}})

    def test_rails(self):
        for name, x in (("left", -0.03), ("right", 0.03)):
            self.write(name + ".txt", table(straight((x, -0.4, -0.005), (x, 0.1, -0.005), 13)))
        rails = {name: {"mesh": name + ".txt", "rod": rod(0.005, 1e7), "fixed": "rod"} for name in ("left", "right")}
        self.expect_rolling("rails", bodies=rails, contact={"all": True})

    def test_ranks(self):
        accelerations = [self.roll(f"ranks{ranks}", ranks=ranks, contact={"vertices": "roller", "against": "floor"}, surfaces={"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}) for ranks in (1, 2, 4)]
        numpy.testing.assert_allclose(accelerations[1:], accelerations[0], rtol=1e-5)


class Capstan(RodContact):
    """A rope over a bar along y, that is pulled down at one end and by a weight at the other."""

    RADIUS, BAR, FRICTION, LOAD = 2e-4, 0.1, 0.3, 1.0

    def pull(self, turns, out, bar, contact, **scene):
        """The ratio of the forces at the ends of a rope that is wound around half a turn, and so many whole turns more."""
        count = 60 + 120 * turns
        angle = numpy.linspace(0, math.pi * (1 + 2 * turns), count + 1)
        around = self.BAR + self.RADIUS + 5e-5
        pitch = 4e-3 / (2 * math.pi)
        # It leaves the bar straight down on both sides.
        wound = numpy.column_stack([-around * numpy.cos(angle), pitch * angle, around * numpy.sin(angle)])
        down = numpy.linspace(0.05, 0, 11)[:-1, None]
        points = numpy.vstack([wound[0] - down * [0, 0, 1], wound, wound[-1] - down[::-1] * [0, 0, 1]])
        self.write("rope.txt", table(points))
        speed = 1e-2
        rope = {"mesh": "rope.txt", "rod": rod(self.RADIUS, 1e9, natural="straight"), "driven": [{"vertices": "last_point", "motion": {"velocity": [0, 0, -speed]}}],
                "loads": {"weight": {"region": "first_point", "force": [0, 0, -self.LOAD]}}, "damping": {"mass": 20}}
        scene = {"time": {"step": 1e-3, "end": 0.5}, "bodies": {"rope": rope, **bar}, "contacts": {"touch": {"thickness": 1e-4, "friction": {"dynamic": self.FRICTION, "tolerance": 1e-4}, **contact}}, **scene}
        history = self.simulate(json.dumps(scene), out=out).history
        return -history["rope.last_point.fz"][-100:].mean() / self.LOAD

    def test_cylinder(self):
        surfaces = {"bar": {"cylinder": {"point": [0, 0, 0], "axis": [0, 1, 0], "radius": self.BAR}}}
        for turns in (0, 1):
            got = self.pull(turns, f"turns{turns}", {}, {"vertices": "rope", "against": "bar"}, surfaces=surfaces)
            self.expect(f"rope over a cylinder, {turns + 0.5} turns: ratio of forces", source="exp(μ θ)", expected=math.exp(self.FRICTION * math.pi * (1 + 2 * turns)), got=got, tolerance=0.01,
                        mesh="segments of 3°", step="1 ms")


if __name__ == "__main__":
    unittest.main()
