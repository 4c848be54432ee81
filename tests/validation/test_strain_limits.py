"""Limits of the strain of shells: closed forms, cloth that hangs, ranks, energy, integrators, a restart, and what is refused."""

import json
import math
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import read_frame
from closed_forms import expect_closed_form
from edge_shapes import Shape, sheet
from test_closed_forms_statics import RAMP, Equilibria, root
from traction_runs import RefusalTest, RunTest, line_of


def barrier_force(stiffness, limit, stretch):
    """f' of f = -k x^2 ln(1 - x/w)."""
    x, w = stretch - 1 - limit["from"], limit["to"] - limit["from"]
    return 0 if x <= 0 else stiffness * (x**2 / (w - x) - 2 * x * math.log(1 - x / w))


def crossed(cells):
    """A strip of unit squares, each cut along both diagonals, so that the two corners at an end have the same mass."""
    points = [(i, j, 0) for i in range(cells + 1) for j in (0, 1)] + [(i + 0.5, 0.5, 0) for i in range(cells)]
    triangles = []
    for i in range(cells):
        corners = [2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1]
        triangles += [(corners[k], corners[(k + 1) % 4], 2 * (cells + 1) + i) for k in range(4)]
    return Shape(points, triangles)


LIMIT = {"from": 0.05, "to": 0.15}
RUBBER = {"material": "mooney_rivlin", "c10": 15, "c01": 5, "density": 0.2, "bending_stiffness": 0}
NEO_HOOKEAN = {"youngs_modulus": 120, "poisson_ratio": 0.5, "density": 0.2, "bending_stiffness": 0}
CLOTH = {"material": "orthotropic", "youngs_modulus": 120, "weft_modulus": 60, "poisson_ratio": 0.3, "shear_modulus": 20, "warp": {"direction": [1, 0, 0]}, "density": 0.2}


def rubber_force(material, stretch, across):
    """Force per length along a principal stretch of incompressible rubber, free across the sheet."""
    c10, c01 = (material["c10"], material["c01"]) if "c10" in material else (material["youngs_modulus"] / 6, 0)
    return 2 * (stretch - stretch**-3 * across**-2) * (c10 + c01 * across**2)


class ClosedForms(Equilibria):
    """Every triangle has the same strain, so that the solution is that of the law."""

    def stretches(self, material, pulls, out):
        """Both stretches of a strip that is pulled with a force per length along x and y."""
        cells = 2 if pulls[1] == 0 else 1
        text = crossed(cells).gmsh_with({}, {"left": lambda p: p[0] < 0.1, "front": lambda p: p[1] < 0.1, "right": lambda p: p[0] > cells - 0.1, "back": lambda p: p[1] > 0.9})
        loads = {"right": {"region": "right", "force": [pulls[0], 0, 0], "over": RAMP}, "back": {"region": "back", "force": [0, pulls[1], 0], "over": RAMP}}
        body = {"shell": {"shell": {**material, "strain_limit": LIMIT}}, "loads": {name: load for name, load in loads.items() if any(load["force"])},
                "fixed": [{"region": "left", "components": ["x"]}, {"region": "front", "components": ["y"]}, {"region": "shell", "components": ["z"]}]}
        _, rest, fields = self.equilibrium(text, body, steps=10, out=out, solver={"tolerance": 1e-12, "relative_tolerance": 1e-9})
        moved = fields["displacement"]
        return 1 + moved[rest[:, 0] > cells - 0.1, 0].mean() / cells, 1 + moved[rest[:, 1] > 0.9, 1].mean()

    def expect(self, case, source, expected, got):
        expect_closed_form(self, field="materials", case=f"strain limit: {case}", source=source, expected=expected - 1, got=got - 1, tolerance=1e-6, mesh="squares in four", step="without inertia, 10 steps")

    def test_pulled_rubber(self):
        for name, material in (("mooney_rivlin", RUBBER), ("neo_hookean", NEO_HOOKEAN)):
            for pull in (6, 60, 600):
                expected = root(lambda l, material=material, pull=pull: rubber_force(material, l, l**-0.5) + barrier_force(120, LIMIT, l) - pull, 1, 1.15)
                got, across = self.stretches(material, (pull, 0), f"{name}{pull}")
                self.expect(f"{name} pulled with {pull / 120:g} E, strain", "P = 2 (λ − 1/λ²) (c10 + c01/λ) + f′(λ)", expected, got)
                self.assertAlmostEqual(across, expected**-0.5, delta=1e-7)

    def test_rubber_pulled_both_ways(self):
        """Equal principal stretches."""
        for pull in (10, 300):
            expected = root(lambda l, pull=pull: rubber_force(RUBBER, l, l) + barrier_force(120, LIMIT, l) - pull, 1, 1.15)
            for got in self.stretches(RUBBER, (pull, pull), f"both{pull}"):
                self.expect(f"rubber pulled both ways with {pull / 120:g} E, strain", "P = 2 (λ − λ⁻⁵) (c10 + c01 λ²) + f′(λ)", expected, got)

    def test_cloth_pulled_both_ways(self):
        """Moduli and pulls are unequal, and the limit is as stiff as the stiffer direction."""
        pulls = (80, 30)

        def force(stretch, across, own, other):
            E, E_across = (stretch**2 - 1) / 2, (across**2 - 1) / 2
            D = 1 / (1 - 0.3**2 * 60 / 120)
            coupling = 0.3 * 60
            return stretch * D * (own * E + coupling * E_across) + barrier_force(120, LIMIT, stretch)
        across = lambda l: root(lambda m: force(m, l, 60, 120) - pulls[1], 0.5, 1.15)
        warp = root(lambda l: force(l, across(l), 120, 60) - pulls[0], 1, 1.15)
        got = self.stretches(CLOTH, pulls, "cloth")
        for name, expected, value in (("warp", warp, got[0]), ("weft", across(warp), got[1])):
            self.expect(f"cloth pulled both ways, strain of the {name}", "P = λ S + f′(λ)", expected, value)


def largest_strain(frame):
    """Principal stretch minus 1, from the logarithmic strain of all elements."""
    s = vtk_to_numpy(frame.GetCellData().GetArray("strain"))
    tensors = numpy.array([[s[:, 0], s[:, 3], s[:, 5]], [s[:, 3], s[:, 1], s[:, 4]], [s[:, 5], s[:, 4], s[:, 2]]]).transpose(2, 0, 1)
    return math.exp(numpy.linalg.eigvalsh(tensors).max()) - 1


class HangingCloth(RunTest):
    TO = 0.06

    def scene(self, limit, **time):
        self.write("cloth.msh", sheet((0.5, 0.5), (8, 8)).gmsh_with({}, {"pegs": lambda p: p[1] > 0.249 and abs(p[0]) > 0.249}))
        cloth = {"youngs_modulus": 20, "poisson_ratio": 0.3, "density": 0.2, "bending_stiffness": 1e-5, **({"strain_limit": {"to": self.TO}} if limit else {})}
        body = {"mesh": "cloth.msh", "shell": {"shell": cloth}, "fixed": ["pegs"], "damping": {"mass": 2}, "initial": {"rotate": {"axis": [1, 0, 0], "angle": 60}}}
        return json.dumps({"time": {"step": 5e-3, "end": 0.3, "integrator": "backward_euler", **time}, "gravity": [0, 0, -9.81], "bodies": {"cloth": body},
                           "solver": {"tolerance": 1e-9}, "output": {"every": 0.05, "fields": ["strain", "tension"]}})

    def frames(self, out):
        return [read_frame(path) for path in sorted((self.folder / out).glob("fields_0*.hdf"))]

    def test_strains_stay_below_the_limit_on_any_number_of_ranks(self):
        self.simulate(self.scene(False), out="free")
        free = max(largest_strain(frame) for frame in self.frames("free"))
        self.assertGreater(free, 2 * self.TO)
        first = self.simulate(self.scene(True), out="one").history
        largest = [largest_strain(frame) for frame in self.frames("one")]
        print(f"\n  largest strain {max(largest):.4g}, without the limit {free:.3g}", flush=True)
        self.assertLess(max(largest), self.TO)
        self.assertGreater(max(largest), 0.8 * self.TO)
        for ranks in (2, 4):
            other = self.simulate(self.scene(True), ranks=ranks, out=f"on{ranks}").history
            for name in ("cloth.x", "cloth.y", "cloth.z", "elastic_energy"):
                numpy.testing.assert_allclose(other[name], first[name], rtol=0, atol=1e-6 * abs(first[name]).max() + 1e-9, err_msg=f"{name}, {ranks}")

    def test_restart(self):
        whole = self.simulate(self.scene(True, end=0.15), out="whole").history
        self.simulate(self.scene(True, end=0.1), out="half")
        again = self.resume(out="half", ranks=2, sets={"time.end": 0.15}).history
        self.assertAlmostEqual(again["cloth.z"][-1], whole["cloth.z"][-1], delta=1e-8)
        self.assertAlmostEqual(again["elastic_energy"][-1] / whole["elastic_energy"][-1], 1, delta=1e-6)


class SwingingStrip(RunTest):
    """Held at one end, it falls from the horizontal, and its limit bears it."""

    def run_with(self, integrator, step, out):
        self.write("strip.msh", sheet((1, 0.1), (10, 1)).gmsh_with({}, {"held": lambda p: p[0] < -0.499}))
        strip = {"youngs_modulus": 20, "poisson_ratio": 0.3, "density": 0.2, "bending_stiffness": 1e-4, "strain_limit": {"to": 0.06, "from": 0.01}}
        body = {"mesh": "strip.msh", "shell": {"shell": strip}, "fixed": ["held"], "initial": {"rotate": {"axis": [0, 1, 0], "angle": 40}}}
        text = json.dumps({"time": {"step": step, "end": 0.4, "integrator": integrator}, "gravity": [0, 0, -9.81], "bodies": {"strip": body},
                           "solver": {"tolerance": 1e-10}, "output": {"every": 0.1, "fields": ["strain"]}})
        return self.simulate(text, out=out).history

    def test_energy_and_integrators(self):
        moving, ends = {}, {}
        for integrator, step in (("tr_sdirk2", 2e-3), ("tr_sdirk2", 1e-3), ("trapezoidal", 1e-3), ("tr_bdf2", 1e-3)):
            out = f"{integrator}{step}"
            history = self.run_with(integrator, step, out)
            scale = history["kinetic_energy"].max()
            ends[out] = numpy.array([history[f"strip.{axis}"][-1] for axis in "xz"])
            moving[out] = abs(history["energy_numerical"]).max() / scale
            print(f"\n  {integrator}, {step:g} s: unaccounted {moving[out]:.3g} of the kinetic energy, ends at {ends[out]}", flush=True)
            frames = [read_frame(path) for path in sorted((self.folder / out).glob("fields_0*.hdf"))]
            self.assertLess(max(largest_strain(frame) for frame in frames), 0.06)
        self.assertGreater(max(largest_strain(frame) for frame in frames), 0.03)
        self.assertLess(max(moving.values()), 2e-3)
        self.assertLess(moving["tr_sdirk20.001"], moving["tr_sdirk20.002"] / 3)  # second order
        for out, end in ends.items():
            self.assertLess(numpy.linalg.norm(end - ends["tr_sdirk20.001"]), 1e-4, out)


class Refused(RefusalTest):
    TEXT = ("time: {step: 1e-3, end: 1e-3}\nbodies:\n  cloth:\n    mesh: cloth.msh\n    shell:\n      shell: {youngs_modulus: 10, poisson_ratio: 0.3, density: 0.2, bending_stiffness: 0,\n"
            "        strain_limit: {to: 0.1, from: 0.05}}\n")

    def test_settings(self):
        self.write("cloth.msh", sheet((1, 1), (2, 2)).gmsh_with({}))
        for old, new, words in (
            ("from: 0.05", "from: 0.1", ["strain_limit.from", "below 'to'"]),
            ("from: 0.05", "from: 0.2", ["strain_limit.from", "below 'to'"]),
            ("from: 0.05", "from: -0.05", ["strain_limit.from", "-0.05"]),
            ("to: 0.1", "to: 0", ["strain_limit.to"]),
            ("to: 0.1, ", "", ["strain_limit", "to", "never reaches"]),
            ("end: 1e-3", "end: 1e-3, integrator: asynchronous", ["strain_limit", "integrator"]),
        ):
            with self.subTest(new):
                self.assertIn(old, self.TEXT)
                scene = self.write("scene.yaml", self.TEXT.replace(old, new))
                self.assert_refused(["traction", "run", scene, "--out", self.folder / "out"], words, 1)

    def test_starts_beyond_the_limit(self):
        flat = sheet((1, 1), (2, 2))
        self.write("cloth.msh", flat.gmsh_with({}))
        for ranks in (1, 2):
            self.write("start.vtk", vtk_text([(1.12 * x, y, z) for x, y, z in flat.points.tolist()], flat.cells.tolist()))
            text = self.TEXT + "    initial: {positions: start.vtk}\n"
            scene = self.write("scene.yaml", text)
            self.assert_refused(["traction", "run", scene, "--out", self.folder / "out"], [f"scene.yaml:{line_of(text, 'shell:') + 1}", "strain_limit", "0.12", "raise 'to'"], ranks)


def vtk_text(points, triangles):
    lines = ["# vtk DataFile Version 3.0", "start", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double"]
    lines += [f"{x!r} {y!r} {z!r}" for x, y, z in points]
    lines += [f"CELLS {len(triangles)} {4 * len(triangles)}"] + [f"3 {a} {b} {c}" for a, b, c in triangles] + [f"CELL_TYPES {len(triangles)}"] + ["5"] * len(triangles)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    unittest.main()
