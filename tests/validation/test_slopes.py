"""Blocks on a slope that start in equilibrium, with every implicit integrator at steps of 1, 5 and 20 ms, against the closed form of friction: one creeps from the
start, the other slides and stops. Both are undamped but for a little stiffness damping."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import box
from traction_runs import RunTest

GRAVITY, FRICTION, SLOPE = 9.81, 0.5, math.radians(25)
TOLERANCE = 1e-3   # m/s
SPEED = 0.05       # m/s, down the slope
DECELERATION = GRAVITY * (FRICTION * math.cos(SLOPE) - math.sin(SLOPE))
# Smoothed Coulomb: mu (2 v / eps - v^2 / eps^2) = tan(slope).
CREEP = TOLERANCE * (1 - math.sqrt(1 - math.tan(SLOPE) / FRICTION))
END = 0.28         # s; the block stops after 0.167 s
INTEGRATORS = ("backward_euler", "trapezoidal", "bdf2", "tr_bdf2", "sdirk2", "tr_sdirk2", "sdirk3", "generalized_alpha")
# By step [s]: what the way may be off by, relative.
STEPS = {1e-3: 2e-4, 5e-3: 1e-3, 2e-2: 1.2e-2}


def way_of_a_mass():
    """The way of a point on the slope with smoothed friction: the equation of motion, integrated by the classical Runge-Kutta method."""
    def acceleration(v):
        share = min(v / TOLERANCE, 1)
        return GRAVITY * (math.sin(SLOPE) - FRICTION * math.cos(SLOPE) * share * (2 - share))
    steps, x, v = 40000, 0.0, SPEED
    h = END / steps
    for _ in range(steps):
        k = [acceleration(v)]
        for part in (h / 2, h / 2, h):
            k.append(acceleration(v + part * k[-1]))
        x += h * v + h * h / 6 * (k[0] + k[1] + k[2])
        v += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3])
    return x


class SteepSlopes(RunTest):
    def test_blocks_that_slide_at_once(self):
        """A soft block that friction does not hold starts in balance but for its acceleration, at the speed at which friction is fully developed, however deep in the layer it is set and however
        it is turned."""
        self.write("block.msh", box((0.2, 0.2, 0.1), (4, 4, 2)).gmsh_with({"bottom": lambda corners: bool(numpy.all(abs(corners[:, 2]) < 1e-9))}))
        slope, tolerance, end = math.radians(34), 1e-3, 0.05
        expected = tolerance + GRAVITY * (math.sin(slope) - FRICTION * math.cos(slope)) * end
        for depth, turn in ((0.5, 0), (0.9, 0), (0.5, 17)):
            with self.subTest(depth=depth, turn=turn):
                block = {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}},
                         "initial": {"rotate": {"axis": [0, 0, 1], "angle": turn}, "translate": [0, 0, (1 - depth) * 2e-3], "equilibrium": True}}
                scene = {"time": {"step": 5e-3, "end": end}, "gravity": [GRAVITY * math.sin(slope), 0, -GRAVITY * math.cos(slope)], "bodies": {"block": block},
                         "surfaces": {"slope": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                         "contacts": {"under": {"vertices": "block.bottom", "against": "slope", "thickness": 2e-3, "friction": {"dynamic": FRICTION, "tolerance": tolerance}}}}
                history = self.simulate(json.dumps(scene), out=f"steep_{depth}_{turn}").history
                self.assertAlmostEqual(history["block.vx"][-1], expected, delta=1e-4 * expected)
                self.assertLess(max(abs(history["block.vz"])), 1e-5)


class Slopes(RunTest):
    def run_both(self, integrator, step):
        block = {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e7, "poisson_ratio": 0.3, "density": 1000}}, "damping": {"stiffness": 2e-4}}
        contact = {"against": "slope", "thickness": 1e-3, "friction": {"dynamic": FRICTION, "tolerance": TOLERANCE}}
        scene = {"time": {"step": step, "end": END, "integrator": integrator}, "gravity": [GRAVITY * math.sin(SLOPE), 0, -GRAVITY * math.cos(SLOPE)],
                 "bodies": {"still": {**block, "initial": {"translate": [0, -0.2, 9e-4], "equilibrium": True}},
                            "slid": {**block, "initial": {"translate": [0, 0.2, 9e-4], "equilibrium": True, "velocity": [SPEED, 0, 0]}}},
                 "surfaces": {"slope": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                 "contacts": {"under_still": {"vertices": "still.bottom", **contact}, "under_slid": {"vertices": "slid.bottom", **contact}}}
        return self.simulate(json.dumps(scene), out=f"{integrator}_{step}").history

    def test_every_implicit_integrator(self):
        self.write("block.msh", box((0.1, 0.1, 0.05), (1, 1, 1)).gmsh_with({"bottom": lambda corners: bool(numpy.all(abs(corners[:, 2]) < 1e-9))}))
        expected = way_of_a_mass()
        # Coulomb's own way, v^2 / 2a, and the creep afterwards: smoothing lengthens it by little.
        self.assertAlmostEqual(expected, SPEED**2 / 2 / DECELERATION + CREEP * (END - SPEED / DECELERATION), delta=0.01 * expected)
        for integrator in INTEGRATORS:
            histories = {step: self.run_both(integrator, step) for step in STEPS}
            worst = max((history["still.vx"] for history in histories.values()), key=lambda speeds: abs(speeds - CREEP).max())
            about = {"field": "friction", "mesh": "block, 1 × 1 × 1 cells"}
            expect_closed_form(self, case=f"slope 25°: creep of a block from its start in equilibrium, {integrator}", source="μ f(v) = tan θ, f = 2 v / ε - (v / ε)²", expected=CREEP,
                               got=worst[abs(worst - CREEP).argmax()], tolerance=1e-4, step="the worst of 1, 5, 20 ms", **about)
            for step, tolerance in STEPS.items():
                # Backward Euler takes each step with the speed at its end.
                own, source = (expected - SPEED * step / 2, "dv/dt = g (sin θ - μ f(v) cos θ), less v h / 2") if integrator == "backward_euler" else (expected, "dv/dt = g (sin θ - μ f(v) cos θ)")
                case = {"case": f"slope 25°: way of a block until it stops, {integrator}", "source": source, "expected": own, "got": histories[step]["slid.x"][-1], "tolerance": tolerance}
                if step == 5e-3:
                    expect_closed_form(self, step="5 ms", **case, **about)
                else:
                    self.assertLessEqual(abs(case["got"] - own), tolerance * own, f"{integrator}, {step} s")


if __name__ == "__main__":
    unittest.main()
