"""A Slurm of one node with two processors on this machine, for tests: authentication, controller and node daemon of its own, on ports and in folders of its own."""

import contextlib
import ctypes
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None, use_errno=True)

CONFIGURATION = """\
ClusterName=traction
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthInfo=socket={folder}/munge/socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=pmix
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
OverTimeLimit=0
KillWait=30
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=1
SlurmdParameters=config_overrides
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
# cred_expire is how long a job that is queued again has to wait, in seconds: the least that Slurm takes, instead of two minutes. The scheduler looks every second instead
# of every half minute.


def why_not():
    """What keeps this user from starting a Slurm, or None."""
    if os.geteuid() != 0:
        return "needs root: munged runs as the user munge"
    try:
        pwd.getpwnam("munge")
    except KeyError:
        return "there is no user munge, as whom munged runs (package munge)"
    return None


def program(name):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin")
    if path is None:
        raise FileNotFoundError(f"no program {name}; jobs/prepare all_tests installs it")
    return path


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def children_of(parent):
    """Process ids of all processes that a process has started, and those of theirs, youngest generation last."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:   # it has ended
                pass
    found = [parent]
    for one in found:
        found += [child for child, its_parent in parents.items() if its_parent == one]
    return found[1:]


class SlurmCluster:
    """Programs and jobs see `environment`. Everything ends with stop(), or when this process does."""

    def __init__(self, environment):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="traction-slurm-"))
        self.folder.chmod(0o755)   # munge must reach its key
        outside = {name: value for name, value in environment.items() if not name.startswith(("SLURM", "SBATCH", "SRUN"))}   # without those of a Slurm around this process
        self.environment = {**outside, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = []
        self.others = set(children_of(os.getpid()))
        # Whatever outlives its parent, as Slurm's step daemons do, becomes a child of this process, and is found at the end.
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    def start(self):
        munge = self.folder / "munge"
        for path in (munge, self.folder / "state", self.folder / "spool"):
            path.mkdir(mode=0o755)
        key = munge / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        for path in (munge, key):
            shutil.chown(path, "munge", "munge")
        ports = free_ports(2)
        host = socket.gethostname().partition(".")[0]
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(host=host, folder=self.folder, controller_port=ports[0], node_port=ports[1]))

        files = {"socket": "socket", "key-file": "munge.key", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        self.daemon("munged", "--foreground", *(f"--{option}={munge / name}" for option, name in files.items()), user="munge", group="munge", extra_groups=[])
        self.wait("munged's socket", lambda: (munge / "socket").exists())
        self.daemon("slurmctld", "-D", "-c")
        self.daemon("slurmd", "-D")
        self.wait("the node", self.is_up)

    def is_up(self):
        try:
            return self.command("sinfo", "--noheader", "--format=%T").strip() == "idle"
        except AssertionError:   # the controller does not answer yet
            return False

    def daemon(self, name, *options, **user):
        with open(self.folder / f"{name}.log", "w") as log:
            self.daemons.append(subprocess.Popen(
                [program(name), *options], env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), **user))   # when this process is killed, they end too

    def wait(self, what, condition, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"waited {seconds} s for {what}\n" + self.logs())
            time.sleep(0.1)

    def logs(self):
        return "\n".join(f"{path.name}:\n" + "\n".join(path.read_text(errors="replace").splitlines()[-20:]) for path in sorted(self.folder.glob("*.log")))

    def command(self, name, *options, folder=None):
        """What one of Slurm's commands prints."""
        words = [program(name), *map(str, options)]
        done = subprocess.run(words, cwd=folder, env=self.environment, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}\n{self.logs()}")
        return done.stdout

    def stop(self):
        """Ends everything that was started, by process id, and removes the folder."""
        while True:
            mine = [child for child in children_of(os.getpid()) if child not in self.others]
            if not mine:
                break
            for child in mine:
                with contextlib.suppress(ProcessLookupError, ChildProcessError):
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)   # fails for a child's child, which is adopted and found by the next round
            time.sleep(0.05)
        for daemon in self.daemons:
            daemon.wait()
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        shutil.rmtree(self.folder, ignore_errors=True)
