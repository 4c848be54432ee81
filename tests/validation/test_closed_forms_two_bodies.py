"""Two bodies in contact, both of which press, against closed forms: two balls (Hertz), a flat punch that is a body, and the momenta of two that rub, in each geometry."""

import json
import math
import unittest

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy

from check_fields import point_arrays, read_frame
from closed_forms import expect_closed_form
from edge_shapes import box
from test_closed_forms_statics import rollers, solid
from traction_runs import ShortRunTest

GEOMETRIES = ("edges_and_faces", "smooth_surface")
MODULUS, POISSON_RATIO = 1e6, 0.3
REDUCED = MODULUS / (1 - POISSON_RATIO**2)      # for one side [Pa]
OPTIONS = "Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0;\n"


def sized(size):
    """Gmsh's field for edges of a size that depends on the place."""
    return f'Field[1] = MathEval;\nField[1].F = "{size}";\nBackground Field = 1;\n' + OPTIONS


class TwoBodies(ShortRunTest):
    def press(self, bodies, contact, steps, out):
        """The last row of the history of a run without inertia; rest positions and fields at its end."""
        scene = {"time": {"step": 1 / steps, "end": 1, "inertia": False}, "bodies": bodies, "contacts": {"touch": contact},
                 "output": {"every": 1, "fields": ["displacement", "contact_pressure", "contact_force"]}}
        last = self.simulate(json.dumps(scene), out=out, timeout=300).last_row()
        frame = read_frame(sorted((self.folder / out).glob("fields_0*.hdf"))[-1])
        fields = point_arrays(frame)
        return last, vtk_to_numpy(frame.GetPoints().GetData()) - fields["displacement"], fields

    def test_two_balls(self):
        radius, depth, gap = 0.1, 1e-5, 1e-7    # each ball approaches the middle by `depth`
        contact_radius = math.sqrt(radius * depth)
        patch = 2 * contact_radius      # radius of the faces that touch: the smooth surface takes its reach from the largest one
        height = patch**2 / (2 * radius)

        def octant(name, side, edges):
            """Half of a quarter of a ball above (side 1) or below (-1) the origin, which it touches."""
            self.write(name, f"""\
SetFactory("OpenCASCADE");
Sphere(1) = {{0, 0, {side * radius}, {radius}, {"-Pi/2, 0" if side > 0 else "0, Pi/2"}, Pi/2}};
Cylinder(2) = {{0, 0, {-radius / 10}, 0, 0, {radius / 5}, {patch}, Pi/2}};
inner() = BooleanIntersection{{ Volume{{1}}; }}{{ Volume{{2}}; }};
outer() = BooleanDifference{{ Volume{{1}}; Delete; }}{{ Volume{{2}}; Delete; }};
BooleanFragments{{ Volume{{inner()}}; Delete; }}{{ Volume{{outer()}}; Delete; }}
e = 1e-5;
Physical Volume("solid") = Volume{{:}};
Physical Surface("left") = {{Surface In BoundingBox{{-e, -e, -1, e, 1, 1}}}};
Physical Surface("front") = {{Surface In BoundingBox{{-e, -e, -1, 1, e, 1}}}};
Physical Surface("cut") = {{Surface In BoundingBox{{-e, -e, {side * radius} - e, 1, 1, {side * radius} + e}}}};
Physical Surface("patch") = {{Surface In BoundingBox{{-e, -e, -{2 * height}, {patch} + e, {patch} + e, {2 * height}}}}};
""" + sized(f"{contact_radius / edges} + 0.2 * Max(0, (x^2 + y^2 + z^2)^0.5 - {patch})"))
            drive = {"vertices": "cut", "components": ["z"], "motion": {"velocity": [0, 0, -side * depth]}}
            return {"mesh": name, "solid": solid(MODULUS, POISSON_RATIO), "fixed": rollers(left="x", front="y"), "driven": [drive], "initial": {"translate": [0, 0, side * gap / 4]}}

        bodies = {"upper": octant("upper.geo", 1, 8), "lower": octant("lower.geo", -1, 6)}
        peak = 2 * REDUCED / 2 * contact_radius / (math.pi * radius / 2)     # Hertz's, of balls of this radius
        for geometry in GEOMETRIES:
            contact = {"both": ["upper.patch", "lower.patch"], "geometry": geometry, "thickness": gap, "pressure": 4 * peak}
            last, rest, fields = self.press(bodies, contact, 3, geometry)
            force = 4 * last["touch.fz"]
            about = {"field": "contact", "mesh": "octants of balls, 8 and 6 edges to the contact's radius, which is a hundredth of the balls'", "step": "without inertia, 3 steps"}
            name = f"Hertz, two balls, {geometry}"
            # As for one ball on a plane: the balls are held at their middles, and linear tetrahedra are too stiff.
            expect_closed_form(self, case=f"{name}: force", source="4 E* √R d^1.5/3", expected=4 / 3 * (REDUCED / 2) * math.sqrt(radius / 2) * (2 * depth)**1.5, got=force, tolerance=0.04, **about)
            a = (3 * force * (radius / 2) / (4 * REDUCED / 2))**(1 / 3)
            p0 = 3 * force / (2 * math.pi * a**2)
            r = numpy.hypot(rest[:, 0], rest[:, 1])
            pressure = fields["contact_pressure"].ravel()
            inner = (abs(rest[:, 2]) < radius / 100) & (r < 0.8 * a) & (pressure != 0)
            # Vertices on the planes of symmetry have half of their area and of their pressure's share; those inside count.
            inside = inner & (rest[:, 0] > 1e-9) & (rest[:, 1] > 1e-9)
            expected = p0 * numpy.sqrt(1 - (r[inside] / a)**2)
            ratio = pressure[inside] / expected
            areas = numpy.linalg.norm(fields["contact_force"], axis=1)[inside] / pressure[inside]
            expect_closed_form(self, case=f"{name}: peak pressure, from the mean over the inner vertices", source="3 F/(2 π a²)", expected=p0,
                               got=p0 * numpy.average(ratio, weights=areas), tolerance=0.03, **about)
            # Vertices alone press, and the meshes do not match.
            scatter = math.sqrt(numpy.average((ratio - 1)**2, weights=areas))
            expect_closed_form(self, case=f"{name}: scatter of the pressure over the inner vertices, root mean square of its parts", source="p₀ √(1 − r²/a²)", expected=0, got=scatter, scale=1,
                               tolerance=0.08, **about)

    def test_flat_punch(self):
        radius, depth, gap, far = 0.01, 1e-4, 1e-6, 1
        rim = 1.5 * radius          # radius of the faces that the punch may touch
        size = f"{radius / 20} + 0.16 * (((x^2 + y^2)^0.5 - {radius})^2 + z^2)^0.5"
        self.write("block.geo", f"""\
SetFactory("OpenCASCADE");
Cylinder(1) = {{0, 0, -{far}, 0, 0, {far}, {far}, Pi/2}};
Disk(100) = {{0, 0, 0, {rim}, {rim}}};
v() = BooleanFragments{{ Volume{{1}}; Delete; }}{{ Surface{{100}}; Delete; }};
e = 1e-5;
Physical Volume("solid") = {{1}};
Physical Surface("left") = {{Surface In BoundingBox{{-e, -e, -2, e, 2, e}}}};
Physical Surface("front") = {{Surface In BoundingBox{{-e, -e, -2, 2, e, e}}}};
Physical Surface("below") = {{Surface In BoundingBox{{-e, -e, -{far} - e, 2, 2, -{far} + e}}}};
Physical Surface("patch") = {{Surface In BoundingBox{{-e, -e, -e, {rim} + e, {rim} + e, e}}}};
""" + sized(size))
        self.write("punch.geo", f"""\
SetFactory("OpenCASCADE");
Cylinder(1) = {{0, 0, 0, 0, 0, {radius / 4}, {radius}, Pi/2}};
e = 1e-5;
Physical Volume("solid") = {{1}};
Physical Surface("flat") = {{Surface In BoundingBox{{-e, -e, -e, 1, 1, e}}}};
""" + sized(size))
        block = {"mesh": "block.geo", "solid": solid(MODULUS, POISSON_RATIO), "fixed": rollers(left="x", front="y", below="z")}
        punch = {"mesh": "punch.geo", "solid": solid(MODULUS, POISSON_RATIO), "initial": {"translate": [0, 0, gap / 2]}, "driven": [{"vertices": "solid", "motion": {"velocity": [0, 0, -depth]}}]}
        about = {"field": "contact", "mesh": "quarter of a cylinder of 100 radii, edges of a twentieth of the punch's radius at its rim", "step": "without inertia, 2 steps"}
        for geometry in GEOMETRIES:
            for way, sides in (("both", {"both": ["block.patch", "punch.flat"]}), ("one way", {"vertices": "block.patch", "against": "punch.flat"})):
                if (geometry, way) == ("edges_and_faces", "one way"):   # which is both
                    continue
                contact = {**sides, "geometry": geometry, "thickness": gap, "pressure": 1e5}
                last, _, _ = self.press({"block": block, "punch": punch}, contact, 2, f"{geometry}_{way[:3]}")
                # The pressure is singular at the rim, where edges are a twentieth of the radius (a fortieth leaves 4 %), and the bottom at 100 radii makes the block stiffer by 0.6 %.
                expect_closed_form(self, case=f"flat round punch that is a body, {geometry}, {way}: force", source="2 a E* d", expected=2 * radius * REDUCED * depth, got=-4 * last["touch.fz"],
                                   tolerance=0.08, **about)

    def test_moment_of_friction(self):
        """Two blocks in free space meet obliquely. Between edges and faces friction acts at the closest points of both, which are a gap apart: a moment of friction times gap is left over."""
        thickness, height, speed = 1e-3, 0.05, 1.0
        sides, masses = {"lower": 0.3, "upper": 0.1}, {}
        bodies = {}
        for name, side in sides.items():
            face = height if name == "lower" else 0
            self.write(f"{name}.msh", box((side, side, height), (round(20 * side),) * 2 + (1,)).gmsh_with({"face": lambda corners, face=face: bool(numpy.all(abs(corners[:, 2] - face) < 1e-9))}))
            masses[name] = 1000 * side * side * height
            start = {"translate": [0, 0, -height]} if name == "lower" else {"translate": [-0.05, 0.01, 1.05 * thickness], "velocity": [speed, 0, -0.2]}
            bodies[name] = {"mesh": f"{name}.msh", "solid": solid(MODULUS, POISSON_RATIO), "initial": start}
        for geometry, tolerance in (("edges_and_faces", 0.04), ("smooth_surface", 0.01)):
            contact = {"both": ["upper.face", "lower.face"], "geometry": geometry, "thickness": thickness, "friction": {"dynamic": 0.5}}
            scene = {"time": {"step": 1e-3, "end": 0.1}, "bodies": bodies, "contacts": {"touch": contact}, "solver": {"tolerance": 1e-10}}
            history = self.simulate(json.dumps(scene), out=f"free_{geometry}").history
            moment, momentum = numpy.zeros(3), numpy.zeros(3)
            for name, mass in masses.items():
                place, velocity, spin = ([history[f"{name}.{kind}{axis}"] for axis in "xyz"] for kind in ("", "v", "l"))
                moment += sum(sign * (mass * numpy.cross([x[i] for x in place], [v[i] for v in velocity]) + [each[i] for each in spin]) for i, sign in ((-1, 1), (0, -1)))
                momentum += sum(sign * mass * numpy.array([v[i] for v in velocity]) for i, sign in ((-1, 1), (0, -1)))
            impulse = masses["upper"] * (speed - history["upper.vx"][-1])
            self.assertGreater(impulse, 0.05)
            about = {"field": "contact", "mesh": "blocks, 6 × 6 and 2 × 2 cells", "step": "1 ms", "source": "is kept", "expected": 0}
            expect_closed_form(self, case=f"free blocks that rub, {geometry}: change of momentum [of friction's impulse]", got=float(numpy.linalg.norm(momentum)), scale=impulse, tolerance=1e-6, **about)
            expect_closed_form(self, case=f"free blocks that rub, {geometry}: change of angular momentum [of friction's impulse, times half a block's height]", got=float(numpy.linalg.norm(moment)),
                               scale=impulse * height / 2, tolerance=tolerance, **about)
            if geometry == "edges_and_faces":
                self.assertLess(float(numpy.linalg.norm(moment)), impulse * thickness)


if __name__ == "__main__":
    unittest.main()
