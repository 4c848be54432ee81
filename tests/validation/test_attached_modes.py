"""Modes of attached bodies, and the integrators that split modes off or take forces as linear: against bodies of one piece, and where nothing may change."""

import csv
import json
import unittest

import numpy

from traction_runs import ShortRunTest, box_text

SIDE = 0.1
MATERIAL = {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}
MASS = 2 * 1000 * SIDE**3
LINEARIZED = ("siere", "sbdf2ere", "str_sbdf2ere")


def faces(height):
    return {"top": lambda x: x[2] > height - 1e-9, "base": lambda x: x[2] < 1e-9}


class AttachedModes(ShortRunTest):
    """Two cubes with matching meshes, the upper one glued on the lower one."""

    def setUp(self):
        super().setUp()
        self.write("cube.msh", box_text((2, 2, 2), (SIDE,) * 3, faces=faces(SIDE)))
        self.write("whole.msh", box_text((2, 2, 4), (SIDE, SIDE, 2 * SIDE), faces=faces(2 * SIDE)))

    def glued(self, time, lower={}, upper={}, **both):
        bodies = {"lower": {"mesh": "cube.msh", "solid": MATERIAL, **both, **lower},
                  "upper": {"mesh": "cube.msh", "solid": MATERIAL, **both, **upper, "initial": {"translate": [0, 0, SIDE], **both.get("initial", {})}}}
        return json.dumps({"time": {"step": 1e-3, **time}, "bodies": bodies, "attachments": {"glue": {"vertices": "upper.base", "to": "lower"}}, "solver": {"tolerance": 1e-11}})

    def whole(self, time, **body):
        return json.dumps({"time": {"step": 1e-3, **time}, "bodies": {"whole": {"mesh": "whole.msh", "solid": MATERIAL, **body}}, "solver": {"tolerance": 1e-11}})

    def frequencies(self, scene, out, ranks=1):
        outcome = self.run_program("modes", scene, ranks=ranks, options=["--count", "9", "--out", self.folder / out])
        self.assertEqual(outcome.code, 0, outcome.errors)
        with open(self.folder / out / "modes.csv", newline="") as file:
            return numpy.array([float(row["frequency"]) for row in csv.DictReader(file)][:9])

    def test_modes_are_those_of_one_piece(self):
        """Free, on rollers, and fixed at the base, on any number of ranks."""
        time = {"end": 0.01}
        for name, held in (("free", {}), ("rollers", {"fixed": [{"region": "base", "components": ["z"]}]}), ("fixed", {"fixed": "base"})):
            expected = self.frequencies(self.whole(time, **held), f"whole_{name}")
            zero = 1e-3 if name != "fixed" else 0   # motions without deformation have frequencies that are rounding
            for ranks in (1, 2):
                with self.subTest(name, ranks=ranks):
                    numpy.testing.assert_allclose(self.frequencies(self.glued(time, lower=held), f"{name}_{ranks}", ranks), expected, rtol=1e-7, atol=zero)

    def test_bodies_that_move_together_stay_as_they_are(self):
        """All moves at one speed, and so does the base, which is driven: no force acts, and nothing changes."""
        speed = 1.0
        for integrator in (*LINEARIZED, "beere", "bdf2ere", "ere"):
            for ranks in (1, 2) if integrator == "siere" else (1,):
                with self.subTest(integrator, ranks=ranks):
                    driven = [{"vertices": "base", "motion": {"velocity": [speed, 0, 0]}}]
                    time = {"integrator": integrator, "end": 0.01, **({} if integrator == "ere" else {"modes": 3})}
                    scene = self.glued(time, lower={"driven": driven}, initial={"velocity": [speed, 0, 0]}, damping={"stiffness": 1e-3})
                    history = self.simulate(scene, ranks=ranks, out=f"{integrator}_{ranks}").history
                    energy = MASS * speed**2 / 2
                    for column, expected in (("kinetic_energy", energy), ("elastic_energy", 0), ("work_driven", 0), ("energy_numerical", 0)):
                        numpy.testing.assert_allclose(history[column], expected, rtol=0, atol=1e-7 * energy, err_msg=column)
                    for body in ("lower", "upper"):
                        numpy.testing.assert_allclose(history[f"{body}.x"] - speed * history["time"], SIDE / 2, rtol=0, atol=1e-9, err_msg=body)

    def test_motion_is_that_of_one_piece(self):
        """The base is held and the top pulled aside, with damping: the glued cubes move as one piece of both does."""
        pull = {"loads": {"pull": {"region": "top", "force": [3, 0, 0]}}}
        for integrator in (*LINEARIZED, "beere", "bdf2ere"):
            time, damped = {"integrator": integrator, "end": 0.02, "modes": 3}, {"damping": {"stiffness": 2e-3}}
            expected = self.simulate(self.whole(time, fixed="base", **damped, **pull), out=f"whole_{integrator}").history
            history = self.simulate(self.glued(time, lower={"fixed": "base"}, upper=pull, **damped), out=integrator).history
            with self.subTest(integrator):
                for column in ("kinetic_energy", "elastic_energy", "work_damping", "energy_numerical"):
                    numpy.testing.assert_allclose(history[column], expected[column], rtol=0, atol=1e-5 * expected["elastic_energy"].max(), err_msg=column)


if __name__ == "__main__":
    unittest.main()
