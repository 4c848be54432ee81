"""jobs/seal: the force of a coarse cord beside Lindley's formula in plane strain, its symmetry, and the balance of energy."""

import unittest

from closed_forms import expect_closed_form
from traction_runs import JOBS, RunTest

DIAMETER, MODULUS, WIDTH = 5.33e-3, 4.45e6, 6e-4   # [m], [Pa], [m] of the slice here
APART, SPEED, END = 5.35e-3, 1.619e-3, 0.66        # distance of the plates at the start [m], their speed [m/s], end of the run [s]


class Seal(RunTest):
    def test_force_of_a_free_cord_and_of_one_in_a_groove(self):
        size = f"{{diameter: {DIAMETER}, element_size: {WIDTH}, width: {WIDTH}}}"
        sets = {"bodies.free.mesh_parameters": size, "bodies.grooved.mesh_parameters": size, "time.step": 0.033, "time.end": END, "output": "{log_every: 100}"}
        outcome = self.simulate(JOBS / "seal" / "scene.yaml", sets=sets, timeout=200)
        row, gained = outcome.last_row(), outcome.history["energy_numerical"]
        squeeze = 1 - (APART - SPEED * END) / DIAMETER
        expected = 4 / 3 * (1.25 * squeeze**1.5 + 50 * squeeze**6) * MODULUS * DIAMETER * WIDTH
        expect_closed_form(self, field="contact", case=f"round cord of ν = 0.499 squeezed by {100 * squeeze:.0f} %: force", source="Lindley 1967, 4/3 E d (1.25 c^1.5 + 50 c^6) per length in plane strain",
                           expected=expected, got=-row["free_lid.fz"], tolerance=0.08, mesh="9 cells to the diameter, pressure averaged over nodes", step="without inertia, 20 steps")
        for body in ("free", "grooved"):
            self.assertAlmostEqual(row[f"{body}_lid.fz"], -row[f"{body}_bottom.fz"], delta=1e-4 * expected)
        # The walls are 20 % farther apart than the cord is wide, and are not reached.
        self.assertAlmostEqual(row["grooved_lid.fz"], row["free_lid.fz"], delta=1e-4 * expected)
        self.assertEqual(row["grooved_left.contacts"], 0)
        # The first equilibrium releases what the overlap of the mesh with the contacts stores at the start.
        self.assertLess(abs(gained[-1] - gained[0]), 2e-3 * row["elastic_energy"])


if __name__ == "__main__":
    unittest.main()
