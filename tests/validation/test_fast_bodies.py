"""Nothing goes through what it touches unseen, with the penalty and the smooth surface too: steps that lead through are shortened, or the run ends with the reason."""

import unittest

import numpy

from edge_scenes import DEFAULT, Builder
from edge_shapes import box, cube, sheet, tetrahedron
from traction_runs import ShortRunTest, box_text

SPEED, THICKNESS = 44.7, 0.002                  # 100 mph; of the wall
MIDDLE = -1e-3                                  # middle of every obstacle, whose top is at z = 0
WALL = (-0.15, -0.15, -THICKNESS), (0.15, 0.15, 0)


def thrown(edge, step, end, at=(0, 0), height=0.02, cells=0):
    """A cube that flies down from a height above z = 0."""
    b = Builder("fast", DEFAULT, step=step, end=end, gravity=(0, 0, 0), friction=0.3)
    b.body("cube", cube(edge).refined(cells), (*at, height), youngs_modulus=1e7, velocity=[0, 0, -SPEED])
    return b


def against_wall(kind, step):
    b = thrown(0.06, step, 2.4e-3, at=(0.01, 0.02))
    if kind == "mesh":
        b.mesh_obstacle("wall", box((0.3, 0.3, THICKNESS), (30, 30, 1)), (0, 0, -THICKNESS))
    else:
        b.box_obstacle("wall", *WALL)
    b.touch("cube", "wall", geometry="smooth_surface")
    return b


def against_round(kind):
    """A cube of 1 mm thrown at a wire or a bead of 1 mm radius: a step takes it past the whole."""
    b = thrown(1e-3, 1e-4, 1e-3, at=(0, 0), height=0.01)
    b.thickness = 1e-4
    shape = {"sphere": {"center": [0, 0, -1e-3], "radius": 1e-3}} if kind == "sphere" else {"cylinder": {"point": [0, 0, -1e-3], "axis": [0, 1, 0], "radius": 1e-3}}
    b.scene["surfaces"]["post"] = shape
    b.touch("cube", "post", geometry="smooth_surface")
    return b


class FastBodies(ShortRunTest):
    def comes_back(self, builder, ranks=(1, 2)):
        builder.done().write(self.folder)
        ends = {}
        for count in ranks:
            outcome = self.simulate(self.folder / "scene.yaml", ranks=count, out=f"out_{count}", sets={"solver.tolerance": 1e-9})
            history = outcome.history
            energy = sum(history[f"{kind}_energy"] for kind in ("kinetic", "elastic", "contact"))
            self.assertGreater(history["contacts"].max(), 0)
            self.assertGreater(history["cube.vz"][-1], 0)
            self.assertGreater(history["cube.z"].min(), MIDDLE)
            self.assertLessEqual(energy.max(), energy[0] * (1 + 1e-9))
            ends[count] = history["cube.z"][-1]
        for end in ends.values():
            self.assertLess(abs(end / ends[1] - 1), 1e-6)

    def test_thin_walls(self):
        # 4.5 mm and 8.9 mm in a step: into the far half, and through.
        for kind in ("mesh", "box"):
            for step in (1e-4, 2e-4):
                with self.subTest(kind=kind, step=step):
                    self.comes_back(against_wall(kind, step))

    def test_wires_and_beads(self):
        for kind in ("sphere", "cylinder"):
            with self.subTest(kind):
                self.comes_back(against_round(kind))

    def test_schemes_whose_steps_end_beyond_their_stages(self):
        # These take the end of a step from a state that the solver has kept clear of surfaces, or add the motion of modes to it.
        for integrator, step, speed, height in (("generalized_alpha", 5e-3, 2, 0.05), ("generalized_alpha", 5e-3, 5, 0.03), ("beere", 2e-2, 2, 0.05), ("bdf2ere", 5e-3, 20, 0.1)):
            with self.subTest(integrator=integrator, speed=speed):
                b = Builder("open", DEFAULT, step=step, end=0.15, thickness=2e-3, friction=0.3, integrator=integrator)
                b.body("tetrahedron", tetrahedron(0.2), (0, 0, height), youngs_modulus=1e7, velocity=[0, 0, -speed], damping={"stiffness": 1e-3})
                b.mesh_obstacle("sheet", sheet((2, 2), (1, 1)))
                b.touch("tetrahedron", "sheet")
                b.done().write(self.folder)
                outcome = self.run_program("run", self.folder / "scene.yaml", out=f"out_{integrator}_{speed}")
                self.assertEqual(outcome.code, 3 if speed == 20 else 0, outcome.errors)  # a linearized step cannot stop so fast a body
                history = outcome.history
                self.assertGreater(history["contacts"].max(), 0)
                self.assertGreater(history["tetrahedron.z"].min(), 0)

    def test_a_step_that_cannot_be_shortened_ends_the_run(self):
        against_wall("box", 2e-4).done().write(self.folder)
        for ranks in (1, 2):
            outcome = self.run_program("run", self.folder / "scene.yaml", ranks=ranks, out=f"short_{ranks}", sets={"time.maximum_halvings": 0})
            self.assertEqual(outcome.code, 3, outcome.errors)
            for part in ("contact 'cube_wall'", "passes through what it touches", "time.step", "time.maximum_halvings"):
                self.assertIn(part, outcome.errors + outcome.output)

    def ram(self, more="", touch="vertices: block, against: ram"):
        """A box moves up by 10 mm in a step, and a block rests 5 mm above it."""
        self.write("block.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1)))
        return f"""\
time: {{step: 1e-3, end: 0.01, maximum_halvings: 0}}
bodies:
  block:
    mesh: block.msh
    solid: {{solid: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}}}
surfaces:
  ram: {{box: {{lower: [0.02, 0.02, -0.1], upper: [0.03, 0.03, -0.005]}}, motion: {{velocity: [0, 0, 10]}}}}
{more}contacts:
  blow: {{{touch}, thickness: 6e-3}}
"""

    def test_a_ram_drives_a_block_ahead(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                outcome = self.simulate(self.ram(), ranks=ranks, out=f"out_{ranks}")
                balance = outcome.report["energy_balance"]
                given = balance["work_driven"] + balance["stored_at_start"]
                self.assertLessEqual(balance["kinetic_at_end"] + balance["stored_at_end"], given)
                self.assertGreater(balance["kinetic_at_end"], 0.5 * 1 * 10**2)          # thrown at least as fast as the ram
                self.assertGreater(outcome.history["min_gap"].min(), 0)

    def test_a_motion_that_nothing_yields_to_names_what_is_in_its_way(self):
        scene = self.ram("  lid: {box: {lower: [-1, -1, 0.101], upper: [1, 1, 0.2]}}\n", "all: true")
        for ranks in (1, 2):
            outcome = self.run_program("run", scene, ranks=ranks, out=f"out_{ranks}")
            self.assertEqual(outcome.code, 3, outcome.errors)
            for part in ("a prescribed motion in this step leads through a surface", "contact 'blow', at (", "of body 'block', where the gap is 0.001 m", "take shorter steps (time.step, time.maximum_halvings)"):
                self.assertIn(part, outcome.errors)

    def test_a_driven_body_that_a_plane_stops_says_where(self):
        """Its lower face comes to the plane at 0.5 ms, and no stiffness holds it before it is released."""
        scene = self.ram("  floor: {plane: {point: [0, 0, -0.005]}}\n", "vertices: block, against: floor").replace("surfaces:", "    driven: [{vertices: solid, motion: {velocity: [0, 0, -10]}, until: 9e-3}]\nsurfaces:")
        for ranks in (1, 2):
            outcome = self.run_program("run", scene, ranks=ranks, out=f"out_{ranks}")
            self.assertEqual(outcome.code, 3, outcome.errors)
            self.assertRegex(outcome.errors, r"contact 'blow' does not hold the vertex at \(0(\.0?5|\.1)?, 0(\.0?5|\.1)?, -0.01\), .* -0.005 m .* if a prescribed motion leads the vertex or the surface there")


if __name__ == "__main__":
    unittest.main()
