"""Seconds per step on many ranks, from what elements, vertices and messages cost on one machine and what the partition gives every rank to do.

A step is so many elastic products, residuals, builds of the preconditioner's blocks, and sums over all ranks. One product of a rank:

    max(interior elements * seconds per element, exchange) + other elements * seconds per element,
    exchange = neighbours * latency + 24 bytes * ghosts / bandwidth

for ghosts are exchanged while the elements without ghosts are computed; without overlap both add up. A residual is the same with its own seconds per element. The rest
of a step, vectors above all, costs so much per owned vertex and linear iteration. The slowest rank decides, and every sum over p ranks adds ceil(log2 p) messages.
"""

import dataclasses
import math

import numpy

BYTES_PER_VERTEX = 24


@dataclasses.dataclass
class Network:
    name: str
    latency: float         # time of a message between neighbours [s]
    bandwidth: float       # [B/s]
    stage_latency: float   # time of each of the ceil(log2 p) stages of a sum over p ranks [s]


@dataclasses.dataclass
class StepCounts:
    """How often a mean step does what."""
    products: float
    residuals: float
    block_builds: float
    linear_iterations: float
    reductions: float      # sums over all ranks


class KernelSeconds:
    """What kernels cost, by the number of elements that a rank has: measured at some numbers, between these linear in the logarithm of the number, constant beyond.

    Small pieces fit into caches, large ones do not; on the other hand what a call costs by itself weighs on small pieces."""

    NAMES = ("product", "residual", "blocks", "rest")   # seconds per element and call; of the rest, per owned vertex and linear iteration

    def __init__(self, rows):
        """`rows`: dictionaries with `elements` and one number for each of NAMES."""
        rows = sorted(rows, key=lambda row: row["elements"])
        self.sizes = numpy.log([row["elements"] for row in rows])
        self.values = {name: numpy.array([row[name] for row in rows]) for name in self.NAMES}

    def __call__(self, name, elements):
        return numpy.interp(numpy.log(elements), self.sizes, self.values[name])


def exchange_seconds(parts, network):
    """Per part. `parts`: arrays by the names of the table that traction-partition writes."""
    return parts["neighbours"] * network.latency + BYTES_PER_VERTEX * numpy.maximum(parts["ghosts"], parts["sent"]) / network.bandwidth


def step_seconds(parts, kernels, counts, network, overlap=True):
    """Seconds of a step on as many ranks as there are parts; and what the slowest rank spends computing, waiting for ghosts, and in sums."""
    local, interior = parts["local_elements"], parts["interior_elements"]
    exchange = exchange_seconds(parts, network)
    computing = counts.block_builds * local * kernels("blocks", local) + counts.linear_iterations * parts["vertices"] * kernels("rest", local)
    waiting = numpy.zeros(len(local))
    for name, calls in (("product", counts.products), ("residual", counts.residuals)):
        per_element = kernels(name, local)
        computing = computing + calls * local * per_element
        hidden = numpy.minimum(exchange, interior * per_element) if overlap else 0
        waiting = waiting + calls * (exchange - hidden)
    slowest = int(numpy.argmax(computing + waiting))
    reducing = counts.reductions * math.ceil(math.log2(len(local))) * network.stage_latency
    return {"seconds_per_step": computing[slowest] + waiting[slowest] + reducing, "computing": computing[slowest], "waiting": waiting[slowest], "reducing": reducing}


def one_rank(elements, vertices):
    """The table of a mesh that is not partitioned."""
    counts = {"vertices": vertices, "elements": elements, "local_elements": elements, "interior_elements": elements, "ghosts": 0, "sent": 0, "neighbours": 0}
    return {name: numpy.array([count]) for name, count in counts.items()}
