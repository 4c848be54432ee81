#!/usr/bin/python3
"""Writes the good files that the fuzzers start from: scenes, meshes of all formats, surfaces.

    originals.py FOLDER
"""

import pathlib
import subprocess
import sys

from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_TETRA, VTK_TRIANGLE, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkTriangleFilter
from vtkmodules.vtkFiltersSources import vtkCubeSource
from vtkmodules.vtkIOGeometry import vtkSTLWriter
from vtkmodules.vtkIOLegacy import vtkUnstructuredGridWriter
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "validation"))
from traction_runs import boundary, box_text  # noqa: E402

MATERIAL = "{youngs_modulus: 1e5, poisson_ratio: 0.4, density: 1000}"
MESHES = ["text_22.msh", "binary_22.msh", "text_41.msh", "binary_41.msh", "text_4.vtk", "text_5.vtk", "binary_4.vtk", "binary_5.vtk", "text.vtu", "binary.vtu", "appended.vtu", "packed.vtu",
          "flat.inp", "assembly.inp"]
SURFACES = ["text.stl", "binary.stl", "cube.obj"]

# A scene with block.msh, the box of traction_runs.box_text.
SCENES = {
    "plain.yaml": f"""\
time: {{step: 1e-3, end: 1e-3}}
bodies: {{block: {{mesh: block.msh, solid: {{solid: {MATERIAL}}}}}}}
""",
    "contacts.yaml": f"""\
# A block lands on a floor beside another.
time:
  step: [{{from: 0, step: 1e-3}}, {{from: 0.5, step: 1e-4, integrator: backward_euler}}]
  end: 1e-3
  integrator: bdf2
  maximum_halvings: 2
gravity: [0, 0, -9.81]
bodies:
  block: &block
    mesh: block.msh
    scale: 1.5
    solid:
      solid: {MATERIAL}
    volume: {{surface: surface, model: quadratic, gauge_pressure: 1e3, compressibility: 1e-6, inflation: [{{time: 0, factor: 1}}, {{time: 0.1, factor: 1.1}}]}}
    damping: {{mass: 0.1, stiffness: 1e-4}}
    initial: {{rotate: {{axis: [0, 0, 1], angle: 30}}, translate: [0, 0, 0.002], velocity: [0.5, 0.1, -1], angular_velocity: [0, 1, 0.5]}}
  other:
    mesh: block.msh
    solid: {{solid: {MATERIAL}}}
    initial: {{translate: [0.4, 0, 0]}}
    fixed: bottom
surfaces:
  floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}, motion: {{velocity: [0, 0, 0.1], ramp: 0.1, stop: 2}}}}
  room: {{box: {{lower: [-1, -1, -1], upper: [1, 1, 1], inside: true}}}}
contacts:
  landing: {{vertices: block.bottom, against: floor, thickness: 1e-3, stiffness: 1e3, friction: {{dynamic: 0.5, static: 0.6, tolerance: 1e-2, stribeck_velocity: 0.5}}}}
  walls: {{vertices: block, against: room, thickness: 1e-2, potential: cubic_penalty}}
  beside: {{both: [block, other.surface], thickness: 1e-3, pressure: 1e4, surface: {{radius_multiplier: 2}}}}
solver: {{tolerance: 1e-6, preconditioner: block_jacobi, krylov: fgmres, maximum_iterations: 20}}
output: {{every: 1e-3, fields: [velocity, contact_pressure], log_every: 1}}
petsc: {{ksp_max_it: 100}}
""",
    "shell.yaml": """\
time: {step: 1e-3, end: 1e-3}
bodies:
  skin:
    mesh: skin.msh
    shell:
      surface: {youngs_modulus: 1e6, poisson_ratio: 0.5, density: 1000, thickness: 3e-4}
    volume: {surface: surface, gauge_pressure: 1e3}
    driven:
      - vertices: bottom
        motion: [{velocity: [0, 0, 1], stop: 0.5}, {angular_velocity: [0, 0, 1], about: [1, 1, 1], start: 0.1}]
surfaces:
  bowl: {mesh: {file: text.stl, scale: 5, radius_multiplier: 2}}
contacts:
  against: {vertices: skin.surface, against: bowl, geometry: smooth_surface, thickness: 1e-3}
""",
}
# The mesh is to be put in.
MESH_SCENE = f"""\
time: {{step: 1e-3, end: 1e-3}}
bodies:
  block:
    mesh: MESH
    solid: {{solid: {MATERIAL}}}
    volume: {{surface: surface}}
surfaces: {{floor: {{plane: {{point: [0, 0, -1]}}}}}}
contacts: {{landing: {{vertices: block.bottom, against: floor, thickness: 1e-3}}}}
"""
SURFACE_SCENE = f"""\
time: {{step: 1e-3, end: 1e-3}}
bodies: {{block: {{mesh: block.msh, solid: {{solid: {MATERIAL}}}}}}}
surfaces: {{bowl: {{mesh: {{file: MESH}}}}}}
contacts: {{landing: {{vertices: block.bottom, against: bowl, thickness: 1e-3}}}}
"""


def read_gmsh_22(text):
    """(vertices, [(type, physical group, corners)])."""
    lines = iter(text.splitlines())
    vertices, cells = [], []
    for line in lines:
        if line == "$Nodes":
            vertices = [[float(x) for x in next(lines).split()[1:]] for _ in range(int(next(lines)))]
        elif line == "$Elements":
            for _ in range(int(next(lines))):
                _, kind, _, group, _, *corners = map(int, next(lines).split())
                cells.append((kind, group, [corner - 1 for corner in corners]))
    return vertices, cells


def grid(text):
    vertices, cells = read_gmsh_22(text)
    result, points = vtkUnstructuredGrid(), vtkPoints()
    for vertex in vertices:
        points.InsertNextPoint(vertex)
    result.SetPoints(points)
    for kind, _, corners in cells:
        result.InsertNextCell(VTK_TETRA if kind == 4 else VTK_TRIANGLE, len(corners), corners)
    return result, cells


def write_abaqus(folder, text):
    """The mesh flat, and in a part with an instance, as Abaqus/CAE writes it."""
    vertices, cells = read_gmsh_22(text)
    nodes = [f"{i}, {x!r}, {y!r}, {z!r}" for i, (x, y, z) in enumerate(vertices, 1)]
    tetrahedra = [corners for kind, _, corners in cells if kind == 4]
    triangles = {name: [corners for kind, group, corners in cells if kind == 2 and group == number] for number, name in ((2, "bottom"), (3, "surface"))}

    def rows(elements, first=1):
        return [", ".join(map(str, [number, *(corner + 1 for corner in corners)])) for number, corners in enumerate(elements, first)]

    flat = ["** a block", "*HEADING", "A block", "*NODE, NSET=all", *nodes, "*ELEMENT, TYPE=C3D4, ELSET=solid", *rows(tetrahedra)]
    first = len(tetrahedra) + 1
    for name, corners in triangles.items():
        flat += [f"*ELEMENT, TYPE=S3R, ELSET={name}", *rows(corners, first)]
        first += len(corners)
    flat += ["*NSET, NSET=some, GENERATE", "1, 5, 2", "*NSET, NSET=few", "some, 2,", "8", "*SURFACE, NAME=skin, TYPE=ELEMENT", "solid,", "*SURFACE, NAME=face", "1, S1",
             "*MATERIAL, NAME=RUBBER", "*HYPERELASTIC, MOONEY-RIVLIN", "3.E5, 1.D5, 1.E-9", ""]
    (folder / "flat.inp").write_text("\n".join(flat))
    faces = {tuple(sorted(corners)) for corners in triangles["bottom"]}
    sides = [[], [], [], []]
    for number, (a, b, c, d) in enumerate(tetrahedra, 1):
        for side, corners in zip(sides, ((a, b, c), (a, d, b), (b, d, c), (c, d, a))):
            if tuple(sorted(corners)) in faces:
                side.append(number)
    assembly = ["*Heading", "*Part, name=block", "*Node", *nodes, "*Element, type=C3D4", *rows(tetrahedra), "*Elset, elset=whole, generate", f"1, {len(tetrahedra)}, 1", "*End Part",
                "*Assembly, name=Assembly", "*Instance, name=solid, part=block", "0.01, 0., 0.", "0.01, 0., 0., 0.01, 0., 1., 30.", "*End Instance"]
    for number, side in enumerate(sides, 1):
        if side:
            assembly += [f"*Elset, elset=_bottom_S{number}, internal, instance=solid", ", ".join(map(str, side))]
    assembly += ["*Surface, type=ELEMENT, name=bottom", *(f"_bottom_S{number}, S{number}" for number, side in enumerate(sides, 1) if side), "*Surface, type=ELEMENT, name=surface",
                 "solid.whole", "*End Assembly", ""]
    (folder / "assembly.inp").write_text("\n".join(assembly))


def write_grids(folder, text):
    from vtkmodules.vtkCommonCore import vtkStringArray
    data, cells = grid(text)
    names = vtkStringArray()
    names.SetName("region")
    for _, group, _ in cells:
        names.InsertNextValue({1: "solid", 2: "bottom", 3: "surface"}[group])
    data.GetCellData().AddArray(names)
    for version in (4, 5):
        for encoding in ("text", "binary"):
            writer = vtkUnstructuredGridWriter()
            writer.SetFileVersion(42 if version == 4 else 51)
            (writer.SetFileTypeToASCII if encoding == "text" else writer.SetFileTypeToBinary)()
            writer.SetInputData(data)
            writer.SetFileName(str(folder / f"{encoding}_{version}.vtk"))
            writer.Write()
    numbered, _ = grid(text)
    import numpy
    groups = numpy_to_vtk(numpy.array([group for _, group, _ in cells], dtype=numpy.int32), deep=True)
    groups.SetName("gmsh:physical")
    numbered.GetCellData().AddArray(groups)
    for name, chosen, mode, compressed in (("text", data, "Ascii", False), ("binary", numbered, "Binary", False), ("appended", numbered, "Appended", False), ("packed", numbered, "Binary", True)):
        writer = vtkXMLUnstructuredGridWriter()
        getattr(writer, f"SetDataModeTo{mode}")()
        (writer.SetCompressorTypeToZLib if compressed else writer.SetCompressorTypeToNone)()
        writer.SetInputData(chosen)
        writer.SetFileName(str(folder / f"{name}.vtu"))
        writer.Write()


def write_surfaces(folder):
    cube, triangles = vtkCubeSource(), vtkTriangleFilter()
    cube.SetCenter(0.06, 0.05, -0.7)
    triangles.SetInputConnection(cube.GetOutputPort())
    for name in ("text", "binary"):
        writer = vtkSTLWriter()
        (writer.SetFileTypeToASCII if name == "text" else writer.SetFileTypeToBinary)()
        writer.SetInputConnection(triangles.GetOutputPort())
        writer.SetFileName(str(folder / f"{name}.stl"))
        writer.Write()
    vertices, cells = read_gmsh_22(box_text((1, 1, 1), (1, 1, 1)))
    faces = boundary([corners for kind, _, corners in cells if kind == 4])
    lines = [f"v {x} {y} {z - 1.5}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (folder / "cube.obj").write_text("# a cube\n" + "\n".join(lines) + "\n")


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    text = box_text((1, 1, 1), (0.12, 0.1, 0.1))
    (folder / "block.msh").write_text(text)
    (folder / "text_22.msh").write_text(text)
    # The triangles of the box alone: a shell.
    lines = text.splitlines()
    start = lines.index("$Elements")
    triangles = [line for line in lines[start + 2:-1] if line.split()[1] == "2"]
    (folder / "skin.msh").write_text("\n".join([*lines[: start + 1], str(len(triangles)), *triangles, "$EndElements", ""]))
    for name, options in (("binary_22", ["-format", "msh22", "-bin"]), ("text_41", ["-format", "msh41"]), ("binary_41", ["-format", "msh41", "-bin"])):
        subprocess.run(["gmsh", folder / "text_22.msh", "-save", *options, "-o", folder / f"{name}.msh"], check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    write_grids(folder, text)
    write_abaqus(folder, text)
    write_surfaces(folder)
    for name, scene in SCENES.items():
        (folder / name).write_text(scene)


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
