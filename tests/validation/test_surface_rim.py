"""The smooth surface of named faces ends at their rim: what stands just inside of it is held, what is more than the contact's thickness outside falls freely."""

import json
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import box, cube, sheet
from traction_runs import RunTest

GRAVITY, THICKNESS, END = 9.81, 1e-3, 0.15
HALF, CELLS = 0.5, 5                    # the table's half width [m], and its cells in each direction: the reach is 1.12 of one
EDGE = 0.05                             # a cube's [m]
MATERIAL = {"solid": {"youngs_modulus": 5e6, "poisson_ratio": 0.3, "density": 1000}}
OUTSIDE = {"at_the_rim": -THICKNESS, "beside": 1.01 * THICKNESS, "further": 0.06, "furthest": 0.15}   # how far from the rim the nearest side of each cube is [m]


class SurfaceRim(RunTest):
    def drop(self, support, ranks=1):
        """Four cubes along the rim, of which the first stands on the table's top: the history."""
        self.write("cube.msh", cube(EDGE).gmsh())
        bodies, surfaces, against = {}, {}, "top"
        if support == "faces of a body":
            self.write("table.msh", box((2 * HALF, 2 * HALF, 0.1), (CELLS, CELLS, 1)).gmsh_with({"top": lambda corners: bool(numpy.all(abs(corners[:, 2] - 0.1) < 1e-9))}))
            bodies["table"] = {"mesh": "table.msh", "solid": MATERIAL, "fixed": ["solid"], "initial": {"translate": [0, 0, -0.1]}}
            against = "table.top"
        else:
            self.write("top.obj", sheet((2 * HALF, 2 * HALF), (CELLS, CELLS)).obj())
            surfaces["top"] = {"mesh": {"file": "top.obj"}}
        contacts = {}
        for number, (name, outside) in enumerate(OUTSIDE.items()):
            bodies[name] = {"mesh": "cube.msh", "solid": MATERIAL, "initial": {"translate": [HALF + outside + EDGE / 2, 0.2 * number - 0.3, 0.9 * THICKNESS]}}
            contacts[name] = {"vertices": name, "against": against, "geometry": "smooth_surface", "thickness": THICKNESS}
        bodies["at_the_rim"]["initial"]["translate"][0] = HALF - THICKNESS - EDGE / 2
        scene = {"time": {"step": 5e-3, "end": END}, "gravity": [0, 0, -GRAVITY], "bodies": bodies, "surfaces": surfaces, "contacts": contacts, "solver": {"tolerance": 1e-10}}
        return self.simulate(json.dumps(scene), ranks=ranks, out=f"{support.split()[0]}{ranks}")

    def rim_warnings(self, cells, support, ranks):
        """The warnings about a cube that is 0.5 mm beside the middle of a face of equal size."""
        self.write("cube.msh", cube(EDGE).gmsh_with({"bottom": lambda corners: bool(numpy.all(abs(corners[:, 2]) < 1e-9))}))
        bodies = {"upper": {"mesh": "cube.msh", "solid": MATERIAL, "initial": {"translate": [5e-4, 0, THICKNESS]}}}
        scene = {"time": {"step": 1e-3, "end": 1e-3}, "gravity": [0, 0, -GRAVITY], "bodies": bodies, "surfaces": {}}
        against = "face"
        if support == "obstacle":
            self.write("face.obj", sheet((EDGE, EDGE), (cells, cells)).obj())
            scene["surfaces"]["face"] = {"mesh": {"file": "face.obj"}}
        else:
            block = box((EDGE, EDGE, EDGE), (cells, cells, 3))
            self.write("lower.msh", block.gmsh_with({"top": lambda corners: bool(numpy.all(abs(corners[:, 2] - EDGE) < 1e-9))}))
            bodies["lower"] = {"mesh": "lower.msh", "solid": MATERIAL, "fixed": ["solid"], "initial": {"translate": [0, 0, -EDGE]}}
            against = "lower.top" if support == "face of a body" else "lower.surface"
        scene["contacts"] = {"touch": {"vertices": "upper.bottom", "against": against, "geometry": "smooth_surface", "thickness": THICKNESS}}
        outcome = self.run_program("check", json.dumps(scene), ranks=ranks)
        self.assertEqual(outcome.code, 0, outcome.errors)
        return [line for line in outcome.errors.splitlines() if "vertices lie on its rim" in line]

    def test_surfaces_with_few_vertices_inside_of_their_rim_are_warned_of(self):
        for support, ranks in (("face of a body", 1), ("face of a body", 2), ("obstacle", 1)):
            for cells in (1, 3, 4):
                with self.subTest(support=support, ranks=ranks, cells=cells):
                    found = self.rim_warnings(cells, support, ranks)
                    self.assertEqual(len(found), cells < 4)
                    if found:
                        self.assertIn(f"{4 * cells} of its {(cells + 1)**2} vertices lie on its rim", found[0])
                        self.assertIn("Take geometry: edges_and_faces, or smaller triangles", found[0])
        self.assertEqual(self.rim_warnings(1, "whole body", 1), [])     # has no rim

    def test_the_rim(self):
        for support in ("faces of a body", "obstacle"):
            serial = None
            for ranks in (1, 2, 4) if support == "faces of a body" else (1,):
                with self.subTest(support=support, ranks=ranks):
                    run = self.drop(support, ranks)
                    history = run.history
                    held = history["at_the_rim.z"].min() - EDGE / 2
                    self.assertGreater(held, 0.2 * THICKNESS)
                    falls = {name: EDGE / 2 + 0.9 * THICKNESS - history[f"{name}.z"][-1] for name in list(OUTSIDE)[1:]}
                    worst = max(falls.values(), key=lambda fall: abs(fall - GRAVITY * END**2 / 2))
                    expect_closed_form(self, field="contact", case=f"cubes 1.01 to 150 thicknesses beside the rim of a smooth surface ({support}): the worst one's fall", source="g t²/2",
                                       expected=GRAVITY * END**2 / 2, got=worst, tolerance=1e-9, mesh=f"table, {CELLS} × {CELLS} cells", step=f"5 ms, {ranks} rank{'s' if ranks > 1 else ''}")
                    for name in falls:
                        self.assertEqual(history[f"{name}.contacts"].max(), 0)
                    serial = serial or run.last_row()
                    self.assert_rows_agree(run.last_row(), serial, 1e-8, [f"{name}.{axis}" for name in OUTSIDE for axis in "xyz"])


if __name__ == "__main__":
    unittest.main()
