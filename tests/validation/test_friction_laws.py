"""Laws of friction in whole runs: exponential decay, coefficients from a table, and friction with a direction, against closed forms; ranks, restarts, and what is refused."""

import itertools
import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import box, sheet
from traction_runs import RefusalTest, ShortRunTest

GRAVITY = 9.81
DENSITY = 1000
MATERIAL = {"solid": {"youngs_modulus": 1e7, "poisson_ratio": 0.3, "density": DENSITY}}
FLOOR = {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}
MESH = "flat block, 3 × 3 × 1 cells"


def sliding_block(friction, velocity, time, size=(0.2, 0.2, 0.01), **contact):
    touch = {"vertices": "body.bottom", "against": "floor", "thickness": 1e-3, "friction": friction, **contact}
    body = {"mesh": "body.msh", "solid": MATERIAL, "damping": {"stiffness": 2e-4}, "initial": {"translate": [0, 0, 9e-4], "equilibrium": True, "velocity": list(velocity)}}
    shape = box(size, (3, 3, 1)).gmsh_with({"bottom": lambda corners: bool(numpy.all(abs(corners[:, 2]) < 1e-9))})
    return shape, {"time": time, "gravity": [0, 0, -GRAVITY], "bodies": {"body": body}, "surfaces": FLOOR, "contacts": {"touch": touch}, "solver": {"tolerance": 1e-9}}


class Laws(ShortRunTest):
    def run_block(self, *arguments, out="out", ranks=1, **more):
        shape, scene = sliding_block(*arguments, **more)
        self.write("body.msh", shape)
        return self.simulate(json.dumps(scene), out=out, ranks=ranks).history

    def expect(self, case, **values):
        expect_closed_form(self, **{"field": "friction", "case": case, "mesh": MESH, "step": "2 ms", **values})

    def until(self, history, column, value):
        """Time and place at which a falling column reaches a value."""
        row = int(numpy.argmax(history[column] < value))
        part = (history[column][row - 1] - value) / (history[column][row - 1] - history[column][row])
        return tuple((1 - part) * history[name][row - 1] + part * history[name][row] for name in ("time", "body.x"))

    def test_lagged_friction_slows_with_every_rule(self):
        """v = v_0 - mu g t. With `trapezoidal_split` the stage's contact forces have a weight of their own, and so have those of the earlier state."""
        for integrator, coupling in itertools.product(("trapezoidal_split", "trapezoidal", "tr_sdirk2", "backward_euler"), ("lagged", "implicit")):
            with self.subTest(integrator, coupling=coupling):
                history = self.run_block({"dynamic": 0.5, "tolerance": 1e-3, "coupling": coupling}, (1, 0, 0), {"step": 2e-3, "end": 0.1, "integrator": integrator},
                                         out=f"{integrator}_{coupling}")
                self.assertAlmostEqual(history["body.vx"][-1], 1 - 0.5 * GRAVITY * 0.1, delta=5e-3)

    def test_exponential_decay(self):
        static, dynamic, decay, first, last = 0.8, 0.3, 0.3, 1.0, 0.05
        friction = {"dynamic": dynamic, "static": static, "decay_velocity": decay, "tolerance": 1e-3}
        history = self.run_block(friction, (first, 0, 0), {"step": 2e-3, "end": 0.32})
        time, place = self.until(history, "body.vx", last)
        grown = [dynamic * math.exp(speed / decay) + static - dynamic for speed in (last, first)]
        self.expect("exponential decay: time of sliding", source="v_c/(μ_d g) ln((μ_d exp(v/v_c) + μ_s − μ_d)), from 1 to 0.05 m/s",
                    expected=decay / (dynamic * GRAVITY) * math.log(grown[1] / grown[0]), got=time, tolerance=1e-3)
        middle, half = numpy.polynomial.legendre.leggauss(20)
        speed = (first + last) / 2 + middle * (first - last) / 2
        way = (first - last) / 2 * numpy.sum(half * speed / (GRAVITY * (dynamic + (static - dynamic) * numpy.exp(-speed / decay))))
        self.expect("exponential decay: way of sliding", source="∫ v dv/(μ(v) g), from 1 to 0.05 m/s", expected=way, got=place, tolerance=1e-3)
        # All that the block has lost is the work of friction.
        lost = history["kinetic_energy"][0] - history["kinetic_energy"][-1]
        self.expect("exponential decay: work of friction", source="m (v² − v₀²)/2", expected=-lost, got=history["work_friction"][-1] - history["work_friction"][0], tolerance=1e-3)

    def test_coefficient_over_pressure(self):
        # The weights of the blocks press with 98.1 Pa, a value of the table, and 196.2 Pa, halfway between two. There a cubic is the mean of both values and an eighth of the width times the difference
        # of the slopes, which are limited to 1.5 times the mean slope, and 0 at the end.
        table = {"pressures": [0, 98.1, 294.3], "coefficients": [0.7, 0.5, 0.3]}
        for height, expected in ((0.01, 0.5), (0.02, 0.4 - 1.5 * 0.2 / 8)):
            history = self.run_block({"table": table, "tolerance": 1e-3}, (1, 0, 0), {"step": 2e-3, "end": 0.1}, size=(0.4, 0.4, height), out=f"out{height}")
            slope = numpy.polyfit(history["time"], history["body.vx"], 1)[0]
            self.expect(f"μ over pressure: deceleration under {1e3 * height:g} mm", source="μ(ρ g h) g", expected=expected * GRAVITY, got=-slope, tolerance=1e-3)

    def test_pressure_between_bodies_of_different_stiffness(self):
        """Friction depends on the pressure of the whole force; with twice the pressure it would be a fifth of what is expected. The rim of a hard block presses more than its
        middle, like that of a punch, and has less friction by this table: by a sixth with these meshes."""
        pressure, velocity, size = 1000, 0.2, 0.08
        faces = {"bottom": lambda corners: bool(numpy.all(abs(corners[:, 2]) < 1e-9)), "top": lambda corners: bool(numpy.all(abs(corners[:, 2] - 0.02) < 1e-9))}
        self.write("upper.msh", box((size, size, 0.02), (4, 4, 1)).gmsh_with(faces))
        self.write("lower.msh", box((0.2, 0.2, 0.02), (10, 10, 1)).gmsh_with(faces))
        material = lambda modulus: {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.3, "density": 1e5}}
        table = {"pressures": [0, 2000], "coefficients": [0.9, 0.1]}   # 0.5 at 1000 Pa
        for geometry, first, second, tolerance in (("edges_and_faces", 1e9, 1e6, None), ("edges_and_faces", 1e6, 1e9, 0.06), ("smooth_surface", 1e6, 1e9, 0.01)):
            with self.subTest(geometry=geometry, upper=first):
                upper = {"mesh": "upper.msh", "solid": material(first), "initial": {"translate": [0, 0, 0.0209], "velocity": [velocity, 0, 0], "equilibrium": True},
                         "loads": {"weight": {"region": "top", "pressure": pressure}}}
                scene = {"time": {"step": 2e-3, "end": 0.1, "integrator": "backward_euler"},
                         "bodies": {"upper": upper, "lower": {"mesh": "lower.msh", "solid": material(second), "fixed": ["bottom"]}},
                         "contacts": {"touch": {"both": ["upper.bottom", "lower.top"], "thickness": 1e-3, "geometry": geometry, "friction": {"table": table, "tolerance": 1e-3}}}}
                history = self.simulate(json.dumps(scene), out=f"{geometry}{first:g}").history
                lost, expected = velocity - history["upper.vx"][-1], 0.5 * pressure * size**2 / (size**2 * 0.02 * 1e5) * 0.1
                if first > second:
                    self.assertAlmostEqual(lost / expected, 0.84, delta=0.04)
                else:
                    self.expect(f"μ over pressure, {first:g} Pa on {second:g} Pa, {geometry}: lost speed", source="μ(p) F t / m", got=lost, tolerance=tolerance, expected=expected, mesh="4 × 4 × 1 and 10 × 10 × 1 cells")

    def test_viscous_friction_on_a_flat_mesh_under_high_pressure(self):
        """A block that is compressed by 15 % lies in the guard of the floor's mesh, whose flat vertices have no area of their own."""
        speed, viscous, size = 0.02, 1e4, 0.1
        faces = {"bottom": lambda corners: bool(numpy.all(abs(corners[:, 2]) < 1e-9)), "top": lambda corners: bool(numpy.all(abs(corners[:, 2] - 0.05) < 1e-9))}
        self.write("block.msh", box((size, size, 0.05), (6, 6, 3)).gmsh_with(faces))
        self.write("floor.obj", sheet((0.4, 0.4), (40, 40)).obj())
        block = {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0, "density": 1000}}, "initial": {"translate": [0, 0, 9e-4]},
                 "driven": [{"vertices": "top", "motion": {"velocity": [speed, 0, -speed]}}]}
        scene = {"time": {"step": 2e-2, "end": 0.4, "inertia": False}, "bodies": {"block": block}, "surfaces": {"floor": {"mesh": {"file": "floor.obj"}}},
                 "contacts": {"touch": {"vertices": "block.bottom", "against": "floor", "thickness": 1e-3, "friction": {"dynamic": 0, "viscous": viscous, "tolerance": 1e-3}}}}
        history = self.simulate(json.dumps(scene)).history
        self.expect("viscous friction under 0.15 MPa on a mesh", source="η A v", expected=viscous * size**2 * speed, got=-history["touch.fx"][-1], tolerance=0.02, mesh="6 × 6 × 3 cells, floor 40 × 40",
                    step="20 ms, without inertia")

    def test_direction_of_the_surface(self):
        along, across, friction = 0.6, 1.2, 0.4
        law = {"dynamic": friction, "tolerance": 1e-4, "anisotropic": {"direction": [1, 0, 0], "along": along, "across": across}}
        history = self.run_block(law, (0.5, 0.5, 0), {"step": 2e-3, "end": 0.12})
        force = math.hypot(history["touch.fx"][1], history["touch.fy"][1]) / history["touch.fz"][1]
        x, y = history["body.vx"], history["body.vy"]
        about = {"tolerance": 1e-3}
        norm = math.hypot(along * x[1], across * y[1])
        self.expect("anisotropic friction at 45°: force over normal force", source="μ |M² v|/|M v|", expected=friction * math.hypot(along ** 2 * x[1], across ** 2 * y[1]) / norm, got=force, **about)
        self.expect("anisotropic friction at 45°: direction of the force", source="M² v, as an angle", expected=math.atan2(across ** 2 * y[1], along ** 2 * x[1]),
                    got=math.atan2(-history["touch.fy"][1], -history["touch.fx"][1]), **about)
        # Along both axes the velocity falls in proportion to itself, by the squares of the factors: the path bends towards the smoother direction.
        row = int(numpy.argmax(y < 0.15))
        self.expect("anisotropic friction: speed along the grain when that across has fallen to 0.15 m/s", source="v_x/v_x0 = (v_y/v_y0)^(μ_x²/μ_y²)",
                    expected=0.5 * (y[row] / 0.5) ** ((along / across) ** 2), got=x[row], **about)

    def test_any_number_of_ranks_and_continued_runs(self):
        table = {"speeds": [0, 0.1, 0.6], "pressures": [50, 150], "coefficients": [0.7, 0.5, 0.4, 0.5, 0.4, 0.2]}
        law = {"table": table, "tolerance": 1e-2, "viscous": 5, "anisotropic": {"direction": [1, 1, 0], "along": 0.7, "across": 1.3}}
        names = ("time", "body.x", "body.y", "body.vx", "body.vy", "touch.fx", "touch.fy", "work_friction")
        for geometry in ("smooth_surface", "edges_and_faces"):
            shape, scene = sliding_block(law, (0.5, 0, 0), {"step": 5e-3, "end": 0.05}, geometry=geometry)
            scene["surfaces"] = {"floor": {"box": {"lower": [-2, -2, -1], "upper": [2, 2, 0]}}}
            self.write("body.msh", shape)
            text = json.dumps(scene)
            alone = self.simulate(text, out=geometry)
            self.assertGreater(abs(alone.last_row()["body.vy"]), 0.01)   # the grain turns the block aside
            for ranks in (2, 4):
                self.assert_rows_agree(self.simulate(text, out=f"{geometry}{ranks}", ranks=ranks).last_row(), alone.last_row(), 1e-6, names)
        self.simulate(text, out="parts", ranks=2, sets={"time.end": 0.025})
        parts = self.resume(out="parts", ranks=1, sets={"time.end": 0.05})
        self.assert_rows_agree(parts.last_row(), alone.last_row(), 1e-6, names)


class Refusals(RefusalTest):
    def refused(self, expected, change, ranks=(1, 2)):
        shape, scene = sliding_block({"dynamic": 0.4}, (0, 0, 0), {"step": 1e-3, "end": 0.01})
        change(scene, scene["contacts"]["touch"])
        self.write("body.msh", shape)
        self.write("scene.yaml", json.dumps(scene, indent=1))
        for count in ranks:
            self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], expected, count)

    def test_directions_without_a_surface_that_has_them(self):
        grain = {"dynamic": 0.4, "anisotropic": {"direction": [1, 0, 0], "along": 1, "across": 2}}

        def with_itself(scene, touch):
            touch.update({"vertices": "body", "against": "body", "friction": grain})

        def with_all(scene, touch):
            scene["contacts"] = {"touch": {"all": True, "thickness": 1e-3, "friction": grain}}

        def on_a_turntable(scene, touch):
            scene["surfaces"]["floor"]["motion"] = {"angular_velocity": [0, 0, 1]}
            touch["friction"] = grain

        for change in (with_itself, with_all):
            self.refused(["scene.yaml:", "contacts.touch.friction.anisotropic: ", "one body with one obstacle", "a contact of its own"], change)
        self.refused(["contacts.touch.friction.anisotropic.direction: ", "'floor' turns", "give the axis"], on_a_turntable)
        upright = {"dynamic": 0.4, "anisotropic": {"direction": [0, 0, 2], "along": 1, "across": 2}}
        self.refused(["contacts.touch.friction.anisotropic.direction: ", "is the normal of plane 'floor'", "lies in the plane"], lambda scene, touch: touch.update(friction=upright))

    def test_curves_without_effect(self):
        for law, place, words in (({"dynamic": 0.4, "stribeck_velocity": 0.5}, "stribeck_velocity", "has nothing to act on without 'static'"),
                                  ({"tolerance": 0.1, "table": {"speeds": [0, 0.05, 0.1], "coefficients": [0.5, 0.4, 0.3]}}, "table.speeds", "ends at '0.1' m/s, but friction is fully developed only above 'tolerance'")):
            with self.subTest(place):
                self.refused([f"contacts.touch.friction.{place}: ", words], lambda scene, touch: touch.update(friction=law))

    def test_asynchronous_runs(self):
        for law, words in (({"table": {"speeds": [0, 1], "coefficients": [0.5, 0.3]}}, "friction from a table is not supported"),
                           ({"dynamic": 0.3, "static": 0.5, "decay_velocity": 0.1}, "static friction is not supported"),
                           ({"dynamic": 0.3, "anisotropic": {"direction": [1, 0, 0], "along": 1, "across": 2}}, "anisotropic friction is not supported")):
            def change(scene, touch):
                scene["time"]["integrator"] = "asynchronous"
                scene["bodies"]["body"]["initial"].pop("equilibrium")
                scene["bodies"]["body"].pop("damping")
                scene.pop("solver")
                touch["friction"] = law
            with self.subTest(words):
                self.refused(["contacts.touch: ", words, "asynchronous"], change, ranks=(1,))


if __name__ == "__main__":
    unittest.main()
