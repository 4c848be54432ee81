"""Without inertia Newton's method stops where the imbalance is the scene's tolerance of the forces that act: loads, contact, and what driven parts pull with."""

import json
import math
import unittest

import numpy

from traction_runs import RunTest, box_text

LENGTH, SIDE, FORCE, STEPS = 0.5, 0.1, 2e3, 4


class StaticTolerance(RunTest):
    def bend(self, tolerance, out, stiffer=1, heavier=1, gravity=0, ranks=1):
        """A bar that a force at its end bends by a third of its length, without weight."""
        self.write("bar.msh", box_text((10, 2, 2), (LENGTH, SIDE, SIDE), faces={"left": lambda x: x[0] < 1e-9, "right": lambda x: x[0] > LENGTH - 1e-9}))
        bar = {"mesh": "bar.msh", "solid": {"solid": {"youngs_modulus": 1e7 * stiffer, "poisson_ratio": 0.3, "density": 1000 * heavier}}, "fixed": "left",
               "loads": {"hook": {"region": "right", "force": [0, 0, FORCE * stiffer], "over": [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]}}}
        scene = {"time": {"step": 1 / STEPS, "end": 1, "inertia": False}, "gravity": [0, 0, gravity], "bodies": {"bar": bar}, "solver": {"relative_tolerance": tolerance}}
        return self.simulate(json.dumps(scene), out=out, ranks=ranks).history

    def test_the_tolerance_is_of_the_forces_that_act(self):
        exact = self.bend(1e-9, "exact")
        self.assertGreater(exact["bar.z"][-1] - SIDE / 2, 0.1 * LENGTH)
        iterations = []
        for tolerance in (1e-2, 1e-4, 1e-6):
            found = self.bend(tolerance, str(tolerance))
            iterations.append(found["newton_iterations"].sum())
            for column in ("bar.left.fx", "bar.left.fz"):
                self.assertLessEqual(numpy.abs(found[column] - exact[column]).max(), tolerance * FORCE)
            self.assertLessEqual(abs(found["bar.z"][-1] - exact["bar.z"][-1]), 10 * tolerance * LENGTH)
        print(f"\n  Newton iterations of {STEPS} steps: {iterations}, exact {exact['newton_iterations'].sum()}", flush=True)
        self.assertEqual(iterations, sorted(iterations))
        self.assertGreaterEqual(iterations[-1] - iterations[0], STEPS)

    def test_neither_units_nor_masses_count(self):
        """Before, 1e-8 m/s of the mass were allowed, which a millionth of the mass makes 1e6 times as much of the forces."""
        histories = [self.bend(1e-4, "one"), self.bend(1e-4, "stiffer", stiffer=1e6), self.bend(1e-4, "light", heavier=1e-4), self.bend(1e-4, "two", ranks=2)]
        for history in histories[1:]:
            numpy.testing.assert_allclose(history["newton_iterations"], histories[0]["newton_iterations"], rtol=0, atol=1)
            numpy.testing.assert_allclose(history["bar.z"], histories[0]["bar.z"], rtol=1e-4)

    def test_forces_of_contact_and_of_driven_parts_count(self):
        """A plate that is driven onto a block, with and without weight: what it presses with is the reaction of both ends."""
        self.write("block.msh", box_text((4, 4, 4), (0.1, 0.1, 0.1), faces={"top": lambda x: x[2] > 0.1 - 1e-9}))
        block = {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}, "initial": {"translate": [0, 0, 9e-4]},
                 "driven": [{"vertices": "top", "motion": {"velocity": [0, 0, -0.02]}}]}
        scene = {"time": {"step": 0.25, "end": 1, "inertia": False}, "bodies": {"block": block}, "surfaces": {"floor": {"plane": {}}},
                 "contacts": {"touch": {"vertices": "block.bottom", "against": "floor", "thickness": 1e-3, "friction": {"dynamic": 0.3, "tolerance": 1e-4}}}}
        found = {}
        for tolerance in (1e-8, 1e-3):
            for gravity in (0, -1e-3):
                found[tolerance, gravity] = self.simulate(json.dumps({**scene, "gravity": [0, 0, gravity], "solver": {"relative_tolerance": tolerance}}), out=f"{tolerance}_{gravity}").history
        for gravity in (0, -1e-3):
            exact, rough = found[1e-8, gravity], found[1e-3, gravity]
            self.assertLess(rough["newton_iterations"].sum(), exact["newton_iterations"].sum())
            force = exact["touch.fz"][-1]
            self.assertTrue(math.isclose(rough["touch.fz"][-1], force, rel_tol=1e-3), (rough["touch.fz"][-1], force))
            self.assertTrue(math.isclose(rough["block.top.fz"][-1], -force, rel_tol=1e-3))
        self.assertEqual(*(found[1e-3, gravity]["newton_iterations"].sum() for gravity in (0, -1e-3)))


class Joints(RunTest):
    def test_stiff_beams_on_joints_stay_at_rest_without_inertia(self):
        """Once the weight is balanced nothing changes any more: each further step takes one iteration, or a second one for rounding, and none is repeated. The rounding of a stiff joint's forces once kept such steps from their tolerance."""
        self.write("beam.msh", box_text((4, 1, 1), (0.4, 0.05, 0.05)))
        self.write("wall.msh", box_text((1, 1, 1), (0.1, 0.1, 0.1)))
        for modulus in (1e8, 2e11):
            solid = {"solid": {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.3, "density": 1000}}}
            for ranks in (1, 2):
                scene = {"time": {"step": 0.1, "end": 1, "inertia": False}, "gravity": [0, 0, -9.81],
                         "bodies": {"beam": {"mesh": "beam.msh", **solid}, "wall": {"mesh": "wall.msh", "rigid": {"density": 1000}, "initial": {"translate": [-0.1, 0, 0]}, "fixed": "solid"}},
                         "joints": {"root": {"kind": "fixed", "between": ["beam", "wall"], "at": [0, 0.025, 0.025]}}}
                run = self.simulate(json.dumps(scene), ranks=ranks)
                self.assertEqual(len(run.history["time"]), 10)
                self.assertEqual(run.history["repeats"].sum(), 0)
                self.assertLessEqual(run.history["newton_iterations"][1:].max(), 2)
                self.assertNotIn("equilibrium that was not near", run.errors)


if __name__ == "__main__":
    unittest.main()
