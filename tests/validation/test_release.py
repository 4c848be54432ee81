"""Regions that are released at a time: a thrown block, a pendulum that is let go, a block that falls onto the floor, on any number of ranks, and resumed."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from field_runs import lumped_inertia
from traction_runs import ShortRunTest, box_text

MATERIAL = "solid: {solid: {youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}"
SIZE = (0.4, 0.1, 0.1)
GRAVITY = 9.81
THROW = f"""\
time: {{step: 0.01, end: 0.2, integrator: INTEGRATOR}}
gravity: [0, 0, {-GRAVITY}]
bodies:
  block:
    mesh: block.msh
    {MATERIAL}
    driven: [{{vertices: solid, motion: {{velocity: [1, 0, 0.5]}}, until: 0.105}}]
solver: {{tolerance: 1e-11}}
"""
PENDULUM = f"""\
time: {{step: 2e-3, end: 0.5}}
gravity: [0, 0, {-GRAVITY}]
bodies:
  rod:
    mesh: block.msh
    {MATERIAL}
    fixed: [hinge, {{region: tip, until: 0.1}}]
solver: {{tolerance: 1e-8}}
"""
FALL = f"""\
time: {{step: 1e-3, end: 0.1}}
gravity: [0, 0, {-GRAVITY}]
bodies:
  block:
    mesh: block.msh
    {MATERIAL}
    initial: {{translate: [0, 0, 5e-3]}}
    fixed: {{region: bottom, until: 0.02}}
surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
contacts: {{landing: {{vertices: block.bottom, against: floor, thickness: 1e-3, damping: 1}}}}
"""


def complete_elliptic_integral(k):
    """K(k), by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while a - b > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


class SharedSegment(ShortRunTest):
    def test_a_segment_follows_the_group_that_holds_it_longest(self):
        """A rod that is moved as a whole does not bend, though one of two groups that hold its first segment lets go early."""
        angles = [0.25 * k for k in range(9)]
        self.write("rod.txt", "".join(f"{0.5 * math.cos(a):.17g} {0.5 * math.sin(a):.17g} {0.15 * a:.17g}\n" for a in angles))
        motion = [{"angular_velocity": [3, 1, 2], "about": [0.2, 0, 1], "ramp": 0.1}, {"velocity": [0, 1, 0]}]
        first = {"vertices": "first_segment", "motion": motion}
        for order in (1, -1):
            driven = [{**first, "until": 0.2}, {"vertices": "rod", "motion": motion}][::order]
            rod = {"rod": {"radius": 6e-3, "second_radius": 4e-3, "youngs_modulus": 1e7, "density": 1000}}
            scene = {"time": {"step": 0.02, "end": 0.4, "inertia": False}, "bodies": {"rod": {"mesh": "rod.txt", "rod": rod, "driven": driven}}}
            for ranks in (1, 2):
                self.assertLess(self.simulate(json.dumps(scene), ranks=ranks).history["bending_energy"].max(), 1e-6)


class Release(ShortRunTest):
    def setUp(self):
        super().setUp()
        on_edge = lambda x: x[0] == 0 and x[2] == 0   # noqa: E731
        at_tip = lambda x: x[0] == SIZE[0]   # noqa: E731
        self.write("block.msh", box_text((8, 2, 2), SIZE, points={"hinge": on_edge, "tip": at_tip}))

    def test_a_thrown_block_keeps_its_velocity(self):
        for integrator in ("tr_sdirk2", "backward_euler", "trapezoidal", "bdf2", "tr_bdf2", "sdirk2", "sdirk3", "generalized_alpha", "ere", "siere", "bdf2ere"):
            with self.subTest(integrator=integrator):
                history = self.simulate(THROW.replace("INTEGRATOR", integrator), out=integrator, sets={"time.modes": 0} if integrator in ("siere", "bdf2ere") else {}).history   # held whole, it has none
                time = history["time"]
                self.assertLess(numpy.abs(time - 0.105).min(), 1e-15)   # steps end there
                flight = numpy.maximum(time - 0.105, 0)
                numpy.testing.assert_allclose(history["block.vx"], 1, rtol=1e-8)
                numpy.testing.assert_allclose(history["block.vz"], 0.5 - GRAVITY * flight, rtol=0, atol=1e-7)
                held = time < 0.105 + 1e-9
                numpy.testing.assert_allclose(history["block.solid.fz"][held], 4 * GRAVITY, rtol=1e-6)
                self.assertEqual(numpy.abs(history["block.solid.fz"][~held]).max(), 0)
                if integrator in ("backward_euler", "siere", "bdf2", "bdf2ere"):
                    continue   # which take energy from a fall, or from its first step
                gained = history["kinetic_energy"] + history["gravity_energy"] - history["work_driven"]
                numpy.testing.assert_allclose(gained[flight > 0], gained[held][-1], rtol=0, atol=2e-6)

    def test_pendulum(self):
        """The rod turns about an edge, so that its middle begins above the horizontal through it."""
        run = self.simulate(PENDULUM, sets={"output.every": 1, "bodies.rod.solid.solid.youngs_modulus": 3e8})
        history, (mass, moment) = run.history, lumped_inertia(run.directory, 1000, (0, None, 0))
        x, z = history["rod.x"], history["rod.z"]
        held = history["time"] <= 0.1
        self.assertLess(numpy.abs(x[held] - SIZE[0] / 2).max(), 1e-4)
        self.assertGreater(history["rod.tip.fz"][held][-1], 0.3 * mass * GRAVITY)
        arm = math.hypot(SIZE[0] / 2, SIZE[2] / 2)
        start = math.pi / 2 + math.atan2(SIZE[2], SIZE[0])   # from hanging straight down
        quarter = complete_elliptic_integral(math.sin(start / 2)) * math.sqrt(moment / (mass * GRAVITY * arm))
        passing = int(numpy.argmax(x < 0))
        share = x[passing - 1] / (x[passing - 1] - x[passing])
        got = history["time"][passing - 1] + share * (history["time"][passing] - history["time"][passing - 1]) - 0.1
        about = {"field": "rigid motion", "mesh": "8 × 2 × 2 cells", "step": "2 ms"}
        expect_closed_form(self, case="pendulum that is let go: time to its lowest point", source="K(sin φ₀/2) √(I/(m g d))", expected=quarter, got=got, tolerance=2e-3, **about)
        speed = math.sqrt(2 * mass * GRAVITY * arm * (1 - math.cos(start)) / moment)
        expect_closed_form(self, case="pendulum that is let go: angular velocity there", source="energy", expected=speed, got=numpy.abs(history["rod.wy"]).max(), tolerance=2e-3, **about)
        self.assertAlmostEqual(z.min(), -arm, delta=2e-3 * arm)

    def test_what_is_released_touches(self):
        """The bottom is held above the floor, out of its reach, then falls onto it and stays."""
        history = self.simulate(FALL).history
        released = history["time"] > 0.02 + 1e-9
        self.assertEqual(history["landing.contacts"][~released].max(), 0)
        self.assertGreater(history["landing.contacts"].max(), 5)
        self.assertGreater(history["min_gap"].min(), 0)
        self.assertGreater(history["landing.fz"].max(), 4 * GRAVITY)

    def test_any_number_of_ranks_and_resumed(self):
        scene = PENDULUM.replace("1e-8", "1e-11").replace("end: 0.5", "end: 0.16, integrator: INTEGRATOR")
        for integrator in ("tr_sdirk2", "bdf2", "generalized_alpha", "siere"):
            with self.subTest(integrator=integrator):
                text = scene.replace("INTEGRATOR", integrator)
                one = self.simulate(text, out=f"one_{integrator}").history
                runs = {}
                for ranks in (2, 4) if integrator == "bdf2" else (2,):
                    runs[f"on {ranks}"] = self.simulate(text, out=f"on_{ranks}_{integrator}", ranks=ranks).history
                for end in (0.09, 0.1, 0.12):   # before, at and after the release
                    out = f"to_{end}_{integrator}"
                    self.simulate(text, out=out, sets={"time.end": end})
                    runs[f"resumed at {end}"] = self.resume(out=out, sets={"time.end": 0.16}).history
                for name, other in runs.items():
                    for column in ("rod.x", "rod.z", "rod.vx", "rod.vz", "rod.wy", "rod.tip.fz", "rod.hinge.fz"):
                        scale = numpy.abs(one[column]).max()
                        numpy.testing.assert_allclose(other[column], one[column], rtol=0, atol=1e-5 * scale, err_msg=f"{integrator}, {name}: {column}")

    def test_reproducible(self):
        """A run that is interrupted before, at or after the release has the same bits."""
        pieces = ", ".join(f"{{from: {start}, step: 2e-3}}" for start in (0, 0.09, 0.1, 0.12))   # so that steps are the same whatever the end
        scene = PENDULUM.replace("step: 2e-3, end: 0.5", f"step: [{pieces}], end: 0.13, integrator: bdf2").replace("1e-8", "1e-8, reproducible: true")
        self.simulate(scene, out="whole")
        whole = (self.folder / "whole" / "history.csv").read_bytes()
        for end in (0.09, 0.1, 0.12):
            self.simulate(scene, out=f"to_{end}", sets={"time.end": end})
            self.resume(out=f"to_{end}", sets={"time.end": 0.13})
            self.assertEqual((self.folder / f"to_{end}" / "history.csv").read_bytes(), whole, end)

    def test_mistakes_and_printing(self):
        driven = "driven: [{vertices: bottom, motion: {velocity: [0, 0, 1]}, until: 0.5}]\n    fixed: {region: hinge, components: x}"
        for old, new, words in (("until: 0.1", "until: -1", "until"), ("{region: tip, until: 0.1}", "{region: tip}", "nothing is held"),
                                ("fixed: [hinge, {region: tip, until: 0.1}]", driven, "give both the same 'until'")):
            outcome = self.run_program("run", PENDULUM.replace(old, new), out="refused")
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn(words, outcome.errors)
            self.assertRegex(outcome.errors, r"scene\w*\.yaml:\d+: bodies\.rod\.(fixed|driven)")
        first = self.run_program("check", PENDULUM)
        second = self.run_program("check", first.output)
        self.assertEqual(first.output, second.output)
        self.assertIn("until: 0.1", first.output)


if __name__ == "__main__":
    unittest.main()
