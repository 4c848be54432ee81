"""Contact with curved, turning and moving things against closed forms: bowls, turntables, slabs, restitution, two bodies that collide."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import box
from test_closed_forms_friction import FLOOR, GRAVITY, MATERIAL, ball
from test_closed_forms_motion import crossings
from traction_runs import RunTest


def bottom(corners):
    return bool(numpy.all(abs(corners[:, 2]) < 1e-9))


def top(height):
    return lambda corners: bool(numpy.all(abs(corners[:, 2] - height) < 1e-9))


class Contact(RunTest):
    def expect(self, case, **values):
        expect_closed_form(self, **{"field": "contact", "case": case, **values})

    def simulate_scene(self, time, bodies, contact, surfaces=None, gravity=GRAVITY, out="out", **more):
        scene = {"time": time, "gravity": [0, 0, -gravity], "bodies": bodies, "surfaces": surfaces or {}, "contacts": {"touch": contact}, **more}
        return self.simulate(json.dumps(scene), out=out).history

    def block(self, size, cells, name="block.msh"):
        self.write(name, box(size, cells).gmsh_with({"bottom": bottom, "top": top(size[2])}))

    def test_a_block_swings_in_a_bowl(self):
        # Without friction it does not turn with the bowl: as a pendulum whose length is the radius less where it touches, it moves as a point.
        self.write("ball.msh", ball(4, 0.05).gmsh())
        for shape, surface in (("spherical", {"sphere": {"center": [0, 0, 1], "radius": 1, "inside": True}}),
                               ("cylindrical", {"cylinder": {"point": [0, 0, 1], "axis": [0, 1, 0], "radius": 1, "inside": True}})):
            angle, length = 0.1, 0.95
            start = {"translate": [length * math.sin(angle), 0, 1 - length * math.cos(angle) + 5e-4]}
            history = self.simulate_scene({"step": 5e-3, "end": 2}, {"ball": {"mesh": "ball.msh", "solid": MATERIAL, "damping": {"stiffness": 1e-3}, "initial": start}},
                                          {"vertices": "ball", "against": "bowl", "thickness": 2e-3, "damping": 2}, {"bowl": surface}, out=shape)
            turns = crossings(history["time"], history["ball.x"])
            self.expect(f"frictionless ball in a {shape} bowl: period", source="2 π √((R − r)/g) (1 + θ²/16)", expected=2 * math.pi * math.sqrt(length / GRAVITY) * (1 + angle**2 / 16),
                        got=2 * (turns[1] - turns[0]), tolerance=0.01, mesh="ball, 4 × 4 × 4 cells", step="5 ms")

    def test_a_block_on_a_turntable(self):
        radius, spin, friction, tolerance, end = 0.2, 3.0, 0.5, 1e-3, 1.0
        self.block((0.05, 0.05, 0.03), (2, 2, 1))
        table = {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "motion": {"angular_velocity": [0, 0, spin]}}
        start = {"translate": [radius, 0, 9e-4], "velocity": [0, spin * radius, 0], "angular_velocity": [0, 0, spin], "equilibrium": True}
        history = self.simulate_scene({"step": 5e-3, "end": end}, {"block": {"mesh": "block.msh", "solid": MATERIAL, "damping": {"stiffness": 1e-4}, "initial": start}},
                                      {"vertices": "block.bottom", "against": "table", "thickness": 1e-3, "friction": {"dynamic": friction, "tolerance": tolerance}}, {"table": table})
        about = {"mesh": "block, 2 × 2 × 1 cells", "step": "5 ms"}
        angle = numpy.unwrap(numpy.arctan2(history["block.y"], history["block.x"]))
        out = numpy.hypot(history["block.x"], history["block.y"])
        creep = tolerance * (1 - math.sqrt(1 - spin**2 * radius / (friction * GRAVITY)))
        self.expect("block on a turntable: angle after 1 s", field="friction", source="ω t", expected=spin * end, got=angle[-1], tolerance=2e-3, **about)
        self.expect("block on a turntable: creep outwards", field="friction", source="ε (1 − √(1 − ω² r/(μ g)))", expected=creep * 0.5, got=out[-1] - out[99], tolerance=0.01, **about)

    def test_a_block_slides_on_a_free_slab(self):
        speed, friction, end = 0.5, 0.3, 0.25
        self.block((0.06, 0.06, 0.04), (3, 3, 1), "upper.msh")
        self.block((0.3, 0.12, 0.04), (10, 4, 1), "lower.msh")
        masses = 1000 * 0.04 * numpy.array([0.06 * 0.06, 0.3 * 0.12])
        for geometry in ("edges_and_faces", "smooth_surface"):
            bodies = {"upper": {"mesh": "upper.msh", "solid": MATERIAL, "initial": {"translate": [-0.08, 0, 0.04 + 1.97e-3], "velocity": [speed, 0, 0]}},
                      "lower": {"mesh": "lower.msh", "solid": MATERIAL, "initial": {"translate": [0, 0, 9.8e-4]}}}
            for body in bodies.values():
                body["damping"] = {"stiffness": 2e-4}
            scene = {"time": {"step": 2e-3, "end": end}, "gravity": [0, 0, -GRAVITY], "bodies": bodies, "surfaces": FLOOR, "contacts": {
                "ground": {"vertices": "lower.bottom", "against": "floor", "thickness": 1e-3},
                "touch": {"both": ["upper.bottom", "lower.top"], "geometry": geometry, "thickness": 1e-3, "friction": {"dynamic": friction, "tolerance": 1e-3}}}}
            history = self.simulate(json.dumps(scene), out=geometry).history
            about = {"field": "friction", "mesh": "blocks of 9 and 40 cells", "step": "2 ms"}
            together = masses[0] * speed / masses.sum()
            name = geometry.replace("_", " ")
            self.expect(f"block on a slab that slides freely ({name}): speed in the end", source="m₁ v/(m₁ + m₂)", expected=together, got=history["lower.vx"][-1], tolerance=0.01, **about)
            apart = history["upper.vx"] - history["lower.vx"] - 0.05 * speed
            self.expect(f"block on a slab that slides freely ({name}): time to a twentieth of its speed", source="0.95 v/(μ g (1 + m₁/m₂))",
                        expected=0.95 * speed / (friction * GRAVITY * (1 + masses[0] / masses[1])), got=crossings(history["time"], apart)[0], tolerance=0.01, **about)

    def test_restitution(self):
        # v dv/dx = -F(x) (1 + c v) / m whatever F: v - ln(1 + c v)/c has the same value before and, with -v', after.
        self.block((0.05, 0.05, 0.05), (1, 1, 1))
        for damping, speed in ((1, 0.5), (5, 0.5)):
            contact = {"vertices": "block.bottom", "against": "floor", "thickness": 1e-2, "pressure": 1e5, "damping": damping}
            body = {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e9, "poisson_ratio": 0, "density": 1000}}, "initial": {"translate": [0, 0, 0.0101], "velocity": [0, 0, -speed]}}
            history = self.simulate_scene({"step": 5e-5, "end": 0.03}, {"block": body}, contact, FLOOR, 0, f"damping{damping}")
            self.assertEqual(history["contacts"][-1], 0)
            value, low, high = speed - math.log(1 + damping * speed) / damping, 0.0, min(speed, (1 - 1e-12) / damping)
            while high - low > 1e-14:
                middle = (low + high) / 2
                low, high = (middle, high) if -middle - math.log(1 - damping * middle) / damping < value else (low, middle)
            self.expect(f"block that bounces with contact damping {damping} s/m: speed", source="v − ln(1 + c v)/c = −v′ − ln(1 − c v′)/c (Hunt and Crossley)", expected=low,
                        got=history["block.vz"][-1], tolerance=0.01, mesh="block of 1 cell, E = 1 GPa", step="0.05 ms")

    def test_two_balls_collide(self):
        radius, speed = 0.05, 1.0
        self.write("ball.msh", ball(8, radius).gmsh())
        bodies = {name: {"mesh": "ball.msh", "solid": MATERIAL, "initial": {"translate": [0, 0, z], "velocity": [0, 0, v]}} for name, z, v in (("lower", 0, speed), ("upper", 0.102, 0))}
        history = self.simulate_scene({"step": 1e-4, "end": 0.015}, bodies, {"both": ["lower", "upper"], "thickness": 1e-3}, gravity=0)
        self.assertEqual(history["contacts"][-1], 0)
        about = {"mesh": "balls, 8 × 8 × 8 cells", "step": "0.1 ms"}
        # A little is left in vibrations.
        self.expect("equal balls collide: speed of the one that was at rest", source="v", expected=speed, got=history["upper.vz"][-1], tolerance=0.02, **about)
        self.expect("equal balls collide: sum of speeds", source="is kept", expected=speed, got=history["upper.vz"][-1] + history["lower.vz"][-1], tolerance=1e-5, **about)


if __name__ == "__main__":
    unittest.main()
