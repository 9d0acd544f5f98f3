# SPDX-License-Identifier: GPL-2.0-only
"""`nettop events` as a process, and what it writes."""
import os
import signal

from .process import LineProcess, wait_until
from .runner import check_equal

END_S = 30


class Events:
    """nettop events, which watches already."""

    def __init__(self, env, pid, *options):
        self.process = LineProcess([str(env.nettop), "events", "-p", str(pid), *options], os.environ.copy(), env.scratch / "events.err")
        wait_until(lambda: "watching" in self.process.stderr_text() or not self.process.alive(), END_S, lambda: f"nettop watches: {self.process.stderr_text()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()

    def stop(self):
        """All lines."""
        self.process.signal(signal.SIGINT)
        return self.rest()

    def rest(self, status=0):
        lines = []
        while (line := self.process.read_line(END_S)) is not None:
            lines.append(line)
        check_equal(f"exit status ({self.process.stderr_text()[-400:]})", self.process.wait(END_S), status)
        return lines
