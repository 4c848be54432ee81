"""What names of folders and scripts for Gmsh may do: nothing beyond what they are for."""

import os
import unittest
import unittest.mock

from traction_runs import BlockTest, RefusalTest, box_text, execute

SCRIPT = """\
SetFactory("Built-in");
SystemCall "touch ran";
Point(1) = {0, 0, 0, 1}; Point(2) = {1, 0, 0, 1}; Point(3) = {0, 1, 0, 1};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 1};
Curve Loop(1) = {1, 2, 3}; Plane Surface(1) = {1};
Extrude {0, 0, 1} { Surface{1}; }
Physical Volume("inside") = {1};
"""

SCENE = """\
time: {step: 1e-3, end: 1e-3}
bodies:
  wedge:
    mesh: wedge.geo
    solid: {inside: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000}}
"""


class FolderNames(BlockTest):
    def test_a_quote_in_the_name_of_the_output_folder_stays_a_quote(self):
        out = "out'; touch hacked; '"
        code, _, errors = execute(["traction", "modes", "scene.yaml", "--out", out, "--count", "2"], folder=self.folder)
        self.assertEqual(code, 0, errors)
        self.assertFalse((self.folder / "hacked").exists())
        self.assertTrue((self.folder / out / "modes.csv").exists())
        if not (self.folder / out / "modes.png").exists():  # where Python has no matplotlib
            self.assertIn(f"no picture was drawn of the results in {out}", errors)


class Scripts(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("wedge.geo", SCRIPT)
        self.write("scene.yaml", SCENE)

    def commands(self):
        yield ["traction", "run", "scene.yaml", "--out", "out"]
        yield ["traction", "check", "scene.yaml"]
        yield ["traction", "modes", "scene.yaml", "--out", "out", "--count", "2"]
        yield ["traction-partition", "scene.yaml", "--parts", "2"]

    def test_scripts_that_can_run_programs_must_be_allowed(self):
        expected = ["scene.yaml:4: bodies.wedge.mesh", "wedge.geo:2: 'SystemCall' can run programs", "--allow-scripts", "TRACTION_ALLOW_SCRIPTS=1"]
        for command in self.commands():
            with self.subTest(command=command[:2]):
                self.assert_refused(command, expected, 1)
        self.assert_refused(["traction", "check", "scene.yaml"], expected, 2)
        self.assertFalse((self.folder / "ran").exists())
        code, _, errors = execute(["traction", "check", "scene.yaml", "--allow-scripts"], folder=self.folder)
        self.assertEqual(code, 0, errors)
        self.assertTrue((self.folder / "ran").exists())

    def test_scripts_that_only_make_a_mesh_are_accepted(self):
        self.write("wedge.geo", SCRIPT.replace('SystemCall "touch ran";', 'Printf("a wedge");'))
        code, _, errors = execute(["traction", "check", "scene.yaml"], folder=self.folder)
        self.assertEqual(code, 0, errors)
        self.assert_refused(["traction", "check", "scene.yaml", "--no-scripts", "--allow-scripts"], ["a script that Gmsh would run", "--no-scripts"], 1)

    def test_options_beside_a_script_are_part_of_it(self):
        self.write("wedge.geo", SCRIPT.replace("SystemCall", "// "))
        self.write("wedge.geo.opt", 'SystemCall "touch ran";\n')
        self.assert_refused(["traction", "check", "scene.yaml"], ["wedge.geo.opt:1: 'SystemCall' can run programs"], 1)
        self.assertFalse((self.folder / "ran").exists())

    def test_every_command_refuses_scripts(self):
        expected = ["scene.yaml:4: bodies.wedge.mesh", "wedge.geo", "a script that Gmsh would run", "--no-scripts", "give a .msh file"]
        for ranks in (1, 2):
            for command in self.commands():
                with self.subTest(command=command[:2], ranks=ranks):
                    self.assert_refused([*command, "--no-scripts"], expected, ranks)

    def test_python_in_options_of_petsc_is_refused(self):
        self.write("box.msh", box_text((1, 1, 1), (1, 1, 1)))
        scene = SCENE.replace("wedge.geo", "box.msh").replace("inside:", "solid:")
        for options in ("ksp_monitor_python: module.function", "pc_type: python"):
            self.write("scene.yaml", scene + f"petsc: {{{options}}}\n")
            for flags in (["--no-scripts"], []):
                self.assert_refused(["traction", "check", "scene.yaml", *flags], ["scene.yaml", "petsc." + options.split(":")[0], "Python", (flags or ["--allow-scripts"])[0]], 1)

    def test_sites_refuse_scripts_by_the_environment(self):
        with unittest.mock.patch.dict(os.environ, {"TRACTION_NO_SCRIPTS": "1"}):
            self.assert_refused(["traction", "check", "scene.yaml"], ["wedge.geo", "TRACTION_NO_SCRIPTS"], 1, alone=True)
        with unittest.mock.patch.dict(os.environ, {"TRACTION_NO_SCRIPTS": "0", "TRACTION_ALLOW_SCRIPTS": "1"}):
            code, _, errors = execute(["traction", "check", "scene.yaml"], folder=self.folder)
        self.assertEqual(code, 0, errors)

    def test_a_run_that_goes_on_refuses_scripts(self):
        code, _, errors = execute(["traction", "run", "scene.yaml", "--out", "done", "--allow-scripts"], folder=self.folder)
        self.assertEqual(code, 0, errors)
        (self.folder / "ran").unlink()
        self.assert_refused(["traction", "resume", "done", "--set", "time.end=2e-3", "--no-scripts"], ["done/scene.yaml", "wedge.geo", "--no-scripts"], 1)
        self.assert_refused(["traction", "resume", "done", "--set", "time.end=2e-3"], ["done/scene.yaml", "wedge.geo:2", "--allow-scripts"], 1)
        self.assertFalse((self.folder / "ran").exists())


if __name__ == "__main__":
    unittest.main()
