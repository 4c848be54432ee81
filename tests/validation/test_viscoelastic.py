"""Viscoelastic rubber in whole runs, of four-node and of ten-node tetrahedra: relaxation, creep, storage and loss moduli, energy, ranks and restarts, against closed
forms; and what is refused."""

import csv
import json
import math
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import read_frame
from closed_forms import expect_closed_form
from edge_shapes import box as shape_of_box
from traction_runs import RefusalTest, ShortRunTest, box_text

C10, C01, BULK = 2e5, 5e4, 5e8
RATIO, TIME = 0.6, 0.05
SIZE = (0.1, 0.1, 0.1)
# Between rollers; the top is driven.
SCENE = f"""\
time: {{step: 1e-3, end: 0.1, inertia: false}}
bodies:
  block:
    mesh: block.msh
    solid: {{solid: {{material: mooney_rivlin, c10: {C10}, c01: {C01}, bulk_modulus: {BULK}, density: 1000, prony: [{{ratio: {RATIO}, time: {TIME}}}]}}}}
    fixed: [{{region: bottom, components: z}}, {{region: left, components: x}}, {{region: front, components: "y"}}]
    MOVED
solver: {{tolerance: 1e-9}}
"""


def uniaxial(stretch):
    """Force per area at rest of slow loading, for a solid that keeps its volume."""
    return 2 * (stretch - stretch**-2) * (C10 + C01 / stretch)


def box():
    faces = {"top": (2, SIZE[2]), "left": (0, 0), "front": (1, 0)}
    return box_text((2, 2, 2), SIZE, faces={name: lambda x, axis=axis, at=at: abs(x[axis] - at) < 1e-9 for name, (axis, at) in faces.items()})


class ViscoelasticTest(ShortRunTest):
    ORDER, KIND = 1, ""   # the order of the block, and its name in the table of closed forms

    def setUp(self):
        super().setUp()
        self.write("block.msh", box())

    def simulate(self, scene, sets=None, **arguments):
        return super().simulate(scene, sets={"bodies.block.order": self.ORDER, **(sets or {})}, **arguments)

    def scene(self, moved, changes=()):
        """`moved`: a line of the body that drives or loads the top."""
        text = SCENE.replace("MOVED", moved)
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write("scene.yaml", text)


class Relaxation(ViscoelasticTest):
    STRETCH, FAST = 1.5, 1e-4
    STEPS = {"time.step": "[{from: 0, step: 1e-5}, {from: 1e-4, step: 2e-3}]", "time.end": 0.1001}

    def held(self, **arguments):
        """Stretched within 0.1 ms, and held."""
        speed = (self.STRETCH - 1) * SIZE[2] / self.FAST
        return self.scene(f"driven: [{{vertices: top, components: z, motion: {{velocity: [0, 0, {speed}], stop: {self.FAST}}}}}]", **arguments)

    def test_stress_of_a_held_stretch(self):
        history = self.simulate(self.held(), sets=self.STEPS).history
        held = history["time"] > 1.5 * self.FAST
        stress = history["block.top.fz"][held] / (SIZE[0] * SIZE[1])
        expected = uniaxial(self.STRETCH) * (1 + RATIO * numpy.exp(-(history["time"][held] - self.FAST / 2) / TIME))
        worst = abs(stress / expected - 1).argmax()
        expect_closed_form(self, field="materials", case=f"stress of viscoelastic rubber that is held at a stretch of 1.5{self.KIND}, largest error over two relaxation times",
                           source="uniaxial Mooney-Rivlin (1 + g e^(-t/tau))", expected=expected[worst], got=stress[worst], tolerance=2e-3, mesh="2 x 2 x 2 cells", step="2 ms")

    def test_any_number_of_ranks_and_continued_runs(self):
        scene = self.held()
        whole = self.simulate(scene, sets=self.STEPS, out="whole").history
        for ranks in (2, 4):
            shared = self.simulate(scene, sets=self.STEPS, ranks=ranks, out=f"out{ranks}").history
            numpy.testing.assert_allclose(shared["block.top.fz"], whole["block.top.fz"], rtol=1e-7)
        self.simulate(scene, sets={**self.STEPS, "time.end": 0.0201}, out="parts", ranks=2)
        parts = self.resume(sets={"time.end": 0.1001}, out="parts").history
        for name in ("block.top.fz", "work_relaxation", "elastic_energy"):
            numpy.testing.assert_allclose(parts[name], whole[name], rtol=1e-7, atol=1e-7 * abs(whole[name]).max(), err_msg=name)

    def test_a_body_that_moves_starts_as_relaxed_as_one_that_does_not(self):
        """A block stands on a plane without friction, or slides on it; most of its glassy stiffness relaxes while its equilibrium is found."""
        scene = """\
time: {step: 5e-3, end: 5e-3}
gravity: [0, 0, -9.81]
bodies:
  block:
    mesh: block.msh
    solid: {solid: {material: yeoh, c10: 2e4, c20: 0, c30: 0, poisson_ratio: 0.4, density: 1000, prony: [{ratio: 5, time: 0.05}]}}
    initial: {equilibrium: true, velocity: [0, 0, 0]}
surfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}
contacts: {rest: {vertices: block, against: floor, thickness: 1e-3}}
"""
        still, moving = (self.simulate(scene, sets={"bodies.block.initial.velocity": f"[{speed}, 0, 0]"}, out=f"out{speed}").history for speed in (0, 0.1))
        self.assertAlmostEqual(moving["elastic_energy"][0] / still["elastic_energy"][0], 1, delta=1e-6)
        self.assertAlmostEqual(moving["block.z"][0], still["block.z"][0], delta=1e-9)

    def test_a_start_in_equilibrium_is_relaxed(self):
        # Hangs under a weight as if it had always hung there: nothing creeps.
        scene = self.scene("loads: {pull: {region: top, force: [0, 0, 900]}}\n    initial: {equilibrium: true}", changes=[(", inertia: false", "")])
        history = self.simulate(scene, sets={"time.step": 5e-3}).history
        self.assertLess(numpy.ptp(history["block.z"]), 1e-6 * SIZE[2])
        stretch = 2 * history["block.z"][-1] / SIZE[2]
        self.assertAlmostEqual(uniaxial(stretch) * SIZE[0] * SIZE[1] / 900, 1, delta=5e-3)


class Oscillation(ViscoelasticTest):
    # A force that oscillates: the block follows with the compliance 1 / E*, E* = 3 (G' + i G''), where G' = G (1 + g w^2 tau^2 / (1 + w^2 tau^2)) and
    # G'' = G g w tau / (1 + w^2 tau^2). The last period is fitted, when what the start has left has relaxed.
    def moduli(self, ratio):
        """G'/G and G''/G at w tau = `ratio`, and the history."""
        omega = ratio / TIME
        period = 2 * math.pi / omega
        periods = 2 + math.ceil(8 * TIME / period)
        area, force = SIZE[0] * SIZE[1], 1e-4 * 6 * (C10 + C01) * SIZE[0] * SIZE[1]
        times = numpy.linspace(0, periods * period, 200 * periods + 1)
        over = ", ".join(f"{{time: {time:.9g}, factor: {math.sin(omega * time):.9g}}}" for time in times)
        scene = self.scene(f"loads: {{pull: {{region: top, force: [0, 0, {force}], over: [{over}]}}}}")
        history = self.simulate(scene, sets={"time.step": period / 200, "time.end": periods * period}, out=f"out{ratio}").history
        last = history["time"] > (periods - 1) * period
        wave = numpy.exp(1j * omega * history["time"][last])
        strain = 2 * history["block.z"][last] / SIZE[2] - 1
        columns = numpy.column_stack([wave.real, wave.imag, numpy.ones(last.sum())])
        cosine, sine, _ = numpy.linalg.lstsq(columns, strain, rcond=None)[0]
        modulus = force / area / (sine + 1j * cosine) / (6 * (C10 + C01))
        return modulus.real, modulus.imag, history

    def test_storage_and_loss_modulus_and_a_cycle(self):
        for ratio in (0.3, 1.0, 3.0):
            storage, loss, history = self.moduli(ratio)
            share = ratio / (1 + ratio**2)
            for name, expected, got in (("storage", 1 + RATIO * ratio * share, storage), ("loss", RATIO * share, loss)):
                expect_closed_form(self, field="materials", case=f"{name} modulus of viscoelastic rubber over the modulus of slow loading, at omega tau = {ratio:g}{self.KIND}",
                                   source="Prony series", expected=expected, got=got, tolerance=3e-3, mesh="2 x 2 x 2 cells", step="1/200 of a period")
            if ratio == 1:
                self.check_that_a_cycle_dissipates_what_the_load_does(history)

    def check_that_a_cycle_dissipates_what_the_load_does(self, history):
        after = [numpy.argmin(abs(history["time"] - periods * 2 * math.pi * TIME)) for periods in (2, 3)]
        load, relaxation = (numpy.diff(history[name][after])[0] for name in ("work_loads", "work_relaxation"))
        print(f"\n  a cycle: load {load:.6g} J, relaxation {relaxation:.6g} J, unaccounted {history['energy_numerical'][-1]:.3g} J", flush=True)
        self.assertGreater(load, 0)
        self.assertAlmostEqual(relaxation / load, -1, delta=1e-4)
        self.assertLess(abs(history["energy_numerical"]).max(), 1e-6 * load)


class Impact(ViscoelasticTest):
    def test_a_block_bounces_lower_with_relaxation_and_energy_closes(self):
        """Dropped on the floor, against the same block without branches."""
        changes = [(", inertia: false", ""), ("solver: {tolerance: 1e-9}", "gravity: [0, 0, -9.81]\nsurfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                    "contacts: {landing: {vertices: block.surface, against: floor, thickness: 1e-3}}"),
                   ("fixed: [{region: bottom, components: z}, {region: left, components: x}, {region: front, components: \"y\"}]", "initial: {translate: [0, 0, 0.002], velocity: [0, 0, -2]}"),
                   (f"time: {TIME}", "time: 5e-3"), (f"bulk_modulus: {BULK}", "poisson_ratio: 0.45")]
        rises = {}
        for name, prony in (("viscoelastic", []), ("elastic", [(f", prony: [{{ratio: {RATIO}, time: 5e-3}}]", "")])):
            scene = self.scene("damping: {mass: 0}", changes=changes + prony)
            history = self.simulate(scene, sets={"time.step": 1e-4, "time.end": 0.08}, out=name).history
            rises[name] = history["block.vz"].max()
            self.assertLess(abs(history["energy_numerical"]).max(), 0.05 * history["kinetic_energy"][0])
        print(f"\n  rises at {rises['viscoelastic']:.4g} m/s, without branches at {rises['elastic']:.4g} m/s", flush=True)
        self.assertLess(rises["viscoelastic"], 0.9 * rises["elastic"])


class RelaxationOfTenNodes(Relaxation):
    ORDER, KIND = 2, ", ten-node tetrahedra"


class OscillationOfTenNodes(Oscillation):
    ORDER, KIND = 2, ", ten-node tetrahedra"


class BothKinds(ViscoelasticTest):
    def test_they_agree_where_the_deformation_is_homogeneous(self):
        """Stretched and held, and let go: each history of ten-node tetrahedra is that of four-node ones, and of any number of ranks."""
        motion = "[{velocity: [0, 0, 3], ramp: 2e-3, stop: 0.01}, {velocity: [0, 0, -4], start: 0.05, ramp: 2e-3, stop: 0.06}]"
        scene = self.scene(f"driven: [{{vertices: top, components: z, motion: {motion}}}]")
        sets = {"time.step": 1e-3, "bodies.block.solid.solid.bulk_modulus": 5e7, "bodies.block.solid.solid.density": 10,
                "output": "{every: 0.1, fields: [stress]}"}
        expected = self.simulate(scene, sets=sets, out="four").history
        stress = self.stress_in("four")
        self.assertGreater(abs(expected["work_relaxation"][-1]), 0.1 * expected["elastic_energy"].max())
        for ranks in (1, 2, 4):
            history = self.simulate(scene, sets={**sets, "bodies.block.order": 2}, out=f"ten{ranks}", ranks=ranks).history
            for name in ("block.top.fz", "work_relaxation", "elastic_energy", "work_driven"):
                numpy.testing.assert_allclose(history[name], expected[name], rtol=0, atol=1e-8 * abs(expected[name]).max(), err_msg=f"{name}, {ranks}")
            found = self.stress_in(f"ten{ranks}")
            self.assertEqual(len(found), 8 * len(stress))
            numpy.testing.assert_allclose(found, numpy.tile(stress[0], (len(found), 1)), rtol=0, atol=1e-7 * abs(stress[0]).max())

    def stress_in(self, out):
        """Stresses of all elements in the last frame."""
        cells = read_frame(sorted((self.folder / out).glob("fields_0*.hdf"))[-1]).GetCellData().GetArray("stress")
        return vtk_to_numpy(cells).reshape(-1, cells.GetNumberOfComponents())


class BeamOfTenNodes(ShortRunTest):
    """A cantilever of nearly incompressible rubber with a force across its end."""

    LENGTH, SIDE, SHEAR, FORCE = 0.4, 0.02, 1e6, 1e-3

    def beam(self, cells, time, prony, density=1000, **load):
        """The scene of a beam whose bulk modulus is 2000 times its shear modulus."""
        planes = {"left": 0, "right": self.LENGTH}
        mesh = shape_of_box((self.LENGTH, self.SIDE, self.SIDE), cells).moved((self.LENGTH / 2, 0, 0))
        self.write("beam.msh", mesh.gmsh_with({name: lambda c, at=at: bool(numpy.all(abs(c[:, 0] - at) < 1e-9)) for name, at in planes.items()}))
        rubber = {"material": "mooney_rivlin", "c10": self.SHEAR / 2, "c01": 0, "bulk_modulus": 2000 * self.SHEAR, "density": density, "prony": prony}
        return {"time": time, "bodies": {"beam": {"mesh": "beam.msh", "order": 2, "fixed": "left", "solid": {"solid": rubber},
                                                  "loads": {"end": {"region": "right", "force": [0, 0, self.FORCE], **load}}}}}

    def test_creep_in_bending(self):
        """Under a force from the first step on it bends at once by 1/(1 + g) of what it bends by in the end. Changes of volume within elements have the stiffness of slow
        loading, so that the first deflection is larger than that by a little."""
        first, ratio, relaxation = 2e-3, 0.6, 0.05
        scene = self.beam((20, 2, 2), {"step": [{"from": 0, "step": first}, {"from": 0.02, "step": 0.02}], "end": 0.5, "inertia": False}, [{"ratio": ratio, "time": relaxation}], density=10)
        scene["solver"] = {"relative_tolerance": 1e-6}
        histories = [self.simulate(json.dumps(scene), out=f"on{ranks}", ranks=ranks).history for ranks in (1, 2, 4)]
        deflections = [-history["load_energy"] / self.FORCE for history in histories]
        for other in deflections[1:]:
            numpy.testing.assert_allclose(other, deflections[0], rtol=1e-4)
        # The first step counts as slow loading, half a step late.
        creep = 1 - ratio / (1 + ratio) * numpy.exp(-(histories[0]["time"] - first / 2) / (relaxation * (1 + ratio)))
        slow = self.FORCE * (self.LENGTH**3 / (3 * 3 * self.SHEAR * self.SIDE**4 / 12) + self.LENGTH / (15 / 17.5 * self.SHEAR * self.SIDE**2))
        about = {"mesh": "20 × 2 × 2 cells of ten-node tetrahedra", "step": "without inertia, 2 and 20 ms"}
        for name, row in (("at once", 0), ("in the end", -1)):
            expect_closed_form(self, field="materials", case=f"cantilever of viscoelastic rubber with a force at its end: deflection {name}",
                               source="(F L³/(3 EI) + F L/(κ G A)) (1 − g/(1 + g) e^(−t/(τ (1 + g)))) (Timoshenko)", expected=slow * creep[row], got=deflections[0][row], tolerance=0.03, **about)
        worst = abs(deflections[0] / deflections[0][-1] * creep[-1] / creep - 1).max()
        print(f"\n  creep over the last deflection: largest error {worst:.2g}", flush=True)
        self.assertLess(worst, 0.01)

    def test_vibrations_decay(self):
        """Struck across its length: its first mode has the complex frequency of s^2 + omega^2 (1 + g s tau / (1 + s tau)) = 0, by all implicit integrators."""
        cells, ratio = (6, 1, 1), 0.6
        scene = json.dumps(self.beam(cells, {"step": 1, "end": 1}, [{"ratio": ratio, "time": 1}]))
        outcome = self.run_program("modes", scene, options=["--count", "2", "--out", self.folder / "modes"])
        self.assertEqual(outcome.code, 0, outcome.errors)
        self.assertIn("prony: modes have the stiffness of slow loading", outcome.output + outcome.errors)
        with open(self.folder / "modes" / "modes.csv", newline="") as file:
            omega = 2 * math.pi * float(next(csv.DictReader(file))["frequency"])
        relaxation = 1 / omega
        roots = numpy.roots((relaxation, 1, omega**2 * relaxation * (1 + ratio), omega**2))
        expected = next(root for root in roots if root.imag > 0)
        step = 2 * math.pi / expected.imag / 100
        scene = self.beam(cells, {"step": step, "end": 300 * step}, [{"ratio": ratio, "time": relaxation}])
        beam = scene["bodies"]["beam"]
        beam["initial"] = {"velocity": [0, 0, 1e-3]}
        del beam["loads"]
        for integrator in ("backward_euler", "trapezoidal", "bdf2", "tr_bdf2", "sdirk2", "tr_sdirk2", "sdirk3", "generalized_alpha"):
            with self.subTest(integrator):
                scene["time"]["integrator"] = integrator
                history = self.simulate(json.dumps(scene), out=integrator).history
                height = history["beam.z"][100:] - self.SIDE / 2
                # Rows of a decaying oscillation: z_(k+2) = a z_(k+1) + b z_k, with the roots e^(s h) and their conjugates.
                a, b = numpy.linalg.lstsq(numpy.column_stack([height[20:-20], height[:-40]]), height[40:], rcond=None)[0]
                found = numpy.log(numpy.roots((1, -a, -b)).astype(complex)[0]) / (20 * step)
                found = complex(found.real, abs(found.imag))
                unaccounted = abs(history["energy_numerical"]).max() / history["kinetic_energy"][0]
                print(f"\n  {integrator}: {found / omega:.4f} omega, expected {expected / omega:.4f}; unaccounted {unaccounted:.2g} of the energy", flush=True)
                self.assertLess(abs(found / expected - 1), 0.06 if integrator == "backward_euler" else 0.02)


class RefusedMaterials(RefusalTest):
    def test_constants_of_another_law(self):
        self.write("block.msh", box())
        text = SCENE.replace("MOVED", "damping: {mass: 0}")
        at = "scene.yaml:5: bodies.block.solid.solid"
        for old, new, words in (
            ("c01: 50000.0", "c20: 5e4", [at, "mooney_rivlin", "c01"]),
            (f"c10: {C10}, ", "youngs_modulus: 1e6, ", [at + ".youngs_modulus", "mooney_rivlin, which takes c10, c01"]),
            (f"bulk_modulus: {BULK}", f"bulk_modulus: {BULK}, exponents: [1]", [at + ".exponents", "mooney_rivlin", "remove it"]),
            (f"bulk_modulus: {BULK}", f"bulk_modulus: {BULK}, poisson_ratio: 0.4", [at + ".bulk_modulus", "poisson_ratio", "remove one"]),
            (f"c10: {C10}", "c10: -3e5", [at, "shear modulus of -500000", "signs"]),
            (f"time: {TIME}", "time: 0", ["time", "greater than 0"]),
            (f"material: mooney_rivlin, c10: {C10}, c01: {C01}, bulk_modulus: {BULK}", "youngs_modulus: 1e6, poisson_ratio: 0.4", [at + ".prony", "laws of rubber", "mooney_rivlin"]),
        ):
            with self.subTest(new):
                self.assertIn(old, text)
                scene = self.write("scene.yaml", text.replace(old, new))
                self.assert_refused(["traction", "run", scene, "--out", self.folder / "out"], words, 1)

    def test_reproducible_runs_on_several_ranks(self):
        self.write("block.msh", box())
        scene = self.write("scene.yaml", SCENE.replace("MOVED", "damping: {mass: 0}").replace("tolerance: 1e-9", "tolerance: 1e-9, reproducible: true"))
        self.assert_refused(["traction", "run", scene, "--out", self.folder / "out"], ["scene.yaml:5: bodies.block.solid.solid: stress that relaxes (prony) is not the same to the last bit on several ranks",
                                                                                      "solver.reproducible demands; take one rank"], 2)

    def test_an_asynchronous_run(self):
        self.write("block.msh", box())
        scene = self.write("scene.yaml", SCENE.replace("MOVED", "damping: {mass: 0}").replace(", inertia: false", ", integrator: asynchronous").replace("solver: {tolerance: 1e-9}\n", ""))
        self.assert_refused(["traction", "run", scene, "--out", self.folder / "out"], ["prony", "integrator"], 1)


if __name__ == "__main__":
    unittest.main()
