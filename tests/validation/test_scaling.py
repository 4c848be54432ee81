"""jobs/scaling: its meshes, what traction-partition counts on them, its model, and the whole job in miniature."""

import contextlib
import io
import os
import pathlib
import sys
import unittest

import h5py
import numpy

from traction_runs import JOBS, RunTest, execute

os.environ.update({"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1"})
sys.path.insert(0, str(JOBS / "scaling"))
import box_mesh  # noqa: E402
import measurements  # noqa: E402
import model  # noqa: E402
import picture  # noqa: E402
import scaling  # noqa: E402


class BoxMesh(unittest.TestCase):
    def test_fills_the_box_without_gaps(self):
        cells = (3, 2, 4)
        points, elements = box_mesh.positions(cells, 0.5), box_mesh.tetrahedra(cells)
        edges = points[elements[:, 1:]] - points[elements[:, :1]]
        volumes = numpy.linalg.det(edges) / 6
        self.assertEqual(len(elements), 6 * 24)
        numpy.testing.assert_allclose(volumes, 0.5**3 / 6)
        faces = {}
        for element in elements:
            for left_out in range(4):
                face = tuple(sorted(numpy.delete(element, left_out)))
                faces[face] = faces.get(face, 0) + 1
        self.assertEqual(max(faces.values()), 2)
        self.assertEqual(sum(1 for count in faces.values() if count == 1), 2 * 2 * (3 * 2 + 2 * 4 + 4 * 3))
        floor = box_mesh.bottom(cells)
        self.assertEqual(len(floor), 2 * 3 * 2)
        for triangle in floor:
            self.assertEqual(faces[tuple(sorted(triangle))], 1)
            a, b, c = points[triangle]
            self.assertEqual((a[2], b[2], c[2]), (0, 0, 0))
            self.assertLess(numpy.cross(b - a, c - a)[2], 0)


class CountsPerPart(RunTest):
    def test_agree_with_a_recount(self):
        cells, parts = (7, 6, 5), 9
        box_mesh.write_box(self.folder / "box.msh", cells, 0.01)
        self.write("scene.yaml", (JOBS / "scaling" / "scene.yaml").read_text())
        code, _, errors = execute(["traction-partition", "scene.yaml", "--parts", parts, "--csv", "parts.csv"], folder=self.folder)
        self.assertEqual(code, 0, errors)
        elements = box_mesh.tetrahedra(cells)
        with h5py.File(self.folder / "scene.partition.h5") as file:
            part_of_element = file["element_part"][:]
        owners = self.owners(elements, part_of_element, parts)
        table = numpy.genfromtxt(self.folder / "parts.csv", delimiter=",", names=True)
        ghosts = []
        for part in range(parts):
            touching = (owners[elements] == part).any(axis=1)
            held = set(elements[touching].ravel())
            ghosts.append({vertex for vertex in held if owners[vertex] != part})
            row = table[part]
            self.assertEqual(row["vertices"], (owners == part).sum())
            self.assertEqual(row["elements"], (part_of_element == part).sum())
            self.assertEqual(row["local_elements"], touching.sum())
            self.assertEqual(row["interior_elements"], (owners[elements] == part).all(axis=1).sum())
            self.assertEqual(row["ghosts"], len(ghosts[part]))
            self.assertEqual(row["neighbours"], len({owners[vertex] for vertex in ghosts[part]}))
        for part in range(parts):
            self.assertEqual(table[part]["sent"], sum(owners[vertex] == part for others in ghosts for vertex in others))

    @staticmethod
    def owners(elements, part_of_element, parts):
        """A vertex belongs to the part with most of its elements, among equals to the one that owns fewest so far."""
        votes = numpy.zeros((elements.max() + 1, parts), dtype=int)
        for element, part in zip(elements, part_of_element):
            votes[element, part] += 1
        owned = numpy.zeros(parts, dtype=int)
        owners = []
        for row in votes:
            best = min(numpy.flatnonzero(row == row.max()), key=lambda part: (owned[part], part))
            owned[best] += 1
            owners.append(best)
        return numpy.array(owners)


class Model(unittest.TestCase):
    parts = {name: numpy.array(values) for name, values in {
        "vertices": [100, 90, 90, 90], "elements": [500] * 4, "local_elements": [700, 600, 600, 600], "interior_elements": [300, 400, 400, 400], "ghosts": [50] * 4,
        "sent": [60, 40, 40, 40], "neighbours": [3, 2, 2, 2]}.items()}
    kernels = model.KernelSeconds([{"elements": 100, "product": 2e-7, "residual": 1e-7, "blocks": 1e-6, "rest": 1e-8}])
    counts = model.StepCounts(products=20, residuals=4, block_builds=1, linear_iterations=10, reductions=40)

    def predict(self, latency, overlap=True):
        network = model.Network("", latency, 1e9, stage_latency=2e-6)
        return model.step_seconds(self.parts, self.kernels, self.counts, network, overlap)

    # The first rank by hand: products 20 * 700 * 2e-7 = 2.8e-3, residuals 4 * 700 * 1e-7 = 0.28e-3, blocks 0.7e-3, the rest 10 * 100 * 1e-8 = 0.01e-3.
    computing = 3.79e-3
    reducing = 40 * 2 * 2e-6   # two stages for four ranks

    def test_exchange_of_the_larger_direction(self):
        numpy.testing.assert_allclose(model.exchange_seconds(self.parts, model.Network("", 1e-6, 1e9, 0)),
                                      [3e-6 + 60 * 24e-9, *[2e-6 + 50 * 24e-9] * 3])

    def test_messages_hide_behind_interior_elements(self):
        result = self.predict(latency=1e-6)   # an exchange takes 4.44e-6, the interior 60e-6 in products and 30e-6 in residuals
        self.assertAlmostEqual(result["seconds_per_step"], self.computing + self.reducing, delta=1e-12)
        self.assertEqual(result["waiting"], 0)

    def test_long_messages_do_not(self):
        exchange = 3 * 40e-6 + 1.44e-6
        result = self.predict(latency=40e-6)
        self.assertAlmostEqual(result["waiting"], 20 * (exchange - 60e-6) + 4 * (exchange - 30e-6), delta=1e-12)

    def test_without_overlap_all_of_them_count(self):
        result = self.predict(latency=1e-6, overlap=False)
        self.assertAlmostEqual(result["seconds_per_step"], self.computing + 24 * 4.44e-6 + self.reducing, delta=1e-12)

    def test_one_rank_neither_sends_nor_sums(self):
        result = model.step_seconds(model.one_rank(600, 90), self.kernels, self.counts, model.Network("", 1, 1, 1))
        self.assertAlmostEqual(result["seconds_per_step"], (20 * 2e-7 + 4 * 1e-7 + 1e-6) * 600 + 10 * 90 * 1e-8, delta=1e-12)

    def test_kernels_between_measured_sizes(self):
        kernels = model.KernelSeconds([{"elements": 10000, "product": 3.0, "residual": 0, "blocks": 0, "rest": 0},
                                       {"elements": 100, "product": 1.0, "residual": 0, "blocks": 0, "rest": 0}])
        numpy.testing.assert_allclose(kernels("product", numpy.array([10, 100, 1000, 10000, 1e6])), [1, 1, 2, 3, 3])


class Disturbed(unittest.TestCase):
    def test_rows_count_only_where_there_is_no_other(self):
        rows = [{"ranks": ranks, "cores_busy_otherwise": others} for ranks, others in ((1, 0.1), (1, 0.9), (2, 0.9), (2, 0.8))]
        self.assertEqual(scaling.undisturbed(rows, "ranks"), [rows[0], rows[2], rows[3]])


class WholeJob(RunTest):
    plan = scaling.Plan(strong=(4, 4, 4), weak={1: (3, 3, 3), 2: (6, 3, 3)}, kernels=((3, 3, 3), (4, 4, 4)), large=(8, 8, 8), parts=(4, 8), repeats=1,
                        message_repetitions=2)

    def test_in_miniature(self):
        programs = measurements.Programs(pathlib.Path(os.environ["TRACTION_BUILD"]), JOBS / "scaling" / "scene.yaml", self.folder / "runs")
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            with self.assertRaisesRegex(scaling.InputError, "measured.csv is missing; make it with --only measure"):
                scaling.predict(self.plan, self.folder, model.Network("given", 1e-6, 1e9, 1e-6))
            scaling.measure(self.plan, programs, self.folder)
            scaling.partition(self.plan, programs, self.folder)
            scaling.predict(self.plan, self.folder, model.Network("given", 1e-6, 1e9, 1e-6))
        measured, predicted = (scaling.read_rows(self.folder / name, "") for name in ("measured.csv", "predicted.csv"))
        self.assertEqual([(row["scaling"], row["ranks"]) for row in measured], [("strong", 1), ("strong", 2), ("weak", 1), ("weak", 2)])
        self.assertEqual(measured[0]["linear_iterations_per_step"], measured[1]["linear_iterations_per_step"])
        counts = scaling.read_rows(self.folder / "counts.csv", "")[0]
        self.assertEqual(counts["products"], 2 * counts["linear_iterations"])   # BiCGSTAB
        self.assertGreater(counts["reductions"], 4 * counts["linear_iterations"])
        self.assertEqual([(row["ranks"], row["network"]) for row in predicted if row["case"] == "large"],
                         [(4, scaling.THIS_MACHINE), (8, scaling.THIS_MACHINE), (4, "given"), (8, "given")])
        for row in predicted:
            self.assertGreater(row["seconds_per_step"], 0)
            self.assertLessEqual(row["seconds_per_step"], row["seconds_per_step_without_overlap"])
        picture.draw(measured, predicted, self.folder / "scaling.png")
        self.assertTrue((self.folder / "scaling.png").is_file())


if __name__ == "__main__":
    unittest.main()
