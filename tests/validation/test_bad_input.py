"""Bad input ends with exit code 2 and one line that names the place and the remedy, on any rank count, before anything is computed."""

import shutil
import unittest

import numpy

from bad_scene import NAMES, SCENE, BadSceneTest, mesh
from edge_shapes import box, tetrahedron
from traction_runs import CUBE_TETRAHEDRA, CUBE_VERTICES, JOBS, boundary, box_text, execute, gmsh_text, line_of


class BadInput(BadSceneTest):
    def test_the_scene_is_good_without_mistakes(self):
        for ranks in (1, 2):
            self.simulate(self.write("scene.yaml", SCENE), ranks=ranks)

    def test_unknown_key(self):
        self.refused("density", "densty", "densty", "the nearest valid key is 'density'")

    def test_unknown_section(self):
        self.refused("gravity", "gravty", "gravty", "the nearest valid key is 'gravity'")

    def test_missing_scene_file(self):
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", "nowhere.yaml", "--out", "out"], ["nowhere.yaml", "check its name"], ranks)

    def test_missing_mesh_file(self):
        self.refused("cube.msh", "cuba.msh", "bodies.cube.mesh", "cuba.msh", "the nearest name in its folder is 'cube.msh'")
        self.refused("cube.msh", "meshes/cube.msh", "bodies.cube.mesh", "there is no folder", "names are relative to the scene's folder")
        self.refused("cube.msh", 300 * "c" + ".msh", "bodies.cube.mesh", "no such file", "check")   # longer than names of files may be

    def test_missing_region(self):
        self.refused("inside:", "outside:", "bodies.cube.solid.outside", "no region 'outside'", "choose one of: inside, all")
        self.refused("inside:", "insde:", "bodies.cube.solid.insde", "no region 'insde'", "the nearest is 'inside' (it has: inside, all)")

    def test_missing_region_of_a_generated_mesh(self):
        mesh_file = JOBS / "block_slide" / "block.geo"
        scene = SCENE.replace("mesh: cube.msh", f"mesh: {mesh_file}")
        self.refused("inside:", "within:", f"{mesh_file} has no region 'within'", "choose one of: block, all", scene=scene)

    def test_a_generated_mesh_names_the_line_of_the_scene(self):
        scene = SCENE.replace("mesh: cube.msh", f"mesh: {JOBS / 'block_slide' / 'block.geo'}\n    mesh_parameters: {{element_size: 0.2}}")
        self.refused("{element_size: 0.2}", "{elment_size: 0.2}", "scene.yaml:6: bodies.cube.mesh_parameters", "block.geo: there is no parameter 'elment_size'",
                     "take it out of mesh_parameters", scene=scene)
        self.write("broken.geo", "Box(1) = {0, 0, 0, 1;\n")
        self.refused("mesh: cube.msh", "mesh: broken.geo", "scene.yaml:5: bodies.cube.mesh", "broken.geo: Gmsh failed", "syntax error")
        self.write("empty.geo", "size = 0.1;\n")
        self.refused("mesh: cube.msh", "mesh: empty.geo", "scene.yaml:5: bodies.cube.mesh", "empty.geo: Gmsh makes no elements that it writes", "Physical Volume")
        self.write("bricks.geo", """\
Point(1) = {0, 0, 0, 1}; line[] = Extrude {1, 0, 0} { Point{1}; Layers{1}; }; face[] = Extrude {0, 1, 0} { Line{line[1]}; Layers{1}; Recombine; };
solid[] = Extrude {0, 0, 1} { Surface{face[1]}; Layers{1}; Recombine; }; Physical Volume("solid") = {solid[1]};
""")
        self.refused("mesh: cube.msh", "mesh: bricks.geo", "scene.yaml:5: bodies.cube", "the mesh that Gmsh makes of", "bricks.geo", "hexahedron", "Mesh without Recombine")

    def test_most_of_a_body_behind_a_plane(self):
        # The cube from 0 to 1 m; its bottom alone is in contact.
        turned, remedy = "{point: [0, 0, 1.5], normal: [0, 0, 1]}", "or turn the normal of plane 'floor' around: most of 'cube' lies behind it"
        for contact in ("vertices: cube.bottom, against: floor, thickness: 1e-2", "vertices: cube, against: floor, thickness: 1e-2, potential: log_barrier", "all: true, thickness: 1e-2"):
            scene = SCENE.replace("vertices: cube.bottom, against: floor, thickness: 1e-2", contact)
            with self.subTest(contact=contact):
                text = scene.replace("{point: [0, 0, -0.5]}", turned)
                self.refused(None, None, f"scene.yaml:{line_of(text, 'touch:')}: contacts.touch: ", "overlap by 1.5 m" if "all" in contact else "a vertex lies 1.5 m behind the surface", remedy, scene=text)
        # A quarter of the cube is a collision, not a plane that is the wrong way around.
        text = SCENE.replace("{point: [0, 0, -0.5]}", "{point: [0, 0, 0.25]}")
        self.write("scene.yaml", text)
        _, _, errors = execute(["traction", "run", "scene.yaml", "--out", "out"], folder=self.folder)
        self.assertIn("a vertex lies 0.25 m behind the surface", errors)
        self.assertNotIn("normal", errors)
        self.assertNotIn("millimetres", errors)

    def test_a_mesh_in_millimetres_that_reaches_behind_a_surface(self):
        self.write("cube.msh", mesh(vertices=1000 * numpy.array(CUBE_VERTICES) - (0, 0, 200)))
        text = SCENE.replace("cube.bottom", "cube.skin")
        self.refused(None, None, f"scene.yaml:{line_of(text, 'touch:')}: contacts.touch: ", "a vertex lies 200 m behind the surface", "'cube' is 1000 m long: if its mesh is in millimetres, give it scale: 1e-3",
                     scene=text)

    def test_missing_contact_region(self):
        self.refused("cube.bottom", "cube.botom", "contacts.touch", "no region 'botom'", "(it has: skin, bottom, boundary)")

    def test_missing_volume_surface(self):
        self.refused("surface: skin", "surface: skim", "bodies.cube.volume", "no region 'skim'", "(it has: skin, bottom, boundary)")

    def test_negative_density(self):
        self.refused("density: 1000", "density: -1000", "density", "greater than 0", "-1000")

    def test_poisson_ratio_of_an_incompressible_solid(self):
        self.refused("poisson_ratio: 0.3", "poisson_ratio: 0.5", "poisson_ratio", "below 0.5", "like 0.499")

    def test_inverted_element(self):
        tetrahedra = list(CUBE_TETRAHEDRA)
        a, b, c, d = tetrahedra[2]
        tetrahedra[2] = (a, b, d, c)
        self.write("cube.msh", mesh(tetrahedra=tetrahedra))
        self.refused(None, None, "cube.msh", "tetrahedron 3", "inverted", "remesh")

    def test_degenerate_element(self):
        vertices = list(CUBE_VERTICES)
        vertices[1] = (0.5, 0.5, 0)   # in the plane of the other three vertices of tetrahedron 2
        vertices[0], vertices[5] = (0, 0, 0), (1, 1, 0)
        tetrahedra = [(0, 3, 5, 1), (4, 0, 6, 5)]
        self.write("cube.msh", mesh(vertices, tetrahedra, skin=[]))
        self.refused(None, None, "cube.msh", "tetrahedron 1", "degenerate", "Remesh")

    def test_tetrahedra_that_fill_the_same_space(self):
        again = [tuple(v + len(CUBE_VERTICES) for v in t) for t in CUBE_TETRAHEDRA]
        self.write("cube.msh", mesh([*CUBE_VERTICES, *CUBE_VERTICES], [*CUBE_TETRAHEDRA, *again], skin=boundary(CUBE_TETRAHEDRA)))
        self.refused(None, None, "cube.msh", "tetrahedra 1 and 6 overlap at", "mass and stiffness twice", "Coherence", scene=SCENE.replace("    volume: {surface: skin}\n", ""))

    def test_doubts_about_a_mesh_are_warnings(self):
        """Cubes that reach a little into each other, that share one vertex, and a tetrahedron that is all but flat."""
        count = len(CUBE_VERTICES)

        def two(shift):
            moved = [tuple(x + d for x, d in zip(v, shift)) for v in CUBE_VERTICES]
            vertices, numbers = list(CUBE_VERTICES), []
            for v in moved:
                numbers.append(vertices.index(v) if v in vertices else len(vertices))
                if numbers[-1] == len(vertices):
                    vertices.append(v)
            return vertices, [*CUBE_TETRAHEDRA, *(tuple(numbers[v] for v in t) for t in CUBE_TETRAHEDRA)]

        flat = [*CUBE_VERTICES, (3, 0, 0), (4, 0, 0), (3, 1, 0), (3.2, 0.2, 1e-5)], [*CUBE_TETRAHEDRA, (count, count + 1, count + 2, count + 3)]
        scene = SCENE.replace("    volume: {surface: skin}\n", "")
        for (vertices, tetrahedra), expected in ((two((0.98, 0.1, 0.1)), ("surface crosses itself at (",)), (two((1, 1, 1)), ("joined only by a vertex at (1, 1, 1)",)),
                                                 (two((1, 1, 0)), ("joined only along a line at (1, 1, ",)), (flat, ("1 tetrahedron is all but flat", "(3.3, 0.3, 2.5e-06)"))):
            self.write("cube.msh", mesh(vertices, tetrahedra))
            code, output, errors = execute(["traction", "check", self.write("scene.yaml", scene)], folder=self.folder)
            self.assertEqual(code, 0, errors)
            for part in expected:
                self.assertIn(part, output + errors)

    def test_vertex_without_element(self):
        self.write("cube.msh", mesh([*CUBE_VERTICES, (2, 2, 2)], skin=[*boundary(CUBE_TETRAHEDRA), (1, 3, 8)]))
        self.refused(None, None, "cube.msh", "(2, 2, 2)", "no tetrahedron", "mesh the volume")

    def test_open_surface_under_a_volume(self):
        self.write("cube.msh", mesh(skin=boundary(CUBE_TETRAHEDRA)[:-1]))
        self.refused(None, None, f"scene.yaml:{line_of(SCENE, 'volume:')}: ", "'skin'", "isn't closed", "Add the faces")

    def test_volume_over_a_volume_region(self):
        self.refused("surface: skin", "surface: inside", "bodies.cube.volume", "'inside'", "not a surface", "name a closed surface")

    def test_zero_length_time_step(self):
        self.refused("step: 1e-3", "step: 0", "time.step", "zero-length", "give a positive number of seconds")

    def test_zero_length_time_step_in_a_schedule(self):
        self.refused("step: 1e-3", "step: [{from: 0, step: 1e-3}, {from: 1e-3, step: 0}]", "time.step", "zero-length", "give a positive number")

    def test_overlapping_solids(self):
        elements = [(1, *t) for t in CUBE_TETRAHEDRA] + [(4, *CUBE_TETRAHEDRA[3])]
        self.write("cube.msh", gmsh_text(CUBE_VERTICES, elements, [(2, *t) for t in boundary(CUBE_TETRAHEDRA)], NAMES))
        old = "density: 1000}"
        new = old + "\n      another: {youngs_modulus: 2e5, poisson_ratio: 0.3, density: 500}"
        self.refused(old, new, "bodies.cube.solid", "element 4", "cube.msh", "another region", "must not overlap")

    def test_element_without_material(self):
        self.write("cube.msh", mesh(regions=[1, 1, 1, 4, 1]))
        self.refused(None, None, f"scene.yaml:{line_of(SCENE, 'cube.msh')}: ", "element 4", "cube.msh", "give its region a material")

    def test_material_for_a_surface(self):
        self.refused("inside:", "skin:", "'skin'", "not made of tetrahedra", "needs a volume region")

    def test_contact_on_a_volume_region(self):
        self.refused("cube.bottom", "cube.inside", "contacts.touch", "'inside'", "not a surface", "contact acts on surfaces")

    def test_unknown_body_and_surface_of_a_contact(self):
        self.refused("cube.bottom", "cub.bottom", "no body 'cub'", "the nearest is 'cube'")
        self.refused("against: floor", "against: flor", "no surface or body 'flor'", "the nearest is 'floor'")

    def test_unknown_integrator(self):
        self.refused("end: 2e-3", "end: 2e-3, integrator: backward_oiler", "backward_oiler", "backward_euler")

    def test_incomplete_factors_of_nearly_incompressible_solids_without_inertia(self):
        for kind in ("ilu", "asm_ilu"):
            self.refused(None, None, f"solver.preconditioner: {kind} fails without inertia", "'inside' of body 'cube'", "take mumps, ml or hypre",
                         sets=["time.inertia=false", f"solver.preconditioner={kind}"], scene=SCENE.replace("poisson_ratio: 0.3", "poisson_ratio: 0.49"))

    def test_scene_that_is_not_yaml(self):
        self.write("scene.yaml", SCENE.replace("-9.81]", "-9.81"))
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], ["scene.yaml:2: ", "not valid YAML", "the '[' of this line is not closed"], ranks)

    def test_bad_set(self):
        self.refused(None, None, "--set time.step", "has no '='", "write it as path.to.key=value", sets=["time.step"])
        self.refused(None, None, "--set time.stop=1", "the nearest valid key is 'step'", sets=["time.stop=1"])
        self.refused(None, None, "--set time.step.4=1", "time.step", "set it as a whole", sets=["time.step.4=1"])
        self.refused(None, None, "--set time.end=soon", "time.end", "soon", sets=["time.end=soon"])
        self.refused(None, None, "--set contacts.tuch.thickness=1e-3: contacts.tuch: there is no entry 'tuch'; the nearest is 'touch'", "vertices: is missing",
                     sets=["contacts.tuch.thickness=1e-3"])

    def test_more_ranks_than_elements(self):
        for count in (1, 2, 3):
            tetrahedra = CUBE_TETRAHEDRA[:count]
            used = sorted({v for t in tetrahedra for v in t})
            tetrahedra = [tuple(used.index(v) for v in t) for t in tetrahedra]
            self.write("cube.msh", gmsh_text([CUBE_VERTICES[v] for v in used], [(1, *t) for t in tetrahedra],
                                             [(number, *t) for t in boundary(tetrahedra) for number in (2, 3)], NAMES))
            self.simulate(self.write("scene.yaml", SCENE), ranks=count, out=f"as_many_ranks_as_elements_{count}")
            self.refused(None, None, "cube.msh", f"{count} elements", f"use at most {count}", ranks=(2, 4) if count == 1 else (4,))

    def test_partition_of_another_mesh(self):
        self.write("scene.yaml", SCENE)
        code, _, errors = execute(["traction-partition", "scene.yaml", "--parts", "2", "--out", "two.h5"], folder=self.folder)
        self.assertEqual(code, 0, errors)
        self.write("cube.msh", mesh(tetrahedra=CUBE_TETRAHEDRA[::-1]))
        self.refused(None, None, "two.h5", "another mesh", "traction-partition", sets=["partition.file=two.h5"])

    def test_partition_file_missing_or_of_another_kind(self):
        self.refused(None, None, "nowhere.h5", "no such partition file", "traction-partition", sets=["partition.file=nowhere.h5"])
        self.refused(None, None, "cube.msh", "not an HDF5 file", "traction-partition", sets=["partition.file=cube.msh"])

    def test_more_parts_than_elements(self):
        self.write("scene.yaml", SCENE)
        for parts, remedy in (("6", "use at most 5"), ("0", "ask for at least 1")):
            self.assert_refused(["traction-partition", "scene.yaml", "--parts", parts], [remedy], 1)

    def test_command_line(self):
        self.write("scene.yaml", SCENE)
        for ranks in (1, 2):
            for words, *expected in (
                    (["traction"], "no command", "run, check, resume"),
                    (["traction", "rum", "scene.yaml"], "unknown command 'rum'; the nearest is 'run'", "see traction --help"),
                    (["traction", "run", "scene.yaml", "more.yaml"], "'more.yaml' was not expected", "see traction --help"),
                    (["traction", "run"], "scene is required", "see traction --help"),
                    (["traction", "run", "scene.yaml", "--out", "out", "--sett", "time.end=1"], "unknown option '--sett'; the nearest is '--set'", "see traction --help"),
                    (["traction", "run", "scene.yaml", "--outt=out"], "unknown option '--outt'; the nearest is '--out'", "see traction --help"),
                    (["traction", "check", "scene.yaml", "--estimates"], "unknown option '--estimates'; the nearest is '--estimate'"),
                    (["traction", "run", "scene.yaml", "-ksp_monitor"], "unknown option '-ksp_monitor'; choose one of: ", "options for PETSc follow after --"),
                    (["traction", "run", "scene.yaml", "--output", "out"], "unknown option '--output'; the nearest is '--out'"),
                    (["traction", "run", "-np", "4", "scene.yaml"], "'-np' is an option of mpirun", "mpirun -n 4 traction ..."),
                    (["traction-partition", "scene.yaml", "--parts", "1", "--cvs", "x"], "unknown option '--cvs'; the nearest is '--csv'", "see traction-partition --help"),
                    (["traction", "run", "scene.yaml", "--out"], "--out", "see traction --help"),
                    (["traction-partition", "scene.yaml"], "--parts is required", "see traction-partition --help")):
                with self.subTest(ranks=ranks, words=words):
                    self.assert_refused(words, expected, ranks)

    def test_petsc_options(self):
        self.write("scene.yaml", SCENE + "petsc: {ksp_type: gmress}\n")
        for ranks in (1, 2):
            code, output, errors = execute(["traction", "run", "scene.yaml", "--out", "out"], ranks, 60, self.folder)
            self.assertEqual(code, 2, errors)
            self.assertIn("PETSc refuses an option", errors)
            self.assertNotIn("PETSC ERROR", output + errors)
        outcome = self.simulate(self.write("scene.yaml", SCENE + "petsc: {ksp_tpye: gmres}\n"))
        self.assertIn("no option '-ksp_tpye'", outcome.errors)

    def test_more_petsc_options_than_petsc_has_room_for(self):
        options = [f"no_option_{k}" for k in range(401)]
        self.write("many.yaml", SCENE + "petsc: {" + ", ".join(f"{name}: 1" for name in options) + "}\n")
        self.write("scene.yaml", SCENE)
        words = [word for name in options for word in (f"-{name}", "1")]
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                self.assert_refused(["traction", "run", "many.yaml", "--out", "out"], ["many.yaml: petsc: contains 401 options, but PETSc accepts at most 400; remove those that have no effect"], ranks)
                self.assert_refused(["traction", "run", "scene.yaml", "--out", "out", "--", *words], ["command line: PETSc accepts at most 400 options; give fewer after --"], ranks)

    def test_where_petsc_writes_its_log(self):
        for ranks in (1, 2):
            for value in (":/no/such/folder/log", "nonsense"):
                words = ["traction", "run", self.write("scene.yaml", SCENE + f"petsc: {{log_view: '{value}'}}\n"), "--out", "out"]
                with self.subTest(ranks=ranks, value=value):
                    self.assert_refused(words, [f"PETSc refuses an option: -log_view {value}: ", "a file in a folder that exists"], ranks)
                    self.assert_refused(["traction", "run", self.write("scene.yaml", SCENE), "--out", "out", "--", "-log_view", value], ["-log_view"], ranks)
        self.in_running_program = False     # PETSc writes its log where the program ends
        outcome = self.simulate(SCENE + "petsc: {log_view: ':log.txt'}\n")
        self.assertNotIn("no option", outcome.errors)
        self.assertRegex((self.folder / "log.txt").read_text(), r"\nStageResidual +[1-9]")

    def test_regions_driven_in_two_ways(self):
        text = SCENE.replace("    volume: {surface: skin}\n", "    fixed: [bottom]\n    driven: [{vertices: skin, motion: {velocity: [1, 0, 0]}}]\n")
        self.write("scene.yaml", text)
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], ["'bottom' and 'skin'", "share vertices but not their motion"], ranks)

    def refused_pair(self, contact, *expected, lift=0.0, shift=0.0):
        """Two cubes, the second one metre plus `lift` above the first and `shift` aside, and one contact between them."""
        text = SCENE.replace("surfaces:", "  other:\n" + SCENE[SCENE.index("    mesh:"):SCENE.index("surfaces:")]
                             + f"    initial: {{translate: [{shift}, {shift}, {1 + lift}]}}\nsurfaces:") + f"  pair: {{{contact}}}\n"
        self.write("scene.yaml", text)
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], (f"scene.yaml:{text.count(chr(10))}: contacts.pair", *expected), ranks)

    def test_bodies_that_overlap(self):
        contact = "vertices: other.bottom, against: cube, thickness: 1e-2"
        self.refused_pair(contact, "other reaches 0.2 m into cube at (0.3, 0.3, 0.8)", "move the bodies apart", lift=-0.2, shift=0.3)
        self.refused_pair(contact, "other reaches 0.3 m into cube", lift=-0.45, shift=0.3)   # now its sides are nearer

    def test_bodies_in_millimetres_that_overlap(self):
        self.write("cube.msh", mesh(vertices=1000 * numpy.array(CUBE_VERTICES)))
        self.refused_pair("vertices: other.bottom, against: cube, thickness: 1e-2", "other reaches 300 m into cube", "'other' is 1000 m long: if its mesh is in millimetres, give it scale: 1e-3", lift=500.0, shift=300.0)

    def test_bodies_that_overlap_beyond_the_reach(self):
        # Cells of 1/8 m make a reach of 0.14 m; at 0.5 m depth contact itself would see nothing.
        self.write("cube.msh", box_text((8, 8, 8), (1, 1, 1)))
        scene = SCENE.replace("    volume: {surface: skin}\n", "").replace("inside:", "solid:").replace("  touch: {vertices: cube.bottom", "  touch: {vertices: cube")
        start = scene[scene.index("    mesh:"):scene.index("surfaces:")]
        pair = "  pair: {vertices: other.bottom, against: cube.surface, thickness: 1e-2}\n"
        text = scene.replace("surfaces:", "  other:\n" + start + "    initial: {translate: [0.25, 0.25, 0.5]}\nsurfaces:") + pair
        self.write("scene.yaml", text)
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"],
                                    [f"scene.yaml:{line_of(text, 'pair:')}: contacts.pair", "other reaches 0.5 m into cube", "move the bodies apart"], ranks)

    def test_body_in_an_obstacles_mesh(self):
        # A box, or a container, around the origin, whose triangles are so small that the cube's corners are out of their reach.
        for inward, depth, corner in ((False, 0.3, "(0, 0, 0)"), (True, 0.99, "(1, 1, 0)")):
            self.write("obstacle.obj", self.obstacle_text(24, 0.3, inward))
            scene = SCENE.replace("plane: {point: [0, 0, -0.5]}", "mesh: {file: obstacle.obj}")
            self.refused(None, None, f"scene.yaml:{line_of(scene, 'touch:')}: contacts.touch", f"cube reaches {depth} m into floor at {corner}", "move them apart", scene=scene)

    def test_an_obstacles_mesh_with_normals_to_the_wrong_side(self):
        # The cube is outside of a box whose normals point inward, or inside of one whose normals point outward; with the others it is good.
        for half, shift, wrong, hint in ((0.3, 1, True, "turn the triangles of floor around: their normals point into it"), (3, 0, False, "turn the triangles of floor around if it is to hold the body inside")):
            scene = SCENE.replace("plane: {point: [0, 0, -0.5]}", "mesh: {file: obstacle.obj}").replace("    volume:", f"    initial: {{translate: [0, 0, {shift}]}}\n    volume:")
            for way in ("", ", geometry: smooth_surface"):
                text = scene.replace("thickness: 1e-2}", f"thickness: 1e-2{way}}}")
                self.write("obstacle.obj", self.obstacle_text(6, half, wrong))
                self.refused(None, None, f"scene.yaml:{line_of(text, 'touch:')}: contacts.touch", "move them apart", hint, scene=text, ranks=(1,))
                self.write("obstacle.obj", self.obstacle_text(6, half, not wrong))
                self.simulate(self.write("scene.yaml", text), out="good")
                shutil.rmtree(self.folder / "good")

    def test_an_obstacle_in_a_body(self):
        # It lies between the vertices of the cube, none of which it touches.
        self.write("obstacle.obj", self.obstacle_text(1, 0.2, False).replace("0.2", "0.6").replace("-0.6", "0.3"))
        sheet = "\n".join(f"v {x} {y} 9" for x in (8, 9) for y in (8, 9)) + "\nf 1 2 3\n"
        self.write("sheet.obj", sheet + "v 0.4 0.4 0.5\nv 0.6 0.4 0.5\nv 0.4 0.6 0.5\nf 5 6 7\n")    # its second piece, and open
        box, sphere = "box: {lower: [0.3, 0.3, 0.3], upper: [0.6, 0.6, 0.6]}", "sphere: {center: [0.4, 0.5, 0.6], radius: 0.2}"
        cylinder = "cylinder: {point: [0.5, 0.4, 9], axis: [0, 0, 1], radius: 0.2}"
        ways = ("vertices: cube.bottom, against: floor", "vertices: cube, against: floor, geometry: smooth_surface", "all: true")
        for shape, found in ((box, "floor lies in cube"), ("mesh: {file: obstacle.obj}", "floor lies in cube"), ("mesh: {file: sheet.obj}", "floor lies in cube"),
                             (sphere, "the middle of floor lies in cube at (0.4, 0.5, 0.6)"), (cylinder, "the middle of floor lies in cube at (0.5, 0.4")):
            for way in ways:
                scene = SCENE.replace("plane: {point: [0, 0, -0.5]}", shape).replace(ways[0], way)
                self.refused(None, None, f"scene.yaml:{line_of(scene, 'touch:')}: contacts.touch", found, "move them apart", scene=scene, ranks=(1,))
        around = "box: {lower: [-3, -3, -3], upper: [3, 3, 3]}"
        for shape in (sphere.replace("0.2", "9"), cylinder.replace("0.2", "9"), around):
            for way in ways[1:]:
                scene = SCENE.replace("plane: {point: [0, 0, -0.5]}", shape).replace(ways[0], way)
                self.refused(None, None, "contacts.touch", "if 'cube' is to be inside of 'floor', give the surface inside: true", scene=scene, ranks=(1,))
        for shape in (sphere.replace("0.2", "9, inside: true"), cylinder.replace("0.2", "9, inside: true"), around.replace("3]}", "3], inside: true}"), sphere.replace("0.6]", "-0.3]"), cylinder.replace("0.5,", "-0.3,")):
            self.simulate(self.write("scene.yaml", SCENE.replace("plane: {point: [0, 0, -0.5]}", shape)))
            shutil.rmtree(self.folder / "out")

    def test_a_cylinder_around_a_line_through_edges_of_a_body(self):
        # Through the middles of two faces of the cube, which lie on their diagonals: the axis itself passes through the inside of no triangle.
        for way in ("vertices: cube.bottom, against: floor", "all: true"):
            scene = SCENE.replace("plane: {point: [0, 0, -0.5]}", "cylinder: {point: [0.5, 0.5, 9], axis: [0, 0, 1], radius: 0.1}").replace("vertices: cube.bottom, against: floor", way)
            self.refused(None, None, f"scene.yaml:{line_of(scene, 'touch:')}: contacts.touch", "the middle of floor lies in cube at (0.5", "move them apart", scene=scene)

    def test_a_piece_of_a_body_in_another_one(self):
        """Neither crosses the other's surface. In a hollow of the other it is free."""
        block, speck = box((3, 3, 3), (3, 3, 3)), tetrahedron(0.1).moved((0.03, 0.02, 1.5))
        inner = numpy.all(numpy.abs(block.points[block.cells].mean(axis=1) - (0, 0, 1.5)) < 0.5, axis=1)
        for contact in ("all: true", "vertices: cube, against: cube"):
            for hollow in (False, True):
                cells = block.cells[~inner] if hollow else block.cells
                both = [*map(tuple, cells.tolist()), *map(tuple, (speck.cells + len(block.points)).tolist())]
                self.write("cube.msh", mesh([*map(tuple, block.points.tolist()), *map(tuple, speck.points.tolist())], both))
                scene = SCENE.replace("    volume: {surface: skin}\n", "").replace("vertices: cube.bottom, against: floor", contact)
                if hollow:
                    self.simulate(self.write("scene.yaml", scene), out="good")
                    shutil.rmtree(self.folder / "good")
                else:
                    self.refused(None, None, "cube.msh: the tetrahedra ", "overlap at (", "Remove what is meshed twice", scene=scene)

    def test_an_obstacle_that_fits_between_vertices_is_warned_of(self):
        # Below the cube, whose longest edges are diagonals of its faces. Faces touch these shapes, except for cylinders that turn out of their direction, and except for the layers of asynchronous contact.
        turns, tilts, quiet = ", motion: {angular_velocity: [0, 1, 0], about: [0, 0.5, 0]}", ", motion: {angular_velocity: [1, 0, 0], about: [0, 0.5, 0]}", ""
        for width, warned in ((1.4, True), (1.43, False), (200, False)):
            for shape in (f"sphere: {{center: [0.4, 0.5, {-1 - width / 2}], ", f"cylinder: {{point: [0.5, 0.4, {-1 - width / 2}], axis: [0, 1, 0], "):
                for way, ranks, integrator, motion in (("vertices: cube.bottom, against: floor", 1, "sdirk2", turns), ("vertices: cube.bottom, against: floor", 1, "sdirk2", tilts), ("vertices: cube.bottom, against: floor", 1, "sdirk2", quiet),
                                                      ("vertices: cube.bottom, against: floor, geometry: smooth_surface", 1, "sdirk2", quiet), ("all: true", 1, "sdirk2", turns),
                                                      ("all: true", 2, "sdirk2", tilts), ("all: true", 2, "sdirk2", quiet), ("all: true", 1, "asynchronous", quiet)):
                    scene = SCENE.replace("plane: {point: [0, 0, -0.5]}", f"{shape}radius: {width / 2}}}{motion}").replace("vertices: cube.bottom, against: floor", way)
                    expected = (motion == tilts and "cylinder" in shape) or integrator == "asynchronous" or "smooth" in way
                    scene = scene.replace("    volume: {surface: skin}\n", "").replace("end: 2e-3", f"end: 2e-3, integrator: {integrator}")
                    with self.subTest(width=width, shape=shape, way=way, ranks=ranks, integrator=integrator, motion=motion):
                        outcome = self.run_program("check", self.write("scene.yaml", scene), ranks=ranks)
                        self.assertEqual(outcome.code, 0, outcome.errors)
                        self.assertEqual(outcome.errors.count(f"'floor' is {width} m wide and touched by vertices that are up to 1.41 m apart: it may pass between them"), warned and expected, outcome.errors)
                        # What is a little too wide for that still lies deep in a face before it touches a vertex; a large one does not.
                        self.assertEqual(outcome.errors.count("'floor' is touched by vertices alone, which are up to 1.41 m apart: between them it can lie"), width == 1.43 and expected, outcome.errors)

    def obstacle_text(self, cells, half, inward):
        """The surface of the cube [-half, half]^3 as an .obj file, each face in cells x cells squares."""
        numbers, faces = {}, []
        for axis in range(3):
            for side in (0, cells):
                for i, j in ((i, j) for i in range(cells) for j in range(cells)):
                    corners = []
                    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        point = [0, 0, 0]
                        point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3] = side, i + a, j + b
                        corners.append(numbers.setdefault(tuple(point), len(numbers) + 1))
                    faces.append(corners if (side > 0) != inward else corners[::-1])
        vertices = ["v " + " ".join(str(half * (2 * x / cells - 1)) for x in point) for point in numbers]
        return "\n".join(vertices + ["f " + " ".join(map(str, face)) for face in faces]) + "\n"

    def test_a_surface_that_is_not_a_manifold(self):
        # Two cubes that share the edge from (1, 1, 0) to (1, 1, 1) alone.
        number = {x: i for i, x in enumerate(dict.fromkeys(CUBE_VERTICES + [(x + 1, y + 1, z) for x, y, z in CUBE_VERTICES]))}
        second = [tuple(number[tuple(a + b for a, b in zip(CUBE_VERTICES[v], (1, 1, 0)))] for v in t) for t in CUBE_TETRAHEDRA]
        self.write("cube.msh", mesh(list(number), CUBE_TETRAHEDRA + second))
        scene = SCENE.replace("    volume: {surface: skin}\n", "").replace("vertices: cube.bottom, against: floor", "vertices: cube, against: cube.skin, exclusion_ring: 1")
        for against in ("cube.skin", "cube"):
            self.write("scene.yaml", scene.replace("against: cube.skin", f"against: {against}"))
            for ranks in (1, 2):
                with self.subTest(against=against, ranks=ranks):
                    self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"],
                                        ["cube.msh", "non-manifold", "more than two of its triangles", "(1, 1, 0)", "(1, 1, 1)", "remesh"], ranks)

    def test_contact_with_a_body(self):
        self.refused_pair("both: [cube, cube], thickness: 1e-2", "names the same body twice", "write vertices: and against:")
        self.refused_pair("vertices: cube, against: cube, geometry: smooth_surface, thickness: 1e-2", "exclusion_ring", "is missing", "give the number of edges")
        self.refused_pair("vertices: cube, against: other.skim, thickness: 1e-2", "no region 'skim'", "(it has: skin, bottom, boundary)")
        self.refused_pair("vertices: cube.bottom, against: other.skin, geometry: smooth_surface, thickness: 2", "too large for the reach", "raise surface.radius_multiplier", lift=2.5)

    def test_a_body_without_equilibrium_leaves_no_folder(self):
        scene = self.write("scene.yaml", SCENE.replace("    volume: {surface: skin}", "    initial: {equilibrium: true}").replace("-0.5]", "-50]"))
        (self.folder / "empty").mkdir()
        for ranks in (1, 2):
            for out in ("out", "empty"):
                with self.subTest(ranks=ranks, out=out):
                    code, _, errors = execute(["traction", "run", scene, "--out", out], ranks, 60, self.folder)
                    self.assertEqual(code, 2, errors)
                    self.assertIn("nothing supports body 'cube'", errors)
                    self.assertEqual(list(self.folder.glob("*out*")) + list((self.folder / "empty").iterdir()), [])

    def test_a_surface_inside_a_body(self):
        inner = mesh(skin=[*boundary(CUBE_TETRAHEDRA), (0, 3, 6)])   # between two tetrahedra
        self.write("cube.msh", inner)
        scene = SCENE.replace("    volume: {surface: skin}\n", "").replace("vertices: cube.bottom, against: floor", "vertices: cube, against: cube.skin, exclusion_ring: 1")
        self.write("scene.yaml", scene)
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], ["'skin'", "not an outer face", "name an outer surface"], ranks)

    def test_mesh_of_an_obstacle(self):
        corners = "v 0 0 -1\nv 1 0 -1\nv 0 1 -1\nv 1 1 -1\n"
        edge = "the edge from (1, 0, -1) to (0, 1, -1)"
        for text, *expected in ((None, "no such file"), ("v 0 0 0\n", "holds no triangles"),
                                (corners + "f 1 2 3\nf 2 3 4\n", "triangles 1 and 2 are oriented differently", edge, "point out of the obstacle"),
                                (corners + "f 1 2 3\nf 2 3 1\n", "triangles 1 and 2 are one triangle twice", "leave one of them out"),
                                (corners + "v 1 1 0\nf 1 2 3\nf 3 2 4\nf 2 3 5\n", "non-manifold", edge, "3 triangles (1, 2, 3)", "leave out"),
                                ("v 0 0 -1\nv 1 0 -1\nv 2 0 -1\nf 1 2 3\n", "degenerate")):
            if text is not None:
                self.write("floor.obj", text)
            with self.subTest(expected=expected):
                self.refused("plane: {point: [0, 0, -0.5]}", "mesh: {file: floor.obj}", "surfaces.floor", "floor.obj", *expected)
        self.write("floor.stl", self.stl_text([((0, 0, -1), (1, 0, -1), (0, 1, -1)), ((1, 0, -1), (0, 1, -1), (1, 1, -1))]))
        self.refused("plane: {point: [0, 0, -0.5]}", "mesh: {file: floor.stl}", "surfaces.floor", "floor.stl", "triangles 1 and 2 are oriented differently", edge)
        self.write("floor.stl", self.stl_text([((0, 0, -1), (1, 0, -1), (0, 1, -1)), ((0, 1, -1), (1, 0, -1), (1, 1, -1)), ((0, 1, -1), (1, 0, -1), (1, 1, 0))]))
        self.refused("plane: {point: [0, 0, -0.5]}", "mesh: {file: floor.stl}", "surfaces.floor", "floor.stl", "non-manifold", edge, "3 triangles (1, 2, 3)")

    def test_a_file_that_is_no_mesh_of_an_obstacle(self):
        picture = b"\x89PNG\r\n\x1a\n" + bytes(40)
        for name, content, expected in (("floor.stl", b"", "the file is empty"), ("floor.msh", b"", "the file is empty"), ("floor.obj", b"", "the file is empty"),
                                        ("floor.png", picture, "is a picture, and no mesh. Give a mesh file"), ("floor.stl", picture, "is a picture, and no mesh"),
                                        ("floor.vtu", picture, "is a picture, and no mesh"), ("floor.obj", b"PK\x03\x04" + bytes(40), "is a zip archive, and no mesh. Unpack it first")):
            (self.folder / name).write_bytes(content)
            scene = SCENE.replace("plane: {point: [0, 0, -0.5]}", f"mesh: {{file: {name}}}")
            self.write("scene.yaml", scene)
            for ranks in (1, 2):
                with self.subTest(name=name, ranks=ranks):
                    self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], [f"scene.yaml:{line_of(scene, 'floor:')}", f"{name}: {expected}"], ranks)

    def stl_text(self, triangles):
        loops = ["facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in corners) + "endloop\nendfacet\n" for corners in triangles]
        return "solid floor\n" + "".join(loops) + "endsolid floor\n"

    def test_resume_without_a_checkpoint(self):
        (self.folder / "empty").mkdir()
        for ranks in (1, 2):
            self.assert_refused(["traction", "resume", "empty"], ["empty", "no checkpoint", "start with traction run"], ranks)
            self.assert_refused(["traction", "resume", "nowhere"], ["nowhere: no such folder", "give the output folder of a run"], ranks)

    def test_refused_runs_leave_earlier_results_alone(self):
        good = self.simulate(self.write("scene.yaml", SCENE), out="earlier")
        self.assertEqual(len(good.history["step"]), 2)
        self.write("scene.yaml", SCENE.replace("density: 1000", "density: -1000"))
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", "scene.yaml", "--out", "earlier"], ["density"], ranks)
            self.assert_refused(["traction", "resume", "earlier", "--set", "time.integrator=sdirk4"], ["sdirk"], ranks)
        for other in (mesh([*CUBE_VERTICES, (2, 2, 2)], [*CUBE_TETRAHEDRA, (7, 5, 3, 8)], skin=boundary(CUBE_TETRAHEDRA)),
                      mesh(CUBE_VERTICES, [*CUBE_TETRAHEDRA[1:], CUBE_TETRAHEDRA[0]], skin=boundary(CUBE_TETRAHEDRA))):
            self.write("cube.msh", other)
            for ranks in (1, 2):
                self.assert_refused(["traction", "resume", "earlier", "--set", "time.end=1"], ["checkpoints", "belongs to other meshes", "start a new run"], ranks)


if __name__ == "__main__":
    unittest.main()
