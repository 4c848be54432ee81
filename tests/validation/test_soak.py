"""The dropped tennis ball rebounds on and on, while its run is stopped and resumed on other numbers of ranks: it needs no more memory at the end than at the start.

TRACTION_SOAK_MINUTES is how long that takes (0.7) on a machine that is fast enough: on others the first process runs until it has seen two impacts.
"""

import os
import pathlib
import signal
import subprocess
import time
import unittest

import numpy

from traction_runs import JOBS, Outcome, RunTest, settings, start

MINUTES = float(os.environ.get("TRACTION_SOAK_MINUTES", 0.7))
# Undamped, for ever, with steps as long as errors allow: flight and impacts in turns.
SETS = {"bodies.ball.mesh_parameters.element_size": 0.008, "bodies.ball.damping.stiffness": 0, "time.step": 2.5e-3, "time.error_tolerance": 2e-5, "time.maximum_halvings": 10,
        "time.end": 1e4, "output": "{every: 0.25, fields: [velocity, contact_pressure], contacts: true, checkpoint_every: {steps: 50}}"}
RANKS = (2, 1, 4)       # in turns
LONG = 6                # times as long as the others is the first process, for what grows in one
ROUNDS = 2 if MINUTES < 5 else 6
PATIENCE = 600          # [s] in which a process must have done its part on any machine
FLAT = 0.01 if MINUTES >= 5 else 0.03   # processes of a few seconds may not have seen all that a bounce needs
ALIKE = FLAT if MINUTES >= 5 else 0.1   # and their peaks differ among each other, without any trend, by up to 7 % on two ranks


def memory_peaks(process):
    """Bytes of each rank's peak."""
    program = f"{os.environ['TRACTION_BUILD']}/traction"
    peaks = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(folder.name)) == process.pid or os.getsid(int(folder.name)) == process.pid:
                if os.path.samefile(folder / "exe", program):
                    peaks += [1024 * int(line.split()[1]) for line in (folder / "status").read_text().splitlines() if line.startswith("VmHWM")]
        except OSError:   # ended meanwhile
            pass
    return peaks


def written_rows(out):
    """Columns of the history of a running program, without a row that is not complete; None before the first one."""
    try:
        header, *rows = (out / "history.csv").read_text().split("\n")[:-1]
        return dict(zip(header.split(","), numpy.array([row.split(",") for row in rows], dtype=float).T)) if rows else None
    except (OSError, ValueError):
        return None


def impacts(history):
    """How often something has begun to touch."""
    contacts = history["contacts"] > 0
    return numpy.count_nonzero(contacts[1:] & ~contacts[:-1])


class Soak(RunTest):
    def watch(self, process, out, seconds, done):
        """Memory peaks of all ranks together when the process has run for some seconds, and its history is what `done` asks for."""
        begun = time.monotonic()
        while True:
            try:
                output, errors = process.communicate(timeout=seconds if time.monotonic() < begun + seconds else 1)
                self.fail(f"ended by itself with {process.returncode}:\n{output}\n{errors}")
            except subprocess.TimeoutExpired:
                history = written_rows(out)
                if history is not None and done(history):
                    return sum(memory_peaks(process))
            if time.monotonic() > begun + seconds + PATIENCE:
                os.killpg(process.pid, signal.SIGKILL)
                self.fail(f"has not done its part in {seconds + PATIENCE:.0f} s")

    def test_memory_is_flat(self):
        out = self.folder / "out"
        seconds = 60 * MINUTES / (LONG + len(RANKS) * ROUNDS)
        peaks, steps = {ranks: [] for ranks in RANKS}, 0
        for number in range(1 + len(RANKS) * ROUNDS):
            ranks, long = RANKS[number % len(RANKS)], LONG if number == 0 else 1
            words = ["resume", out] if number else ["run", JOBS / "tennis_ball_drop" / "scene.yaml", "--out", out, *settings(SETS)]
            process = start(["traction", *words], ranks, self.folder)
            peaks_at = []
            for part in (1, 2):
                # The first process sees an impact in each of its halves, every other one takes a step: however slow the machine is.
                peaks_at.append(self.watch(process, out, seconds * long / 2, lambda history: impacts(history) >= part if long > 1 else len(history["step"]) > steps))
            middle, at_end = peaks_at
            process.send_signal(signal.SIGUSR1)   # mpirun hands it on; at SIGTERM it would kill
            _, errors = process.communicate(timeout=60)
            self.assertIn("continue with: traction resume", errors)
            history = Outcome(process.returncode, "", errors, out).history
            self.assertGreater(len(history["step"]), steps, "no step was taken")
            steps = len(history["step"])
            numpy.testing.assert_array_equal(history["step"], numpy.arange(1, steps + 1))
            self.assertTrue(numpy.all(numpy.diff(history["time"]) > 0))
            if long > 1:
                self.assertLess(at_end, (1 + FLAT) * middle, f"a process went from {middle} to {at_end} bytes")
                print(f"one process: {middle / 1e6:.1f} MB half way, {at_end / 1e6:.1f} MB after {seconds * long:.0f} s")
            else:
                peaks[ranks].append(at_end)
        bounces = impacts(history)
        self.assertGreaterEqual(bounces, 2)
        print(f"{steps} steps, {bounces} impacts, {history['time'][-1]:.1f} s; MB of all ranks, process by process: "
              + "; ".join(f"{ranks} ranks " + " ".join(f"{peak / 1e6:.1f}" for peak in peaks[ranks]) for ranks in RANKS))
        for ranks in RANKS:
            self.assertLess(peaks[ranks][-1], (1 + ALIKE) * peaks[ranks][0], f"{ranks} ranks: {peaks[ranks]}")


if __name__ == "__main__":
    unittest.main()
