"""Friction acts on the surface of shells, half their thickness from their triangles: tubes that roll, and tubes that rub."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import Shape
from traction_runs import ShortRunTest

GRAVITY = 9.81
RADIUS, LENGTH, THICKNESS = 0.1, 0.05, 0.02
AROUND = 96


def tube(center, around=AROUND):
    """Along x, with two cells along it, whose squares are divided one way and the other."""
    rows = [[(x, center[1] + RADIUS * math.sin(2 * math.pi * k / around), center[2] - RADIUS * math.cos(2 * math.pi * k / around)) for k in range(around)] for x in (-LENGTH / 2, 0, LENGTH / 2)]
    triangles = []
    for row in range(2):
        for k in range(around):
            a, b = row * around + k, row * around + (k + 1) % around
            c, d = a + around, b + around
            triangles += [(a, b, d), (a, d, c)] if (row + k) % 2 == 0 else [(a, b, c), (b, d, c)]
    return Shape(sum(rows, []), triangles)


def shell(mesh, **more):
    return {"mesh": mesh, "shell": {"shell": {"youngs_modulus": 1e8, "poisson_ratio": 0.3, "density": 1000, "thickness": THICKNESS}}, **more}


class RollingTube(ShortRunTest):
    """A thin ring of mass m and radius r that rolls on a circle of radius ρ: its acceleration is g sin α / (1 + r²/ρ²)."""

    SLOPE, CONTACT = 0.2, 5e-4

    def roll(self, floor, out, ranks=1, end=0.3, around=AROUND, **settings):
        self.write("tube.msh", tube((0, 0, RADIUS + THICKNESS / 2 + 0.8 * self.CONTACT), around).gmsh())
        scene = {"time": {"step": 1e-3, "end": end}, **settings, "gravity": [0, -GRAVITY * math.sin(self.SLOPE), -GRAVITY * math.cos(self.SLOPE)],
                 "bodies": {"tube": shell("tube.msh")}, "surfaces": {"floor": floor},
                 "contacts": {"touch": {"vertices": "tube", "against": "floor", "thickness": self.CONTACT, "friction": {"dynamic": 0.5, "tolerance": 1e-4}}}}
        outcome = self.simulate(json.dumps(scene), out=out, ranks=ranks)
        history = outcome.history
        late = history["time"] > end / 3
        return outcome, numpy.polyfit(history["time"][late], history["tube.vy"][late], 1)[0], -history["tube.vy"][late].mean() / history["tube.wx"][late].mean()

    def expect_rolling(self, what, floor):
        outcome, acceleration, rolling_radius = self.roll(floor, "out")
        radius = RADIUS + THICKNESS / 2
        about = {"field": "contact of shells", "mesh": f"{AROUND} around", "step": "1 ms"}
        expect_closed_form(self, case=f"thick tube that rolls down {what}: acceleration", source="g sin α / (1 + r²/ρ²), ρ = r + t/2",
                           expected=-GRAVITY * math.sin(self.SLOPE) / (1 + (RADIUS / radius) ** 2), got=acceleration, tolerance=0.01, **about)
        expect_closed_form(self, case=f"thick tube that rolls down {what}: speed over spin", source="r + t/2", expected=radius,
                           got=rolling_radius, tolerance=0.01, **about)

    PLANE = {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}
    BOX = {"box": {"lower": [-1, -1, -1], "upper": [1, 1, 0]}}

    def test_plane(self):
        self.expect_rolling("a plane", self.PLANE)

    def test_box(self):
        self.expect_rolling("a box", self.BOX)

    def test_ranks(self):
        for floor in (self.PLANE, self.BOX):
            one, two, four = (self.roll(floor, f"out{ranks}", ranks, end=0.02, around=32, solver={"tolerance": 1e-10})[0].last_row() for ranks in (1, 2, 4))
            for row in (two, four):
                self.assert_rows_agree(one, row, 1e-8, ["tube.vx", "tube.vy", "tube.wx", "tube.wy"])


class RubbingTubes(ShortRunTest):
    """Two free tubes that spin the same way meet, and rub. Friction slows both down and pushes them aside; together they keep their angular momentum."""

    CONTACT, SPIN, SPEED = 2e-4, 20.0, 0.05

    def rub(self, out, ranks=1, end=0.02, around=AROUND, **settings):
        apart = RADIUS + THICKNESS / 2 + 0.6 * self.CONTACT
        bodies = {}
        for name, side in (("left", -1), ("right", 1)):
            self.write(f"{name}.msh", tube((0, side * apart, 0), around).gmsh())
            bodies[name] = shell(f"{name}.msh", initial={"velocity": [0, -side * self.SPEED, 0], "angular_velocity": [self.SPIN, 0, 0]})
        scene = {"time": {"step": 2e-4, "end": end}, **settings, "gravity": [0, 0, 0], "bodies": bodies,
                 "contacts": {"touch": {"vertices": "left", "against": "right", "thickness": self.CONTACT, "friction": {"dynamic": 0.5, "tolerance": 1e-3}}}}
        return self.simulate(json.dumps(scene), out=out, ranks=ranks)

    def test_angular_momentum_is_kept(self):
        outcome = self.rub("out")
        history = outcome.history
        mass = 1000 * 2 * math.pi * RADIUS * LENGTH * THICKNESS
        places = {name: numpy.array([history[f"{name}.{axis}"] for axis in "yz"]) for name in ("left", "right")}
        velocities = {name: numpy.array([history[f"{name}.v{axis}"] for axis in "yz"]) for name in ("left", "right")}
        total = sum(history[f"{name}.lx"] + mass * (places[name][0] * velocities[name][1] - places[name][1] * velocities[name][0]) for name in places)
        impulse = mass * abs(velocities["left"][1][-1])
        self.assertGreater(impulse, 0.02 * mass * self.SPIN * RADIUS)
        self.assertLess(abs(total[-1] - total[0]), 1.5 * impulse * self.CONTACT)   # friction acts on the two sides a gap apart

    def test_ranks(self):
        one, two, four = (self.rub(f"out{ranks}", ranks, end=0.004, around=32, solver={"tolerance": 1e-10}).last_row() for ranks in (1, 2, 4))
        for row in (two, four):
            self.assert_rows_agree(one, row, 1e-8, ["left.vy", "left.vz", "left.wx", "right.wx"])


if __name__ == "__main__":
    unittest.main()
