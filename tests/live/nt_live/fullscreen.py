# SPDX-License-Identifier: GPL-2.0-only
"""nettop on a real pseudo-terminal."""
import os
import signal
import subprocess
import termios
import time

from .process import Failure, OutOfLimit, end_child, wait_until
from .pseudo_terminal import open_terminal, take_terminal

ENTER_ALTERNATE_SCREEN = b"\x1b[?1049h"
LEAVE_ALTERNATE_SCREEN = b"\x1b[?1049l"
LINES, COLUMNS = 24, 80
REPAINT_S = 1


class FullScreen:
    """`nettop -p PID` in full screen; what it wrote is kept in `output`. The terminal outlives it, to be looked at."""

    def __init__(self, env, pid, *options, lines=LINES, columns=COLUMNS):
        self.master, self.slave = open_terminal(lines, columns)
        self.attributes_before = termios.tcgetattr(self.slave)
        self.output = b""
        self.child = subprocess.Popen(
            [str(env.nettop), "-p", str(pid), *options], stdin=self.slave, stdout=self.slave, stderr=self.slave,
            env=os.environ | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}, preexec_fn=take_terminal)
        self.pid = self.child.pid
        self.paints = False  # it takes keys: the screen has been drawn

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end_child(self.child)
        os.close(self.master)
        os.close(self.slave)

    def pump(self):
        """Takes what nettop has written so far; a full terminal would make it wait."""
        try:
            while chunk := os.read(self.master, 65536):
                self.output += chunk
                self.paints = self.paints or ENTER_ALTERNATE_SCREEN in self.output
        except (BlockingIOError, OSError):
            pass
        return self.output

    def wait_for(self, condition, seconds, what):
        """
        condition(output) must become true in time. What changes is written in pieces, a cell here and there, in which no text is found: the whole screen is painted
        again each second.
        """
        deadline, painted = time.monotonic() + seconds, time.monotonic()
        while not condition(self.pump()):
            if time.monotonic() > painted + REPAINT_S and self.paints:
                painted = time.monotonic()
                self.type("\x0c")
            if self.child.poll() is not None:
                raise Failure(f"{what}: nettop ended with {self.child.poll()}: {self.output[-500:]!r}")
            if time.monotonic() > deadline:
                raise OutOfLimit(f"{what}: not within {seconds} s")
            time.sleep(0.02)

    def wait_end(self, seconds):
        """It ends by itself; what it writes meanwhile is taken."""
        wait_until(lambda: (self.pump(), self.child.poll())[1] is not None, seconds, "its end")

    def type(self, text):
        os.write(self.master, text.encode())

    def kill(self):
        """SIGKILL, as an out-of-memory killer does it."""
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()

    def terminal_is_restored(self):
        """The line settings are those of before, and the alternate screen was left after it was last entered."""
        output = self.pump()
        return (termios.tcgetattr(self.slave) == self.attributes_before
                and output.rfind(LEAVE_ALTERNATE_SCREEN) > output.rfind(ENTER_ALTERNATE_SCREEN) >= 0)
