"""Work of motors that prescribe a displacement with kinks, at which the velocity jumps, or a speed, against the energies that they give."""

import json
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import ShortRunTest, box_text

GRAVITY, SIDE, MASS = 9.81, 0.1, 1.0
# A lift by 0.2 m, a rest, and half of the way back: the velocity jumps to 0.25 m/s, to 0, to -0.25 m/s, and to 0.
COURSE = [{"time": 0.2, "factor": 0}, {"time": 1, "factor": 1}, {"time": 1.2, "factor": 1}, {"time": 1.6, "factor": 0.5}]
SPEED, HEIGHT = 0.25, 0.1
LIFT = {
    "time": {"step": 5e-3, "end": 1.8}, "gravity": [0, 0, -GRAVITY], "bodies": {"cube": {"mesh": "cube.msh", "rigid": {"density": MASS / SIDE**3}}},
    "joints": {"guide": {"kind": "slider", "between": ["cube", "ground"], "at": [SIDE / 2, SIDE / 2, SIDE / 2], "axis": [0, 0, 1], "motor": {"displacement": 0.2, "over": COURSE}}},
}


class Lift(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("cube.msh", box_text((1, 1, 1), (SIDE,) * 3))

    def test_work_is_what_the_lift_takes(self):
        """A stiff guide that starts to move at v gives the cube m v² / 2, and as much to its own vibration, which the integrator takes; as it stops it only takes m v² / 2."""
        blows = MASS * SPEED**2
        for integrator in ("tr_sdirk2", "sdirk2", "tr_bdf2"):
            for step, ranks in ((5e-3, 1), (1e-3, 1), (5e-3, 2)):
                with self.subTest(integrator=integrator, step=step, ranks=ranks):
                    outcome = self.simulate(json.dumps(LIFT), sets={"time.step": step, "time.integrator": integrator}, ranks=ranks, out=f"{integrator}_{step}_{ranks}")
                    about = {"field": "joints", "mesh": "rigid cube", "step": f"{1e3 * step:g} ms"}
                    row = outcome.last_row()
                    expect_closed_form(self, case=f"cube on a motor with kinks, {integrator}: work of the motor", source="m g h + m v² of each start", expected=MASS * GRAVITY * HEIGHT + 2 * blows,
                                       got=row["work_loads"], tolerance=5e-3, **about)
                    expect_closed_form(self, case=f"cube on a motor with kinks, {integrator}: energy that the integrator takes", source="m v² / 2 of each kink", expected=-4 * blows / 2,
                                       got=row["energy_numerical"], tolerance=0.03, **about)
                    self.assertNotIn("numerical errors have added", outcome.errors)

    def test_kinks_off_the_grid_of_steps_end_steps(self):
        shift = 1.3e-3
        course = [{"time": point["time"] + shift, "factor": point["factor"]} for point in COURSE]
        for integrator in ("tr_sdirk2", "generalized_alpha"):
            outcome = self.simulate(json.dumps(LIFT), sets={"time.integrator": integrator, "joints.guide.motor.over": json.dumps(course)}, out=integrator)
            for point in course:
                self.assertLess(numpy.abs(outcome.history["time"] - point["time"]).min(), 1e-12)
            expect_closed_form(self, field="joints", case=f"cube on a motor with kinks within steps, {integrator}: work of the motor", source="m g h + m v² of each start", expected=MASS * GRAVITY * HEIGHT + 2 * MASS * SPEED**2,
                               got=outcome.last_row()["work_loads"], tolerance=5e-3, mesh="rigid cube", step="5 ms")

    def test_continued_runs_count_the_same(self):
        """A run that is continued in the third step after a kink, to the last bit."""
        sets = {"solver.reproducible": "true", "output.checkpoint_every": "{steps: 1}", "output.keep_checkpoints": 999}
        whole = self.simulate(json.dumps(LIFT), sets=sets)
        rows = (whole.directory / "history.csv").read_bytes()
        for checkpoint in (whole.directory / "checkpoints").iterdir():
            if int(checkpoint.stem[5:]) > 43:
                checkpoint.unlink()
        self.assertEqual(rows, (self.resume().directory / "history.csv").read_bytes())


class Turn(ShortRunTest):
    """A cube on a hinge whose motor speeds it up from rest in 0.1 s, and then turns it at 15 rad/s, in steps of 5 ms."""

    FAST, RAMP, INERTIA = 15, 0.1, MASS * SIDE**2 / 6

    def test_work_is_the_kinetic_energy(self):
        """While the cube turns at a constant speed nothing takes energy from it. Torques at the ends of steps are I ω³ h / 3 (tr_sdirk2) or I ω³ h / 2 (tr_bdf2) then, and balance others within the steps."""
        self.write("cube.msh", box_text((1, 1, 1), (SIDE,) * 3))
        axle = {"kind": "hinge", "between": ["cube", "ground"], "at": [SIDE / 2] * 3, "axis": [0, 0, 1], "motor": {"speed": self.FAST, "over": [{"time": 0, "factor": 0}, {"time": self.RAMP, "factor": 1}]}}
        scene = json.dumps({"time": {"step": 5e-3, "end": 1}, "bodies": LIFT["bodies"], "joints": {"axle": axle}})
        energy, torque = self.INERTIA * self.FAST**2 / 2, self.INERTIA * self.FAST / self.RAMP
        for integrator, part, ranks in (("tr_sdirk2", 1 / 3, 1), ("tr_bdf2", 1 / 2, 1), ("tr_sdirk2", 1 / 3, 2)):
            history = self.simulate(scene, sets={"time.integrator": integrator}, ranks=ranks, out=f"{integrator}_{ranks}").history
            about = {"field": "joints", "mesh": "rigid cube", "step": f"5 ms, {ranks} ranks"}
            fast, middle = (int(numpy.abs(history["time"] - time).argmin()) for time in (self.RAMP, self.RAMP / 2))
            expect_closed_form(self, case=f"cube that a motor speeds up, {integrator}: torque", source="I α", expected=torque, got=history["axle.motor_torque"][middle], tolerance=5e-3, **about)
            expect_closed_form(self, case=f"cube that a motor has sped up, {integrator}: work", source="I ω²/2", expected=energy, got=history["work_loads"][fast], tolerance=3e-3, **about)
            expect_closed_form(self, case=f"cube that a motor turns twice, {integrator}: work", source="I ω²/2", expected=energy, got=history["work_loads"][-1], tolerance=5e-3, **about)
            expect_closed_form(self, case=f"cube that a motor turns, {integrator}: torque at the ends of steps", source=f"I ω³ h {part:.3g}", expected=part * self.INERTIA * self.FAST**3 * 5e-3, got=history["axle.motor_torque"][-1],
                               tolerance=0.1, **about)


if __name__ == "__main__":
    unittest.main()
