"""Coarse blocks that are pressed on a drum whose surface they touch by their edges: only friction takes a moment to turn the drum."""

import unittest

from traction_runs import ShortRunTest, box_text


class Drums(ShortRunTest):
    SCENE = """\
time: {{step: 2e-3, end: 0.2}}
bodies:
  block:
    mesh: block.msh
    solid: {{solid: {{youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}}}
    damping: {{stiffness: 5e-3}}
    initial: {{translate: [-0.02, -0.019, 2e-3]}}
    driven: [{{vertices: top, motion: {{velocity: [0, 0, -0.01], stop: 0.1}}}}]
surfaces: {{drum: {{cylinder: {{point: [0, 0, -0.02], axis: [0, 1, 0], radius: 0.02}}, motion: [{{angular_velocity: [0, {speed}, 0], about: [0, 0, -0.02], ramp: 0.02}}]}}}}
contacts: {{touch: {{vertices: block, against: drum, geometry: edges_and_faces, thickness: 2e-3, pressure: 1e6{friction}}}}}
"""

    def run_at(self, speed, friction=""):
        self.write("block.msh", box_text((4, 4, 2), (0.04, 0.04, 0.02), faces={"top": lambda x: x[2] > 0.02 - 1e-9}))
        return self.simulate(self.SCENE.format(speed=speed, friction=friction), out=f"out_{speed}_{len(friction)}").history

    def test_without_friction_turning_takes_nothing(self):
        """Forces of edges that fade do not point at the drum's axis, but they act there."""
        slow, fast = self.run_at(1e-3), self.run_at(20)
        self.assertEqual(len(fast["step"]), 100)  # none is halved for a gain of energy
        self.assertGreater(fast["touch.fz"][-1], 5)
        self.assertAlmostEqual(fast["work_driven"][-1], slow["work_driven"][-1], delta=1e-9 * slow["work_driven"][-1])

    def test_friction_takes_what_turns_the_drum(self):
        history = self.run_at(5, ", friction: {dynamic: 0.3, tolerance: 0.01}")
        first = next(i for i, time in enumerate(history["time"]) if time > 0.12)
        change = {name: history[name][-1] - history[name][first] for name in ("work_driven", "work_friction", "energy_numerical")}
        self.assertLess(change["work_friction"], -0.01)
        self.assertAlmostEqual(change["work_driven"] / -change["work_friction"], 1, delta=0.01)
        self.assertLess(abs(change["energy_numerical"]), 1e-4 * change["work_driven"])


if __name__ == "__main__":
    unittest.main()
