"""Joints of rigid and deformable bodies, motors and torques: against closed forms of mechanisms, on any number of ranks, resumed, and refused."""

import csv
import math
import re
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import RefusalTest, ShortRunTest, box_text, execute, gmsh_text, line_of

GRAVITY = 9.81
DENSITY = 1000
WIDTH = 0.04   # thickness of bars [m]
BRICK = numpy.array((0.12, 0.08, 0.05))
MASS = DENSITY * BRICK.prod()
INERTIA = MASS / 12 * numpy.array([BRICK[1]**2 + BRICK[2]**2, BRICK[0]**2 + BRICK[2]**2, BRICK[0]**2 + BRICK[1]**2])


def elliptic_integral(k):
    """K(k), the complete one of the first kind, by the arithmetic-geometric mean."""
    a, g = 1, math.sqrt(1 - k * k)
    while abs(a - g) > 1e-15:
        a, g = (a + g) / 2, math.sqrt(a * g)
    return math.pi / (2 * a)


def crossings(time, value):
    """The times at which the value passes through 0."""
    return [time[i] + value[i] / (value[i] - value[i + 1]) * (time[i + 1] - time[i]) for i in numpy.flatnonzero((value[:-1] < 0) != (value[1:] < 0))]


def place(start, angle=0):
    """Where a bar's axis begins, and by how much it is turned upwards in the plane of x and z [degrees]."""
    middle = WIDTH / 2
    return (f"rotate: {{axis: [0, -1, 0], angle: {angle!r}, about: [0, {middle}, {middle}]}}, "
            f"translate: [{start[0]!r}, {-middle}, {start[1] - middle!r}]")


def bar(name, length, start, angle=0):
    return f"  {name}: {{mesh: bar{length}.msh, rigid: {{density: {DENSITY}}}, initial: {{{place(start, angle)}}}}}\n"


def turn(history, body):
    """The angle by which a body has turned upwards in the plane of x and z, without jumps [rad]."""
    return numpy.unwrap(-2 * numpy.arctan2(history[f"{body}.qy"], history[f"{body}.qw"]), period=2 * math.pi)


def pendulum(joint):
    return f"""\
time: {{step: 1e-3, end: 0.95}}
gravity: [0, 0, -{GRAVITY}]
bodies:
{bar("bar", 0.4, (0, 0))}joints: {{pin: {{{joint}, between: bar, at: [0, 0, 0]}}}}
solver: {{tolerance: 1e-7}}
"""


CRANK, COUPLER, ROCKER, GROUND = 0.1, 0.35, 0.25, 0.4   # lengths of a linkage that turns through [m]
SPEED = 8.0


def joined(phi):
    """The angles of coupler and rocker of the linkage above for the crank's, from the triangle between crank, ground and diagonal."""
    pin = CRANK * numpy.stack([numpy.cos(phi), numpy.sin(phi)])
    to_ground = numpy.stack([GROUND - pin[0], -pin[1]])
    diagonal = numpy.hypot(*to_ground)
    coupler = numpy.arctan2(to_ground[1], to_ground[0]) + numpy.arccos((COUPLER**2 + diagonal**2 - ROCKER**2) / (2 * COUPLER * diagonal))
    end = pin + COUPLER * numpy.stack([numpy.cos(coupler), numpy.sin(coupler)])
    return coupler, numpy.arctan2(end[1], end[0] - GROUND)


def four_bar(end, more=""):
    phi = math.pi / 2
    coupler, rocker = (float(angle) for angle in joined(phi))
    tip = (CRANK * math.cos(phi) + COUPLER * math.cos(coupler), CRANK * math.sin(phi) + COUPLER * math.sin(coupler))
    hinge = "kind: hinge, axis: [0, -1, 0]"
    return f"""\
time: {{step: 1e-3, end: {end}}}
gravity: [0, 0, -{GRAVITY}]
bodies:
{bar("crank", CRANK, (0, 0), math.degrees(phi))}{bar("coupler", COUPLER, (0.0, CRANK), math.degrees(coupler))}{bar("rocker", ROCKER, (GROUND, 0), math.degrees(rocker))}\
joints:
  drive: {{{hinge}, between: crank, at: [0, 0, 0], motor: {{speed: {SPEED}, over: [{{time: 0, factor: 0}}, {{time: 0.1, factor: 1}}]}}}}
  left: {{{hinge}, between: [crank, coupler], at: [0, 0, {CRANK}]}}
  right: {{{hinge}, between: [coupler, rocker], at: [{tip[0]!r}, 0, {tip[1]!r}]}}
  base: {{{hinge}, between: [rocker, ground], at: [{GROUND}, 0, 0]}}
{more}solver: {{tolerance: 1e-7}}
"""


def slider_crank(drive, end=0.5):
    return f"""\
time: {{step: 1e-3, end: {end}}}
bodies:
{bar("crank", CRANK, (0, 0))}{bar("rod", 0.25, (CRANK, 0))}{bar("block", CRANK, (CRANK + 0.25, 0))}\
joints:
  drive: {{kind: hinge, between: [crank, ground], at: [0, 0, 0], axis: [0, -1, 0]{drive}}}
  pin: {{kind: ball, between: [crank, rod], at: [{CRANK}, 0, 0]}}
  wrist: {{kind: hinge, between: [rod, block], at: [{CRANK + 0.25}, 0, 0], axis: [0, 1, 0]}}
  guide: {{kind: slider, between: block, at: [{1.5 * CRANK + 0.25}, 0, 0], axis: [1, 0, 0]}}
solver: {{tolerance: 1e-7}}
"""


def flywheel(joint, end=0.3, step=1e-3, extra=""):
    """A brick that turns about its axis along z, through its middle."""
    return f"""\
time: {{step: {step}, end: {end}}}
bodies: {{wheel: {{mesh: brick.msh, rigid: {{density: {DENSITY}}}, initial: {{translate: {list(-BRICK / 2)}{extra}}}}}}}
joints: {{axle: {{kind: hinge, between: wheel, at: [0, 0, 0], axis: [0, 0, 1], {joint}}}}}
solver: {{tolerance: 1e-9}}
"""


class JointRun(ShortRunTest):
    def setUp(self):
        super().setUp()
        for length in (0.4, 0.35, 0.25, 0.1):
            self.write(f"bar{length}.msh", box_text((4, 1, 1), (length, WIDTH, WIDTH)))
        self.write("brick.msh", box_text((3, 2, 1), BRICK))

    def assert_closed(self, history, joints, size, bound=1e-6):
        for joint in joints:
            self.assertLess(history[f"{joint}.gap"].max(), bound * size, joint)


class Modes(JointRun):
    def frequencies(self, scene, count, ranks):
        path, out = self.write("scene.yaml", scene), self.folder / f"modes_{ranks}_{count}"
        code, _, errors = execute(["traction", "modes", path, "--count", str(count), "--out", out], ranks)
        self.assertEqual(code, 0, errors)
        with open(out / "modes.csv", newline="") as file:
            return [float(row["frequency"]) for row in csv.DictReader(file)]

    def test_joints_hold_in_vibrations_too(self):
        """A brick on a hinge with a spring has one slow mode, and two bricks on a ball have nine motions without stiffness, however stiff the joints are."""
        hinged = f"""\
time: {{step: 1e-3, end: 1}}
bodies: {{w: {{mesh: brick.msh, rigid: {{density: 1000}}, initial: {{translate: {[-float(side) / 2 for side in BRICK]}}}}}}}
joints: {{h: {{kind: hinge, between: w, at: [0, 0, 0], axis: [0, 0, 1], spring: {{stiffness: 2}}}}}}
"""
        mass = 1000 * math.prod(BRICK)
        expected = math.sqrt(2 / (mass / 12 * (BRICK[0]**2 + BRICK[1]**2))) / (2 * math.pi)
        for ranks in (1, 2):
            self.assertAlmostEqual(self.frequencies(hinged, 1, ranks)[0], expected, delta=1e-4 * expected)
        two = f"""\
time: {{step: 1e-3, end: 1}}
bodies:
  one: {{mesh: brick.msh, rigid: {{density: 1000}}}}
  two: {{mesh: brick.msh, rigid: {{density: 1000}}, initial: {{translate: [{float(BRICK[0])}, 0, 0]}}}}
joints: {{b: {{kind: ball, between: [one, two], at: [{float(BRICK[0])}, 0.04, 0.02]}}}}
"""
        for ranks in (1, 2):
            found = numpy.abs(self.frequencies(two, 10, ranks))
            self.assertLess(found[:9].max(), 1e-2)
            self.assertGreater(found[9], 100)


class Pendulums(JointRun):
    LENGTH = 0.4

    def test_period_of_a_large_swing(self):
        inertia = (self.LENGTH**2 + WIDTH**2) / 12 + self.LENGTH**2 / 4   # about the joint, per mass
        small = 2 * math.pi * math.sqrt(inertia / (GRAVITY * self.LENGTH / 2))
        for joint in ("kind: ball", "kind: hinge, axis: [0, 1, 0]"):
            history = self.simulate(pendulum(joint), out=joint.split()[1].strip(",")).history
            first, second = crossings(history["time"], history["bar.x"])
            expect_closed_form(self, field="rigid motion", case=f"rigid pendulum on a joint ({joint.split()[1].strip(',')}) through 180°: period", source="2/π K(sin θ₀/2) T₀", expected=2 / math.pi * elliptic_integral(math.sin(math.pi / 4)) * small,
                               got=2 * (second - first), tolerance=1e-4, mesh="rigid", step="1 ms")
            self.assert_closed(history, ["pin"], self.LENGTH)
            energy = history["kinetic_energy"] + history["gravity_energy"] + history["joint_energy"]
            self.assertLess(numpy.ptp(energy), 1e-4 * history["kinetic_energy"].max())
            # The joint carries the weight and what keeps the bar on its circle: m a = m g + F.
            mass, i = DENSITY * self.LENGTH * WIDTH**2, 400
            acceleration = (history["bar.vz"][i + 1] - history["bar.vz"][i - 1]) / 2e-3
            self.assertAlmostEqual(history["pin.fz"][i], mass * (acceleration + GRAVITY), delta=5e-3 * mass * GRAVITY)
            self.assertLess(numpy.abs(history["pin.my"]).max(), 1e-6)   # free about its axis

    def test_double_pendulum_keeps_its_energy(self):
        scene = pendulum("kind: hinge, axis: [0, 1, 0]").replace("joints: {", bar("lower", 0.25, (self.LENGTH, 0)) + "joints: {").replace("}}\nsolver", f"}}, knee: {{kind: ball, between: [bar, lower], at: [{self.LENGTH}, 0, 0]}}}}\nsolver")
        history = self.simulate(scene).history
        energy = history["kinetic_energy"] + history["gravity_energy"]
        drift = numpy.ptp(energy) / history["kinetic_energy"].max()
        print(f"\n  double pendulum: energy within {drift:.1e} of the largest kinetic energy")
        self.assertLess(drift, 1e-3)
        self.assertGreater(numpy.ptp(turn(history, "lower")), 2.5)   # it whirls
        self.assert_closed(history, ["pin", "knee"], 0.25)


class Mechanisms(JointRun):
    def test_four_bar_linkage(self):
        run = self.simulate(four_bar(1.0))
        self.assertNotIn("warning", run.output + run.errors)   # jumps of the torque are no gain
        history = run.history
        start = numpy.array(joined(math.pi / 2))
        phi = math.pi / 2 + turn(history, "crank")
        self.assertGreater(phi[-1] - phi[0], 2 * math.pi)   # through a whole turn
        coupler, rocker = joined(phi)
        off = max(numpy.abs(numpy.unwrap(coupler) - start[0] - turn(history, "coupler")).max(), numpy.abs(numpy.unwrap(rocker) - start[1] - turn(history, "rocker")).max())
        print(f"\n  four-bar linkage: coupler and rocker off by {off:.1e} rad; joints open by {max(history[f'{j}.gap'].max() for j in ('drive', 'left', 'right', 'base')):.1e} m")
        self.assertLess(off, 1e-5)
        self.assert_closed(history, ["drive", "left", "right", "base"], CRANK)
        # The motor turns as prescribed, and its work is the energy that the bars have.
        time = history["time"]
        prescribed = SPEED * numpy.where(time < 0.1, time**2 / 0.2, time - 0.05)
        numpy.testing.assert_allclose(phi - math.pi / 2, prescribed, rtol=0, atol=1e-5)
        numpy.testing.assert_allclose(numpy.unwrap(history["drive.angle"]), prescribed, rtol=0, atol=1e-5)
        energy = history["kinetic_energy"] + history["gravity_energy"] + history["joint_energy"] + history["elastic_energy"]
        for part in (slice(0, 98), slice(102, None)):   # the torque jumps between
            off = (energy[part] - energy[part][0]) - (history["work_loads"][part] - history["work_loads"][part][0])
            self.assertLess(numpy.abs(off).max(), 5e-5 * numpy.ptp(energy))

    def test_slider_crank(self):
        history = self.simulate(slider_crank(", motor: {speed: 8, over: [{time: 0, factor: 0}, {time: 0.1, factor: 1}]}")).history
        angle = numpy.unwrap(history["drive.angle"])
        self.assertGreater(angle[-1], 3.5)
        place = CRANK * numpy.cos(angle) + numpy.sqrt(0.25**2 - (CRANK * numpy.sin(angle))**2)
        off = numpy.abs(history["guide.displacement"] - (place - CRANK - 0.25)).max()
        print(f"\n  slider-crank: the block off by {off:.1e} m")
        self.assertLess(off, 1e-5 * CRANK)   # by the strain of the bars
        self.assert_closed(history, ["drive", "pin", "wrist", "guide"], CRANK)
        self.assertLess(numpy.abs(turn(history, "block")).max(), 1e-5)
        # A joint exerts what the next carries on: the rod takes the crank's force at its pin.
        mass, i = DENSITY * 0.25 * WIDTH**2, 250
        acceleration = (history["rod.vx"][i + 1] - history["rod.vx"][i - 1]) / 2e-3
        self.assertAlmostEqual(-history["pin.fx"][i] + history["wrist.fx"][i], mass * acceleration, delta=1e-2 * abs(mass * acceleration))

    def test_fixed_bodies_move_as_one(self):
        """Two bricks that spin as one of twice the length."""
        scene = f"""\
time: {{step: 1e-3, end: 0.3}}
bodies:
  one: {{mesh: brick.msh, rigid: {{density: {DENSITY}}}, initial: {{velocity: [0, {-BRICK[0]}, 0], angular_velocity: [0, 0, 2]}}}}
  two: {{mesh: brick.msh, rigid: {{density: {DENSITY}}}, initial: {{translate: [{BRICK[0]}, 0, 0], velocity: [0, {BRICK[0]}, 0], angular_velocity: [0, 0, 2]}}}}
joints: {{weld: {{kind: fixed, between: [one, two], at: [{BRICK[0]}, 0.04, 0.025]}}}}
solver: {{tolerance: 1e-8}}
"""
        history = self.simulate(scene).history
        self.assert_closed(history, ["weld"], BRICK[0])
        distance = numpy.hypot(history["one.x"] - history["two.x"], history["one.y"] - history["two.y"])
        numpy.testing.assert_allclose(distance, BRICK[0], rtol=1e-6)
        numpy.testing.assert_allclose(history["one.wz"], history["two.wz"], rtol=1e-5)
        numpy.testing.assert_allclose(history["one.x"] + history["two.x"], 2 * BRICK[0], rtol=1e-9)
        # Each is held on its circle by m w^2 r.
        numpy.testing.assert_allclose(numpy.hypot(history["weld.fx"], history["weld.fy"])[5:], MASS * 4 * BRICK[0] / 2, rtol=1e-3)


class Motors(JointRun):
    def test_torque_turns_a_flywheel(self):
        torque, end = 0.1, 0.3
        history = self.simulate(flywheel(f"motor: {{torque: {torque}}}", end)).history
        time = history["time"]
        numpy.testing.assert_allclose(history["wheel.wz"][:10], torque / INERTIA[2] * time[:10], rtol=1e-6)
        numpy.testing.assert_allclose(history["wheel.wz"], torque / INERTIA[2] * time, rtol=5e-4)
        angle = numpy.unwrap(history["axle.angle"])
        self.assertGreater(angle[-1], 4)   # beyond half a turn
        numpy.testing.assert_allclose(angle, torque / INERTIA[2] * time**2 / 2, rtol=0, atol=5e-4 * angle[-1])
        numpy.testing.assert_allclose(history["kinetic_energy"], torque * angle, rtol=0, atol=5e-4 * torque * angle[-1])
        numpy.testing.assert_allclose(history["work_loads"], torque * angle, rtol=0, atol=5e-4 * torque * angle[-1])
        numpy.testing.assert_allclose(history["axle.motor_torque"], torque, rtol=1e-12)
        numpy.testing.assert_allclose(history["axle.motor_power"][5:], torque * history["wheel.wz"][5:], rtol=1e-5)
        self.assertLess(numpy.abs(history["energy_numerical"]).max(), 1e-3 * torque * angle[-1])

    def test_a_strong_load_strains_no_rigid_body(self):
        """Two forces that pull a brick apart by a thousand times its weight: the body is as stiff as this needs."""
        ends = {"left": lambda x: x[0] < 1e-9, "right": lambda x: x[0] > BRICK[0] - 1e-9}
        self.write("pulled.msh", box_text((1, 1, 1), BRICK, faces=ends))
        pull = 1e3 * MASS * 9.81
        history = self.simulate(f"""\
time: {{step: 1e-3, end: 0.01}}
bodies:
  brick:
    mesh: pulled.msh
    rigid: {{density: 1000}}
    loads: {{one: {{region: left, force: [{-pull}, 0, 0]}}, other: {{region: right, force: [{pull}, 0, 0]}}}}
""").history
        self.assertLess(history["brick.strain"].max(), 2e-5)   # about 1e-5, by an estimate
        self.assertGreater(history["brick.strain"].max(), 1e-7)

    def test_force_and_speed_in_a_slider(self):
        scene = flywheel("motor: {force: 3}").replace("kind: hinge", "kind: slider")
        history = self.simulate(scene).history
        time = history["time"]
        numpy.testing.assert_allclose(history["wheel.vz"], 3 / MASS * time, rtol=1e-6)
        numpy.testing.assert_allclose(history["axle.displacement"], 3 / MASS * time**2 / 2, rtol=1e-5, atol=1e-9)
        numpy.testing.assert_allclose(history["work_loads"], 3 * history["axle.displacement"], rtol=1e-5, atol=1e-10)
        history = self.simulate(scene.replace("force: 3", "speed: 0.5, over: [{time: 0, factor: 0}, {time: 0.1, factor: 1}]"), out="speed").history
        prescribed = 0.5 * numpy.where(time < 0.1, time**2 / 0.2, time - 0.05)
        numpy.testing.assert_allclose(history["axle.displacement"], prescribed, rtol=0, atol=1e-6)
        i = 97   # before the force jumps
        numpy.testing.assert_allclose(history["work_loads"][i], MASS * (5 * time[i])**2 / 2, rtol=1e-3)

    def test_period_of_a_torsional_oscillator(self):
        stiffness, rest = 0.3, 0.8
        for kind, inertia, unit in (("hinge", INERTIA[2], 1), ("slider", MASS, 0.05)):
            scale = 1 if kind == "hinge" else 1000
            history = self.simulate(flywheel(f"spring: {{stiffness: {stiffness * scale}, rest: {rest * unit}}}", 0.45).replace("kind: hinge", f"kind: {kind}"), out=kind).history
            value = history["axle." + ("angle" if kind == "hinge" else "displacement")]
            period = 2 * math.pi * math.sqrt(inertia / (stiffness * scale))
            through = crossings(history["time"], value - rest * unit)
            expect_closed_form(self, field="rigid motion", case=f"spring in a {kind}: period", source="2π √(I/k)" if kind == "hinge" else "2π √(m/k)", expected=period, got=2 * (through[1] - through[0]), tolerance=1e-4, mesh="rigid", step="1 ms")
            numpy.testing.assert_allclose(value, rest * unit * (1 - numpy.cos(2 * math.pi / period * history["time"])), rtol=0, atol=2e-3 * rest * unit)
            numpy.testing.assert_allclose(history["spring_energy"], stiffness * scale * (value - rest * unit)**2 / 2, rtol=0, atol=1e-9)
        damping = 2e-3
        damped = self.simulate(flywheel(f"spring: {{damping: {damping}}}", extra=", angular_velocity: [0, 0, 3]"), out="damped").history
        numpy.testing.assert_allclose(damped["wheel.wz"], 3 * numpy.exp(-damping / INERTIA[2] * damped["time"]), rtol=0, atol=1e-4)
        numpy.testing.assert_allclose(damped["work_damping"], damped["kinetic_energy"] - INERTIA[2] * 4.5, rtol=0, atol=1e-5)


class Torques(JointRun):
    def scene(self, load, body="rigid: {density: 1000}", step=1e-3, end=0.05, more=""):
        return f"""\
time: {{step: {step}, end: {end}}}
bodies: {{brick: {{mesh: brick.msh, {body}, loads: {{push: {{{load}}}}}{more}}}}}
solver: {{tolerance: 1e-9}}
"""

    def test_a_free_rigid_body(self):
        torque = numpy.array([0.03, -0.02, 0.05])
        history = self.simulate(self.scene(f"torque: {list(torque)}", step=1e-4, end=2e-3)).history
        time = history["time"]
        for axis, c in enumerate("xyz"):
            numpy.testing.assert_allclose(history[f"brick.l{c}"], torque[axis] * time, rtol=0, atol=1e-6 * numpy.linalg.norm(torque) * time[-1])
            numpy.testing.assert_allclose(history[f"brick.w{c}"][1], torque[axis] / INERTIA[axis] * time[1], rtol=5e-6)   # before it spins
            numpy.testing.assert_allclose(history[f"brick.push.m{c}"], torque[axis], rtol=1e-9)
            self.assertLess(numpy.abs(history[f"brick.v{c}"]).max(), 1e-9)
        numpy.testing.assert_allclose(history["work_loads"][-1], history["kinetic_energy"][-1], rtol=1e-5)

    def test_turns_far_and_over_time(self):
        history = self.simulate(self.scene("torque: [0, 0, 0.05], over: [{time: 0, factor: 0}, {time: 0.1, factor: 1}]", end=0.2)).history
        time = history["time"]
        impulse = 0.05 * numpy.where(time < 0.1, time**2 / 0.2, time - 0.05)
        numpy.testing.assert_allclose(history["brick.wz"], impulse / INERTIA[2], rtol=3e-5, atol=1e-6)
        self.assertLess(numpy.abs(history["energy_numerical"]).max(), 1e-4 * history["work_loads"][-1])

    def test_on_a_solid_that_is_held(self):
        """The support takes exactly the torque; a force on the whole body, too, exactly."""
        self.write("brick.msh", box_text((4, 3, 3), BRICK, faces={"left": lambda x: x[0] < 1e-9, "right": lambda x: x[0] > BRICK[0] - 1e-9}))
        solid = "solid: {solid: {youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}"
        scene = self.scene("torque: [1, 0, 0], region: right", solid, more=", fixed: [left]").replace("step: 0.001, end: 0.05", "step: 0.5, end: 1, inertia: false")
        row = self.simulate(scene).last_row()
        self.assertAlmostEqual(row["brick.left.mx"], -1, delta=1e-6)
        for c in "xyz":
            self.assertAlmostEqual(row[f"brick.left.f{c}"], 0, delta=1e-6)
        row = self.simulate(scene.replace("torque: [1, 0, 0], region: right", "force: [1, 2, 3]"), out="force").last_row()
        for c, force in zip("xyz", (1, 2, 3)):
            self.assertAlmostEqual(row[f"brick.left.f{c}"], -force, delta=1e-6)


    def test_twists_a_square_bar(self):
        """The work of the torque on the way to equilibrium is half of torque times angle; from two meshes, for linear tetrahedra are too stiff by the square of their size."""
        side, length, torque, modulus = 0.04, 0.2, 1e-3, 1e6
        stored = {}
        for cells in (8, 12):
            self.write("bar.msh", box_text((cells, cells, 4 * cells), (side, side, length), faces={"top": lambda x: x[2] > length - 1e-9}))
            scene = f"""\
time: {{step: 0.5, end: 0.5, inertia: false}}
bodies:
  bar:
    mesh: bar.msh
    solid: {{solid: {{youngs_modulus: {modulus}, poisson_ratio: 0.3, density: 1000}}}}
    initial: {{translate: [{-side / 2}, {-side / 2}, 0]}}
    fixed: [bottom]
    loads: {{twist: {{region: top, torque: [0, 0, {torque}]}}}}
"""
            stored[cells] = self.simulate(scene, out=f"cells_{cells}").last_row()["elastic_energy"]
        limit = stored[12] + (stored[12] - stored[8]) / ((12 / 8)**2 - 1)
        expect_closed_form(self, field="elasticity", case="square bar under a torque: angle of twist", source="T l/(0.1406 G a⁴)", expected=torque * length / (0.14058 * modulus / 2.6 * side**4), got=2 * limit / torque, tolerance=0.015,
                           mesh="8 and 12 cells across, extrapolated", step="without inertia")


class Deformable(JointRun):
    def test_solids_hang_from_joints(self):
        """Each joint carries exactly the weight below it."""
        self.write("block.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1)))
        scene = f"""\
time: {{step: 0.25, end: 0.5, inertia: false}}
gravity: [0, 0, -{GRAVITY}]
bodies:
  upper: {{mesh: block.msh, solid: {{solid: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}}}}}
  lower: {{mesh: block.msh, rigid: {{density: 2000}}, initial: {{translate: [0, 0, -0.1]}}}}
joints:
  nail: {{kind: fixed, between: upper, at: [0.05, 0.05, 0.1]}}
  weld: {{kind: fixed, between: [upper, lower], at: [0.05, 0.05, 0]}}
solver: {{tolerance: 0.1}}
"""
        row = self.simulate(scene).last_row()
        self.assertAlmostEqual(row["weld.fz"], -2 * GRAVITY, delta=1e-5)
        self.assertAlmostEqual(row["nail.fz"], 3 * GRAVITY, delta=1e-5)
        self.assertLess(row["weld.gap"], 1e-6 * 0.1)
        self.assertLess(row["nail.gap"], 1e-6 * 0.1)


    def test_a_shell_and_a_rod_swing(self):
        """From level, a stiff plate on a hinge along its edge and a stiff rod on a ball at its end fall like rigid ones with masses at their vertices."""
        length, cells = 0.2, 4
        x, y = (grid.ravel() for grid in numpy.meshgrid(*2 * [numpy.linspace(0, length, cells + 1)], indexing="ij"))
        corners = [i * (cells + 1) + j for i in range(cells) for j in range(cells)]
        triangles = [(1, *t) for c in corners for t in ((c, c + cells + 1, c + cells + 2), (c, c + cells + 2, c + 1))]
        self.write("plate.msh", gmsh_text([(float(a), float(b), 0.0) for a, b in zip(x, y)], [], triangles, {1: (2, "plate")}))
        self.write("rod.txt", "".join(f"{length * i / cells!r} 0 0\n" for i in range(cells + 1)))
        material = "youngs_modulus: 1e11, poisson_ratio: 0.3, density: 1000"
        quarter = elliptic_integral(math.sqrt(0.5)) * math.sqrt((1 / 3 + 1 / (6 * cells**2)) * length / (GRAVITY / 2))
        for name, body, joint in (("plate", f"mesh: plate.msh, shell: {{plate: {{{material}, thickness: 0.01}}}}", "kind: hinge, between: body, at: [0, 0.1, 0], axis: [0, 1, 0]"),
                                  ("rod", f"mesh: rod.txt, rod: {{rod: {{radius: 0.01, {material}}}}}", "kind: ball, between: [body, ground], at: [0, 0, 0]")):
            scene = f"time: {{step: 5e-4, end: 0.25}}\ngravity: [0, 0, -{GRAVITY}]\nbodies: {{body: {{{body}}}}}\njoints: {{pin: {{{joint}}}}}\n"
            history = self.simulate(scene, out=name, sets={"solver.tolerance": 1e-6}).history
            got = crossings(history["time"], history["body.x"])[0]
            expect_closed_form(self, field="rigid motion", case=f"stiff {name} that falls from level on a joint: quarter of its period", source="K(sin 45°) √(I/(m g L/2)), I of the lumped masses", expected=quarter, got=got,
                               tolerance=1e-3, mesh="4 cells", step="0.5 ms")
            self.assertLess(history["pin.gap"].max(), 1e-6 * length)
            if name == "plate":
                outcome = self.run_program("run", scene.replace("axis: [0, 1, 0]", "axis: [0, 0, 1]"), out="across")
                self.assertEqual(outcome.code, 2)
                self.assertIn("scene.yaml:4: joints.pin: a shell is too thin along the axis to be held by a hinge there", outcome.errors)
        flat = scene.replace("kind: ball", "kind: hinge, axis: [0, 1, 0]")
        outcome = self.run_program("run", flat, out="refused")
        self.assertEqual(outcome.code, 2)
        self.assertIn("has rods, which only a ball joint can hold", outcome.errors)


class Runs(JointRun):
    def test_any_number_of_ranks_and_resumed(self):
        tail = "  tail: {kind: ball, between: [rocker, tail], at: [0.4, 0, 0]}"
        scene = four_bar(0.06).replace("joints:\n", bar("tail", 0.1, (GROUND, 0)) + f"joints:\n{tail}\n")
        one = self.simulate(scene, out="one").history
        others = {f"on {ranks}": self.simulate(scene, out=f"on_{ranks}", ranks=ranks).history for ranks in (2, 4)}
        self.simulate(scene, out="resumed", sets={"time.end": 0.03})
        others["resumed"] = self.resume(out="resumed", ranks=2, sets={"time.end": 0.06}).history
        for name, other in others.items():
            self.assertEqual(list(one), list(other))
            for column in ("coupler.x", "coupler.z", "rocker.vx", "rocker.wy", "drive.angle"):
                scale = numpy.abs(one[column]).max()
                numpy.testing.assert_allclose(other[column], one[column], rtol=0, atol=1e-8 * scale, err_msg=f"{name}: {column}")
            numpy.testing.assert_allclose(other["work_loads"], one["work_loads"], rtol=0, atol=1e-6 * one["work_loads"].max(), err_msg=name)

    def test_warns_of_a_joint_that_is_too_weak_and_again_at_ten_times_the_gap(self):
        outcome = self.run_program("run", pendulum("kind: ball, stiffness: 1000"), sets={"time.end": 0.05})
        self.assertEqual(outcome.code, 0, outcome.errors)
        gaps = [float(gap) for gap in re.findall(r"is open by ([\d.e-]+) m, more than 4.04e-07 m, its largest_gap of 1e-06", outcome.output + outcome.errors)]
        self.assertGreaterEqual(len(gaps), 2, outcome.errors)
        self.assertLess(len(gaps), 6, outcome.errors)
        for before, after in zip(gaps, gaps[1:]):
            self.assertGreater(after, 9.9 * before)

    def test_estimates_of_loads_may_be_ten_times_too_low(self):
        """A spring whose force the default stiffness does not know opens the joint by its force over the stiffness."""
        largest = 4.04e-7
        probe = "springs: {pull: {from: bar, anchor: [1, 0, 0], stiffness: 1000, rest_length: 0}}\n"
        opened = self.simulate(pendulum("kind: ball") + probe, sets={"time.end": 2e-3}, out="probe").history["pin.gap"].max()
        for times, warns in ((3, False), (30, True)):
            pull = probe.replace("stiffness: 1000", f"stiffness: {1000 * times * largest / opened!r}")
            outcome = self.simulate(pendulum("kind: ball") + pull, sets={"time.end": 2e-3}, out=f"open_{times}")
            self.assertGreater(outcome.history["pin.gap"].max(), largest)
            self.assertEqual("the joint is open by" in outcome.errors, warns, outcome.errors)


class Refused(RefusalTest):
    def test_mistakes(self):
        for length in (0.4, 0.1):
            self.write(f"bar{length}.msh", box_text((4, 1, 1), (length, WIDTH, WIDTH)))
        scene = f"""\
time: {{step: 1e-3, end: 0.01}}
bodies:
{bar("one", 0.4, (0, 0))}{bar("two", 0.1, (0.4, 0))}joints:
  knee: {{kind: hinge, between: [one, two], at: [0.4, 0, 0], axis: [0, 1, 0], motor: {{torque: 1}}}}
"""
        cases = (("[one, two]", "[one, tow]", "there is no body 'tow'; the nearest is 'two'"), ("[one, two]", "[one, one]", "names one body twice"),
                 ("[one, two]", "[ground, one]", "name the body first"), ("[one, two]", "[one, two, one]", "more than two bodies"),
                 ("axis: [0, 1, 0]", "axis: [0, 0, 0]", "axis"), (", axis: [0, 1, 0]", "", "is missing; give the direction of the hinge's axis"),
                 ("kind: hinge", "kind: ball", "goes with a hinge or a slider"), ("torque: 1", "force: 1", "goes with a slider"),
                 ("torque: 1", "torque: 1, speed: 2", "remove one of the two"), ("torque: 1", "angle: 1", "the motor jumps"),
                 ("torque: 1", "torque: 1, stiffness: 5", "goes with a prescribed motion"), ("motor: {torque: 1}", "spring: {rest: 1}", "neither stiffness nor damping"),
                 ("motor: {torque: 1}", "spring: {stiffness: 1, rest: -3.2}", "the spring would turn them the other way"),
                 ("at: [0.4, 0, 0]", "at: [1.4, 0, 0]", "joint between bodies that are apart: its place is 1 m from body 'one'"),
                 ("at: [0.4, 0, 0]", "at: [0, 0, 0]", "joint between bodies that are apart: its place is 0.401 m from body 'two', whose size is 0.115 m"))
        for old, new, words in cases:
            text = scene.replace(old, new, 1)
            self.write("scene.yaml", text)
            for ranks in (1, 2):
                with self.subTest(new=new, ranks=ranks):
                    self.assert_refused(["traction", "run", self.folder / "scene.yaml", "--out", self.folder / "out"], [f"scene.yaml:{line_of(text, 'knee:')}: joints.knee", words], ranks)
        text = scene.replace("two", "ground")
        self.write("scene.yaml", text)
        self.assert_refused(["traction", "run", self.folder / "scene.yaml", "--out", self.folder / "out"], [f"scene.yaml:{line_of(text, 'ground:')}: bodies.ground", "rename the body"], 1)
        text = scene.replace("two: {", "two: {loads: {twist: {torque: [0, 0, 1], region: edge}}, ", 1)
        self.write("scene.yaml", text)
        self.assert_refused(["traction", "run", self.folder / "scene.yaml", "--out", self.folder / "out"], ["has no region 'edge'"], 1)
        # The columns of both would have the same names.
        text = scene + "attachments: {knee: {vertices: one, to: two}}\n"
        self.write("scene.yaml", text)
        self.assert_refused(["traction", "run", self.folder / "scene.yaml", "--out", self.folder / "out"], ["joints.knee", "has the name of an entry under 'attachments'"], 1)


if __name__ == "__main__":
    unittest.main()
