"""A program outside of the tree finds the installed package, links the library, and computes what `traction run` does."""

import os
import subprocess
import unittest

import h5py
import numpy

from traction_runs import BLOCK_SCENE, ENVIRONMENT, JOBS, BlockTest

PROJECT = JOBS.parent / "examples" / "library"


class InstalledLibrary(BlockTest):
    def do(self, *words):
        done = subprocess.run([str(word) for word in words], cwd=self.folder, env={**ENVIRONMENT, **os.environ}, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_three_steps_are_those_of_a_run(self):
        self.do("cmake", "--install", os.environ["TRACTION_BUILD"], "--prefix", self.folder / "prefix")
        self.do("cmake", "-S", PROJECT, "-B", "build", f"-DCMAKE_PREFIX_PATH={self.folder / 'prefix'}", "-DCMAKE_BUILD_TYPE=Release")
        self.do("cmake", "--build", "build")
        self.scene.write_text(BLOCK_SCENE.replace("tolerance: 1e-11", "tolerance: 1e-11, reproducible: true").replace("end: 0.03", "end: 3e-3") + "output: {every: 1e-3}\n")
        heights = numpy.array([float(line) for line in self.do("build/drop", "scene.yaml").split()])
        run = self.simulate(self.scene)
        self.assertLess(max(abs(heights[:3] - run.history["block.z"])), 1e-15)   # sums that a compiler may contract in two ways
        with h5py.File(run.directory / "fields_000003.hdf") as frame:
            order = numpy.argsort(frame["VTKHDF/PointData/vertex_id"][:])
            self.assertEqual(heights[3:].tolist(), frame["VTKHDF/Points"][:][order, 2].tolist())   # to the last bit
        self.assertLess(heights[2], heights[0])

    def test_no_header_of_the_commands_is_installed(self):
        self.do("cmake", "--install", os.environ["TRACTION_BUILD"], "--prefix", self.folder / "prefix")
        rooms = {path.name for path in (self.folder / "prefix" / "include" / "traction").iterdir()}
        self.assertLessEqual({"simulation", "scene", "mesh", "mesh_partition", "errors.h"}, rooms)
        self.assertNotIn("app", rooms)


if __name__ == "__main__":
    unittest.main()
