"""Warnings at the end of runs whose forces are not what a user takes them for: docs/theory/integrators.md, "Forces at the ends of steps", "Without inertia"."""

import unittest

from traction_runs import ShortRunTest, box_text

SIDE = 0.1
STEEL = "{youngs_modulus: 2e11, poisson_ratio: 0.3, density: 7850}"


class ForcesAtTheEndsOfSteps(ShortRunTest):
    SCENE = """\
time: {{step: {step}, end: {end}, integrator: {integrator}}}
gravity: [0, 0, {gravity}]
bodies: {{cube: {{mesh: cube.msh, solid: {{solid: {material}}}, {hold}}}}}
"""
    ACCELERATED = "driven: [{vertices: bottom, motion: {velocity: [1, 0, 0], ramp: 0.1}}]"

    def warnings(self, integrator, material=STEEL, hold=ACCELERATED, gravity=0, step=1e-3, end=0.05):
        self.write("cube.msh", box_text((2, 2, 2), (SIDE,) * 3))
        scene = self.SCENE.format(integrator=integrator, material=material, hold=hold, gravity=gravity, step=step, end=end)
        outcome = self.simulate(scene)
        return [line for line in (outcome.output + outcome.errors).splitlines() if "the forces at the step's end" in line], outcome.history

    def test_of_what_is_driven_with_an_acceleration_are_named(self):
        mass, acceleration = 7850 * SIDE ** 3, 10
        for integrator, named in (("sdirk2", 1), ("sdirk3", 1), ("generalized_alpha", 1), ("tr_sdirk2", 0), ("tr_bdf2", 0), ("bdf2", 0)):
            warnings, history = self.warnings(integrator)
            self.assertEqual(len(warnings), named, (integrator, warnings))
            factor = history["cube.bottom.fx"][-1] / (mass * acceleration)
            if named:
                self.assertIn("body 'cube'", warnings[0])
                self.assertGreater(abs(factor - 1), 0.5, integrator)
            else:
                self.assertAlmostEqual(factor, 1, delta=0.01, msg=integrator)

    def test_of_motions_that_steps_resolve_are_not(self):
        """A soft cube of 5 Hz under its weight, in 100 steps to a period; a steel one at rest, which would ring without its equilibrium at the start; one that moves uniformly."""
        soft = "{youngs_modulus: 1e4, poisson_ratio: 0.3, density: 1000}"
        for integrator in ("sdirk2", "generalized_alpha"):
            self.assertFalse(self.warnings(integrator, soft, "fixed: bottom", -1, 2e-3, 0.5)[0], integrator)
            self.assertFalse(self.warnings(integrator, hold="fixed: bottom, initial: {equilibrium: true}", gravity=-9.81, step=1e-3, end=0.05)[0], integrator)
            self.assertFalse(self.warnings(integrator, hold="driven: [{vertices: bottom, motion: {velocity: [1, 0, 0]}}], initial: {velocity: [1, 0, 0]}")[0], integrator)


class InertiaThatRemains(ShortRunTest):
    """A thin rod that a force bends at its end: its lowest frequency is 0.28 Hz."""

    SCENE = """\
time: {{inertia: false, step: {step}, end: {end}}}
bodies:
  rod:
    mesh: rod.txt
    rod: {{rod: {{radius: 1e-3, youngs_modulus: 1e9, density: 1000}}}}
    fixed: first_segment
    loads: {{tip: {{region: last_point, force: [0, 0, 2.356e-5]}}}}
"""

    def test_is_named_where_steps_are_too_short(self):
        self.write("rod.txt", "".join(f"{0.05 * k:.9g} 0 0\n" for k in range(21)))
        deflection = {}
        for step, named in ((1, False), (1e-3, True)):
            outcome = self.simulate(self.SCENE.format(step=step, end=5 * step), out=f"out_{step}")
            self.assertEqual("body 'rod' was not in equilibrium" in outcome.output + outcome.errors, named)
            deflection[step] = outcome.history["rod.first_segment.fz"]
        self.assertAlmostEqual(deflection[1][0] / -2.356e-5, 1, delta=1e-3)
        self.assertLess(deflection[1e-3][0] / -2.356e-5, 0.8)


if __name__ == "__main__":
    unittest.main()
