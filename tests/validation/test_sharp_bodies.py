"""Contact between edges and faces holds bodies of a few vertices, stacks and thin bodies: nothing crosses, by a check of its own, and no energy appears."""

import unittest

import numpy

from edge_scene_test import EdgeSceneTest
from edge_scenes import EVERYTHING


class SharpBodies(EdgeSceneTest):
    def test_spikes_wedges_and_corners(self):
        for name in ("spike_on_spike.body.off", "spike_on_wedge.obstacle.off", "wedge_on_wedge.body", "edge_on_edge.obstacle", "corner_on_corner.body"):
            with self.subTest(name):
                self.good(name)

    def test_holes_cracks_and_cliffs(self):
        for name in ("spike_in_hole.body.off", "spike_in_crack.obstacle", "wedge_in_crack.body", "cube_on_cliff.obstacle.off", "cube_on_internal_edges.body"):
            with self.subTest(name):
                self.good(name)

    def test_faces_and_edges_hold_without_vertices(self):
        for name in ("slab_on_pillar.body", "slab_on_pillar.box", "table_outside.top.10mm", "table_outside.box.10mm",
                     "table_outside.body.20mm", "table_outside.obstacle.40mm", "table_outside.top.60mm"):
            with self.subTest(name):
                self.good(name)

    def test_nothing_tunnels(self):
        for name in ("tunnel.body.0.0002", "tunnel.box.0.0002", "tunnel.shell.0.0002"):
            with self.subTest(name):
                self.good(name)

    def test_stacks_and_arches(self):
        for name in ("stack_5", "arch.stands"):
            with self.subTest(name):
                self.good(name)

    def test_a_card_house_of_three_storeys_stands(self):
        """For ten seconds, in which friction lets it creep by less than 3 mm."""
        self.good("card_house", **{"time.end": 10, "output.every": 0.1})

    def test_a_block_over_an_edge_runs_down_its_slope_alone(self):
        for name in ("table_inside.body", "table_inside.obstacle"):
            with self.subTest(name):
                self.good(name, **{"output.every": 0.02})

    def test_general_contact(self):
        self.good("stack_5", EVERYTHING)
        self.good("wedge_on_wedge.body.off", EVERYTHING)

    def test_ranks(self):
        """The same motion on 1, 2 and 4 ranks, through a first touch with friction."""
        ends = {}
        for ranks in (1, 2, 4):
            folder = self.good("edge_on_edge.body", ranks=ranks, **{"time.end": 0.12, "solver.tolerance": 1e-9})
            history = numpy.genfromtxt(folder / "out" / "history.csv", delimiter=",", names=True)
            self.assertGreater(history["contacts"].max(), 0)
            ends[ranks] = numpy.array([history[f"upper{c}"][-1] for c in "xyz"])
        for ranks in (2, 4):
            self.assertLess(numpy.abs(ends[ranks] - ends[1]).max(), 1e-8)


if __name__ == "__main__":
    unittest.main()
