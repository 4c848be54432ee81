"""The log at the start of a run and of a check, and its warnings."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from traction_runs import ENVIRONMENT, BlockTest, box_text

TETRAHEDRON = """\
solid pin
facet normal 0 0 -1
outer loop
vertex 0 0 -2
vertex 0 3 -2
vertex 1 0 -2
endloop
endfacet
facet normal 0 -1 0
outer loop
vertex 0 0 -2
vertex 1 0 -2
vertex 0 0 -1
endloop
endfacet
facet normal -1 0 0
outer loop
vertex 0 0 -2
vertex 0 0 -1
vertex 0 3 -2
endloop
endfacet
facet normal 3 1 3
outer loop
vertex 1 0 -2
vertex 0 3 -2
vertex 0 0 -1
endloop
endfacet
endsolid pin
"""


class Log(BlockTest):
    def check(self, sets=None, ranks=1):
        outcome = self.run_program("check", self.scene, sets=sets, ranks=ranks)
        self.assertEqual(outcome.code, 0, outcome.errors)
        return outcome.errors

    def warnings(self, sets=None):
        return [line for line in self.check(sets).splitlines() if "warning" in line]

    def test_bodies_and_obstacles(self):
        self.write("pin.stl", TETRAHEDRON)
        sets = {"surfaces.ball": "{sphere: {center: [1, 2, 3], radius: 0.5, inside: true}, motion: {velocity: [1, 0, 0]}}",
                "surfaces.pipe": "{cylinder: {point: [0, 1, 0], axis: [0, 0, 2], radius: 0.25}}", "surfaces.crate": "{box: {lower: [2, 2, 2], upper: [3, 4, 5]}}",
                "surfaces.pin": "{mesh: {file: pin.stl, scale: 0.5}}"}
        for ranks in (1, 2):
            text = self.check(sets, ranks)
            # 5 x 4 x 4 vertices, 6 tetrahedra in each of 36 cells, 1000 kg/m^3 times 0.12 x 0.1 x 0.1 m, 0.012 m above the floor.
            for part in ("body 'block': 80 vertices, 216 tetrahedra; 0.12 x 0.1 x 0.1 m from (0, 0, 0.012)", "1.2 kg", "1 connected part",
                         "surface 'floor': plane through (0, 0, 0), normal (0, 0, 1)\n", "surface 'ball': sphere about (1, 2, 3), radius 0.5 m, from inside; it moves",
                         "surface 'pipe': cylinder about the line through (0, 1, 0) along (0, 0, 1), radius 0.25 m", "surface 'crate': box from (2, 2, 2) to (3, 4, 5) m",
                         "pin.stl from (0, 0, -1) to (0.5, 1.5, -0.5) m", "surface 'pin' is in no contact"):
                self.assertIn(part, text)

    def test_blas_is_judged_by_what_it_is(self):
        library = pathlib.Path(json.loads((self.simulate(self.scene, sets={"time.end": 1e-3}).directory / "run.json").read_text())["versions"]["blas"])
        if "openblas" not in str(library):
            self.skipTest("OpenBLAS is not in use")
        # OpenBLAS without a name in its path, and the reference BLAS where this machine has it.
        shutil.copy(library, self.folder / "libblas.so.3")
        reference = pathlib.Path("/usr/lib/x86_64-linux-gnu/blas/libblas.so.3")
        for preloaded, is_slow in ((self.folder / "libblas.so.3", False), (reference, True)):
            if not preloaded.exists():
                continue
            os.environ["LD_PRELOAD"] = str(preloaded)
            try:
                errors = self.check()
            finally:
                del os.environ["LD_PRELOAD"]
            self.assertEqual("the BLAS library in use" in errors, is_slow, errors)
            self.assertNotIn("ld.so", errors)

    def assert_idle(self, sets, *parts, command="check", scene=None):
        outcome = self.run_program(command, scene or self.scene, sets=sets)
        self.assertEqual(outcome.code, 2, outcome.errors)
        for part in parts:
            self.assertIn(part, outcome.error_lines()[0])

    def scene_with(self, name, time):
        return self.write(name, self.scene.read_text().replace("time: {step: 1e-3, end: 0.03}", f"time: {time}"))

    def test_settings_of_integrators_that_are_not_used(self):
        before = len(self.warnings())
        for key, value in {"modes": 5, "refresh_modes": 1, "published_history": "true", "spectral_radius": 0.5, "exponential_tolerance": 1e-6, "asynchronous": "{safety: 0.1}"}.items():
            with self.subTest(key=key):
                self.assert_idle({f"time.{key}": value}, f"--set time.{key}={value}: time.{key}: has no effect", "leave it out")
                scene = self.scene_with("idle.yaml", f"{{step: 1e-3, end: 0.03, integrator: bdf2,\n  {key}: {value}}}")
                for command in ("check", "run", "modes"):
                    self.assert_idle({}, f"idle.yaml:{self.line_of(scene, key)}: time.{key}: has no effect", "which this scene does not use; leave it out, or choose", command=command, scene=scene)
        for sets in ({"time.modes": 5, "time.integrator": "siere"}, {"time.step": "[{from: 0, step: 1e-3}, {from: 0.01, step: 1e-3, integrator: generalized_alpha}]", "time.spectral_radius": 0.5}):
            self.assertEqual(len(self.warnings(sets)), before)

    def line_of(self, scene, key):
        return 1 + next(i for i, line in enumerate(scene.read_text().splitlines()) if f"{key}:" in line)

    def test_a_piece_of_the_schedule_after_the_end(self):
        scene = self.scene_with("late.yaml", "{step: [{from: 0, step: 1e-3},\n  {from: 0.03, step: 1e-4}], end: 0.03}")
        for command in ("check", "run"):
            self.assert_idle({}, f"late.yaml:{self.line_of(scene, 'from: 0.03, step')}: time.step.1.from: the piece from 0.03 s on has no effect: the run ends at 0.03 s",
                             "remove the piece", command=command, scene=scene)
        outcome = self.run_program("check", scene, sets={"time.end": 0.04})
        self.assertEqual(outcome.code, 0, outcome.errors)
        self.assertNotIn("has no effect", outcome.errors)

    def test_overrides_for_once_only_warn_of_what_they_make_idle(self):
        scene = self.scene_with("once.yaml", "{step: [{from: 0, step: 1e-3}, {from: 0.004, step: 5e-4}], end: 0.006, integrator: siere, modes: 5}")
        self.simulate(scene, sets={"time.integrator": "bdf2", "time.end": 0.002})
        for warning in ("time.modes: has no effect", "time.step.1.from: the piece from 0.004 s on has no effect: the run ends at 0.002 s"):
            self.assertIn(warning, self.run_program("check", scene, sets={"time.integrator": "bdf2", "time.end": 0.002}).errors)
        # The scene of the run's folder still has both, for a resumed run to the schedule's end.
        self.assertEqual(self.resume(sets={"time.end": 0.003}).history["time"][-1], 0.003)
        self.assertEqual(len(self.resume(sets={"time.end": 0.006}).history["time"]), 8)
        outcome = self.run_program("resume", self.folder / "out", sets={"time.end": 0.007, "time.spectral_radius": 0.3})
        self.assertEqual(outcome.code, 2, outcome.errors)
        self.assertIn("time.spectral_radius: has no effect", outcome.errors)

    def test_what_a_shortened_run_has_written_runs_again(self):
        scene = self.scene_with("once.yaml", "{step: [{from: 0, step: 1e-3}, {from: 0.004, step: 5e-4}], end: 0.006, integrator: siere, modes: 5}")
        sets = {"time.integrator": "bdf2", "time.end": 0.002}
        first = self.simulate(scene, sets=sets)
        again = self.simulate(first.directory / "scene.yaml", out="again")
        self.assertEqual(again.last_row(), first.last_row())
        self.assertIn("the piece from 0.004 s on has no effect", again.errors)
        checked = self.run_program("check", scene, sets=sets)
        self.simulate(self.write("printed.yaml", checked.output), out="printed")
        self.assertEqual(len(self.simulate(again.directory / "scene.yaml", sets={"time.end": 0.006}, out="longer").history["time"]), 8)

    def test_check_refuses_what_a_run_would_refuse_at_its_start(self):
        for sets, part in (({"petsc": "{pc_type: nonsense}"}, "PETSc refuses an option"), ({"time.integrator": "siere", "time.modes": 1000}, "1000 modes are asked for"),
                           ({"bodies.block.initial.translate": "[0, 0, -0.02]"}, "contacts.landing")):
            with self.subTest(sets=sets):
                for command in ("run", "check"):
                    outcome = self.run_program(command, self.scene, sets=sets)
                    self.assertEqual(outcome.code, 2, command + outcome.errors)
                    self.assertIn(part, outcome.error_lines()[0])

    def test_a_contact_that_names_a_part_replaces_the_contact_of_all_surfaces(self):
        everything = {"contacts.all": "{all: true, thickness: 1e-3}"}
        for ranks in (1, 2):
            told = [line for line in self.check(everything, ranks).splitlines() if "replaces" in line]
            self.assertEqual(len(told), 1, told)
            for part in ("contacts.landing: contact 'landing'", "the whole pair 'block' and 'floor'", "of block only block.bottom takes part", "name block, or every region"):
                self.assertIn(part, told[0])
        whole = "{vertices: block, against: floor, thickness: 1e-3}"
        for sets in ({}, {**everything, "contacts.landing": whole}, {**everything, "contacts.more": whole.replace("block", "block.surface")}):
            self.assertNotIn("replaces", self.check(sets))
        # A contact with itself has two sides.
        own = "{vertices: block.bottom, against: block, thickness: 1e-3}"
        self.assertIn("replaces the contact of all surfaces for 'block' with itself, and of block only block.bottom takes part", self.check({**everything, "contacts.landing": own}))
        self.assertNotIn("replaces", self.check({**everything, "contacts.landing": own.replace(".bottom", ".surface")}))

    def test_a_scene_in_which_nothing_happens(self):
        """Without gravity the block stays where it is; friction has nothing to do with it. A block that starts within the contact's thickness is pushed away."""
        still = {"gravity": [0, 0, 0], "bodies.block.initial": "{translate: [0, 0, 0.012]}", "contacts.landing.friction.tolerance": 0.01}
        for ranks in (1, 2):
            errors = self.check(still, ranks)
            self.assertIn("nothing moves or loads the bodies: no gravity, no velocity at the start", errors)
            self.assertNotIn("friction stays too small", errors)
        for sets in ({}, {**still, "gravity": [0, 0, -1]}, {**still, "bodies.block.initial": "{translate: [0, 0, 0.0005]}"}):
            self.assertNotIn("nothing moves or loads", self.check(sets))

    def test_warnings_of_a_check_come_after_the_scene(self):
        """On a terminal, where both streams meet, they are next to the line that counts them, and other messages are before the scene."""
        doubtful = ["bodies.block.solid.solid.density=1", "contacts.landing.friction.dynamic=30"]
        command = [pathlib.Path(os.environ["TRACTION_BUILD"]) / "traction", "check", self.scene, *(word for assignment in doubtful for word in ("--set", assignment))]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**ENVIRONMENT, **os.environ}, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout)
        lines = done.stdout.splitlines()
        warnings = [i for i, line in enumerate(lines) if "warning: " in line]
        self.assertGreaterEqual(len(warnings), 2)
        self.assertEqual(warnings, list(range(len(lines) - 1 - len(warnings), len(lines) - 1)))
        self.assertTrue(lines[-1].startswith(f"# good, with {len(warnings)} warnings: "), lines[-1])
        self.assertLess(max(i for i, line in enumerate(lines) if "info: " in line), lines.index("bodies:"))

    def test_numbers_and_plurals(self):
        outcome = self.run_program("check", self.scene)
        self.assertRegex(outcome.output, r"# good(, with 1 warning)?: 80 vertices, 216 tetrahedra, 1 body\n")
        self.assertIn("info: partition: 1 part, 80 vertices", outcome.errors)   # no empty line before it

    def test_sizes_and_densities_that_look_like_other_units(self):
        before = self.check()
        self.assertNotIn("millimetres", before)
        self.assertNotIn("density", before)
        self.write("millimetres.msh", box_text(self.cells, (120, 100, 100)))
        sets = {"bodies.block.mesh": "millimetres.msh", "bodies.block.initial": "{translate: [0, 0, 1]}"}
        self.assertRegex("\n".join(self.warnings(sets)), r"bodies.block.mesh: the body is 120 m long; if its mesh is in millimetres, give it scale: 1e-3")
        self.assertNotIn("millimetres", self.check(sets | {"bodies.block.scale": 1e-3}).replace("millimetres.msh", ""))
        light = self.warnings({"bodies.block.solid.solid.density": 1})
        self.assertRegex("\n".join(light), r"bodies.block.solid.solid: a density of 1 kg/m\^3 is below that of air; water has 1000 kg/m\^3")

    def new_warnings(self, before, sets):
        """Warnings that the scene as it stands does not cause."""
        known = {line.split("warning")[1] for line in before}
        return [line for line in self.warnings(sets) if line.split("warning")[1] not in known]

    def test_frames_further_apart_than_the_run_is_long(self):
        before = self.warnings()
        for every, expected in ((0.03, 0), (0.031, 1), (5, 1)):
            found = self.new_warnings(before, {"output.every": every})
            self.assertEqual(len(found), expected, found)
        self.assertIn("output.every is 5 s, and the run ends at 0.03 s: only the first frame is written; give a shorter time between frames", found[0])
        self.simulate(self.scene, sets={"output.every": 5})
        self.assertEqual(len(list((self.folder / "out").glob("fields_0*.hdf"))), 1)

    def test_frames_nearer_to_each_other_than_steps(self):
        before = self.warnings()
        found = self.new_warnings(before, {"output.every": 5e-4})
        self.assertEqual(len(found), 1, found)
        self.assertIn("output.every is 0.0005 s, below the time step of 0.001 s: frames are written only at the ends of steps, one per step; give a longer time, or shorten time.step", found[0])
        for sets in ({"output.every": 1e-3}, {"output.every": 5e-4, "time.step": "[{from: 0, step: 1e-3}, {from: 0.01, step: 1e-4}]"}):
            self.assertEqual(self.new_warnings(before, sets), [])

    def test_frames_to_come_follow_the_schedule(self):
        """One frame at the start, and after that at most one per step: as many as are written then."""
        steps = "[{from: 0, step: 1e-3}, {from: 0.02, step: 5e-3}]"   # 20 steps and 2
        for every, frames in ((2e-3, 13), (1e-30, 23)):
            errors = self.simulate(self.scene, sets={"output.every": every, "time.step": steps}).errors
            self.assertIn(f"output to come: {frames} frames of", errors)
            self.assertNotIn("will not fit on the disk", errors)
            self.assertEqual(len(list((self.folder / "out").glob("fields_0*.hdf"))), frames)

    def test_sizes_of_the_surfaces_of_contacts(self):
        """The bottom of the block, of 0.12 m x 0.1 m: squares of which each is cut in two."""
        nx, ny, _ = self.cells
        across, along = 0.12 / nx, 0.1 / ny
        edge = (across + along + (across**2 + along**2) ** 0.5) / 3
        for ranks in (1, 2):
            self.assertIn(f"; 'block.bottom' {0.012:.4g} m^2, mean edge {edge:.3g} m", self.check({}, ranks))

    def test_a_gap_below_zero_at_the_start(self):
        before, soft = self.warnings(), {"contacts.landing.stiffness": 1e-3}   # nothing is thrown
        for depth, expected in ((5e-4, 1), (0, 0), (-5e-4, 0)):
            found = self.new_warnings(before, {**soft, "bodies.block.initial.translate": f"[0, 0, {-depth}]"})
            self.assertEqual(len(found), expected, found)
            if found:
                self.assertIn("contact 'landing' starts with a gap below zero: a vertex lies 0.0005 m behind the surface. Start in equilibrium", found[0])
                self.assertIn("move them apart by 0.0015 m", found[0])
        self.assertEqual(self.new_warnings(before, {**soft, "bodies.block.initial.translate": "[0, 0, -5e-4]", "bodies.block.initial.equilibrium": "true"}), [])

    def test_an_impact_that_one_step_decides(self):
        text, fast = "contact 'landing' begins with a travel of 0.00", {"contacts.landing.thickness": 3e-4, "output.log_every": 1000}
        for ranks in (1, 2):
            errors = self.simulate(self.scene, sets=fast, ranks=ranks).errors
            self.assertEqual(errors.count(text), 1, errors)
            self.assertIn("more than the thickness of 0.0003 m, so that this step alone decides on the impact; to resolve it take steps of", errors)
        at_once = {"bodies.block.initial.translate": "[0, 0, 4e-4]", "bodies.block.initial.velocity": "[0, 0, -2]"}   # in the first step
        self.assertIn(text, self.simulate(self.scene, sets={**fast, **at_once}).errors)
        for sets in ({"time.step": 1e-4}, {"contacts.landing.potential": "log_barrier"}, {"bodies.block.initial.velocity": "[0.5, 0.1, 0]", "bodies.block.initial.translate": "[0, 0, 4e-4]"}):
            self.assertNotIn("begins with a travel", self.simulate(self.scene, sets={**fast, **sets}).errors)   # resolved, bounded or slow

    def test_friction_coefficients_that_look_like_percent(self):
        before, place = self.warnings(), "contacts.landing.friction"
        for sets, coefficient in (({f"{place}.dynamic": 20}, "20"), ({f"{place}.dynamic": 1, f"{place}.static": 5.5}, "5.5")):
            found = self.new_warnings(before, sets)
            self.assertEqual(len(found), 1, found)
            self.assertIn(f"contacts.landing: a friction coefficient of {coefficient} is far above", found[0])
            self.assertIn("if it is meant in percent, give ", found[0])
        self.assertEqual(self.new_warnings(before, {f"{place}.dynamic": 5}), [])

    def test_the_verdict_counts_the_warnings(self):
        quiet = {"bodies.block.initial.velocity": "[0, 0, 0]"}
        for sets, ranks in (({}, 1), ({"output.every": 5}, 1), ({"output.every": 5, "contacts.landing.friction.dynamic": 20}, 1), ({"output.every": 5, "contacts.landing.friction.dynamic": 20}, 2)):
            outcome = self.run_program("check", self.scene, sets=quiet | sets, ranks=ranks)
            count = sum(" warning: " in line for line in outcome.errors.splitlines())
            self.assertGreaterEqual(count, len(sets))
            verdict = "# good: " if count == 0 else f"# good, with {count} warning{'s' if count > 1 else ''}: "
            self.assertTrue(outcome.output.splitlines()[-1].startswith(verdict + "80 vertices"), outcome.output[-100:] + outcome.errors)

    def test_a_thickness_larger_than_the_body(self):
        warning = next(line for line in self.check({"contacts.landing.thickness": 0.5}).splitlines() if "starts compressed" in line)
        self.assertRegex(warning, r"or move them apart by 0.488 m, or give the contact a smaller thickness: it is larger than body 'block', of 0.12 m$")
        warning = next(line for line in self.check({"contacts.landing.thickness": 0.05}).splitlines() if "starts compressed" in line)
        self.assertRegex(warning, r"or move them apart by 0.038 m, or give the contact a smaller thickness$")

    def test_a_continued_run_reports_its_start(self):
        self.simulate(self.scene, sets={"time.end": 0.01})
        errors = self.resume(options=("--set", "time.end=0.012")).errors
        self.assertIn("changed from here on: time.end=0.012", errors)
        self.assertIn("continues after step 10 at t = 0.01 s", errors)

    def test_results_that_are_replaced_are_named(self):
        self.assertNotIn("replaces", self.simulate(self.scene, sets={"time.end": 3e-3}).errors)
        self.assertIn("info: replaces the results of an earlier run in ", self.simulate(self.scene, sets={"time.end": 2e-3}).errors)
        self.assertNotIn("replaces", self.resume(options=("--set", "time.end=3e-3")).errors)

    def test_elements_are_those_that_exist(self):
        """Rigid bodies have a tetrahedron of particles, which is none of a mesh."""
        points = self.write("rope.txt", "0 0 1\n0.1 0 1\n0.2 0 1\n")
        scene = f"""\
time: {{step: 1e-3, end: 2e-3}}
bodies:
  rope: {{mesh: {points}, rod: {{rod: {{radius: 0.01, youngs_modulus: 1e7, density: 1000}}}}}}
  block: {{mesh: block.msh, rigid: {{density: 1000}}}}
contacts: {{everything: {{all: true, thickness: 1e-3}}}}
"""
        checked = self.run_program("check", scene)
        self.assertEqual(checked.code, 0, checked.errors)
        self.assertRegex(checked.output, r"# good(, with \d+ warnings?)?: \d+ vertices, 2 rod segments, 1 rigid body, 2 bodies\n")
        self.assertIn("body 'rope': 3 vertices, 2 rod segments; 0.2 x ", checked.errors)

    def test_a_sudden_start_of_what_is_driven_is_no_error(self):
        """The force in the first step jumps, so that its work is uncertain."""
        self.write("bar.msh", box_text((12, 3, 3), (0.12, 0.02, 0.02), faces={"root": lambda x: x[0] < 1e-9}))
        for velocity in ("[20e-3, 0, 0]", "[0, 20e-3, 0]"):
            outcome = self.run_program("run", f"""\
time: {{step: 1e-3, end: 0.1}}
bodies:
  bar:
    mesh: bar.msh
    solid: {{solid: {{youngs_modulus: 2.2e9, poisson_ratio: 0.35, density: 1050}}}}
    driven: [{{vertices: root, motion: {{velocity: {velocity}}}}}]
""", options=("--overwrite",))
            self.assertEqual(outcome.code, 0, outcome.errors)
            self.assertNotIn("numerical errors", outcome.errors)

    def test_contacts_in_which_nothing_has_touched(self):
        bystander = {"surfaces.wall": "{plane: {point: [9, 0, 0], normal: [-1, 0, 0]}}",
                     "contacts.aside": "{vertices: block.surface, against: wall, thickness: 1e-3}",
                     "contacts.self": "{vertices: block.surface, against: block.surface, thickness: 1e-3}"}
        for ranks in (1, 2):
            errors = self.simulate(self.scene, sets=bystander, ranks=ranks, out=f"ranks_{ranks}").errors
            self.assertEqual([line.split("contacts in which nothing has touched: ")[1] for line in errors.splitlines() if "nothing has touched" in line], ["'aside'"])

    def test_many_solves_that_were_discarded(self):
        hard = {"time.step": 0.01, "solver.maximum_iterations": 4, "solver.tolerance": 1e-5}
        self.assertIn("were discarded and repeated", self.simulate(self.scene, sets=hard).errors)
        self.assertNotIn("discarded", self.simulate(self.scene, options=("--overwrite",)).errors)


if __name__ == "__main__":
    unittest.main()
