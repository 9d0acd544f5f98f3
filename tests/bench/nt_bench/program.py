# SPDX-License-Identifier: GPL-2.0-only
"""A program under measurement: started, kept for a time, ended, with what it cost."""
import contextlib
import os
import re
import select
import signal
import subprocess
import threading
import time

from nt_live import Failure
from nt_live.process import end_child
from nt_live.pseudo_terminal import open_terminal, take_terminal

from .meter import NS_PER_S, Meter, peak_rss_bytes

LINES, COLUMNS = 40, 120
SAMPLE_S = 0.5
END_DEADLINE_S = 20
_STYLE = re.compile(rb"\x1b\[[0-9;]*m|\x1b\([0B]")
_OTHER_SEQUENCE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[=>78M]|[\x0e\x0f\r]")


class Program:
    """`with Program(argv) as p: p.run(10); p.end()`; then p.cpu_ns. Its output goes to a terminal of 120x40, or as wide as `columns` says, or where `stdout` says."""

    def __init__(self, argv, home, terminal=True, stdout=subprocess.DEVNULL, columns=COLUMNS):
        """home: a folder for what it leaves behind (perf keeps a cache there)."""
        self.name = os.path.basename(str(argv[0]))
        self.output = bytearray()
        self.master = slave = None
        if terminal:
            self.master, slave = open_terminal(LINES, columns)
        self.errors_path = os.path.join(str(home), f"{self.name}.err")
        told, tell = os.pipe()

        def prepare():
            """Between fork and exec: what that takes is Python's, some ms of a process that is being copied, and not the program's."""
            if terminal:
                take_terminal()
            os.write(tell, time.clock_gettime_ns(time.CLOCK_PROCESS_CPUTIME_ID).to_bytes(8, "little"))

        with open(self.errors_path, "wb") as errors:
            self.start_ns = time.monotonic_ns()
            self.child = subprocess.Popen(
                [str(word) for word in argv], stdin=slave if terminal else subprocess.DEVNULL, stdout=slave if terminal else stdout,
                stderr=errors, preexec_fn=prepare,
                env=os.environ | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": str(home)})
        os.close(tell)
        if terminal:
            os.close(slave)
        self.pid = self.child.pid
        self._before_ns = int.from_bytes(os.read(told, 8), "little")
        os.close(told)
        self._meter = Meter(self.pid)
        self._daemons = Meter(os.getpid(), of_daemons=True)
        self._daemons_before_ns = self._daemons.sample()
        self.cpu_ns = 0
        self.peak_rss_bytes = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end_child(self.child)
        if self.master is not None:
            os.close(self.master)

    @property
    def daemons_cpu_ns(self):
        """Of all LTTng daemons here, its own and ours, since it was started."""
        return self._daemons.sample() - self._daemons_before_ns

    def age_s(self):
        return (time.monotonic_ns() - self.start_ns) / NS_PER_S

    def sample(self):
        """Its CPU time so far, helpers included, LTTng daemons not, in ns."""
        self.cpu_ns = self._meter.sample() - self._before_ns
        self.peak_rss_bytes = max(self.peak_rss_bytes, peak_rss_bytes(self.pid) or 0)
        return self.cpu_ns

    def pump(self, seconds):
        """Waits for output at most this long and takes it."""
        if self.master is None:
            time.sleep(seconds)
            return
        if select.select([self.master], [], [], seconds)[0]:
            try:
                self.output += os.read(self.master, 1 << 16)
            except BlockingIOError:
                pass
            except OSError:
                time.sleep(min(seconds, 0.01))  # it has closed the terminal

    def run(self, until_s, condition=None):
        """Keeps it running until it is this old, or condition(self) holds; returns its age in s. Failure when it ends before."""
        next_sample_s = 0
        while (age_s := self.age_s()) < until_s:
            if condition and condition(self):
                return age_s
            if age_s >= next_sample_s:
                next_sample_s = age_s + SAMPLE_S
                self.sample()
                self._daemons.sample()
                self._check_alive()
            self.pump(min(until_s - age_s, 0.1))
        self.sample()
        return age_s

    def text(self):
        """What it drew, without its escape sequences; a move of the cursor ends a line."""
        return _OTHER_SEQUENCE.sub(b"\n", _STYLE.sub(b"", bytes(self.output))).decode("utf-8", "replace")

    def end(self):
        """Ends it as Ctrl-C does and takes its final cost."""
        self._daemons.sample()
        self.child.send_signal(signal.SIGINT)
        self.wait(END_DEADLINE_S)

    def wait(self, seconds):
        """Waits until it has ended; a zombie still has its CPU clock."""
        deadline_s = self.age_s() + seconds
        while not os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
            if self.age_s() > deadline_s:
                raise Failure(f"{self.name} did not end within {seconds} s")
            self.pump(0.02)
        self.sample()
        self.child.wait()

    def _check_alive(self):
        if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
            status = self.child.wait()
            with open(self.errors_path, encoding="utf-8", errors="replace") as errors:
                said = errors.read().strip() or self.text().strip()
            raise Failure(f"{self.name} ended early with {status}: {said[-600:]}")


@contextlib.contextmanager
def pumped(program):
    """Somebody looks at its terminal meanwhile."""
    over = threading.Event()

    def pump():
        while not over.is_set():
            program.pump(0.1)
    thread = threading.Thread(target=pump)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
