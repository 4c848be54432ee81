"""Friction of bodies whose pressure fields meet: coefficients of both sides together, against those of a contact, closed forms, ranks and a restart."""

import math
import unittest

from closed_forms import expect_closed_form
from traction_runs import RefusalTest, ShortRunTest, box_text, line_of

GRAVITY, DEGREES = 9.81, 20.0
EDGE, DENSITY, MODULUS, THICKNESS = 0.1, 1000, 1e8, 0.02   # so hard that rocking adds little to the speed
SLOPE = math.radians(DEGREES)
DEPTH = DENSITY * EDGE * GRAVITY * math.cos(SLOPE) * THICKNESS / MODULUS   # depth of a box at rest on the layer


def together(a, b):
    return 2 * a * b / (a + b)


def on_slope(frictions, floor, contacts, end=0.3, extra=""):
    """Boxes beside each other on a soft layer, in coordinates along the slope. The boxes are rigid where they have no friction of their own."""
    bodies = "".join(f"  {name}: {{mesh: box.msh, rigid: {{density: {DENSITY}}}, initial: {{translate: [0, {0.3 * k}, {-DEPTH!r}]}}}}\n" for k, name in enumerate(frictions))
    # Ten thousand times as hard as the layer, such a box is hardly pressed in.
    fields = "".join(f"  {name}: {{modulus: {1e4 * MODULUS}, shape: box, size: [{EDGE}, {EDGE}, {EDGE}], friction: {mu}}}\n" for name, mu in frictions.items() if mu is not None)
    return f"""\
gravity: [{GRAVITY * math.sin(SLOPE)!r}, 0, {-GRAVITY * math.cos(SLOPE)!r}]
time: {{step: 2e-3, end: {end}{extra}}}
bodies:
{bodies}surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
pressure_fields:
{fields}  floor: {{modulus: {MODULUS}, dissipation: 2, thickness: {THICKNESS}{'' if floor is None else f', friction: {floor}'}}}
pressure_contacts:
{contacts}solver: {{tolerance: 1e-9}}
"""


class PressureFriction(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("box.msh", box_text((1, 1, 1), (EDGE, EDGE, EDGE)))

    def expect_slide(self, row, name, friction, end, case):
        expect_closed_form(self, field="friction", case=f"box slides on a soft plane at 20°, {case}: speed", source="g (sin θ − μ cos θ) t, μ = 2 a b / (a + b)",
                           expected=GRAVITY * (math.sin(SLOPE) - friction * math.cos(SLOPE)) * end, got=row[f"{name}.vx"], tolerance=0.01, mesh="a plane of one cell", step="2 ms")

    def test_bodies_of_three_frictions_slide_on_one_plane_on_ranks_and_restarted(self):
        frictions, floor, end = {"ice": 0.05, "oak": 0.3, "tar": 0.6}, 0.2, 0.3
        scene = on_slope(frictions, floor, "  all: {all: true, friction: {tolerance: 1e-4}}\n", end)
        rows = [self.simulate(scene, ranks=ranks, out=f"ranks_{ranks}").last_row() for ranks in (1, 2, 4)]
        for name, friction in frictions.items():
            self.expect_slide(rows[0], name, together(friction, floor), end, f"μ = {friction} on {floor}")
        # Each box presses with its weight, and is held back by its own friction.
        weight = DENSITY * EDGE**3 * GRAVITY * math.cos(SLOPE)
        self.assertAlmostEqual(rows[0]["all.fz"], 3 * weight, delta=0.02 * weight)
        self.assertAlmostEqual(rows[0]["all.fx"], -sum(together(mu, floor) for mu in frictions.values()) * weight, delta=0.01 * weight)
        self.simulate(scene, ranks=2, out="part", sets={"output.checkpoint_every": "{steps: 75}"})
        sorted((self.folder / "part/checkpoints").iterdir())[-1].unlink()
        rows.append(self.resume(out="part", ranks=4).last_row())
        for row in rows[1:]:
            for name in (f"{body}.{c}" for body in frictions for c in ("x", "y", "z", "vx", "vy", "vz", "qx", "qy", "qz")):
                self.assertAlmostEqual(row[name], rows[0][name], delta=1e-8, msg=name)

    def test_who_gives_the_coefficient(self):
        """A pair by name has its contact's coefficient. In a group the contact's one is that of sides without their own."""
        end = 0.1
        named = on_slope({"ice": 0.05, "own": 0.6, "bare": None}, 0.2, """\
  both: {between: [floor, ice]}
  own: {between: [own, floor], friction: {dynamic: 0.1, tolerance: 1e-4}}
  bare: {between: [bare, floor], friction: {dynamic: 0.15, tolerance: 1e-4}}
""", end)
        row = self.simulate(named, out="named").last_row()
        for name, friction, case in (("ice", together(0.05, 0.2), "both have a coefficient"), ("own", 0.1, "coefficient of the contact"), ("bare", 0.15, "coefficient of the contact, rigid")):
            self.expect_slide(row, name, friction, end, case)
        group = on_slope({"ice": 0.05, "tar": 0.6}, None, "  all: {all: true, friction: {dynamic: 0.2, tolerance: 1e-4}}\n", end)
        outcome = self.simulate(group, out="group")
        for name, mu in (("ice", 0.05), ("tar", 0.6)):
            self.expect_slide(outcome.last_row(), name, together(mu, 0.2), end, f"μ = {mu} on the contact's 0.2")
        self.assertNotIn("has no effect", outcome.errors + outcome.output)

    def test_the_scene_that_is_printed_has_the_same_friction(self):
        scene = on_slope({"ice": 0.05}, 0.2, "  slide: {between: [ice, floor], friction: {tolerance: 1e-4}}\n", 0.01)
        outcome = self.simulate(scene)
        self.assertNotIn("dynamic", outcome.report["scene"]["pressure_contacts"]["slide"]["friction"])
        self.assertEqual(outcome.report["scene"]["pressure_fields"]["ice"]["friction"], 0.05)
        self.assertNotIn("friction", self.simulate(on_slope({"ice": 0.05}, 0.2, "  slide: {between: [ice, floor]}\n", 0.01), out="plain").report["scene"]["pressure_contacts"]["slide"])

    def test_coefficients_without_effect_or_in_percent_are_warned_of(self):
        outcome = self.simulate(on_slope({"ice": 50}, 0.2, "  slide: {between: [ice, floor], friction: {dynamic: 0.1}}\n", 0.01))
        self.assertIn("pressure_fields.ice: a friction coefficient of 50 is far above", outcome.errors)
        for name in ("ice", "floor"):
            self.assertIn(f"the friction of '{name}' has no effect, because all of its contacts have a coefficient of their own", outcome.errors)

    def test_what_slides_without_inertia_is_named_by_its_own_friction(self):
        """The coefficient of ice, 0.082, cannot bear tan 20° = 0.364; that of tar, 0.6, can."""
        scene = on_slope({"ice": 0.045, "tar": 0.9}, 0.45, "  all: {all: true, friction: {tolerance: 1e-6}}\n", 0.1, ", inertia: false, maximum_halvings: 3").replace("step: 2e-3", "step: 0.05")
        for ranks in (1, 2):
            outcome = self.run_program("run", scene, ranks=ranks, out=f"out_{ranks}")
            self.assertEqual(outcome.code, 3, outcome.errors)
            self.assertIn("body 'ice' has no equilibrium", outcome.errors)
            self.assertNotIn("body 'tar' has", outcome.errors)


class Refused(RefusalTest):
    def test_coefficients_that_are_missing_or_contradict_each_other(self):
        self.write("box.msh", box_text((1, 1, 1), (EDGE, EDGE, EDGE)))
        both = {"ice": 0.05, "tar": 0.6}
        table = "friction: {table: {speeds: [0, 1], coefficients: [0.5, 0.4]}}"
        for frictions, floor, contact, line, expected in (
                ({"ice": 0.05}, None, "between: [ice, floor]", "touch:", ["pressure_contacts.touch", "'floor' has none", "give 'floor' a 'friction'", "friction: {dynamic: ...}"]),
                ({"ice": 0.05}, None, "between: [ice, floor], friction: {tolerance: 1e-4}", "touch:", ["'floor' has none"]),
                ({"bare": None}, 0.2, "between: [bare, floor]", "touch:", ["'bare' has none; give this contact friction"]),
                (both, None, "all: true", "touch:", ["'floor' has none", "sides without their own"]),
                (both, None, "all: true, friction: {viscous: 1}", "touch:", ["'floor' has none"]),
                ({"bare": None}, None, "between: [bare, floor], friction: {tolerance: 1e-4}", "touch:", ["friction.dynamic", "is missing", "under 'pressure_fields'"]),
                (both, 0.2, "all: true, friction: {dynamic: 0.1, static: 0.2}", "touch:", ["friction.static", "cannot be combined with the friction that 'ice' has"]),
                (both, 0.2, f"all: true, {table}", "touch:", ["friction.table", "cannot be combined with the friction that 'ice' has"]),
                (both, 0.2, "between: [ice, floor], friction: {static: 0.2}", "touch:", ["friction.static", "nothing to act on without 'dynamic'"]),
                ({"ice": -0.05}, 0.2, "between: [ice, floor]", "  ice: {modulus", ["pressure_fields.ice.friction"]),
        ):
            scene = on_slope(frictions, floor, f"  touch: {{{contact}}}\n", 0.01)
            path = self.write("scene.yaml", scene)
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], [f"scene.yaml:{line_of(scene, line)}", *expected], ranks)


if __name__ == "__main__":
    unittest.main()
