"""Rods that touch: what rolls, ropes over cylinders and rods, knots."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import Shape, box
from traction_runs import ShortRunTest

GRAVITY = 9.81


def table(points):
    return "".join(" ".join(f"{x:.17g}" for x in point) + "\n" for point in points)


def straight(start, end, segments):
    return [[a + (b - a) * k / segments for a, b in zip(start, end)] for k in range(segments + 1)]


def rod(radius, modulus, density=1000, **more):
    return {"rod": {"radius": radius, "youngs_modulus": modulus, "poisson_ratio": 0.5, "density": density, **more}}


class RodContact(ShortRunTest):
    def expect(self, case, **values):
        expect_closed_form(self, field="contact of rods", case=case, **values)


class Rolling(RodContact):
    """A stiff rod along x that rolls down towards -y, by friction that turns it."""

    RADIUS, LENGTH, SLOPE, TIME = 0.01, 0.1, 0.2, 0.2
    # In a contact a tenth of the radius thick the rod's weight rests near this gap, and it rolls on its own radius all the same.
    SOFT, PRESSURE = {"thickness": RADIUS / 10, "gap": 0.6 * RADIUS / 10}, {"pressure": 1000}

    def roll(self, out, friction=0.5, ranks=1, thickness=1e-4, gap=1.5e-4, **scene):
        self.write("roller.txt", table(straight((-self.LENGTH / 2, 0, self.RADIUS + gap), (self.LENGTH / 2, 0, self.RADIUS + gap), 4)))
        down = [0, -GRAVITY * math.sin(self.SLOPE), -GRAVITY * math.cos(self.SLOPE)]
        bodies = {"roller": {"mesh": "roller.txt", "rod": rod(self.RADIUS, 1e7)}, **scene.pop("bodies", {})}
        contact = {"thickness": thickness, "friction": {"dynamic": friction, "tolerance": 1e-4}, **scene.pop("contact")}
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
        self.expect_rolling("a plane", **self.SOFT, contact={**self.PRESSURE, "vertices": "roller", "against": "floor"}, surfaces={"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}})

    def test_box(self):
        self.expect_rolling("a box", **self.SOFT, contact={**self.PRESSURE, "vertices": "roller", "against": "floor"}, surfaces={"floor": {"box": {"lower": [-1, -1, -1], "upper": [1, 1, 0]}}})

    def test_rails(self):
        for name, x in (("left", -0.03), ("right", 0.03)):
            self.write(name + ".txt", table(straight((x, -0.4, -0.005), (x, 0.1, -0.005), 13)))
        rails = {name: {"mesh": name + ".txt", "rod": rod(0.005, 1e7), "fixed": "rod"} for name in ("left", "right")}
        self.expect_rolling("rails", bodies=rails, contact={"all": True})

    def test_a_ball_between_vertices_is_told(self):
        self.write("line.txt", table(straight((0, 0, 0.1), (1, 0, 0.1), 4)))
        scene = {"time": {"step": 1e-3, "end": 1e-3}, "bodies": {"line": {"mesh": "line.txt", "rod": rod(0.01, 1e7)}}, "surfaces": {"ball": {"sphere": {"center": [0.125, 0, 0], "radius": 0.05}}},
                 "contacts": {"touch": {"all": True, "thickness": 1e-3}}}
        outcome = self.simulate(json.dumps(scene))
        self.assertIn("'ball' is 0.1 m wide and touched by vertices that are up to 0.25 m apart", outcome.output + outcome.errors)

    def test_ranks(self):
        """More ranks than the rod has pieces of its own, too."""
        accelerations = [self.roll(f"ranks{ranks}", ranks=ranks, contact={"vertices": "roller", "against": "floor"}, surfaces={"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}) for ranks in (1, 2, 4)]
        numpy.testing.assert_allclose(accelerations[1:], accelerations[0], rtol=1e-5)


class Rollers(RodContact):
    """A block on two rods that are driven about their own axes, as on a conveyor."""

    RADIUS, SPIN, FRICTION, THICKNESS = 0.01, 20, 0.3, 4e-5

    def convey(self, out, ranks=1, motion={}, **friction):
        for name, x in (("left", -0.05), ("right", 0.05)):
            self.write(f"{name}.txt", table(straight((x, -0.1, 0), (x, 0.1, 0), 4)))
        self.write("block.msh", box((0.2, 0.1, 0.02), (4, 2, 1)).gmsh())
        rollers = {name: {"mesh": f"{name}.txt", "rod": rod(self.RADIUS, 1e9), "driven": [{"vertices": "rod", "motion": {"angular_velocity": [0, self.SPIN, 0], "about": [x, 0, 0], **motion}}]}
                   for name, x in (("left", -0.05), ("right", 0.05))}
        block = {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e7, "poisson_ratio": 0.3, "density": 1000}}, "initial": {"translate": [0, 0, self.RADIUS + 0.9 * self.THICKNESS]},
                 "damping": {"stiffness": 1e-3}}
        contacts = {name: {"vertices": "block", "against": name, "thickness": self.THICKNESS, "friction": {"dynamic": self.FRICTION, "tolerance": 1e-4, **friction}} for name in rollers}
        scene = {"time": {"step": 1e-3, "end": 0.15}, "gravity": [0, 0, -GRAVITY], "bodies": {"block": block, **rollers}, "contacts": contacts, "solver": {"tolerance": 1e-9}}
        return self.simulate(json.dumps(scene), out=out, ranks=ranks).history

    def test_they_convey_what_lies_on_them(self):
        about = {"mesh": "rods of 4 segments, block of 4 × 2 × 1 cells", "step": "1 ms"}
        speed, mass = self.SPIN * self.RADIUS, 1000 * 0.2 * 0.1 * 0.02
        histories = {ranks: self.convey(f"ranks{ranks}", ranks) for ranks in (1, 2)}
        alone = histories[1]
        early = (alone["time"] > 0.01) & (alone["time"] < 0.05)   # the block slides until 0.068 s
        self.expect("block on driven rollers: acceleration", source="μ g", expected=self.FRICTION * GRAVITY, got=numpy.polyfit(alone["time"][early], alone["block.vx"][early], 1)[0], tolerance=0.01, **about)
        self.expect("block on driven rollers: speed at last", source="ω r", expected=speed, got=alone["block.vx"][-1], tolerance=0.01, **about)
        numpy.testing.assert_allclose(histories[2]["block.vx"], numpy.interp(histories[2]["time"], alone["time"], alone["block.vx"]), rtol=0, atol=1e-6)
        for ranks, history in histories.items():
            with self.subTest(ranks=ranks):   # half of what drives the rollers becomes kinetic energy while the block slides from rest
                self.assertAlmostEqual(history["work_driven"][-1] / (mass * speed**2), 1, delta=0.02)
                self.assertAlmostEqual(-history["work_friction"][-1] / (mass * speed**2 / 2), 1, delta=0.02)
                self.assertLess(history["energy_numerical"].max(), 1e-4)
        # The spins of a lagged step are those of its stages, also where another rank owns the segments.
        lagged = {ranks: self.convey(f"lagged{ranks}", ranks, {"ramp": 0.1}, coupling="lagged") for ranks in (1, 2)}
        self.assertAlmostEqual(lagged[1]["block.vx"][-1] / speed, 1, delta=0.01)
        numpy.testing.assert_allclose(lagged[2]["block.vx"], numpy.interp(lagged[2]["time"], lagged[1]["time"], lagged[1]["block.vx"]), rtol=0, atol=1e-6)


class Capstan(RodContact):
    """A rope that is wound around a bar along y, with a weight at one end, and pulled at the other."""

    RADIUS, BAR, FRICTION, WEIGHT, THICKNESS = 2e-4, 0.1, 0.3, 0.5, 1e-4

    def pull(self, turns, out, contact, **scene):
        """The pull in weights. The rope comes from below and leaves the bar along its tangent."""
        angle = numpy.linspace(0, 2 * math.pi * turns, round(120 * turns) + 1)[:, None]
        around, pitch = self.BAR + self.RADIUS + self.THICKNESS / 2, 2e-3 / (2 * math.pi)
        wound = numpy.hstack([-around * numpy.cos(angle), pitch * angle, around * numpy.sin(angle)])
        tangent = numpy.array([math.sin(angle[-1, 0]), 0, math.cos(angle[-1, 0])])
        free = numpy.linspace(0, 0.05, 11)[1:, None]
        self.write("rope.txt", table(numpy.vstack([wound[0] - free[::-1] * [0, 0, 1], wound, wound[-1] + free * tangent])))
        ramp = [{"time": 0, "factor": 0.01}, {"time": 0.1, "factor": 1}]
        rope = {"mesh": "rope.txt", "rod": rod(self.RADIUS, 1e9), "driven": [{"vertices": "last_point", "motion": {"velocity": list(0.05 * tangent)}}],
                "loads": {"weight": {"region": "first_point", "force": [0, 0, -self.WEIGHT], "over": ramp}}}
        contact = {"thickness": self.THICKNESS, "pressure": 1e6, "friction": {"dynamic": self.FRICTION, "tolerance": 1e-3}, **contact}
        bodies = {"rope": rope, **scene.pop("bodies", {})}
        history = self.simulate(json.dumps({"time": {"step": 5e-3, "end": 0.4, "inertia": False}, "bodies": bodies, "contacts": {"touch": contact}, **scene}), out=out).history
        pull = sum(tangent[i] * history["rope.last_point.f" + "xyz"[i]] for i in range(3)) / self.WEIGHT
        self.assertLess(numpy.ptp(pull[-20:]), 0.01 * pull[-1])
        return pull[-20:].mean()

    def expect_capstan(self, what, turns, **arguments):
        self.expect(f"rope around {what}, {turns:g} turns: pull over weight", source="exp(μ θ)", expected=math.exp(self.FRICTION * 2 * math.pi * turns), got=self.pull(turns, f"turns{turns}", **arguments),
                    tolerance=0.01, mesh="segments of 3°", step="without inertia, 5 ms")

    def test_cylinder(self):
        for turns in (0.5, 1):
            self.expect_capstan("a cylinder", turns, contact={"vertices": "rope", "against": "bar"}, surfaces={"bar": {"cylinder": {"point": [0, 0, 0], "axis": [0, 1, 0], "radius": self.BAR}}})

    def test_rod(self):
        self.write("bar.txt", table(straight((0, -0.1, 0), (0, 0.1, 0), 7)))
        bar = {"bar": {"mesh": "bar.txt", "rod": rod(self.BAR, 1e9), "fixed": "rod"}}
        for turns in (0.5, 1):
            self.expect_capstan("a rod", turns, contact={"vertices": "rope", "against": "bar"}, bodies=bar)


class Strands(RodContact):
    """Two parallel rods of one body, which are within reach of each other from the start."""

    def test_strands_do_not_pass_through_each_other(self):
        radius, thickness, count = 1e-3, 1e-4, 9
        points = [(0.01 * k, 0, z) for z in (0, 2 * radius + 0.9 * thickness) for k in range(count)]
        lines = [f"1 2 {tag} {tag} {first + k} {first + k + 1}" for tag, first in ((1, 1), (2, 1 + count)) for k in range(count - 1)]
        points_of = [f"15 2 {tag} {tag} {first + k}" for tag, first in ((3, 1), (4, 1 + count)) for k in range(count)]
        nodes = "".join(f"{n} {x:.9g} {y:.9g} {z:.9g}\n" for n, (x, y, z) in enumerate(points, 1))
        elements = "".join(f"{n} {element}\n" for n, element in enumerate(lines + points_of, 1))
        self.write("strands.msh", '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n1 1 "lower"\n1 2 "upper"\n0 3 "held"\n0 4 "pressed"\n$EndPhysicalNames\n'
                   f"$Nodes\n{len(points)}\n{nodes}$EndNodes\n$Elements\n{len(lines + points_of)}\n{elements}$EndElements\n")
        material = rod(radius, 1e7)["rod"]
        press = {"press": {"region": "pressed", "force": [0, 0, -1]}}
        held = ["held", {"region": "pressed", "components": ["y"]}]   # so that the upper one does not roll off
        body = {"mesh": "strands.msh", "rod": {"lower": material, "upper": material}, "fixed": held, "loads": press, "damping": {"mass": 50}}
        scene = {"time": {"step": 1e-3, "end": 0.05}, "bodies": {"rope": body}, "contacts": {"strands": {"vertices": "rope", "against": "rope", "thickness": thickness}}}
        history = self.simulate(json.dumps(scene), ranks=2).history
        self.assertGreater(history["min_gap"].min(), 0)
        self.assertGreater(history["rope.z"].min(), radius)   # the mean of both
        self.expect("strand that is pressed on another: force on the other", source="F", expected=-1, got=-history["rope.held.fz"][-1], tolerance=1e-3, mesh="8 segments each", step="1 ms")


class Knots(RodContact):
    """A trefoil knot that is pulled tight: nothing passes through anything."""

    def knot(self, count):
        """A trefoil knot with long straight ends, of equal segments."""
        t = numpy.linspace(-1, 1, 4001) * 1.9
        x = numpy.column_stack([t**3 - 3 * t, t**4 - 4 * t**2, t**5 / 5 - 2 * t])   # Shastri's polynomial knot
        x = numpy.vstack([x[0] + (x[0] - x[1]) / numpy.linalg.norm(x[0] - x[1]) * numpy.linspace(3, 0, 200)[:-1, None], x])
        x = numpy.vstack([x, x[-1] + (x[-1] - x[-2]) / numpy.linalg.norm(x[-1] - x[-2]) * numpy.linspace(0, 3, 200)[1:, None]])
        s = numpy.concatenate([[0], numpy.cumsum(numpy.linalg.norm(numpy.diff(x, axis=0), axis=1))])
        return numpy.column_stack([numpy.interp(numpy.linspace(0, s[-1], count + 1), s, x[:, i]) for i in range(3)]) / s[-1]

    def test_tightening(self):
        radius, speed = 4e-3, 0.5
        self.write("rope.txt", table(self.knot(150)))
        ends = (self.knot(150)[-1] - self.knot(150)[0]) / numpy.linalg.norm(self.knot(150)[-1] - self.knot(150)[0])
        rope = {"mesh": "rope.txt", "rod": rod(radius, 1e6, natural="straight"), "damping": {"mass": 5},
                "driven": [{"vertices": region, "motion": {"velocity": list(sign * speed * ends)}} for region, sign in (("first_segment", -1), ("last_segment", 1))]}
        contact = {"vertices": "rope", "against": "rope", "thickness": 4e-4, "friction": {"dynamic": 0.2, "tolerance": 1e-3}}
        scene = {"time": {"step": 1e-3, "end": 0.4}, "bodies": {"rope": rope}, "contacts": {"self": contact}}
        runs = [self.simulate(json.dumps(scene), out=f"ranks{ranks}", ranks=ranks).history for ranks in (1, 2)]
        for history in runs:
            self.assertGreater(history["min_gap"].min(), 0)
            self.assertGreater(history["contacts"].max(), 20)
        pulls = [sum(ends[i] * history["rope.last_segment.f" + "xyz"[i]] for i in range(3)) for history in runs]
        numpy.testing.assert_allclose(pulls[1][-1], pulls[0][-1], rtol=1e-2)   # sums in another order let small vibrations come otherwise


class OnFaces(RodContact):
    """A rod that is pressed on a face, and dragged almost along its axis: it rolls sideways, and friction acts along the axis."""

    def drag(self, what, body, height):
        load, friction, run, across = 0.5, 0.3, 0.074, -0.012
        z = height + 2e-3 + 1e-4
        self.write("rod.txt", table(straight((-0.031, 0.007, z), (-0.031 + run, 0.007 + across, z), 12)))
        runner = {"mesh": "rod.txt", "rod": rod(2e-3, 1e8), "driven": [{"vertices": "rod", "components": ["x", "y"], "motion": {"velocity": [0.01, 0, 0]}}],
                  "loads": {"down": {"region": "rod", "force": [0, 0, -load]}}}
        contact = {"all": True, "thickness": 1e-4, "friction": {"dynamic": friction, "tolerance": 1e-4}}
        history = self.simulate(json.dumps({"time": {"step": 1e-3, "end": 0.2}, "bodies": {"runner": runner, "below": body}, "contacts": {"touch": contact}}), out="out").history
        self.assertGreater(history["min_gap"].min(), 0)
        self.expect(f"rod dragged over {what}: force", source="μ N cos α", expected=friction * load * run / math.hypot(run, across), got=history["runner.rod.fx"][-50:].mean(), tolerance=0.01, mesh="12 segments",
                    step="1 ms")

    def test_block(self):
        shape = box((0.1, 0.1, 0.1), (4, 4, 4))
        self.write("block.msh", shape.gmsh_with({"base": lambda corners: bool(numpy.all(abs(corners[:, 2]) < 1e-9))}))
        self.drag("a block", {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e7, "poisson_ratio": 0.3, "density": 1000}}, "fixed": "base"}, 0.1)

    def test_sheet(self):
        n = 8
        points = [(0.1 * i / n - 0.05, 0.1 * j / n - 0.05, 0.1) for i in range(n + 1) for j in range(n + 1)]
        corners = [(i * (n + 1) + j, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1, i * (n + 1) + j + 1) for i in range(n) for j in range(n)]
        triangles = [triangle for a, b, c, d in corners for triangle in ((a, b, c), (a, c, d))]
        self.write("sheet.msh", Shape(points, triangles).gmsh_with({}, {"rim": lambda p: max(abs(p[0]), abs(p[1])) > 0.0499}))
        self.drag("a sheet", {"mesh": "sheet.msh", "shell": {"shell": {"thickness": 4e-3, "youngs_modulus": 1e9, "poisson_ratio": 0.3, "density": 1000}}, "fixed": "rim"}, 0.102)


if __name__ == "__main__":
    unittest.main()
