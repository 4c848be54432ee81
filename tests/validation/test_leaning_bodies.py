"""Bodies that lean on each other, or must tip, start in the equilibrium that is near, although in pseudo-time they slide away from it or come to no rest."""

import json
import math
import re
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import box
from traction_runs import ShortRunTest

GRAVITY, THICKNESS, DENSITY = 9.81, 5e-4, 1000
SIZE, ANGLE = (0.01, 0.05, 0.2), 15      # a plate [m], its angle to the vertical [degrees]


class LeaningBodies(ShortRunTest):
    def start(self, shapes, material, friction, thickness=THICKNESS, **arguments):
        bodies = {}
        for name, shape in shapes.items():
            self.write(f"{name}.msh", shape.gmsh())
            bodies[name] = {"mesh": f"{name}.msh", **material, "initial": {"equilibrium": True}}
        contact = {"all": True, "thickness": thickness, "friction": {"dynamic": friction}}
        scene = {"time": {"step": 2e-3, "end": 0.02}, "gravity": [0, 0, -GRAVITY], "bodies": bodies, "surfaces": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                 "contacts": {"touch": contact}}
        return self.simulate(json.dumps(scene), **arguments)

    def test_two_plates_stand(self):
        """Each needs a friction of tan(15°)/2 of its weight. They stay where they are put but for the thickness of contacts."""
        plates = {}
        for name, sign in (("left", 1), ("right", -1)):
            plate = box(SIZE).turned((0, 1, 0), sign * ANGLE)
            plate = plate.moved((0, 0, 0.9 * THICKNESS - plate.points[:, 2].min()))
            inner = plate.points[:, 0].max() if sign > 0 else plate.points[:, 0].min()
            plates[name] = plate.moved((-inner - sign * 0.45 * THICKNESS, 0, 0))
        solid = {"solid": {"solid": {"youngs_modulus": 1e8, "poisson_ratio": 0.3, "density": DENSITY}}}
        for name, material, ranks in (("solid", solid, 1), ("rigid", {"rigid": {"density": DENSITY}}, 1), ("rigid", {"rigid": {"density": DENSITY}}, 2)):
            outcome = self.start(plates, material, 0.6, ranks=ranks, out=f"{name}{ranks}")
            self.assertNotIn("slides", outcome.errors)
            history = outcome.history
            expect_closed_form(self, field="friction", case=f"two {name} plates that lean on each other: force of the floor, {ranks} ranks", source="Σ m g", expected=2 * math.prod(SIZE) * DENSITY * GRAVITY,
                               got=history["touch.fz"][-1], tolerance=2e-3, mesh="2 plates of one cell", step="2 ms")
            for plate, shape in plates.items():
                middle = shape.points.mean(axis=0)
                for axis, place in zip("xyz", middle):
                    self.assertLess(numpy.abs(history[f"{plate}.{axis}"] - place).max(), 2 * THICKNESS)

    def test_a_tilted_box_lies_flat(self):
        tilted = box((0.1, 0.1, 0.1)).turned((0, 1, 0), 10)
        outcome = self.start({"box": tilted.moved((0, 0, 1e-3 - tilted.points[:, 2].min()))}, {"rigid": {"density": DENSITY}}, 0.6, thickness=1e-3)
        last = outcome.last_row()
        self.assertLess(abs(last["box.z"] - 0.0509), 1e-4)
        self.assertAlmostEqual(abs(2 * math.asin(last["box.qy"])), math.radians(10), delta=1e-4)

    def test_a_body_that_turns_far_in_place_is_reported(self):
        """A soft box lies down from 30°, and a bar swings by 40° about a joint near its center; the centers move by less than a radius of gyration."""
        soft = {"solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": DENSITY}}}
        tilted = box((0.1, 0.1, 0.1)).turned((0, 1, 0), 30)
        outcome = self.start({"box": tilted.moved((0, 0, 1e-3 - tilted.points[:, 2].min()))}, soft, 0.6, thickness=1e-3)
        self.assertIn("body 'box' starts in its equilibrium, which is turned by 30 degrees from where the scene puts it", outcome.errors)
        self.write("bar.msh", box((0.02, 0.02, 0.4)).turned((0, 1, 0), 40).gmsh())
        pivot = [0.23 * math.sin(math.radians(40)), 0, 0.23 * math.cos(math.radians(40))]
        for held, words in ((False, True), (True, False)):
            scene = {"time": {"step": 2e-3, "end": 2e-3}, "gravity": [0, 0, -GRAVITY],
                     "bodies": {"bar": {"mesh": "bar.msh", "rigid": {"density": DENSITY}, "initial": {"equilibrium": True}}},
                     "joints": {"pivot": {"kind": "fixed" if held else "ball", "between": ["bar", "ground"], "at": pivot}}}
            outcome = self.simulate(json.dumps(scene), out=f"pivot{held}")
            self.assertEqual("which is turned by 40 degrees from where the scene puts it" in outcome.errors, words, outcome.errors)

    def test_a_box_on_its_edge_tips_onto_its_face(self):
        """From 30° and more. Half of such boxes were refused, others slid, or started in balance on the edge. Friction that held the soft ones' faces sheared lets go
        at the start, from which they tremble by up to 2.6 % of their weight."""
        material = {"solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": DENSITY}}}
        for name, body in (("rigid", {"rigid": {"density": DENSITY}}), ("soft", material)):
            for angle, turn in ((30, 30), (40, 40), (44, 44), (60, 30)):
                tilted = box((0.1, 0.1, 0.1)).turned((0, 1, 0), angle)
                outcome = self.start({"box": tilted.moved((0, 0, 1e-3 - tilted.points[:, 2].min()))}, body, 0.6, thickness=1e-3,
                                     ranks=2 if angle == 44 else 1, out=f"{name}{angle}")
                self.assertIn(f"turned by {turn} degrees from where the scene puts it", outcome.errors)
                self.assertNotIn("slides", outcome.errors)
                if name == "rigid":     # 600 to 1,100; from a guess without the box's rotation 4,900 to 7,700
                    iterations = re.search(r"equilibrium at the start: \d+ steps, (\d+) Newton iterations", outcome.output + outcome.errors)
                    self.assertLess(int(iterations.group(1)), 2000)
                self.assertLess(abs(outcome.history["box.z"][-1] - 0.0507), 5e-4)
                self.assertLess(abs(outcome.history["touch.fz"] - GRAVITY).max(), 0.03 * GRAVITY if name == "soft" else 1e-4)


if __name__ == "__main__":
    unittest.main()
