"""Plates, rings, columns, foundations and rubber tubes against closed forms: deflections, stresses, vibrations and buckling."""

import csv
import json
import math
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import point_arrays, read_frame
from closed_forms import expect_closed_form
from edge_shapes import Shape, box, sheet
from test_closed_forms_friction import disc
from test_closed_forms_motion import extremes
from test_closed_forms_statics import RAMP, at, rollers
from test_rods import gmsh, straight, table
from test_start import vtk_text
from traction_runs import ShortRunTest

MODULUS, POISSON_RATIO, DENSITY = 1e9, 0.3, 1000


class Structures(ShortRunTest):
    def equilibrium(self, mesh, body, field="displacement", time=None, **scene):
        """History, rest positions and displacements of vertices, and a further field at the end of a run without inertia."""
        self.write(mesh[0], mesh[1])
        scene = {"time": time or {"step": 1, "end": 1, "inertia": False}, "bodies": {"body": {"mesh": mesh[0], **body}}, "output": {"every": 1, "fields": sorted({"displacement", field})}, **scene}
        history = self.simulate(json.dumps(scene)).history
        frame = read_frame(sorted((self.folder / "out").glob("fields_0*.hdf"))[-1])
        points, of_cells = point_arrays(frame), frame.GetCellData().GetArray(field)
        moved = points["displacement"]
        return history, vtk_to_numpy(frame.GetPoints().GetData()) - moved, moved, vtk_to_numpy(of_cells) if of_cells else points[field]

    def modes(self, mesh, body, count, warning="", **scene):
        """Squares of angular frequencies [1/s^2], the lowest first; `warning` are words of the log."""
        self.write(mesh[0], mesh[1])
        scene = {"time": {"step": 1, "end": 1}, "bodies": {"body": {"mesh": mesh[0], **body}}, **scene}
        outcome = self.run_program("modes", json.dumps(scene), options=["--count", str(count), "--out", self.folder / "modes"])
        self.assertEqual(outcome.code, 0, outcome.errors)
        self.assertIn(warning, outcome.output + outcome.errors)
        self.assertEqual("warning" in outcome.output + outcome.errors, bool(warning), outcome.output + outcome.errors)
        with open(self.folder / "modes" / "modes.csv", newline="") as file:
            return [float(row["eigenvalue"]) for row in csv.DictReader(file)]


class Plates(Structures):
    THICKNESS = 0.01
    BENDING = MODULUS * THICKNESS**3 / (12 * (1 - POISSON_RATIO**2))
    SHELL = {"shell": {"youngs_modulus": MODULUS, "poisson_ratio": POISSON_RATIO, "density": DENSITY, "thickness": THICKNESS}}

    def expect(self, case, **values):
        expect_closed_form(self, field="plates and rings", case=case, **values)

    def test_clamped_circle_under_pressure(self):
        rings, radius = 20, 1.0
        flat = disc(radius, 1, rings, 1)
        points = flat.points[flat.points[:, 2] == 0]
        triangles = [tuple(t) for t in flat.triangles if numpy.all(flat.points[t, 2] == 0)]
        # A row of triangles outside of the circle is held.
        rim, count = numpy.nonzero(numpy.hypot(points[:, 0], points[:, 1]) > radius - 1e-9)[0], len(points)
        for k, vertex in enumerate(rim):
            after = (k + 1) % len(rim)
            triangles += [(vertex, count + after, count + k), (vertex, rim[after], count + after)]
        whole = Shape(numpy.concatenate([points, 1.01 * points[rim]]), triangles)
        pressure = 64e-3 * self.BENDING / radius**4 * self.THICKNESS
        outside = lambda corners: bool(numpy.all(numpy.hypot(corners[:, 0], corners[:, 1]) > radius - 1e-9))   # noqa: E731
        body = {"shell": self.SHELL, "fixed": "clamp", "loads": {"gas": {"region": "shell", "pressure": pressure}}}
        _, _, moved, moments = self.equilibrium(("body.msh", whole.gmsh_with({"clamp": outside})), body, "bending_moment")
        about = {"mesh": f"{rings} rings of triangles", "step": "without inertia"}
        self.expect("clamped circular plate under pressure: deflection", source="p R⁴/(64 D)", expected=pressure * radius**4 / (64 * self.BENDING), got=abs(moved[:, 2]).max(),
                    tolerance=0.01, **about)
        middle = [i for i, t in enumerate(whole.cells) if 0 in t]
        self.expect("clamped circular plate under pressure: moment in the middle", source="(1 + ν) p R²/16", expected=(1 + POISSON_RATIO) * pressure * radius**2 / 16,
                    got=abs(moments[middle, :2].mean()), tolerance=0.01, **about)

    def test_free_square_vibrates(self):
        cells = 24
        found = self.modes(("body.msh", sheet((1, 1), (cells, cells)).gmsh()), {"shell": self.SHELL}, 9)
        for number, value in enumerate((13.468, 19.596, 24.270)):
            self.expect(f"free square plate: frequency {number + 1} [rad/s]", source="13.468, 19.596, 24.270 √(D/(ρ t a⁴)) (Leissa 1973, ν = 0.3)",
                        expected=value * math.sqrt(self.BENDING / (DENSITY * self.THICKNESS)), got=math.sqrt(found[6 + number]), tolerance=0.01, mesh=f"{cells} × {cells} squares, halved",
                        step="traction modes")

    def test_a_compressed_square_softens(self):
        """The square of its frequency falls with the compression, and is zero under the load at which it buckles."""
        cells, part = 20, 0.5
        flat = sheet((1, 1), (cells, cells))
        text = flat.gmsh_with({}, {"rim": lambda p: max(abs(p[0]), abs(p[1])) > 0.5 - 1e-9})
        strain = part * 4 * math.pi**2 * self.BENDING / (MODULUS * self.THICKNESS)
        squares = []
        for factor in (0, strain):
            self.write("start.vtk", vtk_text(flat.points * (1 - factor, 1 + POISSON_RATIO * factor, 1)))
            body = {"shell": self.SHELL, "fixed": ["rim", {"region": "shell", "components": ["x", "y"]}], "initial": {"positions": "start.vtk"}}
            squares.append(self.modes(("body.msh", text), body, 1)[0])
        about = {"mesh": f"{cells} × {cells} squares, halved", "step": "traction modes"}
        self.expect("supported square plate: frequency [rad/s]", source="2 π² √(D/(ρ t a⁴))", expected=2 * math.pi**2 * math.sqrt(self.BENDING / (DENSITY * self.THICKNESS)),
                    got=math.sqrt(squares[0]), tolerance=0.01, **about)
        self.expect("supported square plate: critical compression, in parts of that of the formula", source="4 π² D/a²", expected=1, got=part / (1 - squares[1] / squares[0]), tolerance=0.01,
                    **about)


class Rings(Structures):
    RADIUS, SECTION = 1.0, 0.01
    BENDING = MODULUS * math.pi * SECTION**4 / 4
    ROD = {"rod": {"radius": SECTION, "youngs_modulus": MODULUS, "poisson_ratio": POISSON_RATIO, "density": DENSITY}}

    def expect(self, case, **values):
        expect_closed_form(self, **{"field": "rods", "case": case, **values})

    def test_free_ring_vibrates(self):
        segments = 80
        angles = 2 * math.pi * (numpy.arange(segments + 1) % segments) / segments
        points = self.RADIUS * numpy.column_stack([numpy.cos(angles), numpy.sin(angles), 0 * angles])
        found = self.modes(("ring.txt", table(points)), {"rod": self.ROD}, 14)
        unit = self.BENDING / (DENSITY * math.pi * self.SECTION**2 * self.RADIUS**4)
        for lowest, waves in ((6, 2), (10, 3)):
            for way, name, divisor in ((0, "out of its plane", waves**2 + 1 + POISSON_RATIO), (2, "in its plane", waves**2 + 1)):
                self.expect(f"free ring, {waves} waves {name}: frequency [rad/s]", source="n (n² − 1) √(EI/(ρ A R⁴)/(n² + 1)), or n² + EI/GJ", got=math.sqrt(found[lowest + way]),
                            expected=waves * (waves**2 - 1) * math.sqrt(unit / divisor), tolerance=5e-3, mesh=f"{segments} segments", step="traction modes")

    def test_quarter_of_a_ring_with_an_end_load(self):
        segments, force = 40, 1e-3 * self.BENDING
        angles = math.pi / 2 * (numpy.arange(segments + 1) - 0.5) / (segments - 0.5)     # a held segment clamps the rod at its middle
        points = self.RADIUS * numpy.column_stack([numpy.sin(angles), 1 - numpy.cos(angles), 0 * angles])
        torsion = self.BENDING / (1 + POISSON_RATIO)
        cases = (("across its plane", 2, "P R³ (π/(4 EI) + (3 π/4 − 2)/GJ)", math.pi / (4 * self.BENDING) + (3 * math.pi / 4 - 2) / torsion),
                 ("along the clamped end", 0, "π P R³/(4 EI)", math.pi / (4 * self.BENDING)))
        for name, axis, source, softness in cases:
            pull = {"region": "last_point", "force": [force * (i == axis) for i in range(3)]}
            history, *_ = self.equilibrium(("arc.txt", table(points)), {"rod": self.ROD, "fixed": "first_segment", "loads": {"pull": pull}}, "curvature")
            self.expect(f"quarter of a ring, clamped, with an end load {name}: deflection", source=source, expected=force * self.RADIUS**3 * softness, got=-history["load_energy"][-1] / force,
                        tolerance=5e-3, mesh=f"{segments} segments", step="without inertia")

    def test_a_column_under_its_weight(self):
        """As for the plate, from a cantilever's frequency under half of the critical weight, which is next to linear."""
        segments, part = 40, 0.5
        weight = part * 7.8373 * self.BENDING / (DENSITY * math.pi * self.SECTION**2)
        points = numpy.array(straight(segments))[:, [1, 2, 0]]
        squares = [self.modes(("column.txt", table(points)), {"rod": self.ROD, "fixed": "first_segment", "initial": {"equilibrium": True}}, 1, gravity=[0, 0, -g])[0] for g in (0, weight)]
        self.expect("column under its weight: critical weight, in parts of that of the formula", source="ρ g A L³ = 7.8373 EI (Greenhill 1881)", expected=1,
                    got=part / (1 - squares[1] / squares[0]), tolerance=0.01, mesh=f"{segments} segments", step="traction modes, from equilibrium")

    def ring_of_shell(self, load):
        """Mesh, body and the frequency [rad/s] of its vibration to an ellipse without load. The points of both axes keep the ring in its place, and let it become an ellipse along these."""
        around, radius, thickness, width = 48, 0.1, 2e-3, 0.01
        angles = 2 * math.pi * numpy.arange(around) / around
        points = numpy.array([(radius * math.cos(a), radius * math.sin(a), z) for z in (0, width / 2, width) for a in angles])
        triangles = []
        for row in (0, 1):
            for k in range(around):
                a, b = row * around + k, row * around + (k + 1) % around
                c, d = a + around, b + around
                triangles += [(a, b, d), (a, d, c)] if (row + k) % 2 else [(a, b, c), (b, d, c)]
        text = Shape(points, triangles).gmsh_with({}, {"along": lambda p: abs(p[1]) < 1e-9, "across": lambda p: abs(p[0]) < 1e-9})
        unit = MODULUS * thickness**3 / 12 / radius**3
        body = {"shell": {"shell": {"youngs_modulus": MODULUS, "poisson_ratio": 0, "density": DENSITY, "thickness": thickness}},
                "fixed": [{"region": "shell", "components": ["z"]}, {"region": "along", "components": ["y"]}, {"region": "across", "components": ["x"]}],
                "loads": {"sea": {"region": "shell", "pressure": load * unit}}}
        return points, text, body, math.sqrt(36 / 5 * unit / (DENSITY * thickness * radius))

    def test_modes_of_a_ring_under_pressure(self):
        """In equilibrium without gravity. Modes do not turn the pressure with the ring."""
        squares, loads = [], (0.03, 1.5)
        for load in loads:
            _, text, body, _ = self.ring_of_shell(load)
            squares.append(self.modes(("body.msh", text), {**body, "initial": {"equilibrium": True}}, 1, warning="loads.sea: modes keep the forces of this load in their initial directions")[0])
        self.expect("modes of a ring under pressure: critical load, in parts of E t³/(12 R³)", field="plates and rings", source="4, as for forces that do not turn", expected=4,
                    got=loads[0] + (loads[1] - loads[0]) / (1 - squares[1] / squares[0]), tolerance=0.01, mesh="48 × 2 rectangles, halved", step="traction modes, from equilibrium")

    def test_a_ring_vibrates_under_pressure(self):
        """Half of the pressure under which it buckles; it starts as an ellipse, and its energy of bending is least twice in a period."""
        points, text, body, rate = self.ring_of_shell(1.5)
        angle, size = numpy.arctan2(points[:, 1], points[:, 0]), 2e-4
        outwards, around = size * numpy.cos(2 * angle), -size / 2 * numpy.sin(2 * angle)
        moved = numpy.column_stack([outwards * numpy.cos(angle) - around * numpy.sin(angle), outwards * numpy.sin(angle) + around * numpy.cos(angle), 0 * angle])
        self.write("start.vtk", vtk_text(points + moved))
        self.write("body.msh", text)
        scene = {"time": {"step": 5e-4, "end": 0.075}, "bodies": {"body": {"mesh": "body.msh", **body, "initial": {"positions": "start.vtk"}}}}
        history = self.simulate(json.dumps(scene)).history
        time, energy = history["time"], history["bending_energy"]
        least = [t for t in extremes(time, energy) if numpy.interp(t, time, energy) < 0.3 * energy.max()]
        self.assertEqual(len(least), 3)
        self.expect("ring under half of the pressure at which it buckles: period", field="plates and rings", source="2 π/(ω √(1 − p/p_c)), ω² = 36 EI/(5 ρ A R⁴), p_c = 3 EI/R³ (Bresse)",
                    expected=2 * math.pi / rate / math.sqrt(0.5), got=least[2] - least[0], tolerance=0.01, mesh="48 × 2 rectangles, halved", step="0.5 ms, 115 a period")

    def test_a_beam_on_a_soft_foundation(self):
        segments, length, density = 80, 2.0, 8.0
        stiffness, force = 4 * self.BENDING * density**4, 1e-3 * self.BENDING
        self.write("block.msh", box((length, 0.1, 0.1)).moved((0, 0, -0.3)).gmsh())
        points = [(length * (k / segments - 0.5), 0, 0) for k in range(segments + 1)]
        scene = {"bodies": {"body": {"mesh": "beam.msh", "rod": self.ROD, "loads": {"press": {"region": "middle", "force": [0, 0, -force]}}},
                            "block": {"mesh": "block.msh", "rigid": {"density": 1000}, "fixed": "solid"}},
                 "attachments": {"foundation": {"vertices": "body", "to": "block", "stiffness": stiffness * length, "largest_gap": 1}}}
        history, *_ = self.equilibrium(("beam.msh", gmsh(points, {"middle": [segments // 2]})), {}, "curvature", **scene)
        # Points that are h apart carry like a foundation but for (h beta)^2 / 4.
        self.expect("long beam on springs, pressed in its middle: deflection", source="P β/(2 k), β⁴ = k/(4 EI) (Winkler)", expected=force * density / (2 * stiffness),
                    got=-history["load_energy"][-1] / force, tolerance=0.015, mesh=f"{segments} segments", step="without inertia")


class Solids(Structures):
    def test_thin_beam_under_its_whole_weight(self):
        """Within the first step; deflections and slopes are many times what stretching the beam as much would cost."""
        length, height, density = 1.0, 0.05, 1000
        text = box((length, height, height), (20, 1, 1)).moved((length / 2, 0, -height / 2)).gmsh_with({"left": at(0, 0)})
        weight, area, inertia = density * 9.81 * height**2, height**2, height**4 / 12
        shear = MODULUS / (2 * (1 + POISSON_RATIO)) * area * 10 * (1 + POISSON_RATIO) / (12 + 11 * POISSON_RATIO)
        solid = {"solid": {"youngs_modulus": MODULUS, "poisson_ratio": POISSON_RATIO, "density": density}}
        history, rest, moved, _ = self.equilibrium(("body.msh", text), {"solid": solid, "order": 2, "fixed": "left"}, gravity=[0, 0, -9.81])
        self.assertLessEqual(history["newton_iterations"][0], 8)
        # Masses at vertices put too little weight on the free end.
        expect_closed_form(self, field="elasticity", case="cantilever of ten-node tetrahedra under its weight: deflection", source="ρ g A (L⁴/(8 EI) + L²/(2 κ G A)) (Timoshenko)",
                           expected=weight * (length**4 / (8 * MODULUS * inertia) + length**2 / (2 * shear)), got=-moved[abs(rest[:, 0] - length) < 1e-6, 2].mean(), tolerance=0.02,
                           mesh="20 × 1 × 1 cells", step="without inertia, 1 step")

    def test_thick_rubber_tube(self):
        inner, outer, shear, stretch, cells = 0.1, 0.2, 1e5, 1.5, (10, 16, 1)
        growth = inner**2 * (stretch**2 - 1)
        # The mean of the stress over thin layers of the wall.
        r = inner + (outer - inner) * (numpy.arange(10000) + 0.5) / 10000
        squared = 1 + growth / r**2
        pressure = float(numpy.sum(shear * (squared - 1 / squared) * r / (r * r + growth)) * (outer - inner) / 10000)
        unit = box((1, 1, 0.01), cells).moved((0.5, 0.5, 0))
        radius, angle = inner + (outer - inner) * unit.points[:, 0], math.pi / 2 * unit.points[:, 1]
        tube = Shape(numpy.column_stack([radius * numpy.cos(angle), radius * numpy.sin(angle), unit.points[:, 2]]), unit.cells)
        regions = {"bore": lambda c: bool(numpy.all(numpy.hypot(c[:, 0], c[:, 1]) < inner + 1e-9)), "left": at(0, 0), "front": at(1, 0), "below": at(2, 0), "above": at(2, 0.01)}
        rubber = {"material": "mooney_rivlin", "c10": shear / 2, "c01": 0, "bulk_modulus": 2e8, "density": 1000, "pressure": "nodal_average"}
        body = {"solid": {"solid": rubber}, "fixed": [*rollers(left="x", front="y"), *rollers(below="z", above="z")], "loads": {"gas": {"region": "bore", "pressure": pressure, "over": RAMP}}}
        _, rest, moved, _ = self.equilibrium(("body.msh", tube.gmsh_with(regions)), body, time={"step": 0.1, "end": 1, "inertia": False})
        bore = abs(numpy.hypot(rest[:, 0], rest[:, 1]) - inner) < 1e-6
        expect_closed_form(self, field="elasticity", case="thick tube of rubber under pressure: stretch of the bore", source="p = ∫ μ (λ² − λ⁻²)/r dr, incompressible, plane strain", expected=stretch,
                           got=(numpy.hypot(*(rest + moved)[bore, :2].T) / inner).mean(), tolerance=5e-3, mesh="10 × 16 cells of a quarter, averaged pressure", step="without inertia, 10 steps")

    def test_cylinder_on_a_plane(self):
        radius, modulus, half_width, gap, edges = 0.1, 1e6, 2e-3, 1e-6, 8
        reduced, width = modulus / (1 - POISSON_RATIO**2), half_width / edges
        force = math.pi * reduced * half_width**2 / (4 * radius)    # per length
        geo = f"""\
SetFactory("OpenCASCADE");
Disk(1) = {{0, {radius}, 0, {radius}}};
Rectangle(2) = {{0, 0, 0, {radius}, {radius}}};
s() = BooleanIntersection{{ Surface{{1}}; Delete; }}{{ Surface{{2}}; Delete; }};
Extrude{{0, 0, {width}}}{{ Surface{{s()}}; Layers{{1}}; }}
e = 1e-6;
left() = Surface In BoundingBox{{-e, -e, -e, e, 1, 1}};
cut() = Surface In BoundingBox{{-e, {radius} - e, -e, 1, {radius} + e, 1}};
ends() = {{Surface In BoundingBox{{-e, -e, -e, 1, 1, e}}, Surface In BoundingBox{{-e, -e, {width} - e, 1, 1, {width} + e}}}};
round() = Surface In BoundingBox{{-e, -e, -e, 1, {radius} + e, 1}};
round() -= {{left(), cut(), ends()}};
Physical Volume("solid") = {{1}};
Physical Surface("left") = {{left()}};
Physical Surface("cut") = {{cut()}};
Physical Surface("ends") = {{ends()}};
Physical Surface("round") = {{round()}};
Field[1] = MathEval;
Field[1].F = "{width} + 0.15 * Max(0, (x^2 + y^2)^0.5 - {1.5 * half_width})";
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0;
"""
        peak = math.sqrt(force * reduced / (math.pi * radius))
        body = {"solid": {"solid": {"youngs_modulus": modulus, "poisson_ratio": POISSON_RATIO, "density": 1000}}, "fixed": rollers(left="x", ends="z"),
                "loads": {"press": {"region": "cut", "force": [0, -force * width / 2, 0], "over": RAMP}}}
        scene = {"surfaces": {"floor": {"plane": {"point": [0, -gap / 2, 0], "normal": [0, 1, 0]}}},
                 "contacts": {"touch": {"vertices": "body.round", "against": "floor", "thickness": gap, "pressure": 8 * peak}}}
        _, rest, _, pressure = self.equilibrium(("body.geo", geo), body, "contact_pressure", time={"step": 0.25, "end": 1, "inertia": False}, **scene)
        pressure = pressure.ravel()
        middle = (abs(rest[:, 0]) < 1e-9) & (pressure > 0)
        # Linear tetrahedra; with 16 edges it is 0.4 % too low.
        expect_closed_form(self, field="contact", case="cylinder on a plane: greatest pressure", source="√(F E*/(π R)) (Hertz)", expected=peak, got=pressure[middle].mean(), tolerance=0.02,
                           mesh="quarter of a cylinder, 8 edges to half of the contact's width, which is a fiftieth of the radius", step="without inertia, 4 steps")


if __name__ == "__main__":
    unittest.main()
