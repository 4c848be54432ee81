"""Arches, cloth, mats, refined and thrown bodies between edges and faces: what must stand stands, what must fall falls, nothing crosses, and no energy appears."""

import json
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_scene_test import EdgeSceneTest
from edge_scenes import DEFAULT, EVERYTHING


class CoarseScenes(EdgeSceneTest):
    def test_an_arch_stands_from_its_critical_thickness_and_friction_on(self):
        """Within 1 % of the thickness and 2 % of the friction that statics of rigid stones asks for."""
        for name in ("arch.just_stands", "arch.grips"):
            with self.subTest(name):
                self.good(name)
        for name in ("arch.falls", "arch.just_falls", "arch.slides"):
            with self.subTest(name):
                self.good(name, **{"time.end": 0.8})

    def test_refined_meshes(self):
        for name in ("spike_on_wedge.obstacle.fine", "wedge_in_crack.body.fine"):
            with self.subTest(name):
                self.good(name)

    def test_sheets_lie_on_each_other_as_their_layers_hold_them(self):
        self.good("cloth_3", **{"output.every": 0.05})

    def test_sheets_that_start_near_each_other(self):
        """Three sheets of 1 mm, with cells of 20 mm, start 4 mm apart. They are accepted, and lie as far apart as they are thick and as their contact gives way to the weight above."""
        folder = self.good("cloth_3.close", **{"time.end": 0.4, "output.every": 0.05})
        history = numpy.genfromtxt(folder / "out" / "history.csv", delimiter=",", names=True, deletechars="")
        layer, weight, pressure = 1e-3, 300 * 9.81 * 1e-3, 1e5      # layer [m]; weight of a sheet per area [Pa]; pressure at zero gap, a tenth of Young's modulus [Pa]
        for upper, above in ((1, 2), (2, 1)):
            expect_closed_form(self, field="contact", case=f"three sheets that start 4 mm apart: distance of sheet {upper + 1} from the one below it", source="t + δ (1 − √(w/p)) (C2)",
                               expected=layer + layer * (1 - (above * weight / pressure)**0.5), got=history[f"sheet_{upper}.z"][-1] - history[f"sheet_{upper - 1}.z"][-1], tolerance=0.01,
                               mesh="sheets, 10 × 10 cells", step="5 ms")

    def test_ten_falling_sheets(self):
        """Until the lower ones lie on each other. Where the trapezoidal stage of the default integrator gains energy, steps are taken without it."""
        folder = self.good("cloth_10", judged=False, **{"time.end": 0.1})
        history = numpy.genfromtxt(folder / "out" / "history.csv", delimiter=",", names=True)
        self.assertGreater(history["sheet_1_sheet_0contacts"].max(), 0)
        self.assertGreater(json.loads((folder / "out" / "run.json").read_text())["costs"]["sdirk2_instead_of_tr_sdirk2"], 0)

    def test_a_ribbon_folds_upon_itself_whatever_lies_far_away(self):
        """Neighbours along a surface are what is within reach at rest of this surface's own contact, not of one with a thicker body."""
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                self.good("ribbon.thick_neighbour", EVERYTHING, ranks, judged=False, **{"time.end": 0.5})

    def test_a_mat_of_one_layer_carries_a_ball(self):
        self.good("mat.off", **{"output.every": 0.02})

    def test_friction_of_a_vertex_that_presses_exactly_on_a_vertex(self):
        """The triangles around it dent, so that the parts of the mat that it touches change from iteration to iteration."""
        self.good("mat", judged=False, **{"time.end": 0.3, "output.every": 0.02})

    def test_a_slab_of_one_cell_rests_on_a_sphere_and_on_a_cylinder(self):
        """Between its vertices."""
        for name in ("slab_on_round.sphere", "slab_on_round.cylinder"):
            for geometry in (DEFAULT, EVERYTHING):
                with self.subTest(name, geometry=geometry):
                    self.good(name, geometry)

    def test_thrown_shapes_rise_no_higher_than_they_fell(self):
        for seed in (3, 17, 42, 64, 99):
            with self.subTest(seed):
                self.good(f"random_{seed:03d}", DEFAULT)


if __name__ == "__main__":
    unittest.main()
