"""Ten-node tetrahedra (`order: 2`): locking and order against closed forms, ranks, restart, energy, contact, frames, and what is refused."""

import copy
import csv
import json
import math
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import point_arrays, read_frame
from closed_forms import expect_closed_form
from edge_shapes import Shape, box
from locking_cases import CASES, INNER, OUTER, PRESSURE, SHEAR_MODULUS, order
from traction_runs import BlockTest, RefusalTest, ShortRunTest, box_text, execute


def at(axis, value):
    """Condition of a triangle: it lies in the plane where a coordinate has this value."""
    return lambda corners: bool(numpy.all(abs(corners[:, axis] - value) < 1e-9))


class Statics(ShortRunTest):
    def last_frame(self, out):
        frame = read_frame(sorted((self.folder / out).glob("fields_0*.hdf"))[-1])
        displacement = point_arrays(frame)["displacement"]
        return frame, vtk_to_numpy(frame.GetPoints().GetData()) - displacement, displacement

    def run_case(self, case, size, poisson_ratio, degree, text=None, ranks=1):
        """Rest positions and displacements of a case of locking_cases.py."""
        text = text or case.mesh(size)
        mesh = "body.geo" if text.startswith("Set") else "body.msh"
        self.write(mesh, text)
        scene = case.scene(mesh, poisson_ratio, "element")
        scene["bodies"]["body"].update({"order": degree} if degree else {})
        self.simulate(json.dumps(scene), out="out", ranks=ranks)
        return self.last_frame("out")[1:]


class Locking(Statics):
    def compare(self, case, sizes, poisson_ratio, least_order, largest_error):
        # The reference's own error falls with the power 1.4 of its cells, because of the corners: two of them tell the limit.
        coarse, fine = case.expected(poisson_ratio), case.expected(poisson_ratio, 2)
        expected = fine + (fine - coarse) / (2**1.4 - 1)
        errors = [case.measured(*self.run_case(case, size, poisson_ratio, 2)) / expected - 1 for size in sizes]
        print(f"\n  {case.name}, {poisson_ratio}: ten nodes {errors}, order {order(errors, sizes):.2f}", flush=True)
        self.assertLess(abs(errors[-1]), largest_error)
        self.assertGreater(order(errors, sizes), least_order)

    def test_cooks_membrane(self):
        self.compare(CASES[0], (4, 8), 0.49999, 1.4, 0.02)   # the order that corners allow

    def test_clamped_block(self):
        self.compare(CASES[1], (2, 4), 0.49999, 0.8, 0.01)   # likewise: four-node tetrahedra with averaged pressures are off by 4 % with 16 cells

    def test_thick_sphere(self):
        """The displacement of all vertices against Lame's, in the mean square: with vertices on straight edges, and on the true surface."""
        def exact(rest, poisson_ratio):
            modulus = 2 * SHEAR_MODULUS * (1 + poisson_ratio)
            radius = numpy.linalg.norm(rest, axis=1)
            growth = PRESSURE * INNER**3 / (modulus * (OUTER**3 - INNER**3)) * ((1 - 2 * poisson_ratio) * radius + (1 + poisson_ratio) * OUTER**3 / (2 * radius**2))
            return rest * (growth / radius)[:, None]

        case = CASES[2]
        # Straight edges leave the error of the flat faces: meshes as coarse as these do not show its order 2 yet.
        for name, degree, more, least_order, largest_error in (("straight", 2, "", 1.3, 0.03), ("curved", None, "Mesh.ElementOrder = 2;\n", 1.8, 0.005)):
            for poisson_ratio in (0.4995, 0.49999):
                with self.subTest(edges=name, poisson_ratio=poisson_ratio):
                    errors = []
                    for size in (2, 4):
                        rest, displacement = self.run_case(case, size, poisson_ratio, degree, case.mesh(size) + more)
                        expected = exact(rest, poisson_ratio)
                        errors.append(math.sqrt(numpy.mean((displacement - expected) ** 2) / numpy.mean(expected**2)))
                        if size == 4:
                            expect_closed_form(self, field="elasticity", case=f"thick sphere under pressure, ν = {poisson_ratio}, ten-node tetrahedra with {name} edges: growth inside",
                                               source="Lamé", expected=case.expected(poisson_ratio), got=case.measured(rest, displacement), tolerance=0.03 if name == "straight" else 0.002,
                                               mesh="octant, 4 to the wall", step="without inertia")
                    print(f"\n  thick sphere, {name}, {poisson_ratio}: {errors}, order {order(errors, (2, 4)):.2f}", flush=True)
                    self.assertGreater(order(errors, (2, 4)), least_order)
                    self.assertLess(errors[-1], largest_error)


class Patch(Statics):
    def test_a_pulled_bar_has_uniform_stress(self):
        """Its sides are free and its ends slide: the exact solution is affine, and ten-node tetrahedra have it whatever the mesh, also across regions and ranks."""
        bar = box((0.1, 0.1, 0.1), (2, 2, 2)).moved((0.05, 0.05, 0))
        bar.points[13] += (0.011, -0.007, 0.009)   # the one inside
        text = bar.gmsh_with({"left": at(0, 0), "right": at(0, 0.1), "front": at(1, 0), "below": at(2, 0)})
        self.write("bar.msh", text)
        modulus, ratio, stretch = 1e5, 0.49, 1.4
        mu, lame = modulus / (2 * (1 + ratio)), modulus * ratio / ((1 + ratio) * (1 - 2 * ratio))
        low, high = 0.5, 1.5
        while high - low > 1e-15:   # stretch across without stress there
            across = (low + high) / 2
            low, high = (across, high) if mu * (across**2 - 1) + lame * math.log(stretch * across**2) < 0 else (low, across)
        volume = stretch * across**2
        stress = (mu * (stretch**2 - 1) + lame * math.log(volume)) / volume
        fixed = [{"region": region, "components": [component]} for region, component in (("left", "x"), ("front", "y"), ("below", "z"))]
        scene = {"time": {"step": 0.05, "end": 1, "inertia": False}, "solver": {"tolerance": 1e-9},
                 "bodies": {"bar": {"mesh": "bar.msh", "order": 2, "solid": {"solid": {"youngs_modulus": modulus, "poisson_ratio": ratio, "density": 1000}}, "fixed": fixed,
                                    "driven": [{"vertices": "right", "components": ["x"], "motion": {"velocity": [0.1 * (stretch - 1), 0, 0]}}]}},
                 "output": {"every": 1, "fields": ["displacement", "stress"]}}
        for ranks in (1, 2):
            history = self.simulate(json.dumps(scene), out=f"out{ranks}", ranks=ranks).history
            frame, rest, displacement = self.last_frame(f"out{ranks}")
            numpy.testing.assert_allclose(displacement, rest * (numpy.array((stretch, across, across)) - 1), atol=1e-8)
            cells = frame.GetCellData().GetArray("stress")
            self.assertEqual(frame.GetNumberOfCells(), 8 * len(bar.cells))
            found = vtk_to_numpy(cells).reshape(-1, cells.GetNumberOfComponents())
            numpy.testing.assert_allclose(found[:, 0], stress, rtol=1e-6)
            numpy.testing.assert_allclose(found[:, 1:], 0, atol=1e-5 * stress)
            self.assertAlmostEqual(history["bar.right.fx"][-1], stress * 0.01 * across**2, delta=1e-6 * stress * 0.01)


    def test_pressure_and_traction_are_in_balance_with_uniform_stress(self):
        """A cube under pressure from all sides shrinks alike everywhere, and one that a traction pulls has its stress: forces on faces are those of their shape functions."""
        modulus, ratio, load = 1e5, 0.3, 2e4
        mu, lame = modulus / (2 * (1 + ratio)), modulus * ratio / ((1 + ratio) * (1 - 2 * ratio))
        cube = box((0.1, 0.1, 0.1), (2, 2, 2)).moved((0.05, 0.05, 0))
        cube.points[13] += (0.011, -0.007, 0.009)   # the one inside
        self.write("cube.msh", cube.gmsh_with({"left": at(0, 0), "right": at(0, 0.1), "front": at(1, 0), "below": at(2, 0)}))
        fixed = [{"region": region, "components": [component]} for region, component in (("left", "x"), ("front", "y"), ("below", "z"))]

        def root(function, low, high):
            while high - low > 1e-15:
                middle = (low + high) / 2
                low, high = (middle, high) if function(middle) < 0 else (low, middle)
            return low

        shrunk = root(lambda s: mu * (s - 1 / s) + 3 * lame * math.log(s) / s + load * s * s, 0.3, 1)
        # Free across: mu (c^2 - 1) + lame log(s c^2) = 0, which gives s by c.
        stretch_of = lambda across: math.exp(-mu * (across**2 - 1) / lame) / across**2
        nominal = lambda across: mu * (stretch_of(across) - 1 / stretch_of(across)) - mu * (across**2 - 1) / stretch_of(across)
        across = root(lambda c: load - nominal(c), 0.7, 1)
        pulled = (stretch_of(across), across, across)
        for name, loads, expected in (("pressure", {"region": "surface", "pressure": load}, (shrunk, shrunk, shrunk)), ("traction", {"region": "right", "traction": [load, 0, 0]}, pulled),
                                      ("following", {"region": "right", "traction": [load, 0, 0], "following": True}, pulled)):
            scene = {"time": {"step": 0.25, "end": 1, "inertia": False}, "solver": {"tolerance": 1e-9},
                     "bodies": {"cube": {"mesh": "cube.msh", "order": 2, "solid": {"solid": {"youngs_modulus": modulus, "poisson_ratio": ratio, "density": 1000}}, "fixed": fixed,
                                         "loads": {"sea": {**loads, "over": [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]}}}},
                     "output": {"every": 1, "fields": ["displacement"]}}
            for ranks in (1, 2):
                with self.subTest(load=name, ranks=ranks):
                    self.simulate(json.dumps(scene), out=f"{name}{ranks}", ranks=ranks)
                    _, rest, displacement = self.last_frame(f"{name}{ranks}")
                    numpy.testing.assert_allclose(displacement, rest * (numpy.array(expected) - 1), atol=1e-8)

    def test_springs_of_an_attachment_are_in_balance_with_uniform_stress(self):
        """A traction pulls a cube that springs hold to another, whose mesh matches: both have its stress, and the springs open by the force over their stiffness."""
        modulus, ratio, load, side, stiffness = 1e5, 0.3, 100, 0.1, 1e4
        left = box((side,) * 3, (2, 2, 2)).moved((side / 2, side / 2, 0))
        left.points[numpy.linalg.norm(left.points - (side, side / 2, side / 2), axis=1) < 1e-9] += (0, 0.008, -0.005)   # the one in the middle of the face that springs hold
        right = Shape(left.points * (-1, 1, 1) + (2 * side, 0, 0), left.cells)
        self.write("left.msh", left.gmsh_with({"end": at(0, 0), "inner": at(0, side), "front": at(1, 0), "below": at(2, 0)}))
        self.write("right.msh", right.gmsh_with({"inner": at(0, side), "end": at(0, 2 * side), "front": at(1, 0), "below": at(2, 0)}))
        guided = [{"region": "front", "components": ["y"]}, {"region": "below", "components": ["z"]}]
        solid = {"order": 2, "solid": {"solid": {"material": "linear_elastic", "youngs_modulus": modulus, "poisson_ratio": ratio, "density": 1000}}}
        force = load * side**2
        for vertices, to, ranks in (("right.inner", "left", 1), ("right.inner", "left", 2), ("left.inner", "right", 1)):
            with self.subTest(vertices=vertices, ranks=ranks):
                scene = {"time": {"step": 1, "end": 1, "inertia": False}, "solver": {"tolerance": 1e-11},
                         "bodies": {"left": {"mesh": "left.msh", **solid, "fixed": [{"region": "end", "components": ["x"]}, *guided]},
                                    "right": {"mesh": "right.msh", **solid, "fixed": guided, "loads": {"pull": {"region": "end", "traction": [load, 0, 0]}}}},
                         "attachments": {"springs": {"vertices": vertices, "to": to, "stiffness": stiffness}}, "output": {"every": 1, "fields": ["displacement"]}}
                history = self.simulate(json.dumps(scene), out=f"{to}{ranks}", ranks=ranks).history
                self.assertAlmostEqual(abs(history["springs.fx"][-1]), force, delta=1e-8)
                self.assertAlmostEqual(history["spring_energy"][-1], force**2 / stiffness / 2, delta=1e-11)
                _, rest, displacement = self.last_frame(f"{to}{ranks}")
                expected = rest * (numpy.array((1, -ratio, -ratio)) * load / modulus)
                opening = (displacement - expected)[:, 0] * stiffness / force   # 0 on the left, 1 on the right
                numpy.testing.assert_allclose(opening[rest[:, 0] < side - 1e-6], 0, atol=1e-6)
                numpy.testing.assert_allclose(opening[rest[:, 0] > side + 1e-6], 1, atol=1e-6)
                numpy.testing.assert_allclose((displacement - expected)[:, 1:], 0, atol=1e-6 * force / stiffness)

    def test_springs_of_an_attachment_to_curved_elements_begin_without_force(self):
        """They end at the places where they begin, which have coordinates in the curved elements."""
        radius = 0.03
        self.write("ball.geo", f'SetFactory("OpenCASCADE"); Sphere(1) = {{0, 0, 0, {radius}}}; Physical Volume("solid") = {{1}}; Mesh.ElementOrder = 2; Mesh.MeshSizeMin = 0.03;\n')
        self.write("cube.msh", box((0.03,) * 3, (1,) * 3).moved((0.001, 0.002, 0.015)).gmsh_with({"bottom": at(2, 0.015)}))
        solid = {"solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": 1000}}}
        scene = {"time": {"step": 1e-4, "end": 2e-4}, "bodies": {"ball": {"mesh": "ball.geo", **solid}, "cube": {"mesh": "cube.msh", "order": 2, **solid}},
                 "attachments": {"springs": {"vertices": "cube.bottom", "to": "ball", "stiffness": 1e3}}}
        for ranks in (1, 2):
            history = self.simulate(json.dumps(scene), out=f"curved{ranks}", ranks=ranks).history
            self.assertLess(history["spring_energy"].max(), 1e-20)


class Motion(BlockTest):
    """The block of four-node tetrahedra that lands, of ten-node ones."""

    in_running_program = True

    cells = (2, 2, 2)

    def setUp(self):
        super().setUp()
        self.sets = {"bodies.block.order": 2}

    def test_ranks_and_restarts_agree(self):
        alone = self.simulate(self.scene, sets=self.sets, out="alone")
        self.assertGreater(alone.history["contacts"].max(), 0)
        names = [name for name in alone.history if name.startswith("block.") or name in ("elastic_energy", "kinetic_energy", "landing.fz")]
        for ranks in (2, 4):
            shared = self.simulate(self.scene, sets=self.sets, out=f"on{ranks}", ranks=ranks)
            self.assert_rows_agree(alone.last_row(), shared.last_row(), 1e-8, names)
        self.simulate(self.scene, sets={**self.sets, "time.end": 0.015}, out="parts", ranks=2)
        parts = self.resume(sets={"time.end": 0.03}, out="parts", ranks=1)
        self.assert_rows_agree(alone.last_row(), parts.last_row(), 1e-8, names)

    def test_a_free_block_keeps_its_energy(self):
        """It spins and rings from the start: the trapezoidal rule's error of the sum falls with the square of the step."""
        changes = []
        for step in (4e-4, 2e-4):
            sets = {**self.sets, "time.integrator": "trapezoidal", "time.step": step, "time.end": 0.02, "gravity": "[0, 0, 0]", "bodies.block.initial.translate": "[0, 0, 1]",
                    "bodies.block.initial.angular_velocity": "[20, 30, 40]"}
            history = self.simulate(self.scene, sets=sets, out=str(step)).history
            total = history["kinetic_energy"] + history["elastic_energy"]
            self.assertGreater(history["elastic_energy"].max(), 0.005 * total[0])
            changes.append(numpy.abs(total - total[0]).max() / history["elastic_energy"].max())
        print(f"\n  changes of energy over the elastic one: {changes}", flush=True)
        self.assertLess(changes[1], 2e-3)
        self.assertLess(changes[1], changes[0] / 3)


class Contact(ShortRunTest):
    def test_a_block_rests(self):
        """Its lower side may not slide; the plane carries its weight, and its own parts what is above them."""
        self.write("block.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1)))
        scene = {"time": {"step": 0.1, "end": 0.5, "inertia": False}, "gravity": [0, 0, -9.81], "solver": {"tolerance": 1e-9},
                 "bodies": {"block": {"mesh": "block.msh", "order": 2, "solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.499, "density": 1000}},
                                      "fixed": [{"region": "bottom", "components": ["x", "y"]}]}},
                 "surfaces": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                 "contacts": {"rest": {"vertices": "block.bottom", "against": "floor", "thickness": 1e-4}}, "output": {"every": 0.5, "fields": ["displacement"]}}
        rows = {ranks: self.simulate(json.dumps(scene), out=f"out{ranks}", ranks=ranks).last_row() for ranks in (1, 2)}
        expect_closed_form(self, field="contact", case="block of ten-node tetrahedra at rest on a plane: force", source="m g", expected=9.81, got=rows[1]["rest.fz"], tolerance=1e-8,
                           mesh="2 × 2 × 2 cells", step="without inertia")
        self.assertEqual(rows[1]["rest.contacts"], 25)   # 9 corners and 16 vertices on edges
        self.assert_rows_agree(rows[1], rows[2], 1e-8, ["rest.fz", "block.z"])

    def test_a_ball_rebounds(self):
        """Hertz: t = 2.87 (m^2 / (R E*^2 v))^(1/5). Slow waves of the ball keep little."""
        radius, modulus, ratio, density, speed = 0.03, 2e6, 0.4, 1000, 0.5
        self.write("ball.geo", f"""\
SetFactory("OpenCASCADE");
Sphere(1) = {{0, 0, 0, {radius}}};
Physical Volume("solid") = {{1}};
Physical Surface("surface") = {{1}};
Field[1] = MathEval;
Field[1].F = "0.005 + 0.025 * (z + {radius}) / {2 * radius}";
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0;
Mesh.ElementOrder = 2;
""")
        scene = {"time": {"step": 1e-4, "end": 0.012, "integrator": "tr_sdirk2"},
                 "bodies": {"ball": {"mesh": "ball.geo", "solid": {"solid": {"youngs_modulus": modulus, "poisson_ratio": ratio, "density": density}},
                                     "initial": {"translate": [0, 0, radius + 2e-4], "velocity": [0, 0, -speed]}}},
                 "surfaces": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                 "contacts": {"bounce": {"vertices": "ball.surface", "against": "floor", "thickness": 1e-4, "pressure": 2e5}}, "output": {"every": 0.012, "fields": ["velocity"]}}
        history = self.simulate(json.dumps(scene)).history
        touching = history["time"][history["bounce.fz"] > 0]
        mass = density * 4 / 3 * math.pi * radius**3
        expected = 2.87 * (mass**2 / (radius * (modulus / (1 - ratio**2)) ** 2 * speed)) ** 0.2
        expect_closed_form(self, field="contact", case="ball of ten-node tetrahedra that rebounds: contact time", source="Hertz", expected=expected, got=touching[-1] - touching[0],
                           tolerance=0.06, mesh="edges of 5 to 30 mm, radius 30 mm", step="0.1 ms")
        rebound = history["ball.vz"][-1] / speed
        print(f"  rebound {rebound:.4f}", flush=True)
        self.assertGreater(rebound, 0.95)
        self.assertLess(rebound, 1)
        impulse = numpy.sum(history["bounce.fz"] * history["dt"])
        self.assertAlmostEqual(impulse / (mass * speed * (1 + rebound)), 1, delta=0.03)
        energy = history["kinetic_energy"] + history["elastic_energy"] + history["contact_energy"]
        self.assertLess(abs(energy[-1] / energy[0] - 1), 0.02)


def abaqus_with_sets(shape, sets):
    """A four-node mesh as .inp, with sets of nodes, {name: condition of a vertex}."""
    lines = ["*NODE", *(f"{v}, {x!r}, {y!r}, {z!r}" for v, (x, y, z) in enumerate(shape.points.tolist(), 1)), "*ELEMENT, TYPE=C3D4, ELSET=solid"]
    lines += [", ".join(map(str, [e, *(v + 1 for v in cell)])) for e, cell in enumerate(shape.cells.tolist(), 1)]
    for name, keep in sets.items():
        lines += [f"*NSET, NSET={name}", *(f"{v}," for v, point in enumerate(shape.points, 1) if keep(point))]
    return "\n".join([*lines, ""])


class SetsOfPoints(Statics):
    def test_hold_and_load_whole_faces(self):
        """A cantilever that is held and loaded by the points of its ends bends as one that is held and loaded by their surfaces."""
        length, side, modulus, force = 0.4, 0.1, 1e6, 0.5
        bar = box((length, side, side), (8, 2, 2)).moved((length / 2, 0, 0))
        ends = {"left": lambda point: abs(point[0]) < 1e-9, "right": lambda point: abs(point[0] - length) < 1e-9}
        self.write("surfaces.msh", bar.gmsh_with({"left": at(0, 0), "right": at(0, length)}))
        self.write("points.msh", bar.gmsh_with({}, ends))
        self.write("points.inp", abaqus_with_sets(bar, ends))
        tips = {}
        for mesh, ranks in (("surfaces.msh", 1), ("points.msh", 2), ("points.inp", 1)):
            scene = {"time": {"step": 1, "end": 1, "inertia": False}, "output": {"every": 1, "fields": ["displacement"]}, "bodies": {"bar": {
                "mesh": mesh, "order": 2, "fixed": "left", "solid": {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.3, "density": 1000}},
                "loads": {"pull": {"region": "right", "force": [0, 0, -force]}}}}}
            self.simulate(json.dumps(scene), out=f"out_{mesh}", ranks=ranks)
            _, rest, displacement = self.last_frame(f"out_{mesh}")
            self.assertLess(abs(displacement[rest[:, 0] < 1e-6]).max(), 1e-12, mesh)
            tips[mesh] = -displacement[rest[:, 0] > length - 1e-6, 2].mean()
        inertia = side**4 / 12
        timoshenko = force * length**3 / (3 * modulus * inertia) + force * length / (5 / 6 * modulus / 2.6 * side**2)
        self.assertAlmostEqual(tips["surfaces.msh"] / timoshenko, 1, delta=0.03)
        for mesh in ("points.msh", "points.inp"):   # their force is shared by points, not by area
            self.assertAlmostEqual(tips[mesh] / tips["surfaces.msh"], 1, delta=5e-3, msg=mesh)


class Skin(Statics):
    def test_a_load_on_a_skin_is_the_same_on_any_number_of_ranks(self):
        """Forces on ten-node tetrahedra are shared by quadratic faces, also where a rank knows triangles of the skin without the tetrahedra beneath."""
        block = box((1, 1, 0.4), (4, 4, 2))
        self.write("block.msh", block.gmsh_with({"top": at(2, 0.4), "bottom": at(2, 0)}))
        for load in ({"traction": [0, 0, 1000]}, {"force": [0, 0, 1000]}):
            scene = {"time": {"step": 1, "end": 1, "inertia": False}, "solver": {"relative_tolerance": 1e-9}, "bodies": {"block": {
                "mesh": "block.msh", "order": 2, "fixed": "bottom", "solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": 1000}},
                "shell": {"top": {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": 1000, "thickness": 5e-3}}, "loads": {"pull": {"region": "top", **load}}}}}
            rows = [self.simulate(json.dumps(scene), out=f"{next(iter(load))}_{ranks}", ranks=ranks).last_row() for ranks in (1, 2, 3)]
            for row in rows[1:]:
                for name in ("elastic_energy", "bending_energy", "block.z"):
                    self.assertAlmostEqual(row[name] / rows[0][name], 1, delta=1e-6, msg=f"{load}: {name}")


class Vibration(ShortRunTest):
    def test_a_slender_cantilever(self):
        """A length of 20 with one cell through the thickness of 1: Euler and Bernoulli's first frequency."""
        length, side, modulus, density = 0.4, 0.02, 1e6, 1000
        bar = box((length, side, side), (10, 1, 1)).moved((length / 2, 0, 0))
        self.write("bar.msh", bar.gmsh_with({"left": at(0, 0)}))
        expected = 1.8751041**2 / (2 * math.pi) * math.sqrt(modulus * side**2 / 12 / density) / length**2
        scene = {"time": {"step": 0.01, "end": 0.01}, "bodies": {"bar": {"mesh": "bar.msh", "order": 2, "fixed": "left", "solid": {"solid": {
            "youngs_modulus": modulus, "poisson_ratio": 0.3, "density": density}}}}}
        path = self.write("scene.yaml", json.dumps(scene))
        found = []
        for ranks in (1, 2):
            code, _, errors = execute(["traction", "modes", path, "--count", "2", "--out", self.folder / f"modes{ranks}"], ranks)
            self.assertEqual(code, 0, errors)
            with open(self.folder / f"modes{ranks}" / "modes.csv", newline="") as file:
                found.append([float(row["frequency"]) for row in csv.DictReader(file)])
        numpy.testing.assert_allclose(found[0], found[1], rtol=1e-6)
        expect_closed_form(self, field="waves and vibrations", case="cantilever of ten-node tetrahedra, 20 times as long as thick: frequency [Hz]", source="Euler and Bernoulli",
                           expected=expected, got=found[0][0], tolerance=0.02, mesh="10 × 1 × 1 cells", step="traction modes")


class Refusals(RefusalTest):
    def test_what_needs_four_nodes(self):
        self.write("block.msh", box((0.1, 0.1, 0.1)).gmsh_with({}))
        self.write("ten.geo", 'SetFactory("OpenCASCADE"); Box(1) = {0, 0, 0, 0.1, 0.1, 0.1}; Physical Volume("solid") = {1}; Mesh.ElementOrder = 2; Mesh.MeshSizeMin = 0.1;\n')
        self.write("sheet.msh", box_sheet())
        plain = {"youngs_modulus": 1e6, "poisson_ratio": 0.49, "density": 1000}
        for body, time, words in (
                ({"order": 2, "solid": {"solid": {**plain, "pressure": "nodal_average"}}}, {}, ["bodies.block.solid.solid.pressure", "four-node tetrahedra", "leave it out"]),
                ({"mesh": "ten.geo", "solid": {"solid": {**plain, "pressure": "nodal_average"}}}, {}, ["bodies.block.solid.solid.pressure", "give the body order: 1"]),
                ({"order": 2, "solid": {"solid": plain}}, {"integrator": "asynchronous"}, ["bodies.block.order", "no clock of their own", "time.integrator"]),
                ({"order": 3, "solid": {"solid": plain}}, {}, ["bodies.block.order", "2"]),
                ({"order": 2, "rigid": {"density": 1000}}, {}, ["bodies.block.order", "does not deform"]),
                ({"mesh": "sheet.msh", "order": 2, "shell": {"shell": {"youngs_modulus": 1e4, "poisson_ratio": 0.3, "density": 1}}}, {}, ["bodies.block.order", "no tetrahedra", "leave it out"])):
            with self.subTest(words=words):
                scene = {"time": {"step": 1e-3, "end": 1e-3, **time}, "bodies": {"block": {"mesh": "block.msh", **copy.deepcopy(body)}}}
                for ranks in (1, 2):
                    self.assert_refused(["traction", "run", self.write("scene.yaml", json.dumps(scene)), "--out", self.folder / "out"], words, ranks)


def box_sheet():
    return Shape([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]).gmsh()


if __name__ == "__main__":
    unittest.main()
