"""Coarse bodies that land flat: without friction no rigid one turns, whatever the diagonals of its mesh; with friction one that slides pitches forward."""

import json
import math
import unittest

import numpy
from scipy.integrate import solve_ivp

from closed_forms import expect_closed_form
from energy_account import assert_accounted_for
from traction_runs import ShortRunTest, boundary, box_text, gmsh_text

SPEED = 1
MOST_SPIN = 1e-6   # [rad/s]; areas of thirds of triangles leave a cube with 1.9
FLOORS = {"plane": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "box": {"box": {"lower": [-3, -3, -1], "upper": [3, 3, 0]}}}


def frustum():
    """A square of 0.2 m below and of 0.1 m above, cut into tetrahedra around one of its corners."""
    points = [(s * x, s * y, z) for z, s in ((0, 0.1), (0.1, 0.05)) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    cells = [(0, 1, 2, 6), (0, 1, 6, 5), (0, 5, 6, 4), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6)]
    for t, (a, b, c, d) in enumerate(cells):
        corners = numpy.array(points)[[a, b, c, d]]
        if numpy.linalg.det(corners[1:] - corners[0]) < 0:
            cells[t] = (a, b, d, c)
    return gmsh_text(points, [(1, *cell) for cell in cells], [(2, *face) for face in boundary(cells)], {1: (3, "solid"), 2: (2, "surface")})


SHAPES = {"cube": box_text((1, 1, 1), (0.1, 0.1, 0.1)), "brick": box_text((1, 2, 1), (0.1, 0.3, 0.05)), "plate": box_text((3, 2, 1), (0.3, 0.2, 0.02)), "frustum": frustum()}
SLIDING_LANDING = """
surfaces:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
time: {step: STEP, end: 0.5}
gravity: [0, 0, -9.81]
bodies:
  brick: {mesh: brick.msh, MATERIAL, initial: {translate: [0, 0, 0.02], velocity: [2, 0, 0]}}
contacts:
  slide: {all: true, thickness: 2e-3, friction: {dynamic: 0.5, tolerance: 1e-3}}
"""


def leaving_speed_of_a_sliding_cube(friction):
    """Over the speed at which it lands flat on two edges, which press with the square of their depth, while friction on both drives it into a pitch. Sizes cancel."""
    half, inertia, hardness = 0.5, 1 / 6, 1e4

    def rates(_, state):
        depth, pitch, sinking, turning = state   # the leading edge goes down as the pitch grows
        leading, trailing = (hardness * max(depth + side * half * pitch, 0)**2 for side in (1, -1))
        return sinking, turning, -(leading + trailing), (half * (trailing - leading) + friction * half * (leading + trailing)) / inertia

    motion = solve_ivp(rates, (0, 2), (0, 0, 1, 0), rtol=1e-10, atol=1e-13, max_step=1e-3)
    return -motion.y[2].min()


class FlatLandings(ShortRunTest):
    def land(self, shape, floor, **arguments):
        self.write("body.msh", SHAPES[shape])
        scene = {"time": {"step": 2e-4, "end": 0.06}, "gravity": [0, 0, 0], "surfaces": {"floor": FLOORS[floor]},
                 "bodies": {"body": {"mesh": "body.msh", "rigid": {"density": 1000}, "initial": {"translate": [0, 0, 0.02], "velocity": [0, 0, -SPEED]}}},
                 "contacts": {"landing": {"vertices": "body.surface", "against": "floor", "thickness": 1e-3}}}
        history = self.simulate(json.dumps(scene), **arguments).history
        self.assertGreater(history["body.vz"][-1], 0.7 * SPEED)
        return max(numpy.abs(history[f"body.w{axis}"]).max() for axis in "xyz")

    def test_nothing_turns(self):
        for shape in SHAPES:
            for floor in FLOORS:
                with self.subTest(shape, floor=floor):
                    self.assertLess(self.land(shape, floor, out=f"{shape}_{floor}"), MOST_SPIN)

    def test_on_any_number_of_ranks(self):
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                self.assertLess(self.land("brick", "plane", ranks=ranks, out=f"ranks_{ranks}"), MOST_SPIN)

    def test_a_landing_that_slides_leaves_no_faster_than_friction_makes_it(self):
        """Blocks that land flat, in one or two steps or more, and slide on. Friction turns them forward, so that a stiff one leaves faster than it came; of the steps that
        do not resolve this, none gives it more. All of their energy falls, because friction takes more than an impact may add."""
        self.write("brick.msh", box_text((1, 1, 1), (0.1,) * 3))
        came = math.sqrt(2 * 9.81 * 0.018)
        fastest = leaving_speed_of_a_sliding_cube(friction=0.5)
        for integrator in ("tr_sdirk2", "tr_bdf2", "sdirk2"):
            for name, material in (("rigid", "rigid: {density: 1000}"), ("soft", "solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}")):
                for step in (5e-3, 1e-3) if name == "soft" or integrator != "tr_sdirk2" else (5e-3, 1e-3, 4e-5):
                    with self.subTest(name, integrator=integrator, step=step):
                        history = self.simulate(SLIDING_LANDING.replace("MATERIAL", material).replace("STEP", str(step)), sets={"time.integrator": integrator, "time.end": 0.1 if step < 1e-3 else 0.5},
                                                out=f"{name}{integrator}{step}").history
                        left = history["brick.vz"].max()
                        taken = -history["work_friction"][-1]
                        print(f"\n  {name}, {integrator}, {step}: leaves at {left / came:.3f} of its speed, friction takes {taken:.4f} J", flush=True)
                        self.assertLess(left, 1.02 * fastest * came)
                        if step < 1e-3:
                            expect_closed_form(self, field="contact", case="speed at which a rigid cube leaves that lands flat and slides, over that at which it came",
                                               source="heave and pitch of a cube on two edges, by an integrator of its own", expected=fastest, got=left / came, tolerance=0.005, mesh="1 cell",
                                               step=f"{1e3 * step:.2g} ms")
                        if name == "rigid":
                            self.assertLess(taken, 1.02 * 2)   # m v^2 / 2 of the horizontal velocity
                        self.assertLess(history["energy_numerical"].max(), 1e-3)   # gained, of 2 J, while it tumbles on
                        assert_accounted_for(self, history)


if __name__ == "__main__":
    unittest.main()
