"""A vertical spring between two masses that bounces on a plane, event by event, with the impact handled in one of three ways (P4 Sec. 8.1).

Written for this job alone, in one dimension: it has the equations of docs/theory/asynchronous.md, "Layers" in common with Traction, and no code. The plane is at 0, the lower
mass starts at 1 and the upper one at 2, both at rest; masses, stiffness and rest length of the spring are 1.
"""

import math

import numpy

WAYS = ("impulses", "layers", "layers restarted")


class Spring:
    """`way`: an impulse that turns the lower mass round where it touches the plane; layers whose clocks never shift; or layers whose clocks start at the moment in
    which they become active. `thickness` and `stiffness` are those of the first layer, `safety` its step in parts of the largest stable one."""

    def __init__(self, way, step=0.01, gravity=0.1, thickness=0.1, stiffness=100.0, safety=0.02):
        self.way, self.step, self.gravity = way, step, gravity
        self.thickness, self.stiffness = thickness, stiffness
        self.first_step = safety * 2 / math.sqrt(stiffness)
        self.time, self.tick = 0.0, 1
        self.low, self.high, self.low_speed, self.high_speed = 1.0, 2.0, 0.0, 0.0
        self.layers = []    # [time at which the clock started, tick of the next event] of layers 1, 2, ...

    def reach(self, layer):
        return self.thickness * layer**-0.25

    def layer_step(self, layer):
        return self.first_step * layer**-1.5

    def next_of(self, layer):
        start, tick = self.layers[layer - 1]
        return start + (tick if self.way == "layers restarted" else tick - 0.5) * self.layer_step(layer)

    def drift(self, time):
        self.low += (time - self.time) * self.low_speed
        self.high += (time - self.time) * self.high_speed
        self.time = time

    def meeting(self):
        """When the lower mass comes to where something new happens: to the plane, or into the next layer."""
        place = 0.0 if self.way == "impulses" else self.reach(len(self.layers) + 1)
        if self.low <= place:
            return self.time if self.low_speed < 0 else math.inf
        return self.time + (self.low - place) / -self.low_speed if self.low_speed < 0 else math.inf

    def meet(self, time):
        if self.way == "impulses":
            self.low_speed = -self.low_speed
        elif self.way == "layers restarted":
            self.layers.append([time, 1])
        else:
            self.layers.append([0.0, math.floor(time / self.layer_step(len(self.layers) + 1) + 0.5) + 1])

    def act(self, layer):
        squeezed = self.reach(layer) - self.low
        self.layers[layer - 1][1] += 1
        if squeezed > 0:
            self.low_speed += self.layer_step(layer) * self.stiffness * layer**3 * squeezed
        elif layer == len(self.layers) and self.low_speed >= 0:
            self.layers.pop()

    def kick(self):
        pull = self.high - self.low - 1
        self.low_speed += self.step * (pull - self.gravity)
        self.high_speed += self.step * (-pull - self.gravity)
        self.tick += 1

    def advance(self, end):
        while True:
            meeting, forces = self.meeting(), (self.tick - 0.5) * self.step
            layer = min(range(1, len(self.layers) + 1), key=self.next_of, default=0)
            acting = self.next_of(layer) if layer else math.inf
            time = min(meeting, forces, acting)
            if time > end:
                return self.drift(end)
            self.drift(time)
            if time == meeting:
                self.meet(time)
            elif time == forces:
                self.kick()
            else:
                self.act(layer)

    def energy(self):
        kinetic = 0.5 * (self.low_speed**2 + self.high_speed**2)
        elastic = 0.5 * (self.high - self.low - 1)**2
        squeezed, layer = 0.0, 1
        while self.way != "impulses" and self.reach(layer) > self.low:
            squeezed += 0.5 * self.stiffness * layer**3 * (self.reach(layer) - self.low)**2
            layer += 1
        return kinetic + elastic + squeezed + self.gravity * (self.low + self.high)


def simulate(way, end, every, **settings):
    """Times, heights of both masses and energies, `every` so many seconds."""
    spring = Spring(way, **settings)
    rows = [(0.0, spring.low, spring.high, spring.energy())]
    for row in range(1, round(end / every) + 1):
        spring.advance(row * every)
        rows.append((spring.time, spring.low, spring.high, spring.energy()))
    return numpy.array(rows).T
