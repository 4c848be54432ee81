"""Pressure fields: rest, bounces and slides of rigid bodies against closed forms, energy, ranks, restarts, and what is refused."""

import math
import unittest

import numpy

import check_fields
from traction_runs import RefusalTest, RunTest, box_text, line_of

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


class Pressure(RunTest):
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
            self.assertAlmostEqual(ratio, expected, delta=0.01 * expected)
            self.assertLess(abs(row["energy_numerical"]), 0.01 * energy[0])
            self.assertEqual(row["touch.contacts"], 0)
            if dissipation == 0:
                self.assertLess(max(abs(e - energy[0]) for e in energy), 0.01 * energy[0])
            else:
                self.assertAlmostEqual(row["work_contact_damping"], -0.25 * (1 - ratio**2), delta=0.005)

    def test_cube_rests_on_a_soft_plane_at_its_depth(self):
        sets = {"time.integrator": "backward_euler", "output.every": 0.5, "output.contacts": "true"}
        outcome = self.simulate(on_layer(0, 0.5, 0.5, translate=-depth_at_rest() / 2), sets=sets)
        row = outcome.last_row()
        self.assertAlmostEqual(row["box.z"], EDGE / 2 - depth_at_rest(), delta=1e-3 * depth_at_rest())
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
        self.assertAlmostEqual(row["box.vx"], expected, delta=0.01 * expected)
        row = self.simulate(on_layer(20, 0.5, 0.6, translate=-depth_at_rest(20)), out="sticks", sets={"time.integrator": "backward_euler"}).last_row()
        creep = 1e-4 * (1 - math.sqrt(1 - math.tan(math.radians(20)) / 0.5))
        print(f"\n  slides at up to {expected:.3f} m/s; sticks: {row['box.vx']:.3e} m/s, {creep:.3e} by the friction curve", flush=True)
        self.assertAlmostEqual(row["box.vx"], creep, delta=0.005 * creep)   # its rocking on the layer has died down

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
        sets = {"solver.tolerance": 1e-10}
        rows = [self.simulate(scene, ranks=ranks, out=f"ranks_{ranks}", sets=sets).last_row() for ranks in (1, 2, 4)]
        self.assertGreater(rows[0]["pile.contacts"], 0)
        self.assertGreater(rows[0]["pile.fz"], 0)
        names = [name for name in rows[0] if name[-2:] in (".x", ".y", ".z", "qx", "qy", "qz") or name[-3:] in (".vx", ".vy", ".vz")]
        for row in rows[1:]:
            for name in names:
                self.assertAlmostEqual(row[name], rows[0][name], delta=1e-6 if ".v" in name else 1e-8, msg=name)
        self.simulate(scene, ranks=2, out="part", sets={**sets, "output.checkpoint_every": "{steps: 10}"})
        checkpoints = sorted((self.folder / "part/checkpoints").iterdir())
        checkpoints[-1].unlink()
        resumed = self.resume(out="part").last_row()
        for name in names:
            self.assertAlmostEqual(resumed[name], rows[0][name], delta=1e-6 if ".v" in name else 1e-8, msg=name)

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
        ):
            scene = good.replace(old, bad)
            path = self.write("scene.yaml", scene)
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], [f"scene.yaml:{line_of(scene, bad)}", *expected], ranks)


if __name__ == "__main__":
    unittest.main()
