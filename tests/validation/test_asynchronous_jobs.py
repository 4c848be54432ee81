"""Short forms of the jobs with integrator: asynchronous."""

import sys
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import JOBS, RunTest

sys.path[:0] = [str(JOBS.parent / "postprocess"), str(JOBS / "spring_on_plane")]
import model  # noqa: E402
from run_crossing import check_paths, check_run, read_triangles  # noqa: E402


def energy(history):
    return sum(values for name, values in history.items() if name.endswith("_energy"))


class SpringOnPlane(RunTest):
    def test_traction_takes_the_events_of_the_model(self):
        """Five impacts, by two programs that share nothing."""
        history = self.simulate(JOBS / "spring_on_plane" / "scene.yaml", sets={"time.end": 20, "output": "{}"}).history
        _, low, high, energies = model.simulate("layers", 20, 0.02, step=0.02)
        self.assertGreater(numpy.count_nonzero(numpy.diff(history["contacts"]) > 0), 3)
        self.assertEqual(history["layers"].max(), 3)   # at the ends of rows
        numpy.testing.assert_allclose(history["spring.z"] - 0.05, (low + high)[1:] / 2, rtol=0, atol=1e-12)
        numpy.testing.assert_allclose(energy(history) - 0.1 * 2 * 0.05, energies[1:], rtol=0, atol=1e-12)

    def test_restarted_clocks_drift_and_others_do_not(self):
        """P4 Fig. 2, by the model; energies in parts of the fall's 0.2 J."""
        slopes = {}
        for way in model.WAYS:
            time, _, _, energies = model.simulate(way, 1500, 1.0, step=0.02)
            slopes[way] = numpy.polyfit(time, energies / 0.2, 1)[0]
        print(f"\n  {slopes}", flush=True)
        self.assertGreater(slopes["layers restarted"], 5e-5)
        self.assertLess(abs(slopes["layers"]), 1e-5)

    def test_energy_stays_over_hundreds_of_impacts(self):
        history = self.simulate(JOBS / "spring_on_plane" / "scene.yaml", sets={"time.end": 1000, "output": "{log_every: 100000}"}).history
        change = (energy(history) - 0.31) / 0.2
        self.assertGreater(numpy.count_nonzero(numpy.diff(history["contacts"]) > 0), 150)
        self.assertLess(abs(change).max(), 0.04)
        self.assertLess(abs(numpy.polyfit(history["time"], change, 1)[0]), 2e-5)
        self.assertGreater(history["min_gap"].min(), 0.06)
        expect_closed_form(self, field="asynchronous contact", case="rod that bounces for 1000 s: slope of its energy [of the fall's, per second]", source="none is lost or gained", expected=0,
                           got=numpy.polyfit(history["time"], change, 1)[0], scale=1, tolerance=2e-5, mesh="two masses and a spring", step="20 ms")


class Shells(RunTest):
    """Shells that meet: energy stays, and nothing passes through anything, by a check that shares nothing with the simulator."""

    def passes_nothing(self, job, end, every):
        sets = {"time.end": end, "output": f"{{every: {every}, fields: [velocity], log_every: 100000}}"}
        outcome = self.simulate(JOBS / job / "scene.yaml", sets=sets, timeout=400)
        self.assertGreater(outcome.history["contacts"].max(), 3)
        self.assertGreater(outcome.history["min_gap"].min(), 0)
        self.assertEqual([found for _, found in check_run(outcome.directory) if found], [])
        self.assertEqual([found for _, found in check_paths(outcome.directory) if found], [])
        return outcome

    def keeps(self, job, end, every, change):
        outcome = self.passes_nothing(job, end, every)
        total = energy(outcome.history)
        self.assertLess(abs(total - total[0]).max(), change * outcome.history["kinetic_energy"].max())
        return outcome

    def test_sphere_and_wedge(self):
        vertices = self.keeps("sphere_and_wedge", 0.03, 2e-3, 0.005).report["vertices"]
        self.assertEqual(vertices, 92 + 2 * 71)

    def test_sphere_and_plate(self):
        self.keeps("sphere_plate", 1e-4, 1e-5, 0.005)

    def test_particles_keep_momentum(self):
        history = self.keeps("particles_in_box", 0.6, 0.05, 0.01).history
        for name in ("momentum", "angular_momentum"):
            values = numpy.stack([history[f"{name}_{axis}"] for axis in "xyz"])
            self.assertLess(abs(values - values[:, :1]).max(), 1e-12 * abs(values).max())

    def test_ribbons_of_the_reef_knot(self):
        outcome = self.passes_nothing("reef_knot", 0.16, 0.01)
        self.assertEqual(outcome.report["vertices"], 2 * 605)

    def test_bowline(self):
        outcome = self.passes_nothing("bowline", 0.3, 0.02)
        self.assertEqual(outcome.report["vertices"], 4 * 275 + 32 * 13)

    def test_trash_compactor_crushes(self):
        """What is crushed stays so: flow takes more than bending stores, and nothing gives it back."""
        outcome = self.passes_nothing("trash_compactor", 0.36, 0.02)
        self.assertEqual(outcome.report["vertices"], 2 * 194 + 2 * 198 + 122 + 102 + 92 + 74)
        lost = outcome.history["lost_by_flow"]
        self.assertGreater(lost[-1], 3 * outcome.history["bending_energy"][-1])
        self.assertGreaterEqual(numpy.diff(lost).min(), -1e-3 * lost[-1])

    def test_cloths_on_spikes(self):
        """Both have 1,994 vertices; the spikes' slivers have the angle of P4."""
        outcome = self.passes_nothing("cloth_on_spikes", 0.06, 4e-3)
        self.assertEqual(outcome.report["vertices"], 2 * 1994)
        points, triangles = read_triangles(JOBS / "cloth_on_spikes" / "spikes.obj", 1)
        self.assertEqual(len(triangles), 36 * 6)
        tip, one, other = (points[triangles[:, i]] for i in range(3))
        sides = [(corner - tip) / numpy.linalg.norm(corner - tip, axis=1, keepdims=True) for corner in (one, other)]
        numpy.testing.assert_allclose(numpy.degrees(numpy.arccos(numpy.sum(sides[0] * sides[1], axis=1))), 3.47, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
