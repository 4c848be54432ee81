"""Friction and contact of rigid bodies against closed forms: slopes, rolling, spinning in place, stick-slip, belts, tipping, oblique impact."""

import json
import math
import unittest

import numpy

from closed_forms import expect_closed_form
from edge_shapes import Shape, box
from traction_runs import ShortRunTest, gmsh_text

GRAVITY = 9.81
MATERIAL = {"solid": {"youngs_modulus": 1e7, "poisson_ratio": 0.3, "density": 1000}}
FLOOR = {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}


def ball(cells, radius):
    """Cube mapped to a ball around the origin, `cells` to an edge: directions scaled so that cells have like sizes."""
    cube = box((2, 2, 2), (cells, cells, cells)).moved((0, 0, -1))
    across = numpy.tan(cube.points * math.pi / 4)
    size = numpy.abs(across).max(axis=1, keepdims=True)
    length = numpy.linalg.norm(across, axis=1, keepdims=True)
    return Shape(radius * across * size / numpy.where(length > 0, length, 1), cube.cells)


def disc(radius, height, rings, layers):
    """Cylinder that stands on z = 0: rings of 6, 12, 18, ... points."""
    points, triangles, starts = [(0.0, 0.0)], [], [0]
    for ring in range(1, rings + 1):
        starts.append(len(points))
        angles = 2 * math.pi * numpy.arange(6 * ring) / (6 * ring)
        points += [(radius * ring / rings * math.cos(a), radius * ring / rings * math.sin(a)) for a in angles]
    for ring in range(1, rings + 1):
        inner, outer = max(1, 6 * (ring - 1)), 6 * ring
        for sector in range(6):
            for k in range(ring):
                a = starts[ring] + (sector * ring + k) % outer
                b = starts[ring] + (sector * ring + k + 1) % outer
                c = starts[ring - 1] + (sector * (ring - 1) + k) % inner
                triangles.append((a, b, c))
                if k < ring - 1:
                    triangles.append((b, starts[ring - 1] + (sector * (ring - 1) + k + 1) % inner, c))
    flat, count, cells = numpy.array(points), len(points), []
    solid = numpy.concatenate([numpy.column_stack([flat, numpy.full(count, height * layer / layers)]) for layer in range(layers + 1)])
    for layer in range(layers):
        for triangle in triangles:
            a, b, c = sorted(triangle)
            low, high = layer * count, (layer + 1) * count
            cells += [(low + a, low + b, low + c, high + c), (low + a, low + b, high + b, high + c), (low + a, high + a, high + b, high + c)]
    return Shape(solid, cells)


class Friction(ShortRunTest):
    def expect(self, case, **values):
        expect_closed_form(self, **{"field": "friction", "case": case, **values})

    def run_on_floor(self, shape, time, contact, out="out", gravity=(0, 0, -GRAVITY), **body):
        self.write("body.msh", shape.gmsh_with({"bottom": lambda corners: bool(numpy.all(abs(corners[:, 2]) < 1e-9))}))
        scene = {"time": time, "gravity": list(gravity), "bodies": {"body": {"mesh": "body.msh", "solid": MATERIAL, **body}}, "surfaces": FLOOR, "contacts": {"touch": contact}}
        return self.simulate(json.dumps(scene), out=out).history

    def slope(self, degrees, friction, speed, time, out):
        """A block that starts in equilibrium, on a floor that is level, with the weight turned."""
        angle = math.radians(degrees)
        contact = {"vertices": "body.bottom", "against": "floor", "thickness": 1e-3, "friction": {"dynamic": friction, "tolerance": 1e-3}}
        start = {"translate": [0, 0, 9e-4], "equilibrium": True, "velocity": [speed, 0, 0]}
        weight = (GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle))
        # Damping ends the shivers of a stop. It does not act on motion as a whole.
        return self.run_on_floor(box((0.1, 0.1, 0.05), (3, 3, 2)), time, contact, out, weight, initial=start, damping={"stiffness": 2e-4})

    def test_slides_down_a_slope(self):
        degrees, friction = 25, 0.3
        acceleration = GRAVITY * (math.sin(math.radians(degrees)) - friction * math.cos(math.radians(degrees)))
        for integrator, step in (("tr_sdirk2", 5e-3), ("tr_sdirk2", 1e-3), ("sdirk2", 5e-3), ("trapezoidal", 5e-3), ("tr_bdf2", 1e-3)):
            history = self.slope(degrees, friction, 0.1, {"step": step, "end": 0.3, "integrator": integrator}, f"{integrator}{step}")
            self.expect("block slides down 25°: way in 0.3 s", source="v t + g (sin θ − μ cos θ) t²/2", expected=0.03 + acceleration * 0.045,
                        got=history["body.x"][-1], tolerance=2e-3, mesh="block, 3 × 3 × 2 cells", step=f"{integrator}, {1e3 * step:g} ms")

    def test_slides_from_an_equilibrium_on_another_body(self):
        """Friction does not hold the block. The vertices of the slope, one of which lies under the block's middle, do not either."""
        friction, ways = 0.3, []
        contacts = {"everything": {"all": True, "thickness": 5e-4, "friction": {"dynamic": friction}}}
        for degrees, ranks in ((30, 1), (30, 2), (18, 1)):
            ramp = box((2, 0.5, 0.1), (8, 2, 1)).moved((0.5, 0, -0.1)).turned((0, 1, 0), degrees)
            self.write("ramp.msh", ramp.gmsh())
            self.write("block.msh", box((0.1, 0.1, 0.05), (2, 2, 1)).moved((0, 0, 6e-4)).turned((0, 1, 0), degrees).gmsh())
            bodies = {"block": {"mesh": "block.msh", "solid": MATERIAL, "damping": {"stiffness": 1e-4}, "initial": {"equilibrium": True}},
                      "ramp": {"mesh": "ramp.msh", "solid": {"solid": {**MATERIAL["solid"], "youngs_modulus": 1e9}}, "fixed": ["solid"]}}
            scene = {"time": {"step": 2e-3, "end": 0.1}, "gravity": [0, 0, -GRAVITY], "bodies": bodies, "contacts": contacts}
            outcome = self.simulate(json.dumps(scene), out=f"{degrees}_{ranks}", ranks=ranks)
            self.assertIn("friction does not hold it, and it slides", outcome.errors)
            self.assertNotIn("from where the scene puts it", outcome.errors)
            history, angle = outcome.history, math.radians(degrees)
            speed = numpy.hypot(history["block.vx"], history["block.vz"])
            ways.append(speed[-1])
            self.expect("block slides down 30°, on a body: acceleration", source="g (sin θ − μ cos θ)", expected=GRAVITY * (math.sin(angle) - friction * math.cos(angle)),
                        got=(speed[-1] - speed[0]) / (history["time"][-1] - history["time"][0]), tolerance=2e-3, mesh="block, 2 × 2 × 1 cells", step=f"2 ms, ranks: {ranks}")
        self.assertAlmostEqual(ways[0], ways[1], delta=1e-6)

    def test_stops_on_a_slope(self):
        degrees, friction, speed = 15, 0.5, 0.5
        angle = math.radians(degrees)
        deceleration = GRAVITY * (friction * math.cos(angle) - math.sin(angle))
        creep = 1e-3 * (1 - math.sqrt(1 - math.tan(angle) / friction))
        for integrator, step in (("tr_sdirk2", 5e-3), ("tr_sdirk2", 1e-3), ("sdirk2", 1e-3), ("trapezoidal", 5e-3), ("backward_euler", 1e-3)):
            history = self.slope(degrees, friction, speed, {"step": step, "end": 0.4, "integrator": integrator}, f"{integrator}{step}")
            about = {"mesh": "block, 3 × 3 × 2 cells", "step": f"{integrator}, {1e3 * step:g} ms"}
            velocity, time = history["body.vx"], history["time"]
            row = int(numpy.argmax(velocity < 0.05 * speed))
            part = (velocity[row - 1] - 0.05 * speed) / (velocity[row - 1] - velocity[row])
            self.expect("block stops on 15°: time to a twentieth of its speed", source="Δv/(g (μ cos θ − sin θ))", expected=0.95 * speed / deceleration,
                        got=time[row - 1] + part * step, tolerance=0.01, **about)
            # The creep after the stop is part of the way.
            self.expect("block stops on 15°: creep", source="ε (1 − √(1 − tan θ/μ))", expected=creep, got=velocity[-20:].mean(), tolerance=0.01, **about)

    def test_sticks_on_a_slope(self):
        creep = 1e-3 * (1 - math.sqrt(1 - math.tan(math.radians(10)) / 0.4))
        for integrator, step in (("tr_sdirk2", 1e-2), ("trapezoidal", 5e-3)):
            history = self.slope(10, 0.4, 0, {"step": step, "end": 0.2, "integrator": integrator}, f"{integrator}{step}")
            way = history["body.x"][-1] - history["body.x"][0]
            self.expect("block sticks on 10°: creep from the first step on", source="ε (1 − √(1 − tan θ/μ)) t", expected=creep * (0.2 - step), got=way, tolerance=1e-3,
                        mesh="block, 3 × 3 × 2 cells", step=f"{integrator}, {1e3 * step:g} ms")

    def roll(self, velocity, spin, end, out):
        radius = 0.1
        contact = {"vertices": "body", "against": "floor", "thickness": 1e-3, "damping": 3, "friction": {"dynamic": 0.5, "tolerance": 1e-3}}
        start = {"translate": [0, 0, radius + 5e-4], "equilibrium": True, "velocity": [velocity, 0, 0], "angular_velocity": [0, spin, 0]}
        return self.run_on_floor(ball(12, radius), {"step": 1e-3, "end": end}, contact, out, initial=start)

    def test_slides_and_rolls(self):
        # Lumped at the vertices, the masses of this mesh have a moment of inertia 3.5 % above 2 m R^2 / 5, of which 1 % goes into 5/7, 2.5 % into 2/7.
        about = {"mesh": "ball, 12 × 12 × 12 cells", "step": "1 ms"}
        history = self.roll(1, 0, 0.1, "slides")
        self.expect("ball that slides ends rolling: speed", source="5 v/7", expected=5 / 7, got=history["body.vx"][-10:].mean(), tolerance=0.02, **about)
        history = self.roll(0, 20, 0.2, "spins")
        self.expect("spinning ball ends rolling: speed", source="2 ω R/7", expected=2 / 7 * 20 * 0.1, got=history["body.vx"][-10:].mean(), tolerance=0.03, **about)

    def test_disc_spins_in_place(self):
        radius, friction, spin, end = 0.1, 0.3, 20, 0.3
        contact = {"vertices": "body.bottom", "against": "floor", "thickness": 1e-3, "friction": {"dynamic": friction, "tolerance": 1e-3}}
        start = {"translate": [0, 0, 9e-4], "equilibrium": True, "angular_velocity": [0, 0, spin]}
        history = self.run_on_floor(disc(radius, 0.02, 8, 1), {"step": 2e-3, "end": end}, contact, initial=start)
        moment = (history["body.lz"][0] - history["body.lz"][-1]) / (history["time"][-1] - history["time"][0])
        weight = history["touch.fz"].mean()
        self.expect("disc that spins in place: moment of friction", source="2 μ N R/3", expected=2 / 3 * friction * weight * radius, got=moment, tolerance=0.01,
                    mesh="8 rings, 48 points around", step="2 ms")

    def test_stick_slip(self):
        """A block on a belt, held back by a long soft light part of the same body."""
        spring, block, width, height = 0.2, 0.05, 0.16, 0.01   # so flat that it does not rock
        shape = box((spring + block, width, height), (10, 2, 1)).moved(((spring + block) / 2, 0, 0))
        middles = shape.points[shape.cells].mean(axis=1)
        heavy = middles[:, 0] > spring
        stand = [t for t in shape.triangles.tolist() if numpy.all(abs(shape.points[t][:, 2]) < 1e-9) and numpy.all(shape.points[t][:, 0] > spring - 1e-9)]
        left = [v for v, p in enumerate(shape.points) if p[0] < 1e-9]
        self.write("body.msh", gmsh_text(shape.points.tolist(), [(2 if h else 1, *c) for h, c in zip(heavy, shape.cells.tolist())], [(3, *t) for t in stand],
                                         {1: (3, "spring"), 2: (3, "block"), 3: (2, "bottom"), 4: (0, "left")}, [(4, v) for v in left]))
        modulus, density, static, dynamic, belt = 1e5, 5000, 0.5, 0.3, 0.02
        mass, stiffness = density * block * width * height, modulus * width * height / spring
        frequency, stretch = math.sqrt(stiffness / mass), (static - dynamic) * mass * GRAVITY / stiffness
        coulomb = (math.pi + 2 * math.atan(belt / (stretch * frequency))) / frequency + 2 * stretch / belt

        def period(tolerance, stribeck, step):
            friction = {"dynamic": dynamic, "static": static, "tolerance": tolerance, "stribeck_velocity": stribeck}
            scene = {"time": {"step": step, "end": 0.7}, "gravity": [0, 0, -GRAVITY],
                     "bodies": {"body": {"mesh": "body.msh", "fixed": "left", "damping": {"stiffness": 1e-4}, "initial": {"translate": [0, 0, 9e-5], "equilibrium": True}, "solid": {
                         "spring": {"youngs_modulus": modulus, "poisson_ratio": 0, "density": 1}, "block": {"youngs_modulus": 1e8, "poisson_ratio": 0, "density": density}}}},
                     "surfaces": {"belt": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "motion": {"velocity": [belt, 0, 0], "ramp": 1e-3}}},
                     "contacts": {"touch": {"vertices": "body.bottom", "against": "belt", "thickness": 1e-4, "friction": friction}}, "solver": {"tolerance": 1e-8}}
            history = self.simulate(json.dumps(scene), out=f"out{stribeck}").history
            time, velocity = history["time"], history["body.vx"] - belt / 2
            falls = numpy.nonzero((velocity[:-1] > 0) & (velocity[1:] < 0))[0]
            starts = time[falls] + (time[falls + 1] - time[falls]) * velocity[falls] / (velocity[falls] - velocity[falls + 1])
            self.assertGreater(len(starts), 2)
            return starts[-1] - starts[-2]

        # Coulomb's law has no decay: sliding sets in slowly as friction falls from static to dynamic, which takes the longer the faster the Stribeck velocity is.
        errors = []
        for tolerance, stribeck, step, bound in ((1e-4, 2e-3, 5e-4, 0.05), (5e-5, 5e-4, 2e-4, 0.025), (1e-5, 1e-4, 1e-4, 0.01)):
            got = period(tolerance, stribeck, step)
            errors.append(abs(got / coulomb - 1))
            self.expect(f"stick-slip, Stribeck velocity 1/{belt / stribeck:.0f} of the belt's: period", source="(π + 2 atan(v/(d ω)))/ω + 2 d/v, d = (μs − μd) N/k (Coulomb)", expected=coulomb, got=got,
                        tolerance=bound, mesh="spring of 8 cells", step=f"{1e3 * step:g} ms")
        self.assertEqual(errors, sorted(errors, reverse=True))
        tolerance, stribeck = 1e-4, 2e-3
        about = {"got": coulomb * (1 + errors[0]), "mesh": "spring of 8 cells", "step": "0.5 ms, 370 a period"}

        def coefficient(slip):
            speed = abs(slip)
            x = min(1, max(0, speed - tolerance) / (stribeck - tolerance))
            onset = 1 if speed >= tolerance else 2 * speed / tolerance - (speed / tolerance)**2
            return math.copysign((dynamic + (static - dynamic) * (2 * x + 1) * (x - 1)**2) * onset, slip)

        # One mass on one spring under the same law of friction, by backward Euler and bisection.
        h, x, v, slips = 2e-5, 0.0, 0.0, []
        for n in range(round(0.7 / h)):
            low, high = -1.0, 1.0
            while high - low > 1e-12:
                w = (low + high) / 2
                low, high = (w, high) if mass * (w - v) < h * (mass * GRAVITY * coefficient(belt - w) - stiffness * (x + h * w)) else (low, w)
            if v > belt / 2 >= low:
                slips.append(n * h)
            v, x = low, x + h * low
        self.expect("stick-slip with the smooth law: period", source="m ẍ = −k x + μ(v − ẋ) N, integrated", expected=slips[-1] - slips[-2], tolerance=0.01, **about)

    def test_belt_around_a_cylinder(self):
        radius, width, segments, straight, pull, friction = 0.1, 0.02, 60, 4, 1.0, 0.3
        length = math.pi * radius / segments
        path = [(radius, -length * k) for k in range(straight, 0, -1)]
        path += [(radius * math.cos(a), radius * math.sin(a)) for a in numpy.linspace(0, math.pi, segments + 1)]
        path += [(-radius, -length * k) for k in range(1, straight + 1)]
        points = [(x, y, z) for x, z in path for y in (0, width)]
        belt = Shape(points, [t for i in range(len(path) - 1) for t in ((2 * i, 2 * i + 2, 2 * i + 3), (2 * i, 2 * i + 3, 2 * i + 1))])
        low = -straight * length + 1e-9
        self.write("belt.msh", belt.gmsh_with({"loose": lambda c: bool(c[:, 2].min() < low and c[0, 0] > 0)}, {"tight": lambda p: p[2] < low and p[0] < 0}))
        body = {"mesh": "belt.msh", "shell": {"shell": {"youngs_modulus": 1e5, "poisson_ratio": 0, "density": 1}}, "fixed": {"region": "shell", "components": ["y"]},
                "driven": [{"vertices": "tight", "components": ["x", "z"], "motion": {"velocity": [0, 0, -0.02]}}], "loads": {"weight": {"region": "loose", "force": [0, 0, -pull]}}}
        scene = {"time": {"step": 0.02, "end": 0.6, "inertia": False}, "bodies": {"belt": body},
                 "surfaces": {"drum": {"cylinder": {"point": [0, 0, 0], "axis": [0, 1, 0], "radius": radius - 5e-5}}},
                 "contacts": {"wrap": {"vertices": "belt", "against": "drum", "thickness": 1e-4, "pressure": 5e3, "friction": {"dynamic": friction, "tolerance": 1e-3}}}}
        history = self.simulate(json.dumps(scene)).history
        self.expect("belt that slides around half a cylinder: ratio of tensions", source="exp(μ θ) (Euler, Eytelwein)", expected=math.exp(friction * math.pi),
                    got=-history["belt.tight.fz"][-1] / pull, tolerance=0.01, mesh="membrane, 60 segments around", step="without inertia, 20 ms")

    def test_rollers_carry_a_plate(self):
        """A plate of one cell, whose vertices are all beside two cylinders that turn, first slides on them and then moves with their surfaces."""
        radius, spin, coefficient, tolerance = 0.05, 2.0, 0.02, 1e-4
        plate = box((1.0, 0.5, 0.03))
        self.write("plate.msh", plate.gmsh())
        rollers = {f"roller_{i}": {"cylinder": {"point": [x, 0, -radius], "axis": [0, 1, 0], "radius": radius}, "motion": {"angular_velocity": [0, spin, 0], "about": [x, 0, -radius]}}
                   for i, x in enumerate((-0.2, 0.2))}
        scene = {"time": {"step": 5e-3, "end": 0.9}, "gravity": [0, 0, -GRAVITY], "surfaces": rollers,
                 "bodies": {"plate": {"mesh": "plate.msh", "solid": {"solid": MATERIAL["solid"] | {"youngs_modulus": 1e9}}, "initial": {"translate": [0, 0, 9.6e-4]}, "damping": {"stiffness": 1e-3}}},
                 "contacts": {"everything": {"all": True, "thickness": 1e-3, "pressure": 1e5, "damping": 20, "friction": {"dynamic": coefficient, "tolerance": tolerance}}}}
        outcome = self.simulate(json.dumps(scene))
        self.assertNotIn("pass between", outcome.errors)
        history, speed, mass = outcome.history, spin * radius, 1000 * plate.volume
        about = {"mesh": "plate of one cell", "step": "5 ms"}
        carried = speed / (coefficient * GRAVITY)     # when the plate has the speed of the rollers
        early = int(numpy.searchsorted(history["time"], 0.8 * carried))
        self.expect("plate of one cell on turning rollers: acceleration", source="μ g", expected=coefficient * GRAVITY, got=(history["plate.vx"][early] - history["plate.vx"][9]) / (history["time"][early] - history["time"][9]), tolerance=0.01, **about)
        self.expect("plate of one cell on turning rollers: last speed", source="ω R", expected=speed, got=history["plate.vx"][-1], tolerance=2e-3, **about)
        # The rollers' surfaces move by ω R t while friction of μ m g drags the plate: twice the kinetic energy that it gets; friction takes the other half.
        self.expect("plate of one cell on turning rollers: work of the rollers", source="m (ω R)²", expected=mass * speed**2, got=history["work_driven"][-1], tolerance=0.02, **about)

    def test_tips(self):
        width, height, first, last, end = 0.1, 0.2, 0.45, 0.55, 4.0
        contact = {"vertices": "body.bottom", "against": "floor", "thickness": 1e-4, "pressure": 1e5, "friction": {"dynamic": 1, "tolerance": 1e-4}}
        push = {"body_force": [GRAVITY, 0, 0], "over": [{"time": 0, "factor": first}, {"time": end, "factor": last}]}
        history = self.run_on_floor(box((width, width, height), (3, 3, 6)), {"step": 0.01, "end": 2.6}, contact, initial={"translate": [0, 0, 9e-5], "equilibrium": True}, loads={"push": push})
        row = int(numpy.argmax(history["body.wy"] > 5e-3))
        self.assertGreater(row, 0)
        # By then it has tipped for 0.08 s, in which the push has grown by 0.4 %.
        self.expect("block tips: horizontal over vertical force", source="b/h", expected=width / height, got=first + (last - first) * history["time"][row] / end, tolerance=0.01,
                    mesh="block, 3 × 3 × 6 cells", step="10 ms")

    def test_oblique_impact(self):
        friction = 0.1
        contact = {"vertices": "body", "against": "floor", "thickness": 1e-3, "friction": {"dynamic": friction, "tolerance": 1e-3}}
        start = {"translate": [0, 0, 0.102], "velocity": [2, 0, -1]}
        history = self.run_on_floor(ball(10, 0.1), {"step": 2e-4, "end": 0.02}, contact, gravity=(0, 0, 0), initial=start)
        rebound = history["body.vz"][-1]
        self.assertEqual(history["contacts"][-1], 0)
        about = {"mesh": "ball, 10 × 10 × 10 cells", "step": "0.2 ms"}
        self.expect("oblique impact that slides: tangential change of speed", source="μ (1 + e) v", expected=friction * (1 + rebound), got=2 - history["body.vx"][-1], tolerance=5e-3, **about)


if __name__ == "__main__":
    unittest.main()
