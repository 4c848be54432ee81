"""Rigid bodies on springs, gas, friction and wedges against closed forms: periods, amplitudes and speeds."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import box, extruded
from test_closed_forms_motion import crossings, extremes
from traction_runs import ShortRunTest, gmsh_text

GRAVITY = 9.81
FLOOR = {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}


class Machines(ShortRunTest):
    def run_scene(self, time, bodies, gravity=GRAVITY, **scene):
        return self.simulate(json.dumps({"time": time, "gravity": [0, 0, -gravity], "bodies": bodies, **scene})).history

    def expect(self, field, case, **values):
        expect_closed_form(self, field=field, case=case, **values)

    def test_a_gas_spring(self):
        """A heavy lid on a box of gas, whose walls resist next to nothing. A short blow starts it."""
        side, height, mass, index, gauge = 0.1, 0.2, 1.0, 1.4, 5e4
        shape = box((side, side, height), (2, 2, 4))
        used, numbers = numpy.unique(shape.triangles, return_inverse=True)
        points, triangles = shape.points[used], numbers.reshape(-1, 3)
        level = points[triangles, 2]
        lid, base = numpy.all(level > height - 1e-9, axis=1), numpy.all(level < 1e-9, axis=1)
        regions = {"lid": lid, "base": base, "wall": ~(lid | base), "skin": lid | True}
        self.write("box.msh", gmsh_text(points.tolist(), [], [(n, *t) for n, members in enumerate(regions.values(), 1) for t in triangles[members].tolist()],
                                        {n: (2, name) for n, name in enumerate(regions, 1)}))
        area = side**2
        period = 2 * math.pi / math.sqrt(index * (101325 + gauge) * area / (mass * height))
        sheet = {"youngs_modulus": 1e-3, "poisson_ratio": 0}
        body = {"mesh": "box.msh", "shell": {"lid": {**sheet, "density": mass / area}, "base": {**sheet, "density": 1e-6}, "wall": {**sheet, "density": 1e-6}},
                "fixed": ["base", {"region": "wall", "components": ["x", "y"]}, {"region": "lid", "components": ["x", "y"]}],
                "volume": {"surface": "skin", "gauge_pressure": gauge, "adiabatic_index": index},
                "loads": {"weight": {"region": "lid", "force": [0, 0, -gauge * area]},
                          "blow": {"region": "lid", "force": [0, 0, -20], "over": [{"time": 0, "factor": 1}, {"time": 1e-3, "factor": 1}, {"time": 1.0001e-3, "factor": 0}]}}}
        history = self.run_scene({"step": period / 100, "end": 3.3 * period}, {"box": body}, gravity=0, solver={"tolerance": 1e-8})
        later = history["time"] > 2e-3
        turns = crossings(history["time"][later], history["box.vz"][later])
        self.expect("volumes", "heavy lid on a box of air, compressed fast: period", source="2 π √(m h/(γ p A)), p the absolute pressure", expected=period,
                    got=2 * (turns[-1] - turns[0]) / (len(turns) - 1), tolerance=1e-3, mesh="box, 2 × 2 × 4 cells", step="100 a period")

    def test_coulomb_friction_ends_an_oscillation(self):
        mass, stiffness, friction, start = 1.0, 100.0, 0.1, 0.2
        self.write("block.msh", box((0.1, 0.1, 0.05)).gmsh())
        block = {"mesh": "block.msh", "rigid": {"mass": mass, "center": [0, 0, 0.025], "inertia": [1e-2, 1e-2, 1e-2]}, "initial": {"translate": [start, 0, 9e-4]}}
        contact = {"vertices": "block", "against": "floor", "thickness": 1e-3, "pressure": 1e4, "damping": 20, "friction": {"dynamic": friction, "tolerance": 1e-4}}
        history = self.run_scene({"step": 2e-3, "end": 1.4}, {"block": block}, surfaces=FLOOR, contacts={"touch": contact},
                                 springs={"spring": {"from": "block", "anchor": [-1, 0, 0.0255], "stiffness": stiffness, "rest_length": 1}})
        turns = extremes(history["time"], history["block.x"])
        about = {"mesh": "rigid block of 8 vertices", "step": "2 ms, 314 a period"}
        for number in (2, 4):
            self.expect("friction", f"block on a spring that slides to and fro: place of turn {number}", source="x₀ − 2 n μ m g/k", expected=start - 2 * number * friction * mass * GRAVITY / stiffness,
                        got=numpy.interp(turns[number - 1], history["time"], history["block.x"]), tolerance=5e-3, **about)
        self.expect("friction", "block on a spring that slides to and fro: half a period", source="π √(m/k), as without friction", expected=math.pi * math.sqrt(mass / stiffness),
                    got=turns[2] - turns[1], tolerance=5e-3, **about)

    def test_a_shaken_base(self):
        """The base moves on a circle without turning: a rotation, and the opposite one about another point. The spring and damper act alike in all directions."""
        mass, stiffness, damping, radius, rate = 1.0, 100.0, 8.0, 0.02, 15.0
        self.write("block.msh", box((0.1, 0.1, 0.1)).gmsh())
        rigid = {"mass": mass, "center": [0, 0, 0.05], "inertia": [1, 1, 1]}
        circle = [{"angular_velocity": [0, 0, rate], "about": [0, 0, 0]}, {"angular_velocity": [0, 0, -rate], "about": [radius, 0, 0]}]
        bodies = {"base": {"mesh": "block.msh", "rigid": rigid, "driven": [{"vertices": "solid", "motion": circle}]},
                  "block": {"mesh": "block.msh", "rigid": rigid, "initial": {"translate": [0, 0, 1]}}}
        period = 2 * math.pi / rate
        history = self.run_scene({"step": period / 100, "end": 9 * period}, bodies, gravity=0,
                                 springs={"spring": {"from": "block", "to": "base", "stiffness": stiffness, "damping": damping, "rest_length": 0}})
        x, y = history["block.x"][-100:], history["block.y"][-100:]
        got = numpy.hypot(x - x.mean(), y - y.mean()).mean()
        drag = damping * rate
        expected = radius * math.sqrt((stiffness**2 + drag**2) / ((stiffness - mass * rate**2)**2 + drag**2))
        self.expect("rigid motion", "block on a spring and damper, whose base circles: amplitude", source="r √((k² + (c ω)²)/((k − m ω²)² + (c ω)²))", expected=expected, got=got, tolerance=5e-3,
                    mesh="rigid", step="100 a turn")

    def test_a_block_rocks(self):
        half_width, half_height, step = 0.1, 0.3, 2e-3
        slope = math.atan(half_width / half_height)
        tilt, reach = slope / 2, math.hypot(half_width, half_height)
        shape = box((2 * half_width, 0.2, 2 * half_height), (2, 1, 1)).moved((half_width, 0, 0)).turned((0, 1, 0), -math.degrees(tilt)).moved((0, 0, 9e-5))
        self.write("block.msh", shape.gmsh())
        contact = {"vertices": "block", "against": "floor", "thickness": 1e-4, "pressure": 1e6, "friction": {"dynamic": 1}}
        history = self.run_scene({"step": step, "end": 0.28}, {"block": {"mesh": "block.msh", "rigid": {"density": 1000}}}, surfaces=FLOOR, contacts={"touch": contact})
        turned = 2 * numpy.arcsin(history["block.qy"])
        self.assertGreater(turned.max(), tilt)
        # Time from rest to level, by the energy; y² is the angle so far.
        y = math.sqrt(tilt) * (numpy.arange(2000) + 0.5) / 2000
        fallen = numpy.cos(slope - tilt) - numpy.cos(slope - tilt + y * y)
        expected = float(numpy.sum(2 * y / numpy.sqrt(1.5 * GRAVITY / reach * fallen))) * math.sqrt(tilt) / 2000
        end = int(numpy.argmax(turned >= tilt)) + 1
        self.expect("rigid motion", "block that rocks on its edges: time until it stands", source="∫ dφ/√(3 g/(2 R) (cos(α − θ) − cos(α − θ + φ))) (Housner 1963)", expected=expected,
                    got=float(numpy.interp(tilt, turned[:end], history["time"][:end])), tolerance=3e-3, mesh="rigid block of 12 vertices", step="2 ms")

    def test_a_block_slides_down_a_free_wedge(self):
        slope, heavy, light, time = math.radians(30), 2.0, 1.0, 0.2
        along, normal = numpy.array([math.cos(slope), 0, -math.sin(slope)]), numpy.array([math.sin(slope), 0, math.cos(slope)])
        height = 0.4 * math.tan(slope)
        wedge = extruded([(0, 0), (0.4, 0), (0, height)], [(0, 1, 2)], 0.2)
        block = box((0.05, 0.05, 0.05)).turned((0, 1, 0), math.degrees(slope)).moved(numpy.array([0, 0, height + 9e-4]) + 0.06 * along + 9.5e-4 * normal)
        self.write("wedge.msh", wedge.gmsh())
        self.write("block.msh", block.gmsh())
        bodies = {"wedge": {"mesh": "wedge.msh", "rigid": {"mass": heavy, "center": [0.13, 0, 0.07], "inertia": [0.02, 0.02, 0.02]}, "initial": {"translate": [0, 0, 9e-4]}},
                  "block": {"mesh": "block.msh", "rigid": {"mass": light, "center": block.centroid.tolist(), "inertia": [light * 0.05**2 / 6] * 3}}}
        contact = {"thickness": 1e-3, "pressure": 1e5, "damping": 20}
        history = self.run_scene({"step": 2e-3, "end": time}, bodies, surfaces=FLOOR,
                                 contacts={"floor": {"vertices": "wedge", "against": "floor", **contact}, "slope": {"both": ["block", "wedge"], **contact}})
        acceleration = light * GRAVITY * math.sin(slope) * math.cos(slope) / (heavy + light * math.sin(slope)**2)
        about = {"mesh": "rigid bodies of 6 and 8 vertices", "step": "2 ms"}
        self.expect("rigid bodies", "block slides down a wedge that slides: speed of the wedge", source="m g sin θ cos θ/(M + m sin² θ) t", expected=-acceleration * time, got=history["wedge.vx"][-1],
                    tolerance=3e-3, **about)
        self.expect("rigid bodies", "block slides down a wedge that slides: downward speed of the block", source="(1 + M/m) tan θ times that of the wedge",
                    expected=-(1 + heavy / light) * math.tan(slope) * acceleration * time, got=history["block.vz"][-1], tolerance=3e-3, **about)


class SlowRubber(ShortRunTest):
    def test_creep(self):
        """A cube of rubber, a part of whose stress relaxes, under a traction from the first step on."""
        shear, part, relaxation, traction, step = 1e5, 0.5, 0.2, 300.0, 5e-3
        cube = box((0.1, 0.1, 0.1)).moved((0.05, 0.05, 0))
        planes = {"left": (0, 0), "front": (1, 0), "below": (2, 0), "top": (2, 0.1)}
        self.write("cube.msh", cube.gmsh_with({name: lambda c, axis=axis, value=value: bool(numpy.all(abs(c[:, axis] - value) < 1e-9)) for name, (axis, value) in planes.items()}))
        rubber = {"material": "mooney_rivlin", "c10": shear / 2, "c01": 0, "bulk_modulus": 1e9, "density": 1000, "prony": [{"ratio": part, "time": relaxation}]}
        body = {"mesh": "cube.msh", "solid": {"solid": rubber}, "fixed": [{"region": region, "components": [c]} for region, c in (("left", "x"), ("front", "y"), ("below", "z"))],
                "loads": {"pull": {"region": "top", "traction": [0, 0, traction]}}}
        scene = json.dumps({"time": {"step": step, "end": 0.3, "inertia": False}, "bodies": {"cube": body}})
        history = self.simulate(scene).history
        modes = self.run_program("modes", scene, options=["--count", "1", "--out", self.folder / "modes"])
        self.assertEqual(modes.code, 0, modes.errors)
        self.assertIn("prony: modes have the stiffness of slow loading", modes.output + modes.errors)
        for time in (0.1, 0.3):
            expected = traction / (3 * shear) * (1 - part / (1 + part) * math.exp(-time / (relaxation * (1 + part))))
            # The first step counts as slow loading, half a step late.
            expect_closed_form(self, field="materials", case=f"creep of viscoelastic rubber under a pull: strain after {time} s", source="σ/(3 μ) (1 − g/(1 + g) e^(−t/(τ (1 + g))))",
                               expected=expected, got=float(numpy.interp(time, history["time"], history["cube.z"])) / 0.05 - 1, tolerance=5e-3, mesh="cube of 6 tetrahedra",
                               step="without inertia, 5 ms")


if __name__ == "__main__":
    unittest.main()
