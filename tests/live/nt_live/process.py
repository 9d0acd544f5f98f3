# SPDX-License-Identifier: GPL-2.0-only
"""Child processes with deadlines. A test ends only processes that descend from it, by pid."""
import contextlib
import ctypes
import os
import pathlib
import queue
import re
import signal
import subprocess
import threading
import time

PR_SET_CHILD_SUBREAPER = 36
COMMAND_S = 30


class Failure(Exception):
    """Something the test expected did not happen; the text says what."""


class OutOfLimit(Failure):
    """
    A deadline has passed, or a measured time or share is beyond its tolerance. A loaded machine can do that now and then, a defect does it every
    time: the runner tries such a test again.
    """


class Unequal(Failure):
    """What is counted is not what it should be: it must be at the first try, whatever the machine does."""


def run(argv, variables=None):
    """A command that ends by itself: what it wrote, and its status."""
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=COMMAND_S, check=False,
                          env=os.environ | (variables or {}))


def wait_until(condition, seconds, what, step=0.02):
    """The first true value of condition(); Failure(what, or what()) when there is none within the deadline."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise OutOfLimit(f"{what() if callable(what) else what}: not within {seconds} s")
        time.sleep(step)


def wait_for_work(pid, rounds=40):
    """Until the process has waited so many times: it had the time to do whatever it does all the time."""

    def waits():
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read(), re.M)[1])

    start = waits()
    wait_until(lambda: waits() >= start + rounds, 15, f"process {pid} goes on working")


def waited_for_cpu_ns(pid):
    """{tid: ns in which it could have run and another one did}, by the scheduler: by so much a span that it timed itself may differ from one that others timed."""
    waited = {}
    for stat in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            waited[int(stat.parent.name)] = int(stat.read_text(encoding="ascii").split()[1])
        except OSError:
            pass  # it has ended
    return waited


def adopt_orphans():
    """Daemons that detach themselves become children of this process, so that descendants() finds them."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _parents():
    table = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    state, parent = file.read().rsplit(")", 1)[1].split()[:2]
            except OSError:
                continue
            if state != "Z":
                table[int(name)] = int(parent)
    return table


def descendants(of=None):
    """{pid: name} of the living processes that descend from `of` (default: this one)."""
    parents = _parents()
    found, grown = {of or os.getpid()}, True
    while grown:
        children = {pid for pid, parent in parents.items() if parent in found} - found
        found |= children
        grown = bool(children)
    found.discard(of or os.getpid())
    return {pid: name_of(pid) for pid in found}


def proportional_bytes(pid, daemons=False):
    """What this process and all below it have in memory, of shared pages their share: the sum of Pss. `daemons`: of the LTTng daemons among them instead."""
    total = 0
    for one, name in {pid: "", **descendants(of=pid)}.items():
        if name.startswith("lttng-") != daemons:
            continue
        try:
            with open(f"/proc/{one}/smaps_rollup", encoding="ascii", errors="replace") as file:
                total += int(re.search(r"^Pss:\s+(\d+) kB", file.read(), re.M)[1]) << 10
        except (OSError, TypeError):
            continue  # it has ended
    return total


def children():
    """{pid: name} of the living processes whose parent is this one, orphans among them (adopt_orphans())."""
    return {pid: name_of(pid) for pid, parent in _parents().items() if parent == os.getpid()}


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def descendants_named(name):
    return [pid for pid, comm in descendants().items() if comm == name]


def end_descendants():
    """SIGKILL for everything that still descends from this process, and reap it."""
    deadline = time.monotonic() + 5
    while descendants() and time.monotonic() < deadline:
        for pid in descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)
        reap()


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def end_child(child):
    """SIGKILL for a subprocess.Popen that still runs; it is gone on return."""
    if child.poll() is None:
        child.kill()
    child.wait()


class LineProcess:
    """A child whose standard output is read line by line, each read with a deadline. Its stderr goes to a file."""

    def __init__(self, argv, env=None, stderr_path=None, stdin=subprocess.PIPE):
        self.name = os.path.basename(argv[0])
        self.stderr_path = stderr_path
        with open(stderr_path or os.devnull, "wb") as stderr:
            self.child = subprocess.Popen(argv, env=env, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr)
        self.pid = self.child.pid
        self._lines = queue.SimpleQueue()
        self._ended = False
        # Read at once, wanted or not: a child that waits for its reader is not what the test looks at.
        self._reader = threading.Thread(target=self._read_all, daemon=True)
        self._reader.start()

    def _read_all(self):
        for line in self.child.stdout:
            self._lines.put(line.removesuffix(b"\n").decode("utf-8", "replace"))
        self._lines.put(None)

    def stderr_text(self):
        if not self.stderr_path:
            return ""
        with open(self.stderr_path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()

    def alive(self):
        return self.child.poll() is None

    def send_line(self, text):
        try:
            self.child.stdin.write(text.encode() + b"\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            raise Failure(f"{self.name} has ended ({self._end_text()})") from None

    def read_line(self, seconds):
        """The next line without its end; None at the end of the output; Failure when none came in time."""
        if self._ended:
            return None
        try:
            line = self._lines.get(timeout=max(seconds, 0.001))
        except queue.Empty:
            raise OutOfLimit(f"{self.name}: no line within {seconds} s {self.stderr_text()[-500:]}".rstrip()) from None
        self._ended = line is None
        return line

    def signal(self, number):
        if self.alive():
            self.child.send_signal(number)

    def has_line(self):
        """Is there a line that nobody has read?"""
        return not self._lines.empty()

    def wait(self, seconds):
        """The exit status; Failure when it does not end in time."""
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            raise OutOfLimit(f"{self.name} did not end within {seconds} s") from None

    def kill(self):
        end_child(self.child)
        # A grandchild of another user lives on, and holds the other ends: the end of its input is its end.
        if self.child.stdin:
            try:
                self.child.stdin.close()
            except BrokenPipeError:
                pass
        self._reader.join(5)
        if self.child.stdout and not self._reader.is_alive():
            self.child.stdout.close()

    def _end_text(self):
        return f"status {self.child.poll()}: {self.stderr_text()[-500:]}"


@contextlib.contextmanager
def running(*argv):
    """A program for as long as the block runs."""
    process = LineProcess(list(argv), os.environ.copy())
    try:
        yield process
    finally:
        process.kill()


def read_until(process, read, condition, seconds, what, so_far):
    """The first true value of read(seconds that are left) for which condition(value) holds; one that is not true is the end of that LineProcess. `so_far`: what there was, when none comes in time."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            value = read(max(deadline - time.monotonic(), 0.01))
        except OutOfLimit:
            raise OutOfLimit(f"{what}: not within {seconds} s; {so_far()}") from None
        if not value:
            raise Failure(f"{process.name} ended while waiting for: {what}; {process.stderr_text()[-800:]}")
        if condition(value):
            return value
