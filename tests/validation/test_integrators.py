"""The integrators of P1 as users meet them: scenes, traction damping, traction modes, resumed runs."""

import csv
import math
import pathlib
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import box
from traction_runs import BLOCK_SCENE, JOBS, BlockTest, RefusalTest, ShortRunTest, box_text, execute, line_of

ADDITIVE = ("siere", "beere", "bdf2ere", "sbdf2ere", "str_sbdf2ere")
MOTION = ["time", *(f"block.{name}" for name in ("x", "y", "z", "vx", "vy", "vz"))]


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Damping(BlockTest):
    def test_curves(self):
        for ranks in (1, 2):
            out = self.folder / f"ranks_{ranks}"
            code, _, errors = execute(["traction", "damping", "--out", out], ranks)
            self.assertEqual(code, 0, errors)
            table = rows(out / "damping.csv")
            self.assertEqual(list(table[0]), ["integrator", "omega_h", "d_over_omega"])
            curves = {}
            for row in table:
                curves.setdefault(row["integrator"], {})[float(row["omega_h"])] = float(row["d_over_omega"])
            expect_closed_form(self, field="waves and vibrations", case="backward Euler on a vertex on a spring: damping at ω h = 1", source="ln(1 + (ω h)²)/(ω h)", expected=math.log(2),
                               got=curves["backward_euler"][1], tolerance=1e-6, mesh="1 vertex", step=f"ω h = 1, {ranks} ranks")
            for x in (0.1, 0.5, 1, 2, 5, 10, 50):
                self.assertAlmostEqual(curves["backward_euler"][x], math.log(1 + x * x) / x, delta=1e-6)
                for name in ("trapezoidal", "ere", "siere_low_modes", "generalized_alpha_1"):
                    self.assertAlmostEqual(curves[name][x], 0, delta=1e-6, msg=name)
                self.assertAlmostEqual(curves["siere_high_modes"][x], curves["backward_euler"][x], delta=1e-6)
            self.assertTrue((out / "damping.png").is_file())
            self.assertEqual(len({len(curve) for curve in curves.values()}), 1)


class Modes(BlockTest):
    def test_files(self):
        tables = {}
        for ranks in (1, 2, 4):
            out = self.folder / f"ranks_{ranks}"
            code, _, errors = execute(["traction", "modes", self.scene, "--count", "8", "--out", out], ranks)
            self.assertEqual(code, 0, errors)
            tables[ranks] = [(float(row["eigenvalue"]), float(row["frequency"])) for row in rows(out / "modes.csv")]
            self.assertEqual(len(tables[ranks]), 8)
            self.assertEqual(len(list(out.glob("fields_0*.hdf"))), 8)
            self.assertTrue((out / "modes.png").is_file())
        for value, frequency in tables[1][:6]:   # the block flies freely
            self.assertLess(abs(value), 1e-8 * tables[1][6][0])
        value, frequency = tables[1][6]
        self.assertAlmostEqual(frequency, math.sqrt(value) / 2 / math.pi, delta=1e-9 * frequency)
        for ranks in (2, 4):
            numpy.testing.assert_allclose([v for v, _ in tables[ranks][6:]], [v for v, _ in tables[1][6:]], rtol=1e-9)


class SoftBeam(ShortRunTest):
    """P1 Fig. 6 for a second: energy of the swing that is left, of 0.237 J."""

    def left(self, integrator, **sets):
        outcome = self.simulate(JOBS / "soft_beam" / "scene.yaml", sets={"time.integrator": integrator, "time.end": 1, "output": "{log_every: 100}", **sets}, out=integrator)
        row = outcome.last_row()
        return (row["kinetic_energy"] + row["elastic_energy"] + row["gravity_energy"] - 0.36146) / 0.23729

    def test_order_of_dissipation(self):
        left = {name: self.left(name) for name in ("backward_euler", "siere", "str_sbdf2ere", "tr_bdf2", "tr_sdirk2")}
        self.assertLess(left["backward_euler"], 0.02)
        self.assertTrue(0.5 < left["siere"] < 0.85, left)
        self.assertTrue(left["siere"] + 0.15 < left["str_sbdf2ere"] < left["tr_bdf2"] < 1, left)
        self.assertTrue(0.95 < left["tr_sdirk2"] < 1, left)

    def test_modes_on_any_ranks(self):
        """MUMPS' own estimate of its room is too low for this beam on four ranks."""
        values = {}
        for ranks in (1, 2, 4):
            code, _, errors = execute(["traction", "modes", JOBS / "soft_beam" / "scene.yaml", "--count", 10, "--out", self.folder / f"modes_{ranks}"], ranks)
            self.assertEqual(code, 0, errors)
            values[ranks] = [float(row["eigenvalue"]) for row in rows(self.folder / f"modes_{ranks}" / "modes.csv")]
            numpy.testing.assert_allclose(values[ranks], values[1], rtol=1e-8)

    def test_modes_that_are_kept_feed_energy(self):
        self.assertGreater(self.left("siere", **{"time.refresh_modes": 5, "time.end": 0.5, "time.step": 0.01}), 1.01)


class SpinningModes(ShortRunTest):
    """Modes turn with a free body. With those of another state, additive schemes gain energy: the run ends when that is half of all there is, and its remedy helps."""

    SCENE = """\
time: {step: 1e-3, end: 0.06, integrator: siere}
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {velocity: [0, 0, -2], angular_velocity: [0, 0, 50]}
surfaces: {floor: {plane: {point: [0, 0, -0.02], normal: [0, 0, 1]}}}
contacts: {land: {vertices: block.surface, against: floor, thickness: 1e-3, friction: {dynamic: 0.3, tolerance: 1e-3}}}
"""
    HELD = SCENE[:SCENE.index("surfaces:")].replace("velocity: [0, 0, -2], ", "").replace("initial:", "fixed: axis\n    initial:")

    def setUp(self):
        super().setUp()
        self.write("block.msh", box((0.2, 0.2, 0.1), (2, 2, 1)).gmsh_with({}, {"axis": lambda x: bool(abs(x[0]) < 1e-9 and abs(x[1]) < 1e-9)}))

    def test_a_block_that_spins_and_lands_gains_nothing(self):
        for integrator in ("siere", "str_sbdf2ere"):
            history = self.simulate(self.SCENE, sets={"time.integrator": integrator}, out=integrator).history
            energy = sum(history[f"{name}_energy"] for name in ("kinetic", "elastic", "contact"))
            self.assertGreater(history["land.fz"].max(), 100, "it has landed")
            self.assertLess(energy.max(), 1.01 * energy[0], integrator)
            later = energy[history["time"] > 0.03]
            self.assertLess(later.max(), 1.01 * later[0], integrator)

    def test_modes_that_are_kept_while_a_body_turns_end_the_run(self):
        outcome = self.run_program("run", self.HELD, out="kept")
        self.assertEqual(outcome.code, 3)
        for part in ("numerical errors have added", "siere is unstable in this motion", "refresh_modes: 1"):
            self.assertIn(part, outcome.error_lines()[0])
        history = self.simulate(self.HELD, sets={"time.refresh_modes": 1}, out="refreshed").history
        self.assertLess(history["energy_numerical"].max(), 0.02 * history["kinetic_energy"][0])

    def test_a_run_continues_with_the_same_modes(self):
        """Where modes have turned since they were computed, a checkpoint keeps them and the places for which they were."""
        sets = {"time.end": 0.02}
        whole = self.simulate(self.SCENE, sets=sets, out="whole").history
        self.simulate(self.SCENE, sets={**sets, "time.end": 0.01}, out="out")
        parts = self.succeeded(self.run_program("resume", None, sets=sets)).history
        for column in ("block.z", "block.wz", "elastic_energy", "energy_numerical"):
            numpy.testing.assert_allclose(parts[column], whole[column], rtol=0, atol=1e-9 * numpy.abs(whole[column]).max(), err_msg=column)


class ForcesOutsideTheModes(ShortRunTest):
    """Forces that stay with the implicit stages, as those of contact do, also act on the modes that are split off, with their whole impulse."""

    SCENE = """\
time: {step: 2e-3, end: 0.6}
gravity: [0, 0, -9.81]
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000}}
    damping: {mass: 20}
    initial: {translate: [0, 0, 2e-3]}
surfaces: {floor: {plane: {}}}
contacts: {rest: {vertices: block.bottom, against: floor, thickness: 2e-2, stiffness: 60}}
solver: {tolerance: 1e-8}
"""
    # What changes the momentum of the free block that turns is a pressure, which follows it and is no part of the modes' motion.
    THROWN = """\
time: {step: 1e-3, end: 0.04}
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e4, poisson_ratio: 0.3, density: 1000}}
    initial: {angular_velocity: [0, 2, 1]}
    loads: {wind: {region: bottom, pressure: 200}}
solver: {tolerance: 1e-10, relative_tolerance: 1e-9}
"""

    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((1, 1, 1), (0.1, 0.1, 0.1)))

    def test_contact_carries_the_weight(self):
        for name in ADDITIVE:
            history = self.simulate(self.SCENE, sets={"time.integrator": name}, out=name).history
            expect_closed_form(self, field="contact", case=f"block at rest with {name}: contact force", source="m g", expected=9.81, got=history["rest.fz"][-1], tolerance=5e-3, mesh="6 tetrahedra", step="2 ms")

    def test_order_one(self):
        columns = [f"block.{name}" for name in ("x", "y", "z", "vx", "vy", "vz")]
        exact = self.simulate(self.THROWN, sets={"time.integrator": "sdirk3"}, out="exact").last_row()
        for name in ADDITIVE:
            errors = []
            for step in (1e-3, 5e-4):
                row = self.simulate(self.THROWN, sets={"time.integrator": name, "time.step": step}, out=name).last_row()
                errors.append(math.sqrt(sum((row[column] - exact[column]) ** 2 for column in columns)))
            print(f"\n  {name}: errors {errors[0]:.3g} and {errors[1]:.3g}", flush=True)
            self.assertGreater(math.log2(errors[0] / errors[1]), 0.8, name)


class ForcesOverTime(ShortRunTest):
    """Loads, motors and obstacles that depend on time, within steps of the exponential integrators."""

    SIDE, END, STEP = 0.1, 0.05, 1e-3

    def setUp(self):
        super().setUp()
        self.write("cube.msh", box_text((1, 1, 1), (self.SIDE,) * 3))

    def scene(self, velocity=(0, 0, 0), modulus=1e6, initial="", more=""):
        return f"""\
time: {{step: {self.STEP}, end: {self.END}}}
bodies: {{cube: {{mesh: cube.msh, solid: {{solid: {{youngs_modulus: {modulus}, poisson_ratio: 0.3, density: 1000}}}}, initial: {{velocity: {list(velocity)}{initial}}}}}}}
{more}"""

    def motor(self, drive):
        return f"joints: {{guide: {{kind: slider, between: cube, at: {[self.SIDE / 2] * 3}, axis: [1, 0, 0], motor: {{{drive}}}}}}}\n"

    def test_a_weight_that_grows(self):
        """In the modes, which the six rigid motions are among, and in ere the motion is exact. str_sbdf2ere takes the first half of a step by the trapezoidal rule."""
        final = 10
        scene = self.scene(more=f"gravity: [0, 0, {-final}]\ngravity_over: [{{time: 0, factor: 0}}, {{time: {self.END}, factor: 1}}]\n")
        for integrator, ranks in (*((name, 1) for name in ("ere", *ADDITIVE)), ("ere", 2), ("siere", 2)):
            row = self.simulate(scene, sets={"time.integrator": integrator}, out=f"{integrator}_{ranks}", ranks=ranks).last_row()
            about = {"field": "rigid motion", "mesh": "6 tetrahedra", "step": f"1 ms, {ranks} ranks"}
            expect_closed_form(self, case=f"cube under a weight that grows, {integrator}: velocity", source="g t/2", expected=-final * self.END / 2, got=row["cube.vz"], tolerance=1e-6, **about)
            expect_closed_form(self, case=f"cube under a weight that grows, {integrator}: way", source="g t²/6", expected=-final * self.END**2 / 6, got=row["cube.z"] - self.SIDE / 2,
                               tolerance=2e-4 if integrator == "str_sbdf2ere" else 1e-6, **about)

    def test_a_motor_whose_speed_a_body_has(self):
        for ranks in (1, 2):
            history = self.simulate(self.scene((1, 0, 0), more=self.motor("speed: 1")), sets={"time.integrator": "ere"}, ranks=ranks, out=f"on_{ranks}").history
            self.assertLess(numpy.abs(history["guide.motor_force"]).max(), 1e-4)   # the motor has 1e10 N/m
            numpy.testing.assert_allclose(history["cube.x"], self.SIDE / 2 + history["time"], rtol=0, atol=1e-10)

    def test_a_motor_that_gets_faster(self):
        """A cube of 1 kg follows a motor of stiffness k and acceleration a by a (t² / 2 - (1 - cos ω t) / ω²)."""
        stiffness, acceleration, t = 1e5, 1 / self.END, self.END
        omega = math.sqrt(stiffness)
        way = acceleration * (t * t / 2 - (1 - math.cos(omega * t)) / omega**2)
        scene = self.scene(modulus=1e9, more=self.motor(f"speed: 1, stiffness: {stiffness}, over: [{{time: 0, factor: 0}}, {{time: {t}, factor: 1}}]"))
        for integrator, tolerance in (("ere", 1e-6), *((name, 2e-4) for name in ADDITIVE)):
            row = self.simulate(scene, sets={"time.integrator": integrator}, out=integrator).last_row()
            expect_closed_form(self, field="joints", case=f"cube on a soft motor that gets faster, {integrator}: way", source="a (t²/2 - (1 - cos ω t)/ω²)", expected=way, got=row["cube.x"] - self.SIDE / 2,
                               tolerance=tolerance, mesh="6 tetrahedra", step="1 ms")

    def test_a_floor_that_rises(self):
        """What rests on it rises with it, under its weight alone."""
        speed, g = 0.5, 10
        floor = f"surfaces: {{floor: {{plane: {{point: [0, 0, -9e-4], normal: [0, 0, 1]}}, motion: {{velocity: [0, 0, {speed}]}}}}}}\n"
        contact = "contacts: {rest: {vertices: cube.surface, against: floor, thickness: 1e-3, stiffness: 1e5}}\n"
        scene = self.scene((0, 0, speed), initial=", equilibrium: true", more=f"gravity: [0, 0, {-g}]\n{floor}{contact}")
        for ranks in (1, 2):
            history = self.simulate(scene, sets={"time.integrator": "ere"}, ranks=ranks, out=f"on_{ranks}").history
            expect_closed_form(self, field="contact", case="cube on a rising floor with ere: largest contact force", source="m g", expected=g, got=history["rest.fz"].max(), tolerance=1e-5, mesh="6 tetrahedra", step=f"1 ms, {ranks} ranks")
            expect_closed_form(self, field="contact", case="cube on a rising floor with ere: least contact force", source="m g", expected=g, got=history["rest.fz"].min(), tolerance=1e-5, mesh="6 tetrahedra", step=f"1 ms, {ranks} ranks")


class Resumed(BlockTest):
    """A run in two parts, past a landing: what a scheme carries from step to step is in the checkpoint."""

    in_running_program = True

    def setUp(self):
        super().setUp()
        # After a step is halved, the lengths of later steps depend on the end of the schedule's piece. So the whole run has a piece that ends where the first
        # part does.
        schedule = "step: [{from: 0, step: 1e-3}, {from: 0.014, step: 1e-3}]"
        self.scene = self.write("scene.yaml", BLOCK_SCENE.replace("stiffness: 1e3", "stiffness: 1e5").replace("step: 1e-3", schedule))

    def test_same_rank_count(self):
        for name, extra in [(name, {"time.refresh_modes": 4}) for name in ADDITIVE] + [
            ("ere", {}), ("siere", {}), ("generalized_alpha", {}), ("generalized_alpha", {"time.semi_implicit": "true"}), ("bdf2", {"time.semi_implicit": "true"})]:
            with self.subTest(integrator=name, **extra):
                sets = {"time.integrator": name, **({"time.modes": 9} if name in ADDITIVE else {}), **extra}
                flies = name == "ere" or "time.semi_implicit" in extra   # a stiff landing is not for one linearization per stage
                if flies:
                    sets["bodies.block.initial.translate"] = "[0, 0, 1]"
                out = "_".join([name, *(word.split(".")[1] for word in extra)])
                whole = self.simulate(self.scene, sets=sets, out="whole")
                self.assertEqual(whole.history["contacts"].max() > 0, not flies)
                self.simulate(self.scene, sets={**sets, "time.end": 0.014}, out=out)
                parts = self.resume(sets={"time.end": 0.03}, out=out)
                self.assert_rows_agree(whole.last_row(), parts.last_row(), 1e-8, MOTION)

    def test_other_rank_counts(self):
        sets = {"time.integrator": "str_sbdf2ere", "time.modes": 9, "time.refresh_modes": 10}
        whole = self.simulate(self.scene, sets=sets, out="whole")
        for ranks in ((1, 2), (4, 1)):
            self.simulate(self.scene, sets={**sets, "time.end": 0.014}, out="parts", ranks=ranks[0])
            parts = self.resume(sets={"time.end": 0.03}, out="parts", ranks=ranks[1])
            self.assert_rows_agree(whole.last_row(), parts.last_row(), 1e-6, MOTION)


SPARSE = """\
time: {step: 1e-3, end: 2e-3, integrator: INTEGRATOR}
bodies:
  bar: {mesh: bar.msh, solid: {solid: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000}}, fixed: bottom, VOLUME}
solver: {tolerance: 1e-11}
"""


class SparseVolumes(ShortRunTest):
    """The volume's term that `sparse` takes from Newton's method belongs to the motion."""

    def setUp(self):
        super().setUp()
        self.write("bar.msh", box_text((2, 2, 3), (0.1, 0.1, 0.2)))

    def scene(self, sparse, integrator="tr_sdirk2"):
        return SPARSE.replace("INTEGRATOR", integrator).replace("VOLUME", f"volume: {{region: solid, model: quadratic, compressibility: 1e-7, sparse: {sparse}}}")

    def test_modes(self):
        tables = []
        for sparse in ("false", "true"):
            outcome = self.run_program("modes", self.scene(sparse), options=["--count", "6", "--out", self.folder / sparse])
            self.assertEqual(outcome.code, 0, outcome.errors)
            tables.append([float(row["frequency"]) for row in rows(self.folder / sparse / "modes.csv")])
        numpy.testing.assert_allclose(tables[1], tables[0], rtol=1e-9)

    def test_motion(self):
        load = ", loads: {pull: {region: solid, body_force: [100, 0, -300]}}"
        for integrator in ("ere", "beere"):
            ends = [self.simulate(self.scene(sparse, integrator).replace("}}\n", "}" + load + "}\n"), out=f"{integrator}_{sparse}", sets={"time.modes": 3} if integrator == "beere" else {}).last_row() for sparse in ("false", "true")]
            with self.subTest(integrator):
                self.assertGreater(ends[0]["volume_energy"], 0)
                for column in ("bar.x", "bar.z", "volume_energy", "kinetic_energy"):
                    self.assertAlmostEqual(ends[1][column], ends[0][column], delta=1e-5 * abs(ends[0][column]))


class Refused(RefusalTest):
    def test_sparse_volumes_of_semi_implicit_schemes(self):
        self.write("bar.msh", box_text((1, 1, 1), (0.1, 0.1, 0.1)))
        for words in ("siere", "sbdf2ere", "str_sbdf2ere", "bdf2, semi_implicit: true"):
            for ranks in (1, 2):
                with self.subTest(words, ranks=ranks):
                    path = self.write("scene.yaml", SPARSE.replace("INTEGRATOR", words).replace("VOLUME", "volume: {surface: surface, sparse: true}"))
                    expected = ["scene.yaml:1: time.", "'sparse' of a volume of body 'bar'", "leave 'sparse' out", "such as tr_sdirk2"]
                    self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], expected, ranks)

    def test_settings(self):
        self.write("block.msh", box_text((1, 1, 1), (0.1, 0.1, 0.1)))
        cases = [
            ("integrator: siere, semi_implicit: true", ["semi_implicit", "remove it"]),
            ("integrator: generalized_alpha, spectral_radius: 1.5", ["spectral_radius", "from 0 to 1"]),
            ("integrator: siere, modes: -1", ["modes"]),
            ("integrator: ere, exponential_tolerance: 2", ["exponential_tolerance", "usual value"]),
            ("integrator: sierre", ["integrator", "siere"]),
        ]
        for text, expected in cases:
            scene = BLOCK_SCENE.replace("end: 0.03", "end: 0.03, " + text)
            path = self.write("scene.yaml", scene)
            with self.subTest(text=text):
                self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], [f"scene.yaml:{line_of(scene, text)}", *expected], 2)

    def test_more_modes_than_displacements(self):
        self.write("block.msh", box_text((1, 1, 1), (0.1, 0.1, 0.1)))
        path = self.write("scene.yaml", BLOCK_SCENE)
        self.assert_refused(["traction", "modes", path, "--count", "25", "--out", self.folder / "out"], ["25 modes", "24 free", "fewer"], 2)


if __name__ == "__main__":
    unittest.main()
