"""Abaqus's .inp files as meshes of bodies: the same run as with Gmsh's format, and mistakes that are reported with their line on any number of ranks."""

import pathlib
import sys

from traction_runs import BLOCK_SCENE, RunTest, box_text, execute

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import originals  # noqa: E402


class AbaqusMeshes(RunTest):
    def setUp(self):
        super().setUp()
        text = box_text((2, 2, 2), (0.12, 0.1, 0.1))
        self.write("block.msh", text)
        originals.write_abaqus(self.folder, text)

    def test_same_run_as_with_gmsh(self):
        scene = BLOCK_SCENE.replace("0.012]", "0.0005]")   # touches the floor soon
        expected = self.simulate(self.write("scene.yaml", scene), sets={"time.end": 3e-3}, out="gmsh").last_row()
        self.assertGreater(expected["contacts"], 0)
        for ranks in (1, 2, 4):
            found = self.simulate(self.write("flat.yaml", scene.replace("block.msh", "flat.inp")), ranks=ranks, sets={"time.end": 3e-3}, out=f"flat_{ranks}").last_row()
            self.assert_rows_agree(expected, found, 1e-8, [f"block.{name}" for name in ("x", "y", "z", "vx", "vy", "vz")])

    def test_mistakes_have_their_line_on_any_number_of_ranks(self):
        lines = (self.folder / "flat.inp").read_text().splitlines()
        at = next(i for i, line in enumerate(lines) if "C3D4" in line)
        lines[at] = lines[at].replace("C3D4", "C3D8")
        self.write("wrong.inp", "\n".join(lines))
        scene = self.write("wrong.yaml", BLOCK_SCENE.replace("block.msh", "wrong.inp"))
        for ranks in (1, 2, 4):
            code, _, errors = execute(["traction", "run", scene, "--out", self.folder / "out"], ranks, folder=self.folder)
            self.assertEqual(code, 2, errors)
            self.assertIn(f"wrong.inp:{at + 1}: elements of type C3D8", errors)
            self.assertFalse((self.folder / "out" / "history.csv").exists())
