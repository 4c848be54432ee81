"""Obstacles of segments and points: wires and nails carry what rests on them by the law of contact, and nothing passes through them."""

import json
import unittest

import numpy

import run_edge_scenes
from edge_scenes import EDGES, EVERYTHING, GRAVITY, Builder, Result
from edge_shapes import ball, box, cube, sheet
from traction_runs import RefusalTest, ShortRunTest, line_of

SIDE, HEIGHT, THICKNESS = 0.1, 0.04, 1e-3       # size of a block [m]
PRESSURE = 1000.0                               # at zero gap [Pa]


def obj(points, lines=(), nails=(), faces=()):
    text = [f"v {x!r} {y!r} {z!r}" for x, y, z in numpy.asarray(points, float).tolist()]
    text += ["l " + " ".join(str(i + 1) for i in line) for line in lines] + [f"p {i + 1}" for i in nails]
    return "\n".join(text + ["f " + " ".join(str(i + 1) for i in face) for face in faces]) + "\n"


def wires_along_y(places, half_length=0.1, pieces=1):
    """Level wires at height 0, each of one or more segments, as (points, poly-lines)."""
    along = numpy.linspace(-half_length, half_length, pieces + 1)
    points = [(x, y, 0) for x in places for y in along]
    return points, [range(i * (pieces + 1), (i + 1) * (pieces + 1)) for i in range(len(places))]


def gmsh_surface(points, lines, nails):
    """A .msh file whose physical curves are wires, and whose physical points are nails."""
    text = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(points))]
    text += [f"{i} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(numpy.asarray(points, float).tolist(), 1)]
    elements = [f"1 2 7 7 {a + 1} {b + 1}" for line in lines for a, b in zip(line, line[1:])] + [f"15 2 8 8 {nail + 1}" for nail in nails]
    text += ["$EndNodes", "$Elements", str(len(elements)), *(f"{i} {element}" for i, element in enumerate(elements, 1)), "$EndElements", ""]
    return "\n".join(text)


def vtk_surface(points, lines, nails):
    """A legacy .vtk file of poly-lines and vertices."""
    cells = [(4, line) for line in lines] + [(1, [nail]) for nail in nails]
    text = ["# vtk DataFile Version 3.0", "wires", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double"]
    text += [f"{x!r} {y!r} {z!r}" for x, y, z in numpy.asarray(points, float).tolist()]
    text += [f"CELLS {len(cells)} {sum(1 + len(line) for _, line in cells)}", *(" ".join(map(str, (len(line), *line))) for _, line in cells)]
    return "\n".join([*text, f"CELL_TYPES {len(cells)}", *(str(kind) for kind, _ in cells), ""])


def pierced(points, triangles, starts, ends):
    """How many of some segments pass through the inside of a triangle."""
    a, b, c = (points[triangles[:, i]][None] for i in range(3))
    p, q = starts[:, None], ends[:, None]

    def volume(u, v, w, x):
        return numpy.einsum("ijk,ijk->ij", numpy.cross(v - u, w - u), x - u)

    across = volume(a, b, c, p) * volume(a, b, c, q) < 0
    sides = numpy.stack([volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)])
    return int(numpy.any(across & (numpy.all(sides > 0, axis=0) | numpy.all(sides < 0, axis=0)), axis=1).sum())


def mean_share(shape):
    """The mean area of the vertices of a box, each with the mean of its three sides, weighted with themselves (C8a)."""
    areas = {}   # by vertex, then by the side's normal
    for triangle in shape.triangles:
        a, b, c = shape.points[triangle]
        cross = numpy.cross(b - a, c - a)
        size = numpy.linalg.norm(cross)
        for vertex in triangle:
            sides = areas.setdefault(vertex, {})
            normal = tuple(numpy.round(cross / size).tolist())
            sides[normal] = sides.get(normal, 0) + size / 6
    return numpy.mean([sum(area**2 for area in sides.values()) / sum(sides.values()) for sides in areas.values()])


class Wires(ShortRunTest):
    def run_scene(self, scene, name="wires", ranks=1, **sets):
        figures = run_edge_scenes.run(scene, self.folder / name, ranks, timeout=110, sets=sets)
        self.assertEqual(figures["faults"], [], f"{name} on {ranks} ranks")
        history = numpy.genfromtxt(self.folder / name / "out" / "history.csv", delimiter=",", names=True, deletechars="")
        return history

    def block_on_wires(self, shape, places, pieces=1, text=None, geometry=EDGES, file="wires.obj", end=1.0):
        b = Builder("block", geometry, step=0.02, end=end, thickness=THICKNESS, friction=0.5, every=end, integrator="backward_euler")
        b.body("block", shape, (0, 0, 0.9 * THICKNESS), youngs_modulus=1e9, damping={"mass": 20})
        b.files[file] = text or obj(*wires_along_y(places, pieces=pieces))
        b.scene["surfaces"]["wires"] = {"mesh": {"file": file}}
        b.touch("block", "wires", pressure=PRESSURE)
        if geometry == EVERYTHING:
            scene = b.done()
            scene.scene["contacts"]["everything"]["pressure"] = PRESSURE
            return scene
        return b.done()

    def assert_at_rest(self, history, area, touch="block_wires"):
        """`area`: what carries the block; the gap follows from that by (C2)."""
        weight = 1000 * GRAVITY * SIDE**2 * HEIGHT
        gap = THICKNESS * (1 - numpy.sqrt(weight / (PRESSURE * area)))
        self.assertAlmostEqual(history[f"{touch}.fz"][-1], weight, delta=1e-4 * weight)
        self.assertAlmostEqual(history["min_gap"][-1], gap, delta=2e-3 * gap)

    def test_edges_over_wires(self):
        """Each of two long wires is crossed by two edges of the lower face and by its diagonal. The diagonal would carry a third of the area of its triangles, but has no
        more than a mean vertex; an edge between two sides has a third of the mean of what they have there, each weighted with itself."""
        face, side = SIDE**2 / 2, SIDE * HEIGHT / 2
        area = 2 * (2 * (face**2 + side**2) / (face + side) / 3 + min(2 * face / 3, mean_share(box((SIDE, SIDE, HEIGHT)))))
        for geometry, touch in ((EDGES, "block_wires"), (EVERYTHING, "everything")):
            with self.subTest(geometry):
                history = self.run_scene(self.block_on_wires(box((SIDE, SIDE, HEIGHT)), (-0.02, 0.02), geometry=geometry), geometry)
                self.assert_at_rest(history, area, touch)

    def test_vertices_over_wires(self):
        """A wire under each of two lines of vertices, where edges lie along the wire or end on it: the vertices carry, with their shares of the area."""
        cells = 4
        history = self.run_scene(self.block_on_wires(box((SIDE, SIDE, HEIGHT), (cells, cells, 2)), (-0.025, 0.025)))
        # Three vertices inside the face, and two at its rim. Balanced shares of the face differ from these by some per cent.
        weight, area = 1000 * GRAVITY * SIDE**2 * HEIGHT, 2 * (3 + 2 / 2) * (SIDE / cells) ** 2
        self.assertAlmostEqual(history["block_wires.fz"][-1], weight, delta=1e-4 * weight)
        self.assertAlmostEqual(weight / (PRESSURE * (1 - history["min_gap"][-1] / THICKNESS) ** 2), area, delta=0.04 * area)

    def test_a_wire_has_a_stiffness_per_length(self):
        """Finely divided, the wires' own vertices press on the face, each with its length times the width of a mean vertex' share."""
        pieces = 40
        shape = box((SIDE, SIDE, HEIGHT))
        history = self.run_scene(self.block_on_wires(shape, (-0.021, 0.021), pieces))
        length = 0.2 / pieces
        weight = 1000 * GRAVITY * SIDE**2 * HEIGHT
        area = weight / (PRESSURE * (1 - history["min_gap"][-1] / THICKNESS) ** 2)
        by_length = 2 * SIDE * numpy.sqrt(mean_share(shape))
        # Beside them there are three edges at each wire, with no more than a segment's share.
        self.assertGreater(area, by_length * (1 - length / SIDE))
        self.assertLess(area, by_length * (1 + 4 * length / SIDE))
        self.assertAlmostEqual(history["block_wires.fz"][-1], weight, delta=1e-4 * weight)

    def test_formats(self):
        """The same wires from every format."""
        points, lines = wires_along_y((-0.02, 0.02), pieces=2)
        ends = []
        for file, text in (("wires.obj", None), ("wires.msh", gmsh_surface(points, lines, [])), ("wires.vtk", vtk_surface(points, lines, []))):
            scene = self.block_on_wires(box((SIDE, SIDE, HEIGHT)), (-0.02, 0.02), 2, text, file=file, end=0.2)
            ends.append(self.run_scene(scene, file)["block.z"][-1])
        self.assertEqual(ends[0], ends[1])
        self.assertEqual(ends[0], ends[2])

    def ball_on_nails(self, end=1.0):
        b = Builder("nails", EDGES, step=5e-3, end=end, friction=0.8, every=0.05)
        b.body("ball", ball(0.05, 4), (3e-3, 2e-3, 4e-3), youngs_modulus=2e5, damping={"mass": 5, "stiffness": 1e-3})
        side = numpy.arange(-3, 4) * 0.02
        nails = [(x, y, 0) for x in side for y in side]
        b.files["nails.obj"] = obj(nails, nails=range(len(nails)))
        b.scene["surfaces"]["nails"] = {"mesh": {"file": "nails.obj"}}
        b.touch("ball", "nails")
        return b.done(), numpy.array(nails)

    def test_ball_on_a_bed_of_nails(self):
        scene, nails = self.ball_on_nails()
        history = self.run_scene(scene)
        weight = 1000 * GRAVITY * scene.shapes["ball"].volume
        self.assertAlmostEqual(history["ball_nails.fz"][-1], weight, delta=2e-3 * weight)
        self.assertGreater(history["ball_nails.contacts"][-1], 3)
        outcome = Result(scene, self.outcome("wires"), self.frames("wires"))
        cells = scene.shapes["ball"].cells
        for index in range(len(outcome.frames)):
            corners = outcome.points("ball", index)[cells]
            edges = numpy.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
            shares = numpy.linalg.solve(edges[None], (nails[:, None] - corners[None, :, 0])[..., None])[..., 0]
            self.assertFalse(numpy.any(numpy.all(shares > 0, axis=-1) & (shares.sum(axis=-1) < 1)), f"a nail is in the ball in frame {index}")

    def frames(self, name):
        return run_edge_scenes.Frames(self.folder / name / "out")

    def outcome(self, name):
        return run_edge_scenes.Outcome(0, "", "", self.folder / name / "out")

    def sheet_on_net(self, speed=0.0, end=0.6, step=5e-3):
        """Falls on wires 40 mm apart in both directions; its own cells are 20 mm wide, and turned."""
        b = Builder("net", EDGES, step=step, end=end, friction=0.5, every=max(step, end / 40), integrator="sdirk2")
        b.body("sheet", sheet((0.2, 0.2), (10, 10)).turned((0, 0, 1), 20), (0, 0, 0.02), youngs_modulus=1e6, density=300, shell=1e-3, velocity=[0, 0, -speed],
               damping={"mass": 1, "stiffness": 1e-3})
        places = numpy.linspace(-0.12, 0.12, 7) + 1e-3
        points = [(x, y, 0) for x in places for y in (-0.15, 0.15)] + [(x, y, 0) for y in places for x in (-0.15, 0.15)]
        b.files["net.obj"] = obj(points, [(2 * i, 2 * i + 1) for i in range(len(points) // 2)])
        b.scene["surfaces"]["net"] = {"mesh": {"file": "net.obj"}}
        b.touch("sheet", "net")
        return b.done(gain=0.01), numpy.array(points)

    def assert_nothing_is_pierced(self, scene, points, name="wires"):
        result = Result(scene, self.outcome(name), self.frames(name))
        for index in range(len(result.frames)):
            at = result.points("sheet", index)
            self.assertEqual(pierced(at, scene.shapes["sheet"].cells, points[::2], points[1::2]), 0, f"frame {index}")
            self.assertGreater(at[:, 2].max(), 0, f"frame {index}: it has passed as a whole")
        return at

    def test_sheet_on_a_net(self):
        scene, points = self.sheet_on_net()
        self.run_scene(scene)
        at = self.assert_nothing_is_pierced(scene, points)
        self.assertGreater(at[:, 2].mean(), -0.01)       # hangs between the wires, and does not fall through
        self.assertLess(at[:, 2].mean(), 2e-3)

    def test_nothing_tunnels(self):
        """A sheet flies at the net at 30 m/s, 60 mm a step, where it is 1 mm thick."""
        scene, points = self.sheet_on_net(speed=30, end=0.02, step=2e-3)
        self.run_scene(scene)
        self.assert_nothing_is_pierced(scene, points)

    def test_cube_on_a_nail_at_speed(self):
        """A cube of five tetrahedra flies at a nail at 44.7 m/s, between all of its vertices and edges."""
        b = Builder("nail", EDGES, step=2e-4, end=4e-3, gravity=(0, 0, 0), friction=0.3)
        b.body("cube", cube(0.06), (0.005, 0.012, 0.03), youngs_modulus=1e7, velocity=[0, 0, -44.7])
        b.files["nail.obj"] = obj([(0, 0, 0)], nails=[0])
        b.scene["surfaces"]["nail"] = {"mesh": {"file": "nail.obj"}}
        b.touch("cube", "nail")
        scene = b.done()
        history = self.run_scene(scene)
        self.assertGreater(history["contacts"].max(), 0)
        result = Result(scene, self.outcome("wires"), self.frames("wires"))
        nail, cells = numpy.zeros(3), scene.shapes["cube"].cells
        for index in range(len(result.frames)):
            corners = result.points("cube", index)[cells]
            shares = numpy.linalg.solve(numpy.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2), (nail - corners[:, 0])[..., None])[..., 0]
            self.assertFalse(numpy.any(numpy.all(shares > 0, axis=-1) & (shares.sum(axis=-1) < 1)), f"the nail is in the cube in frame {index}")

    def test_what_is_too_soft_is_named(self):
        """A soft cube falls at 3 m/s on a wire that its faces' edges cross beside their vertices. A hundredth of the default pressure leaves it to the guard, which cannot be resolved."""
        b = Builder("soft", EVERYTHING, step=1e-3, end=0.04, friction=0.2, every=0.01)
        b.body("cube", box((0.1, 0.1, 0.1), (3, 3, 3)), (0, 0, 0.02), youngs_modulus=1e5, velocity=[0, 0, -3])
        b.files["wire.obj"] = obj([(-0.2, 0.013, 0), (0.2, 0.017, 0.001)], [(0, 1)])
        b.scene["surfaces"]["wire"] = {"mesh": {"file": "wire.obj"}}
        b.done().write(self.folder)
        soft, firm = (self.run_program("run", self.folder / "scene.yaml", sets={"contacts.everything.pressure": pressure}, out=str(pressure)) for pressure in (100, 1e5))
        self.assertEqual(soft.code, 3)
        for words in ("contact 'everything' is pressed through", "give it a greater pressure (or stiffness)"):
            self.assertIn(words, soft.errors)
        self.assertEqual(firm.code, 0, firm.errors)

    def test_default_stiffness_holds_soft_cubes_that_fall_on_a_wire(self):
        """At 3 m/s, which a tenth of their modulus as the pressure at no gap does not: gaps came down to 1e-8 m, and steps ended without a solution. The stiffness is that of a vertex's energy (docs/theory/contact.md, "Choice of stiffness")."""
        for cells in (2, 4):
            b = Builder("soft", EDGES, step=5e-3, end=0.1, friction=0, every=0.02)
            shape = box((0.1, 0.1, 0.1), (cells,) * 3)
            b.body("cube", shape, (3e-3, 0, 0.02), youngs_modulus=1e5, velocity=[0, 0, -3])
            b.files["wire.obj"] = obj(*wires_along_y([0.0]))
            b.scene["surfaces"]["wire"] = {"mesh": {"file": "wire.obj"}}
            b.touch("cube", "wire")
            history = self.run_scene(b.done(), f"cells_{cells}")
            masses = numpy.zeros(len(shape.points))
            corners = shape.points[shape.cells]
            numpy.add.at(masses, shape.cells, (1000 * abs(numpy.linalg.det(corners[:, 1:] - corners[:, :1])) / 24)[:, None])
            on_surface = numpy.any(numpy.isclose(shape.points, shape.points.min(axis=0)) | numpy.isclose(shape.points, shape.points.max(axis=0)), axis=1)
            least = masses[on_surface].max() * 3**2 / THICKNESS**2      # m v²/δ², at the start; at most g h more when it touches
            stiffness = history["kappa"][numpy.argmax(history["contacts"] > 0)]
            self.assertGreater(stiffness, least)
            self.assertLess(stiffness, least * (1 + 2 * GRAVITY * 0.02 / 3**2))

    def test_ranks(self):
        """The same motion on 1, 2 and 4 ranks, with wires and nails."""
        for name, scene in (("sheet", self.sheet_on_net(end=0.1)[0]), ("ball", self.ball_on_nails(end=0.06)[0])):
            ends = {}
            for ranks in (1, 2, 4):
                history = self.run_scene(scene, f"{name}_{ranks}", ranks, **{"solver.tolerance": 1e-9})
                self.assertGreater(history["contacts"].max(), 0)
                ends[ranks] = numpy.array([history[f"{name}.{c}"][-1] for c in "xyz"])
            for ranks in (2, 4):
                self.assertLess(numpy.abs(ends[ranks] - ends[1]).max(), 1e-8, name)


class BadWires(RefusalTest):
    def refused(self, scene, expected):
        text = json.dumps(scene, indent=1)
        self.write("scene.yaml", text)
        place = f"scene.yaml:{line_of(text, json.dumps('touch'))}: "
        for ranks in (1, 2):
            self.assert_refused(["traction", "run", "scene.yaml", "--out", "out"], [place, *expected], ranks)

    def scene(self, contact, **wires):
        self.write("block.msh", box((SIDE, SIDE, HEIGHT)).moved((0, 0, 1e-3)).gmsh())
        self.write("wires.obj", obj(**wires))
        return {"time": {"step": 0.01, "end": 0.02}, "gravity": [0, 0, -9.81],
                "bodies": {"block": {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}}},
                "surfaces": {"wires": {"mesh": {"file": "wires.obj"}}},
                "contacts": {"touch": {"vertices": "block.surface", "against": "wires", "thickness": 2e-3, **contact}}}

    def test_smooth_surface(self):
        points, lines = wires_along_y((0.0,))
        self.refused(self.scene({"geometry": "smooth_surface"}, points=points, lines=lines), ["has 1 segments and 0 points", "write geometry: edges_and_faces"])

    def test_through_the_body_at_the_start(self):
        self.refused(self.scene({}, points=[(0, 0, -1), (0.001, 0.002, 1)], lines=[(0, 1)]), ["block crosses wires", "move them apart"])

    def test_in_the_body_at_the_start(self):
        self.refused(self.scene({}, points=[(0, 0, 0.02)], nails=[0]), ["block crosses wires", "move them apart"])
        self.refused(self.scene({}, points=[(0, 0, 0.02), (0.01, 0.01, 0.02)], lines=[(0, 1)]), ["block crosses wires", "move them apart"])


if __name__ == "__main__":
    unittest.main()
