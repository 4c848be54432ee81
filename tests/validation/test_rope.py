"""jobs/rope: strands that are straight until they touch, and friction that takes a part of what twists them."""

import shutil
import sys
import unittest

import numpy

from traction_runs import JOBS, RunTest, report_of

sys.path.insert(0, str(JOBS / "rope"))
import strands  # noqa: E402

report = report_of("rope")
COUNT, LOAD = 12, 0.05   # strands, and the pull on each [N]
QUARTER = 1.5707963267948966   # [rad/s]


class Rope(RunTest):
    def twist(self, out, friction=0.3, ranks=1, end=4.2):
        """A thinner rope with half as many segments, which turns to 180 degrees and back."""
        if not (self.folder / "rope").exists():
            shutil.copytree(JOBS / "rope", self.folder / "rope", ignore=shutil.ignore_patterns("out*"))
            (self.folder / "rope" / "strands.msh").write_text(strands.gmsh_text(COUNT, 10))
        motions = f"[{{angular_velocity: [0, 0, {QUARTER}], ramp: 0.4}}, {{angular_velocity: [0, 0, {-2 * QUARTER}], start: 2, ramp: 0.4}}]"
        sets = {"bodies.rope.driven": f"[{{vertices: heads, components: [x, y], motion: {motions}}}]", "bodies.rope.loads.pull.force": f"[0, 0, {COUNT * LOAD}]", "time.end": end,
                "contacts.touch.friction.dynamic": friction, "output": "{every: 0.6, fields: [displacement], log_every: 50}"}
        outcome = self.simulate(self.folder / "rope" / "scene.yaml", sets=sets, ranks=ranks, out=out, timeout=400)
        return outcome, report.Twisting(outcome)

    def test_the_strands_of_the_job_are_what_the_script_writes(self):
        self.assertEqual(strands.gmsh_text(100, 20), (JOBS / "rope" / "strands.msh").read_text())

    def test_twisted_and_back(self):
        outcome, twisting = self.twist("rubbing")
        history, angle, up = outcome.history, twisting.angle, slice(0, twisting.most + 1)
        # Straight strands until they touch, at the angle at which such strands would.
        first = int(numpy.argmax(twisting.pairs > 0))
        expected = twisting.strands.touching_angle()
        self.assertGreater(angle[first], expected)
        self.assertLess(angle[first - 1], expected)
        early = (angle[:first] > 0.5) & (history["time"][:first] > 0.4)
        self.assertGreater(early.sum(), 5)
        straight = numpy.array([twisting.strands.moment(a) for a in angle[:first][early]])
        numpy.testing.assert_allclose(twisting.moment[:first][early], straight, rtol=0.01)
        numpy.testing.assert_allclose(-history["rope.feet.fz"][history["time"] > 0.5], COUNT * LOAD, rtol=1e-3)
        self.assertGreater(twisting.pairs.max(), 5 * COUNT)
        self.assertGreater(history["min_gap"].min(), 0)
        # Friction takes a part of the work: less moment is needed on the way back.
        _, smooth = self.twist("smooth", friction=0)
        at = numpy.radians([130, 145, 160])
        there, back = (numpy.interp(at, angle[part][::sign], twisting.moment[part][::sign]) for part, sign in ((up, 1), (slice(twisting.most, None), -1)))
        alike = [numpy.interp(at, smooth.angle[part][::sign], smooth.moment[part][::sign]) for part, sign in ((slice(0, smooth.most + 1), 1), (slice(smooth.most, None), -1))]
        self.assertLess(numpy.abs(alike[0] / alike[1] - 1).max(), 0.01)
        self.assertGreater((there / back - 1).min(), 0.02)
        lost = -(history["work_friction"][-1] + history["work_damping"][-1])
        kinetic, stored = (history[name] for name in ("kinetic_energy", "elastic_energy"))
        self.assertLess(abs(history["energy_numerical"][-1]), 0.02 * -history["work_friction"][-1])
        self.assertGreater(lost, 0)
        self.assertLess(kinetic[-1], 0.01 * stored[-1])

    def test_ranks(self):
        alone, together = (self.twist(f"on_{ranks}", ranks=ranks, end=1.6)[0].history for ranks in (1, 2))
        self.assertGreater(alone["touch.contacts"].max(), 0)
        for column in ("rope.heads.mz", "rope.feet.mz", "rope.feet.fz", "rope.z"):
            other = numpy.interp(alone["time"], together["time"], together[column])
            numpy.testing.assert_allclose(other, alone[column], rtol=0, atol=2e-3 * numpy.abs(alone[column]).max(), err_msg=column)


if __name__ == "__main__":
    unittest.main()
