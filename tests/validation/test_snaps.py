"""Runs without inertia in which a branch of equilibria ends or becomes unstable: a truss that snaps through and a column that buckles, against their closed forms, and a rubber pad whose rim slips over a plate."""

import json
import math
import unittest

import numpy

from traction_runs import ShortRunTest, box_text

SPAN, HEIGHT, STIFFNESS, LOAD = 0.3, 0.1, 1e6, 4e4   # truss: half its width [m], its rise [m], stiffness of a bar [N/m], final load [N]
TRUSS = {
    "time": {"step": 0.05, "end": 1, "inertia": False},
    "bodies": {"block": {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e8, "poisson_ratio": 0.3, "density": 10}}, "initial": {"translate": [-0.05, -0.05, 0]},
                         "fixed": [{"region": "solid", "components": ["x", "y"]}],
                         "loads": {"push": {"region": "top", "force": [0, 0, -LOAD], "over": [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]}}}},
    "springs": {name: {"from": "block", "anchor": [x, 0, 0], "stiffness": STIFFNESS} for name, x in (("left", -SPAN), ("right", SPAN))},
}


def truss_force(height):
    """That holds the truss of von Mises with its tip at this height [N]."""
    length = numpy.hypot(SPAN, height)
    return 2 * STIFFNESS * (math.hypot(SPAN, HEIGHT) / length - 1) * height


def truss_energy(height):
    return STIFFNESS * (numpy.hypot(SPAN, height) - math.hypot(SPAN, HEIGHT))**2


class Truss(ShortRunTest):
    def test_snaps_to_the_other_branch(self):
        """The height follows F(z) on both branches, and the step in which the first one ends loses what the load does on the way beyond what the bars store."""
        self.write("block.msh", box_text((2, 2, 4), (0.1, 0.1, 0.2), faces={"top": lambda x: x[2] > 0.2 - 1e-9}))
        heights = numpy.linspace(-0.25, HEIGHT, 200001)
        forces = truss_force(heights)
        tip = numpy.argmax(numpy.where(heights > 0, forces, 0))
        limit, above, below = forces[tip], slice(tip, None), heights < -HEIGHT
        first = None
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                run = self.simulate(json.dumps(TRUSS), ranks=ranks, out=f"out{ranks}")
                self.assertIn("bodies moved to an equilibrium that was not near the last one", run.errors)
                history = run.history
                load, z = LOAD * history["time"], history["block.z"]
                for force, height in zip(load, z):
                    branch = heights[above] if force < limit else heights[below]
                    along = forces[above] if force < limit else forces[below]
                    order = numpy.argsort(along)
                    self.assertAlmostEqual(height, numpy.interp(force, along[order], branch[order]), delta=2e-3 * HEIGHT)
                snapped = numpy.flatnonzero((z[1:] < 0) & (z[:-1] > 0))
                self.assertEqual(len(snapped), 1)
                self.assertGreater(run.report["costs"]["settled_steps"], 0)
                self.assertLess(abs(load[snapped[0] + 1] / limit - 1), 0.05)
                lost = truss_energy(heights[tip]) + limit * heights[tip] - min(truss_energy(heights[below]) + limit * heights[below])
                self.assertLess(abs(-history["energy_numerical"][-1] / lost - 1), 0.1)
                first = first or history
                self.assertAlmostEqual(z[-1], first["block.z"][-1], delta=1e-4 * HEIGHT)

    def test_a_run_that_is_killed_and_continued_across_the_snap_is_the_unbroken_one(self):
        self.write("block.msh", box_text((2, 2, 4), (0.1, 0.1, 0.2), faces={"top": lambda x: x[2] > 0.2 - 1e-9}))
        sets = {"solver.reproducible": "true", "output.checkpoint_every": "{steps: 1}", "output.keep_checkpoints": 99}
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                whole = self.simulate(json.dumps(TRUSS), sets=sets, ranks=ranks, out=f"whole{ranks}")
                z = whole.history["block.z"]
                snap = 1 + int(numpy.flatnonzero((z[1:] < 0) & (z[:-1] > 0))[0])
                self.assertGreater(whole.report["costs"]["settled_steps"], 0)
                before = (whole.directory / "history.csv").read_bytes()
                for checkpoint in (whole.directory / "checkpoints").iterdir():
                    if int(checkpoint.stem[5:]) > whole.history["step"][snap - 1]:
                        checkpoint.unlink()
                again = self.resume(out=f"whole{ranks}", ranks=ranks)
                self.assertIn("bodies moved to an equilibrium that was not near the last one", again.errors)
                self.assertEqual(before, (again.directory / "history.csv").read_bytes())
                self.assertEqual(again.report["costs"]["settled_steps"], whole.report["costs"]["settled_steps"])

    def test_steps_across_the_whole_snap_are_noticed(self):
        """Newton's method reaches the other branch by itself in steps of an eighth to the whole of the final load; before, it did so without a word, and with half of that load in the first step."""
        self.write("block.msh", box_text((2, 2, 4), (0.1, 0.1, 0.2), faces={"top": lambda x: x[2] > 0.2 - 1e-9}))
        limit = truss_force(numpy.linspace(0, HEIGHT, 100001)).max()
        for step, ranks in ((1, 1), (0.5, 1), (0.5, 2), (0.25, 1), (0.125, 1), (0.125, 4)):
            with self.subTest(step=step, ranks=ranks):
                run = self.simulate(json.dumps(TRUSS), sets={"time.step": step}, ranks=ranks, out=f"out{step}_{ranks}")
                self.assertIn("bodies moved to an equilibrium that was not near the last one", run.errors)
                self.assertEqual(run.report["costs"]["settled_steps"], 1)
                load, z = LOAD * run.history["time"], run.history["block.z"]
                below = int(numpy.argmax(z < 0))
                self.assertGreater(load[below], limit)   # not before the first branch ends
                self.assertLess(load[below] - (load[below - 1] if below else 0), LOAD * step / 8 * 1.001)

    def test_a_step_along_one_branch_is_not_taken_for_a_jump(self):
        """A load of 90 % of the limit in one step, from rest: more than a fifth of the energy is missing in such a step, but the way back leads to its start."""
        self.write("block.msh", box_text((2, 2, 4), (0.1, 0.1, 0.2), faces={"top": lambda x: x[2] > 0.2 - 1e-9}))
        limit = truss_force(numpy.linspace(0, HEIGHT, 100001)).max()
        scene = json.loads(json.dumps(TRUSS))
        scene["bodies"]["block"]["loads"]["push"]["force"] = [0, 0, -0.9 * limit]
        run = self.simulate(json.dumps(scene), sets={"time.step": 1})
        self.assertEqual(len(run.history["time"]), 1)
        self.assertGreater(run.history["block.z"][0], 0)
        self.assertNotIn("not near the last one", run.errors)

    def test_the_pace_of_the_load_does_not_matter(self):
        """In steps of 50 microseconds, much shorter than the block's period on its springs, too."""
        self.write("block.msh", box_text((2, 2, 4), (0.1, 0.1, 0.2), faces={"top": lambda x: x[2] > 0.2 - 1e-9}))
        scene = json.loads(json.dumps(TRUSS))
        scene["time"] |= {"step": 5e-5, "end": 1e-3}
        scene["bodies"]["block"]["loads"]["push"]["over"][1]["time"] = 1e-3
        fast, slow = (self.simulate(json.dumps(each), out=out).history["block.z"][-1] for each, out in ((scene, "fast"), (TRUSS, "slow")))
        self.assertAlmostEqual(fast, slow, delta=1e-3 * HEIGHT)
        self.assertLess(fast, -HEIGHT)

    def test_what_sticks_to_a_moving_support_keeps_its_place_there(self):
        """While the truss snaps, a cube rides on a belt, and another on a driven plate: both go as far as these, in the step of the snap, too."""
        self.write("block.msh", box_text((2, 2, 4), (0.1, 0.1, 0.2), faces={"top": lambda x: x[2] > 0.2 - 1e-9}))
        self.write("cube.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1)))
        self.write("plate.msh", box_text((2, 2, 1), (0.8, 0.6, 0.1)))
        scene = json.loads(json.dumps(TRUSS))
        soft, hard = ({"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.3, "density": 1000}} for modulus in (1e6, 1e8))
        scene["gravity"] = [0, 0, -9.81]
        scene["bodies"]["rides"] = {"mesh": "cube.msh", "solid": soft, "initial": {"translate": [1, 0, 0.0009]}}
        scene["bodies"]["driven"] = {"mesh": "cube.msh", "solid": soft, "initial": {"translate": [2, 0, 0.0009]}}
        scene["bodies"]["plate"] = {"mesh": "plate.msh", "solid": hard, "initial": {"translate": [1.8, -0.2, -0.1]},
                                    "driven": [{"vertices": "solid", "motion": [{"velocity": [0.1, 0, 0]}]}]}
        scene["surfaces"] = {"belt": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "motion": [{"velocity": [0.1, 0, 0]}]}}
        contact = {"thickness": 1e-3, "friction": {"dynamic": 0.5}}
        scene["contacts"] = {"on_belt": {"vertices": "rides", "against": "belt", **contact}, "on_plate": {"vertices": "driven", "against": "plate", **contact}}
        for friction in ("implicit", "lagged"):
            for each in scene["contacts"].values():
                each["friction"] = {"dynamic": 0.5} | {"coupling": friction}
            run = self.simulate(json.dumps(scene), out=friction)
            self.assertGreater(run.report["costs"]["settled_steps"], 0)
            history = run.history
            for body in ("rides", "driven"):
                way = history[f"{body}.x"] - history[f"{body}.x"][0] - 0.1 * (history["time"] - history["time"][0])
                self.assertLess(abs(way).max(), 2e-5, (friction, body))


LENGTH, SEGMENTS, RADIUS, MODULUS = 0.25, 40, 2e-3, 1e8   # column [m, 1, m, Pa]


def buckled(load):
    """Mean distance to the side of a cantilever column under `load` times its critical load, in parts of its length: the pendulum's equation along the arc."""
    steps = 2000
    h, rate = 1 / steps, load * math.pi**2 / 4

    def run(tip):
        """Angle at the clamp of a column whose end has the angle `tip`, and the mean distance."""
        def slope(y):
            return numpy.array([y[1], -rate * math.sin(y[0]), math.sin(y[0])])
        y, ways = numpy.array([tip, 0, 0]), [0]
        for _ in range(steps):
            a = slope(y)
            b = slope(y + h / 2 * a)
            c = slope(y + h / 2 * b)
            y = y + h / 6 * (a + 2 * b + 2 * c + slope(y + h * c))
            ways.append(y[2])
        return y[0], ways[-1] - (sum(ways) - (ways[0] + ways[-1]) / 2) * h
    low, high = 0.1, 3.1
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if run(middle)[0] < 0 else (low, middle)
    return run((low + high) / 2)[1]


class Column(ShortRunTest):
    def test_a_column_leaves_its_unstable_equilibrium(self):
        """It leans to the side of a small load, as far as the elastica, although a step leads past the critical load; without that load, to any side."""
        self.write("column.txt", "".join(f"{LENGTH * i / SEGMENTS} 0 0\n" for i in range(SEGMENTS + 1)))
        critical = math.pi**2 / 4 * MODULUS * math.pi * RADIUS**4 / 4 / LENGTH**2
        free = 1 - 1 / (2 * SEGMENTS)  # part of the length: the clamp holds the first segment, and bending begins in its middle
        # On some processors a side load of 1e-3 is followed within 37° alone, or not at all (docs/limits.md).
        for load, step, ranks, side in ((1.5, 0.1, 1, 2e-3), (1.5, 0.1, 2, 2e-3), (1.5, 0.1, 4, 2e-3), (1.5, 0.02, 1, -2e-3), (3, 0.1, 1, 2e-3), (1.5, 0.1, 1, 0)):
            with self.subTest(load=load, step=step, ranks=ranks, side=side):
                loads = {"down": {"region": "last_point", "force": [-load * critical, 0, 0], "over": [{"time": 0, "factor": 0}, {"time": 0.9, "factor": 1}]}}
                if side:
                    loads["side"] = {"force": [0, 0, side * critical]}
                scene = {"time": {"step": step, "end": 1, "inertia": False},
                         "bodies": {"column": {"mesh": "column.txt", "rod": {"rod": {"radius": RADIUS, "youngs_modulus": MODULUS, "density": 1000}},
                                               "fixed": "first_segment", "loads": loads}}}
                run = self.simulate(json.dumps(scene), ranks=ranks, out=f"{load}_{step}_{ranks}_{side}")
                if step == 0.1:  # shorter steps follow the load without a jump
                    self.assertIn("bodies moved to an equilibrium that was not near the last one", run.errors)
                across, up = run.history["column.y"][-1], run.history["column.z"][-1]
                away = math.hypot(across, up)
                expected = LENGTH * free**2 * buckled(load * free**2)
                self.assertAlmostEqual(away, expected, delta=0.005 * expected)
                if side:
                    self.assertGreater(up * math.copysign(1, side), 0.9 * away)

    def test_a_square_column_leans_along_its_load(self):
        """Not across it: both directions are unstable in equal measure. The mean distance is the elastica's."""
        thickness, load, side, step = 0.01, 6, 1e-3, 0.1
        self.write("column.msh", box_text((20, 1, 1), (LENGTH, thickness, thickness), faces={"left": lambda x: x[0] < 1e-9, "right": lambda x: x[0] > LENGTH - 1e-9}))
        critical = math.pi**2 / 4 * MODULUS * thickness**4 / 12 / LENGTH**2
        scene = {"time": {"step": step, "end": 0.9, "inertia": False},
                 "bodies": {"column": {"mesh": "column.msh", "solid": {"solid": {"youngs_modulus": MODULUS, "poisson_ratio": 0, "density": 1000, "material": "saint_venant_kirchhoff"}}, "order": 2,
                                       "fixed": "left",
                                       "loads": {"down": {"region": "right", "force": [-load * critical, 0, 0], "over": [{"time": 0, "factor": 0}, {"time": 0.9, "factor": 1}]},
                                                 "side": {"force": [0, 0, side * critical]}}}}}
        run = self.simulate(json.dumps(scene))
        across, up = run.history["column.y"][-1] - run.history["column.y"][0], run.history["column.z"][-1] - run.history["column.z"][0]
        expected = LENGTH * buckled(load)
        print(f"\n  square column: {up:.5f} m along its load, {across:.5f} m across, elastica {expected:.5f} m")
        self.assertAlmostEqual(up, expected, delta=0.03 * expected)
        self.assertLess(abs(across), 0.2 * up)  # the mesh is no more alike in all directions than that


PAD = """\
SetFactory("OpenCASCADE");
Box(1) = {-0.02, -0.02, 0, 0.04, 0.04, 0.02};
Physical Volume("rubber") = {1};
Physical Surface("bottom") = {5};
Mesh.MeshSizeMin = 0.008; Mesh.MeshSizeMax = 0.008;
"""
PLATE = """\
SetFactory("OpenCASCADE");
Box(1) = {-0.014, -0.021, 0.0206, 0.042, 0.042, 0.005};
Physical Volume("plate") = {1};
Physical Surface("top") = {6};
Mesh.MeshSizeMin = 0.006; Mesh.MeshSizeMax = 0.006;
"""
PRESS = """\
time: {step: 0.02, end: 1}
bodies:
  pad:
    mesh: pad.geo
    solid: {rubber: {youngs_modulus: 3e6, poisson_ratio: 0.45, density: 1100}}
    fixed: bottom
  plate:
    mesh: plate.geo
    solid: {plate: {youngs_modulus: 3e7, poisson_ratio: 0.3, density: 1500}}
    driven: [{vertices: top, motion: {velocity: [0, 0, -0.006]}}]
contacts: {press: {vertices: pad, against: plate, thickness: 5e-4, friction: {dynamic: 0.4}}}
"""


class Pad(ShortRunTest):
    def test_rim_slips_over_a_coarse_plate(self):
        """A plate that stands 6 mm over the pad's rim on one side presses it by 27 %. As slow a motion with inertia needs the same force."""
        self.write("pad.geo", PAD)
        self.write("plate.geo", PLATE)
        forces = {}
        for name, inertia in (("static", False), ("slow", True)):
            run = self.simulate(PRESS, sets={"time.inertia": str(inertia).lower()}, out=name, timeout=600)
            forces[name] = run.history["plate.top.fz"][-1]
            if not inertia:
                self.assertLess(run.history["energy_numerical"][-1], 0.01 * run.history["work_driven"][-1])
        self.assertLess(abs(forces["static"] / forces["slow"] - 1), 0.02, forces)


if __name__ == "__main__":
    unittest.main()
