"""jobs/rubble: its scene is what its script writes, its bodies are what they should be, and a heap of a few bodies rests on the floor with all of its weight."""

import sys
import unittest

import h5py
import numpy

from traction_runs import JOBS, RunTest

sys.path.insert(0, str(JOBS / "rubble"))
import rubble  # noqa: E402

GRAVITY, DENSITY = 9.81, 2000
LANDING = "[{from: 0, step: 5e-3}, {from: 0.04, step: 1e-3}]"   # the lowest bodies land within 90 ms


class Rubble(RunTest):
    def test_the_scene_of_the_job_is_what_the_script_writes(self):
        rubble.write(self.folder, 100, 1)
        for path in self.folder.iterdir():
            self.assertEqual(path.read_text(), (JOBS / "rubble" / path.name).read_text(), path.name)

    def test_shapes(self):
        """All have the volume of the ball, their faces enclose them (Euler), and fit into the lattice."""
        for name, points in rubble.shapes().items():
            faces = rubble.faces(points)
            self.assertAlmostEqual(rubble.volume(points), numpy.pi / 6 * rubble.SIZE**3, delta=1e-12, msg=name)
            self.assertEqual(len(faces), 2 * len(points) - 4, name)
            self.assertLess(2 * numpy.linalg.norm(points, axis=1).max() + 0.12 * rubble.SIZE, 1.25 * rubble.CELL, name)

    def test_log_of_many_bodies_is_short(self):
        """The log describes three of more than 20 bodies with the same mesh and counts the others. It describes all bodies of a small scene."""
        for bodies, described in ((15, 15), (300, 15)):
            rubble.write(self.folder, bodies, 1)
            log = self.run_program("check", self.folder / "scene.yaml").errors
            lines = [line for line in log.splitlines() if "body '" in line]
            self.assertEqual(len(lines), described, log)
            counted = [int(line.split("and ")[1].split()[0]) for line in log.splitlines() if "like these" in line]
            self.assertEqual(sum(counted), bodies - described)
            self.assertLess(len(log.splitlines()), 40)

    def test_any_number_of_ranks(self):
        """Bodies that land on the floor and on each other are in the same places on 1, 2 and 4 ranks, as long as nothing has had the time to grow."""
        rubble.write(self.folder, 20, 1)
        sets = {"time.step": LANDING, "time.end": 0.09, "solver.tolerance": 1e-10, "output": "{log_every: 1000}"}
        runs = [self.simulate(self.folder / "scene.yaml", sets=sets, ranks=ranks, out=f"ranks{ranks}").history for ranks in (1, 2, 4)]
        self.assertGreater(runs[0]["everything.contacts"].max(), 2)
        print(f"\n  {len(runs[0]['step'])} steps, {runs[0]['everything.contacts'].max():g} contacts", flush=True)
        for other in runs[1:]:
            numpy.testing.assert_array_equal(other["time"], runs[0]["time"])
            for name in (name for name in runs[0] if name[-2:] in (".x", ".y", ".z", "qw", "qx", "qy", "qz")):
                numpy.testing.assert_allclose(other[name], runs[0][name], rtol=0, atol=1e-8, err_msg=name)

    def test_a_checkpoint_of_more_bodies_has_no_more_datasets(self):
        """It had several for each body, and took longer to write than a step."""
        counts, numbers = [], []
        for bodies in (5, 10):
            rubble.write(self.folder, bodies, 1)
            outcome = self.simulate(self.folder / "scene.yaml", sets={"time.step": LANDING, "time.end": 0.09}, out=f"bodies{bodies}")
            with h5py.File(next((outcome.directory / "checkpoints").iterdir())) as file:
                names = []
                file.visit(names.append)
                counts.append(len(names))
                numbers.append(len(file["numbers/values"]))
                self.assertEqual(file["numbers/names"][()].tobytes().count(b"\0"), len(file["numbers/values"]))
        self.assertEqual(counts[0], counts[1])
        self.assertGreater(numbers[1], numbers[0])

    # Bodies that come to rest press on the box with their weight, and lie in it.
    def test_few_bodies_come_to_rest(self):
        rubble.write(self.folder, 4, 1)
        history = self.simulate(self.folder / "scene.yaml", sets={"time.end": 1.5, "output": "{log_every: 1000}"}, timeout=300).history
        weight = 4 * DENSITY * numpy.pi / 6 * rubble.SIZE**3 * GRAVITY
        late = history["time"] > 1.3
        self.assertAlmostEqual(history["everything.fz"][late].mean(), weight, delta=0.02 * weight)
        self.assertLess(history["kinetic_energy"][-1], 1e-4 * history["gravity_energy"][0])
        self.assertGreater(history["min_gap"].min(), 0)
        for column in (name for name in history if name.endswith(".z")):
            self.assertGreater(history[column].min(), 0.2 * rubble.SIZE, column)


if __name__ == "__main__":
    unittest.main()
