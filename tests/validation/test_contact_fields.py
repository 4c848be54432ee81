"""Fields of contact in the frames: traction and sliding velocity on both sides, with both geometries, on 1 and 2 ranks."""

import unittest

import numpy

from closed_forms import expect_closed_form
from field_runs import Frames
from traction_runs import RunTest, box_text

SPEED, FRICTION, WEIGHT_FACTOR = 0.2, 0.3, 1.0
# A block is drawn over another one, by its top, along x; both are pressed together by the upper one's driven descent.
SCENE = f"""\
time: {{step: 1e-3, end: 0.05, inertia: false}}
bodies:
  lower:
    mesh: lower.msh
    solid: {{solid: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}}}
    fixed: bottom
  upper:
    mesh: upper.msh
    solid: {{solid: {{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}}}
    initial: {{translate: [0.02, 0.02, 0.1005]}}
    driven: [{{vertices: top, motion: [{{velocity: [0, 0, -0.03], stop: 0.02}}, {{velocity: [{SPEED}, 0, 0], start: 0.02}}]}}]
contacts:
  slide: {{both: [lower.surface, upper.surface], thickness: 1e-3, stiffness: 1e5, geometry: GEOMETRY, friction: {{dynamic: {FRICTION}, tolerance: 1e-3}}}}
output: {{every: 0.05, fields: [contact_force, contact_traction, contact_pressure, sliding_velocity]}}
"""


class ContactFields(RunTest):
    def setUp(self):
        super().setUp()
        for name, cells, size in (("lower", (6, 6, 3), (0.12, 0.12, 0.1)), ("upper", (4, 4, 3), (0.08, 0.08, 0.1))):
            self.write(f"{name}.msh", box_text(cells, size, faces={"top": lambda x, height=size[2]: abs(x[2] - height) < 1e-9}))

    def test_traction_and_sliding_of_a_block_that_is_drawn_over_another(self):
        for geometry in ("edges_and_faces", "smooth_surface"):
            for ranks in (1, 2):
                with self.subTest(geometry=geometry, ranks=ranks):
                    outcome = self.simulate(self.write("scene.yaml", SCENE.replace("GEOMETRY", geometry)), ranks=ranks, out=f"{geometry}{ranks}", timeout=300)
                    frames = Frames(outcome.directory)
                    frame = frames.read(-1)
                    force, traction, sliding, pressure = (frame.fields[name] for name in ("contact_force", "contact_traction", "sliding_velocity", "contact_pressure"))
                    above = numpy.linalg.norm(force, axis=1) > 0
                    upper = frames.read(0).points[:, 2] > 0.10025   # as they start, half a millimetre apart
                    total = [outcome.history[f"slide.f{axis}"][-1] for axis in "xyz"]
                    size = numpy.linalg.norm(total)
                    self.assertGreater(size, 1)
                    on_lower, on_upper = force[~upper].sum(axis=0), force[upper].sum(axis=0)
                    numpy.testing.assert_allclose(on_lower, -on_upper, atol=1e-9 * size)
                    numpy.testing.assert_allclose(on_lower, total, atol=1e-9 * size)
                    if geometry == "smooth_surface":   # its normals tilt at the rims of the blocks
                        continue
                    # Coulomb's friction, and a traction whose normal part is the pressure.
                    words = {"field": "fields of contact", "mesh": "6 × 6 × 3 and 4 × 4 × 3 cells", "step": f"1 ms, without inertia, {ranks} ranks" if ranks > 1 else "1 ms, without inertia, 1 rank"}
                    # The faces tilt by 0.3° as they are drawn: z over x of the vertices that press, each by its force.
                    angle = numpy.mean([numpy.arctan(numpy.polyfit(*frame.points[side & above][:, [0, 2]].T, 1, w=numpy.sqrt(abs(force[side & above, 2])))[0]) for side in (upper, ~upper)])
                    along, across = on_lower[0] * numpy.cos(angle) + on_lower[2] * numpy.sin(angle), on_lower[2] * numpy.cos(angle) - on_lower[0] * numpy.sin(angle)
                    expect_closed_form(self, **words, case="block drawn over a block: sum of contact_force along the faces over that across", source="μ (Coulomb)", expected=FRICTION,
                                       got=abs(along / across), tolerance=2e-3)
                    expect_closed_form(self, **words, case="block drawn over a block: contact_force of both sides together, in parts of one", source="action and reaction", expected=0,
                                       got=numpy.linalg.norm(on_lower + on_upper), tolerance=1e-9, scale=size)
                    pressed = pressure > 1e-3 * pressure.max()
                    numpy.testing.assert_allclose(abs(traction[pressed, 2]), pressure[pressed], rtol=0.05)
                    # Each side slides with the drawn speed against the other, in opposite directions.
                    for name, side, sign in (("upper", upper, 1), ("lower", ~upper, -1)):
                        mean = (sliding[side & pressed] * pressure[side & pressed, None]).sum(axis=0) / pressure[side & pressed].sum()
                        numpy.testing.assert_allclose(mean, [sign * SPEED, 0, 0], atol=0.02 * SPEED)
                        expect_closed_form(self, **words, case=f"block drawn over a block: mean sliding_velocity of the {name} one, weighted by pressure", source="v of the driven face",
                                           expected=sign * SPEED, got=mean[0], tolerance=0.02)
                    self.assertEqual(abs(sliding[~above]).max(), 0)

    def test_pressure_of_what_is_touched_from_one_side(self):
        """A smooth surface that other vertices touch has pressures, too: their sum, each by its area, is the force."""
        scene = SCENE.replace("both: [lower.surface, upper.surface]", "vertices: upper.surface, against: lower.top").replace("GEOMETRY", "smooth_surface").replace(f", friction: {{dynamic: {FRICTION}, tolerance: 1e-3}}", "")
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                outcome = self.simulate(self.write("scene.yaml", scene), ranks=ranks, out=f"one_sided{ranks}", timeout=300)
                frames = Frames(outcome.directory)
                frame = frames.read(-1)
                lower = frames.read(0).points[:, 2] < 0.10025
                pressure, traction, force = (frame.fields[name][lower] for name in ("contact_pressure", "contact_traction", "contact_force"))
                places = frames.read(0).points[lower]
                inside = abs(places[:, :2] - 0.06).max(axis=1) < 0.05   # not on the rim: these have areas of one cell, 0.02 m × 0.02 m
                pressed = inside & (abs(force[:, 2]) > 1e-3 * abs(force[:, 2]).max())
                self.assertGreater(pressed.sum(), 4)
                numpy.testing.assert_allclose(abs(traction[pressed, 2]), abs(force[pressed, 2]) / 4e-4, rtol=1e-5)
                numpy.testing.assert_allclose(pressure[pressed], abs(traction[pressed, 2]), rtol=0.05)


if __name__ == "__main__":
    unittest.main()
