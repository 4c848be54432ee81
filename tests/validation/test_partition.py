"""traction-partition: a partition made once serves every rank count, and the run does not depend on it."""

import re
import unittest

import numpy

from traction_runs import BlockTest, TallBlockTest, execute

PARTS = 8
MOTION = [f"block.{name}" for name in ("x", "y", "z", "vx", "vy", "vz")]


class Partitioning:
    def partition(self, parts, *options):
        code, output, errors = execute(["traction-partition", self.scene, "--parts", parts, *options], folder=self.folder)
        self.assertEqual(code, 0, errors)
        return output

    def table(self, output):
        return {row.split()[0]: [float(number) for number in row.split()[1:]]
                for row in output.splitlines() if re.match(r"(vertices|elements|ghosts|neighbours) ", row)}


class PartitionFile(Partitioning, BlockTest):
    def test_quality_table(self):
        output = self.partition(PARTS)
        self.assertTrue((self.folder / "scene.partition.h5").is_file())
        vertices, elements = 5 * 4 * 4, 6 * 4 * 3 * 3
        self.assertRegex(output, rf"partition: {PARTS} parts, {vertices} vertices, {elements} elements, edge cut [1-9]\d*\n")
        self.assertRegex(output, r"per part +min +mean +max\n")
        self.assertIn("written: ", output)
        table = self.table(output)
        self.assertEqual(set(table), {"vertices", "elements", "ghosts", "neighbours"})
        for least, mean, most in table.values():
            self.assertTrue(0 < least <= mean <= most)
        self.assertAlmostEqual(table["vertices"][1], vertices / PARTS, delta=0.05)
        self.assertAlmostEqual(table["elements"][1], elements / PARTS, delta=0.05)
        self.assertLess(table["elements"][2], 1.3 * elements / PARTS)
        self.assertLess(table["neighbours"][2], PARTS)

    def test_counts_per_part(self):
        table = self.table(self.partition(PARTS, "--csv", self.folder / "parts.csv"))
        counts = numpy.genfromtxt(self.folder / "parts.csv", delimiter=",", names=True)
        self.assertEqual(list(counts["part"]), list(range(PARTS)))
        for name, (least, mean, most) in table.items():
            self.assertEqual((counts[name].min(), counts[name].max()), (least, most))
            self.assertAlmostEqual(counts[name].mean(), mean, delta=0.05)
        self.assertEqual(counts["sent"].sum(), counts["ghosts"].sum())
        self.assertTrue((counts["interior_elements"] < counts["local_elements"]).all())
        code, _, errors = execute(["traction-partition", self.scene, "--parts", PARTS, "--csv", "nowhere/parts.csv"], folder=self.folder)
        self.assertEqual(code, 4)
        self.assertRegex(errors, r"traction: error: nowhere/parts.csv: cannot write")

    def test_one_part_has_no_ghosts(self):
        output = self.partition(1, "--out", "one.h5")
        self.assertIn("edge cut 0\n", output)
        self.assertEqual(self.table(output)["ghosts"], [0, 0, 0])
        self.assertTrue((self.folder / "one.h5").is_file())

    def test_runs_agree_at_any_rank_count(self):
        self.partition(PARTS, "--out", self.folder / "eight.h5")
        reference = self.simulate(self.scene, out="reference")
        self.assertGreater(numpy.count_nonzero(reference.history["contacts"]), 10)
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                outcome = self.simulate(self.scene, ranks=ranks, sets={"partition.file": "eight.h5"}, out=f"ranks_{ranks}")
                self.assertEqual(outcome.report["partition"]["parts"], ranks)
                self.assert_rows_agree(reference.last_row(), outcome.last_row(), 1e-8, MOTION)

    def test_more_ranks_than_parts(self):
        self.partition(2, "--out", self.folder / "two.h5")
        short = {"time.end": 0.012}
        reference = self.simulate(self.scene, sets=short, out="reference")
        outcome = self.simulate(self.scene, ranks=3, sets={"partition.file": "two.h5", **short}, out="three")
        self.assertEqual(outcome.report["partition"]["parts"], 3)
        self.assert_rows_agree(reference.last_row(), outcome.last_row(), 1e-8, MOTION)


class ContactWeight(Partitioning, TallBlockTest):
    def assert_light_below(self, least, most, contacts):
        """Parts of about equal cost, one of which has all the contacts."""
        self.assertEqual(least + most, self.elements)
        self.assertAlmostEqual(least + contacts, most, delta=0.1 * (self.elements + contacts))

    def test_weighs_in_the_tool_and_in_runs(self):
        weight = {"partition.contact_weight": 20}
        even = self.table(self.partition(2))["elements"]
        self.assert_light_below(even[0], even[2], 0)
        weighted = self.table(self.partition(2, "--set", "partition.contact_weight=20", "--out", self.folder / "weighted.h5"))["elements"]
        self.assert_light_below(weighted[0], weighted[2], 20 * self.bottom_vertices)

        reference = self.simulate(self.scene, out="reference")
        contacts = reference.history["contacts"].sum() / len(reference.history["step"])
        self.assertGreater(contacts, 0)
        balance = reference.report["contact_balance"]
        self.assertEqual(balance["surface_vertices"], {"min": 9, "mean": 9, "max": 9})
        self.assertAlmostEqual(balance["vertices_in_contact"]["mean"], contacts, delta=1e-3)
        self.assertGreater(balance["seconds"]["min"], 0)
        self.assertEqual(balance["seconds"], reference.report["costs"]["contact_work_seconds"])
        self.assertLess(balance["seconds"]["max"], reference.report["costs"]["total"]["seconds"] + reference.report["costs"]["setup_seconds"])
        for ranks, sets in ((2, weight), (2, {"partition.file": "weighted.h5"}), (2, {"partition.file": "weighted.h5", **weight}), (4, weight),
                            (4, {"partition.file": "weighted.h5", **weight})):
            with self.subTest(ranks=ranks, sets=sets):
                outcome = self.simulate(self.scene, ranks=ranks, sets=sets, out="weighted")
                if ranks == 2:
                    self.assertEqual(outcome.report["partition"]["elements"], {"min": weighted[0], "mean": weighted[1], "max": weighted[2]})
                balance = outcome.report["contact_balance"]
                self.assertAlmostEqual(balance["surface_vertices"]["mean"] * ranks, self.bottom_vertices, delta=0.1 * ranks)
                self.assertAlmostEqual(balance["vertices_in_contact"]["mean"] * ranks, contacts, delta=1e-3 * ranks)
                self.assert_rows_agree(reference.last_row(), outcome.last_row(), 1e-8, MOTION)


if __name__ == "__main__":
    unittest.main()
