"""postprocess/scene_from_inp: Abaqus's constants become ours, and the scenes that it writes run and give the closed forms of Abaqus's own laws."""

import math
import sys
import unittest

import abaqus_files
from abaqus_files import POSTPROCESS, SIZE, SYMMETRIC, cubes, oriented
from closed_forms import expect_closed_form
from traction_runs import CUBE_VERTICES

sys.path.insert(0, str(POSTPROCESS))
from inp_keywords import InputFault, Keyword, keyword_of  # noqa: E402
from inp_materials import SYSTEMS, MaterialReader, Notes, chains  # noqa: E402

SI = SYSTEMS["m-kg-s"]


def keyword(text):
    """A keyword with its lines."""
    first, *rest = text.strip().splitlines()
    result = keyword_of(first, "model.inp:1")
    result.lines = [(line, f"model.inp:{number}") for number, line in enumerate([first, *rest], 1)]
    return result


def material(*options, units=SI, linear=False):
    reader = MaterialReader(Keyword("MATERIAL", {"NAME": "rubber"}, "model.inp:1", []))
    reader.options = [keyword(option) for option in options]
    notes = Notes()
    return reader.material(units, linear, notes), notes


class Constants(unittest.TestCase):
    def test_ogden(self):
        """2 mu / alpha^2 there is mu / alpha here; the shear modulus for small strains is the sum of Abaqus's mu_i."""
        found, _ = material("*HYPERELASTIC, OGDEN, N=3\n6.E5, 1.3, 4.E3, 5., -1.E4, -2., 1.E-9, 0.\n0.")
        for got, expected in zip(found.law["shear_moduli"], (2 * 6e5 / 1.3, 2 * 4e3 / 5, 1e4)):
            self.assertAlmostEqual(got / expected, 1, delta=1e-12)
        self.assertEqual(found.law["exponents"], [1.3, 5, -2])
        self.assertAlmostEqual(found.shear, 6e5 + 4e3 - 1e4)
        self.assertAlmostEqual(sum(mu * alpha / 2 for mu, alpha in zip(found.law["shear_moduli"], found.law["exponents"])) / found.shear, 1, delta=1e-12)
        self.assertAlmostEqual(found.bulk / 2e9, 1, delta=1e-12)

    def test_arruda_boyce(self):
        """The shear modulus for small strains is twice the slope of Abaqus's energy over I1 at 3."""
        mu, limit = 3e5, 4.0
        slope = mu * sum(c * n * 3 ** (n - 1) / limit ** (2 * n - 2) for n, c in enumerate((1 / 2, 1 / 20, 11 / 1050, 19 / 7000, 519 / 673750), 1))
        self.assertAlmostEqual(chains(mu, limit) / (2 * slope), 1, delta=1e-12)
        found, _ = material("*HYPERELASTIC, ARRUDA-BOYCE\n3.E5, 4., 1.E-9")
        self.assertAlmostEqual(found.law["shear_modulus"] / (2 * slope), 1, delta=1e-12)
        self.assertEqual(found.law["locking_stretch"], 4)

    def test_polynomials(self):
        for option, expected in (
            ("NEO HOOKE\n3.E5, 1.E-9", {"material": "mooney_rivlin", "c10": 3e5, "c01": 0, "bulk_modulus": 2e9}),
            ("MOONEY-RIVLIN\n3.E5, 8.E4, 1.E-9", {"material": "mooney_rivlin", "c10": 3e5, "c01": 8e4, "bulk_modulus": 2e9}),
            ("N=1\n3.E5, 8.E4, 1.E-9", {"material": "mooney_rivlin", "c10": 3e5, "c01": 8e4, "bulk_modulus": 2e9}),
            ("YEOH\n3.E5, -3.E3, 90., 1.E-9", {"material": "yeoh", "c10": 3e5, "c20": -3e3, "c30": 90, "bulk_modulus": 2e9}),
            ("REDUCED POLYNOMIAL, N=2\n3.E5, -3.E3, 1.E-9, 0.", {"material": "yeoh", "c10": 3e5, "c20": -3e3, "c30": 0, "bulk_modulus": 2e9}),
            ("POLYNOMIAL, N=2\n3.E5, 0., -3.E3, 0., 0., 1.E-9", {"material": "yeoh", "c10": 3e5, "c20": -3e3, "c30": 0, "bulk_modulus": 2e9}),
        ):
            with self.subTest(option):
                found, _ = material(f"*HYPERELASTIC, {option}")
                self.assertEqual({key: round(value) if isinstance(value, float) else value for key, value in found.law.items()}, expected)
                self.assertEqual(found.solid()["pressure"], "nodal_average")

    def test_incompressible_rubber_gets_a_stated_bulk_modulus(self):
        found, notes = material("*HYPERELASTIC, NEO HOOKE\n3.E5, 0.")
        self.assertAlmostEqual(found.law["bulk_modulus"] / 6e8, 1, delta=1e-12)
        self.assertTrue(any("1000 times its shear modulus" in text for _, text in notes.choices))

    def test_relaxation(self):
        """G(t) = G0 (1 - sum g (1 - e^(-t/tau))) = G (1 + sum r e^(-t/tau)), G = G0 (1 - sum g), r = g / (1 - sum g); constants are long-term ones by default."""
        prony = "*VISCOELASTIC, TIME=PRONY\n0.2, 0., 0.1\n0.3, 0., 2."
        slow, _ = material("*HYPERELASTIC, MOONEY-RIVLIN\n3.E5, 1.E5, 1.E-9", prony)
        sudden, _ = material("*HYPERELASTIC, MOONEY-RIVLIN, MODULI=INSTANTANEOUS\n3.E5, 1.E5, 1.E-9", prony)
        for found, factor in ((slow, 1), (sudden, 0.5)):
            self.assertAlmostEqual(found.law["c10"], 3e5 * factor, delta=1e-6)
            self.assertAlmostEqual(found.law["c01"], 1e5 * factor, delta=1e-6)
            self.assertAlmostEqual(found.law["bulk_modulus"], 2e9, delta=1)
            for branch, (ratio, time) in zip(found.law["prony"], ((0.4, 0.1), (0.6, 2))):
                self.assertAlmostEqual(branch["ratio"], ratio, delta=1e-12)
                self.assertEqual(branch["time"], time)
        # The modulus of sudden loads is that of the file.
        self.assertAlmostEqual(sudden.law["c10"] * (1 + sum(branch["ratio"] for branch in sudden.law["prony"])), 3e5, delta=1e-6)
        elastic, _ = material("*ELASTIC, MODULI=INSTANTANEOUS\n3.E6, 0.4", "*VISCOELASTIC, TIME=PRONY\n0.5, 0.2, 0.1")
        self.assertAlmostEqual(2 * elastic.law["c10"], 0.5 * 3e6 / 2.8, delta=1e-6)
        self.assertAlmostEqual(elastic.law["bulk_modulus"], 0.8 * 3e6 / 0.6, delta=1e-6)
        with self.assertRaisesRegex(InputFault, "add up to 1"):
            material("*ELASTIC\n3.E6, 0.4", "*VISCOELASTIC, TIME=PRONY\n0.5, 0., 0.1\n0.5, 0., 1.")

    def test_units(self):
        found, _ = material("*HYPERELASTIC, NEO HOOKE\n0.3, 0.001", "*DENSITY\n1.1E-9,", "*VISCOELASTIC, TIME=PRONY\n0.5, 0., 0.1", "*DAMPING, ALPHA=3., BETA=1.E-4", units=SYSTEMS["mm-t-s"])
        self.assertAlmostEqual(found.law["c10"], 3e5, delta=1e-6)
        self.assertAlmostEqual(found.bulk, 2e9, delta=1)
        self.assertAlmostEqual(found.density, 1100, delta=1e-9)
        self.assertEqual(found.damping, (3, 1e-4))
        found, _ = material("*ELASTIC\n0.003, 0.3", "*DENSITY\n1.1E-6,", "*DAMPING, ALPHA=3.", units=SYSTEMS["mm-kg-ms"])   # GPa, kg/mm^3
        self.assertAlmostEqual(found.law["youngs_modulus"], 3e6, delta=1e-6)
        self.assertAlmostEqual(found.density, 1100, delta=1e-9)
        self.assertAlmostEqual(found.damping[0], 3000)
        self.assertTrue(any("1.1e-09 kg/m^3, which no solid has" in text for _, text in material("*ELASTIC\n3., 0.3", "*DENSITY\n1.1E-9,")[1].choices))
        pound = SYSTEMS["in-lbf-s"]
        self.assertAlmostEqual(pound.pressure, 6894.757, delta=1e-3)   # psi
        self.assertAlmostEqual(pound.force, 4.4482216, delta=1e-6)     # lbf

    def test_laws_by_the_kind_of_analysis(self):
        self.assertEqual(material("*ELASTIC\n2.E11, 0.3", linear=True)[0].law["material"], "linear_elastic")
        for option in ("ELASTIC\n2.E11, 0.3", "HYPERELASTIC, NEO HOOKE\n3.E5, 1.E-9"):
            self.assertTrue(any("no step has NLGEOM" in text for _, text in material(f"*{option}", linear=True)[1].choices))
        self.assertEqual(material("*ELASTIC\n2.E11, 0.3")[0].law["material"], "neo_hookean")

    def test_what_traction_has_no_law_for(self):
        for option in ("HYPERELASTIC, MARLOW", "HYPERELASTIC, VAN DER WAALS\n1., 2.", "HYPERELASTIC, OGDEN, TEST DATA INPUT", "HYPERELASTIC, REDUCED POLYNOMIAL, N=4\n1., 1., 1., 1.",
                       "HYPERELASTIC, POLYNOMIAL, N=2\n1., 1., 1., 0., 0.", "HYPERFOAM\n1., 2.", "ELASTIC, TYPE=LAMINA\n1., 2.", "HYPERELASTIC, OGDEN, N=1\n1., 0.", "HYPERELASTIC, NEO HOOKE\n-1., 0."):
            with self.subTest(option), self.assertRaisesRegex(InputFault, "model.inp:1: "):
                material(f"*{option}")


class Bodies(abaqus_files.TranslationTest):
    STEEL = ["*Density", "7.8e-9,", "*Elastic", "100., 0."]
    PULL = ["*Step, nlgeom=YES", "*Static", "0.25, 1.", "*Boundary", "low-z0, PINNED", "high-top, 1, 2", "high-top, 3, 3, {}", "*End Step"]

    def two(self, model, pull, gap=0.0, options=(), in_step=()):
        """The upper cube is turned by 90 degrees, so that the diagonals of the faces that meet are the same."""
        steps, high = [*(line.format(pull) for line in self.PULL[:-1]), *in_step, self.PULL[-1]], [f"0., 0., {SIZE + gap}", "5., 5., 0., 5., 5., 1., 90."]
        return self.translate(cubes({"low": self.STEEL, "high": self.STEEL}, steps, {"high": high}, model), "--units", "mm-t-s", *options)

    def test_tied_cubes_are_one_bar(self):
        """Without lateral contraction: force per area E/2 (s - 1/s) of the neo-Hookean solid (docs/theory/balance.md, (B6), with lambda = 0)."""
        scene, _, _ = self.two(["*Tie, name=glue, adjust=no", "high-z0-face, low-top-face"], 2.0)
        self.assertEqual(scene["attachments"], {"glue": {"vertices": "high_1.high-z0-face", "to": "low_1.low-top-face"}})
        self.check()
        for ranks in (1, 2):
            last = self.simulate(self.folder / "model.yaml", ranks=ranks, out=f"out_{ranks}").last_row()
            expect_closed_form(self, field="models of Abaqus", case=f"two tied cubes, stretched by 10 %, {ranks} rank{'s' if ranks > 1 else ''}: force", source="E A (s - 1/s) / 2", expected=0.5 * 100e6 * 1e-4 * (1.1 - 1 / 1.1),
                               got=last["high_1.high-top.fz"], tolerance=1e-3, mesh="5 tetrahedra each", step="static")

    def test_contact_pairs_press(self):
        scene, _, errors = self.two(["*Surface Interaction, name=rough", "1.,", "*Friction", "0.4,", "*Contact Pair, interaction=rough", "high-z0-face, low-top-face"], -2.02, 0.02, ("--thickness", "1e-5"))
        self.assertEqual(scene["contacts"], {"high_z0_face_low_top_face": {"vertices": "high_1.high-z0-face", "against": "low_1.low-top-face", "thickness": 1e-5, "friction": {"dynamic": 0.4, "tolerance": 1e-6}}})
        self.assertIn("leave a gap", errors)
        self.check()
        last = self.simulate(self.folder / "model.yaml").last_row()
        # Both cubes are shortened by 10 %, and the gap by some part of the thickness of 0.01 mm, a hundredth of that.
        self.assertAlmostEqual(last["high_1.high-top.fz"] / (0.5 * 100e6 * 1e-4 * (0.9 - 1 / 0.9)), 1, delta=0.02)
        self.assertAlmostEqual(last["high_1.high-top.fz"] / -last["low_1.low-z0.fz"], 1, delta=1e-3)

    def test_friction_that_changes_in_a_step(self):
        """It is left out, and changes no interaction's own."""
        scene, _, errors = self.two(["*Surface Interaction, name=rough", "1.,", "*Friction", "0.4,", "*Contact Pair, interaction=rough", "high-z0-face, low-top-face"], -2.02, 0.02, ("--thickness", "1e-5"),
                                    ["*Change Friction, interaction=rough", "*Friction", "0.7,"])
        self.assertEqual([contact["friction"]["dynamic"] for contact in scene["contacts"].values()], [0.4])
        self.assertIn("*FRICTION: friction that changes in a step", errors)

    def test_exponential_decay(self):
        """mu_k + (mu_s - mu_k) exp(-d_c v), with d_c in s/mm."""
        scene, _, _ = self.two(["*Surface Interaction, name=decays", "*Friction, exponential decay", "0.6, 0.4, 0.05", "*Contact", "*Contact Inclusions, ALL EXTERIOR",
                                "*Contact Property Assignment", " ,  , decays"], -2.02, 0.02)
        friction = scene["contacts"]["general"]["friction"]
        self.assertEqual((friction["static"], friction["dynamic"]), (0.6, 0.4))
        self.assertAlmostEqual(friction["decay_velocity"], 0.02)
        self.check()

    def test_general_contact(self):
        scene, _, _ = self.two(["*Surface Interaction, name=slick", "*Contact", "*Contact Inclusions, ALL EXTERIOR", "*Contact Property Assignment", " ,  , slick"], -2.02, 0.02)
        self.assertEqual(scene["contacts"], {"general": {"all": True, "thickness": 1e-5}})
        self.check()

    def test_ten_node_tetrahedra(self):
        """They need no averaged pressure; where the material relaxes they are cut in parts that can."""
        text = ["*NODE, NSET=all", "1, 0, 0, 0", "2, 2, 0, 0", "3, 0, 2, 0", "4, 0, 0, 2", "5, 1, 0, 0", "6, 1, 1, 0", "7, 0, 1, 0", "8, 0, 0, 1", "9, 1, 0, 1", "10, 0, 1, 1",
                "*ELEMENT, TYPE=C3D10, ELSET=core", "1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10", "*MATERIAL, NAME=RUBBER", "*DENSITY", "1000", "*HYPERELASTIC, NEO HOOKE", "3.E5, 1.E-9", "RELAXATION",
                "*SOLID SECTION, ELSET=core, MATERIAL=RUBBER", "*BOUNDARY", "all, 1, 3", "*STEP, NLGEOM", "*STATIC", "*END STEP"]
        for lines in ([], ["*VISCOELASTIC, TIME=PRONY", "0.2, 0, 0.1"]):
            at = text.index("RELAXATION")
            with self.subTest(lines):
                scene, _, errors = self.translate("\n".join([*text[:at], *lines, *text[at + 1:]]))
                body = scene["bodies"]["model"]
                self.assertEqual(body.get("order"), 1 if lines else None)
                self.assertEqual("pressure" in body["solid"]["core"], bool(lines))
                self.assertIn("each is cut in eight" if lines else "which do not lock", errors)
                self.assertIn(", 8 tetrahedra," if lines else ", 1 ten-node tetrahedron,", self.check())

    def test_names_that_sets_share(self):
        """A set of elements keeps its name, a set of nodes of the same name is a region of its own; in a flat file that is read where it is."""
        nodes = [", ".join(map(str, [i, *vertex])) for i, vertex in enumerate(CUBE_VERTICES, 1)]
        elements = [", ".join(map(str, [i, *(v + 1 for v in t)])) for i, t in enumerate(oriented(), 1)]
        text = ["*NODE, NSET=block", *nodes, "*ELEMENT, TYPE=C3D4, ELSET=Block", *elements, "*NSET, NSET=low", "1, 2, 3, 4", "*MATERIAL, NAME=STEEL", "*ELASTIC", "1.E9, 0.3", "*SOLID SECTION, ELSET=BLOCK, MATERIAL=STEEL",
                "*BOUNDARY", "low, 1, 3", "BLOCK, 1, 1", "*STEP", "*STATIC", "*DLOAD", "Block, GRAV, 9.81, 0, 0, -1", "*NODE FILE", "U", "*END STEP"]
        scene, _, errors = self.translate("\n".join(text))
        body = scene["bodies"]["model"]
        self.assertEqual(body["mesh"], "model.inp")
        self.assertEqual(body["solid"], {"Block": {"material": "linear_elastic", "youngs_modulus": 1e9, "poisson_ratio": 0.3, "density": 1000.0}})
        self.assertEqual(body["fixed"], ["low", {"region": "Block_point", "components": ["x"]}])
        self.assertEqual(body["loads"]["dload_Block"]["body_force"], [0, 0, -9.81])
        self.assertIn("no *DENSITY", errors)
        self.check()


    def flat(self, *lines):
        """A flat file of two cubes, 2 apart along x, whose sets are mixed: (scene, its text, stderr)."""
        nodes = [", ".join(map(str, [i + 8 * cube, x + 2 * cube, y, z])) for cube in (0, 1) for i, (x, y, z) in enumerate(CUBE_VERTICES, 1)]
        elements = [[", ".join(map(str, [i + 5 * cube, *(v + 1 + 8 * cube for v in t)])) for i, t in enumerate(oriented(), 1)] for cube in (0, 1)]
        elements[1][0] = elements[1][0].replace(", 9,", ",\n9,", 1)   # continued in another line
        return self.translate("\n".join([
            "*NODE, NSET=ALL", *nodes, "*ELEMENT, TYPE=C3D4, ELSET=LEFT", *elements[0], "*ELEMENT, TYPE=C3D4", *elements[1], "*ELSET, ELSET=RIGHT, GENERATE", "6, 10", "*ELSET, ELSET=EVEN", "2, 4, 6, 8, 10",
            "*NSET, NSET=LOW", "1, 2, 3, 4", "9, 10, 11, 12", "*NSET, NSET=OF_RIGHT, ELSET=RIGHT", "*MATERIAL, NAME=A", "*ELASTIC", "1.E6, 0.3", "*DENSITY", "1000.,", "*MATERIAL, NAME=B", "*ELASTIC", "2.E6, 0.3", *lines]))

    def test_weight_of_a_set_of_solids_and_shells(self):
        """A tetrahedron and a triangle beside it, in one set: both have a weight, 9.81 N/kg of 1000/6 kg and of 50 kg."""
        nodes = ["*NODE", "1, 0, 0, 0", "2, 1, 0, 0", "3, 0, 1, 0", "4, 0, 0, 1", "5, 1, 1, 0"]
        text = "\n".join([*nodes, "*ELEMENT, TYPE=C3D4, ELSET=SOL", "1, 1, 2, 3, 4", "*ELEMENT, TYPE=S3, ELSET=SHE", "2, 2, 5, 3", "*ELSET, ELSET=EALL", "SOL, SHE", "*NSET, NSET=BASE", "1, 2, 3",
                           "*SOLID SECTION, ELSET=SOL, MATERIAL=M", "*SHELL SECTION, ELSET=SHE, MATERIAL=M", "0.1", "*MATERIAL, NAME=M", "*ELASTIC", "1e6, 0.3", "*DENSITY", "1000", "*BOUNDARY", "BASE, 1, 3",
                           "*STEP, NLGEOM, AMPLITUDE=STEP", "*STATIC", "0.5, 1", "*DLOAD", "EALL, GRAV, 9.81, 0, 0, -1", "*END STEP"]) + "\n"
        scene, _, _ = self.translate(text)
        (name, body), = scene["bodies"].items()
        self.assertEqual({load["region"] for load in body["loads"].values()}, {"EALL", "EALL_surface"})
        row = self.simulate(self.folder / "model.yaml").last_row()
        weights = sorted(row[f"{name}.{load}.fz"] for load in body["loads"])
        for got, mass in zip(weights, (1000 / 6, 50)):
            self.assertAlmostEqual(got, -9.81 * mass, delta=1e-6)

    def test_sides_of_shells(self):
        """A pressure of 3 Pa on the negative side of half a square meter pushes along the normal. A surface of both sides touches as one."""
        nodes = ["*NODE", "1, 0, 0, 0", "2, 1, 0, 0", "3, 0, 1, 0", "4, 0, 0, 1", "5, 1, 0, 1", "6, 0, 1, 1"]
        text = "\n".join([*nodes, "*ELEMENT, TYPE=S3, ELSET=LOW", "1, 1, 2, 3", "*ELEMENT, TYPE=S3, ELSET=HIGH", "2, 4, 5, 6", "*NSET, NSET=BASE", "1, 2, 3", "*SURFACE, NAME=BELOW", "HIGH, SNEG",
                           "*SURFACE, NAME=BOTH", "LOW, SPOS", "LOW, SNEG", "*SHELL SECTION, ELSET=LOW, MATERIAL=M, OFFSET=SPOS", "0.1", "*SHELL SECTION, ELSET=HIGH, MATERIAL=M", "0.1",
                           "*MATERIAL, NAME=M", "*ELASTIC", "1e6, 0.3", "*DENSITY", "1000", "*BOUNDARY", "BASE, 1, 3", "*SURFACE INTERACTION, NAME=I", "*CONTACT PAIR, INTERACTION=I", "BELOW, BOTH",
                           "*STEP, NLGEOM", "*DYNAMIC", "0.5, 1", "*DSLOAD", "BELOW, P, 3", "*END STEP"]) + "\n"
        rows = []
        for lines in (text, text.replace("LOW, SNEG\n", "")):
            scene, _, errors = self.translate(lines)
            self.assertIn("OFFSET of *SHELLSECTION is not translated", errors)
            rows.append(self.simulate(self.folder / "model.yaml", out=f"out_{len(rows)}").last_row())
        (column,) = [f"{body}.{name}.fz" for body, settings in scene["bodies"].items() for name in settings.get("loads", {})]
        self.assertAlmostEqual(rows[0][column], 1.5, delta=0.01)
        self.assertEqual(*([row[name] for name in row if "wall" not in name and "seconds" not in name] for row in rows))

    def test_flat_files_of_several_sections(self):
        """Sections that share no nodes are bodies, each with its part of the sets."""
        scene, _, _ = self.flat("*SOLID SECTION, ELSET=LEFT, MATERIAL=A", "*SOLID SECTION, ELSET=RIGHT, MATERIAL=B", "*BOUNDARY", "LOW, 3", "*SURFACE, NAME=SKIN", "EVEN", "RIGHT",
                                "*INITIAL CONDITIONS, TYPE=VELOCITY", "OF_RIGHT, 1, 0.5", "*STEP, NLGEOM", "*DYNAMIC", "1.E-3, 2.E-3", "*DSLOAD", "SKIN, P, 10.", "*END STEP")
        left, right = scene["bodies"]["LEFT"], scene["bodies"]["RIGHT"]
        self.assertEqual((left["mesh"], list(left["solid"]), right["mesh"], list(right["solid"])), ("model-LEFT.inp", ["LEFT"], "model-RIGHT.inp", ["RIGHT"]))
        self.assertEqual((left["fixed"], right["fixed"]), ([{"region": "LOW", "components": ["z"]}],) * 2)
        self.assertEqual([right["initial"], left.get("initial")], [{"velocity": [0.5, 0, 0]}, None])
        self.assertEqual([load["region"] for body in (left, right) for load in body["loads"].values()], ["SKIN", "SKIN"])
        self.check()
        last = self.simulate(self.folder / "model.yaml").last_row()
        self.assertAlmostEqual(last["RIGHT.x"] - last["LEFT.x"], 2 + 0.5 * 2e-3, delta=1e-4)
        self.assertAlmostEqual(last["RIGHT.x"], 2.5 + 0.5 * 2e-3, delta=1e-4)

    def test_sections_that_share_nodes_are_one_body(self):
        scene, _, _ = self.flat("*ELSET, ELSET=INNER", "1,", "*ELSET, ELSET=OUTER, GENERATE", "2, 5", *(f"*SOLID SECTION, ELSET={name}, MATERIAL=A" for name in ("INNER", "OUTER", "RIGHT")),
                                "*STEP", "*DYNAMIC", "1.E-3, 2.E-3", "*END STEP")
        self.assertEqual({name: list(body["solid"]) for name, body in scene["bodies"].items()}, {"INNER": ["INNER", "OUTER"], "RIGHT": ["RIGHT"]})
        self.check()


# Abaqus's constants [MPa], and its energies per volume in the principal stretches without change of volume.
D1 = 2e-3
LAWS = {
    "neo": ("neo hooke", "0.4, {d}", lambda s: 0.4 * (sum(x * x for x in s) - 3)),
    "mooney": ("mooney-rivlin", "0.3, 0.08, {d}", lambda s: 0.3 * (sum(x * x for x in s) - 3) + 0.08 * (sum(x**-2 for x in s) - 3)),
    "yeoh": ("yeoh", "0.25, -0.003, 0.00009, {d}, 0., 0.", lambda s: sum(c * (sum(x * x for x in s) - 3) ** i for i, c in enumerate((0.25, -0.003, 0.00009), 1))),
    "chains": ("arruda-boyce", "0.4, 3., {d}", lambda s: 0.4 * sum(c * (sum(x * x for x in s) ** i - 3**i) / 3.0 ** (2 * i - 2) for i, c in enumerate((1 / 2, 1 / 20, 11 / 1050, 19 / 7000, 519 / 673750), 1))),
    "ogden": ("ogden, n=2", "0.5, 1.3, -0.02, -2., {d}, 0.", lambda s: sum(2 * mu / a**2 * (sum(x**a for x in s) - 3) for mu, a in ((0.5, 1.3), (-0.02, -2)))),
}


def free_stress(energy, stretch):
    """Force per area at rest with free sides, of Abaqus's energy W(s / J^(1/3)) + (J - 1)^2 / D1: the sides are where W is least."""
    def total(along, side):
        volume = along * side**2
        return energy([x / volume ** (1 / 3) for x in (along, side, side)]) + (volume - 1) ** 2 / D1

    step = 1e-5
    low, high = 0.5 * stretch**-0.5, 1.5 * stretch**-0.5
    for _ in range(60):
        middle = (low + high) / 2
        rising = total(stretch, middle + step) > total(stretch, middle - step)
        low, high = (low, middle) if rising else (middle, high)
    return (total(stretch + step, low) - total(stretch - step, low)) / (2 * step)


class ClosedForms(abaqus_files.TranslationTest):
    def test_cubes_of_all_laws(self):
        """Five cubes, stretched to 1.5 times their length: the force on each is that of Abaqus's energy with Abaqus's constants."""
        materials = {name: ["*Density", "1.1e-9,", f"*Hyperelastic, {option}", constants.format(d=D1)] for name, (option, constants, _) in LAWS.items()}
        steps = ["*Step, nlgeom=YES", "*Static", "0.1, 1.", "*Boundary", "top, 3, 3, 5.", "*End Step"]
        places = {name: [f"{3 * SIZE * i}, 0., 0."] for i, name in enumerate(materials)}
        scene, _, _ = self.translate(cubes(materials, steps, places, SYMMETRIC), "--units", "mm-t-s")
        self.assertEqual(len(scene["bodies"]), len(LAWS))
        self.check()
        last = self.simulate(self.folder / "model.yaml").last_row()
        for name, (option, _, energy) in LAWS.items():
            expect_closed_form(self, field="models of Abaqus", case=f"*HYPERELASTIC, {option.upper()}: force on a cube of stretch 1.5", source="Abaqus's energy, free sides", expected=free_stress(energy, 1.5) * SIZE**2,
                               got=last[f"{name}_1.top.fz"], tolerance=1e-3, mesh="5 tetrahedra", step="static")

    def test_relaxation_of_held_cubes(self):
        """Stretched at once by 1 % and held: E (1 - sum g (1 - e^(-t/tau))) of the instantaneous modulus; by default the file's constants are long-term ones."""
        prony = ["*Viscoelastic, time=PRONY", "0.3, 0., 0.5", "0.2, 0., 5."]
        materials = {"slow": ["*Density", "1.1e-9,", "*Hyperelastic, neo hooke", f"0.4, {D1}", *prony], "sudden": ["*Density", "1.1e-9,", "*Hyperelastic, neo hooke, moduli=INSTANTANEOUS", f"0.4, {D1}", *prony]}
        steps = ["*Step, nlgeom=YES", "*Visco, cetol=0.01", "0.0005, 0.001", "*Boundary", "top, 3, 3, 0.1", "*End Step", "*Step, nlgeom=YES", "*Visco, cetol=0.01", "0.01, 1.", "*End Step"]
        self.translate(cubes(materials, steps, {"sudden": [f"{3 * SIZE}, 0., 0."]}, SYMMETRIC), "--units", "mm-t-s")
        self.check()
        history = self.simulate(self.folder / "model.yaml").history
        elastic = free_stress(LAWS["neo"][2], 1.01) * SIZE**2
        time = history["time"][-1] - 0.5e-3   # since the middle of the ramp
        share = 1 - 0.3 * (1 - math.exp(-time / 0.5)) - 0.2 * (1 - math.exp(-time / 5))
        for name, sudden in (("slow", 2 * elastic), ("sudden", elastic)):   # 1 / (1 - 0.3 - 0.2) = 2
            expect_closed_form(self, field="models of Abaqus", case=f"*VISCOELASTIC, constants of {name} loading: force after 1 s", source="Prony series of the instantaneous modulus", expected=sudden * share,
                               got=history[f"{name}_1.top.fz"][-1], tolerance=2e-3, mesh="5 tetrahedra", step="10 ms")


if __name__ == "__main__":
    unittest.main()
