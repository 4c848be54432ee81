"""Input files of Abaqus with cubes, and their translation by postprocess/scene_from_inp."""

import pathlib
import subprocess

import yaml

from traction_runs import CUBE_TETRAHEDRA, CUBE_VERTICES, ENVIRONMENT, RunTest, execute

POSTPROCESS = pathlib.Path(__file__).resolve().parents[2] / "postprocess"
SIZE = 10.0   # edge of the cubes [mm]
SETS = {"x0": (0, 0), "y0": (1, 0), "z0": (2, 0), "top": (2, 1)}   # axis, place


def faces(axis, place):
    """The faces of a cube's tetrahedra that lie in a plane: (number of the tetrahedron, number of its face in Abaqus's table), both from 1."""
    for number, corners in enumerate(oriented(), 1):
        for face, (a, b, c) in enumerate(((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)), 1):
            if all(CUBE_VERTICES[corners[i]][axis] == place for i in (a, b, c)):
                yield number, face


def oriented():
    def volume(t):
        a, b, c, d = (CUBE_VERTICES[i] for i in t)
        u, v, w = ([y[i] - a[i] for i in range(3)] for y in (b, c, d))
        return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0])

    return [t if volume(t) > 0 else (t[1], t[0], t[2], t[3]) for t in CUBE_TETRAHEDRA]


def cubes(materials, steps, places=None, model=()):
    """A file as Abaqus/CAE writes it: an instance for each material, {name: lines}, at a place, with sets and surfaces of the assembly for all of them."""
    lines = ["*Heading", "** cubes", "*Preprint, echo=NO"]
    for name in materials:
        lines += [f"*Part, name={name}", "*Node", *(", ".join(map(str, [i, *(SIZE * x for x in vertex)])) for i, vertex in enumerate(CUBE_VERTICES, 1))]
        lines += ["*Element, type=C3D4", *(", ".join(map(str, [i, *(v + 1 for v in t)])) for i, t in enumerate(oriented(), 1))]
        lines += ["*Nset, nset=Set-1, generate", "1, 8, 1", "*Elset, elset=Set-1, generate", "1, 5, 1", f"*Solid Section, elset=Set-1, material={name}", ",", "*End Part"]
    lines += ["*Assembly, name=Assembly"]
    for name in materials:
        lines += [f"*Instance, name={name}-1, part={name}", *(places or {}).get(name, []), "*End Instance"]
    for name in materials:
        for label, (axis, place) in SETS.items():
            members = ", ".join(str(i) for i, vertex in enumerate(CUBE_VERTICES, 1) if vertex[axis] == place)
            lines += [f"*Nset, nset={label}, instance={name}-1", members, f"*Nset, nset={name}-{label}, instance={name}-1", members]
            lines += [f"*Elset, elset=_{name}-{label}_S{face}, internal, instance={name}-1\n{number}" for number, face in faces(axis, place)]
            lines += [f"*Surface, type=ELEMENT, name={name}-{label}-face", *(f"_{name}-{label}_S{face}, S{face}" for _, face in faces(axis, place))]
    lines += ["*End Assembly"]
    for name, options in materials.items():
        lines += [f"*Material, name={name}", *options]
    return "\n".join([*lines, *model, *steps, ""])


SYMMETRIC = ["*Boundary", "x0, XSYMM", "y0, YSYMM", "z0, ZSYMM"]


class TranslationTest(RunTest):
    def translate(self, text, *options, code=0):
        """(scene, its text, stderr); after the checks that all translations pass."""
        path = self.write("model.inp", text)
        words = [POSTPROCESS / "scene_from_inp", path, "--overwrite", *options]
        result = subprocess.run(list(map(str, words)), capture_output=True, encoding="utf-8", timeout=120, env=ENVIRONMENT | {"PATH": "/usr/bin:/bin"})
        self.assertEqual(result.returncode, code, result.stderr)
        if code:
            return None, "", result.stderr
        written = (self.folder / "model.yaml").read_text()
        return yaml.safe_load(written), written, result.stderr

    def check(self):
        code, output, errors = execute(["traction", "check", self.folder / "model.yaml"], folder=self.folder)
        self.assertEqual(code, 0, errors)
        return output
