"""Tests that run scenes of edge_scenes_catalogue."""

import dataclasses

import run_edge_scenes
from edge_scenes import EDGES
from edge_scenes_catalogue import CATALOGUE
from traction_runs import ShortRunTest


class EdgeSceneTest(ShortRunTest):
    def good(self, name, geometry=EDGES, ranks=1, judged=True, **sets):
        """Ends by itself, crosses nothing, gains no energy, and does what its scene asks for unless it is cut too short for that."""
        folder = self.folder / f"{name}_{ranks}"
        scene = CATALOGUE[name](geometry)
        if not judged:
            scene = dataclasses.replace(scene, judge=lambda result: ())
        figures = run_edge_scenes.run(scene, folder, ranks, sets=sets, in_running_program=ranks in self.runs_started)
        self.runs_started.add(ranks)
        self.assertEqual(figures["faults"], [], f"{name} on {ranks} ranks")
        return folder
