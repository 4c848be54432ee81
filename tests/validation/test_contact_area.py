"""The area of contact in the history: a block that lies flat covers the area of its bottom, whatever it lies on, on any number of ranks, and resumed."""

import unittest

import numpy

from closed_forms import expect_closed_form
from traction_runs import BlockTest, box_text

AREA = 0.12 * 0.1   # area of the bottom [m^2]
BODY = "mesh: block.msh, solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}"
HEAD = """\
time: {step: 1e-3, end: 4e-3}
gravity: [0, 0, -9.81]
solver: {tolerance: 1e-8}
"""
ON_FLOOR = HEAD + f"""\
bodies: {{block: {{{BODY}, initial: {{equilibrium: true, translate: [0, 0, 1e-3]}}}}}}
contacts: {{rest: {{vertices: block.SURFACE, against: floor, thickness: 1e-3}}}}
"""
STACKED = HEAD + f"""\
bodies:
  lower: {{{BODY}, fixed: bottom}}
  upper: {{{BODY}, fixed: top, initial: {{translate: [0.02, 0, 0.1009]}}}}
contacts: {{rest: {{both: [upper.bottom, lower.top], thickness: 1e-3}}}}
"""
PLANE = "surfaces: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
BOX = "surfaces: {floor: {box: {lower: [-1, -1, -1], upper: [1, 1, 0]}}}\n"


class ContactArea(BlockTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((6, 4, 3), (0.12, 0.1, 0.1), faces={"top": lambda x: x[2] > 0.1 - 1e-9}))

    def area(self, scene, **arguments):
        return self.simulate(scene, **arguments).history["rest.area"]

    def test_flat_on_an_obstacle(self):
        for name, obstacle in (("plane", PLANE), ("box", BOX)):
            with self.subTest(obstacle=name):
                areas = self.area(ON_FLOOR.replace("SURFACE", "bottom") + obstacle, out=name)
                expect_closed_form(self, field="contact", case=f"area of a block on a {name}", source="area of its bottom", expected=AREA, got=areas[-1], tolerance=1e-9,
                                   mesh="6 × 4 × 3 cells", step="equilibrium")

    def test_vertices_touch_a_sphere_by_its_middle(self):
        """All vertices of the bottom lie within the thickness of a sphere of 5 m, as well as the sphere's middle under the face."""
        sphere = "surfaces: {floor: {sphere: {center: [0.06, 0.05, -5], radius: 5}}}\n"
        scene = ON_FLOOR.replace("SURFACE, against: floor, thickness: 1e-3", "bottom, against: floor, thickness: 1e-2, geometry: edges_and_faces").replace("1e-3]", "9e-3]")
        self.assertEqual(self.simulate(scene + sphere).history["rest.contacts"][0], 7 * 5 + 1)

    def test_other_sides_do_not_count(self):
        """If the whole surface may touch, the vertices around the bottom have no part of the sides above them."""
        for name, region in (("surface", "block.surface"), ("body", "block")):
            with self.subTest(region):
                areas = self.area(ON_FLOOR.replace("block.SURFACE", region) + PLANE, out=name)
                expect_closed_form(self, field="contact", case=f"area of a block on a plane, of which the contact names the whole {name}", source="area of its bottom", expected=AREA, got=areas[-1],
                                   tolerance=1e-9, mesh="6 × 4 × 3 cells", step="equilibrium")

    def test_two_blocks_have_the_mean_of_both(self):
        """Each block reaches over the other by a cell: of its 7 rows of vertices 6 lie on the other, and the outermost has half a cell."""
        for name, parts, scene in (("vertices", 1, STACKED.replace("thickness", "subdivision: 1, thickness")), ("subdivided", 2, STACKED.replace("thickness", "subdivision: 2, thickness")),
                                   ("smooth", 1, STACKED.replace("thickness", "geometry: smooth_surface, thickness"))):
            with self.subTest(geometry=name):
                areas = self.area(scene, out=name)
                cell = 0.02 / parts
                self.assertAlmostEqual(areas[-1], 0.1 * (0.1 + cell / 2), delta=1e-12, msg=name)

    def test_a_block_within_one_cell_of_a_table(self):
        """No vertex of the table lies under the block. Its area, its viscous friction and the pressure at which a table of coefficients is read are whole nevertheless."""
        weight = 1000 * AREA * 0.1 * 9.81
        viscous, speed = 500, 0.05
        scene = f"""\
time: {{step: 5e-3, end: 0.1}}
gravity: [0, 0, -9.81]
bodies:
  table: {{mesh: table.msh, solid: {{solid: {{youngs_modulus: 5e6, poisson_ratio: 0.3, density: 1000}}}}, fixed: solid}}
  block:
    mesh: block.msh
    solid: {{solid: {{youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1000}}}}
    damping: {{stiffness: 1e-3}}
    initial: {{equilibrium: true, translate: [0.02, 0.02, 0.1005]}}
    driven: [{{vertices: solid, components: [x, y], motion: {{velocity: [{speed}, 0, 0], ramp: 0.05}}}}]
contacts: {{rest: {{both: [block.bottom, table.top], thickness: 1e-3, friction: FRICTION}}}}
"""
        table = f"{{table: {{pressures: [0, {weight / AREA}, 3000], coefficients: [0.2, 0.5, 0.9]}}}}"
        for cells in (1, 5):
            self.write("table.msh", box_text((cells, cells, 1), (0.8, 0.8, 0.1), faces={"top": lambda x: x[2] > 0.1 - 1e-9}))
            for name, friction, expected in (("viscous", f"{{dynamic: 0.3, viscous: {viscous}}}", 0.3 * weight + viscous * AREA * speed), ("table", table, 0.5 * weight)):
                for ranks in (1, 2):
                    with self.subTest(cells=cells, friction=name, ranks=ranks):
                        history = self.simulate(scene.replace("FRICTION", friction), out=f"{name}_{cells}_{ranks}", ranks=ranks).history
                        self.assertAlmostEqual(history["rest.area"][-1], AREA, delta=1e-2 * AREA)
                        self.assertAlmostEqual(-history["rest.fx"][-1], expected, delta=5e-3 * expected)

    def test_leaving(self):
        """Nothing presses on a block that is thrown up."""
        scene = ON_FLOOR.replace("SURFACE", "bottom").replace("equilibrium: true, translate: [0, 0, 1e-3]", "translate: [0, 0, 2e-3], velocity: [0, 0, 1]")
        self.assertEqual(numpy.abs(self.area(scene + PLANE)).max(), 0)

    def test_a_shell_elsewhere_on_the_body_keeps_its_bottom_off_nothing(self):
        """Only where a contact's own surface is a shell does half of the shell's thickness lie between mid-surface and contact: the block rests within the contact's reach."""
        shelled = ON_FLOOR.replace("density: 1000}}", "density: 1000}}, shell: {top: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000, thickness: 0.012}}")
        for geometry, obstacle in (("smooth_surface", PLANE), ("edges_and_faces", BOX)):
            for ranks in (1, 2):
                with self.subTest(geometry=geometry, ranks=ranks):
                    scene = shelled.replace("SURFACE", "bottom").replace("thickness: 1e-3}}", f"geometry: {geometry}, thickness: 1e-3}}}}")
                    history = self.simulate(scene + obstacle, ranks=ranks).history
                    self.assertAlmostEqual(history["rest.area"][-1], AREA, delta=1e-12)
                    self.assertGreater(history["block.z"][-1], 0.0555)   # without the shell's mass 0.05
                    self.assertLess(history["block.z"][-1], 0.0575)

    def test_any_number_of_ranks_and_resumed(self):
        one = self.area(STACKED, out="one")
        for ranks in (2, 4):
            numpy.testing.assert_allclose(self.area(STACKED, out=f"on_{ranks}", ranks=ranks), one, rtol=1e-12)
        self.simulate(STACKED, out="resumed", sets={"time.end": 2e-3})
        numpy.testing.assert_allclose(self.resume(out="resumed", ranks=2, sets={"time.end": 4e-3}).history["rest.area"], one, rtol=1e-12)


if __name__ == "__main__":
    unittest.main()
