"""Every mesh has the regions `all` and `boundary` without naming them: runs with them are those with named regions, on any number of ranks and after a restart."""

import json
import re
import unittest

from bad_scene import BadSceneTest
from edge_shapes import box, sheet
from traction_runs import CUBE_TETRAHEDRA, CUBE_VERTICES, ShortRunTest, boundary, gmsh_text

MATERIAL = {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": 1000}
TYPES = {2: 3, 3: 5, 4: 10}     # VTK's types of cells by their number of vertices
TOLERANCE = 1e-8


def without_groups(text):
    """A mesh in Gmsh's format 2.2 as Gmsh writes it if no physical group is defined."""
    text = re.sub(r"\$PhysicalNames.*?\$EndPhysicalNames\n", "", text, flags=re.DOTALL)
    return re.sub(r"(?m)^(\d+ \d+ 2) \d+ \d+ ", r"\1 0 1 ", text)


def vtu(vertices, cells):
    def array(name, kind, values, components=1):
        return f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="ascii">{" ".join(map(str, values))}</DataArray>'
    points = array("points", "Float64", [c for x in vertices for c in x], 3)
    ends = [sum(map(len, cells[:i + 1])) for i in range(len(cells))]
    lists = array("connectivity", "Int64", [v for cell in cells for v in cell]) + array("offsets", "Int64", ends) + array("types", "UInt8", [TYPES[len(cell)] for cell in cells])
    return f'<?xml version="1.0"?><VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian"><UnstructuredGrid><Piece NumberOfPoints="{len(vertices)}" NumberOfCells="{len(cells)}"><Points>{points}</Points><Cells>{lists}</Cells></Piece></UnstructuredGrid></VTKFile>\n'


class OwnRegions(ShortRunTest):
    def compare(self, scene, named, meshes, renamed, ranks=(1, 2, 4)):
        """`scene(mesh, regions)` with the mesh `named` on one rank, and with each of `meshes` on several. `renamed` are pairs of regions: of the file, and the mesh's own."""
        own = dict(renamed)
        self.write("named.msh", named)
        expected = self.simulate(json.dumps(scene("named.msh", {name: name for name in own})), out="named").history
        for mesh, text in meshes.items():
            self.write(mesh, text)
            for count in ranks:
                with self.subTest(mesh=mesh, ranks=count):
                    history = self.simulate(json.dumps(scene(mesh, own)), ranks=count, out=f"{mesh}-{count}").history
                    self.assert_same_end(expected, history)

    def assert_same_end(self, first, second):
        """Where the first body is at the end, and how fast."""
        names = [f"body.{quantity}{axis}" for quantity in ("", "v") for axis in "xyz"]
        self.assertGreater(max(abs(first[name][-1]) for name in names[3:]), 1e-3)
        self.assert_rows_agree({name: first[name][-1] for name in names}, {name: second[name][-1] for name in names}, TOLERANCE)

    def test_a_cube_that_lands(self):
        shape = box((1, 1, 1), (3, 3, 3))
        cells = [*shape.triangles.tolist(), *shape.cells.tolist()]

        def scene(mesh, region):
            return {"time": {"step": 2e-3, "end": 0.04}, "gravity": [0, 0, -9.81],
                    "bodies": {"body": {"mesh": mesh, "solid": {region["solid"]: MATERIAL},
                                        "initial": {"translate": [0, 0, 0.01 - float(shape.points[:, 2].min())], "velocity": [0.5, 0, -1], "angular_velocity": [0, 1, 0.5]}}},
                    "surfaces": {"floor": {"plane": {"point": [0, 0, 0]}}},
                    "contacts": {"floor": {"vertices": f"body.{region['surface']}", "against": "floor", "thickness": 1e-2, "stiffness": 1e4, "friction": {"dynamic": 0.5, "tolerance": 1e-2}}},
                    "solver": {"tolerance": 1e-11}}

        meshes = {"cube.msh": without_groups(shape.gmsh()), "cube.vtu": vtu(shape.points.tolist(), cells), "bare.vtu": vtu(shape.points.tolist(), shape.cells.tolist())}
        self.compare(scene, shape.gmsh(), meshes, [("solid", "all"), ("surface", "boundary")])

    def test_a_shell_that_lands(self):
        shape = sheet((0.4, 0.4), (4, 4)).turned((1, 0.3, 0), 20).moved((0, 0, 0.12))
        material = {**MATERIAL, "thickness": 5e-3}

        for own in ("all", "boundary"):
            def scene(mesh, region):
                return {"time": {"step": 1e-3, "end": 0.05}, "gravity": [0, 0, -9.81],
                        "bodies": {"body": {"mesh": mesh, "shell": {region["shell"]: material}, "initial": {"velocity": [0, 0, -2]}}},
                        "surfaces": {"floor": {"plane": {"point": [0, 0, 0]}}},
                        "contacts": {"floor": {"vertices": f"body.{region['shell']}", "against": "floor", "thickness": 5e-3, "stiffness": 1e3}},
                        "solver": {"tolerance": 1e-11}}

            meshes = {f"{own}.msh": without_groups(shape.gmsh()), f"{own}.vtu": vtu(shape.points.tolist(), [*shape.cells.tolist(), (0, 1)])}   # and a line, which is no element
            self.compare(scene, shape.gmsh(), meshes, [("shell", own)])

    def test_a_skin_on_a_solid(self):
        """A shell `boundary` over tetrahedra, in contact by itself, as by a named region that lists the same faces from inside."""
        shape = box((1, 1, 1), (2, 2, 2))
        inward = gmsh_text(shape.points.tolist(), [(1, *t) for t in shape.cells.tolist()], [(2, a, c, b) for a, b, c in shape.triangles.tolist()], {1: (3, "solid"), 2: (2, "skin")})

        def scene(mesh, region):
            return {"time": {"step": 2e-3, "end": 0.02}, "gravity": [0, 0, -9.81],
                    "bodies": {"body": {"mesh": mesh, "solid": {region["solid"]: MATERIAL}, "shell": {region["skin"]: {**MATERIAL, "youngs_modulus": 1e6, "thickness": 1e-2}},
                                        "initial": {"translate": [0, 0, 0.012 - float(shape.points[:, 2].min())], "velocity": [0, 0, -1]}}},
                    "surfaces": {"floor": {"plane": {"point": [0, 0, 0]}}},
                    "contacts": {"floor": {"vertices": f"body.{region['skin']}", "against": "floor", "thickness": 1e-2, "stiffness": 1e4}}, "solver": {"tolerance": 1e-11}}

        self.compare(scene, inward, {"own.msh": without_groups(inward), "bare.vtu": vtu(shape.points.tolist(), shape.cells.tolist())}, [("solid", "all"), ("skin", "boundary")], (1, 2))

    def test_a_rod_that_falls(self):
        points = [(0.1 * i, 0, 0) for i in range(6)]
        lines = [(i, i + 1) for i in range(5)]
        names = {1: (1, "wire")}
        text = gmsh_text(points, [], (), names).replace("$Elements\n0\n", "$Elements\n5\n" + "".join(f"{i + 1} 1 2 1 1 {i + 1} {i + 2}\n" for i in range(5)))

        def scene(mesh, region):
            return {"time": {"step": 1e-2, "end": 0.1}, "gravity": [0, 0, -9.81],
                    "bodies": {"body": {"mesh": mesh, "rod": {region["wire"]: {**MATERIAL, "radius": 1e-2}}, "loads": {"pull": {"region": region["wire"], "force": [0, 1, 0]}}}}}

        self.compare(scene, text, {"wire.msh": without_groups(text), "wire.vtu": vtu(points, lines), "wire.txt": "".join(f"{x} {y} {z}\n" for x, y, z in points)}, [("wire", "all")], (1, 2))

    def test_every_setting_that_names_a_region(self):
        """Fixed, driven, loads, volumes, springs, attachments and contacts between bodies; `check` finds nothing wrong; a restart continues."""
        shape = box((1, 1, 1), (2, 2, 2))

        def scene(mesh, region):
            solid, surface = region["solid"], region["surface"]
            block = {"mesh": mesh, "solid": {solid: MATERIAL}}
            return {"time": {"step": 1e-2, "end": 0.04},
                    "bodies": {"body": {**block, "loads": {"pull": {"region": solid, "force": [1, 0, 0]}, "squeeze": {"region": surface, "pressure": 100}},
                                        "volume": [{"region": solid, "model": "quadratic", "compressibility": 1e-4}, {"surface": surface, "model": "ideal_gas", "gauge_pressure": 0}]},
                               "held": {**block, "fixed": [surface], "initial": {"translate": [3, 0, 0]}},
                               "moved": {**block, "driven": [{"vertices": solid, "motion": {"velocity": [0, 0, 0.1]}}], "initial": {"translate": [0, 3, 0]}},
                               "rigid": {"mesh": mesh, "rigid": {"density": 1000}, "initial": {"translate": [0, 0, 1.005]}}},
                    "contacts": {"touch": {"vertices": f"body.{surface}", "against": f"rigid.{surface}", "thickness": 1e-2, "stiffness": 1e4}},
                    "springs": {"strut": {"from": f"body.{surface}", "to": f"held.{solid}", "stiffness": 100}},
                    "solver": {"tolerance": 1e-11}}

        self.write("own.msh", without_groups(shape.gmsh()))
        own = scene("own.msh", {"solid": "all", "surface": "boundary"})
        checked = self.run_program("check", json.dumps(own))
        self.assertEqual(checked.code, 0, checked.errors)
        self.compare(scene, shape.gmsh(), {"own.msh": without_groups(shape.gmsh())}, [("solid", "all"), ("surface", "boundary")], (1, 2))
        whole = self.simulate(json.dumps(own), out="whole").history
        self.simulate(json.dumps({**own, "time": {"step": 1e-2, "end": 0.02}}), out="out")
        resumed = self.resume(ranks=2, sets={"time.end": 0.04}).history
        self.assert_same_end(whole, resumed)

    def test_ten_nodes_that_gmsh_makes_of_a_geometry_without_groups(self):
        geometry = 'SetFactory("OpenCASCADE"); Box(1) = {0, 0, 0, 1, 1, 1}; Mesh.MeshSizeMax = 1; Mesh.ElementOrder = 2;'
        self.write("groups.geo", geometry + 'Physical Volume("solid") = {1}; Physical Surface("surface") = {1:6};\n')
        self.write("bare.geo", geometry + "\n")

        def scene(mesh, solid, surface, **more):
            return {"time": {"step": 5e-3, "end": 0.02}, "gravity": [0, 0, -9.81],
                    "bodies": {"body": {"mesh": mesh, "solid": {solid: MATERIAL}, "loads": {"pull": {"region": surface, "traction": [100, 0, 0]}}, **more}},
                    "surfaces": {"floor": {"plane": {"point": [0, 0, -0.01]}}},
                    "contacts": {"floor": {"vertices": f"body.{surface}", "against": "floor", "thickness": 1e-2, "stiffness": 1e4}}, "solver": {"tolerance": 1e-11}}

        for order in (1, 2):
            expected = self.simulate(json.dumps(scene("groups.geo", "solid", "surface", order=order)), out=f"groups{order}").history
            for ranks in (1, 2):
                found = self.simulate(json.dumps(scene("bare.geo", "all", "boundary", order=order)), out=f"bare{order}{ranks}", ranks=ranks).history
                self.assert_same_end(expected, found)

    def test_attached_by_the_outer_surface(self):
        """A small cube in a large one, whose outer vertices it carries."""
        small, large = box((0.4, 0.4, 0.4), (1, 1, 1)), box((1, 1, 1), (2, 2, 2)).moved((0, 0, -0.3))
        self.write("small.msh", without_groups(small.gmsh()))
        self.write("large.msh", without_groups(large.gmsh()))

        def scene(part, to):
            return {"time": {"step": 1e-2, "end": 0.03}, "gravity": [0, 0, -9.81],
                    "bodies": {"body": {"mesh": "large.msh", "solid": {"all": MATERIAL}}, "small": {"mesh": "small.msh", "solid": {"all": MATERIAL}}},
                    "attachments": {"glue": {"vertices": part, "to": to}}, "solver": {"tolerance": 1e-11}}

        expected = self.simulate(json.dumps(scene("small", "body")), out="whole").history
        found = self.simulate(json.dumps(scene("small.boundary", "body.all")), out="own", ranks=2).history   # all vertices of one cell are outside
        self.assert_same_end(expected, found)


class NamesOfTheFile(BadSceneTest):
    scene = """\
time: {step: 1e-3, end: 2e-3}
bodies:
  cube:
    mesh: cube.msh
    solid:
      all: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000}
    fixed: [boundary]
"""

    def text(self, names):
        return gmsh_text(CUBE_VERTICES, [(1, *t) for t in CUBE_TETRAHEDRA[:3]] + [(4, *t) for t in CUBE_TETRAHEDRA[3:]], [(2, *boundary(CUBE_TETRAHEDRA)[0])], names)

    def test_they_win(self):
        """A group `all` of three of five tetrahedra leaves two without a material."""
        self.write("cube.msh", self.text({1: (3, "all"), 4: (3, "rest"), 2: (2, "boundary")}))
        self.refused(None, None, "bodies.cube.mesh", "element 4 of ", "is in no region under bodies.cube.solid", "or all elements one under 'all'", scene=self.scene)

    def test_in_any_case(self):
        self.write("cube.msh", self.text({1: (3, "core"), 4: (3, "rest"), 2: (2, "BOUNDARY")}))
        self.refused("[boundary]", "[boundary]", "has no region 'boundary'; the nearest is 'BOUNDARY' (it has: core, rest, BOUNDARY, all)", scene=self.scene)

    def test_messages_without_names(self):
        self.write("cube.msh", without_groups(self.text({1: (3, "core")})))
        self.refused("[boundary]", "[skin]", "cube.msh has no region 'skin'; give its volumes and surfaces names", "or write 'all' for its elements, 'boundary' for its outer surface", scene=self.scene)
        self.refused("[boundary]", "[cube.boundary]", "has no region 'cube.boundary'; give 'boundary', without the body's name", scene=self.scene)
        self.refused(None, None, "bodies.cube.shell.all", "region 'all' of ", "is not made of triangles; a shell needs a surface region", scene=self.scene.replace("solid:", "shell:").replace("1000}", "1000, thickness: 1e-2}"))

    def test_a_shell_that_names_no_triangles(self):
        self.write("cube.msh", without_groups(gmsh_text(CUBE_VERTICES, [], [(2, *t) for t in boundary(CUBE_TETRAHEDRA)])))
        scene = self.scene.replace("solid:", "shell:").replace("density: 1000", "density: 1000, thickness: 1e-2").replace("    fixed: [boundary]\n", "")
        self.refused(None, None, "cube.msh: the mesh has no tetrahedra, and no triangles in regions", "All triangles of a file without tetrahedra are the region 'all' if 'shell' names it", scene=scene.replace("all:", "skin:"))


if __name__ == "__main__":
    unittest.main()
