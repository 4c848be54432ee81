"""Runs with integrator: asynchronous: what they keep, how they continue, and what they refuse."""

import re
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import BLOCK_SCENE, BlockTest, RefusalTest, box_text, line_of

FIELD = "asynchronous contact"
SCENE = BLOCK_SCENE.replace("end: 0.03}", "end: 0.03, integrator: asynchronous, asynchronous: {safety: 0.1, contact_safety: 0.05}}")
# A second block falls on the first one, which lies on the floor's layers: faces, edges and vertices of matching meshes meet.
TWO_BLOCKS = SCENE.replace("surfaces:", """\
  other:
    mesh: block.msh
    solid:
      solid: {youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}
    initial: {translate: [0.02, 0.01, 0.14], velocity: [0, 0, -4]}
surfaces:""").replace("landing: {vertices: block.bottom, against: floor, thickness: 1e-3, stiffness: 1e3, friction: {dynamic: 0.5, tolerance: 1e-2}}", "everything: {all: true, thickness: 2e-3}")


def energy(history):
    return sum(values for name, values in history.items() if name.endswith("_energy"))


class Asynchronous(BlockTest):
    def setUp(self):
        super().setUp()
        self.scene = self.write("scene.yaml", SCENE)

    def test_blocks_meet(self):
        """Without friction and restitution nothing is lost; nothing comes nearer than the last layers."""
        history = self.simulate(self.write("two.yaml", TWO_BLOCKS)).history
        self.assertGreater(history["contacts"].max(), 50)
        self.assertGreater(history["layers"].max(), 3)
        self.assertGreater(history["min_gap"].min(), 0.2 * 2e-3)
        total = energy(history)
        expect_closed_form(self, field=FIELD, case="block that falls on a block: largest change of energy", source="none is lost or gained", expected=0, got=abs(total - total[0]).max(), scale=total[0],
                           tolerance=0.01, mesh="2 × 2 × 2 cells each", step="a tenth of each element's limit")
        self.assertGreater(history["events_certificates"].sum(), 0)
        mass = 0.12 * 0.1 * 0.1 * 1000
        given = numpy.sum(history["everything.fz"] * history["dt"])  # by the floor alone: forces between the blocks cancel
        gained = history["momentum_z"][-1] + mass * (1 + 4)
        expect_closed_form(self, field=FIELD, case="block that falls on a block: impulse of the floor, from the contact of all", source="Σ m g t + Δp", expected=2 * mass * 9.81 * history["time"][-1] + gained,
                           got=given, tolerance=1e-9, mesh="2 × 2 × 2 cells each", step="a tenth of each element's limit")
        for axis in "xy":  # the floor has no friction
            momentum = history[f"momentum_{axis}"]
            expect_closed_form(self, field=FIELD, case=f"block that falls on a block: largest change of momentum along {axis}", source="is kept", expected=0, got=abs(momentum - momentum[0]).max(),
                               scale=10, tolerance=1e-12, mesh="2 × 2 × 2 cells each", step="a tenth of each element's limit")

    def test_round_containers_keep_what_is_in_them(self):
        for shape in ("sphere: {center: [0, 0, 0], radius: 0.3, inside: true}", "cylinder: {point: [0, 0, 0], axis: [0, 0, 1], radius: 0.3, inside: true}"):
            with self.subTest(shape):
                scene = SCENE.replace("plane: {point: [0, 0, 0], normal: [0, 0, 1]}", shape)
                scene = scene.replace("translate: [0, 0, 0.012], velocity: [0.5, 0.1, -1], angular_velocity: [0, 1, 0.5]", "translate: [-0.06, -0.05, -0.05], velocity: [15, 10, -4]")
                scene = scene.replace("landing: {vertices: block.bottom, against: floor,", "landing: {vertices: block, against: floor,").replace(", stiffness: 1e3,", ",")
                history = self.simulate(self.write("round.yaml", scene), sets={"bodies.block.solid.solid.youngs_modulus": 1e7}, out=shape.split(":")[0]).history
                self.assertGreater(history["contacts"].max(), 0)
                self.assertGreater(history["min_gap"].min(), 0)
                self.assertLess(history["block.vx"].min(), 0)   # it has bounced
                self.assertLess(numpy.hypot(history["block.x"], history["block.y"]).max(), 0.3)

    def test_held_regions_carry_what_presses_on_them(self):
        """A block bounces off another one that is held as a whole: the impulse of the support equals that of both weights plus the momentum that the falling block gains."""
        scene = TWO_BLOCKS.replace("translate: [0.02, 0.01, 0.14], velocity: [0, 0, -4]", "translate: [0.02, 0.01, 0.115], velocity: [0, 0, -1]")
        scene = scene.replace("initial: {translate: [0, 0, 0.012], velocity: [0.5, 0.1, -1], angular_velocity: [0, 1, 0.5]}", "initial: {translate: [0, 0, 0.012]}\n    fixed: solid", 1)
        history = self.simulate(self.write("held.yaml", scene)).history
        mass = 0.12 * 0.1 * 0.1 * 1000
        given = numpy.sum(history["block.solid.fz"] * history["dt"])
        expected = 2 * mass * 9.81 * history["time"][-1] + mass * (history["other.vz"][-1] + 1)
        self.assertGreater(history["other.vz"][-1], 0.3)
        expect_closed_form(self, field=FIELD, case="block that bounces off a held one: impulse of the support", source="Σ m g t + m Δv", expected=expected, got=given, tolerance=1e-6,
                           mesh="2 × 2 × 2 cells each", step="a tenth of each element's limit")

    def test_oblique_supports_push_along_their_own_directions(self):
        """A block bounces off another one that is held along two directions that are not perpendicular, each by a region of its own, and along y: what the blocks gain of momentum is the sum of two
        impulses along these directions, which determines both."""
        self.write("held.msh", box_text((1, 1, 1), (0.12, 0.1, 0.1), faces={"all": lambda x: True}))
        first, second = numpy.array([0.6, 0, 0.8]), numpy.array([-5, 0, 12]) / 13
        scene = TWO_BLOCKS.replace("translate: [0.02, 0.01, 0.14], velocity: [0, 0, -4]", "translate: [0.02, 0.01, 0.115], velocity: [0.2, 0, -1]")
        scene = scene.replace("initial: {translate: [0, 0, 0.012], velocity: [0.5, 0.1, -1], angular_velocity: [0, 1, 0.5]}",
                              "initial: {translate: [0, 0, 0.012]}\n    fixed: [{region: solid, normal: [3, 0, 4]}, {region: surface, normal: [-5, 0, 12]}, {region: all, components: y}]", 1)
        scene = scene.replace("block.msh", "held.msh", 1).replace("everything: {all: true, thickness: 2e-3}", "everything: {vertices: other, against: block, thickness: 2e-3}")
        history = self.simulate(self.write("oblique.yaml", scene)).history
        impulses = {region: numpy.array([numpy.sum(history[f"block.{region}.f{axis}"] * history["dt"]) for axis in "xyz"]) for region in ("solid", "surface")}
        mass = 0.12 * 0.1 * 0.1 * 1000
        gained = numpy.array([history[f"momentum_{axis}"][-1] for axis in "xz"]) - mass * numpy.array([0.2, -1]) + numpy.array([0, 2 * mass * 9.81 * history["time"][-1]])
        sizes = numpy.linalg.solve(numpy.column_stack([first[[0, 2]], second[[0, 2]]]), gained)
        self.assertGreater(history["other.vz"][-1], 0.3)
        for region, direction, size, angle in (("solid", first, sizes[0], "37°"), ("surface", second, sizes[1], "-23°")):
            expect_closed_form(self, field=FIELD, case=f"block that bounces off one on two oblique supports: error of the impulse of that at {angle}", source="Σ m g t + Σ m Δv = a n₁ + b n₂", expected=0,
                               got=numpy.linalg.norm(impulses[region] - size * direction), scale=numpy.linalg.norm(gained), tolerance=1e-9, mesh="1 cell, and 4 × 3 × 3", step="a tenth of each element's limit")

    def test_energy_that_long_steps_add_is_told(self):
        for safety, told in ((0.5, True), (0.2, False)):
            with self.subTest(safety=safety):
                outcome = self.simulate(self.write("two.yaml", TWO_BLOCKS), sets={"time.asynchronous.safety": safety, "time.asynchronous.contact_safety": safety, "time.step": 5e-4}, out=f"out{safety}")
                total, gained = energy(outcome.history), outcome.history["energy_gained"]
                print(f"\n  safety {safety}: {gained[-1] / outcome.history['kinetic_energy'].max():.4f} of the largest kinetic energy", flush=True)
                numpy.testing.assert_allclose(gained[1:], total[1:] - total[0], rtol=0, atol=1e-6 * total[0])
                self.assertEqual("the steps of asynchronous integration have added" in outcome.output + outcome.errors, told)

    def test_continued_runs_are_the_same_to_the_last_bit(self):
        whole = self.simulate(self.scene, out="whole")
        self.assertGreater(whole.history["contacts"].max(), 0)
        self.assertGreater(whole.history["lost_by_friction"][-1], 0)
        self.simulate(self.scene, sets={"time.end": 0.014}, out="parts")
        parts = self.resume(sets={"time.end": 0.03}, out="parts")
        for name, values in whole.history.items():
            if name not in ("events_contact", "events_certificates", "events_courses"):  # certificates are made anew, which changes nothing else
                numpy.testing.assert_array_equal(values, parts.history[name], err_msg=name)
        # Counts are those of each run, not of what it continues.
        self.assertEqual(whole.report["costs"]["events_elastic"], whole.history["events_elastic"].sum())

    def test_what_changed_settings_add_is_no_gain_of_the_steps(self):
        first = self.simulate(self.scene, sets={"time.end": 0.004}).last_row()
        outcome = self.resume(sets={"time.end": 0.006, "gravity": "[0, 0, -98.1]"})
        added = 9 * first["gravity_energy"]
        self.assertAlmostEqual(outcome.report["energy_balance"]["changed_settings"], added, delta=1e-6 * added)
        self.assertEqual(outcome.errors.count("the changed settings have added"), 1, outcome.errors)
        self.assertLess(abs(outcome.history["energy_gained"][-1] - first["energy_gained"]), 1e-3 * added)

    def test_written_scenes_can_be_read_again(self):
        first = self.simulate(self.scene, sets={"time.end": 0.002}, out="first")
        again = self.simulate((first.directory / "scene.yaml").read_text(), out="again")
        numpy.testing.assert_array_equal(first.history["block.z"], again.history["block.z"])

    def test_the_estimate_counts_the_events_of_elements(self):
        """The elements' events of a run are those that `check --estimate` prints before it, to its three digits."""
        foretold = self.run_program("check", self.scene, options=["--estimate"])
        self.assertEqual(foretold.code, 0, foretold.errors)
        line = next(line for line in foretold.output.splitlines() if line.startswith("# events: "))
        counts = dict((kind, float(number)) for number, kind in re.findall(r"([0-9.e+]+) ([a-z_]+)[,;]", line))
        history = self.simulate(self.scene).history
        self.assertEqual(set(counts), {"elastic", "gravity"})
        for kind, count in counts.items():
            self.assertAlmostEqual(history[f"events_{kind}"].sum() / count, 1, delta=0.006)

    def test_restitution_of_two_bodies(self):
        """Two blocks of one cell meet, face to face, on a layer so soft that they hardly ring: they separate with `restitution` times the speed at which they met, and keep
        their momentum."""
        self.write("cell.msh", box_text((1, 1, 1), (0.12, 0.1, 0.1)))
        for ratio in (0.3, 0.6, 0.9):
            scene = f"""\
time: {{step: 1e-2, end: 5, integrator: asynchronous, asynchronous: {{safety: 0.2, contact_safety: 0.02}}}}
bodies:
  left: {{mesh: cell.msh, solid: {{solid: {{youngs_modulus: 1e10, poisson_ratio: 0.3, density: 1000}}}}, initial: {{velocity: [3e-3, 0, 0]}}}}
  right: {{mesh: cell.msh, solid: {{solid: {{youngs_modulus: 1e10, poisson_ratio: 0.3, density: 2000}}}}, initial: {{translate: [0.125, 0, 0], velocity: [-1.5e-3, 0, 0]}}}}
contacts: {{meet: {{both: [left, right], thickness: 4e-3, stiffness: 0.4, restitution: {ratio}}}}}
"""
            history = self.simulate(self.write("meet.yaml", scene), out=f"restitution_{ratio}").history
            self.assertEqual(history["contacts"][-1], 0)
            apart = history["right.vx"][-1] - history["left.vx"][-1]
            expect_closed_form(self, field=FIELD, case=f"blocks that collide with a restitution of {ratio}: speed of separation over speed of approach", source="e", expected=ratio,
                               got=apart / 4.5e-3, tolerance=0.02, mesh="1 cell each, E = 10 GPa", step="a fifth of each element's limit")
            expect_closed_form(self, field=FIELD, case=f"blocks that collide with a restitution of {ratio}: sum of momenta", source="is kept", expected=0,
                               got=1.2 * history["left.vx"][-1] + 2.4 * history["right.vx"][-1], scale=1.2 * 3e-3, tolerance=1e-9, mesh="1 cell each, E = 10 GPa",
                               step="a fifth of each element's limit")

    def test_free_fall_is_exact(self):
        """Half a drift, a kick, half a drift: parabolas have no error, whatever the step."""
        history = self.simulate(self.scene, sets={"time.end": 0.01, "time.step": 5e-3, "time.asynchronous.longest": "{block: 5e-3}"}).history
        t = history["time"]
        numpy.testing.assert_allclose(history["block.z"] - history["block.z"][0] + (-1) * t[0] - 9.81 * t[0] ** 2 / 2, -t - 9.81 * t**2 / 2, atol=1e-12)
        expect_closed_form(self, field=FIELD, case="free fall of a block", source="v t + g t²/2", expected=-t[-1] - 9.81 * t[-1] ** 2 / 2 + t[0] + 9.81 * t[0] ** 2 / 2,
                           got=history["block.z"][-1] - history["block.z"][0], tolerance=1e-10, mesh="2 × 2 × 2 cells", step="5 ms")


class Refusals(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((2, 2, 2), (0.12, 0.1, 0.1)))

    def refuse(self, scene, place, *expected, ranks=1):
        self.write("scene.yaml", scene)
        self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], (f"scene.yaml:{line_of(scene, place)}", *expected) if place else expected, ranks)

    def test_what_has_no_clock(self):
        contact = "thickness: 1e-3"
        for change, message in (("potential: log_barrier", "potential"), ("damping: 3", "give `restitution`"), ("pressure: 1e4", "pressure"), ("friction: {dynamic: 0.5, static: 0.6, tolerance: 1e-2}", "kinetic")):
            scene = SCENE.replace(", friction: {dynamic: 0.5, tolerance: 1e-2}", "").replace("stiffness: 1e3, ", "").replace(", stiffness: 1e3", "").replace(contact, f"{contact}, {change}")
            with self.subTest(change=change):
                self.refuse(scene, "landing:", message)
        moving = SCENE.replace("normal: [0, 0, 1]}}", "normal: [0, 0, 1]}, motion: {velocity: [0, 0, 1]}}")
        self.refuse(moving, "landing:", "'floor' moves", "mesh")
        rigid = SCENE.replace("    solid:\n      solid: {youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}\n", "    rigid: {density: 1000}\n")
        self.refuse(rigid, "rigid:", "a rigid body", "another time.integrator")

    def test_what_ties_bodies_together(self):
        rigid = SCENE.replace("    solid:\n      solid: {youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}\n", "    rigid: {density: 1000}\n").partition("contacts:\n")[0]
        for scene, settings, line, what in (
                (TWO_BLOCKS, "attachments: {glue: {vertices: other.bottom, to: block, largest_gap: 1}}", "attachments:", "attachments.glue: an attachment"),
                (TWO_BLOCKS, "joints: {socket: {kind: ball, between: [other, block], at: [0.1, 0.1, 0.1]}}", "joints:", "joints.socket: a joint"),
                # Pressure fields press on rigid bodies alone, which are refused first.
                (rigid, "pressure_fields: {floor: {modulus: 1e5, thickness: 0.01}}\npressure_contacts: {bed: {between: [block, floor]}}", "rigid:", "bodies.block.rigid: a rigid body")):
            for ranks in (1, 2):
                with self.subTest(settings=settings, ranks=ranks):
                    self.refuse(scene.replace("surfaces:", f"{settings}\nsurfaces:"), line, f"{what} has no clock of its own in integrator: asynchronous", "choose another time.integrator, or leave it out", ranks=ranks)

    def test_equilibrium_at_the_start(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                self.refuse(SCENE.replace("translate: [0, 0, 0.012]", "equilibrium: true, translate: [0, 0, 0.012]"), "    initial:", "bodies.block.initial.equilibrium", "finds no equilibrium",
                            "run the scene with another integrator for a step, and start from its last frame", ranks=ranks)

    def test_elements_without_a_stable_step(self):
        """A block that is so stiff that a step is less than 1e-12 of the run."""
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                self.refuse(SCENE.replace("youngs_modulus: 1e5", "youngs_modulus: 1e30"), "    mesh: block.msh", "body 'block' has an element without a stable step near (", "its largest one is",
                            "repair the mesh, or choose another time.integrator", ranks=ranks)

    def test_clocks_that_would_never_reach_the_end(self):
        for clocks, place, number in (("longest: {block: 1e-300}", "time.asynchronous.longest.block", "1e-300 s"), ("safety: 1e-200", "time.asynchronous.safety", "s, more than 1e12")):
            for ranks in (1, 2):
                with self.subTest(clocks=clocks, ranks=ranks):
                    self.refuse(SCENE.replace("safety: 0.1, contact_safety: 0.05", clocks), None, place, "more than 1e12", number, ranks=ranks)

    def test_settings_of_other_integrators(self):
        self.refuse(SCENE.replace("end: 0.03", "end: 0.03, maximum_halvings: 3"), "time:", "time.maximum_halvings: has no effect", "an integrator that solves steps")
        self.refuse(SCENE.replace("step: 1e-3", "step: [{from: 0, step: 1e-3}, {from: 0.01, step: 1e-4}]"), "time:", "is one number")
        self.refuse(SCENE.replace(", integrator: asynchronous, asynchronous: {safety: 0.1, contact_safety: 0.05}", "").replace("stiffness: 1e3", "stiffness: 1e3, restitution: 0.5"), "landing:", "restitution is for integrator: asynchronous")

    def test_what_touches_at_the_start(self):
        self.refuse(SCENE.replace("translate: [0, 0, 0.012]", "translate: [0, 0, 0.0005]"), "landing:", "'floor' are 0.0005 m apart", "move them apart")

    def test_bodies_that_intersect_at_the_start(self):
        """The second block reaches 22 mm into the first one, which stands 12 mm above the floor."""
        for ranks in (1, 2):
            self.refuse(TWO_BLOCKS.replace("[0.02, 0.01, 0.14]", "[0.02, 0.01, 0.09]"), "everything:", "at the start block crosses other at (0.1", "move them apart", ranks=ranks)


if __name__ == "__main__":
    unittest.main()
