"""A scene of a cube above a floor that is good but for what a test changes in it, and the check that the change is refused."""

from traction_runs import CUBE_TETRAHEDRA, CUBE_VERTICES, RefusalTest, boundary, gmsh_text, line_of

SCENE = """\
time: {step: 1e-3, end: 2e-3}
gravity: [0, 0, -9.81]
bodies:
  cube:
    mesh: cube.msh
    solid:
      inside: {youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000}
    volume: {surface: skin}
surfaces:
  floor: {plane: {point: [0, 0, -0.5]}}
contacts:
  touch: {vertices: cube.bottom, against: floor, thickness: 1e-2}
"""

NAMES = {1: (3, "inside"), 2: (2, "skin"), 3: (2, "bottom"), 4: (3, "another")}


def mesh(vertices=CUBE_VERTICES, tetrahedra=CUBE_TETRAHEDRA, regions=None, skin=None):
    regions = regions or [1] * len(tetrahedra)
    skin = boundary(tetrahedra) if skin is None else skin
    bottom = [t for t in skin if all(vertices[v][2] == 0 for v in t)]
    triangles = [(2, *t) for t in skin] + [(3, *t) for t in bottom]
    return gmsh_text(vertices, [(region, *t) for region, t in zip(regions, tetrahedra)], triangles, NAMES)


class BadSceneTest(RefusalTest):
    """Tests of scenes with one mistake."""

    in_running_program = True

    def setUp(self):
        super().setUp()
        self.write("cube.msh", mesh())

    def refused(self, old=None, new=None, *expected, sets=(), ranks=(1, 2), scene=SCENE):
        """Runs the scene with one part of it replaced; the message must name the line of the replacement."""
        text = scene
        if old is not None:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
            place = f"scene.yaml:{line_of(text, new.strip().splitlines()[0])}: "
            expected = (place, *expected)
        self.write("scene.yaml", text)
        words = ["traction", "run", "scene.yaml", "--out", "out"]
        for assignment in sets:
            words += ["--set", assignment]
        for count in ranks:
            with self.subTest(ranks=count):
                self.assert_refused(words, expected, count)
