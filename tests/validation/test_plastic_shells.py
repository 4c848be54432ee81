"""Shells that keep a bend: closed forms, energy, ranks, restarts, and the asynchronous driver beside implicit ones."""

import unittest

import h5py
import numpy

from closed_forms import expect_closed_form
from field_runs import Frames
from test_start import vtk_text
from traction_runs import RefusalTest, ShortRunTest, gmsh_text

STIFFNESS, YIELD, LENGTH, WIDTH = 0.02, 2.0, 0.4, 0.1   # [N m], [1/m], [m]
CELLS = 24, 4
SHELL = f"{{sheet: {{youngs_modulus: 1e3, poisson_ratio: 0, density: 1, bending_stiffness: {STIFFNESS}, yield_curvature: {YIELD}}}}}"


def strip_points(cells=CELLS, length=LENGTH, width=WIDTH):
    return numpy.array([(length * i / cells[0], width * j / cells[1], 0) for j in range(cells[1] + 1) for i in range(cells[0] + 1)])


def strip_text(cells=CELLS, length=LENGTH, width=WIDTH):
    """A flat strip; the cells at either end are regions clamp and tip."""
    points, at = strip_points(cells, length, width), lambda i, j: i + (cells[0] + 1) * j
    triangles = []
    for j in range(cells[1]):
        for i in range(cells[0]):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            triangles += [(1, a, b, c), (1, a, c, d)] if (i + j) % 2 else [(1, a, b, d), (1, b, c, d)]
    ends = [(2 + (i > 1), at(i, j)) for j in range(cells[1] + 1) for i in (0, 1, cells[0] - 1, cells[0])]
    return gmsh_text(points.tolist(), [], triangles, {1: (2, "sheet"), 2: (0, "clamp"), 3: (0, "tip")}, ends)


def rolled(curvature):
    points = strip_points()
    angle = curvature * points[:, 0]
    return numpy.column_stack([numpy.sin(angle), curvature * points[:, 1], 1 - numpy.cos(angle)]) / curvature


# Falls and bends by its own weight, with a plastic hinge at the clamp, until damping stops it.
FALL = f"""\
time: {{step: 5e-3, end: 0.4, integrator: sdirk2}}
gravity: [0, 0, -3]
bodies:
  strip:
    mesh: strip.msh
    shell: {SHELL}
    damping: {{mass: 4, stiffness: 1e-4}}
    fixed: clamp
solver: {{tolerance: 1e-9}}
output: {{every: 0.1, fields: [velocity, bending_moment]}}
"""
ASYNCHRONOUS = {"time.integrator": "asynchronous", "solver": "{}"}


def state(outcome):
    with h5py.File(sorted((outcome.directory / "checkpoints").glob("*.h5"))[-1]) as file:
        return {name: file[name][()] for name in file if name not in ("numbers", "contact_counts")}


class PlasticStrip(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.scene = self.write("fall.yaml", FALL)
        self.write("strip.msh", strip_text())

    def test_released_from_a_cylinder_it_springs_back_by_the_yield_curvature(self):
        """So viscous that the moment vanishes everywhere alike: else waves would bend it further where it is at its yield."""
        start = 5.0
        self.write("start.vtk", vtk_text(rolled(start)))
        scene = FALL.replace("time: {step: 5e-3, end: 0.4, integrator: sdirk2}", "time: {step: 0.2, end: 40, integrator: backward_euler}").replace("gravity: [0, 0, -3]\n", "")
        scene = scene.replace("    damping: {mass: 4, stiffness: 1e-4}\n", "    damping: {stiffness: 5}\n    initial: {positions: start.vtk}\n")
        for kind, expected in (("plastic", start - YIELD), ("elastic", 0)):
            with self.subTest(kind):
                outcome = self.simulate(scene if kind == "plastic" else scene.replace(f", yield_curvature: {YIELD}", ""), out=kind)
                x = state(outcome)["positions"].reshape(CELLS[1] + 1, CELLS[0] + 1, 3)[2]
                along = numpy.diff(x, axis=0)
                angle = numpy.unwrap(numpy.arctan2(along[:, 2], along[:, 0]))[2:]
                got = (angle[-1] - angle[0]) / (LENGTH / CELLS[0] * (len(angle) - 1))
                print(f"\n  {kind}: curvature {got:.4f} 1/m", flush=True)
                self.assertAlmostEqual(got, expected, delta=0.01 * start)
                if kind == "plastic":
                    expect_closed_form(self, field="elasticity", case="strip bent to a cylinder beyond yield: curvature after release", source="κ - κ_y", expected=expected, got=got,
                                       tolerance=0.01, mesh=f"{CELLS[0]} × {CELLS[1]} cells", step="at rest")

    def test_work_is_stored_or_lost_by_flow(self):
        """The tip is lifted: the work of its support, from its reaction, ends as energy stored and lost."""
        scene = FALL.replace("time: {step: 5e-3, end: 0.4, integrator: sdirk2}", "time: {step: 5e-3, end: 1, inertia: false}").replace("gravity: [0, 0, -3]\n", "")
        scene = scene.replace("    damping: {mass: 4, stiffness: 1e-4}\n", "    driven: [{vertices: tip, components: z, motion: {velocity: [0, 0, 0.15]}}]\n")
        for step in (2e-2, 1e-2):
            outcome = self.simulate(scene, sets={"time.step": step}, out=f"out{step}")
            history = outcome.history
            force, place = history["strip.tip.fz"], 0.15 * history["time"]
            work = numpy.sum((force[1:] + force[:-1]) / 2 * numpy.diff(place)) + force[0] / 2 * place[0]
            stored, lost = history["bending_energy"][-1] + history["elastic_energy"][-1], -history["work_plastic"][-1]
            print(f"\n  step {step}: work {work:.5g} J, stored {stored:.5g} J, lost {lost:.5g} J, numerical {history['energy_numerical'][-1]:.3g} J", flush=True)
            self.assertGreater(lost, 2 * stored)
            self.assertLess(abs(work - stored - lost), 1e-3 * lost)
            self.assertLess(abs(history["energy_numerical"]).max(), 1e-3 * lost)
            self.assertTrue((numpy.diff(history["work_plastic"]) <= 1e-12 * lost).all())

    def test_energy_of_a_fall_closes(self):
        """Steps of the integrators lose energy by their own damping, in second order; flow never adds any."""
        last = None
        for step in (4e-3, 2e-3, 1e-3):
            history = self.simulate(self.scene, sets={"time.step": step, "time.integrator": "tr_sdirk2", "bodies.strip.damping": "{}"}, out=f"out{step}").history
            lost, error = -history["work_plastic"][-1], history["energy_numerical"]
            print(f"\n  step {step}: lost {lost:.6g} J, numerical {error[-1]:.3g} J", flush=True)
            self.assertGreater(lost, 2e-3)
            self.assertLess(error.max(), 2e-3 * lost)
            if last:
                self.assertLess(abs(error[-1]), 0.6 * abs(last))
            last = error[-1]

    def test_asynchronous_runs_agree_with_implicit_ones(self):
        implicit = self.simulate(self.scene, sets={"time.step": 1e-3, "time.integrator": "tr_sdirk2"}, out="implicit").history
        history = self.simulate(self.scene, sets={**ASYNCHRONOUS, "time.asynchronous": "{safety: 0.3}"}, out="events").history
        lost, expected = history["lost_by_flow"][-1], -implicit["work_plastic"][-1]
        print(f"\n  lost by flow: {lost:.6g} J asynchronous, {expected:.6g} J implicit; z {history['strip.z'][-1]:.6g}, {implicit['strip.z'][-1]:.6g}", flush=True)
        self.assertGreater(expected, 1e-3)
        self.assertAlmostEqual(lost / expected, 1, delta=2e-3)
        self.assertAlmostEqual(history["strip.z"][-1] / implicit["strip.z"][-1], 1, delta=2e-3)
        self.assertGreater(numpy.diff(history["lost_by_flow"]).min(), -1e-9 * lost)
        for out in ("implicit", "events"):   # no moment is larger than that at which the strip yields
            moments = Frames(self.folder / out).read(4).cell_fields["bending_moment"]
            self.assertAlmostEqual(numpy.sqrt((moments[:, :3] ** 2).sum(axis=1) + 2 * (moments[:, 3:] ** 2).sum(axis=1)).max() / (STIFFNESS * YIELD), 1, delta=1e-6)

    def test_energy_of_events_closes(self):
        for safety in (0.4, 0.2):
            history = self.simulate(self.scene, sets={**ASYNCHRONOUS, "time.asynchronous.safety": safety, "bodies.strip.damping": "{}"}, out=f"out{safety}").history
            lost = history["lost_by_flow"][-1]
            print(f"\n  safety {safety}: lost {lost:.6g} J, gained {history['energy_gained'][-1]:.3g} J", flush=True)
            self.assertGreater(lost, 2e-3)
            self.assertLess(abs(history["energy_gained"]).max(), 5e-3 * lost)

    def test_any_number_of_ranks(self):
        one = self.simulate(self.scene, out="one")
        for ranks in (2, 4):
            shared = self.simulate(self.scene, ranks=ranks, out=f"out{ranks}", timeout=400)
            for name in ("strip.z", "bending_energy", "work_plastic"):
                numpy.testing.assert_allclose(shared.history[name], one.history[name], rtol=1e-6, atol=1e-6 * abs(one.history[name]).max(), err_msg=name)

    def test_continued_runs(self):
        whole = self.simulate(self.scene, out="whole")
        self.simulate(self.scene, sets={"time.end": 0.2}, out="parts", ranks=2)
        parts = self.resume(sets={"time.end": 0.4}, out="parts")
        for name in ("strip.z", "bending_energy", "work_plastic", "energy_numerical"):
            numpy.testing.assert_allclose(parts.history[name], whole.history[name], rtol=1e-5, atol=1e-5 * abs(whole.history[name]).max(), err_msg=name)

    def test_events_on_any_number_of_ranks_and_after_restarts_are_the_same_to_the_last_bit(self):
        """A strip so long that no rank computes all of it, clamped at one end and bent to a hoop at the other: it unwinds, and flows all over."""
        cells, length, width = (120, 2), 2.0, 0.0333
        self.write("strip.msh", strip_text(cells, length, width))
        points = strip_points(cells, length, width)
        angle = 3 * points[:, 0] ** 2 / length
        steps = numpy.column_stack([numpy.cos(angle), numpy.zeros(len(angle)), numpy.sin(angle)]).reshape(cells[1] + 1, cells[0] + 1, 3) * length / cells[0]
        bent = numpy.cumsum(steps, axis=1).reshape(-1, 3) + [0, 1, 0] * points
        self.write("start.vtk", vtk_text(bent))
        scene = FALL.replace("    fixed: clamp\n", "    initial: {positions: start.vtk}\n    fixed: clamp\n").replace("mass: 4", "mass: 0")
        self.scene = self.write("fall.yaml", scene)
        sets = {**ASYNCHRONOUS, "time.end": 0.2, "time.asynchronous.safety": 0.3}
        whole = self.simulate(self.scene, sets=sets, out="whole")
        runs = {f"{ranks} ranks": self.simulate(self.scene, sets=sets, ranks=ranks, out=f"out{ranks}", timeout=600) for ranks in (2, 4)}
        self.simulate(self.scene, sets={**sets, "time.end": 0.1}, out="parts", ranks=2)
        runs["continued"] = self.resume(sets={"time.end": 0.2}, out="parts")
        self.assertGreater(whole.history["lost_by_flow"][-1], 1e-4)
        for label, run in runs.items():
            print(f"\n  {label}: {run.history['spans'].sum():.0f} spans, {run.history['repeated_spans'].sum():.0f} repeated", flush=True)
            with self.subTest(label):
                first, second = state(whole), state(run)
                self.assertEqual(first.keys(), second.keys())
                self.assertTrue(any("plastic" in name for name in first))
                for name, values in first.items():
                    numpy.testing.assert_array_equal(values, second[name], err_msg=name)
                numpy.testing.assert_allclose(run.history["lost_by_flow"], whole.history["lost_by_flow"], rtol=1e-10, atol=1e-15)


class Refused(RefusalTest):
    def test_yield_of_a_membrane(self):
        self.write("strip.msh", strip_text())
        scene = self.write("scene.yaml", FALL.replace(f"bending_stiffness: {STIFFNESS}", "bending_stiffness: 0"))
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", scene, "--out", self.folder / "out"], ["scene.yaml:6: bodies.strip.shell.sheet.yield_curvature", "no bending stiffness", "or leave it out"], ranks)


if __name__ == "__main__":
    unittest.main()
