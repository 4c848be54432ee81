"""Processes that run command after command of traction: its start takes longer than most of what tests ask of it."""

import atexit
import os
import pathlib
import selectors
import signal
import subprocess
import tempfile
import time

SEPARATOR = "\x1f"
RUNNING = {}    # number of ranks -> RunningProgram


class Hung(AssertionError):
    """A program did not end in time."""


class RunningProgram:
    def __init__(self, ranks, environment):
        program = pathlib.Path(os.environ["TRACTION_BUILD"]) / "tests" / "run_commands"
        launcher = ["mpirun", "-n", str(ranks), "--oversubscribe"] if ranks > 1 else []
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([*launcher, program], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0, start_new_session=True)

    def is_alive(self):
        return self.process.poll() is None

    def answer(self, line, timeout):
        """The answer to a line, or None if it does not come in time."""
        self.process.stdin.write(line.encode() + b"\n")
        answer, end = b"", time.monotonic() + timeout
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not answer.endswith(b"\n"):
                if not selector.select(end - time.monotonic()):
                    return None
                part = os.read(self.process.stdout.fileno(), 4096)
                if not part:
                    self.process.wait()
                    self.errors.seek(0)
                    raise AssertionError(f"run_commands ended with {self.process.returncode}: {line.split(SEPARATOR)[3:]}\n{self.errors.read().decode(errors='replace')}")
                answer += part
        return answer.decode().strip()

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()


def running(ranks, environment):
    if ranks not in RUNNING or not RUNNING[ranks].is_alive():
        RUNNING[ranks] = RunningProgram(ranks, environment)
    return RUNNING[ranks]


@atexit.register
def end_all():
    for program in RUNNING.values():
        program.end()


def execute_in_running_program(command, ranks, timeout, folder, environment):
    """(exit code, stdout, stderr) of a command of traction, which runs in a process that has run others before."""
    words = [str(word) for word in command]
    assert words[0] == "traction" and "--" not in words and not any("\n" in word or SEPARATOR in word for word in words), words
    with tempfile.TemporaryDirectory(prefix="traction-test-output-") as place:
        output, errors = pathlib.Path(place) / "stdout", pathlib.Path(place) / "stderr"
        output.touch()
        errors.touch()
        program = running(ranks, environment)
        answer = program.answer("".join(word + SEPARATOR for word in [str(folder or os.getcwd()), str(output), str(errors), *words]), timeout)
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in (output, errors)]
        if answer is None:
            program.kill()
            raise Hung(f"still running after {timeout} s: {' '.join(words)}\n{texts[0]}\n{texts[1]}")
    return int(answer), *texts
