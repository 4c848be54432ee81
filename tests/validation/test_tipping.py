"""Boxes on a slope that rest, slide, tip over, or slide while they tip, against the mechanics of a rigid body."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import ShortRunTest, box_text

GRAVITY, HEIGHT, DEPTH = 9.81, 0.2, 0.1
SLOPE = math.atan(0.5)
DOWN, INTO = GRAVITY * math.sin(SLOPE), GRAVITY * math.cos(SLOPE)
RIGID = {"rigid": {"density": 1000}}
STIFF = {"solid": {"solid": {"youngs_modulus": 1e8, "poisson_ratio": 0.3, "density": 1000}}, "damping": {"stiffness": 1e-4}}
# Width over height and friction. A box at rest slides if tan a > mu, and tips over if tan a > width / height. While it slides only the friction turns it, so that it
# tips if mu > width / height, too.
CASES = {"rests": (1.0, 0.8), "slides": (1.0, 0.3), "tips": (0.3, 0.8), "slides and tips": (0.2, 0.25), "slides, too wide for its friction to tip it": (0.4, 0.3)}


def accelerations(ratio, friction):
    """Down the slope, of the center, and about the lower edge [m/s², rad/s²]; both begin at rest."""
    slides, width = math.tan(SLOPE) > friction, ratio * HEIGHT
    inertia = (width**2 + HEIGHT**2) / 12   # per mass, about the center
    if slides and friction > ratio:   # the edge stays on the slope: N / m = INTO + turn width / 2, and N turns the box against its friction
        arm = (friction * HEIGHT - width) / 2
        turn = INTO * arm / (inertia - arm * width / 2)
        return DOWN - friction * (INTO + turn * width / 2), turn
    if slides:
        return DOWN - friction * INTO, 0
    turn = max(0, (DOWN * HEIGHT - INTO * width) / 2 / (4 * inertia))
    return turn * HEIGHT / 2, turn


class Tipping(ShortRunTest):
    def test_what_slides_and_what_tips(self):
        for what, (ratio, friction) in CASES.items():
            self.write("box.msh", box_text((2, 2, 4), (ratio * HEIGHT, DEPTH, HEIGHT)))
            for kind, body in (("rigid", RIGID), ("stiff", STIFF)):
                scene = {"time": {"step": 2e-4, "end": 0.03, "integrator": "backward_euler"}, "gravity": [DOWN, 0, -INTO],
                         "bodies": {"box": {"mesh": "box.msh", **body, "initial": {"translate": [0, 0, 1e-4]}}},
                         "surfaces": {"slope": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                         "contacts": {"stand": {"vertices": "box.bottom", "against": "slope", "thickness": 1e-4, "friction": {"dynamic": friction, "tolerance": 1e-4}}}}
                with self.subTest(what, kind=kind):
                    history = self.simulate(json.dumps(scene), out=f"{kind}_{what}".replace(" ", "_").replace(",", "")).history
                    time = history["time"]
                    slide, turn = accelerations(ratio, friction)
                    late = time > 0.01   # it has settled on its contact, and is not yet turned by much
                    got = [numpy.polyfit(time[late], history[column][late], 1)[0] for column in ("box.vx", "box.wy")]
                    about = {"field": "friction", "mesh": f"{kind} box, 2 × 2 × 4 cells", "step": "0.2 ms"}
                    expect_closed_form(self, case=f"box on a slope that {what}: acceleration", source="Newton and Euler about the edge", expected=slide, got=got[0], scale=DOWN, tolerance=0.01, **about)
                    expect_closed_form(self, case=f"box on a slope that {what}: angular acceleration", source="Newton and Euler about the edge", expected=turn, got=got[1], scale=DOWN / HEIGHT,
                                       tolerance=0.05, **about)


if __name__ == "__main__":
    unittest.main()
