"""Equilibria against closed forms: elasticity at small and large strain, thin strips that bend and buckle, hollow balls, contact of Hertz and of a flat punch."""

import json
import math
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import point_arrays, read_frame
from closed_forms import expect_closed_form
from edge_shapes import Shape, box
from traction_runs import JOBS, ShortRunTest


def at(axis, value):
    """Condition of a triangle: it lies in the plane where a coordinate has this value."""
    return lambda corners: bool(numpy.all(abs(corners[:, axis] - value) < 1e-9))


def root(function, low, high):
    """The root of a function that rises from below zero."""
    while high - low > 1e-14 * abs(high):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low


def solid(modulus, poisson_ratio, density=1000, law="neo_hookean"):
    return {"solid": {"youngs_modulus": modulus, "poisson_ratio": poisson_ratio, "density": density, "material": law}}


def rollers(**planes):
    return [{"region": region, "components": [component]} for region, component in planes.items()]


RAMP = [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]


class Equilibria(ShortRunTest):
    def equilibrium(self, mesh, body, steps=4, out="out", **scene):
        """History, rest positions and fields at the end of a run without inertia; `mesh` is a mesh's text, or the name of a file."""
        if not mesh.endswith(".geo"):
            self.write("body.msh", mesh)
            mesh = "body.msh"
        scene = {"time": {"step": 1 / steps, "end": 1, "inertia": False}, "bodies": {"body": {"mesh": mesh, **body}},
                 "output": {"every": 1, "fields": ["displacement", "contact_force"]}, **scene}
        history = self.simulate(json.dumps(scene), out=out).history
        frame = read_frame(sorted((self.folder / out).glob("fields_0*.hdf"))[-1])
        fields = point_arrays(frame)
        return history, vtk_to_numpy(frame.GetPoints().GetData()) - fields["displacement"], fields


class Elasticity(Equilibria):
    def expect(self, case, **values):
        expect_closed_form(self, field="elasticity", case=case, **values)

    def test_uniaxial_stretch(self):
        modulus, poisson_ratio = 1e5, 0.3
        mu, lame = modulus / (2 * (1 + poisson_ratio)), modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))

        def stress(law, stretch, across):
            """Nominal, of a body with the stretches (stretch, across, across), in the first direction; the same function gives that across."""
            if law == "neo_hookean":
                return mu * (stretch - 1 / stretch) + lame * math.log(stretch * across**2) / stretch
            return stretch * (mu * (stretch**2 - 1) + lame * ((stretch**2 - 1) / 2 + across**2 - 1))

        def stress_across(law, stretch, across):
            if law == "neo_hookean":
                return mu * (across - 1 / across) + lame * math.log(stretch * across**2) / across
            return across * (mu * (across**2 - 1) + lame * ((stretch**2 - 1) / 2 + across**2 - 1))

        cube = box((0.1, 0.1, 0.1), (2, 2, 2)).moved((0.05, 0.05, 0))
        text = cube.gmsh_with({"left": at(0, 0), "right": at(0, 0.1), "front": at(1, 0), "below": at(2, 0)})
        for law, stretch in (("neo_hookean", 2), ("neo_hookean", 0.5), ("saint_venant_kirchhoff", 1.5), ("saint_venant_kirchhoff", 0.7)):
            across = root(lambda s, law=law, stretch=stretch: stress_across(law, stretch, s), 0.3, 2)
            drive = {"vertices": "right", "components": ["x"], "motion": {"velocity": [0.1 * (stretch - 1), 0, 0]}}
            history, _, _ = self.equilibrium(text, {"solid": solid(modulus, poisson_ratio, law=law), "fixed": rollers(left="x", front="y", below="z"), "driven": [drive]}, steps=10,
                                             out=f"{law}{stretch}")
            self.expect(f"{law.replace('_', ' ')} cube stretched to {stretch}: force", source="∂W/∂λ, free across", expected=0.01 * stress(law, stretch, across),
                        got=history["body.right.fx"][-1], tolerance=1e-4, mesh="2 × 2 × 2 cells", step="without inertia, 10 steps")
            self.expect(f"{law.replace('_', ' ')} cube stretched to {stretch}: stretch across", source="∂W/∂λ, free across", expected=across, got=history["body.y"][-1] / 0.05, tolerance=1e-4,
                        mesh="2 × 2 × 2 cells", step="without inertia, 10 steps")

    def test_pressure_from_all_sides(self):
        modulus, poisson_ratio, pressure = 1e5, 0.3, 5e4
        mu, lame = modulus / (2 * (1 + poisson_ratio)), modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))
        stretch = root(lambda s: mu * (s - 1 / s) + 3 * lame * math.log(s) / s + pressure * s * s, 0.3, 1)
        cube = box((0.1, 0.1, 0.1), (2, 2, 2)).moved((0.05, 0.05, 0))
        text = cube.gmsh_with({"left": at(0, 0), "front": at(1, 0), "below": at(2, 0)})
        body = {"solid": solid(modulus, poisson_ratio), "fixed": rollers(left="x", front="y", below="z"), "loads": {"sea": {"region": "surface", "pressure": pressure, "over": RAMP}}}
        history, _, _ = self.equilibrium(text, body)
        self.expect("cube under pressure from all sides: stretch", source="μ (λ − 1/λ) + 3 Λ ln λ/λ = −p λ²", expected=stretch, got=history["body.z"][-1] / 0.05, tolerance=1e-5,
                    mesh="2 × 2 × 2 cells", step="without inertia, 4 steps")

    def test_hanging_bar(self):
        length, modulus, density, gravity = 1, 1e6, 1000, 9.81
        bar = box((0.02, 0.02, length), (1, 1, 20))
        text = bar.gmsh_with({"top": at(2, length)})
        expected = density * gravity * length**2 / (2 * modulus)
        for case, scene in (("without inertia", {}), ("start in equilibrium, 1 ms", {"time": {"step": 1e-3, "end": 1e-3}, "output": {"every": 1e-3, "fields": ["displacement"]}})):
            body = {"solid": solid(modulus, 0, density), "fixed": "top", "initial": {"equilibrium": True}}
            _, rest, fields = self.equilibrium(text, body, out=case[:5], gravity=[0, 0, -gravity], **scene)
            # The next order in the strain is a sixth of it at the top, 0.3 %.
            self.expect("bar under its weight: elongation", source="ρ g L²/(2 E)", expected=expected, got=-fields["displacement"][rest[:, 2] < 1e-9, 2].mean(), tolerance=0.006,
                        mesh="20 cells along", step=case)

    def test_thick_cylinder(self):
        inner, outer, modulus, poisson_ratio, pressure = 0.1, 0.2, 1e6, 0.3, 500
        cube = box((1, 1, 0.01), (10, 16, 1)).moved((0.5, 0.5, 0)).points
        radius, angle = inner + (outer - inner) * cube[:, 0], math.pi / 2 * cube[:, 1]
        ring = Shape(numpy.column_stack([radius * numpy.cos(angle), radius * numpy.sin(angle), cube[:, 2]]), box((1, 1, 0.01), (10, 16, 1)).cells)
        regions = {"bore": lambda c: bool(numpy.all(numpy.hypot(c[:, 0], c[:, 1]) < inner + 1e-9)), "left": at(0, 0), "front": at(1, 0), "below": at(2, 0), "above": at(2, 0.01)}
        fixed = [*rollers(left="x", front="y"), *rollers(below="z", above="z")]
        body = {"solid": solid(modulus, poisson_ratio), "fixed": fixed, "loads": {"gas": {"region": "bore", "pressure": pressure}}}
        _, rest, fields = self.equilibrium(ring.gmsh_with(regions), body, steps=1)
        for name, r in (("inside", inner), ("outside", outer)):
            expected = (1 + poisson_ratio) / modulus * pressure * inner**2 / (outer**2 - inner**2) * ((1 - 2 * poisson_ratio) * r + outer**2 / r)
            there = abs(numpy.hypot(rest[:, 0], rest[:, 1]) - r) < 1e-6
            got = numpy.sum(fields["displacement"][there, :2] * rest[there, :2] / r, axis=1).mean()
            self.expect(f"thick cylinder under pressure: growth {name}", source="Lamé, plane strain", expected=expected, got=got, tolerance=0.01, mesh="10 × 16 cells of a quarter",
                        step="without inertia")

    def test_thick_sphere(self):
        inner, outer, modulus, poisson_ratio, pressure = 0.1, 0.2, 1e6, 0.3, 500
        self.write("sphere.geo", f"""\
SetFactory("OpenCASCADE");
Sphere(1) = {{0, 0, 0, {outer}, 0, Pi/2, Pi/2}};
Sphere(2) = {{0, 0, 0, {inner}, 0, Pi/2, Pi/2}};
v() = BooleanDifference{{ Volume{{1}}; Delete; }}{{ Volume{{2}}; Delete; }};
e = 1e-4;
Physical Volume("solid") = {{v()}};
Physical Surface("left") = {{Surface In BoundingBox{{-e, -e, -e, e, 1, 1}}}};
Physical Surface("front") = {{Surface In BoundingBox{{-e, -e, -e, 1, e, 1}}}};
Physical Surface("below") = {{Surface In BoundingBox{{-e, -e, -e, 1, 1, e}}}};
Physical Surface("bore") = {{Surface In BoundingBox{{-e, -e, -e, {inner} + e, {inner} + e, {inner} + e}}}};
Field[1] = MathEval;
Field[1].F = "0.1 * (x^2 + y^2 + z^2)^0.5";
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0;
""")
        body = {"solid": solid(modulus, poisson_ratio), "fixed": rollers(left="x", front="y", below="z"), "loads": {"gas": {"region": "bore", "pressure": pressure}}}
        _, rest, fields = self.equilibrium("sphere.geo", body, steps=1)
        for name, r in (("inside", inner), ("outside", outer)):
            expected = pressure * inner**3 / (outer**3 - inner**3) * ((1 - 2 * poisson_ratio) / modulus * r + (1 + poisson_ratio) * outer**3 / (2 * modulus * r**2))
            there = abs(numpy.linalg.norm(rest, axis=1) - r) < 1e-6
            self.assertGreater(numpy.count_nonzero(there), 20)
            got = numpy.sum(fields["displacement"][there] * rest[there] / r, axis=1).mean()
            # Linear tetrahedra are too stiff: with edges of 18 mm by 4 %.
            self.expect(f"thick sphere under pressure: growth {name}", source="Lamé", expected=expected, got=got, tolerance=0.02, mesh="octant, edges of a tenth of the radius", step="without inertia")

    def test_balance_of_a_cantilever(self):
        bar = box((0.5, 0.05, 0.1), (10, 1, 2)).moved((0.25, 0, 0))
        body = {"solid": solid(1e11, 0.3), "fixed": "left", "loads": {"hook": {"region": "right", "force": [0, 2, -3]}}}
        history, _, _ = self.equilibrium(bar.gmsh_with({"left": at(0, 0), "right": at(0, 0.5)}), body, steps=1, gravity=[0, 0, -9.81], solver={"relative_tolerance": 1e-6})
        weight = 9.81 * 1000 * 0.5 * 0.05 * 0.1
        # Force at (0.5, 0, 0.05), weight at (0.25, 0, 0.05); the clamp answers with the opposite.
        for column, source, expected in (("fz", "F + m g", 3 + weight), ("fy", "F", -2), ("mx", "r × F", 0.05 * 2), ("my", "r × F", -0.5 * 3 - 0.25 * weight), ("mz", "r × F", -0.5 * 2)):
            self.expect(f"reaction of a clamp: {column}", source=source, expected=expected, got=history["body.left." + column][-1], tolerance=2e-4, mesh="10 × 1 × 2 cells", step="without inertia")


class Strips(Equilibria):
    """A strip of shell along x from its clamp at x = 0, of length 1, and for its whole width of bending stiffness 1."""

    CELLS = 40
    WIDTH = 1 / CELLS / 5

    def expect(self, case, **values):
        expect_closed_form(self, field="thin strips", case=case, mesh="40 × 1 rectangles, halved", **values)

    def tip(self, forces, out, steps=10, over=RAMP, stretching=1e4, more={}, **scene):
        """Mean displacement of the free end under forces on it. `stretching`: stiffness in its plane, `more`: of the body."""
        x = [-1 / self.CELLS / 20, *(i / self.CELLS for i in range(self.CELLS + 1))]
        points = [(u, v, 0) for u in x for v in (0, self.WIDTH)]
        triangles = []
        for i in range(len(x) - 1):
            a, b, c, d = 2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1
            triangles += [(a, b, c), (a, c, d)] if i % 2 == 0 else [(a, b, d), (b, c, d)]
        text = Shape(points, triangles).gmsh_with({}, {"clamp": lambda p: p[0] < 1e-9, "end": lambda p: p[0] > 1 - 1e-9})
        shell = {"shell": {"youngs_modulus": stretching / self.WIDTH, "poisson_ratio": 0, "density": 1, "bending_stiffness": 1 / self.WIDTH}}
        body = {"shell": shell, "fixed": ["clamp", {"region": "shell", "components": ["y"]}],
                "loads": {name: {"region": "end", "force": force, "over": over} for name, force in forces.items()}, **more}
        _, rest, fields = self.equilibrium(text, body, steps=steps, out=out, **scene)
        return fields["displacement"][rest[:, 0] > 1 - 1e-9].mean(axis=0)

    @staticmethod
    def elastica(load, weight=0):
        """(reach, drop) of a strip with an end load and a weight: theta'' = -(load + weight (1 - s)) cos(theta), by Runge and Kutta's method and bisection on the
        clamp's curvature."""
        def end(curvature):
            steps = 400
            h, y = 1 / steps, numpy.array([0, curvature, 0, 0])

            def rate(s, v):
                return numpy.array([v[1], -(load + weight * (1 - s)) * math.cos(v[0]), math.cos(v[0]), math.sin(v[0])])
            for s in numpy.arange(steps) * h:
                a = rate(s, y)
                b = rate(s + h / 2, y + h / 2 * a)
                c = rate(s + h / 2, y + h / 2 * b)
                y = y + h / 6 * (a + 2 * b + 2 * c + rate(s + h, y + h * c))
            return y
        curvature = root(lambda k: end(k)[1], 0, load + weight / 2)
        return end(curvature)[2:]

    def test_elastica(self):
        for load in (1, 5):
            reach, drop = self.elastica(load)
            moved = self.tip({"pull": [0, 0, -load]}, f"load{load}")
            self.expect(f"elastica with an end load of {load} EI/L²: drop", source="EI θ″ = −P cos θ", expected=drop, got=-moved[2], tolerance=0.01, step="without inertia, 10 steps")
            self.expect(f"elastica with an end load of {load} EI/L²: reach", source="EI θ″ = −P cos θ", expected=reach, got=1 + moved[0], tolerance=0.01, step="without inertia, 10 steps")

    def test_start_under_its_weight(self):
        """The strip is a thousand times as long as thick."""
        for weight in (1, 10):
            reach, drop = self.elastica(0, weight)
            moved = self.tip({}, f"weight{weight}", steps=1, stretching=1.2e7, more={"initial": {"equilibrium": True}}, time={"step": 1e-9, "end": 1e-9}, gravity=[0, 0, -weight / self.WIDTH])
            about = {"source": "EI θ″ = −w (L − s) cos θ", "tolerance": 0.01, "step": "start in equilibrium"}
            self.expect(f"strip under a weight of {weight} EI/L²: drop", expected=drop, got=-moved[2], **about)
            self.expect(f"strip under a weight of {weight} EI/L²: reach", expected=reach, got=1 + moved[0], **about)

    def test_buckling(self):
        # A push of half of Euler's load makes a cantilever softer, by 3 (tan u - u) / u^3 with u = pi/2 sqrt(P / P_cr): the critical load follows from two deflections.
        push, side = math.pi**2 / 8, 1e-3
        alone = self.tip({"side": [0, 0, side]}, "alone", steps=2)[2]
        pushed = self.tip({"side": [0, 0, side], "push": [-push, 0, 0]}, "pushed", steps=4)[2]
        u = root(lambda v: 3 * (math.tan(v) - v) / v**3 - pushed / alone, 0.1, math.pi / 2 - 1e-6)
        self.expect("cantilever with an end load: deflection", source="P L³/(3 EI)", expected=side / 3, got=alone, tolerance=0.01, step="without inertia")
        self.expect("column held at one end: critical load", source="π² EI/(4 L²) (Euler), from how it softens", expected=math.pi**2 / 4, got=push * (math.pi / 2 / u)**2, tolerance=0.01,
                    step="without inertia")


# A unit sphere of eight patches, finer towards the poles.
SPHERE = """\
fine = 0.005; coarse = 0.1;
Point(1) = {0, 0, 0};
Point(2) = {0, 0, 1, fine}; Point(3) = {0, 0, -1, fine};
Point(4) = {1, 0, 0, coarse}; Point(5) = {0, 1, 0, coarse}; Point(6) = {-1, 0, 0, coarse}; Point(7) = {0, -1, 0, coarse};
For i In {0:3}
  Circle(10 + i) = {2, 1, 4 + i};
  Circle(20 + i) = {4 + i, 1, 3};
  Circle(30 + i) = {4 + i, 1, 4 + (i + 1) % 4};
EndFor
For i In {0:3}
  Line Loop(40 + i) = {10 + i, 30 + i, -(10 + (i + 1) % 4)};
  Surface(40 + i) = {40 + i} In Sphere {1};
  Line Loop(50 + i) = {20 + i, -(20 + (i + 1) % 4), -(30 + i)};
  Surface(50 + i) = {50 + i} In Sphere {1};
EndFor
Physical Surface("skin") = {40:43, 50:53};
Physical Point("top") = {2};
Physical Point("bottom") = {3};
"""


class HollowBall(ShortRunTest):
    def test_point_loads_at_the_poles(self):
        """A sphere a hundred times as large as thick. The approach is that of shallow shells, whose correction is of the order of thickness over radius."""
        modulus, poisson_ratio, thickness, force = 1e9, 0.3, 0.01, 10.0
        self.write("sphere.geo", SPHERE)
        ball = {"mesh": "sphere.geo", "shell": {"skin": {"youngs_modulus": modulus, "poisson_ratio": poisson_ratio, "density": 1000, "thickness": thickness}},
                "fixed": ["bottom", {"region": "top", "components": ["x", "y"]}], "loads": {"press": {"region": "top", "force": [0, 0, -force]}}}
        row = self.simulate(json.dumps({"time": {"step": 1, "end": 1, "inertia": False}, "bodies": {"ball": ball}, "solver": {"tolerance": 1e-6}})).last_row()
        expect_closed_form(self, field="elasticity", case="hollow sphere with point loads at its poles: approach", source="√(3 (1 − ν²)) F R/(2 E t²) (Reissner 1946)",
                           expected=math.sqrt(3 * (1 - poisson_ratio**2)) * force / (2 * modulus * thickness**2), got=-row["load_energy"] / force, tolerance=0.03,
                           mesh="0.005 to 0.1 R", step="without inertia")

    def test_a_squeeze_without_inertia_is_that_of_slow_plates(self):
        """The ball of jobs/ball_squish with air in it, pressed flat: a tenth of the steps that it takes with inertia, at a fiftieth of the speed of waves."""
        scene = JOBS / "ball_squish" / "scene.yaml"
        slow = self.simulate(scene, sets={"output.every": 1}, out="slow").last_row()
        static = self.simulate(scene, sets={"time": "{step: 1e-2, end: 0.804, inertia: false}", "output.every": 1}, out="static").last_row()
        for name, what in (("above.fz", "force"), ("ball.volume", "volume")):
            expect_closed_form(self, field="elasticity", case=f"hollow ball with air squeezed by 47 % without inertia: {what}", source="slow squeeze with inertia", expected=slow[name],
                               got=static[name], tolerance=1e-3, mesh="983 tetrahedra", step="10 ms")


class Indentation(Equilibria):
    def expect(self, case, **values):
        expect_closed_form(self, field="contact", case=case, **values)

    def test_hertz(self):
        radius, depth, modulus, poisson_ratio, gap = 0.1, 1e-5, 1e6, 0.3, 1e-7
        contact_radius = math.sqrt(radius * depth)
        self.write("ball.geo", f"""\
SetFactory("OpenCASCADE");
Sphere(1) = {{0, 0, {radius}, {radius}, -Pi/2, 0, Pi/2}};
e = 1e-5;
Physical Volume("solid") = {{1}};
Physical Surface("left") = {{Surface In BoundingBox{{-e, -e, -e, e, 1, 1}}}};
Physical Surface("front") = {{Surface In BoundingBox{{-e, -e, -e, 1, e, 1}}}};
Physical Surface("cut") = {{Surface In BoundingBox{{-e, -e, {radius} - e, 1, 1, {radius} + e}}}};
Physical Surface("round") = {{Surface In BoundingBox{{-e, -e, -e, 1, 1, {radius} + e}}}};
Field[1] = MathEval;
Field[1].F = "{contact_radius / 10} + 0.15 * Max(0, (x^2 + y^2 + z^2)^0.5 - {1.5 * contact_radius})";
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0;
""")
        drive = {"vertices": "cut", "components": ["z"], "motion": {"velocity": [0, 0, -depth]}}
        body = {"solid": solid(modulus, poisson_ratio), "fixed": rollers(left="x", front="y"), "driven": [drive]}
        reduced = modulus / (1 - poisson_ratio**2)
        touch = {"vertices": "body.round", "against": "floor", "thickness": gap, "pressure": 4 * 2 * reduced * contact_radius / (math.pi * radius)}
        history, rest, fields = self.equilibrium("ball.geo", body, steps=5, surfaces={"floor": {"plane": {"point": [0, 0, -gap / 2], "normal": [0, 0, 1]}}}, contacts={"touch": touch})
        force = 4 * history["touch.fz"][-1]
        about = {"mesh": "octant of a ball, 10 edges to the contact's radius, which is a hundredth of the ball's", "step": "without inertia, 5 steps"}
        # The ball is held at its middle, a hundred of the contact's radii away: (1 + nu) (3 - 2 nu) F / (2 pi E R) of the depth, 0.7 %, is missing, and
        # makes the force 1 % greater; linear tetrahedra do the rest.
        self.expect("Hertz: force", source="4 E* √R d^1.5/3", expected=4 / 3 * reduced * math.sqrt(radius) * depth**1.5, got=force, tolerance=0.03, **about)
        pressing = numpy.linalg.norm(fields["contact_force"], axis=1)
        got = math.sqrt(2.5 * numpy.sum(pressing * (rest[:, 0]**2 + rest[:, 1]**2)) / numpy.sum(pressing))
        self.expect("Hertz: radius of the contact, from the pressure's second moment", source="(3 F R/(4 E*))^(1/3)", expected=(3 * force * radius / (4 * reduced))**(1 / 3), got=got, tolerance=0.01,
                    **about)
        # Surfaces press where they are nearer than the thickness: in the circle in which Hertz's surfaces are less than that apart. A tenth of its area lies in
        # the vertices of its rim, of which each counts whole or not at all.
        a = (3 * force * radius / (4 * reduced))**(1 / 3)
        apart = lambda r: (a * math.sqrt(r * r - a * a) + (r * r - 2 * a * a) * math.acos(a / r)) / (math.pi * radius)   # noqa: E731
        rim = root(lambda r: apart(r) - gap / 2, a, 2 * a)
        self.expect("Hertz: area of the contact, with the rim that is nearer than the thickness", source="gap (a √(r²−a²) + (r²−2a²) acos(a/r))/(πR) outside of a", expected=math.pi * rim**2,
                    got=4 * history["touch.area"][-1], tolerance=0.1, **about)

    def test_flat_punch(self):
        radius, depth, modulus, poisson_ratio, gap, far = 0.01, 1e-4, 1e6, 0.3, 1e-6, 1
        self.write("block.geo", f"""\
SetFactory("OpenCASCADE");
Cylinder(1) = {{0, 0, -{far}, 0, 0, {far}, {far}, Pi/2}};
Disk(100) = {{0, 0, 0, {radius}, {radius}}};
v() = BooleanFragments{{ Volume{{1}}; Delete; }}{{ Surface{{100}}; Delete; }};
e = 1e-5;
Physical Volume("solid") = {{1}};
Physical Surface("left") = {{Surface In BoundingBox{{-e, -e, -2, e, 2, e}}}};
Physical Surface("front") = {{Surface In BoundingBox{{-e, -e, -2, 2, e, e}}}};
Physical Surface("below") = {{Surface In BoundingBox{{-e, -e, -{far} - e, 2, 2, -{far} + e}}}};
Physical Surface("patch") = {{Surface In BoundingBox{{-e, -e, -e, {radius} + e, {radius} + e, e}}}};
Field[1] = MathEval;
Field[1].F = "{radius / 40} + 0.14 * (((x^2 + y^2)^0.5 - {radius})^2 + z^2)^0.5";
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0;
""")
        reduced = modulus / (1 - poisson_ratio**2)
        touch = {"vertices": "body.patch", "against": "punch", "thickness": gap, "pressure": 1e5}
        punch = {"plane": {"point": [0, 0, gap / 2], "normal": [0, 0, -1]}, "motion": {"velocity": [0, 0, -depth]}}
        body = {"solid": solid(modulus, poisson_ratio), "fixed": rollers(left="x", front="y", below="z")}
        history, _, _ = self.equilibrium("block.geo", body, steps=4, surfaces={"punch": punch}, contacts={"touch": touch})
        # At the rim the pressure is singular, where edges are a fortieth of the radius; the bottom at 100 radii makes the block stiffer by 0.6 %.
        self.expect("flat round punch: force", source="2 a E* d", expected=2 * radius * reduced * depth, got=-4 * history["touch.fz"][-1], tolerance=0.05,
                    mesh="quarter of a cylinder of 100 radii, edges of a fortieth of the punch's radius at its rim", step="without inertia, 4 steps")


class NoEquilibrium(ShortRunTest):
    def test_what_nothing_holds_ends_the_run(self):
        self.write("block.msh", box((0.1, 0.1, 0.05), (2, 2, 1)).gmsh_with({"bottom": at(2, 0)}))
        slope = {"gravity": [9.81 * math.sin(0.6), 0, -9.81 * math.cos(0.6)], "surfaces": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                 "contacts": {"touch": {"vertices": "block.bottom", "against": "floor", "thickness": 1e-3, "friction": {"dynamic": 0.3}}}}
        push = {"force": [0, 1, 0], "region": "bottom"}
        cases = [("falls", {"gravity": [0, 0, -9.81]}, {}, 1e-5), ("slides", slope, {}, 1e-2), ("flies", {}, {"loads": {"push": push}}, 1e-2)]
        for name, scene, body, step in cases:
            block = {"mesh": "block.msh", "solid": solid(1e6, 0.3), "initial": {"translate": [0, 0, 9e-4]}, **body}
            text = json.dumps({"time": {"step": step, "end": 5 * step, "inertia": False}, "bodies": {"block": block}, **scene})
            for ranks in (1, 2):
                with self.subTest(name, ranks=ranks):
                    outcome = self.run_program("run", text, ranks=ranks, out=f"{name}{ranks}")
                    self.assertEqual(outcome.code, 3, outcome.errors)
                    for words in ("failed: body 'block' has no equilibrium", "hold a region of it"):
                        self.assertIn(words, outcome.errors)

    def test_steps_without_equilibrium_name_what_is_not_carried(self):
        # In steps so long that no iteration ends: above the floor, and on it but pushed harder than friction holds.
        self.write("block.msh", box((0.1, 0.1, 0.1), (3, 3, 3)).gmsh_with({}))
        floor = {"surfaces": {"floor": {"plane": {}}}, "contacts": {"touch": {"vertices": "block", "against": "floor", "thickness": 1e-3, "friction": {"dynamic": 0.3}}}}
        for height, gravity, found, remedy in ((0.5, [0, 0, -9.81], "body 'block' is held nowhere and touches nothing", "set it on something that carries it"),
                                               (5e-4, [5, 0, -9.81], "nothing holds it against the forces on it", "let something carry it")):
            block = {"mesh": "block.msh", "solid": solid(1e7, 0.3), "initial": {"translate": [0, 0, height]}}
            text = json.dumps({"time": {"step": 0.1, "end": 1, "inertia": False, "maximum_halvings": 8}, "gravity": gravity, "bodies": {"block": block}, **floor})
            for ranks in (1, 2):
                outcome = self.run_program("run", text, ranks=ranks, out=f"{height}_{ranks}")
                self.assertEqual(outcome.code, 3, outcome.errors)
                for words in (found, "no equilibrium", remedy):
                    self.assertIn(words, outcome.errors)
                self.assertNotIn("badly shaped", outcome.errors)



if __name__ == "__main__":
    unittest.main()
