"""Mistakes on the command line, on resuming, and in numbers that rounding or a material's own law cannot bear: refused, or warned of, with a remedy."""

import re
import shutil
import subprocess
import unittest

import numpy

from traction_runs import BLOCK_SCENE, JOBS, BlockTest, RefusalTest, box_text, execute, line_of


class BadCommands(RefusalTest):
    cells = (2, 2, 2)

    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text(self.cells, (0.12, 0.1, 0.1)))
        self.write("scene.yaml", BLOCK_SCENE)

    def refused_scene(self, old, new, *expected, ranks=(1, 2)):
        self.assertIn(old, BLOCK_SCENE)
        self.write("changed.yaml", BLOCK_SCENE.replace(old, new, 1))
        for count in ranks:
            with self.subTest(ranks=count, new=new):
                self.assert_refused(["traction", "run", "changed.yaml", "--out", "out"], expected, count)

    def test_words(self):
        for words, *expected in ((["run", "scene.yaml", "--out", ""], "--out: is empty; give a name"), (["check", ""], "scene: is empty; give a name"),
                                 (["check", "."], ".: is a folder; give the scene file in it"),
                                 (["check", "block.msh"], "block.msh: is a mesh of Gmsh, and no scene; give a scene", "bodies.NAME.mesh"),
                                 (["resume", "scene.yaml"], "scene.yaml: is a file; resume takes the output folder of a run"),
                                 (["resume", "nowhere"], "nowhere: no such folder; give the output folder of a run"),
                                 (["material", "scene.yaml", "--stretch", "0.5", "inf"], "--stretch", "the largest between 1 and 1000"),
                                 (["modes", "scene.yaml", "--count", "1000"], "--count: 1000 modes are asked for", "81 free displacements; ask for fewer")):
            with self.subTest(words=words):
                self.assert_refused(["traction", *words], expected, 1)
        code, _, errors = execute(["traction", "run", "scene.yaml", "--out", "out", "--set", "time.integrator=siere", "--set", "time.modes=1000"], folder=self.folder)
        self.assertEqual(code, 2)
        self.assertIn("traction: error: --set time.modes=1000: time.modes: 1000 modes are asked for", errors)

    def test_places_that_rounding_hides(self):
        place = "translate: [0, 0, 0.012]"
        self.refused_scene(place, "translate: [1e70, 0, 0]", f"changed.yaml:{line_of(BLOCK_SCENE, 'mesh: block')}: ", "lies 1e+70 m from the origin, where rounding would distort its shape", "place it nearer")
        solid = BLOCK_SCENE[BLOCK_SCENE.index("    solid:"): BLOCK_SCENE.index("    initial:")]
        rigid = "    rigid: {mass: 1, center: [0, 0, 1e70], inertia: [1e-3, 1e-3, 1e-3]}\n"
        self.refused_scene(solid, rigid, f"changed.yaml:{line_of(BLOCK_SCENE, '    solid:')}: ", "the centre of mass lies 1e+70 m from body 'block', which is 0.12 m long", "correct 'center'")
        contact = f"changed.yaml:{line_of(BLOCK_SCENE, 'landing:')}: contacts.landing"
        self.refused_scene("thickness: 1e-3", "thickness: 1e-300", contact, "the thickness of 1e-300 m is below the rounding of positions", "give a greater one")

    def test_an_empty_inp_file_has_no_line(self):
        self.write("block.inp", "")
        self.refused_scene("block.msh", "block.inp", "block.inp: the file is empty. Write the mesh again", ranks=(1,))

    def test_files_that_are_no_meshes(self):
        for name, content, words in (("block.vtu", b"", "the file is empty. Write the mesh again"), ("empty.msh", b"", "the file is empty"),
                                     ("block.vtk", b"\x89PNG\r\n\x1a\n1234", "is a picture, and no mesh. Give a mesh file"),
                                     ("packed.msh", b"\x1f\x8b\x08\x00", "is a compressed file, and no mesh. Unpack it first")):
            (self.folder / name).write_bytes(content)
            self.refused_scene("block.msh", name, f"{name}: {words}", ranks=(1,))

    def test_help_of_a_job(self):
        done = subprocess.run([JOBS / "run", "block_slide", "--help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Usage: jobs/run NAME", done.stdout)

    def test_a_missing_bulk_modulus(self):
        old = BLOCK_SCENE[BLOCK_SCENE.index("{youngs"): BLOCK_SCENE.index("}", BLOCK_SCENE.index("{youngs")) + 1]
        self.refused_scene(old, "{material: yeoh, c10: 1e5, c20: 0, c30: 0, density: 1000}", "poisson_ratio: is missing", "or to a law of rubber a bulk_modulus in Pa", ranks=(1,))


class BadMaterials(BlockTest):
    cells = (1, 1, 1)

    def test_materials_that_give_way(self):
        """Yeoh's law softens first where both sides are stretched: without change of volume I1 = 2 λ² + λ^-4 and P = 2 (λ - λ^-5) (c10 + 2 c20 (I1 - 3))."""
        stretch = numpy.linspace(1, 2, 100001)
        stress = (stretch - stretch**-5) * (1 - 2 * (2 * stretch**2 + stretch**-4 - 3))
        limit = stretch[stress.argmax()]
        old = BLOCK_SCENE[BLOCK_SCENE.index("{youngs"): BLOCK_SCENE.index("}", BLOCK_SCENE.index("{youngs")) + 1]
        for law, words in (("material: yeoh, c10: 1e5, c20: -1e5, c30: 0", "gives way in equibiaxial loading above a stretch of "),
                           ("material: yeoh, c10: 1e5, c20: -1e4, c30: 1e4", None), ("material: mooney_rivlin, c10: 1e5, c01: -4e4", "block.solid' gives way in equibiaxial loading"),
                           ("material: mooney_rivlin, c10: 1e5, c01: 2e4", None), ("material: ogden, shear_moduli: [2e5, -1e5], exponents: [2, 3]", "gives way in"),
                           ("material: ogden, shear_moduli: [6.2e5, 1.2e3, -9.8e3], exponents: [1.3, 5, -2]", None), ("material: arruda_boyce, shear_modulus: 1e5, locking_stretch: 2", None)):
            with self.subTest(law=law):
                scene = self.write("scene.yaml", BLOCK_SCENE.replace(old, f"{{{law}, poisson_ratio: 0.4999, density: 1000}}"))
                code, output, errors = execute(["traction", "check", scene], folder=self.folder)
                self.assertEqual(code, 0, errors)
                if words:
                    self.assertIn(words, errors)
                    self.assertIn("where its stress falls", errors)
                    if "c20" in law:
                        found = float(re.search(r"above a stretch of ([0-9.]+),", errors)[1])
                        self.assertAlmostEqual(found, limit, delta=1 / 120)   # the points of the curve lie so far apart
                else:
                    self.assertNotIn("gives way", errors)

    def test_curves_that_end_early(self):
        old = BLOCK_SCENE[BLOCK_SCENE.index("{youngs"): BLOCK_SCENE.index("}", BLOCK_SCENE.index("{youngs")) + 1]
        scene = self.write("scene.yaml", BLOCK_SCENE.replace(old, "{material: ogden, shear_moduli: [1e3], exponents: [700], poisson_ratio: 0.45, density: 1000}"))
        code, _, errors = execute(["traction", "material", scene, "--out", "m"], folder=self.folder)
        self.assertEqual(code, 0, errors)
        self.assertRegex(errors, r"the curve of uniaxial loading ends at a stretch of 2\.\d+, because its law has no finite stress")

    def test_rigid_motions_are_no_instability(self):
        for count in (3, 8):
            code, _, errors = execute(["traction", "modes", self.scene, "--count", count, "--out", "modes"], folder=self.folder)
            self.assertEqual(code, 0, errors)
            self.assertNotIn("grow", errors)


class BadContinuations(BlockTest):
    cells = (1, 1, 1)

    def test_what_a_continued_run_cannot_take_up(self):
        self.simulate(self.scene, sets={"time.end": 2e-3})
        sets = {"time.end": 3e-3}
        shutil.copy(self.folder / "block.msh", self.folder / "kept.msh")
        for words, text, more in (("has no effect on a run that continues", None, {"bodies.block.initial.translate": "[0, 0, 1]"}),
                                  ("meshes whose vertices lay elsewhere", None, {"bodies.block.scale": 2}), ("meshes whose vertices lay elsewhere", box_text(self.cells, (0.13, 0.1, 0.1)), {})):
            if text:
                self.write("block.msh", text)
            for ranks in (1, 2):
                outcome = self.run_program("resume", None, sets={**sets, **more}, ranks=ranks)
                self.assertEqual(outcome.code, 2, outcome.errors)
                self.assertIn(words, outcome.error_lines()[0])
                self.assertIn("start a new run", outcome.error_lines()[0])
        shutil.copy(self.folder / "kept.msh", self.folder / "block.msh")
        self.resume(sets=sets, ranks=2)


if __name__ == "__main__":
    unittest.main()
