"""Rigid bodies: free tops against Euler's equations, boxes on slopes and in stacks against statics, and what is refused."""

import math
import re
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import RefusalTest, ShortRunTest, box_text, line_of

SIDES = numpy.array((0.12, 0.08, 0.05))   # sides of the brick [m]
DENSITY = 1000
MASS = DENSITY * SIDES.prod()
INERTIA = MASS / 12 * numpy.array([SIDES[1]**2 + SIDES[2]**2, SIDES[0]**2 + SIDES[2]**2, SIDES[0]**2 + SIDES[1]**2])
GRAVITY = 9.81


def product(p, q):
    return numpy.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + numpy.cross(p[1:], q[1:]))])


def turned(q, vector):
    return product(product(q, numpy.array([0, *vector])), q * [1, -1, -1, -1])[1:]


def euler_top(spin, end, steps):
    """Orientation (as a quaternion from body to space) and angular velocity in space of a free brick, by Runge and Kutta's method on Euler's equations."""
    def rate(state):
        q, w = state[:4], state[4:]   # w in the body
        return numpy.concatenate([0.5 * product(q, numpy.array([0, *w])), -numpy.cross(w, INERTIA * w) / INERTIA])

    state, h = numpy.concatenate([[1, 0, 0, 0], spin]), end / steps
    for _ in range(steps):
        k1 = rate(state)
        k2 = rate(state + h / 2 * k1)
        k3 = rate(state + h / 2 * k2)
        k4 = rate(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        state[:4] /= numpy.linalg.norm(state[:4])
    return state[:4], turned(state[:4], state[4:])


def top(spin, end, step, extra=""):
    return f"""\
time: {{step: {step!r}, end: {end}{extra}}}
bodies:
  top: {{mesh: brick.msh, rigid: {{density: {DENSITY}}}, initial: {{angular_velocity: {list(spin)}}}}}
solver: {{tolerance: 1e-10}}
"""


def quaternion(row):
    return numpy.array([row[f"top.q{c}"] for c in "wxyz"])


def turn_between(p, q):
    """The angle of the turn from one orientation to another [rad]."""
    return 2 * math.acos(min(1, abs(p @ q)))


class Tops(ShortRunTest):
    SPIN, END = (3, 4, 6), 0.5

    def setUp(self):
        super().setUp()
        self.write("brick.msh", box_text((3, 2, 1), SIDES))

    def test_free_top_follows_eulers_equations_with_order_two(self):
        expected, spin = euler_top(self.SPIN, self.END, 2000)
        for integrator in ("tr_bdf2", "trapezoidal", "bdf2"):
            errors = []
            for step in (4e-3, 2e-3, 1e-3):
                row = self.simulate(top(self.SPIN, self.END, step, f", integrator: {integrator}"), out=f"out_{integrator}_{step}").last_row()
                errors.append(turn_between(expected, quaternion(row)))
                self.assertLess(row["top.strain"], 1e-5)
            order = math.log2(errors[1] / errors[2])
            print(f"\n  {integrator}: orientation off by {errors[0]:.1e}, {errors[1]:.1e}, {errors[2]:.1e} rad; order {order:.2f}", flush=True)
            self.assertGreater(order, 1.85)
            expect_closed_form(self, field="rigid bodies", case=f"free top, {integrator}: error of its orientation after {self.END} s [rad]", source="Euler's equations, by Runge and Kutta",
                               expected=0, got=errors[-1], scale=1, tolerance=5e-4, mesh="brick", step="1 ms")

    def test_momentum_and_spin(self):
        history = self.simulate(top(self.SPIN, self.END, 1e-3)).history
        momentum = numpy.stack([history[f"top.l{c}"] for c in "xyz"])
        drift = numpy.max(numpy.abs(momentum - (INERTIA * self.SPIN)[:, None])) / numpy.linalg.norm(INERTIA * self.SPIN)
        _, spin = euler_top(self.SPIN, self.END, 2000)
        found = numpy.array([history[f"top.w{c}"][-1] for c in "xyz"])
        same = {"field": "rigid bodies", "mesh": "brick", "step": "1 ms"}
        expect_closed_form(self, case="free top: drift of its angular momentum", source="is kept", expected=0, got=drift, scale=1, tolerance=1e-4, **same)
        for i, c in enumerate("xyz"):
            expect_closed_form(self, case=f"free top: angular velocity about {c}", source="Euler's equations, by Runge and Kutta", expected=spin[i], got=found[i], scale=numpy.linalg.norm(spin),
                               tolerance=2e-4, **same)

    def test_momentum_of_a_thrown_body(self):
        velocity, end = numpy.array((1.0, -2.0, 3.0)), 0.1
        scene = top(self.SPIN, end, 1e-3).replace("initial: {", f"initial: {{velocity: {velocity.tolist()}, ") + f"gravity: [0, 0, -{GRAVITY}]\n"
        row = self.simulate(scene).last_row()
        expected = MASS * (velocity - [0, 0, GRAVITY * end])
        for i, c in enumerate("xyz"):
            expect_closed_form(self, field="rigid bodies", case=f"thrown body: momentum along {c}", source="m (v + g t)", expected=expected[i], got=row[f"top.p{c}"], tolerance=1e-8,
                               mesh="brick", step="1 ms")

    def test_force_free_flight_is_cheap(self):
        """Without forces nothing changes, so the error that is allowed in a step is relative to the speed alone: rounding of the positions cannot stop it."""
        scene = top((0, 0, 1), 0.6, 0.01).replace("initial: {", "initial: {velocity: [100, 0, 0], ").replace("solver: {tolerance: 1e-10}\n", "")
        history = self.simulate(scene).history
        self.assertLess(len(history["step"]), 80)                          # 60 as scheduled; far from the origin single steps are halved
        self.assertLess(history["newton_iterations"].sum(), 5 * len(history["step"]))
        self.assertAlmostEqual(history["top.px"][-1] / (100 * MASS), 1, delta=1e-8)

    def test_intermediate_axis_flips_when_it_should(self):
        # The spin about the middle axis turns over; halfway through, the velocity about it in the body is zero.
        spin, end = (-0.1, 10, 0.1), 1.6
        order = numpy.argsort(INERTIA)
        self.assertEqual(order[1], 1)
        history = self.simulate(top(spin, end, 2e-3)).history
        about = []
        for k, _ in enumerate(history["time"]):
            q = numpy.array([history[f"top.q{c}"][k] for c in "wxyz"])
            about.append(turned(q * [1, -1, -1, -1], numpy.array([history[f"top.w{c}"][k] for c in "xyz"]))[1])
        flip = history["time"][numpy.argmax(numpy.array(about) < 0)]
        low, high = 0, end
        while high - low > 1e-4:   # the first zero by bisection: the velocity about the axis falls once in this time
            middle = (low + high) / 2
            q, w = euler_top(spin, middle, 1000)
            low, high = (low, middle) if turned(q * [1, -1, -1, -1], w)[1] < 0 else (middle, high)
        expect_closed_form(self, field="rigid bodies", case="spin about the middle axis: time until it turns over", source="Euler's equations, by Runge and Kutta", expected=high, got=flip,
                           tolerance=0.01, mesh="brick", step="2 ms")

    def test_given_moments_are_those_of_the_density(self):
        given = f"rigid: {{mass: {MASS!r}, center: {[float(s) / 2 for s in SIDES]}, inertia: {[float(i) for i in INERTIA]}}}"
        by_density = self.simulate(top(self.SPIN, 0.1, 2e-3), out="density").last_row()
        by_moments = self.simulate(top(self.SPIN, 0.1, 2e-3).replace(f"rigid: {{density: {DENSITY}}}", given), out="moments").last_row()
        self.assertLess(turn_between(quaternion(by_density), quaternion(by_moments)), 5e-5)
        for c in "xyz":
            self.assertAlmostEqual(by_moments[f"top.w{c}"], by_density[f"top.w{c}"], delta=1e-4)


def box_on_slope(degrees, friction, body="rigid: {density: 1000}", size=(0.1, 0.1, 0.1), end=0.5, step=5e-3):
    angle = math.radians(degrees)
    gravity = [GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle)]
    return f"""\
gravity: {gravity}
time: {{step: {step}, end: {end}}}
bodies:
  box: {{mesh: box.msh, {body}, initial: {{translate: [0, 0, 1e-3], equilibrium: true}}}}
surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
contacts: {{touch: {{all: true, thickness: 1e-3, friction: {{dynamic: {friction}, tolerance: 1e-4}}}}}}
"""


def stack(count, end, offset=0.0, body="rigid: {density: 1000}", step=5e-3):
    bodies = "\n".join(f"  box{i}: {{mesh: box.msh, {body}, initial: {{translate: [{offset * (i % 2)!r}, 0, {1e-3 + i * 0.101!r}], equilibrium: true}}}}" for i in range(count))
    return f"""\
gravity: [0, 0, -{GRAVITY}]
time: {{step: {step}, end: {end}}}
bodies:
{bodies}
surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
contacts: {{touch: {{all: true, thickness: 1e-3, friction: {{dynamic: 0.5, tolerance: 1e-4}}}}}}
"""


class RingingBodies(ShortRunTest):
    """Integrators without damping let the tetrahedron of a rigid body ring up where it turns fast; such runs end before they are wrong."""
    FREE = "time: {{step: {step}, end: 3, integrator: {integrator}}}\nbodies:\n  a: {{mesh: cube.msh, rigid: {{density: 1000}}, initial: {{angular_velocity: [0, 0, {spin}]}}}}\n"
    DRIVEN = ("time: {{step: {step}, end: 5, integrator: {integrator}}}\nbodies:\n  a: {{mesh: cube.msh, rigid: {{density: 1000}}}}\n"
              "joints: {{j: {{kind: hinge, between: a, at: [0.05, 0.05, 0.05], axis: [0, 0, 1], motor: {{speed: {spin}, over: [{{time: 0, factor: 0}}, {{time: 0.1, factor: 1}}]}}}}}}\n")

    def setUp(self):
        super().setUp()
        self.write("cube.msh", box_text((1, 1, 1), (0.1, 0.1, 0.1)))

    def test_spin_is_kept_or_the_run_ends(self):
        for integrator, step, spin, ranks in (("trapezoidal", 0.01, 20, 1), ("trapezoidal", 0.01, 20, 2), ("generalized_alpha", 0.01, 20, 1)):
            with self.subTest(integrator=integrator, ranks=ranks):
                outcome = self.run_program("run", self.FREE.format(step=step, integrator=integrator, spin=spin), ranks=ranks, out=f"{integrator}{ranks}")
                self.assertEqual(outcome.code, 3, outcome.errors)
                self.assertIn("is unstable in this motion", outcome.errors)
                self.assertIn("such as tr_sdirk2; the last good state", outcome.errors)
                self.assertNotIn("an integrator that takes energy out, such as sdirk2", outcome.errors)
        history = self.simulate(self.FREE.format(step=0.01, integrator="tr_sdirk2", spin=20), out="damped").history
        spinning = 0.1**2 / 6 * 20**2 / 2   # J, of 1 kg
        self.assertGreater(history["kinetic_energy"][-1], 0.95 * spinning)
        self.assertLess(history["kinetic_energy"].max(), spinning * (1 + 1e-6))

    def test_a_start_elsewhere_hides_no_gain(self):
        """Another body far away is fixed, or begins to creep without a ramp: the warning of the gain is the same."""
        for driven, warned in (("fixed: bottom", "fixed"), ("driven: [{vertices: bottom, motion: {velocity: [1e-6, 0, 0]}}]", "driven")):
            scene = ("time: {step: 1e-2, end: 0.36, integrator: trapezoidal}\nbodies:\n"
                     "  a: {mesh: cube.msh, rigid: {density: 1000}, initial: {angular_velocity: [0, 0, 20], velocity: [5, 0, 0]}}\n"
                     f"  b: {{mesh: cube.msh, solid: {{solid: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}}}, initial: {{translate: [5, 0, 0]}}, {driven}}}\n")
            with self.subTest(warned):
                outcome = self.simulate(scene, out=warned)
                self.assertIn("numerical errors have added", outcome.errors)

    def test_a_motor_does_not_tear_its_body_apart(self):
        outcome = self.run_program("run", self.DRIVEN.format(step=2e-3, integrator="trapezoidal", spin=15), out="motor")
        self.assertEqual(outcome.code, 3, outcome.errors)
        self.assertIn("scene.yaml:3: bodies.a.rigid: at t = ", outcome.errors)
        self.assertIn("so that it is not rigid any more", outcome.errors)
        self.assertIn("Take tr_sdirk2", outcome.errors)
        history = self.simulate(self.DRIVEN.format(step=5e-3, integrator="tr_sdirk2", spin=15), out="damped").history
        self.assertAlmostEqual(history["a.wz"][-1], 15, delta=0.1)


class Boxes(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("box.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1)))

    def test_slides_by_the_laws_of_friction(self):
        end = 0.5
        for degrees, friction in ((30, 0.3), (20, 0.1)):
            scene = box_on_slope(degrees, friction, end=end).replace("0, 1e-3], equilibrium: true", "0, 0.99e-3]")
            row = self.simulate(scene, out=f"out_{degrees}").last_row()
            angle = math.radians(degrees)
            expected = GRAVITY * (math.sin(angle) - friction * math.cos(angle)) * end
            expect_closed_form(self, field="rigid bodies", case=f"box slides down {degrees}°: speed after {end} s", source="g (sin θ − μ cos θ) t", expected=expected, got=row["box.vx"], tolerance=5e-3,
                               mesh="box", step="5 ms")
            self.assertLess(abs(row["box.wy"]), 1e-2)
        row = self.simulate(box_on_slope(20, 0.5, end=end), out="stays").last_row()
        ratio = math.tan(math.radians(20)) / 0.5
        creep = 1e-4 * (1 - math.sqrt(1 - ratio))   # where 2 s - s^2 is the ratio
        expect_closed_form(self, field="rigid bodies", case="box sticks on 20°: creep", source="ε (1 − √(1 − tan θ/μ))", expected=creep, got=row["box.vx"], tolerance=0.01, mesh="box", step="5 ms")

    def test_tips_where_its_weight_leaves_its_base(self):
        # A tower of three times its width tips at tan a = 1/3.
        self.write("box.msh", box_text((2, 2, 6), (0.1, 0.1, 0.3)))
        limit = math.degrees(math.atan(1 / 3))
        for degrees, tips in ((limit - 1, False), (limit + 1, True)):
            scene = box_on_slope(degrees, 0.8, end=1).replace("0, 1e-3], equilibrium: true", "0, 0.99e-3]")
            row = self.simulate(scene, out=f"out_{tips}").last_row()
            lean = 2 * math.degrees(math.acos(min(1, row["box.qw"])))
            print(f"\n  at {degrees:.1f} degrees: leans by {lean:.2f} degrees after 1 s", flush=True)
            (self.assertGreater if tips else self.assertLess)(lean, 5 if tips else 1)

    def test_stack_of_ten_stands_for_ten_seconds(self):
        outcome = self.simulate(stack(10, 10, step=0.02), timeout=300)
        row = outcome.last_row()
        moved = max(math.hypot(outcome.history[f"box{i}.x"][-1] - 0.05, outcome.history[f"box{i}.y"][-1] - 0.05) for i in range(10))
        lean = max(2 * math.acos(min(1, row[f"box{i}.qw"])) for i in range(10))
        print(f"\n  stack: moved by {moved:.1e} m, leans by {lean:.1e}, {numpy.mean(outcome.history['newton_iterations']):.2f} Newton iterations a step", flush=True)
        self.assertLess(moved, 1e-4)
        self.assertLess(lean, 1e-3)
        expect_closed_form(self, field="rigid bodies", case="stack of ten boxes after 10 s: force of the ground", source="Σ m g", expected=10 * GRAVITY, got=row["touch.fz"], tolerance=1e-5,
                           mesh="boxes", step="20 ms")
        self.assertLess(max(row[f"box{i}.strain"] for i in range(10)), 1e-5)

    def test_equilibrium_of_a_tall_stack(self):
        """Thirty boxes: weights on boxes that friction lets creep tilt those below."""
        outcome = self.simulate(stack(30, 0.02, step=0.02))
        found = re.search(r"equilibrium at the start: (\d+) steps", outcome.output + outcome.errors)
        self.assertLess(int(found.group(1)), 100)
        row = outcome.last_row()
        expect_closed_form(self, field="rigid bodies", case="stack of thirty boxes in equilibrium: force of the ground", source="Σ m g", expected=30 * GRAVITY, got=row["touch.fz"], tolerance=1e-4,
                           mesh="boxes", step="20 ms")
        self.assertLess(row["kinetic_energy"], 30 * 1e-5**2 / 2)   # 30 kg at the solver's tolerance of 1e-5 m/s: which of the iterates ends the search depends on rounding

    def test_a_stack_that_must_tip_over_has_no_equilibrium(self):
        """Three boxes that lean out over an edge too far: neither is an acceleration of the search reported, nor a damped run advised that would come to no rest either."""
        scene = stack(3, 0.1).replace("floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}", "floor: {box: {lower: [-1, -1, -0.1], upper: [0, 1, 0]}}")
        for i in range(3):
            reach = 1.03 * 0.05 * sum(1 / (3 - k) for k in range(i + 1))
            scene = scene.replace(f"translate: [0.0, 0, {1e-3 + i * 0.101!r}]", f"translate: [{reach - 0.1!r}, 0, {1e-3 + i * 0.101!r}]")
        outcome = self.run_program("run", scene, timeout=600)
        self.assertEqual(outcome.code, 3, outcome.errors)
        self.assertRegex(outcome.errors, r"only contact carries body 'box\d', and this body or what carries it slides, rolls or tips over\. Move it .* start both without equilibrium")

    def test_ranks_agree_and_a_run_continues(self):
        scene = stack(4, 0.024, offset=0.02, step=2e-3).replace(", equilibrium: true", "").replace("0, 0.001]", "0, 0.00099]")
        sets = {"solver.tolerance": 1e-9}   # 1e-10 is reached on some machines only
        rows = [self.simulate(scene, ranks=ranks, out=f"ranks_{ranks}", sets=sets).last_row() for ranks in (1, 2, 4)]
        names = [name for name in rows[0] if name.startswith("box") and not name.endswith("strain")]
        for row in rows[1:]:
            for name in names:
                self.assertAlmostEqual(row[name], rows[0][name], delta=1e-8 if ".q" in name or name[-2:] in (".x", ".y", ".z") else 1e-6, msg=name)
        # Without its last checkpoint a run continues from the one before.
        self.simulate(scene, ranks=2, out="part", sets={**sets, "output.checkpoint_every": "{steps: 4}"})
        checkpoints = sorted((self.folder / "part/checkpoints").iterdir())
        self.assertGreater(len(checkpoints), 1)
        checkpoints[-1].unlink()
        resumed = self.resume(out="part").last_row()
        for name in names:
            self.assertAlmostEqual(resumed[name], rows[0][name], delta=1e-6, msg=name)

    def test_more_ranks_than_bodies(self):
        """A rigid body is one element: other ranks have nothing, and the run is the same, also when it is resumed."""
        scene = box_on_slope(20, 0.1, end=0.05, step=2e-3).replace("0, 1e-3], equilibrium: true", "0, 2e-3], angular_velocity: [3, 4, 6]")
        sets = {"solver.tolerance": 1e-9, "output.every": 0.02, "output.contacts": "true", "output.checkpoint_every": "{steps: 10}"}
        rows = [self.simulate(scene, ranks=ranks, out=f"out_{ranks}", sets=sets).last_row() for ranks in (1, 2, 4)]
        sorted((self.folder / "out_4/checkpoints").iterdir())[-1].unlink()
        rows.append(self.resume(ranks=4, out="out_4").last_row())
        for row in rows[1:]:
            for name in rows[0]:
                if name.startswith("box."):
                    self.assertAlmostEqual(row[name], rows[0][name], delta=1e-6, msg=name)

    def test_driven_body_reports_its_reaction(self):
        acceleration = 2.0
        scene = f"""\
gravity: [0, 0, -{GRAVITY}]
time: {{step: 1e-3, end: 0.1}}
bodies:
  box:
    mesh: box.msh
    rigid: {{density: 1000}}
    driven: [{{vertices: top, motion: {{velocity: [0, 0, {acceleration * 0.2}], ramp: 0.2}}}}]
"""
        self.write("box.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1), faces={"top": lambda x: x[2] > 0.0999}))
        row = self.simulate(scene).last_row()
        expect_closed_form(self, field="rigid bodies", case="box that is lifted: reaction", source="m (g + a)", expected=1.0 * (GRAVITY + acceleration), got=row["box.top.fz"], tolerance=1e-7, mesh="box", step="1 ms")
        self.assertAlmostEqual(row["box.vz"], acceleration * 0.1, delta=1e-9)

    def test_rigid_and_soft_bodies_share_a_load(self):
        soft = "solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}"
        scene = stack(3, 0.5).replace(", equilibrium: true", "").replace("step: 0.005,", "step: 0.01, integrator: backward_euler,")
        first, second = scene.find("box1"), scene.find("box2")
        scene = scene[:first] + scene[first:second].replace("rigid: {density: 1000}", soft) + scene[second:]
        for ranks in (1, 2):
            row = self.simulate(scene, ranks=ranks, out=f"out_{ranks}").last_row()
            self.assertAlmostEqual(row["touch.fz"], 3 * GRAVITY, delta=0.01 * GRAVITY)


class Refused(RefusalTest):
    def test_what_is_no_rigid_body(self):
        self.write("brick.msh", box_text((1, 1, 1), SIDES))
        good = "rigid: {density: 1000}"
        base = f"time: {{step: 1e-3, end: 0.01}}\nbodies:\n  brick: {{mesh: brick.msh, {good}}}\n"
        center = "center: [0.06, 0.04, 0.025]"
        for bad, expected in (
                ("rigid: {}", ["density", "mass"]),
                ("rigid: {density: -1}", ["density", "greater than 0"]),
                ("rigid: {density: 1000, mass: 1}", ["mass", "remove one"]),
                ("rigid: {density: 1000, center: [0, 0, 0]}", ["center", "density"]),
                ("rigid: {mass: 1}", ["center", "inertia"]),
                (f"rigid: {{mass: 1, {center}, inertia: [1, 1, 3]}}", ["no body has these moments of inertia", "less than the sum"]),
                (f"rigid: {{mass: 1, {center}, inertia: [1, 1, -1]}}", ["no body has these moments of inertia"]),
                ("rigid: {density: 1000}, damping: {stiffness: 1}", ["damping.stiffness", "no stiffness"]),
                (f"rigid: {{density: 1000}}, solid: {{solid: {{youngs_modulus: 1, poisson_ratio: 0, density: 1}}}}", ["solid", "does not deform"]),
        ):
            scene = base.replace(good, bad)
            path = self.write("scene.yaml", scene)
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], [f"scene.yaml:{line_of(scene, 'brick:')}", *expected], ranks)

    def test_regions_that_move_differently(self):
        self.write("brick.msh", box_text((1, 1, 1), SIDES, faces={"top": lambda x: x[2] > SIDES[2] - 1e-9}))
        base = "time: {step: 1e-3, end: 0.01}\nbodies:\n  brick:\n    mesh: brick.msh\n    rigid: {density: 1000}\n"
        up, down = "motion: {velocity: [0, 0, 1]}", "motion: {velocity: [0, 0, -1]}"
        for held in (f"driven: [{{vertices: bottom, {up}}}, {{vertices: top, {down}}}]", f"fixed: bottom\n    driven: [{{vertices: top, {up}}}]",
                     f"fixed: [{{region: bottom, components: [x]}}]\n    driven: [{{vertices: top, {up}}}]"):
            path = self.write("scene.yaml", base + f"    {held}\n")
            for ranks in (1, 2):
                with self.subTest(held=held, ranks=ranks):
                    self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], ["bodies.brick.driven.", "rigid and moves as one", "'bottom' and 'top'", "hold or drive one"], ranks)
        path = self.write("scene.yaml", base + f"    fixed: [{{region: bottom, components: [x]}}]\n    driven: [{{vertices: top, {up}, components: [z]}}]\n")
        self.simulate(path, out="good")

    def test_regions_without_mass_or_places_of_their_own(self):
        """A surface has no mass for a force per mass; and of the volume only the whole acts in its center."""
        text = box_text((2, 1, 1), SIDES, faces={"top": lambda x: x[2] > SIDES[2] - 1e-9}, points={"corner": lambda x: max(x) < 1e-9})
        lines = text.split("\n")
        lines[lines.index("$PhysicalNames") + 1] = "6"
        lines.insert(lines.index("$EndPhysicalNames"), '3 6 "half"')
        kinds = [number for number, line in enumerate(lines) if line.split()[1:4] == ["4", "2", "1"]]
        # Half of the tetrahedra are in another region, too.
        extra = [f"{10000 + n} 4 2 6 6 {' '.join(lines[number].split()[5:])}" for n, number in enumerate(kinds[:len(kinds) // 2])]
        end = lines.index("$EndElements")
        count = lines.index("$Elements") + 1
        lines[count] = str(int(lines[count]) + len(extra))
        lines[end:end] = extra
        self.write("brick.msh", "\n".join(lines).rstrip() + "\n")
        base = "time: {step: 1e-3, end: 0.01}\nbodies:\n  brick:\n    mesh: brick.msh\n    rigid: {density: 1000}\n"
        volume = ["region 'half'", "part of a rigid body's volume", "leave the region out"]
        for more, expected in (("    loads: {push: {region: top, body_force: [1, 0, 0]}}\n", ["region 'top' of 'brick' has no mass", "give 'force' or 'traction'"]),
                               ("    loads: {push: {region: corner, body_force: [1, 0, 0]}}\n", ["region 'corner' of 'brick' has no mass"]),
                               ("    loads: {push: {region: half, force: [1, 0, 0]}}\n", volume),
                               ("    loads: {push: {region: half, body_force: [1, 0, 0]}}\n", volume),
                               ("springs: {cord: {from: brick.half, to: brick.top, stiffness: 1}}\n", volume)):
            path = self.write("scene.yaml", base + more)
            for ranks in (1, 2):
                with self.subTest(more, ranks=ranks):
                    self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], ["scene.yaml:6", *expected], ranks)
        for region in ("", "region: solid, "):
            history = self.simulate(self.write("scene.yaml", base + f"    loads: {{push: {{{region}body_force: [1, 2, 0]}}}}\n"), out="good" + region[:3]).history
            self.assertAlmostEqual(history["brick.vx"][-1], 0.01, delta=1e-7)
            self.assertAlmostEqual(history["brick.vy"][-1], 0.02, delta=1e-7)

    def test_integrators_that_would_stop_a_spin(self):
        self.write("brick.msh", box_text((1, 1, 1), SIDES))
        linear = ("ere", "siere", "beere", "bdf2ere", "sbdf2ere", "str_sbdf2ere")
        for words in (*(f"step: 1e-3, integrator: {name}" for name in linear), "step: 1e-3, semi_implicit: true", "step: [{from: 0, step: 1e-3}, {from: 0.005, step: 1e-3, integrator: ere}]"):
            with self.subTest(words):
                path = self.write("scene.yaml", f"time: {{{words}, end: 0.01}}\nbodies:\n  brick: {{mesh: brick.msh, rigid: {{density: 1000}}}}\n")
                expected = ["scene.yaml:1: time.", "stops the spin of the rigid body 'brick'", "such as tr_sdirk2"]
                self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], expected, 1)

    def test_a_rigid_body_does_not_touch_itself(self):
        self.write("brick.msh", box_text((1, 1, 1), SIDES))
        path = self.write("scene.yaml", "time: {step: 1e-3, end: 0.01}\nbodies:\n  brick: {mesh: brick.msh, rigid: {density: 1000}}\n"
                          "contacts: {own: {vertices: brick, against: brick, thickness: 1e-3}}\n")
        self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], ["scene.yaml:4", "cannot touch itself"], 1)


if __name__ == "__main__":
    unittest.main()
