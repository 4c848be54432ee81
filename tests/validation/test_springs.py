"""Springs and dampers in whole runs: oscillators against closed forms, bodies joined, a body that hangs, on any number of ranks, and resumed."""

import csv
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import ShortRunTest, box_text, execute

MASS = 1000 * 0.1 * 0.1 * 0.2   # [kg]
BODY = "mesh: block.msh, solid: {solid: {youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}"
STIFFNESS, DAMPING, STRETCH = 800.0, 8.0, 0.05
OSCILLATOR = f"""\
time: {{step: 1e-3, end: 0.6}}
bodies: {{block: {{{BODY}, initial: {{translate: [-0.05, -0.05, -0.1]}}}}}}
springs: {{tether: {{from: block, anchor: [0, 0, 0.5], stiffness: {STIFFNESS}, damping: {DAMPING}, rest_length: {0.5 - STRETCH}}}}}
solver: {{tolerance: 1e-9}}
"""
JOINED = f"""\
time: {{step: 1e-3, end: 0.3}}
bodies:
  one: {{{BODY}}}
  two: {{{BODY}, scale: 2, initial: {{translate: [0.5, 0.02, 0.1], velocity: [0, 0.3, 0]}}}}
springs:
  link: {{from: one.top, to: two.bottom, stiffness: 3000, rest_length: 0.2}}
  damper: {{from: one, to: two, damping: 5}}
solver: {{tolerance: 1e-10}}
"""
HANGING = f"""\
time: {{step: 0.25, end: 1, inertia: false}}
gravity: [0, 0, -9.81]
bodies: {{block: {{{BODY}}}}}
springs: {{rope: {{from: block.top, anchor: [0.05, 0.05, 1.2], stiffness: 400, rest_length: 0.9}}}}
"""


class Springs(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((2, 2, 4), (0.1, 0.1, 0.2), faces={"top": lambda x: x[2] > 0.2 - 1e-9}))

    def test_oscillator(self):
        """A body that is held as a whole moves as one: the spring's field deforms nothing."""
        run = self.simulate(OSCILLATOR)
        history = run.history
        time, z = history["time"], history["block.z"]
        mass = run.report["total_mass"]
        self.assertAlmostEqual(mass, MASS, delta=1e-12)
        natural, ratio = math.sqrt(STIFFNESS / mass), DAMPING / (2 * math.sqrt(STIFFNESS * mass))
        damped = natural * math.sqrt(1 - ratio**2)
        # From rest at -STRETCH off its middle, where 0 is the start.
        expected = STRETCH * (1 - numpy.exp(-ratio * natural * time) * (numpy.cos(damped * time) + ratio * natural / damped * numpy.sin(damped * time)))
        self.assertLess(numpy.abs(z - expected).max(), 2e-4 * STRETCH)
        crossings = []
        for i in numpy.flatnonzero((z[:-1] < STRETCH) != (z[1:] < STRETCH)):
            crossings.append(time[i] + (STRETCH - z[i]) / (z[i + 1] - z[i]) * (time[i + 1] - time[i]))
        period = 2 * (crossings[-1] - crossings[0]) / (len(crossings) - 1)
        peaks = [numpy.abs(z[(time > a) & (time < b)] - STRETCH).max() for a, b in zip(crossings, crossings[1:])]
        decrement = 2 * math.log(peaks[0] / peaks[-1]) / (len(peaks) - 1)
        about = {"field": "waves and vibrations", "mesh": "2 × 2 × 4 cells", "step": "1 ms"}
        expect_closed_form(self, case="oscillator with a damper: period", source="2π/(ω₀ √(1−ζ²))", expected=2 * math.pi / damped, got=period, tolerance=1e-3, **about)
        expect_closed_form(self, case="oscillator with a damper: damping ratio", source="δ/√(4π²+δ²) with the logarithmic decrement δ", expected=ratio,
                           got=decrement / math.hypot(2 * math.pi, decrement), tolerance=5e-3, **about)
        # The force is that of stretch and rate; energy goes into the damper alone.
        numpy.testing.assert_allclose(history["tether.length"], 0.5 - z, rtol=1e-10)
        numpy.testing.assert_allclose(history["tether.force"], STIFFNESS * (STRETCH - z) - DAMPING * history["block.vz"], rtol=0, atol=1e-8)
        stored = STIFFNESS * STRETCH**2 / 2
        numpy.testing.assert_allclose(history["spring_energy"], STIFFNESS * (STRETCH - z)**2 / 2, rtol=0, atol=1e-10)
        balance = history["kinetic_energy"] + history["spring_energy"] + history["elastic_energy"] - history["work_damping"]
        numpy.testing.assert_allclose(balance, stored, rtol=0, atol=1e-3 * stored)
        self.assertLess(history["elastic_energy"].max(), 1e-9 * stored)

    def test_without_rest_length(self):
        """Then it is linear in all directions: an ellipse about the anchor, here a circle, through which nothing changes but the direction."""
        scene = OSCILLATOR.replace(f"rest_length: {0.5 - STRETCH}", "rest_length: 0").replace(f"damping: {DAMPING}", "damping: 0")
        speed = 0.5 * math.sqrt(STIFFNESS / MASS)
        history = self.simulate(scene.replace("translate:", f"velocity: [{speed}, 0, 0], translate:"), sets={"time.end": 0.2}).history
        numpy.testing.assert_allclose(history["tether.length"], 0.5, rtol=1e-4)
        angle = math.sqrt(STIFFNESS / MASS) * history["time"]
        numpy.testing.assert_allclose(history["block.x"], 0.5 * numpy.sin(angle), rtol=0, atol=1e-3)
        # Through the middle and beyond.
        straight = self.simulate(scene, sets={"time.end": 0.2}, out="straight").history
        numpy.testing.assert_allclose(straight["block.z"], 0.5 * (1 - numpy.cos(angle)), rtol=0, atol=1e-3)
        self.assertGreater(straight["block.z"].max(), 0.9)

    def test_damping_in_all_directions_is_warned_of(self):
        """Where the rest length is 0, the ends are apart and the spring has a damping; two such springs get one warning."""
        words = "rest_length of 0 its damping acts on the relative velocity"
        given = OSCILLATOR.replace(f"rest_length: {0.5 - STRETCH}", "rest_length: 0")
        for ranks in (1, 2):
            self.assertIn("scene.yaml:3: springs.tether: with a " + words, self.run_program("check", given, ranks=ranks).errors)
        self.assertIn("as that of the start, 0.5 m", self.run_program("check", given).errors)
        self.assertIn("0.5 m (and 1 more spring)", self.run_program("check", given.replace("springs: {", "springs: {other: {from: block, anchor: [0, 0, 1], damping: 1, rest_length: 0}, ")
                                                                    .replace("0, 0, 1]", "0, 0, 0.5]")).errors)
        for scene in (OSCILLATOR, given.replace(f"damping: {DAMPING}", "damping: 0"), given.replace("[0, 0, 0.5]", "[0, 0, 0]")):
            self.assertNotIn("in all directions", self.run_program("check", scene).errors)

    def test_two_bodies(self):
        """Two that only a spring joins, by their middles: the reduced mass's period, and their common centre stays."""
        scene = JOINED.replace("one.top", "one").replace("two.bottom", "two").replace("[0, 0.3, 0]", "[0, 0, 0]").replace("  damper: {from: one, to: two, damping: 5}\n", "")
        history = self.simulate(scene.replace("rest_length: 0.2", "rest_length: 0.55")).history
        masses = MASS, 8 * MASS
        reduced = masses[0] * masses[1] / sum(masses)
        start = history["link.length"][0]
        along = history["link.length"] - 0.55
        frequency = math.sqrt(3000 / reduced)
        first = along[0] / math.cos(frequency * history["time"][0])
        numpy.testing.assert_allclose(along, first * numpy.cos(frequency * history["time"]), rtol=0, atol=2e-3 * abs(first))
        self.assertGreater(abs(first), 0.02, start)
        for axis in "xyz":
            common = (masses[0] * history[f"one.{axis}"] + masses[1] * history[f"two.{axis}"]) / sum(masses)
            numpy.testing.assert_allclose(common, common[0], rtol=0, atol=1e-9)
        passing = int(numpy.argmax(along * along[0] < 0))
        got = history["time"][passing - 1] + along[passing - 1] / (along[passing - 1] - along[passing]) * (history["time"][passing] - history["time"][passing - 1])
        expect_closed_form(self, field="waves and vibrations", case="two bodies joined by a spring: quarter of a period", source="π/2 √(μ/k), μ the reduced mass", expected=math.pi / (2 * frequency), got=got,
                           tolerance=1e-3, mesh="2 × 2 × 4 cells", step="1 ms")

    def test_momentum_stays(self):
        history = self.simulate(JOINED).history
        for axis in "xyz":
            momentum = MASS * history[f"one.v{axis}"] + 8 * MASS * history[f"two.v{axis}"]
            numpy.testing.assert_allclose(momentum, 8 * MASS * 0.3 * (axis == "y"), rtol=0, atol=1e-7)
        spin = []
        for axis, (b, c) in enumerate(((1, 2), (2, 0), (0, 1))):
            total = 0
            for body, mass in (("one", MASS), ("two", 8 * MASS)):
                x, v = ([history[f"{body}.{kind}{k}"] for k in "xyz"] for kind in ("", "v"))
                total = total + history[f"{body}.l{'xyz'[axis]}"] + mass * (x[b] * v[c] - x[c] * v[b])
            spin.append(total - total[0])
        whole = 8 * MASS * 0.3 * 0.55   # about the first body's place
        self.assertLess(numpy.abs(spin).max(), 2e-3 * whole)
        self.assertGreater(numpy.ptp(history["one.wx"]), 0.5)   # the link does not pull at the middles, and turns what it pulls

    def test_hanging(self):
        last = self.simulate(HANGING).last_row()
        expect_closed_form(self, field="waves and vibrations", case="body that hangs from a spring: its length", source="l + m g/k", expected=0.9 + MASS * 9.81 / 400, got=last["rope.length"], tolerance=1e-6,
                           mesh="2 × 2 × 4 cells", step="without inertia")
        self.assertAlmostEqual(last["rope.force"], MASS * 9.81, delta=1e-5)

    def test_start_in_equilibrium(self):
        scene = HANGING.replace("step: 0.25, end: 1, inertia: false", "step: 0.01, end: 0.05").replace("block: {", "block: {initial: {equilibrium: true}, ")
        history = self.simulate(scene).history
        numpy.testing.assert_allclose(history["rope.length"], 0.9 + MASS * 9.81 / 400, rtol=1e-5)
        self.assertLess(numpy.abs(history["block.vz"]).max(), 1e-5)

    def test_stiff_springs_cost_no_iterations(self):
        """Preconditioners know the springs: those a hundred times stiffer than the bodies take hardly more iterations."""
        rows = {}
        for stiffness in (1, 1e8):
            history = self.simulate(JOINED.replace("3000, rest_length: 0.2", str(stiffness)).replace("tolerance: 1e-10", "tolerance: 1e-6"), sets={"time.end": 0.02}, out=f"k{stiffness:g}").history
            rows[stiffness] = history["linear_iterations"].sum()
        print(f"\n  linear iterations: {rows}")
        self.assertLess(rows[1e8], 3 * rows[1] + 20)

    def test_any_number_of_ranks_and_resumed(self):
        scene = JOINED.replace("end: 0.3", "end: 0.05")
        one = self.simulate(scene, out="one").history
        others = {f"on {ranks}": self.simulate(scene, out=f"on_{ranks}", ranks=ranks).history for ranks in (2, 4)}
        self.simulate(scene, out="resumed", sets={"time.end": 0.03})
        others["resumed"] = self.resume(out="resumed", ranks=2, sets={"time.end": 0.05}).history
        for name, other in others.items():
            self.assertEqual(list(one), list(other))
            for column in ("one.x", "one.z", "two.vy", "one.wx", "link.length", "link.force", "damper.force", "spring_energy", "work_damping"):
                scale = numpy.abs(one[column]).max()
                numpy.testing.assert_allclose(other[column], one[column], rtol=0, atol=1e-6 * scale, err_msg=f"{name}: {column}")

    def test_mistakes(self):
        for old, new, words in (("one.top", "one.tip", "has no region 'tip'"), ("one.top", "won.top", "there is no body 'won'"), ("stiffness: 3000, ", "", "neither stiffness nor damping"),
                                ("to: two.bottom", "to: one.top", "names the same region"), ("to: two.bottom", "to: two, anchor: [0, 0, 0]", "remove one of the two"),
                                ("stiffness: 3000", "stiffness: -1", "stiffness"), ("to: two.bottom, ", "", "is missing"),
                                ("to: two.bottom", "anchor: [0.05, 0.05, 0.2]", "its ends lie in one place")):
            for ranks in (1, 2):
                outcome = self.run_program("run", JOINED.replace(old, new, 1), out="refused", ranks=ranks)
                self.assertEqual(outcome.code, 2, outcome.errors)
                self.assertEqual(len(outcome.error_lines()), 1, outcome.errors)
                self.assertIn(words, outcome.errors)
                self.assertRegex(outcome.errors, r"scene\w*\.yaml:\d+: springs\.link")


class Modes(ShortRunTest):
    in_running_program = False

    def frequencies(self, scene, count, ranks):
        path, out = self.write("scene.yaml", scene), self.folder / f"modes{ranks}"
        code, _, errors = execute(["traction", "modes", path, "--count", str(count), "--out", out], ranks)
        self.assertEqual(code, 0, errors)
        with open(out / "modes.csv", newline="") as file:
            return [2 * math.pi * float(row["frequency"]) for row in csv.DictReader(file)]

    def test_a_stiff_body_on_a_soft_spring(self):
        """A free body that a spring holds by the middle has five motions without stiffness, and swings along the spring at sqrt(k/m)."""
        self.write("block.msh", box_text((2, 2, 4), (0.1, 0.1, 0.2)))
        scene = f"""\
time: {{step: 1e-3, end: 1}}
bodies: {{block: {{mesh: block.msh, solid: {{solid: {{youngs_modulus: 1e8, poisson_ratio: 0.3, density: 1000}}}}}}}}
springs: {{tether: {{from: block, anchor: [0.05, 0.05, 0.5], stiffness: {STIFFNESS}}}}}
"""
        for ranks in (1, 2):
            found = self.frequencies(scene, 7, ranks)
            self.assertLess(max(abs(value) for value in found[:5]), 0.02 * found[5])
            expect_closed_form(self, field="waves and vibrations", case=f"stiff block on a soft spring, {ranks} rank{'s' if ranks > 1 else ''}: ω of its slow mode", source="√(k/m)",
                               expected=math.sqrt(STIFFNESS / MASS), got=found[5], tolerance=1e-3, mesh="block, 2 × 2 × 4 cells", step="none")
            self.assertGreater(found[6], 1000)


if __name__ == "__main__":
    unittest.main()
