"""Runs without inertia: obstacles carry by friction what rests on them, at every step size, and rigid bodies find the equilibrium of what holds them."""

import math
import unittest

from traction_runs import RunTest, box_text

SIZE = 0.1      # [m]
# A cube on an obstacle or between obstacles, whose friction may let it creep by 1e-4 m/s.
SCENE = """\
time: {{step: {step}, end: {end}, inertia: false}}
gravity: [0, 0, -9.81]
bodies:
  block: {{mesh: block.msh, {kind}, initial: {{translate: {place}}}{more}}}
surfaces:
  floor: {{plane: {{}}{motion}}}
"""
SOLID = "solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}"
RIGID = "rigid: {density: 1000}"
CONTACT = """\
contacts:
  floor: {vertices: block.bottom, against: floor, thickness: 1e-3, friction: {dynamic: 0.5, tolerance: 1e-4}}
"""
FIELDS = """\
pressure_fields: {block: {modulus: 1e6}}
pressure_contacts:
  floor: {between: [block, floor], friction: {dynamic: 0.5, tolerance: 1e-4}}
"""


class Carried(RunTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((1, 1, 1), (SIZE, SIZE, SIZE), faces={"left": lambda x: x[0] == 0, "right": lambda x: x[0] == SIZE}))

    def scene(self, step, end, kind=SOLID, place="[0, 0, 5e-4]", motion="", contact=CONTACT, more=""):
        return SCENE.format(step=step, end=end, kind=kind, place=place, motion=motion and f", motion: {motion}", more=more) + contact

    def test_obstacle_that_stops(self):
        """A plane, or a box, moves by 0.1 m, in steps of which the last ends its motion. What it carries moves as far, without friction's work."""
        box = "{box: {lower: [-0.5, -0.5, -0.2], upper: [0.5, 0.5, 0]}"
        for name, contact, kind, place, floor in (("vertices", CONTACT, SOLID, "[0, 0, 5e-4]", None), ("edges", CONTACT, SOLID, "[0, 0, 5e-4]", box), ("field", FIELDS, RIGID, "[0, 0, -1e-4]", None)):
            ramp = "" if kind is RIGID else "ramp: 0.4, "
            for step, ranks in ((0.2, 1), (0.1, 2)):
                with self.subTest(contact=name, step=step):
                    scene = self.scene(step, 1.4, kind, place, f"{{velocity: [0.1, 0, 0], {ramp}stop: {1.2 if ramp else 1}}}", contact)
                    run = self.simulate(scene.replace("{plane: {}", floor) if floor else scene, ranks=ranks, out=f"{name}_{ranks}")
                    last = run.last_row()
                    self.assertAlmostEqual(last["block.x"] - SIZE / 2, 0.1, delta=2e-4)
                    self.assertLess(abs(last["work_friction"]), 2e-3)   # mu m g times the way is 0.49 J
                    self.assertLess(max(abs(run.history["floor.fx"])), 0.5)   # mu m g is 4.9 N

    def test_turntable(self):
        """One turn in 16 steps, or a quarter of it: the same distance from the axis, and an upright block. It starts far out of balance, and is not thrown off."""
        for gap, turns, ranks in ((5e-4, 1, 1), (9e-4, 1, 1), (5e-4, 0.25, 2), (9e-4, 0.25, 1)):
            with self.subTest(gap=gap, turns=turns, ranks=ranks):
                angle = 2 * math.pi * turns
                run = self.simulate(self.scene(0.2, 3.2, place=f"[0.3, 0, {gap}]", motion=f"{{angular_velocity: [0, 0, {angle / 3.2}]}}"), ranks=ranks, out=f"turn_{gap}_{turns}")
                for x, y, z in zip(*(run.history[f"block.{axis}"] for axis in "xyz")):
                    self.assertAlmostEqual(math.hypot(x, y), math.hypot(0.35, 0.05), delta=1e-4)
                    self.assertAlmostEqual(z, 0.05087, delta=2e-5)
                last = run.last_row()
                self.assertAlmostEqual(last["block.x"], 0.35 * math.cos(angle) - 0.05 * math.sin(angle), delta=2e-4)
                self.assertAlmostEqual(last["block.y"], 0.35 * math.sin(angle) + 0.05 * math.cos(angle), delta=2e-4)

    def test_continued_run(self):
        """A run that is continued in the middle of a motion ends as one without a pause, its balance included."""
        scene = self.scene(0.2, 1.4, motion="{velocity: [0.1, 0, 0], ramp: 0.4, stop: 1.2}")
        whole = self.simulate(scene, out="whole").last_row()
        self.simulate(scene, sets={"time.end": 0.6})
        continued = self.resume(sets={"time.end": 1.4}).last_row()
        for name in ("block.x", "block.vx", "floor.fx", "work_friction", "work_driven", "energy_numerical"):
            self.assertAlmostEqual(whole[name], continued[name], delta=1e-9)

    def test_rigid_body_on_springs(self):
        """A load of a thousandth of the weight, across a frictionless plane: its way is force over stiffness, as that of a solid is."""
        springs = "springs: {x: {from: block, anchor: [-0.95, 0.05, 0.0509], stiffness: 5}, y: {from: block, anchor: [0.05, -0.95, 0.0509], stiffness: 5}}\n"
        load = ", loads: {across: {force: [5e-3, 0, 0], over: [{time: 0, factor: 0}, {time: 1, factor: 1}]}}"
        for kind in (SOLID, RIGID):
            run = self.simulate(self.scene(0.1, 1, kind, "[0, 0, 9e-4]", contact=CONTACT.replace(", friction: {dynamic: 0.5, tolerance: 1e-4}", "") + springs, more=load))
            self.assertAlmostEqual((run.last_row()["block.x"] - SIZE / 2) / 1e-3, 1, delta=0.01)


if __name__ == "__main__":
    unittest.main()
