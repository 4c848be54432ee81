"""A ridge that slides along itself over other ridges keeps its height and its speed, wherever the vertices of both are (docs/theory/contact.md, (C14)).

The bar of 4 kg gives way by a part of the contact's thickness of 1 mm. In steps of 1 ms it passes the two ridges' thickness in four.
"""

import json
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import extruded, wedge
from traction_runs import RunTest

SPEED, THICKNESS, HEIGHT, SPAN = 0.5, 1e-3, 0.08, 0.4    # [m/s], [m], [m], [m] between the ridges below


def bar(cells):
    """A prism along x, 1 m long, with an edge along its bottom."""
    return extruded([(0, 0), (0.05, HEIGHT), (-0.05, HEIGHT)], [(0, 1, 2)], 1.0, cells).turned((0, 0, 1), 90)


class EdgesAlongEdges(RunTest):
    def slide(self, cells, below, ranks=1, angle=0.0, **contact):
        self.write("bar.msh", bar(cells).gmsh())
        bodies = {"bar": {"mesh": "bar.msh", "rigid": {"density": 1000}, "fixed": {"region": "solid", "components": ["y"]},
                          "initial": {"translate": [0, 0, 0.9 * THICKNESS], "velocity": [SPEED, 0, 0], "equilibrium": True}}}
        surfaces, contacts = {}, {}
        for name, x in (("left", -SPAN / 2), ("right", SPAN / 2)):
            ridge = wedge(0.1, HEIGHT, 0.5).turned((0, 0, 1), angle).moved((x, 0, -HEIGHT))
            if below == "obstacles":
                self.write(f"{name}.obj", ridge.obj())
                surfaces[name] = {"mesh": {"file": f"{name}.obj"}}
            else:
                self.write(f"{name}.msh", ridge.gmsh())
                bodies[name] = {"mesh": f"{name}.msh", "solid": {"solid": {"youngs_modulus": 1e9, "poisson_ratio": 0.3, "density": 1000}}, "fixed": "solid"}
            contacts[name] = {"vertices": "bar", "against": name, "thickness": THICKNESS, **contact}
        scene = {"time": {"step": 1e-3, "end": 0.36}, "gravity": [0, 0, -9.81], "bodies": bodies, "surfaces": surfaces, "contacts": contacts, "output": {"every": 0.36}}
        return self.simulate(json.dumps({key: value for key, value in scene.items() if value}), ranks=ranks).history

    def expect_level(self, name, history, cells, within, rise=0.1):
        expect_closed_form(self, field="contact", case=f"a ridge along ridges, {name}", source="no friction: v", expected=SPEED, got=history["bar.vx"][-1],
                           tolerance=within, mesh=f"bar of {cells} cells", step="tr_sdirk2, 1 ms")
        self.assertLess(max(history["bar.z"]) - min(history["bar.z"]), rise * THICKNESS)

    def test_obstacles(self):
        """While edges faded out over twice the thickness, with a third of a vertex's share, the bar of 40 cells had 0.485 m/s left and rose by 0.13 mm."""
        for cells, angle in ((40, 0), (8, 0), (40, 40), (13, -65)):
            self.expect_level(f"obstacles, {angle} degrees off the normal", self.slide(cells, "obstacles", angle=angle), cells, 1e-3)

    def test_any_number_of_ranks(self):
        alone = self.slide(40, "obstacles")
        for ranks in (2, 4):
            together = self.slide(40, "obstacles", ranks=ranks)
            for column in ("bar.vx", "bar.z"):
                numpy.testing.assert_allclose(together[column], alone[column], rtol=1e-8)

    def test_bodies(self):
        """Where vertices of both meet the sum is too large. While edges faded with a third of a vertex's share the bar had 0.4925 m/s left."""
        self.expect_level("bodies", self.slide(40, "bodies", subdivision=1), 40, 5e-3, rise=0.12)


if __name__ == "__main__":
    unittest.main()
