"""Runs with integrator: asynchronous: what turns within long rows, and rods on nails."""

import json
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import ShortRunTest, box_text, gmsh_text

SPEED = 40  # rad/s


def roller(radius, length, facets):
    angles = 2 * numpy.pi * numpy.arange(facets) / facets
    points = [(radius * numpy.cos(a), y, radius * numpy.sin(a)) for a in angles for y in (-length / 2, length / 2)]
    triangles = []
    for k in range(facets):
        a, b, c, d = 2 * k, 2 * k + 1, 2 * ((k + 1) % facets), 2 * ((k + 1) % facets) + 1
        triangles += [(1, a, b, c), (1, b, d, c)]
    return gmsh_text(points, [], triangles, {1: (2, "roller")})


class Motions(ShortRunTest):
    def run_scene(self, out, step, end, ranks=1, **scene):
        return self.simulate(json.dumps({"time": {"step": step, "end": end, "integrator": "asynchronous"}, **scene}), out=out, ranks=ranks).history

    def test_a_bar_that_is_turned_is_strained_by_centrifugal_forces_alone(self):
        """The hub of a bar moves in rows of 5 ms, in each of which it turns by 0.2 rad. Along one chord it would shrink by 0.5 %."""
        length, width, modulus, density = 0.2, 0.02, 3e7, 1000
        self.write("bar.msh", box_text((10, 1, 1), (length, width, width), points={"hub": lambda x: 0.07 < x[0] < 0.13}))
        bar = {"mesh": "bar.msh", "solid": {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0, "density": density}}, "damping": {"stiffness": 1e-4}, "initial": {"angular_velocity": [0, 0, SPEED]},
               "driven": [{"vertices": "hub", "motion": {"angular_velocity": [0, 0, SPEED], "about": [length / 2, width / 2, 0]}}]}
        found = {}
        for step in (5e-3, 2e-4):
            history = self.run_scene(f"out{step}", step, 0.05, bodies={"bar": bar})
            found[step] = history["elastic_energy"][history["time"] > 0.025].mean()
        hub = 0.02   # half of what is held: the vertices at 0.08, 0.1 and 0.12 m
        places, weights = numpy.polynomial.legendre.leggauss(8)
        x = (hub + length / 2) / 2 + places * (length / 2 - hub) / 2
        stress = density * SPEED**2 * (length**2 / 4 - x**2) / 2
        energy = 2 * width**2 * numpy.sum(weights * stress**2 / (2 * modulus)) * (length / 2 - hub) / 2
        self.assertAlmostEqual(found[5e-3], found[2e-4], delta=0.1 * found[2e-4])
        expect_closed_form(self, field="asynchronous contact", case="bar turned by its middle: elastic energy", source="∫ σ²/(2E) A dx, σ = ρ ω² (R² − x²)/2", expected=energy, got=found[5e-3],
                           tolerance=0.05, mesh="10 × 1 × 1 cells", step="rows of 5 ms, 0.2 rad each")

    def test_a_pad_rests_on_a_roller_that_turns(self):
        """Without friction a pad stays on a round roller as if it did not turn. Along chords of rows of 5 ms the roller would be 0.5 mm flatter in the middle of each, and throw the pad."""
        self.write("roller.msh", roller(0.1, 0.4, 96))
        self.write("pad.msh", box_text((4, 2, 1), (0.08, 0.04, 0.02)))
        pad = {"mesh": "pad.msh", "solid": {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}, "damping": {"stiffness": 1e-3},
               "fixed": [{"region": "solid", "components": ["x", "y"]}], "initial": {"translate": [-0.04, -0.02, 0.1012]}}
        scene = {"gravity": [0, 0, -9.81], "bodies": {"pad": pad}, "contacts": {"c": {"vertices": "pad", "against": "roller", "thickness": 1e-3}}}
        places = {}
        for speed in (0, SPEED):
            history = self.run_scene(f"out{speed}", 5e-3, 0.1, surfaces={"roller": {"mesh": {"file": "roller.msh"}, "motion": {"angular_velocity": [0, speed, 0]}}}, **scene)
            places[speed] = history["pad.z"][history["time"] > 0.05]
        numpy.testing.assert_allclose(places[SPEED], places[0].mean(), atol=2e-4)

    def test_blows_have_their_impulse_whatever_else_the_scene_has(self):
        """A blow of 2 ms in rows of 10 ms, and one of gravity, while a softer block elsewhere has steps that are longer than the blow."""
        self.write("block.msh", box_text((2, 2, 2), (0.1, 0.1, 0.1)))
        material = lambda modulus: {"solid": {"youngs_modulus": modulus, "poisson_ratio": 0.3, "density": 1000}}
        for begin in (0.0101, 0.0114):
            with self.subTest(begin=begin):
                over = [{"time": begin + late, "factor": factor} for late, factor in ((0, 0), (1e-3, 1), (2e-3, 0))]
                bodies = {"block": {"mesh": "block.msh", "solid": material(1e6), "loads": {"blow": {"force": [1000, 0, 0], "over": over}}},
                          "soft": {"mesh": "block.msh", "solid": material(8e3), "initial": {"translate": [1, 0, 0]}}}
                history = self.run_scene(f"out{begin}", 1e-2, 0.03, bodies=bodies, gravity=[0, 0, -1000], gravity_over=over)
                for name, got in (("force", history["block.vx"][-1]), ("gravity", -history["soft.vz"][-1])):
                    expect_closed_form(self, field="asynchronous contact", case=f"blow of 2 ms after {1e3 * begin:g} ms by a {name}: speed", source="∫ F dt / m", expected=1.0, got=got, tolerance=0.01,
                                       mesh="2 × 2 × 2 cells", step="rows of 10 ms")

    def test_a_nail_catches_a_rod(self):
        """A rod falls on a nail near its middle: it stays above by its radius and less than the thickness, and the nail's impulse is the change of its momentum."""
        radius, thickness, density = 2e-3, 1e-3, 1200
        self.write("rod.txt", "\n".join(f"{0.01 * k} 0 0" for k in range(21)))
        self.write("nail.msh", gmsh_text([(0.1, 0, 0)], [], [], {1: (0, "nail")}, [(1, 0)]))
        rod = {"mesh": "rod.txt", "rod": {"rod": {"radius": radius, "youngs_modulus": 1e7, "poisson_ratio": 0.3, "density": density}}, "initial": {"translate": [0.001, 0, 0.004], "velocity": [0, 0, -0.2]}}
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                history = self.run_scene(f"out{ranks}", 5e-4, 0.03, ranks=ranks, gravity=[0, 0, -9.81], bodies={"rod": rod}, surfaces={"nail": {"mesh": {"file": "nail.msh"}}},
                                         contacts={"c": {"all": True, "thickness": thickness}})
                self.assertGreater(history["contacts"].max(), 0)
                self.assertGreater(history["min_gap"].min(), 0)
                mass = numpy.pi * radius**2 * 0.2 * density
                expected = history["momentum_z"][-1] + mass * (0.2 + 9.81 * history["time"][-1])
                self.assertGreater(expected, 0.2 * mass)
                expect_closed_form(self, field="asynchronous contact", case=f"rod that falls on a nail: impulse of the nail, {ranks} ranks", source="Δp + m g t", expected=expected,
                                   got=numpy.sum(history["c.fz"] * history["dt"]), tolerance=1e-9, mesh="20 segments", step="rows of 0.5 ms")


if __name__ == "__main__":
    unittest.main()
