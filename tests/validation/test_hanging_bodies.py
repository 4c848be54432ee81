"""Bodies that joints, springs and rods carry, in search of equilibrium at the start and without inertia: what may turn freely is no instability, and what hangs from others may go far."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import box
from traction_runs import ShortRunTest, box_text

GRAVITY, DENSITY = 9.81, 1000
RIGID = {"rigid": {"density": DENSITY}}
MODES = ("start in equilibrium", "without inertia")


class HangingBodies(ShortRunTest):
    def rest(self, scene, mode, out="out", **arguments):
        """The last row of a run of the scene, which starts in equilibrium or has no inertia."""
        scene = json.loads(json.dumps(scene)) | {"gravity": [0, 0, -GRAVITY]}
        scene["time"] = {"step": 1e-3, "end": 1e-3} if mode == MODES[0] else {"step": 0.1, "end": 1, "inertia": False}
        for body in scene["bodies"].values() if mode == MODES[0] else ():
            body["initial"] = {**body.get("initial", {}), "equilibrium": True}
        return self.simulate(json.dumps(scene), out=out, **arguments)

    def expect(self, **values):
        expect_closed_form(self, field="statics", **values)

    def test_a_bar_on_a_ball_joint_may_turn_about_itself(self):
        """Nothing resists or drives that turn. The rounding of forces, and small forces without balance, once counted as a drive."""
        self.write("bar.msh", box_text((2, 2, 8), (0.04, 0.04, 0.4)))
        for modulus in (1e5, 1e7, 1e8, 1e9, 2e11):
            for ranks in (1, 2):
                solid = {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.3, "density": DENSITY}}
                scene = {"bodies": {"bar": {"mesh": "bar.msh", "solid": solid}}, "joints": {"pivot": {"kind": "ball", "between": ["bar", "ground"], "at": [0.02, 0.02, 0.4]}}}
                run = self.rest(scene, MODES[1], out=f"{modulus}_{ranks}", ranks=ranks)
                self.assertNotIn("not near the last one", run.errors)
                self.assertNotIn("is not stable", run.errors)
                self.assertEqual(run.report["costs"]["settled_steps"], 0)
                self.assertAlmostEqual(run.history["pivot.fz"][-1], 0.04 * 0.04 * 0.4 * DENSITY * GRAVITY, delta=1e-5)

    def test_a_cube_hangs_far_below_on_a_soft_spring(self):
        side, stiffness = 0.05, 5.0
        weight = DENSITY * side**3 * GRAVITY
        self.write("cube.msh", box((side,) * 3).gmsh())
        scene = {"bodies": {"cube": {"mesh": "cube.msh", **RIGID}}, "springs": {"rope": {"from": "cube", "anchor": [0, 0, 0.2], "stiffness": stiffness}}}
        for mode in MODES:
            self.expect(case="rigid cube on a soft spring: way down", source="m g/k", expected=weight / stiffness, got=side / 2 - self.rest(scene, mode, out=mode[:3]).history["cube.z"][-1],
                        tolerance=1e-4, mesh="1 cell", step=mode)

    def test_a_chain_swings_down(self):
        """Rigid links on ball joints that start straight along x."""
        count, length, side = 5, 0.1, 0.02
        bodies, joints = {}, {}
        for k in range(count):
            self.write(f"link{k}.msh", box((side, side, length)).turned((0, 1, 0), 90).moved((k * length, 0, 0)).gmsh())
            bodies[f"link{k}"] = {"mesh": f"link{k}.msh", **RIGID}
            joints[f"joint{k}"] = {"kind": "ball", "between": [f"link{k}", f"link{k - 1}" if k else "ground"], "at": [k * length, 0, 0]}
        run = self.rest({"bodies": bodies, "joints": joints}, MODES[0])
        about = {"mesh": "5 rigid links", "step": MODES[0]}
        self.expect(case="chain of rigid links: force of its first joint", source="Σ m g", expected=count * DENSITY * side**2 * length * GRAVITY, got=run.history["joint0.fz"][-1], tolerance=1e-3, **about)
        self.expect(case="chain of rigid links: place of the last one", source="−(n − 1/2) l", expected=-(count - 0.5) * length, got=run.history[f"link{count - 1}.z"][-1], tolerance=1e-3, **about)

    def test_a_rod_bends_under_a_rigid_body_at_its_end(self):
        """The body moves by many times its own size, which once counted as a fall."""
        radius, modulus, length, segments, side, mass = 2e-3, 1e9, 0.4, 20, 0.02, 1e-3
        self.write("rod.txt", "".join(f"{length * k / segments} 0 0\n" for k in range(segments + 1)))
        self.write("cube.msh", box((side,) * 3).moved((length + side / 2, 0, -side / 2)).gmsh())
        scene = {"bodies": {"rod": {"mesh": "rod.txt", "rod": {"rod": {"youngs_modulus": modulus, "radius": radius, "density": 1, "poisson_ratio": 0.3}}, "fixed": "first_segment"},
                            "cube": {"mesh": "cube.msh", "rigid": {"density": mass / side**3}}},
                 "attachments": {"tip": {"vertices": "rod.last_point", "to": "cube", "tangent": True}}}
        bending, arm, weight = modulus * math.pi * radius**4 / 4, length * (1 - 1 / (2 * segments)), mass * GRAVITY
        moment = weight * side / 2
        slope = (weight * arm**2 / 2 + moment * arm) / bending
        drop = (weight * arm**3 / 3 + moment * arm**2 / 2) / bending + slope * side / 2
        for mode in MODES:
            run = self.rest(scene, mode, out=mode[:3])
            self.expect(case="cantilever rod with a rigid body at its end: drop of the body", source="P L³/(3 EI) + M L²/(2 EI) + (P L²/2 + M L) a/(2 EI)", expected=drop, got=-run.history["cube.z"][-1],
                        tolerance=0.01, mesh="20 segments", step=mode)

    def test_a_rod_twists_before_it_starts(self):
        """Its shape at rest is twisted, and one end is held: only its twist is out of balance, which has no energy when it rests."""
        self.write("rod.txt", "".join(f"{k / 20} 0 0\n" for k in range(21)))
        rod = {"mesh": "rod.txt", "rod": {"rod": {"youngs_modulus": 1e9, "radius": 0.01, "density": 1000, "poisson_ratio": 0, "natural_curvature": [0, 0, 2.0]}},
               "fixed": ["first_segment", {"region": "rod", "components": ["y", "z"]}]}
        stored = 1e9 / 2 * math.pi * 0.01**4 / 2 * 2.0**2 / 2   # GJ τ² L/2 of the straight shape
        row = self.rest({"bodies": {"rod": rod}}, MODES[0]).last_row()
        self.assertLess(row["bending_energy"] + row["kinetic_energy"], 1e-6 * stored)


if __name__ == "__main__":
    unittest.main()
