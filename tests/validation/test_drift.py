"""Runs without inertia in which frictionless contact leaves a body free along some motion: it drifts, and a warning names the body, the motion and the remedy."""

import json
import re
import unittest

import numpy

from traction_runs import ShortRunTest, box_text

FORCE, MASS, STEP = 0.01, 0.1 * 0.1 * 0.05 * 1000, 1e-3   # [N], [kg], [s]
INERTIA_LEFT = 1e-6   # the part of the mass that resists motion without inertia (docs/theory/integrators.md, "Without inertia")
SOLID = {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}


class Drift(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((3, 3, 2), (0.1, 0.1, 0.05), faces={"side": lambda x: x[0] < 1e-9}))

    def scene(self, block=None, contact=None, **more):
        body = {"mesh": "block.msh", "solid": SOLID, "initial": {"translate": [0, 0, 5e-4]}, "loads": {"push": {"force": [0.6 * FORCE, 0.8 * FORCE, 0]}}, **(block or {})}
        return {"time": {"step": STEP, "end": 11 * STEP, "inertia": False}, "gravity": [0, 0, -9.81], "bodies": {"block": body}, "surfaces": {"floor": {"plane": {}}},
                "contacts": {"touch": {"vertices": "block", "against": "floor", "thickness": 1e-3, **(contact or {})}}, **more}

    def test_a_load_along_the_surface(self):
        """On a plane, and on a body that is held: the load moves the block by F h² / (1e-6 m) in every step, and nothing else tells that there is no equilibrium."""
        table = {"mesh": "block.msh", "scale": 10, "solid": SOLID, "fixed": "solid", "initial": {"translate": [-0.4, -0.4, -0.5]}}
        on_plane = self.scene()
        on_body = {**on_plane, "bodies": {**on_plane["bodies"], "table": table}, "surfaces": {}, "contacts": {"touch": {"both": ["block", "table"], "thickness": 1e-3}}}
        expected = FORCE * STEP**2 / (INERTIA_LEFT * MASS)
        for name, scene, ranks in (("plane", on_plane, 1), ("plane", on_plane, 2), ("body", on_body, 1), ("body", on_body, 2)):
            with self.subTest(name, ranks=ranks):
                run = self.simulate(json.dumps(scene), out=f"{name}{ranks}", ranks=ranks)
                steps = numpy.hypot(numpy.diff(run.history["block.x"]), numpy.diff(run.history["block.y"]))
                numpy.testing.assert_allclose(steps, expected, rtol=0.02)
                self.assertIn(f"step 1 at t = {STEP:g} s: body 'block' drifts without inertia: it has moved 0.02 m along (0.6, 0.8, 0) by t = {STEP:g} s, and nothing resists", run.errors)
                self.assertEqual(run.errors.count("drifts without inertia"), 2)   # and again after ten times the drift
                self.assertIn("Give its contacts friction, hold a region of it along that motion", run.errors)

    def test_a_load_beyond_friction(self):
        """The load passes what friction can bear at 1.4715 N, and from then on nothing but the inertia that is left keeps the block; below that it stays."""
        bearable = 0.3 * MASS * 9.81
        for share, drifts in ((0.99, False), (1.01, True)):
            for ranks in (1, 2):
                with self.subTest(share=share, ranks=ranks):
                    over = [{"time": 0, "factor": 0}, {"time": 0.05, "factor": 0.97}, {"time": 0.1, "factor": share}]
                    scene = self.scene({"loads": {"push": {"force": [0.6 * bearable, 0.8 * bearable, 0], "over": over}}}, {"friction": {"dynamic": 0.3}})
                    scene["time"]["end"] = 0.1
                    run = self.simulate(json.dumps(scene), out=f"load{share}{ranks}", ranks=ranks)
                    warning = re.search(r"at t = (\S+) s: body 'block' drifts without inertia: .* along \((\S+), (\S+), 0\) .*, because friction is fully developed where it touches anything", run.errors)
                    self.assertEqual(warning is not None, drifts, run.errors)
                    if drifts:
                        self.assertAlmostEqual(float(warning[1]), 0.05 + 0.05 * 0.03 / 0.04, delta=6e-3)
                        self.assertAlmostEqual(float(warning[2]), 0.6, delta=0.02)
                        self.assertIn("Give its contacts more friction", run.errors)

    def test_a_couple_about_the_normal(self):
        run = self.simulate(json.dumps(self.scene({"loads": {"turn": {"torque": [0, 0, 1e-3]}}})))
        self.assertRegex(run.errors, r"body 'block' drifts without inertia: it has turned by [0-9]+ degrees about \(0, 0, 1\)")

    def test_what_carries_another_body_does_not_drift(self):
        """A block moves as far as a soft pad lets it whose upper side it carries, as a wheel carries a tire."""
        self.write("pad.msh", box_text((3, 3, 2), (0.1, 0.1, 0.05), faces={"top": lambda x: x[2] > 0.05 - 1e-9}))
        pad = {"mesh": "pad.msh", "solid": {"solid": {**SOLID["solid"], "youngs_modulus": 1e4}}, "fixed": "bottom", "initial": {"translate": [0, 0, -0.05]}}
        push = {"push": {"force": [8, 0, 0], "over": [{"time": 0, "factor": 0}, {"time": 0.1, "factor": 1}]}}
        for block in ({}, {"rigid": {"density": 1000}}):
            body = {"mesh": "block.msh", "loads": push, **(block or {"solid": SOLID})}
            scene = {"time": {"step": 0.01, "end": 0.1, "inertia": False}, "bodies": {"block": body, "pad": pad}, "attachments": {"glue": {"vertices": "pad.top", "to": "block"}}}
            for ranks in (1, 2):
                with self.subTest(block=block, ranks=ranks):
                    run = self.simulate(json.dumps(scene), out=f"{len(block)}{ranks}", ranks=ranks)
                    self.assertGreater(run.history["block.x"][-1], 0.058)
                    self.assertNotIn("drifts", run.errors)

    def test_what_is_held_or_pushed_does_not_drift(self):
        """Friction, supports and springs hold it; what presses from the side moves it as prescribed; the rest lies where it is."""
        ram = {"box": {"lower": [-0.2, -0.1, 0.01], "upper": [-1e-3, 0.2, 0.1]}, "motion": {"velocity": [1, 0, 0]}}
        pushed = self.scene({"loads": {}}, surfaces={"floor": {"plane": {}}, "ram": ram})
        pushed["time"] |= {"step": 1e-2, "end": 0.06}
        pushed["contacts"]["ram"] = {"vertices": "block", "against": "ram", "thickness": 1e-3}
        rubbed = json.loads(json.dumps(pushed))
        rubbed["contacts"]["touch"]["friction"] = {"dynamic": 0.3}
        spring = {"hold": {"from": "block.side", "anchor": [-0.1, 0.05, 0.025], "stiffness": 100}}
        for name, scene, travel in (("friction", self.scene(contact={"friction": {"dynamic": 0.3}}), 0), ("spring", self.scene({"loads": {"push": {"force": [FORCE, 0, 0]}}}, springs=spring), 0), ("pushed", pushed, 0.06), ("pushed with friction", rubbed, 0.06),
                                    ("held", self.scene({"fixed": {"region": "side", "components": ["x", "y"]}}), 0), ("rest", self.scene({"loads": {}}), 0)):
            with self.subTest(name):
                run = self.simulate(json.dumps(scene), out=name)
                self.assertLess(abs(run.history["block.x"][-1] - 0.05 - travel), 3e-3)
                self.assertNotIn("drifts", run.errors)

    def test_rods_that_are_clamped_or_hang_do_not_drift(self):
        """A clamp holds the twist, too, about which a curved rod would turn; and weight holds what hangs from two points."""
        rod = {"radius": 2e-3, "youngs_modulus": 1e6, "density": 1000}
        for name, place in (("line", lambda k: (0.1 + 0.01 * k, 0.05, 0.04)), ("arc", lambda k: (0.05 * k, 0.01 * k * (20 - k), 0))):
            self.write(f"{name}.txt", "\n".join(" ".join(f"{c:.6g}" for c in place(k)) for k in range(21)) + "\n")
        block = {"mesh": "block.msh", "rigid": {"density": 1000}, "fixed": "surface"}
        clamped = {"bodies": {"block": block, "rod": {"mesh": "line.txt", "rod": {"rod": {**rod, "natural_curvature": [5, 0, 2]}}}},
                   "attachments": {"clamp": {"vertices": "rod.first_point", "to": "block", "tangent": True}}}
        hanging = {"bodies": {"rod": {"mesh": "arc.txt", "rod": {"rod": rod}, "fixed": ["first_point", "last_point"]}}}
        for name, scene, travel in (("clamped", clamped, 0.02), ("hanging", hanging, 2e-3)):
            with self.subTest(name):
                run = self.simulate(json.dumps({"time": {"step": 0.02, "end": 0.6, "inertia": False}, "gravity": [0, 0, -9.81], "gravity_over": [{"time": 0, "factor": 0.01}, {"time": 0.5, "factor": 1}], **scene}), out=name)
                self.assertGreater(abs(run.history["rod.z"][-1] - run.history["rod.z"][0]), travel)
                self.assertNotIn("drifts", run.errors)

    def test_a_body_that_touches_nothing_is_not_told_of_friction(self):
        """It is held at one vertex, about which it turns."""
        self.write("block.msh", box_text((3, 3, 2), (0.1, 0.1, 0.05), points={"corner": lambda x: numpy.linalg.norm(x) < 1e-9}))
        block = {"mesh": "block.msh", "solid": SOLID, "fixed": "corner", "loads": {"turn": {"torque": [0, 0, 1e-4]}}}
        run = self.simulate(json.dumps({"time": {"step": STEP, "end": 10 * STEP, "inertia": False}, "bodies": {"block": block}}))
        self.assertRegex(run.errors, r"it has turned by [0-9.]+ degrees about \([0-9., -]+\) by t = [0-9.]+ s, and no support, joint, spring or contact resists that motion\. How far")
        self.assertNotIn("friction", run.errors.split("drifts")[1].split("run it with inertia")[0])


if __name__ == "__main__":
    unittest.main()
