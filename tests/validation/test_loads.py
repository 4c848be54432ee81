"""Loads and reactions in the history of whole runs, whole and resumed."""

import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import BlockTest, ShortRunTest, box_text, gmsh_text

SCENE = """\
time: {step: 0.05, end: 1, integrator: backward_euler}
gravity: [0, 0, -9.81]
bodies:
  block:
    mesh: block.msh
    solid:
      solid: {youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}
    fixed: bottom
    loads:
      push: {region: surface, force: [3, 0, 0], over: [{time: 0, factor: 0}, {time: 0.2, factor: 1}]}
      squeeze: {region: surface, pressure: 200}
      shear: {region: bottom, traction: [0, 10, 0]}
solver: {tolerance: 1e-11}
"""
WEIGHT = 9.81 * 1000 * 0.12 * 0.1 * 0.1   # [N]
AREA = 0.12 * 0.1                         # area of the bottom [m^2]

PULSE = "[{time: 0, factor: 0}, {time: 0.0515, factor: 0}, {time: 0.0525, factor: 1}, {time: 0.0535, factor: 0}]"   # its integral is 1 ms
PULSES = f"""\
time: {{step: 0.01, end: 0.1, integrator: INTEGRATOR}}
gravity: [0, 0, -1000]
gravity_over: {PULSE}
bodies:
  block:
    mesh: block.msh
    rigid: {{density: 1000}}
    loads: {{push: {{force: [120, 0, 0], over: {PULSE}}}}}
joints:
  guide: {{kind: slider, between: block, at: [0, 0, 0], axis: [3, 0, 4], motor: {{force: 60, over: {PULSE}}}}}
"""


def layers_text():
    """A cube of 0.1 m: region solid below, high above."""
    lines = box_text((1, 1, 2), (0.1, 0.1, 0.1)).splitlines()
    at = lines.index("$PhysicalNames")
    lines[at + 1:at + 2] = [str(int(lines[at + 1]) + 1), '3 9 "high"']
    tetrahedra = [i for i, line in enumerate(lines) if line.split()[1:3] == ["4", "2"]]
    for i in tetrahedra[len(tetrahedra) // 2:]:
        words = lines[i].split()
        lines[i] = " ".join(words[:3] + ["9", "9"] + words[5:])
    return "\n".join(lines) + "\n"


LAYERS = """\
time: {step: 1e-3, end: 2e-3}
bodies:
  block:
    mesh: layers.msh
    ORDER
    solid:
      solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 10000}
      high: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 100}
    loads:
      lift: {region: high, body_force: [0, 0, 10]}
      pull: {region: solid, body_force: [0, 0, -10]}
springs: {weak: {from: block.high, anchor: [0.05, 0.05, 1.075], stiffness: 1e-6}}
"""


SHEET = """\
time: {step: 1e-3, end: 1e-3}
bodies:
  sheet:
    mesh: sheet.msh
    shell: {s: {youngs_modulus: 1e6, poisson_ratio: 0, density: 1000, thickness: 5e-3}}
    loads: {wind: {region: s, pressure: 1}}
"""


class PressureOnSheet(ShortRunTest):
    def test_it_pushes_against_most_of_the_area(self):
        """72 triangles on 1 m^2 with normals along +z: 1 Pa pushes with -1 N, whichever few of them are turned over."""
        n = 6
        points = [(i / n, j / n, 0.0) for i in range(n + 1) for j in range(n + 1)]
        corners = [(a, a + n + 1, a + n + 2, a + 1) for a in (i * (n + 1) + j for i in range(n) for j in range(n))]
        triangles = [t for a, b, c, d in corners for t in ((1, a, b, c), (1, a, c, d))]
        for turned in ((), (0,), (5,), (0, 1, 2, 40), tuple(range(40))):
            mesh = [(t[0], t[2], t[1], t[3]) if i in turned else t for i, t in enumerate(triangles)]
            self.write("sheet.msh", gmsh_text(points, [], mesh, {1: (2, "s")}))
            most_up = len(turned) < 36
            for ranks in (1, 2):
                outcome = self.simulate(SHEET, ranks=ranks)
                self.assertAlmostEqual(outcome.history["sheet.wind.fz"][-1], -1 if most_up else 1, delta=1e-6)
                count = len(turned) if most_up else 72 - len(turned)
                words = f"bodies.sheet.loads.wind: {count} of the 72 triangles of region 's' point to the other side than most of its area"
                self.assertEqual(outcome.errors.count(words), 1 if turned else 0, outcome.errors)


class Loads(BlockTest):
    def test_the_support_carries_all_loads(self):
        run = self.simulate(SCENE)
        last = run.last_row()
        self.assertAlmostEqual(last["block.push.fx"], 3, delta=1e-12)
        self.assertAlmostEqual(last["block.shear.fy"], 10 * AREA, delta=1e-12)
        for component in ("fx", "fy", "fz", "power"):
            self.assertAlmostEqual(last[f"block.squeeze.{component}"], 0, delta=1e-7)
        for component, force in (("fx", -3), ("fy", -10 * AREA), ("fz", WEIGHT)):
            expect_closed_form(self, field="elasticity", case=f"support of a loaded block: {component}", source="the loads' sum; none of the pressure", expected=force,
                               got=last[f"block.bottom.{component}"], tolerance=1e-5, mesh="4 × 3 × 3 cells", step="backward_euler until rest")
        # About the origin, a corner of the bottom: the weight acts at (0.06, 0.05), the push at half the height, all but for the deformation.
        self.assertAlmostEqual(last["block.bottom.mx"], 0.05 * WEIGHT, delta=0.02 * WEIGHT * 0.1)
        self.assertAlmostEqual(last["block.bottom.my"], -0.06 * WEIGHT - 3 * 0.05, delta=0.02 * WEIGHT * 0.1)
        self.assertAlmostEqual(run.history["block.push.fx"][1], 1.5, delta=1e-12)   # at 0.1 s
        # The work of the push is what its power integrates to.
        self.assertGreater(run.history["block.push.power"][1], 0)
        self.assertLess(last["load_energy"], 0)

    def test_pulses_between_two_steps(self):
        """The whole impulse of forces that act for 2 ms between the ends of steps of 10 ms: steps end at the corners of loads, gravity and motors."""
        mass = 1000 * 0.12 * 0.1 * 0.1
        for ranks, integrator in ((1, "tr_sdirk2"), (2, "tr_sdirk2"), (1, "bdf2"), (1, "sdirk2")):
            run = self.simulate(PULSES.replace("INTEGRATOR", integrator), ranks=ranks, out=f"pulses_{integrator}_{ranks}")
            # The guide lets through what acts along it: 120 N and a weight of 1000 m/s^2, beside the motor's 60 N, for 1 ms.
            along = 1e-3 * ((120 * 0.6 + 60) / mass - 1000 * 0.8)
            row = run.last_row()
            self.assertAlmostEqual(row["block.vx"], along * 0.6, delta=1e-4)
            self.assertAlmostEqual(row["block.vz"], along * 0.8, delta=1e-4)
            for corner in (0.0515, 0.0525, 0.0535):
                self.assertIn(corner, run.history["time"])

    def test_force_per_mass_on_a_part_of_a_body(self):
        """Neighbours share vertices with the part, and none of the force: it acts on 0.05 kg above and 5 kg below."""
        self.write("layers.msh", layers_text())
        for order, ranks in (("", 1), ("", 2), ("order: 2", 1), ("order: 2", 2)):
            row = self.simulate(LAYERS.replace("ORDER", order), ranks=ranks, out=f"layers_{order[-1:]}_{ranks}").last_row()
            self.assertAlmostEqual(row["block.lift.fz"], 0.5, delta=1e-9)
            self.assertAlmostEqual(row["block.pull.fz"], -50, delta=1e-9)
            self.assertAlmostEqual(row["block.vz"], -49.5 / 5.05 * 2e-3, delta=1e-6)
            self.assertAlmostEqual(row["weak.length"], 1, delta=1e-3)   # from the center of the upper part, which moves by 0.1 mm

    def test_resumed(self):
        whole = self.simulate(SCENE, out="whole")
        self.simulate(SCENE, sets={"time.end": 0.5})
        parts = self.resume(sets={"time.end": 1})
        self.assertEqual(list(parts.history), list(whole.history))
        for name in (name for name in whole.history if name.count(".") == 2):
            column = whole.history[name]
            numpy.testing.assert_allclose(parts.history[name], column, rtol=1e-9, atol=1e-8, err_msg=name)

    def test_mistakes(self):
        for old, new, words in (("region: surface, pressure", "region: solid, pressure", "pressure acts on surfaces"), ("region: bottom, traction", "region: base, traction", "has no region 'base'"),
                                ("region: bottom, traction", "region: bottom, body_force", "region 'bottom' of 'block' has no mass")):
            outcome = self.run_program("run", SCENE.replace(old, new), out="refused")
            self.assertEqual(outcome.code, 2, outcome.errors)
            self.assertIn(words, outcome.errors)


if __name__ == "__main__":
    unittest.main()
