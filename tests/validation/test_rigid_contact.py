"""Rigid bodies that roll, jam, rest on soft bodies and are held in part, against closed forms."""

import json
import math
import re
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import box
from test_closed_forms_friction import ball
from traction_runs import ShortRunTest, box_text, gmsh_text

GRAVITY = 9.81
RADIUS, CELLS, THICKNESS = 0.1, 24, 2e-3
FLOOR = {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}
SOFT = {"solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.0, "density": 1000}}}
SIDE = 0.1
BOX = 1000 * SIDE**3          # mass [kg]


def kinetic_energy(history, name):
    return sum(history[f"{name}.v{c}"] * history[f"{name}.p{c}"] + history[f"{name}.w{c}"] * history[f"{name}.l{c}"] for c in "xyz") / 2


class Rolling(ShortRunTest):
    def roll(self, degrees, friction, end, velocity=0.0, spin=0.0):
        """A ball with the moment of inertia of a true one, on a floor; the weight is turned."""
        self.write("ball.msh", ball(CELLS, RADIUS).gmsh_with({}))
        angle, inertia = math.radians(degrees), 0.4 * RADIUS**2
        body = {"mesh": "ball.msh", "rigid": {"mass": 1, "center": [0, 0, 0], "inertia": [inertia] * 3},
                "initial": {"translate": [0, 0, RADIUS + THICKNESS], "velocity": [velocity, 0, 0], "angular_velocity": [0, spin, 0]}}
        scene = {"time": {"step": 1e-3, "end": end}, "gravity": [GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle)], "bodies": {"ball": body}, "surfaces": FLOOR,
                 "contacts": {"touch": {"all": True, "thickness": THICKNESS, "friction": {"dynamic": friction, "tolerance": 1e-3}}}}
        return self.simulate(json.dumps(scene), out=f"out{degrees}").history

    def expect(self, case, **values):
        # The corners of the ball's mesh roll over the floor: the ball is a polyhedron, rises and falls, and loses a little where it comes down.
        expect_closed_form(self, field="rigid bodies", case=case, mesh=f"ball, {CELLS} × {CELLS} × {CELLS} cells", step="1 ms", **values)

    @staticmethod
    def mean_rate(history):
        """The spin over time in the second half of the run: the corners of a ball that slips change it by up to a tenth, back and forth."""
        late = history["time"] > history["time"][-1] / 2
        return float(numpy.mean(history["ball.wy"][late] / history["time"][late]))

    def test_rolls_or_slips_down_a_slope(self):
        end = 0.15
        for degrees, friction in ((15, 0.5), (30, 0.1)):
            angle = math.radians(degrees)
            rolls = math.tan(angle) < 3.5 * friction
            history = self.roll(degrees, friction, end)
            pull, grip = GRAVITY * math.sin(angle), friction * GRAVITY * math.cos(angle)
            acceleration, spin = (5 / 7 * pull, 5 / 7 * pull / RADIUS) if rolls else (pull - grip, 2.5 * grip / RADIUS)
            word, about = ("rolls", "5/7 g sin θ") if rolls else ("slips", "g (sin θ − μ cos θ)")
            self.expect(f"ball {word} down {degrees}°: speed after {end} s", source=f"{about} t", expected=acceleration * end, got=history["ball.vx"][-1], tolerance=0.02)
            self.expect(f"ball {word} down {degrees}°: spin after {end} s", source="5/7 g sin θ t/R" if rolls else "5/2 μ g cos θ t/R", expected=spin * end,
                        got=end * self.mean_rate(history), tolerance=0.05)

    def test_backspin_turns_into_rolling(self):
        velocity, spin = 0.5, 15.0
        history = self.roll(0, 0.6, 0.12, velocity, -spin)
        expected = (5 * velocity - 2 * spin * RADIUS) / 7
        self.expect("ball with backspin: speed at which it rolls back", source="(5 v − 2 ω R)/7", expected=expected, got=history["ball.vx"][-1], scale=velocity, tolerance=0.03)
        self.expect("ball with backspin: spin at which it rolls back", source="(5 v − 2 ω R)/(7 R)", expected=expected / RADIUS, got=history["ball.wy"][-1], scale=spin, tolerance=0.03)


class Jamming(ShortRunTest):
    def test_painleves_rod_gains_no_energy(self):
        """A slender rod that is pushed ahead of its upper end jams against the floor at high friction, where rigid bodies with Coulomb's law have no solution, or several."""
        length, width, speed, lean = 1.0, 0.02, 5.0, -30.0
        self.write("rod.msh", box_text((1, 1, 8), (width, width, length)))
        angle = math.radians(lean)
        lowest = min(-x * math.sin(angle) + z * math.cos(angle) for x in (0, width) for z in (0, length))
        for step, end in ((1e-3, 0.2), (1e-4, 0.03)):
            body = {"mesh": "rod.msh", "rigid": {"density": 1000},
                    "initial": {"rotate": {"axis": [0, 1, 0], "angle": lean, "about": [0, 0, 0]}, "translate": [0, 0, 1.2e-3 - lowest], "velocity": [speed, 0, 0]}}
            scene = {"time": {"step": step, "end": end}, "gravity": [0, 0, -GRAVITY], "bodies": {"rod": body}, "surfaces": FLOOR,
                     "contacts": {"touch": {"all": True, "thickness": 1e-3, "friction": {"dynamic": 3.0, "tolerance": 1e-3}}}}
            history = self.simulate(json.dumps(scene), out=f"out{step}").history
            self.assertGreater(history["touch.fz"].max(), 100 * 0.4 * GRAVITY)   # it jams
            self.assertGreater(history["rod.vz"].max(), 1.0)                      # and is thrown up
            total = sum(history[name] for name in history if name.endswith("_energy") and name != "stiffening_energy")
            rise = float(numpy.max(total - numpy.minimum.accumulate(total)))
            expect_closed_form(self, field="rigid bodies", case="Painlevé's rod that jams: energy gained, in parts of its kinetic energy", source="none", expected=0,
                               got=rise / (0.4 * speed**2 / 2), scale=1, tolerance=2e-3, mesh="rod of 50 widths", step=f"{1e3 * step:g} ms")


class BesideAHeavyBody(ShortRunTest):
    def test_light_bodies_gain_nothing_while_a_heavy_one_lands(self):
        """Small bodies of a few grams topple over and land while a block of 68 kg strikes the floor beside them: what they gain is little beside the block's energy."""
        sizes = {"brick": (0.03, 0.02, 0.015), "die": (0.02, 0.02, 0.02), "tile": (0.04, 0.03, 0.01)}
        self.write("block.msh", box_text((2, 2, 2), (0.3, 0.3, 0.3)))
        bodies = {"block": {"mesh": "block.msh", "rigid": {"density": 2500}, "initial": {"rotate": {"axis": [1, 1, 0], "angle": 20, "about": [0.15, 0.15, 0.15]}, "translate": [0, 0, 0.12]}}}
        for i, (name, size) in enumerate(sizes.items()):
            self.write(f"{name}.msh", box_text((2, 2, 2), size))
            bodies[name] = {"mesh": f"{name}.msh", "rigid": {"density": 500}, "initial": {"translate": [-0.3 - 0.1 * i, 0, 0.02]}}
        floor, touch = FLOOR, {"all": True, "thickness": 1e-3, "friction": {"dynamic": 0.5}}
        for angle in (20, 40):
            for i, name in enumerate(sizes):
                bodies[name]["initial"]["rotate"] = {"axis": [1, 0.3 * i, 0.2], "angle": angle, "about": [0.01, 0.01, 0.01]}
            scene = {"time": {"step": 2e-3, "end": 0.4}, "gravity": [0, 0, -GRAVITY], "bodies": bodies, "surfaces": floor, "contacts": {"touch": touch}}
            history = self.simulate(json.dumps(scene), out=f"out{angle}").history
            for name, size in sizes.items():
                heights = history[f"{name}.z"] + kinetic_energy(history, name) / (500 * math.prod(size) * GRAVITY)
                fall = heights[0] - min(size) / 2
                expect_closed_form(self, field="rigid bodies", case=f"{name} turned by {angle}° that lands beside a heavy block: energy gained, in parts of that of its fall",
                                   source="none", expected=0, got=float(heights.max() - heights[0]) / fall, scale=1, tolerance=1e-3, mesh="boxes of 2 × 2 × 2 cells", step="2 ms")


class Impacts(ShortRunTest):
    def test_rebound_of_cubes(self):
        """Without friction and losses cubes part as fast as they meet, if impacts last many steps. The run warns of shorter ones."""
        self.write("cube.msh", box_text((1, 1, 1), (0.05,) * 3))
        warning = "out of the motion"
        for step, pressure, tolerance, warns in ((1e-4, 1e5, 1e-3, False), (1e-4, 1e6, 1e-2, False), (1e-3, None, None, True), (1e-4, None, 0.07, False), (2e-5, None, 1e-3, False)):
            bodies = {"still": {"mesh": "cube.msh", "rigid": {"density": 1000}},
                      "thrown": {"mesh": "cube.msh", "rigid": {"density": 4000}, "initial": {"translate": [0, 0, 0.055], "velocity": [0, 0, -1]}}}
            touch = {"both": ["still", "thrown"], "thickness": 1e-3} | ({"pressure": pressure} if pressure else {})
            outcome = self.simulate(json.dumps({"time": {"step": step, "end": 0.02}, "bodies": bodies, "contacts": {"touch": touch}}), out=f"out{step}_{pressure}")
            history = outcome.history
            parting = history["thrown.vz"][-1] - history["still.vz"][-1]
            if warns:
                self.assertLess(parting, 0.8)
            else:
                expect_closed_form(self, field="rigid bodies", case=f"cubes that meet face to face, {f'{pressure:g} Pa' if pressure else 'default'}: coefficient of restitution",
                                   source="no loss", expected=1, got=parting, tolerance=tolerance, mesh="8 vertices each", step=f"{1e3 * step:g} ms")
            self.assertEqual(warning in outcome.errors, warns, outcome.errors)
            self.assertEqual("contact 'touch' touched: impacts of rigid bodies last too few steps" in outcome.errors, warns)

    def test_rebounds_converge_as_steps_become_short(self):
        """A ball on a ball and on a plane, a corner and a face of a cube on a plane: none loses anything in short steps."""
        self.write("ball.msh", ball(8, 0.05).gmsh_with({}))
        self.write("cube.msh", box_text((1, 1, 1), (0.05,) * 3))
        self.write("fine.msh", box_text((4, 4, 4), (0.05,) * 3))
        on_corner = {"rotate": {"axis": [1, -1, 0], "angle": 54.7356}, "translate": [0, 0, 0.025]}
        for case, mesh, start in (("ball on ball", "ball.msh", {"translate": [0, 0, 0.103]}), ("ball on plane", "ball.msh", {"translate": [0, 0, 0.053]}),
                                  ("cube's corner on plane", "cube.msh", on_corner), ("cube's face on plane", "fine.msh", {"translate": [0, 0, 0.003]})):
            with self.subTest(case):
                bodies = {"thrown": {"mesh": mesh, "rigid": {"density": 1000}, "initial": {**start, "velocity": [0, 0, -1]}}}
                scene = {"time": {"step": 2e-5, "end": 0.01}, "bodies": bodies, "contacts": {"touch": {"all": True, "thickness": 1e-3}}}
                if case == "ball on ball":
                    bodies["still"] = {"mesh": mesh, "rigid": {"density": 1000}}
                else:
                    scene["surfaces"] = FLOOR
                history = self.simulate(json.dumps(scene), out=case.replace(" ", "_").replace("'", "")).history
                self.assertGreater(history["thrown.vz"][-1], -0.1)
                kinetic = sum(kinetic_energy(history, name) for name in bodies)
                expect_closed_form(self, field="rigid bodies", case=f"{case}: kinetic energy after the impact, in parts of that before it", source="no loss", expected=1,
                                   got=float(kinetic[-1] / kinetic[0]), tolerance=1e-3, mesh=mesh, step="0.02 ms")


class StruckBySpinningBodies(ShortRunTest):
    def test_bat_and_ball(self):
        """The ball's hardness follows the speed of the bat that spins, and not its own slow drift."""
        size, spin, at, radius, thickness = (1.0, 0.04, 0.04), 60.0, 0.4, 0.03, 1e-3
        self.write("bat.msh", box_text((10, 1, 1), size))
        self.write("ball.msh", ball(8, radius).gmsh_with({}))
        bodies = {"bat": {"mesh": "bat.msh", "rigid": {"density": 700}, "initial": {"translate": [-0.5, -0.02, -0.02], "angular_velocity": [0, 0, spin]}},
                  "ball": {"mesh": "ball.msh", "rigid": {"density": 500}, "initial": {"translate": [at, 0.06, 0], "velocity": [0, 0, 1e-3]}}}
        scene = {"time": {"step": 1e-5, "end": 1.5e-3}, "bodies": bodies, "contacts": {"hit": {"all": True, "thickness": thickness}}}
        history = self.simulate(json.dumps(scene)).history
        # The ball's mesh is a polyhedron, so that its mass follows from its momentum. 5 % are allowed, as the bat turns while the ball is in contact.
        bat = 700 * math.prod(size)
        mass = abs(history["ball.py"][-1] / history["ball.vy"][-1])
        inertia = bat * (size[0]**2 + size[1]**2) / 12
        expected = 2 * spin * at / (1 + mass / bat + mass * at**2 / inertia)
        expect_closed_form(self, field="rigid bodies", case="ball that a spinning bat strikes: its speed", source="2 ω r / (1 + m/M + m r²/I)", expected=expected,
                           got=history["ball.vy"][-1], tolerance=0.05, mesh="ball, 8 × 8 × 8 cells", step="0.01 ms")


class OnSoftBodies(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("pad.msh", box_text((4, 4, 3), (0.12, 0.12, 0.06)))
        self.write("box.msh", box_text((2, 2, 2), (SIDE,) * 3))

    def rest(self, time, box=None, rigid=None, pad=None, **arguments):
        weight = BOX if rigid is None else rigid["mass"]
        bodies = {"pad": {"mesh": "pad.msh", **SOFT, "fixed": "bottom", **(pad or {})},
                  "box": {"mesh": "box.msh", "rigid": rigid or {"density": 1000}, "initial": {"translate": [0.01, 0.01, 0.0608], **(box or {})}}}
        scene = {"time": time, "gravity": [0, 0, -GRAVITY], "bodies": bodies, "contacts": {"touch": {"all": True, "thickness": 1e-3, "friction": {"dynamic": 0.5, "tolerance": 1e-3}}}}
        outcome = self.simulate(json.dumps(scene), **arguments)
        return outcome, (weight + 1000 * 0.12 * 0.12 * 0.06) * GRAVITY

    def test_statics(self):
        """The support of the pad carries both weights, without inertia and from an equilibrium at the start."""
        for name, ranks, time, settings in (("without inertia", 1, {"step": 0.1, "end": 0.3, "inertia": False}, {}),
                                            ("without inertia", 2, {"step": 0.1, "end": 0.3, "inertia": False}, {}),
                                            ("start in equilibrium", 1, {"step": 1e-3, "end": 0.02}, {"box": {"equilibrium": True}, "pad": {"initial": {"equilibrium": True}}})):
            with self.subTest(name, ranks=ranks):
                outcome, weight = self.rest(time, ranks=ranks, out=f"{name[:5]}{ranks}", **settings)
                row = outcome.last_row()
                expect_closed_form(self, field="rigid bodies", case=f"box on a soft pad, {name}: force of the support", source="Σ m g", expected=weight, got=row["pad.bottom.fz"], tolerance=1e-4,
                                   mesh="4 × 4 × 3 cells", step=f"{1e3 * time['step']:g} ms, {ranks} ranks")
                self.assertLess(math.hypot(row["box.x"] - 0.06, row["box.y"] - 0.06), 1e-4)
                self.assertGreater(row["box.qw"], 1 - 1e-6)

    def test_a_center_of_mass_that_is_given_tilts_the_box(self):
        """By the same angle to either side, for the center of mass on either side."""
        leans = []
        for x in (0.03, 0.05, 0.07):
            rigid = {"mass": 1.0, "center": [x, 0.05, 0.05], "inertia": [1e-3] * 3}
            outcome, weight = self.rest({"step": 0.1, "end": 0.3, "inertia": False}, rigid=rigid, out=f"out{x}")
            row = outcome.last_row()
            self.assertAlmostEqual(row["pad.bottom.fz"], weight, delta=1e-4 * weight)
            leans.append(2 * row["box.qy"])
        print(f"\n  leans by {leans[0]:.5f}, {leans[1]:.5f}, {leans[2]:.5f} rad", flush=True)
        self.assertGreater(leans[2], 1e-3)
        self.assertAlmostEqual(leans[0], -leans[2], delta=0.05 * leans[2])


    def test_a_named_contact_is_as_hard_as_the_soft_side(self):
        """A soft block lies on a rigid one with the same mesh. Half of the contact is that of the rigid block's vertices; both halves have a tenth of the block's modulus at no gap."""
        self.write("block.msh", box_text((2, 2, 2), (SIDE,) * 3))
        self.write("table.msh", box_text((2, 2, 2), (SIDE,) * 3, faces={"top": lambda x: x[2] > 0.999 * SIDE}))
        thickness = 1e-3
        bodies = {"table": {"mesh": "table.msh", "rigid": {"density": 7800}, "fixed": "bottom"}, "block": {"mesh": "block.msh", **SOFT, "initial": {"translate": [0, 0, SIDE + 0.8 * thickness]}}}
        weight, pressure = 1000 * GRAVITY * SIDE, 1e5 / 10      # per area [Pa]
        gap = thickness * (1 - math.sqrt(weight / pressure))
        for sides, ranks in ((["block.bottom", "table.top"], 1), (["table.top", "block.bottom"], 2)):
            scene = {"time": {"step": 0.1, "end": 0.2, "inertia": False}, "gravity": [0, 0, -GRAVITY], "bodies": bodies,
                     "contacts": {"touch": {"both": sides, "thickness": thickness, "friction": {"dynamic": 0.5}}}}
            row = self.simulate(json.dumps(scene), ranks=ranks, out=f"table{ranks}").last_row()
            expect_closed_form(self, field="rigid bodies", case=f"soft block on a rigid one with the same mesh: gap, {ranks} rank{'s' if ranks > 1 else ''}", source="δ (1 − √(w/p)) (C2)", expected=gap,
                               got=row["min_gap"], tolerance=0.01, mesh="2 × 2 × 2 cells", step="100 ms")

    def test_a_smooth_surface_is_as_hard_as_the_soft_side(self):
        """Rigid vertices on the smooth surface of a soft block: 3 kappa delta is a tenth of the block's modulus times the area per vertex."""
        self.write("block.msh", box_text((2, 2, 2), (SIDE,) * 3, faces={"top": lambda x: x[2] > 0.999 * SIDE}))
        thickness = 1e-3
        bodies = {"table": {"mesh": "block.msh", "rigid": {"density": 7800}, "fixed": "bottom"}, "block": {"mesh": "block.msh", **SOFT, "initial": {"translate": [0, 0, SIDE + thickness]}}}
        contact = {"vertices": "table.top", "against": "block.bottom", "thickness": thickness, "geometry": "smooth_surface"}
        scene = {"time": {"step": 1e-3, "end": 1e-3}, "bodies": bodies, "contacts": {"touch": contact}}
        for ranks in (1, 2):
            run = self.simulate(json.dumps(scene), ranks=ranks, out=f"smooth{ranks}")
            stiffness = json.loads((run.directory / "run.json").read_text())["contact_stiffness"]["touch"]
            self.assertAlmostEqual(stiffness, 1e4 * (SIDE**2 / 9) / (3 * thickness), delta=1e-8 * stiffness)

    def test_general_contact_is_as_hard_as_the_soft_side(self):
        """A rigid block carries a soft one as a block of the soft material does that is held everywhere, whatever else is in the scene."""
        thickness = 1e-3
        self.write("block.msh", box_text((2, 2, 2), (SIDE,) * 3))
        self.write("table.msh", box((SIDE,) * 3, five=True).moved((SIDE / 2, SIDE / 2, 0)).gmsh())  # each side has its center, as only rigid bodies have otherwise
        gaps = {}
        for name, table, ranks in (("rigid", {"rigid": {"density": 7800}, "fixed": "solid"}, 1), ("rigid", {"rigid": {"density": 7800}, "fixed": "solid"}, 2), ("held", {**SOFT, "fixed": "solid"}, 1)):
            bodies = {"table": {"mesh": "table.msh", **table}, "block": {"mesh": "block.msh", **SOFT, "initial": {"translate": [0, 0, SIDE + 0.8 * thickness]}},
                      "aside": {"mesh": "table.msh", "rigid": {"density": 7800}, "fixed": "solid", "initial": {"translate": [3 * SIDE, 0, 0]}}}
            scene = {"time": {"step": 0.1, "end": 0.2, "inertia": False}, "gravity": [0, 0, -GRAVITY], "bodies": bodies,
                     "contacts": {"touch": {"all": True, "thickness": thickness, "friction": {"dynamic": 0.5}}}}
            gaps[name, ranks] = self.simulate(json.dumps(scene), ranks=ranks, out=f"{name}{ranks}").last_row()["min_gap"]
        print(f"\n  gaps: {gaps} m", flush=True)
        for (name, ranks), gap in gaps.items():
            self.assertAlmostEqual(gap, gaps["held", 1], delta=1e-6 * thickness, msg=f"{name}, {ranks} ranks")


class Crushed(ShortRunTest):
    def test_a_press_that_leaves_no_room_is_told_as_it_closes(self):
        """The first warning, of a strain of 2e-5, tells nothing of what follows."""
        self.write("box.msh", box_text((1, 1, 1), (SIDE,) * 3))
        gap = 2e-3
        surfaces = {"below": {"box": {"lower": [-1, -1, -1], "upper": [1, 1, -gap]}},
                    "above": {"box": {"lower": [-1, -1, SIDE + gap], "upper": [1, 1, 1]}, "motion": {"velocity": [0, 0, -0.1], "ramp": 0.1}}}
        scene = {"time": {"step": 5e-3, "end": 0.2}, "bodies": {"box": {"mesh": "box.msh", "rigid": {"density": 1000}}}, "surfaces": surfaces,
                 "contacts": {"touch": {"all": True, "thickness": 1e-3}}}
        outcome = self.simulate(json.dumps(scene))
        strains = [float(strain) for strain in re.findall(r"strained by ([\d.e-]+),", outcome.errors)]
        self.assertGreaterEqual(len(strains), 3, outcome.errors)
        self.assertGreater(strains[-1], 0.1 * outcome.last_row()["box.strain"])
        for before, after in zip(strains, strains[1:]):
            self.assertGreater(after, 9.9 * before)


class TurnedScene(ShortRunTest):
    def test_a_turned_scene_has_the_same_gap(self):
        """The modulus of a rigid body, and with it the default stiffness of its contacts, knows no axes: a box that rests on a plane rests as deep when all is turned."""
        self.write("box.msh", box_text((2, 2, 2), (SIDE, SIDE, 2 * SIDE)))
        gaps = []
        for degrees in (0, 20, 45):
            angle = math.radians(degrees)
            up = [math.sin(angle), 0, math.cos(angle)]
            body = {"mesh": "box.msh", "rigid": {"density": 1000},
                    "initial": {"rotate": {"axis": [0, 1, 0], "angle": degrees, "about": [0, 0, 0]}, "translate": [THICKNESS * x for x in up]}}
            scene = {"time": {"step": 0.01, "end": 0.02, "inertia": False}, "gravity": [-GRAVITY * x for x in up], "bodies": {"box": body},
                     "surfaces": {"floor": {"plane": {"point": [0, 0, 0], "normal": up}}}, "solver": {"tolerance": 1e-10},
                     "contacts": {"touch": {"vertices": "box.bottom", "against": "floor", "thickness": THICKNESS, "friction": {"dynamic": 0.5}}}}
            gaps.append(THICKNESS - self.simulate(json.dumps(scene), out=f"turned{degrees}").last_row()["min_gap"])
        self.assertGreater(gaps[0], 5e-3 * THICKNESS)
        for gap in gaps[1:]:
            self.assertAlmostEqual(gap, gaps[0], delta=1e-6 * gaps[0])


class WithRodsAndShells(ShortRunTest):
    def test_a_rod_and_a_sheet_lie_on_boxes(self):
        """The floor carries all weights."""
        self.write("box.msh", box_text((2, 2, 2), (SIDE,) * 3))
        cells, side = 6, 0.25
        corners = [(side * i / cells, side * j / cells, 0.0) for j in range(cells + 1) for i in range(cells + 1)]
        first = [j * (cells + 1) + i for j in range(cells) for i in range(cells)]
        triangles = [(1, a, *pair) for a in first for pair in ((a + 1, a + cells + 2), (a + cells + 2, a + cells + 1))]
        self.write("sheet.msh", gmsh_text(corners, [], triangles, {1: (2, "sheet")}))
        radius, length, thickness = 0.004, 0.3, 2e-3
        self.write("rod.txt", "".join(f"{-0.05 + length * k / 12:.6f} 0.05 {SIDE + 0.001 + 0.001 + radius}\n" for k in range(13)))
        material = {"youngs_modulus": 1e8, "poisson_ratio": 0.3, "density": 1000}
        bodies = {"rod": {"mesh": "rod.txt", "rod": {"rod": {"radius": radius, **material}}, "damping": {"mass": 5}},
                  "sheet": {"mesh": "sheet.msh", "shell": {"sheet": {"thickness": thickness, **material}}, "damping": {"mass": 5}, "initial": {"translate": [0, -0.075, SIDE + 0.015]}}}
        for name, x in (("left", 0), ("right", 0.15)):
            bodies[name] = {"mesh": "box.msh", "rigid": {"density": 1000}, "initial": {"translate": [x, 0, 1e-3]}}
        scene = {"time": {"step": 4e-3, "end": 2, "integrator": "backward_euler"}, "gravity": [0, 0, -GRAVITY], "bodies": bodies, "surfaces": FLOOR,
                 "contacts": {"touch": {"all": True, "thickness": 1e-3, "friction": {"dynamic": 0.5, "tolerance": 1e-3}}}}
        row = self.simulate(json.dumps(scene)).last_row()
        weight = (2 * BOX + 1000 * math.pi * radius**2 * length + 1000 * side**2 * thickness) * GRAVITY
        expect_closed_form(self, field="rigid bodies", case="rod and sheet on two boxes: force of the floor", source="Σ m g", expected=weight, got=row["touch.fz"], tolerance=1e-3,
                           mesh="12 segments, 72 triangles", step="4 ms")
        self.assertGreater(row["rod.z"], SIDE + radius)
        self.assertGreater(row["sheet.z"], SIDE)


class HeldInPart(ShortRunTest):
    def run_box(self, held, initial, end=0.2, gravity=True):
        self.write("box.msh", box_text((2, 2, 2), (SIDE,) * 3))
        scene = {"time": {"step": 1e-3, "end": end}, "bodies": {"box": {"mesh": "box.msh", "rigid": {"density": 1000}, "initial": initial, **held}}}
        if gravity:
            scene["gravity"] = [0, 0, -GRAVITY]
        return self.simulate(json.dumps(scene), out=f"out{len(list(self.folder.iterdir()))}").history

    def test_what_is_held_along_some_directions_moves_freely_along_the_others(self):
        history = self.run_box({"fixed": {"region": "bottom", "components": ["z"]}}, {"velocity": [0.3, 0.2, 0]})
        self.assertAlmostEqual(history["box.x"][-1], 0.05 + 0.3 * 0.2, delta=1e-9)
        self.assertLess(abs(history["box.z"] - 0.05).max(), 1e-12)
        expect_closed_form(self, field="rigid bodies", case="box that rollers carry: reaction", source="m g", expected=BOX * GRAVITY, got=history["box.bottom.fz"][-1], tolerance=1e-8,
                           mesh="box", step="1 ms")

    def test_what_is_driven_along_one_direction_falls(self):
        driven = {"driven": [{"vertices": "bottom", "components": ["x"], "motion": {"velocity": [0.5, 0, 0]}}]}
        history = self.run_box(driven, {"velocity": [0.5, 0, 0]})
        self.assertAlmostEqual(history["box.vx"][-1], 0.5, delta=1e-9)
        self.assertAlmostEqual(history["box.vz"][-1], -GRAVITY * 0.2, delta=1e-6)

    def test_what_is_released_falls_from_then_on(self):
        history = self.run_box({"fixed": {"region": "bottom", "until": 0.1}}, {})
        self.assertLess(abs(history["box.z"][history["time"] < 0.1001] - 0.05).max(), 1e-12)
        expect_closed_form(self, field="rigid bodies", case="box that is released after 0.1 s: way in 0.1 s", source="g t²/2", expected=GRAVITY * 0.1**2 / 2, got=0.05 - history["box.z"][-1],
                           tolerance=1e-6, mesh="box", step="1 ms")
        # What is driven until then keeps its velocity.
        driven = {"driven": [{"vertices": "bottom", "motion": {"velocity": [0, 0, 0.4], "angular_velocity": [0, 0, 2.0], "about": [0.05, 0.05, 0]}, "until": 0.1}]}
        history = self.run_box(driven, {}, gravity=False)
        self.assertAlmostEqual(history["box.vz"][-1], 0.4, delta=1e-6)
        self.assertAlmostEqual(history["box.wz"][-1], 2.0, delta=1e-3)


if __name__ == "__main__":
    unittest.main()
