"""postprocess/scene_from_inp: steps, supports and loads of Abaqus are the same histories in the scene."""

import unittest

import abaqus_files
from abaqus_files import SYMMETRIC, cubes


class Steps(abaqus_files.TranslationTest):
    RUBBER = {"rubber": ["*Density", "1.1e-9,", "*Elastic", "1., 0."]}

    def scene(self, *lines, model=()):
        return self.translate(cubes(self.RUBBER, lines, model=[*SYMMETRIC, *model]), "--units", "mm-t-s")

    def test_displacements_over_steps(self):
        """A ramp of a static step, an amplitude, a hold, a release by OP=NEW."""
        scene, _, _ = self.scene(
            "*Step, nlgeom=YES", "*Static", "0.1, 2., 1e-5, 1.", "*Boundary", "top, 3, 3, 4.", "*End Step",
            "*Step, nlgeom=YES", "*Static", "0.1, 1.", "*Amplitude, name=amp-1", "0., 1., 0.5, 0.25, 1., 0.5", "*Boundary, amplitude=Amp-1", "top, 3, 3, 4.", "*End Step",
            "*Step, nlgeom=YES", "*Static", "0.1, 1.", "*Boundary, op=NEW", "x0, XSYMM", "y0, YSYMM", "z0, ZSYMM", "*End Step")
        self.assertEqual(scene["time"], {"step": 0.1, "end": 4.0, "inertia": False})
        body = scene["bodies"]["rubber_1"]
        self.assertEqual([(entry["region"], entry["components"]) for entry in body["fixed"]], [("x0", ["x"]), ("y0", ["y"]), ("z0", ["z"])])
        (driven,) = body["driven"]
        self.assertEqual((driven["vertices"], driven["components"], driven["until"]), ("top", ["z"], 3))
        pieces = [(motion.get("start", 0), motion["stop"], round(motion["velocity"][2], 12)) for motion in driven["motion"]]
        self.assertEqual(pieces, [(0, 2, 2e-3), (2, 2.5, -6e-3), (2.5, 3, 2e-3)])   # mm/s became m/s
        self.check()

    def test_velocities_of_explicit_steps(self):
        scene, _, errors = self.scene("*Step", "*Dynamic, explicit", ", 0.2", "*Boundary, type=VELOCITY, amplitude=Amp-1", "top, 1, 3, 50.", "*End Step", model=["*Amplitude, name=Amp-1", "0., 0., 0.1, 1."])
        (driven,) = scene["bodies"]["rubber_1"]["driven"]
        self.assertEqual(driven["motion"], [{"velocity": [0.05] * 3, "ramp": 0.1, "stop": 0.1}, {"velocity": [0.05] * 3, "start": 0.1}])
        self.assertEqual(scene["time"], {"step": 2e-3, "end": 0.2})
        self.assertIn("no increment for this step of 0.2 s", errors)
        self.check()

    def test_loads_over_steps(self):
        """Gravity in a ramp, a traction with an amplitude, a pressure that is switched on at once in the second step, and a force in total."""
        scene, _, _ = self.scene(
            "*Step, nlgeom=YES", "*Static", "0.1, 1.", "*Dload", ", GRAV, 9810., 0., 0., -1.", "*Dsload, amplitude=Amp-1", "rubber-top-face, TRVEC, 0.2, 0., 0., 1.", "*End Step",
            "*Step, nlgeom=YES, amplitude=STEP", "*Static", "0.1, 1.", "*Dsload", "rubber-top-face, P, 0.01", "*Cload", "rubber-top, 3, 0.5", "*End Step", model=["*Amplitude, name=Amp-1", "0., 0., 0.5, 1., 1., 0."])
        self.assertEqual(scene["gravity"], [0, 0, -9.81])
        self.assertEqual(scene["gravity_over"], [{"time": 0, "factor": 0}, {"time": 1, "factor": 1}])
        loads = list(scene["bodies"]["rubber_1"]["loads"].values())
        self.assertEqual(loads[0], {"region": "rubber-top-face", "traction": [0, 0, 2e5], "over": [{"time": t, "factor": f} for t, f in ((0, 0), (0.5, 1), (1, 0))]})
        jump = [{"time": 0, "factor": 0}, {"time": 1, "factor": 0}, {"time": 1.000001, "factor": 1}]
        self.assertEqual(loads[1], {"region": "rubber-top-face", "pressure": 1e4, "over": jump})
        self.assertEqual(loads[2], {"region": "rubber-top", "force": [0, 0, 2], "over": jump})   # 0.5 N on each of four nodes
        self.check()
        last = self.simulate(self.folder / "model.yaml", sets={"time.end": 0.5}).last_row()
        self.assertAlmostEqual(last["rubber_1.dsload_rubber_top_face.fz"], 20, delta=1e-6)   # 0.2 MPa on 100 mm^2

    def test_loads_that_a_step_repeats_with_op_new(self):
        """What is named again continues; what is not ends. Quasi-static dynamics ramp as statics do."""
        scene, _, _ = self.scene(
            "*Step, nlgeom=YES", "*Dynamic, application=QUASI-STATIC", "0.1, 1.", "*Dsload", "rubber-top-face, P, 0.01", "rubber-top-face, TRVEC, 0.2, 0., 0., 1.", "*End Step",
            "*Step, nlgeom=YES", "*Dynamic, application=QUASI-STATIC", "0.1, 1.", "*Dsload, op=NEW", "rubber-top-face, P, 0.02", "*End Step")
        over = [load["over"] for load in scene["bodies"]["rubber_1"]["loads"].values()]
        self.assertEqual(over, [[{"time": t, "factor": f} for t, f in course] for course in (((0, 0), (1, 0.5), (2, 1)), ((0, 0), (1, 1), (2, 0)))])
        self.check()

    STEP = ["*Step, nlgeom=YES", "*Static", "0.1, 1."]

    def test_velocities_continue_in_later_steps(self):
        """At the last speed, or by an amplitude of total time, until they are prescribed anew or released."""
        total, own = ["*Amplitude, name=total, time=TOTAL TIME", "0., 0., 2., 1."], ["*Amplitude, name=own", "0., 0., 1., 1."]
        for amplitude, expected in (("", [(0, 1, 0, 1e-3), (1, 2, 0, 1e-3)]), (", amplitude=own", [(0, 1, 1, 1e-3), (1, 2, 0, 1e-3)]), (", amplitude=total", [(0, 1, 1, 5e-4), (1, 2, 0, 5e-4), (1, 2, 1, 5e-4)])):
            for later, end in (([], 2), (["*Boundary, op=NEW", "x0, XSYMM", "y0, YSYMM", "z0, ZSYMM"], 1), (["*Boundary, fixed", "top, 3, 3"], 1)):
                with self.subTest(amplitude=amplitude, later=later):
                    scene, _, _ = self.scene(*self.STEP, f"*Boundary, type=VELOCITY{amplitude}", "top, 3, 3, 1.", "*End Step", *self.STEP, *later, "*End Step", *self.STEP, "*Boundary", "top, 3, 3, 1.", "*End Step",
                                             model=[*total, *own])
                    (driven,) = scene["bodies"]["rubber_1"]["driven"]
                    motion = driven["motion"] if isinstance(driven["motion"], list) else [driven["motion"]]
                    pieces = [(piece.get("start", 0), piece["stop"], piece.get("ramp", 0), piece["velocity"][2]) for piece in motion if piece.get("start", 0) < 2]
                    self.assertEqual(pieces, [piece for piece in expected if piece[1] <= end])
        self.check()

    def test_loads_of_total_time_continue_in_later_steps(self):
        amplitude = ["*Amplitude, name=total, time=TOTAL TIME", "0., 0., 3., 1."]
        for later, expected in (([], 4 / 3), (["*Cload, op=NEW", "rubber-top, 2, 1."], 0)):
            scene, _, _ = self.scene(*self.STEP, "*Cload, amplitude=total", "rubber-top, 1, 0.5", "*End Step", *self.STEP, *later, "*End Step", model=amplitude)
            load = next(iter(scene["bodies"]["rubber_1"]["loads"].values()))
            for point, (time, force) in zip(load["over"], ((0, 0), (1, 2 / 3), (2, expected)), strict=True):
                self.assertEqual(point["time"], time)
                self.assertAlmostEqual(point["factor"] * load["force"][0], force)

    def test_lines_on_the_same_set_add(self):
        """4 and 8 N on four nodes; the next step names the set once, with 20 N in all."""
        scene, _, errors = self.scene(*self.STEP, "*Cload", "rubber-top, 3, 1.", "rubber-top, 3, 2.", "*End Step", *self.STEP, "*Cload", "rubber-top, 3, 5.", "*End Step")
        self.assertIn("this line and an earlier one of the step are on the same set; both act", errors)
        run = self.simulate(self.folder / "model.yaml", sets={"time.step": 0.5})
        for time, expected in ((1, 12), (2, 20)):
            row = list(run.history["time"]).index(time)
            self.assertAlmostEqual(sum(run.history[f"rubber_1.{name}.fz"][row] for name in scene["bodies"]["rubber_1"]["loads"]), expected, delta=1e-9)

    def test_creep_steps_load_at_once(self):
        """The default of *VISCO is a step, that of *STATIC a ramp."""
        for procedure, points in (("*Visco, cetol=1e-3", []), ("*Static", [(0, 0), (1, 1)])):
            scene, _, _ = self.scene("*Step, nlgeom=YES", procedure, "0.1, 1.", "*Dsload", "rubber-top-face, P, 0.01", "*End Step")
            (load,) = scene["bodies"]["rubber_1"]["loads"].values()
            self.assertEqual([(point["time"], point["factor"]) for point in load.get("over", [])], points)

    def test_a_support_that_is_released_and_prescribed_again(self):
        step = ["*Step, nlgeom=YES", "*Static", "0.1, 1."]
        _, _, errors = self.scene(*step, "*Boundary", "top, 3, 3, 1.", "*End Step", *step, "*Boundary, op=NEW", "x0, XSYMM", "y0, YSYMM", "z0, ZSYMM", "*End Step",
                                  *step, "*Boundary", "top, 3, 3, 2.", "*End Step")
        self.assertIn("rubber_1.top is held while the file has released it, because it is prescribed again later", errors)

    def test_statics_of_abaqus_neither_relax_nor_damp(self):
        rubber = {"rubber": [*self.RUBBER["rubber"], "*Damping, beta=0.1"]}
        for procedure, is_named in (("*Static", True), ("*Visco, cetol=1e-3", False)):
            _, _, errors = self.translate(cubes(rubber, ["*Step, nlgeom=YES", procedure, "0.1, 1.", "*End Step"], model=SYMMETRIC), "--units", "mm-t-s", "--overwrite")
            self.assertEqual("in a *STATIC step of Abaqus nothing relaxes or damps" in errors, is_named, errors)

    def test_reference_nodes_of_couplings_move_their_surface(self):
        """A reference node in the assembly, as Abaqus/CAE writes it: the surface is pulled whole, to the force of a cube whose top keeps its width (with a Poisson's ratio of 0 it does anyway)."""
        text = cubes(self.RUBBER, ["*Step, nlgeom=YES", "*Static", "0.5, 1.", "*Boundary", "RP, 1, 2", "RP, 3, 3, 1.", "RP, 4, 6", "*End Step"],
                     model=["*Coupling, constraint name=c, ref node=RP, surface=rubber-top-face", "*Kinematic", "*Boundary", "z0, 1, 3"])
        text = text.replace("*Nset, nset=x0", "*Node\n1, 5., 5., 20.\n*Nset, nset=RP\n1,\n*Nset, nset=x0", 1)
        scene, _, errors = self.translate(text, "--units", "mm-t-s")
        self.assertEqual(scene["bodies"]["rubber_1"]["driven"], [{"vertices": "rubber-top-face", "motion": {"velocity": [0, 0, 1e-3]}}])
        self.assertIn("reference node 'RP'", errors)
        self.check()
        last = self.simulate(self.folder / "model.yaml").last_row()
        self.assertAlmostEqual(last["rubber_1.rubber-top-face.fz"] / (0.5e6 * 1e-4 * (1.1 - 1 / 1.1)), 1, delta=1e-6)

    def test_what_is_not_translated_is_named_with_its_line(self):
        text = cubes(self.RUBBER, ["*Step, nlgeom=YES", "*Static", "0.1, 1.", "*Dload", "all, P1, 3.", "*Temperature", "top, 20.", "*End Step", "*Step, perturbation", "*Frequency", "10,", "*End Step"],
                     model=[*SYMMETRIC, "*MPC", "BEAM, 1, 2", "*Coupling, constraint name=c, ref node=top, surface=rubber-top-face", "*Distributing"])
        _, written, errors = self.translate(text)
        lines = text.splitlines()
        for keyword_line, name in (("*MPC", "MPC"), ("*Coupling", "COUPLING"), ("*Distributing", "DISTRIBUTING"), ("*Temperature", "TEMPERATURE"), ("*Step, perturbation", "STEP"), ("all, P1", "DLOAD")):
            at = next(number for number, line in enumerate(lines, 1) if line.startswith(keyword_line))
            for where in (written, errors):
                self.assertIn(f"model.inp:{at}: *{name}", where)
        self.check()

    def test_mistakes(self):
        for lines, expected in ((["*Step", "*Static", "0.1, 1.", "*Boundary", "nowhere, 1, 1", "*End Step"], "there is no set or surface 'nowhere'"),
                                (["*Step", "*Static", "0.1, x", "*End Step"], "'x' where the duration of the step"),
                                (["*Step", "*Static", "0.1, 1.", "*Boundary, amplitude=none", "top, 3, 3, 1.", "*End Step"], "there is no *AMPLITUDE named 'none'"),
                                (["*Amplitude, name=late, shiftx=0.5", "0., 0., 1., 1.", "*Step", "*Static", "0.1, 1.", "*Boundary, amplitude=late", "top, 3, 3, 1.", "*End Step"], "SHIFTX and SHIFTY"),
                                ([], "has no *STEP")):
            with self.subTest(expected):
                _, _, errors = self.translate(cubes(self.RUBBER, lines), code=2)
                self.assertIn(expected, errors)
                self.assertTrue(errors.startswith("scene_from_inp: error: "), errors)
                self.assertFalse((self.folder / "model.yaml").exists())


if __name__ == "__main__":
    unittest.main()
