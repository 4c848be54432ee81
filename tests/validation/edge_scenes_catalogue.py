"""The scenes with edges, corners and thin bodies, by name. A name's parts after dots name the variant: table_outside.obstacle.20mm."""

import functools
import math

import numpy

from edge_scenes import DEFAULT, GRAVITY, Builder, ends_above, ends_above_or_beside, ends_at
from edge_shapes import arch_stone, ball, block_with_crack, block_with_hole, box, cube, random_shape, sheet, spike, tetrahedron, upside_down, wedge

CATALOGUE = {}      # name -> function that makes a Scene from a geometry, one of those in edge_scenes


def scene(name, *arguments):
    """Registers a scene's variant: the function takes (name, geometry, *arguments)."""
    def register(function):
        CATALOGUE[name] = lambda geometry: function(name, geometry, *arguments)
        return function
    return register


# 1. Sharp pairs, the upper one dropped onto the lower one, which does not move.

def sharp_pairs():
    pit, crack = block_with_hole(0.3, 0.25, 0.15), block_with_crack(0.3, 0.25, 0.15, 0.3)
    pyramid, roof, corner = spike(0.2, 0.2), wedge(0.2, 0.2, 0.2), tetrahedron(0.2)
    thin, blade = spike(0.16, 0.2), wedge(0.16, 0.2, 0.2)
    slab = box((0.4, 0.4, 0.1), (2, 2, 1))
    held = ends_above_or_beside("upper", 0.1, 0.15)     # the notch is 0.1 m above the floor at its deepest, in a block 0.3 m wide
    yield "spike_on_spike", upside_down(pyramid), pyramid, (0, 0), None
    yield "spike_on_wedge", upside_down(pyramid), roof, (0, 0), None
    yield "wedge_on_wedge", upside_down(roof), roof, (0, 0), None
    yield "edge_on_edge", upside_down(roof).turned((0, 0, 1), 90), roof, (0, 0), None
    yield "corner_on_corner", upside_down(corner), corner, (0, 0), None
    yield "spike_in_hole", upside_down(thin), pit, (0, 0), held
    yield "spike_in_crack", upside_down(thin), crack, (0, 0), held
    yield "wedge_in_crack", upside_down(blade), crack, (0, 0), held
    yield "cube_on_cliff", cube(0.2), cube(0.2), (0.07, 0), ends_at("upper", 0.3), {"damping": {"mass": 2, "stiffness": 1e-3}}     # else it may tumble off when it bounces, 30 mm inside of the cliff
    yield "cube_on_internal_edges", cube(0.2), slab, (0.1, 0), ends_at("upper", 0.2)


for _pair in sharp_pairs():
    for _support in ("body", "obstacle"):
        # As it is, refined, and a little off, so that corners and edges do not meet exactly.
        for _variant, _fine, _off in (("", 0, (0, 0)), (".fine", 2, (0, 0)), (".off", 0, (3e-3, 2e-3))):
            @scene(f"{_pair[0]}.{_support}{_variant}", _pair, _support, _fine, _off)
            def sharp_pair(name, geometry, pair, support, fine, off):
                _, upper, lower, shift, judge, *settings = pair
                shift = (shift[0] + off[0], shift[1] + off[1])
                b = Builder(name, geometry)
                b.support(support, "lower", lower.refined(fine))
                b.body("upper", upper.refined(fine), (*shift, lower.height + 0.03), **(settings[0] if settings else {}))
                b.touch("upper", "lower")
                b.touch("upper", b.floor())
                return b.done(judge or (lambda result: ()))


# 2. Cloth.

@scene("cloth_3", 3)
@scene("cloth_10", 10)
@scene("cloth_3.close", 3, 4e-3)
def cloth(name, geometry, count, apart=0.01):
    thickness, layer, youngs_modulus, density = 1e-3, 1e-3, 1e6, 300
    b = Builder(name, geometry, end=1.5, thickness=layer, friction=0.3)
    b.floor()
    sheets = [f"sheet_{i}" for i in range(count)]
    for i, one in enumerate(sheets):
        b.body(one, sheet((0.2, 0.2), (10, 10)).turned((0, 0, 1), 7 * i), (0, 0, 2 * apart + apart * i), youngs_modulus=youngs_modulus, density=density, shell=thickness, damping={"mass": 1, "stiffness": 1e-3})
        b.touch(one, "floor")
        if i:
            b.touch(one, sheets[i - 1])

    def judge(result):
        heights = []
        for one in sheets:
            points = result.points(one, len(result.frames) - 1)
            inner = numpy.linalg.norm(points[:, :2] - points[:, :2].mean(axis=0), axis=1) < 0.07
            heights.append(float(points[inner, 2].mean()))
        # Where the layer (docs/theory/contact.md, (C2) and (C9), with a tenth of Young's modulus at no gap) holds the weight of the sheets above.
        weights = density * GRAVITY * thickness * numpy.arange(count, 0, -1)
        gaps = layer * (1 - numpy.sqrt(weights / (youngs_modulus / 10)))
        off = numpy.diff([0, *heights]) - gaps - thickness * numpy.array([0.5] + [1] * (count - 1))
        for what, value, error in (("floor to first sheet [mm]", heights[0], off[0]), ("least spacing [mm]", numpy.diff(heights).min(), off[1:].min()),
                                   ("largest spacing [mm]", numpy.diff(heights).max(), off[1:].max())):
            yield what, 1e3 * float(value), abs(error) < 0.03 * layer

    return b.done(judge)


@scene("ribbon")
@scene("ribbon.thick_neighbour", 0.05)
def ribbon(name, geometry, neighbour=None):
    """A strip of cloth that stands on its end, and folds upon itself. A `neighbour` of this thickness lies 5 m away, fixed."""
    b = Builder(name, geometry, end=1.5, friction=0.3)
    strip = sheet((0.4, 0.04), (20, 2)).turned((0, 1, 0), -88).turned((0, 0, 1), 10)
    b.body("ribbon", strip, (0, 0, 0.01 - strip.points[:, 2].min()), youngs_modulus=1e6, density=1000, shell=1e-3, damping={"mass": 1, "stiffness": 1e-3})
    b.touch("ribbon", b.floor())
    b.touch("ribbon", "ribbon", **({"exclusion_ring": 2} if geometry == "smooth_surface" else {}))
    if neighbour:
        b.fixed("neighbour", sheet((0.2, 0.2), (1, 1)), (5, 0, neighbour), shell=neighbour)
    return b.done(ends_above("ribbon", 5e-4))


# 3. Stacks of cubes, of five tetrahedra each.

@scene("stack_5", 5)
@scene("stack_20", 20)
def stack(name, geometry, count):
    edge, gap = 0.2, 1e-3     # contact begins here
    b = Builder(name, geometry, friction=0.5)
    b.floor()
    names = [f"cube_{i:02d}" for i in range(count)]
    for i, one in enumerate(names):
        b.body(one, cube(edge), (0, 0, gap + i * (edge + gap)), youngs_modulus=1e7, damping={"mass": 2, "stiffness": 1e-3})
        b.touch(one, names[i - 1] if i else "floor")

    def judge(result):
        drift = max(float(numpy.linalg.norm((result.end(one) - result.start(one))[:2])) for one in names)
        sunk = max(float((result.start(one) - result.end(one))[2]) for one in names)
        weight = 1000 * GRAVITY * edge * count**2 / 2 / 1e7 * edge     # shortening under its own weight
        yield "drift [mm]", 1e3 * drift, drift < 1e-3
        yield "sunk [mm]", 1e3 * sunk, -1e-3 < sunk < 1.5 * weight + count * gap

    return b.done(judge)


# 4. An arch.

STONES = 7


def arch_stones(ratio, width, gap):
    """A cylinder of radius 1 m."""
    angles = numpy.linspace(0, math.pi, STONES + 1)
    return [arch_stone(1.0, ratio, width, angles[i], angles[i + 1], gap) for i in range(STONES)]


def joints(ratio, stones=STONES):
    """Right half of an arch of an odd number of stones, from the crown down: the joints' angles, and the weight above each with its moment about the crown's axis."""
    angles = math.pi / stones * numpy.arange(stones // 2 + 1)[::-1]
    # Half of the stone at the crown, a trapezoid from x = 0 to its joint.
    short, long = (r * math.cos(angles[0]) for r in (1 - ratio / 2, 1 + ratio / 2))
    parts = [((short + long) / 2 * ratio * math.sin(angles[0]), (short**2 + short * long + long**2) / (3 * (short + long)))]
    for upper, lower in zip(angles, angles[1:]):
        stone = arch_stone(1.0, ratio, 1.0, lower, upper, 0)
        parts.append((stone.volume, stone.centroid[0]))
    return angles, numpy.cumsum([w for w, _ in parts]), numpy.cumsum([w * x for w, x in parts])


def thrust_room(ratio, stones=STONES):
    """A function of the thrust at the crown: how far inside the joints a line of that thrust can stay, in moments per weight. Concave; negative where it must leave them."""
    angles, weights, moments = joints(ratio, stones)
    inner, outer = (numpy.stack([r * numpy.cos(angles), r * numpy.sin(angles)], axis=1) for r in (1 - ratio / 2, 1 + ratio / 2))

    def room(thrust):
        """Moments about the outer ends are positive, about the inner ones negative: bounds of thrust times its height at the crown."""
        most = thrust * outer[:, 1] - moments + outer[:, 0] * weights
        least = thrust * inner[:, 1] - moments + inner[:, 0] * weights
        return (most.min() - least.max()) / weights[-1]

    return room


def least_place(function, low, high):
    """Where a function with one valley is least."""
    for _ in range(120):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if function(a) < function(b) else (a, high)
    return (low + high) / 2


def best_thrust(room):
    """The thrust with the most room, of those up to several times the weight of any arch here."""
    return least_place(lambda thrust: -room(thrust), 0.0, 10.0)


def slack(ratio, stones=STONES):
    """How far inside the joints the best line of thrust stays, in moments: positive where an arch of rigid stones with enough friction stands."""
    room = thrust_room(ratio, stones)
    return room(best_thrust(room))


@functools.cache
def critical_ratio(stones=STONES):
    """Thickness over radius at which an arch of an odd number of stones just stands; 0.1075 for very many."""
    low, high = 0.02, 0.3
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if slack(middle, stones) > 0 else (middle, high)
    return low


def critical_friction(ratio, stones=STONES):
    """The least coefficient of friction with which an arch of rigid stones stands (for stones that part where they slide, a necessary one): in all joints, of the lines of
    thrust that stay inside, the least share of tangential in normal force. 0.3762 for seven stones 1.2 times as thick as must be, as by linear programming over the forces
    at both ends of every joint (Livesley 1978), which also has lines that are not symmetric."""
    angles, weights, _ = joints(ratio, stones)
    room = thrust_room(ratio, stones)
    best = best_thrust(room)

    def end(outside):
        """The last thrust with room on the way to one without."""
        inside = best
        for _ in range(100):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if room(middle) >= 0 else (inside, middle)
        return inside

    def needed(thrust):
        return numpy.max(numpy.abs(thrust * numpy.cos(angles) - weights * numpy.sin(angles)) / (thrust * numpy.sin(angles) + weights * numpy.cos(angles)))

    return float(needed(least_place(needed, end(0.0), end(10.0))))


# Thickness relative to the critical one, friction (with ~: relative to the critical one of this thickness), Young's modulus, where contact begins, whether it stands.
# Statics is of rigid stones. Those of 1e8 Pa give way at their corners: they stand at 1.1 and fall at 1.05 times the critical thickness. Those of 1e10 Pa stand at 1.01 and fall at 1.002.
for _variant, *_arch in (("stands", 1.2, 0.8, 1e8, 1e-3, True), ("falls", 0.8, 0.8, 1e8, 1e-3, False), ("just_stands", 1.01, 0.8, 1e10, 1e-4, True),
                         ("just_falls", 0.99, 0.8, 1e10, 1e-4, False), ("grips", 1.2, "1.02~", 1e10, 1e-4, True), ("slides", 1.2, "0.98~", 1e10, 1e-4, False)):
    @scene(f"arch.{_variant}", *_arch)
    def arch(name, geometry, thickness, friction, youngs_modulus, gap, stands):
        ratio = thickness * critical_ratio()
        if isinstance(friction, str):
            friction = float(friction.removesuffix("~")) * critical_friction(ratio)
        b = Builder(name, geometry, friction=friction, thickness=gap)
        b.floor()
        names = [f"stone_{i}" for i in range(STONES)]
        for i, (one, shape) in enumerate(zip(names, arch_stones(ratio, 0.3, gap))):
            b.body(one, shape, (0, 0, gap / 2), youngs_modulus=youngs_modulus, density=2000, damping={"stiffness": 1e-4})
            # In a heap any two may touch, and the floor.
            for other in names[max(i - 1, 0) if stands else 0 : i]:
                b.touch(one, other)
            if not stands or i in (0, STONES - 1):
                b.touch(one, "floor")

        def judge(result):
            crown = names[STONES // 2]
            sunk = float(result.start(crown)[2] - result.history[f"{crown}.z"].min())
            yield "crown sinks [mm]", 1e3 * sunk, sunk < 5e-3 if stands else sunk > 0.1

        return b.done(judge, throws=not stands)


# 5. Cards.

CARD = {"length": 0.09, "width": 0.06, "thickness": 5e-4, "lean": math.radians(20), "layer": 5e-4}
PAPER = {"youngs_modulus": 2e9, "density": 800, "shell": CARD["thickness"], "damping": {"mass": 1, "stiffness": 1e-5}}


def leaning_cards(b, name, x, z, under):
    """Two of them, their feet on something at height z, their heads together above x; returns the height on which a level card lies, and names."""
    length, lean, gap = CARD["length"], CARD["lean"], CARD["thickness"] + CARD["layer"]
    foot = z + CARD["thickness"] / 2 + CARD["layer"]
    names = []
    for side, sign in (("left", -1), ("right", 1)):
        upright = sheet((CARD["length"], CARD["width"]), (3, 2)).turned((0, 1, 0), -90).moved((0, 0, length / 2))     # stands on its short side
        card = upright.turned((0, 1, 0), -sign * math.degrees(lean)).moved((sign * (length * math.sin(lean) + gap / 2), 0, foot))
        names.append(f"{name}_{side}")
        b.body(names[-1], card.moved((x, 0, 0)), **PAPER)
        b.touch(names[-1], under)
    b.touch(names[0], names[1])
    return foot + length * math.cos(lean), names


@scene("two_cards", 1)
@scene("card_house", 3)
def card_house(name, geometry, storeys):
    b = Builder(name, geometry, thickness=CARD["layer"], friction=0.8)
    under, height = b.floor(), 0.0
    base = 2 * CARD["length"] * math.sin(CARD["lean"]) + CARD["thickness"] + CARD["layer"] + 4e-3
    every = []
    for storey in range(storeys, 0, -1):
        cards = []
        for i in range(storey):
            top, names = leaning_cards(b, f"storey_{storeys - storey}_{i}", base * (i - (storey - 1) / 2), height, under)
            if cards:
                b.touch(cards[-1], names[0])        # their feet may creep towards each other
            cards += names
        every += cards
        if storey > 1:
            level = f"level_{storeys - storey}"
            length = base * (storey - 1) + 0.02
            height = top + CARD["thickness"] + CARD["layer"]
            b.body(level, sheet((length, CARD["width"]), (round(length / 0.03), 2)), (0, 0, height), **PAPER)
            height += CARD["thickness"] / 2
            for card in cards:
                b.touch(level, card)
            every.append(level)
            under = level

    def judge(result):
        moved = max(float(numpy.linalg.norm(result.end(one) - result.start(one))) for one in every)
        yield "moved [mm]", 1e3 * moved, moved < 3e-3

    return b.done(judge)


# 6. A mat of one layer under a ball.

@scene("mat", (0, 0))
@scene("mat.off", (3e-3, 2e-3))
def mat(name, geometry, off):
    b = Builder(name, geometry, friction=0.5)
    b.floor()
    b.body("mat", box((0.2, 0.2, 0.008), (10, 10, 1)), (0, 0, 1e-3), youngs_modulus=2e5, damping={"mass": 1, "stiffness": 1e-3})
    b.body("ball", ball(0.05, 6), (*off, 0.06), youngs_modulus=1e6, damping={"stiffness": 1e-4})
    b.touch("mat", "floor")
    b.touch("ball", "floor")
    b.touch("ball", "mat")
    return b.done(ends_at("ball", 0.0585, 3e-3))


# 7. Near the edge of a table.

def add_table(b, support):
    """Its top at z = 0. Of "top" that region alone touches."""
    if support == "top":
        b.fixed("table", box((1, 1, 0.1), (5, 5, 1)), (0, 0, -0.1), regions={"top": lambda corners: numpy.all(numpy.abs(corners[:, 2]) < 1e-9)})
    else:
        b.support(support, "table", box((1, 1, 0.1), (5, 5, 1) if support == "body" else (1, 1, 1)), (0, 0, -0.1))


def runs_down_its_slope(result):
    """The normal over the edge is that of the block's lower face: the edge's part of the weight drives it down the slope of that face."""
    frames = range(len(result.frames))
    start = result.points("block", 0)
    lower = start[:, 2] < start[:, 2].min() + 0.01
    left, right = lower & (start[:, 0] < 0.47), lower & (start[:, 0] > 0.47)
    driven = []
    for index in frames:
        points = result.points("block", index)
        inner, outer = points[left].mean(axis=0), points[right].mean(axis=0)
        carried = (points[:, 0].mean() - inner[0]) / (0.5 - inner[0])       # by the table's edge
        driven.append(GRAVITY * carried * (inner[2] - outer[2]) / (outer[0] - inner[0]))
    steps = numpy.diff([result.frames.read(index).time for index in frames])
    speed = numpy.concatenate(([0], numpy.cumsum(steps * (numpy.array(driven[1:]) + driven[:-1]) / 2)))
    expected = float(numpy.sum(steps * (speed[1:] + speed[:-1]) / 2))
    moved = (result.end("block") - result.start("block"))[:2]
    yield "moved [mm]", 1e3 * float(moved[0]), moved[0] > 0
    beside = float(numpy.linalg.norm(moved - (expected, 0)))
    yield "beside its slope [mm]", 1e3 * beside, beside < 1e-3


for _support in ("body", "top", "obstacle", "box"):
    for _outside in (10, 20, 40, 60):
        @scene(f"table_outside.{_support}.{_outside}mm", _support, 1e-3 * _outside)
        def table_outside(name, geometry, support, outside):
            """A block beside a table falls freely."""
            b = Builder(name, geometry, end=0.4)
            add_table(b, support)
            b.body("block", cube(0.2), (0.6 + outside, 0, 0.05))
            b.touch("block", "table.top" if support == "top" else "table")

            def judge(result):
                free = result.start("block") - numpy.array((0, 0, GRAVITY / 2 * result.history["time"][-1] ** 2))
                off = float(numpy.linalg.norm(result.end("block") - free))
                yield "off free fall [mm]", 1e3 * off, off < 1e-6

            return b.done(judge)

    @scene(f"table_inside.{_support}", _support)
    def table_inside(name, geometry, support):
        """A frictionless block stands over a table's edge by 70 mm. It tips by as much as contact and block yield, and slides off no faster than that slope can drive it."""
        b = Builder(name, geometry, friction=0)
        add_table(b, support)
        b.body("block", cube(0.2), (0.47, 0, 1e-3), damping={"stiffness": 1e-3})
        b.touch("block", "table.top" if support == "top" else "table")
        return b.done(runs_down_its_slope)


# 8. A slab of one cell over a pillar under its middle, away from all of its vertices.

for _support in ("body", "obstacle", "box"):
    @scene(f"slab_on_pillar.{_support}", _support)
    def slab_on_pillar(name, geometry, support):
        b = Builder(name, geometry)
        b.support(support, "pillar", box((0.1, 0.1, 0.3), five=True), (0, 0, -0.3))
        b.body("slab", box((0.4, 0.4, 0.04), five=True), (0, 0, 0.02))
        b.touch("slab", "pillar")
        return b.done(ends_at("slab", 0.02))


# 9. A slab of one cell over a sphere and over a cylinder, away from all of its vertices.

for _round in ({"sphere": {"center": [0, 0, 0], "radius": 0.2}}, {"cylinder": {"point": [0, 0, 0], "axis": [0, 1, 0], "radius": 0.2}}):
    @scene(f"slab_on_round.{next(iter(_round))}", _round)
    def slab_on_round(name, geometry, shape):
        b = Builder(name, geometry)
        b.scene["surfaces"]["round"] = shape
        b.body("slab", box((1.0, 1.0, 0.05)), (0.01, 0.02, 0.21))
        b.touch("slab", "round")
        return b.done(ends_at("slab", 0.225, 4e-3))   # it rocks


# 10. A cube shot at a wall.

for _support in ("body", "shell", "box"):
    for _step in (1e-4, 2e-4):
        @scene(f"tunnel.{_support}.{_step:g}", _support, _step)
        def tunnel(name, geometry, support, step):
            b = Builder(name, geometry, step=step, end=6e-3, gravity=(0, 0, 0), friction=0.3)
            stiff = {"youngs_modulus": 1e9, "density": 2000}
            if support == "box":
                b.box_obstacle("wall", (-0.15, -0.15, -0.002), (0.15, 0.15, 0))
            elif support == "body":
                rim = {"rim": lambda corners: numpy.any(numpy.all(numpy.abs(numpy.abs(corners[:, :2]) - 0.15) < 1e-9, axis=0))}
                b.body("wall", box((0.3, 0.3, 0.002), (6, 6, 1)), (0, 0, -0.002), fixed=("rim",), regions=rim, **stiff)
            else:
                rim = {"rim": lambda corners: numpy.any(numpy.count_nonzero(numpy.abs(numpy.abs(corners[:, :2]) - 0.15) < 1e-9, axis=0) > 1)}
                b.body("wall", sheet((0.3, 0.3), (6, 6)), (0, 0, 0), fixed=("rim",), regions=rim, shell=0.002, **stiff)
            b.body("cube", cube(0.06), (0.01, 0.02, 0.05), youngs_modulus=1e7, velocity=[0, 0, -44.7])
            b.touch("cube", "wall")

            def judge(result):
                wall = result.points("wall", len(result.frames) - 1)[:, 2].min() if support != "box" else 0.0
                yield "cube ends at z [mm]", 1e3 * float(result.end("cube")[2]), result.end("cube")[2] > wall

            return b.done(judge, gain=0.01)   # the walls ring


# 11. Shapes thrown on a floor and on each other.

for _seed in range(100):
    @scene(f"random_{_seed:03d}", _seed)
    def thrown(name, geometry, seed):
        random = numpy.random.default_rng(seed)
        count, size = int(random.integers(3, 8)), 0.1
        b = Builder(name, geometry, end=1.0, friction=float(random.uniform(0, 1)))
        b.floor()
        names = []
        for i in range(count):
            shape, kind = random_shape(random, size)
            # In two columns of places far enough apart that nothing touches at the start.
            at = (0.12 * (2 * (i % 2) - 1) + random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01), 0.15 + 0.25 * (i // 2))
            names.append(f"{kind}_{i}")
            b.body(names[-1], shape, at, youngs_modulus=float(10 ** random.uniform(5.5, 7)), density=float(random.uniform(500, 2000)),
                   velocity=[-2 * at[0] * random.uniform(0, 5), float(random.uniform(-0.3, 0.3)), float(random.uniform(-2, 0))],
                   angular_velocity=random.uniform(-5, 5, 3).tolist())
            b.touch(names[-1], "floor")
            for other in names[:-1]:
                b.touch(names[-1], other)

        def judge(result):
            yield "rises above its fall by [mm]", 1e3 * result.rise(), result.rise() < 1e-3

        return b.done(judge)
