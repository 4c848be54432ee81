"""Steps, amplitudes, boundary conditions and loads of an Abaqus .inp file as histories over time, for scene_from_inp. Times and values are in SI units."""

import dataclasses
import itertools

from inp_keywords import InputFault, capitals
from inp_model import identifier

PROCEDURES = {"STATIC": "static", "VISCO": "static", "DYNAMIC": "dynamic"}
NAMED = {"ENCASTRE": (0, 1, 2), "PINNED": (0, 1, 2), "XSYMM": (0,), "YSYMM": (1,), "ZSYMM": (2,), "XASYMM": (1, 2), "YASYMM": (0, 2), "ZASYMM": (0, 1)}
PIECES = 20        # parts of a static step, and of a smooth amplitude
EXPLICIT = 100     # steps of an explicit analysis, which has none of its own in the file
JUMP = 1e-6        # part of a step in which a load is switched on or off
NAMES = "xyz"


@dataclasses.dataclass
class Step:
    """A *STEP: when it is, and whether loads grow in it from its start to its end."""

    place: str
    kind: str     # static or dynamic
    start: float
    end: float
    increment: float
    ramps: bool

    @property
    def period(self):
        return self.end - self.start


class Amplitude:
    """A factor over time, piecewise linear."""

    def __init__(self, keyword, units):
        if keyword.has("SHIFTX") or keyword.has("SHIFTY"):
            raise InputFault(f"{keyword.place}: SHIFTX and SHIFTY of *AMPLITUDE are not translated; add them to the table's times and values")
        self.of_total_time = keyword.word("TIME") == "TOTALTIME"
        self.kind = keyword.word("DEFINITION", "TABULAR")
        if self.kind not in ("TABULAR", "SMOOTHSTEP") or keyword.word("VALUE") == "ABSOLUTE" or keyword.has("INPUT"):
            raise InputFault(f"{keyword.place}: only *AMPLITUDE of the definitions TABULAR and SMOOTH STEP with relative values is translated; write this one as a table")
        numbers = [number for row in keyword.rows() for number in row.numbers()]
        points = [(time * units.time, value) for time, value in zip(numbers[::2], numbers[1::2])]
        if not points or any(a[0] >= b[0] for a, b in zip(points, points[1:])):
            raise InputFault(f"{keyword.place}: *AMPLITUDE needs pairs of times and values, its times ascending; correct them")
        if self.kind == "SMOOTHSTEP":
            points = [points[0]] + [point for a, b in zip(points, points[1:]) for point in self.smooth(a, b)]
        self.points = points

    @staticmethod
    def smooth(first, last):
        for i in range(1, PIECES + 1):
            part = i / PIECES
            yield first[0] + part * (last[0] - first[0]), first[1] + part**3 * (10 - 15 * part + 6 * part**2) * (last[1] - first[1])

    def at(self, time):
        if time <= self.points[0][0]:
            return self.points[0][1]
        for (t0, a), (t1, b) in zip(self.points, self.points[1:]):
            if time <= t1:
                return a + (b - a) * (time - t0) / (t1 - t0)
        return self.points[-1][1]

    def within(self, step):
        """[(time since the start of the run, factor)] in a step, its start and end included."""
        shift = 0.0 if self.of_total_time else step.start
        inner = [(time + shift, value) for time, value in self.points if step.start < time + shift < step.end]
        return [(step.start, self.at(step.start - shift)), *inner, (step.end, self.at(step.end - shift))]


def values_in(step, before, value, amplitude):
    """[(time, value)] that a prescribed value takes in a step, from what it was before; by the step's own course without an amplitude."""
    if amplitude is not None:
        return [(time, value * factor) for time, factor in amplitude.within(step)]
    return [(step.start, before if step.ramps else value), (step.end, value)]


def read_step(keyword, procedure, start, units, notes):
    """The step of a procedure; nothing if Traction has no such procedure."""
    kind = PROCEDURES.get(procedure.name)
    if kind is None or keyword.has("PERTURBATION") or procedure.has("RIKS"):
        notes.leave(procedure, "no procedure of Traction's; the step is left out with all that it prescribes")
        return None
    row, is_explicit = procedure.row(), procedure.has("EXPLICIT")
    period = row.number(1, "the duration of the step", 0) * units.time
    if period == 0 and kind == "static":
        period = units.time
    if not period > 0:
        raise InputFault(f"{procedure.place}: the step has no duration; give it as the second number below *{procedure.name}")
    increment = 0.0 if is_explicit else row.number(0, "the first increment", 0) * units.time
    if not 0 < increment < period:
        pieces = EXPLICIT if is_explicit else PIECES
        increment = period / pieces
        notes.choose(procedure.place, f"the file has no increment for this step of {period:g} s: 1/{pieces} of it was chosen; refine `time.step` until results no longer change")
    by_default = procedure.name == "STATIC" or procedure.word("APPLICATION") == "QUASI-STATIC"
    ramps = by_default if keyword.word("AMPLITUDE") not in ("STEP", "RAMP") else keyword.word("AMPLITUDE") == "RAMP"
    return Step(keyword.place, kind, start, start + period, increment, ramps)


class Held:
    """What is prescribed on one region, component by component: pieces of velocity, and until when."""

    def __init__(self, region, place):
        self.region = region
        self.place = place
        self.at = {}       # component -> displacement so far
        self.since = {}    # component -> when it was prescribed first
        self.until = {}    # component -> when it was released
        self.pieces = {}   # (start, stop, ramp) -> velocity

    def add_piece(self, component, start, stop, velocity, ramp=0.0):
        if velocity:
            self.pieces.setdefault((start, stop, ramp), [0.0, 0.0, 0.0])[component] += velocity

    def entry(self, end, notes):
        """("fixed" or "driven", entry) of the scene."""
        if any(time > 0 for time in self.since.values()):
            notes.choose(self.place, f"{self.region} is held from the beginning of the run; in the file from a later step on")
        releases = {self.until.get(component, end) for component in self.at}
        if len(releases) > 1:
            notes.choose(self.place, f"the components of {self.region} are released together, at the latest time of the file")
        common = {"components": [NAMES[component] for component in sorted(self.at)]} if len(self.at) < 3 else {}
        if max(releases) < end:
            common["until"] = max(releases)
        if not self.pieces:
            return "fixed", {"region": self.region.name} | common if common else self.region.name
        motions = []
        for (start, stop, ramp), velocity in self.pieces.items():
            motion = {"velocity": velocity} | ({"start": start} if start else {}) | ({"ramp": ramp} if ramp else {})
            motions.append(motion | ({"stop": stop} if stop < end else {}))
        return "driven", {"vertices": self.region.name, "motion": motions if len(motions) > 1 else motions[0]} | common


@dataclasses.dataclass
class Load:
    """A load of the scene, and its value over time."""

    keyword: object      # that named it first
    kind: str            # key of the scene's entry
    region: object       # or nothing for gravity
    settings: object     # a function from a value to the entry's keys
    course: tuple = (0.0, None)   # value and amplitude of the step that named it last
    history: list = dataclasses.field(default_factory=lambda: [(0.0, 0.0)])   # [(time, value)]


class Histories:
    """Goes through the steps, and collects what they prescribe."""

    def __init__(self, translation):
        self.translation = translation   # finds regions, units, notes
        self.steps, self.amplitudes = [], {}
        self.held = {}    # (body, region) -> Held
        self.loads = {}   # (key, 0 or the number of the line that repeats it in a step) -> Load
        self.moving = {}  # (body, region), component -> (value, amplitude, whether it is a velocity) that Abaqus continues in later steps
        self.touched = set()   # keys of the loads that the present step names

    @property
    def now(self):
        return self.steps[-1].end if self.steps else 0.0

    def amplitude(self, keyword):
        name = keyword.value("AMPLITUDE")
        if not name:
            return None
        found = self.amplitudes.get(capitals(name))
        if found is None:
            raise InputFault(f"{keyword.place}: there is no *AMPLITUDE named '{name}'; correct the name")
        return found if isinstance(found, Amplitude) else Amplitude(found, self.translation.units)

    def boundary(self, keywords, step):
        """The *BOUNDARY keywords of a step, or those before all steps."""
        touched = set()   # ((body, region), component)
        for keyword in keywords:
            if keyword.word("TYPE", "DISPLACEMENT") not in ("DISPLACEMENT", "VELOCITY") or any(keyword.has(name) for name in ("SUBMODEL", "USER", "PHANTOM", "REGIONTYPE")):
                self.translation.notes.leave(keyword, "only prescribed displacements and velocities are")
                continue
            for row in keyword.rows():
                components, value = self.prescribed(keyword, row)
                for region in self.translation.regions(["NSET"], row, "nodes are held by the name of their set: give them one by *NSET") if components else ():
                    name = region.body.name, region.name
                    self.held.setdefault(name, Held(region, row.place))
                    for component in components:
                        touched.add((name, component))
                        self.prescribe(name, component, value, keyword, step, row)
        if step and any(keyword.word("OP") == "NEW" for keyword in keywords):
            for name, held in self.held.items():
                for component in held.at:
                    if (name, component) not in touched and component not in held.until:
                        held.until[component] = step.start
                        self.moving.pop((name, component), None)
        for (name, component), course in self.moving.items():
            if (name, component) not in touched:
                self.move(self.held[name], component, *course, step, self.held[name].place)

    def prescribed(self, keyword, row):
        """(components, value) of a line; rotations, which vertices do not have, are left out."""
        word = capitals(row.text(1))
        if word in NAMED:
            return NAMED[word], 0.0
        if not word.isdigit():
            self.translation.notes.leave(keyword, f"{row.place} has the type '{row.text(1)}'; write its degrees of freedom as numbers")
            return (), 0.0
        first = int(word)
        last = int(row.number(2, "a degree of freedom", first))
        if last > 3 and row.number(3, "a value", 0):
            self.translation.notes.left.append((row.place, "*BOUNDARY: prescribed rotations are not translated; give the region a motion with an angular_velocity"))
        return tuple(range(first - 1, min(last, 3))), row.number(3, "a value", 0)

    def prescribe(self, name, component, value, keyword, step, row):
        """What a line prescribes for a component of a region, {held: name}; a step of nothing is what comes before all steps."""
        held = self.held[name]
        held.at.setdefault(component, 0.0)
        held.since.setdefault(component, step.start if step else 0.0)
        if held.until.pop(component, None) is not None:
            self.translation.notes.choose(row.place, f"{held.region} is held while the file has released it, because it is prescribed again later")
        self.moving.pop((name, component), None)
        if step is None:
            if value:
                self.translation.notes.choose(row.place, "a value other than 0 before the first step is taken for 0")
            return
        if keyword.has("FIXED"):
            return
        units, amplitude, is_velocity = self.translation.units, self.amplitude(keyword), keyword.word("TYPE") == "VELOCITY"
        value *= units.length / units.time if is_velocity else units.length
        self.move(held, component, value, amplitude, is_velocity, step, row.place)
        if amplitude is not None and amplitude.of_total_time:
            self.moving[name, component] = value, amplitude, is_velocity
        elif is_velocity:   # the last speed
            self.moving[name, component] = value * (amplitude.within(step)[-1][1] if amplitude else 1), None, True

    def move(self, held, component, value, amplitude, is_velocity, step, place):
        """A component's motion in a step, by a velocity [m/s] or to a displacement [m]."""
        if is_velocity:
            points = [(time, speed * value) for time, speed in (amplitude.within(step) if amplitude else [(step.start, 1.0), (step.end, 1.0)])]
            for (t0, a), (t1, b) in zip(points, points[1:]):
                held.add_piece(component, t0, t1, a)
                held.add_piece(component, t0, t1, b - a, ramp=t1 - t0)
                held.at[component] += (a + b) / 2 * (t1 - t0)
            return
        before = held.at[component]
        points = values_in(step, before, value, amplitude)
        if abs(points[0][1] - before) > 1e-12 * max(abs(points[0][1]), abs(before)):
            self.translation.notes.choose(place, f"a displacement that jumps at the start of the step is spread over its first increment, {step.increment:g} s")
            jumped = min(step.start + step.increment, points[1][0])
            share = (jumped - points[0][0]) / (points[1][0] - points[0][0])
            points = [(points[0][0], before), (jumped, points[0][1] + share * (points[1][1] - points[0][1])), *points[1 if jumped < points[1][0] else 2 :]]
        for (t0, a), (t1, b) in zip(points, points[1:]):
            held.add_piece(component, t0, t1, (b - a) / (t1 - t0))
        held.at[component] = points[-1][1]

    def load(self, key, place, keyword, kind, region, settings, value, step):
        """A value of a load in a step. `settings(value)` are its keys. Lines of a step with the same key add."""
        line = next(number for number in itertools.count() if (key, number) not in self.touched)
        if line:
            self.translation.notes.choose(place, "this line and an earlier one of the step are on the same set; both act")
        self.touched.add((key, line))
        load = self.loads.setdefault((key, line), Load(keyword, kind, region, settings))
        load.course = value, self.amplitude(keyword)
        self.extend(load.history, values_in(step, load.history[-1][1], *load.course), step)

    def extend(self, history, points, step):
        if history[-1][0] < step.start:
            history.append((step.start, history[-1][1]))
        if abs(points[0][1] - history[-1][1]) > 1e-12 * max(abs(points[0][1]), abs(history[-1][1])):
            if step.start == 0:   # acts from the beginning
                history[-1] = points[0]
            else:
                history.append((step.start + JUMP * step.period, points[0][1]))
        history += points[1:]

    def end_step(self, keywords, step):
        """Loads that the step does not name continue by an amplitude of total time, or keep their value. With OP=NEW they end: at once, or by the end of a step that ramps; so do lines that added to one
        which the step names."""
        new = {keyword.name for keyword in keywords if keyword.word("OP") == "NEW"}
        for (key, line), load in self.loads.items():
            value, amplitude = load.course
            if (key, line) in self.touched:
                continue
            if load.keyword.name in new or (key, 0) in self.touched:
                load.course = 0.0, None
                if load.history[-1][1]:
                    self.extend(load.history, [(step.start, load.history[-1][1] if step.ramps else 0.0), (step.end, 0.0)], step)
            elif amplitude is not None and amplitude.of_total_time:
                self.extend(load.history, values_in(step, load.history[-1][1], value, amplitude), step)
        self.touched.clear()


def entry_of_load(settings, history):
    """The keys of a load, and its factor over time where it is not constant."""
    largest = max((value for _, value in history), key=abs)
    factors = [(time, value / largest) for time, value in history] if largest else []
    if not largest:
        return None, []
    kept = [point for i, point in enumerate(factors) if not 0 < i < len(factors) - 1 or not factors[i - 1][1] == point[1] == factors[i + 1][1]]
    while len(kept) > 1 and kept[-1][1] == kept[-2][1]:
        kept.pop()
    return settings(largest), [{"time": time, "factor": factor} for time, factor in kept] if len(kept) > 1 else []


def named(used, text):
    """An identifier that is not used yet."""
    base, number = identifier(text), 1
    while (name := base if number == 1 else f"{base}_{number}") in used:
        number += 1
    used.add(name)
    return name
