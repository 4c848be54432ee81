"""Rods against closed forms: bending, buckling, twist, vibration; and that ranks, restarts and driven ends make no difference to them."""

import csv
import json
import math
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import point_arrays, read_frame
from closed_forms import expect_closed_form
import test_closed_forms_statics as statics
from traction_runs import RefusalTest, ShortRunTest, execute

RAMP = [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]
RADIUS, MODULUS, DENSITY = 0.01, 1e9, 1000
BENDING = MODULUS * math.pi * RADIUS**4 / 4   # EI


def table(points):
    return "\n".join(" ".join(f"{c:.17g}" for c in point) for point in points) + "\n"


def straight(segments, length=1.0):
    """A cantilever of this length: a clamped segment holds the rod from its middle on."""
    h = length / (segments - 0.5)
    return [(h * (k - 0.5), 0, 0) for k in range(segments + 1)]


class Rods(ShortRunTest):
    def material(self, **more):
        return {"rod": {"radius": RADIUS, "youngs_modulus": MODULUS, "poisson_ratio": 0, "density": DENSITY, **more}}

    def scene(self, points, body, time=None, **more):
        self.write("points.txt", table(points))
        return {"time": time or {"step": 0.1, "end": 1, "inertia": False}, "bodies": {"rod": {"mesh": "points.txt", "rod": self.material(), **body}}, **more}

    def at_end(self, points, body, out="out", **more):
        """History and positions of the vertices at the end."""
        more = {"output": {"every": 1, "fields": ["displacement", "axial_force", "curvature", "twist"]}, **more}
        outcome = self.simulate(json.dumps(self.scene(points, body, **more)), out=out)
        frame = read_frame(sorted((self.folder / out).glob("fields_0*.hdf"))[-1])
        return outcome.history, vtk_to_numpy(frame.GetPoints().GetData())

    def expect(self, case, **values):
        expect_closed_form(self, field="rods", case=case, **values)


class Bending(Rods):
    def tip(self, forces, fixed="first_segment", steps=10, out="out"):
        body = {"fixed": fixed, "loads": {name: {"region": "last_point", "force": force, "over": RAMP} for name, force in forces.items()}}
        _, x = self.at_end(straight(20), body, out=out, time={"step": 1 / steps, "end": 1, "inertia": False})
        return x[x[:, 0].argmax()] if x[:, 0].max() > 0 else x[-1]

    def test_elastica(self):
        for load in (1, 5, 10):
            reach, drop = statics.Strips.elastica(load)
            x, _, z = self.tip({"pull": [0, 0, -load * BENDING]}, out=f"load{load}")
            about = {"source": "EI θ″ = −P cos θ", "tolerance": 0.01, "mesh": "20 segments", "step": "without inertia, 10 steps"}
            self.expect(f"cantilever rod with an end load of {load} EI/L²: drop", expected=drop, got=-z, **about)
            self.expect(f"cantilever rod with an end load of {load} EI/L²: reach", expected=reach, got=x, **about)

    def test_buckling(self):
        # Half of Euler's load makes a rod softer, by 3 (tan u - u)/u^3: the critical load follows from two deflections.
        push, side = math.pi**2 / 8 * BENDING, 1e-3 * BENDING
        alone = self.tip({"side": [0, 0, side]}, out="alone", steps=2)[2]
        pushed = self.tip({"side": [0, 0, side], "push": [-push, 0, 0]}, out="pushed", steps=4)[2]
        u = statics.root(lambda u: 3 * (math.tan(u) - u) / u**3 - pushed / alone, 0.1, 1.5)
        self.expect("clamped rod: Euler's load", source="π² EI/(4 L²)", expected=math.pi**2 / 4 * BENDING, got=push * (math.pi / 2 / u) ** 2, tolerance=0.01, mesh="20 segments",
                    step="two deflections, without inertia")

    def test_pinned_buckling(self):
        points = [(k / 40, 0, 0) for k in range(41)]
        push, side = math.pi**2 / 2 * BENDING, 1e-3 * BENDING
        self.write("middle.msh", gmsh(points, {"left": [0], "right": [40], "middle": [20]}))

        def deflection(push, out):
            body = {"mesh": "middle.msh", "fixed": ["left", {"region": "right", "components": ["y", "z"]}],
                    "loads": {"side": {"region": "middle", "force": [0, 0, side], "over": RAMP}, "push": {"region": "right", "force": [-push, 0, 0], "over": RAMP}}}
            return self.at_end(points, body, out=out, time={"step": 0.25, "end": 1, "inertia": False})[1][:, 2].max()
        ratio = deflection(push, "pushed") / deflection(0, "alone")
        u = statics.root(lambda u: 3 * (math.tan(u) - u) / u**3 - ratio, 0.1, 1.5)
        self.expect("pinned rod: Euler's load", source="π² EI/L²", expected=math.pi**2 * BENDING, got=push * (math.pi / 2 / u) ** 2, tolerance=0.01, mesh="40 segments",
                    step="two deflections, without inertia")

    def test_buckling_between_clamps(self):
        # Segments whose two points are held clamp the rod in their middles. It inflects at a quarter of the length from each clamp, so that each quarter is a rod held at one end.
        h = 1 / 39
        points = [(h * (k - 0.5), 0, 0) for k in range(41)]
        push, side = 2 * math.pi**2 * BENDING, 1e-2 * BENDING
        self.write("clamps.msh", gmsh(points, {"left": [0, 1], "right": [39, 40], "middle": [20]}))

        def deflection(push, out):
            body = {"mesh": "clamps.msh", "fixed": ["left", {"region": "right", "components": ["y", "z"]}],
                    "loads": {"side": {"region": "middle", "force": [0, 0, side], "over": RAMP}, "push": {"region": "right", "force": [-push, 0, 0], "over": RAMP}}}
            return self.at_end(points, body, out=out, time={"step": 0.25, "end": 1, "inertia": False})[1][:, 2].max()
        ratio = deflection(push, "pushed") / deflection(0, "alone")
        u = statics.root(lambda u: 3 * (math.tan(u) - u) / u**3 - ratio, 0.1, 1.5)
        self.expect("rod clamped at both ends: Euler's load", source="4 π² EI/L²", expected=4 * math.pi**2 * BENDING, got=push * (math.pi / 2 / u) ** 2, tolerance=0.01, mesh="40 segments",
                    step="two deflections, without inertia")


def gmsh(points, named):
    """A curve `rod` through points, with named points, in Gmsh's format 2.2."""
    names = "".join(f'0 {number} "{name}"\n' for number, name in enumerate(named, 2))
    nodes = "".join(f"{k} {x:.17g} {y:.17g} {z:.17g}\n" for k, (x, y, z) in enumerate(points, 1))
    elements = [f"1 2 1 1 {k} {k + 1}" for k in range(1, len(points))]
    elements += [f"15 2 {number} {number} {k + 1}" for number, members in enumerate(named.values(), 2) for k in members]
    lines = "".join(f"{k} {element}\n" for k, element in enumerate(elements, 1))
    return (f'$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{1 + len(named)}\n1 1 "rod"\n{names}$EndPhysicalNames\n$Nodes\n{len(points)}\n{nodes}$EndNodes\n'
            f"$Elements\n{len(elements)}\n{lines}$EndElements\n")


class Twist(Rods):
    def test_driven_turns(self):
        # One end is turned by a full turn: moment GJ phi/L, all of the work is stored.
        length, turns = 1.0, 1
        points = [(length * (k - 0.5) / 19, 0, 0) for k in range(21)]
        rigidity = MODULUS / 2 * math.pi * RADIUS**4 / 2
        angle = turns * 2 * math.pi
        # Greenhill: a moment of 8.98 EI/L buckles it; this one is 2 pi EI/L.
        body = {"fixed": "first_segment", "driven": [{"vertices": "last_segment", "motion": {"angular_velocity": [angle, 0, 0]}}]}
        history, x = self.at_end(points, body, time={"step": 0.05, "end": 1, "inertia": False})
        self.assertLess(abs(x[:, 1:]).max(), 1e-9)
        about = {"mesh": "20 segments", "step": "without inertia, 20 steps"}
        moment = rigidity * angle / length
        self.expect("rod turned once at an end: moment", source="GJ φ/L", expected=moment, got=history["rod.last_segment.mx"][-1], tolerance=1e-6, **about)
        self.expect("rod turned once at an end: moment at the other", source="−GJ φ/L", expected=-moment, got=history["rod.first_segment.mx"][-1], tolerance=1e-6, **about)
        self.expect("rod turned once at an end: energy", source="GJ φ²/(2 L)", expected=moment * angle / 2, got=history["bending_energy"][-1], tolerance=1e-6, **about)
        self.expect("rod turned once at an end: work of its support", source="GJ φ²/(2 L)", expected=moment * angle / 2, got=history["work_driven"][-1], tolerance=1e-6, **about)

    def test_segments_that_supports_hold_without_their_twist(self):
        # The end whose components are held passes on no torque, of which the run warns. It does not where the end is held whole.
        words = "neither hold nor turn the twist"
        turned = [{"vertices": "last_segment", "motion": {"angular_velocity": [1, 0, 0]}}]
        partly = {"region": "first_segment", "components": ["x", "y", "z"]}
        for fixed, driven, is_doubtful in (("first_segment", turned, False), ([partly], turned, False), ([{**partly, "components": ["y", "z"]}], turned, False),
                                           ([{**partly, "components": ["y", "z"]}, {"region": "rod", "components": ["x"]}], [], True),
                                           ("first_segment", [{**turned[0], "components": ["y", "z"]}], True)):
            for ranks in (1, 2):
                with self.subTest(fixed=fixed, driven=driven, ranks=ranks):
                    scene = self.scene(straight(4), {"fixed": fixed, "driven": driven}, time={"step": 1e-3, "end": 1e-3})
                    outcome = self.simulate(json.dumps(scene), ranks=ranks)
                    self.assertEqual(words in outcome.errors + outcome.output, is_doubtful, outcome.errors)
                    if is_doubtful and driven:
                        self.assertAlmostEqual(outcome.history["rod.last_segment.mx"][-1], 0, delta=1e-12)

    def test_helix(self):
        # A straight rod whose shape without stress is a helix curls up, damped, until next to no energy is left.
        curvature, torsion, segments, length = 8.0, 5.0, 40, 0.5
        rate = math.hypot(curvature, torsion)
        points = [(length * k / segments, 0, 0) for k in range(segments + 1)]
        body = {"rod": self.material(natural_curvature=[curvature, 0, torsion], youngs_modulus=1e7), "fixed": "first_segment", "damping": {"mass": 20}}
        history, x = self.at_end(points, body, time={"step": 5e-3, "end": 2, "integrator": "backward_euler"}, output={"every": 2, "fields": ["displacement"]})
        about = {"mesh": "40 segments", "step": "backward_euler until rest"}
        self.expect("rod that is a helix without stress: energy left, of that of the straight one", source="0", expected=0, got=history["bending_energy"][-1] / history["bending_energy"][0],
                    scale=1, tolerance=1e-4, **about)
        chord = math.hypot(2 * curvature / rate**2 * math.sin(rate * length / 2), torsion / rate * length)
        self.expect("rod that is a helix without stress: distance of its ends", source="√((2 r sin(ω s/2))² + (τ s/ω)²), r = κ/ω², ω² = κ² + τ²", expected=chord,
                    got=numpy.linalg.norm(x[-1] - x[0]), tolerance=0.01, **about)

    def test_michell(self):
        # A naturally straight rod bent to a ring and closed with a twist: its flat shape is unstable beyond 2 pi sqrt(3) EI/GJ. The square of the lowest frequency of those modes
        # that bend the ring is zero there.
        for poisson_ratio in (0, 0.5):
            critical = 2 * math.pi * math.sqrt(3) * (1 + poisson_ratio)
            squares = []
            for share in (0.9, 1.1):
                squares.append(self.ring_mode(poisson_ratio, share * critical))
            found = critical * (0.9 + 0.2 * squares[0] / (squares[0] - squares[1]))
            self.expect(f"ring of a straight rod with ν = {poisson_ratio}: critical twist [rad]", source="2π √3 EI/GJ (Michell 1889)", expected=critical, got=found, tolerance=0.01,
                        mesh="80 segments", step="traction modes at 0.9 and 1.1 of it")

    def ring_mode(self, poisson_ratio, twist, segments=80):
        """The square of the frequency of the mode that becomes unstable."""
        angles = [2 * math.pi * k / segments for k in range(segments)]
        points = [(math.cos(a), math.sin(a), 0) for a in angles]
        length = segments * 2 * math.sin(math.pi / segments)
        self.write("ring.msh", gmsh([*points], {}).replace(f"$Elements\n{segments - 1}\n", f"$Elements\n{segments}\n{segments} 1 2 1 1 {segments} 1\n"))
        scene = {"time": {"step": 0.1, "end": 1},
                 "bodies": {"rod": {"mesh": "ring.msh", "rod": self.material(poisson_ratio=poisson_ratio, natural_curvature=[0, 0, -twist / length])}}}
        path = self.write("ring.yaml", json.dumps(scene))
        code, _, errors = execute(["traction", "modes", path, "--count", "14", "--out", self.folder / "modes"])
        self.assertEqual(code, 0, errors)
        with open(self.folder / "modes" / "modes.csv", newline="") as file:
            frequencies = [float(row["frequency"]) for row in csv.DictReader(file)]
        return self.michell_square(frequencies)

    def test_closed_curves_in_space(self):
        # A director that is carried along a coil around a ring without twist comes back turned. All joints share this angle, so that it does not matter where the rod is closed.
        segments, turns = 60, 3
        for shift in (0, 7):
            a = 2 * math.pi * (numpy.arange(segments) + shift) / segments
            around = 1 + 0.3 * numpy.cos(turns * a)
            points = numpy.stack([around * numpy.cos(a), around * numpy.sin(a), 0.3 * numpy.sin(turns * a)], axis=1)
            edges = numpy.roll(points, -1, axis=0) - points
            lengths = numpy.linalg.norm(edges, axis=1)
            tangents = edges / lengths[:, None]
            before, of_joints = numpy.roll(tangents, 1, axis=0), (lengths + numpy.roll(lengths, 1)) / 2
            curvatures = 2 * numpy.linalg.norm(numpy.cross(before, tangents), axis=1) / (1 + (before * tangents).sum(axis=1))
            first = director = numpy.cross(tangents[0], (0.3, 0.5, 0.7)) / numpy.linalg.norm(numpy.cross(tangents[0], (0.3, 0.5, 0.7)))
            for here, there in zip(tangents, numpy.roll(tangents, -1, axis=0)):
                director = director - (here + there) * (director @ there) / (1 + here @ there)
            angle = math.atan2(tangents[0] @ numpy.cross(director, first), director @ first)
            self.assertGreater(abs(angle), 1)
            self.write("coil.msh", gmsh([*points.tolist()], {}).replace(f"$Elements\n{segments - 1}\n", f"$Elements\n{segments}\n{segments} 1 2 1 1 {segments} 1\n"))
            energies = []
            for poisson_ratio in (-0.5, 0.5):
                scene = {"time": {"step": 1e-9, "end": 1e-9}, "bodies": {"rod": {"mesh": "coil.msh", "rod": self.material(natural="straight", poisson_ratio=poisson_ratio)}}}
                energies.append(self.simulate(json.dumps(scene), out=f"coil{shift}{poisson_ratio}").history["bending_energy"][-1])
            bending = BENDING / 2 * (curvatures**2 / of_joints).sum()
            twisting = [BENDING / (1 + poisson_ratio) * angle**2 / (2 * lengths.sum()) for poisson_ratio in (-0.5, 0.5)]
            about = {"mesh": f"{segments} segments, closed at joint {shift}", "step": "at the start"}
            self.expect("closed coil of a straight rod: energy of bending and twist", source="Σ EI κ²/(2 l) + GJ ψ²/(2 L)", expected=bending + twisting[1], got=energies[1], tolerance=1e-3, **about)
            self.expect("closed coil of a straight rod: energy of twist", source="GJ ψ²/(2 L)", expected=twisting[0] - twisting[1], got=energies[0] - energies[1], tolerance=1e-3, **about)

    def michell_square(self, frequencies):
        squares = sorted(math.copysign(f * f, f) for f in frequencies)
        # Six rigid motions and the free roll of the ring about its own axis are zero, to rounding.
        zero = 1e-4 * max(abs(s) for s in squares)
        rest = [s for s in squares if abs(s) > zero]
        return rest[0]


class Vibration(Rods):
    def test_cantilever(self):
        scene = self.scene(straight(60), {"fixed": "first_segment"}, time={"step": 0.1, "end": 1})
        path = self.write("scene.yaml", json.dumps(scene))
        code, _, errors = execute(["traction", "modes", path, "--count", "8", "--out", self.folder / "modes"])
        self.assertEqual(code, 0, errors)
        with open(self.folder / "modes" / "modes.csv", newline="") as file:
            found = [float(row["frequency"]) for row in csv.DictReader(file)]
        area = math.pi * RADIUS**2
        for number, beta in enumerate((1.8751041, 4.6940911, 7.8547574)):
            expected = beta**2 / (2 * math.pi) * math.sqrt(BENDING / (DENSITY * area))
            self.expect(f"cantilever rod: bending frequency {number + 1} [Hz]", source="β² √(EI/ρA)/(2π L²)", expected=expected, got=found[2 * number], tolerance=0.01, mesh="60 segments",
                        step="traction modes")

    def test_twist(self):
        # So stiff against bending along its length that the first twist is the lowest mode: an elliptic section would bend; a short thick rod does not.
        points = straight(40, length=0.1)
        material = self.material(radius=0.05)
        self.write("points.txt", table(points))
        scene = {"time": {"step": 0.1, "end": 1}, "bodies": {"rod": {"mesh": "points.txt", "rod": material, "fixed": "first_segment"}}}
        path = self.write("scene.yaml", json.dumps(scene))
        code, _, errors = execute(["traction", "modes", path, "--count", "6", "--out", self.folder / "modes"])
        self.assertEqual(code, 0, errors)
        with open(self.folder / "modes" / "modes.csv", newline="") as file:
            found = [float(row["frequency"]) for row in csv.DictReader(file)]
        expected = math.sqrt(MODULUS / 2 / DENSITY) / (4 * 0.1)
        nearest = min(found, key=lambda f: abs(f - expected))
        self.expect("cantilever rod: first twist frequency [Hz]", source="√(G/ρ)/(4 L)", expected=expected, got=nearest, tolerance=0.01, mesh="40 segments", step="traction modes")


class Runs(Rods):
    """A curved, twisted rod that swings while its end is turned about an oblique axis."""

    def swinging(self, end=0.2):
        points = [(0.3 * math.cos(s), 0.3 * math.sin(s), 0.05 * s) for s in (3 * k / 30 for k in range(31))]
        body = {"rod": self.material(youngs_modulus=1e7, poisson_ratio=0.3, second_radius=0.006, director=[0, 0, 1], natural="straight"),
                "driven": [{"vertices": "first_segment", "motion": {"angular_velocity": [4, 3, 9], "about": [0.3, 0, 0]}}], "damping": {"stiffness": 1e-3}}
        return json.dumps(self.scene(points, body, time={"step": 5e-3, "end": end}, gravity=[0, 0, -9.81], solver={"tolerance": 1e-8, "relative_tolerance": 1e-6}))

    def test_ranks_and_restart(self):
        alone = self.simulate(self.swinging(), out="alone").last_row()
        for ranks in (2, 4):
            other = self.simulate(self.swinging(), ranks=ranks, out=f"on{ranks}").last_row()
            self.assert_rows_agree(alone, other, 1e-7, [name for name in alone if name.startswith("rod.") or name.endswith("_energy")])
        half = self.simulate(self.swinging(end=0.1), ranks=2, out="out")
        self.assertEqual(half.last_row()["step"], 20)
        continued = self.resume(ranks=1, sets={"time.end": 0.2}).last_row()
        self.assert_rows_agree(alone, continued, 1e-7, [name for name in alone if name.startswith("rod.") or name.endswith("_energy")])

    def test_energy_is_accounted_for(self):
        history = self.simulate(self.swinging(end=0.5), sets={"time.step": 1e-3}).history
        moved = history["kinetic_energy"].max() + abs(history["work_driven"]).max()
        self.assertLess(abs(history["energy_numerical"]).max(), 0.02 * moved)

    def test_free_spin_about_the_axis(self):
        points = [(k / 20, 0, 0) for k in range(21)]
        body = {"initial": {"angular_velocity": [50, 0, 0]}}
        history = self.simulate(json.dumps(self.scene(points, body, time={"step": 1e-3, "end": 0.1}))).history
        inertia = DENSITY * math.pi * RADIUS**4 / 2
        self.expect("rod spinning about itself: energy", source="J ω²/2", expected=inertia * 50**2 / 2, got=history["kinetic_energy"][-1], tolerance=1e-9, mesh="20 segments",
                    step="tr_sdirk2, 1 ms")

    def test_a_straight_rod_keeps_its_spin_across_the_axis(self):
        """The modes of additive schemes turn with the rod, though its vertices lie on one line."""
        points = [(k / 50, 0, 0) for k in range(11)]
        body = {"rod": self.material(youngs_modulus=1e9), "initial": {"velocity": [1, 0, 0], "angular_velocity": [0, 0, 3]}}
        for integrator in ("beere", "bdf2ere", "str_sbdf2ere"):
            with self.subTest(integrator):
                momentum = self.simulate(json.dumps(self.scene(points, body, time={"step": 1e-3, "end": 0.1, "integrator": integrator})), out=integrator).history["rod.lz"]
                self.expect(f"straight rod spinning across its axis, {integrator}: angular momentum after 0.1 s", source="conservation", expected=momentum[0], got=momentum[-1], tolerance=0.01,
                            mesh="10 segments", step="1 ms, 0.3 rad in all")

    def test_drag_slows_twists(self):
        points = [(k / 20, 0, 0) for k in range(21)]
        body = {"initial": {"angular_velocity": [50, 0, 0], "velocity": [0, 1, 0]}, "damping": {"mass": 5}}
        history = self.simulate(json.dumps(self.scene(points, body, time={"step": 1e-3, "end": 0.1}))).history
        start = DENSITY * math.pi * RADIUS**4 / 2 * 50**2 / 2 + DENSITY * math.pi * RADIUS**2 / 2
        self.expect("rod with drag, spinning and flying: energy", source="exp(−2 α t)", expected=start * math.exp(-1), got=history["kinetic_energy"][-1], tolerance=1e-5, mesh="20 segments",
                    step="tr_sdirk2, 1 ms")

    def test_a_table_may_be_a_ring(self):
        points = [(math.cos(a), math.sin(a), 0) for a in (2 * math.pi * k / 40 for k in range(40))]
        for rounding in (0, 1e-15):
            scene = self.scene([*points, (points[0][0], points[0][1] - rounding, points[0][2])], {}, time={"step": 1e-3, "end": 2e-3})
            outcome = self.simulate(json.dumps(scene), out=f"rounding{rounding}")
            self.assertEqual((outcome.report["vertices"], outcome.report["elements"]), (80, 40))
            self.assertLess(outcome.history["bending_energy"][-1], 1e-20)

    def test_a_contact_that_leaves_rods_out_is_told(self):
        self.write("cube.msh", statics.box((1, 1, 1), (1, 1, 1)).gmsh())
        scene = self.scene(straight(4), {"fixed": "first_segment"}, time={"step": 1e-3, "end": 2e-3})
        scene["bodies"]["cube"] = {"mesh": "cube.msh", "solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": 1000}}, "initial": {"translate": [0, 0, 2]}}
        scene["surfaces"] = {"floor": {"plane": {"point": [0, 0, -1], "normal": [0, 0, 1]}}}
        scene["contacts"] = {"stand": {"vertices": "cube", "against": "floor", "thickness": 1e-3}}
        outcome = self.simulate(json.dumps(scene), out="left")
        self.assertIn("no contact names the rods of body 'rod'", outcome.output + outcome.errors)
        scene["contacts"] = {"everything": {"all": True, "thickness": 1e-3}}
        outcome = self.simulate(json.dumps(scene), out="all")
        self.assertNotIn("no contact names", outcome.output + outcome.errors)


SEGMENTS = 8
ROUND, FLAT = {"radius": 6e-3, "youngs_modulus": 1e9, "density": 1000}, {"radius": 8e-3, "second_radius": 2e-3, "youngs_modulus": 1e9, "density": 1000}


def two_sections(test, points, names=("round", "flat"), **directors):
    """A scene of a rod whose halves are regions; the one that is called round has a round section."""
    half = SEGMENTS // 2
    groups = {names[0]: range(half), names[1]: range(half, SEGMENTS), "root": range(1)}
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "3", *(f'1 {i} "{name}"' for i, name in enumerate(groups, 1)), "$EndPhysicalNames", "$Nodes", str(len(points))]
    lines += [f"{i} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(points, 1)]
    segments = [(i, k) for i, members in enumerate(groups.values(), 1) for k in members]
    lines += ["$EndNodes", "$Elements", str(len(segments)), *(f"{e} 1 2 {i} {i} {k + 1} {k + 2}" for e, (i, k) in enumerate(segments, 1)), "$EndElements", ""]
    test.write("rod.msh", "\n".join(lines))
    rod = {name: {**(ROUND if name == "round" else FLAT), **({"director": directors[name]} if name in directors else {})} for name in names}
    return json.dumps({"time": {"step": 0.1, "end": 0.1, "inertia": False}, "gravity": [0, 0, -0.1], "solver": {"relative_tolerance": 1e-9},
                       "bodies": {"rod": {"mesh": "rod.msh", "rod": rod, "fixed": "root"}}})


class TwoSections(Rods):
    """A rod of a round half, which is held, and of an elliptic one."""

    def test_a_director_may_be_that_of_any_region(self):
        line = [(k / SEGMENTS, 0.0, 0.0) for k in range(SEGMENTS + 1)]
        energy = lambda **directors: self.simulate(two_sections(self, line, **directors)).last_row()["bending_energy"]   # noqa: E731
        edgewise, flatwise = energy(flat=[0, 0, 1]), energy(flat=[0, 1, 0])
        # In each joint M^2 / 2 times the compliances of the halves of its two segments, under the weight of the vertices beyond it.
        h, half = 1 / SEGMENTS, SEGMENTS // 2
        bending = math.pi / 4 * 1e9 * numpy.array([6e-3**4, 8e-3**3 * 2e-3, 8e-3 * 2e-3**3])   # round, elliptic edgewise and flatwise
        areas = math.pi * numpy.repeat([6e-3**2, 8e-3 * 2e-3], half)
        weights = 1000 * 0.1 * h / 2 * (numpy.append(0, areas) + numpy.append(areas, 0))

        def expected(elliptic):
            stiffness = numpy.repeat([bending[0], elliptic], half)
            moments = [sum(weights[m] * (m - k) * h for m in range(k + 1, SEGMENTS + 1)) for k in range(1, SEGMENTS)]
            return sum(moment**2 / 2 * h / 2 * (1 / one + 1 / other) for moment, one, other in zip(moments, stiffness, stiffness[1:]))

        self.assertAlmostEqual(edgewise / expected(bending[1]), 1, delta=0.02)
        self.assertAlmostEqual(flatwise / expected(bending[2]), 1, delta=0.02)
        for directors in ({"round": [0, 0, 1]}, {"round": [0, 0, 1], "flat": [0, 0, 2]}, {"round": [1e-4, 0, 1], "flat": [0, 0, 1]}):
            self.assertAlmostEqual(energy(**directors) / edgewise, 1, delta=1e-6)

    def test_it_is_carried_back_without_twist(self):
        """On a curve in space a director of the second half is the one to which that of the first half leads."""
        curve = [(0.3 * math.cos(s), 0.3 * math.sin(s), 0.1 * s) for s in (3 * k / SEGMENTS for k in range(SEGMENTS + 1))]
        tangents = numpy.diff(numpy.array(curve), axis=0)
        tangents /= numpy.linalg.norm(tangents, axis=1)[:, None]
        director = numpy.array([0, 0, 1.0])
        director -= director @ tangents[0] * tangents[0]
        for a, b in zip(tangents[: SEGMENTS // 2], tangents[1:]):
            director = director - (a + b) * (director @ b) / (1 + a @ b)
        ends = [self.simulate(two_sections(self, curve, ("flat", "tail"), **directors)).last_row() for directors in ({"flat": [0, 0, 1]}, {"tail": list(director)})]
        self.assert_rows_agree(*ends, 1e-6, ["bending_energy", "rod.x", "rod.y", "rod.z"])


class TwoDirectors(RefusalTest):
    def test_a_second_one_that_disagrees(self):
        line = [(k / SEGMENTS, 0.0, 0.0) for k in range(SEGMENTS + 1)]
        scene = self.write("scene.yaml", two_sections(self, line, round=[0, 0, 1], flat=[0, 1, 1]))
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", scene, "--out", self.folder / "out"], ("scene.yaml:1", "two regions of one rod give a 'director'", "(0.5, 0, 0)", "45 degrees", "in one region alone"), ranks)


class Mistakes(RefusalTest):
    def refused(self, text, rod, expected, file="points.txt", **more):
        self.write(file, text)
        body = {"mesh": file, "rod": {"rod": {"radius": 0.01, "youngs_modulus": 1e7, "density": 1000, **rod}}, **more}
        path = self.write("scene.yaml", json.dumps({"time": {"step": 0.1, "end": 1}, "bodies": {"rod": body}}))
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], expected, ranks)

    def test_tables(self):
        self.refused("0 0 0\n1 0\n2 0 0\n", {}, ("points.txt:2", "three numbers"))
        self.refused("1 0 0 0\n2 0.1 0 0\n3 0.2 0 0\n", {}, ("points.txt", "counts the lines"))
        self.refused("0,02 0 0\n0,04 0 0\n0,06 0 0\n", {}, ("points.txt:1", "4 numbers and 1 comma", "Write decimal points"))
        self.refused("0 0 0\n", {}, ("points.txt", "two points"))
        self.refused("0 0 0\n1 0 0\n1 0 0\n", {}, ("points.txt", "segment 2", "no length"))
        self.refused("0 0 0\n1 0 0\n2 0 0\n1 0 0\n", {}, ("points.txt", "folds back"))
        self.refused("0 0 0\n1 0 0\n1 1 0\n0 0 0\n0 0 1\n", {}, ("points.txt:5", "ring"))

    def test_contact(self):
        self.write("points.txt", "0 0 0\n1 0 0\n2 0 0\n")
        self.write("across.txt", "1.5 -1 0.015\n1.5 0 0.015\n1.5 1 0.015\n")
        material = {"radius": 0.01, "youngs_modulus": 1e7, "density": 1000}

        def refused(expected, contact={}, surface={"plane": {"point": [0, 0, -1], "normal": [0, 0, 1]}}, other={}, **more):
            cable = {"mesh": "points.txt", "rod": {"rod": {**material, **more}}}
            scene = {"time": {"step": 0.1, "end": 1}, "bodies": {"cable": cable, **other}, "surfaces": {"floor": surface},
                     "contacts": {"lie": {"thickness": 1e-3, **({"vertices": "cable", "against": "floor"} if "all" not in contact else {}), **contact}}}
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", self.write("scene.yaml", json.dumps(scene)), "--out", self.folder / "out"], ("contacts.lie", *expected), ranks)
        across = {"other": {"mesh": "across.txt", "rod": {"rod": material}}}
        box = {"box": {"lower": [1.2, -1, -1], "upper": [1.4, 1.3, 1.2]}}
        refused(("elliptic", "'cable'"), second_radius=0.02)
        refused(("'cable'", "'first_segment'", "as a whole"), {"vertices": "cable.first_segment"})
        refused(("smooth surfaces",), {"against": "other", "geometry": "smooth_surface"}, other=across)
        refused(("'cable'", "'other'", "overlap by 0.005 m", "0.001 m apart"), {"all": True}, other=across)
        refused(("rod of cable passes through floor at (1.", "move them apart"), surface=box)
        refused(("rod of cable lies in floor", "move them apart"), surface={"box": {"lower": [-1, -1, -1], "upper": [4, 1, 1]}})

    def test_segments_that_are_short_or_kinked_for_contact_with_itself(self):
        material = {"radius": 0.01, "youngs_modulus": 1e7, "density": 1000}
        ways = {"itself": {"vertices": "cable", "against": "cable"}, "all": {"all": True}}

        def scene(points, contact, **more):
            self.write("points.txt", points)
            return self.write("scene.yaml", json.dumps({
                "time": {"step": 1e-3, "end": 1e-3}, "bodies": {"cable": {"mesh": "points.txt", "rod": {"rod": {**material, **more}}}}, "surfaces": {"floor": {"plane": {"point": [0, 0, -1]}}},
                "contacts": {"touch": {"thickness": 1e-3, **contact}}}))
        short, kink = "0 0 0\n0.5 0 0\n0.505 0 0\n1 0 0\n", "0 0 0\n0.5 0 0\n0.515 0 0\n0.505 0.013 0\n0.4 0.1 0\n"
        for points, expected in ((short, ("segment 2 of rod 'rod', from (0.5, 0, 0) to (0.505, 0, 0), is 0.005 m long, less than the radius of 0.01 m", "mesh it in segments of two radii")),
                                 (kink, ("segments 2 and 3 of rod 'rod' meet at (0.515, 0, 0) in a bend of radius", "sharper than the rod's own radius of 0.01 m", "round the bend off"))):
            for name, contact in ways.items():
                for command in ("run", "check"):
                    with self.subTest(name, command=command):
                        words = ["traction", command, scene(points, contact), *(["--out", self.folder / "out"] if command == "run" else [])]
                        self.assert_refused(words, ("scene.yaml:1: bodies.cable.rod.rod: ", *expected), 1)
            # What never touches itself is only warned of.
            outcome = self.run_program("check", scene(points, {"vertices": "cable", "against": "floor"}))
            self.assertEqual(outcome.code, 0, outcome.errors)
            self.assertEqual("rod segments of 0.5 radii" in outcome.errors, points == short)
            self.assertEqual(self.run_program("check", scene(points, ways["itself"], radius=0.003)).code, 0)

    def test_a_rod_that_crosses_itself(self):
        """A loop that lies flat, whose end passes through its beginning."""
        points = [(-0.3 + 0.05 * k, 0, 0) for k in range(7)] + [(0.2 * math.sin(a), 0.2 - 0.2 * math.cos(a), 0) for a in numpy.linspace(0.2, 1.5 * math.pi, 20)]
        points += [(-0.2 + 0.05 * k, 0.2 - 0.05 * k, 0) for k in range(1, 9)]
        self.write("loop.txt", "".join(f"{x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points))
        cable = {"mesh": "loop.txt", "rod": {"rod": {"radius": 0.005, "youngs_modulus": 1e7, "density": 1000}}}
        for contact in ({"vertices": "cable", "against": "cable"}, {"all": True}):
            scene = {"time": {"step": 1e-3, "end": 1e-2}, "bodies": {"cable": cable}, "surfaces": {"floor": {"plane": {"point": [0, 0, -1]}}},
                     "contacts": {"touch": {"thickness": 1e-3, **contact}}}
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", self.write("scene.yaml", json.dumps(scene)), "--out", self.folder / "out"],
                                    ("contacts.touch: at the start 'cable'", "(0, 0, 0), where they overlap by 0.01 m", "0.001 m apart"), ranks)

    def test_branches(self):
        points = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0)]
        text = gmsh(points[:3], {}).replace("$Nodes\n3\n", "$Nodes\n4\n").replace("$EndNodes", "4 1 1 0\n$EndNodes").replace("$Elements\n2\n", "$Elements\n3\n3 1 2 1 1 2 4\n")
        self.refused(text, {}, ("points.msh", "more than two segments", "(1, 0, 0)"), file="points.msh")

    def test_settings(self):
        line = "0 0 0\n1 0 0\n2 0 0\n"
        self.refused(line, {"radius": -1}, ("scene.yaml:1", "radius"))
        self.refused(line, {"natural": "straight", "natural_curvature": [1, 0, 0]}, ("natural_curvature", "remove one"))
        self.refused(line, {"director": [1, 0, 0]}, ("director", "across"))
        self.refused(line, {}, ("first_poin", "first_point"), fixed="first_poin")
        self.refused(line, {"natural_curvature": [2.1, 0, 0]}, ("rod.rod", "natural_curvature", "2.1 rad"))
        self.refused(line, {}, ("bodies.rod.driven", "3.5 rad", "steps of 0.0857 s or less"), driven=[{"vertices": "last_segment", "motion": {"angular_velocity": [35, 0, 0]}}])
        self.write("points.txt", line)
        wrong = {"time": {"step": 0.1, "end": 1}, "bodies": {"rod": {"mesh": "points.txt", "rod": {"wire": {"radius": 0.01, "youngs_modulus": 1e7, "density": 1000}}}}}
        self.assert_refused(["traction", "run", self.write("scene.yaml", json.dumps(wrong)), "--out", self.folder / "out"], ("points.txt", "no curve 'wire'", "'rod'"), 1)


if __name__ == "__main__":
    unittest.main()
