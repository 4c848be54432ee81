"""Settings that nothing uses are refused where they can only be mistakes, and warned of elsewhere."""

import unittest

from bad_scene import SCENE, BadSceneTest, mesh
from traction_runs import CUBE_VERTICES


class IdleSettings(BadSceneTest):
    def test_motions_that_move_nothing(self):
        held = SCENE.replace("    volume: {surface: skin}", "    driven: [{vertices: another, motion: {velocity: [0, 0, 1]}}]").replace("-0.5]}}", "-0.5]}, motion: {velocity: [0, 0, 1]}}")
        for scene, place in ((held.replace("motion: {velocity: [0, 0, 1]}}\ncontacts", "motion: {}}\ncontacts"), "surfaces.floor.motion"),
                             (held.replace("another, motion: {velocity: [0, 0, 1]}", "another, motion: [{start: 0.1}]"), "bodies.cube.driven.0.motion.0")):
            self.refused(None, None, "scene.yaml:", place + ": has neither 'velocity' nor 'angular_velocity', so that nothing moves", scene=scene)
        self.refused("another, motion: {velocity: [0, 0, 1]}", "another, motion: {velocity: [0, 0, 1], about: [1, 0, 0]}",
                     "bodies.cube.driven.0.motion.about", "the centre of a rotation that has no speed; give 'angular_velocity'", scene=held)

    def test_a_contact_that_is_given_twice(self):
        self.refused(None, None, "scene.yaml:13: contacts.again: names the sides of the contact 'touch' again (", "scene.yaml:12: contacts.touch)", "name the pair once",
                     scene=SCENE + "  again: {vertices: cube.bottom, against: floor, thickness: 1e-2}\n")
        all_twice = SCENE.replace("vertices: cube.bottom, against: floor", "all: true") + "  again: {all: true, thickness: 1e-2}\n"
        self.refused(None, None, "contacts.again: names the sides of the contact 'touch' again", scene=all_twice)
        layers = self.write("scene.yaml", SCENE + "  again: {vertices: cube.bottom, against: floor, thickness: 5e-3}\n")
        self.assertEqual(self.run_program("check", layers).code, 0)

    def test_a_pair_that_is_named_in_both_orders(self):
        self.write("other.msh", mesh([(x, y, z + 2) for x, y, z in CUBE_VERTICES]))
        other = SCENE[SCENE.index("  cube:"): SCENE.index("surfaces:")].replace("cube", "other")
        scene = SCENE.replace("surfaces:", other + "surfaces:")
        first, second = ("vertices: cube, against: other", "vertices: other, against: cube")
        for sides in ((first, second), (second, first), (first, "both: [other, cube]"), ("both: [cube, other]", second), ("both: [cube, other]", "both: [other, cube]"),
                      (first + ", geometry: smooth_surface", second), ("both: [cube, other], geometry: smooth_surface", second + ", geometry: smooth_surface")):
            contacts = "".join(f"  pair{k}: {{{side}, thickness: 1e-2}}\n" for k, side in enumerate(sides))
            self.refused(None, None, "scene.yaml:19: contacts.pair1: names the sides of the contact 'pair0' again (", "scene.yaml:18: contacts.pair0)", "name the pair once",
                         scene=scene + contacts)
        # Layers; and smooth surfaces, which the vertices of one side touch.
        for sides, thicker in (((first, second), 2), ((first + ", geometry: smooth_surface", second + ", geometry: smooth_surface"), 1)):
            contacts = "".join(f"  pair{k}: {{{side}, thickness: {1e-2 * thicker**k}}}\n" for k, side in enumerate(sides))
            outcome = self.run_program("check", self.write("scene.yaml", scene + contacts))
            self.assertEqual(outcome.code, 0, outcome.errors)

    def test_a_whole_body_and_a_region_of_it_against_the_same_side(self):
        again = "  again: {vertices: cube, against: floor, thickness: 1e-2}\n"
        self.refused(None, None, "scene.yaml:13: contacts.again: names 'cube' and 'floor', and the contact 'touch' (", "scene.yaml:12: contacts.touch) 'cube.bottom' and 'floor'",
                     "a whole body and a region of it, which would be pushed twice; name the whole body alone, or a region in each", scene=SCENE + again)
        self.write("other.msh", mesh([(x, y, z + 2) for x, y, z in CUBE_VERTICES]))
        other = SCENE[SCENE.index("  cube:"): SCENE.index("surfaces:")].replace("cube", "other")
        scene = SCENE.replace("surfaces:", other + "surfaces:")

        def with_contacts(*sides):
            return scene + "".join(f"  pair{k}: {{{side}, thickness: 1e-2}}\n" for k, side in enumerate(sides))
        for sides in (("vertices: cube, against: other", "vertices: cube.skin, against: other"), ("vertices: cube.skin, against: other", "vertices: other.bottom, against: cube"),
                      ("both: [cube.skin, other.bottom]", "both: [other, cube]")):
            self.refused(None, None, "scene.yaml:19: contacts.pair1: names '", "and the contact 'pair0' (", "a whole body and a region of it", scene=with_contacts(*sides))
        for sides in (("vertices: cube.bottom, against: other", "vertices: cube.skin, against: other"), ("vertices: cube.skin, against: other.skin", "vertices: cube.bottom, against: other.skin")):
            outcome = self.run_program("check", self.write("scene.yaml", with_contacts(*sides)))
            self.assertEqual(outcome.code, 0, outcome.errors)

    def test_modes_name_all_loads_that_turn_in_one_warning(self):
        loads = "    loads: {gas: {region: skin, pressure: 5}, twist: {torque: [1, 0, 0]}, pull: {region: skin, traction: [1, 0, 0]}}"
        scene = self.write("scene.yaml", SCENE.replace("    volume: {surface: skin}", loads))
        outcome = self.run_program("modes", scene, options=["--count", "1", "--out", self.folder / "modes"])
        self.assertEqual(outcome.code, 0, outcome.errors)
        self.assertEqual(outcome.errors.count("modes keep the forces of"), 1, outcome.errors)
        self.assertIn("bodies.cube.loads.gas, ", outcome.errors)
        self.assertIn("bodies.cube.loads.twist: modes keep the forces of these loads in their initial directions", outcome.errors)

    def test_a_volume_excluded_from_a_region(self):
        self.refused("volume: {surface: skin}", "volume: {region: inside, excluded_volume: 0.1}", "bodies.cube.volume.excluded_volume", "lies within a surface", "leave it out")

    def test_loads_on_what_is_held_are_warned_of(self):
        for body, expected in (("fixed: bottom, loads: {push: {region: bottom, pressure: 5}}", "loads.push: everything that the load acts on, region 'bottom', is fixed or driven for good by 'cube.bottom': it moves nothing"),
                               ("fixed: skin, loads: {push: {region: bottom, force: [1, 0, 0]}}", "acts on, region 'bottom', is fixed or driven for good by 'cube.skin'"),
                               ("driven: [{vertices: skin, motion: {velocity: [0, 0, 1]}}], loads: {turn: {torque: [1, 0, 0]}}", "acts on, the whole body, is fixed or driven for good by 'cube.skin'"),
                               ("fixed: bottom, loads: {push: {region: skin, pressure: 5}}", None),
                               ("fixed: {region: bottom, until: 1e-3}, loads: {push: {region: bottom, pressure: 5}}", None),
                               ("fixed: {region: bottom, components: [x, y]}, loads: {push: {region: bottom, pressure: 5}}", None)):
            with self.subTest(body=body):
                # A contact needs something that is free.
                scene = SCENE[: SCENE.index("surfaces:")].replace("    volume: {surface: skin}", "    " + body.replace(", loads", "\n    loads"))
                for ranks in (1, 2):
                    outcome = self.run_program("check", self.write("scene.yaml", scene), ranks=ranks)
                    self.assertEqual(outcome.code, 0, outcome.errors)
                    self.assertEqual(outcome.errors.count(expected or "everything that the load acts on"), 1 if expected else 0, outcome.errors)

    def test_what_has_no_effect_is_warned_of(self):
        moving = SCENE.replace("    volume: {surface: skin}", "    driven: [{vertices: bottom, motion: {velocity: [0, 0, 1], start: 1}}]").replace("vertices: cube.bottom", "vertices: cube.skin")
        for scene, expected in ((moving, "bodies.cube.driven.0: its motion begins at 1 s, and the run ends at 0.002 s"),
                (SCENE.replace("-0.5]}}", "-0.5]}, motion: {velocity: [0, 0, 1], start: 2}}"), "surfaces.floor: its motion begins at 2 s"),
                (SCENE.replace("    volume: {surface: skin}", "    loads: {pull: {force: [0, 0, 1], over: [{time: 1, factor: 0}, {time: 2, factor: 1}]}}"),
                 "bodies.cube.loads.pull: its table 'over' begins at 1 s, and the run ends at 0.002 s: only its first factor, 0, acts"),
                (SCENE + "output: {every: 1e-3, fields: [tension]}\n", "output.fields: 'tension' is a field of shells, which the scene does not have"),
                (SCENE + "output: {every: 1e-3, fields: [twist]}\n", "output.fields: 'twist' is a field of rods"),
                (SCENE + "pressure_fields: {floor: {modulus: 1e5, thickness: 0.1}}\n", "pressure field 'floor' is in no pressure contact, and has no effect"),
                (SCENE.replace("end: 2e-3", "end: 2e-3, integrator: asynchronous") + "solver: {tolerance: 1e-9}\n", "solver: has no effect with integrator: asynchronous"),
                (SCENE.replace("end: 2e-3", "end: 2e-3, integrator: asynchronous").replace("1e-2}", "1e-2, friction: {dynamic: 0.3, tolerance: 1e-2}}"),
                 "contacts.touch.friction.tolerance: has no effect with integrator: asynchronous")):
            with self.subTest(expected=expected):
                outcome = self.run_program("check", self.write("scene.yaml", scene))
                self.assertEqual(outcome.code, 0, outcome.errors)
                self.assertEqual(outcome.errors.count(expected), 1, outcome.errors)
        self.assertNotIn("has no effect", self.run_program("check", self.write("scene.yaml", SCENE)).errors)


if __name__ == "__main__":
    unittest.main()
