"""Attached bodies: against bodies of one piece, the patch test, conservation laws and statics; on any number of ranks; and what is refused."""

import itertools
import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from test_plastic_shells import strip_text
from traction_runs import RefusalTest, ShortRunTest, box_text, gmsh_text, line_of

SOFT = "solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}"
SIDE = 0.1
FACES = {"top": lambda x: x[2] > SIDE - 1e-9, "bottom_face": lambda x: x[2] < 1e-9}
GRAVITY = 9.81


def column(kind="", loads="", time="{step: 0.5, end: 1, inertia: false}", gravity="[0, 0, 0]", upper=SOFT, lower=SOFT):
    """A block that stands on the floor's place, fixed, and another one on it, attached."""
    return f"""\
time: {time}
gravity: {gravity}
bodies:
  lower: {{mesh: lower.msh, {lower}, fixed: bottom_face}}
  upper: {{mesh: upper.msh, {upper}, initial: {{translate: [0, 0, {SIDE}]}}{loads}}}
attachments: {{glue: {{vertices: upper.bottom_face, to: lower{kind}}}}}
solver: {{tolerance: 1e-10, relative_tolerance: 1e-9}}
"""


class Blocks(ShortRunTest):
    def write_blocks(self, lower, upper):
        self.write("lower.msh", box_text((lower,) * 3, (SIDE,) * 3, faces=FACES))
        self.write("upper.msh", box_text((upper,) * 3, (SIDE,) * 3, faces=FACES))

    def displacement(self, outcome, body):
        motions = outcome.history
        return numpy.array([motions[f"{body}.{c}"][-1] - motions[f"{body}.{c}"][0] for c in "xyz"])

    def test_matching_meshes_are_one_body(self):
        """Two attached blocks deform as a block of both does, under a load that shears, bends and stretches them."""
        self.write_blocks(2, 2)
        load = ", loads: {pull: {region: top, traction: [2e4, 1e4, 3e4]}}"
        whole_faces = {"top": lambda x: x[2] > 2 * SIDE - 1e-9, "bottom_face": FACES["bottom_face"]}
        self.write("whole.msh", box_text((2, 2, 4), (SIDE, SIDE, 2 * SIDE), faces=whole_faces))
        whole = f"""\
time: {{step: 0.5, end: 1, inertia: false}}
bodies: {{whole: {{mesh: whole.msh, {SOFT}, fixed: bottom_face{load}}}}}
solver: {{relative_tolerance: 1e-9}}
"""
        expected = self.simulate(whole, out="whole").last_row()
        for ranks in (1, 2, 4):
            row = self.simulate(column(loads=load), ranks=ranks, out=f"out_{ranks}").last_row()
            mean = [(row[f"lower.{c}"] + row[f"upper.{c}"]) / 2 for c in "xyz"]
            numpy.testing.assert_allclose(mean, [expected[f"whole.{c}"] for c in "xyz"], rtol=0, atol=1e-9)
            self.assertAlmostEqual(row["elastic_energy"], expected["elastic_energy"], delta=1e-8 * expected["elastic_energy"])
            # What the attachment carries is what pulls on the upper block.
            for c, traction in zip("xyz", (2e4, 1e4, 3e4)):
                self.assertAlmostEqual(row[f"glue.f{c}"], -traction * SIDE**2, delta=1e-5)
                self.assertAlmostEqual(row[f"lower.bottom_face.f{c}"], -traction * SIDE**2, delta=1e-5)

    def test_patch_converges_where_meshes_do_not_match(self):
        """A pull along the column, free to contract: with the mesh, the stored energy tends to that of a uniform stress."""
        stress, modulus = 1e3, 1e6
        sliding = ", fixed: [{region: bottom_face, components: [z]}, {region: corner, components: [x, y]}, {region: side, components: [y]}]"
        energies = []
        for lower, upper in ((1, 1), (1, 2), (2, 3), (4, 5)):   # the first pair matches
            points = {"corner": lambda x: numpy.linalg.norm(x) < 1e-9, "side": lambda x: numpy.linalg.norm(numpy.array(x) - [SIDE, 0, 0]) < 1e-9}
            self.write("lower.msh", box_text((lower,) * 3, (SIDE,) * 3, faces=FACES, points=points))
            self.write("upper.msh", box_text((upper,) * 3, (SIDE,) * 3, faces=FACES))
            scene = column(loads=f", loads: {{pull: {{region: top, traction: [0, 0, {stress}]}}}}").replace(", fixed: bottom_face", sliding)
            row = self.simulate(scene, out=f"out_{upper}").last_row()
            energies.append(row["elastic_energy"])
            self.assertAlmostEqual(row["glue.fz"], -stress * SIDE**2, delta=1e-5)
        uniform = stress**2 / (2 * modulus) * 2 * SIDE**3
        errors = [energy / energies[0] - 1 for energy in energies[1:]]
        print(f"\n  matching: {energies[0] / uniform - 1:.1e} off Hooke's energy; others off the matching one by {', '.join(f'{error:.1e}' for error in errors)}", flush=True)
        self.assertAlmostEqual(energies[0], uniform, delta=1.1e-3 * uniform)   # the strain is 0.1 %
        self.assertLess(abs(errors[0]), 1e-8)   # what is attached refines the carrier
        self.assertLess(abs(errors[2]), 0.35 * abs(errors[1]))

    def test_attachment_carries_the_weight(self):
        self.write_blocks(2, 3)
        for upper in (SOFT, SOFT.replace("density: 1000", "density: 5000")):
            row = self.simulate(column(gravity=f"[0, 0, -{GRAVITY}]", upper=upper), out=f"out_{len(upper)}").last_row()
            weight = GRAVITY * SIDE**3 * (5000 if "5000" in upper else 1000)
            expect_closed_form(self, case=f"attached block of {weight / GRAVITY:.0f} kg: force that the attachment carries", source="m g", field="attachments",
                               mesh="2³ and 3³ cells", step="static", expected=weight, got=row["glue.fz"], tolerance=1e-6)
            # The force acts in the middle of the face.
            self.assertAlmostEqual(row["glue.my"], -row["glue.fz"] * row["upper.x"], delta=1e-3 * weight * SIDE)

    def test_free_bodies_keep_their_momenta(self):
        """Attached bodies that start with different velocities: whole momentum stays, and so does angular momentum."""
        momenta = {}
        for upper, tolerance in ((2, 1e-5), (3, 1e-2)):
            self.write_blocks(2, upper)
            scene = column(time="{step: 2e-4, end: 0.02, integrator: trapezoidal}").replace(", fixed: bottom_face", ", initial: {velocity: [1, 0, 0]}")
            scene = scene.replace(f"translate: [0, 0, {SIDE}]", f"translate: [0, 0, {SIDE}], velocity: [1, 0.2, 0]")
            for ranks in (1, 2):
                history = self.simulate(scene, ranks=ranks, out=f"out_{upper}_{ranks}").history
                mass, momentum, spin = SIDE**3 * 1000, 0, 0
                for body in ("lower", "upper"):
                    v = numpy.stack([history[f"{body}.v{c}"] for c in "xyz"])
                    x = numpy.stack([history[f"{body}.{c}"] for c in "xyz"])
                    momentum = momentum + mass * v
                    spin = spin + mass * numpy.cross(x.T, v.T).T + numpy.stack([history[f"{body}.l{c}"] for c in "xyz"])
                self.assertLess(numpy.abs(momentum - momentum[:, :1]).max(), 1e-7 * numpy.abs(momentum).max())
                drift = numpy.abs(spin - spin[:, :1]).max() / numpy.abs(spin).max()
                print(f"\n  {upper} cells on 2, {ranks} ranks: angular momentum off by {drift:.1e}", flush=True)
                self.assertLess(drift, tolerance)

    def test_attached_vertices_that_start_as_what_carries_them(self):
        """A body that is thrown while what carries it rests loses the momentum of its attached vertices, and the run warns of that."""
        self.write_blocks(1, 2)
        scene = column(time="{step: 1e-3, end: 1e-3}").replace(", fixed: bottom_face", "")
        words = "attachment 'glue': the vertices of 'upper.bottom_face' start with the velocities of 'lower', which carries them. These differ by up to 1 m/s"
        for ranks in (1, 2):
            thrown = self.simulate(scene.replace(f"[0, 0, {SIDE}]", f"[0, 0, {SIDE}], velocity: [1, 0, 0]"), ranks=ranks, out=f"thrown_{ranks}")
            self.assertIn(words, thrown.errors)
        together = scene.replace("lower.msh,", "lower.msh, initial: {velocity: [1, 0, 0]},").replace(f"[0, 0, {SIDE}]", f"[0, 0, {SIDE}], velocity: [1, 0, 0]")
        self.assertNotIn("which carries them", self.simulate(together, out="together").errors)

    def test_rigid_body_turns_about_its_own_centroid_at_the_start(self):
        """A rigid block spins about the center of its own mass, and the soft one beside it has the same rigid motion: they start as one body."""
        self.write_blocks(1, 2)
        spin, arm = 5, 0.3
        for ranks in (1, 2):
            scene = column(time="{step: 1e-5, end: 1e-5}", lower=f"rigid: {{density: 1000}}, initial: {{angular_velocity: [{spin}, 0, 0]}}")
            scene = scene.replace(", fixed: bottom_face", "").replace("to: lower}", "to: lower, largest_gap: 1}")
            moved = f"translate: [0, 0, {arm}], velocity: [0, {-spin * arm}, 0], angular_velocity: [{spin}, 0, 0]"
            outcome = self.simulate(scene.replace(f"translate: [0, 0, {SIDE}]", moved), ranks=ranks, out=f"out_{ranks}")
            self.assertNotIn("which carries them", outcome.errors + outcome.output)
            # Where the common center is: the lower block's with what it carries, whose place the history gives.
            row = outcome.last_row()
            self.assertAlmostEqual(row["lower.wx"], spin, delta=1e-3 * spin)
            self.assertAlmostEqual(row["lower.vy"], -spin * (row["lower.z"] - SIDE / 2), delta=1e-3 * spin * arm)
            self.assertGreater(row["lower.z"] - SIDE / 2, 0.1 * arm)

    def test_what_is_held_elsewhere_does_no_work_on_attached_bodies(self):
        """Attached vertices follow others; no prescribed motion works on them, although the scene holds another body."""
        self.write_blocks(2, 3)
        scene = column(time="{step: 2e-4, end: 0.01}").replace(", fixed: bottom_face", ", initial: {velocity: [1, 0, 0]}")
        scene = scene.replace(f"translate: [0, 0, {SIDE}]", f"translate: [0, 0, {SIDE}], velocity: [1, 0.2, 0]")
        scene = scene.replace("bodies:\n", "bodies:\n  post: {mesh: lower.msh, rigid: {density: 1000}, initial: {translate: [1, 0, 0]}, fixed: top}\n")
        for ranks in (1, 2):
            history = self.simulate(scene, ranks=ranks, out=f"held_{ranks}").history
            self.assertGreater(history["elastic_energy"].max(), 1e-3)
            self.assertLess(numpy.abs(history["work_driven"]).max(), 1e-9)
            self.assertLess(history["energy_numerical"].max(), 1e-6)

    def test_rigid_body_carries_a_soft_one(self):
        """Both fall as one, and a force that balances their weight keeps their whole momentum at zero while the soft one swings."""
        self.write_blocks(2, 3)
        base = column(time="{step: 1e-3, end: 0.05}", lower="rigid: {density: 2000}", gravity=f"[0, 0, -{GRAVITY}]").replace(", fixed: bottom_face", "")
        for ranks in (1, 2):
            row = self.simulate(base, ranks=ranks, out=f"falls_{ranks}").last_row()
            for body in ("lower", "upper"):
                self.assertAlmostEqual(row[f"{body}.vz"], -GRAVITY * 0.05, delta=1e-8)
            self.assertAlmostEqual(row["glue.fz"], 0, delta=1e-6)
        weight = 3 * GRAVITY
        held = base.replace("rigid: {density: 2000}", f"rigid: {{density: 2000}}, loads: {{lift: {{region: bottom_face, force: [0, 0, {weight}]}}}}")
        history = self.simulate(held).history
        # The rigid body's velocity is that of its center with the vertices that it carries; their own mass is the soft body's.
        momentum = 2 * history["lower.vz"] + history["upper.vz"]
        # The mesh is not quite symmetric, so that they turn a little about each other.
        self.assertLess(numpy.abs(momentum).max(), 1e-2 * numpy.abs(history["upper.vz"]).max())

    def test_what_acts_on_a_whole_rigid_body_passes_through_its_attachment(self):
        """The body is far lighter than the vertices that it carries. A force, a torque, a spring and a force per mass on all of it reach the soft body that hangs it up, whose other end is
        held, without a change."""
        self.write_blocks(2, 2)
        hung = column(loads=", fixed: top", lower="rigid: {density: 2}LOADS").replace(", fixed: bottom_face", "")
        spring = "springs: {pull: {from: lower, anchor: [0.05, 0.05, -9.95], stiffness: 4, rest_length: 0}}\n"
        cases = {"force": "loads: {pull: {force: [3, 0, -40]}}", "torque": "loads: {twist: {torque: [0, 0, 0.05]}}", "body_force": "loads: {pull: {body_force: [0, 0, -2e4]}}", "spring": ""}
        for name, loads in cases.items():
            for ranks in (1, 2):
                with self.subTest(name, ranks=ranks):
                    row = self.simulate(hung.replace("LOADS", f", {loads}" if loads else "") + (spring if name == "spring" else ""), ranks=ranks, out=f"{name}_{ranks}").last_row()
                    force = [-row[f"upper.top.f{c}"] for c in "xyz"]
                    expected = {"force": (3, 0, -40), "torque": (0, 0, 0), "body_force": (0, 0, -40), "spring": (0, 0, -4 * (row["lower.z"] + 9.95))}[name]
                    for c, wanted, got in zip("xyz", expected, force):
                        self.assertAlmostEqual(row[f"glue.f{c}"], got, delta=1e-4)
                        self.assertAlmostEqual(got, wanted, delta=0.2 if name == "spring" else 1e-4)
                    if name == "torque":
                        self.assertAlmostEqual(row["glue.mz"], 0.05, delta=1e-5)
                    self.assertLess(row["lower.strain"], 2e-5)

    def test_a_strip_rolls_up_under_the_torque_on_a_rigid_body_at_its_end(self):
        """Without inertia. A step turns the body by a few degrees, and its frame is stiff."""
        length, width, thickness, modulus, cells = 0.2, 0.02, 1e-3, 2e9, (80, 4)
        free = length - 2 * length / cells[0]
        self.write("strip.msh", strip_text(cells, length, width))
        self.write("piece.msh", box_text((1, 1, 1), (0.04, 0.04, 0.04)))
        torque = modulus * width * thickness**3 / 12 * 0.8 / free  # turns the end by 0.8 rad
        scene = {"time": {"step": 0.05, "end": 1, "inertia": False},
                 "bodies": {"strip": {"mesh": "strip.msh", "shell": {"sheet": {"youngs_modulus": modulus, "poisson_ratio": 0, "density": 1000, "thickness": thickness}}, "fixed": "clamp"},
                            "piece": {"mesh": "piece.msh", "rigid": {"density": 1000}, "initial": {"translate": [length - 0.02, -0.01, -0.02]},
                                      "loads": {"turn": {"torque": [0, -torque, 0], "over": [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]}}}},
                 "attachments": {"weld": {"vertices": "strip.tip", "to": "piece", "largest_gap": 0.1}}}
        for ranks in (1, 2):
            history = self.simulate(json.dumps(scene), ranks=ranks, out=f"on{ranks}").history
            self.assertEqual(len(history["time"]), 20)
            self.assertLess(history["newton_iterations"].sum(), 200)
            expect_closed_form(self, field="structures", case="strip that a torque rolls up, through a rigid body: angle at the end", source="M L/(E I)", expected=0.8,
                               got=2 * math.asin(abs(history["piece.qy"][-1])), tolerance=0.01, mesh="80 × 4 cells", step=f"20 steps without inertia, {ranks} ranks")

    def test_springs_carry_the_weight_and_swing(self):
        """A rigid block on springs: it sinks by m g / k, and bounces with the period 2 pi sqrt(m / k)."""
        self.write_blocks(2, 3)
        stiffness, mass = 1e4, SIDE**3 * 1000
        steel = "solid: {solid: {youngs_modulus: 1e11, poisson_ratio: 0.3, density: 7800}}"
        scene = column(kind=f", stiffness: {stiffness}", time="{step: 5e-4, end: 0.2}", gravity=f"[0, 0, -{GRAVITY}]", upper="rigid: {density: 1000}", lower=steel)
        for ranks in (1, 2, 4):
            history = self.simulate(scene, ranks=ranks, out=f"out_{ranks}").history
            time, z = history["time"], history["upper.z"]
            period = 2 * math.pi * math.sqrt(mass / stiffness)
            sink = mass * GRAVITY / stiffness
            expected = SIDE * 1.5 - sink * (1 - numpy.cos(2 * math.pi * time / period))
            off = numpy.abs(z - expected).max() / sink
            print(f"\n  {ranks} ranks: path off by {off:.1e} of m g / k", flush=True)
            self.assertLess(off, 2e-2)
            numpy.testing.assert_allclose(history["glue.fz"], stiffness * (1.5 * SIDE - z), rtol=0, atol=2e-3 * mass * GRAVITY)
            total = history["kinetic_energy"] + history["gravity_energy"] + history["spring_energy"] + history["elastic_energy"]
            self.assertLess(numpy.abs(total - total[0]).max(), 1e-2 * mass * GRAVITY * sink)

    def test_gaps_leave_the_weight_where_it_is(self):
        """A block that hangs beside another one, with a gap: the moment at the support is that of its weight."""
        self.write("lower.msh", box_text((2, 2, 2), (SIDE,) * 3, faces={"left": lambda x: x[0] < 1e-9}))
        self.write("upper.msh", box_text((3, 3, 3), (SIDE,) * 3, faces={"left": lambda x: x[0] < 1e-9}))
        gap = 0.01
        stiff = SOFT.replace("1e6", "1e9")
        scene = f"""\
time: {{step: 0.5, end: 1, inertia: false}}
gravity: [0, 0, -{GRAVITY}]
bodies:
  lower: {{mesh: lower.msh, {stiff}, fixed: left}}
  upper: {{mesh: upper.msh, {stiff}, initial: {{translate: [{SIDE + gap}, 0, 0]}}}}
attachments: {{glue: {{vertices: upper.left, to: lower}}}}
"""
        outcome = self.simulate(scene)
        row = outcome.last_row()
        weight = SIDE**3 * 1000 * GRAVITY
        expected = -weight * (SIDE / 2) - weight * (1.5 * SIDE + gap)
        print(f"\n  moment at the support: {row['lower.left.my']:.5f}, {expected:.5f} by statics", flush=True)
        self.assertAlmostEqual(row["lower.left.my"], expected, delta=2e-3 * abs(expected))
        self.assertNotIn("attachments leave gaps: the weight and inertia", outcome.errors + outcome.output)
        # A gap as wide as the carrier cannot be carried so, and is warned of.
        wide = scene.replace(f"translate: [{SIDE + gap}", "translate: [0.25").replace("to: lower}", "to: lower, largest_gap: 1}")
        outcome = self.simulate(wide, out="wide")
        self.assertIn("attachments leave gaps: the weight and inertia", outcome.errors + outcome.output)

    def test_rods_that_are_attached_turn_freely_and_the_run_says_so(self):
        self.write("lower.msh", box_text((2, 2, 2), (SIDE,) * 3, faces=FACES))
        points = "\n".join(f"{0.05!r} {0.05!r} {SIDE - 0.02 + 0.02 * i!r}" for i in range(6))
        self.write("rod.txt", points + "\n")
        scene = f"""\
time: {{step: 1e-3, end: 2e-3}}
bodies:
  lower: {{mesh: lower.msh, {SOFT}, fixed: bottom_face}}
  rod: {{mesh: rod.txt, rod: {{rod: {{radius: 1e-3, youngs_modulus: 1e7, poisson_ratio: 0.5, density: 1000}}}}}}
attachments: {{root: {{vertices: rod, to: lower, largest_gap: 1}}}}
"""
        outcome = self.simulate(scene)
        self.assertIn("not their twist", outcome.errors + outcome.output)

    def test_ranks_agree_and_a_run_continues(self):
        self.write_blocks(2, 3)
        scene = column(time="{step: 1e-3, end: 0.02}", loads=", loads: {pull: {region: top, traction: [2e4, 1e4, 3e4]}}", gravity=f"[0, 0, -{GRAVITY}]")
        rows = [self.simulate(scene, ranks=ranks, out=f"ranks_{ranks}").last_row() for ranks in (1, 2, 4)]
        names = [name for name in rows[0] if name.startswith(("lower.", "upper.", "glue."))]
        scale = {name: 1e-8 if name.split(".")[1] in ("x", "y", "z") else 1e-5 for name in names}
        for row in rows[1:]:
            for name in names:
                self.assertAlmostEqual(row[name], rows[0][name], delta=scale[name] * max(1, abs(rows[0][name])), msg=name)
        self.simulate(scene, ranks=2, out="part", sets={"output.checkpoint_every": "{steps: 5}"})
        checkpoints = sorted((self.folder / "part/checkpoints").iterdir())
        checkpoints[-1].unlink()
        resumed = self.resume(out="part").last_row()
        for name in names:
            self.assertAlmostEqual(resumed[name], rows[0][name], delta=10 * scale[name] * max(1, abs(rows[0][name])), msg=name)

    def test_fine_skin_of_a_coarse_block_touches_for_it(self):
        """A block of one cell falls on a fine skin of triangles that it carries: all momentum comes from the weight and the floor, and at rest the skin bears both weights."""
        self.write("lower.msh", box_text((1, 1, 1), (SIDE,) * 3, faces=FACES))
        cells = 8
        vertices = [(SIDE * i / cells, SIDE * j / cells, 0.0) for j in range(cells + 1) for i in range(cells + 1)]
        corners = [(j * (cells + 1) + i) for j in range(cells) for i in range(cells)]
        triangles = [(1, *t) for c in corners for t in ((c, c + cells + 2, c + 1), (c, c + cells + 1, c + cells + 2))]
        self.write("skin.msh", gmsh_text(vertices, [], triangles, {1: (2, "sheet")}))
        sheet, weight = 1000 * 1e-3 * SIDE**2, (1000 * SIDE**3 + 1000 * 1e-3 * SIDE**2) * GRAVITY
        scene = f"""\
time: {{step: 2e-3, end: 0.6, integrator: trapezoidal}}
gravity: [0, 0, -{GRAVITY}]
bodies:
  block: {{mesh: lower.msh, {SOFT}, initial: {{translate: [0, 0, 0.005], velocity: [0.2, 0, 0]}}, damping: {{stiffness: 2e-3}}}}
  skin: {{mesh: skin.msh, shell: {{sheet: {{youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000, thickness: 1e-3}}}}, initial: {{translate: [0, 0, 0.005], velocity: [0.2, 0, 0]}}}}
surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
attachments: {{grown: {{vertices: skin, to: block}}}}
contacts: {{stand: {{vertices: skin, against: floor, thickness: 1e-3, friction: {{dynamic: 0.4, tolerance: 1e-3}}, damping: 1}}}}
solver: {{tolerance: 1e-9}}
"""
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                history = self.simulate(scene, ranks=ranks, out=f"out_{ranks}").history
                time, mass = history["time"], 1000 * SIDE**3
                for axis in "xyz":
                    momentum = mass * history[f"block.v{axis}"] + sheet * history[f"skin.v{axis}"]
                    force = history[f"stand.f{axis}"] - (weight if axis == "z" else 0)
                    impulses = numpy.concatenate([[0], numpy.cumsum(numpy.diff(time) * (force[1:] + force[:-1]) / 2)])
                    off = abs(momentum - momentum[0] - impulses).max() / (weight * math.sqrt(2 * 0.004 / GRAVITY))   # relative to the momentum of the fall
                    print(f"\n  {ranks} ranks: momentum along {axis} off by {off:.1e} of that of the fall", flush=True)
                    self.assertLess(off, 1e-2)
                expect_closed_form(self, case=f"block of one cell on a fine skin that it carries, {ranks} ranks: force of the floor on the skin", source="m g", field="attachments",
                                   mesh="1 cell, 128 triangles", step="2 ms, at rest", expected=weight, got=history["stand.fz"][-1], tolerance=1e-3)
                expect_closed_form(self, case=f"block of one cell on a fine skin that it carries, {ranks} ranks: force that the attachment carries", source="m g", field="attachments",
                                   mesh="1 cell, 128 triangles", step="2 ms, at rest", expected=-mass * GRAVITY, got=history["grown.fz"][-1], tolerance=1e-3)

    def test_attached_bodies_touch_elsewhere(self):
        """A block attached at an edge of its underside swings down on the lower one like a lid and comes to rest on it."""
        self.write("lower.msh", box_text((2, 2, 2), (SIDE,) * 3, faces=FACES))
        self.write("upper.msh", box_text((4, 2, 1), (SIDE, SIDE, 0.02), points={"edge": lambda x: x[0] < 1e-9 and x[2] < 1e-9}))
        angle = 20
        scene = f"""\
time: {{step: 2e-3, end: 0.6, integrator: backward_euler}}
gravity: [0, 0, -{GRAVITY}]
bodies:
  lower: {{mesh: lower.msh, {SOFT}, fixed: bottom_face}}
  upper: {{mesh: upper.msh, {SOFT}, initial: {{translate: [0, 0, {SIDE}], rotate: {{axis: [0, 1, 0], angle: -{angle}, about: [0, 0, 0]}}}}}}
attachments: {{hinge: {{vertices: upper.edge, to: lower}}}}
contacts: {{touch: {{both: [upper, lower], thickness: 5e-4, friction: {{dynamic: 0.3, tolerance: 1e-3}}}}}}
"""
        row = self.simulate(scene, timeout=300).last_row()
        print(f"\n  lid: center at {row['upper.z']:.5f} m", flush=True)
        self.assertAlmostEqual(row["upper.z"], SIDE + 0.01, delta=2e-3)
        self.assertAlmostEqual(row["touch.fz"] + row["hinge.fz"], GRAVITY * SIDE**2 * 0.02 * 1000, delta=0.02)


class Carried(ShortRunTest):
    """Forces that are proportional to mass: a body's own are for its own mass, whatever it carries or is carried by."""

    write_blocks = Blocks.write_blocks

    def test_drag_slows_the_body_that_has_it(self):
        """Two bodies of 1 kg around one center move as one: d(m1 + m2) v/dt = -alpha m v, if one of them has the drag alpha."""
        drag, time = 10, 0.1
        self.write("lower.msh", box_text((2,) * 3, (SIDE,) * 3))
        self.write("upper.msh", box_text((1,) * 3, (SIDE / 2,) * 3))
        for lower, whose, ranks in itertools.product((SOFT, "rigid: {density: 1000}"), ("lower", "upper"), (1, 2)):
            damping = {body: f", damping: {{mass: {drag}}}" if body == whose else "" for body in ("lower", "upper")}
            scene = f"""\
time: {{step: 1e-2, end: {time}}}
bodies:
  lower: {{mesh: lower.msh, {lower}, initial: {{velocity: [1, 0, 0]}}{damping["lower"]}}}
  upper: {{mesh: upper.msh, {SOFT.replace("1000", "8000")}, initial: {{translate: [{SIDE / 4}, {SIDE / 4}, {SIDE / 4}], velocity: [1, 0, 0]}}{damping["upper"]}}}
attachments: {{glue: {{vertices: upper, to: lower}}}}
"""
            row = self.simulate(scene, ranks=ranks, out=f"{lower[:5]}_{whose}_{ranks}").last_row()
            expected = math.exp(-drag * time / 2)
            for body in ("lower", "upper"):
                self.assertAlmostEqual(row[f"{body}.vx"], expected, delta=2e-3 * expected)
            self.assertAlmostEqual(row["work_damping"], expected**2 - 1, delta=4e-3)

    def test_body_force_acts_on_the_mass_of_its_body(self):
        self.write_blocks(2, 2)
        for lower in (SOFT, "rigid: {density: 1000}"):
            scene = f"""\
time: {{step: 1e-2, end: 0.1}}
bodies:
  lower: {{mesh: lower.msh, {lower}, loads: {{pull: {{body_force: [0, 0, -10]}}}}}}
  upper: {{mesh: upper.msh, {SOFT}, initial: {{translate: [0, 0, {SIDE}]}}, loads: {{pull: {{body_force: [0, 0, -10]}}}}}}
attachments: {{glue: {{vertices: upper.bottom_face, to: lower}}}}
"""
            for ranks in (1, 2):
                row = self.simulate(scene, ranks=ranks, out=f"{lower[:5]}_{ranks}").last_row()
                for body in ("lower", "upper"):
                    self.assertAlmostEqual(row[f"{body}.pull.fz"], -10, delta=1e-9)
                    self.assertAlmostEqual(row[f"{body}.vz"], -1, delta=1e-6)  # both fall at 10 m/s^2 for 0.1 s

    def test_damped_wire_elsewhere(self):
        """A rank without segments of a damped wire takes part in the exchanges for attached vertices, too."""
        self.write_blocks(2, 2)
        self.write("wire.txt", "\n".join(f"{1 + 0.05 * k} 0 0" for k in range(5)))
        scene = f"""\
time: {{step: 1e-3, end: 5e-3}}
gravity: [0, 0, -{GRAVITY}]
bodies:
  lower: {{mesh: lower.msh, {SOFT}, fixed: bottom_face}}
  upper: {{mesh: upper.msh, {SOFT}, initial: {{translate: [0, 0, {SIDE}]}}}}
  wire: {{mesh: wire.txt, rod: {{rod: {{radius: 1e-3, youngs_modulus: 1e7, density: 1200}}}}, damping: {{stiffness: 1e-3}}}}
attachments: {{glue: {{vertices: upper.bottom_face, to: lower}}}}
"""
        one = self.simulate(scene, out="one")
        for ranks in (2, 3, 4):
            row = self.simulate(scene, ranks=ranks, out=f"out_{ranks}").last_row()
            self.assert_rows_agree(one.last_row(), row, 1e-3, ["glue.fx", "glue.fy", "glue.fz", "upper.z", "elastic_energy"])


class Refused(RefusalTest):
    def test_what_nothing_can_carry(self):
        self.write("lower.msh", box_text((2, 2, 2), (SIDE,) * 3, faces=FACES))
        self.write("upper.msh", box_text((3, 3, 3), (SIDE,) * 3, faces=FACES))
        base = column()
        rigid = "rigid: {density: 1000}"
        second = "attachments: {again: {vertices: upper.surface, to: lower, largest_gap: 1}, "
        for change, expected in (
                (("vertices: upper.bottom_face", "vertices: upper.bottom_fact"), ["no region 'bottom_fact'", "the nearest is 'bottom_face'"]),
                (("to: lower", "to: lowest"), ["attachments.glue.to", "lowest"]),
                (("to: lower", "to: upper"), ["attachments.glue.to", "name another body"]),
                (("upper.bottom_face, to", "upper.top, to"), ["0.1 m away from 'lower'", "largest_gap"]),
                ((f"translate: [0, 0, {SIDE}]", f"translate: [0, 0, {SIDE + 0.05}]"), ["0.05 m away from 'lower'"]),
                (("initial: {translate", "fixed: surface, initial: {translate"), ["is in region 'surface' of body 'upper' too", "cannot follow both"]),
                (("to: lower", "to: lower.solid, stiffness: 1"), ["attachments.glue.to", "name the body alone"]),
                ((f"upper.msh, {SOFT}", f"upper.msh, {rigid}"), ["'upper' is rigid", "attach the other body"]),
                (("attachments: {", second), ["'again' holds the vertex", "without common vertices"]),
        ):
            scene = base.replace(*change)
            self.assertNotEqual(scene, base)
            path = self.write("scene.yaml", scene)
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", path, "--out", self.folder / "out"], [f"scene.yaml:{line_of(scene, 'attachments:')}", *expected], ranks)

    def test_chains(self):
        self.write("lower.msh", box_text((2, 2, 2), (SIDE,) * 3, faces=FACES))
        scene = f"""\
time: {{step: 1e-3, end: 1e-2}}
bodies:
  one: {{mesh: lower.msh, {SOFT}}}
  two: {{mesh: lower.msh, {SOFT}, initial: {{translate: [0, 0, {SIDE}]}}}}
  three: {{mesh: lower.msh, {SOFT}, initial: {{translate: [0, 0, {SIDE}]}}}}
attachments:
  first: {{vertices: two.bottom_face, to: one}}
  second: {{vertices: three.bottom_face, to: two}}
"""
        path = self.write("scene.yaml", scene)
        self.assert_refused(["traction", "run", path, "--out", self.folder / "out"],
                            [f"scene.yaml:{line_of(scene, 'second:')}", "'two' is itself attached to 'one' by 'first'", "attach 'three.bottom_face' to 'one'"], 1)


if __name__ == "__main__":
    unittest.main()
