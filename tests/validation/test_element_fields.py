"""Stress, strain and tension in the frames of whole runs: states of equal stress and a sphere under pressure against closed forms, on 1, 2 and 4 ranks, and resumed."""

import math
import subprocess
import unittest

import numpy

import check_fields
from closed_forms import expect_closed_form
from field_runs import Frames
from test_start import vtk_text
from traction_runs import JOBS, ShortRunTest, box_text, gmsh_text

E, NU, TRACTION, PRESSURE = 1e5, 0.3, 3e4, 2e4
LAMBDA, MU = E * NU / ((1 + NU) * (1 - 2 * NU)), E / (2 * (1 + NU))
SIZE = (0.1, 0.12, 0.2)
BLOCK = f"""\
time: {{step: 0.25, end: 1, inertia: false}}
bodies:
  block:
    mesh: block.msh
    solid: {{solid: {{youngs_modulus: {E}, poisson_ratio: {NU}, density: 1000}}}}
    fixed: [{{region: bottom, components: z}}, {{region: left, components: x}}, {{region: front, components: "y"}}]
    loads: {{pull: LOAD}}
solver: {{tolerance: 1e-10, relative_tolerance: 1e-9}}
output: {{every: 0.25, fields: [velocity, stress, von_mises_stress, strain, tension]}}
"""
PULL = f"{{region: top, traction: [0, 0, {TRACTION}], over: [{{time: 0, factor: 0}}, {{time: 1, factor: 1}}]}}"
SQUEEZE = f"{{region: surface, pressure: {PRESSURE}, over: [{{time: 0, factor: 0}}, {{time: 1, factor: 1}}]}}"
STRIP_STIFFNESS, STRIP_RADIUS, STRIP_WIDTH = 0.02, 1.25, 0.16
TENSION_OF_SHELL, RADIUS, SHELL_PRESSURE = 1e4, 0.5, 2e3


def root(function, low, high):
    """By bisection."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(low) * function(middle) > 0 else (low, middle)
    return low


def kirchhoff(stretch, volume):
    """The principal Kirchhoff stress of the neo-Hookean material."""
    return MU * (stretch**2 - 1) + LAMBDA * math.log(volume)


def sphere_text(divisions):
    """A sphere about the origin of triangles, each face of an octahedron divided, wound outwards."""
    index, triangles = {}, []

    def vertex(x):
        return index.setdefault(tuple(x), len(index))

    for signs in numpy.ndindex(2, 2, 2):
        sign = 1 - 2 * numpy.array(signs)
        for i in range(divisions):
            for j in range(divisions - i):
                at = lambda a, b: vertex(sign * (a, b, divisions - a - b))   # noqa: E731
                faces = [(at(i, j), at(i + 1, j), at(i, j + 1))]
                if i + j < divisions - 1:
                    faces.append((at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))
                triangles += [(1, *(face if sign.prod() > 0 else face[::-1])) for face in faces]
    points = numpy.array(list(index), float)
    points *= RADIUS / numpy.linalg.norm(points, axis=1, keepdims=True)
    return gmsh_text(points.tolist(), [], triangles, {1: (2, "skin")})


class ElementFields(ShortRunTest):
    def setUp(self):
        super().setUp()
        at = lambda axis, value: lambda x: abs(x[axis] - value) < 1e-9   # noqa: E731
        self.write("block.msh", box_text((2, 3, 4), SIZE, faces={"left": at(0, 0), "front": at(1, 0), "top": at(2, SIZE[2])}))

    def last_frame(self, scene, ranks=1, **arguments):
        frames = Frames(self.simulate(scene, ranks=ranks, **arguments).directory)
        return frames.read(len(frames) - 1)

    def assert_everywhere(self, frame, name, expected, tolerance=1e-6):
        """All elements have the same tensor, given by its components."""
        values = frame.cell_fields[name]
        self.assertEqual(len(values), len(frame.topology.cells) + len(frame.topology.triangles))
        scale = max(numpy.abs(expected).max(), 1e-12)
        numpy.testing.assert_allclose(values, numpy.broadcast_to(expected, values.shape), rtol=0, atol=tolerance * scale, err_msg=name)

    def test_bar_under_traction(self):
        across = lambda along: root(lambda s: kirchhoff(s, along * s * s), 0.5, 1.5)   # noqa: E731
        along = root(lambda s: kirchhoff(s, s * across(s) ** 2) / s - TRACTION, 1, 3)
        true_stress, thinner, longer = TRACTION / across(along) ** 2, math.log(across(along)), math.log(along)
        frame = self.last_frame(BLOCK.replace("LOAD", PULL))
        self.assert_everywhere(frame, "stress", (0, 0, true_stress, 0, 0, 0))
        self.assert_everywhere(frame, "von_mises_stress", true_stress)
        self.assert_everywhere(frame, "strain", (thinner, thinner, longer, 0, 0, 0))
        self.assert_everywhere(frame, "tension", (0, 0, 0, 0, 0, 0))
        for case, got, expected in (("true stress", frame.cell_fields["stress"][0][2], true_stress), ("logarithmic strain", frame.cell_fields["strain"][0][2], longer)):
            expect_closed_form(self, field="elasticity", case=f"bar under a traction of 0.3 E: {case}", source="neo-Hookean law, uniaxial", expected=expected, got=got,
                               tolerance=1e-6, mesh="2 × 3 × 4 cells", step="without inertia, 4 steps")

    def test_shear_turns_the_principal_axes(self):
        """The bar, turned by 30 degrees about y: its stress turns with it."""
        scene = BLOCK.replace("LOAD", PULL.replace(f"[0, 0, {TRACTION}]", f"[{TRACTION * 0.5}, 0, {TRACTION * math.sqrt(0.75)}]"))
        c, s = math.sqrt(0.75), 0.5
        scene = scene.replace("components: z", f"normal: [{s}, 0, {c}]").replace("components: x", f"normal: [{c}, 0, {-s}]")
        scene = scene.replace("    loads:", "    initial: {rotate: {axis: [0, 1, 0], angle: 30}}\n    loads:")
        straight = self.last_frame(BLOCK.replace("LOAD", PULL), out="straight")
        turned = self.last_frame(scene)
        pull = straight.cell_fields["stress"][0][2]
        self.assert_everywhere(turned, "stress", (s * s * pull, 0, c * c * pull, 0, 0, s * c * pull))

    def test_block_under_pressure(self):
        stretch = root(lambda s: kirchhoff(s, s**3) / s**3 + PRESSURE, 0.5, 1)
        frame = self.last_frame(BLOCK.replace("LOAD", SQUEEZE))
        self.assert_everywhere(frame, "stress", (-PRESSURE, -PRESSURE, -PRESSURE, 0, 0, 0))
        self.assertLess(numpy.abs(frame.cell_fields["von_mises_stress"]).max(), 1e-6 * PRESSURE)
        self.assert_everywhere(frame, "strain", (math.log(stretch),) * 3 + (0, 0, 0))
        expect_closed_form(self, field="elasticity", case="block under a pressure of 0.2 E: stress", source="-p in every direction", expected=-PRESSURE,
                           got=frame.cell_fields["stress"][0][0], tolerance=1e-6, mesh="2 × 3 × 4 cells", step="without inertia, 4 steps")

    def test_materials(self):
        """Small strains: all laws agree with Hooke's."""
        for material in ("neo_hookean", "saint_venant_kirchhoff", "linear_elastic"):
            scene = BLOCK.replace("LOAD", PULL.replace(str(TRACTION), "1")).replace("density", f"material: {material}, density")
            frame = self.last_frame(scene, out=material, sets={"solver.tolerance": 1e-13})
            self.assert_everywhere(frame, "stress", (0, 0, 1, 0, 0, 0), 1e-4)
            self.assert_everywhere(frame, "strain", (-NU / E, -NU / E, 1 / E, 0, 0, 0), 1e-4)

    def test_sphere_under_pressure(self):
        self.write("sphere.msh", sphere_text(12))
        scene = f"""\
time: {{step: 0.01, end: 0.3, integrator: backward_euler}}
bodies:
  balloon:
    mesh: sphere.msh
    shell: {{skin: {{youngs_modulus: {TENSION_OF_SHELL}, poisson_ratio: 0.5, density: 1, bending_stiffness: 0}}}}
    damping: {{mass: 50}}
    loads: {{fill: {{region: skin, pressure: {-SHELL_PRESSURE}, over: [{{time: 0, factor: 0}}, {{time: 0.1, factor: 1}}]}}}}
solver: {{tolerance: 1e-8}}
output: {{every: 0.3, fields: [stress, strain, tension]}}
"""
        frame = self.last_frame(scene)
        radius = numpy.linalg.norm(frame.points, axis=1).mean()
        normals = frame.points[frame.topology.triangles].mean(axis=1)
        normals /= numpy.linalg.norm(normals, axis=1, keepdims=True)
        expected, stretch = SHELL_PRESSURE * radius / 2, math.log(radius / RADIUS)
        tensors = frame.cell_fields["tension"][:, [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]
        principal = numpy.linalg.eigvalsh(tensors)
        self.assertLess(numpy.abs(principal[:, 0]).max(), 1e-9 * expected)
        self.assertLess(numpy.linalg.norm(numpy.einsum("nij,nj->ni", tensors, normals), axis=1).max(), 0.1 * expected)
        # The thickness takes what the area grows by.
        volume_change = frame.cell_fields["strain"][:, :3].sum(axis=1)
        self.assertLess(numpy.abs(volume_change).max(), 1e-9)
        self.assertAlmostEqual(numpy.linalg.eigvalsh(frame.cell_fields["strain"][:, [[0, 3, 5], [3, 1, 4], [5, 4, 2]]])[:, 1:].mean() / stretch, 1, delta=0.01)
        self.assertEqual(numpy.abs(frame.cell_fields["stress"]).max(), 0)
        expect_closed_form(self, field="elasticity", case="sphere under pressure: tension", source="p r / 2 at the present radius", expected=expected,
                           got=principal[:, 1:].mean(), tolerance=0.01, mesh="1152 triangles", step="backward_euler until rest")

    def bent_strip(self, cells, half, nu, out="out", **arguments):
        """The bending moments, tangents of the circle and middles at rest of a strip that starts as a part of a cylinder."""
        x, y = numpy.linspace(-half, half, cells + 1), numpy.linspace(0, STRIP_WIDTH, 5)
        points = numpy.array([(a, b, 0) for b in y for a in x])
        inner = numpy.abs(points[:, 0]) < half - 1e-9
        points[inner, 0] += 0.2 * half / cells * numpy.sin(17 * numpy.arange(inner.sum()))   # no regular mesh
        at = lambda i, j: i + (cells + 1) * j   # noqa: E731
        triangles = [(1, *t) for j in range(4) for i in range(cells) for t in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))]
        self.write("strip.msh", gmsh_text(points.tolist(), [], triangles, {1: (2, "sheet")}))
        angle = points[:, 0] / STRIP_RADIUS
        bent = numpy.column_stack([STRIP_RADIUS * numpy.sin(angle), points[:, 1], STRIP_RADIUS * (numpy.cos(angle) - 1)])
        self.write("start.vtk", vtk_text(bent))
        scene = f"""\
time: {{step: 1e-6, end: 1e-6}}
bodies:
  strip:
    mesh: strip.msh
    shell: {{sheet: {{youngs_modulus: 1e3, poisson_ratio: {nu}, density: 1, bending_stiffness: {STRIP_STIFFNESS}}}}}
    initial: {{positions: start.vtk}}
output: {{every: 1e-6, fields: bending_moment}}
"""
        frame = Frames(self.simulate(scene, out=out, **arguments).directory).read(0)
        at_rest = frame.points[frame.topology.triangles].mean(axis=1)
        angle = numpy.arctan2(at_rest[:, 0], at_rest[:, 2] + STRIP_RADIUS)
        tangents = numpy.column_stack([numpy.cos(angle), 0 * angle, -numpy.sin(angle)])
        return frame.cell_fields["bending_moment"][:, [[0, 3, 5], [3, 1, 4], [5, 4, 2]]], tangents, numpy.column_stack([STRIP_RADIUS * angle, at_rest[:, 1]])

    def test_strip_bent_to_a_cylinder(self):
        """M = D kappa along, and nu times as much across where the strip is wide; towards its normal's side it is convex, which counts as positive."""
        for nu, ranks in ((0, 1), (0.3, 2)):
            with self.subTest(nu=nu):
                moments, tangents, middles = self.bent_strip(40, 0.8, nu, out=f"out{nu}", ranks=ranks)
                # Where no free edge is near: the last triangles there bend less than their neighbours.
                within = (numpy.abs(middles[:, 0]) < 0.7) & ((nu == 0) | (numpy.abs(middles[:, 1] - STRIP_WIDTH / 2) < STRIP_WIDTH / 4))
                self.assertGreater(numpy.count_nonzero(within), 100)
                expected = STRIP_STIFFNESS / STRIP_RADIUS
                across = numpy.zeros((3, 3))
                across[1, 1] = nu
                exact = expected * (tangents[:, :, None] * tangents[:, None, :] + across)
                self.assertLess(numpy.abs(moments - exact)[within].max(), 0.05 * expected)   # facets are not quite along the tangents
                along = numpy.einsum("nij,ni,nj->n", moments, tangents, tangents)[within]
                expect_closed_form(self, field="elasticity", case=f"strip bent to a cylinder, ν = {nu}: bending moment", source="D κ", expected=expected, got=along.mean(),
                                   tolerance=2e-3, mesh="40 × 4 cells, irregular", step="at the start")
                self.assertLess(numpy.abs(along / expected - 1).max(), 2e-2)

    def test_any_number_of_ranks_and_resumed(self):
        scene = BLOCK.replace("LOAD", PULL).replace("{region: left, components: x}", "left")   # not uniform any more
        self.simulate(scene, out="one")
        for ranks in (2, 4):
            self.simulate(scene, out=f"on_{ranks}", ranks=ranks)
        self.simulate(scene, out="resumed", sets={"time.end": 0.5})
        self.resume(out="resumed", ranks=2, sets={"time.end": 1})
        for other in ("on_2", "on_4", "resumed"):
            done = subprocess.run([JOBS.parent / "postprocess" / "compare", self.folder / "one", self.folder / other, "--relative", "1e-6", "--absolute", "1e-9",
                                   "--only", "fields/*"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("5 frames, 6 fields", done.stdout)

    def test_pictures_by_elements(self):
        run = self.simulate(BLOCK.replace("LOAD", PULL), ranks=2)
        data = check_fields.read_frame(sorted(run.directory.glob("fields_0*.hdf"))[-1]).GetCellData()   # by VTK's own reader
        for name, components in (("stress", 6), ("von_mises_stress", 1), ("strain", 6), ("tension", 6)):
            self.assertEqual((data.GetArray(name).GetNumberOfComponents(), data.GetArray(name).GetNumberOfTuples()), (components, 6 * 2 * 3 * 4))
        frames = Frames(self.folder / "out")
        frame = frames.read(len(frames) - 1)
        numpy.testing.assert_allclose(frame.topology.at_vertices(frame.cell_fields["stress"])[:, 2], frame.cell_fields["stress"][0, 2], rtol=1e-6)
        for field in ("stress", "von_mises_stress", "strain"):
            picture = self.folder / f"{field}.png"
            subprocess.run([JOBS.parent / "postprocess" / "render_fields.py", self.folder / "out", "--frames=-1", "--color", field, "--sheet", picture], check=True, timeout=120)
            self.assertGreater(picture.stat().st_size, 5000)


if __name__ == "__main__":
    unittest.main()
