"""contact_pressure where a surface is pressed from both sides: the sheets of a stack, on 1, 2 and 4 ranks."""

import json
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import sheet
from field_runs import Frames
from traction_runs import RunTest

SIDE, CELLS = 0.1, 5                 # a sheet's side [m], and its cells
SHEET_THICKNESS, THICKNESS = 1e-3, 1e-3
LOADS = {"lower": 0.0, "middle": 400.0, "upper": 1000.0}   # traction on each sheet, downwards [Pa]
SHELL = {"youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": 0.5, "thickness": SHEET_THICKNESS, "bending_stiffness": 1e-3}


class SqueezedSheets(RunTest):
    def press(self, geometry, ranks):
        """Three sheets on a floor, each of which can only rise and sink: heights of their vertices at rest, their fields, and the history's last row."""
        bodies = {}
        for number, (name, load) in enumerate(LOADS.items()):
            self.write(f"{name}.msh", sheet((SIDE, SIDE), (CELLS, CELLS)).gmsh())
            bodies[name] = {"mesh": f"{name}.msh", "shell": {"shell": SHELL}, "damping": {"mass": 200}, "fixed": [{"region": "shell", "components": ["x", "y"]}],
                            "initial": {"translate": [0, 0, SHEET_THICKNESS / 2 + 0.8 * THICKNESS + number * (SHEET_THICKNESS + 0.8 * THICKNESS)]}}
            if load:
                bodies[name]["loads"] = {"press": {"region": "shell", "traction": [0, 0, -load]}}
        law = {"thickness": THICKNESS, "pressure": 1e4}
        scene = {"time": {"step": 0.01, "end": 0.5, "integrator": "backward_euler"}, "bodies": bodies, "surfaces": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                 "contacts": {"floor": {"vertices": "lower", "against": "floor", **law}, "first": {"both": ["middle", "lower"], "geometry": geometry, **law},
                              "second": {"both": ["upper", "middle"], "geometry": geometry, **law}},
                 "solver": {"tolerance": 1e-10}, "output": {"every": 0.5, "fields": ["contact_pressure", "contact_force"]}}
        outcome = self.simulate(json.dumps(scene), ranks=ranks, out=f"{geometry}{ranks}")
        frame = Frames(outcome.directory).read(-1)
        return frame.points[:, 2], frame.fields["contact_pressure"], frame.fields["contact_force"], outcome.last_row()

    def test_both_sides_of_a_sheet(self):
        """What lies above presses from above, what holds it from below: the field shows the side that is pressed more, the force their sum."""
        for geometry, tolerance in (("edges_and_faces", 1e-8), ("smooth_surface", 5e-4)):   # the smooth surface distributes forces over the triangles around a vertex
            for ranks in (1, 2, 4):
                with self.subTest(geometry=geometry, ranks=ranks):
                    height, pressure, force, last = self.press(geometry, ranks)
                    sheets = numpy.argsort(height).reshape(len(LOADS), -1)
                    below = {name: sum(list(LOADS.values())[number:]) for number, name in enumerate(LOADS)}
                    words = {"field": "fields of contact", "mesh": f"{CELLS} × {CELLS} cells", "step": f"backward_euler until rest, {ranks} rank{'s' if ranks > 1 else ''}"}
                    for (name, expected), members in zip(below.items(), sheets):
                        worst = pressure[members][abs(pressure[members] - expected).argmax()]
                        expect_closed_form(self, **words, case=f"stack of sheets, {geometry}: contact_pressure of the {name} one", source="load above, per area", expected=expected, got=worst,
                                           tolerance=tolerance)
                        numpy.testing.assert_allclose(force[members].sum(axis=0), [0, 0, LOADS[name] * SIDE**2], atol=1e-8)
                    first, second = force[sheets[1]].sum(axis=0), force[sheets[2]].sum(axis=0)
                    numpy.testing.assert_allclose([last["second.fz"], last["first.fz"], last["floor.fz"]], numpy.cumsum([second[2], first[2], force[sheets[0], 2].sum()]), atol=1e-8)


if __name__ == "__main__":
    unittest.main()
