"""Rods that bodies carry with their direction and twist: against cantilevers and twisted bars, conservation laws; with integrators, ranks and restarts; and what is refused."""

import json
import math
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import read_frame
from closed_forms import expect_closed_form
from traction_runs import RefusalTest, ShortRunTest, box_text, gmsh_text

RADIUS, MODULUS, DENSITY = 0.01, 1e9, 1000
BENDING = MODULUS * math.pi * RADIUS**4 / 4      # EI
TWISTING = MODULUS / 2 * math.pi * RADIUS**4 / 2  # GJ, with ν = 0
LENGTH, SEGMENTS = 1.0, 20
SIDE = 0.2   # block [m]
STATIC = {"step": 0.5, "end": 1, "inertia": False}
RAMP = [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}]
ROD = {"radius": RADIUS, "youngs_modulus": MODULUS, "poisson_ratio": 0, "density": DENSITY}
RIGID = {"rigid": {"density": 2000}}
STIFF = {"solid": {"solid": {"youngs_modulus": 1e10, "poisson_ratio": 0.3, "density": 2000}}}
SOFT = {"solid": {"solid": {"youngs_modulus": 1e7, "poisson_ratio": 0.3, "density": 1000}}}
SHELL = {"shell": {"right": {"youngs_modulus": 1e10, "poisson_ratio": 0.3, "thickness": 0.01, "density": 1000}}}
FACES = {"right": lambda x: x[0] > SIDE - 1e-9, "left": lambda x: x[0] < 1e-9}


def table(points):
    return "\n".join(" ".join(f"{c:.17g}" for c in point) for point in points) + "\n"


def plate():
    """A square of four triangles across x, whose middle is in one of them."""
    points = [(SIDE, -0.1, -0.1), (SIDE, 0.3, -0.1), (SIDE, 0.3, 0.3), (SIDE, -0.1, 0.3), (SIDE, 0.05, 0.15)]
    nodes = "".join(f"{k} {x} {y} {z}\n" for k, (x, y, z) in enumerate(points, 1))
    triangles = "".join(f"{k} 2 2 1 1 {a} {b} 5\n" for k, (a, b) in enumerate(((1, 2), (2, 3), (3, 4), (4, 1)), 1))
    return (f'$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 "right"\n$EndPhysicalNames\n$Nodes\n5\n{nodes}$EndNodes\n$Elements\n4\n{triangles}$EndElements\n')


class Clamped(ShortRunTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((2, 2, 2), (SIDE,) * 3, faces=FACES))
        self.write("plate.msh", plate())

    def scene(self, block, rod=None, time=STATIC, points=None, root="first_point", attachment=None, **more):
        """A block with a rod out of its right face, along x."""
        if points is None:
            points = [(SIDE + LENGTH * k / SEGMENTS, 0.1, 0.1) for k in range(SEGMENTS + 1)]
        self.write("rod.txt", table(points))
        return {"time": time, "bodies": {"block": {"mesh": "block.msh", **block}, "rod": {"mesh": "rod.txt", "rod": {"rod": ROD}, **(rod or {})}},
                "attachments": {"root": {"vertices": f"rod.{root}", "to": "block", "tangent": True, **(attachment or {})}}, "solver": {"tolerance": 1e-8}, **more}

    def run_scene(self, scene, **arguments):
        return self.simulate(json.dumps(scene), **arguments)


class Statics(Clamped):
    BLOCKS = {"rigid body": {**RIGID, "fixed": "surface"}, "solid": {**STIFF, "fixed": "left"}, "shell": {**SHELL, "mesh": "plate.msh", "fixed": "right"}}

    def test_cantilever(self):
        load = 1e-3 * BENDING / LENGTH**2
        for name, block in self.BLOCKS.items():
            rod = {"loads": {"end": {"region": "last_point", "force": [0, 0, -load], "over": RAMP}}}
            for ranks in ((1,) if name != "solid" else (1, 2)):
                out = f"{name}_{ranks}".replace(" ", "_")
                row = self.run_scene(self.scene(block, rod, output={"every": 1, "fields": ["displacement"]}), ranks=ranks, out=out).last_row()
                about = {"field": "attachments", "mesh": "20 segments", "step": "static"}
                # The work of the load is the stored energy, half the force times its way. (That of the block itself is nothing but rounding, of a large modulus.)
                got = 2 * row["bending_energy"] / load
                expect_closed_form(self, case=f"rod clamped to a {name}, on {ranks} ranks: deflection of its end", source="P L³/(3 EI)", expected=load * LENGTH**3 / (3 * BENDING), got=got,
                                   tolerance=0.002, **about)
                self.assertAlmostEqual(row["root.fz"], load, delta=1e-4 * load)
                # About the attached vertex the moment of the load is P L, around y.
                moment = row["root.my"] - (0.1 * row["root.fx"] - SIDE * row["root.fz"])
                self.assertAlmostEqual(moment, -load * LENGTH, delta=1e-4 * load * LENGTH)

    def test_twist(self):
        # The far end is turned once, less than Greenhill's 8.98 EI/L would need; its clamp holds it from the middle of its last segment on. The rod runs either way.
        angle = 2 * math.pi
        length = LENGTH * (1 - 0.5 / SEGMENTS)
        expected = TWISTING * angle / length
        forward = [(SIDE + LENGTH * k / SEGMENTS, 0.1, 0.1) for k in range(SEGMENTS + 1)]
        for name, block in self.BLOCKS.items():
            for points, root, end in ((forward, "first_point", "last_segment"), (forward[::-1], "last_point", "first_segment")):
                rod = {"driven": [{"vertices": end, "motion": {"angular_velocity": [angle, 0, 0], "about": [0, 0.1, 0.1]}}]}
                scene = self.scene(block, rod, time={"step": 0.05, "end": 1, "inertia": False}, points=points, root=root)
                row = self.run_scene(scene, out=f"{name}_{root}".replace(" ", "_")).last_row()
                expect_closed_form(self, field="attachments", case=f"rod clamped to a {name} by its {root}, turned once: moment on it", source="−GJ φ/L", expected=-expected,
                                   got=row["root.mx"], tolerance=1e-5, mesh="20 segments", step="static")
                region = block["fixed"]
                self.assertAlmostEqual(row[f"block.{region}.mx"], -expected, delta=1e-5 * expected)
                self.assertAlmostEqual(row[f"rod.{end}.mx"], expected, delta=1e-5 * expected)
                self.assertAlmostEqual(row["bending_energy"], expected * angle / 2, delta=1e-5 * expected * angle)

    def test_carried_in_the_middle(self):
        # Two cantilevers of half the length, of which one is loaded: the other stays straight.
        points = [(0.1, 0.1, SIDE / 2 + LENGTH * (k / SEGMENTS - 0.5)) for k in range(SEGMENTS + 1)]
        nodes = "".join(f"{k} {x} {y} {z}\n" for k, (x, y, z) in enumerate(points, 1))
        lines = "".join(f"{k} 1 2 1 1 {k} {k + 1}\n" for k in range(1, SEGMENTS + 1))
        self.write("rod.msh", f'$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 "rod"\n0 2 "middle"\n0 3 "top"\n$EndPhysicalNames\n$Nodes\n{len(points)}\n{nodes}$EndNodes\n'
                   f"$Elements\n{SEGMENTS + 2}\n{lines}{SEGMENTS + 1} 15 2 2 2 {SEGMENTS // 2 + 1}\n{SEGMENTS + 2} 15 2 3 3 {SEGMENTS + 1}\n$EndElements\n")
        load = 1e-3 * BENDING / LENGTH**2
        rod = {"mesh": "rod.msh", "loads": {"end": {"region": "top", "force": [load, 0, 0], "over": RAMP}}}
        row = self.run_scene(self.scene(self.BLOCKS["rigid body"], rod, root="middle")).last_row()
        got = 2 * row["bending_energy"] / load
        expect_closed_form(self, field="attachments", case="rod clamped in its middle: deflection of a loaded end", source="P (L/2)³/(3 EI)", expected=load * (LENGTH / 2) ** 3 / (3 * BENDING),
                           got=got, tolerance=0.006, mesh="10 segments", step="static")

    def test_the_numbers_of_a_mesh_do_not_matter(self):
        """At a vertex that six triangles of a soft plate share, one of them carries the rod's direction: the same one, whatever the order of the mesh's vertices and triangles."""
        cells = 4
        grid = numpy.array([(0.05 * i + 0.004 * math.sin(7 * i + 3 * j) * (0 < i), 0.05 * j, 0) for i in range(cells + 1) for j in range(cells + 1)], float)
        corners = [i * (cells + 1) + j for i in range(cells) for j in range(cells)]
        triangles = numpy.array([t for c in corners for t in ((c, c + cells + 1, c + cells + 2), (c, c + cells + 2, c + 1))])
        x, y = grid[2 * (cells + 1) + 2, :2].tolist()
        plate = {"mesh": "plate.msh", "shell": {"plate": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "thickness": 5e-3, "density": 1000}}, "fixed": "left"}
        rod = {"rod": {"rod": {**ROD, "radius": 2e-3, "youngs_modulus": 1e8}}, "loads": {"end": {"region": "last_point", "force": [0.02, 0.01, 0], "over": RAMP}}}
        places = []
        for seed in (None, 1, 2, 3):
            random = numpy.random.default_rng(seed)
            number, order = (numpy.arange(len(grid)), numpy.arange(len(triangles))) if seed is None else (random.permutation(len(grid)), random.permutation(len(triangles)))
            points = numpy.empty_like(grid)
            points[number] = grid
            cells_there = [numpy.roll(t, 0 if seed is None else seed) for t in number[triangles[order]]]
            self.write("plate.msh", gmsh_text([tuple(map(float, point)) for point in points], [], [(1, *map(int, t)) for t in cells_there], {1: (2, "plate"), 2: (0, "left")},
                                              [(2, v) for v in range(len(points)) if points[v, 0] == 0]))
            scene = self.scene(plate, rod, points=[(x, y, 0.02 * k) for k in range(6)])
            row = self.run_scene({**scene, "solver": {"relative_tolerance": 1e-8}}, out=f"numbers_{seed}").last_row()
            places.append([row[f"rod.{axis}"] for axis in "xyz"])
        numpy.testing.assert_allclose(places, [places[0]] * len(places), rtol=0, atol=1e-8)

    def test_without_its_tangent_a_rod_is_hinged(self):
        # It hangs down from the attached vertex, under its weight.
        rod = {"damping": {"mass": 6}}
        time = {"step": 0.02, "end": 4, "integrator": "backward_euler"}
        reach = {}
        for tangent in (False, True):
            scene = self.scene(self.BLOCKS["rigid body"], rod, time=time, gravity=[0, 0, -9.81], attachment={"tangent": tangent}, solver={"tolerance": 1e-6})
            row = self.run_scene(scene, out=str(tangent)).last_row()
            reach[tangent] = (row["rod.x"] - SIDE, row["rod.z"] - 0.1)
            print(f"\n  tangent {tangent}: center of mass at {reach[tangent]}", flush=True)
        self.assertAlmostEqual(reach[False][1], -LENGTH / 2, delta=0.01)
        self.assertAlmostEqual(reach[False][0], 0, delta=0.01)
        self.assertGreater(reach[True][0], 0.3)


class Motion(Clamped):
    CURL = {"rod": {"rod": {**ROD, "youngs_modulus": 1e7, "poisson_ratio": 0.3, "second_radius": 0.006, "director": [0, 0, 1], "natural_curvature": [1, 0.5, 2]}}}

    def swinging(self, end=0.1, step=5e-3, block=SOFT, **more):
        """A curved rod of elliptic section, clamped to a soft block, under its weight."""
        return self.scene({**block, "fixed": "left"}, {**self.CURL, "damping": {"stiffness": 1e-3}}, time={"step": step, "end": end, **more}, gravity=[0, 0, -9.81],
                          solver={"tolerance": 1e-9, "relative_tolerance": 1e-7})

    def test_ranks_and_restart(self):
        alone = self.run_scene(self.swinging(), out="alone").last_row()
        names = [name for name in alone if name.startswith(("rod.", "root.")) or name.endswith("_energy")]
        for ranks in (2, 4):
            other = self.run_scene(self.swinging(), ranks=ranks, out=f"on{ranks}").last_row()
            self.assert_rows_agree(alone, other, 1e-6, names)
        self.run_scene(self.swinging(end=0.05), ranks=2)
        continued = self.resume(ranks=1, sets={"time.end": 0.1}).last_row()
        self.assert_rows_agree(alone, continued, 1e-6, names)

    def test_integrators_agree(self):
        reference = self.run_scene(self.swinging(end=0.04, step=2.5e-4, integrator="tr_sdirk2"), out="reference").last_row()
        for integrator, tolerance in (("trapezoidal", 1e-3), ("bdf2", 1e-3), ("tr_bdf2", 1e-3), ("sdirk2", 1e-3), ("sdirk3", 1e-3), ("generalized_alpha", 1e-3), ("trapezoidal_split", 1e-3), ("ere", 1e-3), ("siere", 3e-2), ("beere", 3e-2),
                                      ("bdf2ere", 1e-3), ("sbdf2ere", 1e-3), ("str_sbdf2ere", 1e-3), ("backward_euler", 3e-2), ("semi-implicit backward_euler", 3e-2)):
            more = {"semi_implicit": True} if " " in integrator else {}
            row = self.run_scene(self.swinging(end=0.04, step=5e-4, integrator=integrator.split()[-1], **more), out=integrator.replace(" ", "_")).last_row()
            moved = [row[f"rod.{c}"] - reference[f"rod.{c}"] for c in "xyz"]
            print(f"\n  {integrator}: center off by {numpy.linalg.norm(moved):.1e} m", flush=True)
            self.assertLess(numpy.linalg.norm(moved), tolerance * 0.05)

    def test_energy_is_accounted_for(self):
        history = self.run_scene(self.swinging(end=0.4, step=1e-3)).history
        moved = history["kinetic_energy"].max() + abs(history["gravity_energy"] - history["gravity_energy"][0]).max()
        print(f"\n  numerical {abs(history['energy_numerical']).max():.2g} of {moved:.2g} J", flush=True)
        self.assertLess(abs(history["energy_numerical"]).max(), 0.01 * moved)

    def test_free_bodies_keep_their_momenta(self):
        """A block that spins about an oblique axis and whirls a rod, without support."""
        turn, velocity = [3, 2, 5], [0.3, -0.1, 0.2]
        masses = {"block": 1000 * SIDE**3, "rod": DENSITY * math.pi * RADIUS**2 * LENGTH}
        drifts = []
        for step, ranks in ((2e-3, 1), (1e-3, 2)):
            scene = self.scene({**SOFT, "initial": {"angular_velocity": turn, "velocity": velocity}}, {"rod": {"rod": {**ROD, "youngs_modulus": 1e7}}, "initial": {"velocity": velocity}},
                               time={"step": step, "end": 0.2, "integrator": "trapezoidal"}, solver={"tolerance": 1e-10, "relative_tolerance": 1e-9})
            history = self.run_scene(scene, ranks=ranks, out=f"step_{step}").history
            momentum, spin = 0, 0
            for body, mass in masses.items():
                v = numpy.stack([history[f"{body}.v{c}"] for c in "xyz"])
                x = numpy.stack([history[f"{body}.{c}"] for c in "xyz"])
                momentum = momentum + mass * v
                spin = spin + mass * numpy.cross(x.T, v.T).T + numpy.stack([history[f"{body}.l{c}"] for c in "xyz"])
            self.assertLess(numpy.abs(momentum - momentum[:, :1]).max(), 1e-8 * numpy.abs(momentum).max())
            drifts.append(numpy.abs(spin - spin[:, :1]).max() / numpy.abs(spin).max())
            passed = numpy.abs(masses["rod"] * (history["rod.vx"] - history["rod.vx"][0])).max()
            print(f"\n  steps of {step} s: angular momentum off by {drifts[-1]:.1e}, the rod has taken up {passed:.2g} N s", flush=True)
            self.assertGreater(passed, 0.1)
        self.assertLess(drifts[1], 3e-4)   # the history leaves out the spin of the rod about itself


class Fields(Clamped):
    def test_curvature_at_a_clamp(self):
        """The mean of the strains at both ends of a cantilever's first segment: M / EI over the half segment at the clamp, and over a whole one at the next joint."""
        force, count = 0.02, 5
        segment = LENGTH / count
        scene = self.scene({**RIGID, "fixed": "surface"}, {"loads": {"pull": {"region": "last_point", "force": [0, 0, -force]}}},
                           points=[(SIDE + segment * k, 0.1, 0.1) for k in range(count + 1)], output={"every": 1, "fields": ["curvature", "twist"]})
        for ranks in (1, 2):
            self.run_scene(scene, ranks=ranks)
            cells = read_frame(sorted((self.folder / "out").glob("fields_0*.hdf"))[-1]).GetCellData()
            curvature = sorted(vtk_to_numpy(cells.GetArray("curvature")), reverse=True)[:count]
            moments = [force * segment * (count - k) for k in range(count)]   # at the vertices; without load between these
            expected = [(moments[k] + moments[k + 1]) / 2 / BENDING for k in range(count - 1)] + [moments[-1] / BENDING]
            # A clamp's half segment bears the moment of its vertex, as all joints do.
            numpy.testing.assert_allclose(curvature, expected, rtol=5e-3)


class TurnedEnds(ShortRunTest):
    def history_of(self, modulus, radius, count, rate, end, **more):
        """A damped rod whose last segment is turned about its direction."""
        self.write("rod.txt", table([(0.01 * k, 0, 0) for k in range(count + 1)]))
        rod = {"radius": radius, "youngs_modulus": modulus, "poisson_ratio": 0.25, "density": 1200}
        scene = {"time": {"step": 0.005, "end": end}, "gravity": [0, 0, 0], "bodies": {"rod": {
            "mesh": "rod.txt", "rod": {"rod": rod}, "damping": {"stiffness": 1e-3},
            "driven": [{"vertices": "last_segment", "motion": {"angular_velocity": [rate, 0, 0], "ramp": 0.1}}], **more}}}
        return self.simulate(json.dumps(scene)).history

    def test_damping_of_a_rod_that_is_twisted(self):
        """Long after the start the damping takes the power beta GJ (rate / length)^2 length, all of it from the support. The length is that between the middles of the end segments."""
        modulus, radius, count, rate = 1e7, 0.002, 30, 15
        history = self.history_of(modulus, radius, count, rate, 0.5, fixed="first_segment")
        power = 1e-3 * modulus / 2.5 * math.pi / 2 * radius**4 * rate**2 / (0.01 * (count - 1))
        late = history["time"] > 0.3
        lost = numpy.diff(history["work_damping"][late][[0, -1]])[0] / numpy.ptp(history["time"][late])
        expect_closed_form(self, field="rods", case="rod that is twisted at a constant rate: power of its damping", source="β GJ ω² / L", expected=-power, got=lost, tolerance=0.01,
                           mesh=f"{count} segments", step="5 ms")
        self.assertLess(abs(history["energy_numerical"]).max(), 1e-3 * abs(history["work_damping"][-1]))

    def test_no_damping_of_a_rod_that_turns_as_a_whole(self):
        history = self.history_of(1e9, 0.003, 10, 10, 1)
        self.assertGreater(history["work_driven"][-1], 1e-7)
        self.assertLess(abs(history["work_damping"]).max(), 0.05 * history["work_driven"][-1])
        self.assertLess(abs(history["energy_numerical"]).max(), 0.2 * history["work_driven"][-1])


class Refused(RefusalTest):
    def test_what_holds_no_direction(self):
        self.write("block.msh", box_text((2, 2, 2), (SIDE,) * 3, faces=FACES))
        self.write("rod.txt", table([(SIDE + 0.05 * k, 0.1, 0.1) for k in range(5)]))
        self.write("other.txt", table([(SIDE, 0.1, 0.1 + 0.05 * k) for k in range(-1, 3)]))
        rod = {"mesh": "rod.txt", "rod": {"rod": ROD}}

        def refused(expected, attachment, **bodies):
            scene = {"time": {"step": 1e-3, "end": 1e-2}, "bodies": {"block": {"mesh": "block.msh", **SOFT}, "rod": rod, **bodies}, "attachments": {"root": {"tangent": True, **attachment}}}
            for ranks in (1, 2):
                self.assert_refused(["traction", "run", self.write("scene.yaml", json.dumps(scene)), "--out", self.folder / "out"], ("scene.yaml:1", "attachments.root", *expected), ranks)
        refused(("tangent", "stiffness", "remove one"), {"vertices": "rod.first_point", "to": "block", "stiffness": 10})
        refused(("on no rod", "remove 'tangent'"), {"vertices": "block.right", "to": "second"}, second={"mesh": "block.msh", **SOFT, "initial": {"translate": [SIDE, 0, 0]}})
        refused(("lies on a rod", "to a solid, a shell or a rigid body"), {"vertices": "rod.first_point", "to": "other"}, other={"mesh": "other.txt", "rod": {"rod": ROD}})


if __name__ == "__main__":
    unittest.main()
