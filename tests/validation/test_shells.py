"""Enclosed volumes: a rubber balloon past its largest pressure, and solids whose zones or surfaces keep their volume. Shells of several thicknesses in contact."""

import importlib.util
import itertools
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import JOBS, RunTest, ShortRunTest, box_text, gmsh_text

SIZE = (0.2, 0.16, 0.12)   # size of the block [m]
SQUEEZE = f"""\
time: {{step: 5e-3, end: 0.1, integrator: backward_euler}}
bodies:
  block:
    mesh: block.msh
    solid: {{solid: {{youngs_modulus: 1e5, poisson_ratio: 0.2, density: 1000}}}}
    damping: {{mass: 20}}
surfaces:
  floor: {{plane: {{point: [0, 0, -1e-3], normal: [0, 0, 1]}}}}
  press: {{plane: {{point: [0, 0, {SIZE[2] + 1e-3}], normal: [0, 0, -1]}}, motion: {{velocity: [0, 0, -0.3], stop: 0.08}}}}
contacts:
  below: {{vertices: block.surface, against: floor, thickness: 1e-3}}
  above: {{vertices: block.surface, against: press, thickness: 1e-3}}
solver: {{tolerance: 1e-9}}
"""


class Balloon(RunTest):
    def test_pressure_over_the_radius_is_the_closed_form(self):
        # The job's own scene, judged by the job's own report.
        scene = JOBS / "balloon" / "scene.yaml"
        sets = {"bodies.balloon.mesh_parameters.element_size": 0.02, "time.step": 0.1, "output": "{}"}
        outcome = self.simulate(scene, timeout=1200, sets=sets)
        # A step takes four or five iterations; without the correction for curved volumes (docs/theory/newton.md, "Curved volumes") it is twenty, and many steps are halved.
        self.assertLessEqual(outcome.history["newton_iterations"].mean(), 5)
        # Where the inflation quickens, at 2.5 s, rounding decides between 6 and 11; with the instructions of some processors this step is halved once, and takes 21.
        self.assertLessEqual(numpy.sort(outcome.history["newton_iterations"])[-2], 14)
        halved = outcome.history["repeats"].sum()
        self.assertLessEqual(halved, 1)
        # Single steps took thousands while useless blocks were kept.
        self.assertLess(outcome.history["linear_iterations"].mean(), 100)
        self.assertEqual(len(outcome.history["step"]), 101 + 2 * halved)   # steps end at the corner of the inflation at 1.25 s, too
        # On two ranks single steps may take more, and differ from run to run: with the instructions of some processors the mean is 5.2.
        two = self.simulate(scene, ranks=2, timeout=600, sets=sets | {"time.end": 1.25}, out="two").history
        self.assertLessEqual(two["newton_iterations"].mean(), 6)
        numpy.testing.assert_allclose(two["balloon.pressure"], outcome.history["balloon.pressure"][: len(two["step"])], rtol=1e-6)
        spec = importlib.util.spec_from_file_location("report", JOBS / "balloon" / "report.py")
        report = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(report)

        class Run:
            scene = outcome.report["scene"]

            def columns(self, *names):
                return [list(outcome.history[name]) for name in names]

        stretch, pressure, expected = map(numpy.array, report.curve(Run()))
        # By hand at a radius of twice that at the start: 2 x 300 N/m / 3 / 0.1 m x (1/2 - 1/128).
        self.assertAlmostEqual(report.closed_form(2, 300), 2000 * 63 / 128, delta=1e-9)
        errors = pressure / expected - 1
        judged = (stretch >= 1.05) & (stretch <= 3.001)
        print(f"\n  errors from {100 * errors[judged].min():.3f} % to {100 * errors[judged].max():.3f} % at {numpy.count_nonzero(judged)} radii; largest pressure "
              f"{pressure.max():.2f} Pa at {stretch[pressure.argmax()]:.4f}", flush=True)
        for radius in (1.2, 1.6, 2.4):
            near = numpy.abs(stretch - radius).argmin()
            expect_closed_form(self, field="volumes", case=f"rubber balloon at {radius} radii: pressure [Pa]", source="2 μ/r (1/λ − 1/λ⁷)", expected=expected[near], got=pressure[near], tolerance=0.01,
                               mesh="edges of 0.02 of 0.1 m", step="100 ms")
        self.assertLess(numpy.abs(errors[judged]).max(), 0.01)
        self.assertLess(stretch[judged].min(), 1.07)
        self.assertAlmostEqual(stretch[-1], 3, delta=1e-3)
        # Past the largest pressure, which is half of that again lower at the end.
        self.assertAlmostEqual(stretch[pressure.argmax()], 7 ** (1 / 6), delta=0.01)
        self.assertLess(pressure[-1], 0.55 * pressure.max())
        for axis in "xyz":
            self.assertLess(numpy.abs(outcome.history[f"balloon.{axis}"]).max(), 1e-4)


COVERED = """\
time: {step: 5e-3, end: 0.02}
gravity: [0, 0, -9.81]
bodies:
  block:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000}}
    shell: {bottom: {youngs_modulus: 2e5, poisson_ratio: 0.3, density: 900, thickness: 1e-3}}
  other:
    mesh: block.msh
    solid: {solid: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000}}
    initial: {translate: [0.01, 0.02, -0.125]}
contacts:
  touch: {both: [block, other], geometry: smooth_surface, thickness: 5e-3, pressure: 1e4}
"""


class CoveredSolid(RunTest):
    def test_its_whole_boundary_has_each_face_once(self):
        self.write("block.msh", box_text((4, 3, 3), SIZE))
        whole = self.simulate(COVERED, out="whole").history
        named = self.simulate(COVERED.replace("[block, other]", "[block.surface, other.surface]"), out="named").history
        self.assertGreater(whole["touch.contacts"].max(), 5)
        for name, column in named.items():
            if name == "residual":   # rounding, which follows the order of triangles
                continue
            self.assertLess(numpy.abs(whole[name] - column).max(), 1e-9 * max(1e-6, numpy.abs(column).max()), name)


THIN, THICK, ABOVE = 2e-4, 1e-2, 0.02   # thicknesses of a sheet's two halves, and its height [m]
SHEET = f"""\
time: {{step: 1e-4, end: 2e-4}}
bodies:
  sheet:
    mesh: sheet.msh
    shell:
      thin: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000, thickness: {THIN}}}
      thick: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000, thickness: {THICK}}}
    initial: {{translate: [0, 0, {ABOVE}]}}
surfaces: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
contacts:
  land: {{vertices: SIDE, against: floor, thickness: 2e-2}}
"""


class SheetOfTwoThicknesses(ShortRunTest):
    def test_each_part_touches_at_half_of_its_own_thickness(self):
        points = [(0.1 * i, 0.1 * j, 0.0) for j in range(2) for i in range(3)]
        triangles = [(1, 0, 1, 4), (1, 0, 4, 3), (2, 1, 2, 5), (2, 1, 5, 4)]
        self.write("sheet.msh", gmsh_text(points, [], triangles, {1: (2, "thin"), 2: (2, "thick")}))
        for ranks, (side, thickness) in itertools.product((1, 2), (("sheet.thin", THIN), ("sheet.thick", THICK), ("sheet", THICK))):
            outcome = self.simulate(SHEET.replace("SIDE", side), ranks=ranks, out=f"{side}_{ranks}")
            self.assertAlmostEqual(outcome.history["min_gap"][0], ABOVE - thickness / 2, delta=1e-5)
            words = "'sheet' is 0.0002 to 0.01 m thick, and contact takes it for 0.01 m thick everywhere, so that it touches up to 0.0049 m too early"
            self.assertEqual(words in outcome.errors, side == "sheet", outcome.errors)


STRIP = 1, 0.2, 5e-3   # length, width and thickness of a strip that bends under a force at its tip [m]
MODULUS, FORCE = 1e9, 1e-2   # [Pa], [N]
BENT = """\
time: {{step: 1, end: 1, inertia: false}}
bodies:
{bodies}
{rest}
solver: {{relative_tolerance: 1e-9}}
"""
SOFT = f"""\
  strip:
    mesh: strip.msh
    shell: {{s: {{youngs_modulus: {MODULUS}, poisson_ratio: 0, density: 1000, thickness: {STRIP[2]}}}, clamp: {{youngs_modulus: {MODULUS}, poisson_ratio: 0, density: 1000, thickness: {STRIP[2]}}}}}
    loads: {{end: {{region: tip, force: [0, 0, {FORCE}]}}}}
"""
CARRIER = """\
  carrier:
    mesh: block.msh
    initial: {translate: [-0.4, 0, -0.02]}
"""


class ClampedStrip(ShortRunTest):
    """A row of triangles is one clamp, whatever holds it, and in whatever order bodies are listed."""

    def tip(self, bodies, out, rest="attachments: {glue: {vertices: strip.clamp, to: carrier}}", ranks=1):
        """Deflection of the tip, of which the force does half the work that is stored."""
        row = self.simulate(BENT.format(bodies="".join(bodies), rest=rest), ranks=ranks, out=out).last_row()
        return 2 * (row["bending_energy"] + row["elastic_energy"]) / FORCE

    def test_it_bends_alike_on_whatever_carries_its_clamp(self):
        cells, (length, width, thickness) = 10, STRIP
        size = length / cells
        points = [((i - 1) * size, j * width / 2, 0.0) for i in range(cells + 2) for j in range(3)]
        triangles = []
        for i, j in itertools.product(range(cells + 1), range(2)):
            a, b, c, d = 3 * i + j, 3 * i + 3 + j, 3 * i + 4 + j, 3 * i + 1 + j
            triangles += [(2 if i == 0 else 1, a, b, c), (2 if i == 0 else 1, a, c, d)]
        tip = [(3, 3 * (cells + 1) + j) for j in range(3)]
        self.write("strip.msh", gmsh_text(points, [], triangles, {1: (2, "s"), 2: (2, "clamp"), 3: (0, "tip")}, points=tip))
        self.write("block.msh", box_text((2, 2, 1), (0.4, 0.2, 0.04)))
        rigid = CARRIER + "    rigid: {density: 1000}\n"
        held = rigid + "    fixed: [bottom]\n"
        solid = CARRIER + "    solid: {solid: {youngs_modulus: 1e9, poisson_ratio: 0.3, density: 1000}}\n    fixed: [solid]\n"
        joint = "attachments: {glue: {vertices: strip.clamp, to: carrier}}\njoints: {hold: {kind: fixed, between: [carrier, ground], at: [-0.2, 0.1, 0]}}"
        fixed = self.tip([SOFT, "    fixed: [clamp]\n"], "fixed", "")
        expected = FORCE * length**3 / (3 * MODULUS * width * thickness**3 / 12)
        print(f"\n  clamped strip: {fixed / expected:.4f} of the beam's deflection", flush=True)
        self.assertAlmostEqual(fixed / expected, 1, delta=0.01)
        for ranks in (1, 2):
            for name, bodies, rest in (("first", [held, SOFT], None), ("last", [SOFT, held], None), ("solid_first", [solid, SOFT], None), ("solid_last", [SOFT, solid], None),
                                       ("joint_first", [rigid, SOFT], joint), ("joint_last", [SOFT, rigid], joint)):
                with self.subTest(case=name, ranks=ranks):
                    self.assertAlmostEqual(self.tip(bodies, f"{name}_{ranks}", *([rest] if rest else []), ranks=ranks) / fixed, 1, delta=5e-3 if "joint" in name else 2e-4)   # joints give way a little


class ZoneOfConstantVolume(RunTest):
    def squeezed(self, volume, out, compressibility=1e-9):
        self.write("block.msh", box_text((5, 4, 3), SIZE))
        penalty = f"    volume: {{{volume}, model: nearly_incompressible, compressibility: {compressibility}}}\n"
        return self.simulate(SQUEEZE.replace("    damping:", penalty + "    damping:"), out=out, timeout=300).history

    def test_tetrahedra_keep_their_volume_as_a_surface_does(self):
        zone, surface = self.squeezed("region: solid", "zone"), self.squeezed("surface: surface", "surface")
        start = SIZE[0] * SIZE[1] * SIZE[2]
        self.assertGreater(zone["above.contacts"].max(), 10)
        self.assertLess(numpy.abs(zone["block.volume"] / start - 1).max(), 1e-3)
        for name in ("block.volume", "block.pressure", "block.z", "block.vz", "elastic_energy", "volume_energy", "contact_energy", "above.fz"):
            self.assertLess(numpy.abs(zone[name] - surface[name]).max(), 1e-6 * numpy.abs(surface[name]).max(), name)
        # Without it, the block would have given way.
        free = self.squeezed("surface: surface", "free", compressibility=1e3)
        loss = 1 - free["block.volume"].min() / start
        print(f"\n  volume lost: {100 * loss:.2f} %, with a constant one {100 * (1 - zone['block.volume'].min() / start):.4f} %", flush=True)
        self.assertGreater(loss, 0.02)


if __name__ == "__main__":
    unittest.main()
