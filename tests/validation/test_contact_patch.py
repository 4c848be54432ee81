"""The contact patch test: two blocks on planes of symmetry, pressed on each other uniformly. Whatever their meshes, the stress in both must be uniform.

What contact of edges and faces passes on at vertices alone is uneven where meshes do not match (10 to 70 % of the pressure in single tetrahedra); at the corners of
triangles divided by six in each direction it is even within 2 %.
"""

import json
import unittest

import numpy

from check_fields import read_frame
from closed_forms import expect_closed_form
from edge_shapes import Shape, box
from traction_runs import RunTest
from vtkmodules.util.numpy_support import vtk_to_numpy

SIDE, HEIGHT = 0.1, 0.05                            # size of each block [m]
THICKNESS = 1e-3
PRESSURE, MODULUS, POISSON_RATIO = 1000.0, 1e6, 0.3   # [Pa]


def block(cells, shift=0.0, scatter=0.0, seed=0):
    """`shift`: of the vertices inside, towards a corner. `scatter`: of the vertices inside, at random, in parts of a cell."""
    shape = box((SIDE, SIDE, HEIGHT), cells)
    points = shape.points.copy()
    across = points[:, :2] / (SIDE / 2)
    points[:, :2] = SIDE / 2 * (across + shift * (1 - across ** 2))
    random = numpy.random.default_rng(seed)
    for axis, (lower, upper) in enumerate(((-SIDE / 2, SIDE / 2), (-SIDE / 2, SIDE / 2), (0, HEIGHT))):
        inside = (points[:, axis] > lower + 1e-9) & (points[:, axis] < upper - 1e-9)
        points[inside, axis] += scatter * SIDE / cells[0] * random.uniform(-1, 1, inside.sum())
    return Shape(points, shape.cells)


def stresses(rest, current, cells):
    """Cauchy stress of a compressible neo-Hookean solid in each tetrahedron [Pa]."""
    def edges(points):
        return (points[cells[:, 1:]] - points[cells[:, :1]]).transpose(0, 2, 1)

    gradient = edges(current) @ numpy.linalg.inv(edges(rest))
    change = numpy.linalg.det(gradient)[:, None, None]
    mu = MODULUS / (2 * (1 + POISSON_RATIO))
    lame = MODULUS * POISSON_RATIO / ((1 + POISSON_RATIO) * (1 - 2 * POISSON_RATIO))
    return (mu * (gradient @ gradient.transpose(0, 2, 1) - numpy.eye(3)) + lame * numpy.log(change) * numpy.eye(3)) / change


class ContactPatch(RunTest):
    def press(self, lower, upper, subdivision, ranks=1, tolerance=1e-9):
        """The history's last row, and each tetrahedron's part of the pressure."""
        gap = 0.9 * THICKNESS
        shapes = {"lower": lower, "upper": upper.moved((0, 0, HEIGHT + gap))}
        planes = [{"region": "left", "components": ["x"]}, {"region": "front", "components": ["y"]}]
        bodies = {}
        for name, shape in shapes.items():
            lower_corner, upper_corner = shape.points.min(axis=0), shape.points.max(axis=0)
            regions = {region: lambda corners, axis=axis, limit=limit[axis]: bool(numpy.all(abs(corners[:, axis] - limit) < 1e-9))
                       for region, axis, limit in (("left", 0, lower_corner), ("front", 1, lower_corner), ("bottom", 2, lower_corner), ("top", 2, upper_corner))}
            self.write(f"{name}.msh", shape.gmsh_with(regions))
            material = {"youngs_modulus": MODULUS, "poisson_ratio": POISSON_RATIO, "density": 1000}
            bodies[name] = {"mesh": f"{name}.msh", "solid": {"solid": material}, "fixed": list(planes), "damping": {"mass": 20}}
        bodies["lower"]["fixed"].append({"region": "bottom", "components": ["z"]})
        bodies["upper"]["loads"] = {"press": {"region": "top", "pressure": PRESSURE, "over": [{"time": 0, "factor": 0}, {"time": 0.2, "factor": 1}]}}
        contact = {"both": ["upper.bottom", "lower.top"], "thickness": THICKNESS, "geometry": "edges_and_faces", "subdivision": subdivision}
        scene = {"time": {"step": 0.05, "end": 2, "integrator": "backward_euler"}, "bodies": bodies, "contacts": {"touch": contact}, "solver": {"tolerance": tolerance},
                 "output": {"every": 2}}
        run = self.simulate(json.dumps(scene), ranks=ranks)
        frames = sorted((self.folder / "out").glob("fields_0*.hdf"))
        start, end = read_frame(frames[0]), read_frame(frames[-1])
        cells = vtk_to_numpy(start.GetCells().GetConnectivityArray()).reshape(-1, 4)
        self.assertEqual(len(cells), len(lower.cells) + len(upper.cells))
        stress = stresses(vtk_to_numpy(start.GetPoints().GetData()), vtk_to_numpy(end.GetPoints().GetData()), cells)
        return run.last_row(), -stress[:, 2, 2] / PRESSURE

    def assert_uniform(self, name, tolerance, *blocks, ranks=1, subdivision=6):
        last, pressure = self.press(*blocks, subdivision, ranks)
        # The face grows by 1 + nu p / E in both directions, and the pressure follows it.
        about = {"field": "contact", "mesh": f"{len(blocks[0].cells)} and {len(blocks[1].cells)} tetrahedra", "step": f"backward_euler until rest, {ranks} ranks"}
        expect_closed_form(self, case=f"patch test, {name}: force", source="p A (1 + ν p/E)²", expected=PRESSURE * (SIDE * (1 + POISSON_RATIO * PRESSURE / MODULUS)) ** 2, got=last["touch.fz"],
                           tolerance=2e-5, **about)
        expect_closed_form(self, case=f"patch test, {name}: pressure in the worst tetrahedron", source="p", expected=1, got=pressure[numpy.abs(pressure - 1).argmax()], tolerance=tolerance, **about)

    def test_matching(self):
        self.assert_uniform("meshes that match", 1e-4, block((4, 4, 2)), block((4, 4, 2)))

    def test_matching_to_the_last_digits(self):
        """Vertices over vertices to 1e-12 m: what is closest there must not depend on rounding, or no step ends."""
        last, pressure = self.press(block((4, 4, 2)), block((4, 4, 2)), 1, tolerance=1e-11)
        self.assertLess(numpy.abs(pressure - 1).max(), 1e-4)
        self.assertLessEqual(last["newton_iterations"], 5)

    def test_shifted(self):
        self.assert_uniform("shifted meshes", 0.02, block((4, 4, 2)), block((4, 4, 2), shift=0.3))

    def test_random(self):
        for ranks in (1, 2):
            self.assert_uniform("random meshes", 0.02, block((4, 4, 2), scatter=0.2, seed=1), block((4, 4, 2), scatter=0.2, seed=2), ranks=ranks)

    def test_other_sizes(self):
        self.assert_uniform("4 cells on 5", 0.02, block((4, 4, 2)), block((5, 5, 2)))
        self.assert_uniform("4 cells on 7", 0.02, block((4, 4, 2)), block((7, 7, 3)))

    def test_vertices_alone_are_uneven(self):
        """By as much as the table of docs/theory/contact.md, "Edges and faces", has it. A run that shows pressures or stresses warns of that."""
        for upper, error in ((block((4, 4, 2), shift=0.3), 0.29), (block((5, 5, 2)), 0.087)):
            _, pressure = self.press(block((4, 4, 2)), upper, 1)
            self.assertAlmostEqual(numpy.abs(pressure - 1).max(), error, delta=0.01)
        scene = json.loads((self.folder / "scene.yaml").read_text())
        for fields, subdivision, warns in (("stress", 1, True), ("contact_traction", 1, True), ("stress", 4, False), ("velocity", 1, False), (None, 1, False)):
            scene["output"] = {"every": 2, "fields": [fields]} if fields else {"every": 2}
            scene["contacts"]["touch"]["subdivision"] = subdivision
            outcome = self.run_program("check", json.dumps(scene))
            self.assertEqual(outcome.code, 0, outcome.errors)
            self.assertEqual("bodies press on each other at their vertices" in outcome.output + outcome.errors, warns, (fields, subdivision))


if __name__ == "__main__":
    unittest.main()
