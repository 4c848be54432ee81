"""Contact adds no energy, however soft it is: falling bodies rise no higher than they fell, colliding bodies gain nothing, and the history accounts for all energy."""

import math
import unittest

import numpy

from closed_forms import expect_closed_form
from energy_account import WORKS, assert_accounted_for, energy
from traction_runs import ShortRunTest, box_text

FLOOR = """
surfaces:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
"""
# 0.54 J fall on a contact whose sixteen vertices store 1.6 mJ at zero gap.
DROP = FLOOR + """
time: {step: 5e-4, end: 0.5}
gravity: [0, 0, -9.81]
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [0, 0, 4.9e-3]}
contacts:
  landing: {vertices: block.bottom, against: floor, thickness: 1e-3, stiffness: 100}
solver: {tolerance: 1e-9}
"""
CUBE = FLOOR + """
time: {step: 2e-5, end: 2e-3}
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [0, 0, 3e-3], velocity: [0, 0, -44.7]}
contacts:
  landing: {vertices: block.bottom, against: floor, thickness: 1e-3}
solver: {tolerance: 1e-8}
"""
# On a slope of 1.05 times the angle at which it tips.
TIPPING = FLOOR + """
time: {step: STEP, end: 2}
gravity: [2.4907, 0, -9.4885]
bodies:
  block:
    mesh: tall.msh
    initial: {translate: [0, 0, 9.9e-4]}
    solid: {solid: {youngs_modulus: MODULUS, poisson_ratio: 0.3, density: 1000}}
    damping: {stiffness: 1e-3}
contacts:
  landing: {vertices: block, against: floor, thickness: 1e-3, friction: {dynamic: 1}}
"""
# Corner to corner, each the other's mirror image.
COLLISION = """
time: {step: 1e-4, end: 0.02}
bodies:
  left:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [0, 0, -0.103], velocity: [0.1, 0, 1]}
  right:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [0.02, 0.01, 0], velocity: [0, 0, -1]}
contacts:
  hit: {both: [left.surface, right.surface], geometry: smooth_surface, thickness: 2e-3}
solver: {tolerance: 1e-9}
"""
SLIDE = FLOOR + """
time: {step: 1e-3, end: 0.1}
gravity: [0, 0, -9.81]
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e7, poisson_ratio: 0, density: 1000}}
    damping: {mass: 0, stiffness: 1e-3}
    initial: {translate: [0, 0, 6.803e-4], velocity: [1, 0, 0]}   # where its weight is balanced
contacts:
  slide: {vertices: block.bottom, against: floor, thickness: 1e-3, stiffness: 2e3, damping: 10, friction: {dynamic: 0.3, tolerance: 1e-3}}
solver: {tolerance: 1e-10}
"""
# A plate that comes down on a block, at a speed that begins and ends at once.
PRESS = """
time: {step: 1e-3, end: 0.12}
surfaces:
  plate: {SHAPE, motion: {velocity: [0, 0, -0.1], start: 0.01, stop: STOP}}
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e5, poisson_ratio: 0, density: 100}}
    fixed: {region: bottom, components: [z]}
    damping: {stiffness: 2e-3}
contacts:
  press: {vertices: block.surface, against: plate, thickness: 1e-3, stiffness: 2e3}
solver: {tolerance: 1e-9}
"""
PLATES = {"plane": "plane: {point: [0, 0, 0.101], normal: [0, 0, -1]}", "box": "box: {lower: [-0.1, -0.1, 0.101], upper: [0.2, 0.2, 0.2]}"}
# A conveyor that begins to move under a box, and takes it along.
BELT = """
time: {step: 1e-3, end: 0.4}
gravity: [0, 0, -9.81]
bodies:
  box: {mesh: flat.msh, rigid: {density: 1000}, initial: {equilibrium: true, translate: [0, 0, 5e-4]}}
surfaces:
  belt: {plane: {}, motion: {velocity: [1, 0, 0], start: 0.02, ramp: 0.3}}
contacts:
  carry: {vertices: box.bottom, against: belt, thickness: 1e-3, friction: {dynamic: 0.5}}
"""
# A block that slides without friction from one box onto another of the same height. The contacts differ in thickness, and so the boxes have a seam.
SEAM = """
time: {step: 1e-3, end: 0.42}
gravity: [0, 0, -9.81]
bodies:
  block:
    mesh: tile.msh
    solid: {solid: {youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}
    damping: {stiffness: 1e-4}
    initial: {velocity: [0.6, 0, 0], translate: [-0.1, -0.037, 8e-4], equilibrium: true}
surfaces:
  one: {box: {lower: [-0.4, -0.3, -0.1], upper: [0.2, 0.3, 0]}}
  other: {box: {lower: [0.2, -0.3, -0.1], upper: [0.8, 0.3, 0]}}
contacts:
  first: {vertices: block.surface, against: one, thickness: 1e-3}
  second: {vertices: block.surface, against: other, thickness: 1.001e-3}
"""
# A stiff cube without weight that flies onto a mesh. Its gap at the start is the contact's thickness and a little more than one step's way: in the second step a
# stage of the integrator ends in contact, but the step itself does not.
HOP = """
time: {step: STEP, end: END}
surfaces:
  floor: {mesh: {file: floor.obj}}
bodies:
  cube:
    mesh: cube.msh
    solid: {solid: {youngs_modulus: MODULUS, poisson_ratio: 0.3, density: 7800}}
    initial: {translate: [0, 0, GAP], velocity: [0, 0, -SPEED]}
contacts:
  landing: {vertices: cube.surface, against: floor, thickness: THICKNESS}
"""
HOPS = {"fast": {"SPEED": 3.1, "MODULUS": 1e13, "STEP": 1e-3, "THICKNESS": 1e-2},
        "slow": {"SPEED": 9.4e-4, "MODULUS": 2e11, "STEP": 1 / 300, "THICKNESS": 1e-5},
        "tiny": {"SPEED": 3.1e-3, "MODULUS": 1e7, "STEP": 1e-5, "THICKNESS": 1e-7}}
# A block whose spin the steps do not resolve, so that it loses energy.
SPINNER = "{mesh: block.msh, solid: {solid: {youngs_modulus: 3e7, poisson_ratio: 0.3, density: 1000}}, initial: {translate: [5, 0, 2], angular_velocity: [0, 0, 500]}}"


class ContactEnergy(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((3, 3, 3), (0.1, 0.1, 0.1)))

    def gain(self, history):
        """The largest rise of the energy above where it began, in parts of the largest kinetic energy."""
        total = energy(history)
        gain = float(numpy.max(total - total[0]) / numpy.max(history["kinetic_energy"]))
        print(f"\n  {self.id().rsplit('.', 1)[-1]}: energy rises by {gain:.2e} of the kinetic, {history['repeats'].sum():.0f} repeats", flush=True)
        return gain

    def expect_no_gain(self, case, history, tolerance, mesh, step):
        expect_closed_form(self, field="energy", case=f"{case}: energy gained, in parts of the largest kinetic energy", source="none", expected=0, got=self.gain(history), scale=1, tolerance=tolerance,
                           mesh=mesh, step=step)

    def test_what_falls_on_soft_contact_rises_no_higher(self):
        for integrator in ("sdirk2", "trapezoidal", "tr_bdf2"):
            with self.subTest(integrator):
                history = self.simulate(DROP, sets={"time.integrator": integrator}, out=integrator).history
                self.assertGreater(numpy.count_nonzero(numpy.diff((history["contacts"] > 0).astype(int)) == 1), 1)   # bounces
                self.assertGreater(history["repeats"].sum(), 0)
                self.assertLess(history["block.z"].max(), 0.05 + 4.9e-3 + 2e-5)
                self.expect_no_gain(f"block that falls on soft contact, {integrator}", history, 1e-3, "3 × 3 × 3 cells", "0.5 ms")
                self.assertEqual(history["stiffening_energy"].max(), 0)
                assert_accounted_for(self, history)

    def test_the_multiplied_stiffness_adds_energy_and_a_warning(self):
        outcome = self.simulate(DROP, sets={"contacts.landing.stiffening": "multiply"})
        self.assertGreater(outcome.history["block.z"].max(), 0.05 + 4.9e-3 + 1e-3)
        self.assertGreater(outcome.history["stiffening_energy"].sum(), 0.1)
        self.assertEqual(outcome.errors.count("numerical errors have added"), 1, outcome.errors)
        self.assertIn("'landing'", outcome.errors)

    def test_gains_that_no_motion_shows_are_not_told(self):
        """Microjoules, or less, beside the little that has moved when a belt starts, and beside the little that contact moves where nothing but the support changes."""
        self.write("flat.msh", box_text((4, 4, 2), (0.2, 0.2, 0.1)))
        self.write("tile.msh", box_text((2, 2, 1), (0.1, 0.1, 0.05)))
        for name, scene in (("belt", BELT), ("seam", SEAM)):
            with self.subTest(name):
                outcome = self.simulate(scene, out=name)
                gained, moved = outcome.history["energy_numerical"].max(), outcome.history["kinetic_energy"].max()
                self.assertGreater(gained, 1e-7)
                self.assertLess(gained, 1e-4 * moved)
                self.assertNotIn("numerical errors have added", outcome.errors)

    def test_what_the_integrator_takes_is_told(self):
        """Once, at the end; with another integrator where there is one that takes less."""
        for integrator, step, words in (("tr_sdirk2", 2e-3, "take shorter steps\n"), ("backward_euler", 2e-3, "such as tr_sdirk2"), ("sdirk2", 2e-3, "such as tr_sdirk2"),
                                        ("trapezoidal", 2e-3, None), ("tr_sdirk2", 1e-4, None)):
            with self.subTest(integrator, step=step):
                outcome = self.simulate(DROP.replace(", stiffness: 100", ""), sets={"time.integrator": integrator, "time.step": step, "time.end": 0.2})
                lost, moved = -outcome.history["energy_numerical"][-1], outcome.history["kinetic_energy"].max()
                self.assertEqual(lost > moved / 3, words is not None)
                self.assertEqual(outcome.errors.count("the integrator has taken"), 1 if words else 0)
                self.assertIn(words or "", outcome.errors)

    def test_the_remedy_for_gains_depends_on_the_integrator(self):
        for integrator, words in (("tr_sdirk2", "such as sdirk2\n"), ("sdirk2", "such as backward_euler\n"), ("backward_euler", "a greater thickness of the contact\n")):
            with self.subTest(integrator):
                outcome = self.simulate(DROP, sets={"contacts.landing.stiffening": "multiply", "time.integrator": integrator, "contacts.landing.stiffness": 5})
                self.assertIn("numerical errors have added", outcome.errors)
                self.assertIn(words, outcome.errors)

    def test_a_fast_cube_gains_nothing(self):
        for integrator in ("sdirk2", "tr_bdf2"):
            with self.subTest(integrator):
                history = self.simulate(CUBE, sets={"time.integrator": integrator}, out=integrator).history
                self.expect_no_gain(f"cube at 45 m/s, {integrator}", history, 1e-3, "3 × 3 × 3 cells", "0.02 ms")
                self.assertGreater(history["block.vz"][-1], 5)

    def test_a_landing_that_steps_do_not_resolve_gains_nothing(self):
        """A stiff block falls 9 mm, in steps several times as long as its contact lasts."""
        for integrator in ("tr_sdirk2", "tr_bdf2"):
            with self.subTest(integrator):
                history = self.simulate(DROP.replace(", stiffness: 100", ""), out=integrator,
                                        sets={"time.integrator": integrator, "time.step": 5e-3, "bodies.block.solid.solid.youngs_modulus": 1e7,
                                              "bodies.block.initial.translate": "[0, 0, 1e-2]"}).history
                self.assertGreater(history["contacts"].max(), 0)
                self.assertLess(history["block.z"].max(), 0.05 + 1e-2 + 1e-4)
                self.expect_no_gain(f"stiff block whose landing steps do not resolve, {integrator}", history, 1e-2, "3 × 3 × 3 cells", "5 ms")

    def test_a_landing_is_the_same_in_a_frame_that_moves(self):
        """Without friction a block that is thrown sideways falls and rises as one that is not, and takes the same steps."""
        sets = {"time.integrator": "tr_sdirk2", "time.step": 5e-3, "time.end": 0.2, "bodies.block.solid.solid.youngs_modulus": 1e7, "bodies.block.initial.translate": "[0, 0, 1e-2]"}
        scene = DROP.replace(", stiffness: 100", "")
        still = self.simulate(scene, sets=sets, out="still").history
        self.assertGreater(len(still["time"]), 40)   # some are halved
        other = "{mesh: block.msh, solid: {solid: {youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1e5}}, initial: {translate: [0, 0, 10], velocity: [100, 0, 0]}}"
        for name, change in (("thrown", {"bodies.block.initial.velocity": "[100, 0, 0]"}), ("in company", {"bodies.other": other})):
            with self.subTest(name):
                moving = self.simulate(scene, sets={**sets, **change}, out=name).history
                self.assertEqual(len(still["time"]), len(moving["time"]))
                self.assertLess(numpy.abs(still["block.z"] - moving["block.z"]).max(), 1e-5)

    def hop(self, name, beyond, sets=None):
        """A cube of 0.1 m, or 1 um, that lacks `beyond` of a step's way when it has come down for one step; the speed at which it leaves in parts of that before."""
        numbers = HOPS[name]
        size = 1e-6 if name == "tiny" else 0.1
        self.write("cube.msh", box_text((1, 1, 1), (size,) * 3))
        self.write("floor.obj", "".join(f"v {x} {y} 0\n" for x, y in ((-2, -2), (2, -2), (2, 2), (-2, 2))) + "f 1 2 3\nf 1 3 4\n")
        numbers = {**numbers, "END": 10 * numbers["STEP"], "GAP": numbers["THICKNESS"] + (1 + beyond) * numbers["SPEED"] * numbers["STEP"]}
        scene = HOP
        for word, number in numbers.items():
            scene = scene.replace(word, repr(number))
        outcome = self.simulate(scene, sets=sets, out=f"{name}{beyond}")
        speed = outcome.history["cube.vz"].max() / numbers["SPEED"]
        print(f"\n  {name}, {beyond} of a step: leaves at {speed:.4f} of its speed, {outcome.history['repeats'].sum():.0f} repeats", flush=True)
        return speed, outcome

    def test_what_touches_within_a_step_leaves_no_faster_than_it_came(self):
        """At any speed and size."""
        for name in HOPS:
            for beyond in (0.02, 0.04, 0.06):
                with self.subTest(name, beyond=beyond):
                    speed, outcome = self.hop(name, beyond)
                    self.assertGreater(speed, 0.3)
                    expect_closed_form(self, field="energy", case=f"{name} cube that touches within a step, {beyond} of a step before: speed gained, in parts of the speed of approach",
                                       source="no more than it came with", expected=0, got=max(0, speed - 1), scale=1, tolerance=0.01, mesh="1 cell", step=f"{1e3 * HOPS[name]['STEP']:.3g} ms")
                    self.assertGreater(outcome.history["repeats"].sum(), 0)
                    self.assertNotIn("numerical errors have added", outcome.errors)

    def test_what_is_lost_elsewhere_hides_no_gain(self):
        speed, outcome = self.hop("fast", 0.04, sets={"bodies.spinner": SPINNER})
        self.assertGreater(speed, 0.5)
        self.assertLess(speed, 1.01)
        self.assertLess(outcome.history["energy_numerical"][-1], -10)   # what the spinner loses

    def test_a_gain_that_cannot_be_halved_is_told_and_names_the_contact(self):
        for name in HOPS:
            for company in ({}, {"bodies.spinner": SPINNER}) if name == "fast" else ({},):
                with self.subTest(name, company=bool(company)):
                    speed, outcome = self.hop(name, 0.04, sets={"time.maximum_halvings": 0, **company})
                    self.assertGreater(speed, 1.15)
                    self.assertEqual(outcome.errors.count("numerical errors have added"), 1, outcome.errors)
                    self.assertIn("while contact 'landing' touched", outcome.errors)

    def test_what_collides_gains_nothing(self):
        for integrator in ("sdirk2", "trapezoidal"):
            with self.subTest(integrator):
                history = self.simulate(COLLISION, sets={"time.integrator": integrator}, out=integrator).history
                self.assertGreater(history["right.vz"][-1], 0)
                self.expect_no_gain(f"blocks that collide corner to corner, {integrator}", history, 1e-3, "3 × 3 × 3 cells", "0.1 ms")

    def test_layers_are_resumed_to_the_last_bit(self):
        sets = {"time.end": 0.1, "solver.reproducible": "true", "output.checkpoint_every.steps": 1, "output.keep_checkpoints": 1000}
        whole = self.simulate(DROP, sets=sets, ranks=2)
        history = whole.directory / "history.csv"
        rows = history.read_bytes()
        # Where the stiffness is that of layers.
        step = int(whole.history["step"][numpy.argmax(whole.history["kappa"])])
        self.assertGreater(whole.history["kappa"].max(), 200)
        for checkpoint in (whole.directory / "checkpoints").glob("step_*.h5"):
            if int(checkpoint.stem.split("_")[1]) > step:
                checkpoint.unlink()
        resumed = self.resume(ranks=2)
        self.assertEqual(history.read_bytes(), rows)
        self.assertEqual(resumed.report["energy_balance"], whole.report["energy_balance"])

    def test_any_number_of_ranks_keeps_the_same_account(self):
        histories = [self.simulate(DROP, sets={"time.end": 0.08}, ranks=ranks, out=f"out{ranks}").history for ranks in (1, 2, 4)]
        for history in histories[1:]:
            for name in ("energy_numerical", "kinetic_energy", "contact_energy", *WORKS):
                difference = numpy.max(numpy.abs(history[name] - histories[0][name]))
                self.assertLess(difference, 1e-6 * numpy.max(histories[0]["kinetic_energy"]), name)

    def test_friction_takes_its_force_times_the_way(self):
        history = self.simulate(SLIDE, sets={"time.integrator": "trapezoidal"}).history
        steady = history["time"] > 0.02
        way = numpy.diff(history["block.x"][steady])
        force = -(history["slide.fx"][steady][1:] + history["slide.fx"][steady][:-1]) / 2
        taken = -numpy.diff(history["work_friction"][steady])
        numpy.testing.assert_allclose(taken, force * way, rtol=2e-2)   # the bottom is not as fast as the centre
        # mu N s in sum: N is the weight, but for what is left of the landing.
        self.assertAlmostEqual(taken.sum(), 0.3 * 9.81 * way.sum(), delta=0.01 * taken.sum())
        assert_accounted_for(self, history)

    def test_a_block_that_tips_over_gains_nothing_when_its_side_strikes(self):
        """One edge stays on the floor while the side next to it comes down within one step."""
        self.write("tall.msh", box_text((1, 2, 4), (0.05, 0.1, 0.2)))
        for modulus, step, rests in ((1e7, 0.02, True), (1e8, 0.01, True), (1e8, 0.0099, False), (1e9, 0.005, True)):
            with self.subTest(modulus=modulus, step=step):
                history = self.simulate(TIPPING.replace("STEP", str(step)).replace("MODULUS", str(modulus)), out=f"tipping_{modulus}_{step}").history
                gains = numpy.diff(history["energy_numerical"])
                fallen = history["gravity_energy"][0] - history["gravity_energy"].min()
                self.assertLess(history["energy_numerical"].max(), 0.01 * fallen)
                # A bounce that two steps resolve loses in the first, and returns less in the second.
                self.assertLess(gains.max(), 0.06 * fallen)
                self.assertLess(history["block.z"].max(), 0.105)
                if rests:   # otherwise it is still tumbling
                    self.assertAlmostEqual(history["block.z"][-1], 0.026, delta=5e-4)

    def test_a_plate_that_stops_at_once_has_done_its_force_times_its_way(self):
        def scene(shape, stop):
            return PRESS.replace("SHAPE", shape).replace("STOP", str(stop))

        def force_times_way(history, stop):
            way = -0.1 * (numpy.clip(history["time"], 0.01, stop) - 0.01)
            force = history["press.fz"]
            return numpy.sum((force[1:] + force[:-1]) / 2 * numpy.diff(way))

        for name, shape in PLATES.items():
            resolved = {stop: force_times_way(self.simulate(scene(shape, stop), sets={"time.step": 2e-4}, out=f"{name}{stop}").history, stop) for stop in (0.06, 0.0603)}
            for integrator in ("tr_sdirk2", "sdirk2", "backward_euler"):
                for step, stop in ((5e-3, 0.06), (1e-3, 0.06), (1e-3, 0.0603)):   # where a step ends, and within one
                    with self.subTest(name, integrator=integrator, step=step, stop=stop):
                        outcome = self.simulate(scene(shape, stop), sets={"time.integrator": integrator, "time.step": step}, out=f"{name}{integrator}{step}{stop}")
                        history = outcome.history
                        # Backward Euler is too inaccurate to meet the resolved work, but its account is that of its own force.
                        expected = force_times_way(history, stop) if integrator == "backward_euler" else resolved[stop]
                        self.assertGreater(expected, 0.05)
                        self.assertAlmostEqual(history["work_driven"][-1] / expected, 1, delta=1e-3)
                        self.assertLess(history["energy_numerical"].max(), 1e-2 * expected)
                        self.assertNotIn("numerical errors have added", outcome.errors)
                        assert_accounted_for(self, history)

    def test_a_plate_among_others_does_its_own_work(self):
        """With all surfaces in one contact, a box that stands still, and one that goes elsewhere."""
        aside = "box: {lower: [%g, 0, 0], upper: [%g, 0.1, 0.1]}"
        others = f"surfaces:\n  still: {{{aside % (0.5, 0.6)}}}\n  away: {{{aside % (1, 1.1)}, motion: {{velocity: [0, 3, 0]}}}}"
        scene = PRESS.replace("SHAPE", PLATES["box"]).replace("STOP", "0.06").replace("surfaces:", others).replace("vertices: block.surface, against: plate", "all: true")
        for ranks in (1, 2):
            history = self.simulate(scene, out=f"out{ranks}", ranks=ranks).history
            way = -0.1 * (numpy.clip(history["time"], 0.01, 0.06) - 0.01)
            force = history["press.fz"]
            expected = numpy.sum((force[1:] + force[:-1]) / 2 * numpy.diff(way))
            self.assertGreater(expected, 0.05)
            self.assertAlmostEqual(history["work_driven"][-1] / expected, 1, delta=1e-3)

    def test_the_work_of_a_plate_is_resumed_to_the_last_bit(self):
        scene = PRESS.replace("SHAPE", PLATES["plane"]).replace("STOP", "0.06, angular_velocity: [0.2, 0, 0]")
        whole = self.simulate(scene, sets={"solver.reproducible": "true", "output.checkpoint_every.steps": 40, "output.keep_checkpoints": 10})
        self.assertGreater(abs(whole.history["press.fz"][40]), 1)   # it presses where the run continues
        rows = (whole.directory / "history.csv").read_bytes()
        for checkpoint in sorted((whole.directory / "checkpoints").glob("step_*.h5"))[1:]:
            checkpoint.unlink()
        resumed = self.resume()
        self.assertEqual((whole.directory / "history.csv").read_bytes(), rows)
        self.assertEqual(resumed.report["energy_balance"], whole.report["energy_balance"])

    def test_damped_contact_brings_a_block_to_rest(self):
        sets = {"contacts.landing.stiffness": 3e4, "time.integrator": "trapezoidal", "time.end": 0.5}
        bouncing = self.simulate(DROP, sets=sets, out="undamped").history
        damped = self.simulate(DROP, sets={**sets, "contacts.landing.damping": 20}, out="damped").history
        self.assertGreater(numpy.ptp(bouncing["block.z"][bouncing["time"] > 0.4]), 1e-3)
        self.assertLess(numpy.ptp(damped["block.z"][damped["time"] > 0.4]), 1e-4)
        self.assertGreaterEqual(damped["landing.fz"].min(), 0)
        self.assertTrue(numpy.all(numpy.diff(damped["work_contact_damping"]) <= 0))
        assert_accounted_for(self, damped)
        lost = energy(damped)[0] - energy(damped)[-1]
        self.assertAlmostEqual(-damped["work_contact_damping"][-1], lost, delta=0.1 * lost)

    def test_a_start_in_compressed_contact_is_warned_of(self):
        compressed = self.simulate(DROP, sets={"bodies.block.initial.translate": "[0, 0, 2e-4]", "contacts.landing.stiffness": 1e5, "time.end": 0.005})
        self.assertIn("starts compressed", compressed.errors)
        self.assertIn("move them apart by 0.0008 m", compressed.errors)
        self.assertNotIn("starts compressed", self.simulate(DROP, sets={"time.end": 0.005}, out="free").errors)
        # In contact under its own weight of 9.81 N.
        gap = 1e-3 * (1 - math.sqrt(9.81 / (16 * 3 * 1e4 * 1e-3)))
        resting = self.simulate(DROP, out="resting", sets={"bodies.block.initial.translate": f"[0, 0, {gap}]", "contacts.landing.stiffness": 1e4, "time.end": 0.005})
        self.assertNotIn("starts compressed", resting.errors)

    def test_either_force_or_energy_makes_a_start_violent(self):
        """The block of 1 kg begins with 16 vertices in the layer: b = k (1 - d/t)^3 t^2 each, with a force of 3 b/(t - d)."""
        def warns(gap, thickness, stiffness, speed, **more):
            sets = {"bodies.block.initial.translate": f"[0, 0, {gap}]", "bodies.block.initial.velocity": f"[{speed}, 0, 0]", "contacts.landing.stiffness": stiffness,
                    "contacts.landing.thickness": thickness, **more}
            return "starts compressed" in self.run_program("check", DROP, sets=sets).errors

        # 313 times the weight, and 0.82 J; sideways at 15 m/s that is 0.7 % of the energy of motion, at 200 m/s 0.004 %.
        self.assertTrue(warns(2e-4, 1e-3, 1e5, 15))
        self.assertFalse(warns(2e-4, 1e-3, 1e5, 200))
        # 6 times the weight through a layer of 5 cm: 0.98 J lift the block by twice the thickness. At rest in the layer they would lift it by a third.
        self.assertTrue(warns(0, 0.05, 6 * 9.81 / (16 * 3 * 0.05), 0))
        self.assertFalse(warns(0, 0.05, 1 * 9.81 / (16 * 3 * 0.05), 0))
        # Where all of the bodies have found their equilibrium nothing is thrown.
        self.assertFalse(warns(2e-4, 1e-3, 1e5, 0, **{"bodies.block.initial.equilibrium": "true"}))

    def test_a_violent_start_in_millimetres(self):
        """A grain of 8 mg begins half-way in a layer of 20 um on a fixed plate of 0.5 kg: the layer stores p A t/24 = 33 nJ, enough for 9 cm/s."""
        self.write("grain.msh", box_text((1, 1, 1), (2e-3,) * 3))
        self.write("plate.msh", box_text((4, 4, 1), (0.1, 0.1, 0.05)))
        layer = 2e-5

        def warns(gravity, modulus, depth, end=0.01, plate=True):
            solid = f"solid: {{solid: {{youngs_modulus: {modulus}, poisson_ratio: 0.3, density: 1000}}}}"
            held = f"  plate: {{mesh: plate.msh, {solid}, fixed: solid, initial: {{translate: [0, 0, -1]}}}}\n" if plate else ""
            grain = f"  grain: {{mesh: grain.msh, {solid}, initial: {{translate: [0, 0, {layer - depth}]}}}}\n"
            contact = f"contacts: {{landing: {{vertices: grain.bottom, against: floor, thickness: {layer}}}}}\n"
            scene = FLOOR + f"time: {{step: 1e-4, end: {end}}}\ngravity: [0, 0, {-gravity}]\nbodies:\n{held}{grain}{contact}"
            return "starts compressed" in self.run_program("check", scene).errors

        self.assertTrue(warns(9.81, 1e5, layer / 2))
        # Where nothing falls, what counts is how far the grain goes: 0.9 mm/s, for 10 ms and for 0.1 ms.
        self.assertTrue(warns(0, 10, layer / 2, plate=False))
        self.assertFalse(warns(0, 10, layer / 2, end=1e-4, plate=False))
        # Three times its weight, and less than half of the energy that lifts it by the layer: no throw.
        self.assertFalse(warns(9.81, 2.4e3, layer / 2))


if __name__ == "__main__":
    unittest.main()
