"""Rollers and planes of symmetry in whole runs: their reactions in the history, on other numbers of ranks, and resumed."""

import json
import unittest

import numpy

from traction_runs import BlockTest, box_text

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

    def test_without_inertia_supports_may_be_inclined(self):
        # Three planes of symmetry and a pressure: the block as it is meshed, and turned about an axis that leaves no plane along an axis.
        axis, angle = numpy.array([0.36, 0.48, 0.8]), numpy.radians(30)

        def turned(v):
            v = numpy.array(v, dtype=float)
            result = v * numpy.cos(angle) + numpy.cross(axis, v) * numpy.sin(angle) + axis * (axis @ v) * (1 - numpy.cos(angle))
            return result.tolist()

        def squeeze(turns, ratio, averaged, ranks):
            direction = turned if turns else list
            planes = [{"region": region, "normal": direction(normal)} for region, normal in
                      (("x0", [1, 0, 0]), ("y0", [0, 1, 0]), ("z0", [0, 0, 1]))]
            material = {"youngs_modulus": 1e6, "poisson_ratio": ratio, "density": 1000}
            if averaged:
                material["pressure"] = "nodal_average"
            body = {"mesh": "cube.msh", "solid": {"solid": material}, "fixed": planes,
                    "loads": {"push": {"region": "z1", "pressure": 3e4, "over": [{"time": 0, "factor": 0}, {"time": 0.3, "factor": 1}]}}}
            if turns:
                body["initial"] = {"rotate": {"axis": axis.tolist(), "angle": 30}}
            scene = {"time": {"step": 0.1, "end": 0.3, "inertia": False}, "bodies": {"cube": body}}
            return self.simulate(json.dumps(scene), out=f"{'turned' if turns else 'straight'}_{ratio}_{averaged}_{ranks}", ranks=ranks).history

        faces = {"x0": lambda x: x[0] < 1e-9, "y0": lambda x: x[1] < 1e-9, "z0": lambda x: x[2] < 1e-9, "z1": lambda x: x[2] > 1 - 1e-9}
        self.write("cube.msh", box_text((3, 3, 3), (1, 1, 1), faces=faces))
        for ratio, averaged, ranks in ((0.3, False, 1), (0.499, True, 1), (0.499, True, 2), (0.499, True, 4)):
            with self.subTest(ratio=ratio, averaged=averaged, ranks=ranks):
                straight, inclined = (squeeze(turns, ratio, averaged, ranks) for turns in (False, True))
                self.assertEqual(len(inclined["step"]), 3)
                self.assertLessEqual(inclined["newton_iterations"].sum(), 2 * straight["newton_iterations"].sum())
                numpy.testing.assert_allclose(inclined["elastic_energy"], straight["elastic_energy"], rtol=1e-7)
                force = [numpy.linalg.norm([h[f"cube.z0.{c}"][-1] for c in ("fx", "fy", "fz")]) for h in (straight, inclined)]
                self.assertAlmostEqual(force[1] / force[0], 1, delta=1e-7)

    def test_motions_that_nothing_holds_are_told_without_inertia(self):
        """Before the first solve, with their directions; nothing is said of what contact or springs may hold, or of a body that hangs from an edge."""
        scene = {"time": {"step": 0.1, "end": 0.2, "inertia": False}, "bodies": {"block": {
            "mesh": "parts.msh", "solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.4, "density": 1000}}}}}
        block = scene["bodies"]["block"]
        faces = {"x0": lambda x: x[0] < 1e-9, "y0": lambda x: x[1] < 1e-9, "z0": lambda x: x[2] < 1e-9}
        self.write("parts.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1), faces=faces, points={"edge": lambda x: x[0] < 1e-9 and x[2] < 1e-9, "far": lambda x: x[0] > 0.09}))
        plane = [{"region": "z0", "normal": [0, 0, 1]}]
        fixed = ["edge"]
        for holds, more, expected in (
                (plane, {}, "sliding along every direction across (0, 0, 1) and turning about (0, 0, 1)"), ([], {}, "sliding along every direction and turning about every axis"),
                ([*plane, {"region": "x0", "normal": [2, 0, 0]}], {}, "sliding along (0, 1, 0)"), ([*plane, {"region": "x0", "normal": [2, 0, 0]}], {"gravity": [0, 0, -1]}, "sliding along (0, 1, 0)"),
                (fixed, {}, "turning about (0, 1, 0)"), (fixed, {"gravity": [0, 0, -1]}, None), (["x0"], {}, None), ([*plane, {"region": "x0", "until": 0.1}], {}, "sliding along every direction across"),
                (plane, {"springs": {"s": {"from": "block.far", "anchor": [1, 0, 0], "stiffness": 1}}}, None),
                (plane, {"time": {"step": 0.1, "end": 0.2}}, None)):
            with self.subTest(holds=holds, more=more):
                outcome = self.run_program("check", json.dumps({**scene, **more, "bodies": {"block": {**block, "fixed": holds}}}))
                self.assertEqual(outcome.code, 0, outcome.errors)
                if expected is None:
                    self.assertNotIn("without inertia nothing holds", outcome.errors)
                else:
                    self.assertIn(f"body 'block': without inertia nothing holds it against {expected}", outcome.errors)

    def test_a_region_may_be_held_in_more_directions_for_a_while(self):
        """As by two regions of the same vertices; its reaction is that of all its entries together."""
        self.write("block.msh", box_text((3, 2, 2), (0.12, 0.1, 0.1), faces={"left": lambda x: x[0] < 1e-9, "same": lambda x: x[0] < 1e-9}))
        for one, two in (("{region: left, components: [x]}, {region: left, components: [y, z], until: 0.1}", "{region: left, components: [x]}, {region: same, components: [y, z], until: 0.1}"),
                         ("{region: left, until: 0.1}, {region: left, components: [x]}", "{region: same, until: 0.1}, {region: left, components: [x]}")):
            with self.subTest(fixed=one):
                both = [self.simulate(SCENE.replace("{region: bottom, normal: [0, 3, 4]}", f"[{fixed}]"), out=out, ranks=ranks)
                        for fixed, out, ranks in ((one, "one", 1), (two, "two", 1), (one, "three", 2))]
                self.assertEqual(both[0].history.keys() | {f"block.same.{c}" for c in ("fx", "fy", "fz", "mx", "my", "mz")}, both[1].history.keys())
                for name in ("block.x", "block.vz", "elastic_energy"):
                    numpy.testing.assert_allclose(both[0].history[name], both[1].history[name], rtol=1e-12, atol=1e-14)
                for component in ("fx", "fz", "my"):
                    expected = both[1].history[f"block.left.{component}"] + both[1].history[f"block.same.{component}"]
                    numpy.testing.assert_allclose(both[0].history[f"block.left.{component}"], expected, rtol=0, atol=1e-9 * numpy.abs(expected).max())
                self.assert_histories_agree(both[0], both[2], 1e-7)
                self.assertEqual(numpy.count_nonzero(both[0].history["block.left.fx"]), len(both[0].history["time"]))
                released = both[0].history["time"] > 0.1 + 1e-9
                self.assertTrue((numpy.abs(both[0].history["block.left.fz"][released]) < 1e-9).all())
                self.assertLess(both[0].history["block.vz"][-1], -0.5)
                self.resume_agrees(one, both[0])

    def resume_agrees(self, fixed, whole):
        scene = SCENE.replace("{region: bottom, normal: [0, 3, 4]}", f"[{fixed}]")
        self.simulate(scene, sets={"time.end": 0.05}, out="begun")
        self.assert_histories_agree(whole, self.resume(sets={"time.end": 0.2}, out="begun"), 1e-7)

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
        for fixed, words in (("{region: bottom}", "nothing is held"), ("{region: bottom, components: [x, v]}", "unknown value 'v'"), ("{region: base, components: [x]}", "has no region 'base'"),
                             ("[bottom, {region: bottom, components: [x]}]", "already fixed or driven; name it once"),
                             ("[bottom, {region: bottom, until: 0.1}]", "already fixed or driven for longer than here, along all of the directions"),
                             ("[{region: bottom, components: x, until: 0.1}, {region: bottom, components: [x, z]}]", "already fixed or driven, and for a shorter time than here")):
            outcome = self.run_program("run", SCENE.replace("{region: bottom, normal: [0, 3, 4]}", fixed), out="refused")
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn(words, outcome.errors)
            self.assertRegex(outcome.errors, r"scene\w*\.yaml:\d+: bodies\.block\.fixed")


if __name__ == "__main__":
    unittest.main()
