"""jobs/equal_error: on a coarse ball the default's errors fall as the square of the step and those of backward Euler as the step; momentum and Coulomb's law hold;
the report finds the step that an error allows."""

import math
import unittest

import numpy

from traction_runs import JOBS, RunTest, report_of

REPORT = report_of("equal_error")
COARSE = {"bodies.ball.mesh_parameters": "{element_size: 1.2e-2}", "output": "{log_every: 10000}"}


class Blow:
    """A made-up run whose force is a triangle of `height` from `begin` to `end`, in rows of `step`, and whose ball leaves with a speed of 2 of the 3 with which it came."""

    gave_up = False
    scene = {"bodies": {"ball": {"initial": {"velocity": [2, 0, -3]}}}}

    def __init__(self, step, begin, end, height, contacts=0):
        self.time = numpy.arange(1, 101) * step
        middle = (begin + end) / 2
        self.force = numpy.maximum(0, height * (1 - numpy.abs(self.time - middle) / (middle - begin)))
        self.contacts = contacts

    def columns(self, *names):
        values = {"time": self.time, "impact.fz": self.force, "ball.vz": 2 + 0 * self.time, "work_friction": -3 + 0 * self.time, "impact.contacts": self.contacts + 0 * self.time}
        return [values[name] for name in names]


class Evaluation(unittest.TestCase):
    def test_the_three_quantities(self):
        """Half of a triangle's height is reached for half of its base."""
        self.assertTrue(numpy.allclose(REPORT.measured(Blow(0.125, 1, 5, 8)), (2 / 3, 2, -3), rtol=1e-12))

    def test_a_ball_that_has_not_left_has_no_values(self):
        self.assertIsNone(REPORT.measured(Blow(0.125, 1, 5, 8, contacts=1)))
        self.assertIsNone(REPORT.measured(Blow(0.04, 1, 7, 8)))
        self.assertIsNone(REPORT.measured(Blow(0.125, 1, 5, 0)))

    def test_the_step_that_an_error_allows(self):
        """An error of c h^2 is within 1 % up to h = 0.1 / sqrt(c), whatever the order of the list; of two quantities the one with the greater c decides."""
        steps = numpy.array((0.4, 0.1, 0.2, 0.05))
        step, decides = REPORT.largest_step(steps, numpy.column_stack((0.5 * steps**2, 0.3 * steps**2)))
        self.assertAlmostEqual(step, 0.1 / math.sqrt(0.5), delta=1e-12)
        self.assertEqual(decides, 0)
        # An error that passes through zero counts as large as it is with shorter steps.
        self.assertAlmostEqual(REPORT.largest_step((0.4, 0.2, 0.1), ((0.0,), (0.02,), (0.005,)))[0], 0.1 * math.sqrt(2), delta=1e-12)
        self.assertEqual(REPORT.largest_step((0.4, 0.2), ((0.001,), (0.0005,))), (0.4, None))
        self.assertEqual(REPORT.largest_step((0.4, 0.2), ((0.5, 0.0), (0.02, 0.0))), (None, 0))
        self.assertEqual(REPORT.largest_step((0.4, 0.2), ((math.inf,), (0.001,))), (0.2, 0))


class EqualError(RunTest):
    def impact(self, label, step, **more):
        settings = {**COARSE, "time.step": step, "solver.tolerance": 1e-7, **{key.replace("__", "."): value for key, value in more.items()}}
        outcome = self.simulate(JOBS / "equal_error" / "scene.yaml", sets=settings, out=label.replace(" ", "_").replace(",", ""))
        outcome.label, outcome.gave_up, outcome.processor_seconds = label, False, 1 / step
        return outcome

    def test_errors_fall_with_the_step(self):
        runs = [self.impact("reference, 640 steps", 1.25e-5)]
        steps = (2e-4, 1e-4, 5e-5)
        runs += [self.impact(f"tr_sdirk2, {8e-3 / step:g} steps", step) for step in steps]
        runs += [self.impact(f"backward_euler, {8e-3 / step:g} steps", step, time__integrator="backward_euler") for step in steps]
        restitution = REPORT.measured(runs[0])[0]
        for name, power in (("tr_sdirk2", 4), ("backward_euler", 2)):
            found = [abs(REPORT.measured(run)[0] - restitution) for run in runs if run.label.startswith(name)]
            lost = [-run.last_row()["energy_numerical"] for run in runs if run.label.startswith(name)]
            for longer, shorter in zip(lost, lost[1:]):
                self.assertAlmostEqual(math.log2(longer / shorter), math.log2(power), delta=0.45, msg=(name, lost))
            # The error of the restitution also depends on where within a step the ball touches first.
            self.assertGreater(found[0] / found[2], power**2 / 2, (name, found))
            self.assertLess(found[0] / found[2], power**2 * 4, (name, found))
        # The momentum of the impact, across the plane and along it.
        history, mass = runs[0].history, runs[0].report["total_mass"]
        self.assertAlmostEqual((history["impact.fz"] * history["dt"]).sum() / (mass * (3 + history["ball.vz"][-1])), 1, delta=1e-3)
        self.assertAlmostEqual((history["impact.fx"] * history["dt"]).sum() / (mass * (history["ball.vx"][-1] - 2)), 1, delta=1e-3)
        self.report_of_a_study(runs)

    def report_of_a_study(self, runs):
        """The default is cheaper for 1 % than backward Euler, which no step of the list brings there."""
        runs.append(self.impact("tr_sdirk2, 160 steps, tolerance 1e-3", 5e-5, solver__tolerance=1e-3))
        rows = {row[0]: row[1] for row in REPORT.study(runs, self.folder)}
        self.assertEqual(rows["step for 1 %: tr_sdirk2"], 0.05)
        self.assertEqual(rows["tolerance: tr_sdirk2"], 1e-3)
        self.assertEqual(rows["over the default: tr_sdirk2"], 1)
        self.assertLessEqual(rows["largest error: tr_sdirk2"], 1)
        self.assertEqual(rows["step for 1 %: backward_euler"], "none")
        self.assertTrue((self.folder / "equal_error.png").exists())

    def test_a_ball_that_slides_has_the_impulses_of_coulomb(self):
        """With a coefficient of 0.05 it slides to the end: the change of its velocity along the plane is 0.05 times that across it."""
        row = self.impact("slides", 1e-4, contacts__impact__friction__dynamic=0.05).last_row()
        self.assertAlmostEqual((2 - row["ball.vx"]) / (3 + row["ball.vz"]), 0.05, delta=5e-4)


if __name__ == "__main__":
    unittest.main()
