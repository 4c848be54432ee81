"""Scenes in which edges, corners and thin bodies touch, on the coarsest possible meshes, and how they must end.

edge_scenes_catalogue lists them by name; run_edge_scenes runs them.
"""

import dataclasses
import json
import pathlib
import sys
import typing

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "postprocess"))   # for those that import this

GRAVITY = 9.81
EVERYTHING = "everything"       # one contact of all that may touch
EDGES = "edges_and_faces"       # pair by pair
DEFAULT = "default"             # pair by pair, without the key `geometry`


@dataclasses.dataclass
class Scene:
    """A scene and its meshes. `judge` takes a Result and yields (name, value, whether it is as it must be)."""

    name: str
    scene: dict
    files: dict
    shapes: dict                # shapes of the bodies at the start
    judge: typing.Callable = lambda result: ()
    skip: tuple = ()            # pairs of surfaces that may cross
    gain: float = 0.002         # total energy may grow by this part of what is set free
    throws: bool = False        # bodies may throw each other above the place from which they fell

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            (folder / name).write_text(text)
        (folder / "scene.yaml").write_text(json.dumps(self.scene, indent=1) + "\n")   # YAML, too


class Builder:
    """Collects bodies, obstacles and contacts of a scene."""

    def __init__(self, name, geometry, step=5e-3, end=2.0, thickness=1e-3, friction=1.0, gravity=(0, 0, -GRAVITY), every=None, integrator=None):
        self.name, self.geometry, self.thickness = name, geometry, thickness
        self.scene = {"time": {"step": step, "end": end}, "gravity": list(gravity), "bodies": {}, "surfaces": {}, "contacts": {},
                      "output": {"every": every or step, "log_every": 1000000}}
        if integrator:
            self.scene["time"]["integrator"] = integrator
        self.friction = {"dynamic": friction} if friction else None
        self.files = {}
        self.shapes = {}

    def body(self, name, shape, at=(0, 0, 0), youngs_modulus=5e6, poisson_ratio=0.3, density=1000, fixed=(), regions=None, shell=None, **initial):
        """`at` moves the shape; its mesh lies where the body starts. Of a shell `shell` is the thickness. A damping, and other settings of the body, may be among `initial`."""
        shape = shape.moved(at)
        self.files[f"{name}.msh"] = shape.gmsh_with(regions or {})
        self.shapes[name] = shape
        material = {"youngs_modulus": youngs_modulus, "poisson_ratio": poisson_ratio, "density": density}
        body = {"mesh": f"{name}.msh"}
        body |= {"solid": {"solid": material}} if shape.solid else {"shell": {"shell": {**material, "thickness": shell}}}
        body |= {key: initial.pop(key) for key in ("damping", "loads") if key in initial}
        if fixed:
            body["fixed"] = list(fixed)
        if initial:
            body["initial"] = initial
        self.scene["bodies"][name] = body
        return shape

    def fixed(self, name, shape, at=(0, 0, 0), **settings):
        return self.body(name, shape, at, fixed=("solid" if shape.solid else "shell",), **settings)

    def mesh_obstacle(self, name, shape, at=(0, 0, 0)):
        self.files[f"{name}.obj"] = shape.moved(at).obj()
        self.scene["surfaces"][name] = {"mesh": {"file": f"{name}.obj"}}

    def box_obstacle(self, name, lower, upper):
        self.scene["surfaces"][name] = {"box": {"lower": list(lower), "upper": list(upper)}}

    def floor(self, height=0.0):
        self.scene["surfaces"]["floor"] = {"plane": {"point": [0, 0, height], "normal": [0, 0, 1]}}
        return "floor"

    def support(self, kind, name, shape, at=(0, 0, 0), **settings):
        """A thing that does not move: kind "body" or "obstacle" (a mesh), or "box" for the shape's bounds."""
        if kind == "body":
            self.fixed(name, shape, at, **settings)
        elif kind == "obstacle":
            self.mesh_obstacle(name, shape, at)
        else:
            points = shape.moved(at).points
            self.box_obstacle(name, points.min(axis=0).tolist(), points.max(axis=0).tolist())

    def touch(self, one, other, **more):
        """Bodies, or regions of them as in table.top, or a body and an obstacle."""
        bodies = self.scene["bodies"]

        def surface(name):
            return name if "." in name else f"{name}.surface" if "solid" in bodies[name] else f"{name}.shell"

        if other.partition(".")[0] in bodies and other != one:
            entry = {"both": [surface(one), surface(other)]}
        else:
            entry = {"vertices": surface(one), "against": surface(one) if other == one else other}
        entry["thickness"] = self.thickness
        if self.friction:
            entry["friction"] = dict(self.friction)
        if self.geometry == EDGES and "plane" not in self.scene["surfaces"].get(other, {}):
            entry["geometry"] = EDGES
        self.scene["contacts"][f"{one}_{other}".replace(".", "_")] = entry | more

    def done(self, judge=lambda result: (), **options):
        if self.geometry == EVERYTHING:
            contact = {"all": True, "thickness": self.thickness}
            if self.friction:
                contact["friction"] = dict(self.friction)
            self.scene["contacts"] = {"everything": contact}
        return Scene(self.name, self.scene, self.files, self.shapes, judge, **options)


class Result:
    """What a run left: columns of its history, positions of its bodies."""

    def __init__(self, scene, outcome, frames):
        self.scene, self.code, self.history, self.report, self.frames = scene.scene, outcome.code, outcome.history, outcome.report, frames
        self.bodies = self.scene["bodies"]

    @property
    def free_bodies(self):
        return [name for name, body in self.bodies.items() if "fixed" not in body]

    def start(self, body):
        """Where the centroid starts, from the first row of the history, taken back by a step's motion."""
        h = self.history
        velocity = numpy.array(self.bodies[body].get("initial", {}).get("velocity", (0, 0, 0)), float)
        first = numpy.array([h[f"{body}.{axis}"][0] for axis in "xyz"])
        return first - h["time"][0] * (velocity + h["time"][0] / 2 * numpy.array(self.scene["gravity"]))

    def end(self, body):
        return numpy.array([self.history[f"{body}.{axis}"][-1] for axis in "xyz"])

    def energy(self):
        h = self.history
        return sum(h[f"{kind}_energy"] for kind in ("kinetic", "elastic", "bending", "gravity", "volume", "contact") if f"{kind}_energy" in h)

    def energy_gain(self):
        """The most by which the total energy is above an earlier value, and the energy that is set free: by falling, and as kinetic energy [J]."""
        total = self.energy()
        gain = float(numpy.max(total - numpy.minimum.accumulate(total)))
        return gain, float(numpy.ptp(self.history["gravity_energy"]) + numpy.max(self.history["kinetic_energy"]))

    def rises(self):
        """How far each body gets above the highest place that it could reach by itself at the start [m]; negative where it does not. What another body strikes may rise."""
        def limit(name):
            return self.start(name)[2] + sum(v**2 for v in self.bodies[name].get("initial", {}).get("velocity", (0, 0, 0))) / (2 * GRAVITY)
        return {name: float(self.history[f"{name}.z"].max() - limit(name)) for name in self.free_bodies}

    def rise(self):
        """How far above the highest place that any body could reach at the start a body gets [m]; negative if none does."""
        limits = {name: float(self.history[f"{name}.z"].max()) - rise for name, rise in self.rises().items()}
        return max(float(self.history[f"{name}.z"].max()) for name in limits) - max(limits.values())

    def points(self, body, index):
        """Positions of a body's vertices in a frame, in the mesh's order."""
        frame = self.frames.read(index)
        names, first = self.frames.bodies
        ids = frame.topology.vertex_ids
        return frame.points[numpy.searchsorted(first, ids, side="right") - 1 == names.index(body)]


def ends_above(body, height):
    def judge(result):
        yield f"{body} ends at z [m]", float(result.end(body)[2]), result.end(body)[2] > height
    return judge


def ends_above_or_beside(body, height, half_width):
    """Above a height, unless it has bounced away from what lies within half_width of the origin in x and y."""
    def judge(result):
        x, y, z = result.end(body)
        yield f"{body} ends at z [m]", float(z), z > height or max(abs(x), abs(y)) > half_width
    return judge


def ends_at(body, height, within=2e-3):
    """At a height of its centroid, but for the contact's thickness and what weight presses together."""
    def judge(result):
        z = float(result.end(body)[2])
        yield f"{body} ends at z [m]", z, abs(z - height) < within
    return judge
