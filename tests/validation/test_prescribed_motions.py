"""Motions that turn too far in a step for contact to see, or come back within one, are refused before anything is computed; slower ones run."""

import json
import math
import shutil
import unittest

from traction_runs import CUBE_TETRAHEDRA, CUBE_VERTICES, RefusalTest, gmsh_text, line_of

# A paddle sweeps over a cube. By full turns in a step it would be where it was.
SCENE = """\
time: {step: 0.01, end: 0.1}
bodies:
  cube:
    mesh: cube.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [0, 0, 0.5]}
  blade:
    mesh: cube.msh
    solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [20, 0, 0.5]}
    driven:
      - {vertices: solid, BLADE}
surfaces:
  paddle:
    mesh: {file: paddle.obj}
    PADDLE
contacts: {touch: {TOUCH, thickness: 1e-3}}
"""
REST = "motion: {velocity: [0, 0, 0]}"
QUARTER = math.pi / 2 / 0.01                 # [rad/s]


class PrescribedMotions(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("cube.msh", gmsh_text(CUBE_VERTICES, [(1, *t) for t in CUBE_TETRAHEDRA]))
        self.write("paddle.obj", "v 4 -1 0\nv 6 -1 0\nv 6 1 0\nv 4 1 0\nf 1 2 3 4\n")

    def scene(self, paddle=REST, blade=REST, touch="vertices: cube, against: paddle"):
        return SCENE.replace("PADDLE", paddle).replace("BLADE", blade).replace("TOUCH", touch)

    def refused(self, text, place, *expected, ranks=(1,)):
        self.write("scene.yaml", text)
        for count in ranks:
            with self.subTest(text=text, ranks=count):
                self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], (f"scene.yaml:{line_of(text, place)}: ", *expected), count)

    def runs(self, text, **sets):
        self.simulate(text, sets={"time.end": 0.02, **sets})
        shutil.rmtree(self.folder / "out")

    def test_turns_of_an_obstacle(self):
        for turns in (0.26, 0.97, 1, 3):
            motion = f"motion: {{angular_velocity: [0, 0, {turns * 4 * QUARTER}], about: [5, 0, 0]}}"
            self.refused(self.scene(motion), "paddle:\n", "surfaces.paddle", f"turns by {turns * 360:.4g} degrees")
            self.refused(self.scene(motion, touch="all: true"), "paddle:\n", "surfaces.paddle")
        self.refused(self.scene(f"motion: {{angular_velocity: [0, {8 * QUARTER}, 0]}}"), "paddle:\n", "720 degrees", "0.01 s", "give steps of 0.00125 s or less", ranks=(1, 2))

    def test_turns_of_a_driven_region(self):
        motion = f"motion: {{angular_velocity: [{4 * QUARTER}, 0, 0]}}"
        for touch in ("both: [cube, blade]", "all: true", "vertices: blade, against: blade"):
            self.refused(self.scene(blade=motion, touch=touch), "- {vertices", "bodies.blade.driven", "360 degrees", "ive steps of 0.0025 s or less")
        self.runs(self.scene(blade=motion))      # nothing touches it

    def test_motions_in_a_list_add_up(self):
        half = f"{{angular_velocity: [0, 0, {0.6 * QUARTER}], about: [5, 0, 0]}}"
        back = f"{{angular_velocity: [0, 0, {-0.6 * QUARTER}], about: [0, 0, 9]}}"
        later = half.replace("about", "start: 0.05, about")
        self.refused(self.scene(f"motion: [{half}, {half}]"), "paddle:\n", "108 degrees", "0.00833 s")
        self.refused(self.scene(f"motion: [{half}, {back}]"), "paddle:\n", "108 degrees")         # on a circle, without turning
        self.refused(self.scene(f"motion: [{half}, {later}]"), "paddle:\n", "108 degrees", "t = 0.05 s")
        self.runs(self.scene(f"motion: [{half}]"))
        self.runs(self.scene(f"motion: [{half.replace('about', 'stop: 0.05, about')}, {later}]"))

    def test_a_right_angle_in_a_step_is_allowed(self):
        turn = f"motion: {{angular_velocity: [0, 0, {QUARTER}], about: [5, 0, 0]}}"
        self.runs(self.scene(turn))
        self.refused(self.scene(turn.replace("[0, 0, ", "[0, 1, ")), "paddle:\n", "90 degrees")

    def test_the_step_of_the_time_of_the_turn_counts(self):
        fast = f"angular_velocity: [0, 0, {4 * QUARTER}], about: [5, 0, 0]"
        pieces = "time: {step: [{from: 0, step: 0.01}, {from: 0.02, step: 0.002}, {from: 0.06, step: 0.01}], end: 0.1}"
        scene = lambda span: self.scene(f"motion: {{{fast}, {span}}}").replace("time: {step: 0.01, end: 0.1}", pieces)     # noqa: E731
        self.refused(scene("start: 0.01"), "paddle:\n", "360 degrees", "0.0025 s")
        self.refused(scene("start: 0.02"), "paddle:\n", "t = 0.06 s")
        self.runs(scene("start: 0.02, stop: 0.06"))
        self.runs(scene("start: 0.2"))
        # The paddle stops after a part of a turn; at the start of a ramp it has hardly turned.
        self.runs(self.scene(f"motion: {{{fast}, stop: 0.002}}"))
        self.runs(self.scene(f"motion: {{{fast}, ramp: 0.3}}"), **{"time.end": 0.06})
        self.refused(self.scene(f"motion: {{{fast}, ramp: 0.3}}"), "paddle:\n", "114 degrees")   # 4 QUARTER (0.1^2 - 0.09^2) / 0.6
        # Steps that adapt are never longer than the schedule's.
        adapting = self.scene(f"motion: {{{fast}}}").replace("end: 0.1", "end: 0.1, integrator: tr_bdf2, error_tolerance: 1e-6")
        self.refused(adapting, "paddle:\n", "360 degrees")

    def test_what_comes_back_within_a_step(self):
        def shaken(duration, kind="velocity: [0, 0, 10]", repeats=3):
            back = kind.replace(" 10", " -10")
            legs = [f"{{{kind if leg % 2 == 0 else back}, start: {0.03 + leg * duration}, stop: {0.03 + (leg + 1) * duration}}}" for leg in range(repeats)]
            return self.scene("motion: [" + ", ".join(legs) + "]")

        for kind in ("velocity: [0, 0, 10]", "angular_velocity: [0, 0, 10]"):
            self.refused(shaken(0.005, kind), "paddle:\n", "turns back at t = 0.035 s", "ive steps of 0.0025 s or less")
            self.runs(shaken(0.02, kind))
        self.runs(shaken(0.005, repeats=1))                                     # over within a step, but it does not come back
        # A pause is none, nor is what touches nothing.
        self.runs(self.scene("motion: [{velocity: [0, 0, 1]}, {velocity: [0, 0, -1], start: 0.01, stop: 0.015}]"))
        self.runs(shaken(0.005).replace("vertices: cube, against: paddle", "vertices: cube, against: cube"))

    def test_one_component_of_a_rotation(self):
        """x(t) = r (1 - cos w t) of a rod that is held otherwise: its velocity, kinetic energy and work until it is released, and its flight afterwards."""
        radius, rate, release = 0.05, 10, 0.157
        self.write("rod.txt", "".join(f"0 {y / 40} 0\n" for y in range(9)))
        rod = {"mesh": "rod.txt", "rod": {"rod": {"radius": 0.01, "youngs_modulus": 1e6, "density": 1000}}, "fixed": [{"region": "rod", "components": ["y", "z"]}],
               "driven": [{"vertices": "rod", "components": ["x"], "until": release, "motion": {"angular_velocity": [0, rate, 0], "about": [radius, 0, 0]}}]}
        run = self.simulate(json.dumps({"time": {"step": 1e-3, "end": 0.3}, "bodies": {"rod": rod}}))
        mass = 1000 * math.pi * 0.01**2 * 0.2
        row = min(range(len(run.history["time"])), key=lambda i: abs(run.history["time"][i] - 0.15))
        speed = radius * rate * math.sin(rate * 0.15)
        for name, expected in (("rod.vx", speed), ("kinetic_energy", mass * speed**2 / 2), ("work_driven", mass * speed**2 / 2), ("rod.x", radius * (1 - math.cos(rate * 0.15)))):
            self.assertAlmostEqual(run.history[name][row] / expected, 1, delta=1e-6)
        end = radius * (1 - math.cos(rate * release)) + radius * rate * math.sin(rate * release) * (0.3 - release)
        self.assertAlmostEqual(run.last_row()["rod.x"] / end, 1, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
