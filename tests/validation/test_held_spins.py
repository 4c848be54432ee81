"""Rods that supports turn about themselves: their inertia, friction on obstacles, and the spin that they keep when they are released."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import ShortRunTest

GRAVITY, RADIUS, DENSITY, LENGTH = 9.81, 0.01, 1000, 0.2
INERTIA = DENSITY * math.pi * RADIUS**4 / 2 * LENGTH   # J about the axis
MASS = DENSITY * math.pi * RADIUS**2 * LENGTH
SPIN, THICKNESS, FRICTION = 20, 4e-5, 0.3


class SpinningRod(ShortRunTest):
    """A rod along y that is driven to turn about itself."""

    def scene(self, height=0, motion={}, until=None, segments=8, rod={}, **scene):
        self.write("rod.txt", "".join(f"0 {LENGTH * (k / segments - 0.5):.17g} {height:.17g}\n" for k in range(segments + 1)))
        driven = {"vertices": "rod", "motion": {"angular_velocity": [0, SPIN, 0], "about": [0, 0, height], **motion}}
        if until is not None:
            driven["until"] = until
        body = {"mesh": "rod.txt", "rod": {"rod": {"radius": RADIUS, "youngs_modulus": 1e8, "poisson_ratio": 0.5, "density": DENSITY}}, "driven": [driven], **rod}
        return {"time": {"step": 1e-3, "end": 0.1}, "bodies": {"rod": body}, "solver": {"tolerance": 1e-10}, **scene}

    def run_scene(self, scene, **arguments):
        return self.simulate(json.dumps(scene), **arguments).history

    def on_floor(self, **scene):
        """Held on a floor where the floor carries its weight, and released."""
        contact = {"vertices": "rod", "against": "floor", "thickness": THICKNESS, "friction": {"dynamic": FRICTION, "tolerance": 1e-4}}
        return self.scene(RADIUS + 0.996 * THICKNESS, surfaces={"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, contacts={"touch": contact}, gravity=[0, 0, -GRAVITY], **scene)

    def expect(self, case, **values):
        expect_closed_form(self, field="rods", case=case, mesh="8 segments", step="1 ms", **values)


class Inertia(SpinningRod):
    """The support accelerates the rod over 20 ms, and releases it at 50 ms."""

    RAMP, RELEASE = 0.02, 0.05

    def spin(self, **arguments):
        scene = self.scene(motion={"ramp": self.RAMP}, until=self.RELEASE, time={"step": 1e-3, "end": 0.1, "integrator": arguments.pop("integrator", "tr_sdirk2")})
        return self.run_scene(scene, **arguments)

    def check(self, history, tolerance=1e-9):
        time, energy = history["time"], INERTIA * SPIN**2 / 2
        expected = energy * numpy.minimum(time / self.RAMP, 1) ** 2
        for column in ("kinetic_energy", "work_driven"):   # all of the support's work is kinetic energy, before and after it lets go
            numpy.testing.assert_allclose(history[column], expected, rtol=0, atol=tolerance * energy, err_msg=column)
        self.assertLess(numpy.abs(history["energy_numerical"]).max(), tolerance * energy)
        moment = numpy.where(time < self.RAMP - 1e-9, INERTIA * SPIN / self.RAMP, 0)
        beside = numpy.abs(time - self.RAMP) > 1e-9   # the rate of the speed jumps there
        numpy.testing.assert_allclose(history["rod.rod.my"][beside], moment[beside], rtol=0, atol=tolerance * INERTIA * SPIN / self.RAMP)

    def test_any_integrator(self):
        for integrator in ("tr_sdirk2", "backward_euler", "trapezoidal", "bdf2", "tr_bdf2", "sdirk2", "sdirk3", "generalized_alpha"):
            with self.subTest(integrator=integrator):
                self.check(self.spin(integrator=integrator, out=integrator))
        history = self.spin(out="again")
        about = {"source": "J ω²/2", "expected": INERTIA * SPIN**2 / 2, "tolerance": 1e-9}
        self.expect("rod that a support has spun up: its work", got=history["work_driven"][-1], **about)
        self.expect("rod that a support has spun up and released: energy", got=history["kinetic_energy"][-1], **about)

    def test_asynchronous(self):
        history = self.spin(integrator="asynchronous")
        energy = INERTIA * SPIN**2 / 2
        expected = energy * numpy.minimum(history["time"] / self.RAMP, 1) ** 2
        numpy.testing.assert_allclose(history["kinetic_energy"], expected, rtol=0, atol=1e-9 * energy)

    def test_ranks_and_resumed(self):
        for ranks in (2, 4):
            self.check(self.spin(ranks=ranks, out=f"ranks{ranks}"))
        for end in (0.04, 0.05, 0.06):   # before, at and after the release
            out = f"to_{end}"
            scene = self.scene(motion={"ramp": self.RAMP}, until=self.RELEASE, time={"step": 1e-3, "end": end})
            self.simulate(json.dumps(scene), out=out, ranks=2)
            self.check(self.resume(out=out, sets={"time.end": 0.1}).history)

    def test_a_segment_that_is_released_drags_the_rest(self):
        """Only one segment of eight is turned: when all of the rod turns at one speed, its angular momentum is what the support's moment has given."""
        driven = [{"vertices": "first_segment", "motion": {"angular_velocity": [0, SPIN, 0], "ramp": self.RAMP}, "until": self.RAMP}]
        pieces = [{"from": 0, "step": 2e-4}, {"from": self.RAMP, "step": 2e-3, "integrator": "backward_euler"}]
        history = self.run_scene(self.scene(rod={"driven": driven, "damping": {"stiffness": 1e-3}}, time={"step": pieces, "end": 0.3}))
        held = history["time"] < self.RAMP + 1e-9
        time, moment = history["time"][held], history["rod.first_segment.my"][held]
        given = ((moment[1:] + moment[:-1]) / 2 * numpy.diff(time)).sum()
        self.expect("segment that is spun up and released: angular momentum of the rod at last", source="∫ M dt", expected=given,
                    got=math.sqrt(2 * INERTIA * history["kinetic_energy"][-1]), tolerance=0.01)


class Steady(SpinningRod):
    """A rod that turns about itself at the speed of the support of its first segment: nothing changes."""

    def test_exponential_steps_do_not_shake_it(self):
        driven = [{"vertices": "first_segment", "motion": {"angular_velocity": [0, SPIN, 0]}}]
        for ranks in (1, 2):
            scene = self.scene(rod={"driven": driven, "initial": {"angular_velocity": [0, SPIN, 0]}}, time={"step": 1e-3, "end": 0.1, "integrator": "ere"})
            history, energy = self.run_scene(scene, ranks=ranks, out=f"on_{ranks}"), INERTIA * SPIN**2 / 2
            for column, expected in (("kinetic_energy", energy), ("elastic_energy", 0), ("work_driven", 0), ("energy_numerical", 0)):
                numpy.testing.assert_allclose(history[column], expected, rtol=0, atol=1e-6 * energy, err_msg=column)
            numpy.testing.assert_allclose(history["rod.first_segment.my"][1:], 0, rtol=0, atol=1e-3 * INERTIA * SPIN / 1e-3)

    def test_exponential_steps_speed_it_up(self):
        """The support speeds up over 20 ms; the rod, which is stiff, follows as with the default integrator."""
        driven = [{"vertices": "first_segment", "motion": {"angular_velocity": [0, SPIN, 0], "ramp": 0.02}}]
        runs = {name: self.run_scene(self.scene(rod={"driven": driven}, time={"step": step, "end": 0.04, "integrator": name}), out=name) for name, step in (("ere", 1e-3), ("tr_sdirk2", 1e-4))}
        energies = {name: history["kinetic_energy"][-1] for name, history in runs.items()}
        self.assertAlmostEqual(energies["ere"], energies["tr_sdirk2"], delta=0.02 * INERTIA * SPIN**2 / 2)


class Rolling(SpinningRod):
    """A rod that spins on a floor is released: it slides until it rolls, at a third of its surface's speed."""

    RELEASE = 0.02

    def roll(self, **arguments):
        return self.run_scene(self.on_floor(until=self.RELEASE, time={"step": 1e-3, "end": 0.1}), **arguments)

    def test_released_it_rolls_away(self):
        history = self.roll()
        time, speed = history["time"], history["rod.vx"]
        sliding = (time > self.RELEASE + 2e-3) & (time < self.RELEASE + 0.018)   # it rolls after 0.0227 s
        self.assertEqual(numpy.abs(speed[time <= self.RELEASE]).max(), 0)
        self.expect("spinning rod on a floor, released: acceleration", source="μ g", expected=FRICTION * GRAVITY, got=numpy.polyfit(time[sliding], speed[sliding], 1)[0], tolerance=0.01)
        rolling = RADIUS * INERTIA * SPIN / (INERTIA + MASS * RADIUS**2)   # about a point on the floor the angular momentum is kept
        self.expect("spinning rod on a floor, released: speed at last", source="ω r J/(J + m r²)", expected=rolling, got=speed[-1], tolerance=2e-3)
        energy = INERTIA * SPIN**2 / 2
        numpy.testing.assert_allclose(history["kinetic_energy"][-1], (MASS * rolling**2 + INERTIA * (rolling / RADIUS) ** 2) / 2, rtol=5e-3)
        # While it is held the support works against friction, and friction takes the energy.
        held = time <= self.RELEASE + 1e-9
        numpy.testing.assert_allclose(history["work_driven"][held], -history["work_friction"][held], rtol=0, atol=1e-3 * energy)
        self.assertGreater(history["work_driven"][-1], 0)
        self.assertLess(history["energy_numerical"].max(), 1e-3 * energy)

    def test_ranks_and_resumed(self):
        alone = self.roll()
        runs = {"on 2": self.roll(ranks=2, out="on_2")}
        for end in (0.01, 0.02, 0.03):   # before, at and after the release
            out = f"to_{end}"
            self.simulate(json.dumps(self.on_floor(until=self.RELEASE, time={"step": 1e-3, "end": end})), out=out)
            runs[f"resumed at {end}"] = self.resume(out=out, sets={"time.end": 0.1}).history
        for name, other in runs.items():
            for column in ("rod.vx", "kinetic_energy", "work_driven", "work_friction"):
                numpy.testing.assert_allclose(other[column], alone[column], rtol=0, atol=1e-6 * numpy.abs(alone[column]).max(), err_msg=f"{name}: {column}")


class Obstacles(SpinningRod):
    """A rod that is held near an obstacle turns about itself on it: friction is that of an obstacle that moves as the rod's surface would, the other way."""

    OBSTACLES = {
        "plane": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
        "ball": {"sphere": {"center": [0, 0, -0.5], "radius": 0.5}},
        "drum": {"cylinder": {"point": [0, 0, -0.05], "axis": [0, 1, 0], "radius": 0.05}},
    }

    def rub(self, obstacle, out, turns, ranks=1, **friction):
        """Histories of the rod that turns, or of the obstacle that moves."""
        gap, motion = 0.5 * THICKNESS, {"ramp": 0.01}
        surface = dict(self.OBSTACLES[obstacle])
        if not turns:
            surface["motion"] = {**motion, "velocity": [SPIN * RADIUS, 0, 0]} if obstacle == "plane" else {
                **motion, "angular_velocity": [0, SPIN * RADIUS / (0.5 if obstacle == "ball" else 0.05), 0], "about": [0, 0, -0.5 if obstacle == "ball" else -0.05]}
        contact = {"vertices": "rod", "against": "obstacle", "thickness": THICKNESS, "pressure": 1e4, "friction": {"dynamic": FRICTION, "tolerance": 0.05, "viscous": 2, **friction}}
        scene = self.scene(RADIUS + gap, motion if turns else {**motion, "angular_velocity": [0, 0, 0], "velocity": [0, 0, 0]}, until=1, time={"step": 1e-3, "end": 0.02, "maximum_halvings": 0},
                           surfaces={"obstacle": surface}, contacts={"touch": contact})   # held for good it would touch nothing
        return self.run_scene(scene, ranks=ranks, out=out)

    def test_a_turning_rod_rubs_as_a_moving_obstacle_does(self):
        for obstacle in self.OBSTACLES:
            with self.subTest(obstacle=obstacle):
                turning, moving = self.rub(obstacle, f"{obstacle}_turning", True), self.rub(obstacle, f"{obstacle}_moving", False)
                force = numpy.abs(turning["rod.rod.fx"]).max()
                self.assertGreater(force, 0.1 * numpy.abs(turning["rod.rod.fz"]).max())
                self.assertLess(numpy.abs(turning["rod.rod.fx"][0]), 0.7 * force)   # it starts from rest
                for column in ("rod.rod.fx", "rod.rod.fz"):
                    numpy.testing.assert_allclose(turning[column], moving[column], rtol=0, atol=1e-9 * force, err_msg=column)
                # Friction acts on the rod's surface, a gap above the origin where the rod is lowest.
                inertia = numpy.where(turning["time"] < 0.01 - 1e-9, INERTIA * SPIN / 0.01, 0)
                beside = numpy.abs(turning["time"] - 0.01) > 1e-9
                if obstacle != "ball":
                    numpy.testing.assert_allclose((turning["rod.rod.my"] - inertia - 0.5 * THICKNESS * turning["rod.rod.fx"])[beside], 0, atol=1e-9 * force * RADIUS)
                kinetic = turning["kinetic_energy"]
                numpy.testing.assert_allclose(turning["work_driven"] - kinetic, -turning["work_friction"], rtol=0, atol=2e-3 * numpy.abs(turning["work_friction"]).max())

    def test_ranks(self):
        for coupling in ("implicit", "lagged"):
            alone, together = self.rub("plane", f"{coupling}1", True, coupling=coupling), self.rub("plane", f"{coupling}2", True, ranks=2, coupling=coupling)
            for column in ("rod.rod.fx", "rod.rod.my", "work_driven", "work_friction"):
                numpy.testing.assert_allclose(together[column], alone[column], rtol=0, atol=1e-10 * numpy.abs(alone[column]).max(), err_msg=column)


if __name__ == "__main__":
    unittest.main()
