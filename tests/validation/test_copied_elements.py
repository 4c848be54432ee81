"""Elements that a mesh file lists several times: once for each of their regions is usual, several times in one region is warned of once."""

import unittest

from traction_runs import CUBE_TETRAHEDRA, CUBE_VERTICES, RunTest, gmsh_text

SHEET = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
TRIANGLES = [(0, 1, 2), (0, 2, 3)]
COPIES = "lists elements several times that lie in one region"
SOLID = "solid: {solid: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}}"
SHELL = "shell: {skin: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000, thickness: 1e-2}}"
ROD = "rod: {wire: {youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000, radius: 1e-2}}"
LENGTHS = {3: 2, 5: 3, 10: 4}     # number of vertices by VTK's type of cell


def msh2(vertices, elements):
    """`elements`: (region, vertex, ...)."""
    is_shell = len(elements[0]) == 4
    names = {1: (2 if is_shell else 3, "skin" if is_shell else "solid"), 2: (2 if is_shell else 3, "other")}
    return gmsh_text(vertices, [] if is_shell else elements, elements if is_shell else [], names)


def msh4(elements):
    """The cube with one volume that is in two groups."""
    nodes = "\n".join(map(str, range(1, len(CUBE_VERTICES) + 1))) + "\n" + "\n".join(f"{x} {y} {z}" for x, y, z in CUBE_VERTICES)
    cells = "\n".join(f"{i} " + " ".join(str(v + 1) for v in t[1:]) for i, t in enumerate(elements, 1))
    count, number = len(CUBE_VERTICES), len(elements)
    return f"""\
$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
3 1 "solid"
3 2 "other"
$EndPhysicalNames
$Entities
0 0 0 1
1 0 0 0 1 1 1 2 1 2 0
$EndEntities
$Nodes
1 {count} 1 {count}
3 1 0 {count}
{nodes}
$EndNodes
$Elements
1 {number} 1 {number}
3 1 4 {number}
{cells}
$EndElements
"""


def vtk(vertices, cells, kind, names):
    lines = ["# vtk DataFile Version 3.0", "mesh", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(vertices)} double"]
    lines += [f"{x} {y} {z}" for x, y, z in vertices]
    lines += [f"CELLS {len(cells)} {len(cells) * (LENGTHS[kind] + 1)}", *(f"{LENGTHS[kind]} " + " ".join(map(str, cell[1:])) for cell in cells)]
    lines += [f"CELL_TYPES {len(cells)}", *[str(kind)] * len(cells)]
    lines += [f"CELL_DATA {len(cells)}", "FIELD arrays 1", f"region 1 {len(cells)} string", *(names[cell[0]] for cell in cells)]
    return "\n".join(lines) + "\n"


def vtu(vertices, cells, names):
    def array(name, kind, values, components=1):
        return f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="ascii">{" ".join(map(str, values))}</DataArray>'
    points = array("points", "Float64", [c for x in vertices for c in x], 3)
    lists = array("connectivity", "Int64", [v for cell in cells for v in cell[1:]]) + array("offsets", "Int64", [4 * (i + 1) for i in range(len(cells))]) + array("types", "UInt8", [10] * len(cells))
    numbers = array("gmsh:physical", "Int32", [cell[0] for cell in cells])
    return f'<?xml version="1.0"?><VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian"><UnstructuredGrid><Piece NumberOfPoints="{len(vertices)}" NumberOfCells="{len(cells)}"><Points>{points}</Points><Cells>{lists}</Cells><CellData>{numbers}</CellData></Piece></UnstructuredGrid></VTKFile>\n'


def inp(sets):
    """`sets`: the elements of *ELEMENT by set, and a set that has elements of others once more."""
    lines = ["*NODE", *(f"{i}, {x}, {y}, {z}" for i, (x, y, z) in enumerate(CUBE_VERTICES, 1))]
    label = 0
    for name, cells in sets.items():
        lines.append(f"*ELEMENT, TYPE=C3D4, ELSET={name}")
        for cell in cells:
            label += 1
            lines.append(f"{label}, " + ", ".join(str(v + 1) for v in cell))
    return "\n".join([*lines, "*ELSET, ELSET=some", "1, 2, 1", "*ELSET, ELSET=some, GENERATE", "1, 3", ""])


class CopiedElements(RunTest):
    def warnings(self, files, settings=SOLID):
        """The lines of a check of a body for each file."""
        bodies = "".join(f"  {name}: {{mesh: {file}, {settings}, initial: {{translate: [{3 * i}, 0, 0]}}}}\n" for i, (name, file) in enumerate(files.items()))
        outcome = self.run_program("check", f"time: {{step: 1e-3, end: 1e-3}}\ngravity: [0, 0, -9.81]\nbodies:\n{bodies}")
        self.assertEqual(outcome.code, 0, outcome.errors)
        return [line for line in (outcome.output + outcome.errors).splitlines() if COPIES in line]

    def test_tetrahedra(self):
        once = [(1, *t) for t in CUBE_TETRAHEDRA]
        names = {1: "solid", 2: "other"}
        in_two = once + [(2, *t) for t in CUBE_TETRAHEDRA]
        twice = once + once[:2] + in_two[-1:]
        for name, text in (("good.msh", msh2(CUBE_VERTICES, in_two)), ("good4.msh", msh4(once)), ("good.vtk", vtk(CUBE_VERTICES, in_two, 10, names)), ("good.inp", inp({"solid": CUBE_TETRAHEDRA}))):
            self.write(name, text)
            with self.subTest(file=name):
                self.assertEqual(self.warnings({"cube": name}), [])
        for name, text in (("bad.msh", msh2(CUBE_VERTICES, twice)), ("worse.msh", msh2(CUBE_VERTICES, twice + once[:1])), ("bad4.msh", msh4(once + once[:2])), ("bad.vtk", vtk(CUBE_VERTICES, twice, 10, names)), ("bad.inp", inp({"solid": [*CUBE_TETRAHEDRA, *CUBE_TETRAHEDRA[:2]]}))):
            self.write(name, text)
            with self.subTest(file=name):
                found = self.warnings({"cube": name, "another": name})
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"{name}: {COPIES} (2 tetrahedra). Each counts once", found[0])

    def test_a_rigid_body_without_regions(self):
        self.write("cube.vtu", vtu(CUBE_VERTICES, [(0, *t) for t in [*CUBE_TETRAHEDRA, CUBE_TETRAHEDRA[0]]], {}))
        found = self.warnings({"cube": "cube.vtu"}, "rigid: {density: 1000}")
        self.assertEqual(len(found), 1, found)
        self.assertIn("(1 tetrahedron)", found[0])

    def test_shells_and_rods(self):
        sheet = [(1, *t) for t in TRIANGLES]
        self.write("sheet.msh", msh2(SHEET, sheet + [(2, *t) for t in TRIANGLES]))
        self.assertEqual(self.warnings({"sheet": "sheet.msh"}, SHELL), [])
        self.write("sheet.msh", msh2(SHEET, sheet + sheet))
        self.assertIn("(2 shell triangles)", self.warnings({"sheet": "sheet.msh"}, SHELL)[0])
        self.write("sheet.msh", msh2(SHEET, sheet + sheet[:1] + sheet[:1]))    # three times, but one triangle
        self.assertIn("(1 shell triangle)", self.warnings({"sheet": "sheet.msh"}, SHELL)[0])
        wire = [(1, i, i + 1) for i in range(3)]
        names = {1: "wire", 2: "other"}
        for segments, count in ((wire + [(2, 0, 1)], 0), (wire + [(1, 1, 0)], 1)):
            self.write("wire.vtk", vtk(SHEET, segments, 3, names))
            found = self.warnings({"wire": "wire.vtk"}, ROD)
            self.assertEqual(len(found), count, found)
        self.assertIn("(1 rod segment)", found[0])


if __name__ == "__main__":
    unittest.main()
