"""Nearly incompressible solids: elements by themselves lock, and a pressure averaged over nodes does not. Against a plane element that does not lock, and Lame's closed form."""

import json
import unittest

from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import point_arrays, read_frame
from edge_shapes import box
from locking_cases import CASES, order
from traction_runs import BlockTest, RefusalTest, RunTest


class Locking(RunTest):
    def error(self, case, size, poisson_ratio, pressure, expected, ranks=1):
        text = case.mesh(size)
        mesh = "body.geo" if text.startswith("Set") else "body.msh"
        self.write(mesh, text)
        out = f"{size}-{pressure}-{ranks}"
        self.simulate(json.dumps(case.scene(mesh, poisson_ratio, pressure)), out=out, ranks=ranks)
        frame = read_frame(sorted((self.folder / out).glob("fields_0*.hdf"))[-1])
        displacement = point_arrays(frame)["displacement"]
        return case.measured(vtk_to_numpy(frame.GetPoints().GetData()) - displacement, displacement) / expected - 1

    def compare(self, case, sizes, poisson_ratio, least_order, largest_error, locked):
        expected = case.expected(poisson_ratio)
        errors = [self.error(case, size, poisson_ratio, "nodal_average", expected) for size in sizes]
        today = self.error(case, sizes[-1], poisson_ratio, "element", expected)
        print(f"\n  {case.name}, {poisson_ratio}: averaged {errors}, elements {today}, order {order(errors, sizes):.2f}", flush=True)
        self.assertLess(abs(errors[-1]), largest_error)
        self.assertGreater(order(errors, sizes), least_order)
        self.assertLess(today, -locked)

    def test_cooks_membrane(self):
        self.compare(CASES[0], (8, 16), 0.4995, 1.2, 0.13, 0.6)

    def test_clamped_block(self):
        self.compare(CASES[1], (4, 8), 0.4995, 1.5, 0.09, 0.8)

    def test_thick_sphere(self):
        self.compare(CASES[2], (3, 6), 0.49999, 1, 0.05, 0.5)


class Warnings(BlockTest):
    def test_four_node_tetrahedra_near_the_limit(self):
        """At the start of a run, in a check and before modes; and where a Poisson's ratio of 0.5 is refused, the remedy is named at once."""
        material, text = "bodies.block.solid.solid", "tetrahedra of four nodes lock at a Poisson's ratio of 0.499: the body bends and bulges far too little"
        limit = {f"{material}.poisson_ratio": 0.499}
        for sets, expected in ((limit, 1), ({}, 0), (limit | {f"{material}.pressure": "nodal_average"}, 0), (limit | {"bodies.block.order": 2}, 0)):
            for command in ("check", "run", "modes"):
                with self.subTest(sets=sets, command=command):
                    arguments = {"run": {"sets": sets | {"time.end": 1e-3}}, "modes": {"sets": sets, "options": ["--out", "modes", "--count", "1"]}}.get(command, {"sets": sets})
                    outcome = self.run_program(command, self.scene, **arguments)
                    self.assertEqual(outcome.code, 0, outcome.errors)
                    self.assertEqual(outcome.errors.count(text), expected, outcome.errors)
                    self.assertEqual(outcome.errors.count("Give the material pressure: nodal_average, or the body order: 2"), expected)
        refused = self.run_program("check", self.scene, sets={f"{material}.poisson_ratio": 0.5})
        self.assertEqual(refused.code, 2)
        self.assertIn("give a value like 0.499 with pressure: nodal_average, or order: 2 in the body", refused.errors)


class ThinLayers(RunTest):
    def test_one_layer_of_four_nodes(self):
        """Bars and plates at least four or five times as long as thick are warned of, unless they have ten nodes, more layers, or do not bend."""
        solid = {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}
        linear = {"solid": solid}
        for name, size, cells, body, expected in (("bar", (1, 0.1, 0.1), (10, 1, 1), linear, 1), ("coarse bar", (1, 0.1, 0.1), (2, 1, 1), linear, 1),
                                                  ("plate", (1, 0.6, 0.05), (20, 12, 1), linear, 1), ("two layers", (1, 0.1, 0.1), (20, 2, 2), linear, 0),
                                                  ("cube", (1, 1, 1), (1, 1, 1), linear, 0), ("block", (1, 0.5, 0.5), (2, 1, 1), linear, 0),
                                                  ("ten nodes", (1, 0.1, 0.1), (10, 1, 1), linear | {"order": 2}, 0),
                                                  ("held", (1, 0.1, 0.1), (10, 1, 1), linear | {"fixed": ["solid"]}, 0),
                                                  ("rigid", (1, 0.1, 0.1), (10, 1, 1), {"rigid": {"density": 1000}}, 0)):
            with self.subTest(name):
                self.write("body.msh", box(size, cells).moved((1000, 0, 0)).gmsh_with({}))
                scene = {"time": {"step": 1e-3, "end": 1e-3}, "gravity": [0, 0, -9.81], "bodies": {"thin": {"mesh": "body.msh"} | body}}
                outcome = self.run_program("check", json.dumps(scene))
                self.assertEqual(outcome.code, 0, outcome.errors)
                self.assertEqual(outcome.errors.count("body 'thin' has one layer of linear tetrahedra through its thickness"), expected, outcome.errors)


class Refusals(RefusalTest):
    def test_what_has_no_average(self):
        self.write("block.msh", box((0.1, 0.1, 0.1)).gmsh_with({}))
        scene = {"time": {"step": 1e-3, "end": 1e-3}, "bodies": {"block": {"mesh": "block.msh", "solid": {"solid": {
            "youngs_modulus": 1e6, "poisson_ratio": 0.49, "density": 1000, "pressure": "nodal_average"}}}}}
        for change, words in (({"material": "linear_elastic"}, ["bodies.block.solid.solid.pressure", "linear_elastic does not have", "neo_hookean"]),
                              ({"material": "saint_venant_kirchhoff"}, ["bodies.block.solid.solid.pressure", "saint_venant_kirchhoff"]),
                              ({}, ["bodies.block.solid.solid.pressure", "has no clock of its own"])):
            with self.subTest(change):
                changed = json.loads(json.dumps(scene))
                changed["bodies"]["block"]["solid"]["solid"] |= change
                if not change:
                    changed["time"]["integrator"] = "asynchronous"
                for ranks in (1, 2):
                    self.assert_refused(["traction", "run", self.write("scene.yaml", json.dumps(changed)), "--out", self.folder / "out"], words, ranks)


if __name__ == "__main__":
    unittest.main()
