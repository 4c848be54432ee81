"""docs/output.md has a row for every column, field and key that a run writes, and no row for what no run writes."""

import pathlib
import re
import unittest

import h5py

from traction_runs import JOBS, RunTest, box_text, gmsh_text

PAGE = (JOBS.parent / "docs" / "output.md").read_text()
RUBBER = "{youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}"
FILLED = "{material: mooney_rivlin, c10: 1e4, c01: 2e3, poisson_ratio: 0.4, density: 1000, mullins: {r: 2, m: 10}, fibres: {stiffness: 1e4, direction: [1, 0, 0]}}"
SHEET = gmsh_text([(0, 0, 0), (0.1, 0, 0), (0.2, 0, 0), (0, 0.1, 0), (0.1, 0.1, 0), (0.2, 0.1, 0)], [], [(1, 0, 1, 3), (1, 1, 4, 3), (1, 1, 2, 4), (1, 2, 5, 4)], {1: (2, "skin")})
FIELDS = "[velocity, displacement, contact_pressure, contact_force, contact_traction, sliding_velocity, stress, von_mises_stress, strain, tension, bending_moment, axial_force, curvature, twist, fibre_stretch, fibre_direction, softening]"
# One body, load, joint, contact, ... of each kind, by the word that the page has in the names of its columns.
NAMES = {"BODY": ["block", "upper", "sheet", "cable", "die", "cube", "slide"], "LOAD": ["pull", "twist"], "REGION": ["base"], "ATTACHMENT": ["glue"], "SPRING": ["tether"], "JOINT": ["axle", "rail"],
         "CONTACT": ["landing", "press", "heap"], "KIND": ["elastic", "gravity", "bending", r"\w+"]}
STEPS = f"""\
time: {{step: 1e-4, end: 2e-4}}
gravity: [0, 0, -9.81]
bodies:
  block: {{mesh: block.msh, solid: {{solid: {RUBBER}}}, fixed: base, initial: {{translate: [0, 0, 5e-4]}}, volume: [{{region: solid, model: nearly_incompressible, compressibility: 1e-6}}, {{surface: surface, model: ideal_gas, gauge_pressure: 10}}],
    loads: {{pull: {{region: base, force: [0, 0, 1]}}, twist: {{torque: [0, 0, 1]}}}}}}
  upper: {{mesh: block.msh, solid: {{solid: {FILLED}}}, initial: {{translate: [0, 0, 0.1005]}}}}
  sheet: {{mesh: sheet.msh, shell: {{skin: {{youngs_modulus: 1e4, poisson_ratio: 0.3, density: 1, bending_stiffness: 1e-3, yield_curvature: 1}}}}, initial: {{translate: [1, 0, 1]}}}}
  cable: {{mesh: cable.txt, rod: {{rod: {{radius: 2e-3, youngs_modulus: 1e7, poisson_ratio: 0.3, density: 1200}}}}, initial: {{translate: [2, 0, 1]}}}}
  die: {{mesh: block.msh, rigid: {{density: 1000}}, initial: {{translate: [3, 0, -1e-4]}}}}
  cube: {{mesh: block.msh, rigid: {{density: 1000}}, initial: {{translate: [4, 0, -1e-4]}}}}
  slide: {{mesh: block.msh, rigid: {{density: 1000}}, initial: {{translate: [5, 0, 1]}}}}
surfaces: {{floor: {{plane: {{}}}}, ground_plane: {{plane: {{}}}}}}
contacts: {{landing: {{vertices: block.bottom, against: floor, thickness: 1e-3}}}}
pressure_fields: {{die: {{modulus: 1e5}}, cube: {{modulus: 1e5}}}}
pressure_contacts: {{press: {{between: [die, floor], friction: {{dynamic: 0.5}}}}, heap: {{all: true}}}}
springs: {{tether: {{from: upper, anchor: [0, 0, 1], stiffness: 1}}}}
attachments: {{glue: {{vertices: upper.bottom, to: block}}}}
joints:
  axle: {{kind: hinge, between: cube, at: [4.05, 0.05, 0.05], axis: [0, 1, 0], motor: {{torque: 1}}}}
  rail: {{kind: slider, between: slide, at: [5.05, 0.05, 1.05], axis: [1, 0, 0], motor: {{force: 1}}}}
output: {{every: 1e-4, fields: {FIELDS}, contacts: true}}
"""
EVENTS = f"""\
time: {{step: 1e-3, end: 2e-3, integrator: asynchronous}}
gravity: [0, 0, -9.81]
bodies:
  block: {{mesh: block.msh, solid: {{solid: {RUBBER}}}, initial: {{translate: [0, 0, 2e-3]}}}}
  sheet: {{mesh: sheet.msh, shell: {{skin: {{youngs_modulus: 1e4, poisson_ratio: 0.3, density: 1, bending_stiffness: 1e-3, yield_curvature: 1}}}}, initial: {{translate: [1, 0, 1]}}}}
surfaces: {{floor: {{plane: {{}}}}}}
contacts: {{landing: {{vertices: block.bottom, against: floor, thickness: 1e-3}}}}
"""


def table(heading):
    """The cells of each row below a heading of the page, without the table's own."""
    section = re.split(r"^##+ ", PAGE.split(f"# {heading}\n", 1)[1], flags=re.MULTILINE)[0]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in re.findall(r"^\|(?! ---).*\|$", section, re.MULTILINE)[1:]]


def words(cell):
    return re.findall(r"`([^`]+)`", cell)


def columns():
    """A pattern for each column that the page's table names: `BODY.x,y,z` are three."""
    found = {}
    for cells in table("Columns of the history"):
        named = words(cells[0])
        if named[:2] == ["BODY.volume", "BODY.pressure"]:
            named += words(cells[2])
        for text in named:
            first, *others = text.split(",")
            stem = first.rpartition(".")[0] + "." if "." in first else first[:-1]
            for name in [first, *(stem + other for other in others)]:
                found[name] = re.sub("|".join(NAMES), lambda word: f"(?:{'|'.join(NAMES[word[0]])})", name.replace(".", r"\."))
    return found


class OutputPage(RunTest):
    def setUp(self):
        super().setUp()
        self.write("block.msh", box_text((2, 2, 2), (0.1,) * 3, faces={"base": lambda x: x[0] < 1e-9}))
        self.write("sheet.msh", SHEET)
        self.write("cable.txt", "".join(f"{0.01 * i} 0 {0.001 * i * i}\n" for i in range(6)))

    def datasets(self, name, groups=("PointData", "CellData")):
        with h5py.File(self.folder / "out" / name) as file:
            return sorted(field for group in groups for field in file["VTKHDF"].get(group, ()))

    def test_every_column_field_and_key(self):
        run = self.simulate(self.write("steps.yaml", STEPS))
        events = self.simulate(self.write("events.yaml", EVENTS), out="events")
        patterns, written = columns(), [*run.history, *events.history]
        self.assertGreater(len(patterns), 90)
        self.assertEqual([name for name in written if not any(re.fullmatch(pattern, name) for pattern in patterns.values())], [], "columns without a row in docs/output.md")
        self.assertEqual([column for column, pattern in patterns.items() if not any(re.fullmatch(pattern, name) for name in written)], [], "rows of docs/output.md without a column")

        self.assertEqual(self.datasets("fields_000001.hdf"), sorted(word for cells in table("Frames") for word in words(cells[0])))
        self.assertEqual(self.datasets("contacts_000001.hdf"), sorted(word for cells in table("Points and surfaces in contact") for word in words(cells[0])))
        paragraph = PAGE.split("`contact_surfaces.hdf.series` has triangles.")[1].split("\n\n")[0]
        self.assertEqual([field for field in self.datasets("contact_surfaces_000001.hdf") if field not in words(paragraph)], [])

        keys = {word: words(cells[1]) for cells in table("The report of the run") for word in words(cells[0])}
        self.assertEqual(sorted(run.report), sorted(keys))
        self.assertIn(run.report["status"], keys["status"])
        for key in ("partition", "contact_balance", "costs"):
            self.assertEqual([part for part in run.report[key] if part not in keys[key] and part != "peak_memory_bytes_largest_rank"], [])
        self.assertEqual([part for part in run.report["costs"]["flight"] if part not in keys["costs"]], [])

        files = {re.sub("N+", "NUMBER", word) for cells in table_of_files() for word in words(cells[0])}
        left = {re.sub(r"\d{6,}", "NUMBER", str(path.relative_to(self.folder / "out"))) for path in pathlib.Path(self.folder / "out").rglob("*") if path.is_file()}
        self.assertEqual(sorted(left - files), [], "files without a row in docs/output.md")


def table_of_files():
    section = PAGE.split("writes into its output folder:")[1].split("\n\n")[1]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in section.splitlines()[2:]]


if __name__ == "__main__":
    unittest.main()
