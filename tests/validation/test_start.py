"""Bodies whose shape at the start differs from their mesh, which is the shape at rest."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import Shape, box
from traction_runs import BLOCK_SCENE, BlockTest, RefusalTest, ShortRunTest, box_text

CELLS, SIZE = (8, 2, 2), (1, 0.1, 0.1)
YOUNG, POISSON = 1e5, 0.3
BAR_SCENE = f"""\
time: {{step: 1e-6, end: 1e-6, integrator: trapezoidal}}
bodies:
  bar:
    mesh: bar.msh
    solid:
      solid: {{youngs_modulus: {YOUNG}, poisson_ratio: {POISSON}, density: 1000}}
    initial: {{positions: start.vtk}}
solver: {{tolerance: 1e-10, forcing: 1e-4}}
"""


def bar_vertices():
    """In the order of box_text."""
    return numpy.array([(i * SIZE[0] / CELLS[0], j * SIZE[1] / CELLS[1], k * SIZE[2] / CELLS[2])
                        for k in range(CELLS[2] + 1) for j in range(CELLS[1] + 1) for i in range(CELLS[0] + 1)])


def vtk_text(points, velocities=None):
    lines = ["# vtk DataFile Version 3.0", "start", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double"]
    lines += [" ".join(map(repr, map(float, point))) for point in points]
    lines += ["CELLS 1 2", "1 0", "CELL_TYPES 1", "1"]
    if velocities is not None:
        lines += [f"POINT_DATA {len(points)}", "VECTORS velocity double", *(" ".join(map(repr, map(float, v))) for v in velocities)]
    return "\n".join([*lines, ""])


def energy_of_stretch(stretch):
    """The energy of the whole bar at F = diag(stretch, 1, 1): W = mu/2 (tr(F^T F) - 3) - mu ln J + lambda/2 (ln J)^2."""
    mu, lame = YOUNG / (2 * (1 + POISSON)), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    density = mu / 2 * (stretch**2 - 1) - mu * math.log(stretch) + lame / 2 * math.log(stretch)**2
    return density * math.prod(SIZE)


class StretchedBar(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("bar.msh", box_text(CELLS, SIZE))
        self.write("start.vtk", vtk_text(bar_vertices() * (1.1, 1, 1)))

    def test_it_starts_with_the_energy_of_its_stretch(self):
        scene = BAR_SCENE.replace("positions: start.vtk", "positions: start.vtk, rotate: {axis: [0, 0, 1], angle: 90}, translate: [0, 0, 2], velocity: [0, 0, 3]")
        for text, centroid, velocity in ((BAR_SCENE, (0.55, 0.05, 0.05), 0), (scene, (0.55, 0.05, 2.05), 3)):
            row = self.simulate(text).last_row()
            expect_closed_form(self, field="elasticity", case="bar that starts stretched by a tenth: energy", source="V W(F)", expected=energy_of_stretch(1.1), got=row["elastic_energy"],
                               tolerance=1e-7, mesh="8 × 2 × 2 cells", step="trapezoidal, 1 µs")
            for axis, expected in zip("xyz", centroid):
                self.assertAlmostEqual(row["bar." + axis], expected, delta=1e-5)
            self.assertAlmostEqual(row["bar.vz"], velocity, delta=1e-7)

    def test_it_turns_about_the_point_that_is_given(self):
        row = self.simulate(BAR_SCENE.replace("positions: start.vtk", "positions: start.vtk, rotate: {axis: [0, 0, 1], angle: 90, about: [0, 1, 5]}")).last_row()
        for axis, expected in zip("xyz", (0.95, 1.55, 0.05)):   # (0.55, 0.05 - 1) turned to (0.95, 0.55)
            self.assertAlmostEqual(row["bar." + axis], expected, delta=1e-5)
        self.assertAlmostEqual(row["elastic_energy"] / energy_of_stretch(1.1), 1, delta=1e-7)

    def test_gravity_may_begin_over_time(self):
        scene = BAR_SCENE + "gravity: [0, 0, -10]\ngravity_over: [{time: 0.02, factor: 0}, {time: 0.06, factor: 1}]\n"
        row = self.simulate(scene, sets={"time.step": 1e-3, "time.end": 0.1}).last_row()
        self.assertAlmostEqual(row["bar.vz"], -10 * (0.02 + 0.04), delta=1e-6)   # half of the rise, and all after it

    def test_velocities_of_the_file_add_to_those_of_the_scene(self):
        points = bar_vertices()
        self.write("start.vtk", vtk_text(points, [(0.5, 0, 0)] * len(points)))
        row = self.simulate(BAR_SCENE.replace("start.vtk", "start.vtk, velocities: true, velocity: [0, 2, 0]")).last_row()
        for name, expected in (("vx", 0.5), ("vy", 2), ("vz", 0)):
            self.assertAlmostEqual(row["bar." + name], expected, delta=1e-9)

    def test_positions_are_in_the_units_of_the_mesh(self):
        scene = BAR_SCENE.replace("    solid:\n", "    scale: 2\n    solid:\n", 1)
        self.assertAlmostEqual(self.simulate(scene).last_row()["elastic_energy"] / (8 * energy_of_stretch(1.1)), 1, delta=1e-7)

    def test_it_oscillates_and_keeps_its_energy_to_second_order(self):
        deviations = []
        for step in (1e-3, 5e-4):
            history = self.simulate(BAR_SCENE, sets={"time.step": step, "time.end": 0.1}).history
            total = history["kinetic_energy"] + history["elastic_energy"]
            deviations.append(max(abs(total / energy_of_stretch(1.1) - 1)))
            self.assertGreater(max(history["kinetic_energy"]), 0.5 * energy_of_stretch(1.1))   # a quarter of the period after it is let go
        self.assertLess(deviations[1], 2e-3)
        self.assertGreater(deviations[0] / deviations[1], 3)   # 4 for ever smaller steps

    def test_pressure_counts_from_the_volume_at_rest(self):
        scene = BAR_SCENE.replace("    initial:", "    volume: {surface: surface}\n    initial:")
        row = self.simulate(scene).last_row()
        self.assertAlmostEqual(row["bar.volume"], 1.1 * math.prod(SIZE), delta=1e-8)
        expect_closed_form(self, field="volumes", case="gas in a bar that is stretched by a tenth: pressure", source="p₀ V₀/V − p₀ (Boyle)", expected=101325 * (1 / 1.1 - 1),
                           got=row["bar.pressure"], tolerance=1e-5, mesh="8 × 2 × 2 cells", step="trapezoidal, 1 µs")

    def test_any_rank_count_gives_the_same(self):
        rows = [self.simulate(BAR_SCENE, sets={"time.step": 1e-3, "time.end": 5e-3}, ranks=ranks).last_row() for ranks in (1, 2, 4)]
        names = ["bar.x", "elastic_energy", "kinetic_energy"]
        for row in rows[1:]:
            self.assert_rows_agree(rows[0], row, 1e-9, names)


class EquilibriumWithFriction(ShortRunTest):
    """A bar on a slope, or with an edge down in a groove along the slope: the weight is turned, not what carries the bar."""
    GROOVE = math.sqrt(2)   # how much more friction holds in a groove of two walls at right angles than on a floor

    def start(self, degrees, friction, groove, tolerance=1e-3, modulus=1e5, gap=5e-4):
        angle, half = math.radians(degrees), 0.025
        self.write("bar.msh", box((0.1, 2 * half, 2 * half), (4, 2, 2)).gmsh_with({}))
        place = (half + gap) * math.sqrt(0.5)   # place of a wall beside and below the middle of the bar
        walls = {"left": ([0, -place, half - place], [0, 1, 1]), "right": ([0, place, half - place], [0, -1, 1])} if groove else {"floor": ([0, 0, -gap], [0, 0, 1])}
        contact = {"vertices": "bar", "thickness": 1e-3, "friction": {"dynamic": friction, "tolerance": tolerance}}
        scene = {"time": {"step": 1e-6, "end": 1e-6}, "gravity": [9.81 * math.sin(angle), 0, -9.81 * math.cos(angle)],
                 "bodies": {"bar": {"mesh": "bar.msh", "solid": {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.3, "density": 1000}},
                                    "initial": {"equilibrium": True, "rotate": {"axis": [1, 0, 0], "angle": 45 if groove else 0, "about": [0, 0, half]}}}},
                 "surfaces": {name: {"plane": {"point": point, "normal": normal}} for name, (point, normal) in walls.items()},
                 "contacts": {name: {**contact, "against": name} for name in walls}}
        return self.simulate(json.dumps(scene))

    def test_a_slider_in_a_groove_is_told(self):
        """Beyond the cone of friction it slides, if only just; within it holds."""
        for degrees, friction, modulus in ((24, 0.3, 1e5), (23.5, 0.3, 1e6), (31, 0.4, 1e6), (80, 0.5, 1e8)):
            with self.subTest(degrees=degrees, friction=friction):
                self.assertGreater(math.tan(math.radians(degrees)), self.GROOVE * friction)
                outcome = self.start(degrees, friction, True, modulus=modulus)
                self.assertIn("body 'bar' has no equilibrium: friction does not hold it, and it slides", outcome.errors)
                self.assertLess(abs(outcome.history["bar.x"][0]), 1e-4)
        self.assertNotIn("has no equilibrium", self.start(20, 0.3, True).errors)

    def test_a_bar_that_friction_holds_starts_where_it_is_set(self):
        """Whatever the tolerance of friction: creep does not move it while its equilibrium is found."""
        for groove in (False, True):
            for tolerance in (0.1, 1e-2, 1e-3, 1e-4):
                with self.subTest(groove=groove, tolerance=tolerance):
                    row = self.start(10, 0.4, groove, tolerance, 1e7).last_row()
                    self.assertLess(abs(row["bar.x"]), 1.5e-5)
                    creep = tolerance * (1 - math.sqrt(1 - math.tan(math.radians(10)) / (0.4 * (self.GROOVE if groove else 1))))
                    self.assertAlmostEqual(row["bar.vx"] / creep, 1, delta=1e-2)


class BlockOnSoftBlock(ShortRunTest):
    """A block on another one of the same rubber, on a slope: meshes do not match, so that it turns a little as it creeps. The lower block is held, or creeps itself."""

    def start(self, cells, modulus, friction, share, held):
        angle, ground = math.atan(share * friction), 0.9
        self.write("low.msh", box((0.2, 0.2, 0.1), (cells + 1, cells + 1, 2)).gmsh_with({"base": lambda points: points[:, 2].max() < 1e-9}))
        self.write("up.msh", box((0.1, 0.1, 0.1), (cells, cells, cells)).gmsh_with({}))
        solid, height = {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.4, "density": 1000}}, 0 if held else 9e-4
        contact = {"thickness": 1e-3, "friction": {"dynamic": friction, "tolerance": 1e-3}}
        scene = {"time": {"step": 5e-3, "end": 0.2}, "gravity": [9.81 * math.sin(angle), 0, -9.81 * math.cos(angle)],
                 "bodies": {"low": {"mesh": "low.msh", "solid": solid, "initial": {"equilibrium": True, "translate": [0, 0, height]}},
                            "up": {"mesh": "up.msh", "solid": solid, "initial": {"equilibrium": True, "translate": [0.043, 0.057, 0.1009 + height]}}},
                 "contacts": {"pair": {"vertices": "up", "against": "low", **contact}}}
        if held:
            scene["bodies"]["low"]["fixed"] = "base"
        else:
            scene["surfaces"] = {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}
            scene["contacts"]["ground"] = {"vertices": "low", "against": "floor", **contact, "friction": {"dynamic": ground, "tolerance": 1e-3}}
        run = self.simulate(json.dumps(scene))
        self.assertNotIn("has no equilibrium", run.errors)
        self.assertNotIn("starts in its equilibrium, which is", run.errors)
        slope = 9.81 * math.sin(angle)
        self.assertAlmostEqual(abs(run.history["pair.fx"][0]), slope, delta=1e-3 * slope)   # the upper block weighs 1 kg
        return run.history, 1e-3 * (1 - math.sqrt(1 - share)), 0 if held else 1e-3 * (1 - math.sqrt(1 - share * friction / ground))

    def test_it_creeps_as_slowly_as_friction_lets_it(self):
        """At 82 to 92 % of what friction bears, from the first step on."""
        for cells, modulus, share, held in ((2, 1e6, 0.92, False), (2, 1e6, 0.87, True), (2, 1e7, 0.82, True), (3, 1e6, 0.92, False), (4, 1e6, 0.87, True)):
            with self.subTest(cells=cells, modulus=modulus, share=share, held=held):
                history, creep, creep_below = self.start(cells, modulus, 0.5, share, held)
                for row in (0, -1):
                    self.assertAlmostEqual((history["up.vx"][row] - history["low.vx"][row]) / creep, 1, delta=0.02)
                    self.assertAlmostEqual(history["low.vx"][row], creep_below, delta=0.02 * creep)

    def test_softer_blocks_and_steeper_slopes(self):
        """The blocks' faces bend, and the load on the front edge turns the upper one about the slope's normal: it stays as slow as friction's tolerance in the mean."""
        for cells, modulus, friction, share, held in ((2, 5e4, 0.5, 0.92, False), (2, 5e4, 0.8, 0.87, False), (2, 5e4, 0.8, 0.92, True), (2, 2e5, 0.8, 0.87, True), (2, 1e6, 0.8, 0.87, False)):
            with self.subTest(cells=cells, modulus=modulus, friction=friction, share=share, held=held):
                history, creep, _ = self.start(cells, modulus, friction, share, held)
                way = history["up.x"] - history["low.x"]
                speed = (way[-1] - way[0]) / (history["time"][-1] - history["time"][0])
                self.assertGreater(speed, 0.5 * creep)
                self.assertLess(speed, 1e-3)


class FrameOfAnotherRun(BlockTest):
    """Two blocks, one of which lands while the other flies; the second run has them in the other order. The contact is so stiff that it is not stiffened."""

    in_running_program = True

    def test_the_run_goes_on(self):
        body = BLOCK_SCENE[BLOCK_SCENE.index("  block:\n"):BLOCK_SCENE.index("surfaces:")]
        flier = body.replace("  block:", "  flier:").replace("0.012]", "1]")
        scene = BLOCK_SCENE.replace("stiffness: 1e3", "stiffness: 1e5")
        first = scene.replace(body, body + flier) + "output: {every: 1e-3, fields: [velocity]}\n"
        whole = self.simulate(first, out="whole").history
        start = "initial: {positions: whole/fields_000015.hdf, velocities: true}"
        lines = [line if "initial:" not in line else line[:line.index("initial:")] + start for line in (flier + body).splitlines()]
        self.assertEqual(max(whole["repeats"]), 0)
        second = scene.replace(body, "\n".join(lines) + "\n")
        # A frame does not contain what the contact has lost before, by which steps that gain energy are judged.
        continued = {"time.end": 0.015, "time.maximum_halvings": 0}
        for ranks in (1, 2, 4):
            rest = self.simulate(second, sets=continued, ranks=ranks, out=f"rest{ranks}").history
            self.assertGreater(max(rest["contacts"]), 0)
            names = [name for name in rest if name.startswith(("block.", "flier.")) or name in ("elastic_energy", "kinetic_energy")]
            for row in range(15):
                self.assert_rows_agree({name: whole[name][15 + row] for name in names}, {name: rest[name][row] for name in names}, 1e-7)


class FrameWithoutMemory(ShortRunTest):
    """Frames contain neither plastic bends nor stress that has relaxed nor softening, so a start in one warns of them; elastic bodies start without a word."""

    def test_a_material_that_remembers_is_warned_of(self):
        self.write("bar.msh", box_text(CELLS, SIZE))
        rubber = {"material": "yeoh", "c10": 1e5, "c20": 0, "c30": 0, "bulk_modulus": 1e7, "density": 1000}
        sheet = {"youngs_modulus": 1e7, "poisson_ratio": 0.3, "density": 1000, "thickness": 1e-3}
        points = [(0.02 * i, 0.02 * j, 0) for j in range(3) for i in range(3)]
        cells = [t for j in range(2) for i in range(2) for a in (i + 3 * j,) for t in ((a, a + 1, a + 4), (a, a + 4, a + 3))]
        self.write("sheet.msh", Shape(points, cells).gmsh_with({}))
        cases = {"prony": ("bar.msh", {"order": 2, "solid": {"solid": {**rubber, "prony": [{"ratio": 0.5, "time": 0.01}]}}}),
                 "mullins": ("bar.msh", {"order": 2, "solid": {"solid": {**rubber, "mullins": {"r": 2, "m": 100, "beta": 0.1}}}}),
                 "yield_curvature": ("sheet.msh", {"shell": {"shell": {**sheet, "yield_curvature": 2}}}),
                 "": ("bar.msh", {"solid": {"solid": rubber}})}
        for word, (mesh, material) in cases.items():
            with self.subTest(word or "elastic"):
                scene = {"time": {"step": 1e-3, "end": 1e-3}, "bodies": {"body": {"mesh": mesh, **material}}, "output": {"every": 1e-3}}
                self.simulate(json.dumps(scene), out=f"first{word}")
                scene["bodies"]["body"]["initial"] = {"positions": f"first{word}/fields_000001.hdf"}
                errors = self.simulate(json.dumps(scene), out=f"second{word}").errors
                if word:
                    self.assertRegex(errors, rf"body 'body' starts without the .* \({word}\) of the run that wrote this frame")
                    self.assertIn("traction resume", errors)
                else:
                    self.assertNotIn("starts without", errors)


class FrameThatIsMovedAgain(ShortRunTest):
    """A frame has the places and velocities to which its own scene moved the body; the same settings move it once more, and the run warns of it."""

    def test_what_adds_to_a_frame(self):
        self.write("bar.msh", box_text(CELLS, SIZE))
        solid = {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}
        moved = {"translate": [1, 0, 0], "velocity": [1, 0, 0]}
        scene = {"time": {"step": 1e-3, "end": 1e-3}, "bodies": {"body": {"mesh": "bar.msh", "solid": solid, "initial": moved}}, "output": {"every": 1e-3}}
        first = self.simulate(json.dumps(scene), out="first").last_row()
        frame = {"positions": "first/fields_000001.hdf", "velocities": True}
        for more, factor in ((moved, 2), ({}, 1)):
            scene["bodies"]["body"]["initial"] = frame | more
            second = self.simulate(json.dumps(scene), out=f"second{factor}")
            self.assertAlmostEqual(second.last_row()["body.vx"], factor, delta=1e-9)
            self.assertAlmostEqual(second.last_row()["body.x"], first["body.x"] + (1 if more else 0) + 1e-3 * factor, delta=1e-9)
            self.assertEqual("to which translate and velocity are added" in second.errors, bool(more), second.errors)


class TouchingStart(RefusalTest):
    """Bodies with edges and faces that touch exactly, or but for rounding, are refused before anything is computed; the thickness apart they start."""

    def scene(self, other, gap, contact):
        solid = {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}
        bodies = {"cube": {"mesh": "cube.msh", "solid": solid}, "sheet": {"mesh": "sheet.msh", "initial": {"translate": [0.003, 0.002, 0.101 + gap]},
                  "shell": {"shell": {"youngs_modulus": 1e4, "poisson_ratio": 0.3, "density": 1, "thickness": 2e-3}}}}
        if other == "block":
            bodies["block"] = {"mesh": "cube.msh", "solid": solid, "initial": {"translate": [0.01, 0.02, 0.1 + gap]}}
            del bodies["sheet"]
        between = {"all": True} if contact == "all" else {"both": ["cube", other], "geometry": "edges_and_faces"}
        return json.dumps({"time": {"step": 1e-3, "end": 1e-3}, "bodies": bodies, "contacts": {"touch": {**between, "thickness": 1e-3}}})

    def test_shells_and_solids(self):
        self.write("cube.msh", box((0.1, 0.1, 0.1), (3, 3, 3)).gmsh_with({}))
        points = [(0.02 * i - 0.04, 0.02 * j - 0.04, 0) for j in range(5) for i in range(5)]
        cells = [t for j in range(4) for i in range(4) for a in (i + 5 * j,) for t in ((a, a + 1, a + 6), (a, a + 6, a + 5))]
        self.write("sheet.msh", Shape(points, cells).gmsh_with({}))
        for contact in ("pair", "all"):
            for other, gap in (("sheet", 0), ("sheet", 1e-9), ("block", 0), ("block", 1e-9)):
                with self.subTest(other, gap=gap, contact=contact):
                    self.write("scene.yaml", self.scene(other, gap, contact))
                    words = ["contacts.touch: at the start", "cube", other, "0.1)", "touch at", "start them at least 0.001 m apart"]
                    for ranks in (1, 2):
                        self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], words, ranks)
            self.simulate(self.scene("sheet", 1e-3, contact), out=f"apart_{contact}")

    def test_halves_whose_meshes_are_not_joined(self):
        """Two halves of a box that have nodes of their own where they meet: 3 x 4 of them coincide."""
        half = box((0.02, 0.03, 0.02), (2, 3, 2))
        halves = Shape(numpy.concatenate([half.points, half.points + (0, 0, 0.02)]), numpy.concatenate([half.cells, half.cells + len(half.points)]))
        bodies = {"box": {"mesh": "halves.msh", "solid": {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}}}
        self.write("halves.msh", halves.gmsh_with({}))
        for contact in ({"all": True}, {"vertices": "box", "against": "box"}):
            self.write("scene.yaml", json.dumps({"time": {"step": 1e-3, "end": 1e-3}, "bodies": bodies, "contacts": {"touch": {**contact, "thickness": 1e-3}}}))
            words = ["contacts.touch: at the start 'box' touches itself, because 12 pairs of its vertices coincide, one at (", "0.02): the parts of its mesh that meet there are not joined",
                     "Coherence Mesh", "at least 0.001 m apart"]
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], words, ranks)


class Refusals(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("bar.msh", box_text(CELLS, SIZE))

    def refused(self, points, *expected, scene=BAR_SCENE):
        if points is not None:
            self.write("start.vtk", vtk_text(points))
        self.write("scene.yaml", scene)
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], ["scene.yaml:7: bodies.bar.initial", *expected], ranks)

    def test_wrong_count(self):
        self.refused(bar_vertices()[:-1], "start.vtk", "holds 80 points", "has 81 vertices", "one point for each")

    def test_not_finite(self):
        points = bar_vertices()
        points[7, 1] = math.nan
        header = f"# vtk DataFile Version 3.0\nstart\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS {len(points)} double\n".encode()
        cells = b"\nCELLS 1 2\n" + numpy.array([1, 0], ">i4").tobytes() + b"\nCELL_TYPES 1\n" + numpy.array([1], ">i4").tobytes() + b"\n"
        (self.folder / "start.vtk").write_bytes(header + points.astype(">f8").tobytes() + cells)
        self.refused(None, "start.vtk", "vertex 8", "not finite", "Write finite numbers")

    def test_inverted(self):
        self.refused(bar_vertices() * (1, 1, -1), "start.vtk", "element 1 of", "inverted", "keeps its orientation")

    def test_no_velocities(self):
        self.refused(bar_vertices(), "start.vtk", "no point array 'velocity'", "Add one", scene=BAR_SCENE.replace("start.vtk", "start.vtk, velocities: true"))

    def test_no_file(self):
        self.refused(None, "start.vtk", "no such file", "check its name")

    def test_a_file_of_another_kind(self):
        self.refused(None, "'start.stl'", ".vtu, .vtk, .hdf", scene=BAR_SCENE.replace("start.vtk", "start.stl"))

    def test_velocities_alone(self):
        self.refused(None, "positions", "give the file", scene=BAR_SCENE.replace("positions: start.vtk", "velocities: true"))

    def test_a_file_that_is_no_frame(self):
        self.write("start.hdf", "no frame")
        self.refused(None, "start.hdf", "not a frame of a run", "fields_NNNNNN.hdf", scene=BAR_SCENE.replace("start.vtk", "start.hdf"))

    def test_a_frame_of_another_mesh(self):
        self.write("block.msh", box_text((2, 2, 2), SIZE))
        self.write("block.yaml", BAR_SCENE.replace("bar.msh", "block.msh").replace("    initial: {positions: start.vtk}\n", "") + "output: {every: 1e-6}\n")
        self.succeeded(self.run_program("run", self.folder / "block.yaml", out="block"))
        self.refused(None, "fields_000000.hdf", "holds 27 vertices of 'bar'", "has 81", "the same mesh", scene=BAR_SCENE.replace("start.vtk", "block/fields_000000.hdf"))


if __name__ == "__main__":
    unittest.main()
