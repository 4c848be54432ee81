"""Ranks that share the events of an asynchronous run take the same ones: their states are equal to the last bit."""

import json
import signal
import time
import unittest

import h5py
import numpy

from test_asynchronous import SCENE, TWO_BLOCKS
from traction_runs import BlockTest, Outcome, box_text, gmsh_text, start

# Sums over vertices, pairs and ranks are added up in another order; what is only looked at for certainty's sake depends on the rank.
COUNTS = {"spans", "repeated_spans", "events_contact", "events_certificates", "events_courses"}


def sheet_text(cells, length):
    """A square sheet around the origin: region cloth."""
    points = [(length * (i / cells - 0.5), length * (j / cells - 0.5), 0) for j in range(cells + 1) for i in range(cells + 1)]
    triangles = []
    for j in range(cells):
        for i in range(cells):
            a = j * (cells + 1) + i
            b, c, d = a + 1, a + cells + 2, a + cells + 1
            triangles += [(1, a, b, c), (1, a, c, d)] if (i + j) % 2 else [(1, a, b, d), (1, b, c, d)]
    return gmsh_text(points, [], triangles, {1: (2, "cloth")})


def everything():
    """A gas-filled block on a moving box, a damped cloth that falls on it, a rod that falls on the cloth, and a spring."""
    return {
        "time": {"step": 1e-3, "end": 0.03, "integrator": "asynchronous", "asynchronous": {"safety": 0.1, "contact_safety": 0.05}},
        "gravity": [0, 0, -9.81],
        "bodies": {
            "block": {"mesh": "block.msh", "solid": {"solid": {"youngs_modulus": 1e5, "poisson_ratio": 0.4, "density": 1000}}, "damping": {"mass": 0.5, "stiffness": 1e-5},
                      "initial": {"translate": [0, 0, 0.012], "velocity": [0.1, 0, -0.5]}, "volume": {"surface": "surface", "model": "ideal_gas", "gauge_pressure": 500}},
            "cloth": {"mesh": "cloth.msh", "shell": {"cloth": {"thickness": 1e-3, "youngs_modulus": 1e5, "poisson_ratio": 0.3, "density": 500}},
                      "initial": {"translate": [0.05, 0.06, 0.12], "velocity": [0, 0.2, -1]}},
            "rod": {"mesh": "rod.txt", "rod": {"rod": {"radius": 2e-3, "youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}, "initial": {"velocity": [0, 0, -2], "angular_velocity": [0, 0, 3]}},
        },
        "surfaces": {"table": {"box": {"lower": [-1, -1, -0.1], "upper": [1, 1, 0]}, "motion": {"velocity": [0.2, 0, 0.1]}}},
        "springs": {"tether": {"from": "rod.first_point", "to": "cloth", "stiffness": 5, "damping": 0.01}},
        "contacts": {"everything": {"all": True, "thickness": 2e-3, "restitution": 0.7, "friction": {"dynamic": 0.3, "tolerance": 1e-2}}},
    }


def state(outcome):
    with h5py.File(sorted((outcome.directory / "checkpoints").glob("*.h5"))[-1]) as file:
        return {name: file[name][()] for name in file if name != "numbers" and name != "contact_counts"}


class Ranks(BlockTest):
    def setUp(self):
        super().setUp()
        self.write("cloth.msh", sheet_text(8, 0.2))
        self.write("rod.txt", "\n".join(f"{-0.05 + 0.02 * k} {0.05 + 0.01 * k} 0.14" for k in range(11)))

    def agree(self, one, shared):
        first, second = state(one), state(shared)
        self.assertEqual(first.keys(), second.keys())
        for name, values in first.items():
            numpy.testing.assert_array_equal(values, second[name], err_msg=name)
        for name, values in one.history.items():
            if name not in COUNTS:
                numpy.testing.assert_allclose(shared.history[name], values, rtol=1e-10, atol=1e-10 * abs(values).max(), err_msg=name)

    def compare(self, scene, **sets):
        one = self.simulate(self.write("scene.yaml", scene), sets=sets, out="one")
        self.assertGreater(one.history["contacts"].max(), 0)
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                shared = self.simulate(self.write("scene.yaml", scene), sets=sets, ranks=ranks, out=f"out{ranks}", timeout=600)
                spans, repeated = (shared.history[name].sum() for name in ("spans", "repeated_spans"))
                print(f"\n  {ranks} ranks: {spans:.0f} spans, {repeated:.0f} repeated", flush=True)
                self.assertGreater(spans, len(shared.history["time"]))
                self.agree(one, shared)

    def test_block_with_friction(self):
        self.compare(SCENE)

    def test_warnings_of_walls(self):
        """A cylinder fits between the vertices of a coarse block, which any number of ranks says."""
        scene = SCENE.replace("plane: {point: [0, 0, 0], normal: [0, 0, 1]}", "cylinder: {point: [0, 0, -0.1], axis: [0, 1, 0], radius: 0.01}").replace("end: 0.03", "end: 0.001")
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                outcome = self.simulate(self.write("scene.yaml", scene), ranks=ranks, out=f"walls{ranks}")
                self.assertEqual((outcome.output + outcome.errors).count("it may pass between them"), 1)

    def test_two_blocks(self):
        self.compare(TWO_BLOCKS)

    def test_long_beams(self):
        # The rings around a rank's own vertices are a part of the whole, and what lies beyond is unknown to it.
        self.write("block.msh", box_text((60, 1, 1), (1.2, 0.02, 0.02)))
        self.compare(TWO_BLOCKS.replace("translate: [0.02, 0.01, 0.14], velocity: [0, 0, -4]", "translate: [0.007, 0.003, 0.04], velocity: [0, 0.1, -2], angular_velocity: [0, 1, 0]")
                     .replace("angular_velocity: [0, 1, 0.5]", "angular_velocity: [0, 0.02, 0]").replace("thickness: 2e-3", "thickness: 2e-3, friction: {dynamic: 0.3, tolerance: 1e-2}, restitution: 0.8"),
                     **{"time.end": 0.02})

    def test_reactions_of_held_regions(self):
        # All of the lower block is held, and carries what presses on it.
        self.compare(TWO_BLOCKS.replace("initial: {translate: [0, 0, 0.012], velocity: [0.5, 0.1, -1], angular_velocity: [0, 1, 0.5]}", "initial: {translate: [0, 0, 0.012]}\n    fixed: solid", 1)
                     .replace("translate: [0.02, 0.01, 0.14]", "translate: [0.02, 0.01, 0.115]"))

    def test_all_that_has_a_clock(self):
        self.compare(json.dumps(everything()))

    def test_runs_continue_on_other_numbers_of_ranks(self):
        scene = self.write("scene.yaml", TWO_BLOCKS)
        whole = self.simulate(scene, out="whole")
        self.simulate(scene, sets={"time.end": 0.012}, out="parts", ranks=2)
        self.resume(sets={"time.end": 0.02}, out="parts")
        self.agree(whole, self.resume(sets={"time.end": 0.03}, out="parts", ranks=4))

    def test_interrupted_rows_leave_no_trace(self):
        whole = self.simulate(self.write("scene.yaml", TWO_BLOCKS), out="whole")
        process = start(["traction", "run", "scene.yaml", "--out", "parts"], 2, self.folder)
        history = self.folder / "parts" / "history.csv"
        while process.poll() is None and not (history.exists() and history.read_bytes().count(b"\n") > 3):
            time.sleep(0.01)
        process.send_signal(signal.SIGUSR1)  # which mpirun hands on
        _, errors = process.communicate(timeout=300)
        if process.returncode == 0:  # it was faster than the signal
            return self.agree(whole, Outcome(0, "", errors, self.folder / "parts"))
        self.assertIn("stopped by signal 10", errors)
        self.agree(whole, self.resume(out="parts", ranks=2))


if __name__ == "__main__":
    unittest.main()
