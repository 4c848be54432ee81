"""Pressure fields: rest, bounces and slides of rigid bodies against closed forms, energy, ranks, restarts, and what is refused."""

import math
import unittest

import h5py
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

import check_fields
from closed_forms import expect_closed_form
from traction_runs import RefusalTest, ShortRunTest, box_text, line_of

GRAVITY = 9.81
EDGE, MODULUS = 0.1, 1e5


def drop(height, dissipation=0.0, step=2e-4, end=0.12, speed=1.0):
    """A ball of a box's mass that meets a rigid plane at this speed, without weight: its field is a sphere of radius 0.05 m, whose lowest point is at the height."""
    return f"""\
time: {{step: {step}, end: {end}, integrator: trapezoidal}}
bodies:
  ball: {{mesh: box.msh, rigid: {{density: 500}}, initial: {{translate: [0, 0, {height!r}], velocity: [0, 0, {-speed!r}]}}}}
surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
pressure_fields: {{ball: {{modulus: {MODULUS}, dissipation: {dissipation!r}, shape: sphere, radius: 0.05}}}}
pressure_contacts: {{touch: {{between: [ball, floor]}}}}
solver: {{tolerance: 1e-9}}
"""


def restitution(dissipation, speed):
    """The ratio of speeds by Hunt and Crossley's force -m a = F(d) (1 + c v), for any F: (1 + c v0) and (1 - c v1) meet in v - ln(1 + c v) / c, which is the same at both ends."""
    if dissipation == 0:
        return 1.0
    held = speed - math.log(1 + dissipation * speed) / dissipation
    low, high = 0.0, min(speed, 1 / dissipation * (1 - 1e-12))
    for _ in range(200):
        middle = (low + high) / 2
        value = -middle - math.log(1 - dissipation * middle) / dissipation
        low, high = (middle, high) if value < held else (low, middle)
    return low / speed


def on_layer(degrees, friction, end, step=2e-3, translate=0.0, extra=""):
    angle = math.radians(degrees)
    gravity = [GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle)]
    return f"""\
gravity: {gravity}
time: {{step: {step}, end: {end}}}
bodies:
  box: {{mesh: box.msh, rigid: {{density: 1000}}, initial: {{translate: [0, 0, {translate!r}]}}{extra}}}
surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
pressure_fields: {{floor: {{modulus: {MODULUS}, dissipation: 2, thickness: 0.02}}}}
pressure_contacts: {{touch: {{between: [box, floor], friction: {{dynamic: {friction}, tolerance: 1e-4}}}}}}
"""


def depth_at_rest(degrees=0):
    return 1000 * EDGE**3 * GRAVITY * math.cos(math.radians(degrees)) * 0.02 / (MODULUS * EDGE**2)


class Pressure(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("box.msh", box_text((2, 2, 2), (EDGE, EDGE, EDGE)))

    def test_sphere_bounces(self):
        # The center of the mesh is 0.05 m above its lowest point, as that of the sphere.
        for dissipation in (0.0, 0.3, 1.0):
            outcome = self.simulate(drop(0.005, dissipation), out=f"out_{dissipation}")
            row = outcome.last_row()
            ratio, expected = row["ball.vz"] / 1.0, restitution(dissipation, 1.0)
            energy = [sum(outcome.history[name][k] for name in ("kinetic_energy", "contact_energy")) for k in range(len(outcome.history["time"]))]
            print(f"\n  dissipation {dissipation} s/m: restitution {ratio:.4f}, {expected:.4f} by Hunt and Crossley; numerical energy {row['energy_numerical']:.1e} J", flush=True)
            expect_closed_form(self, field="contact", case=f"ball on its pressure field, d = {dissipation} s/m: restitution", source="v - ln(1 + d v)/d alike before and after (Hunt, Crossley)",
                               expected=expected, got=ratio, tolerance=0.01, mesh="1280 tetrahedra", step="trapezoidal, 0.2 ms")
            self.assertLess(abs(row["energy_numerical"]), 0.01 * energy[0])
            self.assertEqual(row["touch.contacts"], 0)
            if dissipation == 0:
                self.assertLess(max(abs(e - energy[0]) for e in energy), 0.01 * energy[0])
            else:
                self.assertAlmostEqual(row["work_contact_damping"], -0.25 * (1 - ratio**2), delta=0.005)

    def test_a_hundred_bounces_keep_the_energy_of_an_undamped_pair(self):
        """A ball drops 5 mm onto a cube that is held. Both have a pressure field, and neither dissipates."""
        mass, drop_height = 0.25, 0.005
        scene = f"""\
gravity: [0, 0, -{GRAVITY}]
time: {{step: 1e-3, end: 12.7, integrator: trapezoidal}}
bodies:
  ball: {{mesh: box.msh, rigid: {{mass: {mass}, center: [0.05, 0.05, 0.05], inertia: [2.5e-4, 2.5e-4, 2.5e-4]}}, initial: {{translate: [0, 0, {drop_height}]}}}}
  cube: {{mesh: box.msh, rigid: {{density: 1000}}, fixed: solid, initial: {{translate: [0, 0, -{EDGE}]}}}}
pressure_fields:
  ball: {{modulus: {MODULUS}, shape: sphere, radius: 0.05, facets: 20}}
  cube: {{modulus: {MODULUS}, shape: box, size: [{EDGE}, {EDGE}, {EDGE}]}}
pressure_contacts: {{touch: {{between: [ball, cube]}}}}
solver: {{tolerance: 1e-8}}
output: {{log_every: 10000}}
"""
        history = self.simulate(scene).history
        touches = history["touch.contacts"] > 0
        bounces = numpy.count_nonzero(touches[:-1] & ~touches[1:])
        dropped = mass * GRAVITY * drop_height
        energy = sum(history[name] for name in ("kinetic_energy", "gravity_energy", "contact_energy", "elastic_energy"))
        change = numpy.abs(energy - energy[0]).max() / dropped
        print(f"\n  {bounces} bounces: energy changes by up to {change:.1e} of the drop's", flush=True)
        self.assertGreaterEqual(bounces, 100)
        self.assertGreater(history["contact_energy"].max(), dropped)   # the fields take all of the drop's energy, and give it back
        self.assertLess(change, 0.01)

    def test_cube_rests_on_a_soft_plane_at_its_depth(self):
        sets = {"time.integrator": "backward_euler", "output.every": 0.5, "output.contacts": "true"}
        outcome = self.simulate(on_layer(0, 0.5, 0.5, translate=-depth_at_rest() / 2), sets=sets)
        row = outcome.last_row()
        expect_closed_form(self, field="contact", case="cube rests on a soft plane: depth", source="m g H / (E A)", expected=depth_at_rest(), got=EDGE / 2 - row["box.z"], tolerance=1e-3,
                           mesh="a plane of one cell", step="backward_euler until rest")
        self.assertAlmostEqual(row["touch.fz"], GRAVITY, delta=1e-3 * GRAVITY)
        self.assertAlmostEqual(row["touch.area"], EDGE**2 + 4 * EDGE * depth_at_rest(), delta=1e-7)   # its sides are in the layer too
        self.assertAlmostEqual(row["touch.pressure"], GRAVITY / EDGE**2, delta=1e-2 * GRAVITY / EDGE**2)
        # The frame shows the contact surface: its triangles carry the force, those below the cube upward.
        frame = check_fields.read_frame(outcome.directory / "contacts_000001.hdf")
        arrays = check_fields.point_arrays(frame)
        self.assertGreater(frame.GetNumberOfCells(), 8)
        total = (arrays["normal_force"] + arrays["friction"]).sum(axis=0)
        numpy.testing.assert_allclose(total, [row[f"touch.f{c}"] for c in "xyz"], atol=1e-9)
        self.assertAlmostEqual(arrays["pressure"].max(), row["touch.pressure"], delta=1e-6 * row["touch.pressure"])

    def test_sticks_and_slides(self):
        end = 0.3
        row = self.simulate(on_layer(20, 0.1, end, translate=-depth_at_rest(20)), out="slides").last_row()
        expected = GRAVITY * (math.sin(math.radians(20)) - 0.1 * math.cos(math.radians(20))) * end
        expect_closed_form(self, field="friction", case="box slides on a soft plane at 20°: speed", source="g (sin θ − μ cos θ) t", expected=expected, got=row["box.vx"], tolerance=0.01,
                           mesh="a plane of one cell", step="2 ms")
        row = self.simulate(on_layer(20, 0.5, 0.6, translate=-depth_at_rest(20)), out="sticks", sets={"time.integrator": "backward_euler"}).last_row()
        creep = 1e-4 * (1 - math.sqrt(1 - math.tan(math.radians(20)) / 0.5))
        print(f"\n  slides at up to {expected:.3f} m/s; sticks: {row['box.vx']:.3e} m/s, {creep:.3e} by the friction curve", flush=True)
        # Its rocking on the layer has died down.
        expect_closed_form(self, field="friction", case="box sticks on a soft plane at 20°: creep", source="tolerance (1 − √(1 − tan θ/μ))", expected=creep, got=row["box.vx"], tolerance=0.005,
                           mesh="a plane of one cell", step="backward_euler until rest")

    def test_ball_rolls_down_a_slope(self):
        """A pressure field resists rolling only where it dissipates; its facets make the ball trundle."""
        angle, end, radius, mass = math.radians(10), 0.4, 0.05, 0.25
        depth = math.sqrt(mass * GRAVITY * math.cos(angle) / (math.pi * 1e6))   # pi E d^2 at small depths
        scene = f"""\
gravity: [{GRAVITY * math.sin(angle)!r}, 0, {-GRAVITY * math.cos(angle)!r}]
time: {{step: 1e-3, end: {end}}}
bodies:
  ball: {{mesh: box.msh, rigid: {{mass: {mass}, center: [0.05, 0.05, 0.05], inertia: [{0.4 * mass * radius**2!r}, {0.4 * mass * radius**2!r}, {0.4 * mass * radius**2!r}]}}, initial: {{translate: [0, 0, {-depth!r}]}}}}
surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
pressure_fields: {{ball: {{modulus: 1e6, shape: sphere, radius: {radius}, facets: 80}}}}
pressure_contacts: {{touch: {{between: [ball, floor], friction: {{dynamic: 0.5, tolerance: 1e-4}}}}}}
"""
        row = self.simulate(scene).last_row()
        speed = 5 / 7 * GRAVITY * math.sin(angle) * end
        for case, expected, got in (("speed", speed, row["ball.vx"]), ("spin", speed / radius, row["ball.wy"])):
            expect_closed_form(self, field="contact", case=f"ball rolls down 10° on its pressure field: {case}", source="5/7 g sin θ t", expected=expected, got=got, tolerance=0.02,
                               mesh="5120 tetrahedra", step="1 ms")

    def test_two_bodies_ranks_and_a_restart(self):
        scene = f"""\
gravity: [0, 0, -{GRAVITY}]
time: {{step: 1e-3, end: 0.02}}
bodies:
  low: {{mesh: box.msh, rigid: {{density: 1000}}, initial: {{translate: [0, 0, -0.0001]}}}}
  top: {{mesh: box.msh, rigid: {{density: 500}}, initial: {{translate: [0.03, 0.02, 0.0985], rotate: {{axis: [0, 0, 1], angle: 20}}, velocity: [0.2, 0, -0.1]}}}}
  left: {{mesh: box.msh, rigid: {{density: 700}}, initial: {{translate: [-0.0995, 0, 0.0005], velocity: [0.1, 0, 0]}}}}
  far: {{mesh: box.msh, rigid: {{density: 700}}, initial: {{translate: [1, 0, 0]}}}}
surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
pressure_fields: {{low: {{modulus: 1e5}}, top: {{modulus: 5e4, dissipation: 0.2, shape: box, size: [0.1, 0.1, 0.1]}}, floor: {{modulus: 1e5, thickness: 0.02}}}}
pressure_contacts:
  ground: {{between: [low, floor], friction: {{dynamic: 0.5}}}}
  side: {{between: [left, low]}}
  pile: {{between: [top, low], friction: {{dynamic: 0.3}}}}
"""
        sets = {"solver.tolerance": 1e-9}
        rows = [self.simulate(scene, ranks=ranks, out=f"ranks_{ranks}", sets=sets).last_row() for ranks in (1, 2, 4)]
        self.assertGreater(rows[0]["pile.contacts"], 0)
        self.assertGreater(rows[0]["pile.fz"], 0)
        names = [name for name in rows[0] if name[-2:] in (".x", ".y", ".z", "qx", "qy", "qz") or name[-3:] in (".vx", ".vy", ".vz")]
        for row in rows[1:]:
            for name in names:
                self.assertAlmostEqual(row[name], rows[0][name], delta=1e-8, msg=name)
        self.simulate(scene, ranks=2, out="part", sets={**sets, "output.checkpoint_every": "{steps: 10}"})
        checkpoints = sorted((self.folder / "part/checkpoints").iterdir())
        checkpoints[-1].unlink()
        resumed = self.resume(out="part").last_row()
        for name in names:
            self.assertAlmostEqual(resumed[name], rows[0][name], delta=1e-6 if ".v" in name else 1e-8, msg=name)

    def test_groups_are_their_pairs(self):
        """All pairs of a scene by one group, or named one by one; a named pair beside a group keeps its own friction."""
        scene = f"""\
gravity: [0, 0, -{GRAVITY}]
time: {{step: 1e-3, end: 0.005}}
bodies:
  low: {{mesh: box.msh, rigid: {{density: 1000}}, initial: {{translate: [0, 0, -0.0001]}}}}
  top: {{mesh: box.msh, rigid: {{density: 500}}, initial: {{translate: [0.03, 0.02, 0.0985], rotate: {{axis: [0, 0, 1], angle: 20}}, velocity: [0.2, 0, -0.1]}}}}
  left: {{mesh: box.msh, rigid: {{density: 700}}, initial: {{translate: [-0.0995, 0, -0.0005], velocity: [0.1, 0.1, 0]}}}}
  bare: {{mesh: box.msh, rigid: {{density: 700}}, initial: {{translate: [0.05, 0, 0.05]}}}}
surfaces:
  floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}
  wall: {{plane: {{point: [-0.1, 0, 0], normal: [1, 0, 0]}}}}
pressure_fields: {{low: {{modulus: 1e5}}, top: {{modulus: 5e4, dissipation: 0.2, shape: box, size: [0.1, 0.1, 0.1]}}, left: {{modulus: 2e5}}, floor: {{modulus: 1e5, thickness: 0.02}}}}
pressure_contacts:
"""
        friction = "friction: {dynamic: 0.5}"
        pairs = [("low", "top"), ("low", "left"), ("top", "left")] + [(body, plane) for body in ("low", "top", "left") for plane in ("floor", "wall")]
        named = "".join(f"  {a}_{b}: {{between: [{a}, {b}], {'friction: {dynamic: 0.1}' if (a, b) == ('low', 'left') else friction}}}\n" for a, b in pairs)
        group = f"  heap: {{all: true, {friction}}}\n  low_left: {{between: [low, left], friction: {{dynamic: 0.1}}}}\n"
        sets = {"solver.tolerance": 1e-9}
        one = self.simulate(scene + named, out="named", sets=sets).last_row()
        other = self.simulate(scene + group, out="group", sets=sets).last_row()
        names = [f"{body}.{c}" for body in ("low", "top", "left", "bare") for c in ("x", "y", "z", "vx", "vy", "vz", "qx", "qy", "qz")]
        for name in names:
            self.assertAlmostEqual(other[name], one[name], delta=1e-6 if ".v" in name else 1e-8, msg=name)
        apart = [f"{a}_{b}" for a, b in pairs if (a, b) != ("low", "left")]
        for c in "xyz":
            self.assertAlmostEqual(other[f"heap.f{c}"], sum(one[f"{name}.f{c}"] for name in apart if name.endswith(("floor", "wall"))), delta=1e-4 * GRAVITY)
        self.assertEqual(other["heap.pairs"], sum(one[f"{name}.contacts"] > 0 for name in apart))
        self.assertGreaterEqual(other["heap.pairs"], 3)
        self.assertAlmostEqual(other["heap.force"], sum(math.dist((0, 0, 0), [one[f"{name}.f{c}"] for c in "xyz"]) for name in apart), delta=1e-4 * GRAVITY)
        self.assertAlmostEqual(other["heap.pressure"], max(one[f"{name}.pressure"] for name in apart), delta=1e-4 * other["heap.pressure"])
        self.assertAlmostEqual(other["contact_energy"], one["contact_energy"], delta=1e-6 * one["contact_energy"])
        self.assertLess(other["heap.friction_power"], 0)

    def swarm(self, count, extra=""):
        """Balls on a lattice, thrown at each other at random."""
        random = numpy.random.default_rng(7)
        side = math.ceil(count ** (1 / 3))
        bodies, fields = "", ""
        for k in range(count):
            place = 0.102 * numpy.array((k % side, k // side % side, k // side**2)) + random.uniform(-0.001, 0.001, 3)
            speed = random.uniform(-1, 1, 3) - 4 * (place - 0.051 * (side - 1))
            axis, angle = random.normal(size=3), random.uniform(-15, 15)
            numbers = [[float(f"{x:.12g}") for x in vector] for vector in (place, speed, axis)]
            bodies += f"  b{k}: {{mesh: box.msh, rigid: {{density: 500}}, initial: {{translate: {numbers[0]}, velocity: {numbers[1]}, rotate: {{axis: {numbers[2]}, angle: {angle:.12g}, about: {numbers[0]}}}}}}}\n"
            fields += f"  b{k}: {{modulus: 1e5, shape: sphere, radius: {EDGE / 2}, facets: 20}}\n"
        return f"time: {{step: 2e-4, end: 0.005, integrator: trapezoidal}}\nbodies:\n{bodies}pressure_fields:\n{fields}pressure_contacts: {{touch: {{all: true{extra}}}}}\nsolver: {{tolerance: 1e-9}}\n"

    def test_groups_on_ranks_and_restarted_with_momentum_and_energy(self):
        count = 12
        scene = self.swarm(count)
        outcome = self.simulate(scene, out="ranks_1")
        rows = [outcome.last_row()] + [self.simulate(scene, ranks=ranks, out=f"ranks_{ranks}").last_row() for ranks in (2, 4)]
        history = {name: numpy.array(column) for name, column in outcome.history.items()}
        self.assertGreater(max(history["touch.pairs"]), 2)
        self.assertLess(min(history["touch.pairs"]), max(history["touch.pairs"]))
        names = [f"b{k}.{c}" for k in range(count) for c in ("x", "y", "z", "qx", "qy", "qz")]
        for row in rows[1:]:
            for name in names:
                self.assertAlmostEqual(row[name], rows[0][name], delta=1e-8, msg=name)
        flow = sum(numpy.abs(history[f"b{k}.p{c}"][0]) for k in range(count) for c in "xyz")
        for c in "xyz":
            total = sum(history[f"b{k}.p{c}"] for k in range(count))
            self.assertLess(numpy.abs(total - total[0]).max(), 1e-11 * flow)   # the error that the solver's tolerance allows
        energy = history["kinetic_energy"] + history["contact_energy"] + history["elastic_energy"]
        print(f"\n  {count} balls, up to {max(history['touch.pairs']):.0f} pairs: energy within {numpy.abs(energy / energy[0] - 1).max():.1e}", flush=True)
        self.assertLess(numpy.abs(energy / energy[0] - 1).max(), 0.01)
        self.simulate(scene, ranks=2, out="part", sets={"output.checkpoint_every": "{steps: 10}"})
        checkpoints = sorted((self.folder / "part/checkpoints").iterdir())
        checkpoints[-1].unlink()
        resumed = self.resume(out="part", ranks=4).last_row()
        for name in names:
            self.assertAlmostEqual(resumed[name], rows[0][name], delta=1e-8, msg=name)

    def test_contact_surfaces_are_triangles(self):
        scene = on_layer(10, 0.5, 0.02, translate=-depth_at_rest())
        for ranks in (1, 2):
            outcome = self.simulate(scene, ranks=ranks, out=f"out_{ranks}", sets={"output.every": 0.02, "output.contacts": "true"})
            row = outcome.last_row()
            frame = check_fields.read_frame(outcome.directory / "contact_surfaces_000001.hdf")
            cells = {frame.GetCellData().GetArrayName(k): vtk_to_numpy(frame.GetCellData().GetArray(k)) for k in range(frame.GetCellData().GetNumberOfArrays())}
            corners = numpy.array([[frame.GetPoint(frame.GetCell(k).GetPointId(i)) for i in range(3)] for k in range(frame.GetNumberOfCells())])
            area = numpy.linalg.norm(numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
            self.assertTrue(all(frame.GetCellType(k) == 5 for k in range(frame.GetNumberOfCells())))
            self.assertAlmostEqual(area.sum(), row["touch.area"], delta=1e-9)
            force = (area[:, None] * cells["traction"]).sum(axis=0)
            numpy.testing.assert_allclose(force, [row[f"touch.f{c}"] for c in "xyz"], atol=0.02 * GRAVITY)   # friction varies within a triangle
            self.assertAlmostEqual(check_fields.point_arrays(frame)["pressure"].max(), row["touch.pressure"], delta=1e-6 * row["touch.pressure"])
            self.assertEqual(set(cells["contact"]), {0})
            self.assertGreater(numpy.abs(cells["slip_velocity"][:, 0]).max(), 0)
            with h5py.File(outcome.directory / "contact_surfaces_000001.hdf") as file:
                self.assertEqual(bytes(file["Contacts/names"][:]).decode(), "touch\n")

    def test_what_sinks_in_whole_is_told(self):
        """A weight of 981 Pa on a field that rises to 200 Pa."""
        scene = on_layer(0, 0.5, 0.5, step=5e-3).replace("{floor: {modulus: 100000.0, dissipation: 2, thickness: 0.02}}", "{box: {modulus: 200}}")
        self.assertIn("box: {modulus: 200}", scene)
        for ranks in (1, 2):
            outcome = self.run_program("run", scene, ranks=ranks, out=f"out_{ranks}")
            self.assertEqual(outcome.code, 3, outcome.errors)
            self.assertIn("lies wholly inside the other", outcome.errors)

    def test_deep_starts_are_warned_of(self):
        deep = on_layer(0, 0.5, 0.01, translate=-0.01)
        outcome = self.simulate(deep, out="deep")
        self.assertIn("starts compressed", outcome.errors + outcome.output)
        outcome = self.simulate(on_layer(0, 0.5, 0.01, translate=-depth_at_rest()), out="rest")
        self.assertNotIn("starts compressed", outcome.errors + outcome.output)

    def test_fast_bodies_do_not_pass_through(self):
        """A plate that would be on the other side of a thin one after one step: it bounces, in halved steps."""
        self.write("plate.msh", box_text((2, 2, 1), (0.1, 0.1, 0.01)))
        scene = """\
time: {step: 1e-3, end: 4e-3, integrator: trapezoidal}
bodies:
  one: {mesh: plate.msh, rigid: {density: 1000}, initial: {translate: [0, 0, 0.05], velocity: [0, 0, -80]}}
  two: {mesh: plate.msh, rigid: {density: 1000}}
pressure_fields: {one: {modulus: 1e9}, two: {modulus: 1e9}}
pressure_contacts: {touch: {between: [one, two]}}
"""
        for ranks in (1, 2):
            row = self.simulate(scene, ranks=ranks, out=f"out_{ranks}").last_row()
            self.assertLess(row["two.vz"], row["one.vz"] - 1)
            self.assertGreater(row["one.z"], row["two.z"])
            self.assertAlmostEqual(row["one.vz"] + row["two.vz"], -80, delta=1e-6)

    def test_fast_flanges_do_not_pass_through(self):
        """Angles of two flanges, 10 mm thick, in boxes of 0.1 m: a step of 50 mm would carry one flange through the other."""
        self.write("angle.geo", """\
Point(1) = {0, 0, 0, 0.02}; Point(2) = {0.1, 0, 0, 0.02}; Point(3) = {0.1, 0.01, 0, 0.02}; Point(4) = {0.01, 0.01, 0, 0.02}; Point(5) = {0.01, 0.1, 0, 0.02}; Point(6) = {0, 0.1, 0, 0.02};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 1};
Curve Loop(1) = {1 : 6}; Plane Surface(1) = {1};
Extrude {0, 0, 0.1} { Surface{1}; }
Physical Volume("solid") = {1};
""")
        scene = """\
time: {step: 1e-3, end: 3e-3, integrator: trapezoidal}
bodies:
  one: {mesh: angle.geo, rigid: {density: 1000}, initial: {translate: [0.01, 0.035, 0], velocity: [0, -50, 0]}}
  two: {mesh: angle.geo, rigid: {density: 1000}}
pressure_fields: {one: {modulus: 1e9}, two: {modulus: 1e9}}
pressure_contacts: {touch: {between: [one, two]}}
"""
        row = self.simulate(scene).last_row()
        self.assertLess(row["two.vy"], -1)
        self.assertGreater(row["one.vy"], row["two.vy"])
        self.assertAlmostEqual(row["one.vy"] + row["two.vy"], -50, delta=1e-6)


class Refused(RefusalTest):
    def test_what_is_no_pressure_contact(self):
        self.write("box.msh", box_text((2, 2, 2), (EDGE, EDGE, EDGE)))
        soft = "solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}"
        good = f"""\
time: {{step: 1e-3, end: 0.01}}
bodies:
  box: {{mesh: box.msh, rigid: {{density: 1000}}}}
  jelly: {{mesh: box.msh, {soft}, initial: {{translate: [1, 0, 0]}}}}
  block: {{mesh: box.msh, rigid: {{density: 1000}}, initial: {{translate: [2, 0, 0]}}}}
  bag: {{mesh: box.msh, {soft}, initial: {{translate: [3, 0, 0]}}, volume: {{region: solid, model: nearly_incompressible, compressibility: 1e-9}}}}
surfaces:
  floor: {{plane: {{point: [0, 0, -1], normal: [0, 0, 1]}}}}
  globe: {{sphere: {{center: [0, 0, -9], radius: 1}}}}
pressure_fields:
  box: {{modulus: 1e5}}
pressure_contacts:
  touch: {{between: [box, floor]}}
"""
        for old, bad, expected in (
                ("  box: {modulus: 1e5}", "  jelly: {modulus: 1e5}", ["jelly", "not rigid"]),
                ("  box: {modulus: 1e5}", "  globe: {modulus: 1e5}", ["globe", "no plane"]),
                ("  box: {modulus: 1e5}", "  floor: {modulus: 1e5}", ["thickness", "is missing"]),
                ("  box: {modulus: 1e5}", "  box: {modulus: 1e5, thickness: 1}", ["thickness", "a body has its shape"]),
                ("  box: {modulus: 1e5}", "  box: {modulus: 1e5, shape: sphere}", ["radius", "is missing"]),
                ("  box: {modulus: 1e5}", "  box: {modulus: 1e5, radius: 1}", ["radius", "does not belong"]),
                ("  box: {modulus: 1e5}", "  bax: {modulus: 1e5}", ["bax", "the nearest is 'box'"]),
                ("[box, floor]", "[block, floor]", ["without a pressure field"]),
                ("[box, floor]", "[box, jelly]", ["not rigid"]),
                ("[box, floor]", "[box, globe]", ["no plane"]),
                ("[box, floor]", "[box, box]", ["same side twice"]),
                ("[box, floor]", "[box]", ["needs two sides"]),
                ("between: [box, floor]", "friction: {dynamic: 1}", ["between", "is missing", "all: true"]),
                ("between: [box, floor]", "between: [box, floor], all: true", ["cannot be used with 'all'"]),
                ("pressure_contacts:\n  touch: {between: [box, floor]}", "pressure_contacts: {touch: {all: true}, again: {all: true}}", ["covers the same pairs"]),
                ("pressure_fields:\n  box: {modulus: 1e5}\npressure_contacts:\n  touch: {between: [box, floor]}", "pressure_contacts: {touch: {all: true}}", ["finds no body"]),
                ("touch: {between", "bag: {between", ["has the name of a body with a 'volume'", "give it another"]),
                ("globe: {sphere", "box: {sphere", ["surfaces.box", "has the name of a body", "rename one"]),
        ):
            scene = good.replace(old, bad)
            path = self.write("scene.yaml", scene)
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], [f"scene.yaml:{line_of(scene, bad)}", *expected], ranks)


    def test_bodies_that_start_inside_each_other(self):
        self.write("box.msh", box_text((2, 2, 2), (EDGE, EDGE, EDGE)))
        for shift, contact in ((0, "between: [one, two]"), (1e-5, "all: true"), (0.02, "all: true")):
            scene = f"""\
time: {{step: 1e-3, end: 0.01}}
bodies:
  one: {{mesh: box.msh, rigid: {{density: 1000}}}}
  two: {{mesh: box.msh, rigid: {{density: 1000}}, initial: {{translate: [{shift}, 0, 0]}}}}
  far: {{mesh: box.msh, rigid: {{density: 1000}}, initial: {{translate: [1, 0, 0]}}}}
pressure_fields: {{one: {{modulus: 1e5}}, two: {{modulus: 1e5}}, far: {{modulus: 1e5}}}}
pressure_contacts:
  touch: {{{contact}}}
"""
            path = self.write("scene.yaml", scene)
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], [f"scene.yaml:{line_of(scene, 'touch:')}", "'one' and 'two' start too deep inside each other"], ranks)

    def test_a_field_that_is_not_positive_inside(self):
        """Vertices of a cube's mesh are moved until some of its tetrahedra have angles so obtuse that the solution of Laplace's equation changes its sign at a vertex."""
        moved = {(1, 1, 1): (0.25, 0.25, 0.35), (2, 1, 1): (0.55, 0.2, 0.4), (1, 2, 1): (0.05, 0.4, 0.2), (2, 2, 1): (0.45, 0.35, 0.45),
                 (1, 1, 2): (0.4, 0.65, 0.8), (2, 1, 2): (0.5, 0.05, 0.6), (1, 2, 2): (0.55, 0.8, 0.7), (2, 2, 2): (0.75, 0.55, 0.75)}
        lines = box_text((3, 3, 3), (1, 1, 1)).splitlines()
        first = lines.index("$Nodes") + 2
        for (i, j, k), place in moved.items():
            number = i + 4 * j + 16 * k
            lines[first + number] = " ".join(map(str, (number + 1, *place)))
        self.write("skewed.msh", "\n".join(lines) + "\n")
        scene = """\
time: {step: 1e-3, end: 0.01}
bodies:
  cube: {mesh: skewed.msh, rigid: {density: 1000}}
surfaces:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
pressure_fields:
  cube: {modulus: 1e5}
pressure_contacts:
  touch: {between: [cube, floor]}
"""
        path = self.write("scene.yaml", scene)
        expected = [f"scene.yaml:{line_of(scene, 'cube: {modulus')}", "pressure_fields.cube", "the pressure field is not positive inside: -0.293 at (", "improve the mesh there", "give the field a 'shape'"]
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], expected, ranks)


if __name__ == "__main__":
    unittest.main()
