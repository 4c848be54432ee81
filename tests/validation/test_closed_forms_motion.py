"""Motion against closed forms: rigid bodies that spin, tumble, swing and fly; waves and vibrations of bars and membranes."""

import cmath
import csv
import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import Shape, box
from test_start import vtk_text
from traction_runs import RunTest, execute

GRAVITY = 9.81
BALL_GEO = """\
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 0.1};
Mesh.MeshSizeMin = 0.04; Mesh.MeshSizeMax = 0.04;
Physical Volume("solid") = {1};
Physical Surface("surface") = {1};
"""


def lumped(shape, density):
    """Masses of the vertices [kg]: a quarter of each of its tetrahedra's."""
    masses = numpy.zeros(len(shape.points))
    numpy.add.at(masses, shape.cells, density * shape.volumes()[:, None] / 4)
    return masses


def inertia(points, masses):
    """Moments of inertia about the origin [kg m^2]."""
    return numpy.sum(masses * (points**2).sum(axis=1)) * numpy.eye(3) - numpy.einsum("i,ij,ik->jk", masses, points, points)


def crossings(time, values):
    """Times at which values change their sign, linear between rows."""
    at = numpy.nonzero(values[:-1] * values[1:] < 0)[0]
    return time[at] + (time[at + 1] - time[at]) * values[at] / (values[at] - values[at + 1])


def extremes(time, values):
    return crossings((time[1:] + time[:-1]) / 2, numpy.diff(values))


def euler_equations(moments, start, step, end):
    """Angular velocities in the body's axes, one row a step, by the fourth-order Runge-Kutta method: I w' = (I w) x w."""
    def rate(w):
        return numpy.cross(moments * w, w) / moments
    rows = [start]
    for _ in range(round(end / step)):
        w = rows[-1]
        a = rate(w)
        b = rate(w + step / 2 * a)
        c = rate(w + step / 2 * b)
        rows.append(w + step / 6 * (a + 2 * b + 2 * c + rate(w + step * c)))
    return numpy.array(rows)


def complete_elliptic_integral(modulus):
    """Complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - modulus**2)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def material(modulus=1e9, poisson_ratio=0.3, density=1000):
    return {"solid": {"youngs_modulus": modulus, "poisson_ratio": poisson_ratio, "density": density}}


class RigidBodies(RunTest):
    def expect(self, case, **values):
        expect_closed_form(self, field="rigid motion", case=case, **values)

    def run_body(self, mesh, time, solid=None, gravity=(0, 0, 0), **body):
        scene = {"time": time, "gravity": list(gravity), "bodies": {"body": {"mesh": mesh, "solid": solid or material(), **body}}}
        return self.simulate(json.dumps(scene)).history

    def test_a_stiff_ball_keeps_its_spin(self):
        self.write("ball.geo", BALL_GEO)
        history = self.run_body("ball.geo", {"step": 1e-3, "end": 0.2}, material(1e8), initial={"angular_velocity": [0, 0, 100]})
        energy = history["kinetic_energy"] + history["elastic_energy"]
        about = {"mesh": "ball of radius 0.1 m, edges of 40 mm, E = 0.1 GPa", "step": "1 ms, 63 a turn"}
        angular = history["body.lz"][0]
        self.expect("free spin: energy after 0.2 s", source="is kept: L ω/2", expected=angular * 100 / 2, got=energy[-1], tolerance=2e-3, **about)
        self.expect("free spin: angular momentum after 0.2 s", source="is kept", expected=angular, got=history["body.lz"][-1], tolerance=1e-3, **about)

    def test_a_tetrahedron_tumbles_about_its_middle_axis(self):
        shape = Shape([(0, 0, 0), (0.1, 0, 0), (0, 0.07, 0), (0, 0, 0.045)], [(0, 1, 2, 3)])
        masses = lumped(shape, 1000)
        centered = shape.points - masses @ shape.points / masses.sum()
        moments, axes = numpy.linalg.eigh(inertia(centered, masses))
        axes[:, 2] = numpy.cross(axes[:, 0], axes[:, 1])
        start = numpy.array([0.6, 60, 0])
        self.write("body.msh", shape.gmsh())
        history = self.run_body("body.msh", {"step": 1e-3, "end": 0.5}, initial={"angular_velocity": (axes @ start).tolist()})
        # The history has angular velocities in the axes of space; their sizes are the same in those of the body, and pass the middle between their extremes in each turn.
        step = 1e-4
        sizes = numpy.linalg.norm(euler_equations(moments, start, step, 0.5), axis=1)
        middle = (sizes.min() + sizes.max()) / 2
        expected = crossings(numpy.arange(len(sizes)) * step, sizes - middle)
        got = crossings(history["time"], numpy.linalg.norm([history[f"body.w{c}"] for c in "xyz"], axis=0) - middle)
        self.assertEqual(len(got), len(expected))
        about = {"mesh": "1 tetrahedron of 0.1 m, E = 1 GPa", "step": "1 ms, 105 a turn"}
        for number in (0, len(expected) - 1):
            self.expect(f"tumbling about the middle axis: time of swing {number + 1}", source="Euler's equations, integrated by Runge and Kutta's method", expected=expected[number],
                        got=got[number], tolerance=0.01, **about)
        energy = history["kinetic_energy"] + history["elastic_energy"]
        self.expect("tumbling about the middle axis: energy after 4.8 turns", source="is kept", expected=moments @ start**2 / 2, got=energy[-1], tolerance=5e-3, **about)

    def test_a_top_precesses(self):
        corners, height, radius, tilt, spin = 12, 0.06, 0.05, math.radians(20), 200.0
        ring = [(radius * math.cos(a), radius * math.sin(a), height) for a in 2 * math.pi * numpy.arange(corners) / corners]
        top = Shape([(0, 0, 0), (0, 0, 0.08), *ring], [(0, 1, 2 + i, 2 + (i + 1) % corners) for i in range(corners)])
        masses = lumped(top, 1000)
        moments = inertia(top.points, masses)
        lever = masses @ top.points[:, 2] / masses.sum()
        # I1 cos(tilt) W^2 - I3 w3 W + m g l = 0
        a, b, c = moments[0, 0] * math.cos(tilt), moments[2, 2] * spin, masses.sum() * GRAVITY * lever
        precession = (b - math.sqrt(b * b - 4 * a * c)) / (2 * a)
        axis = numpy.array([math.sin(tilt), 0, math.cos(tilt)])
        turning = precession * numpy.array([0, 0, 1]) + (spin - precession * math.cos(tilt)) * axis
        self.write("top.msh", top.turned((0, 1, 0), math.degrees(tilt)).gmsh_with({}, {"tip": lambda point: numpy.linalg.norm(point) < 1e-9}))
        start = {"angular_velocity": turning.tolist(), "velocity": numpy.cross(turning, lever * axis).tolist()}
        history = self.run_body("top.msh", {"step": 5e-4, "end": 0.5}, gravity=(0, 0, -GRAVITY), fixed="tip", initial=start)
        angle = numpy.unwrap(numpy.arctan2(history["body.y"], history["body.x"]))
        about = {"mesh": f"{corners} tetrahedra around the axis, E = 1 GPa", "step": "0.5 ms, 63 a turn"}
        self.expect("spinning top: rate of precession", source="I₁ cos θ Ω² − I₃ ω₃ Ω + m g l = 0", expected=precession, got=angle[-1] / history["time"][-1], tolerance=0.01, **about)
        self.expect("spinning top: height of the centre after 0.5 s", source="steady: l cos θ", expected=lever * math.cos(tilt), got=history["body.z"][-1], tolerance=1e-3, **about)

    def test_a_projectile_that_spins(self):
        self.write("block.msh", box((0.1, 0.06, 0.04), (2, 2, 2)).gmsh())
        history = self.run_body("block.msh", {"step": 0.01, "end": 1}, material(1e7), (0, 0, -GRAVITY), initial={"velocity": [3, 0, 10], "angular_velocity": [0, 7, 0]})
        about = {"mesh": "block, 48 tetrahedra", "step": "10 ms"}
        self.expect("projectile with spin: range after 1 s", source="v t", expected=3, got=history["body.x"][-1], tolerance=1e-6, **about)
        self.expect("projectile with spin: height after 1 s", source="v t − g t²/2", expected=10 - GRAVITY / 2, got=history["body.z"][-1] - 0.02, tolerance=1e-5, **about)

    def test_a_pendulum(self):
        bar = box((0.5, 0.04, 0.04), (8, 1, 1)).moved((0.25, 0, 0))
        masses = lumped(bar, 1000)
        center = masses @ bar.points / masses.sum()
        distance = math.hypot(center[0], center[2])
        moment = inertia(bar.points, masses)[1, 1]
        angle = math.pi / 2 + math.atan2(center[2], center[0])
        period = 4 * math.sqrt(moment / (masses.sum() * GRAVITY * distance)) * complete_elliptic_integral(math.sin(angle / 2))
        self.write("bar.msh", bar.gmsh_with({}, {"hinge": lambda point: abs(point[0]) + abs(point[2]) < 1e-9}))
        history = self.run_body("bar.msh", {"step": 5e-3, "end": 1.6}, gravity=(0, 0, -GRAVITY), fixed="hinge")
        turns = crossings(history["time"][10:], history["body.wy"][10:])
        self.expect("pendulum that falls from 94.6°: period", source="4 √(I/(m g l)) K(sin(θ/2))", expected=period, got=turns[1], tolerance=5e-3, mesh="bar of 48 tetrahedra, E = 1 GPa",
                    step="5 ms")

    def test_a_slab_rocks_on_a_cylinder(self):
        """It touches the cylinder between its eight vertices, and rolls on it without sliding. The surfaces stay a part of the contact's thickness apart."""
        radius, half, length = 0.2, 0.025, 1.0
        self.write("slab.msh", box((length, length, 2 * half)).moved((0.005, 0, radius + 9e-4)).gmsh())
        contact = {"vertices": "slab.surface", "against": "roller", "thickness": 1e-3, "pressure": 1e5, "friction": {"dynamic": 1, "tolerance": 1e-4}}
        scene = {"time": {"step": 5e-3, "end": 2.2}, "gravity": [0, 0, -GRAVITY], "bodies": {"slab": {"mesh": "slab.msh", "rigid": {"density": 1000}}},
                 "surfaces": {"roller": {"cylinder": {"point": [0, 0, 0], "axis": [0, 1, 0], "radius": radius}}}, "contacts": {"roll": contact}}
        history = self.simulate(json.dumps(scene)).history
        gap = history["min_gap"].mean()
        arm = (length**2 + 4 * half**2) / 12 + half**2     # squared radius of gyration about the place of contact
        period = 2 * math.pi * math.sqrt(arm / (GRAVITY * (radius + gap - half)))
        turns = crossings(history["time"], history["slab.wy"])
        self.expect("slab that rocks on a cylinder, between its vertices: period", source="2 π √((k² + b²)/(g (R - b)))", expected=period, got=turns[2] - turns[0], tolerance=2e-3,
                    mesh="rigid slab of 8 vertices", step="5 ms")


LENGTH, WIDTH, MODULUS, DENSITY, SPEED = 1.0, 0.02, 1e5, 1000, 10.0   # for a bar whose waves travel at SPEED = sqrt(E / rho)
AREA = WIDTH**2


class Bars(RunTest):
    """Bars along x that move along x alone."""

    def expect(self, case, **values):
        expect_closed_form(self, field="waves and vibrations", case=case, **values)

    def scene(self, cells, time, held, **body):
        bar = box((LENGTH, WIDTH, WIDTH), (cells, 1, 1)).moved((LENGTH / 2, 0, 0))
        ends = {name: lambda corners, x=x: bool(numpy.all(abs(corners[:, 0] - x) < 1e-9)) for name, x in (("left", 0), ("right", LENGTH))}
        self.write("bar.msh", bar.gmsh_with(ends))
        fixed = [{"region": "solid", "components": ["y", "z"]}] + ([{"region": "left", "components": ["x"]}] if held else [])
        return {"time": time, "bodies": {"bar": {"mesh": "bar.msh", "solid": material(MODULUS, 0, DENSITY), "fixed": fixed, **body}}, "solver": {"tolerance": 1e-8}}

    def test_eigenfrequencies(self):
        scene = self.scene(32, {"step": 1, "end": 1}, True)
        path = self.write("scene.yaml", json.dumps(scene))
        code, _, errors = execute(["traction", "modes", path, "--count", "3", "--out", self.folder / "modes"])
        self.assertEqual(code, 0, errors)
        with open(self.folder / "modes" / "modes.csv", newline="") as file:
            found = [float(row["frequency"]) for row in csv.DictReader(file)]
        # A chain of lumped masses is slower by (k h)^2 / 24.
        for number in range(3):
            expected = (2 * number + 1) * SPEED / (4 * LENGTH)
            self.expect(f"axial eigenfrequency {number + 1} of a held bar [Hz]", source="(2 n − 1) c/(4 L)", expected=expected, got=found[number], tolerance=5e-3, mesh="32 cells along",
                        step="traction modes")

    def test_a_sudden_weight_stretches_twice_as_far(self):
        gravity = 0.1
        scene = self.scene(16, {"step": 2.5e-3, "end": 0.25}, True)
        history = self.simulate(json.dumps({**scene, "gravity": [gravity, 0, 0]})).history
        displacement = history["bar.x"] - LENGTH / 2
        static = DENSITY * gravity * LENGTH**2 / (3 * MODULUS)
        about = {"mesh": "16 cells along", "step": "2.5 ms, 160 a period"}
        self.expect("bar let go under its weight: mean displacement", source="2 ρ g L²/(3 E)", expected=2 * static, got=displacement.max(), tolerance=5e-3, **about)
        self.expect("bar let go under its weight: time of the largest", source="2 L/c", expected=2 * LENGTH / SPEED, got=extremes(history["time"], displacement)[0], tolerance=5e-3, **about)

    def test_driven_with_damping(self):
        force, frequency, drag = 4e-3, 20.0, 5.0
        period = 2 * math.pi / frequency
        step, end = period / 80, 11 * period
        points = [{"time": n * step, "factor": math.cos(2 * math.pi * n / 80)} for n in range(80 * 11 + 1)]
        scene = self.scene(16, {"step": step, "end": end}, True, damping={"mass": drag}, loads={"shake": {"region": "right", "force": [force, 0, 0], "over": points}})
        history = self.simulate(json.dumps(scene)).history
        time, displacement = history["time"], history["bar.x"] - LENGTH / 2
        last = time > end - 2.999 * period
        self.assertEqual(numpy.count_nonzero(last), 240)
        found = 2 * numpy.mean(displacement[last] * numpy.exp(-1j * frequency * time[last]))
        wave = cmath.sqrt(frequency**2 - 1j * drag * frequency) / SPEED
        expected = force * (1 - cmath.cos(wave * LENGTH)) / (MODULUS * AREA * wave**2 * LENGTH * cmath.cos(wave * LENGTH))
        about = {"source": "F (1 − cos κL)/(E A κ² L cos κL), κ² = (ω² − iαω)/c²", "mesh": "16 cells along", "step": "80 a period"}
        self.expect("bar shaken above its first resonance, with drag: amplitude", expected=abs(expected), got=abs(found), tolerance=0.01, **about)
        self.expect("bar shaken above its first resonance, with drag: phase", expected=cmath.phase(expected), got=cmath.phase(found), tolerance=0.01, **about)

    def test_impact(self):
        speed = 0.01
        scene = self.scene(50, {"step": 5e-4, "end": 0.22}, False, initial={"velocity": [-speed, 0, 0], "translate": [1.5e-5, 0, 0]})
        scene["surfaces"] = {"wall": {"plane": {"point": [0, 0, 0], "normal": [1, 0, 0]}}}
        scene["contacts"] = {"hit": {"vertices": "bar.left", "against": "wall", "thickness": 1e-5, "pressure": 400}}
        history = self.simulate(json.dumps(scene)).history
        force, time = history["hit.fx"], history["time"]
        expected = DENSITY * SPEED * speed * AREA
        about = {"mesh": "50 cells along", "step": "0.5 ms, 400 while it touches"}
        touching = crossings(time, force - expected / 2)
        inside = (time > 0.02) & (time < 0.18)
        # The front is some cells wide, as waves of their length are slower, and so is the end of the contact.
        self.expect("impact of a bar: contact time", source="2 L/c", expected=2 * LENGTH / SPEED, got=touching[-1] - touching[0], tolerance=0.02, **about)
        self.expect("impact of a bar: force", source="ρ c v A", expected=expected, got=force[inside].mean(), tolerance=0.01, **about)
        # The momentum of the vibration that the front's tail of short waves excites in the bar is missing.
        self.expect("impact of a bar: momentum that it takes", source="2 m v", expected=2 * DENSITY * AREA * LENGTH * speed, got=float(numpy.sum(force * history["dt"])), tolerance=0.02, **about)


class Membrane(RunTest):
    def test_a_stretched_square(self):
        side, cells, stretch, modulus, density = 1.0, 16, 1.2, 300.0, 0.5
        grid = [(side * i / cells, side * j / cells, 0) for j in range(cells + 1) for i in range(cells + 1)]
        triangles = []
        for j in range(cells):
            for i in range(cells):
                a = j * (cells + 1) + i
                b, c, d = a + 1, a + cells + 2, a + cells + 1
                triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
        sheet = Shape(grid, triangles)
        self.write("sheet.msh", sheet.gmsh_with({}, {"rim": lambda p: min(p[0], p[1], side - p[0], side - p[1]) < 1e-9}))
        self.write("start.vtk", vtk_text(sheet.points * (stretch, stretch, 1)))
        body = {"mesh": "sheet.msh", "shell": {"shell": {"youngs_modulus": modulus, "poisson_ratio": 0.5, "density": density}}, "initial": {"positions": "start.vtk"},
                "fixed": ["rim", {"region": "shell", "components": ["x", "y"]}]}
        path = self.write("scene.yaml", json.dumps({"time": {"step": 1, "end": 1}, "bodies": {"sheet": body}}))
        code, _, errors = execute(["traction", "modes", path, "--count", "4", "--out", self.folder / "modes"])
        self.assertEqual(code, 0, errors)
        with open(self.folder / "modes" / "modes.csv", newline="") as file:
            found = [float(row["frequency"]) for row in csv.DictReader(file)]
        tension, areal = modulus / 3 * (1 - stretch**-6), density / stretch**2
        for mode, pair in ((0, (1, 1)), (3, (2, 2))):
            expected = math.sqrt(tension / areal) / (2 * stretch * side) * math.hypot(*pair)
            # Lumped masses on cells of h: slower by about (k h)^2 / 24, 0.6 % for the higher one.
            expect_closed_form(self, field="waves and vibrations", case=f"stretched square membrane: eigenfrequency {pair[0]},{pair[1]} [Hz]",
                               source="√(T/ρ) √(m² + n²)/(2 L), T = μ (1 − λ⁻⁶)", expected=expected, got=found[mode], tolerance=0.01, mesh="16 × 16 squares, halved", step="traction modes")


if __name__ == "__main__":
    unittest.main()
