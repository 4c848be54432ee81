"""Rollers and planes of symmetry in whole runs: their reactions in the history, on other numbers of ranks, and resumed."""

import unittest

import numpy

from traction_runs import BlockTest

SCENE = """\
time: {step: 0.01, end: 0.2, integrator: sdirk2}
gravity: [3, 0, -9.81]
bodies:
  block:
    mesh: block.msh
    solid:
      solid: {youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}
    damping: {stiffness: 1e-3}
    fixed: {region: bottom, normal: [0, 3, 4]}
solver: {tolerance: 1e-11}
"""
MASS = 1000 * 0.12 * 0.1 * 0.1   # [kg]


class HeldParts(BlockTest):
    def assert_histories_agree(self, one, other, tolerance):
        self.assertEqual(list(one.history), list(other.history))
        for name in (name for name in one.history if name.startswith("block.")):
            scale = numpy.abs(one.history[name]).max() + 1e-3
            numpy.testing.assert_allclose(other.history[name], one.history[name], rtol=0, atol=tolerance * scale, err_msg=name)

    def test_reactions_act_along_the_normal_on_any_number_of_ranks(self):
        one = self.simulate(SCENE, out="one")
        reaction = numpy.array([one.history[f"block.bottom.{c}"] for c in ("fx", "fy", "fz")])
        self.assertLess(numpy.abs(reaction[0]).max(), 1e-12)
        numpy.testing.assert_allclose(4 * reaction[1], 3 * reaction[2], rtol=1e-12)
        self.assertGreater(reaction[2].max(), 0.1 * MASS * 9.81)
        # Nothing but gravity acts across the normal.
        self.assertAlmostEqual(one.history["block.vx"][-1], 3 * 0.2, delta=1e-9)
        across = 0.8 * one.history["block.vy"] - 0.6 * one.history["block.vz"]
        numpy.testing.assert_allclose(across, 0.6 * 9.81 * one.history["time"], rtol=1e-8)
        for ranks in (2, 4):
            self.assert_histories_agree(one, self.simulate(SCENE, out=f"on_{ranks}", ranks=ranks), 1e-7)

    def test_resumed(self):
        for integrator in ("bdf2", "generalized_alpha", "siere"):
            with self.subTest(integrator=integrator):
                sets = {"time.integrator": integrator}
                whole = self.simulate(SCENE, sets=sets, out=f"whole_{integrator}")
                self.simulate(SCENE, sets={**sets, "time.end": 0.1}, out=integrator)
                self.assert_histories_agree(whole, self.resume(sets={"time.end": 0.2}, out=integrator, ranks=2), 1e-7)

    def test_the_printed_scene_is_the_same_scene(self):
        for fixed in ("{region: bottom, normal: [0, 3, 4]}", "[bottom, {region: surface, components: [x, y]}]"):
            first = self.run_program("check", SCENE.replace("{region: bottom, normal: [0, 3, 4]}", fixed))
            self.assertEqual(first.code, 0, first.errors)
            second = self.run_program("check", first.output)
            self.assertEqual(second.code, 0, second.errors)
            self.assertEqual(first.output, second.output)
        self.assertIn("- bottom", first.output)
        self.assertIn('components: [x, "y"]', first.output)

    def test_mistakes(self):
        for fixed, words in (("{region: bottom}", "nothing is held"), ("{region: bottom, components: [x, v]}", "unknown value 'v'"), ("{region: base, components: [x]}", "has no region 'base'")):
            outcome = self.run_program("run", SCENE.replace("{region: bottom, normal: [0, 3, 4]}", fixed), out="refused")
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn(words, outcome.errors)
            self.assertRegex(outcome.errors, r"scene\w*\.yaml:\d+: bodies\.block\.fixed")


if __name__ == "__main__":
    unittest.main()
